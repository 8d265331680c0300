#include "core/families/buckets/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/families/buckets/slab.hpp"
#include "core/index/row_cells_words.hpp"

namespace pivotscope {
namespace {

class chain_teller {
 public:
  chain_teller(lookup_trace& trace, const stored_index& index)
      : trace_(trace), config_(buckets_config::of(trace.config)), table_(index.state_as<buckets_view>()) {}

  void tell() {
    if (!trace_.steps.empty())
      trace_.start = fmt::format("{}: its bucket is number {} of {}.", hash_words(trace_),
                                 slab_of(trace_.steps.front()), table_.buckets);
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) tell_step(i);
    trace_.verdict = verdict_words(trace_, "slab");
  }

 private:
  u64 slab_of(const trace_step& step) const {
    return step.accesses.empty() ? 0 : step.accesses.front().slot / config_.slab;
  }
  std::string slab_words(u64 slab) const {
    return slab < table_.buckets ? fmt::format("bucket {}", slab) : fmt::format("slab {}", slab);
  }

  void tell_step(std::size_t i) {
    trace_step& step = trace_.steps[i];
    const cells_seen seen = seen_in(trace_, step);
    const bool last = i + 1 == trace_.steps.size();
    step.where = slab_words(slab_of(step));
    step.left_first = 0, step.left_end = trace_.cells;
    if (!trace_.write) step.left = !last ? "full" : trace_.row != not_found ? "found" : seen.end ? "has room" : "end";
    if (trace_.range) return tell_match(step, seen, last, i);
    if (!last) {
      step.words = passed(seen) + ".";
      return on_to(i);
    }
    step.words = trace_.write ? end_of_write(step, seen) : end_of_find(seen);
    const bool found = trace_.row != not_found && seen.key;
    step.left_first = found ? seen.key->slot : 0, step.left_end = found ? seen.key->slot + 1 : 0;
  }

  void on_to(std::size_t i) {
    trace_.steps[i].next = fmt::format("All of its cells are taken, and its link leads on: to slab {} of the pool.",
                                       slab_of(trace_.steps[i + 1]));
  }

  void tell_match(trace_step& step, const cells_seen& seen, bool last, std::size_t i) {
    step.words = seen.with_key == 0 ? passed(seen) + "."
                                    : fmt::format("{} of the {} keys here {} {}.", seen.with_key, seen.live,
                                                  seen.with_key == 1 ? "is" : "are", trace_.key);
    if (!last) return on_to(i);
    step.words +=
        seen.end ? fmt::format(" Cell {} is empty: nothing lies behind it.", seen.end->slot) : " The chain ends here.";
  }

  std::string passed(const cells_seen& seen) const {
    std::string words = none_is_the_key(trace_, seen);
    if (trace_.write && seen.with_key > 0)
      words = fmt::format("{} {} here and erased", seen.with_key, seen.with_key == 1 ? "entry is" : "entries are");
    else if (trace_.write && trace_.write->kind == operation::insert && keeps_all(config_))
      words = fmt::format("{} entr{} here, of whatever keys", seen.live, seen.live == 1 ? "y lies" : "ies lie");
    return words + erased_passed_words(seen);
  }

  std::string end_of_find(const cells_seen& seen) const {
    if (seen.key && seen.key->state == cell_state::live) return found_words(trace_, *seen.key);
    if (seen.key && !keeps_all(config_))
      return fmt::format(
          "Cell {} had {}, which was erased. It keeps its cell until the clean-up, so it lies nowhere else.",
          seen.key->slot, trace_.key);
    if (seen.end) return ends_at_empty_words(trace_, passed(seen), seen.end->slot);
    return fmt::format("{}, and the chain ends here.", passed(seen));
  }

  // How an entry came into its cell.
  std::string how_stored(const trace_step& step) const {
    if (in_one_word(config_) && step.changed.size() == 1)
      return "by one compare-and-swap of key and row id as one word";
    return claimed_and_stored;
  }

  std::string end_of_write(const trace_step& step, const cells_seen& seen) const {
    const traced_write& write = *trace_.write;
    // A link that became busy: an entry went into a slab of its own.
    const auto busy = std::find_if(step.changed.begin(), step.changed.end(), [&](const changed_word& c) {
      return c.array == buckets_region::entries && c.slot % config_.slab == link_cell(config_);
    });
    const u64 cell = step.changed.empty() ? 0 : step.changed.front().slot;
    switch (write.done) {
      case write_done::added:
        if (busy != step.changed.end())
          return fmt::format(
              "{}, and the chain ends here. Its link becomes busy by a compare-and-swap, so that nobody else links a "
              "slab; slab {} is taken from the list of free ones, {} stored there with row id {}, and then the link "
              "set.",
              passed(seen), step.changed.back().after, trace_.key, write.row);
        return added_words(trace_, passed(seen), cell, how_stored(step));
      case write_done::revived:
        if (keeps_all(config_))
          return fmt::format("Cell {} is free since its entry was erased: {} goes there with row id {}; {}.", cell,
                             trace_.key, write.row, how_stored(step));
        return changed_words(trace_, cell);
      case write_done::replaced:
        return changed_words(trace_, cell);
      case write_done::full:
        return fmt::format("{}, the chain ends here, and no slab is free: there must be more of them.", passed(seen));
      case write_done::erased:
        return erased_words(step, seen);
      default:
        return end_of_find(seen);
    }
  }

  std::string erased_words(const trace_step& step, const cells_seen& seen) const {
    if (!keeps_all(config_)) return changed_words(trace_, step.changed.empty() ? 0 : step.changed.front().slot);
    const auto here = std::count_if(step.changed.begin(), step.changed.end(),
                                    [&](const changed_word& c) { return c.done && c.array != buckets_region::pool; });
    std::string words = here == 0
                            ? passed(seen)
                            : fmt::format("{} {} here: the mark of an erased entry takes the place of {} row id{}",
                                          here, here == 1 ? "entry with the key is" : "entries with the key are",
                                          here == 1 ? "its" : "their", here == 1 ? "" : "s");
    return words + (seen.end ? fmt::format("; and cell {} is empty, so nothing lies behind it.", seen.end->slot)
                             : "; and the chain ends here.");
  }

  lookup_trace& trace_;
  buckets_config config_;
  const buckets_view& table_;
};

}  // namespace

void tell_chain(lookup_trace& trace, const stored_index& index) { chain_teller(trace, index).tell(); }

}  // namespace pivotscope
