// Tree: the search tree that the arrays stand for. All of it when it is small; else the nodes along the path.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/index/homes_model.hpp"
#include "core/index/latched_model.hpp"
#include "core/index/told_levels.hpp"
#include "viz/cells/cells.hpp"
#include "viz/cells/seen_state.hpp"
#include "viz/models/step_reader.hpp"
#include "viz/models/tree_model.hpp"
#include "viz/panels/panels.hpp"
#include "viz/panels/stored_levels_bar.hpp"
#include "viz/panels/tree_homes.hpp"
#include "viz/panels/tree_path.hpp"
#include "viz/parts/empty_view.hpp"
#include "viz/parts/key_label.hpp"
#include "viz/parts/marks.hpp"
#include "viz/parts/node_marks.hpp"
#include "viz/parts/timeline.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"
#include "viz/words/sentence_numbers.hpp"

namespace pivotscope::viz {
namespace {

constexpr u64 most_nodes = 1000;

// Cells as the picture shows them. Where operations take several steps to change a node, those of a traced write are seen
// as its steps so far would leave them.
struct seen_cells {
  const frame& f;
  region_reader read;

  explicit seen_cells(const frame& of) : f(of), read(reader_of(*of.session.index, of.slots)) {
    if (f.trace() && f.trace()->write && path_is_of_index(f) && staged(*f.model()))
      read = after_steps(std::move(read), *f.model(), *f.trace(), f.view.transport.step + 1);
  }
  std::optional<slot_content> content(cell_ref at) const {
    if (!f.model()->region(at.region).has(field_kind::key)) return std::nullopt;
    const std::optional<cell_value> value = f.model()->value_of(at, read);
    return value && value->key ? std::optional(slot_content{*value->key, value->row}) : std::nullopt;
  }
  cell_place place(cell_ref at) const { return state_seen(*f.model(), place_of(*f.model(), at), read); }
  std::string brief(cell_ref at) const { return with_grouped_numbers(f.model()->brief_of(at, read)); }
};

struct whole_tree {
  const tree_model& tree;
  const seen_cells& cells;
  ImVec2 at;
  float width = 0, row = 0, height = 0;
  u32 kept = 0, ghosts = 0;  // levels that are not stored stand as rows of their own below those that are
  node_places places = {};
  std::vector<key_labels> labels = {};  // of each level's cells
  float cell_of(const tree_node& node) const { return static_cast<float>(places.cell[node.level]); }
  float x_of(const tree_node& node) const {
    const auto i = static_cast<std::size_t>(&node - tree.nodes.data());
    return at.x + static_cast<float>(places.middle[i]);
  }
  // Where the way to a child begins: below the gap that its keys fall into, or below the one key that there is.
  float way_begins(const tree_node& node, u32 gap) const {
    return node.cells == 1 ? x_of(node) : node_box(node).low.x + cell_of(node) * static_cast<float>(gap) - px(1);
  }
  u32 rows() const { return tree.levels + ghosts; }
  float y_of_row(u32 number) const { return at.y + row * (static_cast<float>(number) + 0.5f); }
  u32 row_of(u32 level) const { return level < kept ? level : level + ghosts; }
  float y_of(const tree_node& node) const { return y_of_row(row_of(node.level)); }
  box node_box(const tree_node& node) const {
    const float half = cell_of(node) * static_cast<float>(node.cells) / 2, y = y_of(node);
    return {{x_of(node) - half, y - height / 2}, {x_of(node) + half, y + height / 2}};
  }
};

float cell_gap(float cell) { return cell > px(10) ? px(2) : cell > px(4) ? 1.0f : 0.0f; }

// How the keys of each level are written: of cells that have room for any.
std::vector<key_labels> labels_of_levels(const seen_cells& seen, const tree_model& tree,
                                         const std::vector<double>& cells, float height) {
  std::vector<std::vector<u64>> keys(tree.levels);
  std::vector<float> rooms(tree.levels);
  for (u32 level = 0; level < tree.levels; ++level) {
    const auto cell = static_cast<float>(cells[level]);
    rooms[level] = cell - cell_gap(cell) - (cell > px(14) ? px(2) : 0);
  }
  for (const tree_node& node : tree.nodes) {
    if (rooms[node.level] < px(least_key_cell - 1)) continue;
    for (u32 i = 0; i < node.cells; ++i) {
      const cell_ref at{node.region, node.cell(i)};
      if (!seen.place(at).has_key()) continue;
      if (const auto content = seen.content(at)) keys[node.level].push_back(content->key);
    }
  }
  std::vector<key_labels> labels;
  for (u32 level = 0; level < tree.levels; ++level) labels.emplace_back(keys[level], rooms[level], 14, height - px(4));
  return labels;
}

// The last step up to the current one that read a node, and how.
cell_reads node_reads(const frame& f, const tree_node& node) {
  cell_reads out;
  const lookup_trace* trace = f.trace();
  if (!trace || !path_is_of_index(f)) return out;
  for (u32 i = 0; i < node.cells; ++i) {
    const bool keys = f.model()->region(node.region).has(field_kind::key);
    const cell_reads reads = (keys ? reads_of : loads_of)(*trace, f.view.transport.step, node.region, node.cell(i));
    if (reads.mark > out.mark) out = reads;
  }
  return out;
}

// How much a node that was not there in the index before this one still shows of it.
float came(const frame& f, const tree_node& node) {
  const tree_state& state = f.view.tree;
  if (state.came_at < 0 || !node.id || state.stood.contains(*node.id)) return 0;
  const double share = (f.now - state.came_at) / change_seconds;
  return share < 1 ? 1 - static_cast<float>(ease(share)) : 0;
}

// An index that changed keeps its nodes where they stood; of another one they stand where the model has them.
void take_up_tree(frame& f) {
  tree_state& state = f.view.tree;
  if (state.of.lock() != f.session.index) {
    const bool changed = f.session.updates && f.session.updates->changes;
    state.stood = changed ? std::exchange(state.stand, {}) : kept_places{};
    state.came_at = changed && !state.stood.empty() && f.view.motion ? f.now : -1;
    state.of = f.session.index;
  }
  if (state.came_at >= 0 && f.now < state.came_at + change_seconds) f.moving = true;
}

void draw_node(frame& f, const whole_tree& t, const tree_node& node) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const index_model& model = *f.model();
  const trace_step* step = path_is_of_index(f) ? f.step() : nullptr;
  const box whole = t.node_box(node);
  const float cell = t.cell_of(node);
  const cell_reads reads = node_reads(f, node);
  const ImU32 colour = level_colour(node.level, std::max(t.tree.levels, model.levels()));
  std::optional<box> written_now;
  for (u32 i = 0; i < node.cells; ++i) {
    const u64 slot = node.cell(i);
    const cell_place info = t.cells.place({node.region, slot});
    const built state = f.pass() ? built_of(f.view.build.passes, f.view.build.at, {node.region, slot}) : built::yes;
    box at{{whole.low.x + cell * static_cast<float>(i), whole.low.y},
           {whole.low.x + cell * static_cast<float>(i + 1), whole.high.y}};
    at.high.x -= cell_gap(cell);
    if (state == built::now) written_now = at;
    if (info.state == cell_state::empty) {
      if (cell > px(6)) draw_link_cell(draw, at, cell > px(10) ? t.cells.brief({node.region, slot}) : "");
      continue;
    }
    std::optional<slot_content> content;
    if (t.labels[node.level].any() && info.has_key()) content = t.cells.content({node.region, slot});
    if (!info.live()) {
      info.state == cell_state::erased ? draw_erased_cell(draw, at, content.has_value()) : draw_claimed_cell(draw, at);
      if (points_at(f.view.pointed, info)) draw_pointed(draw, at);
      if (content) t.labels[node.level].draw(draw, at, at.middle().y, theme().text_dim, content->key, true);
      continue;
    }
    const bool ruled_out = step && reads.mark != read_mark::now && info.out(step->left_first, step->left_end);
    const bool out = ruled_out || state == built::not_yet;
    draw_cell(draw, at, colour, out);
    const bool lane = step && f.view.pointed.lane && read_by_lane(*step, *f.view.pointed.lane, {node.region, slot});
    if (lane || points_at(f.view.pointed, info)) draw_pointed(draw, at);
    if (step) draw_change(draw, at, f.changed({node.region, slot}));
    const ImU32 ink = out ? theme().text_dim : ink_on(colour);
    if (content) {
      t.labels[node.level].draw(draw, at, at.middle().y, ink, content->key);
    } else if (at.width() > px(30) && !model.region(node.region).has(field_kind::key)) {
      const std::string words =
          elided(fonts().mono, type::tiny, t.cells.brief({node.region, slot}), at.width() - px(4));
      draw_text_centred(draw, fonts().mono, type::tiny, at.middle(), ink, words);
    }
  }
  if (const float light = came(f, node); light > 0) draw_change(draw, whole, light);
  if (written_now) draw_read(draw, *written_now, read_mark::now, 0, false);
  if (reads.mark != read_mark::none)
    draw_read(draw, {{whole.low.x - px(2), whole.low.y - px(2)}, {whole.high.x, whole.high.y + px(2)}}, reads.mark,
              reads.step, whole.width() > px(18));
  if (reads.mark != read_mark::none && whole.width() > px(18) && !f.trace()->steps[reads.step].doubt.empty())
    draw_doubt(draw, {whole.middle().x, whole.low.y - px(1)});  // which is off the neighbours' numbers
}

// Nothing where no key is under the mouse.
std::optional<cell_ref> under_mouse(const whole_tree& t) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  for (const tree_node& node : t.tree.nodes) {
    const box at = t.node_box(node);
    if (mouse.x < at.low.x || mouse.x >= at.high.x || mouse.y < at.low.y || mouse.y >= at.high.y) continue;
    const u64 slot = node.cell(static_cast<u32>((mouse.x - at.low.x) / t.cell_of(node)));
    if (!t.cells.place({node.region, slot}).has_key()) return std::nullopt;
    return cell_ref{node.region, slot};
  }
  return std::nullopt;
}

