// pivotscope floor: what a device's memory gives at most, measured once and kept.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/built/this_program.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/options/machine_options.hpp"
#include "app/cli/options/option_list.hpp"
#include "app/cli/output.hpp"
#include "app/cli/subcommand.hpp"
#include "app/cli/table.hpp"
#include "app/cli/terminal_job.hpp"
#include "core/common/whole_file.hpp"
#include "core/memory_benchmark/device_rates.hpp"
#include "core/memory_benchmark/memory_benchmark_store.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

constexpr const char* examples = R"(Examples:
  pivotscope floor
  pivotscope floor --machine cuda --csv floor.csv --json floor.json
  pivotscope floor --again                          a new measurement, in place of the kept one

Gathers: requests of adjacent bytes at random places of an array, many under way at once, with no index around them.
Then lines that L2 keeps, spread over large arrays; lines of L1; the time from one load to the next that depends on it;
a copy; and the benchmark of lightweight, Figure 7. Each is timed as lookups are, until it is quiet; every sum is looked
at. It takes some 20 seconds, and is kept for this device and its driver: the traffic model takes its rates from it.
docs/measuring.md says more.
Exit status: 0 all right, 1 a wrong sum, 2 bad input, 130 ended by ctrl-C. The JSON is described in docs/json.md.)";

std::vector<const benchmark_point*> points_of(const memory_benchmark& floor, benchmark_kind kind) {
  std::vector<const benchmark_point*> of;
  for (const benchmark_point& point : floor.points)
    if (point.kind == kind && point.measured()) of.push_back(&point);
  return of;
}

std::string gathers_table(const memory_benchmark& floor) {
  std::vector<table_row> rows = {{"array", "32 bytes", "64 bytes", "96 bytes", "128 bytes"}};
  u64 array = 0;
  for (const benchmark_point* point : points_of(floor, benchmark_kind::gather)) {
    if (point->asked.bytes != array) rows.push_back({bytes_text(point->asked.bytes), "-", "-", "-", "-"});
    array = point->asked.bytes;
    rows.back()[point->asked.request_bytes() / 32] = rate_text(point->per_second());
  }
  return table_text(rows);
}

std::string scattered_table(const memory_benchmark& floor) {
  std::vector<table_row> rows = {{"array", "requests"}};
  for (const benchmark_point* point : points_of(floor, benchmark_kind::scattered))
    rows.push_back({bytes_text(point->asked.bytes), rate_text(point->per_second())});
  return table_text(rows);
}

std::string figure_table(const memory_benchmark& floor) {
  std::vector<table_row> rows = {{"group", "ms", "middle half", "entries"}};
  for (const benchmark_point* point : points_of(floor, benchmark_kind::coalescing)) {
    rows.push_back({fmt::format("{}", point->asked.lanes), milliseconds_text(point->ms),
                    fmt::format("{:+.1f} {:+.1f}%", 100 * (point->lower_quartile_ms / point->ms - 1),
                                100 * (point->upper_quartile_ms / point->ms - 1)),
                    rate_text(point->per_second() * point->asked.lanes)});
  }
  return table_text(rows);
}

std::string floor_text(const memory_benchmark& floor) {
  std::string text = "requests a second, at random places of an array\n" + gathers_table(floor);
  text += "\nof 32 bytes, of 2^16 lines that are spread over it\n" + scattered_table(floor) + "\n";
  for (const benchmark_point* point : points_of(floor, benchmark_kind::lines))
    text += fmt::format("lines of L1: {}, from {}\n", rate_text(point->per_second()), bytes_text(point->asked.bytes));
  for (const benchmark_point* point : points_of(floor, benchmark_kind::latency))
    text += fmt::format("one load after another: {:.3g} ns each, from {}\n", point->step_ns(),
                        bytes_text(point->asked.bytes));
  for (const benchmark_point* point : points_of(floor, benchmark_kind::copy))
    text += fmt::format("copy: {}, read and written\n", throughput_text(point->per_second()));
  const std::vector<const benchmark_point*> figure = points_of(floor, benchmark_kind::coalescing);
  if (!figure.empty()) {
    text += fmt::format(
        "\nlightweight, Figure 7: 2^16 threads, {} steps each; a group loads adjacent ones of 2^28 entries of 4 "
        "bytes\n{}",
        figure.front()->requests / (figure.front()->threads / figure.front()->asked.lanes), figure_table(floor));
  }
  const auto without = std::count_if(floor.points.begin(), floor.points.end(),
                                     [](const benchmark_point& point) { return !point.measured(); });
  if (without > 0)
    text += fmt::format(
        "\n{} of {} points were left out: half of the memory that was free has no room for their "
        "arrays\n",
        without, floor.points.size());
  return text;
}

