// The bodies of the kernels, for NVRTC alone, which compiles them for one family and config at a time (program.cpp
// writes the few lines around).
#pragma once

#include "core/batch/lookup.hpp"
#include "core/batch/next_keys.hpp"
#include "core/batch/pass.hpp"
#include "core/batch/ranges.hpp"
#include "core/batch/routed.hpp"
#include "core/batch/update.hpp"
#include "core/config/index_config.hpp"
#include "core/machine/cuda/group_pass.hpp"
#include "core/machine/cuda/kinds_in_turn.hpp"
#include "core/simt/cuda.hpp"
#include "core/simt/cuda_searchers.hpp"
#include "core/simt/cuda_tile.hpp"
#include "core/simt/cuda_writes.hpp"
#include "core/simt/search_lanes.hpp"
#include "core/simt/tile_pass.hpp"

namespace pivotscope {

template <key_width Width>
struct key_of {
  using type = u32;
};
template <>
struct key_of<key_width::u64> {
  using type = u64;
};

template <class Family, index_config Config>
using static_config_of = static_config<Family::config::of(Config)>;

template <class Family, index_config Config>
constexpr u32 flight_of() {
  if constexpr (requires { Family::in_flight(Family::config::of(Config)); }) {
    return Family::in_flight(Family::config::of(Config));
  } else {
    return 1;
  }
}

template <class Family, index_config Config>
using block_of = cuda_block < Config.launch,
      Family::lanes(Family::config::of(Config)), Family::pinned_bytes(Family::config::of(Config)),
      typename key_of<Config.keys>::type, flight_of<Family, Config>(), requires {
  typename Family::by_group;
}
> ;

// The config and the lanes of what changes an index.
template <class Family, index_config Config>
using writing_config_of = static_config<for_writes<Family>(Family::config::of(Config))>;
template <class Family, index_config Config>
using writing_lanes_of = cuda_lanes<Family::lanes(writing_config_of<Family, Config>::value), group_steps::alone>;

// Calls f(i) for the item of each thread of a group in turn, with the whole group.
template <class Lanes, class F>
PIVOTSCOPE_FN void each_of_group(u64 own, u64 items, F&& f) {
  const u64 first = own & ~u64{Lanes::group - 1};
  _Pragma("unroll 1") for (u32 member = 0; member < Lanes::group; ++member) {
    if (first + member < items) f(first + member);
  }
}

// A pass by tiles, one a block: *counted is how many cells it makes.
template <class Family, class Pass, index_config Config>
PIVOTSCOPE_FN void tile_kernel(const build_view& view, u64 tiles, u64* counted) {
  using key = typename key_of<Config.keys>::type;
  __shared__ typename Pass::template scratch<key> scratch;
  __shared__ cuda_tile::block_sums sums;
  u64* const chain = view.array<u64>(tile_chain);
  const u64 number = cuda_tile::take_next(chain, sums);
  cuda_tile tile(chain + 1, number, sums);
  Pass::template make<key>(static_config_of<Family, Config>{}, tile, scratch, view, number);
  if (number == tiles - 1 && threadIdx.x == 0) *counted = sums.before + tile.made();
}

// A pass whose items are searches, one a warp or a part of one. The last ones are done again by threads without one.
template <class Family, class Pass, index_config Config>
PIVOTSCOPE_FN void search_kernel(const build_view& view, u64 items, u64*) {
  const u32 lanes = search_lanes(items);
  const u64 own = (static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x) / lanes;
  using key = typename key_of<Config.keys>::type;
  Pass::template at<key>(static_config_of<Family, Config>{}, cuda_searchers(lanes), view, least(own, items - 1));
}

// A pass of a build: so many items a thread. Pass is one of Family's. `counted`: items of which the pass says true.
template <class Family, class Pass, index_config Config, u32 AtOnce>
PIVOTSCOPE_FN void build_kernel(const build_view& view, u64 items, u64* counted) {
  const u64 first = static_cast<u64>(blockIdx.x) * (blockDim.x * AtOnce), own = first + threadIdx.x;
  cuda_writing_memory memory(view);
  using key = typename key_of<Config.keys>::type;
  using lanes_type = writing_lanes_of<Family, Config>;
  constexpr writing_config_of<Family, Config> config{};
  lanes_type lanes;
  const auto counts = [&](auto item) { return do_item<Pass, key>(config, lanes, memory, view, item); };
  if constexpr (by_lanes<Pass, key, writing_config_of<Family, Config>, lanes_type, cuda_writing_memory>) {
    static_assert(AtOnce == 1);
    u32 of_group = 0;
    each_of_group<lanes_type>(own, items, [&](u64 item) { of_group += counts(item) && lanes.leads(); });
    if constexpr (lanes_type::group == 1) {
      const u32 of_block = __syncthreads_count(of_group != 0);
      if (of_block != 0 && threadIdx.x == 0) atomicAdd(counted, of_block);
    } else {
      const u32 of_warp = __reduce_add_sync(full_warp, of_group);
      if (of_warp != 0 && threadIdx.x % 32 == 0) atomicAdd(counted, of_warp);
    }
    return;
  }
  // A block waits for all its threads only where it counts.
  const auto sum_of_block = [](bool counted_here) {
    return counts_items<Pass, key, writing_config_of<Family, Config>, lanes_type, cuda_writing_memory>
               ? __syncthreads_count(counted_here)
               : 0;
  };
  u32 of_block = 0;
  // No condition between the items: the compiler brings their loads together.
  if (AtOnce > 1 && first + blockDim.x * AtOnce <= whole_items<Pass>(config, view, items)) {
    if constexpr (takes_fours<Pass>(config)) {
      static_assert(AtOnce == 4);
      Pass::template at_four<key>(config, view, first + threadIdx.x * 4);
    } else {
      bool counted_here[AtOnce];
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < AtOnce; ++i)
        counted_here[i] = counts(whole_item_in_turn<Pass>(config, view, own + i * blockDim.x));
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < AtOnce; ++i) of_block += sum_of_block(counted_here[i]);
    }
  } else {
    for (u32 i = 0; i < AtOnce; ++i) {
      const u64 item = own + i * blockDim.x;
      of_block += sum_of_block(item < items && counts(item_in_turn<Pass>(config, view, item)));
    }
  }
  if (of_block != 0 && threadIdx.x == 0) atomicAdd(counted, of_block);
}

