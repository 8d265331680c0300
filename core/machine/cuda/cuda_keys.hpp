// Sorted keys and their row ids in the device's memory.
#pragma once

#include "core/machine/cuda/runtime.hpp"
#include "core/machine/machine.hpp"

namespace pivotscope {

class cuda_keys final : public resident_keys {
 public:
  // Uploads, numbers and sorts. Needs room for two copies while it sorts, and keeps one.
  static outcome<std::shared_ptr<const cuda_keys>> load(const cuda_device& device, cudaStream_t stream,
                                                        const key_array& keys, const job_control& control);

  u64 size() const override { return size_; }
  key_width width() const override { return width_; }
  const stage_time& sort_time() const override { return sort_time_; }

  u64 least() const { return least_; }        // key; 0 without keys
  u64 greatest() const { return greatest_; }  // key; 0 without keys
  const void* keys() const { return keys_.data(); }
  const u32* rows() const { return rows_.as<u32>(); }

 private:
  u64 size_ = 0, least_ = 0, greatest_ = 0;
  key_width width_ = key_width::u32;
  device_buffer keys_, rows_;
  stage_time sort_time_;
};

}  // namespace pivotscope
