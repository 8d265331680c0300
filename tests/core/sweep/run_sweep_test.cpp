// What a sweep measures and says: over the cpu machine, one whose times are given, and one that lies.
#include "core/sweep/run_sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/choose/adviser.hpp"
#include "core/index/config_text.hpp"
#include "core/sweep/point_text.hpp"
#include "core/sweep/sweep_figures.hpp"
#include "core/sweep/sweep_result.hpp"
#include "core/trace/traffic.hpp"
#include "tests/app/given_machine.hpp"

namespace pivotscope {
namespace {

// Counts what is loaded and built.
class counting_machine final : public honest_machine {
 public:
  outcome<std::shared_ptr<const resident_keys>> load(const key_array& keys, const job_control& control) override {
    ++loads;
    return honest_machine::load(keys, control);
  }
  u32 loads = 0;
};

const workload small{.keys = 300, .dist = distribution::uniform, .lookups = 200};

sweep three_rows() {
  sweep_row faster{.id = "faster", .load = small, .configs = {"EO+BS", "AO+BS"}, .advised = false};
  faster.wants = {{measure::rate, 10}, {measure::rate, 1e15}};
  sweep_row slower{.id = "slower", .load = small, .configs = {"AO+BS"}, .advised = false};
  slower.wants = {{measure::rate, 0.66, wanted_in::rate_of_row, "faster"},
                  {measure::rate, 0.25, wanted_in::rate_of_row, "faster"},
                  {measure::time, 1e9},
                  {measure::sort_and_build, 1.15}};
  sweep_row same{.id = "same", .load = small, .configs_of = "faster", .advised = false};
  return {
      .name = "three", .sentence = "for tests", .source = "here", .device = "Given", .rows = {faster, slower, same}};
}

constexpr round_plan fourteen_runs{.least = 2, .most = 2, .repeats = 7};

std::vector<sweep_point> points_of(const sweep& what, machine& on, u32 scale = 0) {
  std::vector<sweep_point> points;
  const status done = run_sweep(what, on, {}, {.scale = scale, .rounds = fourteen_runs}, {}, points);
  EXPECT_TRUE(done) << done.error().words;
  EXPECT_EQ(points.size(), what.rows.size());
  return points;
}

// Of the best config's lookups, once; kept, and read again out of a folder and a file.
TEST(run_sweep, has_the_gpu_count_where_the_sweep_asks) {
  given_machine on(machine_kind::cuda);
  sweep what = three_rows();
  const hardware_counters told{.occupancy = 0.7089, .instructions = 9'360'000'000, .cycles_per_instruction = 22.58};
  std::vector<std::string> asked;
  const counter_source source = [&](const workload& w, const index_config& config,
                                    const job_control&) -> outcome<hardware_counters> {
    asked.push_back(to_line(config) + " " + to_line(w));
    if (asked.size() == 2) return problem{"no counters today"};
    return told;
  };
  const auto measured = [&](const counter_source& counters) {
    std::vector<sweep_point> points;
    const status done = run_sweep(what, on, {}, {.counters = counters}, {}, points);
    EXPECT_TRUE(done) << done.error().words;
    return points;
  };
  for (const sweep_point& point : measured(source)) EXPECT_FALSE(point.counters) << "nobody asked for them";
  EXPECT_TRUE(asked.empty());

  what.counters = true;
  const std::vector<sweep_point> points = measured(source);
  ASSERT_EQ(points.size(), 3u);
  const std::string best = "EO+BS " + to_line(small), other = "AO+BS " + to_line(small);
  EXPECT_EQ(asked, (std::vector<std::string>{best, other, best}));
  EXPECT_EQ(points[0].counters, told);
  EXPECT_FALSE(points[1].counters);
  EXPECT_EQ(points[1].counters_problem, "no counters today");
  EXPECT_NE(points[1].best(), nullptr) << "its times are as good without";
  for (const sweep_point& point : points) {
    const auto again = point_from_text(point_text(point), point.row);
    ASSERT_TRUE(again) << again.error().words;
    EXPECT_EQ(again->counters, point.counters);
    EXPECT_EQ(again->counters_problem, point.counters_problem);
  }
  sweep_head head;
  head.machine = on.info();
  const auto read = sweep_result_from_json(sweep_json(what, head, points));
  ASSERT_TRUE(read) << read.error().words;
  EXPECT_EQ(read->points.at(0).counters, told);
  EXPECT_FALSE(read->points.at(1).counters);
  // A row stands in a line for each of its wants.
  const auto line = std::find_if(read->lines.begin(), read->lines.end(),
                                 [](const figure_line& one) { return text_of_figure(one, "row") == "slower"; });
  ASSERT_NE(line, read->lines.end());
  EXPECT_EQ(text_of_figure(*line, "counters_problem"), "no counters today");

  for (const sweep_point& point : measured({}))
    EXPECT_EQ(point.counters_problem, "nothing reads the GPU's counters here");
  given_machine cpu(machine_kind::cpu);
  std::vector<sweep_point> on_cpu;
  ASSERT_TRUE(run_sweep(what, cpu, {}, {.counters = source}, {}, on_cpu));
  EXPECT_EQ(on_cpu.at(0).counters_problem, "only a GPU counts what its warps do");
}

// A kept point whose counters are none is no point.
TEST(run_sweep, takes_no_counters_that_are_none) {
  given_machine on(machine_kind::cuda);
  sweep what = three_rows();
  what.counters = true;
  std::vector<sweep_point> points;
  const counter_source source = [](const auto&, const auto&, const auto&) {
    return outcome<hardware_counters>(
        hardware_counters{.occupancy = 0.5, .instructions = 7, .cycles_per_instruction = 2});
  };
  ASSERT_TRUE(run_sweep(what, on, {}, {.counters = source}, {}, points));
  const nlohmann::json right = nlohmann::json::parse(point_text(points[0]));
  ASSERT_TRUE(point_from_text(right.dump(), points[0].row));
  const std::pair<const char*, nlohmann::json> wrong[] = {{"occupancy", 1.01},
                                                          {"occupancy", -0.1},
                                                          {"occupancy", "x"},
                                                          {"instructions", -1},
                                                          {"instructions", 2.5},
                                                          {"cycles_per_instruction", -2},
                                                          {"cycles_per_instruction", nullptr}};
  for (const auto& [name, value] : wrong) {
    nlohmann::json bad = right;
    bad["counters"][name] = value;
    EXPECT_FALSE(point_from_text(bad.dump(), points[0].row)) << name << " " << value;
  }
}

// Given times: Eytzinger order takes half of the ascending one's.
TEST(run_sweep, finds_the_best_and_says_what_is_reached) {
  given_machine on(machine_kind::cpu);
  const sweep what = three_rows();
  const std::vector<sweep_point> points = points_of(what, on);
  EXPECT_EQ(to_line(points[0].best()->config), "EO+BS");
  EXPECT_EQ(points[0].best()->samples_ms.size(), 14u);
  EXPECT_NEAR(points[0].best()->rate() / points[1].best()->rate(), 2, 1e-9);
  EXPECT_EQ(to_line(points[2].best()->config), "EO+BS") << "that of the row it is about";

  ASSERT_EQ(points[0].wants.size(), 2u);
  EXPECT_TRUE(points[0].wants[0].reached());
  EXPECT_FALSE(points[0].wants[1].reached());
  ASSERT_EQ(points[1].wants.size(), 4u);
  EXPECT_FALSE(points[1].wants[0].reached());
  EXPECT_NEAR(points[1].wants[0].share(), 0.5 / 0.66, 1e-9);
  EXPECT_EQ(points[1].wants[0].words, "0.66 of faster");
  EXPECT_TRUE(points[1].wants[1].reached());
  EXPECT_TRUE(points[1].wants[2].reached()) << "of a time less is more";
  // The keys are sorted in 4 ms, and 0.5 ms builds.
  EXPECT_NEAR(points[1].wants[3].got, 1.125, 1e-9);
  EXPECT_TRUE(points[1].wants[3].reached());

  const std::vector<figure_line> lines = figures_of(what, points[1], 0);
  EXPECT_EQ(text_of_figure(lines[0], "verdict"), "falls short: 0.76 of it");
  EXPECT_EQ(text_of_figure(lines[1], "verdict"), "reached");
  EXPECT_EQ(std::get<double>(figure_of(lines[0], "sort_ms").value), 4.0);
  EXPECT_EQ(std::get<double>(figure_of(lines[0], "of_sorted_array").value), points[1].sorted_array_share());
  EXPECT_NEAR(points[1].sorted_array_share(), 1, 0.01);
}

// One whose library sorts in 5 ms what it sorts in 4 itself.
class machine_with_library final : public given_machine {
 public:
  machine_with_library() : given_machine(machine_kind::cpu) {}
  outcome<stage_time> library_sort(const resident_keys&, const job_control&) override {
    ++asked;
    return stage_time{"sort", {5, 5.5, 4.5}};
  }
  u32 asked = 0;
};

TEST(run_sweep, holds_sorting_and_building_against_the_librarys_sort_where_there_is_one) {
  machine_with_library on;
  const sweep what = three_rows();
  const std::vector<sweep_point> points = points_of(what, on);
  EXPECT_EQ(on.asked, 1u) << "of the one row that wants it";
  EXPECT_EQ(points[0].library_sort_ms, 0);
  EXPECT_EQ(points[1].library_sort_ms, 5);
  EXPECT_NEAR(points[1].wants[3].got, 4.5 / 5, 1e-9);
  EXPECT_EQ(points[1].wants[3].words, "times cub::DeviceRadixSort alone, 5 ms");

  const auto again = point_from_text(point_text(points[1]), what.rows[1]);
  ASSERT_TRUE(again) << again.error().words;
  EXPECT_EQ(again->library_sort_ms, 5);
}

TEST(run_sweep, what_falls_short_by_a_hair_is_not_all_of_it) {
  given_machine on(machine_kind::cpu);
  sweep what = three_rows();
  what.rows[1].wants = {{measure::rate, 0.502, wanted_in::rate_of_row, "faster"},
                        {measure::rate, 0.5 / 0.99999, wanted_in::rate_of_row, "faster"}};
  const std::vector<figure_line> lines = figures_of(what, points_of(what, on)[1], 0);
  EXPECT_EQ(text_of_figure(lines[0], "verdict"), "falls short: 0.996 of it");
  EXPECT_EQ(text_of_figure(lines[1], "verdict"), "falls short: 0.999 of it");
}

TEST(run_sweep, judges_on_the_device_that_is_meant_and_unscaled) {
  given_machine on(machine_kind::cpu);
  sweep what = three_rows();
  const std::vector<sweep_point> points = points_of(what, on, 1);
  EXPECT_EQ(points[0].row.load.keys, 150u);
  EXPECT_EQ(not_judged(what, points[0], 1).value_or(""), "counts are cut by 1 bits");
  EXPECT_EQ(not_judged(what, points[0], 0), std::nullopt);
  EXPECT_EQ(text_of_figure(figures_of(what, points[0], 1)[0], "verdict").find("reached"), std::string::npos);
  what.device = "NVIDIA H200";
  EXPECT_EQ(not_judged(what, points[0], 0).value_or(""), "what is wanted is of NVIDIA H200, and this is Given Machine");
  sweep_point on_cpu = points[0];
  on_cpu.row.on = machine_kind::cpu;  // compared with what ran beside it
  EXPECT_EQ(not_judged(what, on_cpu, 0), std::nullopt);
}

TEST(run_sweep, asks_each_row_its_own_batch) {
  counting_machine on;
  sweep what = three_rows();
  for (sweep_row& row : what.rows) row.wants.clear();
  what.rows[1].load.lookups = 70, what.rows[1].load.hits = 0.5;
  const std::vector<sweep_point> points = points_of(what, on);
  EXPECT_EQ(on.loads, 1u);
  EXPECT_EQ(points[0].best()->operations, 200u);
  EXPECT_EQ(points[1].best()->operations, 70u);
  EXPECT_EQ(points[2].best()->operations, 200u);
}

TEST(run_sweep, makes_keys_once_for_rows_that_have_the_same) {
  counting_machine on;
  sweep what = three_rows();
  what.rows[1].wants.pop_back();  // of sorting
  points_of(what, on);
  EXPECT_EQ(on.loads, 1u);
  what.rows[1].load.seed = 2;
  points_of(what, on);
  EXPECT_EQ(on.loads, 4u) << "three times more";
  what.rows[1].load.seed = 1, what.rows[1].width = key_width::u64;
  points_of(what, on);
  EXPECT_EQ(on.loads, 7u);
  what.rows[1].width = key_width::u32, what.rows[1].wants = {{measure::sort_and_build, 1.15}};
  points_of(what, on);
  EXPECT_EQ(on.loads, 9u) << "what sorts has keys of its own";
}

TEST(run_sweep, has_no_figures_where_an_answer_is_wrong) {
  given_machine on(machine_kind::cpu);  // which answers fanout=5 wrong
  sweep what = three_rows();
  what.rows[0].configs = {"EO+BS", "EO+KS fanout=5"};
  const std::vector<sweep_point> points = points_of(what, on);
  EXPECT_TRUE(points[0].wrong);
  EXPECT_EQ(points[0].best(), nullptr);
  EXPECT_TRUE(points[0].wants.empty());
  EXPECT_TRUE(points[0].problem.starts_with("EO+KS fanout=5: 1 of 200 answers are wrong")) << points[0].problem;
  for (const figure_line& line : figures_of(what, points[0], 0))
    for (const figure& f : line)
      if (f.hint == figure_hint::rate || f.hint == figure_hint::milliseconds || f.hint == figure_hint::bytes ||
          f.hint == figure_hint::ratio) {
        EXPECT_FALSE(f.known()) << f.name;
      }
  // What leans on it is not measured, and says why; a want beside it is not told.
  EXPECT_EQ(points[2].problem, "faster was not measured, whose config it is about");
  EXPECT_FALSE(points[2].wrong);
  ASSERT_EQ(points[1].wants.size(), 2u) << "but for the two beside the first row";
}

TEST(run_sweep, all_configs_wrong_is_wrong_too) {
  given_machine on(machine_kind::cpu);
  sweep what = three_rows();
  what.rows[0].configs = {"EO+KS fanout=5"};
  EXPECT_TRUE(points_of(what, on)[0].wrong);
}

TEST(run_sweep, goes_on_where_a_row_cannot_be_measured) {
  counting_machine on;
  sweep what = three_rows();
  what.rows[0].load.keys = 3, what.rows[0].load.dist = distribution::dense;
  what.rows[0].load.hits = 0, what.rows[0].load.misses = miss_place::inside;
  const std::vector<sweep_point> points = points_of(what, on);
  EXPECT_TRUE(points[0].problem.starts_with("misses=inside: ")) << points[0].problem;
  EXPECT_NE(points[1].best(), nullptr);
}

// A machine that fails for good at the second index.
class dying_machine final : public given_machine {
 public:
  using given_machine::given_machine;
  outcome<std::shared_ptr<const built_index>> build(const index_config& config,
                                                    std::shared_ptr<const resident_keys> keys,
                                                    const job_control& control) override {
    if (++builds > 6) return problem{.words = "the GPU failed", .ends_machine = true};
    return given_machine::build(config, std::move(keys), control);
  }
  u32 builds = 0;
};

TEST(run_sweep, ends_where_the_machine_does_no_more_work) {
  dying_machine on(machine_kind::cpu);
  const sweep what = three_rows();
  std::vector<sweep_point> points;
  const status done = run_sweep(what, on, {}, {}, {}, points);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().words, "the GPU failed");
  EXPECT_LT(points.size(), what.rows.size()) << "the row in work is not kept: another process measures it";
  for (const sweep_point& point : points) EXPECT_EQ(point.problem, "");
}

// As of a row whose file was removed.
TEST(run_sweep, rows_that_lean_on_one_that_comes_later_have_their_wants) {
  given_machine on(machine_kind::cpu);
  const sweep what = three_rows();
  std::vector<sweep_point> points = points_of(what, on);
  ASSERT_EQ(points[1].wants.size(), 4u);
  points.erase(points.begin());
  for (sweep_point& point : points) point.wants = tell_wants(point, points);
  EXPECT_EQ(points[0].wants.size(), 2u) << "nothing to compare with";
  ASSERT_TRUE(run_sweep(what, on, {}, {}, {}, points));
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[1].wants.size(), 4u);
}

TEST(run_sweep, keeps_what_was_measured_before_it_is_cancelled) {
  counting_machine on;
  const sweep what = three_rows();
  job_control control;
  std::vector<sweep_point> points;
  u32 told = 0;
  std::vector<double> fractions;
  const sweep_options options{.report = [&](const sweep_progress& now) { fractions.push_back(now.fraction); }};
  const status done = run_sweep(what, on, {}, options, control, points, [&](const sweep_point&) {
    if (++told == 2) control.cancel();
    return fine();
  });
  ASSERT_FALSE(done);
  EXPECT_TRUE(done.error().cancelled);
  EXPECT_EQ(points.size(), 2u);
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  EXPECT_LE(fractions.back(), 1.0);
}

TEST(run_sweep, measures_the_advisers_choice_beside) {
  given_machine on(machine_kind::cpu);
  sweep what = three_rows();
  what.rows = {{.id = "one", .load = small, .configs = {"AO+BS"}},
               {.id = "two", .load = small, .configs = {"AO+PB+KS"}}};
  const std::vector<sweep_point> points = points_of(what, on);
  ASSERT_TRUE(points[0].advised);
  EXPECT_EQ(*points[0].advised, advise(facts_of(small, key_width::u32), on.info()).best());
  EXPECT_EQ(to_line(*points[0].advised), "AO+PB+KS");
  EXPECT_EQ(to_line(points[0].best()->config), "AO+BS") << "it is none of the row's configs";
  EXPECT_NEAR(points[0].advised_share(), 0.3, 1e-9);
  EXPECT_EQ(to_line(points[1].best()->config), "AO+PB+KS");
  EXPECT_EQ(points[1].advised_share(), 1);
}

TEST(run_sweep, compares_with_the_standard_search) {
  counting_machine on;
  sweep what = three_rows();
  workload load = small;
  load.hits = 0.5;
  what.rows = {{.id = "standard", .load = load, .standard_search = true, .on = machine_kind::cpu},
               {.id = "ours",
                .load = load,
                .configs = {"AO+BS"},
                .on = machine_kind::cpu,
                .wants = {{measure::rate, 1e-9, wanted_in::rate_of_row, "standard"}}}};
  const std::vector<sweep_point> points = points_of(what, on);
  EXPECT_EQ(points[0].name_of(*points[0].best()), "std::lower_bound");
  EXPECT_EQ(points[0].best()->samples_ms.size(), 14u);
  EXPECT_EQ(points[0].best()->index_bytes, 300u * 8);
  ASSERT_EQ(points[1].wants.size(), 1u);
  EXPECT_TRUE(points[1].wants[0].reached());
}

TEST(run_sweep, compares_ranges_with_streaming_them) {
  given_machine on(machine_kind::cpu);
  sweep what = three_rows();
  workload load = small;
  set_batch_size(load, operation::range, 50);
  load.range_hits = 20;
  what.rows = {{.id = "ranges",
                .load = load,
                .configs = {"AO+BS"},
                .advised = false,
                .wants = {{measure::time, 1.2, wanted_in::stream_of_all}}}};
  const std::vector<sweep_point> points = points_of(what, on);
  ASSERT_EQ(points[0].wants.size(), 1u);
  // 50 ranges of 20 entries of 8 bytes, but for what the array has beyond them.
  EXPECT_NEAR(points[0].wants[0].limit, 1.2 * 8000 / h200_stream_bytes_per_second * 1e3, 1e-9);
}

// On a GPU the traffic model stands beside each rate, and says why one falls short.
TEST(run_sweep, says_what_the_model_allows_on_a_gpu) {
  given_machine on(machine_kind::cuda);
  sweep what = three_rows();
  what.rows = {what.rows[0]};
  const std::vector<sweep_point> points = points_of(what, on);
  EXPECT_GT(points[0].model_rate, 0);
  const std::vector<figure_line> lines = figures_of(what, points[0], 0);
  EXPECT_EQ(text_of_figure(lines[0], "why"), "") << "it is reached";
  EXPECT_TRUE(text_of_figure(lines[1], "why").starts_with("by the model ")) << text_of_figure(lines[1], "why");
  given_machine cpu(machine_kind::cpu);
  EXPECT_EQ(points_of(what, cpu)[0].model_rate, 0);
  // Every point of lookups: those of a batch in order, and those of which half ask for one key.
  what.rows[0].load.order = lookup_order::sorted;
  EXPECT_GT(points_of(what, on)[0].model_rate, 0);
  what.rows[0].load.order = lookup_order::random, what.rows[0].load.dist = distribution::half;
  EXPECT_GT(points_of(what, on)[0].model_rate, 0);
  what.rows[0].load = small;
  set_batch_size(what.rows[0].load, operation::range, 50);
  what.rows[0].load.range_hits = 20, what.rows[0].wants = {};
  EXPECT_EQ(points_of(what, on)[0].model_rate, 0) << "ranges are not modelled";
}

// Counted, and so of a CPU's points too, and of lookups that the model has nothing to say of.
TEST(run_sweep, counts_the_sectors_of_every_lookup) {
  given_machine gpu(machine_kind::cuda), cpu(machine_kind::cpu);
  sweep what = three_rows();
  what.rows = {what.rows[0]};
  what.rows[0].configs = {"AO+BS"}, what.rows[0].advised = false;
  const double sectors = points_of(what, cpu)[0].sectors;
  EXPECT_GT(sectors, 1);
  EXPECT_EQ(points_of(what, gpu)[0].sectors, sectors) << "the same warps";
  EXPECT_EQ(std::get<double>(figure_of(figures_of(what, points_of(what, cpu)[0], 0)[0], "sectors").value), sectors);
  what.rows[0].configs = {"EO+KS fanout=9"};
  EXPECT_LT(points_of(what, cpu)[0].sectors, sectors) << "a node's keys lie together";
  what.rows[0].load.popular = popularity::zipf;
  EXPECT_GT(points_of(what, gpu)[0].sectors, 0);
  EXPECT_EQ(points_of(what, gpu)[0].model_rate, 0) << "the model has no favourites";
  what.rows[0].load = small;
  set_batch_size(what.rows[0].load, operation::range, 50);
  what.rows[0].load.range_hits = 20, what.rows[0].wants = {};
  const sweep_point ranges = points_of(what, cpu)[0];
  EXPECT_EQ(ranges.sectors, 0) << "ranges are not counted";
  EXPECT_FALSE(figure_of(figures_of(what, ranges, 0)[0], "sectors").known());
}

TEST(run_sweep, tells_the_model_s_error_and_whose_rates_it_took) {
  given_machine on(machine_kind::cuda);
  sweep what = three_rows();
  const std::vector<sweep_point> points = points_of(what, on);
  for (const sweep_point& point : points) {
    ASSERT_TRUE(point.model_error());
    EXPECT_DOUBLE_EQ(*point.model_error(), point.model_rate / point.best()->rate() - 1);
    EXPECT_EQ(point.model_words, "the rates of an NVIDIA H200, which are built in");
    EXPECT_EQ(std::get<double>(figure_of(figures_of(what, point, 0)[0], "model_error").value), *point.model_error());
  }
  std::vector<sweep_point> measured;
  const sweep_options options{.rates = {.device = "a GPU", .built_in = false, .l1_lines = 1e3}};
  ASSERT_TRUE(run_sweep(what, on, {}, options, {}, measured));
  EXPECT_EQ(measured[0].model_bound, "L1");
  EXPECT_LT(measured[0].model_rate, points[0].model_rate);
  EXPECT_EQ(model_words(measured), std::vector<std::string>{"the rates that `pivotscope floor` measured of a GPU"});

  // The middle and the worst, whichever way: +50%, -20%, and a row that was not modelled.
  std::vector<sweep_point> three = points;
  three[0].model_rate = 1.5 * three[0].best()->rate(), three[1].model_rate = 0.8 * three[1].best()->rate();
  three[2].model_rate = 0;
  const std::optional<model_errors> errors = tell_model_errors(three);
  ASSERT_TRUE(errors);
  EXPECT_EQ(errors->points, 2u);
  EXPECT_NEAR(errors->median, 0.35, 1e-12);
  EXPECT_NEAR(errors->worst, 0.5, 1e-12);
  EXPECT_EQ(errors->worst_row, "faster");
  const nlohmann::json json = nlohmann::json::parse(sweep_json(what, {}, three));
  EXPECT_NEAR(json["model"]["median_error"].get<double>(), 0.35, 1e-12);
  given_machine cpu(machine_kind::cpu);
  EXPECT_FALSE(tell_model_errors(points_of(what, cpu)));
  EXPECT_TRUE(nlohmann::json::parse(sweep_json(what, {}, points_of(what, cpu)))["model"].is_null());
}

// Of each round's seven runs two more were thrown away; a governor and a load, as a CPU has them.
class throttled_machine final : public given_machine {
 public:
  throttled_machine() : given_machine(machine_kind::cpu) {}
  outcome<batch_result> run(const built_index& index, const batch& asked, const batch_options& options,
                            const job_control& control) override {
    outcome<batch_result> result = given_machine::run(index, asked, options, control);
    result->time.how.thrown_away = 2;
    result->conditions = {.governor = "powersave", .load = 1.5};
    return result;
  }
};

TEST(a_point, says_which_runs_did_not_count_and_what_they_met) {
  throttled_machine on;
  sweep what = three_rows();
  what.rows = {{.id = "one", .load = small, .configs = {"AO+BS"}, .advised = false}};
  const sweep_point point = points_of(what, on)[0];
  const figure_line line = figures_of(what, point, 0)[0];
  EXPECT_EQ(text_of_figure(line, "note"), "4 on a clock that was held back do not count");
  EXPECT_EQ(std::get<u64>(figure_of(line, "thrown_away").value), 4u) << "of both rounds";
  EXPECT_EQ(text_of_figure(line, "stopped"), "fixed");
  EXPECT_EQ(text_of_figure(line, "governor"), "powersave");
  EXPECT_EQ(std::get<double>(figure_of(line, "load").value), 1.5);
  const sample_summary runs = summary_of(point.best()->samples_ms);
  EXPECT_EQ(std::get<double>(figure_of(line, "least_ms").value), runs.least);
  EXPECT_EQ(std::get<double>(figure_of(line, "greatest_ms").value), runs.greatest);
  EXPECT_EQ(std::get<double>(figure_of(line, "noise").value), *runs.noise);
  EXPECT_TRUE(point.best()->noisy());
  const nlohmann::json json = nlohmann::json::parse(sweep_json(what, {}, {&point, 1}));
  EXPECT_EQ(json["rows"][0]["candidates"][0]["thrown_away"], 4);
  // Kept and read again it says so still.
  const outcome<sweep_point> again = point_from_text(point_text(point), point.row);
  ASSERT_TRUE(again) << again.error().words;
  EXPECT_EQ(figures_of(what, *again, 0), figures_of(what, point, 0));
  // One that was kept before any of it was.
  nlohmann::json older = nlohmann::json::parse(point_text(point));
  for (const char* name : {"governor", "load"}) older.erase(name);
  for (const char* name : {"stopped", "thrown_away", "held_back"}) older["ranking"][0].erase(name);
  const outcome<sweep_point> before = point_from_text(older.dump(), point.row);
  ASSERT_TRUE(before) << before.error().words;
  EXPECT_EQ(before->note(), "");
}

TEST(a_point, says_what_the_model_allows_beside_it_and_by_whose_rates) {
  given_machine on(machine_kind::cuda);
  const sweep what = three_rows();
  sweep_point point = points_of(what, on)[0];
  ASSERT_GT(point.model_rate, 0);
  const std::string built_in = model_beside(point);
  EXPECT_TRUE(built_in.starts_with("The traffic model allows ")) << built_in;
  EXPECT_TRUE(built_in.ends_with(" By the rates of an NVIDIA H200, which are built in.")) << built_in;
  point.ranking[0].operations = 1000, point.ranking[0].samples_ms = {1};
  point.model_rate = 1.25e6, point.model_bound = "L2", point.model_words = "the rates of it";
  EXPECT_EQ(
      model_beside(point),
      "The traffic model allows 1.25 M/s at most, 25% more than the 1 M/s measured; L2 is the narrowest. By the rates "
      "of it.");
  point.model_rate = 8e5;
  EXPECT_NE(model_beside(point).find("20% less than"), std::string::npos);
  point.model_rate = 0, point.row.load.popular = popularity::zipf;
  EXPECT_EQ(model_beside(point), "No traffic model: it takes each lookup to be as likely as any other.");
  point.machine.kind = machine_kind::cpu;
  EXPECT_EQ(model_beside(point), "No traffic model: it is of a GPU.");
  set_batch_size(point.row.load, operation::range, 5);
  EXPECT_EQ(model_beside(point), "No traffic model: it is of point lookups.");
  point.ranking.clear();
  EXPECT_EQ(model_beside(point), "");
}

// Its runs differ by more than what is quiet, always by as much.
TEST(run_sweep, goes_on_with_a_row_until_its_noise_is_told) {
  throttled_machine on;
  sweep what = three_rows();
  what.rows = {{.id = "one", .load = small, .configs = {"AO+BS"}, .advised = false}};
  const auto measured = [&](const round_plan& rounds, std::chrono::milliseconds a_look) {
    std::vector<sweep_point> points;
    std::chrono::steady_clock::time_point time{};
    const auto now = [&] { return time += a_look; };
    const status done = run_sweep(what, on, {}, {.rounds = rounds, .now = now}, {}, points);
    EXPECT_TRUE(done) << done.error().words;
    return points.at(0);
  };
  round_plan rounds = sweep_options{}.rounds;
  const sweep_point settled = measured(rounds, std::chrono::milliseconds(0));
  EXPECT_EQ(settled.best()->how.why, stop_reason::stable);
  EXPECT_EQ(settled.best()->samples_ms.size(), 70u) << "the first round that has 64 runs behind it";
  EXPECT_EQ(settled.note(), "20 on a clock that was held back do not count");
  rounds.most = 3;
  const sweep_point most = measured(rounds, std::chrono::milliseconds(0));
  EXPECT_EQ(most.best()->samples_ms.size(), 21u);
  EXPECT_EQ(text_of_figure(figures_of(what, most, 0)[0], "stopped"), "most");
  EXPECT_EQ(most.note().substr(0, 40), "21 runs are the most, with a noise of 74");
  const sweep_point timed = measured(rounds, std::chrono::milliseconds(1100));
  EXPECT_EQ(text_of_figure(figures_of(what, timed, 0)[0], "stopped"), "time");
  EXPECT_EQ(timed.note().substr(0, 32), "time was up, with a noise of 74%");
}

TEST(sweep_files, have_the_same_values) {
  given_machine on(machine_kind::cpu);
  const sweep what = three_rows();
  const std::vector<sweep_point> points = points_of(what, on);
  sweep_head head{.program = "p", .commit = "c", .machine = on.info()};
  head.rounds = {.least = 2, .most = 12, .repeats = 7};
  const std::string csv = sweep_csv(what, head, points);
  const nlohmann::json json = nlohmann::json::parse(sweep_json(what, head, points));
  EXPECT_EQ(json["rows"].size(), 2u + 4u + 1u);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 2 + 4 + 1);
  std::string again;
  const figure_line names = figures_of(what, points[0], 0)[0];
  for (const figure& f : names) again += (again.empty() ? "" : ",") + std::string(f.name);
  again += ",sweep,seed,device,driver,scale,rounds,most_rounds,repeats,program,commit\n";
  for (const nlohmann::json& row : json["rows"]) {
    EXPECT_EQ(row.size(), names.size() + 1) << "and its candidates";
    for (std::size_t i = 0; i < names.size(); ++i) {
      const nlohmann::json& value = row.at(std::string(names[i].name));
      std::string cell = value.is_null() ? "" : value.is_string() ? value.get<std::string>() : "";
      if (value.is_number_float()) cell = fmt::format("{}", value.get<double>());
      if (value.is_number_unsigned()) cell = fmt::format("{}", value.get<u64>());
      if (cell.find(',') != cell.npos) cell = "\"" + cell + "\"";
      again += (i == 0 ? "" : ",") + cell;
    }
    again += "," + what.name + ",1,Given Machine,1.2,0,2,12,7,p,c\n";
  }
  EXPECT_EQ(csv, again);
  EXPECT_EQ(json["machine"]["driver"], "1.2");
  EXPECT_EQ(json["rows"][0]["candidates"].size(), 2u);
}

}  // namespace
}  // namespace pivotscope
