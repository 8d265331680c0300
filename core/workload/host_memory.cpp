#include "core/workload/host_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace pivotscope {
namespace {

constexpr u64 unknown = std::numeric_limits<u64>::max();

u64 number_in(const char* path) {
  std::ifstream file(path);
  u64 value = unknown;
  if (!(file >> value)) return unknown;  // no such file, or the word "max"
  return value;
}

u64 machine_memory() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  u64 kibibytes = 0;
  while (file >> name >> kibibytes) {
    std::getline(file, unit);
    if (name == "MemAvailable:") return kibibytes * 1024;
  }
  return unknown;
}

// What the group holds counts its page cache, which the kernel gives back on demand.
u64 inactive_file_bytes(const char* path) {
  std::ifstream file(path);
  std::string name;
  u64 value = 0;
  while (file >> name >> value) {
    if (name == "inactive_file" || name == "total_inactive_file") return value;
  }
  return 0;
}

u64 group_memory(const char* limit_path, const char* used_path, const char* stat_path) {
  const u64 limit = number_in(limit_path), used = number_in(used_path);
  if (limit == unknown || used == unknown) return unknown;
  const u64 held = used - std::min(used, inactive_file_bytes(stat_path));
  return limit - std::min(limit, held);
}

}  // namespace

u64 available_host_memory() {
  const u64 group_2 =
      group_memory("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory.stat");
  const u64 group_1 = group_memory("/sys/fs/cgroup/memory/memory.limit_in_bytes",
                                   "/sys/fs/cgroup/memory/memory.usage_in_bytes", "/sys/fs/cgroup/memory/memory.stat");
  return std::min({machine_memory(), group_2, group_1});
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
