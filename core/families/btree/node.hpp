// A node of `btree`: pairs in cells, as those of hash tables (row_cells), and its link in the last cell.
#pragma once

#include "core/families/btree/config.hpp"
#include "core/index/row_cells.hpp"
#include "core/simt/region.hpp"

namespace pivotscope {

struct btree_region {
  static constexpr region_id entries{0}, inner{1}, pool{2}, rows{3}, children{4};
};

// A link's word: the number of the next node of the level, the latch, and, of a leaf that keeps duplicates, whether a run
// goes on in the next leaf. A latched node has one writer; readers go by.
struct node_link_word {
  static constexpr u32 latched = 1u << 31;
  static constexpr u32 run = 1u << 30;
  static constexpr u32 none = run - 1;  // the level's last node
  PIVOTSCOPE_FN static constexpr u32 number(u32 word) { return word & none; }
  PIVOTSCOPE_FN static constexpr u32 unlatched(u32 word) { return word & ~latched; }
};
// What an inner node has in place of a row id: the number of a node of the level below, and whether that is a leaf. A root
// that is split gets children of another kind, so the kind comes with the number, in one word.
struct child_word {
  static constexpr u32 leaf = 1u << 31;
  static constexpr u32 none = not_found;
  PIVOTSCOPE_FN static constexpr bool is_leaf(u32 word) { return (word & leaf) != 0; }
  PIVOTSCOPE_FN static constexpr u32 number(u32 word) { return word & ~leaf; }
};

// Where a node ends: its keys are below `high`, which is the least key that its right sibling may have. Of a leaf whose
// run goes on, `high` is the run's key, which both have.
template <class Key>
struct node_end {
  Key high;
  u32 link;  // the right sibling's number, or none; with duplicates, whether a run goes on

  PIVOTSCOPE_FN bool run_goes_on() const { return (link & node_link_word::run) != 0; }
  // A null link says that there is no higher key: `high` does not tell the greatest key from it.
  PIVOTSCOPE_FN bool goes_right(Key key) const { return link != node_link_word::none && key >= high; }
};

// The right sibling's number, or none.
template <class Config, class Key>
PIVOTSCOPE_FN u32 next_node(Config config, const node_end<Key>& end) {
  return keeps_all(config.value) ? node_link_word::number(end.link) : end.link;
}
// Whether a key's entries in a leaf are the leaf's. What a split has moved may still stand there, but is not.
template <class Config, class Key>
PIVOTSCOPE_FN bool has_key(Config config, const node_end<Key>& end, Key key) {
  return !end.goes_right(key) || (keeps_all(config.value) && end.run_goes_on() && key == end.high);
}
// Whether a find goes on by a node's link. Without links it takes the node that it came to for its key's.
template <class Config, class Key>
PIVOTSCOPE_FN bool goes_on(Config config, const node_end<Key>& end, Key key) {
  return config.value.links == link_use::on && end.goes_right(key);
}

// Who sees a store behind this sees those before it.
template <class Config, class Memory>
PIVOTSCOPE_FN void order_stores(Config config, Memory& memory, typename Memory::place at = {}) {
  [[maybe_unused]] const auto call = memory.called_from(at);
  if (config.value.fences == fence_use::on) memory.fence();
}

// Without fences a parent may lack the separator of a node for good, and an insert that has to split the node would begin
// again for ever. It gives up after many times that, and is not done.
class rounds_without_fences {
 public:
  template <class Config>
  PIVOTSCOPE_FN bool too_many(Config config) {
    return config.value.fences == fence_use::none && ++rounds_ > most;
  }

 private:
  static constexpr u32 most = 1u << 16;
  u32 rounds_ = 0;
};

// Of a write that waits with pauses, in nanoseconds.
inline constexpr u32 shortest_pause = 64, longest_pause = 4096;

template <region_id Keys, region_id Values>
struct node_cells_of : row_cells<Keys, Values> {
  using cells = row_cells<Keys, Values>;

  template <class Config>
  PIVOTSCOPE_FN static u64 end_cell(Config config, u32 node) {
    return first_cell(config, node) + node_slots(config.value);
  }

