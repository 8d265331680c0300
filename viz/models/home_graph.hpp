// A table whose keys have several homes as a graph (core/index/homes_model.hpp): its buckets are the vertices, and a key is an edge
// between its homes, or with more than two of them a hyperedge. An edge points from the bucket where the key lies to its other homes,
// so an insert that makes room follows edges: from a home of the new key to a home of the key that lies there, and so on. Pure.
//
//   row 0   the homes of the key looked for
//   row k   buckets to which k entries have to move, each to the next one's bucket
//   last    buckets to which no such way leads, but whose keys have homes among the others; of a small table all
//
// The rows are those of the table as it is before the operation in view. So a bucket keeps its place while its steps go by.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/common/answers.hpp"
#include "core/index/homes_model.hpp"
#include "core/index/lookup_trace.hpp"

namespace pivotscope::viz {

struct graph_cell {
  u64 cell = 0;  // of the main region
  cell_state state = cell_state::empty;
  u64 key = 0;  // of a live or an erased one
};

struct graph_bucket {
  u64 bucket = 0;
  u32 row = 0;
  bool is_stash = false;
  bool is_reached = true;  // false: no way leads here
  double middle = 0;       // across the picture, 0 to 1, where it stands if it has room
  std::vector<graph_cell> cells = {};

  // Its cells that may get an entry: empty ones, and those of erased entries.
  u32 room() const;
};

// A live key.
struct graph_edge {
  u64 key = 0;
  u32 from = 0;  // the bucket where it lies, as a number in the graph's list, and which of its cells
  u32 cell = 0;
  struct end {
    u32 bucket = 0;         // in the graph's list
    bool may_move = false;  // its entry may move there at once
  };
  std::vector<end> to = {};  // its other homes
  u32 left_out = 0;          // other homes that are not in the picture
};

struct home_graph {
  u64 sought = 0;                          // the key looked for
  std::vector<graph_bucket> buckets = {};  // row by row
  std::vector<graph_edge> edges = {};
  std::vector<u32> homes = {};  // of the sought key, in the list
  u32 rows = 0;
  u64 of_buckets = 0;  // that the table has, those of the stash left out
  bool is_closed =
      false;  // no key that lies elsewhere has a home in it, nor one that lies in it elsewhere: a component, or several

  // The number in the list of a bucket of the table.
  std::optional<u32> find(u64 bucket) const;
  bool is_whole() const;  // all buckets are in the picture
};

// How much of a large table is in the picture.
struct graph_bounds {
  u32 buckets = 24;
  u32 rows = 10;
  u32 read = 64;  // buckets that the trace's steps read; these may be more than `buckets`
};

// Lays out the buckets around the homes of the key that a trace looks for: those that its steps read first, then the nearest ones, then
// those that a key joins to these, and all of a table that has no more than the bound. `read` reads the table as it was before the
// trace. Nothing: some bytes are not at hand.
std::optional<home_graph> make_home_graph(const index_model& model, const homes_model& homes, const region_reader& read,
                                          const lookup_trace& trace, const graph_bounds& bounds = {});
// Puts in what the buckets hold, and an edge for each of their keys. Returns false if some bytes are not at hand.
bool fill_home_graph(home_graph& graph, const index_model& model, const homes_model& homes, const region_reader& read);

// Where an insert of a key that is not in the table may find room.
struct room_search {
  std::optional<u32> moves = {};  // the fewest entries that have to move; nothing: none of the buckets has room
  u64 buckets = 0, cells = 0;     // that a way leads to, up to the first that has room
  u64 keys = 0;                   // live, in them
  bool all = true;                // false: there are more than were looked at
  bool closed = false;            // no key of them has a home elsewhere
};
inline constexpr u64 most_searched = 256;  // buckets
std::optional<room_search> search_room(const index_model& model, const homes_model& homes, const region_reader& read,
                                       u64 key, u64 most = most_searched);
// What the table, before the operation in view, says of the key looked for.
std::string room_words(const home_graph& graph, const room_search& search, bool has_stash);

// An entry that an insert means to move: from the bucket of `cell` to another home, `to`.
struct eviction {
  u32 step = 0;  // that looked for room there
  u64 key = 0, cell = 0, to = 0;
};
// The way that the insert has found up to a step, from its first entry on. Empty where this step looks for none.
std::vector<eviction> evictions_of(const lookup_trace& trace, u32 step);

}  // namespace pivotscope::viz
