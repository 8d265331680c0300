// Small scripts over few keys that collide, out of words that anybody draws; and what a failure leaves behind: a file that
// `pivotscope run --script` takes, and the command that shows it again.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/index/axes.hpp"
#include "core/index/check.hpp"
#include "core/index/config_text.hpp"
#include "core/run/run_script.hpp"
#include "core/workload/script_text.hpp"

namespace pivotscope::testing {

inline std::vector<std::string> changing_methods() {
  std::vector<std::string> list;
  for (const std::string& method : method_names())
    if (family_of(*config_from_line(method)).changes()) list.push_back(method);
  return list;
}

// Value `which` of every axis, modulo how many it has: its suggestions, and where it is a number its ends.
inline index_config config_of_words(const std::string& method, std::span<const u32> words) {
  index_config config = *config_from_line(method);
  std::size_t next = 0;
  for (const axis& a : axes(config.family).subspan(1)) {
    std::vector<std::string> values = a.values;
    if (a.range) values.push_back(std::to_string(a.range->first)), values.push_back(std::to_string(a.range->second));
    index_config changed = config;
    if (!a.set(changed, values[words[next++ % words.size()] % values.size()])) continue;
    changed = nearest_accepted(changed, a.name);
    if (!check(changed)) config = changed;
  }
  return config;
}

inline constexpr std::size_t most_case_keys = max_listed;  // so that they stand in a line

struct script_case {
  index_config config;
  key_array keys;
  script asked;

  std::string command(const std::string& file) const {
    std::vector<u64> list(keys.size());
    for (u64 i = 0; i < keys.size(); ++i) list[i] = keys[i];
    const std::string keys_part =
        list.empty() ? "keys=0 distribution=uniform" : fmt::format("key_list={}", fmt::join(list, ","));
    return fmt::format("pivotscope run --config \"{}\" --workload \"{}\" --script {}", to_line(config), keys_part,
                       file);
  }
  // The script as a file, and the command.
  std::string written() const {
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string name = fmt::format("pivotscope-{}-{}.txt", test->test_suite_name(), test->name());
    std::replace(name.begin(), name.end(), '/', '-');
    const std::string file = (std::filesystem::temp_directory_path() / name).string();
    if (const status done = write_script(file, asked); !done) return done.error().words;
    return command(file);
  }
};

// A word each is a key of the input, an operation or maintenance: keys are the least, the greatest and some that follow each other.
template <class Key>
script_case case_of_words(const index_config& config, u32 different, std::span<const u32> key_words,
                          std::span<const u32> words) {
  const auto key_of = [&](u32 word) {
    const u32 which = word % std::max(1u, different);
    return which < 2 ? static_cast<Key>(greatest_key<Key>() * which) : static_cast<Key>(which - 1);
  };
  std::vector<Key> keys;
  for (const u32 word : key_words.first(std::min(key_words.size(), most_case_keys))) keys.push_back(key_of(word));
  std::vector<operation> served;
  for (const operation what : all_operations)
    if (family_of(config).serves(what)) served.push_back(what);
  script_case one{config, key_array(std::move(keys)), script(config.keys)};
  for (const u32 word : words) {
    const u32 bracket = word >> 28;  // one in sixteen begins a mixed batch, two end one
    // One in 128 is a batch of maintenance.
    if (!one.asked.in_mixed() && (word >> 21 & 0x7F) == 0) {
      one.asked.add((word >> 20 & 1) == 0 ? maintenance::clear : maintenance::rebuild);
      continue;
    }
    if (bracket == 0 && !one.asked.in_mixed()) one.asked.begin_mixed();
    question what{served[(word >> 24) % served.size()], key_of(word & 0xFFF)};
    if (what.kind == operation::range) what.high = key_of(word >> 12 & 0xFFF);
    one.asked.add(what);
    if (bracket < 3 && bracket > 0 && one.asked.in_mixed()) one.asked.end_mixed();
  }
  if (one.asked.in_mixed()) one.asked.end_mixed();
  return one;
}

// Runs it, with the entries compared after every batch; words for what is wrong.
inline std::string fault_of(machine& on, const script_case& one) {
  const auto keys = key_set::load(on, one.keys, {});
  if (!keys) return keys.error().words;
  const outcome<script_record> record =
      run_script_config(on, one.config, **keys, one.asked, {.compare_each = true}, {});
  if (!record) return record.error().words;
  return record->wrong() == 0 ? "" : record->first_wrong();
}

}  // namespace pivotscope::testing
