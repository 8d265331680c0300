// Layout: the index as it lies in memory, below the same entries in sorted order (or below what the search reads before
// it comes to them, where that is a region of its own), with links between what is in view. Without ranks and without
// another region it is the one row in memory.
#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "core/index/config_text.hpp"
#include "viz/layout/layout_build.hpp"
#include "viz/layout/layout_changes.hpp"
#include "viz/layout/layout_glide.hpp"
#include "viz/layout/layout_links.hpp"
#include "viz/layout/layout_rows.hpp"
#include "viz/layout/layout_search.hpp"
#include "viz/layout/layout_ways.hpp"
#include "viz/layout/layout_windows.hpp"
#include "viz/layout/scratch_strip.hpp"
#include "viz/models/tree_model.hpp"
#include "viz/panels/panels.hpp"
#include "viz/parts/empty_view.hpp"
#include "viz/parts/key_label.hpp"
#include "viz/parts/level_legend.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/parts/strip.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

// Was this key read from scratch? Memory shows where it was copied from.
bool read_from_scratch(const trace_step& step, const comparison& c) {
  return std::any_of(step.accesses.begin(), step.accesses.end(), [&](const memory_access& a) {
    return a.space == memory_space::scratch && a.array == c.array && c.slot >= a.slot && c.slot < a.slot + a.slots;
  });
}

void collect_reads(layout_picture& p, const frame& f) {
  const lookup_trace* trace = f.trace();
  p.left_end = ~0ull;
  if (f.view.build.on) return collect_build(p, f);
  if (!trace || f.view.transport.path->index != f.session.index) return;
  const auto end = std::min<std::size_t>(f.view.transport.step + 1, trace->steps.size());
  for (std::size_t i = 0; i < end; ++i) {
    const read_mark mark = i == f.view.transport.step ? read_mark::now : read_mark::before;
    for (const comparison& c : trace->steps[i].compared) {
      for (const bool upper : {true, false}) {
        if (upper && !p.upper) continue;
        const cell_row& row = upper ? *p.upper : *p.lower;
        if (upper && !p.upper_is_sorted && c.array != p.upper_region) continue;
        if (upper && p.upper_is_sorted && c.rank == no_rank) continue;
        const auto cell = row.cell_of_slot(c.array, c.slot);
        if (!cell) continue;
        strip_mark read{*cell, mark, static_cast<u32>(i)};
        read.from_scratch = read_from_scratch(trace->steps[i], c);
        (upper ? p.upper_reads : p.lower_reads).push_back(read);
      }
    }
  }
  // What a write reads and writes beside that.
  for (std::size_t i = 0; trace->write && i < end; ++i) {
    const read_mark mark = i == f.view.transport.step ? read_mark::now : read_mark::before;
    for (const memory_access& a : trace->steps[i].accesses)
      for (u64 cell = a.slot; a.array == main_region && cell < std::min(a.slot + a.slots, p.lower->count()); ++cell)
        p.lower_reads.push_back({cell, mark, static_cast<u32>(i)});
  }
  if (trace->write) {
    const auto place = [](const strip_mark& m) { return std::pair(m.step, m.cell); };
    std::sort(p.lower_reads.begin(), p.lower_reads.end(),
              [&](const strip_mark& a, const strip_mark& b) { return place(a) < place(b); });
    const auto same = [&](const strip_mark& a, const strip_mark& b) { return place(a) == place(b); };
    p.lower_reads.erase(std::unique(p.lower_reads.begin(), p.lower_reads.end(), same), p.lower_reads.end());
  }
  for (std::size_t i = 0; p.rows_region && i < end; ++i) {
    const read_mark mark = i == f.view.transport.step ? read_mark::now : read_mark::before;
    for (const memory_access& a : trace->steps[i].accesses) {
      if (a.space != memory_space::global || a.array != *p.rows_region) continue;
      for (u64 cell = a.slot; cell < a.slot + a.slots; ++cell) p.row_reads.push_back({cell, mark, static_cast<u32>(i)});
    }
  }
  // Of cells without a key, or that stand for other ones, no step compares one.
  const bool keyless = p.upper && !p.upper_is_sorted && p.upper_reads.empty();
  for (std::size_t i = 0; keyless && i < end; ++i) {
    const read_mark mark = i == f.view.transport.step ? read_mark::now : read_mark::before;
    for (const memory_access& a : trace->steps[i].accesses)
      for (u64 cell = a.slot; a.array == p.upper_region && cell < a.slot + a.slots; ++cell)
        p.upper_reads.push_back({cell, mark, static_cast<u32>(i), a.space == memory_space::scratch});
  }
  // Nor of cells that tell nothing by themselves.
  for (std::size_t i = 0; i < end; ++i) {
    if (!trace->steps[i].compared.empty() || trace->steps[i].kind != step_kind::search || trace->write) continue;
    const read_mark mark = i == f.view.transport.step ? read_mark::now : read_mark::before;
    for (const memory_access& a : trace->steps[i].accesses)
      for (u64 cell = a.slot; a.array == main_region && cell < std::min(a.slot + a.slots, p.lower->count()); ++cell)
        p.lower_reads.push_back({cell, mark, static_cast<u32>(i), a.space == memory_space::scratch});
  }
  for (std::vector<strip_mark>* const marks : {&p.upper_reads, &p.lower_reads})
    for (strip_mark& mark : *marks) mark.doubt = !trace->steps[mark.step].doubt.empty();
  if (f.model()->windows())  // the way from window to window has the numbers
    for (std::vector<strip_mark>* const marks : {&p.upper_reads, &p.lower_reads})
      for (strip_mark& mark : *marks) mark.numbered = false;
  if (const trace_step* step = f.step()) {
    p.left_first = step->left_first;
    p.left_end = step->left_end;
  }
}

