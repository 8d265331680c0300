#include "viz/models/home_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string_view>

#include "core/index/cell_state.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

// The cells of one bucket after the other, each read once.
class bucket_cells {
 public:
  bucket_cells(const index_model& model, const region_reader& read)
      : model_(model), read_(read), cells_(model.windows()->cells) {}

  // Null: its bytes are not at hand.
  const std::vector<graph_cell>* of(u64 bucket) {
    const auto known = known_.find(bucket);
    if (known != known_.end()) return &known->second;
    std::vector<cell_value> values(cells_);
    if (!model_.values_of({main_region, bucket * cells_, cells_}, read_, values)) return nullptr;
    std::vector<graph_cell> cells;
    for (u32 i = 0; i < cells_; ++i)
      cells.push_back(
          {bucket * cells_ + i, state_of_row(values[i].row.value_or(not_found)), values[i].key.value_or(0)});
    return &(known_[bucket] = std::move(cells));
  }

 private:
  const index_model& model_;
  const region_reader& read_;
  u32 cells_;
  std::map<u64, std::vector<graph_cell>> known_;
};

constexpr u64 most_scanned = 4096;  // cells

bool is_room(const graph_cell& cell) { return cell.state == cell_state::empty || cell.state == cell_state::erased; }
bool has(std::span<const u64> list, u64 bucket) { return std::ranges::find(list, bucket) != list.end(); }

// The buckets that the steps of a trace read, in their order.
std::vector<u64> buckets_read(const lookup_trace& trace, u64 cells) {
  std::vector<u64> list;
  for (const trace_step& step : trace.steps)
    for (const comparison& c : step.compared)
      if (c.array == main_region && !has(list, c.slot / cells)) list.push_back(c.slot / cells);
  return list;
}

// Goes from the homes of a key to where entries may move, nearest first, for as long as f(bucket, cells, moves) wants it to. Returns
// false if some bytes are not at hand.
template <class F>
bool each_reached(const homes_model& homes, bucket_cells& cells, u64 key, F&& f) {
  std::deque<std::pair<u64, u32>> to_do;
  std::set<u64> met;
  const auto meet = [&](u64 bucket, u32 moves) {
    if (met.insert(bucket).second) to_do.emplace_back(bucket, moves);
  };
  for (const u64 home : homes.homes_of_key(key)) meet(home, 0);
  for (; !to_do.empty(); to_do.pop_front()) {
    const auto [bucket, moves] = to_do.front();
    const std::vector<graph_cell>* const here = cells.of(bucket);
    if (!here) return false;
    if (!f(bucket, *here, moves)) return true;
    for (const graph_cell& cell : *here)
      if (cell.state == cell_state::live)
        for (const u64 to : homes.moves_of_key(cell.key, bucket)) meet(to, moves + 1);
  }
  return true;
}

struct chosen_buckets {
  std::vector<u64> list;
  bool is_closed = false;
};

// Adds what keys join to the chosen buckets, whichever way they point: only a look at all cells finds these. Returns false if some bytes
// are not at hand.
bool add_joined(const homes_model& homes, bucket_cells& cells, u64 all_buckets, u64 most, chosen_buckets& chosen) {
  std::map<u64, std::set<u64>> joined;
  for (u64 bucket = 0; bucket < all_buckets; ++bucket) {
    const std::vector<graph_cell>* const here = cells.of(bucket);
    if (!here) return false;
    for (const graph_cell& cell : *here) {
      if (cell.state != cell_state::live) continue;
      const std::vector<u64> its = homes.homes_of_key(cell.key);
      for (const u64 home : its) joined[home].insert(its.begin(), its.end());
    }
  }
  for (std::size_t i = 0; i < chosen.list.size(); ++i) {
    for (const u64 other : joined[chosen.list[i]]) {
      if (has(chosen.list, other)) continue;
      if (chosen.list.size() >= most) return true;
      chosen.list.push_back(other);
    }
  }
  chosen.is_closed = true;
  return true;
}

