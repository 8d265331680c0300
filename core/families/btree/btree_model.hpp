// The tree as views and tests see it: nodes of cells, of which the last one is a link. Which node leads to which, cells
// say.
#pragma once

#include "core/families/btree/btree.hpp"
#include "core/index/built_index.hpp"
#include "core/index/latched_model.hpp"
#include "core/index/model.hpp"

namespace pivotscope {

class btree_model final : public index_model, public staged_model {
 public:
  btree_model(const btree_config& config, const btree_view& tree);

  u64 keys() const override { return tree_.live; }
  u32 levels() const override { return tree_.levels + 1; }
  std::string level_words(u32 level) const override;
  std::string level_words_of(u32 level, u32 levels) const override;
  std::span<const region_info> regions() const override { return regions_; }
  cell_info describe(region_id region, u64 cell) const override;
  bool cells_tell() const override { return true; }
  void count_levels(region_id region, u64 first, u64 end, u64* out) const override;
  std::optional<cell_run> level_run(u32 level) const override;
  u64 node_count() const override { return u64{tree_.inner} + tree_.leaves; }
  std::vector<tree_node> nodes() const override;
  lookup_lanes lanes() const override { return {config_.lanes, cells_a_lane(config_)}; }
  bool has_order() const override { return true; }
  std::optional<pinned_cells> pinned() const override;
  cell_ref pinned_cell(u32 i) const override { return {btree_region::inner, i}; }

  // A link has no key, nor has an inner cell that is empty, nor a level's first separator, which all keys are at or above.
  bool values_of(const cell_run& cells, const region_reader& read, std::span<cell_value> out) const override;
  std::string words_of(cell_ref at, const region_reader& read) const override;
  std::string brief_of(cell_ref at, const region_reader& read) const override;
  bool leads_of(const cell_run& cells, const region_reader& read, std::vector<cell_link>& out) const override;
  // Links are vacant, and cells of inner nodes without a child.
  bool is_vacant(cell_ref at, const region_reader& read) const override;
  std::string field_words(cell_ref at, const cell_field& field, u64 value) const override;
  // Also nodes that no separator leads to yet: behind a node whose link leads there; and new nodes that nobody sees yet.
  bool arrange(std::vector<tree_node>& nodes, const region_reader& read) const override;
  bool links_of(std::span<const tree_node> nodes, const region_reader& read,
                std::vector<node_link>& out) const override;
  bool states_of(std::span<const tree_node> nodes, const region_reader& read,
                 std::vector<node_state>& out) const override;
  std::optional<latch_in_word> latch_in(region_id region, u64 byte, u64 bytes) const override;
  std::vector<std::string> stages_of(std::span<const shared_access> accesses) const override;  // stages.cpp

  std::vector<index_region> region_list() const;

 private:
  // A cell as it lies there: its key widened, and its value.
  struct raw_cell {
    u64 key = 0;
    u32 value = 0;
  };
  static bool is_inner(region_id region) { return region == btree_region::inner || region == btree_region::children; }
  bool is_link(u64 cell) const { return cell % config_.node == node_slots(config_); }
  static bool goes_on_in(const raw_cell& link) { return (link.value & node_link_word::run) != 0; }  // a leaf's run
  bool is_leaf_cell(region_id region) const { return region == btree_region::entries || region == btree_region::rows; }
  u32 level_of_inner(u64 node) const;
  bool raw_of(const cell_run& cells, const region_reader& read, std::span<raw_cell> out) const;
  u64 greatest() const { return config_.keys == key_width::u32 ? ~u32{0} : ~u64{0}; }
  // Returns where a cell leads: its region, and the node's number; nothing if it leads nowhere.
  struct lead {
    region_id region;
    u32 node;
  };
  std::optional<lead> lead_of(cell_ref at, const raw_cell& cell) const;
  static std::string node_words(const lead& node);
  // Returns where a node's link leads, of any node of its level.
  outcome<std::optional<lead>> link_of(const lead& node, const region_reader& read) const;
  // Puts new leaves that no cell leads to yet behind the leaf that their keys came from.
  bool add_unseen(std::vector<lead>& leaves, const region_reader& read) const;
  // The same for inner nodes, by level from the root on: behind the node that still leads to the first child.
  bool add_unseen_inner(std::vector<std::vector<lead>>& rows, const region_reader& read) const;

  btree_config config_;
  btree_view tree_;
  std::vector<region_info> regions_;
};

}  // namespace pivotscope
