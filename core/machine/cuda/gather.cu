#include <algorithm>

#include "core/machine/cuda/gather_kernels.hpp"
#include "core/machine/gather_code.hpp"

namespace pivotscope {
namespace {

__device__ u32 sum_of(u32 entry) { return entry; }
__device__ u32 sum_of(uint4 entry) { return entry.x + entry.y + entry.z + entry.w; }
__device__ u32 first_of(uint4 entry) { return entry.x; }

__device__ u32 thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void words_kernel(u32* array, u64 words) {
  const u64 all = static_cast<u64>(gridDim.x) * blockDim.x;
  for (u64 i = thread_number(); i < words; i += all) array[i] = gather_word(static_cast<u32>(i));
}

// Addresses are drawn before the first entry is looked at, so that each thread has gather_unroll loads under way.
template <class Entry>
__global__ void gather_kernel(gather_work work) {
  const u32 thread = thread_number();
  const u32 group = thread / work.lanes, lane = thread % work.lanes;
  const Entry* const array = static_cast<const Entry*>(work.array) + lane;
  u32 sum = 0;
  if (lane < work.loading) {
    for (u32 step = 0; step < work.steps; step += gather_unroll) {
      Entry entries[gather_unroll];
#pragma unroll
      for (u32 i = 0; i < gather_unroll; ++i) {
        const u64 place = gather_place(gather_number(work.salt, group, step + i, work.steps), work.places);
        entries[i] = __ldg(array + place * work.entries_apart);
      }
#pragma unroll
      for (u32 i = 0; i < gather_unroll; ++i) sum += sum_of(entries[i]);
    }
  }
  work.said[thread] = static_cast<u64>(work.steps) << 32 | sum;
}

__global__ void dependent_kernel(gather_work work) {
  const u32 thread = thread_number();
  const uint4* const array = static_cast<const uint4*>(work.array);
  u32 sum = 0, last = 0;
  for (u32 step = 0; step < work.steps; ++step) {
    const u64 place = gather_place(gather_number(work.salt, thread, step, work.steps) + last, work.places);
    const uint4 entry = __ldg(array + place * work.entries_apart);
    last = first_of(entry);
    sum += sum_of(entry);
  }
  work.said[thread] = static_cast<u64>(work.steps) << 32 | sum;
}

__global__ void copy_kernel(uint4* to, const uint4* from, u64 entries) {
  const u64 all = static_cast<u64>(gridDim.x) * blockDim.x;
  u64 i = thread_number();
  for (; i + 3 * all < entries; i += 4 * all) {
    const uint4 a = __ldg(from + i), b = __ldg(from + i + all), c = __ldg(from + i + 2 * all),
                d = __ldg(from + i + 3 * all);
    to[i] = a, to[i + all] = b, to[i + 2 * all] = c, to[i + 3 * all] = d;
  }
  for (; i < entries; i += all) to[i] = __ldg(from + i);
}

}  // namespace

cudaError_t queue_gather_words(u32* array, u64 words, cudaStream_t stream) {
  constexpr u32 blocks = 4096;
  words_kernel<<<blocks, gather_threads, 0, stream>>>(array, words);
  return cudaGetLastError();
}

cudaError_t queue_gather(const gather_work& work, cudaStream_t stream) {
  // A multiple of it, or fewer: gather_shape.
  const u32 threads = std::min(work.threads, gather_threads), blocks = work.threads / threads;
  if (work.dependent)
    dependent_kernel<<<blocks, threads, 0, stream>>>(work);
  else if (work.entry_bytes == sizeof(uint4))
    gather_kernel<uint4><<<blocks, threads, 0, stream>>>(work);
  else
    gather_kernel<u32><<<blocks, threads, 0, stream>>>(work);
  return cudaGetLastError();
}

cudaError_t queue_copy(void* to, const void* from, u64 bytes, u32 blocks, cudaStream_t stream) {
  copy_kernel<<<blocks, gather_threads, 0, stream>>>(static_cast<uint4*>(to), static_cast<const uint4*>(from),
                                                     bytes / sizeof(uint4));
  return cudaGetLastError();
}

cudaError_t gather_blocks(u32& blocks) {
  int fit = 0;
  const cudaError_t asked =
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, gather_kernel<uint4>, int{gather_threads}, 0);
  blocks = static_cast<u32>(std::max(fit, 1));
  return asked;
}

}  // namespace pivotscope
