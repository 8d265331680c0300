#include "viz/panels/tree_homes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "viz/cells/seen_state.hpp"
#include "viz/models/home_graph.hpp"
#include "viz/models/step_reader.hpp"
#include "viz/models/tree_model.hpp"
#include "viz/panels/tree_path.hpp"
#include "viz/parts/key_label.hpp"
#include "viz/parts/marks.hpp"
#include "viz/parts/node_marks.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/parts/timeline.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

constexpr float number_height = 13, least_row = 46, greatest_row = 84;  // in units of px(), as below
constexpr float arrow_long = 6, arrow_half = 3.5f;

// The graph, and where it stands on the screen.
struct homes_picture {
  const home_graph& graph;
  node_places places;
  ImVec2 at;
  float width = 0, row = 0, height = 0;
  std::vector<key_labels> labels = {};  // of each row's cells

  float cell_of(const graph_bucket& bucket) const { return static_cast<float>(places.cell[bucket.row]); }
  // Its cells; its number stands above them.
  box cells_box(u32 i) const {
    const graph_bucket& bucket = graph.buckets[i];
    const float half = cell_of(bucket) * static_cast<float>(bucket.cells.size()) / 2;
    const float x = at.x + static_cast<float>(places.middle[i]);
    const float y = at.y + row * static_cast<float>(bucket.row) + px(number_height);
    return {{x - half, y}, {x + half, y + height}};
  }
  box whole_box(u32 i) const {
    const box cells = cells_box(i);
    return {{cells.low.x, cells.low.y - px(number_height)}, cells.high};
  }
  box cell_box(u32 i, u32 cell) const {
    const box all = cells_box(i);
    const float wide = cell_of(graph.buckets[i]), gap = wide > px(10) ? px(2) : wide > px(4) ? 1.0f : 0.0f;
    const float x = all.low.x + wide * static_cast<float>(cell);
    return {{x, all.low.y}, {x + wide - gap, all.high.y}};
  }
};

tree_model rows_of(const home_graph& graph) {
  tree_model tree;
  tree.levels = graph.rows;
  for (const graph_bucket& bucket : graph.buckets)
    tree.nodes.push_back(
        {.level = bucket.row, .cells = static_cast<u32>(bucket.cells.size()), .middle = bucket.middle});
  return tree;
}

std::vector<key_labels> labels_of_rows(const homes_picture& p) {
  std::vector<std::vector<u64>> keys(p.graph.rows);
  for (const graph_bucket& bucket : p.graph.buckets)
    for (const graph_cell& cell : bucket.cells)
      if (cell.state == cell_state::live || cell.state == cell_state::erased) keys[bucket.row].push_back(cell.key);
  std::vector<key_labels> labels;
  for (u32 row = 0; row < p.graph.rows; ++row) {
    const auto wide = static_cast<float>(p.places.cell[row]);
    labels.emplace_back(keys[row], wide - (wide > px(14) ? px(4) : px(2)), 14);
    // A digit or two of many say nothing.
    if (!labels.back().whole() && labels.back().chars() < 4) labels.back() = {};
  }
  return labels;
}

void draw_arrow_head(ImDrawList& draw, ImVec2 tip, float down, ImU32 ink) {
  const float back = tip.y - down * px(arrow_long);
  draw.AddTriangleFilled({tip.x - px(arrow_half), back}, {tip.x + px(arrow_half), back}, tip, ink);
}

// From a cell of one bucket to another bucket: down to a lower row, up to a higher one, or below the row to a neighbour.
void draw_way(ImDrawList& draw, const homes_picture& p, u32 from, u32 cell, u32 to, ImU32 ink, float thick) {
  const box begin = p.cell_box(from, cell), end = p.whole_box(to);
  const float middle = begin.middle().x;
  // What arrives from below keeps off the middle, from where others leave: on the side from which it comes.
  const float aside = std::min(end.width() * 0.28f, px(24));
  const float below = end.middle().x + (middle > end.middle().x ? aside : -aside);
  if (p.graph.buckets[from].row == p.graph.buckets[to].row) {
    const float y = begin.high.y + px(2);
    draw_side_link(draw, {middle, y}, {below, y}, std::min(p.row - p.height - px(number_height + 4), px(20)), ink,
                   thick);
    return;
  }
  const bool down = p.graph.buckets[from].row < p.graph.buckets[to].row;
  const float sign = down ? 1.0f : -1.0f;
  const ImVec2 start{down ? middle : middle + begin.width() * 0.28f, down ? begin.high.y + px(1) : begin.low.y - px(1)};
  const ImVec2 tip{down ? end.middle().x : below, down ? end.low.y - px(1) : end.high.y + px(2)};
  const ImVec2 stop{tip.x, tip.y - sign * px(arrow_long - 1)};
  const float bend = std::abs(stop.y - start.y) / 2;
  draw.AddBezierCubic(start, {start.x, start.y + sign * bend}, {stop.x, stop.y - sign * bend}, stop, ink, thick);
  draw_arrow_head(draw, tip, sign, ink);
}

