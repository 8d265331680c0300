// pivotscope traffic: what a config's lookups move, and the least time that would take.
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/configs_in_turn.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/floor_rates.hpp"
#include "app/cli/options/config_options.hpp"
#include "app/cli/options/machine_options.hpp"
#include "app/cli/options/option_list.hpp"
#include "app/cli/options/workload_options.hpp"
#include "app/cli/output.hpp"
#include "app/cli/printed_json.hpp"
#include "app/cli/subcommand.hpp"
#include "app/cli/table.hpp"
#include "app/cli/terminal_job.hpp"
#include "core/traffic/traffic.hpp"
#include "core/tuning/name_alone.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

constexpr const char* examples = R"(Examples:
  pivotscope traffic
  pivotscope traffic --keys 2^24 --config "EO+BS" --config "AO+PB+KS fanout=9 lanes=2"
  pivotscope traffic --keys 2^24 --config "AO+BS threads=128 per_thread=16 reorder=double" --l2 50Mi --json
  pivotscope traffic --lengths --hits 0.5 --config HT+OA --config HT+BUCKET --config HT+CUCKOO --config GPH

A sample of the batch's tiles is traced; what a warp's lookups touch in the same step counts once. The time is
a model: a lower bound for --lookups lookups (default 2^27), not a measurement, by the rates that `pivotscope floor`
measured of the GPU, which on cuda is done first where it was not; on cpu by an H200's, which are built in.
docs/traffic.md says what is counted and what is left out.
Exit status: 0 right, 1 a wrong answer, 2 bad input, 130 ended by ctrl-C. --json is described in docs/json.md.)";

constexpr u64 most_lengths = 8;  // in columns of their own

const workload standard{.keys = 1 << 20, .dist = distribution::uniform, .lookups = 1 << 27};

class traffic_command final : public subcommand {
 public:
  command_words words() const override {
    return {"traffic", "count what lookups move, and model the least time for it", examples};
  }

  void add_options(option_list& to) override {
    config_.add_to(to, "a row of the table");
    to.text("--sample", sample_, {"N"}, "trace the tiles that hold the first N lookups (default 4096)");
    to.text("--l2", l2_, {"SIZE"},
            "bytes of L2 to model, like 50Mi (default the GPU's on cuda, an H200's 60Mi on cpu)");
    to.flag("--lengths", lengths_,
            "in place of bytes: how many lookups read one window or bucket, how many two, ...; of hits and of misses");
    to.flag("--json", json_, "print JSON");
    workload_.add_to(to, standard);
    to.text("--keys-from", workload_.keys_from, {"FILE", "Workload"}, "keys of your own, as with run");
    to.text("--lookups-from", workload_.lookups_from, {"FILE", "Workload"},
            "the batch; without it, --lookups are drawn from the keys");
    floor_.add_to(to);
    machine_.add_to(to, "cpu");
  }

  int run(const machine_source& machines) override {
    if (status read = read_options(); !read) return complain(read.error());
    outcome<std::unique_ptr<machine>> on = machine_.open(machines);
    if (!on) return complain(on.error());
    terminal_job job;
    if (status s = config_.set_width(configs_, workload_, load_, job.control()); !s) return complain(s.error());
    outcome<device_rates> rates = floor_.rates(**on, machine_.cache_folder.value_or(""), job);
    if (!rates) return complain(rates.error());
    gpu_ = modelled((*on)->info(), std::move(*rates));
    outcome<std::vector<traffic_row>> rows = count_all(**on, job);
    if (!rows) return complain(rows.error());
    u64 wrong = 0;
    for (const traffic_row& row : *rows) {
      if (row.check.wrong == 0) continue;
      wrong += row.check.wrong;
      complain(fmt::format("wrong: {}: {}", to_line(row.config), row.check.first_wrong));
    }
    if (json_)
      print_json(workload_.words(load_), gpu_, *rows);
    else
      print_as_text(*rows);
    return finish_output(wrong == 0 ? exit_right : exit_wrong);
  }

