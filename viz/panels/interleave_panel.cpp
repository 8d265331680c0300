// Interleave: a few operations that meet in an index, side by side, access by access, in an order that one chooses.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>

#include "core/index/family.hpp"
#include "core/verify/interleaved_case.hpp"
#include "core/workload/question_text.hpp"
#include "viz/models/interleave_model.hpp"
#include "viz/panels/interleave_rows.hpp"
#include "viz/panels/interleave_tree.hpp"
#include "viz/panels/panels.hpp"
#include "viz/parts/empty_view.hpp"
#include "viz/parts/marks.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/state/commands.hpp"
#include "viz/state/interleave_steps.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

constexpr float row_height = access_row_height, cell_width = 84;

// --- What is asked for ---

// What is typed, read once a change; and what was read last, asked for once.
void ask(frame& f) {
  interleave_state& state = f.view.interleave;
  const std::pair<std::string, key_width> now{state.line.text, f.session.choice.config.keys};
  if (state.read_for != now) {
    state.read_for = now;
    const outcome<typed_interleaving> read = interleaving_from_text(now.first, now.second);
    state.line.problem = read ? "" : read.error().words;
    if (read) state.of = read->of;
    if (read && read->config) {  // a command was pasted
      state.line.text = to_text(read->of);
      state.read_for = {};  // once more, as a field that is typed in puts its own text there when it is left
      ImGui::ClearActiveID();
      if (!(*read->config == f.session.choice.config)) return f.act.choose_config(*read->config);
    }
  }
  if (!state.of) return;
  const interleave_request wanted{f.session.choice.config, *state.of};
  if (state.asked == wanted) return;
  state.asked = wanted;
  f.act.interleave(wanted);
}

// A new result goes on at the step that is shown, as far as both are alike.
void take_up(frame& f) {
  interleave_state& state = f.view.interleave;
  const std::shared_ptr<const interleave_result>& result = f.session.interleaved;
  if (!result || state.modelled.lock() == result || !(result->asked == state.asked)) return;
  state.modelled = result;
  const std::shared_ptr<const interleave_model> before = std::exchange(state.model, nullptr);
  if (!result->problem.empty()) return;
  state.model = std::make_shared<const interleave_model>(result);
  const interleave_model& now = *state.model;
  const bool same = before && before->of().operations == now.of().operations && before->of().keys == now.of().keys &&
                    before->of().before == now.of().before;
  std::size_t step = same ? std::min(state.step, alike(*before, now)) : 1;
  if (state.wanted) step = *std::exchange(state.wanted, std::nullopt);
  state.step = std::min(step, now.accesses());
  state.scroll = true;
}

void draw_one(frame& f) {
  interleave_state& state = f.view.interleave;
  interleaved_case drawn = draw_interleaved_case(f.session.choice.config, state.search.seed, state.drawn++);
  drawn.order.turns = {{0, 1}, {1}};
  show_interleaving(f, drawn, 1);
}

void line_form(frame& f) {
  interleave_state& state = f.view.interleave;
  const float icons = 2 * (px(28) + px(4));
  text_field("##line", state.line.text, "keys=5,3 ops=+5,-5 schedule=0:1 1", ImGui::GetContentRegionAvail().x - icons,
             type::small);
  if (!ImGui::IsItemActive())
    hover_card("Operations that meet",
               fmt::format(
                   "keys: of the index. ops: what is done at once ({}). before: what is done first. schedule: 0:3 lets "
                   "operation 0 do three accesses, 1 lets operation 1 go on to its end; late: stores are seen by "
                   "others as late "
                   "as may be.",
                   listed_signs()),
               state.asked ? replay_command(*state.asked) : "");
  ImGui::SameLine(0, px(4));
  if (icon_button("draw", icon::dice, "Draw operations at random")) draw_one(f);
  ImGui::SameLine(0, px(4));
  if (icon_button("copy line", icon::copy, "Copy the command that replays it", state.asked.has_value()))
    ImGui::SetClipboardText(replay_command(*state.asked).c_str());
  say_wrong(state.line.problem);
}

// --- Many at once ---

