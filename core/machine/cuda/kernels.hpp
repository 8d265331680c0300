// The bodies of the kernels, for NVRTC alone, which compiles them for one config at a time (program.cpp writes the few
// lines around).
#pragma once

#include "core/batch/lookup.hpp"
#include "core/batch/ranges.hpp"
#include "core/config/index_config.hpp"
#include "core/index/ordered/dispatch.hpp"
#include "core/index/ordered/shape.hpp"
#include "core/machine/cuda/build_view.hpp"
#include "core/simt/cuda.hpp"

namespace pivotscope {

template <key_width Width>
struct key_of {
  using type = u32;
};
template <>
struct key_of<key_width::u64> {
  using type = u64;
};

PIVOTSCOPE_FN u64 global_thread() { return static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x; }

// An entry as one store: {key, row}, and with 64-bit keys a zero behind.
PIVOTSCOPE_FN void store_pair(void* entries, u64 slot, u32 key, u32 row) {
  static_cast<uint2*>(entries)[slot] = make_uint2(key, row);
}
PIVOTSCOPE_FN void store_pair(void* entries, u64 slot, u64 key, u32 row) {
  static_cast<uint4*>(entries)[slot] = make_uint4(static_cast<u32>(key), static_cast<u32>(key >> 32), row, 0u);
}

// One slot of `entries` a thread.
template <index_config Config>
PIVOTSCOPE_FN void build_entries_kernel(const build_view& view) {
  using key_type = typename key_of<Config.keys>::type;
  const u64 slot = global_thread();
  if (slot >= view.shape.entry_slots) return;
  const u64 rank = order_of<Config.order>::type::entry_source(static_config<Config>{}, view.shape, slot);
  const key_type key = rank == no_rank ? greatest_key<key_type>() : static_cast<const key_type*>(view.keys)[rank];
  const u32 row = rank == no_rank ? not_found : view.rows[rank];
  if constexpr (Config.layout == entry_layout::aos) {
    store_pair(view.entries, slot, key, row);
  } else {
    static_cast<key_type*>(view.entries)[slot] = key;
    view.entry_rows[slot] = row;
  }
}

// One slot of `pivots` a thread.
template <index_config Config>
PIVOTSCOPE_FN void build_pivots_kernel(const build_view& view) {
  using key_type = typename key_of<Config.keys>::type;
  const u64 slot = global_thread();
  if (slot >= view.shape.pivot_slots) return;
  const u64 rank = order_of<Config.order>::type::pivot_source(static_config<Config>{}, view.shape, slot);
  static_cast<key_type*>(view.pivots)[slot] =
      rank == no_rank ? greatest_key<key_type>() : static_cast<const key_type*>(view.keys)[rank];
}

// `shared` is dynamic shared memory of cuda_block<...>::shared_bytes.
template <index_config Config, class Key>
PIVOTSCOPE_FN void lookup_kernel(const index_view& view, const Key* lookups, u32* answers, u64 count, u8* shared) {
  static_assert(sizeof(Key) == key_bytes(Config));
  cuda_block<static_config<Config>, Key> block(static_config<Config>{}, view, shared);
  lookup_batch(static_config<Config>{}, block, view, lookups, answers, count);
}

// Output: range_totals or range_rows.
template <index_config Config, class Key, class Output>
PIVOTSCOPE_FN void range_kernel(const index_view& view, const Key* lows, const Key* highs, u64 count, u8* shared,
                                Output output) {
  static_assert(sizeof(Key) == key_bytes(Config));
  cuda_block<static_config<Config>, Key> block(static_config<Config>{}, view, shared);
  range_batch(static_config<Config>{}, block, view, lows, highs, count, output);
}

}  // namespace pivotscope
