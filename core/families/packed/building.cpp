#include "core/families/packed/building.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include "core/families/packed/packed.hpp"
#include "core/families/packed/packed_model.hpp"

namespace pivotscope {
namespace {

enum pass_number : u8 {
  clear_starts,
  pack_leaves,
  fill_blocks,
  sum_nodes,
  place_nodes,
  fill_children,
  sum_escapes,
  place_escapes,
  sum_groups,
  scan_sums,
  fill_lists
};

__extension__ using wide = unsigned __int128;

class packed_building {
 public:
  packed_building(executor& on, const packed_config& config, u32 key_bits)
      : on_(on), config_(config), view_(fresh_packed_view(config, on.keys(), on.key_range(), key_bits)) {}

  outcome<state_bytes> build() {
    if (auto s = on_.allocate(packed_model(config_, view_).region_list()); !s) return s.error();
    // The notes: a word a block, 16 bits a leaf.
    if (auto s = make_plan(view_.keys == 0 ? 0 : view_.blocks + ceil_div<u64>(view_.leaves, 4)); !s) return s.error();
    if (auto done = run(clear_starts, view_.blocks); !done) return done.error();
    const auto escaping = run(pack_leaves, view_.leaves * leaf_packs(config_));
    if (!escaping) return escaping.error();
    auto open = run(fill_blocks, view_.blocks);  // nodes and lists
    if (!open) return open.error();
    view_.levels = view_.blocks == 0 ? 0 : 1;
    view_.level_begin = 0, view_.level_end = view_.blocks;
    bool lists = false;
    while (true) {
      view_.level_ends[view_.levels == 0 ? 0 : view_.levels - 1] = view_.level_end;
      if (*open == 0) break;
      const auto total = sum_up(sum_nodes, view_.level_end - view_.level_begin);
      if (!total) return total.error();
      const u64 nodes = *total & 0xFFFFFFFFu;
      lists = lists || nodes < *open;
      if (nodes == 0) break;
      PIVOTSCOPE_EXPECT(view_.levels < most_directory_levels);
      open = add_level(nodes, *total >> 32);
      if (!open) return open.error();
    }
    if (lists) {
      if (auto s = place_lists(); !s) return s.error();
    }
    if (*escaping > 0) {
      if (auto s = move_escapes(); !s) return s.error();
    }
    if (plan_cells_ > 0) {
      if (auto s = on_.resize(packed_region::plan, 0); !s) return s.error();
    }
    view_.level_begin = view_.level_end = 0;
    view_.plan_tiles = view_.plan_nodes = view_.plan_owners = 0;
    view_.sums_begin = view_.sums = view_.sums_above = 0;
    return state_bytes(view_);
  }

 private:
  outcome<u64> run(pass_number pass, u64 items) { return on_.run(packed_passes()[pass], items, state_bytes(view_)); }

  // What a pass over tiles sums up; then of each tile what those before it come to. The total.
  outcome<u64> sum_up(pass_number pass, u64 of) {
    view_.plan_tiles = ceil_div<u64>(of, plan_tile);
    if (auto s = make_plan(view_.plan_tiles + view_.plan_tiles / (plan_group - 1) + plan_group); !s) return s.error();
    if (auto done = run(pass, view_.plan_tiles); !done) return done.error();
    struct level {
      u64 begin, sums;
    };
    std::vector<level> levels{{0, view_.plan_tiles}};
    const auto add = [&](pass_number step, const level& of_level) {
      view_.sums_begin = of_level.begin, view_.sums = of_level.sums, view_.sums_above = of_level.begin + of_level.sums;
      return run(step, ceil_div<u64>(of_level.sums, plan_group));
    };
    while (levels.back().sums > plan_group) {
      const level below = levels.back();
      if (auto done = add(sum_groups, below); !done) return done.error();
      levels.push_back({below.begin + below.sums, ceil_div<u64>(below.sums, plan_group)});
    }
    u64 total = 0;
    for (u64 i = levels.size(); i-- > 0;) {
      if (auto done = add(scan_sums, levels[i]); !done) return done.error();
      if (i + 1 < levels.size()) continue;
      const u64 at = (levels[i].begin + levels[i].sums) * sizeof(u64);
      if (auto s = on_.read(packed_region::plan, at, std::as_writable_bytes(std::span(&total, 1))); !s)
        return s.error();
    }
    return total;
  }

  // The blocks of the nodes of the last level: how many of them are nodes or lists again.
  outcome<u64> add_level(u64 nodes, u64 children) {
    view_.plan_nodes = view_.plan_tiles, view_.plan_owners = view_.plan_nodes + nodes;
    if (auto s = make_plan(view_.plan_owners + children); !s) return s.error();
    if (auto s = on_.resize(packed_region::blocks, view_.level_end + children); !s) return s.error();
    if (auto done = run(place_nodes, view_.plan_tiles); !done) return done.error();
    const auto again = run(fill_children, children);
    if (!again) return again.error();
    view_.level_begin = view_.level_end, view_.level_end += static_cast<u32>(children);
    ++view_.levels;
    return *again;
  }