// The cell under the mouse, to be pointed at in every view; a click looks for its key, a right one opens its menu.
void handle_mouse(frame& f, const whole_tree& t, ImVec2 room) {
  ImGui::SetCursorScreenPos({t.at.x, t.at.y});
  const bool clicked = ImGui::InvisibleButton("tree", {std::max(t.width, 1.0f), std::max(room.y, 1.0f)});
  const std::optional<cell_ref> cell = ImGui::IsItemHovered() ? under_mouse(t) : std::nullopt;
  cell_menu(f, cell);
  if (!cell) return;
  const cell_info info = f.model()->describe(cell->region, cell->cell);
  const cell_place place = f.seen_at(*cell);
  point_at(f.view.points_next, place);
  const auto content = f.read(cell->region, cell->cell);
  const bool key = holds_key(*f.model(), place);
  const std::string rank = info.rank == no_rank ? "" : fmt::format(", rank {}", grouped(info.rank));
  const std::string level = is_tree(*f.model()) ? fmt::format(", level {}", info.level) : "";
  hover_card(content ? std::to_string(content->key) : f.words(cell->region, cell->cell),
             fmt::format("{}{} slot {}{}{}.", place.state == cell_state::erased ? "Erased. " : "",
                         capitalised(f.model()->region(cell->region).cell_name), grouped(cell->cell), rank, level),
             f.view.build.on ? "Click to see how it is built, right-click for more."
             : key           ? "Click to look for this key, right-click for more."
                             : "Right-click for more.");
  if (clicked && f.view.build.on)
    go_to_cell(f, cell->region, cell->cell);
  else if (clicked && key)
    f.act.choose_key_at(cell->region, cell->cell);
}

