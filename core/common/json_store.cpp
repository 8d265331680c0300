#include "core/common/json_store.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "core/common/file_lock.hpp"
#include "core/common/quarantine.hpp"
#include "core/common/sealed_json.hpp"
#include "core/common/whole_file.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;
constexpr int file_format = 1;
constexpr std::size_t most_kept = 200;

struct store_content {
  enum class state { understood, not_understood, not_readable };
  state is = state::understood;
  std::string why = {};  // when it is not
  nlohmann::json entries = nlohmann::json::array();
};

// No file: no entries.
store_content read_store(const fs::path& path, const char* list) {
  std::string text;
  const int error = read_whole_file(path, text);
  if (error == ENOENT) return {};
  if (error != 0) return {store_content::state::not_readable, system_words(error)};
  nlohmann::json whole = nlohmann::json::parse(text, nullptr, false);
  if (whole.is_discarded()) return {store_content::state::not_understood, "it is no JSON"};
  if (!whole.is_object() || whole.value("format", nlohmann::json()) != file_format || !whole.contains(list) ||
      !whole[list].is_array())
    return {store_content::state::not_understood, "it is of another format"};
  return {.entries = std::move(whole[list])};
}

constexpr const char* checksum = "checksum";

std::string checksum_of(nlohmann::json entry) {
  entry.erase(checksum);
  return checksum_text(entry.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

bool is_damaged(const nlohmann::json& entry) {
  return entry.is_object() && entry.contains(checksum) && entry[checksum] != checksum_of(entry);
}

}  // namespace

fs::path cached_file(const std::string& cache_folder, const char* file) {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return value && *value ? std::string(value) : std::string();
  };
  if (!cache_folder.empty()) return fs::path(cache_folder) / file;
  if (const std::string named = set("PIVOTSCOPE_CACHE"); !named.empty()) return fs::path(named) / file;
  // A relative one is to be ignored, says its specification.
  if (const std::string caches = set("XDG_CACHE_HOME"); caches.starts_with('/'))
    return fs::path(caches) / "pivotscope" / file;
  if (const std::string home = set("HOME"); !home.empty()) return fs::path(home) / ".cache" / "pivotscope" / file;
  return {};
}

json_store_entries read_json_store(const fs::path& path, const json_store_words& words) {
  if (path.empty()) return {};
  store_content kept = read_store(path, words.list);
  if (kept.is == store_content::state::understood) {
    json_store_entries right;
    for (nlohmann::json& entry : kept.entries)
      if (!is_damaged(entry)) right.entries.push_back(std::move(entry));
    const std::size_t all = kept.entries.size(), damaged = all - right.entries.size();
    if (damaged > 0)
      right.damaged = fmt::format("{}, in {}: {} of {} entries {} damaged, by {} checksum, and {} there unread.",
                                  words.before, path.string(), damaged, all, damaged == 1 ? "is" : "are",
                                  damaged == 1 ? "its" : "their", damaged == 1 ? "stays" : "stay");
    return right;
  }
  const bool replaced = kept.is == store_content::state::not_understood;
  return {.note = fmt::format("{}, in {}, cannot be used ({}){}.", words.before, path.string(), kept.why,
                              replaced ? fmt::format("; {} keeps it aside and begins anew", words.next) : "")};
}

outcome<std::string> add_to_json_store(const fs::path& named, const json_store_words& words, nlohmann::json entry,
                                       const std::function<bool(const nlohmann::json&)>& replaces) {
  const auto refuse = [&](const std::string& why) {
    return problem{fmt::format("{} cannot be kept: {}.", words.one, why)};
  };
  if (named.empty()) return refuse("neither HOME nor XDG_CACHE_HOME is set");
  const outcome<fs::path> path = behind_links(named);
  if (!path) return refuse(path.error().words);
  std::error_code fault;
  fs::create_directories(path->parent_path(), fault);
  if (fault) return refuse(fmt::format("{}: {}", path->parent_path().string(), fault.message()));
  // Others may be at it: what they have kept meanwhile is read, and stays.
  const outcome<file_lock> lock = file_lock::take(path->string() + ".lock");
  if (!lock) return refuse(lock.error().words);
  store_content known = read_store(*path, words.list);
  if (known.is == store_content::state::not_readable) {
    return refuse(fmt::format("{} cannot be read: {}", path->string(), known.why));
  }
  std::string told;
  if (known.is == store_content::state::not_understood) {
    const outcome<fs::path> aside = quarantine(*path);
    if (!aside) return refuse(fmt::format("what is there cannot be used ({}), and {}", known.why, aside.error().words));
    told = fmt::format("{}, in {}, cannot be used ({}); it is kept as {}, and a new file is begun.", words.before,
                       path->string(), known.why, aside->string());
  }
  nlohmann::json entries = nlohmann::json::array();
  entry[checksum] = checksum_of(entry);
  entries.push_back(std::move(entry));
  for (nlohmann::json& other : known.entries) {
    if (entries.size() >= most_kept) break;
    try {
      if (!is_damaged(other) && replaces(other)) continue;
    } catch (const nlohmann::json::exception&) {
      // It answers no question of ours; it may be a later program's.
    }
    entries.push_back(std::move(other));
  }
  const nlohmann::json whole = {{"format", file_format}, {words.list, entries}};
  const status written =
      write_whole_file(*path, whole.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  if (!written) return problem{refuse(written.error().words).words + (told.empty() ? "" : " " + told)};
  return told;
}

}  // namespace pivotscope
