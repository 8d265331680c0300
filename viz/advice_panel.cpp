// Advice: which index for this workload on this machine. Above what the papers' decision tree says and why, below what
// the autotuner measured here; each config is one click away.
#include <fmt/format.h>

#include <algorithm>

#include "core/choose/adviser.hpp"
#include "core/index/config_text.hpp"
#include "core/run/entries_held.hpp"
#include "viz/format.hpp"
#include "viz/icons.hpp"
#include "viz/panels.hpp"
#include "viz/widgets.hpp"

namespace pivotscope::viz {
namespace {

const machine_info* machine_of(const frame& f) {
  if (!f.session.machines) return nullptr;
  for (const machine_report& report : *f.session.machines)
    if (report.kind == f.session.choice.machine && report.available) return &report.info;
  return nullptr;
}

void requirement(const char* id, const char* words, const char* meaning, bool& wanted, bool first) {
  const std::string text = wanted ? std::string(icon::check) + " " + words : words;
  flow_chip(text, first);
  if (chip(id, text, wanted ? chip_look::chosen : chip_look::plain)) wanted = !wanted;
  hover_card(words, meaning, wanted ? "Click to let go of it." : "Click to require it.");
}

void requirements(advice_state& state) {
  heading("Required", "What the index must have. The number of keys and the machine's cache are known.");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(4), px(4)));
  requirement("ascending", "ascending", "Something else reads the entries in ascending order of their keys.",
              state.ascending, true);
  requirement("smallest", "smallest", "Nothing beside the entries may take memory.", state.smallest, false);
  requirement("short rebuild", "short rebuilds", "The index is built anew often. For the advice only.",
              state.short_rebuild, false);
  ImGui::PopStyleVar();
  ImGui::Dummy({1, px(4)});
}

// A bullet, and words that keep clear of it; the source faint behind them.
void reason_row(const advice_reason& reason) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddCircleFilled({at.x + px(4), at.y + px(8)}, px(2), theme().text_faint);
  ImGui::Indent(px(14));
  wrapped(fonts().words, type::small, theme().text_dim, reason.words);
  hover_card("", reason.words, "Source: " + reason.source);
  ImGui::Unindent(px(14));
}

void advised_config(frame& f, const char* id, const std::string& title, const std::string& meaning,
                    const index_config& config, const std::vector<advice_reason>& reasons) {
  ImGui::PushID(id);
  heading(title, meaning);
  const bool in_use = f.session.choice.config == config;
  wrapped(fonts().mono_bold, type::body, theme().text, to_line(config));
  if (in_use) {
    const text_style style(fonts().words, type::small, theme().good);
    ImGui::TextUnformatted(fmt::format("{}  in use", icon::check).c_str());
  } else if (button("apply", "Apply", icon::right, true, true)) {
    f.act.choose_config(config);
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(4), px(4)));
  for (const advice_reason& reason : reasons) reason_row(reason);
  ImGui::PopStyleVar();
  ImGui::PopID();
  ImGui::Dummy({1, px(6)});
}

void tuning_job(frame& f) {
  const tuning_state& now = f.session.tuned;
  const job_state& job = f.session.job;
  const float room = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float share = static_cast<float>(std::clamp(job.fraction, 0.0, 1.0));
  draw.AddRectFilled(at, {at.x + room, at.y + px(6)}, theme().raised, px(3));
  draw.AddRectFilled(at, {at.x + std::max(px(6), room * share), at.y + px(6)}, theme().text, px(3));
  ImGui::Dummy({room, px(8)});
  std::string words = fmt::format("{} of {} measurements", now.progress.done, now.progress.planned);
  if (job.remaining_s >= 1) words += fmt::format(", {} left", seconds_text(job.remaining_s));
  wrapped(fonts().words_medium, type::small, theme().text, words);
  wrapped(fonts().mono, type::small, theme().text_dim, now.progress.words);
  if (button("stop tuning", "Stop", icon::stop)) f.act.cancel();
  ImGui::Dummy({1, px(6)});
}