void level_labels(frame& f, ImVec2 at, const whole_tree& t) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const u32 levels = t.tree.levels;
  for (u32 level = 0; level < levels; ++level) {
    level_label(f, at, t.y_of_row(t.row_of(level)), level, theme().text_dim, levels);
  }
  for (u32 i = 0; i < t.ghosts; ++i) {
    const float y = t.y_of_row(t.kept + i);
    draw_ghost(draw, {{at.x, y - px(5)}, {at.x + px(10), y + px(5)}});
    draw_text(draw, fonts().words_italic, type::small, {at.x + px(16), y - px(8)}, theme().text_faint, "trimmed");
  }
}

// The levels that are not stored, where they would be: each of their keys is an entry's, so one still sees which.
void draw_ghosts(frame& f, const whole_tree& t) {
  if (t.ghosts == 0) return;
  const index_ranks* ranks = f.model()->ranks();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const std::vector<missing_node> nodes = f.model()->left_out();
  const float spread = t.width / static_cast<float>(std::max<std::size_t>(nodes.size(), 1)) / 2;
  std::vector<std::pair<box, u64>> held;  // the keys that they would hold
  for (const auto& [node, keys] : nodes) {
    const float cell = std::min(cell_for_keys(f, px(44)), spread * 2 * 0.8f / static_cast<float>(node.cells) *
                                                              static_cast<float>(t.ghosts > 1 ? 1.5f : 1.0f));
    const float x = t.at.x + static_cast<float>(node.middle) * t.width;
    const float y = t.y_of_row(node.level), half = cell * static_cast<float>(node.cells) / 2;
    for (u32 i = 0; i < node.cells; ++i) {
      const box at{{x - half + cell * static_cast<float>(i), y - t.height / 2},
                   {x - half + cell * static_cast<float>(i + 1) - px(2), y + t.height / 2}};
      draw_ghost(draw, at);
      if (!ranks || keys[i] == no_rank || cell < px(14)) continue;
      const cell_ref entry = ranks->cell(keys[i]);
      const auto content = f.read(entry.region, entry.cell);
      if (content) held.push_back({at, content->key});
    }
  }
  std::vector<u64> seen;
  float narrowest = 1e9f;
  for (const auto& [at, key] : held) seen.push_back(key), narrowest = std::min(narrowest, at.width() - px(2));
  const key_labels labels(seen, narrowest, 12);
  for (const auto& [at, key] : held) labels.draw(draw, at, at.middle().y, theme().text_faint, key);
}

