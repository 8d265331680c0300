// Updates: batches of inserts and erases, typed or drawn, done to the index in view; and those that were, each a click to
// go back to.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "core/index/family.hpp"
#include "core/index/operations.hpp"
#include "core/workload/script_text.hpp"
#include "viz/models/timings_model.hpp"
#include "viz/models/updates_model.hpp"
#include "viz/panels/panels.hpp"
#include "viz/parts/empty_view.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/state/commands.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

bool can_apply(const frame& f) {
  return f.session.index && !f.session.job.running && f.session.index->config() == f.session.choice.config;
}

// What is typed, read once a change. A batch is typed for the keys that the index is to have.
void read_typed(frame& f) {
  updates_state& state = f.view.updates;
  const std::pair<std::string, key_width> now{state.typed.text, f.session.choice.config.keys};
  if (state.read_for == now) return;
  state.read_for = now;
  const outcome<script> read = script_from_text(now.first, now.second, keys_a_line::several);
  state.typed.problem = read ? "" : read.error().words;
  if (read && read->items() != 0) {
    for (std::size_t b = 0; b < read->batches().size() && state.typed.problem.empty(); ++b)
      if (const auto whole = read->batches()[b].whole)
        if (const auto refused = check_serves(f.session.choice.config, *whole))
          state.typed.problem = fmt::format("line {}: {}", read->line_of_whole(b), *refused);
    for (u64 i = 0; i < read->size() && state.typed.problem.empty(); ++i)
      if (const auto refused = check_serves(f.session.choice.config, read->verb_of(i)))
        state.typed.problem = fmt::format("line {}: {}", read->line(i), *refused);
  }
  state.read =
      read && read->items() != 0 && state.typed.problem.empty() ? std::make_shared<const script>(*read) : nullptr;
}

