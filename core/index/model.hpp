// index_model: an index as views, words and tests see it: its regions, what their cells are, the nodes that they form,
// and ranks if the family has an order. Pure host code: a model follows from the config and the number of keys, and
// reads no memory. A function that costs more than a few levels of a search says so.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/common/expect.hpp"
#include "core/common/portable.hpp"
#include "core/common/stored_entry.hpp"
#include "core/config/index_config.hpp"
#include "core/index/rank.hpp"
#include "core/index/value_choices.hpp"
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

// A field that is not whole bytes: a part of a cell, or of several cells that are packed together.
struct bit_field {
  std::string name;         // "high bits of the key"
  u32 first = 0, bits = 0;  // first bit, counted from the lowest bit of the first byte
  field_kind kind = field_kind::key;
  std::optional<u32> cell = {};  // the cell of the pack that it is a part of; nothing: of the whole pack

  u32 end() const { return first + bits; }
};

// Cells lie side by side, each in `cell_bytes` of its own. Or they are packed: `cells_a_pack` cells share these bytes.
// Then each cell has some bits of its own, where the cell is said to begin; other bits may follow the last of these.
struct region_info {
  std::string id;                        // name in JSON: "entries"
  std::string name;                      // name of its cells in a sentence: "entries"
  std::string cell_name;                 // name of one cell: "entry"
  std::string title;                     // name of the region in a picture: "keys"
  std::string meaning;                   // what it is for, in a sentence for a newcomer
  u64 cells = 0;                         // empty ones included; 0: this index has no such region
  u32 cell_bytes = 0;                    // bytes from one cell to the next, or from one pack to the next
  std::vector<cell_field> fields;        // of a cell, by offset and without a gap; empty if there are `bits`
  std::optional<region_id> beside = {};  // cell i belongs to cell i of that region (struct of arrays)
  u32 cells_a_pack = 1;
  std::vector<bit_field> bits = {};  // of a pack, by `first` and without a gap; empty if there are `fields`

  const cell_field* field(field_kind kind) const;  // null: its cells have no such field of whole bytes
  bool has(field_kind kind) const;                 // in whole bytes or in bits

  u64 pack_of(u64 cell) const { return cell / cells_a_pack; }
  u64 packs() const { return ceil_div<u64>(cells, cells_a_pack); }
  // Returns the bytes that `count` cells take, from the begin of a pack.
  u64 bytes_of(u64 count) const { return ceil_div<u64>(count, cells_a_pack) * cell_bytes; }
  u64 bytes() const { return bytes_of(cells); }
  // Returns the bytes [first, second) that belong to this cell alone.
  std::pair<u64, u64> own_bytes(u64 cell) const;
  u64 byte_of(u64 cell) const { return own_bytes(cell).first; }
  // Returns the cell that owns a byte. Of bytes that packed cells share, it is the last cell that begins before them.
  // Also works beyond the end.
  u64 cell_at(u64 byte) const;
};

// The region in which lookups end: each key has one of its cells.
inline constexpr region_id main_region{0};

struct cell_ref {
  region_id region = main_region;
  u64 cell = 0;
  bool operator==(const cell_ref&) const = default;
};

// The content of a cell. An empty or erased cell may have a key that means nothing; its row id tells that.
struct cell_value {
  std::optional<u64> key;
  std::optional<u32> row;
  bool operator==(const cell_value&) const = default;
};

// Copies bytes of a region, wherever the index lies. Returns false if the bytes are not at hand; `out` is then not
// written. A reader of pages has then requested the missing pages.
using region_reader = std::function<bool(region_id region, u64 byte, std::span<std::byte> out)>;

// Takes some of the entries that an index holds, and how much of the index has been read, from 0 to 1. Returns false to
// end the reading.
using entry_taker = std::function<bool(std::span<const stored_entry> entries, double done)>;

struct cell_info {
  bool empty = true;
  u64 rank = no_rank;  // of its key, in families with an order
  u32 level = 0;       // the first level of the search that can read it; 0 is the root
};

// Cells [first, first + count) of a region.
struct cell_run {
  region_id region = main_region;
  u64 first = 0;
  u64 count = 0;
};

// The cells that one step of a search reads together.
struct tree_node {
  u32 level = 0;
  region_id region = main_region;
  u64 first = 0;      // cell
  u32 cells = 0;      // empty ones included, and those that the last node lacks
  double middle = 0;  // position of the node's middle across the tree, 0 to 1
  int parent = -1;    // index in the same list, before this node; on the same level if a search goes on to a neighbour
  u32 gap = 0;        // how many of the parent's cells lie to the left of the way to this node
  u64 stride = 1;     // distance from one of its cells to the next
  std::optional<u64> id = {};  // of a node that stays while others come and go: it keeps its place

