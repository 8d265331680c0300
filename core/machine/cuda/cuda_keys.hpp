// Keys in the device's memory: as they came, or sorted, with their row ids.
#pragma once

#include <optional>

#include "core/machine/cuda/group_plan.hpp"
#include "core/machine/cuda/runtime.hpp"
#include "core/machine/machine.hpp"

namespace pivotscope {

class cuda_keys final : public resident_keys {
 public:
  static outcome<std::shared_ptr<const cuda_keys>> load(const cuda_device& device, cudaStream_t stream,
                                                        const key_array& keys, const job_control& control);
  // Numbers and sorts them, unless they are sorted. Needs room for two copies, and keeps one. Where there is none, or
  // where it is cancelled before it began, the keys are as they were.
  status sort(const cuda_device& device, cudaStream_t stream, const job_control& control) const;
  // The same for who puts groups in order himself: where a sample says that they are such as that pass likes best
  // (group_plan.hpp), they are left in groups.
  status sort_to_groups(const cuda_device& device, cudaStream_t stream, const job_control& control) const;
  // Their groups are still to be put in order.
  bool in_groups() const { return state_ == order::groups; }
  // The pass said that groups were too long for it: sort() takes all bits then.
  void give_groups_up() const { state_ = order::upper_bits; }
  // What cub::DeviceRadixSort takes for them, of a copy and by all bits, as often as said; "sort" without samples where
  // they are sorted, or in groups.
  outcome<stage_time> library_sort(const cuda_device& device, cudaStream_t stream, u32 runs,
                                   const job_control& control) const;
  // The least and the greatest key; zeros without keys. Looked for once.
  outcome<std::pair<u64, u64>> range(cudaStream_t stream) const;

  u64 size() const override { return size_; }
  key_width width() const override { return width_; }
  // All that was spent on it so far.
  const stage_time& sort_time() const override { return sort_time_; }

  const void* keys() const { return keys_.data(); }
  const u32* rows() const { return rows_.as<u32>(); }  // null: key i has row id i

 private:
  enum class order { none, upper_bits, groups, all };

  status sort_up_to(order wanted, const cuda_device& device, cudaStream_t stream, const job_control& control) const;
  template <class Key>
  status sort_as(order wanted, const cuda_device& device, cudaStream_t stream, const job_control& control) const;
  template <class Key>
  outcome<stage_time> library_sort_as(const cuda_device& device, cudaStream_t stream, u32 runs,
                                      const job_control& control) const;
  template <class Key>
  outcome<std::pair<u64, u64>> range_as(cudaStream_t stream) const;
  template <class Key>
  outcome<std::optional<std::pair<u64, u64>>> range_of_groups() const;

  u64 size_ = 0;
  key_width width_ = key_width::u32;
  mutable device_buffer keys_, rows_;
  mutable order state_ = order::none;
  mutable key_grouping grouping_{};  // of upper_bits and groups
  mutable std::optional<std::pair<u64, u64>> range_;
  mutable stage_time sort_time_{"sort", {}};
};

}  // namespace pivotscope