void draw_row_names(frame& f, const layout_picture& p) {
  const index_model& model = *f.model();
  if (p.upper_is_old)
    row_name(p.upper_area, "old array", bytes_text(model.region(main_region).bytes_of(p.upper->count())),
             "The array before the batch. Entries that the batch erased have a cross, or their key is struck out: they "
             "are in memory no longer.");
  else if (p.upper_is_sorted)
    row_name(p.upper_area, "sorted", short_count(model.keys()) + " ranks",
             "The entries in ascending order of their keys. This row is nowhere in memory unless the order is "
             "ascending: it is "
             "here so that one sees where each slot belongs.");
  if (p.windows)
    row_name(p.upper_area, "windows", "of the lookup",
             "The windows that this lookup comes to, in the order of memory, and their neighbours. Where the axis is "
             "broken others lie between: the number says how many. A bar above joins full windows side by side.");
  else if (p.upper && !p.upper_is_sorted)
    region_name(f, p.upper_area, p.upper_region);
  region_name(f, p.lower_area, main_region);
  if (p.rows_region) region_name(f, p.rows_area, *p.rows_region);
}

// Where the key lies among the ranks, and what is still possible.
void draw_caret_lane(const frame& f, const layout_picture& p) {
  const lookup_trace* trace = f.trace();
  if (!trace || trace->steps.empty() || f.view.transport.path->index != f.session.index) return;
  const index_model& model = *f.model();
  if (!model.ranks()) return;
  const box& area = p.upper_is_sorted ? p.upper_area : p.lower_area;
  const strip_camera& camera = p.upper_is_sorted ? f.view.layout.upper.camera : f.view.layout.lower.camera;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const u64 rank =
      trace->row != not_found ? model.describe(main_region, trace->slot).rank : trace->steps.back().left_first;
  const box cell = cell_box(camera, area, static_cast<double>(rank));
  const float wanted = trace->row != not_found ? cell.middle().x - px(1) : cell.low.x - px(1);
  const auto within = [&](float at) { return std::clamp(at, area.low.x + px(8), area.high.x - px(8)); };
  // A key, and where out of view it points to. Its number stands within the row, and left or right of another one.
  const auto caret = [&](float pointed, u64 key, float from, float end) {
    const float at = within(pointed);
    const box number = draw_caret(draw, {at, area.low.y - px(7)}, std::to_string(key), from, end);
    if (std::abs(at - pointed) > 1)
      draw_text_centred(draw, fonts().words, 11, {at + (pointed < at ? -px(2) : px(2)), area.low.y + px(8)},
                        theme().accent, pointed < at ? icon::left : icon::right);
    return number;
  };
  const bool range = trace->range && trace->key <= trace->range->high;
  const float low_end =
      range ? cell_box(camera, area, static_cast<double>(trace->steps.back().left_end)).low.x - px(1) : 0;
  // A range's two numbers share the row between them.
  float parted = area.high.x;
  if (range) {
    const float low_width = caret_width(std::to_string(trace->key)) + px(4);
    const float high_width = caret_width(std::to_string(trace->range->high)) + px(4);
    const float middle = (within(wanted) + within(low_end)) / 2 + (low_width - high_width) / 4;
    parted = std::max(std::min(middle, area.high.x - high_width), area.low.x + low_width);
  }

  // The bracket of the ranks that are left.
  if (const trace_step* step = f.step()) {
    const float from = std::max(cell_box(camera, area, static_cast<double>(step->left_first)).low.x, area.low.x);
    const float to = std::min(cell_box(camera, area, static_cast<double>(step->left_end)).low.x, area.high.x);
    const float y = area.low.y - px(6);
    if (to > from) {
      draw.AddLine({from, y}, {to - px(2), y}, theme().accent, px(2));
      draw.AddLine({from, y}, {from, y + px(4)}, theme().accent, px(2));
      draw.AddLine({to - px(2), y}, {to - px(2), y + px(4)}, theme().accent, px(2));
    }
    const u64 left = step->left_end - step->left_first;
    const std::string words =
        left == 0 ? "none left" : fmt::format("{} of {} left", short_count(left), short_count(model.keys()));
    const float width = text_width(fonts().words, type::tiny, words);
    // Beside the caret, where there is room; between a range's two there may be little.
    const box number = caret(wanted, trace->key, area.low.x, range ? parted - px(2) : area.high.x);
    box other = number;
    if (range) other = caret(low_end, trace->range->high, parted + px(2), area.high.x);
    float at = number.high.x + px(12);
    if (at + width > (range ? other.low.x - px(8) : area.high.x)) at = number.low.x - px(12) - width;
    if (at < area.low.x && range) at = other.high.x + px(12);
    if (at < area.low.x - px(header_column - 4) || at + width > area.high.x) return;
    const ImVec2 corner{at, area.low.y - px(32)};
    draw.AddRectFilled({corner.x - px(4), corner.y - px(1)}, {corner.x + width + px(4), corner.y + px(16)},
                       theme().panel, px(4));
    draw_text(draw, fonts().words, type::tiny, corner, theme().text_dim, words);
  }
}