class floor_command final : public subcommand {
 public:
  command_words words() const override {
    return {"floor", "measure what the device's memory gives at most, once", examples};
  }

  void add_options(option_list& to) override {
    to.flag("--again", again_, "measure, also where a measurement is kept");
    to.text("--csv", csv_, {"FILE"}, "write the figures there, a line for each point");
    to.text("--json", json_, {"FILE"}, "write them there as JSON");
    machine_.add_to(to, "best");
  }

  int run(const machine_source& machines) override {
    for (const auto& file : {csv_, json_})
      if (file)
        if (const status writable = check_writable(*file); !writable) return complain(writable.error());
    const outcome<machine_kind> kind = machine_.kind(machines);
    if (!kind) return complain(kind.error());
    const auto path = memory_benchmark_path(machine_.cache_folder.value_or(""));
    std::string note;
    for (const machine_report& report : machines.find()) {
      if (report.kind != *kind || !report.available) continue;
      const kept_memory_benchmark kept = load_memory_benchmark(path, *kind, report.info.name, report.info.driver);
      if (kept.found && !again_) return show(*kept.found, fmt::format("kept in {}", path.string()));
      note = kept.note;
    }
    outcome<memory_benchmark> measured = measure(machines);
    if (!measured) return complain(measured.error());
    measured->by = this_program();
    const outcome<std::string> kept = keep_memory_benchmark(path, *measured);
    const std::string told = !kept ? kept.error().words : kept->empty() ? note : *kept;
    if (!told.empty()) complain(told);
    return show(*measured, fmt::format("measured in {:.1f} s", measured->seconds));
  }

 private:
  outcome<memory_benchmark> measure(const machine_source& machines) const {
    terminal_job job;
    outcome<std::unique_ptr<machine>> on = machine_.open(machines);
    if (!on) return on.error();
    return run_memory_benchmark(**on, job.control());
  }

  int show(const memory_benchmark& floor, const std::string& whence) const {
    print(fmt::format("the floor of {}, {}{}; {}\n", machine_name(floor.kind), floor.name,
                      floor.driver.empty() ? "" : fmt::format(", driver {}", floor.driver), whence));
    if (!floor.by.program.empty()) print(fmt::format("{}, commit {}\n", floor.by.program, floor.by.commit));
    if (!floor.clocks.empty()) print(fmt::format("clocks: {}\n", floor.clocks));
    print("\n" + floor_text(floor));
    if (floor.kind == machine_kind::cuda && !rates_of(floor))
      print("\nThe traffic model goes on with its built-in rates: a point that it takes is not here.\n");
    if (const status written = write_files(floor); !written) return complain(written.error());
    return finish_output(exit_right);
  }

  status write_files(const memory_benchmark& floor) const {
    if (csv_)
      if (status written = write_whole_file(*csv_, memory_benchmark_csv(floor)); !written) return written;
    if (!json_) return fine();
    nlohmann::json out = floor;
    out["format"] = 1;
    return write_whole_file(*json_, out.dump(2, ' ', true, nlohmann::json::error_handler_t::replace) + "\n");
  }

  std::optional<std::string> csv_, json_;
  bool again_ = false;
  machine_choice machine_;
};

}  // namespace

std::unique_ptr<subcommand> make_floor_command() { return std::make_unique<floor_command>(); }

}  // namespace pivotscope