// Is the edge's end what an entry of the way moves along? The way is drawn in its place, also when the entry has moved.
bool is_of_way(const homes_picture& p, const graph_edge& edge, const graph_edge::end& end,
               const std::vector<eviction>& way) {
  const u64 a = p.graph.buckets[edge.from].bucket, b = p.graph.buckets[end.bucket].bucket;
  const u64 cells = p.graph.buckets[edge.from].cells.size();
  return std::ranges::any_of(way, [&](const eviction& one) {
    const u64 from = one.cell / cells;
    return one.key == edge.key && ((a == from && b == one.to) || (a == one.to && b == from));
  });
}

void draw_edges(ImDrawList& draw, const homes_picture& p, const std::vector<eviction>& way,
                const std::optional<cell_ref>& pointed) {
  for (const bool front : {false, true}) {
    for (const graph_edge& edge : p.graph.edges) {
      const graph_bucket& from = p.graph.buckets[edge.from];
      const bool is_pointed = pointed && pointed->cell == from.cells[edge.cell].cell;
      if (is_pointed != front) continue;
      for (const graph_edge::end& to : edge.to) {
        if (is_of_way(p, edge, to, way)) continue;
        const ImU32 ink = is_pointed ? theme().text : to.may_move ? theme().edge : with_alpha(theme().edge, 0.45f);
        draw_way(draw, p, edge.from, edge.cell, to.bucket, ink, px(is_pointed ? 2.0f : 1.25f));
      }
    }
  }
}

// The way of an insert, as far as this step has found it.
void draw_evictions(ImDrawList& draw, const homes_picture& p, const std::vector<eviction>& way) {
  for (const eviction& one : way) {
    const auto to = p.graph.find(one.to);
    for (u32 i = 0; to && i < p.graph.buckets.size(); ++i) {
      const graph_bucket& from = p.graph.buckets[i];
      for (u32 cell = 0; cell < from.cells.size(); ++cell)
        if (from.cells[cell].cell == one.cell) draw_way(draw, p, i, cell, *to, theme().accent, px(2.5f));
    }
  }
}

// The key looked for, as an edge between its homes: a line to each.
void draw_sought_edge(const frame& f, ImDrawList& draw, const homes_picture& p, float lane) {
  float x = 0;
  for (const u32 home : p.graph.homes) x += p.whole_box(home).middle().x;
  x /= static_cast<float>(std::max<std::size_t>(p.graph.homes.size(), 1));
  const float y = lane + px(caret_height);
  for (const u32 home : p.graph.homes) {
    const box end = p.whole_box(home);
    const bool lies = std::ranges::any_of(
        p.graph.edges, [&](const graph_edge& e) { return e.key == p.graph.sought && e.from == home; });
    draw_link(draw, {x, y - px(2)}, {end.middle().x, end.low.y - px(1)}, theme().accent, px(lies ? 2.5f : 1.25f));
  }
  draw_sought(f, x, y, p.at.x, p.at.x + p.width);
}

