// The graph of a table whose keys have several homes: against the hash functions, against what inserts do, and against matchings.
#include "viz/models/home_graph.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/families/cuckoo/cuckoo_model.hpp"
#include "core/index/index_reader.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/workload/script.hpp"
#include "tests/support/build_index.hpp"
#include "viz/models/step_reader.hpp"

namespace pivotscope::viz {
namespace {

// A table of few buckets, and a key that may be in it.
struct any_table {
  cuckoo_config config;
  std::shared_ptr<const built_index> index;
  std::shared_ptr<const index_model> model;
  std::vector<u64> keys;
  u64 key = 0;

  const homes_model& homes() const { return *with_homes(*model); }
  region_reader read() const { return index_reader(*index); }
  u64 home(u64 of, u32 i) const {
    const auto& table = index->state_as<cuckoo_view>();
    return config.keys == key_width::u32 ? home_of(static_cast<u32>(of), i, table) : home_of(of, i, table);
  }
  std::set<u64> homes_by_hash(u64 of) const {
    std::set<u64> list;
    for (u32 i = 0; i < config.homes; ++i) list.insert(home(of, i));
    return list;
  }
  cell_value cell(u64 number, const region_reader& from) const { return *model->value_of({main_region, number}, from); }
};

any_table draw_table() {
  any_table t;
  cuckoo_config& c = t.config;
  c.keys = *rc::gen::element(key_width::u32, key_width::u64);
  c.layout = *rc::gen::element(cell_layout::aos, cell_layout::soa);
  c.homes = *rc::gen::inRange<u32>(2, 5);
  c.bucket = *rc::gen::element(1u, 2u, 4u, 8u);
  c.lanes = std::max(1u, c.bucket / 8);
  c.stash = *rc::gen::element(0u, 1u, 2u);
  c.load = *rc::gen::inRange<u32>(std::max(least_cuckoo_load, greatest_load(c) - 30), greatest_load(c) + 1);
  c.grow = cuckoo_growth::off;
  const std::set<u64> drawn = *rc::gen::container<std::set<u64>>(rc::gen::inRange<u64>(0, 400));
  t.key = *rc::gen::inRange<u64>(0, 400);
  key_array keys(c.keys, drawn.size());
  keys.visit([&]<class Key>(std::vector<Key>& list) { list.assign(drawn.begin(), drawn.end()); });
  t.index = testing::build_on_cpu(c, keys);
  RC_ASSERT(t.index != nullptr);
  // Fuller than it is planned for: as many more as find room.
  if (*rc::gen::arbitrary<bool>()) {
    script more(c.keys);
    for (u64 key = 400; key < 400 + drawn.size() / 2 + 4; ++key) more.add({operation::insert, key});
    const auto filled = (*open_machine(machine_kind::cpu))->update(*t.index, more, 0, {}, {});
    RC_ASSERT(filled.ok());
    t.index = filled->index;
  }
  t.model = model_of(*t.index);
  for (u64 cell = 0; cell < t.model->region(main_region).cells; ++cell)
    if (const cell_value value = t.cell(cell, t.read()); is_live_row(*value.row)) t.keys.push_back(*value.key);
  std::ranges::sort(t.keys);
  RC_LOG() << to_line(c) << " n=" << t.keys.size() << " key=" << t.key << "\n";
  return t;
}

constexpr graph_bounds all_of_it{.buckets = 4096, .rows = 4096};

RC_GTEST_PROP(HomeGraph, HasEachLiveKeyAsOneEdgeBetweenItsHomes, ()) {
  const any_table t = draw_table();
  auto graph = make_home_graph(*t.model, t.homes(), t.read(), *trace_lookup(*t.index, t.key), all_of_it);
  RC_ASSERT((graph && fill_home_graph(*graph, *t.model, t.homes(), t.read())));
  RC_ASSERT(graph->is_whole());
  std::map<u64, const graph_edge*> edges;
  for (const graph_edge& edge : graph->edges) RC_ASSERT(edges.emplace(edge.key, &edge).second);
  for (const u64 key : t.keys) {
    const u64 cell = trace_lookup(*t.index, key)->slot;
    const u64 lies = cell / t.config.bucket;
    if (!edges.contains(key)) {  // only what lies in a bucket of the stash that is not in the picture
      RC_ASSERT(lies >= t.homes().buckets_without_stash());
      continue;
    }
    const graph_edge& edge = *edges[key];
    const graph_bucket& from = graph->buckets[edge.from];
    RC_ASSERT(from.bucket == lies && from.cells[edge.cell].cell == cell);
    std::set<u64> ends;
    for (const graph_edge::end& to : edge.to) RC_ASSERT(ends.insert(graph->buckets[to.bucket].bucket).second);
    RC_ASSERT(edge.left_out == 0);
    if (!from.is_stash) RC_ASSERT(ends.insert(lies).second);
    RC_ASSERT(ends == t.homes_by_hash(key));
  }
}

// A row further down is a move more: no entry moves past a row.
RC_GTEST_PROP(HomeGraph, HasRowsByTheMovesThatLeadThere, ()) {
  const any_table t = draw_table();
  auto graph = make_home_graph(*t.model, t.homes(), t.read(), *trace_lookup(*t.index, t.key), all_of_it);
  RC_ASSERT((graph && fill_home_graph(*graph, *t.model, t.homes(), t.read())));
  std::set<u64> first;
  for (const u32 home : graph->homes) first.insert(graph->buckets[home].bucket);
  RC_ASSERT(first == t.homes_by_hash(t.key));
  std::set<u32> led_to;
  for (const graph_edge& edge : graph->edges) {
    const graph_bucket& from = graph->buckets[edge.from];
    for (const graph_edge::end& to : edge.to) {
      const graph_bucket& end = graph->buckets[to.bucket];
      if (!to.may_move || !from.is_reached) continue;
      RC_ASSERT(end.is_reached && end.row <= from.row + 1);
      if (end.row == from.row + 1) led_to.insert(to.bucket);
    }
  }
  for (u32 i = 0; i < graph->buckets.size(); ++i) {
    const graph_bucket& bucket = graph->buckets[i];
    RC_ASSERT((i == 0 || bucket.row >= graph->buckets[i - 1].row));
    if (bucket.is_reached) RC_ASSERT((bucket.row == 0) == first.contains(bucket.bucket));
    if (bucket.is_reached && bucket.row > 0) RC_ASSERT(led_to.contains(i));
  }
}

// Bounded pictures are parts of the whole one: rows may be missing, no bucket is where it is not.
RC_GTEST_PROP(HomeGraph, IsNoLargerThanItsBounds, ()) {
  const any_table t = draw_table();
  const graph_bounds bounds{.buckets = *rc::gen::inRange<u32>(4, 12), .rows = *rc::gen::inRange<u32>(1, 4), .read = 4};
  const lookup_trace trace = *trace_lookup(*t.index, t.key);
  auto graph = make_home_graph(*t.model, t.homes(), t.read(), trace, bounds);
  RC_ASSERT((graph && fill_home_graph(*graph, *t.model, t.homes(), t.read())));
  RC_ASSERT(graph->buckets.size() <= std::max<u64>(bounds.buckets, t.config.homes) + 1);
  for (const u64 home : t.homes_by_hash(t.key)) RC_ASSERT(graph->find(home).has_value());
  for (const graph_edge& edge : graph->edges)
    RC_ASSERT(edge.to.size() + edge.left_out + (graph->buckets[edge.from].is_stash ? 0 : 1) ==
              t.homes_by_hash(edge.key).size());
  if (!graph->is_closed) return;
  // No key joins what is here to what is not.
  for (const u64 key : t.keys) {
    const auto homes = t.homes_by_hash(key);
    const auto here = std::ranges::count_if(homes, [&](u64 home) { return graph->find(home).has_value(); });
    RC_ASSERT(here == 0 || here == std::ssize(homes));
  }
}

// The way of an insert is what it moves: each entry into the next one's cell, the last one where there was room.
RC_GTEST_PROP(HomeGraph, HasTheWayThatAnInsertMoves, ()) {
  const any_table t = draw_table();
  RC_PRE(!std::ranges::binary_search(t.keys, t.key));
  const lookup_trace trace = *trace_write(*t.index, operation::insert, t.key);
  const auto steps = static_cast<u32>(trace.steps.size());
  const std::vector<eviction> way = evictions_of(trace, steps - 1);
  const region_reader before = t.read(), after = after_steps(before, *t.model, trace, steps);
  const auto search = search_room(*t.model, t.homes(), before, t.key);
  RC_ASSERT(search.has_value());
  std::set<u64> changed;
  for (u64 cell = 0; cell < t.model->region(main_region).cells; ++cell)
    if (t.cell(cell, before) != t.cell(cell, after)) changed.insert(cell);
  if (search->moves == 0u) RC_ASSERT(way.empty() && changed.size() == 1);
  if (way.empty()) return;
  if (trace.write->done == write_done::full) {
    RC_ASSERT(changed.empty());
    return;
  }
  RC_ASSERT(changed.size() == way.size() + 1);
  RC_ASSERT((search->moves.has_value() && *search->moves <= way.size()));
  for (std::size_t i = 0; i < way.size(); ++i) {
    RC_ASSERT(t.cell(way[i].cell, before).key == way[i].key);
    RC_ASSERT(t.cell(way[i].cell, after).key == (i == 0 ? t.key : way[i - 1].key));
    RC_ASSERT(t.homes_by_hash(way[i].key).contains(way[i].to));
    changed.erase(way[i].cell);
    if (i + 1 < way.size()) RC_ASSERT(way[i].to == way[i + 1].cell / t.config.bucket);
    // Step by step it only grows.
    RC_ASSERT(evictions_of(trace, way[i].step).size() == i + 1);
  }
  RC_ASSERT(*changed.begin() / t.config.bucket == way.back().to);
  RC_ASSERT(t.cell(*changed.begin(), after).key == way.back().key);
  // And back: before_steps() takes all of it away.
  const region_reader undone = before_steps(after, *t.model, trace, steps);
  for (u64 cell = 0; cell < t.model->region(main_region).cells; ++cell)
    RC_ASSERT(t.cell(cell, undone) == t.cell(cell, before));
}

// Is there any arrangement of these keys, each in a home of its own with room? By augmenting paths, which know nothing of moves.
struct arrangement {
  const any_table& table;
  std::map<u64, std::vector<u64>> held = {};  // by bucket
  std::set<u64> met = {};

