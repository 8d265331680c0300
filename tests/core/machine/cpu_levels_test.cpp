// The cpu machine's lookups, compiled for each of x86-64's levels of instructions, answer alike.
#include <gtest/gtest.h>

#include "core/families/ordered/hot_configs.hpp"
#include "core/families/ordered/mapping.hpp"
#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/machine/machine.hpp"
#include "core/reference/reference.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

template <key_width Keys>
std::vector<index_config> hot() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return std::vector<index_config>{hot_config<hot_searches[I], Keys, entry_layout::aos>...,
                                     hot_config<hot_searches[I], Keys, entry_layout::soa>...};
  }
  (std::make_index_sequence<hot_searches.size()>{});
}

// The arrays of a built index, and its view as the machine has it.
struct arrays_of {
  explicit arrays_of(const built_index& index) {
    for (u32 a = 0; a < 3; ++a) {
      bytes[a].resize(index.bytes(static_cast<region_id>(a)));
      EXPECT_TRUE(index.read(static_cast<region_id>(a), 0, bytes[a]).ok());
    }
    for (u32 a = 0; a < 3; ++a) view.regions[a] = bytes[a].data();
    std::memcpy(view.state, index.state().data(), index.state().size());
  }
  std::vector<std::byte> bytes[3];
  index_view view;
};

void expect_alike(const workload& load, const index_config& config) {
  SCOPED_TRACE(to_line(config) + " " + to_line(load));
  const key_array keys = *make_keys(load, config.keys), lookups = *make_lookups(load, config.keys);
  const std::unique_ptr<machine> on = detail::open_cpu();
  const auto built = on->build(config, *on->load(keys, {}), {});
  ASSERT_TRUE(built.ok());
  const arrays_of index(**built);
  const reference oracle(keys);
  for (u32 level = 1; level <= instruction_level(); ++level) {
    std::vector<u32> rows(lookups.size(), unanswered);
    ASSERT_TRUE(family_of(config).on_host().find({config, index.view, ~0ull, {}, level}, lookups, rows));
    for (u64 i = 0; i < lookups.size(); ++i) {
      ASSERT_TRUE(oracle.accepts(lookups[i], rows[i])) << "lookup " << i << " at level " << level;
    }
  }
}

// Waves of 32: a whole number of them, one more lookup, one less, and a wave that is not full.
TEST(cpu_levels, answer_alike_for_every_hot_config) {
  u32 asked = 0;
  for (const auto& configs : {hot<key_width::u32>(), hot<key_width::u64>()}) {
    for (const index_config& config : configs) {
      for (const u64 keys : {u64{1}, u64{16}, u64{17}, u64{289}, u64{5000}}) {
        for (const u64 lookups : {u64{1}, u64{31}, u64{32}, u64{33}, u64{257}, u64{1000}}) {
          expect_alike({.keys = keys, .dist = distribution::uniform, .lookups = lookups, .hits = 0.7}, config);
          ++asked;
        }
      }
      expect_alike({.keys = 300, .dist = distribution::ends, .lookups = 300, .hits = 0.5}, config);
    }
  }
  EXPECT_EQ(asked, 4 * hot_searches.size() * 30);
  EXPECT_GE(instruction_level(), 1u);
  EXPECT_LE(instruction_level(), 4u);
}

}  // namespace
}  // namespace pivotscope