 private:
  status read_options() {
    outcome<std::vector<typed_config>> configs = config_.read();
    if (!configs) return configs.error();
    configs_ = std::move(*configs);
    outcome<workload> load = workload_.read(standard);
    if (!load) return load.error();
    if (const operation asked = operation_of(*load); asked != operation::find)
      return problem{fmt::format("traffic counts point lookups; leave the {} out", operation_noun(asked))};
    load_ = *load;
    outcome<u64> sample = parse_count(sample_, "--sample", 1, 1 << 24);
    if (!sample) return sample.error();
    sample_size_ = *sample;
    if (l2_) {
      outcome<u64> bytes = parse_count(*l2_, "--l2", 0, u64{1} << 40);
      if (!bytes) return bytes.error();
      l2_bytes_ = *bytes;
    }
    return fine();
  }

  traffic_machine modelled(const machine_info& info, device_rates rates) const {
    traffic_machine gpu = modelled_gpu(info, std::move(rates));
    if (l2_bytes_) gpu.l2_bytes = *l2_bytes_;
    return gpu;
  }

  // What is counted is a GPU's traffic, so a name alone is what it is on that GPU.
  index_config modelled_config(const typed_config& typed, u64 keys) const {
    machine_info gpu;
    gpu.kind = machine_kind::cuda, gpu.l2_bytes = gpu_.l2_bytes;
    return config_for(typed, keys, gpu);
  }

  // Only the lookups that are traced are made; but the first of a sorted batch lie the closer, the more there are.
  workload sampled() const {
    if (load_.order == lookup_order::sorted) return load_;
    u64 most = 0;
    for (const typed_config& typed : configs_) {
      const u64 tile = tile_lookups(modelled_config(typed, load_.keys).launch);
      most = std::max(most, ceil_div<u64>(sample_size_, tile) * tile);
    }
    workload w = load_;
    w.lookups = std::min(w.lookups, most);
    return w;
  }

  outcome<std::vector<traffic_row>> count_all(machine& on, terminal_job& job) const {
    std::vector<traffic_row> rows;
    const auto count = [&](const typed_config& typed, const loaded_workload& loaded) -> status {
      outcome<traffic_row> row = count_one(on, modelled_config(typed, loaded.keys->size()), loaded, job.control());
      if (!row) return row.error();
      rows.push_back(std::move(*row));
      return fine();
    };
    if (status s = for_each_config(configs_, workload_, sampled(), on, job, count); !s) return s.error();
    return rows;
  }

  outcome<traffic_row> count_one(machine& on, const index_config& config, const loaded_workload& loaded,
                                 const job_control& control) const {
    outcome<std::shared_ptr<const built_index>> index = on.build(config, loaded.keys->resident(), control);
    if (!index) return index.error();
    outcome<traffic> counted = count_traffic(**index, loaded.asked.keys, sample_size_, gpu_, control);
    if (!counted) return counted.error();
    const u64 lookups = workload_.lookups_from ? loaded.asked.size() : load_.lookups;
    traffic_row row{config, std::move(*counted), {}, {}, {}};
    row.prediction = predict(row.counted, config, lookups, gpu_);
    if (lengths_) {
      outcome<search_lengths> lengths = count_lengths(**index, loaded.asked.keys, row.counted.lookups, control);
      if (!lengths) return lengths.error();
      row.lengths = std::move(*lengths);
    }
    const batch traced = first_of(loaded.asked, row.counted.lookups);
    row.check = loaded.keys->checker().check(traced, {.found = row.counted.answers}, false, control);
    if (control.cancelled()) return job_control::cancelled_problem();
    return row;
  }

