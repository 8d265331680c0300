#include "core/families/cgrx/pseudo_code.hpp"

#include "core/bucket_scene/rays_code.hpp"

namespace pivotscope {
namespace {

constexpr std::string_view here = "core/families/cgrx/cgrx.hpp", cells = "core/families/cgrx/bucket_cells.hpp";

// How a layout loads a key, and an entry.
std::vector<source_mark> with_key(std::vector<source_mark> marks) {
  marks.insert(marks.end(), {{cells, "load_part<u32>(entries, slot, words * sizeof(u32), 0)"},
                             {cells, "load_part<u32>(entries, slot, words * sizeof(u32), sizeof(u32))"},
                             {cells, "return memory.template load<Key>(entries, slot)"},
                             {cells, "load_part<Key>(entries, slot, sizeof(entry_cell<Key>), 0)"}});
  return marks;
}
std::vector<source_mark> with_entry(std::vector<source_mark> marks) {
  marks.insert(marks.end(), {{cells, "load_part<u32>(entries, slot, words * sizeof(u32), 2 * sizeof(u32))"},
                             {cells, "memory.template load<u32>(rows, slot)"},
                             {cells, "memory.template load<entry_cell<Key>>(entries, slot)"}});
  return with_key(std::move(marks));
}

// The first entry of the bucket that is not smaller.
pseudo_code bucket_code(const cgrx_config& config, std::string_view small) {
  const bool linear = config.search == bucket_search::linear;
  return {{"  at = the first entry of the bucket that is not " + std::string(small) +
               (linear ? ", one by one" : ", by halves"),
           with_key(bucket_search_marks(config.search))}};
}

pseudo_code find_code(const cgrx_config& config) {
  return joined(joined(rays_code(config.form, "find(key):"), bucket_code(config, "smaller")),
                {{"  if it has the key: return its row id",
                  with_entry({{here, "wave.memory.step(entries_level(here))"},
                              {here, "cells.load_entry(wave.memory, at[i].slot)"},
                              {here, "wave.memory.saw(entries, at[i].slot, entry.key)"}})},
                 {"  else: return none", {{here, "auto found = wave.all(not_found);"}}, pseudo_when::absent}});
}

pseudo_code range_code(const cgrx_config& config) {
  return joined(joined(rays_code(config.form, "range(low, high): the key is low"), bucket_code(config, "smaller")),
                {{"  while slot at has a key that is not greater than high:",
                  with_entry({{here, "memory.scan_step(entries_level(here), false)"},
                              {here, "cells.load_entry(memory, at)"},
                              {here, "memory.saw(entries, at, entry.key)"}})},
                 {"    count = count + 1, sum = sum + row id, at = at + 1", {{here, "++answer.count, ++at"}}},
                 {"  return count, sum", {{here, "return answer;"}}, pseudo_when::ends}});
}

pseudo_code next_code(const cgrx_config& config, bool itself) {
  return joined(
      joined(rays_code(config.form, itself ? "lower bound(key):" : "what comes after(key): the key is key + 1"),
             bucket_code(config, "smaller")),
      {{"  if there is slot at: read its entry",
        with_entry({{here, "memory.scan_step(entries_level(here), false)"},
                    {here, "bucket_cells<Key, Config>(config).load_entry(memory, at)"},
                    {here, "memory.saw(entries, at, entry.key)"}})},
       {"    return its key and row id", {{here, "answer = {entry.key, entry.row}"}}, pseudo_when::found},
       {"  return none", {{here, "successor_answer answer{};"}}, pseudo_when::absent}});
}

}  // namespace

pseudo_code cgrx_pseudo_code(const cgrx_config& config, operation kind) {
  if (kind == operation::range) return range_code(config);
  if (answer_of(kind) == answer_kind::next) return next_code(config, takes_itself(kind));
  return find_code(config);
}

}  // namespace pivotscope
