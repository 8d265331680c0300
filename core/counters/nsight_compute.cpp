#include "core/counters/nsight_compute.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <utility>

#include "core/common/child_process.hpp"
#include "core/index/config_text.hpp"
#include "core/workload/files/csv.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

constexpr const char* occupancy_metric = "sm__warps_active.avg.pct_of_peak_sustained_active";
constexpr const char* instructions_metric = "smsp__inst_executed.sum";
constexpr const char* cycles_metric = "smsp__average_warp_latency_per_inst_issued.ratio";

// Of all sectors and bytes, of loads, stores and atomics. Nsight Compute takes the same for its memory tables and its
// hierarchical roofline.
constexpr std::pair<const char*, double memory_counters::*> memory_metrics[] = {
    {"l1tex__t_sector_hit_rate.pct", &memory_counters::l1_hit_rate},
    {"lts__t_sector_hit_rate.pct", &memory_counters::l2_hit_rate},
    {"l1tex__t_bytes.sum.per_second", &memory_counters::l1_bytes_per_second},
    {"lts__t_bytes.sum.per_second", &memory_counters::l2_bytes_per_second},
    {"dram__bytes.sum.per_second", &memory_counters::dram_bytes_per_second}};

bool may_run(const fs::path& path) { return ::access(path.c_str(), X_OK) == 0 && !fs::is_directory(path); }

std::vector<std::string> cells_of(std::string_view line) {
  const std::vector<std::vector<std::string>> rows = first_csv_rows(line, ',', 1);
  return rows.empty() ? std::vector<std::string>() : rows.front();
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Digits may stand in groups.
std::optional<double> number_in(std::string cell) {
  std::erase(cell, ',');
  char* end = nullptr;
  const double value = std::strtod(cell.c_str(), &end);
  const bool all = !cell.empty() && *end == '\0';
  return all && std::isfinite(value) && value >= 0 ? std::optional(value) : std::nullopt;
}

// The columns of its CSV: a name, a unit and the first launch's value.
class counted_columns {
 public:
  counted_columns(std::string_view names, std::string_view units, std::string_view values)
      : names_(cells_of(names)), units_(cells_of(units)), values_(cells_of(values)) {}

  outcome<double> value(std::string_view metric) const {
    const std::optional<double> number = number_in(std::string(cell(values_, metric)));
    if (!number) return problem{fmt::format("ncu did not tell {}: this device may not count it", metric)};
    return *number;
  }
  // Bytes a second: "byte/second", or "byte/s" of newer ones. A unit with a prefix is refused.
  outcome<double> bytes_per_second(std::string_view metric) const {
    const std::string_view unit = cell(units_, metric);
    if (unit.starts_with("byte/s")) return value(metric);
    outcome<double> told = value(metric);
    return told ? problem{fmt::format("ncu told {} in '{}', and not in bytes a second", metric, unit)} : told;
  }
  // Of a percentage, 0 to 1. Counters that are read one after the other may tell a little more than there is room for.
  outcome<double> share(std::string_view metric) const {
    outcome<double> percent = value(metric);
    return percent ? std::min(1.0, *percent / 100) : percent;
  }

 private:
  std::string_view cell(const std::vector<std::string>& of, std::string_view metric) const {
    const auto at = static_cast<std::size_t>(std::find(names_.begin(), names_.end(), metric) - names_.begin());
    return at < std::min(names_.size(), of.size()) ? std::string_view(of[at]) : std::string_view();
  }

  std::vector<std::string> names_, units_, values_;
};

outcome<memory_counters> memory_in(const counted_columns& columns) {
  memory_counters memory;
  for (const auto& [metric, counter] : memory_metrics) {
    const bool share = std::string_view(metric).ends_with(".pct");
    const outcome<double> told = share ? columns.share(metric) : columns.bytes_per_second(metric);
    if (!told) return told.error();
    memory.*counter = *told;
  }
  return memory;
}

// Why it counted nothing, as it says itself: "==ERROR== ..."
std::string own_words(const std::vector<std::string_view>& lines) {
  for (const char* beginning : {"==ERROR==", "==WARNING=="})
    for (const std::string_view line : lines)
      if (line.starts_with(beginning)) {
        const std::string_view words = line.substr(std::string_view(beginning).size());
        return std::string(words.substr(std::min(words.find_first_not_of(' '), words.size())));
      }
  return {};
}

}  // namespace

