// The passes of `cgrx_nodes`: those of its build and of its updates.
#pragma once

#include <span>

#include "core/index/executor.hpp"

namespace pivotscope {

// By number: what passes there are.
enum class node_pass : u8 {
  build_entries,
  build_heads,
  empty_nodes,
  number_slots,
  place_triangles,
  bound_groups,
  reset_pool,
  gather_entries,
  list_free,
  write_chains
};

std::span<const build_pass> node_passes_in_order();
const build_pass& pass_of(node_pass pass);

}  // namespace pivotscope