// Under the cells that this step reads: how the key compares, and which lane looks at them.
void draw_comparisons(frame& f, const layout_picture& p) {
  const trace_step* step = f.step();
  if (!step || f.view.transport.path->index != f.session.index) return;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const bool lanes = f.model()->lanes().count > 1;
  for (const comparison& c : step->compared) {
    const bool upper = c.array != main_region || p.windows;
    if (upper && p.upper_is_sorted) continue;
    const strip_camera& camera = upper ? f.view.layout.upper.camera : f.view.layout.lower.camera;
    const box& area = upper ? p.upper_area : p.lower_area;
    const auto index_of = (upper ? *p.upper : *p.lower).cell_of_slot(c.array, c.slot);
    if (!index_of) continue;
    const box at = cell_box(camera, area, static_cast<double>(*index_of));
    if (at.middle().x < area.low.x || at.middle().x > area.high.x || at.width() < px(9)) continue;
    const bool written = std::any_of(step->changed.begin(), step->changed.end(),
                                     [&](const changed_word& w) { return w.slot == c.slot && w.done; });
    if (written) continue;  // what it becomes stands there
    const float x = at.middle().x - px(1), y = (upper ? p.upper_marks : p.lower_marks) + px(9);
    std::string sign = comparison_sign(*step, c);
    const std::string whole = comparison_words(*f.trace(), *step, c);
    // Words would run into those of the next cell.
    if (text_width(fonts().mono_bold, type::small, sign) > at.width() - px(4))
      sign = c.met == relation::hit ? icon::check : c.met == relation::miss ? icon::cross : sign;
    const bool room = !c.empty && !c.keyless && step->compared.size() == 1 &&
                      text_width(fonts().mono_bold, type::small, whole) < at.width() + px(24);
    draw_text_centred(draw, fonts().mono_bold, type::small, {x, y}, theme().text, room ? whole : sign);
    if (!lanes) continue;
    const float radius = px(at.width() > px(18) ? 6.5f : 3.0f);
    draw_lane(draw, {x, y + px(14)}, radius, true);
    if (lane_under_mouse({x, y + px(14)}, radius)) f.view.points_next.lane = c.lane;
    if (f.view.pointed.lane == c.lane) {
      draw_pointed_lane(draw, {x, y + px(14)}, radius);
      draw_pointed(draw, at);
    }
    if (at.width() > px(18))
      draw_text_centred(draw, fonts().mono_bold, 9, {x, y + px(14)}, theme().panel, std::to_string(c.lane));
  }
}

