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
          "The root is node 0. In each inner node the last separator that is not above {} leads down, and {} level{} "
          "below the root lie{} the leaves.",
          trace_.key, tree_.levels, tree_.levels == 1 ? "" : "s", tree_.levels == 1 ? "s" : "");
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) tell_step(i);
    trace_.verdict = verdict_words(trace_, "node");
  }

 private:
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

  void tell_step(std::size_t i) {
    trace_step& step = trace_.steps[i];
    const place here = place_of(step);
    const bool last = i + 1 == trace_.steps.size();
    step.where = here.words();
    step.left_first = 0, step.left_end = trace_.cells;
    if (here.leaf)
      tell_leaf(step, i);
    else
      tell_inner(step, i);
    if (last || !step.next.empty()) return;
    const place to = place_of(trace_.steps[i + 1]);
    step.next = here.leaf == to.leaf && trace_.steps[i + 1].level == step.level
                    ? fmt::format("Along the link, to {}.", to.words())
                    : fmt::format("Down to {}.", to.words());
  }

  void tell_inner(trace_step& step, std::size_t i) {
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
    (void)i;
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
    const auto sibling = watched(step, "sibling"), separator = watched(step, "separator");
    const std::string latched = "The leaf is latched, so that nobody else writes it, and looked through: ";
    switch (write.done) {
      case write_done::added:
        if (sibling && separator) {
          step.words = fmt::format(
              "{0}it is full, and has no {1}. Its keys from {2} on are copied to the new leaf {3}, {1} to where it "
              "belongs. "
              "Then the leaf's link leads to leaf {3}, with {2} as high key: half split, but who looks for a key that "
              "moved finds it by the link. The pairs that moved are emptied here, and the parent, latched, gets the "
              "separator {2}. Now the latches are let go.",
              latched, trace_.key, *separator, *sibling);
        } else {
          step.words = fmt::format("{}cell {} is empty, and {} goes there with row id {}. Then the latch is let go.",
                                   latched, cell_written(step), trace_.key, write.row);
        }
        break;
      case write_done::replaced:
        step.words = fmt::format("{}cell {} has {}, which gets row id {} in place of its own.", latched,
                                 cell_written(step), trace_.key, write.row);
        break;
      case write_done::full:
        step.words = fmt::format("{}it is full, and no node is free for a split: there must be more of them.", latched);
        break;
      case write_done::erased:
        step.words = fmt::format("{}cell {} has {}, and is emptied. Then the latch is let go.", latched,
                                 cell_written(step), trace_.key);
        break;
      default:
        step.words = fmt::format("{}{}.", latched, none_is_the_key(trace_, seen));
    }
    step.left_first = 0, step.left_end = 0;
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
  btree_config config_;
  const btree_view& tree_;
};

}  // namespace

void tell_tree(lookup_trace& trace, const stored_index& index) { tree_teller(trace, index).tell(); }

}  // namespace pivotscope