  // Returns where a node ends. Writers set the link before the high key, so the high key is read first: who sees the new
  // one sees the new link, too. What is loaded later is no older. Beside writers all lanes have what one of them saw.
  template <class Key, class Config, class Lanes, class Memory>
  PIVOTSCOPE_FN static node_end<Key> end_of(Config config, Lanes& lanes, Memory& memory, u32 node,
                                            typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u64 cell = end_cell(config, node);
    if constexpr (Memory::others_write) {
      return lanes.once([&] { return end_seen<Key>(config, memory, cell); });
    } else {
      const Key high = memory.template load_part<Key>(Keys, cell, key_stride<Key>(config), 0);
      return {high, node_link_word::unlatched(load_value<Key>(config, memory, cell))};
    }
  }
  // A lane's share of a node beside writers, as load() has it, but maybe as it was before others wrote it.
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static node_share<Key> load_old(Config config, Memory& memory, u32 node, u32 lane,
                                                typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    node_share<Key> got{};
    const node_run run = share_node(config.value.lanes, node_cells(config.value));
    if (config.value.layout == cell_layout::aos)
      memory.template each_of_old_run<entry_cell<Key>>(
          Keys, first_cell(config, node), run, lane,
          [&](u32 i, const entry_cell<Key>& cell) { got.keys[i] = cell.key, got.rows[i] = cell.row; });
    else
      memory.template each_of_old_run<Key>(Keys, first_cell(config, node), run, lane,
                                           [&](u32 i, Key key) { got.keys[i] = key; });
    return got;
  }
  // Sets where a node ends, and whether it is latched.
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static void set_end(Config config, Memory& memory, u32 node, node_end<Key> end, u32 latch,
                                    typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    put_pair(config, memory, end_cell(config, node), end.high, end.link | latch);
  }
  // Returns true if this group has the latch now. What it loads next is no older than what the last holder stored.
  template <class Key, class Config, class Lanes, class Memory>
  PIVOTSCOPE_FN static bool try_latch(Config config, Lanes& lanes, Memory& memory, u32 node,
                                      typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const bool got = lanes.once([&] {
      const u64 cell = end_cell(config, node);
      const u32 was =
          config.value.layout == cell_layout::aos
              ? memory.template fetch_or<u32>(Keys, cell, sizeof(entry_cell<Key>), sizeof(Key), node_link_word::latched)
              : memory.template fetch_or<u32>(Values, cell, sizeof(u32), 0, node_link_word::latched);
      return (was & node_link_word::latched) == 0;
    });
    order_stores(config, memory);
    return got;
  }
  template <class Key, class Config, class Lanes, class Memory>
  PIVOTSCOPE_FN static void latch(Config config, Lanes& lanes, Memory& memory, u32 node,
                                  typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    while (!try_latch<Key>(config, lanes, memory, node)) {
    }
  }
  // The same for a write that may begin again: with a latch that is taken it waits, or returns false if it has to begin
  // again meanwhile. A write that couples latches never begins again.
  template <class Key, class Config, class Lanes, class Memory>
  PIVOTSCOPE_FN static bool take_latch(Config config, Lanes& lanes, Memory& memory, u32 node,
                                       typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    u32 pause = shortest_pause;
    while (!try_latch<Key>(config, lanes, memory, node)) {
      if (config.value.wait == latch_wait::restart && config.value.latches == latch_use::changed) return false;
      if (config.value.wait == latch_wait::backoff) {
        memory.pause(pause);
        if (pause < longest_pause) pause *= 2;
      }
    }
    return true;
  }
  // Lets go of a latch. Whoever takes it next sees what all lanes stored before.
  template <class Key, class Config, class Lanes, class Memory>
  PIVOTSCOPE_FN static void unlatch(Config config, Lanes& lanes, Memory& memory, u32 node,
                                    typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    before_unlatching(config, lanes, memory);
    lanes.once([&] {
      const u64 cell = end_cell(config, node);
      store_value<Key>(config, memory, cell, node_link_word::unlatched(load_value<Key>(config, memory, cell)));
      return true;
    });
  }
  // The same of a node whose link this group has seen since it has the latch, and has not changed.
  template <class Key, class Config, class Lanes, class Memory>
  PIVOTSCOPE_FN static void unlatch(Config config, Lanes& lanes, Memory& memory, u32 node, const node_end<Key>& end,
                                    typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    before_unlatching(config, lanes, memory);
    lanes.once([&] {
      store_value<Key>(config, memory, end_cell(config, node), end.link);
      return true;
    });
  }

