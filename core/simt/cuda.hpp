// Lanes, memory and block for the cuda machine. NVRTC compiles it with a static config, so that no question about the
// config is left in the machine code.
//
// A warp's 32 threads load 32 lookups, one each. A group of G = ceil_pow2(lanes) threads serves its G lookups one after
// another, and all groups run in step. No thread leaves early, so every shuffle has the constant full mask. (A mask
// that is known only at run time costs up to 1.7x, docs/design.md.) Threads past the end of the batch look up a dummy key.
#pragma once

#include "core/config/index_config.hpp"
#include "core/simt/cuda_loads.hpp"
#include "core/simt/lane_run.hpp"
#include "core/simt/region.hpp"
#include "core/simt/relation.hpp"
#include "core/simt/routed_key.hpp"
#include "core/simt/source_place.hpp"
#include "core/simt/wave.hpp"
#if defined(PIVOTSCOPE_REORDER)  // only kernels that sort wait for CUB to compile
#include "core/simt/cuda_sort.hpp"
#endif

namespace pivotscope {

inline constexpr u32 full_warp = 0xFFFFFFFFu;

// The 32 lanes of a warp, gone through by one thread: for a group that goes alone.
struct cuda_lane_loop {
  static constexpr bool are_threads = false;
  template <class T>
  struct per_lane {
    T values[32];
    PIVOTSCOPE_FN T& operator[](u32 lane) { return values[lane]; }
  };
  template <class T>
  PIVOTSCOPE_FN static per_lane<T> each(T value) {
    per_lane<T> all;
    for (u32 lane = 0; lane < 32; ++lane) all.values[lane] = value;
    return all;
  }
  template <class F>
  PIVOTSCOPE_FN static auto sum(F&& f) {
    decltype(f(0u)) total{};
    for (u32 lane = 0; lane < 32; ++lane) total += f(lane);
    return total;
  }
  template <class F>
  PIVOTSCOPE_FN static void each_lane(F&& f) {
    for (u32 lane = 0; lane < 32; ++lane) f(lane);
  }
  template <class F>
  PIVOTSCOPE_FN static u32 min(F&& f) {
    u32 smallest = ~0u;
    for (u32 lane = 0; lane < 32; ++lane) smallest = least(smallest, f(lane));
    return smallest;
  }
  template <class T>
  PIVOTSCOPE_FN static T told_by(const per_lane<T>& values, u32 lane) {
    return values.values[lane];
  }
  PIVOTSCOPE_FN static constexpr u32 size() { return 32; }
  PIVOTSCOPE_FN static constexpr bool leads() { return true; }
};

// How the groups of a warp go: all in step; or each alone, so that one may wait for another. Then a shuffle has the mask
// of its group, which is known at run time only, so reads that nobody writes beside go in step.
enum class group_steps : u8 { together, alone };

// `Count` threads of a warp that serve one lookup together.
template <u32 Count, group_steps Steps = group_steps::together>
class cuda_lanes {
  static constexpr bool alone = Steps == group_steps::alone;

 public:
  static constexpr bool are_threads = true;
  static constexpr u32 count = Count;
  static constexpr u32 group = ceil_pow2(Count);

  template <class T>
  struct per_lane {
    T value;
    PIVOTSCOPE_FN T& operator[](u32) { return value; }
  };
  template <class T>
  PIVOTSCOPE_FN per_lane<T> each(T value) const {
    return {value};
  }

  // The least row id that the lanes take, each its own.
  struct row_of_lanes {
    u32 row = not_found;
    PIVOTSCOPE_FN void take(u32 seen) { row = least(row, seen); }
    PIVOTSCOPE_FN u32 of_all(cuda_lanes& lanes) const {
      return lanes.min([this](u32) { return row; });
    }
  };
  PIVOTSCOPE_FN row_of_lanes least_row() const { return {}; }

  PIVOTSCOPE_FN u32 lane() const { return threadIdx.x & (group - 1); }

