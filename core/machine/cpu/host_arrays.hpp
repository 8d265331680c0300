// host_arrays: the arrays that a build or an update has beside the regions, in the host's memory.
#pragma once

#include <string_view>

#include "core/common/job_control.hpp"
#include "core/common/outcome.hpp"
#include "core/config/index_config.hpp"
#include "core/machine/cpu/host_pages.hpp"
#include "core/simt/region.hpp"

namespace pivotscope {

class host_arrays {
 public:
  // The content is undefined. Problem: not enough memory.
  status allocate(array_id array, u64 bytes, std::string_view what);
  // The chain of a pass by tiles, before the first one.
  status begin_chain(u64 tiles);
  // As executor::sort_pairs(), without its time. False: cancelled.
  bool sort_pairs(key_width width, array_id keys, array_id values, u64 count, const job_control& control);
  void show(build_view& view) const;

  template <class T>
  T* as(array_id array) const {
    return reinterpret_cast<T*>(arrays_[number_of(array)].get());
  }

 private:
  template <class Key>
  bool sort(array_id keys, array_id values, u64 count, const job_control& control);

  host_array<std::byte> arrays_[max_arrays];
};

}  // namespace pivotscope
