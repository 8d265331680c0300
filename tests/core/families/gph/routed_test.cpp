// Routed lookups of GPH: the index in parts, each in the scratch of blocks of its own, and lookups sorted to the parts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "core/batch/host_routes.hpp"
#include "core/families/gph/gph_model.hpp"
#include "core/index/check.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/support/batches.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

using testing::look_up;

constexpr const char* routed_shapes[] = {"GPH routes=on", "GPH routes=on bits=16 lanes=2",
                                         "GPH routes=on layout=soa bucket=4 per_cell=20",
                                         "GPH routes=on keys=u64 threads=64 per_thread=3"};

// Every second key is there.
struct half_there {
  key_array there, asked;
  half_there(key_width width, u64 count) : there(width, count), asked(width, 2 * count) {
    there.visit([](auto& keys) {
      for (u64 i = 0; i < keys.size(); ++i) keys[i] = static_cast<u32>(hash_of(static_cast<u32>(2 * i)));
    });
    asked.visit([](auto& keys) {
      for (u64 i = 0; i < keys.size(); ++i) keys[i] = static_cast<u32>(hash_of(static_cast<u32>(i)));
    });
  }
};

struct routed_table {
  std::unique_ptr<machine> cpu = detail::open_cpu();
  index_config config;
  half_there keys;
  std::shared_ptr<const built_index> index;

  routed_table(const std::string& line, u64 count)
      : config(*config_from_line(line)), keys(config.keys, count), index(testing::build_on_cpu(config, keys.there)) {}
  u64 parts() const {
    index_view view;
    const std::span<const std::byte> state = index->state();
    std::memcpy(view.state, state.data(), state.size());
    return family_of(config).parts(config, view);
  }
};