outcome<fs::path> find_ncu() {
  std::vector<fs::path> folders;
  const char* path = std::getenv("PATH");
  std::istringstream on_path(path != nullptr ? path : "");
  for (std::string folder; std::getline(on_path, folder, ':');)
    if (!folder.empty()) folders.emplace_back(folder);
  for (const char* name : {"CUDA_PATH", "CUDA_HOME"})
    if (const char* root = std::getenv(name)) folders.push_back(fs::path(root) / "bin");
  folders.emplace_back("/usr/local/cuda/bin");
  for (const fs::path& folder : folders)
    if (may_run(folder / "ncu")) return folder / "ncu";
  return problem{
      "the counters are read by NVIDIA's Nsight Compute, and there is no ncu on $PATH, nor in the bin folder of "
      "$CUDA_PATH, $CUDA_HOME or /usr/local/cuda: install nsight-compute, which is part of a CUDA toolkit"};
}

std::vector<std::string> ncu_arguments(std::string_view kernel, const std::vector<std::string>& program) {
  std::string metrics = fmt::format("{},{},{}", occupancy_metric, instructions_metric, cycles_metric);
  for (const auto& [metric, counter] : memory_metrics) metrics += fmt::format(",{}", metric);
  std::vector<std::string> all = {"--csv",
                                  "--page=raw",
                                  "--print-units=base",
                                  "--clock-control=none",
                                  fmt::format("--kernel-name=regex:^{}$", kernel),
                                  "--launch-count=1",
                                  fmt::format("--metrics={}", metrics)};
  all.insert(all.end(), program.begin(), program.end());
  return all;
}

// A line of names, one of units, and one of values for each launch; around them what the program prints.
outcome<hardware_counters> counters_from_ncu(std::string_view output) {
  const std::vector<std::string_view> lines = lines_of(output);
  const auto names_at =
      std::find_if(lines.begin(), lines.end(), [](std::string_view line) { return line.starts_with("\"ID\","); });
  if (lines.end() - names_at < 3) {
    const std::string why = own_words(lines);
    return problem{why.empty() ? "ncu counted no kernel" : fmt::format("ncu counted no kernel: {}", why)};
  }
  const counted_columns columns(names_at[0], names_at[1], names_at[2]);
  const outcome<double> occupancy = columns.share(occupancy_metric);
  if (!occupancy) return occupancy.error();
  const outcome<double> instructions = columns.value(instructions_metric);
  if (!instructions) return instructions.error();
  const outcome<double> cycles = columns.value(cycles_metric);
  if (!cycles) return cycles.error();
  const outcome<memory_counters> memory = memory_in(columns);
  if (!memory) return memory.error();
  constexpr double most_instructions = 1e18;  // which a u64 holds
  if (*instructions > most_instructions)
    return problem{fmt::format("ncu told {} instructions, which cannot be", *instructions)};
  return hardware_counters{.occupancy = *occupancy,
                           .instructions = static_cast<u64>(*instructions),
                           .cycles_per_instruction = *cycles,
                           .memory = *memory};
}

outcome<hardware_counters> count_lookups(const fs::path& ncu, const fs::path& program, const workload& asked,
                                         const index_config& config, const job_control& control) {
  // Nothing before the run that is counted: ncu empties the caches before each of its passes anyway.
  const std::vector<std::string> arguments =
      ncu_arguments("lookup", {program.string(), "run", "--machine", "cuda", "--workload", to_line(asked), "--config",
                               to_line(config), "--repeats", "1", "--warm-ups", "0"});
  const outcome<ended_program> ended = run_program(ncu, arguments, control);
  if (!ended) return ended.error();
  outcome<hardware_counters> counted = counters_from_ncu(ended->output);
  if (!counted && ended->status != 0)
    return problem{fmt::format("{} (exit status {})", counted.error().words, ended->status)};
  return counted;
}

counter_source counters_by_ncu() {
  return
      [](const workload& asked, const index_config& config, const job_control& control) -> outcome<hardware_counters> {
        const outcome<fs::path> ncu = find_ncu();
        if (!ncu) return ncu.error();
        std::error_code error;
        const fs::path program = fs::read_symlink("/proc/self/exe", error);
        if (error) return problem{fmt::format("this program cannot be found: {}", error.message())};
        return count_lookups(*ncu, program, asked, config, control);
      };
}

}  // namespace pivotscope
