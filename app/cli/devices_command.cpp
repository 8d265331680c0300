// pivotscope devices: the machines, and why one is not there.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/exit_code.hpp"
#include "app/cli/machine_options.hpp"
#include "app/cli/option_list.hpp"
#include "app/cli/output.hpp"
#include "app/cli/subcommand.hpp"
#include "core/workload/host_memory.hpp"

#if PIVOTSCOPE_HAS_CUDA
#include "core/machine/cuda/toolkit_places.hpp"
#endif

namespace pivotscope {
namespace {

// Where NVRTC, which compiles kernels on cuda, is looked for, in that order, and where it was found.
nlohmann::json nvrtc_search() {
  nlohmann::json places = nlohmann::json::array();
#if PIVOTSCOPE_HAS_CUDA
  for (const toolkit_place& place : toolkit_places()) {
    nlohmann::json files = nlohmann::json::array();
    for (const auto& folder : library_folders(place.root)) {
      for (const auto& file : nvrtc_files(folder)) files.push_back(file.string());
    }
    places.push_back({{"place", place.root.string()}, {"why", place.why}, {"found", files}});
  }
#endif
  return places;
}

nlohmann::json machine_json(const machine_report& report) {
  nlohmann::json json = {{"kind", machine_name(report.kind)}, {"available", report.available}};
  if (!report.available) {
    json["why_not"] = report.why_not;
    return json;
  }
  json["name"] = report.info.name;
  json["detail"] = report.info.detail;
  json["processors"] = report.info.processors;
  json["memory_bytes"] = report.info.memory_bytes;
  json["l2_bytes"] = report.info.l2_bytes;
  json["compute_capability"] = report.info.compute_capability;
  json["max_threads_per_block"] = report.info.max_threads_per_block;
  return json;
}

std::string machine_text(const machine_report& report) {
  if (!report.available) return fmt::format("{}: not here. {}\n", machine_name(report.kind), report.why_not);
  const machine_info& info = report.info;
  std::string text = machine_words(info);
  if (info.l2_bytes != 0) text += fmt::format(", {} of last-level cache", bytes_text(info.l2_bytes));
  if (info.compute_capability != 0) {
    text += fmt::format(", compute capability {}.{}", info.compute_capability / 10, info.compute_capability % 10);
  }
  text += "\n";
  if (!info.detail.empty()) text += fmt::format("  {}\n", info.detail);
  return text;
}

class devices_command final : public subcommand {
 public:
  command_words words() const override {
    return {"devices", "list the machines that run indexes here, and why one is not there",
            "The exit status is 0 whatever there is. --json is described in docs/json.md."};
  }

  void add_options(option_list& to) override { to.flag("--json", json_, "print JSON"); }

  int run(const machine_source& machines) override {
    const std::vector<machine_report> reports = machines.find();
    const std::string_view best = machine_name(best_of(reports));
    const nlohmann::json search = nvrtc_search();
    if (json_) {
      nlohmann::json list = nlohmann::json::array();
      for (const machine_report& report : reports) list.push_back(machine_json(report));
      print_json({{"format", 1}, {"machines", list}, {"best", best}, {"nvrtc_search", search}});
      return finish_output(exit_right);
    }
    for (const machine_report& report : reports) print(machine_text(report));
    print(fmt::format("\n--machine best is {}.\n", best));
    if (!search.empty()) print("NVRTC, which compiles kernels for cuda, is looked for in this order:\n");
    for (const auto& place : search) {
      const std::string why = place["why"];
      const auto& files = place["found"];
      print(fmt::format("  {}{}: {}\n", place["place"].get<std::string>(), why.empty() ? "" : fmt::format(" ({})", why),
                        files.empty() ? "not there" : files[0].get<std::string>()));
    }
    return finish_output(exit_right);
  }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<subcommand> make_devices_command() { return std::make_unique<devices_command>(); }

}  // namespace pivotscope
