// What the trace machine writes down of a lookup: steps, and in each what was read, from where, by which lane, what was
// compared, and what is left.
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

// One load, store or atomic instruction of one lane: `slots` adjacent slots of an array.
struct memory_access {
  region_id array{};
  memory_space space = memory_space::global;
  u64 slot = 0;
  u32 slots = 0;
  u64 byte_offset = 0;  // from the array's begin, or from that of the block's scratch
  u32 bytes = 0;
  u32 lane = 0;
  u32 step = 0;
  access_kind kind = access_kind::load;
};

// A word that a write put in place of another; or tried to, where a compare-and-swap found something else.
struct changed_word {
  region_id array{};
  u64 slot = 0;
  u32 offset = 0, bytes = 0;  // of the word, within the slot
  u64 before = 0, after = 0;
  access_kind kind = access_kind::store;
  bool done = true;
};

// A key that a step compared with the one looked for, or whatever else it met.
struct comparison {
  region_id array{};
  u64 slot = 0;
  u64 rank = no_rank;  // position in sorted order; no_rank: an empty slot, or a family without ranks
  u64 key = 0;
  u32 lane = 0;
  // Looked-for key against this one; without an order between keys `other` where they differ. In a scan the range against it:
  // less, it ends before; equal, this one is in it; greater, it begins behind. For a successor the value after the key
  // against this one, which is what is searched for; in a look at what may come next equal, this one is greater than the
  // key; greater, it is not.
  relation met = relation::equal;
  bool empty = false;  // no entry is there, and the slot is passed over
  cell_state state =
      cell_state::live;  // what the slot was then: an erased one has a key, and is passed over all the same
  bool keyless = false;  // the search told how it lies to what is there, which has no key (host_memory::met)
};

// What a search has in hand in a step, beside what it looks for.
enum class held_kind : u8 {
  number,  // a sum so far
  entry,   // one on its way to a cell, or that had to leave its own
  place,   // where it goes on: `value` is how the family numbers it
};
struct held_thing {
  std::string_view name;  // as the source has it: "entry", "leaf"
  held_kind kind = held_kind::number;
  u64 value = 0;        // the number; of an entry its key
  u32 row = not_found;  // of an entry
  region_id region{};   // of a place: its first cell
  u64 cell = 0;
  bool operator==(const held_thing&) const = default;
};

enum class step_kind : u8 {
  search,     // a step of the search, for a range's low end
  scan,       // a range's entries in adjacent slots, read by the lookup's own lanes
  warp_scan,  // ... by the 32 lanes of the warp
  next,       // for a successor: the first entry from the search's path on, which may be the next
};

// A line of the source that a step ran: a call of the memory's vocabulary (core/simt) stands there.
struct source_line {
  std::string_view file;  // as included: "core/families/ordered/probe.hpp"; its text: source_text()
  u32 line = 0;           // from 1
  u32 depth = 0;          // 0: in the search itself; 1: in what it calls, ...
  bool reads = false;     // it loads, or what it calls does

  bool is_at(std::string_view in, u32 number) const { return line == number && file == in; }
};

enum class watched_kind : u8 { number, truth, row };

inline constexpr u32 every_lane = ~0u;

// A value under the name that the source has for it, as it was when the step was last there.
struct watched_value {
  std::string_view name;  // "node[i]"
  u64 value = 0;
  watched_kind kind = watched_kind::number;
  u32 lane = every_lane;
};

struct trace_step {
  step_kind kind = step_kind::search;
  u32 level = 0;  // level of the search tree that is read
  std::vector<memory_access> accesses;
  std::vector<comparison> compared;   // in the order of the lanes: from left to right within a node
  std::vector<changed_word> changed;  // of a write, in its order
  std::vector<held_thing> in_hand;    // each name once, as it was last; none in the traces of a warp
  // What is still possible after this step, half open: ranks of keys, or without ranks cells of the main region.
  u64 left_first = 0, left_end = 0;
  std::string where;  // in the index's words: "level 2", "home window 12", "leaf 103", "slots 32 to 63"
  std::string
      left;  // what is still possible, likewise: "7 left"; of a window why the search goes on, or ends: "full". Empty: of a write
  std::string words;  // "9 is less than 10, so 10 and everything after it is out. 7 of 14 keys are left."
  std::string next;   // where the search goes: "go left: slot 2 * 1 = 2"; empty at the end
  std::string brief;  // of a step that compares no key what it comes to, in a few words: "block 12: leaf 103"
  std::string
      doubt;  // what the step cannot tell, so that another may have to go on: "The key may lie one leaf earlier."
  std::vector<source_line> ran;        // each once, in the order in which they ran first; none in the traces of a warp
  u32 main_line = 0;                   // of `ran`: where the search itself first read, or where the step began
  std::vector<watched_value> watched;  // in the order of the source
};

// What a range lookup looked for beside its low end, and found.
struct traced_range {
  u64 high = 0;  // inclusive
  range_answer answer;
};

// An insert or an erase: what it wrote, and came to. The index that is traced stays as it is.
struct traced_write {
  operation kind = operation::insert;
  u32 row = not_found;  // that an insert gives
  write_done done = write_done::not_done;
};

struct lookup_trace {
  index_config config;
  u64 keys = 0;   // n; of an index that changed, those that it has
  u64 cells = 0;  // of its main region
  u64 key = 0;    // looked for; of a range the low end; the one whose successor is wanted
  std::optional<traced_range> range;
  std::optional<successor_answer> successor;  // of a lookup that asks for one: what it came to
  std::optional<traced_write> write;          // of one that changes the index
  u32 row = not_found;                        // the answer
  u64 slot = no_rank;                         // cell of the main region where it was found
  std::vector<trace_step> steps;
  std::string start;           // where the search begins, in words; empty without steps
  std::string verdict;         // "9 is there: row id 6." / "8 is not in the index: ..."
  u64 bytes = 0;               // loaded from global memory
  u64 scratch_bytes = 0;       // loaded from scratch
  u64 requests = 0;            // loads from global memory, lane by lane
  u64 sectors = 0, lines = 0;  // distinct 32-byte sectors and 128-byte lines touched, counted once a step
  u64 distinct_sectors = 0, distinct_lines = 0;  // ... counted once
};

// What its search looks for: the key, a range's low end, or for a successor the value after the key.
inline u64 searched_key(const lookup_trace& trace) {
  if (!trace.successor) return trace.key;
  return trace.config.keys == key_width::u32 ? key_after(static_cast<u32>(trace.key)) : key_after(trace.key);
}

}  // namespace pivotscope
