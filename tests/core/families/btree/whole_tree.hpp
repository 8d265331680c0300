// A tree as its cells have it: each node in its place, and what is wrong with them, in words.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/families/btree/btree.hpp"
#include "core/index/built_index.hpp"

namespace pivotscope::testing {

class whole_tree {
 public:
  struct pair {
    u64 key = 0;
    u32 value = 0;
  };
  struct node {
    std::vector<pair> pairs;  // of an inner node without the cells behind the last one; of a leaf the live ones
    u64 high = 0;
    u32 link = 0;
    bool run = false;  // that goes on in the next leaf
    bool latched = false;
    bool whole_tail = true;  // what lies behind an inner node's last pair is empty
  };

  explicit whole_tree(const stored_index& index)
      : config_(btree_config::of(index.config())), view_(index.state_as<btree_view>()) {
    const auto bytes_of = [&](region_id region) {
      std::vector<std::byte> bytes(index.bytes(region));
      if (!bytes.empty() && !index.read(region, 0, bytes)) fault_ = "a region cannot be read";
      return bytes;
    };
    leaves_ = nodes_of(bytes_of(btree_region::entries), bytes_of(btree_region::rows), false);
    inner_ = nodes_of(bytes_of(btree_region::inner), bytes_of(btree_region::children), true);
    if (fault_.empty()) check();
  }

  // Empty: every invariant of btree.hpp holds, of an index that no batch is changing.
  const std::string& fault() const { return fault_; }
  const std::map<u64, u32>& entries() const { return entries_; }
  // The same where a key may have several.
  const std::multimap<u64, u32>& all_entries() const { return all_entries_; }
  // The keys of each leaf, from left to right, in the order of its cells.
  std::vector<std::vector<u64>> leaf_keys() const {
    std::vector<std::vector<u64>> all;
    for (const u32 leaf : leaf_order_) {
      all.emplace_back();
      for (const pair& p : leaves_[leaf].pairs) all.back().push_back(p.key);
    }
    return all;
  }
  // The separators of each inner node of a level, from left to right. Level 0 is the root's.
  std::vector<std::vector<u64>> separators(u32 level) const {
    std::vector<std::vector<u64>> all;
    for (const u32 n : inner_order_.at(level)) {
      all.emplace_back();
      for (const pair& p : inner_[n].pairs) all.back().push_back(p.key);
    }
    return all;
  }
  u32 levels() const { return static_cast<u32>(inner_order_.size()); }
  const btree_view& view() const { return view_; }

 private:
  std::vector<node> nodes_of(const std::vector<std::byte>& keys, const std::vector<std::byte>& values, bool inner) {
    const u32 key = key_bytes(config_.keys);
    const bool aos = config_.layout == cell_layout::aos;
    const u64 each = aos ? 2 * key : key, cells = keys.size() / each;
    std::vector<node> all(cells / config_.node);
    for (u64 cell = 0; cell < cells; ++cell) {
      pair p;
      std::memcpy(&p.key, keys.data() + cell * each, key);
      std::memcpy(&p.value, aos ? keys.data() + cell * each + key : values.data() + cell * 4, 4);
      node& n = all[cell / config_.node];
      const u32 slot = static_cast<u32>(cell % config_.node);
      if (slot == node_slots(config_)) {
        n.high = p.key, n.link = node_link_word::number(p.value);
        n.run = (p.value & node_link_word::run) != 0;
        n.latched = (p.value & node_link_word::latched) != 0;
      } else if (inner ? p.key != greatest() : p.value != not_found) {
        n.whole_tail &= !inner || n.pairs.size() == slot;
        n.pairs.push_back(p);
      }
    }
    return all;
  }
  u64 greatest() const { return config_.keys == key_width::u32 ? ~u32{0} : ~u64{0}; }
  void say(std::string words) {
    if (fault_.empty()) fault_ = std::move(words);
  }

