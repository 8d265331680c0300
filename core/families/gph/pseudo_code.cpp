#include "core/families/gph/pseudo_code.hpp"

#include <fmt/format.h>

#include "core/families/gph/gph.hpp"
#include "core/index/row_cells_code.hpp"

namespace pivotscope {
namespace {

constexpr std::string_view here = "core/families/gph/gph.hpp", inserts = "core/families/gph/inserts.hpp",
                           index = "core/families/gph/cell_index.hpp", slots = "core/families/gph/slots.hpp",
                           moving = "core/index/moving_cells.hpp", words = "core/index/move_words.hpp",
                           refinement = "core/families/gph/refinement.hpp",
                           relocation = "core/families/gph/relocation.hpp",
                           latches = "core/families/gph/bucket_latches.hpp";

pseudo_line to_the_cell(const gph_config& config) {
  if (!is_perfect(config)) return {"  bucket = hash of key", {}, pseudo_when::begins};
  return {"  cell = hash of key: its mapping and offset",
          {{here, "memory.step(index_level);"},
           {inserts, "memory.step(index_level);"},
           {here, "cell_index::will_read(config, memory"},
           {here, "value = cell_index::value_of(config"},
           {here, "begin_at_index(config, memory"},
           {inserts, "begin_at_index(config, memory"},
           {here, "value_beside_writers(config, lanes"},
           {inserts, "value_beside_writers(config, lanes"},
           {here, "value_beside_writers(config, wave.lanes"},
           {inserts, "const u32 value = cell_index::value_now("},
           {index, "memory.template load_acquire<u32>(gph_region::cells"},
           {index, "memory.will_read(gph_region::cells"},
           {index, "memory.template load_scratch<u32>(word - table.first_pinned)"},
           {index, "memory.template each_read<reread::often, u32>"},
           {index, "memory.template each_of_run<u32>(gph_region::cells"}}};
}

pseudo_code find_code(const gph_config& config) {
  const bool perfect = is_perfect(config);
  const pseudo_code begin = {{"find(key):"}, to_the_cell(config)};
  const pseudo_code to_bucket = {
      {fmt::format("  virtual bucket = (hash of key and mapping, of {}) + offset", config.virtuals)},
      {"  bucket = hash of cell, virtual bucket and mapping"}};
  const pseudo_code reads = {
      {config.lanes == 1 ? "  read the bucket's slots" : "  read the bucket's slots, a lane's share each",
       with(cell_loads(), {{here, "gph_slots::load_share<Key>(config"},
                           {here, "gph_slots::will_read<Key>(config, memory, bucket)"},
                           {here, "memory.step(level_of_buckets(config.value));"},
                           {inserts, "memory.step(level_of_buckets(config.value));"},
                           {slots, "return load<Key>(config, memory, bucket, lane, live)"},
                           {slots, "memory.template load<entry_cell<Key>>(entries, slot)"},
                           {slots, "memory.template load<Key>(entries, slot)"},
                           {slots, "memory.template each_read<reread::never"},
                           {row_cells_source, "memory.will_read(entries, first"}})},
      {"  compare each key", with(cell_compares(), {{here, "memory.saw(entries, slot, got.keys[i])"},
                                                    {here, "look_through(config, wave.lanes"},
                                                    {here, "gph_slots::row_or_end(config, memory"}})},
      {"  if a slot has the key: return its row id", {{row_cells_source, "return row;"}}, pseudo_when::found},
      perfect ? pseudo_line{"  if some of its cell's keys were spilled: the same in the spill",
                            {{here, "gph_slots::will_read<Key>(config, memory, next)"},
                             {here, "gph_slots::will_read<Key>(config, memory, here.bucket)"}}}
              : pseudo_line{"  if no slot is empty: on to the next bucket",
                            {{here, "gph_slots::will_read<Key>(config, memory, next)"},
                             {here, "gph_slots::will_read<Key>(config, memory, here.bucket)"}}},
      {"  return none", {{row_cells_source, "return no_such_key"}}, pseudo_when::absent}};
  return joined(perfect ? joined(begin, to_bucket) : begin, reads);
}

std::vector<source_mark> latching() {
  return {{here, "with_latch(lanes, memory, moves_of(at, table)"},
          {inserts, "with_latch(lanes, memory, moves_of(at, table)"},
          {words, "if (try_latch(lanes, memory, word))"},
          {words, "memory.pause(64);"},
          {words, "memory.template fetch_or<u32>(Moves"},
          {words, "memory.fence();"}};
}
std::vector<source_mark> unlatching() {
  return {{words, "unlatch(lanes, memory, word);"}, {words, "memory.template fetch_add<u32>(Moves, word"}};
}
pseudo_line seeks(const gph_config& config) {
  return {is_perfect(config) ? "  look at its bucket's slots, and if some keys were spilled in the spill"
                             : "  look at its bucket's slots, and while none is empty at the next one's",
          with(with(cell_loads(), cell_compares()), {{inserts, "seek<true>(config, lanes"},
                                                     {here, "seek<false>(config, lanes"},
                                                     {here, "memory.step(level_of_buckets(config.value));"},
                                                     {inserts, "memory.step(level_of_buckets(config.value));"},
                                                     {inserts, "gph_slots::look(config, lanes, memory"},
                                                     {slots, "load<Key>(config, memory, bucket, lane, true)"},
                                                     {slots, "memory.saw(entries, cell, got.keys[i])"}})};
}
std::vector<source_mark> swaps() {
  return with(with(cell_swaps(), cell_stores()),
              {{here, "gph_slots::replace_row(config, memory"},
               {inserts, "gph_slots::give_row(config, memory"},
               {moving, "was = word_swapped(memory, cell, from, word(key, row))"},
               {moving, "if (!still(config, memory, cell, key, seen)) return false"},
               {moving, "was = cells::template row_swapped<Key>(config, memory, cell, seen, row)"},
               {moving, "return was == seen || (is_live_row(was) && still(config, memory, cell, key, was))"},

               {inserts, "gph_slots::revive(config, memory"},
               {inserts, "gph_slots::claim(config, memory, found.slot"},
               {inserts, "return put_found<State>(config"},
               {inserts, "return put_found<gph_state::in_use>(config"},
               {moving, "return still(config, memory, cell, key, seen)"},
               {moving, "key_stride<Key>(config), 0) != key) return false"},
               {moving, "key_stride<Key>(config), 0) == key) return true"},
               {moving, "return row_now<Key>(config, memory, cell) == row"},
               {moving, "return memory.template load_acquire<u32>("},
               {moving, "return change_row(config, memory, cell, key, erased_row, row)"},
               {moving, "if (!freeze(config, memory, cell, key, erased_row)) return false"},
               {moving, "if (!still(config, memory, cell, key, erased_row)) return false"},
               {moving, "let_go(config, memory, cell, key, row);"},
               {moving, "if (!change_row(config, memory, cell, key, row, claimed_row)) return false"},
               {moving, "change_row(config, memory, cell, key, claimed_row, row);"},
               {row_cells_source, "return swap_word(memory, cell, word(greatest_key<Key>(), seen)"},
               {row_cells_source, "if (!swap_row<Key>(config, memory, cell, seen, claimed_row))"}});
}

pseudo_code insert_code(const gph_config& config) {
  const pseudo_code list = {{"insert(key, row id):",
                             {{here, "insert_free(config, lanes"}, {here, "insert_latched<gph_state::in_use>(config"}}},
                            to_the_cell(config),
                            seeks(config),
                            {"  if the key is there, live or erased: swap the row id; return", swaps()},
                            {"  if a slot of its bucket is empty: swap the entry in; return added", swaps()}};
  const pseudo_code refuses = {{"  no bucket has an empty slot: return full",
                                {{inserts, "memory.template fetch_add<u32>(gph_region::counters"}}}};
  if (!is_perfect(config)) return joined(list, refuses);
  const pseudo_code refines = {
      {"  it is full: wait until all others are done, and latch the cell", latching()},
      {"  for each mapping:",
       {{refinement, "memory.step(bucket_level);"}, {inserts, "refine<State>(config, lanes, memory"}}},
      {"    how much room have its buckets? do the cell's keys fit with some offset?",
       {{refinement, "gather(config, lanes"},
        {refinement, "rooms_of<Key>(config, lanes"},
        {refinement, "slots::still(config, memory"},
        {refinement, "slots::will_read<Key>(config, memory"},
        {row_cells_source, "memory.will_read(entries, first"},
        {refinement, "slots::each_slot<Key>(config, memory"},
        {refinement, "memory.saw(gph_region::entries"},
        {slots, "memory.template each_of_run"}}},
      {"    latch these buckets, the older insert first; if they still fit:",
       {{refinement, "so_far = relocate<State, Key>(config"},
        {relocation, "slots::each_slot<Key>(config, memory"},
        {relocation, "empty_erased<State, Key>(config"},
        {refinement, "memory.template fetch_add<u32>(gph_region::counters"},
        {relocation, "bucket_latches::with("},
        {relocation, "left_over<Key>(config, lanes"},
        {inserts, "bucket_latches::with("},
        {latches, "memory.template compare_exchange<u32>("},
        {latches, "holder_of(memory, table"},
        {latches, "return memory.template load_acquire<u32>(gph_region::latches"},
        {latches, "memory.pause(64);"},

        {latches, "memory.fence();"}}},
      {"      its entries leave their slots; the cell gets its value; they come into the new ones",
       with(with(cell_stores(), swaps()),
            {{relocation, "move_all<State, Key>(config, lanes"},
             {relocation, "count_move(lanes, memory, word)"},
             {relocation, "put_in<State>(config, memory, bucket"},
             {relocation, "slots::take_out(config, memory"},
             {relocation, "slots::put_over(config, memory"},
             {relocation, "slots::claim(config, memory, cell"},
             {inserts, "put_in<gph_state::in_use>(config"},
             {relocation, "memory.template fetch_add<u32>(gph_region::moves"},
             {relocation, "memory.fence();"},
             {relocation, "slots::still(config, memory"},
             {relocation, "memory.pause(64);"},
             {relocation, "cell_index::change(config, memory"},
             {relocation, "memory.template fetch_add<u32>(gph_region::counters"},
             {index, "memory.template fetch_add<u32>(gph_region::cells"},
             {slots, "replace_cell(config, memory, slot"},
             {moving, "return swap_word(memory, cell, word(had_key"},
             {moving, "if (!freeze(config, memory, cell, had_key"},
             {moving, "store(config, memory, cell, key, row);"},
             {slots, "now_in<Key>(config, memory, slot)"},
             {moving, "memory.template load_acquire<Key>(entries, cell, key_stride<Key>(config), 0);"},
             {moving, "row_now<Key>(config, memory, cell)"},
             {inserts, "put_over_erased(config, memory"},
             {inserts, "memory.template fetch_add<u32>(gph_region::counters"}})},
      {"  none fits: the last mapping, and what finds no room there into the spill",
       {{relocation, "put_into_spill(config, memory"},
        {inserts, "put_into_spill(config, memory"},
        {inserts, "take_from_spill(config, memory"},
        {inserts, "give_back_to_spill(memory)"},
        {relocation, "take_from_spill(config, memory"},
        {relocation, "slots::now_in<Key>(config"},
        {relocation, "slots::claim(config, memory"}}},
      {"  let go of all latches",
       with(unlatching(),
            {

                {latches, "let_go(lanes, memory, table, buckets"},
                {latches, "memory.template compare_exchange<u32>(gph_region::latches, latch_of(buckets[i]"}})}};
  return joined(list, refines);
}

pseudo_code erase_code(const gph_config& config) {
  const pseudo_code begin = {{"erase(key):", {{here, "write_done erase("}}}, to_the_cell(config)};
  const pseudo_code latches_it = {{"  if entries may move: latch the cell", with(latching(), unlatching())}};
  const pseudo_code rest = {seeks(config),
                            {"  if no slot has the key: return absent", {}, pseudo_when::absent},
                            {"  swap the mark of an erased entry for its row id", swaps()},
                            {"    if another was quicker: once more, unless the key was live", {}},
                            {"  return erased: the slot stays the key's", {}, pseudo_when::found}};
  return joined(is_perfect(config) ? joined(begin, latches_it) : begin, rest);
}

}  // namespace

pseudo_code gph_pseudo_code(const gph_config& config, operation kind) {
  if (kind == operation::insert) return insert_code(config);
  if (kind == operation::erase) return erase_code(config);
  return find_code(config);
}

}  // namespace pivotscope