TEST(gph_routed, lookups_get_the_answers_of_those_that_are_not) {
  u64 parts = 0, asked = 0;
  for (const char* shape : routed_shapes) {
    for (const u32 scratch : {16u, 64u, 1024u, 64u << 10}) {
      for (const u64 count : {0u, 1u, 2u, 30u, 1000u, 20'000u}) {
        const routed_table t(fmt::format("{} scratch={}", shape, scratch), count);
        const auto result = look_up(*t.cpu, *t.index, t.keys.asked);
        ASSERT_TRUE(result) << result.error().words;
        const check_report report = testing::check_answers(t.keys.there, t.keys.asked, result->answers.found);
        ASSERT_EQ(report.wrong, 0u) << shape << ", " << count << " keys: " << report.first_wrong;
        EXPECT_EQ(report.found, count);
        EXPECT_EQ(result->route.name, "route");
        EXPECT_EQ(result->route.samples_ms.size(), 1u);
        parts += t.parts(), asked += t.keys.asked.size();
      }
    }
  }
  EXPECT_GT(parts, 500u);
  EXPECT_GT(asked, 600'000u);
}

TEST(gph_routed, lookups_of_a_part_that_no_block_serves_stay_unanswered) {
  const routed_table t("GPH routes=on scratch=64", 1000);
  const auto& config = gph_config::of(t.config);
  const gph_view& view = t.index->state_as<gph_view>();
  const auto forgetful = detail::open_cpu({.block = 1});
  const auto index = *forgetful->build(t.config, *forgetful->load(t.keys.there, {}), {});
  const auto result = look_up(*forgetful, *index, t.keys.asked);
  ASSERT_TRUE(result);
  u64 of_part = 0;
  for (u64 i = 0; i < t.keys.asked.size(); ++i) {
    const bool in_it = part_of_cell(place_of(t.keys.asked.as<u32>()[i], view).cell, config) == 1;
    EXPECT_EQ(result->answers.found[i] == unanswered, in_it) << i;
    of_part += in_it;
  }
  EXPECT_GT(of_part, 100u);
  EXPECT_LT(of_part, t.keys.asked.size() / 2);
}

// More than one chunk of a counting sort, none, and parts without a lookup.
TEST(gph_routed, lookups_lie_part_by_part_in_their_order) {
  const routed_table t("GPH scratch=16 routes=on", 3000);
  const gph_config config = gph_config::of(t.config);
  index_view view;
  std::memcpy(view.state, t.index->state().data(), t.index->state().size());
  const u32 parts = gph::parts(config, view);
  ASSERT_GT(parts, 10u);
  for (const u64 count : {0u, 1u, 10u, 65'536u, 65'537u, 400'000u}) {
    std::vector<u32> keys(count);
    for (u64 i = 0; i < count; ++i) keys[i] = hash_of(static_cast<u32>(i % 70'000));
    const routes made = route_lookups<gph, u32>(config, view, keys);
    ASSERT_EQ(made.begins.size(), parts + 1);
    ASSERT_EQ(made.begins.front(), 0u);
    ASSERT_EQ(made.begins.back(), count);
    std::vector<bool> seen(count);
    for (u32 part = 0; part < parts; ++part) {
      ASSERT_LE(made.begins[part], made.begins[part + 1]);
      for (u64 i = made.begins[part]; i < made.begins[part + 1]; ++i) {
        const u32 place = made.places[i];
        ASSERT_EQ(gph::part_of(config, view, keys[place]), part);
        ASSERT_FALSE(seen[place]);
        seen[place] = true;
        ASSERT_TRUE(i == made.begins[part] || made.places[i - 1] < place);
      }
    }
  }
}

TEST(gph_routed, a_trace_reads_the_index_in_scratch_and_says_which_part) {
  const routed_table t("GPH routes=on scratch=16 per_cell=4", 200);
  const auto model = model_of(*t.index);
  const auto pinned = model->pinned();
  ASSERT_TRUE(pinned);
  EXPECT_EQ(pinned->of_part, 4u);
  EXPECT_EQ(pinned->cells.size(), t.index->state_as<gph_view>().words);
  EXPECT_EQ(pinned->whole, pinned->cells.size());
  const u64 parts = t.parts();
  ASSERT_GT(parts, 2u);
  std::vector<u64> seen(parts);
  for (const u32 key : t.keys.asked.as<u32>()) {
    const auto trace = trace_lookup(*t.index, key);
    ASSERT_TRUE(trace);
    const u32 cell = place_of(key, t.index->state_as<gph_view>()).cell;
    const u32 part = part_of_cell(cell, gph_config::of(t.config));
    ++seen[part];
    EXPECT_NE(trace->start.find(fmt::format("scratch has part {} of {}", part, parts)), std::string::npos)
        << trace->start;
    u64 of_index = 0;
    for (const trace_step& step : trace->steps)
      for (const memory_access& access : step.accesses) {
        if (access.array != gph_region::cells) continue;
        EXPECT_EQ(access.space, memory_space::scratch);
        EXPECT_EQ(access.slot / 4, cell / 4) << "a word of four cells";
        ++of_index;
      }
    EXPECT_EQ(of_index, 1u);
  }
  for (const u64 lookups : seen) EXPECT_GT(lookups, 0u);
}

TEST(gph_routed, knobs_that_do_not_go_together_are_refused_in_words) {
  const auto refused = [](const char* line) {
    const auto config = config_from_line(line);
    return config ? std::string() : config.error().words;
  };
  EXPECT_NE(refused("GPH routes=on").find("scratch=0 has none"), std::string::npos);
  EXPECT_EQ(refused("GPH routes=on scratch=64KiB"), "");
  EXPECT_NE(refused("GPH routes=on scratch=64KiB hashing=in_turn"), "");
  EXPECT_FALSE(caution(*config_from_line("GPH routes=on scratch=64KiB")));
  EXPECT_TRUE(caution(*config_from_line("GPH routes=on scratch=64KiB reorder=lookup")));
  EXPECT_LT(gph_keys_at_most(gph_config::of(*config_from_line("GPH routes=on scratch=16"))), 1u << 24);
}

}  // namespace
}  // namespace pivotscope
