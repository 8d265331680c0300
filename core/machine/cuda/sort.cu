#include "core/machine/cuda/sort.hpp"

#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

namespace pivotscope {
namespace {

constexpr u32 fill_threads = 256;

__global__ void counting_kernel(u32* items, u64 n) {
  const u64 i = static_cast<u64>(blockIdx.x) * fill_threads + threadIdx.x;
  if (i < n) items[i] = static_cast<u32>(i);
}

__global__ void value_kernel(u32* items, u64 n, u32 value) {
  const u64 i = static_cast<u64>(blockIdx.x) * fill_threads + threadIdx.x;
  if (i < n) items[i] = value;
}

struct count_of {
  __host__ __device__ u64 operator()(const range_answer& answer) const { return answer.count; }
};

unsigned fill_blocks(u64 n) { return static_cast<unsigned>(ceil_div<u64>(n, fill_threads)); }

// n fits: it is at most max_keys, and 32-bit counts make CUB's kernels smaller than 64-bit ones do.
static_assert(max_keys <= 0xFFFFFFFFull);

}  // namespace

template <class Key>
cudaError_t sort_space(u64 n, std::size_t& bytes) {
  cub::DoubleBuffer<Key> keys;
  cub::DoubleBuffer<u32> rows;
  bytes = 0;
  return cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, rows, static_cast<u32>(n));
}

template <class Key>
cudaError_t sort_pairs(ping_pong<Key>& keys, ping_pong<u32>& rows, u64 n, u32 begin, u32 end, void* space,
                       std::size_t space_bytes, cudaStream_t stream) {
  cub::DoubleBuffer<Key> key_buffers(keys.buffers[keys.current], keys.buffers[1 - keys.current]);
  cub::DoubleBuffer<u32> row_buffers(rows.buffers[rows.current], rows.buffers[1 - rows.current]);
  const cudaError_t queued =
      cub::DeviceRadixSort::SortPairs(space, space_bytes, key_buffers, row_buffers, static_cast<u32>(n),
                                      static_cast<int>(begin), static_cast<int>(end), stream);
  if (key_buffers.Current() != keys.buffers[keys.current]) keys.current = 1 - keys.current;
  if (row_buffers.Current() != rows.buffers[rows.current]) rows.current = 1 - rows.current;
  return queued;
}

template cudaError_t sort_space<u32>(u64, std::size_t&);
template cudaError_t sort_space<u64>(u64, std::size_t&);
template cudaError_t sort_pairs<u32>(ping_pong<u32>&, ping_pong<u32>&, u64, u32, u32, void*, std::size_t, cudaStream_t);
template cudaError_t sort_pairs<u64>(ping_pong<u64>&, ping_pong<u32>&, u64, u32, u32, void*, std::size_t, cudaStream_t);

template <class Key>
cudaError_t ends_space(u64 n, std::size_t& bytes) {
  std::size_t least = 0, greatest = 0;
  const Key* const keys = nullptr;
  Key* const end = nullptr;
  cudaError_t asked = cub::DeviceReduce::Min(nullptr, least, keys, end, static_cast<u32>(n));
  if (asked == cudaSuccess) asked = cub::DeviceReduce::Max(nullptr, greatest, keys, end, static_cast<u32>(n));
  bytes = least > greatest ? least : greatest;
  return asked;
}

template <class Key>
cudaError_t find_ends(const Key* keys, u64 n, Key* ends, void* space, std::size_t space_bytes, cudaStream_t stream) {
  const cudaError_t queued = cub::DeviceReduce::Min(space, space_bytes, keys, ends, static_cast<u32>(n), stream);
  if (queued != cudaSuccess) return queued;
  return cub::DeviceReduce::Max(space, space_bytes, keys, ends + 1, static_cast<u32>(n), stream);
}

template cudaError_t ends_space<u32>(u64, std::size_t&);
template cudaError_t ends_space<u64>(u64, std::size_t&);
template cudaError_t find_ends<u32>(const u32*, u64, u32*, void*, std::size_t, cudaStream_t);
template cudaError_t find_ends<u64>(const u64*, u64, u64*, void*, std::size_t, cudaStream_t);

cudaError_t scan_space(u64 n, std::size_t& bytes) {
  bytes = 0;
  return cub::DeviceScan::ExclusiveSum(
      nullptr, bytes, thrust::make_transform_iterator(static_cast<const range_answer*>(nullptr), count_of{}),
      static_cast<u64*>(nullptr), n);
}

cudaError_t scan_counts(const range_answer* answers, u64* begins, u64 n, void* space, std::size_t space_bytes,
                        cudaStream_t stream) {
  return cub::DeviceScan::ExclusiveSum(space, space_bytes, thrust::make_transform_iterator(answers, count_of{}), begins,
                                       n, stream);
}

cudaError_t fill_counting(u32* items, u64 n, cudaStream_t stream) {
  if (n > 0) counting_kernel<<<fill_blocks(n), fill_threads, 0, stream>>>(items, n);
  return cudaGetLastError();
}

cudaError_t fill_with(u32* items, u64 n, u32 value, cudaStream_t stream) {
  if (n > 0) value_kernel<<<fill_blocks(n), fill_threads, 0, stream>>>(items, n, value);
  return cudaGetLastError();
}

}  // namespace pivotscope
