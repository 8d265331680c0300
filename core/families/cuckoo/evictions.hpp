// How an insert makes room: it looks for a way along which entries can move, each to another of its homes, until one finds an
// empty cell; claims that cell and all entries of the way; and moves them, the last one first.
//
//   insert X, all homes full      way: A (in X's home) -> B (in A's other home) -> an empty cell of B's other home
//
//   home of X     .. A ..         .. a ..          .. a ..          .. a ..          .. X ..
//   home of A     .. B ..   -->   .. b ..   -->    .. b ..   -->    .. A ..   -->    .. A ..
//   home of B     ..   ..         .. *  ..         .. B ..          .. B ..          .. B ..
//                 looked          claimed          B moved          A moved          X is in
//
//   a, b: claimed, and of A and B still: who searches for these waits. *: claimed, of nobody
//
// - The way is found without a latch, and so may be old: it is claimed from its end to its begin, and where a cell has another
//   entry by now all claims are let go. Claims only try, so nobody waits in a circle.
// - An entry is in its new cell before the old one gets another. A search that saw the new cell before and the old one
//   after has missed it: so each move counts in a word of the region `moves`, between the two, and who finds nothing
//   looks whether that has changed meanwhile.
// - An entry moves to the home that comes after its own, or to one before, which is full. So a search for it still comes there.
// - A cell that was taken stays taken, by one entry or the next. So once all homes of a key are full, they are until the table
//   is built anew.
#pragma once

#include "core/families/cuckoo/bucket.hpp"
#include "core/index/move_words.hpp"

namespace pivotscope {

inline constexpr u32 longest_way = 32;  // entries that move for one

struct cuckoo_evictions : move_words<cuckoo_region::moves> {
 protected:
  // Puts the entry into a home of its key, all of which are full. Returns added; revived, if it took an erased entry's cell; not_done, if another
  // was quicker; or full, if no way was found. `times`: how often another was quicker.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done insert_by_eviction(Config config, Lanes& lanes, Memory& memory,
                                                     const cuckoo_view& table, Key key, u32 row, u32 times,
                                                     typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 homes = config.value.homes;
    u32 chance = first_chance(key, times);
    // An erased entry in a home is room at once. The stash's are no matter.
    for (u32 i = 0; table.used > table.live && i < homes; ++i) {
      const u32 bucket = home_of(key, i, table);
      const end_of_node room = cuckoo_cells::room_in<Key>(config, lanes, memory, bucket);
      if (room.cell == no_cell) continue;
      if (room.row != erased_row) return write_done::not_done;
      way<Key> none;
      return fill(config, lanes, memory, table, none, first_cell(config, bucket) + room.cell, room.row, key, row);
    }
    for (u32 looked = 0; looked < config.value.walk; ++looked) {
      way<Key> along;
      chance = next_chance(chance);
      u32 bucket = home_of(key, chance % homes, table);
      while (along.length < longest_way && looked < config.value.walk) {
        chance = next_chance(chance);
        const u64 cell = first_cell(config, bucket) + chance % config.value.bucket;
        const entry_cell<Key> one = lanes.once([&] { return cuckoo_cells::now_in<Key>(config, memory, cell); });
        if (!is_live_row(one.row)) break;
        along.cells[along.length] = cell, along.keys[along.length] = one.key, along.rows[along.length] = one.row;
        ++along.length;
        const u32 next = another_home(homes, table, one.key, bucket, chance >> 8);
        if (next == bucket) break;
        memory.step(0);
        memory.hold("entry", key, row);
        const end_of_node room = cuckoo_cells::room_in<Key>(config, lanes, memory, next);
        memory.watch("one.key", one.key, "cell", cell, "next", next, "along.length", along.length);
        ++looked;
        if (room.cell != no_cell) {
          if (room.row == claimed_row) break;
          return fill(config, lanes, memory, table, along, first_cell(config, next) + room.cell, room.row, key, row);
        }
        bucket = next;
      }
    }
    return write_done::full;
  }

 private:
  // Entries that move: each to the next one's cell, the last one to another that has room.
  template <class Key>
  struct way {
    u64 cells[longest_way];
    Key keys[longest_way];
    u32 rows[longest_way];
    u32 length = 0;
  };

  // Moves what lies on the way, the last one into a cell that was empty or erased, and puts the entry into the first
  // one's cell. Returns not_done, and changes nothing, if a cell has changed meanwhile.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done fill(Config config, Lanes& lanes, Memory& memory, const cuckoo_view& table,
                                       const way<Key>& along, u64 room, u32 seen, Key key, u32 row,
                                       typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const bool done = lanes.once([&] {
      const Key its_key = seen == not_found ? greatest_key<Key>() : cuckoo_cells::now_in<Key>(config, memory, room).key;
      if (!claim_all(config, memory, along, room, its_key, seen)) return false;
      u64 to = room;
      for (u32 i = along.length; i-- > 0; to = along.cells[i]) {
        cuckoo_cells::store(config, memory, to, along.keys[i], along.rows[i]);
        // Its key is there before the move is counted, as store() has a fence; who finds the row id still claimed waits.
        memory.template fetch_add<u32>(cuckoo_region::moves, moves_of(along.keys[i], table), sizeof(u32), 0, a_move);
        memory.fence();  // nor is the old cell another's before it is counted
      }
      cuckoo_cells::store(config, memory, to, key, row);
      return true;
    });
    if (!done) return write_done::not_done;
    return seen == not_found ? write_done::added : write_done::revived;
  }
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static bool claim_all(Config config, Memory& memory, const way<Key>& along, u64 room, Key its_key,
                                      u32 seen, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (!cuckoo_cells::freeze(config, memory, room, its_key, seen)) return false;
    for (u32 i = along.length; i-- > 0;) {
      if (cuckoo_cells::freeze(config, memory, along.cells[i], along.keys[i], along.rows[i])) continue;
      while (++i < along.length) cuckoo_cells::let_go(config, memory, along.cells[i], along.keys[i], along.rows[i]);
      cuckoo_cells::let_go(config, memory, room, its_key, seen);
      return false;
    }
    return true;
  }
};

}  // namespace pivotscope
