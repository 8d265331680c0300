// Path: one lookup, step by step, in words. While the build is shown, its slots (build_panel.cpp).
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "core/index/index_scene.hpp"
#include "core/index/step_words.hpp"
#include "core/workload/question_text.hpp"
#include "viz/models/tile_model.hpp"
#include "viz/panels/panels.hpp"
#include "viz/parts/empty_view.hpp"
#include "viz/parts/marks.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/parts/timeline.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/state/tile_in_view.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

void key_field(frame& f) {
  entry_state& entry = f.view.key;
  heading(
      "Looking for",
      "The key of this lookup. Type one, click a cell in Layout or Tree, or draw one at random. A key that is "
      "not in the index is a miss, and just as worth watching. Two keys with dots between them, 9..12, are a range: "
      "all entries from the one to the other, both included. >9 asks what comes after 9, the least greater key; >=9 "
      "for "
      "the least that is not smaller; =9 for all entries of 9. +9 steps through the insert of 9, -9 through its erase, "
      "of "
      "an index that changes.");
  if (entry.focus_next) {
    ImGui::SetKeyboardFocusHere();
    entry.focus_next = false;
  }
  const std::string standing = f.session.choice.key ? to_text(*f.session.choice.key) : "";
  entry.forget_old_problem(standing);
  const float width = ImGui::GetContentRegionAvail().x - px(2 * 36);
  const bool entered = text_field("##key", entry.text, "9, 9..12, >9, =9", width, type::large, theme().accent);
  if (entered || (ImGui::IsItemDeactivatedAfterEdit() && !entry.text.empty())) {
    const outcome<question> key = parse_question(entry.text, f.session.choice.config.keys);
    if (key) {
      entry.problem.clear();
      f.act.choose_key(*key);
    } else {
      entry.refuse(key.error().words, standing);
    }
  } else if (!ImGui::IsItemActive() && entry.problem.empty()) {
    entry.text = standing;
  }
  if (ImGui::IsItemActivated()) entry.problem.clear();
  ImGui::SameLine(0, px(4));
  const bool there = f.session.index != nullptr;
  if (icon_button("hit", icon::star, "A key that is there, at random", there, 34))
    f.act.choose_random_key(true), entry.problem.clear();
  ImGui::SameLine(0, 0);
  if (icon_button("miss", icon::star_empty, "A key that is not there, at random", there, 34))
    f.act.choose_random_key(false), entry.problem.clear();
  if (!entry.problem.empty()) {
    const text_style style(fonts().words_medium, type::small, theme().bad);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted((std::string(icon::warning) + "  " + entry.problem).c_str());
    ImGui::PopTextWrapPos();
  }
}

// A write that is stepped through changes nothing until it is applied.
void apply_traced(frame& f, const lookup_trace& trace) {
  const session_view& s = f.session;
  const bool ready = s.index && !s.job.running && s.index == f.view.transport.path->index;
  const bool inserts = trace.write->kind == operation::insert;
  if (button("apply write", inserts ? "Insert it" : "Erase it", icon::check, ready, ready)) {
    script batch(trace.config.keys);
    batch.add({trace.write->kind, trace.key});
    f.act.choose_key(trace.key);  // which is looked for in the index as it is then
    f.act.apply(batch);
  }
  hover_card(
      inserts ? "Insert it" : "Erase it",
      "These steps show what the operation would do: the index stays as it is. This does it, as a batch of its own, "
      "which Updates can undo.");
  ImGui::SameLine(0, px(8));
  ImGui::AlignTextToFramePadding();
  one_line(fonts().words, type::small, theme().text_dim, "Nothing is changed yet.");
}

