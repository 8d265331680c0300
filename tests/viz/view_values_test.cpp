// Figures, marks, steps and bytes as the views take them, value by value.
#include <gtest/gtest.h>

#include "tests/support/build_index.hpp"
#include "viz/format.hpp"
#include "viz/icons.hpp"
#include "viz/marks.hpp"
#include "viz/session_view.hpp"
#include "viz/view_state.hpp"

namespace pivotscope::viz {
namespace {

using testing::build_on_cpu;
using testing::config_of;
using testing::paper_keys_in_order;

TEST(ViewFormat, ThreeFiguresAndTheNextUnitInTime) {
  EXPECT_EQ(grouped(1000), "1\u00A0000");
  EXPECT_EQ(grouped(123456), "123\u00A0456");
  EXPECT_EQ(grouped(1234567890), "1\u00A0234\u00A0567\u00A0890");
  EXPECT_EQ(short_count(14), "14");
  EXPECT_EQ(short_count(1000000), "1\u00A0000\u00A0000");
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(1024), "1 KiB");
  EXPECT_EQ(bytes_text(1126), "1.1 KiB");
  EXPECT_EQ(bytes_text(10 * 1024 + 512), "10.5 KiB");
  EXPECT_EQ(bytes_text(100 * 1024), "100 KiB");
  EXPECT_EQ(bytes_text(1024 * 1024 - 1), "1 MiB");
  EXPECT_EQ(bytes_text(3ull << 30), "3 GiB");
  EXPECT_EQ(bytes_text(5ull << 40), "5 TiB");
  EXPECT_EQ(bytes_text(2000ull << 40), "2000 TiB") << "there is no greater unit";
  EXPECT_EQ(ms_text(0.0001234), "123 ns");
  EXPECT_EQ(ms_text(0.001), "1.00 \u00B5s");
  EXPECT_EQ(ms_text(1), "1.00 ms");
  EXPECT_EQ(ms_text(9.994), "9.99 ms");
  EXPECT_EQ(ms_text(9.996), "10.0 ms");
  EXPECT_EQ(ms_text(99.94), "99.9 ms");
  EXPECT_EQ(ms_text(99.96), "100 ms");
  EXPECT_EQ(ms_text(1000), "1.00 s");
  EXPECT_EQ(seconds_text(0.9), "under 1 s");
  EXPECT_EQ(seconds_text(1), "1 s");
  EXPECT_EQ(seconds_text(89), "89 s");
  EXPECT_EQ(seconds_text(90), "1 min 30 s");
  EXPECT_EQ(seconds_text(3601), "60 min 1 s");
  EXPECT_EQ(rate_text(999), "999 /s");
  EXPECT_EQ(rate_text(1000), "1.00 k/s");
  EXPECT_EQ(rate_text(1e6), "1.00 M/s");
  EXPECT_EQ(rate_text(12.34e6), "12.3 M/s");
  EXPECT_EQ(rate_text(1e9), "1.00 G/s");
  EXPECT_EQ(percent_text(0.004), "0%");
  EXPECT_EQ(percent_text(1), "100%");
}

TEST(ViewFormat, SaysWhatIsWrongWithAKey) {
  const auto words = [](const char* text, key_width width = key_width::u32) {
    return parse_key(text, width).error().words;
  };
  EXPECT_EQ(words(" "), "Type a key: a whole number.");
  EXPECT_EQ(words("-3"), "Keys are not negative; -3 is.");
  EXPECT_EQ(words("1.5"), "\"1.5\" is not a whole number. Decimal digits, or 0x and hexadecimal ones.");
  EXPECT_EQ(words("4294967296"), "4294967296 is too large: the keys of this index are 32-bit, at most 4294967295.");
  EXPECT_EQ(words("18446744073709551616", key_width::u64),
            "18446744073709551616 is too large: the keys of this index are 64-bit, at most 18446744073709551615.");
  EXPECT_EQ(*parse_key("\t0X1f\n", key_width::u32), 31u);
  EXPECT_EQ(*parse_key("4294967295", key_width::u32), 4294967295u);
  EXPECT_EQ(*parse_key("0", key_width::u32), 0u);
}

TEST(ViewMarks, AReadIsOfTheLastStepThatMadeIt) {
  const auto index = build_on_cpu(config_of("EO+BS"), paper_keys_in_order());
  const lookup_trace trace = *trace_lookup(*index, 8);  // slots 1, 2, 5, 11
  ASSERT_EQ(trace.steps.size(), 4u);
  const u64 slots[] = {1, 2, 5, 11};
  for (u32 current = 0; current < 4; ++current) {
    for (u32 step = 0; step < 4; ++step) {
      const cell_reads reads = reads_of(trace, current, array_id::entries, slots[step]);
      EXPECT_EQ(reads.mark, step == current ? read_mark::now : step < current ? read_mark::before : read_mark::none);
      EXPECT_EQ(reads.step, step <= current ? step : 0);
      EXPECT_EQ(reads.compared, step == current ? &trace.steps[step].compared[0] : nullptr);
    }
    EXPECT_EQ(reads_of(trace, current, array_id::pivots, 1).mark, read_mark::none);
    EXPECT_EQ(reads_of(trace, current, array_id::entries, 3).mark, read_mark::none);
  }
  EXPECT_EQ(reads_of(trace, 9, array_id::entries, 11).mark, read_mark::before) << "past the last step";
}

TEST(ViewMarks, SignsAndArrowsPointTheSameWay) {
  trace_step search, scan;
  scan.kind = step_kind::scan;
  const auto sign = [](const trace_step& step, int order) {
    comparison c;
    c.order = order;
    return std::string(comparison_sign(step, c));
  };
  EXPECT_EQ(sign(search, -1), "<");
  EXPECT_EQ(sign(search, 0), "=");
  EXPECT_EQ(sign(search, 1), ">");
  EXPECT_EQ(sign(scan, -1), "<");
  EXPECT_EQ(sign(scan, 0), "in");
  EXPECT_EQ(sign(scan, 1), ">");
  EXPECT_STREQ(order_icon(-1), icon::left);
  EXPECT_STREQ(order_icon(0), icon::check);
  EXPECT_STREQ(order_icon(1), icon::right);
}

TEST(RunRecord, RatesAreByTheMedianAndBuildTimesAdd) {
  run_record run;
  run.load.lookups = 3000;
  EXPECT_EQ(run.lookups_per_second(), 0) << "no times";
  EXPECT_EQ(run.build_ms(), 0);
  run.lookup.samples_ms = {4, 2, 30};
  EXPECT_DOUBLE_EQ(run.lookups_per_second(), 750'000);
  run.lookup.samples_ms = {0};
  EXPECT_EQ(run.lookups_per_second(), 0);
  run.builds = {{"build entries", {1.5}}, {"build pivots", {}}, {"more", {2, 4, 9}}};
  EXPECT_DOUBLE_EQ(run.build_ms(), 5.5);
}

TEST(TuningState, AnswersOnlyItsOwnQuestion) {
  const tuning_state asked{.load = {.keys = 20}, .machine = machine_kind::cpu, .width = key_width::u32};
  EXPECT_TRUE(asked.answers(asked));
  tuning_state other = asked;
  other.load.keys = 21;
  EXPECT_FALSE(asked.answers(other));
  other = asked, other.machine = machine_kind::cuda;
  EXPECT_FALSE(asked.answers(other));
  other = asked, other.width = key_width::u64;
  EXPECT_FALSE(asked.answers(other));
  other = asked, other.ascending = true;
  EXPECT_FALSE(asked.answers(other));
  other = asked, other.smallest = true;
  EXPECT_FALSE(asked.answers(other));
}

// Pages of an index that come when they are let.
class lent_pages final : public slot_source {
 public:
  explicit lent_pages(const built_index& index) : index_(index) {}
  const std::vector<std::byte>* page(array_id array, u64 number) override {
    if (number == missing) return nullptr;
    const u64 begin = number * page_bytes, size = std::min(page_bytes, index_.bytes(array) - begin);
    page_.resize(size);
    EXPECT_TRUE(index_.read(array, begin, page_));
    return &page_;
  }
  u64 missing = ~0ull;

 private:
  const built_index& index_;
  std::vector<std::byte> page_;
};

TEST(ReadSlot, BringsKeyAndRowIdOfEveryLayout) {
  std::vector<u32> narrow(700);
  std::vector<u64> wide(700);
  for (u32 i = 0; i < 700; ++i) narrow[i] = 5 * i, wide[i] = 5ull * i << 33;
  for (const char* line : {"AO+BS", "AO+BS layout=soa", "AO+PB+BS keys=u64", "AO+PB+BS keys=u64 layout=soa"}) {
    SCOPED_TRACE(line);
    const index_config c = config_of(line);
    const bool is_wide = c.keys == key_width::u64;
    const auto index = build_on_cpu(c, is_wide ? key_array(wide) : key_array(narrow));
    lent_pages pages(*index);
    const auto key = [&](u64 i) { return is_wide ? wide[i] : narrow[i]; };
    for (u32 i = 0; i < 700; ++i) {
      const auto slot = read_slot(*index, pages, array_id::entries, i);
      ASSERT_TRUE(slot);
      EXPECT_EQ(slot->key, key(i));
      EXPECT_EQ(slot->row, i);
    }
    EXPECT_FALSE(read_slot(*index, pages, array_id::entries, 700)) << "past the end";
    if (c.order == order_kind::pivot_buffer) {
      const auto pivot = read_slot(*index, pages, array_id::pivots, 0);
      ASSERT_TRUE(pivot);
      EXPECT_EQ(pivot->key, key(511)) << "the last key of the first half of 2^10 leaves' room";
      EXPECT_FALSE(pivot->row);
    }
    const u64 stride = entry_bytes(c);
    pages.missing = 1;
    EXPECT_TRUE(read_slot(*index, pages, array_id::entries, 1024 / stride - 1));
    EXPECT_FALSE(read_slot(*index, pages, array_id::entries, 1024 / stride)) << "its page is on its way";
    EXPECT_TRUE(read_slot(*index, pages, array_id::entries, 2048 / stride));
  }
}

TEST(ReadBytes, JoinsPagesAndWaitsForAllOfThem) {
  std::vector<u32> keys(1000);
  for (u32 i = 0; i < 1000; ++i) keys[i] = i;
  const auto index = build_on_cpu(config_of("AO+BS layout=soa"), key_array(keys));
  lent_pages pages(*index);
  for (const auto& [offset, count] : {std::pair<u64, u64>{0, 4000}, {1020, 8}, {1024, 1024}, {3999, 1}, {500, 0}}) {
    std::vector<std::byte> right(count);
    ASSERT_TRUE(index->read(array_id::entries, offset, right));
    EXPECT_EQ(read_bytes(*index, pages, array_id::entries, offset, count), right) << offset << " " << count;
  }
  EXPECT_TRUE(read_bytes(*index, pages, array_id::entries, 3999, 2).empty()) << "a byte past the end";
  pages.missing = 1;
  EXPECT_TRUE(read_bytes(*index, pages, array_id::entries, 1020, 8).empty());
  EXPECT_EQ(read_bytes(*index, pages, array_id::entries, 1020, 4).size(), 4u);
}

class no_actions final : public session_actions {
 public:
  void choose_config(const index_config&) override {}
  void choose_workload(const workload&) override {}
  void choose_machine(machine_kind) override {}
  void choose_key(std::optional<looked_for>) override {}
  void choose_random_key(bool) override {}
  void choose_key_at(array_id, u64) override {}
  void cancel() override {}
  void run_again() override {}
  void measure() override {}
  void tune(bool, bool) override {}
  void find_tuning(bool, bool) override {}
  void tell(notice) override {}
  void dismiss(std::size_t) override {}
  void copy_scenario() override {}
  void open_scenario(std::string_view) override {}
};

class Transport : public ::testing::Test {
 protected:
  void take(u64 key, double now = 0) {
    auto path = std::make_shared<path_data>();
    path->index = index_;
    path->trace = *trace_lookup(*index_, key);
    session_.path = path;
    go_to(now);
    advance_transport(f);
  }
  void go_to(double now) { f.now = now, f.moving = false; }
  transport_state& t() { return view_.transport; }

  std::shared_ptr<const built_index> index_ = build_on_cpu(config_of("EO+BS"), paper_keys_in_order());
  session_view session_;
  no_actions act_;
  lent_pages pages_{*index_};
  view_state view_;
  frame f{session_, act_, pages_, view_};
};

TEST_F(Transport, HasNoStepWithoutAPath) {
  EXPECT_EQ(f.step(), nullptr);
  EXPECT_EQ(f.trace(), nullptr);
  go_to_step(f, 3);
  EXPECT_EQ(t().step, 0u);
  t().playing = true;
  advance_transport(f);
  EXPECT_FALSE(t().playing);
}

TEST_F(Transport, StepsStayWithinThePath) {
  take(8);  // four steps
  EXPECT_EQ(f.step(), &f.trace()->steps[0]);
  go_to_step(f, 2);
  EXPECT_EQ(f.step(), &f.trace()->steps[2]);
  step_by(f, 1);
  EXPECT_EQ(t().step, 3u);
  step_by(f, 5);
  EXPECT_EQ(t().step, 3u);
  step_by(f, -2);
  EXPECT_EQ(t().step, 1u);
  step_by(f, -9);
  EXPECT_EQ(t().step, 0u);
  t().playing = true;
  step_by(f, 1);
  EXPECT_FALSE(t().playing) << "a step by hand stops it";
}

TEST_F(Transport, AnotherKeyBeginsAtTheFirstStepAndTheSameOneStays) {
  take(8);
  go_to_step(f, 3);
  take(8);
  EXPECT_EQ(t().step, 3u) << "the same key: the step stays";
  take(10);  // found in the root: one step
  EXPECT_EQ(t().step, 0u);
  take(8);
  go_to_step(f, 2);
  take(9);
  EXPECT_EQ(t().step, 0u);
}

TEST_F(Transport, PlaysAStepATimeAndStopsAtTheLast) {
  take(8, 10);
  t().steps_per_second = 2;
  t().playing = true;
  t().next_at = 10.5;
  go_to(10.4), advance_transport(f);
  EXPECT_EQ(t().step, 0u);
  EXPECT_TRUE(f.moving);
  go_to(10.5), advance_transport(f);
  EXPECT_EQ(t().step, 1u);
  EXPECT_DOUBLE_EQ(t().next_at, 11);
  go_to(11), advance_transport(f);
  go_to(11.5), advance_transport(f);
  EXPECT_EQ(t().step, 3u);
  EXPECT_TRUE(t().playing);
  go_to(12), advance_transport(f);
  EXPECT_EQ(t().step, 3u);
  EXPECT_FALSE(t().playing) << "at the end";
  EXPECT_FALSE(f.moving);
}

}  // namespace
}  // namespace pivotscope::viz