// The same pass over keys that are in order up to groups of neighbours: each is stored as soon as its rank is known, in
// place of an array of sorted keys that the pass would read. Pass::at_key<Key>(config, view, rank, key, row). *failed
// as group_pass() says; the index is of no use then.
template <class Family, class Pass, index_config Config>
struct groups_to_index {
  using key_type = typename key_of<Config.keys>::type;
  const build_view& view;
  u64* counted;
  static constexpr bool counts_repeats = requires { Pass::counts_repeats; };

  PIVOTSCOPE_FN auto from(u32 begin) const {
    return [&to = view, begin](u32 place, key_type key, u32 row) {
      Pass::template at_key<key_type>(static_config_of<Family, Config>{}, to, begin + place, key, row);
    };
  }
  PIVOTSCOPE_FN void count_repeats(u32 repeats) const { atomicAdd(counted, u64{repeats}); }
};
template <class Family, class Pass, index_config Config>
PIVOTSCOPE_FN void group_build_kernel(const build_view& view, u64 keys, u64 items, u32* failed, u64* counted) {
  using key_type = typename key_of<Config.keys>::type;
  constexpr static_config_of<Family, Config> config{};
  group_pass<key_type, true>(static_cast<const key_type*>(view.keys), view.rows, static_cast<u32>(keys), 0, failed,
                             groups_to_index<Family, Pass, Config>{view, counted});
  // Slots without a key are few: a node's or a leaf's.
  if (blockIdx.x != 0) return;
  for (u64 i = keys + threadIdx.x; i < items; i += blockDim.x)
    Pass::template at<key_type>(config, view, item_in_turn<Pass>(config, view, i));
}

// Finds where the operations of a batch begin: lookups that go a part of their way.
template <class Family, index_config Config>
PIVOTSCOPE_FN void look_kernel(const index_view& view, const void* keys, u32* begins, u64 count) {
  using key = typename key_of<Config.keys>::type;
  block_of<Family, Config> block(view, nullptr);
  look_batch<Family>(static_config_of<Family, Config>{}, block, view, static_cast<const key*>(keys), begins, count);
}