  bool place(u64 key) {
    for (const u64 home : table.homes_by_hash(key)) {
      if (!met.insert(home).second) continue;
      std::vector<u64>& here = held[home];
      if (here.size() < table.config.bucket) {
        here.push_back(key);
        return true;
      }
      for (u64& other : here) {
        if (!place(other)) continue;
        other = key;
        return true;
      }
    }
    return false;
  }
};

// A key that never fits has no place in any arrangement; and where one has two homes, the converse.
RC_GTEST_PROP(HomeGraph, SaysThatAKeyNeverFitsWhereNoArrangementHasRoom, ()) {
  const any_table t = draw_table();
  RC_PRE(!std::ranges::binary_search(t.keys, t.key));
  const auto search = search_room(*t.model, t.homes(), t.read(), t.key, 4096);
  RC_ASSERT((search.has_value() && search->all));
  arrangement any{t};
  for (const u64 key : t.keys) {
    if (trace_lookup(*t.index, key)->slot / t.config.bucket >= t.homes().buckets_without_stash()) continue;
    any.met.clear();
    RC_ASSERT(any.place(key));
  }
  any.met.clear();
  const bool fits = any.place(t.key);
  if (search->closed) RC_ASSERT(!fits && search->keys == search->cells);
  if (search->moves) RC_ASSERT(fits);
  if (t.config.homes == 2) RC_ASSERT(fits == search->moves.has_value() && fits != search->closed);
  RC_CLASSIFY(!fits, "never fits");
  RC_CLASSIFY(search->moves.value_or(0) > 0, "fits after moves");
}

}  // namespace
}  // namespace pivotscope::viz
