#include "core/families/ordered/build_steps.hpp"

#include "core/families/ordered/dispatch.hpp"
#include "core/families/ordered/mapping.hpp"
#include "core/families/ordered/terms_seen.hpp"
#include "core/families/ordered/words.hpp"

namespace pivotscope {
namespace {

// Where the levels of an array begin, of those whose slots lie together.
std::vector<u64> begins_of(const ordered_config& config, const index_shape& shape, region_id array) {
  std::vector<u64> begins;
  for (u32 level = 0; level < shape.levels; ++level) {
    const level_run run = level_slots(config, shape, level);
    if (run.contiguous && run.array == array) begins.push_back(run.first);
  }
  return begins;
}

}  // namespace

std::vector<pass_info> passes_of(const ordered_config& config, const index_shape& shape) {
  std::vector<pass_info> passes;
  if (shape.entry_slots > 0)
    passes.push_back({"entries",
                      "From a slot's number a thread computes the rank of the key that belongs there, loads that key "
                      "from the sorted ones, with its row id, and stores both.",
                      ordered_region::entries, shape.entry_slots, begins_of(config, shape, ordered_region::entries)});
  if (shape.pivot_slots > 0)
    passes.push_back(
        {"pivots",
         "Stored on the way, while the entries are: the thread that has a key in hand which is a pivot stores it here "
         "too, for a pass of its own would read all keys again. Only pivots that stay empty have one.",
         ordered_region::pivots, shape.pivot_slots, begins_of(config, shape, ordered_region::pivots)});
  return passes;
}

build_step step_of_build(const ordered_config& config, const index_shape& shape, u32 pass, u64 slot) {
  slot_told told{config, shape, slot};
  const dynamic_config dynamic{config};
  told.rank = with_order(dynamic, [&](auto order) {
    return pass == 0 ? order.entry_source(dynamic, shape, slot, told.terms)
                     : order.pivot_source(dynamic, shape, slot, told.terms);
  });
  build_step step;
  step.rank = told.rank;
  if (pass == 0)
    step.turn = entry_turn(config, shape, slot);
  else
    step.turn = told.rank == no_rank ? empty_pivot_turn(config, shape, slot) : told.rank;
  step.at_once = told.rank == no_rank && pass == 1 ? 1 : entries_at_once;
  step.empty = told.rank == no_rank;
  if (told.terms.has(build_term::level)) step.level = told.terms[build_term::level];
  with_words(config.order, [&](auto words) {
    if (pass == 0)
      decltype(words)::build_entry(told, step);
    else
      decltype(words)::build_pivot(told, step);
  });
  return step;
}

}  // namespace pivotscope
