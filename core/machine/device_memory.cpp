#include "core/machine/device_memory.hpp"

#include <atomic>

#include "core/common/expect.hpp"

namespace pivotscope {
namespace {

std::atomic<u64> held{0}, most{0};

}  // namespace

u64 device_memory_held() { return held; }
u64 most_device_memory() { return most; }
void forget_most_device_memory() { most = held.load(); }

void device_memory_taken(u64 bytes) {
  const u64 now = held += bytes;
  for (u64 seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
  }
}

void device_memory_given_back(u64 bytes) {
  [[maybe_unused]] const u64 before = held.fetch_sub(bytes);
  PIVOTSCOPE_EXPECT(before >= bytes);
}

}  // namespace pivotscope
