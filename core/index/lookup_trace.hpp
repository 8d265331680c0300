// lookup_trace: what the trace machine records of one lookup. It is a list of steps; each step says what was read,
// where, by which lane, what was compared, and what is still possible afterwards.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/common/answers.hpp"
#include "core/common/operation.hpp"
#include "core/config/index_config.hpp"
#include "core/index/rank.hpp"
#include "core/simt/access_kind.hpp"
#include "core/simt/region.hpp"
#include "core/simt/relation.hpp"

namespace pivotscope {

enum class memory_space : u8 { global, scratch };

// One load, store or atomic instruction of one lane, on `slots` adjacent slots of an array.
struct memory_access {
  region_id array{};
  memory_space space = memory_space::global;
  u64 slot = 0;
  u32 slots = 0;
  u64 byte_offset = 0;  // from the begin of the array, or of the block's scratch
  u32 bytes = 0;
  u32 lane = 0;
  u32 step = 0;
  access_kind kind = access_kind::load;
};

// A word that a write replaced, or tried to: a compare-and-swap may find something else than it expects.
struct changed_word {
  region_id array{};
  u64 slot = 0;
  u32 offset = 0, bytes = 0;  // of the word, within the slot
  u64 before = 0, after = 0;
  access_kind kind = access_kind::store;
  bool done = true;
};

// A key that a step compared with the searched key, or whatever else the step met.
struct comparison {
  region_id array{};
  u64 slot = 0;
  u64 rank = no_rank;  // position in sorted order; no_rank: an empty slot, or a family without an order
  u64 key = 0;
  u32 lane = 0;
  // How the searched key compares with this one; without an order between keys, `other` if they differ. In a scan, how
  // the range lies to this key. less: the range ends before it. equal: the key is in the range. greater: the range
  // begins behind it. For a successor the searched key is the value after the given key. In a look at what may come
  // next, equal: this key is greater than the given key; greater: it is not.
  relation met = relation::equal;
  bool empty = false;  // no entry is here; the search passes the slot by
  // The state of the slot at that time. An erased slot has a key, and is passed by all the same; but in an index with an
  // order its key may tell on which side the search goes on, and then it is not `empty`.
  cell_state state = cell_state::live;
  bool keyless = false;  // has no key; the search told how it compares (host_memory::met)
};

// What a search carries along in a step, beside the searched key.
enum class held_kind : u8 {
  number,  // such as a sum so far
  entry,   // an entry on its way to a cell, or one that had to leave its cell
  place,   // where the search goes on: `value` is the number that the family gives it
};
struct held_thing {
  std::string_view name;  // as the source has it: "entry", "leaf"
  held_kind kind = held_kind::number;
  u64 value = 0;        // the number; of an entry, its key
  u32 row = not_found;  // of an entry
  region_id region{};   // of a place: its first cell
  u64 cell = 0;
  bool operator==(const held_thing&) const = default;
};

enum class step_kind : u8 {
  search,     // a step of the search; of a range, the search for its low end
  scan,       // a range's entries in adjacent slots, read by the lookup's own lanes
  warp_scan,  // the same by the 32 lanes of the warp
  next,       // for a successor: looks at the first entry after the search's path, which may be the next
};

// A line of the source that a step ran: a call of the memory's vocabulary (core/simt).
struct source_line {
  std::string_view file;  // as included: "core/families/ordered/probe.hpp"; its text: source_text()
  u32 line = 0;           // from 1
  u32 depth = 0;          // 0: in the search itself; 1: in a function that it calls, ...
  bool reads = false;     // true if it loads, or if what it calls loads

  bool is_at(std::string_view in, u32 number) const { return line == number && file == in; }
};

enum class watched_kind : u8 { number, truth, row };

inline constexpr u32 every_lane = ~0u;

// A value under its name in the source, as it was when the step last passed there.
struct watched_value {
  std::string_view name;  // "node[i]"
  u64 value = 0;
  watched_kind kind = watched_kind::number;
  u32 lane = every_lane;
};

struct trace_step {
  step_kind kind = step_kind::search;
  u32 level = 0;  // level of the search tree that the step reads
  std::vector<memory_access> accesses;
  std::vector<comparison> compared;   // in the order of the lanes, which is from left to right within a node
  std::vector<changed_word> changed;  // by a write, in its order
  std::vector<held_thing> in_hand;    // each name once, with its last value; empty in the traces of a warp
  // What is still possible after this step, half open: ranks of keys, or cells of the main
  // region if there are no ranks.
  u64 left_first = 0, left_end = 0;
  std::string where;  // in the index's words: "level 2", "home window 12", "leaf 103", "slots 32 to 63"
  // What is still possible, in words: "7 left". Of a window, why the search goes on or ends: "full". Empty: of a write.
  std::string left;
  std::string words;  // "9 is less than 10, so 10 and everything after it is out. 7 of 14 keys are left."
  std::string next;   // where the search goes next: "go left: slot 2 * 1 = 2"; empty at the end
  std::string brief;  // the result of a step that compares no key, in a few words: "block 12: leaf 103"
  // What the step cannot tell, so that another one may have to go on: "The key may lie one leaf earlier."
  std::string doubt;
  std::vector<source_line> ran;  // each line once, in the order in which they first ran; empty in the traces of a warp
  u32 main_line = 0;  // the main one of `ran`: where the search itself first read, or else where the step began
  std::vector<watched_value> watched;  // in the order of the source
};

// What a range lookup is asked for beside its low end, and what it found.
struct traced_range {
  u64 high = 0;  // inclusive
  range_answer answer;
};

// An insert or an erase, and its outcome. The traced index itself does not change.
struct traced_write {
  operation kind = operation::insert;
  u32 row = not_found;  // the row id that an insert gives
  write_done done = write_done::not_done;
};

struct lookup_trace {
  index_config config;
  u64 keys = 0;   // n; of an index that changed, the keys that it has now
  u64 cells = 0;  // of the main region
  operation asked = operation::find;
  u64 key = 0;  // the searched key; of a range the low end; of a successor or a lower bound the given key
  std::optional<traced_range> range;          // of a range, and of matches that are served as one
  std::optional<successor_answer> successor;  // of a successor or a lower bound: its answer
  std::optional<traced_write> write;          // of an insert or an erase
  u32 row = not_found;                        // the answer
  u64 slot = no_rank;                         // the cell of the main region where it was found
  std::vector<trace_step> steps;
  std::string start;                             // where the search begins, in words; empty without steps
  std::string verdict;                           // "9 is there: row id 6." / "8 is not in the index: ..."
  u64 bytes = 0;                                 // loaded from global memory; sum over the lanes
  u64 scratch_bytes = 0;                         // loaded from scratch; sum over the lanes
  u64 requests = 0;                              // loads from global memory, counted per lane
  u64 sectors = 0, lines = 0;                    // 32-byte sectors and 128-byte lines; each counts once per step
  u64 distinct_sectors = 0, distinct_lines = 0;  // the same; each counts once per lookup
};

// Returns what the search looks for: the key, a range's low end, or for a successor the value after the given key.
inline u64 searched_key(const lookup_trace& trace) {
  if (!trace.successor || takes_itself(trace.asked)) return trace.key;
  return trace.config.keys == key_width::u32 ? key_after(static_cast<u32>(trace.key)) : key_after(trace.key);
}

}  // namespace pivotscope