// Levels without a node.
void draw_empty_levels(const whole_tree& t) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  for (u32 level = 0; level < t.tree.levels; ++level) {
    if (std::any_of(t.tree.nodes.begin(), t.tree.nodes.end(), [&](const tree_node& n) { return n.level == level; }))
      continue;
    const float y = t.y_of_row(t.row_of(level)), half = std::min(t.width, px(120)) / 2, x = t.at.x + t.width / 2;
    const box at{{x - half, y - t.height / 2}, {x + half, y + t.height / 2}};
    draw_ghost(draw, at);
    if (t.height > px(12))
      draw_text_centred(draw, fonts().words_italic, type::small, at.middle(), theme().text_faint, "empty");
  }
}

// Which node leads to which, and over it the lookup's own way.
void draw_ways(frame& f, const whole_tree& t) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const std::vector<tree_node>& nodes = t.tree.nodes;
  std::vector<node_link> links;
  f.model()->links_of(nodes, t.cells.read, links);  // what is on its way comes with another frame
  const bool path = f.trace() && path_is_of_index(f);
  const auto read = path ? nodes_read(t.tree, *f.trace(), f.view.transport.step + 1) : std::vector<std::vector<u32>>{};
  const auto beside = ways_beside(t.tree, read);
  const auto is_taken = [&](const node_link& link) {
    if (nodes[link.from].level != nodes[link.to].level) return goes(read, link.from, link.to);
    return std::ranges::find(beside, std::pair(link.from, link.to)) != beside.end();
  };
  // To a neighbour of its own level, below the row.
  const auto draw_beside = [&](float from, float end, const tree_node& to, ImU32 ink, float thick) {
    const float y = t.y_of(to) + t.height / 2 + px(3), deep = std::min(px(16), t.row - t.height);
    draw_side_link(draw, {from, y}, {end, y}, deep, ink, thick);
  };
  for (const bool taken : {false, true}) {
    for (const node_link& link : links) {
      if (is_taken(link) != taken) continue;
      const tree_node &from = nodes[link.from], &to = nodes[link.to];
      if (from.level == to.level) {
        // From the cell that leads there to the first one there; one that is taken as all such ways, below.
        if (!taken)
          draw_beside(t.node_box(from).low.x + t.cell_of(from) * (static_cast<float>(link.gap) + 0.5f),
                      t.node_box(to).low.x + t.cell_of(to) / 2, to, theme().text_faint, px(1.25f));
        continue;
      }
      draw_link(draw, {t.way_begins(from, link.gap), t.y_of(from) + t.height / 2 + px(2)},
                {t.x_of(to), t.y_of(to) - t.height / 2 - px(3)},
                // What leaves levels out runs behind the nodes of these.
                taken                       ? theme().accent
                : to.level > from.level + 1 ? with_alpha(theme().text_faint, 0.3f)
                                            : theme().text_faint,
                px(taken ? 2.5f : 1.25f));
    }
  }
  for (const auto& [from, to] : beside)
    draw_beside(t.x_of(nodes[from]), t.x_of(nodes[to]), nodes[to], theme().accent, px(2.5f));
}

