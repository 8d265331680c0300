#include "core/families/buckets/pseudo_code.hpp"

#include "core/families/buckets/buckets.hpp"
#include "core/index/row_cells_code.hpp"

namespace pivotscope {
namespace {

constexpr std::string_view here = "core/families/buckets/buckets.hpp", slab = "core/families/buckets/slab.hpp";

const char* read_words(u32 lanes) {
  return lanes == 1 ? "    read the slab's cells" : "    read the slab's cells, a lane's share each";
}
std::vector<source_mark> loads() { return with(cell_loads(), {{here, "slab_cells::load<Key>(config"}}); }
std::vector<source_mark> compares() {
  return with(cell_compares(), {{here, "memory.saw(entries, cell, got.keys[i])"},
                                {here, "slab_cells::complete(config, memory"},
                                {here, "slab_cells::holds(config, memory"}});
}
std::vector<source_mark> follows() {
  return {{here, "slab_cells::next_of<Key>(config, "},
          {slab, "return next_of<Key>(config, memory, slab)"},
          {slab, "return lanes.once([&] { return next_of<Key>(config, memory, slab)"},
          {slab, "return memory.template load_acquire<Key>(entries, cell"},
          {slab, "return memory.template load_part<Key>(entries, cell"},
          {row_cells_source, "memory.will_read(entries, first_cell(config, node)"}};
}
pseudo_code find_code(const buckets_config& config) {
  return {
      {"find(key):"},
      {"  slab = hash(key) * buckets / 2^32", {{here, "bucket_of(key, table)"}}, pseudo_when::begins},
      {"  repeat:", {{here, "memory.step(0);"}, {here, "if (live) memory.step(1);"}}},
      {read_words(config.lanes), loads()},
      {"    compare each key",
       with(compares(), {{here, "look_through(config, wave.lanes"}, {here, "slab_cells::row_or_end(config, memory"}})},
      {"    if a live cell has the key: return its row id", {{row_cells_source, "return row;"}}, pseudo_when::found},
      {keeps_all(config) ? "    if one is empty, or the link is none: return none"
                         : "    if one is empty, or has the key erased, or the link is none: return none",
       {{row_cells_source, "return no_such_key"}, {here, "seen = least(seen, no_such_key)"}},
       pseudo_when::absent},
      {"    slab = where the link leads", follows(), pseudo_when::goes_on}};
}

pseudo_code matches_code(const buckets_config& config) {
  return {{"matches(key):"},
          {"  slab = hash(key) * buckets / 2^32",
           {{here, "u64 slab = bucket_of(low, view.as<buckets_view>())"}},
           pseudo_when::begins},
          {"  repeat:", {{here, "memory.scan_step(first ? 0 : 1, false)"}}},
          {read_words(config.lanes), loads()},
          {"    of each live cell with the key:", compares()},
          {"      count it, and add its row id", {{here, "answer.row_sum += lanes.sum"}}},
          {"    if one is empty, or the link is none: return count and sum",
           {{here, "const bool ended = lanes.sum"}},
           pseudo_when::ends},
          {"    slab = where the link leads", follows(), pseudo_when::goes_on}};
}

// What a write begins with: the slabs on its key's way.
pseudo_code on_the_way(const buckets_config& config, const char* head, const char* marked, const char* cell,
                       std::initializer_list<source_mark> ends) {
  return {{head, {{here, marked}}},
          {"  slab = hash(key) * buckets / 2^32",
           {{here, "u32 slab = bucket_of(key, table), level = 0"}},
           pseudo_when::begins},
          {"  repeat:", {{here, "memory.step(level);"}}},
          {read_words(buckets::for_writes(config).lanes), loads()},
          {cell, with(compares(), ends)}};
}

pseudo_code insert_code(const buckets_config& config) {
  const pseudo_code own_entry = {
      {"    if it has the key:"},
      {"      swap the new row id for its own, or an erased one's; return",
       with(cell_swaps(), {{here, ": slab_cells::change_row(config, memory, cell, key, end.row, row)"}})},
      {"    if another was quicker: look again, unless the key was live",
       {{here, "if (end.row == claimed_row) continue"}}}};
  const pseudo_code behind = {
      {"    if the link is none: swap busy for it",
       {{here, "lanes.once([&] { return link_slab("},
        {here, "slab_cells::swap_link(config, memory, last"},
        {slab, "return memory.template compare_exchange<Key>(entries"}}},
      {"      take a free slab; none: the link is none again, return full",
       {{here, "memory.template fetch_add<u32>(buckets_region::pool, pool_taken, sizeof(u32), 0, 1u) - table.taken"},
        {here, "slab_cells::set_link(config, memory, last, slab_link<Key>::none)"},
        {here, "memory.template load<u32>(buckets_region::free"}}},
      {"      store the entry there; fence; set the link; return added",
       with(cell_stores(), {{here, "slab_cells::set_link(config, memory, slab, slab_link<Key>::none)"},
                            {here, "slab_cells::store(config, memory, first_cell(config, slab), key, row)"},
                            {here, "memory.fence();"},
                            {here, "slab_cells::set_link(config, memory, last, static_cast<Key>(slab))"},
                            {slab, "memory.template store_part<Key>(entries, first_cell(config, slab) + link_cell"}})},
      {"    slab = where the link leads", follows(), pseudo_when::goes_on}};
  const bool all = keeps_all(config);
  pseudo_code code = on_the_way(
      config, "insert(key, row id):", "write_done insert(",
      all ? "    cell = the first that is empty or erased" : "    cell = the first that is empty or has the key",
      {{here, "end_in<true>(config, lanes"}});
  code = joined(
      code, {{all ? "    if there is one:" : "    if it is empty:", {{here, "const bool done = lanes.once([&] {"}}}});
  code = joined(code, claim_code(in_one_word(config), {here, "? slab_cells::claim(config, memory, cell"}));
  code = joined(code, {{"      return added"}});
  if (!all) code = joined(code, own_entry);
  return joined(code, behind);
}

pseudo_code erase_code(const buckets_config& config) {
  if (keeps_all(config))
    return joined(on_the_way(config, "erase(key):", "write_done erase(",
                             "    of each live cell with the key:", {{here, "removed += erase_all_in(config, lanes"}}),
                  {{"      swap the mark of an erased entry for the row id",
                    with(cell_swaps(), {{here, "own += slab_cells::change_row(config, memory, cell"}})},
                   {"    if one is empty, or the link is none:", {}, pseudo_when::ends},
                   {"      count what there was beyond one; return whether there was any",
                    {{here, "lanes.once([&] { return count_more(memory, removed - 1); })"},
                     {here, "memory.template fetch_add<u32>(buckets_region::pool, pool_more"}}},
                   {"    slab = where the link leads", follows(), pseudo_when::goes_on}});
  return joined(
      on_the_way(config, "erase(key):", "write_done erase(", "    cell = the first that is empty or has the key",
                 {{here, "end_in<false>(config, lanes"}}),
      {{"    if it is empty, or has the key erased: return absent",
        {{here, "if (end.row == not_found || end.row == erased_row) return write_done::absent"}},
        pseudo_when::absent},
       {"    if it has the key: swap the mark of an erased entry for the row id",
        with(cell_swaps(), {{here, "lanes.once([&] { return slab_cells::change_row(config, memory, cell"}})},
       {"      return erased: its cell stays taken",
        {{here, "if (done) return write_done::erased"}},
        pseudo_when::found},
       {"    slab = where the link leads; none: return absent", follows(), pseudo_when::goes_on}});
}

}  // namespace

pseudo_code buckets_pseudo_code(const buckets_config& config, operation kind) {
  switch (kind) {
    case operation::insert:
      return insert_code(config);
    case operation::erase:
      return erase_code(config);
    case operation::range:
      return matches_code(config);
    default:
      return find_code(config);
  }
}

}  // namespace pivotscope
