#include "core/families/lsm/pseudo_code.hpp"

namespace pivotscope {
namespace {

constexpr std::string_view find_file = "core/families/lsm/lsm.hpp", scan_file = "core/families/lsm/scan.hpp";

pseudo_code find_code() {
  return {{"find(key):"},
          {"  for each level, from the newest to the oldest:", {{find_file, "u32 level = 0; level < lsm.levels"}}},
          {"    at = 0    (so many entries of it are known to be smaller)", {{find_file, "auto at = wave.all(0u)"}}},
          {"    step = the greatest power of two up to its number of entries",
           {{find_file, "u32 step = lsm_first_step(n)"}}},
          {"    while step > 0:", {{find_file, "wave.memory.step(level)"}}},
          {"      read the entry in slot at + step - 1, if there is one",
           {{find_file, "wave.memory.template load<cell>(entries, first + slot)"}}},
          {"      if its key is smaller: at = at + step",
           {{find_file, "wave.memory.saw(entries, first + slot"}, {find_file, "at[i] += step * static_cast<u32>"}}},
          {"      if it is the key: this is its newest version", {{find_file, "if (entry.key == wave.keys[i])"}}},
          {"        a tombstone: return none", {{find_file, "if (rows[i] == erased_row)"}}},
          {"        else return its row id", {{find_file, "return rows;"}}, pseudo_when::found},
          {"      step = step / 2", {{find_file, "wave.memory.will_read(entries, first + next"}}},
          {"  return none", {{find_file, "auto rows = wave.all(not_found);"}}, pseudo_when::absent}};
}

// The search for the first entry on each level.
pseudo_code begin_with_search(std::string head, const std::string& low) {
  return {{std::move(head)},
          {"  on all levels at once, a lane each:",
           {{scan_file, "cursors<Warp, Key> cursor{warp.each(0u)"}},
           pseudo_when::begins},
          {"    for step = the greatest power of two up to the entries of the fullest level, half of it, ..., 1:",
           {{scan_file, "u32 step = lsm_first_step(most)"}, {scan_file, "memory.step(0);"}}},
          {"      if the key in slot at + step - 1 is smaller than " + low + ": at = at + step",
           {{scan_file, "memory.template load_part<Key>(lsm_entries"},
            {scan_file, "memory.saw(lsm_entries, lsm.first_cell(lane) + slot, key)"},
            {scan_file, "cursor.at[lane] += step"}}}};
}

// Each line of see_entries() that a step runs.
pseudo_line entries_line() {
  return {"    read the entry at each level's cursor, if the lane has not got it",
          {{scan_file, "see_entries(warp, memory, lsm, cursor,"},
           {scan_file, "memory.template load<cell>(lsm_entries, at)"},
           {scan_file, "memory.saw(lsm_entries, at, cursor.keys[lane])"}}};
}

pseudo_code range_code() {
  return joined(
      begin_with_search("range(low, high):", "low"),
      {{"  repeat:", {{scan_file, "memory.scan_step(lsm.levels, true)"}}},
       entries_line(),
       {"    next = the least key of all levels but the oldest", {{scan_file, "least_entry<Key> next = least_of("}}},
       {"    take 32 entries of the oldest level that are below it and in the range",
        {{scan_file, "memory.template load<cell>(lsm_entries, lsm.first_cell(oldest) + at + lane)"},
         {scan_file, "memory.saw(lsm_entries, lsm.first_cell(oldest) + at + lane"},
         {scan_file, "count += taken, at += taken"}}},
       {"    if all 32 are: read on there", {{scan_file, "if (taken == lsm_warp) continue"}}},
       {"    if next is not in the range: return count, sum",
        {{scan_file, "more = next.is_there() && next.key <= range.high"}},
        pseudo_when::ends},
       {"    the newest level that has next: take its entry, unless it is a tombstone",
        {{scan_file, "const u32 row = warp.told_by(cursor.rows, next.lane)"},
         {scan_file, "count += static_cast<u32>(is_live_row(row))"}},
        pseudo_when::goes_on},
       {"    all levels that have next go on",
        {{scan_file, "pass_by(warp, cursor, next.key)"}},
        pseudo_when::goes_on}});
}

pseudo_code next_code(bool itself) {
  return joined(
      begin_with_search(itself ? "lower bound(key):" : "what comes after(key):", itself ? "the key" : "the key + 1"),
      {{"  repeat:", {{scan_file, "memory.scan_step(lsm.levels, true)"}}},
       entries_line(),
       {"    next = the least key of all levels", {{scan_file, "least_entry<Key> next = least_of("}}},
       {"    if there is none: return none", {{scan_file, "more = next.is_there();"}}, pseudo_when::absent},
       {"    if the newest level that has it has no tombstone: return next and its row id",
        {{scan_file, "if (!more) answer = {next.key, row}"}},
        pseudo_when::found},
       {"    all levels that have next go on",
        {{scan_file, "pass_by(warp, cursor, next.key)"}},
        pseudo_when::goes_on}});
}

}  // namespace

pseudo_code lsm_pseudo_code(operation kind) {
  if (kind == operation::range) return range_code();
  if (answer_of(kind) == answer_kind::next) return next_code(takes_itself(kind));
  return find_code();
}

}  // namespace pivotscope
