// Keys in the host's memory, sorted, with their row ids.
#pragma once

#include "core/machine/cpu/host_pages.hpp"
#include "core/machine/machine.hpp"

namespace pivotscope {

template <class Key>
class cpu_keys final : public resident_keys {
 public:
  u64 size() const override { return size_; }
  key_width width() const override { return sizeof(Key) == 4 ? key_width::u32 : key_width::u64; }
  const stage_time& sort_time() const override { return sort_time_; }

  static outcome<std::shared_ptr<const resident_keys>> load(std::span<const Key> keys, const job_control& control);

  host_array<Key> keys;  // ascending
  host_array<u32> rows;

 private:
  u64 size_ = 0;
  stage_time sort_time_;
};

}  // namespace pivotscope