  template <class F>
  PIVOTSCOPE_FN auto sum(F&& f) {
    decltype(f(0u)) value{};
    if (count == group || lane() < count) value = f(lane());
    PIVOTSCOPE_UNROLL
    for (u32 distance = group / 2; distance > 0; distance /= 2) value += __shfl_xor_sync(mask(), value, distance);
    return value;
  }
  // Calls f(lane) in every lane. No lane learns what another one found.
  template <class F>
  PIVOTSCOPE_FN void each_lane(F&& f) const {
    if (count == group || lane() < count) f(lane());
  }
  template <class F>
  PIVOTSCOPE_FN u32 min(F&& f) {
    u32 value = ~0u;
    if (count == group || lane() < count) value = f(lane());
    PIVOTSCOPE_UNROLL
    for (u32 distance = group / 2; distance > 0; distance /= 2) {
      value = least(value, __shfl_xor_sync(mask(), value, distance));
    }
    return value;
  }
  // Calls f() in one lane, and returns its result to all. A word that others may write is loaded so: two lanes that each
  // load it may see different values, and then go different ways.
  template <class F>
  PIVOTSCOPE_FN auto once(F&& f) const {
    using result = decltype(f());
    result value{};
    if (leads()) value = f();
    if constexpr (sizeof(result) < 4) {
      return static_cast<result>(from(0, static_cast<u32>(value)));
    } else {
      static_assert(sizeof(result) % 4 == 0);
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < sizeof(result) / 4; ++i) word_of(value, i) = from(0, word_of(value, i));
      return value;
    }
  }
  // A mask of one thread would part a warp's threads for good.
  PIVOTSCOPE_FN static void meet() {
    if constexpr (group > 1) __syncwarp(mask());
  }
  // Returns to all lanes the value that `lane` has.
  template <class T>
  PIVOTSCOPE_FN static T told_by(const per_lane<T>& values, u32 lane) {
    return from(lane, values.value);
  }
  // Each lane has a number for each of the group's lookups. Gives the least number of lookup i to lane i modulo the
  // group. Each round halves the list: a lane hands one half on and keeps the other. So the lookups of a group take one
  // shuffle less than there are lanes.
  template <u32 Lookups>
  PIVOTSCOPE_FN void least_to_owners(u32 (&seen)[Lookups], u32 (&least_of_own)[Lookups / group]) const {
    static_assert(count == group);
    PIVOTSCOPE_UNROLL
    for (u32 r = 0; r < Lookups / group; ++r) {
      u32* const of_group = seen + r * group;
      PIVOTSCOPE_UNROLL
      for (u32 distance = group / 2; distance > 0; distance /= 2) {
        const bool upper = (lane() & distance) != 0;
        PIVOTSCOPE_UNROLL
        for (u32 i = 0; i < distance; ++i) {
          const u32 handed = upper ? of_group[i] : of_group[i + distance];
          const u32 kept = upper ? of_group[i + distance] : of_group[i];
          of_group[i] = least(kept, __shfl_xor_sync(full_warp, handed, static_cast<int>(distance)));
        }
      }
      least_of_own[r] = of_group[0];
    }
  }
  PIVOTSCOPE_FN static constexpr bool may_stop(bool done) { return alone && done; }
  PIVOTSCOPE_FN static bool all_done(bool done) { return alone ? done : __all_sync(full_warp, done); }
  PIVOTSCOPE_FN static constexpr u32 size() { return count; }
  PIVOTSCOPE_FN bool leads() const { return lane() == 0; }
  // Returns the value of the group's thread `i`.
  template <class T>
  PIVOTSCOPE_FN static T from(u32 i, const T& own) {
    if constexpr (group == 1) return own;
    return __shfl_sync(mask(), own, static_cast<int>(i), group);
  }

