// The one way that a script goes: batches of every kind, on an honest machine and on those that lie.
#include "core/run/run_script.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/run/stored_entries.hpp"
#include "core/workload/script_list.hpp"
#include "tests/app/lying_machine.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

outcome<script_record> run_script_over(machine& on, const char* config_line, std::vector<u32> keys,
                                       std::string_view list, const script_options& options = {},
                                       const job_control& control = {}) {
  const outcome<script> s = script_from_list(list, key_width::u32);
  EXPECT_TRUE(s.ok()) << (s.ok() ? "" : s.error().words);
  const auto on_machine = key_set::load(on, key_array(std::move(keys)), {});
  return run_script_config(on, testing::config_of(config_line), **on_machine, *s, options, control);
}

TEST(run_script, records_every_batch_and_answers_in_order) {
  const auto cpu = detail::open_cpu();
  const auto record = run_script_over(*cpu, "PLAIN", {5, 3, 9}, "+7,+3/-5,-6/(+5,0..9,?3)/?5,?9/0..4,4..9,9..0",
                                      {.batch = {.repeats = 2, .warm_ups = 1}, .keep_indexes = true});
  ASSERT_TRUE(record.ok()) << record.error().words;
  EXPECT_EQ(record->wrong(), 0u) << record->first_wrong();
  ASSERT_EQ(record->batches.size(), 5u);
  EXPECT_EQ(record->batches[0].counts, (write_counts{.added = 2}));
  EXPECT_EQ(record->batches[1].counts, (write_counts{.erased = 1, .absent = 1}));
  EXPECT_EQ(record->batches[2].counts, (write_counts{.added = 1}));
  const char* const kinds[] = {"inserts", "erases", "mixed", "lookups", "ranges"};
  const u64 operations[] = {2, 2, 3, 2, 3}, found[] = {0, 0, 2, 2, 2};
  for (std::size_t b = 0; b < 5; ++b) {
    const script_batch_record& batch = record->batches[b];
    EXPECT_EQ(batch.kind_name(), kinds[b]);
    EXPECT_EQ(batch.operations, operations[b]);
    EXPECT_EQ(batch.check.found, found[b]) << b;
    EXPECT_EQ(batch.time.samples_ms.size(), 2u);
    ASSERT_NE(batch.index, nullptr);
    EXPECT_EQ(batch.index->rows(), b < 1 ? 5u : b < 2 ? 5u : 6u);
  }
  ASSERT_EQ(record->answers.size(), 12u);
  EXPECT_EQ(record->answers[6].row, 1u) << "find 3";
  EXPECT_EQ(record->answers[7], script_answer::found(5));
  EXPECT_EQ(record->answers[8], script_answer::found(2));
  EXPECT_EQ(record->answers[9], (script_answer{2, 5})) << "3 and 3, rows 1 and 4";
  EXPECT_EQ(record->answers[11], (script_answer{0, 0}));
  EXPECT_EQ(record->contents.found, 5u);
  EXPECT_EQ(record->index, record->batches.back().index);
  std::vector<stored_entry> held = *stored_entries(*record->index);
  std::sort(held.begin(), held.end());
  EXPECT_EQ(held, (std::vector<stored_entry>{{3, 1}, {3, 4}, {5, 5}, {7, 3}, {9, 2}}));
}

TEST(run_script, keeps_no_indexes_that_nobody_asked_for) {
  const auto cpu = detail::open_cpu();
  const auto record = run_script_over(*cpu, "PLAIN", {1}, "+7/-5");
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->batches[0].index, nullptr);
  EXPECT_NE(record->index, nullptr);
}