  // Goes through the tree level by level: the children of a level, in their order, are the next one.
  void check() {
    if (view_.inner > inner_.size() || view_.leaves > leaves_.size() || view_.inner == 0 || view_.leaves == 0)
      return say(fmt::format("{} inner nodes and {} leaves in use, of {} and {}", view_.inner, view_.leaves,
                             inner_.size(), leaves_.size()));
    std::vector<u32> level = {0};
    std::vector<std::optional<u64>> lows = {std::nullopt};
    std::set<u32> seen;
    for (;;) {
      if (inner_order_.size() == btree_most_levels) return say("more levels than there can be");
      if (keeps_all(config_)) add_by_links(level, lows, inner_);
      inner_order_.push_back(level);
      if (keeps_all(config_))
        check_inner_level(level, lows);
      else
        check_level(level, lows, inner_, "node");
      std::vector<u32> below;
      std::vector<std::optional<u64>> low_below;
      std::optional<bool> leaves;
      for (std::size_t i = 0; i < level.size(); ++i) {
        if (!seen.insert(level[i]).second) return say(fmt::format("node {} is reached twice", level[i]));
        const node& n = inner_[level[i]];
        if (!n.whole_tail) return say(fmt::format("node {} has an empty cell before a pair", level[i]));
        for (std::size_t k = 0; k < n.pairs.size(); ++k) {
          const u32 child = n.pairs[k].value;
          const bool is_leaf = child_word::is_leaf(child);
          if (leaves.value_or(is_leaf) != is_leaf) return say("a level has leaves and inner nodes");
          leaves = is_leaf;
          if (child_word::number(child) >= (is_leaf ? view_.leaves : view_.inner))
            return say(fmt::format("node {} leads to {}, which is not in use", level[i], child_word::number(child)));
          below.push_back(child_word::number(child));
          // The first pair of a level has what is below all others.
          low_below.push_back(i == 0 && k == 0 ? std::nullopt : std::optional(n.pairs[k].key));
          if (i == 0 && k == 0 && n.pairs[k].key != 0) return say("the first separator of a level is not 0");
          const bool may_repeat = keeps_all(config_);  // of a run's leaves
          if (k > 0 && (may_repeat ? n.pairs[k].key < n.pairs[k - 1].key : n.pairs[k].key <= n.pairs[k - 1].key))
            return say(fmt::format("node {}: separator {} behind {}", level[i], n.pairs[k].key, n.pairs[k - 1].key));
        }
      }
      if (!fault_.empty()) return;
      if (*leaves) {
        if (keeps_all(config_)) {
          add_by_links(below, low_below, leaves_);
          check_leaves_with_runs(below, low_below);
        } else {
          check_level(below, low_below, leaves_, "leaf");
        }
        leaf_order_ = below;
        break;
      }
      level = below, lows = low_below;
    }
    if (inner_order_.size() != view_.levels)
      say(fmt::format("{} levels, and the state says {}", inner_order_.size(), view_.levels));
    if (seen.size() != view_.inner) say(fmt::format("{} of {} inner nodes are reached", seen.size(), view_.inner));
    if (std::set<u32>(leaf_order_.begin(), leaf_order_.end()).size() != view_.leaves ||
        leaf_order_.size() != view_.leaves)
      say(fmt::format("{} of {} leaves are reached", leaf_order_.size(), view_.leaves));
    for (const u32 leaf : leaf_order_)
      for (const pair& p : leaves_[leaf].pairs) {
        all_entries_.emplace(p.key, p.value);
        if (!entries_.emplace(p.key, p.value).second && !keeps_all(config_))
          say(fmt::format("key {} is there twice", p.key));
      }
    if (all_entries_.size() != view_.live) say(fmt::format("{} entries, counted {}", all_entries_.size(), view_.live));
    if (keeps_all(config_)) check_finds();
    for (u64 n = view_.leaves; n < leaves_.size(); ++n) check_unused(leaves_[n], "leaf", n);
    for (u64 n = view_.inner; n < inner_.size(); ++n) check_unused(inner_[n], "node", n);
  }
  void check_unused(const node& n, const char* what, u64 number) {
    if (!n.pairs.empty() || n.link != node_link_word::none || n.latched)
      say(fmt::format("{} {} is not in use, and not empty", what, number));
  }

  // `lows`: the separators above, of all but the first node.
  void check_level(const std::vector<u32>& level, const std::vector<std::optional<u64>>& lows,
                   const std::vector<node>& nodes, const char* what) {
    for (std::size_t i = 0; i < level.size(); ++i) {
      const node& n = nodes[level[i]];
      if (n.latched) say(fmt::format("{} {} is latched", what, level[i]));
      const bool last = i + 1 == level.size();
      if (last ? n.link != node_link_word::none : n.link != level[i + 1])
        return say(fmt::format("{} {} links to {}", what, level[i], n.link));
      if (!last && n.high != lows[i + 1])
        say(fmt::format("{} {} has the high key {}, and its sibling the separator {}", what, level[i], n.high,
                        lows[i + 1].value_or(0)));
      if (last && n.high != greatest()) say(fmt::format("{} {}, the last one, has a high key", what, level[i]));
      for (std::size_t k = 0; k < n.pairs.size(); ++k) {
        const u64 key = n.pairs[k].key;
        if (lows[i] && key < *lows[i]) say(fmt::format("{} {} has {}, below {}", what, level[i], key, *lows[i]));
        if (!last && key >= n.high) say(fmt::format("{} {} has {}, not below {}", what, level[i], key, n.high));
      }
    }
  }

