// Sorting, scanning and reducing on the device, and the two other things that nvcc compiles for us. All of them only
// queue work on the stream.
#pragma once

#include <driver_types.h>

#include <cstddef>

#include "core/common/answers.hpp"
#include "core/common/portable.hpp"

namespace pivotscope {

// Two buffers of a kind; `current` says which one holds the data.
template <class Item>
struct ping_pong {
  Item* buffers[2] = {nullptr, nullptr};
  int current = 0;
};

// Bytes of work space that a sort of n pairs needs. Key: u32 or u64.
template <class Key>
cudaError_t sort_space(u64 n, std::size_t& bytes);

// Stable, by the bits [begin, end) of the keys. cub::DeviceRadixSort over both pairs of buffers.
template <class Key>
cudaError_t sort_pairs(ping_pong<Key>& keys, ping_pong<u32>& rows, u64 n, u32 begin, u32 end, void* space,
                       std::size_t space_bytes, cudaStream_t stream);

// The least and the greatest of n keys to ends[0] and ends[1]; n > 0. cub::DeviceReduce, twice over the same work
// space.
template <class Key>
cudaError_t ends_space(u64 n, std::size_t& bytes);
template <class Key>
cudaError_t find_ends(const Key* keys, u64 n, Key* ends, void* space, std::size_t space_bytes, cudaStream_t stream);

// begins[i] = sum of the counts before answer i, for n answers. cub::DeviceScan; `bytes`: of its work space.
cudaError_t scan_space(u64 n, std::size_t& bytes);
cudaError_t scan_counts(const range_answer* answers, u64* begins, u64 n, void* space, std::size_t space_bytes,
                        cudaStream_t stream);

// 0, 1, 2 ...
cudaError_t fill_counting(u32* items, u64 n, cudaStream_t stream);
cudaError_t fill_with(u32* items, u64 n, u32 value, cudaStream_t stream);

}  // namespace pivotscope