  u64 cell(u32 i) const { return first + i * stride; }
};

// A step that can lead from one node of a list to another.
struct node_link {
  u32 from = 0, to = 0;
  u32 gap = 0;  // how many cells of `from` lie to the left of the way
};

// The content of a cell leads to other cells, of any region: `cells` of them, side by side.
struct cell_link {
  cell_ref from, to;
  u64 cells = 1;
  bool operator==(const cell_link&) const = default;
};

// A node that the config could store and does not.
struct missing_node {
  tree_node node;          // as if it were stored; its parent is another missing node, or -1
  std::vector<u64> ranks;  // of the keys that its cells would hold; no_rank for an empty cell
};

// Levels above the entries that a config may store or leave out, listed from the root down.
struct stored_levels {
  std::string name;        // of one level: "pivot level"
  std::string meaning;     // in a sentence for a newcomer
  std::string knob;        // the knob of the config's line that says how many are stored: "pivots"
  region_id region{};      // where they lie
  std::vector<u64> cells;  // of each level that could be stored
  u32 kept = 0;            // how many levels are stored: the first ones
  u64 kept_bytes = 0, whole_bytes = 0;
  u64 leaf_entries = 0, leaf_bytes = 0;  // what the last stored level leads to: keys, with the row ids beside them

  u32 whole() const { return static_cast<u32>(cells.size()); }
  u64 saved_bytes() const { return whole_bytes - kept_bytes; }
};

// What every block copies into its scratch: keys, or whole cells.
struct pinned_cells {
  std::vector<cell_ref> cells;  // where the copies come from, in the order of scratch; all of one region
  u32 whole = 0;                // the first `whole` of them are all that the first `steps` steps read
  u32 steps = 0;
  u32 cell_bytes = 0;  // bytes of one copy in scratch
  u64 room = 0;        // bytes that the config allows
  // So many of them are a part, which blocks of its own pin; lookups are routed to the blocks that have theirs. 0: every block
  // pins all.
  u32 of_part = 0;
};

// Windows: runs of adjacent cells in the main region, each a node that one step of a search reads. From a window the
// search goes on to another one, which follows from the key alone, until it meets what ends it.
struct probe_windows {
  u64 count = 0;
  u32 cells = 0;        // cells of each window
  std::string meaning;  // how a search goes on from a window, in a sentence for a newcomer
};

// A kind of part, and its meaning in a sentence for a newcomer.
struct part_kind {
  std::string name;  // "plain"
  std::string meaning;
};
// How full a part is.
struct part_fill {
  u32 filled = 0;
  u32 kind = 0;  // index in fill_parts::kinds
  bool operator==(const part_fill&) const = default;
};
// The keys from `first` to `last`, both included.
struct key_span {
  u64 first = 0, last = 0;
  bool operator==(const key_span&) const = default;
};

// Equal parts of an index that are filled to different degrees: windows of a table, buckets of a key range.
struct fill_parts {
  std::string name;         // of one part: "bucket"
  std::string meaning;      // in a sentence for a newcomer
  std::string unit, units;  // what fills a part: "leaf", "leaves"
  u64 count = 0;            // number of parts
  u32 room = 0;             // what a part is made to hold
  std::string beyond = {};  // what happens to a part that holds more: "marks, a node or a run"
  region_id region = main_region;
  u32 cells = 1;                      // adjacent cells of that region in one part
  std::vector<part_kind> kinds = {};  // the kinds of parts; with one kind there is nothing to tell apart
};

// The threads that serve one lookup together.
struct lookup_lanes {
  u32 count = 1;
  u32 keys_each = 1;  // keys that a lane compares in a step, at most
};

// A pass of the build, as a view shows it: cell by cell of one region.
struct pass_info {
  std::string name;     // of what it writes: "entries"
  std::string meaning;  // in a sentence for a newcomer
  region_id region = main_region;
  u64 slots = 0;            // number of cells that it writes, from the region's first one on
  std::vector<u64> levels;  // first slot of each level, ascending, if the levels lie one after another
};

// A number on the way from a slot to its key.
struct step_term {
  std::string name;     // "q"
  std::string formula;  // "K^l × (1 + i + floor(i / (K - 1))) - 1"
  std::string numbers;  // the formula with numbers filled in; a comparison if the value is found by search
  u64 value = 0;
  std::string meaning;  // in a sentence for a newcomer
};

