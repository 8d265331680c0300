#include "core/machine/cuda/route_sort.hpp"

#include <cub/device/device_radix_sort.cuh>

namespace pivotscope {
namespace {

constexpr u32 begin_threads = 128;

// One thread a part, by binary search.
__global__ void begins_kernel(const u16* numbers, u32 n, u32 parts, u32* begins) {
  const u32 part = blockIdx.x * begin_threads + threadIdx.x;
  if (part > parts) return;
  u32 low = 0;
  for (u32 left = n; left > 0;) {
    const u32 half = left / 2;
    if (numbers[low + half] < part)
      low += half + 1, left -= half + 1;
    else
      left = half;
  }
  begins[part] = low;
}

int bits_of(u32 parts) {
  int bits = 1;
  while ((u32{1} << bits) < parts) ++bits;
  return bits;
}

}  // namespace

template <class Key>
cudaError_t route_space(u64 n, u32 parts, std::size_t& bytes) {
  cub::DoubleBuffer<u16> numbers;
  cub::DoubleBuffer<routed_key<Key>> lookups;
  bytes = 0;
  return cub::DeviceRadixSort::SortPairs(nullptr, bytes, numbers, lookups, static_cast<u32>(n), 0, bits_of(parts));
}

template <class Key>
cudaError_t sort_to_parts(ping_pong<u16>& numbers, ping_pong<routed_key<Key>>& lookups, u64 n, u32 parts, u32* begins,
                          void* space, std::size_t space_bytes, cudaStream_t stream) {
  cub::DoubleBuffer<u16> by(numbers.buffers[0], numbers.buffers[1]);
  cub::DoubleBuffer<routed_key<Key>> with(lookups.buffers[0], lookups.buffers[1]);
  const cudaError_t queued =
      cub::DeviceRadixSort::SortPairs(space, space_bytes, by, with, static_cast<u32>(n), 0, bits_of(parts), stream);
  if (queued != cudaSuccess) return queued;
  numbers.current = by.Current() == numbers.buffers[0] ? 0 : 1;
  lookups.current = with.Current() == lookups.buffers[0] ? 0 : 1;
  begins_kernel<<<ceil_div(parts + 1, begin_threads), begin_threads, 0, stream>>>(by.Current(), static_cast<u32>(n),
                                                                                  parts, begins);
  return cudaGetLastError();
}

template cudaError_t route_space<u32>(u64, u32, std::size_t&);
template cudaError_t route_space<u64>(u64, u32, std::size_t&);
template cudaError_t sort_to_parts<u32>(ping_pong<u16>&, ping_pong<routed_key<u32>>&, u64, u32, u32*, void*,
                                        std::size_t, cudaStream_t);
template cudaError_t sort_to_parts<u64>(ping_pong<u16>&, ping_pong<routed_key<u64>>&, u64, u32, u32*, void*,
                                        std::size_t, cudaStream_t);

}  // namespace pivotscope