  void print_as_text(const std::vector<traffic_row>& rows) const {
    if (std::all_of(rows.begin(), rows.end(), [](const auto& row) { return row.check.wrong > 0; })) return;
    if (lengths_) return print_lengths(rows);
    std::vector<table_row> table = {{"config", "index MiB", "steps", "loads", "bytes", "sectors", "lines", "L2 sectors",
                                     "DRAM atoms", "scratch B", "fill B", "model ms", "model", "by"}};
    for (const traffic_row& row : rows) table.push_back(cells(row));
    print(fmt::format("{}\n{}.\nL2 of {}; per lookup, {} sampled\n\n", workload_.words(load_),
                      traffic_model_words(gpu_.rates), bytes_text(gpu_.l2_bytes), rows.front().counted.lookups));
    print(table_text(table));
  }

  // A line for a config's hits and one for its misses: the share of each length.
  void print_lengths(const std::vector<traffic_row>& rows) const {
    u64 longest = 1;
    for (const traffic_row& row : rows)
      if (row.lengths) longest = std::max({longest, row.lengths->hits.longest(), row.lengths->misses.longest()});
    const u64 shown = std::min(longest, most_lengths);
    table_row head = {"config", "unit", "of", "lookups", "mean", "most"};
    for (u64 i = 1; i <= shown; ++i) head.push_back(fmt::format("{}{}", i, i == shown && shown < longest ? "+" : ""));
    std::vector<table_row> table = {head};
    for (const traffic_row& row : rows) {
      if (row.check.wrong > 0) {
        table.push_back({to_line(row.config), "wrong answers"});
        continue;
      }
      table.push_back(length_cells(to_line(row.config), *row.lengths, "hits", row.lengths->hits, shown));
      table.push_back(length_cells("", *row.lengths, "misses", row.lengths->misses, shown));
    }
    print(fmt::format(
        "{}\nWhat lookups read, counted on traces: the share of each number of windows, buckets or steps\n\n",
        workload_.words(load_)));
    print(table_text(table, {0, 1, 2}));
  }
  static table_row length_cells(const std::string& name, const search_lengths& of, const char* what,
                                const probe_lengths& lengths, u64 shown) {
    table_row cells = {name, name.empty() ? "" : of.unit + "s", what, std::to_string(lengths.count)};
    if (lengths.count == 0) return cells;
    cells.push_back(fmt::format("{:.2f}", lengths.mean()));
    cells.push_back(std::to_string(lengths.longest()));
    for (u64 i = 1; i <= shown; ++i) {
      const double share = static_cast<double>(lengths.of_length(i, i == shown)) / static_cast<double>(lengths.count);
      cells.push_back(share == 0 ? "-" : fmt::format("{:.2f}%", share * 100));
    }
    return cells;
  }

  static table_row cells(const traffic_row& row) {
    if (row.check.wrong > 0) return {to_line(row.config), "wrong answers"};
    const traffic& t = row.counted;
    const auto each = [&](auto sum) {
      return fmt::format("{:.2f}", t.lookups == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(t.lookups));
    };
    return {to_line(row.config),
            fmt::format("{:.1f}", static_cast<double>(t.index_bytes) / (1 << 20)),
            each(t.steps),
            each(t.loads()),
            each(t.bytes()),
            each(t.sectors()),
            each(t.lines()),
            each(t.l2_sectors()),
            each(t.dram_atoms()),
            each(t.scratch_bytes),
            fmt::format("{:.1f}", row.prediction.fill_bytes),
            milliseconds_text(row.prediction.ms()),
            rate_text(row.prediction.lookups_per_second()),
            std::string(row.prediction.bound())};
  }

  config_options config_{.standard = "EO+BS"};
  std::string sample_ = "4096";
  std::optional<std::string> l2_;
  bool json_ = false, lengths_ = false;
  workload_options workload_;
  machine_choice machine_;
  benchmark_choice floor_;

  std::vector<typed_config> configs_;
  workload load_;
  u64 sample_size_ = 0;
  std::optional<u64> l2_bytes_;
  traffic_machine gpu_;
};

}  // namespace

std::unique_ptr<subcommand> make_traffic_command() { return std::make_unique<traffic_command>(); }

}  // namespace pivotscope
