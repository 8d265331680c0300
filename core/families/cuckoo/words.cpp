#include "core/families/cuckoo/words.hpp"

#include <fmt/format.h>

#include "core/index/row_cells_words.hpp"

namespace pivotscope {
namespace {

// What the words need of a table.
struct told_table {
  cuckoo_config config;
  const cuckoo_view& view;

  u64 bucket_of_cell(u64 cell) const { return cell / config.bucket; }
  bool is_stash(u64 bucket) const { return bucket >= view.buckets; }
  // Which of the key's homes a bucket is; nothing: none.
  std::optional<u32> home_of_key(u64 key, u64 bucket) const {
    for (u32 i = 0; i < config.homes; ++i)
      if ((config.keys == key_width::u32 ? home_of(static_cast<u32>(key), i, view) : home_of(key, i, view)) == bucket)
        return i;
    return std::nullopt;
  }
  std::string name(u64 bucket) const {
    return is_stash(bucket) ? fmt::format("bucket {} of the stash", bucket - view.buckets)
                            : fmt::format("bucket {}", bucket);
  }
};

// The bucket that a step looked at.
std::optional<u64> bucket_in(const told_table& table, const trace_step& step) {
  if (!step.compared.empty()) return table.bucket_of_cell(step.compared.front().slot);
  return std::nullopt;
}

// Buckets that a search looks at where it meets its key in none: the homes, and one of the stash if anything is in that.
u32 buckets_of_search(const told_table& table) { return table.config.homes + (table.view.stashed > 0 ? 1 : 0); }

// Which of these a step looked at: a write looks at them once more when it has the key's latch. Nothing: it looked for room for
// another key.
std::optional<u32> home_in(const told_table& table, const lookup_trace& trace, std::size_t i) {
  const u32 search = buckets_of_search(table);
  if (i >= (trace.write ? 2 : 1) * search) return std::nullopt;
  return static_cast<u32>(i % search);
}

std::string passed_words(const lookup_trace& trace, const cells_seen& seen) {
  return none_is_the_key(trace, seen) + erased_passed_words(seen);
}

// The cells of entries that a step changed, in order; not the counters, nor the latch.
std::vector<u64> cells_changed(const trace_step& step) {
  std::vector<u64> cells;
  for (const changed_word& word : step.changed)
    if (word.array == cuckoo_region::entries || word.array == cuckoo_region::rows) cells.push_back(word.slot);
  return cells;
}

// Why a new key came into this cell of a home, where homes are chosen by how full they are.
std::string chosen_words(const told_table& table, const lookup_trace& trace, u64 cell) {
  const u64 bucket = table.bucket_of_cell(cell), taken = cell % table.config.bucket;
  const u32 most = threshold(table.config);
  const bool iceberg = table.config.placement == cuckoo_placement::iceberg;
  std::string why = fmt::format("Bucket {} has the fewest taken cells of its homes, {}", bucket, taken);
  if (iceberg && table.home_of_key(trace.key, bucket) != 0u)
    why = fmt::format("Of its first home {} cells or more are taken. Bucket {} has the fewest of the others, {}", most,
                      bucket, taken);
  else if (iceberg && taken >= most)
    why = fmt::format("Its other homes are full, so it takes a cell that its first one had kept back, of {} taken",
                      taken);
  else if (iceberg)
    why = fmt::format("Of its first home, bucket {}, {} cells are taken: fewer than {}", bucket, taken, most);
  return fmt::format(
      "{}. With the latch of the key's word, as no key of it came in meanwhile, {} goes into cell {} with row id {}; "
      "{}.",
      why, trace.key, cell, trace.write->row,
      in_one_word(table.config) ? "by one compare-and-swap of key and row id as one word" : claimed_and_stored);
}

std::string end_of_find(const lookup_trace& trace, const cells_seen& seen, bool last_home) {
  if (seen.key && seen.key->state == cell_state::live) return found_words(trace, *seen.key);
  if (seen.key)
    return fmt::format(
        "Cell {} had {}, which was erased. It keeps its cell until the table is cleaned up, so it lies nowhere else.",
        seen.key->slot, trace.key);
  if (seen.end && !last_home) return ends_at_empty_words(trace, passed_words(trace, seen), seen.end->slot);
  return fmt::format("{}, and this was its last home.", passed_words(trace, seen));
}

std::string end_of_write(const told_table& table, const lookup_trace& trace, const cells_seen& seen,
                         const trace_step& step, bool moved, bool last_home) {
  const std::vector<u64> changed = cells_changed(step);
  const u64 cell = changed.empty() ? 0 : changed.back();
  switch (trace.write->done) {
    case write_done::added:
      if (!evicts(table.config) && !table.is_stash(table.bucket_of_cell(cell))) return chosen_words(table, trace, cell);
      if (moved)
        return fmt::format(
            "There is room: the empty cell and the cells of all that move are claimed, from here back to the key's "
            "home. Then each entry moves, the last "
            "one first, and each move is counted before its old cell gets another entry, so that who missed it looks "
            "again. {} "
            "goes into cell {} with row id {}.",
            trace.key, cell, trace.write->row);
      return added_words(trace, passed_words(trace, seen), changed.empty() ? 0 : changed.front(),
                         changed.size() == 1 ? "by one compare-and-swap of the row id, or of key and row id as one word"
                                             : claimed_and_stored);
    case write_done::revived:
      if (!seen.key)
        return fmt::format("An erased entry makes room: {} goes into cell {} with row id {}.", trace.key, cell,
                           trace.write->row);
      return changed_words(trace, cell);
    case write_done::replaced:
    case write_done::erased:
      return changed_words(trace, cell);
    case write_done::full:
      return fmt::format(
          "No room was found for {}: the table is to be built anew, with another seed of the hashes or more buckets.",
          trace.key);
    default:
      return end_of_find(trace, seen, last_home);
  }
}

// Where a search that passed this home goes on, where homes are chosen by how full they are.
std::string on_by_load_words(const told_table& table, const lookup_trace& trace, const cells_seen& seen, bool has_home,
                             u32 home, const std::string& to) {
  if (!seen.end) return fmt::format("It is full, so the key may lie in another: on to {}.", to);
  if (!has_home) return fmt::format("On to {}.", to);
  if (home == 0 && table.config.placement == cuckoo_placement::iceberg)
    return fmt::format("{} of its cells or more are taken, so {} may lie in another home: on to {}.",
                       threshold(table.config), trace.key, to);
  return fmt::format("Another home may have had fewer taken cells when {} came: on to {}.", trace.key, to);
}

void tell_step(lookup_trace& trace, std::size_t i, const told_table& table) {
  trace_step& step = trace.steps[i];
  const cells_seen seen = seen_in(trace, step);
  const auto bucket = bucket_in(table, step);
  const auto home = home_in(table, trace, i);
  const bool last = i + 1 == trace.steps.size();
  step.left_first = 0, step.left_end = trace.cells;
  if (!bucket)
    step.where = "cells";
  else if (home && !table.is_stash(*bucket))
    step.where = fmt::format("home {}, bucket {}", *home, *bucket);
  else
    step.where = table.name(*bucket);
  const char* const passed = evicts(table.config) || !seen.end ? "full" : "has room";
  if (!trace.write) step.left = !last ? passed : trace.row != not_found ? "found" : seen.end ? "has room" : "";
  if (!last) {
    const auto next = bucket_in(table, trace.steps[i + 1]);
    const std::string to = next ? table.name(*next) : std::string("the next cell");
    const u32 search = buckets_of_search(table);
    step.words = home || !evicts(table.config) ? passed_words(trace, seen) + "." : "No cell is empty here.";
    if (!evicts(table.config))
      step.next = on_by_load_words(table, trace, seen, home.has_value(), home.value_or(0), to);
    else if (!home)
      step.next = fmt::format("An entry of this bucket might move in its turn: on to {}, another home of its own.", to);
    else if (*home + 1 < search)
      step.next = fmt::format("It is full, so the key may lie in another home: on to {}.", to);
    else if (i < search)
      step.next = fmt::format(
          "All its homes are full. With the key's latch, so that nobody else makes room for it, once more: on to {}.",
          to);
    else
      step.next =
          fmt::format("All its homes are full. An entry of one might move: on to {}, another home of its own.", to);
    return;
  }
  // Without evictions an empty cell of the last home may not be where the key would have gone.
  const bool last_home = !evicts(table.config) && home && *home + 1 >= table.config.homes;
  step.words =
      trace.write ? end_of_write(table, trace, seen, step, !home, last_home) : end_of_find(trace, seen, last_home);
  const bool found = trace.row != not_found && seen.key;
  step.left_first = found ? seen.key->slot : 0, step.left_end = found ? seen.key->slot + 1 : 0;
}

}  // namespace

void tell_homes(lookup_trace& trace, const cuckoo_view& view) {
  const told_table table{cuckoo_config::of(trace.config), view};
  if (!trace.steps.empty()) {
    std::vector<u64> homes;
    for (u32 i = 0; i < table.config.homes; ++i)
      homes.push_back(table.config.keys == key_width::u32 ? home_of(static_cast<u32>(trace.key), i, view)
                                                          : home_of(trace.key, i, view));
    trace.start = fmt::format("{} of {} lead to bucket{} {} of {}.",
                              table.config.homes == 1 ? "One hash" : fmt::format("{} hashes", table.config.homes),
                              trace.key, homes.size() == 1 ? "" : "s", fmt::join(homes, ", "), view.buckets);
  }
  for (std::size_t i = 0; i < trace.steps.size(); ++i) tell_step(trace, i, table);
  trace.verdict = verdict_words(trace, "bucket");
}

}  // namespace pivotscope
