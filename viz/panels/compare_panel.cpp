// Compare: the index that is pinned, A, beside the one that is edited, B, figure by figure; or two steps of one lookup.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "viz/models/compare_model.hpp"
#include "viz/models/probe_model.hpp"
#include "viz/models/tile_model.hpp"
#include "viz/panels/panels.hpp"
#include "viz/parts/empty_view.hpp"
#include "viz/parts/probe_lengths_plot.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/state/probes_in_view.hpp"
#include "viz/state/tile_in_view.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

const tile_study* complete_tile(frame& f) {
  if (!f.session.index || f.model()->keys() == 0) return nullptr;
  const index_config& config = f.session.index->config();
  if (f.model()->keys() > family_of(config).sensible_keys(config)) return nullptr;
  const tile_study* tile = study_tile(f);
  return tile && tile->complete() ? tile : nullptr;
}

// Null: its searches have no lengths, or none is known yet.
const probe_study* lengths_in_view(frame& f) {
  if (!f.session.index || !has_search_lengths(*f.model())) return nullptr;
  const probe_study* study = study_probes(f);
  return study && !study->failed() && study->traced() > 0 ? study : nullptr;
}

compared_side side_of(frame& f) {
  const bool in_view = f.view.transport.path && f.session.index && f.view.transport.path->index == f.session.index;
  const probe_study* const probes = lengths_in_view(f);
  const bool complete = probes && probes->traced() == probes->to_trace();
  const bool has_lengths = f.session.index && has_search_lengths(*f.model());
  return {f.session, in_view ? f.trace() : nullptr, complete_tile(f), complete ? probes : nullptr, has_lengths};
}

void line_of(const char* letter, const std::string& words) {
  {
    const text_style style(fonts().mono_bold, type::title, theme().text);
    ImGui::TextUnformatted(letter);
  }
  ImGui::SameLine(px(28));
  const text_style style(fonts().mono, type::body, theme().text);
  ImGui::TextWrapped("%s", words.c_str());
}

void line_of(const char* letter, const index_config& config, const job_state& job) {
  line_of(letter, to_line(config));
  if (!job.running) return;
  const text_style small(fonts().words, type::small, theme().text_dim);
  ImGui::SetCursorPosX(px(40));
  ImGui::Text("%s%s", job.stage.c_str(), job.fraction >= 0 ? fmt::format(" {:.0f}%", job.fraction * 100).c_str() : "");
}

std::string words_of(const compared& row) {
  if (!row.timed || row.of_b == verdict::no_telling || row.of_b == verdict::same) return word_of(row.of_b);
  return row.of_b == verdict::better ? "faster" : row.of_b == verdict::worse ? "slower" : "";
}

const char* mark_of(verdict v) { return v == verdict::better ? icon::check : v == verdict::worse ? icon::warning : ""; }

// `verdict_share`: of four columns, how many the last one takes.
void table(const std::vector<compared>& rows, float verdict_share) {
  if (!ImGui::BeginTable("figures", 4, ImGuiTableFlags_SizingStretchProp)) return;
  ImGui::TableSetupColumn("name", 0, 1.5f);
  for (const char* side : {"a", "b"}) ImGui::TableSetupColumn(side, 0, (2.7f - verdict_share) / 2);
  ImGui::TableSetupColumn("verdict", 0, verdict_share);
  const auto cell = [](ImFont* font, ImU32 ink, const std::string& words) {
    ImGui::TableNextColumn();
    const text_style style(font, type::small, ink);
    ImGui::TextWrapped("%s", words.c_str());
  };
  ImGui::TableNextRow();
  cell(fonts().words, theme().text_faint, "");
  cell(fonts().mono_bold, theme().text_dim, "A");
  cell(fonts().mono_bold, theme().text_dim, "B");
  cell(fonts().words, theme().text_faint, "B is");
  for (const compared& row : rows) {
    ImGui::TableNextRow();
    cell(fonts().words, theme().text_dim, row.name);
    hover_card(capitalised(row.name), row.meaning, row.origin ? provenance_word(*row.origin) : "");
    ImFont* const font = row.origin ? provenance_font(*row.origin) : fonts().mono;
    const bool timed = row.timed && row.origin;
    cell(timed ? font : fonts().mono, theme().text, row.a);
    cell(timed ? font : fonts().mono, theme().text, row.b);
    const bool told = row.of_b == verdict::better || row.of_b == verdict::worse;
    const ImU32 ink = !told                        ? theme().text_faint
                      : !row.judged                ? theme().text_dim
                      : row.of_b == verdict::worse ? theme().bad
                                                   : theme().good;
    const std::string mark = row.judged ? mark_of(row.of_b) : "";
    cell(fonts().words_medium, ink, mark.empty() ? words_of(row) : mark + std::string(" ") + words_of(row));
  }
  ImGui::EndTable();
}

// First A, then B: both at once would slow each other down.
void measure_both(frame& b, frame& a) {
  compare_state& state = b.view.compare;
  const bool idle = !a.session.job.running && !b.session.job.running;
  const auto measured = [](const session_view& s) {
    return !s.runs->empty() && s.runs->back().origin == provenance::measured ? s.runs->back().number : 0;
  };
  if (state.measuring && idle) {
    state.measuring = false;
    if (measured(a.session) > state.measured_before) b.act.measure();  // else it was stopped
  }
  const bool can = idle && batch_size(b.session.choice.load) > 0 && a.session.index && b.session.index;
  if (button("measure both", "Measure both", icon::gauge, can)) {
    state.measured_before = measured(a.session);
    state.measuring = true;
    a.act.measure();
    b.moving = true;
  }
  hover_card(
      "Measure both",
      "First A, then B: each is warmed up and its batch repeated until the noise is known, every answer checked.");
  if (state.measuring) b.moving = true;
}