// The answer; of a range, the entries that were scanned so far: filled where one is in it, empty where it was read in vain.
void draw_found(const frame& f, const layout_picture& p) {
  const lookup_trace* trace = f.trace();
  if (!trace || f.view.transport.path->index != f.session.index) return;
  const auto star = [&](u64 slot, bool found) {
    const box at = cell_box(f.view.layout.lower.camera, p.lower_area, static_cast<double>(slot));
    if (at.middle().x < p.lower_area.low.x || at.middle().x > p.lower_area.high.x) return;
    draw_star(*ImGui::GetWindowDrawList(),
              {at.low.x + px(at.width() > px(26) ? 2.0f : 0.0f), p.lower_area.low.y - px(2)}, found, 15);
  };
  if (trace->row != not_found && f.view.transport.step + 1 == trace->steps.size()) {
    star(trace->slot, true);
    const auto above = p.windows ? p.windows->cell_of_slot(main_region, trace->slot) : std::nullopt;
    const box at = above ? cell_box(f.view.layout.upper.camera, p.upper_area, static_cast<double>(*above)) : box{};
    if (above && at.low.x >= p.upper_area.low.x && at.low.x <= p.upper_area.high.x)
      draw_star(*ImGui::GetWindowDrawList(), {at.low.x + px(2), p.upper_area.low.y - px(2)}, true, 15);
  }
  if (!trace->range || !shows_cells(f.view.layout.lower.camera)) return;
  for (std::size_t i = 0; i < trace->steps.size() && i <= f.view.transport.step; ++i) {
    if (trace->steps[i].kind == step_kind::search) continue;
    for (const comparison& c : trace->steps[i].compared) {
      if (c.array == main_region && !c.empty) star(c.slot, c.met == relation::equal);
    }
  }
}

// The keys that a block keeps in scratch.
std::shared_ptr<const scratch_row> pinned_keys(const index_model& model) {
  auto pinned = model.pinned();
  return pinned ? std::make_shared<const scratch_row>(model, std::move(*pinned)) : nullptr;
}

void take_up_index(frame& f) {
  layout_state& state = f.view.layout;
  if (state.index == f.session.index) return;
  const auto before = state.index;
  const auto before_model = state.model;
  state.index = f.session.index;
  state.model = f.model();
  state.scratch = pinned_keys(*state.model);
  state.before.reset();
  take_up_changes(f);
  if (!before || !f.view.motion || before->config().keys != state.index->config().keys) return;
  if (!glides(*before_model, *state.model)) return;
  state.before = before_model;
  state.glide_from = f.now;
}

// Brings what the step reads into view, once for each step.
void follow_step(frame& f, const layout_picture& p) {
  layout_state& state = f.view.layout;
  const transport_state& t = f.view.transport;
  if (state.followed == t.path && state.followed_step == t.step) return;
  state.followed = t.path;
  state.followed_step = t.step;
  follow_reads(f, state.upper.camera, p.upper_reads);
  follow_reads(f, state.lower.camera, p.lower_reads);
}

// The rows that are in memory, but for those below.
void collect_strips(const frame& f, layout_picture& p) {
  const layout_state& state = f.view.layout;
  if (p.upper && !p.upper_is_sorted) {
    const bool signs = std::any_of(p.upper_reads.begin(), p.upper_reads.end(),
                                   [](const strip_mark& m) { return m.mark == read_mark::now; });
    p.strips.push_back({p.upper.get(), &state.upper.camera, p.upper_area, p.upper_area.low.y - px(3),
                        signs ? p.upper_marks + marks_height(*f.model()) - px(2) : p.upper_area.high.y + px(3),
                        p.upper_marks});
  }
  p.strips.push_back({p.lower.get(), &state.lower.camera, p.lower_area, p.lower_area.low.y - px(4) - p.caret_lane,
                      p.ruler + px(ruler_height - 2), p.lower_marks});
}

