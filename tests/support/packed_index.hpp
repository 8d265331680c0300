// An index of no family, whose entries are packed by three: what a family of packs asks of models, traces and views.
//
//   blocks   of 16 bytes, one a pack | least key of the pack | 12 separators |
//   entries  packs of 16 bytes       | e0 | e1 | e2 | 3 x 10 more bits of the key, 2 flags |
//            e_i = row id in the low 20 bits, then the low 12 bits of the key's distance from its pack's least
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "core/index/family.hpp"
#include "core/index/index_reader.hpp"
#include "core/machine/machine.hpp"
#include "core/machine/trace/trace_code_of.hpp"

namespace pivotscope::testing {

inline constexpr region_id packed_blocks{1};

struct alignas(16) pack_of_three {
  u32 entries[3], rest;
};
struct alignas(16) packed_block {
  u32 least, separators[3];
};

inline region_info packs_of_three(u64 cells) {
  region_info region{"entries", "entries", "entry", "entries", "Entries, three a pack.", cells, 16, {}};
  region.cells_a_pack = 3;
  for (u32 i = 0; i < 3; ++i) {
    region.bits.push_back({"row id", 32 * i, 20, field_kind::row_id, i});
    region.bits.push_back({"low bits of the key", 32 * i + 20, 12, field_kind::key, i});
  }
  for (u32 i = 0; i < 3; ++i) region.bits.push_back({"high bits of the key", 96 + 10 * i, 10, field_kind::key, i});
  region.bits.push_back({"flags", 126, 2, field_kind::other});
  return region;
}

class packed_model final : public index_model {
 public:
  explicit packed_model(u64 packs)
      : regions_{packs_of_three(3 * packs),
                 {"blocks",
                  "blocks",
                  "block",
                  "blocks",
                  "The least key of each pack.",
                  packs,
                  16,
                  {{"least key", 0, 4, field_kind::other}, {"separators", 4, 12, field_kind::other}}}} {}

  u64 keys() const override { return regions_[0].cells; }
  u32 levels() const override { return 2; }
  std::span<const region_info> regions() const override { return regions_; }
  cell_info describe(region_id of, u64 cell) const override {
    return {.empty = cell >= region(of).cells, .level = of == main_region ? 1u : 0u};
  }
  bool cells_tell() const override { return true; }
  bool values_of(const cell_run& cells, const region_reader& read, std::span<cell_value> out) const override {
    if (cells.region != main_region) return index_model::values_of(cells, read, out);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const u64 pack = (cells.first + i) / 3, place = (cells.first + i) % 3;
      packed_block block;
      pack_of_three from;
      if (!read(packed_blocks, pack * sizeof(block), std::as_writable_bytes(std::span(&block, 1)))) return false;
      if (!read(main_region, pack * sizeof(from), std::as_writable_bytes(std::span(&from, 1)))) return false;
      const u32 entry = from.entries[place], row = entry & 0xFFFFF;
      out[i] = {block.least + (entry >> 20 | (from.rest >> 10 * place & 0x3FF) << 12),
                row == 0xFFFFF ? not_found : row};
    }
    return true;
  }
  std::string words_of(cell_ref at, const region_reader& read) const override {
    u32 least = 0;
    if (at.region != packed_blocks || !read(at.region, 16 * at.cell, std::as_writable_bytes(std::span(&least, 1))))
      return {};
    return "from key " + std::to_string(least);
  }
  void count_levels(region_id of, u64 first, u64 end, u64* out) const override {
    std::fill(out, out + max_levels, 0);
    out[of == main_region ? 1 : 0] = end - first;
  }
  std::optional<cell_run> level_run(u32 level) const override {
    const region_id of = level == 0 ? packed_blocks : main_region;
    return cell_run{of, 0, region(of).cells};
  }
  // A block leads to its pack.
  u64 node_count() const override { return 2 * regions_[1].cells; }
  std::vector<tree_node> nodes() const override {
    std::vector<tree_node> list;
    const u64 packs = regions_[1].cells;
    for (const u32 level : {0u, 1u}) {
      for (u64 i = 0; i < packs; ++i) {
        const double middle = (static_cast<double>(i) + 0.5) / static_cast<double>(packs);
        list.push_back({.level = level,
                        .region = level == 0 ? packed_blocks : main_region,
                        .first = level == 0 ? i : 3 * i,
                        .cells = level == 0 ? 1u : 3u,
                        .middle = middle,
                        .parent = level == 0 ? -1 : static_cast<int>(i)});
      }
    }
    return list;
  }
  cell_ref pinned_cell(u32 i) const override { return {packed_blocks, i}; }
  std::optional<pinned_cells> pinned() const override {
    pinned_cells pinned{{}, 0, 1, 16, 1024};
    for (u32 i = 0; i < regions_[1].cells; ++i) pinned.cells.push_back(pinned_cell(i));
    return pinned;
  }

