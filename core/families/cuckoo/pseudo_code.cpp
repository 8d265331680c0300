#include "core/families/cuckoo/pseudo_code.hpp"

#include <fmt/format.h>

#include "core/families/cuckoo/cuckoo.hpp"
#include "core/index/row_cells_code.hpp"

namespace pivotscope {
namespace {

constexpr std::string_view here = "core/families/cuckoo/cuckoo.hpp", bucket = "core/families/cuckoo/bucket.hpp",
                           moving = "core/index/moving_cells.hpp", words = "core/index/move_words.hpp",
                           evictions = "core/families/cuckoo/evictions.hpp", homes = "core/families/cuckoo/homes.hpp",
                           by_load = "core/families/cuckoo/by_load.hpp", stash = "core/families/cuckoo/stash.hpp";

std::string for_each_home(const cuckoo_config& config) {
  return fmt::format("  for home in hash 1 to {} of key{}:", config.homes, config.stash > 0 ? ", then the stash" : "");
}
// What a search without evictions ends at.
std::string too_light(const cuckoo_config& config) {
  if (config.placement == cuckoo_placement::lighter) return "is empty";
  return fmt::format("is empty, or is the first and has fewer than {} cells taken", threshold(config));
}

pseudo_code find_code(const cuckoo_config& config) {
  return {
      {"find(key):"},
      {for_each_home(config), {{here, "memory.step(0);"}, {homes, "home_of("}}},
      {config.lanes == 1 ? "    read the bucket's cells" : "    read the bucket's cells, a lane's share each",
       with(cell_loads(), {{here, "cuckoo_cells::load<Key>(config"}})},
      {"    compare each key", with(cell_compares(), {{here, "memory.saw(entries, first + i, got.keys[i])"},
                                                      {here, "look_through(config, wave.lanes"},
                                                      {here, "cuckoo_cells::row_or_end(config, memory"},
                                                      {here, "cuckoo_cells::row_or_on(config, memory"}})},
      {"    if a cell has the key: return its row id", {{row_cells_source, "return row;"}}, pseudo_when::found},
      {evicts(config) ? "    if one is empty, or has the key erased: return none"
                      : fmt::format("    if it {}, or has the key erased: return none", too_light(config)),
       {{row_cells_source, "return no_such_key"}, {bucket, "return ends ? no_such_key"}},
       pseudo_when::absent},
      {"    on to the next home",
       {{here, "cuckoo_cells::will_read<Key>(config, memory"}, {row_cells_source, "memory.will_read(entries, first"}},
       pseudo_when::goes_on},
      {"  return none", {{here, "++here.home >= buckets"}}}};
}

// What a write begins with: its key's homes.
pseudo_code through_homes(const cuckoo_config& config, const char* head, const char* marked) {
  return {{head, {{here, marked}}},
          {for_each_home(config),
           {{here, "for (u32 home = 0; home <= homes; ++home)"},
            {here, "memory.step(0);"},
            {stash, "memory.step(0);"},
            {stash, "return memory.template load_acquire<u32>(cuckoo_region::counters"}}},
          {"    how often was a key like it moved?",
           {{here, "if (home == 0) moves = moves_so_far"}, {words, "return memory.template load_acquire<u32>(Moves"}}},
          {cuckoo::for_writes(config).lanes == 1 ? "    read the bucket's cells"
                                                 : "    read the bucket's cells, a lane's share each",
           with(cell_loads(), {{bucket, "auto got = load<Key>(config, memory, bucket, lane, true)"}})},
          {"    cell = the first that is empty or has the key",
           with(cell_compares(), {{here, "cuckoo_cells::look<Inserts>(config, lanes"},
                                  {bucket, "memory.saw(entries, cell, got.keys[i])"}})},
          {"    if it is claimed: look again", {{here, "if (end.row == claimed_row) continue"}}}};
}

pseudo_code insert_code(const cuckoo_config& config) {
  const pseudo_code evicts = {
      {"      return added"},
      {"    if it has the key: swap the new row id for its own, or an erased one's; return",
       with(cell_swaps(),
            {{here, "return cuckoo_cells::give_row(config, memory, at.cell, key, at.row, row)"},
             {moving, "was = word_swapped(memory, cell, from, word(key, row))"},
             {moving, "if (!still(config, memory, cell, key, seen)) return false"},
             {moving, "was = cells::template row_swapped<Key>(config, memory, cell, seen, row)"},
             {moving, "return was == seen || (is_live_row(was) && still(config, memory, cell, key, was))"},

             {moving, "key_stride<Key>(config), 0) != key) return false"},
             {here, "return cuckoo_cells::revive(config, memory"},
             {moving, "return change_row(config, memory, cell, key, erased_row, row)"},
             {moving, "if (!still(config, memory, cell, key, erased_row)) return false"},
             {moving, "if (!freeze(config, memory, cell, key, erased_row)) return false"}})},
      {"    if one was moved meanwhile, or another was quicker: once more, unless the key was live",
       {{here, "!none_moved_since(lanes, memory, word, at)) continue"}, {words, "memory.fence();"}}},
      {"  all homes are full: latch the key",
       {{here, "latched = try_latch(lanes, memory, word);"},
        {here, "if (!latched) memory.pause(64);"},
        {words, "memory.template fetch_or<u32>(Moves"}}},
      {"  way = an entry of a home, that may move to another home of its own,",
       {{evictions, "cuckoo_cells::now_in<Key>(config, memory, cell)"},
        {moving, "memory.template load_acquire<Key>(entries, cell, key_stride<Key>(config), 0);"},
        {moving, "return memory.template load_acquire<u32>("}}},
      {"    or one there, and so on, until a bucket has an empty cell",
       {{evictions, "cuckoo_cells::room_in<Key>(config, lanes, memory, next)"}, {evictions, "memory.step(0);"}}},
      {"  claim that cell and all of the way",
       {{evictions, "if (!claim_all(config, memory, along"},
        {moving, "if (!change_row(config, memory, cell, key, row, claimed_row)) return false"}}},
      {"  move them, the last one first, and count each move",
       with(cell_stores(), {{evictions, "cuckoo_cells::store(config, memory, to, along.keys[i], along.rows[i])"},
                            {evictions, "memory.template fetch_add<u32>(cuckoo_region::moves, moves_of"}})},
      {"  store the entry in the first one's cell; return added",
       {{evictions, "cuckoo_cells::store(config, memory, to, key, row)"}}},
      {config.stash > 0 ? "  no way: into the stash, or return full" : "  no way: return full: the table is built anew",
       {{here, "insert_into_stash(config, lanes"},
        {stash, "cuckoo_cells::look<true>(config, lanes"},
        {stash, "memory.template fetch_add<u32>(cuckoo_region::counters"},
        {stash, "return cuckoo_cells::claim(config, memory, first_cell"},
        {words, "memory.template fetch_add<u32>(Moves, word"}}}};
  return joined(joined(joined(through_homes(config, "insert(key, row id):", "write_done insert("),
                              {{"    if it is empty:", {{here, "lanes.once([&] { return put(config"}}}}),
                       claim_code(in_one_word(config), {here, "return cuckoo_cells::claim(config, memory, at.cell"})),
                evicts);
}

pseudo_code erase_code(const cuckoo_config& config) {
  const pseudo_code rest = {
      {"    if it is empty: return absent, if none was moved meanwhile",
       {{here, "if (none_moved_since(lanes, memory, word, at)) return write_done::absent"}, {words, "memory.fence();"}},
       pseudo_when::absent},
      {"    if it has the key erased: return absent",
       {{here, "cuckoo_cells::still(config, memory, at.cell, key, at.row)"},
        {moving, "memory.template load_acquire<Key>(entries, cell, key_stride<Key>(config), 0) != key"},
        {moving, "return memory.template load_acquire<u32>("}}},
      {"    if it has the key: swap the mark of an erased entry for the row id",
       with(cell_swaps(), {{here, "return cuckoo_cells::replace_row(config, memory, at.cell, key, at.row, erased_row)"},
                           {moving, "return still(config, memory, cell, key, seen)"}})},
      {"      return erased: its cell stays taken",
       {{here, "if (done) return write_done::erased"}},
       pseudo_when::found}};
  return joined(through_homes(config, "erase(key):", "write_done erase("), rest);
}

// --- Without evictions ---

const std::vector<source_mark> swaps_of_moving_cells = {
    {moving, "was = word_swapped(memory, cell, from, word(key, row))"},
    {moving, "if (!still(config, memory, cell, key, seen)) return false"},
    {moving, "was = cells::template row_swapped<Key>(config, memory, cell, seen, row)"},
    {moving, "return was == seen || (is_live_row(was) && still(config, memory, cell, key, was))"},
    {moving, "return still(config, memory, cell, key, seen)"},
    {moving, "key_stride<Key>(config), 0) != key) return false"},
    {moving, "return memory.template load_acquire<u32>("},
    {moving, "return change_row(config, memory, cell, key, erased_row, row)"},
    {moving, "if (!still(config, memory, cell, key, erased_row)) return false"},
    {moving, "if (!freeze(config, memory, cell, key, erased_row)) return false"},
    {moving, "if (!change_row(config, memory, cell, key, row, claimed_row)) return false"},
    {moving, "if (memory.template load_acquire<Key>(entries, cell"},
    {moving, "change_row(config, memory, cell, key, claimed_row, row)"},
    {moving, "let_go(config, memory, cell, key, row);"}};

// What a write begins with.
pseudo_code count_homes(const cuckoo_config& config) {
  return {{for_each_home(config),
           {{by_load, "for (u32 home = 0; home <= homes; ++home)"},
            {by_load, "memory.step(0);"},
            {by_load, "has_stashed(config, lanes, memory)"},
            {stash, "return memory.template load_acquire<u32>(cuckoo_region::counters"}}},
          {cuckoo::for_writes(config).lanes == 1 ? "    read the bucket's cells"
                                                 : "    read the bucket's cells, a lane's share each",
           with(cell_loads(), {{bucket, "auto got = load<Key>(config, memory, bucket, lane, true)"}})},
          {"    compare each key, and count the taken cells",
           with(cell_compares(), {{by_load, "wait_and_look(config, lanes"},
                                  {by_load, "key_and_load here = cuckoo_cells::look_and_count(config"},
                                  {bucket, "complete(config, memory, cell, got.keys[i]"},
                                  {bucket, "memory.saw(entries, cell, got.keys[i])"}})},
          {"    if a claimed cell may get the key: look again",
           {{by_load, "while (here.cell != no_cell && here.row == claimed_row)"}}}};
}

pseudo_code insert_by_load_code(const cuckoo_config& config) {
  const bool lighter = config.placement == cuckoo_placement::lighter;
  pseudo_code code = {
      {"insert(key, row id):", {{here, "write_done insert("}, {here, "return insert_by_load("}}},
      {"  how many keys of the key's word came in?",
       {{by_load, "seen.moves = moves_so_far"}, {words, "return memory.template load_acquire<u32>(Moves"}}}};
  code = joined(std::move(code), count_homes(config));
  code = joined(
      std::move(code),
      {{"    if it has the key: swap the new row id for its own, or an erased one's; return",
        with(with(cell_swaps(), swaps_of_moving_cells),
             {{by_load, "return cuckoo_cells::give_row(config, memory, seen.cell, key, seen.row, row)"},
              {by_load, "return cuckoo_cells::revive(config, memory"}})},
       {fmt::format("    if it {}: look no further", too_light(config)),
        {{by_load, "ends_below(config.value, home)) break"}}},
       {"  if one came in meanwhile: once more; else latch the word",
        {{by_load, "if (!latch_unless_counted(lanes"},
         {by_load, "memory.template compare_exchange<u32>(cuckoo_region::moves"},
         {by_load, "memory.pause(64);"},
         {by_load, "memory.fence();"}}},
       {lighter ? "    cell = the first empty one of the home with the fewest taken"
                : fmt::format(
                      "    cell = the first empty one: of the first home below {}; else of the lightest other; else "
                      "of the first",
                      threshold(config)),
        {{by_load, "= put_into_lightest(config"}, {by_load, "seen.lightest = bucket"}}}});
  code = joined(std::move(code),
                claim_code(in_one_word(config), {by_load, "return cuckoo_cells::claim(config, memory, cell"}));
  return joined(std::move(code), {{config.stash > 0 ? "    no home has one: into the stash, or return full"
                                                    : "    no home has one: return full: the table is built anew",
                                   {{by_load, "insert_into_stash(config, lanes"},
                                    {stash, "memory.step(0);"},
                                    {stash, "cuckoo_cells::look<true>(config, lanes"},
                                    {stash, "memory.template fetch_add<u32>(cuckoo_region::counters"},
                                    {stash, "memory.fence();"},
                                    {stash, "return cuckoo_cells::claim(config, memory, first_cell"},
                                    {by_load, "unlatch(lanes, memory, word);"},
                                    {words, "memory.template fetch_add<u32>(Moves, word"}}},
                                  {"  count the key in its word, and let go of the latch; return added",
                                   {{by_load, "count_and_unlatch(lanes, memory, word);"},
                                    {by_load, "memory.template fetch_add<u32>(cuckoo_region::moves"}}}});
}

pseudo_code erase_by_load_code(const cuckoo_config& config) {
  return joined(
      joined({{"erase(key):", {{here, "write_done erase("}, {here, "find_place(config"}}}}, count_homes(config)),
      {{fmt::format("    if it {}: return absent", too_light(config)),
        {{by_load, "ends_below(config.value, home)) break"}},
        pseudo_when::absent},
       {"    if it has the key erased: return absent",
        {{here, "cuckoo_cells::still(config, memory, at.cell, key, at.row)"},
         {moving, "memory.template load_acquire<Key>(entries, cell, key_stride<Key>(config), 0) != key"},
         {moving, "return memory.template load_acquire<u32>("}}},
       {"    if it has the key: swap the mark of an erased entry for the row id",
        with(with(cell_swaps(), swaps_of_moving_cells),
             {{here, "return cuckoo_cells::replace_row(config, memory, at.cell, key, at.row, erased_row)"}})},
       {"      return erased: its cell stays taken",
        {{here, "if (done) return write_done::erased"}},
        pseudo_when::found}});
}

}  // namespace

pseudo_code cuckoo_pseudo_code(const cuckoo_config& config, operation kind) {
  if (!evicts(config) && kind == operation::insert) return insert_by_load_code(config);
  if (!evicts(config) && kind == operation::erase) return erase_by_load_code(config);
  if (kind == operation::insert) return insert_code(config);
  if (kind == operation::erase) return erase_code(config);
  return find_code(config);
}

}  // namespace pivotscope