  // The keys of all blocks' lists.
  status place_lists() {
    view_.places_lists = true, view_.level_begin = 0;
    const auto total = sum_up(sum_nodes, view_.level_end);
    if (!total) return total.error();
    view_.listed = *total >> 32;
    view_.plan_nodes = view_.plan_tiles, view_.plan_owners = view_.plan_nodes + (*total & 0xFFFFFFFFu);
    if (auto s = make_plan(view_.plan_owners + view_.listed); !s) return s;
    if (auto s = on_.resize(packed_region::lists, view_.listed); !s) return s;
    if (auto done = run(place_nodes, view_.plan_tiles); !done) return done.error();
    if (auto done = run(fill_lists, view_.listed); !done) return done.error();
    view_.places_lists = false;
    return fine();
  }

  status move_escapes() {
    const auto total = sum_up(sum_escapes, view_.leaves);
    if (!total) return total.error();
    view_.escapes = *total;
    const u64 cells = view_.escapes * (leaf_entries(config_) + 1);
    if (auto s = on_.resize(packed_region::escapes, cells); !s) return s;
    if (auto done = run(place_escapes, view_.plan_tiles); !done) return done.error();
    return fine();
  }

  status make_plan(u64 cells) {
    if (cells <= plan_cells_) return fine();
    plan_cells_ = cells;
    return on_.resize(packed_region::plan, cells);
  }

  executor& on_;
  packed_config config_;
  packed_view view_;
  u64 plan_cells_ = 0;
};

}  // namespace

std::span<const build_pass> packed_passes() {
  static constexpr build_pass passes[] = {
      {"clear notes", "making room for notes", "clear_starts", host_items<packed, packed::clear_starts>},
      {"pack leaves", "packing leaves", "pack_leaves", host_items<packed, packed::pack_leaves>},
      {"fill blocks", "filling blocks", "fill_blocks", host_items<packed, packed::fill_blocks>},
      {"sum nodes", "counting nodes", "sum_nodes", host_items<packed, packed::sum_nodes>},
      {"place nodes", "placing nodes", "place_nodes", host_items<packed, packed::place_nodes>},
      {"fill nodes' blocks", "filling nodes' blocks", "fill_children", host_items<packed, packed::fill_children>},
      {"sum escapes", "counting escaped leaves", "sum_escapes", host_items<packed, packed::sum_escapes>},
      {"place escapes", "placing escaped leaves", "place_escapes", host_items<packed, packed::place_escapes>},
      {"sum groups", "adding up", "sum_groups", host_items<packed, packed::sum_groups>},
      {"scan sums", "adding up", "scan_sums", host_items<packed, packed::scan_sums>},
      {"fill lists", "filling lists", "fill_lists", host_items<packed, packed::fill_lists>}};
  return passes;
}

packed_view fresh_packed_view(const packed_config& config, u64 keys, std::pair<u64, u64> key_range, u32 key_bits) {
  packed_view view{.keys = keys};
  if (keys == 0) return view;
  view.leaves = ceil_div<u64>(keys, leaf_entries(config));
  view.least = key_range.first, view.span = key_range.second - key_range.first;
  view.row_bits = std::max(1u, static_cast<u32>(std::bit_width(keys - 1)));
  // As many buckets as give their blocks `fill` leaves each; the span's highest bit becomes the highest of all.
  const u64 wanted = std::max<u64>(1, view.leaves * 10 / config.fill);
  if (view.span > 0) {
    view.shift = static_cast<u32>(std::countl_zero(view.span)) - (64 - key_bits);
    const wide range = (wide{view.span} << view.shift) + 1;
    const wide multiplier = (wide{wanted} << key_bits) / range;
    view.multiplier = static_cast<u32>(std::clamp<wide>(multiplier, 1, std::numeric_limits<u32>::max()));
  }
  const wide last = (wide{view.span} << view.shift) * view.multiplier >> key_bits;
  view.blocks = static_cast<u32>(last) + 1;
  // Where a good part of the buckets would have more leaves than separators.
  view.marks_first = config.fill * 10 > block_separators(config) * 85;
  view.pinned = std::min(config.scratch / pinned_block, view.blocks);
  // Two digits' worth of keys, where a separator's and a key's are equal, and the last two are one; more than a quarter of a cell.
  const wide parts = config.block == 16 ? 64 : 128;
  const wide far = ((wide{1} << key_bits) / view.multiplier / parts >> view.shift) + 2;
  view.slack = static_cast<u64>(std::min<wide>(far, std::numeric_limits<u64>::max() / 4));
  return view;
}

packed_view fresh_packed_view(const packed_config& config, u64 keys, std::pair<u64, u64> key_range) {
  return fresh_packed_view(config, keys, key_range, key_bytes(config.keys) * 8);
}

outcome<state_bytes> build_packed(executor& on, const packed_config& config, u32 key_bits) {
  return packed_building(on, config, key_bits).build();
}

outcome<state_bytes> build_packed(executor& on, const packed_config& config) {
  return build_packed(on, config, key_bytes(config.keys) * 8);
}

}  // namespace pivotscope
