#include "core/families/cgrx_nodes/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/bucket_scene/bucket_words.hpp"
#include "core/bucket_scene/ray_words.hpp"
#include "core/families/cgrx_nodes/cgrx_nodes_model.hpp"
#include "core/families/cgrx_nodes/write_words.hpp"
#include "core/index/index_reader.hpp"
#include "core/index/step_words.hpp"

namespace pivotscope {
namespace {

class node_teller : bucket_words {
 public:
  node_teller(lookup_trace& trace, const stored_index& index, const cgrx_nodes_model& model)
      : bucket_words(trace, trace.cells),
        reader_(index),
        config_(cgrx_nodes_config::of(index.config())),
        view_(index.state_as<cgrx_nodes_view>()),
        model_(model),
        rays_(index, node_region::scene, view_, model.scene()) {}

  void tell() {
    if (!trace_.steps.empty()) begin();
    tell_steps([&](trace_step& step, const trace_step* next) {
      if (rays_.is_of_rays(step))
        tell_ray(step, next);
      else if (step.kind != step_kind::search)
        tell_scan(step, next);
      else if (looks_at_head(step))
        tell_head(step, next);
      else
        tell_entries(step, next);
    });
  }

 private:
  static bool looks_at_head(const trace_step& step) {
    return !step.compared.empty() && step.compared.front().array == node_region::heads;
  }
  u64 node_of(u64 slot) const { return slot / config_.node; }

  void begin() {
    const u64 key = searched();
    if (rays_.is_of_rays(trace_.steps.front())) {
      trace_.start = rays_.start_words(key);
    } else if (key <= view_.least_representative || view_.buckets == 1) {
      trace_.start = view_.buckets == 1 ? "There is one bucket: no ray is needed."
                                        : first_bucket_words(key, view_.least_representative);
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
    if (tell_found(step, next)) return;
    tell_compared(step);
    if (next) {
      step.next =
          next->kind != step_kind::search ? "Read on from there." : fmt::format("Look at {}.", slots_read_words(*next));
      return;
    }
    if (is_lookup())
      end_ = first_, step.words += " The node does not have the key.";
    else
      step.words += " Nothing follows: that was the last node.";
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
      step.words += first_words(*entry);
      if (entry->met == relation::greater)
        step.words = fmt::format("Slot {} has {} itself, and nothing is greater.", entry->slot, entry->key);
    } else {
      const auto inside = std::ranges::count_if(
          step.compared, [&](const comparison& c) { return is_entry(c) && c.met == relation::equal; });
      step.words += inside_words(static_cast<u64>(inside));
      first_ = entry->slot, end_ = first_ + static_cast<u64>(inside);
    }
    if (next) {
      step.next = trace_.successor ? "On to the next node." : "The range goes on: read on.";
      return;
    }
    if (!trace_.range) return;
    const comparison& last = step.compared.back();
    step.words +=
        !last.keyless && last.met != relation::equal ? scan_end_words(last) : " No node follows: the scan ends.";
  }

  index_reader reader_;
  cgrx_nodes_config config_;
  const cgrx_nodes_view& view_;
  const cgrx_nodes_model& model_;
  ray_words rays_;
};

}  // namespace

void tell_nodes(lookup_trace& trace, const stored_index& index) {
  const cgrx_nodes_config config = cgrx_nodes_config::of(index.config());
  const cgrx_nodes_model model(config, index.state_as<cgrx_nodes_view>());
  if (trace.write)
    tell_node_write(trace, config, index.state_as<cgrx_nodes_view>(), model);
  else
    node_teller(trace, index, model).tell();
}

}  // namespace pivotscope
