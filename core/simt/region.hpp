// Regions: an index is a few arrays of cells, each with a name. The family says what a cell is;
// here a region is a number.
#pragma once

#include "core/common/answers.hpp"
#include "core/common/portable.hpp"

namespace pivotscope {

enum class region_id : u8 {};

inline constexpr u32 max_regions = 8;

// An array that a build or an update has beside the regions while it runs.
enum class array_id : u8 {};
inline constexpr u32 max_arrays = 8;
// The writes of a batch that is done by passes, erases before inserts: their keys, and their numbers 0, 1, ...
inline constexpr array_id batch_keys{0}, batch_numbers{1};
// Of a pass by tiles (simt/tile_pass.hpp): the machine's own.
inline constexpr array_id tile_chain{max_arrays - 1};

PIVOTSCOPE_FN constexpr u32 number_of(region_id region) { return static_cast<u32>(region); }
PIVOTSCOPE_FN constexpr u32 number_of(array_id array) { return static_cast<u32>(array); }

// A family's state: sizes, first cells, ..., by which a search or a write finds its way.
struct state_view {
  static constexpr u32 state_bytes = 384;

  alignas(16) u8 state[state_bytes] = {};

  template <class State>
  PIVOTSCOPE_FN const State& as() const {
    static_assert(sizeof(State) <= state_bytes && alignof(State) <= 16);
    return *reinterpret_cast<const State*>(state);
  }
};

// What a search is given: the state, and the address of each region. Passed to a GPU kernel as an argument.
struct index_view : state_view {
  const void* regions[max_regions] = {};
  // The key bits [sort_begin, sort_end) by which a tile of lookups is sorted (O3): no bits that all keys share, and no
  // more of the others than tell the lookups of a tile apart.
  u32 sort_begin = 0, sort_end = 0;
};

// Four adjacent cells, of which the first has a number that is a multiple of 4. A GPU loads and
// stores them 16 bytes at a time.
template <class T>
struct alignas(16) four_of {
  T values[4];
  PIVOTSCOPE_FN T& operator[](u32 i) { return values[i]; }
  PIVOTSCOPE_FN const T& operator[](u32 i) const { return values[i]; }
};

// What a pass of a build, or an update, is given: the regions that it writes, and the family's state. A build also gets
// the keys, in the order that the family asks for, and their row ids; a batch that is done by passes gets arrays.
// A pass that makes room in an index that changes gets the regions that the index had before.
struct build_view {
  const void* keys = nullptr;
  const u32* rows = nullptr;  // null: key i has row id i
  const void* before[max_regions] = {};
  void* regions[max_regions] = {};
  write_done* done = nullptr;  // of each write of a batch, by its number
  void* arrays[max_arrays] = {};
  state_view found_by = {};  // last, behind what a pass stores to: before it, it costs the groups' build a register

  template <class State>
  PIVOTSCOPE_FN const State& as() const {
    return found_by.as<State>();
  }
  // Writes and the reads beside them need no more.
  PIVOTSCOPE_FN operator const state_view&() const { return found_by; }

  // key() and row() read what no pass writes. On a GPU such a load need not wait for an earlier store. (With the hint
  // "never read again" it is slower: docs/performance.md.)
  template <class Key>
  PIVOTSCOPE_FN Key key(u64 i) const {
    return unchanging(static_cast<const Key*>(keys) + i);
  }
  PIVOTSCOPE_FN u32 row(u64 i) const { return rows == nullptr ? static_cast<u32>(i) : unchanging(rows + i); }
  // The row id of key i, in a build that asked for sorted keys.
  PIVOTSCOPE_FN u32 sorted_row(u64 i) const { return unchanging(rows + i); }
  // The four keys, or row ids, from i on. i is a multiple of 4.
  template <class Key>
  PIVOTSCOPE_FN four_of<Key> four_keys(u64 i) const {
    return static_cast<const four_of<Key>*>(keys)[i / 4];
  }
  PIVOTSCOPE_FN four_of<u32> four_sorted_rows(u64 i) const {
    return reinterpret_cast<const four_of<u32>*>(rows)[i / 4];
  }
  template <class Cell>
  PIVOTSCOPE_FN void store_four(region_id region, u64 i, const four_of<Cell>& cells) const {
    static_cast<four_of<Cell>*>(regions[number_of(region)])[i / 4] = cells;
  }
  // The same for two adjacent cells, of which the first has an even number.
  template <class Cell>
  PIVOTSCOPE_FN void store_two(region_id region, u64 i, const Cell& first, const Cell& second) const {
    struct alignas(16) two_of {
      Cell first, second;
    };
    static_cast<two_of*>(regions[number_of(region)])[i / 2] = {first, second};
  }
  template <class T>
  PIVOTSCOPE_FN T* array(array_id of) const {
    return static_cast<T*>(arrays[number_of(of)]);
  }
  // Loads a cell of a region that the pass does not write.
  template <class Cell>
  PIVOTSCOPE_FN Cell load(region_id region, u64 i) const {
    return static_cast<const Cell*>(regions[number_of(region)])[i];
  }
  template <class Cell>
  PIVOTSCOPE_FN Cell load_before(region_id region, u64 i) const {
    return static_cast<const Cell*>(before[number_of(region)])[i];
  }
  template <class Cell>
  PIVOTSCOPE_FN void store(region_id region, u64 i, const Cell& cell) const {
    static_cast<Cell*>(regions[number_of(region)])[i] = cell;
  }

 private:
  template <class T>
  PIVOTSCOPE_FN static T unchanging(const T* from) {
#if defined(__CUDACC_RTC__)
    return __ldg(from);
#else
    return *from;
#endif
  }
};

}  // namespace pivotscope
