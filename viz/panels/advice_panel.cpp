// Advice: which index for this workload on this machine. One recommendation, with how it is known and what it gains; what
// else there is to know is folded below it. Each config is one click away.
#include <fmt/format.h>

#include <algorithm>

#include "core/index/config_text.hpp"
#include "core/run/entry_count.hpp"
#include "core/tuning/batch_to_time.hpp"
#include "core/tuning/recommendation.hpp"
#include "viz/models/timings_model.hpp"
#include "viz/panels/panels.hpp"
#include "viz/parts/empty_view.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

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

// A bullet, and words that keep clear of it; the source on hover.
void reason_row(const advice_reason& reason) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddCircleFilled({at.x + px(4), at.y + px(8)}, px(2), theme().text_faint);
  ImGui::Indent(px(14));
  wrapped(fonts().words, type::small, theme().text_dim, reason.words);
  hover_card("", reason.words, "Source: " + reason.source);
  ImGui::Unindent(px(14));
}

void reasons_of(const std::vector<advice_reason>& reasons) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(4), px(4)));
  for (const advice_reason& reason : reasons) reason_row(reason);
  ImGui::PopStyleVar();
}

void config_and_apply(frame& f, const index_config& config) {
  wrapped(fonts().mono_bold, type::body, theme().text, to_line(config));
  if (f.session.choice.config == config) {
    const text_style style(fonts().words, type::small, theme().good);
    ImGui::TextUnformatted(fmt::format("{}  in use", icon::check).c_str());
  } else if (button("apply", "Apply", icon::right, true, true)) {
    f.act.choose_config(config);
  }
}

// Runs of the whole batch with the chosen config, which Measure made.
std::optional<tuned_config> measured_alone(const session_view& s) {
  for (auto run = s.runs->rbegin(); run != s.runs->rend(); ++run)
    if (run->origin == provenance::measured && is_of(*run, s.choice) && too_few_words(*run).empty())
      return tuned_config{.config = run->record.config,
                          .index_bytes = run->record.index_bytes,
                          .operations = run->record.operations,
                          .samples_ms = run->record.time.samples_ms,
                          .finalist = true};
  return std::nullopt;
}

void gain(const times_faster& by, const char* than, const std::string& meaning) {
  if (!by.told)
    wrapped(fonts().words_medium, type::body, theme().text_dim, fmt::format("not told apart from {}", than));
  else
    wrapped(fonts().words_bold, type::body, by.times >= 1 ? theme().good : theme().bad,
            fmt::format("{} {}", times_words(by.times), than));
  hover_card("", meaning);
}

void recommended(frame& f, const recommendation& r) {
  ImGui::PushID("recommended");
  heading("Recommended",
          "The one to take: by what was measured here, else by what was measured elsewhere, else by the papers' rule.");
  config_and_apply(f, r.config);
  const std::string what(operation_noun(operation_of(f.session.choice.load)));
  if (r.of_current)
    gain(*r.of_current, "the current index",
         fmt::format("{} a second of the recommended index, as a multiple of that which is in use: {}.",
                     capitalised(what), known_by_words(r.how)));
  if (r.of_standard)
    gain(*r.of_standard, "std::lower_bound",
         "Lookups a second, as a multiple of what std::lower_bound over the sorted entries does on all processors of "
         "this computer. Measured here, over the same batch.");
  wrapped(fonts().words_medium, type::small, theme().text,
          fmt::format("{}  {}", r.how == known_by::measurement ? icon::gauge : icon::info,
                      capitalised(std::string(known_by_words(r.how)))));
  reasons_of(r.reasons);
  ImGui::PopID();
  ImGui::Dummy({1, px(6)});
}

