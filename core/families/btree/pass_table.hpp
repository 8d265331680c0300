// The passes of `btree`, as machines run them.
#pragma once

#include "core/index/executor.hpp"

namespace pivotscope {

enum class btree_pass : u8 {
  build_leaves,
  keep_unique,
  link_runs,
  count_greatest,
  build_greatest,
  build_inner,
  keep_live,
  empty_leaves,
  empty_inner,
  set_counters,
  // Of a batch that is done as a whole.
  look_at_writes,
  keep_new,
  find_nodes,
  count_new_leaves,
  fill_new_leaves,
  settle_leaves,
  count_new_inner,
  fill_new_inner,
  settle_inner,
  raise_root
};

std::span<const build_pass> btree_passes_in_order();
const build_pass& pass_of(btree_pass pass);

}  // namespace pivotscope
