#include "core/families/cgrx_nodes/write_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/index/answer_words.hpp"
#include "core/index/step_words.hpp"

namespace pivotscope {
namespace {

std::string entries_words(u64 count) { return fmt::format("{} entr{}", count, count == 1 ? "y" : "ies"); }

class write_teller {
 public:
  write_teller(lookup_trace& trace, const cgrx_nodes_config& config, const cgrx_nodes_view& view,
               const cgrx_nodes_model& model)
      : trace_(trace), config_(config), view_(view), model_(model) {}

  void tell() {
    trace_.start = fmt::format(
        "As a batch by itself: each bucket has a thread, which looks in the sorted batch for what is its own. {} "
        "belongs to "
        "the first bucket whose bound is not smaller. No ray is needed.",
        trace_.key);
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
      trace_step& step = trace_.steps[i];
      const trace_step* const next = i + 1 < trace_.steps.size() ? &trace_.steps[i + 1] : nullptr;
      switch (stage_of(step)) {
        case stage::counters:
          tell_counters(step);
          break;
        case stage::bucket:
          tell_bucket(step);
          break;
        case stage::head:
          tell_head(step, next);
          break;
        case stage::entry:
          tell_entry(step, next);
          break;
        case stage::split:
          tell_split(step);
          break;
        case stage::merged_in:
          tell_merged_in(step);
          break;
        case stage::closed:
          tell_closed(step);
          break;
        case stage::next_node:
          tell_next_node(step);
          break;
      }
      tell_counted(step);
      if (next) step.next = next_words(*next);
      step.left_first = first_, step.left_end = end_;
    }
    trace_.verdict = answer_words(trace_);
    if (split_) trace_.verdict += fmt::format(" Node {} was split.", *split_);
    if (merged_ > 0) trace_.verdict += fmt::format(" {} left the chain.", merged_ == 1 ? "A node" : "Nodes");
  }

 private:
  enum class stage : u8 { counters, bucket, head, entry, split, merged_in, closed, next_node };

  static bool writes_to(const trace_step& step, region_id region) {
    return std::ranges::any_of(step.changed, [&](const changed_word& word) { return word.array == region; });
  }
  static bool reads(const trace_step& step, region_id region) {
    return std::ranges::any_of(step.accesses, [&](const memory_access& access) { return access.array == region; });
  }
  // The last value that a step had under a name of the source.
  static std::optional<u64> watched(const trace_step& step, std::string_view name) {
    const auto found = std::ranges::find(step.watched, name, &watched_value::name);
    return found == step.watched.end() ? std::nullopt : std::optional(found->value);
  }
  stage stage_of(const trace_step& step) const {
    if (watched(step, "fresh")) return stage::split;
    if (watched(step, "other.size")) return stage::next_node;
    if (reads(step, node_region::bounds)) return stage::bucket;
    if (!reads(step, main_region)) return reads(step, node_region::heads) ? stage::head : stage::counters;
    if (!writes_to(step, main_region)) return stage::entry;
    return trace_.write->kind == operation::insert ? stage::merged_in : stage::closed;
  }

  // Whether the write is the bucket's own, or one that reaches into it.
  static bool is_own_part(const trace_step& step) { return watched(step, "begin") != watched(step, "end"); }
  static u64 bucket_of(const trace_step& step) { return watched(step, "bucket_").value_or(0); }
  static u64 node_in_hand(const trace_step& step) { return watched(step, "node_").value_or(0); }
  std::string node_words(u64 node) const { return model_.node_words(node); }
  // A node for which the pool would grow has no cells yet.
  void look_at(u64 first, u64 end) { first_ = std::min(first, trace_.cells), end_ = std::min(end, trace_.cells); }
  void look_at_cells_of(u64 node) { look_at(node * config_.node, (node + 1) * config_.node); }