// Which buckets are in the picture, nearest first.
std::optional<chosen_buckets> choose_buckets(const homes_model& homes, bucket_cells& cells,
                                             const probe_windows& windows, const lookup_trace& trace,
                                             const graph_bounds& bounds) {
  const u64 table_buckets = homes.buckets_without_stash();
  std::vector<u64> chosen = homes.homes_of_key(trace.key);
  const auto add = [&](u64 bucket, u64 most) {
    if (chosen.size() < most && !has(chosen, bucket)) chosen.push_back(bucket);
  };
  for (const u64 bucket : buckets_read(trace, windows.cells)) add(bucket, bounds.read);
  const bool at_hand = each_reached(homes, cells, trace.key, [&](u64 bucket, const auto&, u32 moves) {
    if (moves < bounds.rows) add(bucket, bounds.buckets);
    return moves < bounds.rows && chosen.size() < bounds.buckets;
  });
  if (!at_hand) return std::nullopt;
  chosen_buckets all{std::move(chosen)};
  if (table_buckets <= bounds.buckets) {
    for (u64 bucket = 0; bucket < table_buckets; ++bucket)
      if (!has(all.list, bucket)) all.list.push_back(bucket);
    all.is_closed = true;
  } else if (windows.count * windows.cells <= most_scanned && all.list.size() < bounds.buckets) {
    if (!add_joined(homes, cells, windows.count, bounds.buckets, all)) return std::nullopt;
  }
  return all;
}

// Gives buckets that are in the picture their rows, and stands each below the one that leads to it.
bool set_rows(home_graph& graph, const homes_model& homes, bucket_cells& cells, const std::vector<u64>& chosen,
              u64 table_buckets) {
  const std::vector<u64> first = homes.homes_of_key(graph.sought);
  std::map<u64, graph_bucket> placed;
  std::vector<u64> order;
  const auto place = [&](u64 bucket, u32 row, double middle) {
    if (!has(chosen, bucket) || placed.contains(bucket)) return;
    placed[bucket] = {.bucket = bucket, .row = row, .is_stash = bucket >= table_buckets, .middle = middle};
    order.push_back(bucket);
  };
  for (std::size_t i = 0; i < first.size(); ++i)
    place(first[i], 0, (static_cast<double>(i) + 0.5) / static_cast<double>(first.size()));
  for (std::size_t i = 0; i < order.size(); ++i) {
    const graph_bucket from = placed[order[i]];
    const std::vector<graph_cell>* const here = cells.of(from.bucket);
    if (!here) return false;
    for (const graph_cell& cell : *here)
      if (cell.state == cell_state::live)
        for (const u64 to : homes.moves_of_key(cell.key, from.bucket)) place(to, from.row + 1, from.middle);
  }
  graph.rows = placed[order.back()].row + 1;
  // What is left, by number; and the stash behind it.
  std::vector<u64> rest;
  for (const u64 bucket : chosen)
    if (!placed.contains(bucket)) rest.push_back(bucket);
  std::ranges::sort(rest);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    place(rest[i], graph.rows, (static_cast<double>(i) + 0.5) / static_cast<double>(rest.size()));
    placed[rest[i]].is_reached = false;
  }
  if (!rest.empty()) ++graph.rows;
  for (const u64 bucket : order) graph.buckets.push_back(placed[bucket]);
  for (const u64 home : first) graph.homes.push_back(*graph.find(home));
  return true;
}

// What the source calls the entry that is to move.
std::optional<u64> watched_as(const trace_step& step, std::string_view name) {
  for (const watched_value& value : step.watched)
    if (value.name == name) return value.value;
  return std::nullopt;
}

}  // namespace

u32 graph_bucket::room() const { return static_cast<u32>(std::ranges::count_if(cells, is_room)); }

std::optional<u32> home_graph::find(u64 bucket) const {
  for (u32 i = 0; i < buckets.size(); ++i)
    if (buckets[i].bucket == bucket) return i;
  return std::nullopt;
}

bool home_graph::is_whole() const {
  return static_cast<u64>(std::ranges::count_if(buckets, [](const auto& b) { return !b.is_stash; })) == of_buckets;
}

std::optional<home_graph> make_home_graph(const index_model& model, const homes_model& homes, const region_reader& read,
                                          const lookup_trace& trace, const graph_bounds& bounds) {
  const probe_windows windows = *model.windows();
  bucket_cells cells(model, read);
  home_graph graph{.sought = trace.key, .of_buckets = homes.buckets_without_stash()};
  auto chosen = choose_buckets(homes, cells, windows, trace, bounds);
  if (!chosen || !set_rows(graph, homes, cells, chosen->list, graph.of_buckets)) return std::nullopt;
  graph.is_closed = chosen->is_closed;
  return graph;
}

