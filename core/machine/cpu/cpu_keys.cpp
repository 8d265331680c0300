#include "core/machine/cpu/cpu_keys.hpp"

#include <algorithm>
#include <new>
#include <tuple>
#include <vector>

#include "core/machine/cpu/host_work.hpp"
#include "core/machine/cpu/radix_sort.hpp"

namespace pivotscope {

template <class Key>
outcome<std::shared_ptr<const resident_keys>> cpu_keys<Key>::load(std::span<const Key> keys,
                                                                  const job_control& control) {
  auto loaded = std::make_shared<cpu_keys>();
  loaded->size_ = keys.size();
  const std::string what = fmt::format("{} keys", keys.size());
  if (auto s = room_for(keys.size_bytes(), what); !s) return s.error();
  try {
    loaded->keys_ = make_host_array<Key>(keys.size());
    std::vector<std::pair<Key, Key>> ends(ceil_div<u64>(keys.size(), slots_a_task));
    const bool copied = in_chunks("copying keys", keys.size(), slots_a_task, control, [&](u64 begin, u64 end) {
      Key least = keys[begin], greatest = least;
      for (u64 i = begin; i < end; ++i) {
        loaded->keys_[i] = keys[i];
        least = std::min(least, keys[i]), greatest = std::max(greatest, keys[i]);
      }
      ends[begin / slots_a_task] = {least, greatest};
    });
    if (!copied) return job_control::cancelled_problem();
    if (!ends.empty()) std::tie(loaded->least_, loaded->greatest_) = ends.front();
    for (const auto& [least, greatest] : ends) {
      loaded->least_ = std::min(loaded->least_, least);
      loaded->greatest_ = std::max(loaded->greatest_, greatest);
    }
  } catch (const std::bad_alloc&) {
    return out_of_memory(what, keys.size_bytes());
  }
  return std::shared_ptr<const resident_keys>(std::move(loaded));
}

template <class Key>
status cpu_keys<Key>::sort(const job_control& control) const {
  if (sorted_) return fine();
  const std::string what = fmt::format("sorting {} keys", size_);
  const u64 bytes = size_ * (sizeof(Key) + 2 * sizeof(u32));
  if (auto s = room_for(bytes, what); !s) return s;
  try {
    if (!rows_) {
      auto rows = make_host_array<u32>(size_);
      const bool counted = in_chunks("numbering rows", size_, slots_a_task, control, [&](u64 begin, u64 end) {
        for (u64 i = begin; i < end; ++i) rows[i] = static_cast<u32>(i);
      });
      if (!counted) return job_control::cancelled_problem();
      rows_ = std::move(rows);
    }
    const stopwatch watch;
    if (!radix_sort_pairs(keys_, rows_, size_, control)) return job_control::cancelled_problem();
    sort_time_.samples_ms = {watch.ms()};
    sorted_ = true;
  } catch (const std::bad_alloc&) {
    return out_of_memory(what, bytes);
  }
  return fine();
}

template class cpu_keys<u32>;
template class cpu_keys<u64>;

}  // namespace pivotscope
