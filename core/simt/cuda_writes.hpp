// Memory that threads of the device write while others read it. Its loads bypass the read-only path, and L1 but where an
// algorithm says that old words do. Each word of 4 or 8 bytes, and each cell of 16, is of one moment; a load of several cells may bring them of different ones.
#pragma once

#include "core/simt/cuda.hpp"

namespace pivotscope {

// Loads of a cell, or of several adjacent ones.
#define PIVOTSCOPE_LOADS_OF_CELLS(NAME, HOW)                                                               \
  PIVOTSCOPE_FN void NAME(const void* from, u32& got) {                                                    \
    asm volatile("ld." HOW ".u32 %0, [%1];" : "=r"(got) : "l"(from) : "memory");                           \
  }                                                                                                        \
  PIVOTSCOPE_FN void NAME(const void* from, u64& got) {                                                    \
    asm volatile("ld." HOW ".u64 %0, [%1];" : "=l"(got) : "l"(from) : "memory");                           \
  }                                                                                                        \
  PIVOTSCOPE_FN void NAME(const void* from, u32(&got)[2]) {                                                \
    asm volatile("ld." HOW ".v2.u32 {%0, %1}, [%2];" : "=r"(got[0]), "=r"(got[1]) : "l"(from) : "memory"); \
  }                                                                                                        \
  PIVOTSCOPE_FN void NAME(const void* from, u32(&got)[4]) {                                                \
    asm volatile("ld." HOW ".v4.u32 {%0, %1, %2, %3}, [%4];"                                               \
                 : "=r"(got[0]), "=r"(got[1]), "=r"(got[2]), "=r"(got[3])                                  \
                 : "l"(from)                                                                               \
                 : "memory");                                                                              \
  }                                                                                                        \
  PIVOTSCOPE_FN void NAME(const void* from, u64(&got)[2]) {                                                \
    asm volatile("ld." HOW ".v2.u64 {%0, %1}, [%2];" : "=l"(got[0]), "=l"(got[1]) : "l"(from) : "memory"); \
  }
// What others may write meanwhile, as it is now; and as it was once: L1 may have it from before they wrote.
PIVOTSCOPE_LOADS_OF_CELLS(load_shared_cells, "relaxed.gpu.global")
PIVOTSCOPE_LOADS_OF_CELLS(load_old_cells, "weak.global.ca")
#undef PIVOTSCOPE_LOADS_OF_CELLS
// A cell of 16 bytes as a whole: of one moment, where a vector's two halves need not be.
PIVOTSCOPE_FN void load_shared_whole(const void* from, u64 (&got)[2]) {
  asm volatile("{.reg .b128 whole; ld.relaxed.gpu.global.b128 whole, [%2]; mov.b128 {%0, %1}, whole;}"
               : "=l"(got[0]), "=l"(got[1])
               : "l"(from)
               : "memory");
}

// Words as a value: the compiler takes no array for one.
template <class Word, u32 Count>
struct word_run {
  Word words[Count];
};
template <bool Wide>
struct shared_word {
  using type = u32;
};
template <>
struct shared_word<true> {
  using type = u64;
};

class cuda_writing_memory : public cuda_untraced {
 public:
  static constexpr bool others_write = true;

  PIVOTSCOPE_FN explicit cuda_writing_memory(const build_view& view) {
    PIVOTSCOPE_UNROLL
    for (u32 r = 0; r < max_regions; ++r) regions_[r] = static_cast<u8*>(view.regions[r]);
  }

  template <class Cell>
  PIVOTSCOPE_FN Cell load(region_id region, u64 cell) const {
    return load_part<Cell>(region, cell, sizeof(Cell), 0);
  }
  template <class Cell>
  PIVOTSCOPE_FN Cell load_part(region_id region, u64 cell, u32 cell_bytes, u32 offset) const {
    return load_cells<1>(at<Cell>(region, cell, cell_bytes, offset)).cells[0];
  }
  // Calls f(i, cell) for a lane's share of the node that begins at cell `first`, in loads as wide as its alignment
  // allows.
  template <class Cell, class F>
  PIVOTSCOPE_FN void each_of_run(region_id region, u64 first, node_run run, u32 lane, F&& f) const {
    each_of_share<now, Cell>(region, first, run, lane, f);
  }
  // The same of cells that may be old: each word is one that was there since the kernel began.
  template <class Cell, class F>
  PIVOTSCOPE_FN void each_of_old_run(region_id region, u64 first, node_run run, u32 lane, F&& f) const {
    each_of_share<maybe_old, Cell>(region, first, run, lane, f);
  }
  // The same. A hint would be for the read-only path.
  template <reread, class Cell, class F>
  PIVOTSCOPE_FN void each_read(region_id region, u64 first, node_run run, u32 lane, F&& f) const {
    each_of_run<Cell>(region, first, run, lane, f);
  }
  template <class Cell, class Key, class Seen>
  PIVOTSCOPE_FN static constexpr bool compare_run(region_id, u64, node_run, u32, Key, Seen&) {
    return false;
  }
  template <class Cell, class Key>
  PIVOTSCOPE_FN static constexpr bool row_at_end(region_id, u64, node_run, u32, Key, bool, u32&) {
    return false;
  }
  PIVOTSCOPE_FN static constexpr bool cells_that_end(region_id, u64, node_run, u32, u32, u32&) { return false; }

