// How full an index's parts are, as Fill shows them: columns, a histogram, a sample of what is many.
#include "viz/models/fill_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/support/build_index.hpp"

namespace pivotscope::viz {
namespace {

// Parts that hold their own number, modulo 7; every tenth is of another kind.
class counting_parts final : public index_model {
 public:
  explicit counting_parts(u64 count, u32 room = 5) : count_(count), room_(room) {}
  u64 keys() const override { return count_; }
  u32 levels() const override { return 1; }
  std::span<const region_info> regions() const override { return {}; }
  cell_info describe(region_id, u64) const override { return {}; }
  void count_levels(region_id, u64, u64, u64*) const override {}
  std::optional<cell_run> level_run(u32) const override { return std::nullopt; }
  u64 node_count() const override { return 0; }
  std::vector<tree_node> nodes() const override { return {}; }
  std::optional<fill_parts> fill() const override {
    fill_parts parts;
    parts.name = "bucket", parts.unit = "leaf", parts.units = "leaves";
    parts.count = count_, parts.room = room_;
    parts.kinds = {{"plain", ""}, {"node", ""}};
    return parts;
  }
  static part_fill of(u64 part) { return {static_cast<u32>(part % 7), part % 10 == 9 ? 1u : 0u}; }
  bool fills_of(u64 first, const region_reader& read, std::span<part_fill> out) const override {
    EXPECT_LE(first + out.size(), count_);
    asked += out.size();
    std::byte unused;
    if (!read(main_region, first, {&unused, 1})) return false;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = of(first + i);
    return true;
  }
  std::optional<key_span> keys_of_part(u64 part) const override { return key_span{10 * part, 10 * part + 9}; }
  std::string part_words(u64 part, const region_reader&) const override {
    return "Block " + std::to_string(part) + ".";
  }

  mutable u64 asked = 0;

