#include "core/families/cgrx_nodes/building.hpp"

#include <algorithm>

#include "core/bucket_scene/building.hpp"
#include "core/families/cgrx_nodes/cgrx_nodes_model.hpp"
#include "core/families/cgrx_nodes/pass_table.hpp"

namespace pivotscope {
namespace {

// Over keys that are in order: those of the executor, or those in the arrays of a rebuild.
class building {
 public:
  building(executor& on, const cgrx_nodes_config& config, u64 keys, bool from_arrays) : on_(on), config_(config) {
    view_.keys = view_.entries = keys, view_.from_arrays = from_arrays;
    // An index without keys has a bucket, too: inserts need one.
    view_.buckets = std::max(1u, static_cast<u32>(ceil_div<u64>(keys, half_a_node(config))));
    view_.nodes = view_.buckets, view_.room = nodes_with_room(view_.buckets);
  }

  outcome<state_bytes> build() {
    // How many triangles there are is known when they have been counted.
    if (auto s = on_.allocate(cgrx_nodes_model(config_, view_).region_list()); !s) return s.error();
    if (auto done = run(node_pass::build_entries, view_.keys); !done) return done.error();
    if (view_.keys > 0)
      if (auto s = build_scene_of_keys(); !s) return s.error();
    if (auto done = run(node_pass::build_heads, view_.buckets); !done) return done.error();
    if (auto done = run(node_pass::empty_nodes, u64{view_.room} * config_.node); !done) return done.error();
    if (auto done = run(node_pass::reset_pool, pool_counters); !done) return done.error();
    view_.from_arrays = false;
    return state_bytes(view_);
  }

 private:
  status build_scene_of_keys() {
    const u64 half = half_a_node(config_);
    const auto least = key_of_rank(std::min<u64>(half, view_.keys) - 1);
    if (!least) return least.error();
    const auto greatest = key_of_rank(view_.keys - 1);
    if (!greatest) return greatest.error();
    measure_scene(view_, scene_knobs_of(config_), half_a_node(config_), *least, *greatest);
    return build_scene(
        on_, view_,
        {node_region::scene, key_bytes(config_.keys), scene_knobs_of(config_), pass_of(node_pass::number_slots),
         pass_of(node_pass::place_triangles), pass_of(node_pass::bound_groups)});
  }
  outcome<u64> key_of_rank(u64 rank) {
    const u64 half = half_a_node(config_), cell = rank / half * config_.node + rank % half;
    const u32 bytes = key_bytes(config_.keys);
    u64 key = 0;  // little-endian, as every machine that CUDA runs on
    if (auto s =
            on_.read(node_region::entries, cell * 2 * bytes, std::as_writable_bytes(std::span(&key, 1)).first(bytes));
        !s)
      return s.error();
    return key;
  }
  outcome<u64> run(node_pass pass, u64 items) { return on_.run(pass_of(pass), items, state_bytes(view_)); }

  executor& on_;
  cgrx_nodes_config config_;
  cgrx_nodes_view view_;
};

}  // namespace

u32 nodes_with_room(u32 buckets) { return buckets + buckets / 32 + 4; }

outcome<state_bytes> build_nodes(executor& on, const cgrx_nodes_config& config) {
  return building(on, config, on.keys(), false).build();
}

outcome<state_bytes> rebuild_nodes(executor& on, const cgrx_nodes_config& config, const cgrx_nodes_view& from) {
  if (auto s = on.allocate_array(sorted_keys, from.entries * key_bytes(config.keys), "the index's keys"); !s)
    return s.error();
  if (auto s = on.allocate_array(sorted_rows, from.entries * sizeof(u32), "the index's row ids"); !s) return s.error();
  cgrx_nodes_view gathered = from;
  gathered.first_cell = u64{from.nodes} * config.node;
  const auto done =
      on.run(pass_of(node_pass::gather_entries), ceil_div<u64>(gathered.first_cell, keep_tile), state_bytes(gathered));
  if (!done) return done.error();
  PIVOTSCOPE_EXPECT(*done == from.entries);
  if (auto s = on.sort_pairs(sorted_keys, sorted_rows, from.entries, "sort entries"); !s) return s.error();
  return building(on, config, from.entries, true).build();
}

}  // namespace pivotscope