TEST(run_script, reads_alone_go_on_every_family) {
  const auto cpu = detail::open_cpu();
  for (const char* config : {"EO+KS fanout=5", "AO+BS layout=soa", "AO+PB+BS"}) {
    const auto record = run_script_over(*cpu, config, {5, 3, 9}, "(?5,0..9,>5,?4,>9)/>3/?9");
    ASSERT_TRUE(record.ok()) << record.error().words;
    EXPECT_EQ(record->wrong(), 0u) << record->first_wrong();
    const std::vector<script_answer> right = {{0, 0}, {3, 3}, {9, 2}, {0, not_found}, {0, not_found}, {5, 0}, {0, 2}};
    EXPECT_EQ(record->answers, right) << config;
    EXPECT_EQ(record->batches[0].time.name, "mixed");
    EXPECT_EQ(record->batches[0].time.samples_ms.size(), 1u);
  }
}

// Run r of a batch's finds takes r ms, of its ranges 10 r, of its successors 100 r; of each kind something else is said.
class timed_by_verb final : public honest_machine {
 public:
  static double ms_of(operation what) { return what == operation::find ? 1 : what == operation::range ? 10 : 100; }
  outcome<batch_result> run(const built_index& index, const batch& asked, const batch_options& options,
                            const job_control& control) override {
    outcome<batch_result> result = honest_machine::run(index, asked, options, control);
    for (std::size_t r = 0; r < result->time.samples_ms.size(); ++r)
      result->time.samples_ms[r] = static_cast<double>(r + 1) * ms_of(asked.kind);
    if (asked.kind == held_back) {  // on a clock that was: of the runs that were asked for all but one counted
      result->time.samples_ms.pop_back();
      result->time.how = {.why = stop_reason::most, .thrown_away = options.repeats + 1};
    }
    return result;
  }
  std::optional<operation> held_back = {};
};

// Every set of verbs: a run of the batch is a run of each of them, one after the other.
TEST(run_script, reads_of_several_verbs_take_the_time_of_all) {
  const std::pair<operation, const char*> all[] = {
      {operation::find, "?5"}, {operation::range, "0..9"}, {operation::successor, ">5"}};
  for (u32 set = 1; set < 8; ++set) {
    std::string list;
    double sum = 0;
    std::vector<std::optional<operation>> held_back = {std::nullopt};
    for (u32 v = 0; v < 3; ++v) {
      if ((set >> v & 1) == 0) continue;
      list += (list.empty() ? "(" : ",") + std::string(all[v].second);
      sum += timed_by_verb::ms_of(all[v].first);
      held_back.emplace_back(all[v].first);
    }
    for (const std::optional<operation>& which : held_back) {
      timed_by_verb on;
      on.held_back = which;
      const auto record = run_script_over(on, "EO+BS", {5, 3, 9}, list + ")", {.batch = {.repeats = 3}});
      ASSERT_TRUE(record.ok()) << record.error().words;
      const stage_time& time = record->batches.at(0).time;
      std::vector<double> right = {sum, 2 * sum, 3 * sum};
      if (which) right.pop_back();
      EXPECT_EQ(time.samples_ms, right) << list;
      EXPECT_EQ(time.how.why, which ? stop_reason::most : stop_reason::fixed) << list;
      EXPECT_EQ(time.how.thrown_away, which ? 4u : 0u) << list;
    }
  }
}

// One of the rows of a key, where a family keeps no duplicates: whether or not something was written.
TEST(run_script, tells_how_many_entries_there_are) {
  const auto cpu = detail::open_cpu();
  for (const auto& [config, entries] :
       {std::pair{"HT+OA", 2u}, {"HT+OA lanes=1 window=4 layout=soa", 2u}, {"PLAIN", 4u}}) {
    for (const char* list : {"?1", "-999999999", "?5,?9", "(?5,-7)"}) {
      const auto record = run_script_over(*cpu, config, {5, 5, 5, 9}, list);
      ASSERT_TRUE(record.ok()) << record.error().words;
      EXPECT_EQ(record->wrong(), 0u) << record->first_wrong();
      EXPECT_EQ(record->held, entries) << config << " " << list;
      EXPECT_EQ(record->contents.found, entries) << config << " " << list;
    }
    const auto changed = run_script_over(*cpu, config, {5, 5, 5, 9}, "-5,-9,+7");
    ASSERT_TRUE(changed.ok()) << changed.error().words;
    EXPECT_EQ(changed->held, entries) << "as it was built";
    EXPECT_EQ(changed->contents.found, 1u);
  }
  const auto reads = run_script_over(*cpu, "EO+BS", {5, 5, 5, 9}, "?1");
  ASSERT_TRUE(reads.ok()) << reads.error().words;
  EXPECT_EQ(reads->held, 4u);
  EXPECT_EQ(reads->contents.found, 4u);
}