bool fill_home_graph(home_graph& graph, const index_model& model, const homes_model& homes, const region_reader& read) {
  bucket_cells cells(model, read);
  graph.edges.clear();
  for (u32 from = 0; from < graph.buckets.size(); ++from) {
    graph_bucket& bucket = graph.buckets[from];
    const std::vector<graph_cell>* const here = cells.of(bucket.bucket);
    if (!here) return false;
    bucket.cells = *here;
    for (u32 i = 0; i < here->size(); ++i) {
      const graph_cell& cell = (*here)[i];
      if (cell.state != cell_state::live) continue;
      graph_edge edge{.key = cell.key, .from = from, .cell = i};
      const std::vector<u64> moves = homes.moves_of_key(cell.key, bucket.bucket);
      for (const u64 home : homes.homes_of_key(cell.key)) {
        if (home == bucket.bucket) continue;
        if (const auto to = graph.find(home))
          edge.to.push_back({*to, has(moves, home)});
        else
          ++edge.left_out;
      }
      graph.edges.push_back(std::move(edge));
    }
  }
  return true;
}

std::optional<room_search> search_room(const index_model& model, const homes_model& homes, const region_reader& read,
                                       u64 key, u64 most) {
  bucket_cells cells(model, read);
  room_search search;
  std::vector<u64> reached;
  std::set<u64> their_homes;
  const bool at_hand = each_reached(homes, cells, key, [&](u64 bucket, const std::vector<graph_cell>& here, u32 moves) {
    if (search.buckets == most) return search.all = false;
    ++search.buckets, search.cells += here.size();
    reached.push_back(bucket);
    for (const graph_cell& cell : here) {
      if (is_room(cell)) search.moves = moves;
      if (cell.state != cell_state::live) continue;
      ++search.keys;
      for (const u64 home : homes.homes_of_key(cell.key)) their_homes.insert(home);
    }
    return !search.moves.has_value();
  });
  if (!at_hand) return std::nullopt;
  search.closed =
      !search.moves && search.all && std::ranges::all_of(their_homes, [&](u64 home) { return has(reached, home); });
  return search;
}

std::string room_words(const home_graph& graph, const room_search& search, bool has_stash) {
  for (const graph_edge& edge : graph.edges) {
    if (edge.key != graph.sought) continue;
    const graph_bucket& bucket = graph.buckets[edge.from];
    return fmt::format("{} lies in bucket {}{}.", edge.key, bucket.bucket, bucket.is_stash ? " of the stash" : "");
  }
  const bool one = graph.homes.size() == 1;
  if (search.moves == 0u)
    return one ? fmt::format("The home of {} has room.", graph.sought)
               : fmt::format("A home of {} has room: none has to move.", graph.sought);
  if (search.moves)
    return fmt::format("{} of {} full; the nearest room is {} away.", one ? "The home" : "All homes",
                       fmt::format("{} {}", graph.sought, one ? "is" : "are"), counted(*search.moves, "move"));
  if (!search.all)
    return fmt::format("None of the {} buckets nearest to the homes of {} has room.", search.buckets, graph.sought);
  if (!search.closed)
    return fmt::format("All {} to which entries may move from the homes of {} are full.",
                       counted(search.buckets, "bucket"), graph.sought);
  return fmt::format("{} never fits: {} full, and {} no home elsewhere. {}.", graph.sought,
                     search.cells == 1 ? "1 cell is" : fmt::format("{} cells are", search.cells),
                     search.keys == 1 ? "the key there has" : fmt::format("the {} keys there have", search.keys),
                     has_stash ? "Only the stash is left" : "The table needs other hash functions");
}

std::vector<eviction> evictions_of(const lookup_trace& trace, u32 step) {
  std::vector<eviction> way;
  for (u32 i = 0; i <= step && i < trace.steps.size(); ++i) {
    const trace_step& at = trace.steps[i];
    const auto key = watched_as(at, "one.key"), cell = watched_as(at, "cell"), to = watched_as(at, "next"),
               length = watched_as(at, "along.length");
    // A way that led nowhere is given up for another, whose first entry it is.
    if (!key || !cell || !to || !length || *length <= 1) way.clear();
    if (key && cell && to && length) way.push_back({i, *key, *cell, *to});
  }
  return way;
}

}  // namespace pivotscope::viz