void search_form(frame& f) {
  constexpr u64 most = u64{1} << 40;
  interleave_state& state = f.view.interleave;
  const interleave_search& found = f.session.interleavings;
  if (found.running) {
    if (button("stop searching", "Stop", icon::stop)) f.act.stop_searching();
    ImGui::SameLine(0, px(8));
    ImGui::AlignTextToFramePadding();
    one_line(fonts().words_medium, type::small, theme().text,
             fmt::format("{} of {} orders of {} random cases, all right", grouped(found.counts.schedules),
                         grouped(found.asked.schedules), grouped(found.counts.cases)));
    return;
  }
  if (button("search", "Search for a wrong one", icon::search)) {
    state.search.config = f.session.choice.config;
    f.act.search_interleavings(state.search);
  }
  hover_card("Search",
             "Draws operations at random and tries all their orders with at most two switches, and some random ones, "
             "over small indexes of the config in view. The first that is wrong is opened here.");
  const auto field = [&](const char* name, const char* meaning, entry_state& entry, u64& value, u64 least,
                         float width) {
    ImGui::SameLine(0, px(10));
    ImGui::AlignTextToFramePadding();
    {
      const text_style style(fonts().words, type::small, theme().text_dim);
      ImGui::TextUnformatted(name);
    }
    ImGui::SameLine(0, px(6));
    count_field(name, meaning, entry, value, least, most, width);
  };
  field("orders", "So many are tried, at least.", state.schedules, state.search.schedules, 1, px(90));
  field("seed", "Which operations are drawn: the same seed draws the same ones.", state.seed, state.search.seed, 0,
        px(60));
  say_wrong(state.schedules.problem);
  say_wrong(state.seed.problem);
  if (found.number == 0 || !(found.asked.config == f.session.choice.config)) return;
  const std::string tried =
      fmt::format("{} orders of {} random cases", grouped(found.counts.schedules), grouped(found.counts.cases));
  if (!found.problem.empty())
    say_wrong(found.problem);
  else if (found.failure)
    wrapped(fonts().words_medium, type::small, theme().bad,
            fmt::format("{}  One was wrong after {}. It was opened here.", icon::warning, tried));
  else if (found.stopped)
    wrapped(fonts().words_medium, type::small, theme().text, fmt::format("Stopped after {}, all right.", tried));
  else
    wrapped(fonts().words_medium, type::small, theme().good, fmt::format("{}  All {} are right.", icon::check, tried));
}

void open_failure(frame& f) {
  interleave_state& state = f.view.interleave;
  const interleave_search& found = f.session.interleavings;
  if (found.running || !found.failure || state.opened == found.number) return;
  state.opened = found.number;
  if (found.asked.config == f.session.choice.config) show_interleaving(f, found.failure->failing, 1);
}

void verdict(frame& f, const interleave_model& model) {
  const interleaved_run& run = model.result().run;
  if (run.fault.empty())
    wrapped(fonts().words_bold, type::body, theme().good, fmt::format("{}  In this order all is right.", icon::check));
  else
    wrapped(fonts().words_bold, type::body, theme().bad, fmt::format("{}  Wrong: {}.", icon::warning, run.fault));
  spot("verdict");
  const std::optional<interleaving_report>& all = model.result().switches;
  const std::string words = all ? switches_words(*all) : "Trying all orders with at most two switches...";
  const float right = ImGui::GetItemRectMax().x + px(12);  // beside it, where there is room
  if (right + text_width(fonts().words, type::small, words) <
      ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x) {
    ImGui::SameLine(0, px(12));
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + px(2));
  }
  wrapped(fonts().words, type::small, all && all->failing ? theme().bad : theme().text_dim, words);
  spot("orders");
  if (!all || !all->failing || *all->failing == model.of().order) return;
  if (button("open failing", "Show that order", icon::warning)) {
    interleaved_case failing = model.of();
    failing.order = *all->failing;
    show_interleaving(f, failing, 1);
  }
}

// --- The step ---

void transport(frame& f, const interleave_model& model) {
  interleave_state& state = f.view.interleave;
  const bool before = state.step > 0, behind = state.step < model.accesses();
  const auto by = [&](const char* id, const char* icon, const char* words, const char* command, bool enabled, int on) {
    if (icon_button(id, icon, with_keys_of(f, words, command), enabled, 26)) step_accesses(f, on);
    ImGui::SameLine(0, 0);
  };
  const int all = static_cast<int>(model.accesses());
  by("begin", icon::first, "Before the first access", "first-step", before, -all);
  by("back", icon::back, "One access back", "step-back", before, -1);
  by("on", icon::forward, "One access on", "step-on", behind, 1);
  by("end", icon::last, "Behind the last access", "last-step", behind, all);
  ImGui::SameLine(0, px(8));
  ImGui::AlignTextToFramePadding();
  const text_style style(fonts().words_medium, type::small, theme().text);
  ImGui::TextUnformatted(model.step_words(state.step).c_str());
}

