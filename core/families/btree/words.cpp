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
    if (!trace_.steps.empty() && !place_of(trace_.steps.front()).leaf)
      trace_.start = fmt::format(
          "The root is node 0. In each inner node the last separator that is not above {} leads down, and the leaves "
          "lie "
          "{} level{} below the root.",
          trace_.key, tree_.levels, tree_.levels == 1 ? "" : "s");
    else if (!trace_.steps.empty())
      trace_.start = "The greatest key has leaves of its own, to which no separator leads.";
    find_splits();
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) tell_step(i);
    const auto leaf = std::ranges::find_if(splits_, [](const split& one) { return one.at.leaf; });
    trace_.verdict = leaf != splits_.end() && trace_.write->done == write_done::added
                         ? fmt::format("{} {}", answer_words(trace_),
                                       leaf->run              ? fmt::format("The run of {} is longer.", trace_.key)
                                       : begins_run_at(*leaf) ? fmt::format("A run of {} begins.", trace_.key)
                                                              : fmt::format("Leaf {} was split.", leaf->at.node))
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

  // Stages of an insert that splits a full node: a step each, behind the one that reads the node.
  enum class stage : u8 { parent_latched, next_looked_at, filled, linked, left, separated, unlatched };
  struct split {
    place at;                   // the node
    std::size_t read = 0;       // the step that finds it full
    std::vector<stage> stages;  // of the steps behind that one
    bool no_room = false;
    bool run = false;  // it is not split: the run that goes on there gets longer
  };
  // With duplicates: how a full leaf's run gets longer, if the steps behind step `i` do that.
  std::optional<split> longer_run_at(std::size_t i, const place& at) const {
    if (!keeps_all(config_) || !at.leaf) return std::nullopt;
    const auto& accesses = trace_.steps[i + 1].accesses;
    const auto array = accesses.empty() ? btree_region::pool : accesses.front().array;
    if (array == btree_region::inner || array == btree_region::children) return std::nullopt;  // a parent is latched
    split found{at, i, {}, trace_.write->done == write_done::full, true};
    const std::size_t behind = trace_.steps.size() - 1 - i;
    const bool looked = watched(trace_.steps[i + 1], "next").has_value();
    if (looked) found.stages.push_back(stage::next_looked_at);
    if (behind > 2 || !looked) found.stages.push_back(stage::filled);
    if (behind > (looked ? 3u : 2u)) found.stages.push_back(stage::linked);
    found.stages.push_back(stage::unlatched);
    return found;
  }
  std::vector<stage> stages_of(const place& at, bool no_room) const {
    std::vector<stage> list;
    const bool root = !at.leaf && at.node == 0;
    if (!root && !coupled()) list.push_back(stage::parent_latched);
    list.push_back(stage::filled);
    if (!no_room) list.push_back(stage::linked);
    if (!no_room && !root) list.insert(list.end(), {stage::left, stage::separated});
    list.push_back(stage::unlatched);
    return list;
  }
  void find_splits() {
    if (!trace_.write || trace_.write->kind != operation::insert) return;
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
      const place at = place_of(trace_.steps[i]);
      // Behind a leaf there is nothing, or its split.
      const bool full = at.leaf ? i + 1 < trace_.steps.size() : watched(trace_.steps[i], "way.full").value_or(0) != 0;
      if (!full) continue;
      if (auto run = longer_run_at(i, at)) {
        splits_.push_back(*std::move(run));
        return;
      }
      split found{at, i, stages_of(at, false)};
      found.no_room = i + found.stages.size() >= trace_.steps.size();
      if (found.no_room) found.stages = stages_of(at, true);
      i += found.stages.size();
      splits_.push_back(std::move(found));
    }
  }
  // Null: the step reads a node.
  const split* split_of(std::size_t i) const {
    const auto found = std::ranges::find_if(
        splits_, [&](const split& one) { return one.read < i && i <= one.read + one.stages.size(); });
    return found == splits_.end() ? nullptr : &*found;
  }
  const split* split_read_by(std::size_t i) const {
    const auto found = std::ranges::find(splits_, i, &split::read);
    return found == splits_.end() ? nullptr : &*found;
  }

  void tell_step(std::size_t i) {
    trace_step& step = trace_.steps[i];
    if (const split* of = split_of(i))
      return tell_stage(step, *of, of->stages[i - of->read - 1], i + 1 == trace_.steps.size());
    const place here = place_of(step);
    const bool last = i + 1 == trace_.steps.size();
    step.where = here.words();
    step.left_first = 0, step.left_end = trace_.cells;
    if (here.leaf)
      tell_leaf(step, i);
    else
      tell_inner(step);
    if (last || !step.next.empty()) return;
    if (split_read_by(i) != nullptr && (here.leaf || here.node != 0)) {
      step.next = coupled()               ? "Split it: its parent is still latched."
                  : split_read_by(i)->run ? "Its run goes on, or begins to: look at the next leaf, or take a new one."
                                          : "Split it: latch its parent, too.";
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
    if (watched(step, "way.full").value_or(0) != 0) return tell_full_inner(step);
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
  void tell_full_inner(trace_step& step) {
    const place here = place_of(step);
    step.brief = "latched, full";
    step.words =
        fmt::format("All cells of the {} are taken. It is latched, and split {}.", here.node == 0 ? "root" : "node",
                    here.node == 0 ? "in place" : "before anything below it needs another one");
    if (here.node == 0) step.next = "Split it: take two new nodes.";
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
    if (!splits_.empty() && splits_.back().at.leaf) {
      step.words = keeps_all(config_) ? fmt::format("{}it is full.", latched)
                                      : fmt::format("{}it is full, and has no {}.", latched, trace_.key);
      step.brief = "latched, full";
    } else if (write.done == write_done::added) {
      step.words = fmt::format("{}cell {} is empty, and {} goes there with row id {}. Then the latch is let go.",
                               latched, cell_written(step), trace_.key, write.row);
    } else if (write.done == write_done::replaced) {
      step.words = fmt::format("{}cell {} has {}, which gets row id {} in place of its own.", latched,
                               cell_written(step), trace_.key, write.row);
    } else if (const auto entries = watched(step, "entries"); entries.value_or(0) > 0) {
      step.words = fmt::format("{}{} of its entries ha{} the key {}, and {} removed. Then the latch is let go.",
                               latched, *entries, *entries == 1 ? "s" : "ve", trace_.key, *entries == 1 ? "is" : "are");
    } else if (write.done == write_done::erased) {
      step.words = fmt::format("{}cell {} has {}, and is emptied. Then the latch is let go.", latched,
                               cell_written(step), trace_.key);
    } else {
      step.words = fmt::format("{}{}.", latched, none_is_the_key(trace_, seen));
    }
    step.left_first = 0, step.left_end = 0;
  }

  // What a split makes: of the root two nodes, of any other one its right sibling.
  struct halves {
    std::string left, right;
    u64 separator = 0;
  };
  halves halves_of(const split& of) const {
    const std::size_t number =
        static_cast<std::size_t>(std::ranges::find(of.stages, stage::filled) - of.stages.begin());
    const trace_step& filled = trace_.steps[of.read + 1 + number];
    const auto left = watched(filled, "left");
    const u64 right = left ? *left + 1 : watched(filled, "sibling").value_or(0);
    return {left ? place{false, *left}.words() : of.at.words(), place{of.at.leaf, right}.words(),
            watched(filled, "separator").value_or(0)};
  }

  void tell_stage(trace_step& step, const split& of, stage at, bool last) {
    if (of.run) return tell_run_stage(step, of, at, last);
    const auto [left, right, separator] = halves_of(of);
    const bool begins_run = begins_run_at(of);
    const std::string node = of.at.words(), kind = of.at.leaf ? "leaf" : "node";
    const std::string parent = place_of(trace_.steps[coupled() && of.read > 0 ? of.read - 1 : of.read + 1]).words();
    const bool root = !of.at.leaf && of.at.node == 0;
    step.left_first = 0, step.left_end = last ? 0 : trace_.cells;
    step.where = node;
    switch (at) {
      case stage::parent_latched:
        step.where = parent;
        step.brief = "parent latched";
        step.words = fmt::format(
            "The parent, {}, is latched, and read again: it leads to {}, and has room for a separator.", parent, node);
        step.next = fmt::format("Take a new {}.", kind);
        break;
      case stage::filled:
        tell_filled(step, of, left, right, separator);
        break;
      case stage::linked:
        step.brief = root ? "split in place" : begins_run ? "a run begins" : "half split";
        step.words =
            begins_run
                ? fmt::format("The run of {0} goes on: the link of {1} leads to {2}, which has entries of {0}, too.",
                              trace_.key, node, right)
            : root ? fmt::format(
                         "The root leads to {} and {} alone, with the separator {}. It stays node 0, and the tree "
                         "has a level more: who has read the root as it was still comes to the right nodes.",
                         left, right, separator)
                   : fmt::format(
                         "Half split: the link of {0} leads to {1} now, with {2} as high key. No separator leads "
                         "to {1}: who comes to {0} for a key from {2} on goes by the link.",
                         node, right, separator);
        step.next = root         ? "Let go of the root."
                    : begins_run ? "No pair moves."
                                 : "Empty the cells of the pairs that moved.";
        break;
      case stage::left:
        step.brief = "pairs left";
        step.words = begins_run
                         ? fmt::format("No pair leaves {}: all have the run's key.", node)
                         : fmt::format(
                               "The pairs that moved leave {}. Only now: who misses a key here sees the new high "
                               "key, and goes on.",
                               node);
        step.next = "Tell the parent.";
        break;
      case stage::separated:
        step.where = parent;
        step.brief = "separator stored";
        step.words =
            begins_run && !stores_separator(step)
                ? fmt::format("What is above {} has a leaf already. The parent is unlatched as it was.", trace_.key)
                : fmt::format("The parent gets the separator {}, which leads to {}, and is unlatched.", separator,
                              right);
        step.next = fmt::format("Let go of the {}.", kind);
        break;
      case stage::next_looked_at:  // of runs alone
      case stage::unlatched:
        step.brief = "unlatched";
        step.words = fmt::format("The {} is unlatched: {}.", root ? "root" : kind,
                                 of.no_room   ? "nothing has changed"
                                 : of.at.leaf ? "the split is whole, and the next writer may come"
                                              : "the split is whole, and there is room on the way");
        step.next = "Once more from the root.";
        break;
    }
    if (last) step.next.clear();
  }
  void tell_filled(trace_step& step, const split& of, const std::string& left, const std::string& right,
                   u64 separator) const {
    const char* const kind = of.at.leaf ? "leaf" : "node";
    if (of.no_room) {
      step.words = fmt::format("No {} is free for a split: there must be more of them.{}", kind,
                               of.at.leaf || of.at.node != 0 ? " The parent is unlatched." : "");
      step.next = fmt::format("Let go of the {}.", kind);
    } else if (left != of.at.words()) {
      step.where = fmt::format("{}, {}", left, right);
      step.words =
          fmt::format("The pairs below {} are copied to the new {}, the others to the new {}. Nobody sees the two yet.",
                      separator, left, right);
      step.next = "Lead the root to them.";
    } else if (begins_run_at(of)) {
      step.where = right;
      step.words = fmt::format(
          "All of its keys are {}: a run begins. The new entry goes to the new {}, whose link is the "
          "old leaf's. Nobody sees it yet.",
          trace_.key, right);
      step.next = "Link it.";
    } else {
      step.where = right;
      step.words =
          fmt::format("The {} from {} on are copied to the new {}{}. Its link is the old {}'s. Nobody sees it yet.",
                      of.at.leaf ? "keys" : "pairs", separator, right,
                      of.at.leaf ? fmt::format(", and {} goes where it belongs", trace_.key) : "", kind);
      step.next = "Link it.";
    }
    step.brief = left != of.at.words() ? "halves filled" : "sibling filled";
  }
  // Of a leaf that is split: whether nothing moves, and a run begins.
  bool begins_run_at(const split& of) const {
    for (std::size_t i = of.read + 1; i <= of.read + of.stages.size() && i < trace_.steps.size(); ++i)
      if (watched(trace_.steps[i], "at_key.begins_run").value_or(0) != 0) return true;
    return false;
  }
  bool stores_separator(const trace_step& step) const {
    return std::ranges::any_of(step.changed, [&](const changed_word& c) {
      return (c.array == btree_region::inner || c.array == btree_region::children) &&
             c.slot % config_.node != node_slots(config_);
    });
  }
  void tell_run_stage(trace_step& step, const split& of, stage at, bool last) const {
    const std::string leaf = of.at.words();
    const std::size_t first = of.read + 1;
    const auto next = watched(trace_.steps[first], "next");
    step.left_first = 0, step.left_end = last ? 0 : trace_.cells;
    step.where = leaf;
    switch (at) {
      case stage::next_looked_at:
        step.where = fmt::format("leaf {}", next.value_or(0));
        step.brief = "next leaf";
        step.words =
            std::ranges::find(of.stages, stage::filled) == of.stages.end()
                ? fmt::format("The run of {} goes on in {}, which is latched and has room: the entry goes there.",
                              trace_.key, step.where)
                : fmt::format("The run of {} goes on in {}, which is full, too.", trace_.key, step.where);
        step.next = "";
        break;
      case stage::filled:
        step.brief = of.no_room ? "" : "new leaf";
        step.words = of.no_room ? "No leaf is free: there must be more of them."
                                : fmt::format(
                                      "A new leaf, {}, gets the entry. Its link is the full leaf's. Nobody sees it "
                                      "yet, and no separator will lead to it.",
                                      watched(step, "sibling").value_or(0));
        step.next = of.no_room ? "" : "Link it.";
        break;
      case stage::linked:
        step.brief = "in the run";
        step.words = fmt::format("The link of {} leads to it: it is the run's second leaf now.", leaf);
        step.next = "Let go of the leaf.";
        break;
      default:
        step.brief = "unlatched";
        step.words = fmt::format("The leaf is unlatched{}.", of.no_room ? ": nothing has changed" : "");
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
  std::vector<split> splits_;
  btree_config config_;
  const btree_view& tree_;
};

}  // namespace

void tell_tree(lookup_trace& trace, const stored_index& index) { tree_teller(trace, index).tell(); }

}  // namespace pivotscope
