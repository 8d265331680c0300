// What views read of a session: slots and bytes through pages.
#include "viz/models/session_view.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/families/ordered/mapping.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

// Pages of an index, as long as they are said to be there.
class pages_of final : public viz::slot_source {
 public:
  explicit pages_of(const built_index& index) : index_(index) {}
  const std::vector<std::byte>* page(region_id array, u64 number) override {
    asked.emplace_back(array, number);
    if (missing == number) return nullptr;
    std::vector<std::byte>& bytes = pages_[{array, number}];
    const u64 begin = number * page_bytes;
    bytes.resize(std::min(page_bytes, index_.bytes(array) - begin) - (short_page == number));
    EXPECT_TRUE(index_.read(array, begin, bytes).ok());
    return &bytes;
  }

  std::vector<std::pair<region_id, u64>> asked;
  std::optional<u64> missing, short_page;

 private:
  const built_index& index_;
  std::map<std::pair<region_id, u64>, std::vector<std::byte>> pages_;
};

// A page with what a write put there is another one; the index's own stays as it is, and so do all others.
TEST(session_view, what_a_write_puts_there_is_seen_from_its_step_on) {
  const auto index = testing::build_on_cpu(testing::config_of("PLAIN"), key_array(std::vector<u32>(200, 7)));
  const auto model = model_of(*index);
  const lookup_trace erase = *trace_write(*index, operation::erase, 7);
  ASSERT_EQ(erase.steps.size(), 7u);
  pages_of under(*index);
  viz::written_pages over(under);
  const auto row_of = [&](u64 slot) { return viz::read_row(*model, *index, over, {main_region, slot}); };
  EXPECT_EQ(row_of(40), 40u);
  over.show(model, &erase, 0);
  EXPECT_EQ(row_of(31), erased_row);
  EXPECT_EQ(row_of(32), 32u);
  EXPECT_EQ(viz::read_slot(*model, *index, over, main_region, 31)->key, 7u);
  over.show(model, &erase, 6);
  EXPECT_EQ(row_of(199), erased_row);
  EXPECT_EQ(viz::read_row(*model, *index, under, {main_region, 199}), 199u);
  over.show(model, nullptr, 6);
  EXPECT_EQ(row_of(199), 199u);
  EXPECT_EQ(viz::row_words(3), "row 3");
  EXPECT_EQ(viz::row_words(erased_row), "erased");
}

TEST(session_view, a_slots_key_and_row_are_those_of_its_rank) {
  const workload load{.keys = 1000, .dist = distribution::uniform};
  for (const char* line : {"EO+BS", "EO+KS layout=soa", "AO+PB+KS keys=u64", "AO+PB+BS keys=u64 layout=soa"}) {
    const index_config config = testing::config_of(line);
    const key_array keys = *make_keys(load, config.keys);
    const auto index = testing::build_on_cpu(config, keys);
    std::vector<std::pair<u64, u32>> sorted;
    for (u64 i = 0; i < 1000; ++i) sorted.emplace_back(keys[i], static_cast<u32>(i));
    std::sort(sorted.begin(), sorted.end());
    const auto model = model_of(*index);
    pages_of pages(*index);
    for (u64 slot = 0; slot < shape_of(*index).entry_slots; slot += 7) {
      const u64 rank = entry_rank(config, shape_of(*index), slot);
      const auto content = viz::read_slot(*model, *index, pages, ordered_region::entries, slot);
      ASSERT_TRUE(content && content->row) << line;
      if (rank == no_rank) {
        EXPECT_EQ(content->row, not_found);
      } else {
        EXPECT_EQ(content->key, sorted[rank].first) << line << " slot " << slot;
        EXPECT_EQ(content->row, sorted[rank].second) << line << " slot " << slot;
      }
    }
    for (u64 slot = 0; slot < shape_of(*index).pivot_slots; slot += 5) {
      const u64 rank = pivot_rank(config, shape_of(*index), slot);
      const auto content = viz::read_slot(*model, *index, pages, ordered_region::pivots, slot);
      ASSERT_TRUE(content) << line;
      EXPECT_FALSE(content->row);
      if (rank == no_rank) continue;
      EXPECT_EQ(content->key, sorted[rank].first) << line << " pivot " << slot;
    }
    // Beyond the end there is no slot.
    EXPECT_FALSE(viz::read_slot(*model, *index, pages, ordered_region::entries, shape_of(*index).entry_slots));
  }
}

