#include "core/families/cgrx/pseudo_code.hpp"

namespace pivotscope {
namespace {

constexpr std::string_view here = "core/families/cgrx/cgrx.hpp", casts = "core/families/cgrx/casts.hpp",
                           tree = "core/rays/bounding_tree.hpp", cells = "core/families/cgrx/bucket_cells.hpp";

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

// The rays to the bucket of a key.
pseudo_code rays_code(const cgrx_config& config, std::string head) {
  const bool naive = config.form == scene_form::naive;
  return {
      {std::move(head)},
      {"  ray = along x, from the key's place on", {{here, "return rays.begin(key)"}}, pseudo_when::begins},
      {"  until a ray along x hits:", {{here, "wave.memory.step(state.search.level)"}}},
      {"    look through the boxes for one that the ray meets: go down, or back up",
       {{here, "step_of_ray(wave.memory, scene"},
        {tree, "memory.template load<extent>(in.boxes"},
        {tree, "memory.met(in.boxes, number"}}},
      {"    look through the triangles for one that the ray hits",
       {{tree, "memory.template load<triangle_cell>(in.triangles"}, {tree, "memory.met(in.triangles, cell"}}},
      {naive ? "    miss: ray = along y from the next row on, at x = -1; then along z from the next plane on"
             : "    miss: ray = along y from the next row on, at x_max; then along z from the next plane on",
       {{casts, "to(state, cast::next_row"}, {casts, "to(state, cast::next_plane"}}},
      {naive ? "    hit of a marker: ray = along the row or plane that it marks, from its begin on"
             : "    hit along y or z: ray = along that row or plane from its begin on; if flipped, the bucket is known",
       {{casts, "to(state, cast::row_found"}, {casts, "to(state, cast::plane_found"}}}};
}

// The first entry of the bucket that is not smaller.
pseudo_code bucket_code(const cgrx_config& config, std::string_view small) {
  const std::string head = "  at = the first entry of the bucket that is not " + std::string(small);
  if (config.search == bucket_search::linear)
    return {{head + ", one by one", with_key({{here, "wave.memory.step(entries_level(here))"},
                                              {here, "const Key key = cells.load_key(wave.memory, now.slot)"},
                                              {here, "wave.memory.saw(entries, now.slot, key)"}})}};
  return {{head + ", by halves", with_key({{here, "wave.memory.step(entries_level(here))"},
                                           {here, "const key_type key = cells.load_key(wave.memory, slot)"},
                                           {here, "wave.memory.saw(entries, slot, key)"}})}};
}

pseudo_code find_code(const cgrx_config& config) {
  return joined(joined(rays_code(config, "find(key):"), bucket_code(config, "smaller")),
                {{"  if it has the key: return its row id",
                  with_entry({{here, "cells.load_entry(wave.memory, at[i].slot)"},
                              {here, "wave.memory.saw(entries, at[i].slot, entry.key)"}})},
                 {"  else: return none", {{here, "auto found = wave.all(not_found);"}}, pseudo_when::absent}});
}

pseudo_code range_code(const cgrx_config& config) {
  return joined(joined(rays_code(config, "range(low, high): the key is low"), bucket_code(config, "smaller")),
                {{"  while slot at has a key that is not greater than high:",
                  with_entry({{here, "memory.scan_step(entries_level(here), false)"},
                              {here, "cells.load_entry(memory, at)"},
                              {here, "memory.saw(entries, at, entry.key)"}})},
                 {"    count = count + 1, sum = sum + row id, at = at + 1", {{here, "++answer.count, ++at"}}},
                 {"  return count, sum", {{here, "return answer;"}}, pseudo_when::ends}});
}

pseudo_code next_code(const cgrx_config& config, bool itself) {
  return joined(joined(rays_code(config, itself ? "lower bound(key):" : "what comes after(key): the key is key + 1"),
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