// Latches, and what is under way.
void draw_states(const frame& f, const whole_tree& t) {
  const staged_model* const tells = staged(*f.model());
  if (!tells) return;
  std::vector<node_state> states;
  tells->states_of(t.tree.nodes, t.cells.read, states);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  for (const node_state& state : states) {
    const box at = t.node_box(t.tree.nodes[state.node]);
    if (state.latched) draw_latch(draw, at, "");
    if (!state.words.empty()) draw_node_state(draw, at, state.words);
  }
}

void draw_whole(frame& f, const tree_model& tree, const seen_cells& cells) {
  const bool path = f.trace() && path_is_of_index(f);
  const float lane = path ? px(tree_caret_lane) : 0;
  ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  at.y += lane, room.y -= lane;
  whole_tree t{tree, cells, {at.x + px(tree_label_column), at.y + px(4)}};
  t.width = std::max(room.x - px(tree_label_column) - px(8), px(60));
  if (const auto levels = f.model()->optional_levels()) {
    t.kept = levels->kept;
    t.ghosts = levels->whole() - levels->kept;
  }
  t.row = std::clamp((room.y - px(8)) / static_cast<float>(std::max(t.rows(), 1u)), px(22), px(84));
  t.height = std::min(t.row * 0.55f, px(34));
  t.at.y += std::max(0.0f, (room.y - px(8) - t.row * static_cast<float>(t.rows())) / 2);
  take_up_tree(f);
  t.places = place_nodes(tree, t.width, cell_for_keys(f, px(44)), px(10), f.view.tree.stood);
  f.view.tree.stand = places_to_keep(tree, t.places, t.width);
  t.labels = labels_of_levels(cells, tree, t.places.cell, t.height);
  level_labels(f, {at.x, t.at.y}, t);
  draw_ghosts(f, t);
  draw_empty_levels(t);
  draw_ways(f, t);
  handle_mouse(f, t, {room.x, t.row * static_cast<float>(t.rows())});
  for (const tree_node& node : tree.nodes) draw_node(f, t, node);
  draw_states(f, t);
  if (!path) return;
  const auto read = nodes_read(tree, *f.trace(), 1);
  const bool first = !read.empty() && !read.front().empty();
  const box whole = first ? t.node_box(tree.nodes[read.front().front()]) : box{t.at, {t.at.x + t.width, t.at.y}};
  draw_sought(f, whole.middle().x, whole.low.y - px(4), t.at.x, t.at.x + t.width);
}

}  // namespace

void tree_panel(frame& f) {
  if (!f.session.index || !has_cells(*f.model())) return wait_or_explain(f, "its search tree");
  stored_levels_bar(f);
  const homes_model* const homes = with_homes(*f.model());
  if (homes && f.trace() && path_is_of_index(f)) return draw_homes(f, *homes);
  const bool many = f.model()->node_count() > most_nodes;
  const seen_cells cells(f);
  const tree_model tree = many ? tree_model{} : make_tree(*f.model(), cells.read);
  // Cells of a pixel show nothing: then the path says more.
  const bool fits = !many && static_cast<float>(tree.widest) <= ImGui::GetContentRegionAvail().x / px(3);
  if (!is_tree(*f.model())) {
    const std::string why =
        f.model()->windows()
            ? "This index has no search tree: the key alone says from which window a search goes on to which."
            : "This index has no search tree: no step tells the next one where to go.";
    caption(fits ? why + " These are the runs of cells that a step reads." : why);
    if (!fits && !f.model()->windows()) return question_pill(f, false);
  }
  if (const std::string words = levels_words(*f.model()); !words.empty()) caption(words);
  fits ? draw_whole(f, tree, cells) : draw_path_only(f);
}

}  // namespace pivotscope::viz
