// pivotscope rays: the rays of an index's lookups, traced in several ways.
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/configs_in_turn.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/options/config_options.hpp"
#include "app/cli/options/machine_options.hpp"
#include "app/cli/options/option_list.hpp"
#include "app/cli/options/workload_options.hpp"
#include "app/cli/output.hpp"
#include "app/cli/printed_json.hpp"
#include "app/cli/subcommand.hpp"
#include "app/cli/table.hpp"
#include "app/cli/terminal_job.hpp"
#include "core/index/family.hpp"
#include "core/tuning/name_alone.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

constexpr const char* examples = R"(Examples:
  pivotscope rays
  pivotscope rays --keys 2^22 --lookups 2^22 --config CGRX --config "CGRX form=naive" --config RX
  pivotscope rays --config "CGRX keys=u64 bucket=4" --hits 0.5 --tracer own --tracer embree --json

The index is built on the machine, and its lookups are made into rays. A lookup may cast several, one after another: all
first rays are traced, then all second ones, and so on. Each tracer is given the same rays and builds a hierarchy of its
own over the same triangles. Its hits are compared, ray by ray, with those of our own boxes. On cuda, the tracers of that
GPU find the triangles where the index has them. docs/cgrx.md says more.
Exit status: 0 right, 1 a tracer hit something else, or one that --tracer names failed, 2 bad input, 130 ended by ctrl-C.
--json is described in docs/json.md.)";

const workload standard{.keys = 1 << 20, .dist = distribution::uniform, .lookups = 1 << 20};
constexpr u64 most_repeats = 1000;

class rays_command final : public subcommand {
 public:
  command_words words() const override {
    return {"rays", "trace the rays of lookups in several ways, and compare what they hit", examples};
  }

  void add_options(option_list& to) override {
    config_.add_to(to, "a table");
    to.texts("--tracer", tracer_names_, {"NAME"},
             fmt::format("{}; may be given again (default all that are here)", tracer_list()));
    to.text("--repeats", repeats_, {"N"}, "how often each round is traced; the median counts (default 3)");
    to.flag("--json", json_, "print JSON");
    workload_.add_to(to, standard);
    to.text("--keys-from", workload_.keys_from, {"FILE", "Workload"}, "keys of your own, as with run");
    to.text("--lookups-from", workload_.lookups_from, {"FILE", "Workload"},
            "the batch; without it, --lookups are drawn from the keys");
    machine_.add_to(to, "cpu");
  }

  int run(const machine_source& machines) override {
    if (status read = read_options(); !read) return complain(read.error());
    outcome<std::unique_ptr<machine>> on = machine_.open(machines);
    if (!on) return complain(on.error());
    terminal_job job;
    if (status s = config_.set_width(configs_, workload_, load_, job.control()); !s) return complain(s.error());
    outcome<std::vector<ray_row>> rows = trace_all(**on, job);
    if (!rows) return complain(rows.error());
    if (json_)
      print_json(workload_.words(load_), *rows);
    else
      print_as_text(*rows);
    return finish_output(tell_wrong(*rows) ? exit_wrong : exit_right);
  }

 private:
  static std::string tracer_list() {
    std::string list;
    for (const tracer_kind& kind : tracer_kinds()) list += fmt::format("{}{}", list.empty() ? "" : ", ", kind.name);
    return list;
  }

  status read_options() {
    outcome<std::vector<typed_config>> configs = config_.read();
    if (!configs) return configs.error();
    configs_ = std::move(*configs);
    for (const typed_config& typed : configs_)
      if (!family_of(typed.config).casts_rays())
        return problem{fmt::format("--config \"{}\": its lookups are no rays; take one of {}", words_of(typed),
                                   methods_that_cast_rays())};
    for (const std::string& name : tracer_names_) {
      const tracer_kind* const kind = tracer_named(name);
      if (kind == nullptr)
        return problem{fmt::format("--tracer: '{}' is not a tracer; there are {}", name, tracer_list())};
      if (std::find(tracers_.begin(), tracers_.end(), kind) == tracers_.end()) tracers_.push_back(kind);
    }
    if (tracers_.empty())
      for (const tracer_kind& kind : tracer_kinds()) tracers_.push_back(&kind);
    outcome<workload> load = workload_.read(standard);
    if (!load) return load.error();
    if (const operation asked = operation_of(*load); asked != operation::find)
      return problem{fmt::format("rays are traced of point lookups; leave the {} out", operation_noun(asked))};
    load_ = *load;
    outcome<u64> repeats = parse_count(repeats_, "--repeats", 1, most_repeats);
    if (!repeats) return repeats.error();
    repeat_ = static_cast<u32>(*repeats);
    return fine();
  }

