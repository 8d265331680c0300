#include "core/families/rx/building.hpp"

#include <algorithm>
#include <bit>

#include "core/families/rx/rx.hpp"
#include "core/families/rx/rx_model.hpp"

namespace pivotscope {
namespace {

enum pass_number : u8 {
  number_keys,
  place_triangles,
  bound_groups,
  look_at_writes,
  list_kept,
  list_rows,
  list_by_row,
  list_inserts,
  find_greatest,
  number_listed,
  make_holes,
  move_triangles,
  put_inserts
};

// The greatest key of so many bits.
u64 greatest_of(u32 bits) { return bits == 0 ? 0 : ~u64{0} >> (64 - bits); }

class rx_building {
 public:
  rx_building(executor& on, const rx_config& config) : on_(on), config_(config) {}
  rx_building(executor& on, const rx_config& config, const state_bytes& state)
      : on_(on), config_(config), view_(state.as<rx_view>()) {
    batch_.grid = batch_.grid_before = view_.grid;
    batch_.cells = view_.tree.triangles;
  }

  outcome<state_bytes> build() {
    const u64 keys = on_.keys();
    view_.greatest = on_.key_range().second;
    view_.grid = grid_for_greatest();
    if (auto s = allocate_numbers(keys); !s) return s.error();
    view_.tree = bounding_tree::of(static_cast<u32>(keys), config_.wide);
    if (auto s = on_.allocate(regions()); !s) return s.error();
    if (auto done = run(number_keys, keys); !done) return done.error();
    return place_numbered();
  }

  outcome<state_bytes> update(const write_batch& writes) {
    batch_.writes = static_cast<u32>(writes.size()), batch_.erases = static_cast<u32>(writes.erases);
    batch_.first_row = writes.first_row;
    // Inserts alone are not searched.
    if (batch_.erases > 0)
      if (auto s = on_.sort_pairs(batch_keys, batch_numbers, batch_.writes, "sort batch"); !s) return s.error();
    return config_.updates == scene_updates::refit ? refit() : rebuild();
  }

  // What a build over the entries that stay and come gives, in the order of their row ids.
  outcome<state_bytes> rebuild() {
    const u32 inserts = batch_.writes - batch_.erases;
    if (batch_.erases > 0)
      if (auto looked = run(look_at_writes, batch_.writes, batch_); !looked) return looked.error();
    if (auto s = allocate_numbers(u64{batch_.cells} + inserts); !s) return s.error();
    if (batch_.cells > 0)
      if (auto s = view_.refitted ? list_kept_by_row() : list_kept_by_cell(); !s) return s.error();
    if (inserts > 0)
      if (auto done = run(list_inserts, batch_.writes, batch_); !done) return done.error();
    view_.tree = bounding_tree::of(batch_.kept + inserts, config_.wide);
    view_.holes = 0, view_.refitted = false;
    if (auto s = on_.allocate(regions()); !s) return s.error();
    if (auto s = measure_listed(); !s) return s.error();
    if (auto done = run(number_listed, view_.tree.triangles); !done) return done.error();
    return place_numbered();
  }

 private:
  outcome<u64> run(pass_number pass, u64 items) { return on_.run(rx_passes()[pass], items, state_bytes(view_)); }
  outcome<u64> run(pass_number pass, u64 items, const rx_batch& batch) {
    return on_.run(rx_passes()[pass], items, state_bytes(batch));
  }
  u64 tiles() const { return ceil_div<u64>(batch_.cells, rx::tile_cells); }
  std::vector<index_region> regions() const { return rx_model(config_, view_).region_list(); }
  key_grid grid_for_greatest() const {
    return grid_for(view_.greatest, config_.x_bits, config_.y_bits, config_.y_scale, config_.z_scale);
  }

  // As built, or rebuilt, entries of one key lie in the order of their row ids.
  status list_kept_by_cell() {
    const auto kept = run(list_kept, tiles(), batch_);
    if (!kept) return kept.error();
    batch_.kept = static_cast<u32>(*kept);
    return fine();
  }
  status list_kept_by_row() {
    const u64 cells = batch_.cells;
    if (auto s = on_.allocate_array(rx::rows_that_stay, cells * key_bytes(config_.keys), "row ids"); !s) return s;
    if (auto s = on_.allocate_array(rx::cells_listed, cells * sizeof(u32), "their cells"); !s) return s;
    const auto kept = run(list_rows, tiles(), batch_);
    if (!kept) return kept.error();
    batch_.kept = static_cast<u32>(*kept);
    if (batch_.kept == 0) return fine();
    if (auto s = on_.sort_pairs(rx::rows_that_stay, rx::cells_listed, batch_.kept, "sort row ids"); !s) return s;
    const auto done = run(list_by_row, batch_.kept, batch_);
    return done ? fine() : done.error();
  }

  // Gives the grid the bits that the greatest of the listed keys takes.
  status measure_listed() {
    view_.greatest = 0;
    rx_maxima part{.keys = view_.tree.triangles};
    if (part.keys > 0) {
      const u64 bytes = ceil_div(part.keys, rx_maxima::keys_a_part) * key_bytes(config_.keys);
      if (auto s = on_.allocate_array(rx::maxima, bytes, "the greatest keys"); !s) return s;
      while (part.parts != 1) {
        part.parts = ceil_div(part.keys, rx_maxima::keys_a_part);
        const auto done = on_.run(rx_passes()[find_greatest], part.parts, state_bytes(part));
        if (!done) return done.error();
        part.keys = part.parts, part.of_entries = false;
      }
      if (auto s = on_.read(rx::scene.triangles, 0, std::as_writable_bytes(std::span(&view_.greatest, 1))); !s)
        return s;
    }
    view_.grid = grid_for_greatest();
    return fine();
  }