 private:
  u64 count_;
  u32 room_;
};

key_array spread_keys(u64 n) {
  std::vector<u32> keys;
  for (u64 i = 0; i < n; ++i) keys.push_back(static_cast<u32>(i * 0x9E3779B1u));
  return key_array(keys);
}

bool at_hand(region_id, u64, std::span<std::byte>) { return true; }
bool on_its_way(region_id, u64, std::span<std::byte>) { return false; }

TEST(fill_model, a_column_is_all_of_its_parts_where_they_are_few) {
  const counting_parts model(1000);
  const auto column = fill_of(model, 20, 40, at_hand);
  ASSERT_TRUE(column);
  u64 sum = 0;
  for (u64 part = 20; part < 40; ++part) sum += part % 7;
  EXPECT_EQ(column->counted, 20u);
  EXPECT_EQ(column->filled, sum);
  EXPECT_DOUBLE_EQ(column->mean(), static_cast<double>(sum) / 20);
  EXPECT_EQ(column->least, 0u);
  EXPECT_EQ(column->most, 6u);
  EXPECT_EQ(column->kinds, 3u);
  EXPECT_EQ(fill_of(model, 2, 4, at_hand)->least, 2u);
  EXPECT_EQ(fill_of(model, 2, 4, at_hand)->most, 3u);
  EXPECT_EQ(fill_of(model, 2, 4, at_hand)->kinds, 1u);
  EXPECT_FALSE(fill_of(model, 20, 40, on_its_way));
}

// Of many a few, and the same ones when one pans.
TEST(fill_model, a_column_of_many_parts_is_a_sample_of_them) {
  const counting_parts model(100'000);
  for (const u64 first : {0, 1, 63, 64, 65, 5000}) {
    for (const u64 count : {65, 100, 127, 128, 4096}) {
      model.asked = 0;
      const auto column = fill_of(model, first, first + count, at_hand);
      ASSERT_TRUE(column);
      EXPECT_EQ(column->counted, most_fill_sampled);
      EXPECT_EQ(model.asked, most_fill_sampled);
      EXPECT_EQ(column->first, first);
      EXPECT_EQ(column->end, first + count);
    }
  }
  EXPECT_EQ(fill_of(model, 1000, 3000, at_hand)->filled, fill_of(model, 1010, 3010, at_hand)->filled);
}

TEST(fill_model, a_card_says_what_a_part_is) {
  const counting_parts model(1000);
  const fill_parts parts = *model.fill();
  EXPECT_EQ(part_title(parts, 39), "Bucket 39 of 1\u00A0000");
  EXPECT_EQ(part_card(model, parts, 39, at_hand), "Keys 390 to 399.\n4 leaves, room for 5: node.\nBlock 39.");
  EXPECT_EQ(part_card(model, parts, 8, at_hand), "Keys 80 to 89.\n1 leaf, room for 5: plain.\nBlock 8.");
  EXPECT_EQ(part_card(model, parts, 8, on_its_way), "reading...");
}

TEST(fill_model, counts_every_part_of_an_index) {
  const auto index = testing::build_on_cpu(testing::config_of("PACKED"), spread_keys(20'000));
  fill_study study(index, model_of(*index));
  while (study.go_on(1)) {
  }
  EXPECT_FALSE(study.failed());
  EXPECT_TRUE(study.all_counted());
  const fill_counts& counts = study.counts();
  EXPECT_EQ(counts.count, study.parts().count);
  EXPECT_EQ(counts.filled, ceil_div<u64>(20'000, 12) - 1) << "each leaf but the first begins in one of them";
  EXPECT_EQ(std::accumulate(counts.parts.begin(), counts.parts.end(), u64{0}), counts.count);
  EXPECT_EQ(std::accumulate(counts.kinds.begin(), counts.kinds.end(), u64{0}), counts.count);
  EXPECT_NEAR(counts.mean(), 6.5, 0.1);
}

// Of more parts than are counted a sample of runs, from the first part on and as far apart as can be; no part twice.
TEST(fill_model, counts_a_sample_of_very_many_parts) {
  const auto index = testing::build_on_cpu(testing::config_of("PLAIN"), spread_keys(500'000));  // bytes to be read at
  for (const u64 parts : {u64{5}, fill_run + 1, most_fill_counted, most_fill_counted + 1, 3 * most_fill_counted + 17}) {
    SCOPED_TRACE(parts);
    const auto model = std::make_shared<const counting_parts>(parts);
    fill_study study(index, model);
    while (study.go_on(1)) {
    }
    ASSERT_FALSE(study.failed());
    EXPECT_EQ(study.all_counted(), parts <= most_fill_counted);
    EXPECT_EQ(study.to_count(), std::min(parts, most_fill_counted));
    EXPECT_EQ(study.counts().count, study.to_count());
    EXPECT_EQ(model->asked, study.to_count());
    u64 filled = 0;
    for (std::size_t i = 0; i < study.counts().parts.size(); ++i) filled += i * study.counts().parts[i];
    EXPECT_EQ(study.counts().filled, filled);
    if (parts > 7) {
      EXPECT_NEAR(study.counts().mean(), 3, 0.05) << "0 to 6 in turn";
    }
  }
}

TEST(fill_model, what_holds_most_is_one_bar) {
  fill_counts counts;
  for (const u32 filled : {3u, 11u, 12u, 4000u}) counts.add({filled, 0}, 11);
  ASSERT_EQ(counts.parts.size(), 12u);
  EXPECT_EQ(counts.parts[11], 3u);
  EXPECT_EQ(counts.most, 4000u);
  EXPECT_EQ(counts.filled, 4026u);
}

// Of a table: cells that are taken, whatever they hold now.
TEST(fill_model, windows_of_a_table_are_parts) {
  const auto index = testing::build_on_cpu(testing::config_of("HT+OA"), spread_keys(5'000));
  fill_study study(index, model_of(*index));
  while (study.go_on(1)) {
  }
  EXPECT_EQ(study.counts().filled, 5'000u);
  EXPECT_EQ(study.counts().most, study.parts().room) << "some are full";
  EXPECT_FALSE(model_of(testing::config_of("EO+BS"), 100)->fill());
}

}  // namespace
}  // namespace pivotscope::viz
