// Keys in the host's memory: as they came, or sorted, with their row ids.
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
  // Unless they are. Takes as much memory again, and the row ids twice, and gives half of it back. After a problem the
  // keys are as good for any build as before.
  status sort(const job_control& control) const;

  const Key* keys() const { return keys_.get(); }
  const u32* rows() const { return rows_.get(); }                    // null: key i has row id i
  std::pair<u64, u64> range() const { return {least_, greatest_}; }  // zeros without keys

 private:
  u64 size_ = 0;
  Key least_ = 0, greatest_ = 0;
  mutable host_array<Key> keys_;
  mutable host_array<u32> rows_;
  mutable bool sorted_ = false;
  mutable stage_time sort_time_{"sort", {}};
};

}  // namespace pivotscope