  status allocate_numbers(u64 triangles) {
    if (auto s = on_.allocate_array(rx_codes, triangles * key_bytes(config_.keys), "the triangles' places"); !s)
      return s;
    return on_.allocate_array(rx_rows, triangles * sizeof(u32), "their row ids");
  }

  // Sorts the numbered triangles, and builds the scene of them.
  outcome<state_bytes> place_numbered() {
    const u32 triangles = view_.tree.triangles;
    if (triangles > 0)
      if (auto s = on_.sort_pairs(rx_codes, rx_rows, triangles, "sort triangles' places"); !s) return s.error();
    if (auto done = run(place_triangles, triangles); !done) return done.error();
    return bound_all();
  }

  outcome<state_bytes> bound_all() {
    for (u32 level = view_.tree.levels; level-- > 0;) {
      view_.bounded_level = level;
      if (auto done = run(bound_groups, view_.tree.count[level]); !done) return done.error();
    }
    return state_bytes(view_);
  }

  // Looks at the writes. If a key comes that the grid has no place for, gives it the least bits that all keys take.
  status make_places() {
    const auto beyond = [&](u64 limit) {
      batch_.limit = limit;
      return run(look_at_writes, batch_.writes, batch_);
    };
    const auto any = beyond(view_.greatest);
    if (!any) return any.error();
    if (*any == 0) return fine();
    u32 bits = static_cast<u32>(std::bit_width(view_.greatest)), most = 8 * key_bytes(config_.keys);
    while (bits < most) {
      const u32 middle = bits + (most - bits) / 2;
      const auto above = beyond(greatest_of(middle));
      if (!above) return above.error();
      if (*above > 0)
        bits = middle + 1;
      else
        most = middle;
    }
    view_.greatest = greatest_of(bits);
    view_.grid = batch_.grid = grid_for_greatest();
    return fine();
  }

  outcome<state_bytes> refit() {
    const u32 inserts = batch_.writes - batch_.erases;
    if (auto s = make_places(); !s) return s.error();
    if (auto s = on_.allocate_array(rx::cells_listed, u64{batch_.cells} * sizeof(u32), "holes of the scene"); !s)
      return s.error();
    if (batch_.cells > 0) {
      const auto holes = run(make_holes, tiles(), batch_);
      if (!holes) return holes.error();
      batch_.holes = static_cast<u32>(*holes);
    }
    if (!(batch_.grid == batch_.grid_before))
      if (auto done = run(move_triangles, batch_.cells, batch_); !done) return done.error();
    const u32 filled = std::min(inserts, batch_.holes), added = inserts - filled;
    if (added > 0) {
      view_.tree = bounding_tree::of(batch_.cells + added, config_.wide);
      if (auto s = on_.resize(rx::scene.triangles, view_.tree.triangles); !s) return s.error();
      if (auto s = on_.resize(rx::scene.boxes, view_.tree.boxes()); !s) return s.error();
    }
    if (inserts > 0)
      if (auto done = run(put_inserts, batch_.writes, batch_); !done) return done.error();
    view_.holes = batch_.holes - filled, view_.refitted = true;
    return bound_all();
  }

  executor& on_;
  rx_config config_;
  rx_view view_;
  rx_batch batch_;
};

}  // namespace

std::span<const build_pass> rx_passes() {
  static constexpr build_pass passes[] = {
      {"number keys", "numbering keys", "number_keys", host_items<rx, rx::number_keys>},
      {"place triangles", "placing triangles", "place_triangles", host_items<rx, rx::place_triangles>, 1,
       key_use::none},
      {"bound groups", "bounding groups", "bound_groups", host_items<rx, rx::bound_groups>, 1, key_use::none},
      {"look at writes", "looking at writes", "look_at_writes", host_items<rx, rx::look_at_writes>, 1, key_use::none},
      {"list entries", "listing entries", "list_kept", host_tiles<rx, rx::list_kept>, 1, key_use::none, done_by::block},
      {"list row ids", "listing row ids", "list_rows", host_tiles<rx, rx::list_rows>, 1, key_use::none, done_by::block},
      {"list entries", "listing entries", "list_by_row", host_items<rx, rx::list_by_row>, 1, key_use::none},
      {"list inserts", "listing inserts", "list_inserts", host_items<rx, rx::list_inserts>, 1, key_use::none},
      {"find greatest key", "finding the greatest key", "find_greatest", host_items<rx, rx::find_greatest>, 1,
       key_use::none},
      {"number keys", "numbering keys", "number_listed", host_items<rx, rx::number_listed>, 1, key_use::none},
      {"make holes", "making holes", "make_holes", host_tiles<rx, rx::make_holes>, 1, key_use::none, done_by::block},
      {"move triangles", "moving triangles", "move_triangles", host_items<rx, rx::move_triangles>, 1, key_use::none},
      {"put inserts", "putting inserts", "put_inserts", host_items<rx, rx::put_inserts>, 1, key_use::none}};
  return passes;
}

outcome<state_bytes> build_rx(executor& on, const rx_config& config) { return rx_building(on, config).build(); }

outcome<state_bytes> update_rx(executor& on, const rx_config& config, const state_bytes& state,
                               const write_batch& batch) {
  return rx_building(on, config, state).update(batch);
}

outcome<state_bytes> rebuild_rx(executor& on, const rx_config& config, const state_bytes& state) {
  return rx_building(on, config, state).rebuild();
}

}  // namespace pivotscope
