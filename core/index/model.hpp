// index_model: what views, words and tests ask of an index: its regions and what their cells are, the nodes that they
// stand for, and ranks where the family has an order. Pure and host only: a model follows from the config and the
// number of keys, and reads no memory. What costs more than a few levels says so.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/common/expect.hpp"
#include "core/common/portable.hpp"
#include "core/config/index_config.hpp"
#include "core/index/rank.hpp"
#include "core/simt/region.hpp"

namespace pivotscope {

class stored_index;

enum class field_kind : u8 { key, row_id, padding, other };

// A part of a cell.
struct cell_field {
  std::string name;  // "row id"
  u32 offset = 0;    // bytes from the cell's begin
  u32 bytes = 0;
  field_kind kind = field_kind::key;
};

// A part that is no whole bytes, of a cell or of several that are packed together.
struct bit_field {
  std::string name;         // "high bits of the key"
  u32 first = 0, bits = 0;  // from the lowest bit of the first byte on
  field_kind kind = field_kind::key;
  std::optional<u32> cell = {};  // of the pack's, the one that it is a part of; nothing: of the pack

  u32 end() const { return first + bits; }
};

// Cells lie side by side, each in `cell_bytes` of its own; or packed: `cells_a_pack` of them share these bytes. A packed cell
// has a part of its own, where it is said to begin, and may have bits behind the last of those.
struct region_info {
  std::string id;                        // as JSON has it: "entries"
  std::string name;                      // of its cells in a sentence: "entries"
  std::string cell_name;                 // of one of them: "entry"
  std::string title;                     // of the region in a picture: "keys"
  std::string meaning;                   // a sentence for a stranger
  u64 cells = 0;                         // empty ones too; 0: this index has no such region
  u32 cell_bytes = 0;                    // from a cell to the next, or from a pack to the next
  std::vector<cell_field> fields;        // of a cell, by offset and without a gap; none where there are `bits`
  std::optional<region_id> beside = {};  // its cell i belongs to cell i of that region (struct of arrays)
  u32 cells_a_pack = 1;
  std::vector<bit_field> bits = {};  // of a pack, by `first` and without a gap; none where `fields` say it

  const cell_field* field(field_kind kind) const;  // null: its cells have none of whole bytes
  bool has(field_kind kind) const;                 // in whole bytes or in bits

  u64 pack_of(u64 cell) const { return cell / cells_a_pack; }
  u64 packs() const { return ceil_div<u64>(cells, cells_a_pack); }
  u64 bytes_of(u64 count) const {
    return ceil_div<u64>(count, cells_a_pack) * cell_bytes;
  }  // of so many, from a pack on
  u64 bytes() const { return bytes_of(cells); }
  // Bytes [first, second) that are the cell's alone.
  std::pair<u64, u64> own_bytes(u64 cell) const;
  u64 byte_of(u64 cell) const { return own_bytes(cell).first; }
  // The cell whose byte it is; of bytes that packed cells share the last that begins before them. Also beyond the end.
  u64 cell_at(u64 byte) const;
};

// The region in which lookups end: of its cells each key has one.
inline constexpr region_id main_region{0};

struct cell_ref {
  region_id region = main_region;
  u64 cell = 0;
  bool operator==(const cell_ref&) const = default;
};

// What a cell holds. An empty or an erased one may have a key that means nothing: its row id says so.
struct cell_value {
  std::optional<u64> key;
  std::optional<u32> row;
  bool operator==(const cell_value&) const = default;
};

// Copies bytes of a region, wherever the index lies. False: they are not at hand, and `out` is not written; who reads
// pages that come later has asked for them by then.
using region_reader = std::function<bool(region_id region, u64 byte, std::span<std::byte> out)>;

struct cell_info {
  bool empty = true;
  u64 rank = no_rank;  // of the key in it, in families with an order
  u32 level = 0;       // of the search that can first read it; 0 is the root
};

// Cells [first, first + count) of a region.
struct cell_run {
  region_id region = main_region;
  u64 first = 0;
  u64 count = 0;
};

// What one step of a search reads together.
struct tree_node {
  u32 level = 0;
  region_id region = main_region;
  u64 first = 0;      // cell
  u32 cells = 0;      // empty ones too, and those that the last node lacks
  double middle = 0;  // 0 to 1 across the tree
  int parent = -1;    // of the same list, before this one; of its own level where a search goes on to a neighbour
  u32 gap = 0;        // of the parent: how many of its cells lie to the left of the way here
  u64 stride = 1;     // from one of its cells to the next
  std::optional<u64> id = {};  // of one that lives on while others come and go: where it stands it stays