// The keys were sorted for another index, and this one wants none sorted.
TEST(run_script, has_no_time_of_a_sort_that_is_not_its_own) {
  const auto cpu = detail::open_cpu();
  const script s = *script_from_list("?5", key_width::u32);
  const auto keys = key_set::load(*cpu, key_array(std::vector<u32>{5, 3, 9}), {});
  for (const auto& [config, sorts] : {std::pair{"AO+BS", true}, {"HT+OA", false}, {"PLAIN", false}, {"PACKED", true}}) {
    const auto record = run_script_config(*cpu, testing::config_of(config), **keys, s, {}, {});
    ASSERT_TRUE(record.ok()) << record.error().words;
    EXPECT_EQ(!record->sort.name.empty(), sorts) << config;
  }
}

TEST(run_script, says_what_a_family_lacks_before_any_work) {
  const auto cpu = detail::open_cpu();
  EXPECT_TRUE(run_script_over(*cpu, "EO+BS", {1}, "?1/(?2,-5)")
                  .error()
                  .words.starts_with("EO+BS is built once, so it has no erases"));
  EXPECT_TRUE(run_script_over(*cpu, "PLAIN", {1}, "+1/>1").error().words.starts_with("PLAIN has no order"));
}

TEST(run_script, an_empty_script_leaves_the_index_as_it_is) {
  const auto cpu = detail::open_cpu();
  const auto keys = key_set::load(*cpu, key_array(std::vector<u32>{}), {});
  const auto record = run_script_config(*cpu, testing::config_of("PLAIN"), **keys, script(key_width::u32), {}, {});
  ASSERT_TRUE(record.ok());
  EXPECT_TRUE(record->batches.empty());
  EXPECT_EQ(record->wrong(), 0u);
}

TEST(run_script, is_cancelled_cleanly) {
  const auto cpu = detail::open_cpu();
  job_control control;
  control.cancel();
  const auto record = run_script_over(*cpu, "PLAIN", {1}, "+1", {}, control);
  ASSERT_FALSE(record.ok());
  EXPECT_TRUE(record.error().cancelled);
}

TEST(run_script, entries_of_a_built_index_are_read_whatever_its_layout) {
  for (const char* config : {"PLAIN", "AO+BS", "EO+KS layout=soa", "AO+PB+BS keys=u64", "EO+BS keys=u64 layout=soa"}) {
    const index_config c = testing::config_of(config);
    const key_array keys = c.keys == key_width::u32 ? key_array(std::vector<u32>{7, ~0u, 0, 7})
                                                    : key_array(std::vector<u64>{7, ~0ull, 0, 7});
    std::vector<stored_entry> held = *stored_entries(*testing::build_on_cpu(c, keys));
    std::sort(held.begin(), held.end());
    EXPECT_EQ(held, (std::vector<stored_entry>{{0, 2}, {7, 0}, {7, 3}, {keys[1], 1}})) << config;
  }
}

// --- Machines that lie ---
class update_liar final : public honest_machine {
 public:
  using lie = void (*)(update_result& result);
  explicit update_liar(lie about) : lie_(about) {}
  outcome<update_result> update(const built_index& index, const script& s, u64 batch, const batch_options& options,
                                const job_control& control) override {
    outcome<update_result> result = honest_machine::update(index, s, batch, options, control);
    if (result) lie_(*result);
    return result;
  }

