// What the steps of a trace say of a cell: whether one read it, and how its key lay. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/index/model.hpp"
#include "core/machine/trace/trace.hpp"

namespace pivotscope::viz {

enum class read_mark : u8 { none, before, now };  // thin outline, thick outline

// What the current step has to say about a cell, when it says anything.
struct cell_reads {
  read_mark mark = read_mark::none;
  u32 step = 0;                          // the last one that read it
  const comparison* compared = nullptr;  // of the current step
};
// Of all steps up to `current`.
cell_reads reads_of(const lookup_trace& trace, u32 current, region_id array, u64 slot);
// The same of a cell without a key, of which no step compares one: by what was loaded.
cell_reads loads_of(const lookup_trace& trace, u32 current, region_id array, u64 slot);

// What lanes read in a step: one lane's load, or those of neighbouring lanes that lie side by side in one array.
struct lane_reads {
  u32 first_lane = 0, last_lane = 0;
  region_id array{};
  memory_space space = memory_space::global;
  u64 byte = 0, bytes = 0;  // from the array's begin, or from scratch's
  access_kind kind = access_kind::load;
};
// In the order of the lanes. Up to `alone` loads stand each by itself, more are put together where they can be.
std::vector<lane_reads> reads_by_lane(const trace_step& step, std::size_t alone = 8);
// Blocks of `size` bytes that a step's loads from an array touch: "0, 2 to 4"; at most `most` parts, then how many
// more.
std::string touched_words(const trace_step& step, region_id array, u64 size, std::size_t most = 6);

// A field of a cell that a step of a write changed, or tried to change.
struct changed_field {
  cell_ref at;
  std::string name;  // "row id"
  field_kind field = field_kind::key;
  u32 begin = 0, bytes = 0;  // of the cell's bytes
  u64 before = 0, after = 0;
  access_kind how = access_kind::store;
  bool done = true;
  bool was_none = false;                          // the key of a cell that held none: what was there says nothing
  std::string told_before = {}, told_after = {};  // what the index says they mean: "leaf 3, latched"

  std::string words() const;      // "empty -> row 5"
  const char* how_words() const;  // a sentence for a stranger
};
// In the order of the write; of a word that spans several fields each. Where a step writes a field twice, both.
std::vector<changed_field> changed_by(const index_model& model, const trace_step& step);
// Does a write's trace change these bytes of an array, in one of its steps up to `current`? Puts in what it wrote.
bool write_over(const index_model& model, const lookup_trace& trace, u32 current, region_id array, u64 byte_offset,
                std::span<std::byte> bytes);

// Was the key of this rank the nearest one on its side of the key looked for, of those that the step compared?
bool decided(const trace_step& step, u64 rank);

// Of the keys that a step compared, those that say it all: the nearest on either side of the one looked for, and one
// that is equal or in the range. Null: none.
struct nearest_keys {
  const comparison *below = nullptr, *above = nullptr, *equal = nullptr;
};
nearest_keys nearest_of(const trace_step& step);
// "> 8  < 10", "no match".
std::string compared_words(const trace_step& step);

// How what a step met lies to what is looked for: "<", "=", ">", a crossed-out "=" where keys have no order; "-" where
// a slot is empty, a cross where it is erased; in a scan "in" for a key that is in the range. With the key looked for,
// or the end of the range that decides, and the key compared: "12 < 14".
const char* comparison_sign(const trace_step& step, const comparison& c);
std::string comparison_words(const lookup_trace& trace, const trace_step& step, const comparison& c);

}  // namespace pivotscope::viz
