// What was measured and is worth keeping: a list of JSON entries in a file of the cache folder, the newest first, to
// which several programs may add at once. A file that cannot be understood is set aside and begun anew; an entry that
// answers nobody's question, a later program's perhaps, stays. Each entry carries a checksum of itself: one that is
// damaged answers nothing, and stays too. Entries from before there were checksums are taken as they are.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "core/common/outcome.hpp"

namespace pivotscope {

// What a file of the cache folder is called: `cache_folder`, else $PIVOTSCOPE_CACHE, else $XDG_CACHE_HOME/pivotscope,
// else ~/.cache/pivotscope. Empty when there is no home.
std::filesystem::path cached_file(const std::string& cache_folder, const char* file);

// How such a file is spoken of.
struct json_store_words {
  const char* list;    // its field that has the entries: "tunings"
  const char* before;  // "What was tuned before"
  const char* one;     // "The tuning"
  const char* next;    // "the next tuning"
};

// Entries that are no JSON objects of ours may be among them, and none that is damaged. No file: none.
struct json_store_entries {
  nlohmann::json entries = nlohmann::json::array();
  std::string damaged = {};  // how many are damaged, for who finds nothing among the others; else empty
  std::string note = {};     // why the file cannot be used, and what becomes of it; else empty
};
json_store_entries read_json_store(const std::filesystem::path& path, const json_store_words& words);

// Puts `entry` in front of those of which `replaces` is false, under a lock; those that it throws a JSON exception
// about stay too. The words that say that a file was set aside, or none. Problem: it cannot be kept; one that cannot be
// read is one, and stays.
outcome<std::string> add_to_json_store(const std::filesystem::path& path, const json_store_words& words,
                                       nlohmann::json entry,
                                       const std::function<bool(const nlohmann::json&)>& replaces);

}  // namespace pivotscope
