#include "core/families/btree/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/families/btree/passes.hpp"
#include "core/index/answer_words.hpp"
#include "core/index/row_cells_words.hpp"

namespace pivotscope {
namespace {

class tree_teller {
 public:
  tree_teller(lookup_trace& trace, const stored_index& index)
      : trace_(trace), config_(btree_config::of(trace.config)), tree_(index.state_as<btree_view>()) {}

  void tell() {
    if (!trace_.steps.empty())
      trace_.start = fmt::format(
          "The root is node 0. In each inner node the last separator that is not above {} leads down, and the leaves "
          "lie "
          "{} level{} below the root.",
          trace_.key, tree_.levels, tree_.levels == 1 ? "" : "s");
    find_split();
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) tell_step(i);
    trace_.verdict =
        leaf_read_ && trace_.write->done == write_done::added
            ? fmt::format("{} Leaf {} was split.", answer_words(trace_), place_of(trace_.steps[*leaf_read_]).node)
            : verdict_words(trace_, "node");
  }

 private:
  bool coupled() const { return config_.latches == latch_use::coupled; }

  struct place {
    bool leaf = false;
    u64 node = 0;
    std::string words() const {
      return leaf ? fmt::format("leaf {}", node) : node == 0 ? "root" : fmt::format("node {}", node);
    }
  };
  place place_of(const trace_step& step) const {
    if (step.accesses.empty()) return {};
    const memory_access& first = step.accesses.front();
    return {first.array == btree_region::entries || first.array == btree_region::rows, first.slot / config_.node};
  }
  // The last value that a step had under a name of the source.
  static std::optional<u64> watched(const trace_step& step, std::string_view name) {
    const auto found = std::find_if(step.watched.begin(), step.watched.end(),
                                    [&](const watched_value& value) { return value.name == name; });
    return found == step.watched.end() ? std::nullopt : std::optional(found->value);
  }

  // Of an insert that splits a leaf, the steps behind the one that reads the leaf are the stages of the split.
  enum class stage : u8 { parent_latched, filled, linked, left, separated, unlatched };
  void find_split() {
    if (!trace_.write) return;
    for (std::size_t i = 0; i < trace_.steps.size() && !leaf_read_; ++i)
      if (place_of(trace_.steps[i]).leaf) leaf_read_ = i;
    if (leaf_read_ && *leaf_read_ + 1 == trace_.steps.size()) leaf_read_.reset();  // it has room
  }
  std::optional<stage> stage_of(std::size_t i) const {
    if (!leaf_read_ || i <= *leaf_read_) return std::nullopt;
    const std::size_t behind = i - *leaf_read_ - 1 + (coupled() ? 1 : 0);  // the parent is latched before
    // Without room for a new leaf nothing comes between.
    if (trace_.write->done == write_done::full && behind == 2) return stage::unlatched;
    return static_cast<stage>(behind);
  }

  void tell_step(std::size_t i) {
    trace_step& step = trace_.steps[i];
    if (const auto at = stage_of(i)) return tell_stage(step, *at, i + 1 == trace_.steps.size());
    const place here = place_of(step);
    const bool last = i + 1 == trace_.steps.size();
    step.where = here.words();
    step.left_first = 0, step.left_end = trace_.cells;
    if (here.leaf)
      tell_leaf(step, i);
    else
      tell_inner(step);
    if (last || !step.next.empty()) return;
    if (leaf_read_ == i) {
      step.next = coupled() ? "Split it: its parent is still latched." : "Split it: latch its parent, too.";
      return;
    }
    const place to = place_of(trace_.steps[i + 1]);
    step.next = here.leaf == to.leaf && trace_.steps[i + 1].level == step.level
                    ? fmt::format("Along the link, to {}.", to.words())
                    : fmt::format("Down to {}.", to.words());
  }