  // The row id, child or link of a cell.
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static u32 load_value(Config config, Memory& memory, u64 cell, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if constexpr (Memory::others_write) {
      if (config.value.layout == cell_layout::aos)
        return memory.template load_acquire<u32>(Keys, cell, sizeof(entry_cell<Key>), sizeof(Key));
      return memory.template load_acquire<u32>(Values, cell, sizeof(u32), 0);
    } else {
      if (config.value.layout == cell_layout::aos)
        return memory.template load_part<u32>(Keys, cell, sizeof(entry_cell<Key>), sizeof(Key));
      return memory.template load<u32>(Values, cell);
    }
  }
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static Key load_key(Config config, Memory& memory, u64 cell, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    return memory.template load_acquire<Key>(Keys, cell, key_stride<Key>(config), 0);
  }
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static void store_value(Config config, Memory& memory, u64 cell, u32 value,
                                        typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (config.value.layout == cell_layout::aos)
      memory.template store_part<u32>(Keys, cell, sizeof(entry_cell<Key>), sizeof(Key), value);
    else
      memory.template store_part<u32>(Values, cell, sizeof(u32), 0, value);
  }
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static void store_key(Config config, Memory& memory, u64 cell, Key key,
                                      typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    memory.template store_part<Key>(Keys, cell, key_stride<Key>(config), 0, key);
  }
  // Stores a pair: as one word where it is one, else the value before the key. Who sees the key then sees the value.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static void put_pair(Config config, Memory& memory, u64 cell, Key key, u32 value,
                                     typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if constexpr (sizeof(Key) == sizeof(u32)) {
      if (in_one_word(config.value))
        return memory.template store_part<u64>(Keys, cell, sizeof(entry_cell<Key>), 0,
                                               static_cast<u64>(value) << 32 | static_cast<u32>(key));
    }
    store_value<Key>(config, memory, cell, value);
    order_stores(config, memory);
    store_key(config, memory, cell, key);
  }
  // Stores an entry into an empty cell of a leaf: as one word where it is one, else the key before the row id, which says
  // that the entry is there.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static void put_entry(Config config, Memory& memory, u64 cell, Key key, u32 row,
                                      typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if constexpr (sizeof(Key) == sizeof(u32)) {
      if (in_one_word(config.value)) return put_pair(config, memory, cell, key, row);
    }
    cells::store(config, memory, cell, key, row);
  }
  // Returns the row id of the key that was seen in a leaf's cell, beside the row id that was seen before it; not_found if the
  // key is gone. Beside writers a key and a row id of two words may belong to two entries: a key that is loaded between two
  // equal row ids is theirs. Another row id beside the same key may be a new one of it.
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static u32 row_of_key(Config config, Memory& memory, u64 cell, Key key, u32 row,
                                      typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if constexpr (Memory::others_write) {
      if (!in_one_word(config.value)) {
        while (is_live_row(row)) {
          if (load_key<Key>(config, memory, cell) != key) return not_found;
          const u32 again = load_value<Key>(config, memory, cell);
          if (again == row) return row;
          row = again;
        }
        return not_found;
      }
    }
    return row;
  }
  // Empties a cell: its value goes first.
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static void empty(Config config, Memory& memory, u64 cell, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    put_pair(config, memory, cell, greatest_key<Key>(), not_found);
  }

 private:
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static node_end<Key> end_seen(Config config, Memory& memory, u64 cell, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if constexpr (sizeof(Key) == sizeof(u32)) {
      if (in_one_word(config.value)) {
        const u64 word = memory.template load_acquire<u64>(Keys, cell, sizeof(entry_cell<Key>), 0);
        return {static_cast<Key>(word), node_link_word::unlatched(static_cast<u32>(word >> 32))};
      }
    }
    const Key high = memory.template load_acquire<Key>(Keys, cell, key_stride<Key>(config), 0);
    return {high, node_link_word::unlatched(load_value<Key>(config, memory, cell))};
  }
  template <class Config, class Lanes, class Memory>
  PIVOTSCOPE_FN static void before_unlatching(Config config, Lanes& lanes, Memory& memory,
                                              typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    order_stores(config, memory);
    lanes.meet();
  }
};

using leaf_cells = node_cells_of<btree_region::entries, btree_region::rows>;
using inner_cells = node_cells_of<btree_region::inner, btree_region::children>;

}  // namespace pivotscope