// One row of the ranking: the config over its bar. The bar ends at the median; the line across its end is the middle
// half of the runs.
void ranking_row(frame& f, const tuning& done, std::size_t i, double most) {
  const tuned_config& one = done.ranking[i];
  const theme_tokens& t = theme();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float room = ImGui::GetContentRegionAvail().x, height = px(42);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(static_cast<int>(i));
  ImGui::SetNextItemAllowOverlap();
  if (ImGui::InvisibleButton("row", {room, height})) f.act.choose_config(one.config);
  const bool hovered = ImGui::IsItemHovered(), in_use = f.session.choice.config == one.config;
  const std::string bytes = bytes_text(one.index_bytes);
  const std::string held = held_words(one.held, done.keys);
  hover_card(to_line(one.config),
             fmt::format("{} by the median of {} runs of {} {}; the middle half of them lies between {} and {}. "
                         "{}, built in {}.{}",
                         rate_text(one.rate()), one.samples_ms.size(), grouped(one.operations),
                         operation_noun(done.asked), rate_text(one.rate_at(0.75)), rate_text(one.rate_at(0.25)), bytes,
                         ms_text(one.build_ms), held.empty() ? "" : fmt::format(" It {}.", held)),
             in_use ? "In use." : "Click to take it.");
  if (hovered) draw.AddRectFilled(at, {at.x + room, at.y + height}, t.hovered, px(4));
  const ImVec2 behind = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({at.x + px(2), at.y + px(18)});
  if (icon_button("pin row", icon::pin, "Pin as A, to compare others with it", true, 20)) pin_index(f.view, one.config);
  ImGui::SetCursorScreenPos(behind);
  ImGui::PopID();

  const bool tie = i > 0 && done.ranking[i - 1].finalist == one.finalist && !done.ranking[i - 1].beats_next;
  const float left = at.x + px(6), right = at.x + room - px(6);
  const std::string rate = rate_text(one.rate());
  const float rate_width = text_width(fonts().mono_bold, type::small, rate);
  const std::string place = in_use ? icon::check : tie ? "~" : std::to_string(i + 1);
  draw_text(draw, fonts().mono, type::small, {left, at.y + px(3)}, in_use ? t.good : t.text_faint, place);
  ImFont* const font = i == 0 ? fonts().mono_bold : fonts().mono;
  draw_text_in(draw, font, type::small, {left + px(26), at.y + px(3)}, right - rate_width - px(34) - left, t.text,
               to_line(one.config));
  draw_text(draw, fonts().mono_bold, type::small, {right - rate_width, at.y + px(3)}, t.text, rate);

  const float bytes_width = text_width(fonts().mono, type::tiny, bytes);
  draw_text(draw, fonts().mono, type::tiny, {right - bytes_width, at.y + px(23)}, t.text_dim, bytes);
  const float from = left + px(26), to = right - px(76), y = at.y + px(30);
  const auto x_of = [&](double per_second) {
    return from + (to - from) * static_cast<float>(most > 0 ? std::min(per_second / most, 1.0) : 0);
  };
  draw.AddRectFilled({from, y - px(4)}, {to, y + px(4)}, t.raised, px(2));
  // Of one that was measured on a slice alone the bar is thin.
  const float half = px(one.finalist ? 4.0f : 2.0f);
  draw.AddRectFilled({from, y - half}, {x_of(one.rate()), y + half}, one.finalist ? t.text_dim : t.text_faint, px(2));
  const float low = x_of(one.rate_at(0.75)), high = x_of(one.rate_at(0.25));
  draw.AddLine({low, y}, {high, y}, t.text, px(2));
  for (const float x : {low, high}) draw.AddLine({x, y - px(5)}, {x, y + px(5)}, t.text, px(1.5f));
}

void ranking(frame& f, const tuning_state& state) {
  constexpr std::size_t shown = 16;
  const tuning& done = *state.result;
  const u32 tied = done.tied_with_winner();
  caption(fmt::format("{} configs in {}{}, every answer checked. {}", done.ranking.size(), seconds_text(done.seconds),
                      state.kept ? ", kept from an earlier start" : "",
                      tied > 1 ? fmt::format("The first {} cannot be told apart within the noise.", tied)
                               : "The first is faster than the next beyond the noise."));
  double most = 0;
  for (const tuned_config& one : done.ranking) most = std::max(most, one.rate_at(0.25));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(4), px(2)));
  for (std::size_t i = 0; i < std::min(shown, done.ranking.size()); ++i) {
    if (i > 0 && done.ranking[i - 1].finalist && !done.ranking[i].finalist)
      heading("Only looked at", "A few runs on a part of the batch: not among the best there.");
    ranking_row(f, done, i, most);
  }
  ImGui::PopStyleVar();
  if (done.ranking.size() > shown) caption(fmt::format("and {} slower ones", done.ranking.size() - shown));
  if (done.rejected.empty()) return;
  heading("Left out");
  for (const tuning_reject& out : done.rejected)
    caption(fmt::format("{}{}: {}", out.wrong ? "wrong: " : "", to_line(out.config), out.words));
}

void tuner(frame& f) {
  const session_choice& choice = f.session.choice;
  const tuning_state& known = f.session.tuned;
  const advice_state& wanted = f.view.advice;
  const tuning_state question{.load = choice.load,
                              .machine = choice.machine,
                              .width = choice.config.keys,
                              .ascending = wanted.ascending,
                              .smallest = wanted.smallest};
  heading("Measured here",
          "The autotuner: dozens of configs on a part of the batch, the best few on all of it, in rounds. ~ means: "
          "not to be told apart from the one above.");
  if (known.running) return tuning_job(f);
  const bool mine = known.answers(question);
  if (!mine && !f.session.job.running) f.act.find_tuning(wanted.ascending, wanted.smallest);
  if (batch_size(choice.load) == 0) return caption("This workload has no lookups to time.");
  const bool again = mine && known.result;
  if (button("tune", again ? "Tune again" : "Tune for this workload", again ? icon::again : icon::gauge,
             !f.session.job.running, !again))
    f.act.tune(wanted.ascending, wanted.smallest);
  hover_card("Tune",
             "Measures and ranks configs for these keys and this batch on this machine. Nothing waits for it; a "
             "change of the choice ends it.");
  if (!mine) return;
  if (known.result)
    ranking(f, known);
  else if (!known.note.empty())
    caption(known.note);
  else
    caption("Nothing was measured yet for this workload on this machine.");
}

}  // namespace

void advice_panel(frame& f) {
  const machine_info* on = machine_of(f);
  if (!on) {
    empty_view(icon::chip, "Looking for machines.", "", "");
    return;
  }
  advice_state& state = f.view.advice;
  requirements(state);
  workload_facts facts = facts_of(f.session.choice.load, f.session.choice.config.keys);
  facts.ascending = state.ascending;
  facts.smallest = state.smallest;
  facts.short_rebuild = state.short_rebuild;
  const advice given = advise(facts, *on);
  advised_config(f, "paper", "The papers' advice", "The decision tree of lightweight, Section 6.1.", given.config,
                 given.reasons);
  if (given.measured)
    advised_config(f, "measured", "Measured faster on our hardware",
                   "Where our measurements deviate from the paper's advice.", *given.measured, given.measured_reasons);
  tuner(f);
}

}  // namespace pivotscope::viz