// A line that opens and closes what is below it.
bool fold(const char* id, const std::string& title, const std::string& meaning, bool& open) {
  if (button(id, title, open ? icon::fold_open : icon::fold_closed)) open = !open;
  hover_card(title, meaning, open ? "Click to fold it." : "Click to unfold it.");
  return open;
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

// One row of a list whose figures are of the same batch: the config over its bar. The bar ends at the median; the line
// across its end is the middle half of the runs. A place is of the ranking alone.
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
             fmt::format("{} by the median of {} of {} {}; the middle half of them lies between {} and {}. "
                         "{}, built in {}.{}",
                         rate_text(one.rate()), counted(one.samples_ms.size(), "run"), short_count(one.operations),
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
  const std::string place = in_use ? icon::check : !one.finalist ? "" : tie ? "~" : std::to_string(i + 1);
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

// Rows from `begin` on, side by side on one scale.
void rows_of(frame& f, const tuning& done, std::size_t begin, std::size_t end) {
  constexpr std::size_t shown = 24;
  const std::size_t last = std::min(end, begin + shown);
  double most = 0;
  for (std::size_t i = begin; i < last; ++i) most = std::max(most, done.ranking[i].rate_at(0.25));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(4), px(2)));
  for (std::size_t i = begin; i < last; ++i) ranking_row(f, done, i, most);
  ImGui::PopStyleVar();
  if (last < end) caption(fmt::format("and {} slower ones", end - last));
}

void ranking(frame& f, const tuning_state& state) {
  const tuning& done = *state.result;
  advice_state& open = f.view.advice;
  const auto finalists = static_cast<std::size_t>(
      std::count_if(done.ranking.begin(), done.ranking.end(), [](const tuned_config& one) { return one.finalist; }));
  const std::string batch = fmt::format("{} {}", short_count(done.operations), operation_noun(done.asked));
  if (fold("fold ranking", fmt::format("Ranking of {} on {}", counted(finalists, "config"), batch),
           "Measured on the whole batch, in rounds. ~ means: not to be told apart from the one above.",
           open.show_ranking)) {
    const u32 tied = done.tied_with_winner();
    caption(fmt::format("{} in {}{}, every answer checked. {}", counted(done.ranking.size(), "config"),
                        seconds_text(done.seconds), state.kept ? ", kept from an earlier start" : "",
                        tied > 1 ? fmt::format("The first {} cannot be told apart within the noise.", tied)
                                 : "The first is faster than the next beyond the noise."));
    rows_of(f, done, 0, finalists);
  }
  const std::size_t looked_at = done.ranking.size() - finalists;
  if (looked_at > 0 &&
      fold("fold looked at", fmt::format("{} that were only looked at", looked_at),
           "A few runs on a part of the batch, to find those that are worth more.", open.show_looked_at)) {
    caption(fmt::format("Runs of {} {}: figures of this list go with each other, and not with those of the ranking.",
                        short_count(done.ranking[finalists].operations), operation_noun(done.asked)));
    rows_of(f, done, finalists, done.ranking.size());
  }
  if (!done.rejected.empty() && fold("fold left out", fmt::format("{} left out", done.rejected.size()),
                                     "They answered wrong, or could not be measured.", open.show_left_out))
    for (const tuning_reject& out : done.rejected)
      caption(fmt::format("{}{}: {}", out.wrong ? "wrong: " : "", to_line(out.config), out.words));
}

// What the recommendation was weighed against.
void other_advice(frame& f, const advice& given, const recommendation& r, const known_row* same_method) {
  advice_state& open = f.view.advice;
  const auto part = [&](const char* id, const std::string& title, const std::string& meaning, bool& is_open,
                        const index_config& config, const std::vector<advice_reason>& reasons) {
    if (config == r.config && r.how != known_by::measurement) return;  // it stands above
    if (!fold(fmt::format("fold {}", id).c_str(), title, meaning, is_open)) return;
    ImGui::PushID(id);
    config_and_apply(f, config);
    reasons_of(reasons);
    ImGui::PopID();
  };
  if (given.measured)
    part("measured", "Measured elsewhere", "Where our measurements deviate from the paper's advice.",
         open.show_measured, *given.measured, given.measured_reasons);
  if (same_method)
    part("same method", "The same method, other knobs",
         "What was measured on one H100 for the method that is in use (docs/adviser.md).", open.show_same_method,
         config_of(*same_method),
         {{fmt::format("{} as many lookups as {} alone, over 2^{} keys on one H100.", times_words(same_method->times),
                       same_method->method, same_method->log2_keys),
           "docs/adviser.md"}});
  part("paper", "The papers' rule", "The decision tree of lightweight, Section 6.1.", open.show_paper, given.config,
       given.reasons);
}