  outcome<std::vector<ray_row>> trace_all(machine& on, terminal_job& job) const {
    std::vector<ray_row> rows;
    const auto trace_one = [&](const typed_config& typed, const loaded_workload& loaded) -> status {
      const index_config config = config_for(typed, loaded.keys->size(), on.info());
      outcome<std::shared_ptr<const built_index>> index = on.build(config, loaded.keys->resident(), job.control());
      if (!index) return index.error();
      outcome<ray_record> record = trace_lookups(**index, loaded.asked.keys, tracers_, repeat_, job.control());
      if (!record) return record.error();
      rows.push_back({config, std::move(*record)});
      return fine();
    };
    if (status s = for_each_config(configs_, workload_, load_, on, job, trace_one); !s) return s.error();
    return rows;
  }

  void print_as_text(const std::vector<ray_row>& rows) const {
    std::string text = workload_.words(load_) + "\n";
    for (const ray_row& row : rows) text += "\n" + heading(row) + "\n" + table(row.record) + notes(row.record);
    print(text);
  }

  static std::string heading(const ray_row& row) {
    const ray_record& record = row.record;
    std::string text =
        fmt::format("{}: {} triangles, built in {} ms; {} rays of {} lookups", to_line(row.config), record.triangles,
                    milliseconds_text(record.index_build_ms), record.rays(), record.lookups);
    for (std::size_t i = 0; record.rounds.size() > 1 && i < record.rounds.size(); ++i)
      text += fmt::format("{} {}", i == 0 ? ":" : ",", record.rounds[i]);
    return text + "\n";
  }

  static std::string table(const ray_record& record) {
    std::vector<table_row> rows = {{"tracer", "on", "build ms", "bytes", "copy ms", "trace ms", "rays", "lookups"}};
    for (const traced_rays& one : record.by) {
      if (!one.has_traced()) {
        rows.push_back({std::string(one.tracer), one.failed.empty() ? "not here" : "failed"});
        continue;
      }
      if (one.others > 0) {
        rows.push_back({one.name, one.runs_on, "wrong hits"});
        continue;
      }
      const bool copies = one.cost.upload_ms + one.times.upload_ms > 0;
      rows.push_back({one.name, one.runs_on, one.cost.build_ms == 0 ? "-" : milliseconds_text(one.cost.build_ms),
                      bytes_text(one.cost.bytes),
                      copies ? milliseconds_text(one.cost.upload_ms + one.times.upload_ms) : "-",
                      milliseconds_text(one.times.trace_ms), per_second(record.rays(), one.times.trace_ms),
                      per_second(record.lookups, one.times.trace_ms)});
    }
    return table_text(rows, {0, 1});
  }
  static std::string per_second(u64 count, double ms) {
    return ms == 0 ? "-" : rate_text(static_cast<double>(count) / (ms / 1000));
  }

  static std::string notes(const ray_record& record) {
    std::string text;
    for (const traced_rays& one : record.by) {
      for (const std::string& words : {one.why_not, one.failed, one.sharing})
        if (!words.empty()) text += fmt::format("{}: {}{}\n", one.tracer, words, words.ends_with('.') ? "" : ".");
      if (one.times.handover_ms > 0)
        text += fmt::format("{}: {} of the {} ms of copying rays and hits are for handing memory over.\n", one.tracer,
                            milliseconds_text(one.times.handover_ms), milliseconds_text(one.times.upload_ms));
      if (!one.caution.empty()) text += one.caution + ".\n";
    }
    return text;
  }

  // Says on standard error which tracers hit something else, and which of those that were named failed; returns whether
  // any did.
  bool tell_wrong(const std::vector<ray_row>& rows) const {
    bool wrong = false;
    for (const ray_row& row : rows) {
      for (const traced_rays& one : row.record.by) {
        if (!one.failed.empty() && !tracer_names_.empty()) {
          wrong = true;
          complain(fmt::format("{}: {} failed: {}", to_line(row.config), one.tracer, one.failed));
        }
        if (one.others == 0) continue;
        wrong = true;
        complain(fmt::format("wrong: {}: {} of {} rays hit something else by {} than by our own boxes: {}",
                             to_line(row.config), one.others, row.record.rays(), one.name, one.first_other));
      }
    }
    return wrong;
  }

  config_options config_{.standard = "CGRX"};
  std::vector<std::string> tracer_names_;
  std::string repeats_ = "3";
  bool json_ = false;
  workload_options workload_;
  machine_choice machine_;

  std::vector<typed_config> configs_;
  std::vector<const tracer_kind*> tracers_;
  workload load_;
  u32 repeat_ = 1;
};

}  // namespace

std::unique_ptr<subcommand> make_rays_command() { return std::make_unique<rays_command>(); }

}  // namespace pivotscope