  // Serves the `wanted` lookups of the warp's threads, one per group at a time, until none is left. more(key, kept,
  // live) does one step and returns true if another follows. Otherwise next() ends the lookup, and returns true if its
  // thread has another one, then in `key` and `kept`. Groups of 1 or 2 threads serve their own lookups, which take few
  // instructions to find. Larger groups, of which a warp has few, serve those of any group, so that as many as
  // possible are under way at once.
  template <class Key, class Kept, class More, class Next>
  PIVOTSCOPE_FN static void share_out(bool wanted, const Key& key, Kept& kept, More&& more, Next&& next) {
    static_assert(!alone);
    static_assert(sizeof(Kept) % 4 == 0);
    if constexpr (group == 1) {
      while (wanted) wanted = more(key, kept, true) || next();
      return;
    }
    constexpr bool own = group <= 2;
    const u32 me = threadIdx.x & 31u, first = me & ~(group - 1);
    for (u32 waiting = __ballot_sync(full_warp, wanted); waiting != 0; waiting = __ballot_sync(full_warp, wanted)) {
      const u32 of_group = waiting >> first & ((1u << group % 32) - 1);
      const u32 source = !own            ? nth_set_bit(waiting, me / group)
                         : of_group == 0 ? 32
                                         : first + static_cast<u32>(__ffs(static_cast<int>(of_group))) - 1;
      Kept taken;
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < sizeof(Kept) / 4; ++i) word_of(taken, i) = shuffled(word_of(kept, i), source & 31u);
      const bool goes_on = more(shuffled(key, source & 31u), taken, source < 32);
      // Back to whose they are. Pairs have them; else the r-th of those that wait was taken by group r.
      const u32 rank = static_cast<u32>(__popc(waiting & ((1u << me) - 1)));
      const bool served = wanted && (own ? source == me : rank < 32 / group);
      const u32 server = served ? rank * group : 0;
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < sizeof(Kept) / 4; ++i) {
        const u32 word = own ? word_of(taken, i) : shuffled(word_of(taken, i), server);
        if (served) word_of(kept, i) = word;
      }
      const bool still = own ? goes_on : shuffled(static_cast<u32>(goes_on), server) != 0;
      if (served) wanted = still || next();
    }
  }

  // Calls body(lanes of the whole warp, rest) for every lookup of the warp that is `wanted`, in turn. Each group gets
  // the result of its own lookup. `wanted` and `rest` are the same in all threads of a group.
  template <class Rest, class F>
  PIVOTSCOPE_FN auto take_turns(bool wanted, const Rest& rest, F&& body) {
    static_assert(sizeof(Rest) % 4 == 0);
    if constexpr (alone) {
      cuda_lane_loop warp;
      return wanted ? body(warp, rest) : decltype(body(warp, rest)){};
    } else {
      return take_turns_of_warp(wanted, rest, body);
    }
  }

 private:
  template <class Rest, class F>
  PIVOTSCOPE_FN auto take_turns_of_warp(bool wanted, const Rest& rest, F&& body) {
    cuda_lanes<32> warp;
    decltype(body(warp, rest)) mine{};
    u32 waiting = __ballot_sync(full_warp, wanted && leads());
    while (waiting != 0) {
      const int from = __ffs(static_cast<int>(waiting)) - 1;
      waiting &= waiting - 1;
      Rest turn;
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < sizeof(Rest) / 4; ++i) {
        reinterpret_cast<u32*>(&turn)[i] = __shfl_sync(full_warp, reinterpret_cast<const u32*>(&rest)[i], from);
      }
      const auto answer = body(warp, turn);
      if ((threadIdx.x & 31u & ~(group - 1)) == static_cast<u32>(from)) mine = answer;
    }
    return mine;
  }

  // The threads that take part in a shuffle.
  PIVOTSCOPE_FN static u32 mask() {
    if constexpr (alone && group < 32) return ((1u << group) - 1) << (threadIdx.x & 31u & ~(group - 1));
    return full_warp;
  }
  template <class T>
  PIVOTSCOPE_FN static T shuffled(T value, u32 from) {
    return __shfl_sync(full_warp, value, static_cast<int>(from));
  }
  template <class T>
  PIVOTSCOPE_FN static u32& word_of(T& value, u32 i) {
    return reinterpret_cast<u32*>(&value)[i];
  }
  // Returns the position of the n-th set bit, n from 0; 32 if there are fewer bits.
  PIVOTSCOPE_FN static u32 nth_set_bit(u32 mask, u32 n) {
    u32 at = 0;
    PIVOTSCOPE_UNROLL
    for (u32 width = 16; width > 0; width /= 2) {
      const u32 below = static_cast<u32>(__popc(mask & ((1u << width) - 1)));
      if (n < below) continue;
      n -= below, mask >>= width, at += width;
    }
    return (mask & 1) != 0 && n == 0 ? at : 32;
  }
};