// A rank that a formula gives, and by how much a correction moves it.
struct rank_shift {
  std::string name;         // of the correction: "c"
  std::string before_name;  // "q"
  u64 before = 0, by = 0;
};

// How the build finds what one slot holds. All values come from the functions that build the index, as they run.
struct build_step {
  std::optional<u64> turn;   // item i of executor.hpp; for a pivot, the item of its entry; nothing if the keys decide
  u32 at_once = 1;           // turns of one GPU thread
  std::optional<u64> level;  // that the formula finds, counted from the root
  // In the order in which a thread computes them. The last one is the rank, unless the slot is empty.
  std::vector<step_term> terms;
  u64 rank = no_rank;               // of the key that the thread fetches
  bool empty = false;               // true if the slot holds no key
  std::optional<rank_shift> shift;  // the correction in the last formula
  std::string words;                // a sentence or two
};

// For families whose keys have a place in sorted order: from a rank to its cell and back.
class index_ranks {
 public:
  virtual ~index_ranks() = default;
  virtual u64 count() const = 0;
  virtual cell_ref cell(u64 rank) const = 0;  // in the main region; rank < count()
  // Returns the cell of a region that holds the key of this rank, if there is one. At most one cell does.
  virtual std::optional<u64> cell_in(region_id region, u64 rank) const = 0;
  // Counts the ranks of [first, end) on each level; `out` holds max_levels counts.
  virtual void count_levels(u64 first, u64 end, u64* out) const = 0;
  virtual bool ascend_along(region_id region) const = 0;  // true if ranks grow from each cell to the next
};

class index_model {
 public:
  virtual ~index_model() = default;
  virtual u64 keys() const = 0;
  // Returns how many entries the index holds. Reads no memory. Of a model made from a config and a number of keys alone
  // it is the number of keys.
  virtual u64 entries() const { return keys(); }
  // False: entries() is how many there are at most, as only the cells tell which of them others shadow.
  virtual bool counts_entries() const { return true; }
  // Levels of the search: 0 without cells, and 1 if no step tells the next one where to go.
  virtual u32 levels() const = 0;

  // Returns a level's name, where its nodes stand in a row: "level 2", "windows".
  virtual std::string level_words(u32 level) const { return "level " + std::to_string(level); }

  virtual std::span<const region_info> regions() const = 0;  // by region_id
  const region_info& region(region_id id) const {
    PIVOTSCOPE_EXPECT(number_of(id) < regions().size());
    return regions()[number_of(id)];
  }
  virtual cell_info describe(region_id region, u64 cell) const = 0;  // beyond the end it is empty
  // True if a cell's row id tells its state (state_of_row, core/index/cell_state.hpp): then some cells that describe()
  // does not call empty may be empty or erased. False: they are all live.
  virtual bool cells_tell() const { return false; }
  // Reads the content of cells: key and row id, also if the row ids lie in the region beside them. Whoever wants a key
  // or a row id calls this. It reads `fields`; a family that keeps cells in bits decodes them, with what else of the
  // index it needs. Returns false if some of the bytes are not at hand.
  virtual bool values_of(const cell_run& cells, const region_reader& read, std::span<cell_value> out) const;
  std::optional<cell_value> value_of(cell_ref at, const region_reader& read) const {
    cell_value value;
    return values_of({at.region, at.cell, 1}, read, {&value, 1}) ? std::optional(value) : std::nullopt;
  }
  // Calls f with all entries that the index holds, in the order of its memory. By default these are the live cells of the
  // main region. A family whose cells may hold what is no longer valid, or that keeps entries elsewhere too, says what it
  // holds. Returns false if f did, or if some of the bytes are not at hand.
  virtual bool held(const region_reader& read, const entry_taker& f) const;
  // Returns the content of a cell that has no key, in a few words: "from leaf 12, 5 separators". Empty: there is
  // none, or it is not at hand.
  virtual std::string words_of(cell_ref /*at*/, const region_reader& /*read*/) const { return {}; }
  // The same, shorter, for a narrow cell: "12-17".
  virtual std::string brief_of(cell_ref at, const region_reader& read) const { return words_of(at, read); }
  // Counts the cells of [first, end) on each level, for a view from afar; `out` holds max_levels counts.
  virtual void count_levels(region_id region, u64 first, u64 end, u64* out) const = 0;
  // Finds where cells lead whose content tells where a search goes on: a block to its leaves, a node to the next one of
  // its chain. Returns false if some bytes are not at hand; then some links are missing.
  virtual bool leads_of(const cell_run& /*cells*/, const region_reader& /*read*/,
                        std::vector<cell_link>& /*out*/) const {
    return true;
  }
  // Returns the cells of a level, if they are one run.
  virtual std::optional<cell_run> level_run(u32 level) const = 0;