  void tell_inner(trace_step& step) {
    std::optional<u64> low, high;  // the separators on either side of the key
    u64 separators = 0;
    for (const comparison& c : step.compared) {
      ++separators;
      if (c.key <= trace_.key)
        low = low ? std::max(*low, c.key) : c.key;
      else
        high = high ? std::min(*high, c.key) : c.key;
    }
    if (!trace_.write) step.left = between(low, high);
    if (const auto separator = watched(step, "separator")) return tell_inner_split(step, *separator);
    const std::string all = fmt::format("{} separator{}", separators, separators == 1 ? "" : "s");
    step.words =
        low ? fmt::format("Of {} here, {} is the last that is not above {}: its child has the keys from there on.", all,
                          *low, trace_.key)
        : high ? fmt::format("{} is below all of the {} here: the first child has what is less.", trace_.key, all)
               : "There is one child, for all keys.";
    if (trace_.write && coupled())
      step.words = (step.level == 0 ? "Latched. " : "Latched; only then is the node above let go. ") + step.words;
  }
  static std::string between(std::optional<u64> low, std::optional<u64> high) {
    if (low && high) return fmt::format("{} to {}", *low, *high - 1);
    return low ? fmt::format("from {} on", *low) : high ? fmt::format("below {}", *high) : "all keys";
  }
  void tell_inner_split(trace_step& step, u64 separator) {
    if (const auto left = watched(step, "left")) {
      step.words = fmt::format(
          "All cells of the root are taken, so it is split in place, latched: its pairs below {0} go to the new node "
          "{1}, "
          "the others to node {2}, and the root leads to these two. The tree has a level more.",
          separator, *left, *left + 1);
    } else {
      step.words = fmt::format(
          "All cells of the node are taken, so it is split before anything below it needs another one. Latched, its "
          "pairs "
          "from {0} on are copied to the new node {1}; then its link leads there, with {0} as high key; and its "
          "parent, "
          "latched too, gets the separator {0}.",
          separator, watched(step, "sibling").value_or(0));
    }
    step.next = "Once more from the root.";
  }

  void tell_leaf(trace_step& step, std::size_t i) {
    const bool last = i + 1 == trace_.steps.size();
    const cells_seen seen = seen_in(trace_, step);
    if (trace_.range) return tell_scan(step, seen, last);
    if (trace_.successor) return tell_next_key(step, seen, last);
    if (trace_.write) return tell_write(step, seen);
    if (!last) {  // only beside writers
      step.left = "moved on";
      step.words = none_is_the_key(trace_, seen) + ", and the leaf was split meanwhile.";
      return;
    }
    step.left = trace_.row != not_found ? "found" : "absent";
    step.words = seen.with_key > 0
                     ? found_words(trace_, *seen.key)
                     : fmt::format("{}, and this is its leaf: it is not in the tree.", none_is_the_key(trace_, seen));
    const bool found = trace_.row != not_found && seen.key;
    step.left_first = found ? seen.key->slot : 0, step.left_end = found ? seen.key->slot + 1 : 0;
  }
  void tell_scan(trace_step& step, const cells_seen& seen, bool last) {
    const auto inside = std::count_if(step.compared.begin(), step.compared.end(), [&](const comparison& c) {
      return c.state == cell_state::live && trace_.key <= c.key && c.key <= trace_.range->high;
    });
    step.words = seen.live == 0 ? "No entry lies here."
                                : fmt::format("{} of the {} entr{} here {} in the range.", inside, seen.live,
                                              seen.live == 1 ? "y" : "ies", inside == 1 ? "is" : "are");
    if (last)
      step.words +=
          fmt::format(" No later leaf has a key up to {}: the high key says so, or there is none.", trace_.range->high);
    if (!trace_.write) step.left = last ? "end" : "goes on";
  }
  void tell_next_key(trace_step& step, const cells_seen& seen, bool last) {
    const char* const wanted = takes_itself(trace_.asked) ? "at or above" : "above";
    if (!last)
      step.words =
          fmt::format("None of the {} key{} here is {} {}.", seen.live, seen.live == 1 ? "" : "s", wanted, trace_.key);
    else if (trace_.row != not_found)
      step.words =
          fmt::format("{} is the least of the keys here that are {} {}.", trace_.successor->key, wanted, trace_.key);
    else
      step.words = fmt::format("No key here is {} {}, and this is the last leaf.", wanted, trace_.key);
    step.left = last ? "end" : "goes on";
  }