bool deed(const char* id, const char* words, const char* icon, const char* meaning) {
  const bool pressed = button(id, words, icon);
  hover_card(words, meaning);
  ImGui::SameLine(0, px(6));
  return pressed;
}

void nothing_pinned(frame& f) {
  if (empty_view(icon::pin,
                 "Pin an index as A: it stays while you edit the other one, B, and both are shown side by side. Or pin "
                 "a step of the lookup, and step on.",
                 "pin", "Pin this index as A"))
    pin_index(f.view, f.session.choice.config), f.moving = true;
  if (!f.step()) return;
  ImGui::Spacing();
  if (button("pin step", "Pin this step as A", icon::pin)) pin_step(f.view, f.view.transport.step), f.moving = true;
}

// The lengths of both sides' lookups, side by side where there is room, on the same axes.
void compare_lengths(frame& b, frame& a) {
  const probe_study *const of_a = lengths_in_view(a), *const of_b = lengths_in_view(b);
  if (!of_a || !of_b) return;
  heading(
      "How far lookups go",
      "Windows, buckets or slabs of a table that a lookup reads; in a tree, its steps. Filled: hits, hollow: misses. "
      "Both on the same axes.");
  const probe_study* const both[] = {of_a, of_b};
  const length_axes axes = length_axes_of(both);
  const bool beside = ImGui::GetContentRegionAvail().x >= px(480);
  if (!ImGui::BeginTable("lengths", beside ? 2 : 1, ImGuiTableFlags_SizingStretchSame)) return;
  for (const auto& [letter, study] : {std::pair("A", of_a), std::pair("B", of_b)}) {
    ImGui::TableNextColumn();
    const auto words = [](const char* what, const probe_lengths& lengths) {
      return lengths.count == 0 ? fmt::format("{} none", what) : fmt::format("{} {:.2f}", what, lengths.mean());
    };
    one_line(fonts().words_medium, type::small, theme().text,
             fmt::format("{}: {}s, {}, {}", letter, study->unit(), words("\u25A0 hits", study->hits()),
                         words("\u25A1 misses", study->misses())));
    const std::optional<u64> key = draw_lengths(fmt::format("##lengths of {}", letter).c_str(), *study, axes,
                                                std::nullopt, px(beside ? 150 : 120));
    if (key) b.act.choose_key(*key);
    spot(fmt::format("lengths of {}", letter));
  }
  ImGui::EndTable();
  provenance_note(provenance::modelled);
}

void compare_indexes(frame& f, frame& a) {
  line_of("A", a.session.choice.config, a.session.job);
  line_of("B", f.session.choice.config, f.session.job);
  ImGui::Spacing();
  if (deed("swap", "Swap", icon::again, "A is edited, and B pinned.")) {
    const index_config edited = f.session.choice.config;
    f.act.choose_config(*f.view.pinned);
    pin_index(f.view, edited);
  }
  if (deed("pin again", "Pin B as A", icon::pin,
           "From here on the index that is edited now is the one to compare with."))
    pin_index(f.view, f.session.choice.config);
  const bool away = deed("unpin", "Unpin", icon::cross, "Nothing is compared any more.");
  ImGui::NewLine();
  measure_both(f, a);  // above all that grows while lookups are counted
  ImGui::Spacing();
  const std::vector<compared> rows = compare(side_of(a), side_of(f));
  table(rows, 0.9f);
  for (const compared& row : rows) say_too_few(f, row.withheld);
  ImGui::Spacing();
  caption("Both have the same keys, the same lookups and the same machine; one transport steps both.");
  ImGui::Spacing();
  compare_lengths(f, a);
  if (away) unpin(f.view);
}

void compare_steps_of_path(frame& f, frame& a) {
  const lookup_trace& trace = *f.trace();
  const u32 step_a = a.view.transport.step, step_b = f.view.transport.step;
  const auto line = [&](const char* letter, u32 step) {
    line_of(letter, fmt::format("step {} of {}, {}", step + 1, trace.steps.size(), trace.steps[step].where));
    hover_card(fmt::format("Step {}", step + 1), trace.steps[step].words);
  };
  line("A", step_a);
  line("B", step_b);
  ImGui::Spacing();
  if (deed("swap", "Swap", icon::again, "The transport goes to A, and B is pinned.")) {
    pin_step(f.view, step_b);
    go_to_step(f, step_a);
  }
  if (deed("pin again", "Pin B as A", icon::pin, "From here on the step that is shown now is the one to compare with."))
    pin_step(f.view, step_b);
  const bool away = deed("unpin", "Unpin", icon::cross, "Nothing is compared any more.");
  ImGui::NewLine();
  ImGui::Spacing();
  table(compare_steps(trace, step_a, step_b), 0.45f);
  ImGui::Spacing();
  caption(
      "Two steps of one lookup: A stays, and the transport moves B. A right click on a step, there or in Path, makes "
      "it A.");
  if (away) unpin(f.view);
}

}  // namespace

void compare_panel(frame& f) {
  if ((!f.view.pinned && !f.view.pinned_step) || !f.other) return nothing_pinned(f);
  if (f.view.pinned) return compare_indexes(f, *f.other);
  if (!f.trace() || f.trace()->steps.empty()) return wait_or_explain(f, "two steps of a lookup");
  compare_steps_of_path(f, *f.other);
}

}  // namespace pivotscope::viz