void draw_bucket(frame& f, const homes_picture& p, u32 number) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const graph_bucket& bucket = p.graph.buckets[number];
  const lookup_trace& trace = *f.trace();
  const box whole = p.whole_box(number);
  draw.AddRectFilled({whole.low.x, whole.low.y + px(number_height)}, whole.high, theme().panel);
  const std::string name =
      bucket.is_stash ? fmt::format("stash {}", bucket.bucket - p.graph.of_buckets) : std::to_string(bucket.bucket);
  if (const float width = text_width(fonts().mono, type::tiny, name); width <= whole.width() + px(8)) {
    const float x = whole.middle().x - width / 2;
    draw.AddRectFilled({x - px(2), whole.low.y}, {x + width + px(2), whole.low.y + px(number_height)}, theme().panel);
    draw_text(draw, fonts().mono, type::tiny, {x, whole.low.y - px(1)}, theme().text_dim, name);
  }
  cell_reads reads;
  for (u32 i = 0; i < bucket.cells.size(); ++i) {
    const graph_cell& cell = bucket.cells[i];
    const box at = p.cell_box(number, i);
    const cell_reads here = reads_of(trace, f.view.transport.step, main_region, cell.cell);
    if (here.mark > reads.mark) reads = here;
    const key_labels& labels = p.labels[bucket.row];
    switch (cell.state) {
      case cell_state::empty:
        if (at.width() > px(3)) draw_empty_cell(draw, at);
        break;
      case cell_state::claimed:
        draw_claimed_cell(draw, at);
        break;
      case cell_state::erased:
        draw_erased_cell(draw, at, labels.any());
        labels.draw(draw, at, at.middle().y, theme().text_dim, cell.key, true);
        break;
      default: {
        const ImU32 colour = level_colour(0, 1);
        draw_cell(draw, at, colour, false);
        draw_change(draw, at, f.changed({main_region, cell.cell}));
        labels.draw(draw, at, at.middle().y, ink_on(colour), cell.key);
        if (cell.key == p.graph.sought) draw.AddRect(at.low, at.high, theme().accent, px(3), px(2));
      }
    }
    if (f.view.pointed.cell == cell_ref{main_region, cell.cell}) draw_pointed(draw, at);
  }
  if (reads.mark == read_mark::none) return;
  const box cells = p.cells_box(number);
  draw_read(draw, {{cells.low.x - px(2), cells.low.y - px(2)}, {cells.high.x, cells.high.y + px(2)}}, reads.mark,
            reads.step, whole.width() > px(18));
}

void draw_row_names(ImDrawList& draw, const homes_picture& p, float x) {
  const bool has_rest = std::ranges::any_of(p.graph.buckets, [](const graph_bucket& b) { return !b.is_reached; });
  for (u32 row = 0; row < p.graph.rows; ++row) {
    const bool rest = has_rest && row + 1 == p.graph.rows;
    const std::string words = row == 0 ? (p.graph.homes.size() == 1 ? "its home" : "its homes")
                              : rest   ? "no way here"
                                       : counted(row, "move");
    draw_text(draw, fonts().words, type::small,
              {x, p.at.y + p.row * static_cast<float>(row) + px(number_height) + p.height / 2 - px(8)},
              theme().text_dim, words);
  }
}

struct pointed_cell {
  u32 bucket = 0, cell = 0;
};
std::optional<pointed_cell> cell_under_mouse(const homes_picture& p) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  for (u32 i = 0; i < p.graph.buckets.size(); ++i) {
    const box at = p.whole_box(i);
    if (mouse.x < at.low.x || mouse.x >= at.high.x || mouse.y < at.low.y || mouse.y >= at.high.y) continue;
    const auto cell = static_cast<u32>((mouse.x - at.low.x) / p.cell_of(p.graph.buckets[i]));
    return pointed_cell{i, std::min(cell, static_cast<u32>(p.graph.buckets[i].cells.size()) - 1)};
  }
  return std::nullopt;
}

std::string bucket_words(const homes_picture& p, const graph_bucket& bucket) {
  const std::string name = bucket.is_stash ? fmt::format("Bucket {} of the stash", bucket.bucket - p.graph.of_buckets)
                                           : fmt::format("Bucket {}", grouped(bucket.bucket));
  const u32 room = bucket.room();
  return room == 0 ? name + ": full."
                   : fmt::format("{}: room for {}.", name, room == 1 ? "1 entry" : fmt::format("{} entries", room));
}
std::string edge_words(const homes_picture& p, const graph_edge& edge) {
  std::vector<std::string> homes;
  for (const graph_edge::end& to : edge.to)
    homes.push_back(fmt::format("{}{}", p.graph.buckets[to.bucket].bucket, to.may_move ? "" : " (not in one move)"));
  if (edge.left_out > 0) homes.push_back(fmt::format("{} that is not shown", edge.left_out));
  return homes.empty() ? "It has no other home." : fmt::format("Its other home: {}.", fmt::join(homes, ", "));
}

// The cell under the mouse is pointed at in every view; a click looks for its key, a right one opens its menu.
void handle_homes_mouse(frame& f, const homes_picture& p, float height) {
  ImGui::SetCursorScreenPos(p.at);
  const bool clicked = ImGui::InvisibleButton("homes", {std::max(p.width, 1.0f), std::max(height, 1.0f)});
  spot("homes");
  const std::optional<pointed_cell> at = ImGui::IsItemHovered() ? cell_under_mouse(p) : std::nullopt;
  const graph_bucket* const bucket = at ? &p.graph.buckets[at->bucket] : nullptr;
  const graph_cell* const cell = bucket ? &bucket->cells[at->cell] : nullptr;
  const bool key = cell && (cell->state == cell_state::live || cell->state == cell_state::erased);
  cell_menu(f, key ? std::optional(cell_ref{main_region, cell->cell}) : std::nullopt);
  if (!cell) return;
  point_at(f.view.points_next, f.seen_at({main_region, cell->cell}));
  std::string words = bucket_words(p, *bucket);
  for (const graph_edge& edge : p.graph.edges)
    if (edge.from == at->bucket && edge.cell == at->cell) words += " " + edge_words(p, edge);
  hover_card(key ? std::to_string(cell->key) : fmt::format("Cell {}", grouped(cell->cell)), words,
             key ? "Click to look for this key, right-click for more." : "");
  if (clicked && key) f.act.choose_key_at(main_region, cell->cell);
}