  std::string next_words(const trace_step& next) const {
    switch (stage_of(next)) {
      case stage::counters:
        return "Begin to count.";
      case stage::bucket:
        return is_own_part(next)
                   ? fmt::format("The thread of bucket {} finds what is its own.", bucket_of(next))
                   : fmt::format("Bucket {} may begin with entries of {}, too.", bucket_of(next), trace_.key);
      case stage::head:
        return fmt::format("Look at the head of {}.", node_words(node_in_hand(next)));
      case stage::entry:
        return fmt::format("Look at {}.", slots_read_words(next));
      case stage::split:
        return "Split it: take a node from the pool.";
      case stage::merged_in:
        return "There is room: put the entry in.";
      case stage::closed:
        return "Move up what stays.";
      case stage::next_node:
        return "Can it be merged with the next one?";
    }
    return "";
  }

  void tell_counters(trace_step& step) {
    step.where = "the pool's counters";
    step.words = "They have what the batch before counted, and are set to 0.";
    step.brief = "set to 0";
  }

  // What a bucket's thread counts, at the end of all that it does.
  void tell_counted(trace_step& step) const {
    if (stage_of(step) == stage::counters) return;
    for (const changed_word& word : step.changed) {
      if (word.array != node_region::pool || word.slot != pool_erased_beside) continue;
      const auto beside = static_cast<std::int32_t>(word.after - word.before);
      step.words += fmt::format(" A counter notes: {} {} went than there were erases.",
                                entries_words(static_cast<u64>(std::abs(beside))), beside < 0 ? "fewer" : "more");
    }
  }

  void tell_bucket(trace_step& step) {
    const u64 bucket = bucket_of(step);
    own_ = is_own_part(step), nodes_looked_at_ = 0;
    step.where = fmt::format("the bound of bucket {}", bucket);
    step.brief = fmt::format("bucket {}", bucket);
    if (!is_own_part(step)) {
      step.words = fmt::format(
          "The bucket before ends with {} itself. The build cuts buckets anywhere, so more entries of it may begin "
          "here.",
          trace_.key);
    } else if (bucket + 1 == view_.buckets) {
      step.words = fmt::format("The last bucket has no end: {}", bucket == 0 ? "it is the only one." : "");
      if (bucket > 0)
        step.words += fmt::format("{} is above the bound of bucket {}, and belongs here.", trace_.key, bucket - 1);
    } else {
      step.words =
          bucket == 0
              ? fmt::format("{} is not above the bound of the first bucket, and belongs here.", trace_.key)
              : fmt::format("{} is above the bound of bucket {} and not above that of bucket {}: its thread has it.",
                            trace_.key, bucket - 1, bucket);
    }
    first_ = 0, end_ = trace_.cells;
  }

  void tell_head(trace_step& step, const trace_step* next) {
    const u64 node = node_in_hand(step), size = watched(step, "head_.size").value_or(0);
    step.where = fmt::format("the head of {}", node_words(node));
    step.brief = fmt::format("node {}", node);
    // An erase that took something comes back to the chain's begin, to merge nodes.
    if (step.compared.empty()) {
      step.words = fmt::format("It has {} now{}", entries_words(size),
                               next && stage_of(*next) == stage::next_node ? "." : ", and no node follows.");
      return;
    }
    if (step.compared.front().met == relation::miss) {
      step.words = fmt::format("This node is for keys up to {}, and {} is greater: on along the chain.",
                               watched(step, "head_.greatest").value_or(0), trace_.key);
      return;
    }
    look_at_cells_of(node);
    const std::string has = fmt::format("the node has {} and room for {}.", entries_words(size), config_.node);
    const bool inserts = trace_.write->kind == operation::insert, first = nodes_looked_at_++ == 0;
    step.words = inserts || (own_ && first) ? fmt::format("{} belongs here: {}", trace_.key, has)
                                            : fmt::format("More entries of {} may be here: {}", trace_.key, has);
    if (size == config_.node && inserts) step.words += " It is full.";
  }

  void tell_entry(trace_step& step, const trace_step* next) {
    const comparison& seen = step.compared.back();
    step.where = fmt::format("{}, {}", node_words(seen.slot / config_.node), slots_read_words(step));
    const bool searches = watched(step, "middle").has_value();
    if (seen.key == trace_.key)
      step.words = searches ? fmt::format("{} is equal: it or one before it is the first.", seen.key)
                            : fmt::format("Slot {} has {}: this entry goes.", seen.slot, seen.key);
    else
      step.words = fmt::format("{} is {} than {}{}.", seen.key, seen.key < trace_.key ? "less" : "greater", trace_.key,
                               searches ? "" : ": no entry of it is left in this node");
    if (!next && trace_.write->done == write_done::absent) step.words += " Nothing is erased.";
    if (seen.key < trace_.key)
      first_ = seen.slot + 1;
    else
      end_ = std::max(first_, seen.slot + 1);
  }