// Who goes on here: another one is another order.
void order_form(frame& f, const interleave_model& model) {
  interleave_state& state = f.view.interleave;
  const std::optional<u32> next = model.goes_on(state.step);
  ImGui::AlignTextToFramePadding();
  {
    const text_style style(fonts().words, type::small, theme().text_dim);
    ImGui::TextUnformatted("goes on here");
    spot("goes on here");
  }
  hover_card("Goes on here", "Whose access comes next. Another operation is a switch, and another order.");
  bool first = true;
  for (u32 task = 0; task < model.operations(); ++task) {
    if (model.has_ended(state.step, task)) continue;
    const std::string words = fmt::format("{}: {}", task, to_list_item(model.of().operations[task]));
    if (first) ImGui::SameLine(0, px(8));
    flow_chip(words, first);
    first = false;
    const std::string id = fmt::format("let {} go on", task);
    if (chip(id.c_str(), words, next == task ? chip_look::chosen : chip_look::plain))
      show_interleaving(f, model.let_go_on(state.step, task), state.step + 1);
    hover_card(fmt::format("Let operation {} go on here", task),
               next == task ? "It does, in this order. A click lets it go on to its end, without another switch."
                            : "A switch: the accesses before stay as they are, then it goes on to its end, and then "
                              "who has not ended yet.");
  }
  if (first) {
    ImGui::SameLine(0, px(8));
    one_line(fonts().words, type::small, theme().text_faint, "all have ended");
  }
  ImGui::SameLine(0, px(20));
  {
    const text_style style(fonts().words, type::small, theme().text_dim);
    ImGui::TextUnformatted("stores");
  }
  const auto stores = [&](const char* words, store_order how, const char* meaning) {
    ImGui::SameLine(0, px(how == store_order::at_once ? 8 : 4));
    if (chip(words, words, model.of().order.stores == how ? chip_look::chosen : chip_look::plain)) {
      interleaved_case other = model.of();
      other.order.stores = how;
      show_interleaving(f, other, state.step);
    }
    hover_card(fmt::format("Stores are seen {}", words), meaning);
  };
  stores("at once", store_order::at_once, "Others see at once what an operation stores.");
  stores(
      "late", store_order::late,
      "Others see the stores one by one, the newest first, before the next fence or after the operation's end: nothing "
      "promises more on a GPU.");
}

// What each operation is at.
void stages(const interleave_model& model, std::size_t step) {
  for (u32 task = 0; task < model.operations(); ++task) {
    const std::string stage = model.stage_of(task, step);
    one_line(fonts().words_medium, type::small, stage.empty() ? theme().text_faint : theme().text,
             fmt::format("{}: {}", task, stage.empty() ? "on its way" : stage));
    spot("stage");
  }
}

void one_cell(const met_cell& cell, ImVec2 corner, u32 levels) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const theme_tokens& t = theme();
  const float width = px(cell_width - 8);
  draw_text_in(draw, fonts().words, type::tiny, corner, width, t.text_faint, cell.name);
  const box at{{corner.x, corner.y + px(16)}, {corner.x + width, corner.y + px(56)}};
  if (cell.count > 1) {
    draw_empty_cell(draw, at);
    const std::string words = cell.reads ? fmt::format("reads {}", *cell.reads) : "empty";
    draw_text_centred(draw, fonts().mono, type::tiny, at.middle(), cell.reads ? t.text : t.text_dim, words);
    if (cell.reads) draw_read(draw, at, read_mark::now, 0, false);
    return;
  }
  const bool erased = cell.state == cell_state::erased;
  const ImU32 colour = level_colour(0, levels);
  switch (cell.state) {
    case cell_state::live:
      draw_cell(draw, at, colour, false);
      break;
    case cell_state::erased:
      draw_erased_cell(draw, at, true);
      break;
    case cell_state::claimed:
    case cell_state::empty:
      draw_empty_cell(draw, at);
      break;
  }
  const ImU32 ink = cell.state == cell_state::live ? ink_on(colour) : t.text_dim;
  const access_mark first = cell.fields.empty() ? access_mark::none : cell.fields.front().mark;
  const bool whole =
      std::all_of(cell.fields.begin(), cell.fields.end(), [&](const met_field& field) { return field.mark == first; });
  if (whole && first == access_mark::read) draw_read(draw, at, read_mark::now, 0, false);
  if (whole && first == access_mark::written) draw_written(draw, at);
  float y = at.low.y + px(11), ghost = at.high.y + px(5);
  for (const met_field& field : cell.fields) {
    const bool key = field.kind == field_kind::key;
    const std::string words = key                                ? (cell.holds_nothing ? "" : field.words)
                              : field.kind != field_kind::row_id ? field.words
                              : cell.state == cell_state::live   ? "row " + field.words
                              : cell.state == cell_state::empty  ? "empty"
                                                                 : field.words;
    const float points = key ? type::small : type::tiny;
    ImFont* font = key ? fonts().mono_bold : fonts().mono;
    const std::string shown = elided(font, points, words, width - px(6));
    draw_text_centred(draw, font, points, {at.middle().x, y}, ink, shown);
    if (erased && key) draw_struck(draw, {at.middle().x, y}, text_width(font, points, shown), ink);
    const box part{{at.low.x + px(3), y - px(8)}, {at.high.x - px(3), y + px(9)}};
    // A part of a cell, in what can be seen on it.
    if (field.mark == access_mark::read && !whole) draw.AddRect(part.low, part.high, ink, px(3), px(2));
    if (field.mark == access_mark::written && !whole) {
      draw_written(draw, part);
      if (cell.state == cell_state::live)
        draw.AddRectFilled({part.low.x + px(8), part.high.y - px(2)}, {part.high.x, part.high.y + px(1)}, ink, px(1));
    }
    for (const unseen_word& u : field.unseen) {
      const box below{{at.low.x, ghost}, {at.high.x, ghost + px(16)}};
      draw_ghost(draw, below);
      draw_text_centred(
          draw, u.now ? fonts().mono_bold : fonts().mono, type::tiny, below.middle(), u.now ? t.text : t.text_dim,
          elided(fonts().mono, type::tiny, fmt::format("{}: {}{}", u.task, key ? "" : "row ", u.words), width - px(4)));
      ghost += px(19);
    }
    y += px(18);
  }
}

