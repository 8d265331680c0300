#include "core/families/gph/words.hpp"

#include <fmt/format.h>

#include <optional>

#include "core/families/gph/gph_model.hpp"
#include "core/index/row_cells_words.hpp"

namespace pivotscope {
namespace {

// What the words need of a table.
struct told_table {
  gph_config config;
  const gph_view& view;

  key_place place(u64 key) const {
    return config.keys == key_width::u32 ? place_of(static_cast<u32>(key), view) : place_of(key, view);
  }
  std::string name(u64 bucket) const {
    return bucket < view.buckets ? fmt::format("bucket {}", bucket)
                                 : fmt::format("bucket {} of the spill", bucket - view.buckets);
  }
};

std::optional<u64> watched(const trace_step& step, std::string_view name) {
  for (const watched_value& w : step.watched)
    if (w.name == name) return w.value;
  return std::nullopt;
}

// The bucket that a step looked at; of one that looked at several, nothing.
std::optional<u64> bucket_in(const told_table& table, const trace_step& step) {
  if (step.compared.empty()) return std::nullopt;
  const u64 first = step.compared.front().slot / table.config.bucket,
            last = step.compared.back().slot / table.config.bucket;
  return first == last ? std::optional(first) : std::nullopt;
}
bool tries_mapping(const trace_step& step) { return watched(step, "to.mapping").has_value(); }

// The cells of entries that a step changed, in order.
std::vector<u64> slots_changed(const trace_step& step) {
  std::vector<u64> slots;
  for (const changed_word& word : step.changed)
    if (word.array == gph_region::entries || word.array == gph_region::rows) slots.push_back(word.slot);
  return slots;
}

std::string passed_words(const lookup_trace& trace, const cells_seen& seen) {
  return none_is_the_key(trace, seen) + erased_passed_words(seen);
}

// `again`: an insert is in its second phase now.
void tell_index_step(trace_step& step, const told_table& table, u64 key, bool reads, bool again) {
  const key_place at = table.place(key);
  step.where = fmt::format("cell {} of the index", at.cell);
  const auto value = watched(step, "value");
  if (!value) return;
  const cell_says says = parts_of(static_cast<u32>(*value), table.config);
  const u32 j = virtual_of(at.own, says.mapping, table.config.virtuals), mask = table.config.virtuals - 1;
  step.brief = fmt::format("mapping {}, offset {}", says.mapping, says.offset);
  if (reads) step.left = "a bucket";
  step.words = fmt::format(
      "Cell {} has mapping {} and offset {}. By this mapping a hash of {} leads to virtual bucket {} of {}; the "
      "offset makes it {}.",
      at.cell, says.mapping, says.offset, key, j, table.config.virtuals, (j + says.offset) & mask);
  if (again)
    step.words = fmt::format(
        "The others of its batch are done: the second phase. It latches the cell, so that nobody else moves its keys. "
        "{}",
        step.words);
  step.next = fmt::format(
      "A hash of the cell, its mapping and {} leads to bucket {}: the key can lie nowhere else{}.",
      (j + says.offset) & mask, home_of(at, static_cast<u32>(*value), table.config, table.view),
      some_spilled(static_cast<u32>(*value), table.config) ? ", but in the spill, as the last mapping says" : "");
}

// Routed lookups are those of an index that nobody changes.
std::string routed_words(const told_table& table, u32 cell, const lookup_trace& trace) {
  if (!is_routed(table.config) || trace.write) return {};
  return fmt::format(": it goes to a block whose scratch has part {} of {}", part_of_cell(cell, table.config),
                     ceil_div(table.view.words, words_in_scratch(table.config)));
}

std::string end_of_find(const lookup_trace& trace, const cells_seen& seen) {
  if (seen.key && seen.key->state == cell_state::live) return found_words(trace, *seen.key);
  if (seen.key)
    return fmt::format("Slot {} had {}, which was erased: it lies nowhere else.", seen.key->slot, trace.key);
  return fmt::format("{}: {} is not in the table.", passed_words(trace, seen), trace.key);
}

std::string end_of_write(const lookup_trace& trace, const cells_seen& seen, const trace_step& step) {
  const std::vector<u64> changed = slots_changed(step);
  const u64 slot = changed.empty() ? 0 : changed.front();
  switch (trace.write->done) {
    case write_done::added:
      if (tries_mapping(step)) {
        const u64 mapping = *watched(step, "to.mapping"), offset = watched(step, "to.offset").value_or(0);
        if (mapping == spilled_mapping(gph_config::of(trace.config)))
          return fmt::format(
              "No mapping has room for all. By the last one, with offset {}, fewest find none: they go into the spill, "
              "as the "
              "cell's value says from now on. The others move to their new buckets.",
              offset);
        return fmt::format(
            "Mapping {} with offset {} has room for all. The buckets are latched; the entries leave their slots, the "
            "cell gets "
            "its value, and they come into their new slots, {} among them. Meanwhile the cell's counter is odd.",
            mapping, offset, trace.key);
      }
      return added_words(trace, passed_words(trace, seen), slot,
                         in_one_word(gph_config::of(trace.config))
                             ? "by one compare-and-swap of key and row id as one word"
                             : claimed_and_stored);
    case write_done::revived:
    case write_done::replaced:
    case write_done::erased:
      return changed_words(trace, changed.empty() ? 0 : changed.back());
    case write_done::full:
      return fmt::format("{}, and no slot is empty. The insert waits for the second phase.", passed_words(trace, seen));
    default:
      return end_of_find(trace, seen);
  }
}

void tell_step(lookup_trace& trace, std::size_t i, const told_table& table) {
  trace_step& step = trace.steps[i];
  const bool last = i + 1 == trace.steps.size();
  step.left_first = 0, step.left_end = trace.cells;
  if (is_perfect(table.config) && step.level == 0) return tell_index_step(step, table, trace.key, !trace.write, i > 0);
  const cells_seen seen = seen_in(trace, step);
  const auto bucket = bucket_in(table, step);
  const auto mapping = watched(step, "to.mapping");
  step.where = mapping ? fmt::format("buckets of mapping {}", *mapping) : bucket ? table.name(*bucket) : "buckets";
  if (!last) {
    if (!trace.write) step.left = is_perfect(table.config) ? "the spill" : "full";
    if (mapping) {
      step.words = fmt::format("With no offset do all keys of the cell find room in the {} buckets of mapping {}.",
                               table.config.virtuals, *mapping);
      step.next = "On to the next mapping with which they might.";
    } else {
      step.words = passed_words(trace, seen) + ".";
      step.next = trace.write && !seen.end ? "No slot is empty: the cell has to get another value."
                                           : "Some of the cell's keys are in the spill: on there.";
    }
    return;
  }
  if (!trace.write) step.left = trace.row != not_found ? "found" : "not here";
  step.words = trace.write ? end_of_write(trace, seen, step) : end_of_find(trace, seen);
  const bool found = trace.row != not_found && seen.key;
  step.left_first = found ? seen.key->slot : 0, step.left_end = found ? seen.key->slot + 1 : 0;
}

}  // namespace

void tell_cells(lookup_trace& trace, const stored_index& index) {
  const gph_view& view = index.state_as<gph_view>();
  const told_table table{gph_config::of(trace.config), view};
  const key_place at = table.place(trace.key);
  if (!trace.steps.empty())
    trace.start = is_perfect(table.config)
                      ? fmt::format("A hash of {} leads to cell {} of the index's {}{}.", trace.key, at.cell,
                                    view.cells, routed_words(table, at.cell, trace))
                      : fmt::format("A hash of {} leads to bucket {} of {}.", trace.key,
                                    home_of(at, 0, table.config, view), view.buckets);
  for (std::size_t i = 0; i < trace.steps.size(); ++i) tell_step(trace, i, table);
  trace.verdict = verdict_words(trace, "place");
}

}  // namespace pivotscope