  // --- With duplicates ---

  // Adds the nodes of a level to which links alone lead. They have no low end of their own.
  void add_by_links(std::vector<u32>& level, std::vector<std::optional<u64>>& lows, const std::vector<node>& nodes) {
    std::vector<u32> all;
    std::vector<std::optional<u64>> all_lows;
    std::size_t next = 0;
    for (u32 at = level.front(); all.size() <= nodes.size();) {
      const bool led_to = next < level.size() && level[next] == at;
      all.push_back(at), all_lows.push_back(led_to ? lows[next] : std::nullopt);
      next += led_to;
      if (nodes[at].link == node_link_word::none) break;
      if (nodes[at].link >= nodes.size()) return say(fmt::format("node {} links to {}", at, nodes[at].link));
      at = nodes[at].link;
    }
    if (next != level.size()) say(fmt::format("links do not lead to {}", level[next]));
    level = all, lows = all_lows;
  }
  void check_inner_level(const std::vector<u32>& level, const std::vector<std::optional<u64>>& lows) {
    for (std::size_t i = 0; i < level.size(); ++i) {
      const node& n = inner_[level[i]];
      if (n.latched) say(fmt::format("node {} is latched", level[i]));
      if (i > 0 && !lows[i] && !n.pairs.empty()) say(fmt::format("node {} is reached by links alone", level[i]));
      if (i + 1 < level.size() && lows[i + 1] && n.high != *lows[i + 1])
        say(fmt::format("node {} ends at {}, and its sibling begins at {}", level[i], n.high, *lows[i + 1]));
      for (const pair& p : n.pairs)
        if ((lows[i] && p.key < *lows[i]) || (i + 1 < level.size() && p.key > n.high))
          say(fmt::format("node {} has the separator {}", level[i], p.key));
    }
  }
  void check_leaves_with_runs(const std::vector<u32>& level, const std::vector<std::optional<u64>>& lows) {
    bool own = false;  // the greatest key's
    for (std::size_t i = 0; i < level.size(); ++i) {
      const node& n = leaves_[level[i]];
      if (n.latched) say(fmt::format("leaf {} is latched", level[i]));
      own |= level[i] == greatest_leaf(view_);
      const bool last = n.link == node_link_word::none;
      if (last && n.run) say(fmt::format("leaf {}, the last one, has a run that goes on", level[i]));
      if (i > 0) {
        const node& before = leaves_[level[i - 1]];
        const bool first_own = level[i] == greatest_leaf(view_);
        if (lows[i] && *lows[i] != before.high + before.run)
          say(fmt::format("leaf {} has the separator {}, behind {}", level[i], *lows[i], before.high));
        if (!lows[i] && !before.run && !first_own && before.high != greatest())
          say(fmt::format("leaf {} is reached by links alone, and is in no run", level[i]));
        for (const pair& p : n.pairs)
          if (p.key < before.high) say(fmt::format("leaf {} has {}, below {}", level[i], p.key, before.high));
      }
      for (const pair& p : n.pairs) {
        if ((p.key == greatest()) != own) say(fmt::format("leaf {} has {}", level[i], p.key));
        if (!last && !own && p.key >= n.high && !(n.run && p.key == n.high))
          say(fmt::format("leaf {} has {}, not below {}", level[i], p.key, n.high));
      }
    }
    if (!own) say("the greatest key has no leaf");
  }
  // Each key is in the leaf to which separators lead.
  void check_finds() {
    for (const auto& [key, row] : entries_) {
      u32 at = 0;
      bool leaf = false;
      if (key == greatest()) at = greatest_leaf(view_), leaf = true;
      while (!leaf) {
        const std::vector<pair>& pairs = inner_[at].pairs;
        const auto behind = std::ranges::upper_bound(pairs, key, {}, &pair::key);
        if (behind == pairs.begin()) return say(fmt::format("node {} has no child for {}", at, key));
        leaf = child_word::is_leaf(std::prev(behind)->value);
        at = child_word::number(std::prev(behind)->value);
      }
      if (std::ranges::find(leaves_[at].pairs, key, &pair::key) == leaves_[at].pairs.end())
        say(fmt::format("{} is not in leaf {}", key, at));
    }
  }

  btree_config config_;
  btree_view view_;
  std::vector<node> leaves_, inner_;
  std::vector<std::vector<u32>> inner_order_;  // of each level from left to right
  std::vector<u32> leaf_order_;
  std::map<u64, u32> entries_;  // of equal keys the first
  std::multimap<u64, u32> all_entries_;
  std::string fault_;
};

}  // namespace pivotscope::testing