// Scrolls to the bucket that the step reads, once for each step.
void follow_bucket(frame& f, const homes_picture& p) {
  tree_state& state = f.view.tree;
  const transport_state& t = f.view.transport;
  if (state.followed == t.path && state.followed_step == t.step) return;
  state.followed = t.path, state.followed_step = t.step;
  for (u32 i = 0; i < p.graph.buckets.size(); ++i) {
    for (const graph_cell& cell : p.graph.buckets[i].cells) {
      if (reads_of(*f.trace(), t.step, main_region, cell.cell).mark != read_mark::now) continue;
      const box at = p.whole_box(i);
      const float begin = ImGui::GetWindowPos().y, end = begin + ImGui::GetWindowHeight();
      if (at.low.y < begin || at.high.y > end) ImGui::SetScrollFromPosY(at.middle().y - begin, 0.5f);
      return;
    }
  }
}

std::string legend_words(const home_graph& graph, bool more_homes) {
  return fmt::format(
      "A box is a bucket, an arrow leads from a key to {}. {}", more_homes ? "its other homes" : "its other home",
      graph.is_whole()
          ? fmt::format("All {} are here.", counted(graph.of_buckets, "bucket"))
          : fmt::format(
                "Here are {} of {}: {}.", grouped(graph.buckets.size()), counted(graph.of_buckets, "bucket"),
                graph.is_closed ? "all that keys join to its homes" : "what the steps read and what is nearest"));
}

}  // namespace

void draw_homes(frame& f, const homes_model& homes) {
  const index_model& model = *f.model();
  const lookup_trace& trace = *f.trace();
  const u32 step = f.view.transport.step;
  const region_reader before = before_steps(reader_of(*f.session.index, f.slots), model, trace, step + 1);
  const region_reader now = after_steps(before, model, trace, step + 1);
  // As many cells as have room beside each other, and at least the homes.
  const u32 cells = model.windows()->cells;
  const graph_bounds bounds{.buckets = std::clamp(96 / cells, 8u, 24u), .rows = 8};
  std::optional<home_graph> graph = make_home_graph(model, homes, before, trace, bounds);
  const auto search = search_room(model, homes, before, trace.key);
  // What is on its way comes with another frame.
  if (!graph || !search || !fill_home_graph(*graph, model, homes, before))
    return caption("The buckets are on their way.");
  caption(room_words(*graph, *search, homes.stash_of_key(trace.key).has_value()) + " " +
          legend_words(*graph, homes.homes_of_key(trace.key).size() > 2));
  if (!fill_home_graph(*graph, model, homes, now)) return;

  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::BeginChild("graph", {0, std::max(ImGui::GetContentRegionAvail().y, px(40))});
  ImGui::PopStyleVar();
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  homes_picture p{*graph, {}, {at.x + px(tree_label_column), at.y + px(tree_caret_lane + 14)}};
  p.width = std::max(room.x - px(tree_label_column) - px(12), px(60));
  p.row = std::clamp((room.y - px(tree_caret_lane + 14)) / static_cast<float>(std::max(graph->rows, 1u)), px(least_row),
                     px(greatest_row));
  p.height = std::min(p.row * 0.42f, px(26));
  p.places = place_nodes(rows_of(*graph), p.width, cell_for_keys(f, px(40)), px(28));
  p.labels = labels_of_rows(p);
  const float height = p.row * static_cast<float>(graph->rows);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw_row_names(draw, p, at.x);
  const std::vector<eviction> way = evictions_of(trace, step);
  draw_edges(draw, p, way, f.view.pointed.cell);
  draw_evictions(draw, p, way);
  draw_sought_edge(f, draw, p, at.y);
  handle_homes_mouse(f, p, height);
  for (u32 i = 0; i < graph->buckets.size(); ++i) draw_bucket(f, p, i);
  ImGui::SetCursorScreenPos({at.x, at.y});
  ImGui::Dummy({room.x, height + px(tree_caret_lane + 14)});
  follow_bucket(f, p);
  ImGui::EndChild();
}

}  // namespace pivotscope::viz
