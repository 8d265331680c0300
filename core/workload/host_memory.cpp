#include "core/workload/host_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include "core/workload/control_group.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

constexpr u64 unknown = std::numeric_limits<u64>::max();

fs::path system_root = "/";

// The number behind `name` on the line that begins with it.
u64 number_after(const fs::path& path, std::string_view name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name)) continue;
    std::istringstream rest(line.substr(name.size()));
    u64 value = 0;
    return rest >> value ? value : unknown;  // or the word "unlimited"
  }
  return unknown;
}

u64 kibibytes_after(const fs::path& path, std::string_view name) {
  const u64 value = number_after(path, name);
  return value > unknown / 1024 ? unknown : value * 1024;
}

// What ulimit -v leaves.
u64 address_space(const fs::path& root) {
  const u64 limit = number_after(root / "proc/self/limits", "Max address space ");
  const u64 used = kibibytes_after(root / "proc/self/status", "VmSize:");
  if (limit == unknown || used == unknown) return unknown;
  return limit - std::min(limit, used);
}

}  // namespace

host_memory_of::host_memory_of(fs::path root) { system_root = std::move(root); }
host_memory_of::~host_memory_of() { system_root = "/"; }

u64 available_host_memory() { return available_host_memory(system_root); }

u64 available_host_memory(const fs::path& root) {
  return std::min(
      {kibibytes_after(root / "proc/meminfo", "MemAvailable:"), control_group_memory(root), address_space(root)});
}

status check_host_memory(u64 bytes, std::string_view what) {
  constexpr u64 too_small_to_ask = 64ull << 20;
  if (bytes < too_small_to_ask) return fine();
  const u64 available = available_host_memory();
  if (bytes <= available) return fine();
  return problem{fmt::format("not enough memory: {} are needed for {}, {} are free; use fewer", bytes_text(bytes), what,
                             bytes_text(available))};
}

std::string bytes_text(u64 bytes) {
  constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  double amount = static_cast<double>(bytes) / 1024;
  u32 unit = 0;
  while (amount >= 1023.95 && unit + 1 < std::size(units)) {
    amount /= 1024;
    ++unit;
  }
  std::string digits = fmt::format("{:.{}f}", amount, amount < 10 ? 2 : 1);
  while (digits.back() == '0') digits.pop_back();
  if (digits.back() == '.') digits.pop_back();
  return fmt::format("{} {}", digits, units[unit]);
}

}  // namespace pivotscope