  u64 cell(u32 i) const { return first + i * stride; }
};

// A step may lead from one node of a list to another.
struct node_link {
  u32 from = 0, to = 0;
  u32 gap = 0;  // how many of the one's cells lie to the left of the way
};

// What a cell holds leads to others, of any region: to `cells` of them, side by side.
struct cell_link {
  cell_ref from, to;
  u64 cells = 1;
  bool operator==(const cell_link&) const = default;
};

// A node that could be stored and is not.
struct missing_node {
  tree_node node;          // as if it were stored; its parent is another missing one, or -1
  std::vector<u64> ranks;  // of the keys that its cells would hold, no_rank in an empty one
};

// Levels above the entries that a config may store or leave out, from the root down.
struct stored_levels {
  std::string name;        // of one: "pivot level"
  std::string meaning;     // a sentence for a stranger
  std::string knob;        // of the config's line, that says how many are stored: "pivots"
  region_id region{};      // in which they lie
  std::vector<u64> cells;  // of every level that could be stored
  u32 kept = 0;            // levels that are stored: the first ones
  u64 kept_bytes = 0, whole_bytes = 0;
  u64 leaf_entries = 0, leaf_bytes = 0;  // of what the last stored level leads to: keys, and row ids beside them

  u32 whole() const { return static_cast<u32>(cells.size()); }
  u64 saved_bytes() const { return whole_bytes - kept_bytes; }
};

// What every block copies into its scratch: keys, or whole cells.
struct pinned_cells {
  std::vector<cell_ref> cells;  // where they come from, in scratch's order; all of one region
  u32 whole = 0;                // the first of them: what the first `steps` steps read
  u32 steps = 0;
  u32 cell_bytes = 0;  // of one in scratch
  u64 room = 0;        // bytes that the config gives them
};

// Windows of cells, side by side in the main region: each node is one, and what a step of a search reads. From one a search
// goes on to another that follows from the key alone, until it meets what ends it.
struct probe_windows {
  u64 count = 0;
  u32 cells = 0;        // of each
  std::string meaning;  // how a search goes on from one, in a sentence for a stranger
};

// What a part may be, and what that means in a sentence for a stranger.
struct part_kind {
  std::string name;  // "plain"
  std::string meaning;
};
// How full a part is.
struct part_fill {
  u32 filled = 0;
  u32 kind = 0;  // of the list
  bool operator==(const part_fill&) const = default;
};
// Keys from the first to the last.
struct key_span {
  u64 first = 0, last = 0;
  bool operator==(const key_span&) const = default;
};

// Equal parts of an index that are filled more or less: windows of a table, buckets of a key range.
struct fill_parts {
  std::string name;         // of one: "bucket"
  std::string meaning;      // a sentence for a stranger
  std::string unit, units;  // what fills them: "leaf", "leaves"
  u64 count = 0;            // of the parts
  u32 room = 0;             // of each, as much as it is made for
  std::string beyond = {};  // what becomes of one that has more: "marks, a node or a run"
  region_id region = main_region;
  u32 cells = 1;                      // of that region that a part is, side by side
  std::vector<part_kind> kinds = {};  // what a part may be; one alone: there is nothing to tell apart
};

// The threads that serve a lookup together.
struct lookup_lanes {
  u32 count = 1;
  u32 keys_each = 1;  // that a lane compares in a step, at most
};

// A pass of the build as it is watched: cell by cell of a region.
struct pass_info {
  std::string name;     // of what it writes: "entries"
  std::string meaning;  // a sentence for a stranger
  region_id region = main_region;
  u64 slots = 0;            // cells that it writes, from the region's first on
  std::vector<u64> levels;  // the first slots of its levels, ascending, where it has levels that lie one by one
};

// A number on the way from a slot to its key.
struct step_term {
  std::string name;     // "q"
  std::string formula;  // "K^l × (1 + i + floor(i / (K - 1))) - 1"
  std::string numbers;  // the same with numbers filled in; a comparison where the value is looked for, not computed
  u64 value = 0;
  std::string meaning;  // a sentence for a stranger
};

// A rank that a formula comes to, and by how much a correction moves it.
struct rank_shift {
  std::string name;         // of the correction: "c"
  std::string before_name;  // "q"
  u64 before = 0, by = 0;
};

// How one slot comes to what it holds. All of it is what the functions say that build the index, as they run.
struct build_step {
  std::optional<u64> turn;   // item i of executor.hpp, of a pivot its entry's; nothing where the keys decide
  u32 at_once = 1;           // turns that a GPU's thread takes
  std::optional<u64> level;  // that the formula finds, from the root
  std::vector<step_term>
      terms;           // in the order in which a thread computes them; the last is the rank, unless it is empty
  u64 rank = no_rank;  // of the key that it fetches
  bool empty = false;  // it holds no key
  std::optional<rank_shift> shift;  // what the last formula corrects, and by how much
  std::string words;                // a sentence or two
};

// Of families whose keys have a place in sorted order: rank <-> cell.
class index_ranks {
 public:
  virtual ~index_ranks() = default;
  virtual u64 count() const = 0;
  virtual cell_ref cell(u64 rank) const = 0;  // in the main region; rank < count()
  // The cell of a region with the key of this very rank, where there is one: at most one has it.
  virtual std::optional<u64> cell_in(region_id region, u64 rank) const = 0;
  // Ranks of [first, end) on each level; `out` holds max_levels counts.
  virtual void count_levels(u64 first, u64 end, u64* out) const = 0;
  virtual bool ascend_along(region_id region) const = 0;  // do ranks grow from each cell to the next?
};

class index_model {
 public:
  virtual ~index_model() = default;
  virtual u64 keys() const = 0;
  virtual u32 levels() const = 0;  // of the search; 0 without cells, and 1 where no step tells the next one
                                   // where to go

