#include "core/machine/cpu/cpu_keys.hpp"

#include <new>

#include "core/machine/cpu/host_work.hpp"
#include "core/machine/cpu/radix_sort.hpp"

namespace pivotscope {

template <class Key>
outcome<std::shared_ptr<const resident_keys>> cpu_keys<Key>::load(std::span<const Key> keys,
                                                                  const job_control& control) {
  auto loaded = std::make_shared<cpu_keys>();
  loaded->size_ = keys.size();
  const u64 bytes = keys.size() * 2 * (sizeof(Key) + sizeof(u32));  // the sort takes as much again
  if (auto s = room_for(bytes, fmt::format("sorting {} keys", keys.size())); !s) return s.error();
  try {
    loaded->keys = make_host_array<Key>(keys.size());
    loaded->rows = make_host_array<u32>(keys.size());
    const bool copied = in_chunks("copying keys", keys.size(), slots_a_task, control, [&](u64 begin, u64 end) {
      for (u64 i = begin; i < end; ++i) loaded->keys[i] = keys[i], loaded->rows[i] = static_cast<u32>(i);
    });
    if (!copied) return job_control::cancelled_problem();
    const stopwatch watch;
    if (!radix_sort_pairs(loaded->keys, loaded->rows, keys.size(), control)) return job_control::cancelled_problem();
    loaded->sort_time_ = {"sort", {watch.ms()}};
  } catch (const std::bad_alloc&) {
    return out_of_memory(fmt::format("sorting {} keys", keys.size()), bytes);
  }
  return std::shared_ptr<const resident_keys>(std::move(loaded));
}

template class cpu_keys<u32>;
template class cpu_keys<u64>;

}  // namespace pivotscope