tuning_state question_of(const frame& f) {
  const session_choice& choice = f.session.choice;
  return {.load = choice.load,
          .machine = choice.machine,
          .width = choice.config.keys,
          .ascending = f.view.advice.ascending,
          .smallest = f.view.advice.smallest};
}

// Of a batch that can be timed, what is measured of it; else why it is not.
void tuner(frame& f, bool mine) {
  const session_choice& choice = f.session.choice;
  const tuning_state& known = f.session.tuned;
  const advice_state& wanted = f.view.advice;
  if (known.running) return tuning_job(f);
  if (batch_size(choice.load) == 0) return caption("This workload has no lookups to time.");
  const std::string few = too_few_to_time(extent_of(choice.load, choice.machine));
  const bool again = mine && known.result;
  if (button("tune", again ? "Tune again" : "Tune for this workload", again ? icon::again : icon::gauge,
             !f.session.job.running && few.empty(), !again))
    f.act.tune(wanted.ascending, wanted.smallest);
  hover_card(
      "Tune",
      "Measures and ranks configs for these keys and this batch on this machine: dozens on a part of the batch, "
      "the best few on all of it, and beside them the index in use and std::lower_bound. Nothing waits for it; a "
      "change of the choice ends it.");
  say_too_few(f, few);
  if (!mine || known.result || !few.empty()) return;
  caption(known.note.empty() ? "Nothing was measured yet for this workload on this machine." : known.note);
}

// Keys of a file that are on their way, or could not be read: of how many there is no advice yet.
bool waits_for_keys(frame& f) {
  const workload& load = f.session.choice.load;
  if (load.own_keys.file.empty()) return false;
  const bool there = f.session.keys && f.session.keys->load.own_keys == load.own_keys;
  if (there && !f.session.unread) return false;
  wait_or_explain(f, "which index to take");
  return true;
}

}  // namespace

void advice_panel(frame& f) {
  const machine_info* on = machine_of(f);
  if (!on) {
    empty_view(icon::chip, "Looking for machines.", "", "");
    return;
  }
  if (waits_for_keys(f)) return;
  advice_state& state = f.view.advice;
  requirements(state);
  const session_choice& choice = f.session.choice;
  workload_facts facts = facts_of(choice.load, choice.config.keys);
  facts.ascending = state.ascending;
  facts.smallest = state.smallest;
  facts.short_rebuild = state.short_rebuild;
  const advice given = advise(facts, *on);
  const tuning_state& known = f.session.tuned;
  const bool mine = known.answers(question_of(f));
  if (!mine && !known.running && !f.session.job.running) f.act.find_tuning(state.ascending, state.smallest);
  const tuning* const measured = mine ? known.result.get() : nullptr;
  const std::optional<tuned_config> alone = measured_alone(f.session);
  const known_row* const same_method = known_faster(choice.config, choice.load.keys, choice.load, *on);
  const recommendation r = recommend(given, {.current = choice.config,
                                             .measured = measured,
                                             .current_alone = alone ? &*alone : nullptr,
                                             .same_method = same_method});
  recommended(f, r);
  tuner(f, mine);
  ImGui::Dummy({1, px(6)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(4), px(4)));
  if (measured) ranking(f, known);
  other_advice(f, given, r, same_method);
  ImGui::PopStyleVar();
}

}  // namespace pivotscope::viz