  // A level's name, where its nodes stand in a row: "level 2", "windows".
  virtual std::string level_words(u32 level) const { return "level " + std::to_string(level); }

  virtual std::span<const region_info> regions() const = 0;  // by region_id
  const region_info& region(region_id id) const {
    PIVOTSCOPE_EXPECT(number_of(id) < regions().size());
    return regions()[number_of(id)];
  }
  virtual cell_info describe(region_id region, u64 cell) const = 0;  // beyond the end: an empty one
  // A cell's row id says what it is (state_of_row, core/index/cell_state.hpp): of those that describe() does not call empty
  // some may be. Else they are all live.
  virtual bool cells_tell() const { return false; }
  // What so many cells hold, key and row id, the latter also from the region that goes beside theirs. Whoever wants a key or a
  // row id asks this. It reads `fields`; a family whose cells have them in bits decodes them, with whatever else of the index
  // that takes. False: not all bytes are at hand.
  virtual bool values_of(const cell_run& cells, const region_reader& read, std::span<cell_value> out) const;
  std::optional<cell_value> value_of(cell_ref at, const region_reader& read) const {
    cell_value value;
    return values_of({at.region, at.cell, 1}, read, {&value, 1}) ? std::optional(value) : std::nullopt;
  }
  // What stands in a cell without a key, in a few words: "from leaf 12, 5 separators". Empty: nothing, or not at hand.
  virtual std::string words_of(cell_ref /*at*/, const region_reader& /*read*/) const { return {}; }
  // The same in still fewer, where a cell is narrow: "12-17".
  virtual std::string brief_of(cell_ref at, const region_reader& read) const { return words_of(at, read); }
  // Cells of [first, end) on each level, from afar: `out` holds max_levels counts.
  virtual void count_levels(region_id region, u64 first, u64 end, u64* out) const = 0;
  // Where cells lead that hold where a search goes on: a block to its leaves, a node to the next of its chain. False: not all of it
  // is at hand, and some are missing.
  virtual bool leads_of(const cell_run& /*cells*/, const region_reader& /*read*/,
                        std::vector<cell_link>& /*out*/) const {
    return true;
  }
  // The cells of a level, where they are one run.
  virtual std::optional<cell_run> level_run(u32 level) const = 0;