 private:
  std::vector<region_info> regions_;
};

// Entry i has key 1000 * (i / 3) + 5000 * (i % 3) and row id 7 * i, but that the last of all is empty.
class packed_index final : public built_index {
 public:
  explicit packed_index(u64 packs, const index_config& config = default_config())
      : model(packs), config_(config), packs_(packs), blocks_(packs) {
    for (u64 pack = 0; pack < packs; ++pack) {
      blocks_[pack].least = static_cast<u32>(1000 * pack);
      for (u64 i = 0; i < 3; ++i) {
        const auto distance = static_cast<u32>(5000 * i), row = static_cast<u32>(7 * (3 * pack + i));
        packs_[pack].entries[i] = row | distance << 20;
        packs_[pack].rest |= (distance >> 12) << 10 * i;
      }
    }
    empty_from(3 * packs - 1);
    regions_ = {{"entries", "entries", 16, packs}, {"blocks", "blocks", 16, packs}};
  }
  void empty_from(u64 cell) {
    for (; cell < model.keys(); ++cell) packs_[cell / 3].entries[cell % 3] |= 0xFFFFF;
  }
  static u64 key(u64 cell) { return 1000 * (cell / 3) + 5000 * (cell % 3); }

  const index_config& config() const override { return config_; }
  u64 keys() const override { return model.keys(); }
  std::span<const index_region> regions() const override { return regions_; }
  std::span<const std::byte> state() const override { return {}; }
  std::pair<u64, u64> key_range() const override { return {0, key(model.keys() - 1)}; }
  machine_kind kind() const override { return machine_kind::cpu; }
  std::span<const stage_time> build_times() const override { return {}; }
  std::span<const kernel_info> kernels() const override { return {}; }
  status read(region_id region, u64 offset, std::span<std::byte> out) const override {
    ++reads;
    const auto bytes = region == main_region ? std::as_bytes(std::span(packs_)) : std::as_bytes(std::span(blocks_));
    if (offset + out.size() > bytes.size()) return problem{"beyond the end"};
    std::memcpy(out.data(), bytes.data() + offset, out.size());
    return fine();
  }

  packed_model model;
  mutable u64 reads = 0;

 private:
  index_config config_;
  std::vector<pack_of_three> packs_;
  std::vector<packed_block> blocks_;
  std::vector<index_region> regions_;
};

// What a search of packs does, on the trace machine.
struct traced_packs {
  explicit traced_packs(const packed_index& index)
      : source(index, index.model, sizeof(packed_block)),
        recorder(
            index.model, {&trace, 1}, false,
            [this](region_id region, u64 byte, std::span<std::byte> out) { return source.read(region, byte, out); }),
        memory(source, recorder) {
    trace.config = index.config();
    trace.keys = index.keys(), trace.cells = index.model.region(main_region).cells;
    memory.step(0);
  }
  const trace_step& step() const { return trace.steps.back(); }

  lookup_trace trace;
  trace_code_detail::fetched_source source;
  trace_code_detail::trace_recorder recorder;
  host_memory<trace_code_detail::trace_recorder, trace_code_detail::fetched_source> memory;
};

// To an entry: its block, then its pack.
inline lookup_trace path_to(const packed_index& index, u64 cell) {
  traced_packs here(index);
  here.trace.key = packed_index::key(cell);
  here.memory.load<packed_block>(packed_blocks, cell / 3);
  here.memory.step(1);
  here.memory.load<pack_of_three>(main_region, cell / 3);
  for (u64 i = cell / 3 * 3; i < cell / 3 * 3 + 3; ++i) here.memory.saw(main_region, i, packed_index::key(i));
  here.trace.row = static_cast<u32>(7 * cell), here.trace.slot = cell;
  for (trace_step& step : here.trace.steps) step.left_end = here.trace.cells;
  return here.trace;
}

}  // namespace pivotscope::testing
