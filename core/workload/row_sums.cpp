#include "core/workload/row_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "core/common/expect.hpp"
#include "core/common/parallel.hpp"

namespace pivotscope {
namespace {

template <class Key>
status check_typed(const std::vector<Key>& keys, const std::vector<Key>& lookups, std::span<const u64> row_sums,
                   std::string_view name, const job_control& control) {
  control.progress("checking sums", -1);
  std::vector<Key> asked(lookups);
  std::sort(asked.begin(), asked.end());
  asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  std::vector<u64> sums(asked.size());
  const auto place = [&](Key key) {
    return static_cast<std::size_t>(std::lower_bound(asked.begin(), asked.end(), key) - asked.begin());
  };
  constexpr u64 grain = 1 << 16;
  parallel_parts(keys.size(), grain, [&](const index_part& part) {
    if (control.cancelled()) return;
    for (u64 row = part.begin(); row < part.end(); ++row) {
      const std::size_t at = place(keys[row]);
      if (at < asked.size() && asked[at] == keys[row])
        std::atomic_ref(sums[at]).fetch_add(row, std::memory_order_relaxed);
    }
  });
  if (control.cancelled()) return job_control::cancelled_problem();
  for (std::size_t i = 0; i < lookups.size(); ++i) {
    const u64 sum = sums[place(lookups[i])];
    if (sum == row_sums[i]) continue;
    return problem{
        fmt::format("{}: lookup {} of key {}: its rows sum to {} there, and over these keys to {}; were the "
                    "lookups made for other keys?",
                    name, i, lookups[i], row_sums[i], sum)};
  }
  return fine();
}

}  // namespace

status check_row_sums(const key_array& keys, const key_array& lookups, std::span<const u64> row_sums,
                      std::string_view name, const job_control& control) {
  PIVOTSCOPE_EXPECT(keys.width() == lookups.width() && lookups.size() == row_sums.size());
  return keys.visit([&]<class Key>(const std::vector<Key>& typed) {
    return lookups.visit([&]<class Other>(const std::vector<Other>& asked) -> status {
      if constexpr (std::is_same_v<Key, Other>) return check_typed(typed, asked, row_sums, name, control);
      return fine();
    });
  });
}

}  // namespace pivotscope
