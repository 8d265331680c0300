// The passes that build an index of nodes, and those that make room in one or gather what it holds.
#pragma once

#include "core/bucket_scene/scene_passes.hpp"
#include "core/families/cgrx_nodes/node.hpp"
#include "core/index/keep_pass.hpp"

namespace pivotscope {

inline constexpr array_id sorted_keys{2}, sorted_rows{3};  // of a rebuild
inline constexpr array_id free_nodes{2};                   // of an update

struct node_scene {
  static constexpr scene_regions scene = node_region::scene;
  PIVOTSCOPE_FN static const bucket_scene& scene_of(const build_view& view) { return view.as<cgrx_nodes_view>(); }
  PIVOTSCOPE_FN static u32 bucket_size(const cgrx_nodes_config& c) { return half_a_node(c); }
  template <class Key>
  PIVOTSCOPE_FN static Key key_of(const build_view& view, u64 rank) {
    if (view.as<cgrx_nodes_view>().from_arrays) return view.template array<Key>(sorted_keys)[rank];
    return view.template key<Key>(rank);
  }
};

struct node_passes {
  // Key i goes to its bucket's first node.
  struct build_entries {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 i) {
      const bool from_arrays = view.as<cgrx_nodes_view>().from_arrays;
      at_key(config, view, static_cast<u32>(i), node_scene::key_of<Key>(view, i),
             from_arrays ? view.template array<u32>(sorted_rows)[i] : view.sorted_row(i));
    }
    // The same for a key in hand.
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at_key(Config config, const build_view& view, u32 rank, Key key, u32 row) {
      const u32 half = half_a_node(config.value);
      view.store(node_region::entries, u64{rank / half} * config.value.node + rank % half, make_entry(key, row));
    }
  };

  // Bucket i: the head of its node, and the greatest key whose rays lead to it. The last bucket has no end.
  struct build_heads {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 i) {
      const cgrx_nodes_view& here = view.as<cgrx_nodes_view>();
      const u32 bucket = static_cast<u32>(i), half = half_a_node(config.value);
      Key bound = greatest_key<Key>();
      if (bucket + 1 < here.buckets)
        bound = static_cast<Key>(bound_of(
            here.grid, config.value.form,
            representative_of(here, half, bucket, [&](u64 rank) { return node_scene::key_of<Key>(view, rank); })));
      view.store(node_region::bounds, i, bound);
      view.store(node_region::heads, i,
                 make_head(bound, next_node::none,
                           static_cast<u32>(here.bucket_end(bucket, half) - here.bucket_begin(bucket, half))));
    }
  };

  // Cell `first_cell` + i of the entries, unless the build stored an entry there; and the heads of linked nodes.
  struct empty_nodes {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 i) {
      const cgrx_nodes_view& here = view.as<cgrx_nodes_view>();
      const u64 cell = here.first_cell + i;
      const u32 node = static_cast<u32>(cell / config.value.node), slot = static_cast<u32>(cell % config.value.node);
      const u32 half = half_a_node(config.value);
      if (!here.is_linked(node) && here.bucket_begin(node, half) + slot < here.bucket_end(node, half)) return;
      view.store(node_region::entries, cell, make_entry(Key{}, not_found));
      if (slot == 0 && here.is_linked(node)) view.store(node_region::heads, node, make_head(Key{}, next_node::free, 0));
    }
  };

  struct reset_pool {
    template <class Key, class Config, class Memory>
    PIVOTSCOPE_FN static void at(Config, Memory& memory, const build_view&, u64 i) {
      memory.store_part(node_region::pool, i, sizeof(u32), 0, 0u);
    }
  };

  struct number_slots : scene_passes<node_scene>::number_slots {};
  struct place_triangles : scene_passes<node_scene>::place_triangles {};
  struct bound_groups : scene_passes<node_scene>::bound_groups {};

 private:
  struct all_entries {
    PIVOTSCOPE_FN static u64 items(const build_view& view) { return view.as<cgrx_nodes_view>().first_cell; }
    template <class Key, class Config>
    PIVOTSCOPE_FN static bool wants(Config, const build_view& view, u64 i) {
      return is_live_row(view.load<entry_cell<Key>>(node_region::entries, i).row);
    }
    template <class Key, class Config>
    PIVOTSCOPE_FN static void keep(Config, const build_view& view, u64 i, u64 to) {
      const auto entry = view.load<entry_cell<Key>>(node_region::entries, i);
      view.template array<Key>(sorted_keys)[to] = entry.key;
      view.template array<u32>(sorted_rows)[to] = entry.row;
    }
  };
  struct nodes_in_no_chain {
    PIVOTSCOPE_FN static u64 items(const build_view& view) {
      const cgrx_nodes_view& here = view.as<cgrx_nodes_view>();
      return here.nodes - here.buckets;
    }
    template <class Key, class Config>
    PIVOTSCOPE_FN static bool wants(Config, const build_view& view, u64 i) {
      return view.load<node_head<Key>>(node_region::heads, node_of(view, i)).next == next_node::free;
    }
    template <class Key, class Config>
    PIVOTSCOPE_FN static void keep(Config, const build_view& view, u64 i, u64 to) {
      view.template array<u32>(free_nodes)[to] = node_of(view, i);
    }
    PIVOTSCOPE_FN static u32 node_of(const build_view& view, u64 i) {
      return view.as<cgrx_nodes_view>().buckets + static_cast<u32>(i);
    }
  };

 public:
  // Brings the entries to the arrays, node by node. The cells before `first_cell` are looked at.
  struct gather_entries : keep_pass<all_entries> {};
  // Lists the linked nodes that are in no chain.
  struct list_free : keep_pass<nodes_in_no_chain> {};
};

}  // namespace pivotscope