 private:
  lie lie_;
};

std::string words_of_lie(update_liar::lie about, std::string_view list) {
  update_liar liar(about);
  const auto record = run_script_over(liar, "PLAIN", {5, 3, 9}, list);
  EXPECT_TRUE(record.ok());
  EXPECT_EQ(record->wrong(), 1u);
  nlohmann::json json;
  to_json(json, *record);
  EXPECT_EQ(json["wrong"], 1);
  for (const char* figure : {"times", "bytes", "entries", "kernels"}) EXPECT_FALSE(json.contains(figure));
  for (const nlohmann::json& batch : json["batches"]) EXPECT_FALSE(batch.contains("time"));
  return record->first_wrong();
}

TEST(run_script, finds_what_a_machine_lies_about) {
  EXPECT_EQ(words_of_lie([](update_result& r) { r.done[0] = write_done::not_done; }, "+1"),
            "after batch 1, insert 1 in line 1 was not done");
  EXPECT_EQ(words_of_lie([](update_result& r) { r.done[0] = write_done::erased; }, "-1"),
            "after batch 1, erase 1 in line 1 says that it removed what was not there");
  EXPECT_EQ(words_of_lie([](update_result& r) { r.done[0] = write_done::absent; }, "-5"),
            "after batch 1, erase 5 in line 1 says that it removed nothing, but the key was there");
  EXPECT_EQ(words_of_lie([](update_result& r) { r.done[1] = write_done::absent; }, "(-5,-3)"),
            "after batch 1, erase 3 in line 3 says that it removed nothing, but the key was there")
      << "also where a batch of erases was begun as mixed";
  EXPECT_EQ(words_of_lie([](update_result& r) { r.done[1] = write_done::full, r.counts.full = 1; }, "+1,+2"),
            "after batch 1, insert 2 in line 2 says that it found no room, but it went in");
  EXPECT_EQ(words_of_lie([](update_result& r) { r.answers[0] = script_answer::none(); }, "(?5,+1)"),
            "find 5 in batch 1, line 2, answered none, but row 0 is there");
}

// An index that was left as it was: what a read after it answers, or the entries at the end, show it.
TEST(run_script, finds_an_index_that_did_not_change) {
  static std::shared_ptr<const built_index> before;
  const auto cpu = detail::open_cpu();
  before = testing::build_on_cpu(testing::config_of("PLAIN"), key_array(std::vector<u32>{5, 3, 9}));
  const update_liar::lie keep = [](update_result& r) { r.index = before; };
  EXPECT_EQ(words_of_lie(keep, "+1"), "at the end, key 1 does not hold row 3, which is there");
  EXPECT_EQ(words_of_lie(keep, "-3/?5"), "at the end, key 3 holds row 1, which was erased in batch 1, line 1");
  EXPECT_EQ(words_of_lie(keep, "-3/?3"),
            "find 3 in batch 2, line 2, answered row 1, which was erased in batch 1, line 1");
  before.reset();
}

TEST(run_script, a_full_table_is_an_outcome_in_words) {
  script_batch_record batch;
  batch.inserts = 5;
  EXPECT_EQ(batch.full_words(), "");
  batch.counts.full = 2;
  EXPECT_EQ(batch.full_words(), "3 of 5 inserts went in: the table is full");
  batch.counts.added = 3, batch.operations = 5, batch.time.samples_ms = {1};
  script_record record;
  record.batches.push_back(batch);
  nlohmann::json json;
  to_json(json, record);
  EXPECT_EQ(json["batches"][0]["note"], "3 of 5 inserts went in: the table is full");
  EXPECT_EQ(json["batches"][0]["done"]["full"], 2);
  EXPECT_EQ(json["batches"][0]["operations_per_second"], 5000.0);
}

}  // namespace
}  // namespace pivotscope
