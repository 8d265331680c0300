#include "core/families/btree/combined_update.hpp"

#include "core/families/btree/combined.hpp"
#include "core/families/btree/pass_table.hpp"
#include "core/families/btree/tree_room.hpp"

namespace pivotscope {
namespace {

// The passes that put a list of new pairs into leaves, or into inner nodes.
struct node_passes {
  btree_pass count, fill, settle;
  bool are_leaves;
};
constexpr node_passes leaf_passes{btree_pass::count_new_leaves, btree_pass::fill_new_leaves, btree_pass::settle_leaves,
                                  true};
constexpr node_passes inner_passes{btree_pass::count_new_inner, btree_pass::fill_new_inner, btree_pass::settle_inner,
                                   false};

class update {
 public:
  update(executor& on, const btree_config& config, const btree_view& tree, const write_batch& writes)
      : on_(on), config_(config), tree_(tree), writes_(writes) {
    tree_.batch = {.items = static_cast<u32>(writes.size()),
                   .erases = static_cast<u32>(writes.erases),
                   .first_row = writes.first_row,
                   .pairs_a_node = pairs_a_node(config)};
  }

  outcome<state_bytes> all() {
    if (auto s = write_entries(); !s) return s.error();
    if (auto s = split_nodes(); !s) return s.error();
    tree_.batch = {}, tree_.first_new = 0;
    if (const auto done = run(btree_pass::set_counters, pool_counters(config_)); !done) return done.error();
    return state_bytes(tree_);
  }

 private:
  // Erases entries, changes row ids, and makes the list of new entries.
  status write_entries() {
    const u64 writes = writes_.size();
    if (auto s = on_.sort_pairs(batch_keys, batch_numbers, writes, "sort batch"); !s) return s;
    for (const array_id array : {write_nodes, write_effects, pair_lists::values(0)})
      if (auto s = on_.allocate_array(array, (writes + 1) * sizeof(u32), "a batch's leaves"); !s) return s;
    tree_.batch.looks = static_cast<u32>(writes);
    if (auto s = on_.allocate_array(pair_lists::nodes, 2 * writes * sizeof(u32), "a batch's leaves"); !s) return s;
    if (auto s = on_.allocate_array(pair_lists::keys(0), writes * key_bytes(config_.keys), "a batch's new keys"); !s)
      return s;
    const auto gone = run(btree_pass::look_at_writes, writes);
    if (!gone) return gone.error();
    const auto added = run(btree_pass::keep_new, tiles());
    if (!added) return added.error();
    tree_.live += *added - *gone;
    tree_.batch.items = static_cast<u32>(*added);
    return fine();
  }

  // Puts the list into the leaves, and what follows from it into the inner nodes, level by level.
  status split_nodes() {
    if (tree_.batch.items == 0) return fine();
    tree_.batch.level = tree_.levels;
    const auto siblings = count(leaf_passes);
    if (!siblings) return siblings.error();
    if (auto s = put(leaf_passes, *siblings); !s) return s;
    while (tree_.batch.items > 0) {
      --tree_.batch.level;
      if (auto s = put_into_inner_nodes(); !s) return s;
    }
    return fine();
  }
  status put_into_inner_nodes() {
    auto siblings = count_inner();
    if (!siblings) return siblings.error();
    if (tree_.batch.level == 0 && *siblings > 0) {
      // The root stays where it is.
      if (auto s = raise_root(); !s) return s;
      siblings = count_inner();
      if (!siblings) return siblings.error();
    }
    return put(inner_passes, *siblings);
  }
  outcome<u64> count_inner() {
    if (const auto found = run(btree_pass::find_nodes, tree_.batch.items); !found) return found.error();
    return count(inner_passes);
  }
  outcome<u64> count(const node_passes& passes) { return run(passes.count, tiles()); }

  // Puts the list into its nodes and so many siblings. Then the list of their separators is the next one.
  status put(const node_passes& passes, u64 siblings) {
    u32& nodes = passes.are_leaves ? tree_.leaves : tree_.inner;
    if (siblings > 0) {
      if (auto s = make_room(passes.are_leaves ? siblings : 0, passes.are_leaves ? 0 : siblings); !s) return s;
      tree_.first_new = nodes;
      if (const auto done = run(passes.fill, tree_.batch.items); !done) return done.error();
      nodes += static_cast<u32>(siblings);
    }
    if (const auto done = run(passes.settle, tree_.batch.items); !done) return done.error();
    tree_.batch.list = 1 - tree_.batch.list;
    tree_.batch.items = static_cast<u32>(siblings);
    return fine();
  }
  status raise_root() {
    if (auto s = make_room(0, 1); !s) return s;
    tree_.first_new = tree_.inner;
    if (const auto done = run(btree_pass::raise_root, config_.node); !done) return done.error();
    ++tree_.inner, ++tree_.levels, ++tree_.batch.level;
    return fine();
  }
  status make_room(u64 leaves, u64 inner) {
    const auto missing = [](u64 wanted, u32 used, u32 room) {
      return used + wanted > room ? used + wanted - room : u64{0};
    };
    const u64 few_leaves = missing(leaves, tree_.leaves, tree_.leaf_room);
    const u64 few_inner = missing(inner, tree_.inner, tree_.inner_room);
    if (auto s = add_node_room(on_, config_, tree_, few_leaves, few_inner); !s) return s;
    if (missing(leaves, tree_.leaves, tree_.leaf_room) + missing(inner, tree_.inner, tree_.inner_room) > 0)
      return problem{"the tree has as many nodes as have numbers. Nothing of this batch went in; insert fewer keys"};
    return fine();
  }

  outcome<u64> run(btree_pass pass, u64 items) { return on_.run(pass_of(pass), items, state_bytes(tree_)); }
  u64 tiles() const { return ceil_div<u64>(tree_.batch.items, btree_passes::kept_tile); }

  executor& on_;
  btree_config config_;
  btree_view tree_;
  write_batch writes_;
};

}  // namespace

outcome<state_bytes> combined_update(executor& on, const btree_config& config, const btree_view& tree,
                                     const write_batch& writes) {
  return update(on, config, tree, writes).all();
}

}  // namespace pivotscope
