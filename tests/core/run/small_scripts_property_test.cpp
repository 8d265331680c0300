// Every small script on a machine that is right: nothing of it is called wrong, whether the entries are compared after each batch
// or at the end alone. What the oracle is not sure of after a mixed batch it is not sure of in the next one either.
#include <gtest/gtest.h>

#include "core/run/run_script.hpp"
#include "core/workload/script_list.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

using lists = std::vector<std::string>;

// Batches of up to `most` of the operations, in brackets where they are mixed.
lists batches_of(const lists& operations, std::size_t most, bool mixed) {
  lists all, longest{""};
  for (std::size_t length = 1; length <= most; ++length) {
    lists next;
    for (const std::string& before : longest)
      for (const std::string& one : operations) next.push_back(before.empty() ? one : before + "," + one);
    all.insert(all.end(), next.begin(), next.end());
    longest = std::move(next);
  }
  for (std::string& list : all)
    if (mixed) list = "(" + list + ")";
  return all;
}

TEST(SmallScripts, OfARightMachineAreRight) {
  const auto cpu = detail::open_cpu();
  u64 scripts = 0, open = 0;
  for (const char* config : {"PLAIN", "HT+OA", "HT+OA load=100"}) {
    for (const std::vector<u32>& input : {std::vector<u32>{}, {5, 7, 5}}) {
      const auto keys = *key_set::load(*cpu, key_array(input), {});
      const auto index = *cpu->build(testing::config_of(config), keys->resident(), {});
      for (const std::string& first : batches_of({"+5", "-5", "+7", "?5"}, 3, true)) {
        for (const std::string& second : batches_of({"-5", "-7"}, 2, false)) {
          const std::string list = first + "/" + second + "/?5,?7";
          const script s = *script_from_list(list, key_width::u32);
          for (const bool compare_each : {false, true}) {
            const auto record = run_script(*cpu, index, *keys, s, {.compare_each = compare_each}, {});
            ASSERT_TRUE(record) << record.error().words;
            ASSERT_EQ(record->wrong(), 0u)
                << config << ", " << input.size() << " keys, " << list << ": " << record->first_wrong();
            ++scripts, open += first.find("+5") != first.npos && first.find("-5") != first.npos;
          }
        }
      }
    }
  }
  EXPECT_GT(scripts, 5000u);
  EXPECT_GT(open, 1000u);
}

}  // namespace
}  // namespace pivotscope