  void tell_write(trace_step& step, const cells_seen& seen) {
    const traced_write& write = *trace_.write;
    const std::string latched = "The leaf is latched, so that nobody else writes it, and looked through: ";
    if (leaf_read_) {
      step.words = fmt::format("{}it is full, and has no {}.", latched, trace_.key);
      step.brief = "latched, full";
    } else if (write.done == write_done::added) {
      step.words = fmt::format("{}cell {} is empty, and {} goes there with row id {}. Then the latch is let go.",
                               latched, cell_written(step), trace_.key, write.row);
    } else if (write.done == write_done::replaced) {
      step.words = fmt::format("{}cell {} has {}, which gets row id {} in place of its own.", latched,
                               cell_written(step), trace_.key, write.row);
    } else if (write.done == write_done::erased) {
      step.words = fmt::format("{}cell {} has {}, and is emptied. Then the latch is let go.", latched,
                               cell_written(step), trace_.key);
    } else {
      step.words = fmt::format("{}{}.", latched, none_is_the_key(trace_, seen));
    }
    step.left_first = 0, step.left_end = 0;
  }

  void tell_stage(trace_step& step, stage at, bool last) {
    const trace_step& filled = trace_.steps[std::min(*leaf_read_ + (coupled() ? 1 : 2), trace_.steps.size() - 1)];
    const u64 leaf = place_of(trace_.steps[*leaf_read_]).node, sibling = watched(filled, "sibling").value_or(0),
              separator = watched(filled, "separator").value_or(0);
    const std::string parent = place_of(trace_.steps[coupled() ? *leaf_read_ - 1 : *leaf_read_ + 1]).words();
    const bool no_room = trace_.write->done == write_done::full;
    step.left_first = 0, step.left_end = last ? 0 : trace_.cells;
    step.where = fmt::format("leaf {}", leaf);
    switch (at) {
      case stage::parent_latched:
        step.where = parent;
        step.brief = "parent latched";
        step.words = fmt::format(
            "The parent, {}, is latched, and read again: it leads to leaf {}, and has room for a separator.", parent,
            leaf);
        step.next = "Take a new leaf.";
        break;
      case stage::filled:
        step.where = fmt::format("leaf {}", sibling);
        step.brief = "sibling filled";
        step.words = no_room
                         ? "No leaf is free for a split: there must be more of them. The parent is unlatched."
                         : fmt::format(
                               "The keys from {} on are copied to the new leaf {}, and {} goes where it belongs. The "
                               "new leaf's link is the old one's. Nobody sees it yet.",
                               separator, sibling, trace_.key);
        step.next = no_room ? "Let go of the leaf." : "Link it.";
        break;
      case stage::linked:
        step.brief = "half split";
        step.words = fmt::format(
            "Half split: the link of leaf {0} leads to leaf {1} now, with {2} as high key. No separator leads to leaf "
            "{1}: "
            "who comes to leaf {0} for a key from {2} on goes by the link.",
            leaf, sibling, separator);
        step.next = "Empty the cells of the pairs that moved.";
        break;
      case stage::left:
        step.brief = "pairs left";
        step.words = fmt::format(
            "The pairs that moved leave leaf {}. Only now: who misses a key here sees the new high key, and goes on.",
            leaf);
        step.next = "Tell the parent.";
        break;
      case stage::separated:
        step.where = parent;
        step.brief = "separator stored";
        step.words = fmt::format("The parent gets the separator {}, which leads to leaf {}, and is unlatched.",
                                 separator, sibling);
        step.next = "Let go of the leaf.";
        break;
      case stage::unlatched:
        step.brief = "unlatched";
        step.words = fmt::format("The leaf is unlatched: {}.",
                                 no_room ? "nothing has changed" : "the split is whole, and the next writer may come");
        break;
    }
    if (last) step.next.clear();
  }
  // The cell of a leaf that a step changed, other than a link.
  u64 cell_written(const trace_step& step) const {
    for (const changed_word& c : step.changed)
      if ((c.array == btree_region::entries || c.array == btree_region::rows) &&
          c.slot % config_.node != node_slots(config_))
        return c.slot;
    return 0;
  }

  lookup_trace& trace_;
  std::optional<std::size_t> leaf_read_;  // of an insert that splits a leaf, the step that finds it full
  btree_config config_;
  const btree_view& tree_;
};

}  // namespace

void tell_tree(lookup_trace& trace, const stored_index& index) { tree_teller(trace, index).tell(); }

}  // namespace pivotscope
