#include "app/cli/options/machine_options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "app/cli/options/option_list.hpp"
#include "core/common/file_descriptor.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

// Told before the work, not after it.
status check_folder(const std::filesystem::path& folder) {
  const auto refuse = [&](const std::error_code& why) -> status {
    return problem{
        fmt::format("--cache-folder {}: {}; name a folder that can be written to", folder.string(), why.message())};
  };
  if (folder.empty()) return problem{"--cache-folder is empty; name a folder that can be written to"};
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return refuse(error);
  const std::filesystem::path probe = folder / fmt::format("probe.{}", ::getpid());
  const file_descriptor file(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (!file.is_open()) return refuse({errno, std::generic_category()});
  std::filesystem::remove(probe, error);
  return fine();
}

}  // namespace

void machine_choice::add_to(option_list& to, std::string standard) {
  name = std::move(standard);
  to.text("--machine", name, {"NAME", "Machine"},
          fmt::format("cpu, cuda, or best: cuda when there is a device (default {})", name));
  to.text("--cache-folder", cache_folder, {"FOLDER", "Machine"}, "for compiled kernels (default ~/.cache/pivotscope)");
}

outcome<machine_kind> machine_choice::kind(const machine_source& machines) const {
  if (name == "best") return best_of(machines.find());
  for (const machine_kind kind : {machine_kind::cpu, machine_kind::cuda}) {
    if (name == machine_name(kind)) return kind;
  }
  return problem{fmt::format("--machine: '{}' is not a machine; there are cpu, cuda (an NVIDIA GPU) and best", name)};
}

outcome<machine_options> machine_choice::options() const {
  if (!cache_folder) return machine_options{};
  if (status usable = check_folder(*cache_folder); !usable) return usable.error();
  return machine_options{*cache_folder};
}

outcome<std::unique_ptr<machine>> machine_choice::open(const machine_source& machines) const {
  const outcome<machine_kind> chosen = kind(machines);
  if (!chosen) return chosen.error();
  const outcome<machine_options> opened_with = options();
  if (!opened_with) return opened_with.error();
  return machines.open(*chosen, *opened_with);
}

machine_kind best_of(const std::vector<machine_report>& reports) {
  const auto found = std::find_if(reports.begin(), reports.end(), [](const auto& r) { return r.available; });
  return found == reports.end() ? machine_kind::cpu : found->kind;
}

std::string machine_words(const machine_info& info) {
  std::string words = fmt::format("{}, {}", machine_name(info.kind), info.name);
  if (info.kind == machine_kind::cuda) words += fmt::format(", {} multiprocessors", info.processors);
  if (info.memory_bytes != 0) words += fmt::format(", {} of memory", bytes_text(info.memory_bytes));
  return words;
}

}  // namespace pivotscope