TEST(session_view, a_slot_whose_page_is_on_its_way_is_not_there_yet) {
  const auto index =
      testing::build_on_cpu(testing::config_of("EO+BS"), *make_keys({.keys = 300, .dist = distribution::dense}, {}));
  const auto model = model_of(*index);
  pages_of pages(*index);
  pages.missing = 0;
  EXPECT_FALSE(viz::read_slot(*model, *index, pages, ordered_region::entries, 5));
  EXPECT_TRUE(viz::read_slot(*model, *index, pages, ordered_region::entries, 128));
  const auto soa = testing::build_on_cpu(testing::config_of("EO+BS layout=soa"),
                                         *make_keys({.keys = 300, .dist = distribution::dense}, {}));
  pages_of both(*soa);
  const auto content = viz::read_slot(*model_of(*soa), *soa, both, ordered_region::entries, 299);
  ASSERT_TRUE(content && content->row);
  EXPECT_EQ(both.asked,
            (std::vector<std::pair<region_id, u64>>{{ordered_region::entries, 1}, {ordered_region::rows, 1}}));
}

TEST(session_view, bytes_are_gathered_from_the_pages_they_lie_on) {
  const auto index =
      testing::build_on_cpu(testing::config_of("EO+BS"), *make_keys({.keys = 400, .dist = distribution::dense}, {}));
  const u64 size = index->bytes(ordered_region::entries);  // 401 entries of 8 bytes: three pages and a part
  ASSERT_EQ(size, 3208u);
  std::vector<std::byte> whole(size);
  ASSERT_TRUE(index->read(ordered_region::entries, 0, whole).ok());
  const auto expect_bytes = [&](u64 offset, u64 count, std::vector<u64> numbers) {
    pages_of pages(*index);
    const std::vector<std::byte> bytes = viz::read_bytes(*index, pages, ordered_region::entries, offset, count);
    EXPECT_EQ(bytes, std::vector<std::byte>(whole.begin() + static_cast<std::ptrdiff_t>(offset),
                                            whole.begin() + static_cast<std::ptrdiff_t>(offset + count)));
    std::vector<u64> asked;
    for (const auto& [array, number] : pages.asked) asked.push_back(number);
    EXPECT_EQ(asked, numbers) << offset << " " << count;
  };
  expect_bytes(0, 1024, {0});
  expect_bytes(1023, 2, {0, 1});
  expect_bytes(1024, 1, {1});
  expect_bytes(1000, 2000, {0, 1, 2});
  expect_bytes(3000, 208, {2, 3});
  expect_bytes(0, size, {0, 1, 2, 3});
  expect_bytes(size, 0, {});
  pages_of pages(*index);
  EXPECT_TRUE(viz::read_bytes(*index, pages, ordered_region::entries, 3000, 209).empty());
  EXPECT_TRUE(pages.asked.empty());
  // All that is missing is asked for at once, and nothing is given in part.
  pages.missing = 0;
  EXPECT_TRUE(viz::read_bytes(*index, pages, ordered_region::entries, 1000, 2000).empty());
  EXPECT_EQ(pages.asked.size(), 3u);
  pages.missing.reset();
  pages.short_page = 1;
  EXPECT_TRUE(viz::read_bytes(*index, pages, ordered_region::entries, 1000, 2000).empty());
  EXPECT_EQ(viz::read_bytes(*index, pages, ordered_region::entries, 1024, 1023).size(), 1023u);
}

TEST(session_view, a_tuning_answers_its_own_question_alone) {
  const viz::tuning_state asked{.load = {.seed = 4}, .machine = machine_kind::cuda, .width = key_width::u64};
  EXPECT_TRUE(asked.answers(asked));
  std::vector<viz::tuning_state> others(5, asked);
  others[0].load.seed = 5;
  others[1].machine = machine_kind::cpu;
  others[2].width = key_width::u32;
  others[3].ascending = true;
  others[4].smallest = true;
  for (const viz::tuning_state& other : others) EXPECT_FALSE(asked.answers(other));
}

}  // namespace
}  // namespace pivotscope