// What only the trace needs: a search's place, and the values that it lets one watch. Here it does nothing.
struct cuda_untraced {
  using place = no_place;
  PIVOTSCOPE_FN static place called_from(place) { return {}; }
  template <class... Values>
  PIVOTSCOPE_FN static void watch(Values...) {}
  template <class... Values>
  PIVOTSCOPE_FN static void watch_lane(u32, Values...) {}

  PIVOTSCOPE_FN static void step(u32, place = {}) {}
  PIVOTSCOPE_FN static void scan_step(u32, bool, place = {}) {}
  PIVOTSCOPE_FN static void saw(region_id, u64, u64, place = {}) {}
  PIVOTSCOPE_FN static void met(region_id, u64, relation, place = {}) {}
  template <class... What>
  PIVOTSCOPE_FN static void hold(const char*, What...) {}
  PIVOTSCOPE_FN static void saw_scratch(u32, u64) {}
  PIVOTSCOPE_FN static void will_read(region_id, u64, u32, u32) {}  // the warp's other lookups fill the wait
};

class cuda_memory : public cuda_untraced {
 public:
  static constexpr bool others_write = false;

  PIVOTSCOPE_FN cuda_memory(const index_view& view, const u8* scratch) : scratch_(shared_address(scratch)) {
    PIVOTSCOPE_UNROLL
    for (u32 r = 0; r < max_regions; ++r) regions_[r] = view.regions[r];
  }

  template <class Cell>
  PIVOTSCOPE_FN Cell load(region_id region, u64 cell) const {
    return load_cells<load_from::index, 1>(cells_of<Cell>(region) + cell).cells[0];
  }
  // Loads a part of a cell of `cell_bytes`, from byte `offset` of the cell on.
  template <class Part>
  PIVOTSCOPE_FN Part load_part(region_id region, u64 cell, u32 cell_bytes, u32 offset) const {
    return __ldg(cells_of<Part>(region) + (cell * (cell_bytes / sizeof(Part)) + offset / sizeof(Part)));
  }
  // Calls f(i, cell) for a lane's share of the node that begins at cell `first`, in loads as
  // wide as its alignment allows.
  template <class Cell, class F>
  PIVOTSCOPE_FN void each_of_run(region_id region, u64 first, node_run run, u32 lane, F&& f) const {
    each_cell<load_from::index, Cell>(cells_of<Cell>(region) + first, run, lane, f);
  }
  // The same, and tells the caches that the cells are read again never, or often.
  template <reread Again, class Cell, class F>
  PIVOTSCOPE_FN void each_read(region_id region, u64 first, node_run run, u32 lane, F&& f) const {
    constexpr load_from where = Again == reread::never ? load_from::index_once : load_from::index_kept;
    each_cell<where, Cell>(cells_of<Cell>(region) + first, run, lane, f);
  }
  // Returns false: GPU threads compare keys as they load them.
  template <class Cell, class Key, class Seen>
  PIVOTSCOPE_FN static constexpr bool compare_run(region_id, u64, node_run, u32, Key, Seen&) {
    return false;
  }
  template <class Cell, class Key>
  PIVOTSCOPE_FN static constexpr bool row_at_end(region_id, u64, node_run, u32, Key, bool, u32&) {
    return false;
  }

  template <class Cell>
  PIVOTSCOPE_FN Cell load_scratch(u32 index) const {
    return load_cells<load_from::scratch, 1>(shared_cells<Cell>{scratch_} + index).cells[0];
  }
  template <class Cell, class F>
  PIVOTSCOPE_FN void each_of_scratch(u32 first, node_run run, u32 lane, F&& f) const {
    each_cell<load_from::scratch, Cell>(shared_cells<Cell>{scratch_} + first, run, lane, f);
  }