// Room below a cell for what is not seen yet.
float cells_height(const std::vector<met_cell>& cells) {
  std::size_t most = 0;
  for (const met_cell& c : cells) {
    std::size_t unseen = 0;
    for (const met_field& field : c.fields) unseen += field.unseen.size();
    most = std::max(most, unseen);
  }
  return px(62) + px(19) * static_cast<float>(most);
}

std::size_t cells_a_row() {
  return std::max<std::size_t>(1, static_cast<std::size_t>(ImGui::GetContentRegionAvail().x / px(cell_width)));
}

void cells(const interleave_model& model, const std::vector<met_cell>& list, float height) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const std::size_t a_row = cells_a_row();
  const u32 levels = std::max(1u, model.result().model->levels());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::size_t row = i / a_row, column = i % a_row;
    one_cell(list[i],
             {corner.x + px(cell_width) * static_cast<float>(column), corner.y + height * static_cast<float>(row)},
             levels);
  }
  const std::size_t rows = (list.size() + a_row - 1) / a_row;
  ImGui::Dummy({ImGui::GetContentRegionAvail().x, height * static_cast<float>(rows)});
  spot("cells");
}

void meeting(frame& f) {
  interleave_state& state = f.view.interleave;
  open_failure(f);
  line_form(f);
  ask(f);
  take_up(f);
  const std::shared_ptr<const interleave_model> model = state.model;
  if (!model) {
    if (f.session.interleaved && !f.session.interleaved->problem.empty() && f.session.interleaved->asked == state.asked)
      say_wrong(f.session.interleaved->problem);
    return search_form(f);
  }
  state.focused = ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows);
  verdict(f, *model);
  const bool as_tree = staged(*model->result().model) != nullptr;
  const std::vector<met_cell> list = as_tree ? std::vector<met_cell>() : model->cells(state.step);
  const float a_row = cells_height(list);
  const std::size_t rows_of_cells = (list.size() + cells_a_row() - 1) / cells_a_row();
  const float picture =
      as_tree ? interleave_tree_height(*model, state.step) + px(22) * static_cast<float>(model->operations()) + px(34)
              : static_cast<float>(rows_of_cells) * a_row;
  // Is there room for what chooses the step beside what chooses who goes on?
  float needed = px(4 * 26 + 80 + 16 + 84 + 45 + 150);
  for (const question& o : model->of().operations)
    needed += text_width(fonts().mono, type::small, "0: " + to_list_item(o)) + px(20);
  const bool wide = ImGui::GetContentRegionAvail().x > needed;
  const float below = picture + px(wide ? 34 : 64) + px(40);
  const float least = px(row_height) * 5 + px(8),
              all = px(row_height) * static_cast<float>(model->accesses() + 2) + px(8);
  interleave_rows(f, *model, std::clamp(ImGui::GetContentRegionAvail().y - below, least, std::max(least, all)));
  transport(f, *model);
  if (wide) ImGui::SameLine(std::max(px(204), ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x + px(16)));
  order_form(f, *model);
  if (as_tree) {
    stages(*model, state.step);
    interleave_tree(*model, state.step);
  } else {
    cells(*model, list, a_row);
  }
  search_form(f);
}

}  // namespace

void interleave_panel(frame& f) {
  f.view.interleave.focused = false;
  const index_config& config = f.session.choice.config;
  if (!family_of(config).changes_one_by_one(config)) return offer_what_changes(f, {}, true);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ImGui::GetStyle().ItemSpacing.x, px(4)));  // of little height
  meeting(f);
  ImGui::PopStyleVar();
}

}  // namespace pivotscope::viz