void typed_form(frame& f) {
  updates_state& state = f.view.updates;
  heading("Type a batch",
          "insert 5 7 9, erase 5, find 7, range 2 9: a verb and its keys, a line each. Lines of one verb are a batch; "
          "begin and end, each in a line of its own, make what stands between one mixed batch, whose operations run at "
          "once. clear and rebuild, alone in a line, are batches of their own. What follows a # is skipped.");
  if (state.typed.focus_next) {
    ImGui::SetKeyboardFocusHere();
    state.typed.focus_next = false;
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::PushFont(fonts().mono, type::small);
  ImGui::PushStyleColor(ImGuiCol_Text, theme().text);
  const bool entered =
      ImGui::InputTextMultiline("##typed", &state.typed.text, {width, px(74)}, ImGuiInputTextFlags_EnterReturnsTrue);
  const bool active = ImGui::IsItemActive();
  spot("batch");
  ImGui::PopStyleColor();
  ImGui::PopFont();
  if (state.typed.text.empty() && !active)
    draw_text_in(*ImGui::GetWindowDrawList(), fonts().mono, type::small, {at.x + px(8), at.y + px(6)}, width - px(16),
                 theme().text_faint, "insert 5 7 9");
  read_typed(f);
  const bool ready = state.read && can_apply(f);
  if (button("apply", "Apply", icon::check, ready, ready) || (entered && ready)) {
    f.act.apply(*state.read);
    state.typed.text.clear();
  }
  hover_card("Apply",
             "Does the batches to the index in view, one after the other. Ctrl Enter in the field does the same.");
  if (state.read) {
    ImGui::SameLine(0, px(8));
    ImGui::AlignTextToFramePadding();
    one_line(fonts().words, type::small, theme().text_dim, size_words(*state.read));
  }
  say_wrong(state.typed.problem);
}

// A count with its name above, so many units from the left.
void count_below(const char* name, const char* meaning, entry_state& entry, u64& value, u64 greatest, ImVec2 at,
                 float width) {
  ImGui::SetCursorScreenPos(at);
  {
    const text_style style(fonts().words, type::tiny, theme().text_dim);
    ImGui::TextUnformatted(name);
  }
  ImGui::SetCursorScreenPos({at.x, at.y + px(18)});
  count_field(name, meaning, entry, value, 0, greatest, width);
}

void drawn_form(frame& f) {
  constexpr u64 most = 1ull << 26;
  updates_state& state = f.view.updates;
  update_draw& drawn = state.drawn;
  heading(
      "Draw a batch",
      "Inserts bring the keys that the workload would have next; erases and finds take keys of rows that are there, "
      "or were, by the workload's share of hits.");
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float gap = px(6), width = std::min((ImGui::GetContentRegionAvail().x - 3 * gap - px(30)) / 4, px(110));
  const auto place = [&](int i) { return ImVec2{at.x + static_cast<float>(i) * (width + gap), at.y}; };
  count_below("inserts", "How many keys are inserted.", state.inserts, drawn.inserts, most, place(0), width);
  count_below("erases", "How many keys are erased.", state.erases, drawn.erases, most, place(1), width);
  count_below("finds", "How many keys are looked up among them.", state.finds, drawn.finds, most, place(2), width);
  count_below("seed", "The same seed draws the same operations over the same rows.", state.seed, drawn.seed, ~0ull,
              place(3), width);
  ImGui::SetCursorScreenPos({place(4).x - px(4), at.y + px(17)});
  if (icon_button("next seed", icon::dice, "The next seed", true, 26)) ++drawn.seed;
  for (const entry_state* entry : {&state.inserts, &state.erases, &state.finds, &state.seed}) say_wrong(entry->problem);
  const bool any = drawn.inserts + drawn.erases + drawn.finds > 0, ready = any && can_apply(f);
  if (button("draw", "Draw and apply", icon::dice, ready)) f.act.apply_drawn(drawn);
  ImGui::SameLine(0, px(8));
  if (chip("each", "a batch of each", drawn.mixed ? chip_look::plain : chip_look::chosen)) drawn.mixed = false;
  hover_card("a batch of each",
             "First all inserts, then all erases, then all finds: three batches, one after the other.");
  ImGui::SameLine(0, px(4));
  if (chip("mixed", "mixed", drawn.mixed ? chip_look::chosen : chip_look::plain)) drawn.mixed = true;
  hover_card("mixed", "All of them shuffled in one batch: they run at once, and each sees some of the others' work.");
}

void maintenance_button(frame& f, maintenance what, const char* words, const char* picture, const char* meaning) {
  if (button(info_of(what).name.data(), words, picture, can_apply(f))) {
    script s(f.session.choice.config.keys);
    s.add(what);
    f.act.apply(s);
  }
  hover_card(words, meaning);
}
void maintenance_form(frame& f) {
  maintenance_button(f, maintenance::clear, "Clear", icon::cross,
                     "Takes all entries out, as a batch that undo brings back. Row ids of later inserts go on.");
  ImGui::SameLine(0, px(8));
  maintenance_button(f, maintenance::rebuild, "Rebuild", icon::again,
                     "Makes the index as if it were built from the entries that it holds.");
}

void batch_card(const applied_batch& batch, bool undone) {
  const script_batch_record& r = batch.record;
  const auto entries_words = [](u64 n) { return fmt::format("{} {}", grouped(n), n == 1 ? "entry" : "entries"); };
  std::string words =
      r.whole ? fmt::format("{} in {}.", capitalised(counts_words(batch)), ms_text(r.time.median()))
              : fmt::format("{} in {}, {}. {}.", counted(r.operations, "operation"), ms_text(r.time.median()),
                            rate_text(r.operations_per_second()), capitalised(counts_words(batch)));
  for (const stage_time& room : r.room)
    words += fmt::format(" {} took {}.", capitalised(room.name), ms_text(room.median()));
  if (const std::string full = r.full_words(); !full.empty()) words += fmt::format(" {}.", capitalised(full));
  words += fmt::format(" {} The index behind it: {} in {}.", check_words(batch), entries_words(r.entries),
                       bytes_text(batch.index_bytes));
  hover_card(r.operations > applied_batch::told ? batch.words + ", ..." : batch.words, words,
             undone ? "It is undone: a click does it again, and those before it." : "A click undoes those behind it.");
}

// A row of the list: a state of the index, and the batch that led to it.
void state_row(frame& f, std::size_t i) {
  const update_history& history = *f.session.updates;
  const theme_tokens& t = theme();
  const applied_batch* batch = i == 0 ? nullptr : &history.batches[i - 1];
  const bool now = i == history.applied, undone = i > history.applied;
  const float room = ImGui::GetContentRegionAvail().x, height = px(batch ? 40.0f : 26.0f);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(static_cast<int>(i));
  const bool clicked = ImGui::InvisibleButton("state", {std::max(room, 1.0f), height});
  ImGui::PopID();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const bool hovered = ImGui::IsItemHovered();
  if (now || hovered)
    draw.AddRectFilled(at, {at.x + room, at.y + height}, hovered && !now ? t.hovered : t.raised, px(4));
  if (now) draw.AddRectFilled({at.x, at.y + px(4)}, {at.x + px(3), at.y + height - px(4)}, t.accent, px(2));
  const ImU32 ink = undone ? t.text_faint : t.text, dim = undone ? t.text_faint : t.text_dim;
  const float left = at.x + px(34), inside = room - px(34) - px(8), first = at.y + px(4);
  draw_text_centred(draw, fonts().mono, type::tiny, {at.x + px(18), first + px(9)}, dim, std::to_string(i));
  if (!batch) {
    draw_text_in(
        draw, fonts().words_medium, type::small, {left, first}, inside, ink,
        history.held.empty() ? "As built: " + counted(f.session.index->keys(), "key") : "As built: " + history.held);
    if (hovered) hover_card("As built", "The index of the workload's keys.", now ? "" : "A click undoes all batches.");
  } else {
    const bool wrong = batch->record.check.wrong > 0;
    const float kind = px(58);
    draw_text_in(draw, fonts().words_medium, type::small, {left, first}, kind, ink, batch->kind);
    const std::string more = batch->record.operations > applied_batch::told ? ", ..." : "";
    draw_text_in(draw, fonts().mono, type::small, {left + kind, first}, inside - kind, ink, batch->words + more);
    const char* const mark = wrong ? icon::warning : icon::check;
    const float below = first + px(18);
    draw_text(draw, fonts().words, type::tiny, {left, below}, wrong ? t.bad : dim, mark);
    std::string words = fmt::format("{}, {}", counts_words(*batch), ms_text(batch->record.time.median()));
    if (!batch->record.whole) words += ", " + rate_text(batch->record.operations_per_second());
    if (undone) words = "undone: " + words;
    draw_text_in(draw, fonts().words, type::tiny, {left + px(18), below}, inside - px(18), wrong ? t.bad : dim, words);
    batch_card(*batch, undone);
  }
  if (clicked && !now) f.act.go_to_batch(i);
}

void batches(frame& f) {
  const update_history& history = *f.session.updates;
  ImGui::BeginGroup();
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x, top = ImGui::GetCursorPosY();
  heading(
      "Batches",
      "What the index in view was changed by, in its order. Each is timed once, on the index as the one before left "
      "it, and checked by the oracle. They are the workload's script: the scenario's line brings them back.");
  ImGui::EndGroup();
  const float below = ImGui::GetCursorPosY();
  ImGui::SetCursorPos({std::max(ImGui::GetCursorPosX(), right - px(3 * 26)), top - px(4)});
  const std::size_t all = history.batches.size();
  if (icon_button("undo", icon::undo, with_keys_of(f, "Undo the last batch", "undo"), history.applied > 0, 26))
    f.act.go_to_batch(history.applied - 1);
  ImGui::SameLine(0, 0);
  if (icon_button("redo", icon::again, with_keys_of(f, "Redo the next batch", "redo"), history.applied < all, 26))
    f.act.go_to_batch(history.applied + 1);
  ImGui::SameLine(0, 0);
  if (icon_button("copy script", icon::copy, "Copy the script of what is applied, as --script takes it",
                  history.applied > 0, 26))
    f.act.copy_script();
  ImGui::SetCursorPosY(std::max(below, ImGui::GetCursorPosY()));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(8), px(2)));
  for (std::size_t i = 0; i <= all; ++i) {
    state_row(f, i);
    if (i == history.applied && f.view.updates.followed != f.session.updates) ImGui::SetScrollHereY(0.5f);
  }
  f.view.updates.followed = f.session.updates;
  ImGui::PopStyleVar();
  if (history.applied == 0) return;
  const applied_batch& last = history.batches[history.applied - 1];
  if (const std::string full = last.record.full_words(); !full.empty())
    say_wrong(capitalised(full) + ". Nothing that was there is lost.");
  if (last.record.check.wrong > 0) say_wrong(check_words(last));
  provenance_note(provenance::live);
}

