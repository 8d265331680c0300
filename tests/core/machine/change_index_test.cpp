// How a batch is done to an index whatever the machine: what is refused is done again, and the times of all tries count.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/families/open_addressing/open_addressing.hpp"
#include "core/machine/change_index.hpp"
#include "core/workload/script_list.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/without_arrays.hpp"

namespace pivotscope {
namespace {

using ::testing::ElementsAre;

// Keys whose inserts find no room, at each try.
using refusals = std::vector<std::vector<u64>>;

// Does what it is told, in times that are given: the first try takes 3 ms, the second 50, the third 700.
class told_changer final : public testing::without_arrays<index_changer> {
 public:
  told_changer(const built_index& index, refusals refused)
      : index_(index), live_(index.state_as<table_view>().live), refused_(std::move(refused)) {}

  u64 keys() const override { return index_.keys(); }
  std::pair<u64, u64> key_range() const override { return {0, 0}; }
  status resize(region_id, u64) override { return fine(); }
  status read(region_id, u64, std::span<std::byte>) override { return fine(); }
  outcome<u64> run(const build_pass&, u64, const state_bytes&) override { return live_; }

  status take_writes(const write_part&) override { return fine(); }
  status give_done(std::span<write_done>) override { return fine(); }
  std::span<const stage_time> stages() const override { return {}; }

  outcome<double> perform(const update_part& part, const state_bytes&, std::span<write_done> done,
                          std::span<script_answer>) override {
    constexpr double ms[] = {3, 50, 700};
    const std::size_t number = tries.size();
    tries.emplace_back();
    mixed.push_back(part.mixed);
    for (u64 i = 0; i < part.count; ++i) {
      const operation what = part.mixed ? part.kinds[i] : part.kind;
      const u64 key = static_cast<const u32*>(part.keys)[i];
      if (what != operation::insert) {
        done[i] = what == operation::erase ? write_done::absent : write_done::read;
        continue;
      }
      tries.back().emplace_back(key, part.rows ? part.rows[i] : part.first_row + static_cast<u32>(i));
      const bool full = number < refused_.size() && std::ranges::count(refused_[number], key) > 0;
      done[i] = full ? write_done::full : write_done::added;
      live_ += full ? 0 : 1;
    }
    return ms[number];
  }

  std::vector<std::vector<std::pair<u64, u32>>> tries = {};  // of each the keys and rows that it inserted
  std::vector<bool> mixed = {};                              // was a try?

 private:
  status replace_regions(std::vector<index_region>) override { return fine(); }
  void free_before() override {}