void header(frame& f, const layout_picture& p) {
  // Where keys have ranks, the caret has the key looked for.
  const bool levels = is_tree(*f.model());
  if (levels) level_legend(f, true, ImGui::GetContentRegionAvail().x - px(150 + 2 * 36 + 24));
  if (!f.model()->ranks() && !f.view.build.on) question_pill(f, levels);
  if (!(f.session.index->config() == f.session.choice.config)) {
    const text_style style(fonts().words_italic, type::small, theme().text_faint);
    ImGui::AlignTextToFramePadding();
    ImGui::Text("still %s", to_line(f.session.index->config()).c_str());
    hover_card("Not yet the index of your choice", "This one is shown until the new one is built.");
  }
  const float right = right_edge();
  ImGui::SameLine();
  ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), right - px(150 + 2 * 36)));
  layout_search(f, p);
  ImGui::SameLine(0, px(4));
  layout_state& state = f.view.layout;
  if (icon_button(
          "follow", icon::follow,
          state.follow ? "Stop following the path" : "Follow the path: each step comes as near as keys can be read"))
    state.follow = !state.follow, state.followed.reset(), state.others_followed = {}, f.moving = true;
  if (state.follow) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    ImGui::GetWindowDrawList()->AddRectFilled({low.x + px(4), high.y - px(3)}, {high.x - px(4), high.y - px(1)},
                                              theme().accent, px(1));
  }
  ImGui::SameLine(0, px(4));
  if (icon_button("fit", icon::fit, "Show everything (double click does the same)")) {
    for (strip_state* s : {&state.upper, &state.lower}) s->camera.go_to(0, static_cast<double>(s->camera.cells()));
    f.moving = true;
  }
}

// The windows of the lookup in view, where those of the table are too many for their keys to be read.
std::vector<u64> windows_in_view(const frame& f) {
  constexpr float readable = 14;  // pixels of a cell
  const lookup_trace* trace = f.trace();
  if (!trace || f.view.build.on || f.view.transport.path->index != f.session.index || !f.model()->windows()) return {};
  const auto cells = static_cast<float>(f.model()->region(main_region).cells);
  const float room = ImGui::GetContentRegionAvail().x - px(header_column + 8);
  return cells * px(readable) > room ? windows_of(*f.model(), *trace) : std::vector<u64>{};
}

// All of another lookup's windows are in view, or as many around the first as leave cells that can be told apart.
void fit_windows(frame& f, const layout_picture& p) {
  layout_state& state = f.view.layout;
  if (!p.windows || state.windows_of == f.view.transport.path) return;
  state.windows_of = f.view.transport.path;
  strip_camera& camera = state.upper.camera;
  camera.fit();
  state.upper.blocks_for = {};
  const float least = px(least_key_cell + 0.5f);  // their digits have room, one below the other
  if (camera.cell_width() >= least) return;
  const std::vector<u64> path = windows_of(*f.model(), *f.trace());
  const auto first = static_cast<double>(p.windows->cell_of_window(path.front()).value_or(0));
  camera.go_to(first, first + camera.width() / static_cast<double>(least));
  camera.advance(0, true);
}

// What the step reads above the main region first, or the build's pass writes.
std::optional<region_id> region_of_step(const frame& f) {
  if (f.view.build.on) return f.pass() ? std::optional(f.pass()->region) : std::nullopt;
  const trace_step* const step = f.step();
  if (!step) return std::nullopt;
  const auto& reads = step->accesses;
  const auto other = std::find_if(reads.begin(), reads.end(), [](const auto& a) { return a.array != main_region; });
  return other == reads.end() ? std::nullopt : std::optional(other->array);
}

}  // namespace

