// possible_entries beside a std::multimap, which it stands for.
#include "core/reference/possible_entries.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace pivotscope {
namespace {

using entry = possible_entries::entry;

std::vector<entry> of(const std::multimap<u64, entry>& all, u64 key) {
  std::vector<entry> entries;
  for (auto [at, end] = all.equal_range(key); at != end; ++at) entries.push_back(at->second);
  return entries;
}

// Few keys, the ends of the key space among them, so that every kind of neighbour comes up.
TEST(possible_entries, are_what_a_multimap_says_after_every_change) {
  std::mt19937_64 draw(5);
  const u64 keys[] = {0, 1, 2, 3, 7, 8, ~u64{0} - 1, ~u64{0}};
  u64 changes = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<stored_entry> known;
    for (const u64 key : keys)
      for (u64 n = draw() % 3; n > 0; --n) known.push_back({key, static_cast<u32>(known.size())});
    std::multimap<u64, entry> truth;
    for (const stored_entry& one : known) truth.emplace(one.key, entry{one.row, true});
    possible_entries all(known);
    for (int change = 0; change < 12; ++change, ++changes) {
      const u64 key = keys[draw() % std::size(keys)];
      const entry added{static_cast<u32>(100 + change), draw() % 2 == 0};
      const possible_entries before = all;  // a copy goes its own way
      if (draw() % 2 == 0) {
        all.add(key, added), truth.emplace(key, added);
        EXPECT_EQ(before.size() + 1, all.size());
      } else {
        all.erase(key), truth.erase(key);
      }
      ASSERT_EQ(all.size(), truth.size());
      std::multimap<u64, entry> seen;
      all.each([&](u64 of_key, const entry& one) { seen.emplace(of_key, one); });
      ASSERT_TRUE(std::ranges::equal(seen, truth));
      for (const u64 asked : keys) {
        ASSERT_EQ(all.of(asked), of(truth, asked)) << asked;
        ASSERT_EQ(all.contains(asked), truth.contains(asked));
        const auto next = truth.upper_bound(asked);
        ASSERT_EQ(all.next_key(asked), next == truth.end() ? std::nullopt : std::optional(next->first)) << asked;
      }
    }
  }
  EXPECT_EQ(changes, 3600u);
}

TEST(possible_entries, tell_the_keys_that_changed_and_those_that_a_list_has_otherwise) {
  possible_entries all({{1, 0}, {3, 1}, {3, 2}, {5, 3}, {9, 4}});
  all.erase(5), all.add(6, {7, false}), all.doubt(9);
  using told = std::vector<std::pair<u64, std::vector<u32>>>;
  const auto differences = [&](const std::vector<stored_entry>& list) {
    told keys;
    all.each_difference(list, [&](u64 key, std::span<const u32> rows) {
      keys.emplace_back(key, std::vector<u32>(rows.begin(), rows.end()));
    });
    return keys;
  };
  EXPECT_EQ(differences({{1, 0}, {3, 1}, {3, 2}, {9, 4}}), (told{{5, {}}, {6, {}}, {9, {4}}}));
  EXPECT_EQ(differences({{0, 9}, {1, 8}, {3, 1}, {6, 7}, {9, 4}, {10, 5}}),
            (told{{0, {9}}, {1, {8}}, {3, {1}}, {5, {}}, {6, {7}}, {9, {4}}, {10, {5}}}));
  EXPECT_EQ(differences({}), (told{{1, {}}, {3, {}}, {5, {}}, {6, {}}, {9, {}}}));
}

}  // namespace
}  // namespace pivotscope