  const built_index& index_;
  u64 live_;  // entries that a clean-up would move
  refusals refused_;
};

// A table of 20 keys, of which `erased` were erased: as much room can be made by cleaning it up.
std::shared_ptr<const built_index> table_with(u64 erased) {
  std::vector<u32> keys;
  for (u32 key = 100; key < 120; ++key) keys.push_back(key);
  const auto cpu = detail::open_cpu();
  auto resident = *cpu->load(key_array(keys), job_control{});
  auto index = *cpu->build(testing::config_of("HT+OA grow=off"), resident, job_control{});
  if (erased == 0) return index;
  const script s = *script_from_list("-100", key_width::u32);
  return cpu->update(*index, s, 0, {}, job_control{})->index;
}

TEST(check_update, refuses_a_script_of_the_other_key_width) {
  const auto table = table_with(0);
  const auto width_of = [&](key_width width) { return check_update(*table, *script_from_list("+5", width), 0); };
  EXPECT_TRUE(width_of(key_width::u32));
  const status refused = width_of(key_width::u64);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().words, "the script's key width is not that of the index");
}

// The kernel of a mixed batch has a way for each operation. Writes of one kind, in brackets only because another batch of
// that kind stands before them, go by the shorter one.
TEST(change_index, does_a_mixed_batch_of_one_kind_of_write_as_that_kind) {
  const auto index = table_with(0);
  const std::tuple<const char*, bool, const char*> cases[] = {
      {"(+7,+8)", false, "insert"}, {"(-100,-101)", false, "erase"}, {"(+7,-100)", true, "mixed"},
      {"(-100,+7)", true, "mixed"}, {"(?7,?8)", true, "mixed"},      {"(+7,?8)", true, "mixed"}};
  for (const auto& [list, mixed, name] : cases) {
    SCOPED_TRACE(list);
    const script s = *script_from_list(list, key_width::u32);
    told_changer on(*index, {});
    const outcome<changed_index> done = change_index(on, *index, s, 0, {});
    ASSERT_TRUE(done) << done.error().words;
    EXPECT_THAT(on.mixed, ElementsAre(mixed));
    EXPECT_EQ(update_name(s, 0), name);
    EXPECT_EQ(done->answers.size(), 2u) << "it is still a mixed batch";
    EXPECT_EQ(done->rows, 20u + s.inserts());
  }
}

// Every set of inserts that is refused at first, every part of it that is refused again; as a batch of inserts and among reads
// and erases.
TEST(change_index, does_refused_inserts_again_and_takes_the_time_of_every_try) {
  constexpr u64 all[] = {7, 8, 9};
  for (const u64 erased : {0u, 1u}) {
    const auto index = table_with(erased);
    for (const char* list : {"+7,+8,+9", "(?1,+7,-2,+8,+9,?3)"}) {
      const script s = *script_from_list(list, key_width::u32);
      for (u32 first = 0; first < 8; ++first) {
        for (u32 second = first;; second = (second - 1) & first) {
          SCOPED_TRACE(fmt::format("{}, {} erased, refused {:03b} and then {:03b}", list, erased, first, second));
          refusals refused(2);
          std::vector<std::pair<u64, u32>> again;
          for (u32 k = 0; k < 3; ++k) {
            if ((first >> k & 1) != 0) refused[0].push_back(all[k]), again.emplace_back(all[k], 20 + k);
            if ((second >> k & 1) != 0) refused[1].push_back(all[k]);
          }
          told_changer on(*index, refused);
          const outcome<changed_index> done = change_index(on, *index, s, 0, {});
          ASSERT_TRUE(done) << done.error().words;
          const bool twice = first != 0 && erased > 0;
          ASSERT_EQ(on.tries.size(), twice ? 2u : 1u) << "there is room to be made once";
          EXPECT_EQ(done->ms, twice ? 53 : 3);
          EXPECT_THAT(on.tries[0], ElementsAre(std::pair(7u, 20u), std::pair(8u, 21u), std::pair(9u, 22u)));
          if (twice) {
            EXPECT_EQ(on.tries[1], again) << "with the rows that they had";
          }
          EXPECT_EQ(done->rows, 23u);
          u64 added = 0, full = 0, insert = 0;
          for (u64 i = 0; i < s.size(); ++i) {
            if (s.verb_of(i) != operation::insert) continue;
            const bool left_out = ((twice ? second : first) >> insert++ & 1) != 0;
            EXPECT_EQ(done->done[i], left_out ? write_done::full : write_done::added);
            ++(left_out ? full : added);
          }
          const bool mixed = s.batches()[0].mixed;
          EXPECT_EQ(done->counts, (write_counts{.added = added, .full = full, .absent = mixed ? 1u : 0u}));
          EXPECT_EQ(done->state.as<table_view>().live, index->state_as<table_view>().live + added);
          if (second == 0) break;
        }
      }
    }
  }
}

// Each run is of the index as it was, and has its own time; what is left is the last one's.
TEST(timed_updates, have_a_time_of_each_run_and_hold_one_index_at_a_time) {
  const auto index = table_with(0);
  u32 runs = 0;
  std::weak_ptr<const built_index> before;
  const outcome<update_result> done = timed_updates({.repeats = 3, .warm_ups = 2}, {}, [&]() -> outcome<update_result> {
    EXPECT_TRUE(before.expired()) << "its memory is free before more is taken";
    ++runs;
    update_result one{.index = table_with(0), .counts = {.added = runs}, .time = {"insert", {10.0 * runs}}};
    before = one.index;
    return one;
  });
  ASSERT_TRUE(done) << done.error().words;
  EXPECT_EQ(done->time.name, "insert");
  EXPECT_THAT(done->time.samples_ms, ElementsAre(30, 40, 50)) << "none of the warm-ups";
  EXPECT_EQ(done->time.how.why, stop_reason::fixed);
  EXPECT_EQ(done->counts.added, 5u);
  EXPECT_EQ(done->index, before.lock());
}

}  // namespace
}  // namespace pivotscope