void layout_panel(frame& f) {
  if (!f.session.index || !has_cells(*f.model())) return wait_or_explain(f, "the index in memory");
  layout_state& state = f.view.layout;
  take_up_index(f);

  layout_picture p;
  choose_rows(p, f.model(), region_of_step(f), build_wants_sorted(f));
  add_windows(p, f.model(), windows_in_view(f));
  put_old_array_above(p, f);
  if (state.upper_shown != p.upper_region || state.upper_was_old != p.upper_is_old) state.upper.blocks_for = {};
  state.upper_shown = p.upper_region, state.upper_was_old = p.upper_is_old;
  collect_reads(p, f);
  header(f, p);

  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImVec2 room = ImGui::GetContentRegionAvail();
  const bool build = f.view.build.on, scratch = state.scratch && !build;  // a build has no scratch
  if (scratch) room.y -= scratch_strip_height() + px(16);
  if (!build) p.other_regions = other_regions(*f.model(), p);
  room.y -= px(region_strip_height + region_strip_lane) * static_cast<float>(p.other_regions.size());
  place_rows(p, *f.model(), at, room);
  const double widest = cell_for_keys(f, std::clamp(p.lower_area.width() / 16, px(76), px(112)));
  if (p.upper) state.upper.camera.set_extent(p.upper->count(), p.upper_area.width(), widest);
  state.lower.camera.set_extent(p.lower->count(), p.lower_area.width(), widest);
  const float lower_bar = p.ruler + px(ruler_height + 4);
  const float below = lower_bar + px(overview_height) + (scratch ? scratch_strip_height() + px(16) : 0);
  collect_strips(f, p);
  place_other_rows(f, p, below + px(12));
  fit_windows(f, p);
  if (build) {
    follow_build(f, p);
  } else {
    follow_step(f, p);
    go_to_answer(f, p);
  }

  if (p.upper) handle_row(f, "upper", state.upper, *p.upper, p.upper_area);
  handle_row(f, "lower", state.lower, *p.lower, p.lower_area);
  if (scratch) {
    const float top = lower_bar + px(overview_height + 16);
    const box area{{p.lower_area.low.x, top}, {p.lower_area.high.x, top + px(30)}};
    scratch_strip(f, area, p.left_first, p.left_end);
    draw_scratch_links(f, p, area);
  }

  strip_input lower{*p.lower, p.lower_area, p.left_first, p.left_end, p.lower_reads, !p.rows_region};
  lower.written = p.lower_written;
  const bool pinned_below = scratch && state.scratch->array() == main_region;
  if (pinned_below) lower.pinned = state.scratch->slots();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (!draw_glide(f, p)) {
    p.windows ? draw_window_links(f, p) : draw_links(f, p);
    draw_ways(f, p);
    draw_strip(f, state.lower, lower);
    draw_batch_changes(f, p);
  }
  if (p.upper) {
    strip_input upper{*p.upper, p.upper_area, p.left_first, p.left_end, p.upper_reads, false};
    upper.written = p.upper_written;
    if (scratch && !pinned_below) upper.pinned = state.scratch->slots();
    draw_strip(f, state.upper, upper);
  }
  if (p.rows_region) {
    strip_input rows = lower;
    rows.area = p.rows_area;
    rows.marks = p.row_reads;
    draw_row_ids(f, state.lower, rows);
  }
  if (!p.upper || p.windows) draw_window_frames(f, p);
  if ((!p.upper || p.windows) && !build) draw_probe_way(f, p);
  draw.PushClipRect({at.x, at.y - px(4)}, {at.x + room.x, at.y + std::max(room.y, p.ruler - at.y + px(60))}, true);
  if (build)
    draw_build(f, p);
  else
    draw_caret_lane(f, p);
  draw.PopClipRect();
  if (!build) {
    draw_comparisons(f, p);
    draw_step_changes(f, p);
    draw_found(f, p);
    draw_in_hand(f, p);
  }
  draw_row_names(f, p);
  draw_ruler(state.lower, lower, p.ruler, p.lower->stride());
  if (p.upper) {
    const float bar = (p.upper_is_sorted ? p.upper_area.high.y : p.upper_marks + marks_height(*f.model())) + px(5);
    overview(f, "upper overview", state.upper,
             {{p.upper_area.low.x, bar}, {p.upper_area.high.x, bar + px(overview_height)}});
  }
  overview(f, "lower overview", state.lower,
           {{p.lower_area.low.x, lower_bar}, {p.lower_area.high.x, lower_bar + px(overview_height)}});
  ImGui::SetCursorScreenPos({at.x, draw_other_rows(f, p, below)});
  ImGui::Dummy({1, 1});
}

}  // namespace pivotscope::viz
