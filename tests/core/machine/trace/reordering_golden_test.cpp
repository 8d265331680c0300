// lightweight, Figure 12 and Section 4.3: 16 lookups, blocks of four threads with two registers each, so tiles of
// eight. The figure's numbers are ours: the 14 keys of the other figures, four lookups among 16 that miss.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "core/batch/lookup.hpp"
#include "core/families/ordered/mapping.hpp"
#include "core/families/ordered/ordered.hpp"
#include "core/simt/host_block.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

using ::testing::ElementsAreArray;

constexpr u32 miss = not_found;
const std::vector<u32> lookups = {9, 3, 17, 6, 12, 5, 1, 14, 7, 16, 10, 2, 13, 4, 11, 8};
const std::vector<u32> answers_in_order = {6, 1, 13, 3, 9, miss, 0, 11, 4, 12, 7, miss, 10, 2, 8, miss};

// A block that writes down which lookups it serves, in the order in which it does, and what it found.
class watched_block : public host_block<any_lanes, u32> {
 public:
  using host_block::host_block;
  std::vector<u32> served, rows;

  template <class F>
  void map_as_it_comes(const u32* tile, u32* answers, u32 size, F&& f) {
    host_block::map_as_it_comes(tile, answers, size, watch(f));
  }
  template <class F>
  void map_sorted(const u32* tile, u32* answers, u32 size, u32 begin, u32 end, F&& f) {
    host_block::map_sorted(tile, answers, size, begin, end, watch(f));
  }

 private:
  template <class F>
  struct watched {
    F& f;
    watched_block& block;
    static constexpr bool tells_begin = false;
    auto operator()(auto& wave) const {
      const auto found = f(wave);
      wave.each([&](u32 i) {
        block.served.push_back(wave.keys[i]);
        block.rows.push_back(found[i]);
      });
      return found;
    }
  };
  template <class F>
  watched<F> watch(F& f) {
    return {f, *this};
  }
};

struct batch_run {
  std::vector<u32> served, rows, answers;
};

// Not through check(): a real block has 64 threads at least.
batch_run run(reorder_kind reorder) {
  ordered_config value = testing::config_of("AO+BS");
  value.launch.threads = 4;
  value.launch.per_thread = 2;
  value.launch.reorder = reorder;
  const dynamic_config config{value};
  std::vector<u32> entries;  // {key, row id}
  const key_array keys = testing::paper_keys_in_order();
  for (u32 i = 0; i < keys.size(); ++i) entries.insert(entries.end(), {static_cast<u32>(keys[i]), i});
  index_view view;
  view.regions[0] = entries.data();
  state_bytes(ordered_view{make_shape(value, keys.size()), {}}).copy_to(view.state);
  std::tie(view.sort_begin, view.sort_end) = sort_bits_for(value.launch, 1, 17);
  batch_run result;
  result.answers.assign(lookups.size(), 0xA5A5A5A5u);
  for (u64 tile = 0; tile < 2; ++tile) {
    watched_block block(any_lanes{1}, value.launch, view);
    block.take(tile, 2, [] { return true; });
    lookup_batch<ordered>(config, block, view, lookups.data(), result.answers.data(), lookups.size());
    EXPECT_EQ(block.served.size(), 8u) << "one tile a block";
    result.served.insert(result.served.end(), block.served.begin(), block.served.end());
    result.rows.insert(result.rows.end(), block.rows.begin(), block.rows.end());
  }
  return result;
}

TEST(ReorderingGolden, Figure12ServesLookupsAsTheyCome) {
  const batch_run r = run(reorder_kind::none);
  EXPECT_EQ(r.served, lookups);
  EXPECT_EQ(r.rows, answers_in_order);
  EXPECT_EQ(r.answers, answers_in_order);
}

// Sorted within each tile of eight, not beyond it: the rows rise, the answers go back where their lookups stood.
TEST(ReorderingGolden, Figure12SortsLookupsWithinTheirTile) {
  for (const reorder_kind reorder : {reorder_kind::lookup, reorder_kind::both}) {
    const batch_run r = run(reorder);
    EXPECT_THAT(r.served, ElementsAreArray({1, 3, 5, 6, 9, 12, 14, 17, 2, 4, 7, 8, 10, 11, 13, 16}));
    EXPECT_THAT(r.rows, ElementsAreArray({0u, 1u, miss, 3u, 6u, 9u, 11u, 13u, miss, 2u, 4u, miss, 7u, 8u, 10u, 12u}));
    EXPECT_EQ(r.answers, answers_in_order);
  }
}

}  // namespace
}  // namespace pivotscope
