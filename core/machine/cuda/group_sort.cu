#include <cub/block/block_radix_sort.cuh>

#include "core/machine/cuda/group_pass.hpp"
#include "core/machine/cuda/group_sort.hpp"

namespace pivotscope {
namespace {

// --- A sample of the keys ---

constexpr u32 sample_threads = 1024, sampled_a_thread = keys_a_sample / sample_threads;

template <class Key>
__global__ __launch_bounds__(sample_threads) void sample_kernel(const Key* keys, u64 n, key_sample* seen) {
  using block_sort = cub::BlockRadixSort<u32, sample_threads, sampled_a_thread>;
  __shared__ typename block_sort::TempStorage sorting;
  __shared__ u32 differing[2], last[sample_threads];

  const Key some = keys[0];
  Key own[sampled_a_thread];
  Key differs = 0;
  for (u32 i = 0; i < sampled_a_thread; ++i) {
    // Samples take turns over the keys; n < 2^32, so that no product is too large.
    const u64 place = (u64{threadIdx.x} * sampled_a_thread + i) * samples + blockIdx.x;
    own[i] = keys[place * n / (u64{samples} * keys_a_sample)];
    differs |= own[i] ^ some;
  }
  if (threadIdx.x < 2) differing[threadIdx.x] = 0;
  __syncthreads();
  for (u32 half = 0; half < sizeof(Key) / 4; ++half) {
    const u32 bits = __reduce_or_sync(whole_warp, static_cast<u32>(u64{differs} >> (32 * half)));
    if (threadIdx.x % warp_size == 0) atomicOr(differing + half, bits);
  }
  __syncthreads();
  const u64 all = u64{differing[1]} << 32 | differing[0];
  const u32 top = 64 - static_cast<u32>(__clzll(static_cast<long long>(all)));
  const u32 bits = grouped_by(sizeof(Key) * 8, n), low = top > bits ? top - bits : 0;

  u32 upper[sampled_a_thread];
  for (u32 i = 0; i < sampled_a_thread; ++i) upper[i] = static_cast<u32>((own[i] >> low) & ((u64{1} << bits) - 1));
  block_sort(sorting).Sort(upper, 0, static_cast<int>(bits));
  last[threadIdx.x] = upper[sampled_a_thread - 1];
  __syncthreads();
  u32 sharing = threadIdx.x > 0 && last[threadIdx.x - 1] == upper[0] ? 1 : 0;
  for (u32 i = 1; i < sampled_a_thread; ++i) sharing += upper[i] == upper[i - 1] ? 1 : 0;
  sharing = __reduce_add_sync(whole_warp, sharing);
  if (threadIdx.x % warp_size == 0) atomicAdd(&seen->sharing, sharing);
  if (threadIdx.x == 0) atomicMax(&seen->top, top);
}

// --- Putting groups in order: the pass itself, as builds take it (group_pass.hpp) ---

// Keys and row ids to arrays of their own.
template <class Key>
struct to_columns {
  Key* keys;
  u32* rows;

  __device__ auto from(u32 begin) const {
    return [keys_to = keys + begin, rows_to = rows + begin](u32 place, Key key, u32 row) {
      keys_to[place] = key;
      rows_to[place] = row;
    };
  }
};

template <class Key, bool Plain>
__global__ __launch_bounds__(group_block, Plain ? 10 : 9) void group_kernel(const Key* __restrict__ keys,
                                                                            const u32* __restrict__ rows,
                                                                            Key* __restrict__ sorted_keys,
                                                                            u32* __restrict__ sorted_rows, u32 n,
                                                                            u32 any_low, u32* failed) {
  group_pass<Key, Plain>(keys, rows, n, any_low, failed, to_columns<Key>{sorted_keys, sorted_rows});
}

}  // namespace

template <class Key>
cudaError_t sample_keys(const Key* keys, u64 n, key_sample* seen, cudaStream_t stream) {
  sample_kernel<<<samples, sample_threads, 0, stream>>>(keys, n, seen);
  return cudaGetLastError();
}

template <class Key>
cudaError_t put_groups_in_order(const Key* keys, const u32* rows, Key* sorted_keys, u32* sorted_rows, u64 n, u32 low,
                                bool in_doubt, u32* failed, cudaStream_t stream) {
  if (n == 0) return cudaSuccess;
  const bool plain = !in_doubt && low == most_low_bits(8 * sizeof(Key));
  const auto kernel = plain ? group_kernel<Key, true> : group_kernel<Key, false>;
  kernel<<<static_cast<unsigned>(group_blocks(sizeof(Key), n)), group_block, 0, stream>>>(
      keys, rows, sorted_keys, sorted_rows, static_cast<u32>(n), low, failed);
  return cudaGetLastError();
}

template cudaError_t sample_keys<u32>(const u32*, u64, key_sample*, cudaStream_t);
template cudaError_t sample_keys<u64>(const u64*, u64, key_sample*, cudaStream_t);
template cudaError_t put_groups_in_order<u32>(const u32*, const u32*, u32*, u32*, u64, u32, bool, u32*, cudaStream_t);
template cudaError_t put_groups_in_order<u64>(const u64*, const u32*, u64*, u32*, u64, u32, bool, u32*, cudaStream_t);

}  // namespace pivotscope
