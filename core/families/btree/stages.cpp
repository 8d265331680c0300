// What operations that meet in a tree are at: of their accesses, those that begin a stage of a write, in words.
#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/families/btree/btree_model.hpp"

namespace pivotscope {
namespace {

using kind = shared_access::kind;

// One operation, as its accesses tell.
struct writer {
  std::set<u64> latched;       // cells of links, those of inner nodes behind all of leaves
  std::optional<u64> leaf;     // that it has latched
  std::optional<u64> sibling;  // a new leaf that it fills
  bool linked = false, left = false, separated = false;
  bool went_down = false;  // since it last began at the root

  void forget_split() { sibling.reset(), linked = left = separated = false; }
};

class stage_teller {
 public:
  stage_teller(const btree_model& model, const btree_config& config) : model_(model), config_(config) {}

  std::string tell(const shared_access& a) {
    if (a.what == kind::fence || a.what == kind::arrival) return {};
    writer& w = writers_[a.task];
    if (const auto latch = model_.latch_in(a.region, a.byte, a.bytes))
      if (std::string words = tell_latch(w, a, *latch); !words.empty()) return words;
    if (a.region == btree_region::pool) return tell_new_node(w, a);
    const bool leaf = a.region == btree_region::entries || a.region == btree_region::rows;
    const u64 cell = a.byte / model_.region(a.region).cell_bytes, node = cell / config_.node;
    if (a.what == kind::load) return tell_load(w, leaf, cell);
    return tell_store(w, leaf, cell, node);
  }

 private:
  static std::string holder_words(const std::map<u64, u32>& holders, u64 latch, u32 task) {
    const auto holder = holders.find(latch);
    return holder == holders.end() || holder->second == task ? "" : fmt::format(", which {} holds", holder->second);
  }
  u64 id_of(cell_ref at) const {
    return at.region == btree_region::inner ? model_.region(main_region).cells + at.cell : at.cell;
  }

  std::string tell_latch(writer& w, const shared_access& a, const latch_in_word& latch) {
    const u64 id = id_of(latch.at);
    const bool was = (a.before & latch.bits) != 0, is = (a.after & latch.bits) != 0;
    const bool leaf = latch.at.region == btree_region::entries;
    if (a.what == kind::set_bits && was) {
      w.went_down = true;
      return fmt::format("{} is latched{}: {}", latch.name, holder_words(holders_, id, a.task),
                         leaf || w.latched.empty() ? "not taken" : "waits");
    }
    if (a.what == kind::set_bits) {
      const bool parent = !leaf && !w.latched.empty();
      w.latched.insert(id), holders_[id] = a.task;
      if (leaf) w.leaf = latch.at.cell / config_.node, w.forget_split();
      return parent ? fmt::format("parent latched: {}", latch.name) : fmt::format("{} latched", latch.name);
    }
    if (a.what != kind::store || !w.latched.contains(id)) return {};
    if (was && !is) {
      w.latched.erase(id), holders_.erase(id);
      if (leaf) w.leaf.reset();
      return fmt::format("{} unlatched", latch.name);
    }
    if (a.before == a.after || !is || !leaf || w.linked || !w.sibling) return {};
    w.linked = true;
    if (keeps_all(config_) && (a.after & latch.bits >> 1) != 0)
      return fmt::format("a run goes on: the link of {} leads to leaf {}", latch.name, *w.sibling);
    return fmt::format("half split: the link of {} alone leads to leaf {}", latch.name, *w.sibling);
  }
  std::string tell_new_node(writer& w, const shared_access& a) {
    if (a.what != kind::add || a.byte / sizeof(u32) >= pool_levels) return {};
    const bool leaf = a.byte / sizeof(u32) == pool_leaves;
    if (leaf) w.sibling = a.before;
    return fmt::format("takes {} {}, new", leaf ? "leaf" : "node", a.before);
  }
  std::string tell_load(writer& w, bool leaf, u64 cell) {
    if (leaf || cell != 0) {
      w.went_down |= leaf || cell >= config_.node;
      return {};
    }
    if (!w.latched.empty() || !std::exchange(w.went_down, false)) return {};
    return "once more from the root";
  }
  std::string tell_store(writer& w, bool leaf, u64 cell, u64 node) {
    if (leaf && w.sibling == node && !w.linked) {
      const bool first = !filled_.contains(node);
      filled_.insert(node);
      return first ? fmt::format("leaf {} is filled: nobody sees it yet", node) : "";
    }
    if (cell % config_.node == node_slots(config_)) return {};
    if (leaf && w.linked && w.leaf == node && !std::exchange(w.left, true)) return "pairs that moved leave";
    if (!leaf && w.linked && !std::exchange(w.separated, true))
      return fmt::format("the parent gets its separator for leaf {}", *w.sibling);
    return {};
  }

  const btree_model& model_;
  const btree_config& config_;
  std::map<u32, writer> writers_;  // by task
  std::map<u64, u32> holders_;     // of latches
  std::set<u64> filled_;
};

}  // namespace

std::vector<std::string> btree_model::stages_of(std::span<const shared_access> accesses) const {
  stage_teller teller(*this, config_);
  std::vector<std::string> stages;
  for (const shared_access& a : accesses) stages.push_back(teller.tell(a));
  return stages;
}

}  // namespace pivotscope