  void tell_split(trace_step& step) {
    const u64 node = node_in_hand(step), fresh = watched(step, "fresh").value_or(0), half = config_.node / 2;
    split_ = node;
    const char* const pool = fresh < view_.room ? "The pool gives" : "The pool is empty: it grows, and gives";
    step.where = fmt::format("{} and linked node {}", node_words(node), fresh);
    step.brief = fmt::format("node {} is new", fresh);
    step.words = fmt::format(
        "{} node {}. The upper {} entries go there, with the old greatest key and what follows in the chain. The other "
        "{} "
        "stay in {}; the last of them, {}, is its greatest key now, and it leads to node {}.",
        pool, fresh, half, half, node_words(node), watched(step, "head_.greatest").value_or(0), fresh);
    look_at_cells_of(node);
  }

  void tell_merged_in(trace_step& step) {
    const u64 node = node_in_hand(step), before = watched(step, "left").value_or(0),
              size = watched(step, "head_.size").value_or(1), moved = size - 1 - before;
    const u64 slot = node * config_.node + before;
    step.where = fmt::format("{}, {}", node_words(node), slots_read_words(step));
    step.brief = fmt::format("slot {}", slot);
    step.words = moved == 0 ? fmt::format("No key here is greater, so {} goes behind them", trace_.key)
                            : fmt::format("From the back, {} one cell, and {} goes",
                                          moved == 1 ? "1 entry with a greater key moves"
                                                     : fmt::format("{} entries with greater keys move", moved),
                                          trace_.key);
    step.words +=
        fmt::format(" into slot {}, with row id {}. The head gets the size {}.", slot, trace_.write->row, size);
    look_at(slot, slot + 1);
  }

  void tell_closed(trace_step& step) {
    const u64 node = node_in_hand(step), size = watched(step, "head_.size").value_or(0);
    step.where = node_words(node);
    step.brief = entries_words(size);
    step.words =
        fmt::format("What stays moves up, the cells behind it are emptied, and the head gets the size {}.", size);
    look_at_cells_of(node);
  }

  void tell_next_node(trace_step& step) {
    const u64 node = node_in_hand(step), size = watched(step, "head_.size").value_or(0),
              next = watched(step, "next").value_or(0), other = watched(step, "other.size").value_or(0),
              half = config_.node / 2;
    step.where = fmt::format("{} and {}", node_words(node), node_words(next));
    const std::string both =
        fmt::format("In {} and {} are {} and {} entries", node_words(node), node_words(next), size, other);
    if (writes_to(step, node_region::heads)) {
      ++merged_;
      step.brief = fmt::format("node {} is free", next);
      step.words =
          size + other <= half
              ? fmt::format("{}, at most half a node together. The second is merged into the first, and is free.", both)
              : fmt::format("{}: one of the two is empty. The second is merged into the first, and is free.", both);
    } else {
      step.brief = "both stay";
      step.words = fmt::format("{}: more than {}, half a node, together. Both stay.", both, half);
    }
  }

  lookup_trace& trace_;
  const cgrx_nodes_config& config_;
  const cgrx_nodes_view& view_;
  const cgrx_nodes_model& model_;
  u64 first_ = 0, end_ = 0;  // cells of the main region that may still be written
  bool own_ = true;          // of the bucket whose steps are told: it is the key's
  u32 nodes_looked_at_ = 0;  // of that bucket
  std::optional<u64> split_;
  u64 merged_ = 0;
};

}  // namespace

void tell_node_write(lookup_trace& trace, const cgrx_nodes_config& config, const cgrx_nodes_view& view,
                     const cgrx_nodes_model& model) {
  write_teller(trace, config, view, model).tell();
}

}  // namespace pivotscope
