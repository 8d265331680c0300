// Compare: the index that is pinned, A, beside the one that is edited, B, figure by figure.
#include <fmt/format.h>

#include <algorithm>

#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "viz/compare_model.hpp"
#include "viz/format.hpp"
#include "viz/icons.hpp"
#include "viz/panels.hpp"
#include "viz/tile_model.hpp"
#include "viz/widgets.hpp"

namespace pivotscope::viz {
namespace {

const tile_study* complete_tile(frame& f) {
  if (!f.session.index || f.model()->keys() == 0) return nullptr;
  const index_config& config = f.session.index->config();
  if (f.model()->keys() > family_of(config).sensible_keys(config)) return nullptr;
  const tile_study* tile = study_tile(f);
  return tile && tile->complete() ? tile : nullptr;
}

compared_side side_of(frame& f) {
  const bool in_view = f.view.transport.path && f.session.index && f.view.transport.path->index == f.session.index;
  return {f.session, in_view ? f.trace() : nullptr, complete_tile(f)};
}

void line_of(const char* letter, const index_config& config, const job_state& job) {
  {
    const text_style style(fonts().mono_bold, type::title, theme().text);
    ImGui::TextUnformatted(letter);
  }
  ImGui::SameLine(px(28));
  const text_style style(fonts().mono, type::body, theme().text);
  ImGui::TextWrapped("%s", to_line(config).c_str());
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

void table(const std::vector<compared>& rows) {
  if (!ImGui::BeginTable("figures", 4, ImGuiTableFlags_SizingStretchProp)) return;
  ImGui::TableSetupColumn("name", 0, 1.3f);
  ImGui::TableSetupColumn("a", 0, 0.9f);
  ImGui::TableSetupColumn("b", 0, 0.9f);
  ImGui::TableSetupColumn("verdict", 0, 0.9f);
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
    const ImU32 ink = row.of_b == verdict::better  ? theme().good
                      : row.of_b == verdict::worse ? theme().bad
                                                   : theme().text_faint;
    const std::string mark = mark_of(row.of_b);
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
  hover_card("Measure both",
             "First A, then B: each is warmed up and its batch repeated for about five seconds, every answer checked.");
  if (state.measuring) b.moving = true;
}

}  // namespace

void compare_panel(frame& f) {
  if (!f.view.pinned || !f.other) {
    if (empty_view(icon::pin,
                   "Pin an index as A. It stays while you edit the other one, B, and both are shown side by side.",
                   "pin", "Pin this index as A")) {
      f.view.pinned = f.session.choice.config;
      f.moving = true;
    }
    return;
  }
  frame& a = *f.other;
  line_of("A", a.session.choice.config, a.session.job);
  line_of("B", f.session.choice.config, f.session.job);
  ImGui::Spacing();
  if (button("swap", "Swap", icon::again)) {
    const index_config edited = f.session.choice.config;
    f.act.choose_config(*f.view.pinned);
    f.view.pinned = edited;
  }
  hover_card("Swap", "A is edited, and B pinned.");
  ImGui::SameLine(0, px(6));
  if (button("pin again", "Pin B as A", icon::pin)) f.view.pinned = f.session.choice.config;
  hover_card("Pin B as A", "From here on the index that is edited now is the one to compare with.");
  ImGui::SameLine(0, px(6));
  const bool unpin = button("unpin", "Unpin", icon::cross);
  hover_card("Unpin", "Nothing is compared any more.");
  ImGui::Spacing();
  table(compare(side_of(a), side_of(f)));
  ImGui::Spacing();
  measure_both(f, a);
  caption("Both have the same keys, the same lookups and the same machine; one transport steps both.");
  if (unpin) f.view.pinned.reset();
}

}  // namespace pivotscope::viz