// The lanes that serve the lookup: those that load in this step filled, with how many keys each compares.
void lanes(frame& f, const index_model& model, const trace_step& step) {
  const auto [of_lookup, keys_each] = model.lanes();
  const u32 count = step.kind == step_kind::warp_scan ? 32 : of_lookup;
  if (count <= 1) return;
  const std::string each = fmt::format(", {} key{} each", keys_each, keys_each == 1 ? "" : "s");
  heading(fmt::format("{} lanes{}", count, step.kind == step_kind::search ? each : ""),
          "Lanes are threads of a warp that serve one lookup together. Filled: the lane loads in this step. Hollow: it "
          "idles.");
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x, step_x = std::min(px(18), room / static_cast<float>(count));
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  for (u32 lane = 0; lane < count; ++lane) {
    const bool loads =
        std::any_of(step.accesses.begin(), step.accesses.end(), [&](const memory_access& a) { return a.lane == lane; });
    const ImVec2 middle{at.x + step_x * (static_cast<float>(lane) + 0.5f), at.y + px(8)};
    draw_lane(draw, middle, std::min(px(7.5f), step_x * 0.45f), loads);
    if (step_x >= px(16))
      draw_text_centred(draw, fonts().mono_bold, 9, middle, loads ? theme().panel : theme().text_faint,
                        std::to_string(lane));
    if (f.view.pointed.lane == lane) draw_pointed_lane(draw, middle, std::min(px(7.5f), step_x * 0.45f));
  }
  ImGui::InvisibleButton("lanes", {std::max(room, 1.0f), px(18)});
  const float under = (ImGui::GetIO().MousePos.x - at.x) / step_x;
  if (ImGui::IsItemHovered() && under >= 0 && under < static_cast<float>(count))
    f.view.points_next.lane = static_cast<u32>(under);
}

// Lane by lane: what it loads, and where; then what of memory that touches, array by array.
void reads(const index_model& model, const trace_step& step) {
  if (step.accesses.empty()) return;
  const auto lanes_of = [](const lane_reads& r) {
    constexpr const char* deeds[] = {"", " stores", " swaps", " adds", " exchanges", " sets bits"};
    const char* deed = deeds[static_cast<u8>(r.kind)];
    return r.first_lane == r.last_lane ? fmt::format("lane {}{}", r.first_lane, deed)
                                       : fmt::format("lanes {} to {}{}", r.first_lane, r.last_lane, deed);
  };
  constexpr std::size_t most = 12;
  const std::vector<lane_reads> list = reads_by_lane(step);
  for (const lane_reads& r : std::span(list).first(list.size() > most + 1 ? most : list.size())) {
    const bool pinned = r.space == memory_space::scratch;
    fact(lanes_of(r),
         fmt::format("{} of {} at byte {}", bytes_text(r.bytes), pinned ? "scratch" : model.region(r.array).title,
                     grouped(r.byte)),
         pinned
             ? "These keys are pinned: they lie in the thread block's own scratch memory, and reading them is no trip "
               "to memory."
             : "What this lane loads, and where: bytes are counted from the array's begin. Of many lanes those that "
               "read side by side stand together.");
  }
  if (list.size() > most + 1)
    fact("and", fmt::format("{} more", list.size() - most), "All of them are outlined in Memory.");
  for (std::size_t i = 0; i < model.regions().size(); ++i) {
    const auto array = static_cast<region_id>(i);
    const std::string sectors = touched_words(step, array, 32), lines = touched_words(step, array, 128);
    if (sectors.empty()) continue;
    const auto name = [&](const char* one, const std::string& blocks) {
      return fmt::format("{}{} of {}", one, blocks.find_first_of(",t") == std::string::npos ? "" : "s",
                         model.region(array).title);
    };
    fact(name("sector", sectors), sectors,
         "A sector is 32 bytes, a quarter of a line, and the least that a load brings.");
    fact(name("line", lines), lines,
         "Memory comes in lines of 128 bytes: what a step reads should lie in few of them.");
  }
}

// What the search has in hand, beside what it looks for.
void in_hand(const trace_step& step) {
  for (const held_thing& held : step.in_hand)
    fact("in hand", held_words(held),
         held.kind == held_kind::entry ? "An entry that has no cell yet: the search takes it along until it finds one."
         : held.kind == held_kind::place ? "Where the search goes on, as far as this step tells."
                                         : "What the steps so far come to.");
}

// What the step passed over, and what it wrote: before and after.
void changes(const index_model& model, const trace_step& step) {
  const auto erased = std::count_if(step.compared.begin(), step.compared.end(),
                                    [](const comparison& c) { return c.state == cell_state::erased; });
  if (erased > 0)
    fact("tombstones", fmt::format("{} passed over", grouped(static_cast<u64>(erased))),
         "Slots whose entries were erased: what reads them gets a key and the mark of an erased entry in place of a "
         "row id.");
  const std::vector<changed_field> written = changed_by(model, step);
  if (written.empty()) return;
  heading("Writes", "What the step writes, in its order: what was there before, and what is there after it.");
  for (const changed_field& c : written)
    fact(fmt::format("{} slot {}, {}", model.region(c.at.region).cell_name, grouped(c.at.cell), c.name), c.words(),
         c.how_words());
}