// A batch of one kind, or mixed: one operation a thread, which its group does together.
template <class Family, operation Kind, index_config Config>
PIVOTSCOPE_FN void update_kernel(const build_view& view, const update_work& work) {
  const u64 own = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x;
  cuda_writing_memory memory(view);
  writing_lanes_of<Family, Config> lanes;
  each_of_group<writing_lanes_of<Family, Config>>(own, work.count, [&](u64 i) {
    update_one<Family, Kind, typename key_of<Config.keys>::type>(writing_config_of<Family, Config>{}, lanes, memory,
                                                                 view, work, i);
  });
}
// Each warp's operations lie together in the order of kinds; in each turn its groups take neighbours.
template <class Family, index_config Config>
PIVOTSCOPE_FN void mixed_kernel(const build_view& view, const update_work& work) {
  using lanes_type = writing_lanes_of<Family, Config>;
  __shared__ kinds_in_turn<tile_threads> turns;
  const u64 first = static_cast<u64>(blockIdx.x) * tile_threads, left = work.count - first;
  const u32 here = left < tile_threads ? static_cast<u32>(left) : tile_threads;
  turns.sort(work.kinds + first, here);
  cuda_writing_memory memory(view);
  lanes_type lanes;
  constexpr u32 groups = 32 / lanes_type::group;
  const u32 of_warp = threadIdx.x & ~31u, group = threadIdx.x % 32 / lanes_type::group;
  _Pragma("unroll 1") for (u32 turn = 0; turn < lanes_type::group; ++turn) {
    const u32 place = of_warp + turn * groups + group;
    if (place >= here) continue;
    update_mixed<Family, typename key_of<Config.keys>::type>(writing_config_of<Family, Config>{}, lanes, memory, view,
                                                             work, first + turns.order[place]);
  }
}

// `shared` is dynamic shared memory of block_of<...>::shared_bytes.
template <class Family, index_config Config, class Key>
PIVOTSCOPE_FN void lookup_kernel(const index_view& view, const Key* lookups, u32* answers, u64 count, u8* shared) {
  static_assert(sizeof(Key) == key_bytes(Config.keys));
  block_of<Family, Config> block(view, shared);
  lookup_batch<Family>(static_config_of<Family, Config>{}, block, view, lookups, answers, count);
}

// Which part each key's lookup goes to, and what goes there: the key and its place in the batch.
template <class Family, index_config Config, class Key>
PIVOTSCOPE_FN void route_kernel(const index_view& view, const Key* keys, u64 count, u16* parts,
                                routed_key<Key>* routed) {
  constexpr auto config = Family::config::of(Config);
  for (u64 i = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += u64{gridDim.x} * blockDim.x) {
    const Key key = __ldcs(keys + i);
    parts[i] = static_cast<u16>(Family::part_of(config, view, key));
    routed[i] = {key, static_cast<u32>(i)};
  }
}

// Lookups that lie part by part: begins[p] is where those of part p begin. A column of the grid's blocks has a part.
template <class Family, index_config Config, class Key>
PIVOTSCOPE_FN void routed_kernel(const index_view& view, const routed_key<Key>* routed, const u32* begins, u32* answers,
                                 u8* shared) {
  const u32 part = blockIdx.y, begin = begins[part], end = begins[part + 1];
  if (begin == end) return;
  block_of<Family, Config> block(view, shared);
  routed_batch<Family, Key>(static_config_of<Family, Config>{}, block, view, part, routed + begin, answers,
                            end - begin);
}

template <class Family, index_config Config, bool Itself, class Key>
PIVOTSCOPE_FN void next_key_kernel(const index_view& view, const Key* keys, successor_answer* answers, u64 count,
                                   u8* shared) {
  static_assert(sizeof(Key) == key_bytes(Config.keys));
  block_of<Family, Config> block(view, shared);
  next_key_batch<Family, Itself>(static_config_of<Family, Config>{}, block, view, keys, answers, count);
}

// Output: range_totals or range_rows.
template <class Family, index_config Config, class Key, class Output>
PIVOTSCOPE_FN void range_kernel(const index_view& view, const Key* lows, const Key* highs, u64 count, u8* shared,
                                Output output) {
  static_assert(sizeof(Key) == key_bytes(Config.keys));
  block_of<Family, Config> block(view, shared);
  range_batch<Family>(static_config_of<Family, Config>{}, block, view, lows, highs, count, output);
}

}  // namespace pivotscope
