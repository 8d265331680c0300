#include "core/families/cgrx_nodes/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/bucket_scene/ray_words.hpp"
#include "core/families/cgrx_nodes/cgrx_nodes_model.hpp"
#include "core/index/answer_words.hpp"
#include "core/index/index_reader.hpp"
#include "core/index/step_words.hpp"

namespace pivotscope {
namespace {

class node_teller {
 public:
  node_teller(lookup_trace& trace, const stored_index& index, const cgrx_nodes_model& model)
      : trace_(trace),
        reader_(index),
        config_(cgrx_nodes_config::of(index.config())),
        view_(index.state_as<cgrx_nodes_view>()),
        model_(model),
        rays_(index, node_region::scene, view_, model.scene()),
        end_(trace.cells) {}

  void tell() {
    if (!trace_.steps.empty()) begin();
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
      trace_step& step = trace_.steps[i];
      const trace_step* const next = i + 1 < trace_.steps.size() ? &trace_.steps[i + 1] : nullptr;
      if (rays_.is_of_rays(step))
        tell_ray(step, next);
      else if (step.kind != step_kind::search)
        tell_scan(step, next);
      else if (looks_at_head(step))
        tell_head(step, next);
      else
        tell_entries(step, next);
      step.left_first = std::min(first_, end_), step.left_end = end_;
      step.left = count_left_words(step);
    }
    trace_.verdict = answer_words(trace_);
  }

 private:
  static bool looks_at_head(const trace_step& step) {
    return !step.compared.empty() && step.compared.front().array == node_region::heads;
  }
  u64 searched() const { return searched_key(trace_); }
  u64 node_of(u64 slot) const { return slot / config_.node; }

  void begin() {
    const u64 key = searched();
    if (rays_.is_of_rays(trace_.steps.front())) {
      trace_.start = rays_.start_words(key);
    } else if (key <= view_.least_representative || view_.buckets == 1) {
      trace_.start = view_.buckets == 1
                         ? "There is one bucket: no ray is needed."
                         : fmt::format("{} is not greater than the least representative, {}: bucket 0, without a ray.",
                                       key, view_.least_representative);
    } else {
      trace_.start = fmt::format(
          "{} is greater than all keys that the scene was built over: it belongs to the last bucket, {}, which has no "
          "end. No ray is needed.",
          key, view_.buckets - 1);
    }
  }

  void tell_ray(trace_step& step, const trace_step* next) {
    const auto bucket = rays_.tell(step, next);
    if (bucket && next) step.next = fmt::format("Bucket {} begins with node {}: look at its head.", *bucket, *bucket);
  }

  // Says of how many entries the node has, and takes them as what is left.
  void enter(u64 node) {
    const auto head = model_.head_of(node, std::ref(reader_));
    first_ = node * config_.node, end_ = first_ + (head ? head->size : config_.node);
  }

  void tell_head(trace_step& step, const trace_step* next) {
    const comparison& seen = step.compared.front();
    const u64 node = seen.slot;
    const auto head = model_.head_of(node, std::ref(reader_));
    step.where = fmt::format("the head of {}", model_.node_words(node));
    if (seen.met == relation::miss) {
      step.words = head ? fmt::format("This node is for keys up to {}, and {} is greater.", head->greatest, searched())
                        : fmt::format("The keys of this node are smaller than {}.", searched());
      step.brief = "greater";
      if (next) step.next = "On to the next node of the chain.";
      return;
    }
    enter(node);
    step.words = fmt::format("{} belongs here, if it is there: the node has {} entr{}.", searched(), end_ - first_,
                             end_ - first_ == 1 ? "y" : "ies");
    step.brief = fmt::format("node {}", node);
    if (next)
      step.next =
          next->kind == step_kind::search
              ? fmt::format("Search them {}.", config_.search == bucket_search::binary ? "by halves" : "entry by entry")
              : "On to the next node that has entries.";
  }