// True while the mouse is over it.
bool step_row(frame& f, const index_model& model, const lookup_trace& trace, u32 i) {
  const trace_step& step = trace.steps[i];
  const bool now = i == f.view.transport.step, ahead = i > f.view.transport.step;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = px(26);
  ImGui::PushID(static_cast<int>(i));
  const bool clicked = ImGui::InvisibleButton("step", {width, height});
  const bool hovered = ImGui::IsItemHovered();
  ImGui::PopID();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const theme_tokens& t = theme();
  if (now)
    draw.AddRectFilled(at, {at.x + width, at.y + height}, t.raised, px(4));
  else if (hovered)
    draw.AddRectFilled(at, {at.x + width, at.y + height}, with_alpha(t.hovered, 0.5f), px(4));
  if (now) draw.AddRectFilled({at.x, at.y + px(4)}, {at.x + px(3), at.y + height - px(4)}, t.accent, px(2));
  const float y = at.y + height / 2;
  if (ahead)
    draw_text_centred(draw, fonts().mono, 11, {at.x + px(18), y}, t.text_faint, std::to_string(i + 1));
  else
    draw_step_number(draw, {at.x + px(18), y}, i, now);
  const u32 levels = std::max(1u, model.levels());
  const box square{{at.x + px(34), y - px(5)}, {at.x + px(44), y + px(5)}};
  draw.AddRectFilled(square.low, square.high, level_colour(step.level, levels), px(2));
  if (hovered && ImGui::IsMouseHoveringRect(square.low, square.high)) f.view.points_next.level = step.level;
  if (f.view.pointed.level == step.level) draw_pointed(draw, square);
  // What was compared: the key nearest on either side says it all.
  const auto [below, above, equal] = nearest_of(step);
  const bool scans = step.kind != step_kind::search, ruled_out = model.has_order() && !scans && !equal;
  std::string words = compared_words(step);
  // Of what comes after a key every level has a first; one of these is the answer.
  const bool marked = equal && (step.kind != step_kind::next || equal->key == trace.successor->key);
  const char* const mark = marked                ? icon::check
                           : !step.doubt.empty() ? icon::doubt
                           : !ruled_out          ? ""
                           : below               ? icon::right
                           : above               ? icon::left
                                                 : "";
  const ImU32 ink = now ? t.text : ahead ? t.text_faint : t.text_dim;
  // Long keys: the nearer of the two is told, the other on the cells.
  const float room = width - px(54 + 30);
  if (text_width(fonts().mono, type::small, words) > room && ruled_out && below && above)
    words = fmt::format("> {} \u2026", below->key);
  words = elided(fonts().mono, type::small, words, room);
  draw_text(draw, fonts().mono, type::small, {at.x + px(54), y - px(8.5f)}, ink, words);
  const std::string left = trace.range || trace.write ? "" : step.left;
  const float left_x = at.x + width - px(30) - text_width(fonts().mono, type::tiny, left);
  if (left_x > at.x + px(58) + text_width(fonts().mono, type::small, words))
    draw_text(draw, fonts().mono, type::tiny, {left_x, y - px(7.5f)}, t.text_faint, left);
  draw_text_centred(draw, fonts().words, 11, {at.x + width - px(14), y}, ink, mark);
  if (clicked) {
    f.view.transport.playing = false;
    go_to_step(f, i);
  }
  return hovered;
}

// What other lookups bring anyway.
void shared_fact(const tile_study& study, const lookup_trace& trace) {
  const std::string meaning = fmt::format(
      "How many of these sectors and lines another of the {} lookups of tile {} reads too: the block's cache brings "
      "them "
      "once for all. An order that keeps what is read often together shares more.",
      grouped(study.size()), grouped(study.number() + 1));
  if (!study.complete()) return fact("shared in the tile", "counting...", meaning);
  const auto [sectors, lines] = study.shared(trace);
  fact("shared in the tile",
       fmt::format("{} of {} sectors, {} of {} lines", sectors, trace.distinct_sectors, lines, trace.distinct_lines),
       meaning);
}

