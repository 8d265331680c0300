// pivotscope devices: the machines, and why one is not there.
#include <fmt/format.h>

#include "app/cli/exit_code.hpp"
#include "app/cli/options/machine_options.hpp"
#include "app/cli/options/option_list.hpp"
#include "app/cli/output.hpp"
#include "app/cli/printed_json.hpp"
#include "app/cli/subcommand.hpp"
#include "core/workload/host_memory.hpp"

#if PIVOTSCOPE_HAS_CUDA
#include "core/machine/cuda/compile/toolkit_places.hpp"
#endif

namespace pivotscope {
namespace {

// In that order.
std::vector<nvrtc_place> nvrtc_search() {
  std::vector<nvrtc_place> places;
#if PIVOTSCOPE_HAS_CUDA
  for (const toolkit_place& place : toolkit_places()) {
    std::vector<std::string> files;
    for (const auto& folder : library_folders(place.root)) {
      for (const auto& file : nvrtc_files(folder)) files.push_back(file.string());
    }
    places.push_back({place.root.string(), place.why, files});
  }
#endif
  return places;
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
    const std::vector<nvrtc_place> search = nvrtc_search();
    if (json_) {
      print_json(reports, best, search);
      return finish_output(exit_right);
    }
    for (const machine_report& report : reports) print(machine_text(report));
    print(fmt::format("\n--machine best is {}.\n", best));
    if (!search.empty()) print("NVRTC, which compiles kernels for cuda, is looked for in this order:\n");
    for (const nvrtc_place& place : search) {
      print(fmt::format("  {}{}: {}\n", place.root, place.why.empty() ? "" : fmt::format(" ({})", place.why),
                        place.files.empty() ? "not there" : place.files.front()));
    }
    return finish_output(exit_right);
  }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<subcommand> make_devices_command() { return std::make_unique<devices_command>(); }

}  // namespace pivotscope
