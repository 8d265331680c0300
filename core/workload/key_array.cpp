#include "core/common/expect.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

key_array::key_array(key_width width, u64 n) {
  if (width == key_width::u32) {
    data_ = std::vector<u32>(n);
  } else {
    data_ = std::vector<u64>(n);
  }
}

u64 key_array::size() const {
  return visit([](const auto& keys) { return static_cast<u64>(keys.size()); });
}

u64 key_array::operator[](u64 i) const {
  return visit([i](const auto& keys) {
    PIVOTSCOPE_EXPECT(i < keys.size());
    return static_cast<u64>(keys[i]);
  });
}

const void* key_array::data() const {
  return visit([](const auto& keys) { return static_cast<const void*>(keys.data()); });
}

}  // namespace pivotscope
