// What a point says beside its times: what the GPU counted, which runs did not count, when its rounds ended, the model.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/index/config_text.hpp"
#include "core/sweep/point_text.hpp"
#include "core/sweep/sweep_figures.hpp"
#include "core/sweep/sweep_result.hpp"
#include "tests/core/sweep/three_rows.hpp"

namespace pivotscope {
namespace {

using testing::points_of;
using testing::small;
using testing::three_rows;

// Of the best config's lookups, once; kept, and read again out of a folder and a file.
// As it was kept before there were checksums, which would tell of each change.
nlohmann::json without_checksum(const sweep_point& point) {
  nlohmann::json json = nlohmann::json::parse(point_text(point));
  json.erase("checksum"), json["format"] = 1;
  return json;
}

TEST(a_point, has_what_the_gpu_counted_where_the_sweep_asks) {
  given_machine on(machine_kind::cuda);
  sweep what = three_rows();
  const hardware_counters told{.occupancy = 0.7089,
                               .instructions = 9'360'000'000,
                               .cycles_per_instruction = 22.58,
                               .memory = memory_counters{.l1_hit_rate = 0.83,
                                                         .l2_hit_rate = 0,
                                                         .l1_bytes_per_second = 4.8e12,
                                                         .l2_bytes_per_second = 1.9e12,
                                                         .dram_bytes_per_second = 0.4e12}};
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
TEST(a_point, takes_no_counters_that_are_none) {
  given_machine on(machine_kind::cuda);
  sweep what = three_rows();
  what.counters = true;
  std::vector<sweep_point> points;
  const counter_source source = [](const auto&, const auto&, const auto&) {
    return outcome<hardware_counters>(
        hardware_counters{.occupancy = 0.5, .instructions = 7, .cycles_per_instruction = 2});
  };
  ASSERT_TRUE(run_sweep(what, on, {}, {.counters = source}, {}, points));
  const nlohmann::json right = without_checksum(points[0]);
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

// Points and files that are older than what is counted of memories have the others, and no zeros in its place.
TEST(a_point, may_be_older_than_what_is_counted_of_memories) {
  given_machine on(machine_kind::cuda);
  sweep what = three_rows();
  what.counters = true;
  hardware_counters told{.occupancy = 0.5, .instructions = 7, .cycles_per_instruction = 2};
  const auto point_of = [&] {
    std::vector<sweep_point> points;
    const counter_source source = [&](const auto&, const auto&, const auto&) {
      return outcome<hardware_counters>(told);
    };
    EXPECT_TRUE(run_sweep(what, on, {}, {.counters = source}, {}, points));
    return points.at(0);
  };
  sweep_head head;
  head.machine = on.info();
  const auto in_file = [&](const sweep_point& point) { return sweep_json(what, head, {&point, 1}); };
  const sweep_point older = point_of();
  EXPECT_FALSE(without_checksum(older)["counters"].contains("memory"));
  const auto again = point_from_text(point_text(older), older.row);
  ASSERT_TRUE(again) << again.error().words;
  EXPECT_EQ(again->counters, told);
  for (const memory_counter& one : all_memory_counters)
    EXPECT_FALSE(figure_of(figures_of(what, older, 0)[0], one.name).known()) << one.name;
  nlohmann::json file = nlohmann::json::parse(in_file(older));
  for (nlohmann::json& row : file["rows"])
    for (const memory_counter& one : all_memory_counters) EXPECT_EQ(row.erase(std::string(one.name)), 1u);
  const auto read = sweep_result_from_json(file.dump());
  ASSERT_TRUE(read) << read.error().words;
  EXPECT_EQ(read->points.at(0).counters, told);

  told.memory = memory_counters{0.5, 0.25, 3e12, 2e12, 1e12};
  const sweep_point newer = point_of();
  const figure_line line = figures_of(what, newer, 0)[0];
  EXPECT_EQ(std::get<double>(figure_of(line, "l2_hit_rate").value), 0.25);
  EXPECT_EQ(std::get<double>(figure_of(line, "dram_bytes_per_second").value), 1e12);
  const nlohmann::json right = without_checksum(newer);
  ASSERT_TRUE(point_from_text(right.dump(), newer.row));
  for (const memory_counter& one : all_memory_counters) {
    const std::string name(one.name);
    for (const nlohmann::json& value : {nlohmann::json(-0.1), nlohmann::json("x"), nlohmann::json()}) {
      nlohmann::json bad = right;
      bad["counters"]["memory"][name] = value;
      EXPECT_FALSE(point_from_text(bad.dump(), newer.row)) << name << " " << value;
      if (value.is_null()) continue;
      file = nlohmann::json::parse(in_file(newer));
      file["rows"][0][name] = value;
      EXPECT_FALSE(sweep_result_from_json(file.dump())) << name << " " << value;
    }
    nlohmann::json bad = right;
    bad["counters"]["memory"].erase(name);
    EXPECT_FALSE(point_from_text(bad.dump(), newer.row)) << "without " << name;
    bad["counters"]["memory"][name] = 1.01;
    EXPECT_EQ(point_from_text(bad.dump(), newer.row).ok(), !one.share) << name;
    file = nlohmann::json::parse(in_file(newer));
    file["rows"][0].erase(name);
    EXPECT_FALSE(sweep_result_from_json(file.dump())) << "without " << name;
  }
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
  nlohmann::json older = without_checksum(point);
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
TEST(a_point, has_rounds_until_its_noise_is_told) {
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

}  // namespace
}  // namespace pivotscope