 private:
  template <class Cell>
  PIVOTSCOPE_FN const Cell* cells_of(region_id region) const {
    return static_cast<const Cell*>(regions_[number_of(region)]);
  }

  // Calls f(i, cell) for a lane's share of a node, in loads as wide as its alignment allows.
  template <load_from From, class Cell, class Cells, class F>
  PIVOTSCOPE_FN static void each_cell(Cells node, node_run run, u32 lane, F&& f) {
    const Cells from = node + run.offset(lane);
    const u32 cells = cells_a_load(run.align, sizeof(Cell));
    PIVOTSCOPE_UNROLL
    for (u32 i = 0; i < run.per_lane; i += cells) {
      if (i < run.live(lane)) each_of_load<From, Cell>(from + i, i, cells, f);
    }
  }
  template <load_from From, class Cell, class Cells, class F>
  PIVOTSCOPE_FN static void each_of_load(Cells from, u32 i, u32 cells, F&& f) {
    if constexpr (sizeof(Cell) <= 4) {
      if (cells == 4) return each_of_pack<From, 4>(from, i, f);
    }
    if constexpr (sizeof(Cell) <= 8) {
      if (cells == 2) return each_of_pack<From, 2>(from, i, f);
    }
    each_of_pack<From, 1>(from, i, f);
  }
  template <load_from From, u32 Count, class Cells, class F>
  PIVOTSCOPE_FN static void each_of_pack(Cells from, u32 i, F&& f) {
    const auto pack = load_cells<From, Count>(from);
    PIVOTSCOPE_UNROLL
    for (u32 j = 0; j < Count; ++j) f(i + j, pack.cells[j]);
  }

  const void* regions_[max_regions];
  u32 scratch_;  // its address in shared memory
};

// A thread block and its tile. Thread t holds lookups t, t + threads, ... of the tile, so that loads and stores
// coalesce. All of its shared memory is dynamic: first what is pinned, then what sorting takes (cuda_sort.hpp). Flight:
// lookups that a group serves in step; each thread takes as many at a time. ByGroup: a group's lookups are one wave.
template <launch_config Launch, u32 Lanes, u32 PinnedBytes, class Key, u32 Flight = 1, bool ByGroup = false>
class cuda_block {
  static_assert(Launch.per_thread % Flight == 0);

 public:
  static constexpr u32 threads = Launch.threads;
  static constexpr u32 per_thread = Launch.per_thread;
  static_assert(PinnedBytes % 16 == 0);
#if defined(PIVOTSCOPE_REORDER)
  static constexpr u32 shared_bytes = PinnedBytes + sorted_tile<Launch, Key>::shared_bytes;
#else
  static constexpr u32 shared_bytes = PinnedBytes;
#endif

  PIVOTSCOPE_FN cuda_block(const index_view& view, u8* shared) : shared_(shared), memory_(view, shared) {}

  // Fills the scratch. f(memory, i) returns the i-th value, which takes as many bytes as its type has.
  template <class F>
  PIVOTSCOPE_FN void fill_scratch(u32 count, F&& f) {
    using pinned = decltype(f(memory_, 0u));
    pinned* const scratch = reinterpret_cast<pinned*>(shared_);
    for (u32 i = threadIdx.x; i < count; i += threads) scratch[i] = f(memory_, i);
    __syncthreads();
  }

  // Calls f(first lookup, size) for each of the block's tiles. Dynamic schedule (O1): one tile per block, and the
  // hardware hands out the blocks. Static: a fixed grid, in which every block takes each gridDim-th tile.
  template <class F>
  PIVOTSCOPE_FN void each_tile(u64 count, F&& f) {
    constexpr u64 size = tile_lookups(Launch);
    const auto serve = [&](u64 first) { f(first, static_cast<u32>(count - first < size ? count - first : size)); };
    if constexpr (Launch.schedule == schedule_kind::dynamic) {
      serve(blockIdx.x * size);
    } else {
      for (u64 first = blockIdx.x * size; first < count; first += gridDim.x * size) serve(first);
    }
  }

