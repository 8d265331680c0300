#include "core/families/cgrx_nodes/pass_table.hpp"

#include "core/families/cgrx_nodes/cgrx_nodes.hpp"

namespace pivotscope {
namespace {

// In the order of node_pass.
constexpr build_pass passes[] = {
    {"build entries", "building entries", "build_entries", host_items<cgrx_nodes, cgrx_nodes::build_entries>,
     cgrx_nodes::build_at_once, key_use::each},
    {"build heads", "building heads", "build_heads", host_items<cgrx_nodes, cgrx_nodes::build_heads>},
    {"empty cells", "emptying cells", "empty_nodes", host_items<cgrx_nodes, cgrx_nodes::empty_nodes>, 1, key_use::none},
    {"number slots", "numbering the scene's slots", "number_slots", host_items<cgrx_nodes, cgrx_nodes::number_slots>},
    {"place triangles", "placing triangles", "place_triangles", host_items<cgrx_nodes, cgrx_nodes::place_triangles>},
    {"bound groups", "bounding groups", "bound_groups", host_items<cgrx_nodes, cgrx_nodes::bound_groups>, 1,
     key_use::none},
    {"reset counters", "resetting counters", "reset_pool", host_items<cgrx_nodes, cgrx_nodes::reset_pool>, 1,
     key_use::none},
    {"gather entries", "gathering entries", "gather_entries", host_tiles<cgrx_nodes, cgrx_nodes::gather_entries>, 1,
     key_use::none, done_by::block},
    {"list free nodes", "listing free nodes", "list_free", host_tiles<cgrx_nodes, cgrx_nodes::list_free>, 1,
     key_use::none, done_by::block},
    {"write chains", "writing chains", "write_chains", host_items<cgrx_nodes, cgrx_nodes::write_chains>, 1,
     key_use::none}};

}  // namespace

std::span<const build_pass> node_passes_in_order() { return passes; }
const build_pass& pass_of(node_pass pass) { return passes[static_cast<std::size_t>(pass)]; }

}  // namespace pivotscope