  template <class Word>
  PIVOTSCOPE_FN Word load_acquire(region_id region, u64 cell, u32 cell_bytes, u32 offset) const {
    const Word* const from = at<Word>(region, cell, cell_bytes, offset);
    Word word;
    if constexpr (sizeof(Word) == 4)
      asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(word) : "l"(from) : "memory");
    else
      asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
    return word;
  }
  template <class Word>
  PIVOTSCOPE_FN void store_part(region_id region, u64 cell, u32 cell_bytes, u32 offset, Word value) const {
    Word* const to = at<Word>(region, cell, cell_bytes, offset);
    if constexpr (sizeof(Word) == 4)
      asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
    else
      asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
  }
  template <class Word>
  PIVOTSCOPE_FN Word compare_exchange(region_id region, u64 cell, u32 cell_bytes, u32 offset, Word expected,
                                      Word desired) const {
    return atomicCAS(at<Word>(region, cell, cell_bytes, offset), expected, desired);
  }
  template <class Word>
  PIVOTSCOPE_FN Word fetch_add(region_id region, u64 cell, u32 cell_bytes, u32 offset, Word by) const {
    return atomicAdd(at<Word>(region, cell, cell_bytes, offset), by);
  }
  template <class Word>
  PIVOTSCOPE_FN Word exchange(region_id region, u64 cell, u32 cell_bytes, u32 offset, Word value) const {
    return atomicExch(at<Word>(region, cell, cell_bytes, offset), value);
  }
  template <class Word>
  PIVOTSCOPE_FN Word fetch_or(region_id region, u64 cell, u32 cell_bytes, u32 offset, Word bits) const {
    return atomicOr(at<Word>(region, cell, cell_bytes, offset), bits);
  }
  // What is stored behind it is seen after what was stored before. (__threadfence() is a fence.sc, which orders loads
  // behind stores as well: nothing here needs that.)
  PIVOTSCOPE_FN static void fence() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }
  PIVOTSCOPE_FN static void pause(u32 nanoseconds) { __nanosleep(nanoseconds); }

 private:
  template <class Cell>
  PIVOTSCOPE_FN Cell* at(region_id region, u64 cell, u32 cell_bytes, u32 offset) const {
    return reinterpret_cast<Cell*>(regions_[number_of(region)] + cell * cell_bytes + offset);
  }
  enum age : u8 { now, maybe_old };
  template <age Age, class Words>
  PIVOTSCOPE_FN static void load_words(const void* from, Words& got) {
    if constexpr (Age == now)
      load_shared_cells(from, got);
    else
      load_old_cells(from, got);
  }
  template <u32 Count, class Cell, age Age = now>
  PIVOTSCOPE_FN static cell_pack<Cell, Count> load_cells(const Cell* from) {
    using word = typename shared_word<sizeof(Cell) % 8 == 0>::type;
    if constexpr (sizeof(Cell) == 16) {
      word_run<u64, 2> got;
      if constexpr (Age == now)
        load_shared_whole(from, got.words);
      else
        load_old_cells(from, got.words);
      return __builtin_bit_cast(cell_pack<Cell, 1>, got);
    } else if constexpr (Count == 1) {
      word got;
      load_words<Age>(from, got);
      return __builtin_bit_cast(cell_pack<Cell, 1>, got);
    } else {
      word_run<word, Count> got;
      load_words<Age>(from, got.words);
      return __builtin_bit_cast(cell_pack<Cell, Count>, got);
    }
  }
  template <age Age, u32 Count, class Cell, class F>
  PIVOTSCOPE_FN static void each_of_pack(const Cell* from, u32 i, F&& f) {
    const auto pack = load_cells<Count, Cell, Age>(from + i);
    PIVOTSCOPE_UNROLL
    for (u32 j = 0; j < Count; ++j) f(i + j, pack.cells[j]);
  }
  template <age Age, class Cell, class F>
  PIVOTSCOPE_FN void each_of_share(region_id region, u64 first, node_run run, u32 lane, F&& f) const {
    const Cell* const from = at<Cell>(region, first + run.offset(lane), sizeof(Cell), 0);
    const u32 cells = cells_a_load(run.align, sizeof(Cell));
    PIVOTSCOPE_UNROLL
    for (u32 i = 0; i < run.per_lane; i += cells) {
      if (i >= run.live(lane)) continue;
      if constexpr (sizeof(Cell) == 4) {
        if (cells == 4) {
          each_of_pack<Age, 4>(from, i, f);
          continue;
        }
      }
      if constexpr (sizeof(Cell) <= 8) {
        if (cells == 2) {
          each_of_pack<Age, 2>(from, i, f);
          continue;
        }
      }
      each_of_pack<Age, 1>(from, i, f);
    }
  }

  u8* regions_[max_regions];
};
}  // namespace pivotscope