  // Serves a tile in the order of its lookups.
  template <class F>
  PIVOTSCOPE_FN void map_as_it_comes(const Key* lookups, u32* answers, u32 size, F&& f) {
    u32* to = answers + threadIdx.x;
    map_in_order(
        lookups, size, Key{0}, f, [&](u32 ahead, u32 row) { __stcs(to + ahead, row); },
        [&](u32 stride) { to += stride; });
  }
  // The same of lookups that have been routed: their answers go to their places in the batch. Threads past the end look up
  // the tile's first key: another's part may not be in this block's scratch.
  template <class F>
  PIVOTSCOPE_FN void map_routed(const routed_key<Key>* lookups, u32* answers, u32 size, F&& f) {
    const routed_key<Key>* from = lookups + threadIdx.x;
    map_in_order(
        lookups, size, lookups->key, f, [&](u32 ahead, u32 row) { answers[__ldcs(&from[ahead].place)] = row; },
        [&](u32 stride) { from += stride; });
  }

  // Calls f(lanes, memory, place in the tile, key, is it a lookup?) for a tile. The lanes of a
  // group serve a lookup together.
  template <class F>
  PIVOTSCOPE_FN void each_as_it_comes(const Key* keys, u32 size, F&& f) {
    _Pragma("unroll 1") for (u32 i = 0; i < per_thread; ++i) {
      const u32 at = i * threads + threadIdx.x;
      serve_each(at, at < size ? __ldcs(keys + at) : Key{0}, size, f);
    }
  }
  template <class F>
  PIVOTSCOPE_FN void each_sorted(const Key* keys, u32 size, u32 begin, u32 end, F&& f) {
#if defined(PIVOTSCOPE_REORDER)
    sorted_tile<Launch, Key> tile(shared_ + PinnedBytes);
    tile.fill(keys, size, begin, end);
    _Pragma("unroll 1") for (u32 i = threadIdx.x; i < threads * per_thread; i += threads) {
      serve_each(tile.place(i), tile.key(i), size, f);
    }
#endif
  }

  // Serves a tile sorted by the key bits [begin, end) (O3), so that neighbouring threads walk the same way: item i of
  // thread t is the (i * threads + t)-th in that order. Answers are written to the places of their lookups, or are
  // first put back in order in shared memory ("double").
  template <class F>
  PIVOTSCOPE_FN void map_sorted(const Key* lookups, u32* answers, u32 size, u32 begin, u32 end, F&& f) {
#if defined(PIVOTSCOPE_REORDER)
    sorted_tile<Launch, Key> tile(shared_ + PinnedBytes);
    tile.fill(lookups, size, begin, end);
    _Pragma("unroll 1") for (u32 i = threadIdx.x; i < threads * per_thread; i += threads * Flight) {
      const auto rows = serve(in_flight<Key>::of([&](u32 r) { return tile.key(i + r * threads); }), f);
      rows.each([&](u32 r, u32 row) {
        const u32 place = tile.place(i + r * threads);
        if constexpr (Launch.reorder == reorder_kind::both) {
          tile.answer(place) = row;
        } else {
          if (place < size) __stcs(answers + place, row);
        }
      });
    }
    if constexpr (Launch.reorder == reorder_kind::both) {
      __syncthreads();
      for (u32 i = threadIdx.x; i < size; i += threads) __stcs(answers + i, tile.answer(i));
    }
#endif
  }

 private:
  // A value for each of the lookups that a thread serves in step.
  template <class T>
  struct in_flight {
    T values[Flight];

    template <class F>
    PIVOTSCOPE_FN static in_flight of(F&& f) {
      in_flight all;
      PIVOTSCOPE_UNROLL
      for (u32 r = 0; r < Flight; ++r) all.values[r] = f(r);
      return all;
    }
    template <class F>
    PIVOTSCOPE_FN void each(F&& f) const {
      PIVOTSCOPE_UNROLL
      for (u32 r = 0; r < Flight; ++r) f(r, values[r]);
    }
  };