void totals(frame& f, const lookup_trace& trace) {
  heading(!trace.write                             ? "The whole lookup"
          : trace.write->kind == operation::insert ? "The whole insert"
                                                   : "The whole erase");
  fact("steps", std::to_string(trace.steps.size()));
  fact(trace.write ? "bytes loaded or stored" : "bytes loaded", grouped(trace.bytes));
  fact("requests", grouped(trace.requests),
       "Loads that the lookup's lanes issue, step after step. Each waits for the one before it, wherever it is served "
       "from.");
  fact("distinct sectors", grouped(trace.distinct_sectors),
       "Different pieces of 32 bytes that these loads touch: the least that memory could bring for this lookup alone.");
  fact(
      "distinct lines", grouped(trace.distinct_lines),
      "Different lines of 128 bytes that these loads touch. What lies in a line that was read before is near already.");
  const bool in_view = f.session.index && f.view.transport.path->index == f.session.index;
  if (in_view && f.model()->keys() <= family_of(trace.config).sensible_keys(trace.config)) {
    if (const tile_study* study = study_tile(f)) shared_fact(*study, trace);
  }
  if (trace.range) {
    fact("entries, sum",
         fmt::format("{}, {}", grouped(trace.range->answer.count), grouped(trace.range->answer.row_sum)),
         "The range lookup's answer: how many entries there are, and the sum of their row ids.");
    u64 in_vain = 0;
    for (const trace_step& step : trace.steps) {
      if (step.kind == step_kind::search) continue;
      in_vain += static_cast<u64>(std::count_if(step.compared.begin(), step.compared.end(), [](const comparison& c) {
        return !c.empty && c.met != relation::equal;
      }));
    }
    fact("scanned in vain", grouped(in_vain),
         "Entries that a scan read and that are not in the range: where it found its end. In Layout they have an empty "
         "star, answers a filled one.");
  }
  provenance_note(provenance::modelled);
}

void verdict(const lookup_trace& trace) {
  const bool changed = trace.write && trace.write->done != write_done::full && trace.write->done != write_done::absent;
  const bool found = changed || (trace.range ? trace.range->answer.count > 0 : trace.row != not_found);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_star(*ImGui::GetWindowDrawList(), {at.x + px(8), at.y + px(9)}, found, 16);
  ImGui::Indent(px(24));
  wrapped(fonts().words_medium, type::body, theme().text, trace.verdict);
  ImGui::Unindent(px(24));
}

}  // namespace

void path_panel(frame& f) {
  if (f.view.build.on) return build_panel(f);
  key_field(f);
  const lookup_trace* trace = f.trace();
  if (trace && trace->write) apply_traced(f, *trace);
  if (!trace || trace->steps.empty()) {
    if (!f.session.index || !has_cells(*f.model())) return wait_or_explain(f, "a lookup's path");
    if (trace) return wrapped(fonts().words, type::body, theme().text_dim, trace->verdict);
    if (empty_view(icon::search, "Choose a key, and its way through the index is here.", "draw",
                   "Draw a key at random"))
      f.act.choose_random_key(true);
    return;
  }
  const u32 current = std::min(f.view.transport.step, static_cast<u32>(trace->steps.size() - 1));
  const trace_step& step = trace->steps[current];
  const bool last = current + 1 == trace->steps.size();
  const std::shared_ptr<const index_model> model = f.path_model();

  ImGui::Spacing();
  heading(fmt::format("Step {} of {}, {}{}", current + 1, trace->steps.size(), step.where,
                      step.kind == step_kind::search ? ""
                      : step.kind == step_kind::next ? ": next"
                                                     : ": scan"));
  // Where a hash leads, or where in space the key is, no step says.
  if (current == 0 && (model->windows() || with_scene(*model)))
    wrapped(fonts().words, type::small, theme().text_dim, trace->start);
  wrapped(fonts().words, type::title, theme().text, step.words);
  spot("words");
  if (!step.doubt.empty()) {
    wrapped(fonts().words_medium, type::body, theme().text, std::string(icon::doubt) + "  " + step.doubt);
    spot("doubt");
  }
  if (!step.next.empty())
    wrapped(fonts().words, type::small, theme().text_dim, std::string(icon::right) + "  " + step.next);
  if (last) verdict(*trace);
  ImGui::Spacing();
  lanes(f, *model, step);
  reads(*model, step);
  in_hand(step);
  changes(*model, step);
  ImGui::Spacing();
  stop_chips(f);
  heading("Steps",
          "Every step of this lookup. Click one to see it, right-click one to stop at its level or to compare it with "
          "the one that is shown. The numbers on the cells are these.");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(8), px(2)));
  std::optional<u32> hovered;
  for (u32 i = 0; i < trace->steps.size(); ++i)
    if (step_row(f, *model, *trace, i)) hovered = i;
  ImGui::PopStyleVar();
  step_menu(f, hovered);
  ImGui::Spacing();
  totals(f, *trace);
}

}  // namespace pivotscope::viz
