#include "core/families/btree/tree_room.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/families/btree/btree_model.hpp"
#include "core/families/btree/pass_table.hpp"

namespace pivotscope {
namespace {

u32 grown_room(const btree_config& c, u32 room, u64 by) {
  if (by == 0) return room;
  const u64 most = u64{1} << std::min(30u, btree::seen_pair::child_bits(c));  // so many have numbers
  return static_cast<u32>(std::min(most - 1, room + std::max<u64>(by, room / 8)));
}

// Empties the nodes of a region from `room` on.
status empty_nodes(executor& on, const btree_config& c, btree_view& tree, btree_pass pass, u32 room, u32 grown) {
  tree.first_new = u64{room} * c.node;
  const auto done = on.run(pass_of(pass), u64{grown - room} * c.node, state_bytes(tree));
  tree.first_new = 0;
  return done ? fine() : status(done.error());
}

}  // namespace

btree_view tree_over(const btree_config& c, u64 keys) {
  btree_view tree{.shape = btree_shape::over(c, keys)};
  tree.levels = tree.shape.levels;
  tree.leaves = tree.shape.leaves, tree.inner = tree.shape.inner();
  tree.leaf_room = tree.leaves + tree.leaves / 32 + 4;
  tree.inner_room = tree.inner + tree.inner / 32 + 2 * (tree.levels + 2);
  return tree;
}

u32 cells_to_pin(const btree_config& c, const btree_view& tree) {
  const u32 node_bytes = c.node * 2 * key_bytes(c.keys);
  return std::min(c.scratch / node_bytes, tree.inner) * c.node;
}

std::vector<index_region> tree_regions(const btree_config& c, const btree_view& tree) {
  return btree_model(c, tree).region_list();
}

status add_node_room(executor& on, const btree_config& c, btree_view& tree, u64 leaves, u64 inner) {
  const u32 leaf_room = tree.leaf_room, inner_room = tree.inner_room;
  tree.leaf_room = grown_room(c, leaf_room, leaves), tree.inner_room = grown_room(c, inner_room, inner);
  if (tree.leaf_room == leaf_room && tree.inner_room == inner_room) return fine();
  const std::vector<index_region> list = tree_regions(c, tree);
  for (std::size_t r = 0; r < list.size(); ++r)
    if (auto s = on.resize(static_cast<region_id>(r), list[r].cells); !s)
      return s.error().cancelled
                 ? s.error()
                 : problem{
                       fmt::format("the tree has no room, and cannot grow from {} to {} leaves: {}. Nothing of this "
                                   "batch went in; insert fewer keys",
                                   leaf_room, tree.leaf_room, s.error().words)};
  if (auto s = empty_nodes(on, c, tree, btree_pass::empty_leaves, leaf_room, tree.leaf_room); !s) return s;
  return empty_nodes(on, c, tree, btree_pass::empty_inner, inner_room, tree.inner_room);
}

}  // namespace pivotscope
