// Inserts that choose a home by how full the homes are, and evict nothing: the placements `lighter` (power of two choices, BGHT's
// P2BHT) and `iceberg` (its IHT).
//
//   lighter    | home 0: 5 taken | home 1: 3 taken |                      --> home 1, cell 3. Equal: the first of them
//   iceberg    | home 0: 6 of 8  | home 1: 4 taken | home 2: 2 taken |    --> home 0 has reached its threshold: home 2, cell 2.
//                                                                            Homes 1 and 2 full: home 0 again, cell 6
//
// - No entry moves, and a cell that was taken keeps its key until the table is built anew, live or erased. So a key has one
//   cell for good: a search that looks at it finds the key.
// - An entry that came into cell p of home h has found more than p taken cells in each home that it was compared with before
//   h. Taken cells only become more. So where such a home is empty no later one has the key.
// - A key comes in under its latch, a bit of its word in the region `moves`, and is counted in that word before the latch goes.
//   Who has read the word, then looked at all homes and found nothing, takes the latch only if the word is what it was: no
//   key of this word came in meanwhile, so this key is still absent, and no home has to be read again.
// - The latch does not keep other keys out of the homes. A cell that another took first is not lost: the insert counts again.
#pragma once

#include "core/families/cuckoo/stash.hpp"

namespace pivotscope {

struct cuckoo_by_load : cuckoo_stash {
 protected:
  static constexpr u64 nowhere = ~u64{0};

  // What an operation saw: the cell that has its key, or nowhere, and the row id there; what the key's word was before; and the home
  // that an insert takes, with its taken cells: as many as it has, if all homes are full.
  struct homes_seen {
    u64 cell;
    u32 row, moves, lightest, load;
  };

  // Goes from home to home until the key is found, or cannot come any more.
  template <bool Inserts, class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static homes_seen look_at_homes(Config config, Lanes& lanes, Memory& memory, const cuckoo_view& table,
                                                Key key, u32 row, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 homes = config.value.homes, cells = config.value.bucket;
    const bool iceberg = config.value.placement == cuckoo_placement::iceberg;
    homes_seen seen{nowhere, not_found, 0, 0, cells};
    u32 kept_back = cells;  // taken cells of iceberg's first home, beyond its threshold
    for (u32 home = 0; home <= homes; ++home) {
      if (home == homes) {
        if (seen.load == cells && kept_back < cells) seen.lightest = home_of(key, 0, table), seen.load = kept_back;
        if (seen.load < cells || !has_stashed(config, lanes, memory)) break;  // it would have gone to a home
      }
      memory.step(0);
      if (Inserts) memory.hold("entry", key, row);
      if (Inserts && home == 0) seen.moves = moves_so_far(lanes, memory, moves_of(key, table));
      const u32 bucket = home < homes ? home_of(key, home, table) : stash_of(key, config.value.stash, table);
      const key_and_load here = wait_and_look(config, lanes, memory, bucket, key);
      memory.watch("key", key, "bucket", bucket, "home", home, "here.load", here.load, "table.buckets", table.buckets);
      if (here.cell != no_cell) {
        seen.cell = first_cell(config, bucket) + here.cell, seen.row = here.row;
        break;
      }
      if (home == homes) break;
      if (iceberg && home == 0 && here.load >= threshold(config.value))
        kept_back = here.load;
      else if (here.load < seen.load)
        seen.lightest = bucket, seen.load = here.load;
      if (here.load < ends_below(config.value, home)) break;
    }
    return seen;
  }

  // Gives `key` the row id, as cuckoo::insert.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done insert_by_load(Config config, Lanes& lanes, Memory& memory, const cuckoo_view& table,
                                                 Key key, u32 row, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 word = moves_of(key, table);
    for (;;) {
      const homes_seen seen = look_at_homes<true>(config, lanes, memory, table, key, row);
      if (seen.cell != nowhere) {
        const bool erased = seen.row == erased_row;
        const bool done = lanes.once([&] {
          if (erased) return cuckoo_cells::revive(config, memory, seen.cell, key, row);
          return cuckoo_cells::give_row(config, memory, seen.cell, key, seen.row, row);
        });
        if (done) return erased ? write_done::revived : write_done::replaced;
        continue;
      }
      // In a round of this loop, as in cuckoo::insert.
      if (!latch_unless_counted(lanes, memory, word, seen.moves)) {
        memory.pause(64);
        continue;
      }
      const write_done done = put_into_lightest(config, lanes, memory, table, key, row, seen);
      if (done == write_done::added)
        count_and_unlatch(lanes, memory, word);
      else
        unlatch(lanes, memory, word);
      return done;
    }
  }

 private:
  // A cell that is about to get an entry may have the greatest key until then.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static key_and_load wait_and_look(Config config, Lanes& lanes, Memory& memory, u32 bucket, Key key,
                                                  typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    key_and_load here = cuckoo_cells::look_and_count(config, lanes, memory, bucket, key);
    while (here.cell != no_cell && here.row == claimed_row)
      here = cuckoo_cells::look_and_count(config, lanes, memory, bucket, key);
    return here;
  }
  // Puts an absent key, whose latch the caller has, into the home that was the lightest; where others were quicker looks for
  // another. Returns added; or full, if there is no room in the homes nor in the stash.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done put_into_lightest(Config config, Lanes& lanes, Memory& memory,
                                                    const cuckoo_view& table, Key key, u32 row, homes_seen seen,
                                                    typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    while (seen.load < config.value.bucket) {
      const u64 cell = first_cell(config, seen.lightest) + seen.load;
      const bool done = lanes.once([&] { return cuckoo_cells::claim(config, memory, cell, not_found, key, row); });
      if (done) return write_done::added;
      seen = look_at_homes<true>(config, lanes, memory, table, key, row);
    }
    write_done done = write_done::not_done;  // while another takes a cell of the stash
    while (done == write_done::not_done) done = insert_into_stash(config, lanes, memory, table, key, row);
    return done;
  }

  // Takes the latch if no key of the word came in since it said `moves`.
  template <class Lanes, class Memory>
  PIVOTSCOPE_FN static bool latch_unless_counted(Lanes& lanes, Memory& memory, u32 word, u32 moves,
                                                 typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const bool got = lanes.once([&] {
      return memory.template compare_exchange<u32>(cuckoo_region::moves, word, sizeof(u32), 0, moves,
                                                   moves | latch_bit) == moves;
    });
    memory.fence();
    return got;
  }
  // Lets it go, and counts the key that came in, at once.
  template <class Lanes, class Memory>
  PIVOTSCOPE_FN static void count_and_unlatch(Lanes& lanes, Memory& memory, u32 word, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    lanes.meet();
    lanes.once([&] {
      memory.fence();
      memory.template fetch_add<u32>(cuckoo_region::moves, word, sizeof(u32), 0, a_move - latch_bit);
      return true;
    });
  }
};

}  // namespace pivotscope