  PIVOTSCOPE_FN static Key key_of(const Key* lookup) { return __ldcs(lookup); }
  PIVOTSCOPE_FN static Key key_of(const routed_key<Key>* lookup) { return __ldcs(&lookup->key); }

  // Serves lookups in their order. The code has one search, whatever the lookups per thread: unrolled 16 times, it would
  // take NVRTC most of a second. If the family serves a group's lookups as one wave, its searches are short, and a thread
  // loads its next key while it serves one; other families have no register left for that. `from`, `left`, and what
  // put(places ahead, row id) counts from, move along with the thread (move_on), so that no address is computed anew.
  // Threads past the end look up the key `beyond`.
  template <class Lookup, class F, class Put, class Go>
  PIVOTSCOPE_FN void map_in_order(const Lookup* lookups, u32 size, Key beyond, F& f, const Put& put,
                                  const Go& move_on) {
    constexpr u32 stride = threads * Flight;
    const Lookup* from = lookups + threadIdx.x;
    int left = static_cast<int>(size) - static_cast<int>(threadIdx.x);  // places from here on, of all threads
    const auto is_there = [](u32 r, int among) { return static_cast<int>(r * threads) < among; };
    const auto keys_from = [&](const Lookup* at, int among) {
      return in_flight<Key>::of([&](u32 r) { return is_there(r, among) ? key_of(at + r * threads) : beyond; });
    };
    in_flight<Key> keys;
    if constexpr (ByGroup) keys = keys_from(from, left);
    _Pragma("unroll 1") for (u32 i = 0; i < per_thread; i += Flight) {
      if constexpr (!ByGroup) keys = keys_from(from, left);
      const auto now = keys;
      from += stride;
      if (ByGroup && i + Flight < per_thread) keys = keys_from(from, left - static_cast<int>(stride));
      const auto rows = serve(now, f);
      rows.each([&](u32 r, u32 row) {
        if (is_there(r, left)) put(r * threads, row);
      });
      move_on(stride), left -= static_cast<int>(stride);
    }
  }

  // Serves the lookups of every thread: the group's lookups as one wave, or thread by thread with the whole group.
  template <class F>
  PIVOTSCOPE_FN in_flight<u32> serve(const in_flight<Key>& keys, F&& f) {
    cuda_lanes<Lanes> lanes;
    constexpr u32 group = cuda_lanes<Lanes>::group;
    if constexpr (ByGroup && group * Flight > 1) {
      auto lookups = wave<cuda_lanes<Lanes>, cuda_memory, Key, group * Flight>::of_group(lanes, memory_, keys.values);
      const auto rows = f(lookups);
      return in_flight<u32>::of([&](u32 r) { return rows[r * group]; });
    } else {
      auto answers = in_flight<u32>::of([](u32) { return not_found; });
      _Pragma("unroll 1") for (u32 member = 0; member < group; ++member) {
        wave<cuda_lanes<Lanes>, cuda_memory, Key, Flight, false> lookups(lanes, memory_, Flight);
        keys.each([&](u32 r, Key key) {
          lookups.keys[r] = group == 1 ? key : __shfl_sync(full_warp, key, static_cast<int>(member), group);
        });
        const auto rows = f(lookups);
        if (lanes.lane() == member) answers = in_flight<u32>::of([&](u32 r) { return rows[r]; });
      }
      return answers;
    }
  }

  template <class F>
  PIVOTSCOPE_FN void serve_each(u32 place, Key key, u32 size, F&& f) {
    cuda_lanes<Lanes> lanes;
    constexpr u32 group = cuda_lanes<Lanes>::group;
    _Pragma("unroll 1") for (u32 member = 0; member < group; ++member) {
      const u32 its_place = __shfl_sync(full_warp, place, static_cast<int>(member), group);
      const Key its_key = __shfl_sync(full_warp, key, static_cast<int>(member), group);
      f(lanes, memory_, its_place, its_key, its_place < size);
    }
  }

  u8* shared_;
  cuda_memory memory_;
};

}  // namespace pivotscope