  void tell_entries(trace_step& step, const trace_step* next) {
    const comparison& c = step.compared.back();
    step.where = fmt::format("{}, {}", model_.node_words(node_of(c.slot)), slots_read_words(step));
    const bool found = !next && trace_.row != not_found && !trace_.range && !trace_.successor;
    if (found) {
      first_ = c.slot, end_ = c.slot + 1;
      step.words = fmt::format("Slot {} has {}. Found.", c.slot, c.key);
      return;
    }
    const bool smaller = c.met == relation::greater;  // than the searched key
    if (c.met == relation::equal) {
      step.words = fmt::format("{} is equal: it or one before it is the first.", c.key);
    } else {
      step.words = step.compared.size() > 1 ? fmt::format("{} entries are read. ", step.compared.size()) : "";
      step.words += fmt::format("{} is {} than {}.", c.key, smaller ? "less" : "greater", searched());
    }
    if (smaller)
      first_ = c.slot + 1;
    else
      end_ = std::max(first_, trace_.range || trace_.successor || c.met == relation::equal ? c.slot + 1 : c.slot);
    if (next) {
      step.next =
          next->kind != step_kind::search ? "Read on from there." : fmt::format("Look at {}.", slots_read_words(*next));
      return;
    }
    if (!trace_.range && !trace_.successor) end_ = first_, step.words += " The node does not have the key.";
    if (trace_.range || trace_.successor) step.words += " Nothing follows: that was the last node.";
  }

  // Entries in their order, of a range or what comes next; and the head of a node that is entered.
  void tell_scan(trace_step& step, const trace_step* next) {
    const auto is_entry = [](const comparison& c) { return !c.keyless; };
    const bool enters = looks_at_head(step);
    const auto entry = std::ranges::find_if(step.compared, is_entry);
    if (enters) {
      const u64 node = step.compared.front().slot;
      step.where = model_.node_words(node);
      step.words = fmt::format("On to {}. ", model_.node_words(node));
      enter(node);
    } else {
      step.where = slots_read_words(step);
    }
    if (entry == step.compared.end()) {
      step.words += "It has no entries.";
      step.brief = "empty";
    } else if (trace_.successor) {
      first_ = entry->slot, end_ = entry->slot + 1;
      step.words += fmt::format("Slot {} has {}, the first that is {}.", entry->slot, entry->key,
                                takes_itself(trace_.asked) ? "not smaller" : "greater");
      if (entry->met == relation::greater)
        step.words = fmt::format("Slot {} has {} itself, and nothing is greater.", entry->slot, entry->key);
    } else {
      const auto inside = std::ranges::count_if(
          step.compared, [&](const comparison& c) { return is_entry(c) && c.met == relation::equal; });
      step.words += fmt::format("{} of these keys {} in the range.", inside == 0 ? "None" : std::to_string(inside),
                                inside == 1 ? "is" : "are");
      first_ = entry->slot, end_ = first_ + static_cast<u64>(inside);
    }
    if (next) {
      step.next = trace_.successor ? "On to the next node." : "The range goes on: read on.";
      return;
    }
    if (!trace_.range) return;
    const comparison& last = step.compared.back();
    step.words += !last.keyless && last.met != relation::equal
                      ? fmt::format(" {} is greater than {}: the scan ends.", last.key, trace_.range->high)
                      : " No node follows: the scan ends.";
  }

  lookup_trace& trace_;
  index_reader reader_;
  cgrx_nodes_config config_;
  const cgrx_nodes_view& view_;
  const cgrx_nodes_model& model_;
  ray_words rays_;
  u64 first_ = 0, end_;  // cells of the main region that may still have what is asked for
};

}  // namespace

void tell_nodes(lookup_trace& trace, const stored_index& index) {
  const cgrx_nodes_model model(cgrx_nodes_config::of(index.config()), index.state_as<cgrx_nodes_view>());
  node_teller(trace, index, model).tell();
}

}  // namespace pivotscope