  virtual u64 node_count() const = 0;  // length of nodes(); costs nothing
  // Returns all nodes, level by level, from left to right. Costs the number of nodes; where each key is
  // a node, levels times keys.
  virtual std::vector<tree_node> nodes() const = 0;

  // Puts nodes() on the levels and in the order that they have, where only cells tell that: a node that came later may
  // stand anywhere. Returns false if some bytes are not at hand; the nodes then stay as nodes() lists them.
  virtual bool arrange(std::vector<tree_node>& /*nodes*/, const region_reader& /*read*/) const { return true; }

  // Finds which node of nodes() leads to which: by the nodes' parents, or, where only cells tell it, by the cells.
  // Returns false if some bytes are not at hand; then some links are missing.
  virtual bool links_of(std::span<const tree_node> nodes, const region_reader& read, std::vector<node_link>& out) const;

  // Returns the parts of an index whose parts are filled to different degrees.
  virtual std::optional<fill_parts> fill() const { return std::nullopt; }
  // Reads how full adjacent parts are, from part `first` on. Returns false if some bytes are not at hand.
  virtual bool fills_of(u64 /*first*/, const region_reader& /*read*/, std::span<part_fill> /*out*/) const {
    return true;
  }
  // Returns the part in which a search for the key begins; nothing if the bytes that tell it are not at hand.
  virtual std::optional<u64> part_of(u64 /*key*/, const region_reader& /*read*/) const { return std::nullopt; }
  // Returns the keys of a part, if parts are in the order of their keys.
  virtual std::optional<key_span> keys_of_part(u64 /*part*/) const { return std::nullopt; }
  // Returns what else there is to say about a part, in a sentence or two. Empty: nothing, or it is not at hand.
  virtual std::string part_words(u64 /*part*/, const region_reader& /*read*/) const { return {}; }
  // What the cell may say that leads to a key's place, where the family chooses among values. Nothing: it has no such cell, or
  // what it takes to tell is not at hand yet.
  virtual std::optional<value_choices> choices_for(u64 /*key*/, const region_reader& /*read*/) const {
    return std::nullopt;
  }
  // What one of its squares leads to, place by place. Empty: as above.
  virtual std::vector<choice_place> places_of(u64 /*key*/, u32 /*square*/, const region_reader& /*read*/) const {
    return {};
  }

  virtual std::optional<probe_windows> windows() const { return std::nullopt; }
  // Of a family with windows: returns the numbers of the windows that a search for the key visits, in order, if nothing
  // ends it: the first `most`, or all if there are fewer.
  virtual std::vector<u64> probe_path(u64 /*key*/, u32 /*most*/) const { return {}; }

  virtual std::optional<stored_levels> optional_levels() const { return std::nullopt; }
  // Returns `config` with the first `kept` optional levels stored. check() may refuse it.
  virtual index_config keep_levels(index_config config, u32 /*kept*/) const { return config; }
  // Returns the nodes that are not stored, level by level, as nodes() would list them. Costs the number of
  // nodes with all levels stored.
  virtual std::vector<missing_node> left_out() const { return {}; }

  // Returns what a block pins; nothing if the config pins nothing. Costs the number of pinned cells.
  virtual std::optional<pinned_cells> pinned() const { return std::nullopt; }
  // Returns one cell of pinned().cells, without the cost of pinned().
  virtual cell_ref pinned_cell(u32 i) const { return {main_region, i}; }
  virtual lookup_lanes lanes() const { return {}; }

  // Returns the passes of the build that have something to write, in order. Empty: the family
  // does not describe its build.
  virtual std::vector<pass_info> build_passes() const { return {}; }
  // Returns how one slot of a pass is filled, at constant cost. slot < slots of the pass.
  virtual build_step step_of_build(u32 /*pass*/, u64 /*slot*/) const { return {}; }

  virtual const index_ranks* ranks() const { return nullptr; }  // null: a family without an order
  // True if a search learns on which side of a key the searched one lies. An index may have no ranks and yet an order, as
  // one of several sorted runs.
  virtual bool has_order() const { return ranks() != nullptr; }
};

// Returns the model of an index at once. The model may outlive the index.
std::shared_ptr<const index_model> model_of(const index_config& config, u64 keys);
std::shared_ptr<const index_model> model_of(const stored_index& index);

}  // namespace pivotscope