// What an index that does not change has in place of updates, by the last run of it.
std::string built_anew_words(const frame& f) {
  const std::vector<session_run>& runs = *f.session.runs;
  if (runs.empty() || !is_of(runs.back(), f.session.choice))
    return "It is built anew where its keys change: Build, at the bottom left, steps through that.";
  const run_record& record = runs.back().record;
  const std::string sort = record.sort.samples_ms.empty()
                               ? ""
                               : fmt::format(", after sorting them, which took {}", ms_text(record.sort.median()));
  return fmt::format(
      "It is built anew where its keys change: from {} that took {}{}. Build, at the bottom left, steps "
      "through it.",
      counted(record.keys, "key"), ms_text(record.build_ms()), sort);
}

}  // namespace

void updates_panel(frame& f) {
  const bool left_out = f.session.updates && !f.session.updates->refused.empty();
  if (!family_of(f.session.choice.config).changes())
    return offer_what_changes(
        f, left_out ? "The workload's script is left out: what is shown is the index of its keys alone."
                    : built_anew_words(f));
  if (!f.session.index || !f.session.updates || !(f.session.index->config() == f.session.choice.config))
    return wait_or_explain(f, "what changes it");
  const bool wide = ImGui::GetContentRegionAvail().x > px(560);
  if (wide && ImGui::BeginTable("columns", 2, ImGuiTableFlags_None)) {
    ImGui::TableNextColumn();
    typed_form(f);
    drawn_form(f);
    maintenance_form(f);
    ImGui::TableNextColumn();
    batches(f);
    ImGui::EndTable();
  } else if (!wide) {
    typed_form(f);
    drawn_form(f);
    maintenance_form(f);
    ImGui::Spacing();
    batches(f);
  }
}

}  // namespace pivotscope::viz
