// Loads of a GPU thread, from an index or from scratch: cells in as few instructions as their alignment allows,
// with hints for the caches.
#pragma once

#include "core/common/portable.hpp"
#include "core/simt/lane_run.hpp"

namespace pivotscope {

// Adjacent cells as one value of 4, 8 or 16 bytes.
template <u32 Bytes>
struct loaded_word;
template <>
struct loaded_word<4> {
  using type = u32;
};
template <>
struct loaded_word<8> {
  using type = uint2;
};
template <>
struct loaded_word<16> {
  using type = uint4;
};
template <class Cell, u32 Cells>
struct alignas(sizeof(Cell) * Cells) cell_pack {
  Cell cells[Cells];
};
// Data that is never read again stays out of L1 and is the first to leave L2. Data that is often
// read is the last to leave L2.
template <reread Again>
PIVOTSCOPE_FN u64 cache_policy() {
  u64 policy;
  if constexpr (Again == reread::never) {
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  } else {
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  }
  return policy;
}
#define PIVOTSCOPE_LOAD_TOLD(WIDTH, VALUES, ADDRESS, ...)                                        \
  if constexpr (Again == reread::never) {                                                        \
    asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint" WIDTH " " VALUES ", " ADDRESS ";" \
                 : __VA_ARGS__                                                                   \
                 : "l"(from), "l"(policy));                                                      \
  } else {                                                                                       \
    asm volatile("ld.global.nc.L2::cache_hint" WIDTH " " VALUES ", " ADDRESS ";"                 \
                 : __VA_ARGS__                                                                   \
                 : "l"(from), "l"(policy));                                                      \
  }
template <reread Again>
PIVOTSCOPE_FN u32 load_told(const u32* from) {
  const u64 policy = cache_policy<Again>();
  u32 got;
  PIVOTSCOPE_LOAD_TOLD(".u32", "%0", "[%1], %2", "=r"(got))
  return got;
}
template <reread Again>
PIVOTSCOPE_FN uint2 load_told(const uint2* from) {
  const u64 policy = cache_policy<Again>();
  uint2 got;
  PIVOTSCOPE_LOAD_TOLD(".v2.u32", "{%0, %1}", "[%2], %3", "=r"(got.x), "=r"(got.y))
  return got;
}
template <reread Again>
PIVOTSCOPE_FN uint4 load_told(const uint4* from) {
  const u64 policy = cache_policy<Again>();
  uint4 got;
  PIVOTSCOPE_LOAD_TOLD(".v4.u32", "{%0, %1, %2, %3}", "[%4], %5", "=r"(got.x), "=r"(got.y), "=r"(got.z), "=r"(got.w))
  return got;
}
#undef PIVOTSCOPE_LOAD_TOLD

// Cells of a block's scratch, by their address in shared memory. The compiler would compute the begin of shared memory
// again for each load, in three instructions.
template <class Cell>
struct shared_cells {
  u32 address;
  PIVOTSCOPE_FN shared_cells operator+(u32 cells) const { return {address + cells * u32{sizeof(Cell)}}; }
};
PIVOTSCOPE_FN u32 shared_address(const void* shared) {
  u32 address = static_cast<u32>(__cvta_generic_to_shared(shared));
  asm volatile("" : "+r"(address));  // hides from the compiler where the address comes from
  return address;
}
PIVOTSCOPE_FN void load_shared(u32 from, u32& got) { asm volatile("ld.shared.u32 %0, [%1];" : "=r"(got) : "r"(from)); }
PIVOTSCOPE_FN void load_shared(u32 from, uint2& got) {
  asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(got.x), "=r"(got.y) : "r"(from));
}
PIVOTSCOPE_FN void load_shared(u32 from, uint4& got) {
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(got.x), "=r"(got.y), "=r"(got.z), "=r"(got.w)
               : "r"(from));
}

// Where cells lie, and what the caches are told: nothing, read once, or keep.
enum class load_from : u8 { index, scratch, index_once, index_kept };
// Loads from an index go through the read-only path: the index does not change while it is searched.
template <load_from From, u32 Cells, class Cell>
PIVOTSCOPE_FN cell_pack<Cell, Cells> load_cells(const Cell* from) {
  using word = typename loaded_word<sizeof(Cell) * Cells>::type;
  using pack = cell_pack<Cell, Cells>;
  const word* const words = reinterpret_cast<const word*>(from);
  if constexpr (From == load_from::index) return __builtin_bit_cast(pack, __ldg(words));
  if constexpr (From == load_from::index_once) return __builtin_bit_cast(pack, load_told<reread::never>(words));
  if constexpr (From == load_from::index_kept) return __builtin_bit_cast(pack, load_told<reread::often>(words));
}

template <load_from From, u32 Cells, class Cell>
PIVOTSCOPE_FN cell_pack<Cell, Cells> load_cells(shared_cells<Cell> from) {
  typename loaded_word<sizeof(Cell) * Cells>::type got;
  load_shared(from.address, got);
  return __builtin_bit_cast(cell_pack<Cell, Cells>, got);
}

}  // namespace pivotscope