  virtual u64 node_count() const = 0;  // of nodes(), at once
  // Level by level, from left to right. Costs what there are nodes, and levels times keys where each key is one.
  virtual std::vector<tree_node> nodes() const = 0;

  // Which node of nodes() leads to which: what the nodes say of their parents, or where only cells tell, what these do.
  // False: not all of it is at hand, and some are missing.
  virtual bool links_of(std::span<const tree_node> nodes, const region_reader& read, std::vector<node_link>& out) const;

  // Of a family whose index has parts that are filled more or less.
  virtual std::optional<fill_parts> fill() const { return std::nullopt; }
  // How full parts are, side by side, from the first on. False: not at hand.
  virtual bool fills_of(u64 /*first*/, const region_reader& /*read*/, std::span<part_fill> /*out*/) const {
    return true;
  }
  // The part in which a search for the key begins.
  virtual std::optional<u64> part_of(u64 /*key*/) const { return std::nullopt; }
  // The keys of a part, where parts are in the order of their keys.
  virtual std::optional<key_span> keys_of_part(u64 /*part*/) const { return std::nullopt; }
  // What more there is to say of a part, in a sentence or two. Empty: nothing, or not at hand.
  virtual std::string part_words(u64 /*part*/, const region_reader& /*read*/) const { return {}; }

  virtual std::optional<probe_windows> windows() const { return std::nullopt; }
  // Of a family that has windows: those that a search for the key comes to, by number and in its order, as long as nothing ends
  // it: the first `most`, or all where there are fewer.
  virtual std::vector<u64> probe_path(u64 /*key*/, u32 /*most*/) const { return {}; }

  virtual std::optional<stored_levels> optional_levels() const { return std::nullopt; }
  // `config` with the first `kept` of them stored; check() may refuse it.
  virtual index_config keep_levels(index_config config, u32 /*kept*/) const { return config; }
  // Level by level, as nodes() would have them. Costs what there are nodes with all levels stored.
  virtual std::vector<missing_node> left_out() const { return {}; }

  // Nothing when the config pins nothing. Costs what there are pinned cells.
  virtual std::optional<pinned_cells> pinned() const { return std::nullopt; }
  // One of them, of as many as pinned() has, at once.
  virtual cell_ref pinned_cell(u32 i) const { return {main_region, i}; }
  virtual lookup_lanes lanes() const { return {}; }

  // The passes of the build that have something to write, in their order. None: the family does not tell of its build.
  virtual std::vector<pass_info> build_passes() const { return {}; }
  // Of one of them, at once. slot < slots of the pass.
  virtual build_step step_of_build(u32 /*pass*/, u64 /*slot*/) const { return {}; }

  virtual const index_ranks* ranks() const { return nullptr; }  // null: a family without an order
};

// Made in no time, and may outlive the index.
std::shared_ptr<const index_model> model_of(const index_config& config, u64 keys);
std::shared_ptr<const index_model> model_of(const stored_index& index);

}  // namespace pivotscope
