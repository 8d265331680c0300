// Probes: what the cells of an index are that changes, and how far searches go: how many windows they read where they go from
// window to window, else how many steps they take.
#include <fmt/format.h>
#include <implot.h>

#include <algorithm>

#include "viz/models/probe_model.hpp"
#include "viz/panels/panels.hpp"
#include "viz/parts/empty_view.hpp"
#include "viz/parts/marks.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

constexpr std::size_t most_bars = 24;  // longer ones are one bar

void words_in(ImU32 ink, const std::string& words) {
  const text_style style(fonts().words, type::small, ink);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopTextWrapPos();
}

probe_study* study_probes(frame& f) {
  constexpr double frame_share = 0.006;  // seconds of a frame that may go into it
  probes_state& state = f.view.probes;
  const workload& load = f.session.choice.load;
  const bool own = !each_by_formula(load);
  const std::shared_ptr<const first_lookups>& first = f.session.own_lookups;
  const key_array* given = own && first && first->load == load ? &first->keys : nullptr;
  if (own && !given) return nullptr;
  if (!state.study || state.study->index() != f.session.index || !(state.study->load() == load))
    state.study = std::make_shared<probe_study>(f.session.index, f.model(), load, given), state.studied_at = -1;
  if (state.studied_at != f.now && state.study->go_on(frame_share)) f.moving = true;
  state.studied_at = f.now;
  return state.study.get();
}

// The cells as one bar: live, erased with crosses, empty hollow.
void cells_bar(const probe_study& study, bool has_windows) {
  const state_counts& cells = study.cells();
  const auto all = static_cast<double>(std::max<u64>(cells.all(), 1));
  heading("Cells",
          has_windows ? "The load is the share of cells that are taken: those with an entry, and those whose entry was "
                        "erased, which searches pass over. The fuller the table, the further a search goes."
                      : "What the cells are: with an entry, erased, or empty.");
  const u64 taken = cells.live + cells.erased + cells.claimed;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(ImGui::GetContentRegionAvail().x - px(2), 1.0f), height = px(26);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  float x = at.x;
  const auto part = [&](u64 count, auto&& fill) {
    const float to = x + width * static_cast<float>(static_cast<double>(count) / all);
    if (count > 0) fill(box{{x, at.y}, {std::max(to, x + px(2)), at.y + height}});
    x = to;
  };
  draw_empty_cell(draw, {{at.x, at.y}, {at.x + width, at.y + height}});
  part(cells.live + cells.claimed, [&](const box& b) { draw_cell(draw, b, level_colour(0, 1), false); });
  part(cells.erased, [&](const box& b) {
    draw_erased_cell(draw, b, true);
    const float step = px(14), arm = px(3.5f);
    for (float c = b.low.x + step / 2; c < b.high.x - arm; c += step) {
      const float y = b.middle().y;
      draw.AddLine({c - arm, y - arm}, {c + arm, y + arm}, theme().erased, px(1.5f));
      draw.AddLine({c - arm, y + arm}, {c + arm, y - arm}, theme().erased, px(1.5f));
    }
  });
  ImGui::InvisibleButton("cells", {width, height});
  spot("cells");
  const auto share = [&](u64 count) { return percent_text(static_cast<double>(count) / all); };
  fact("live", fmt::format("{}, {}", grouped(cells.live + cells.claimed), share(cells.live + cells.claimed)),
       "Cells that hold an entry.");
  fact("erased", fmt::format("{}, {}", grouped(cells.erased), share(cells.erased)),
       "Tombstones: cells whose entry was erased. They stay taken, for a search must not end there: what it looks for "
       "may lie "
       "behind.");
  fact("empty", fmt::format("{}, {}", grouped(cells.empty), share(cells.empty)),
       has_windows ? "Cells that never had an entry. A search that meets one ends there."
                   : "Cells that never had an entry.");
  if (has_windows) fact("load", share(taken), "Taken cells of all: live and erased.");
  words_in(theme().text_faint, cells.all() < std::min(study.all_cells(), most_counted) ? "Counting the cells..."
                               : study.all_counted()
                                   ? "All cells are counted."
                                   : fmt::format("A sample: {} of {} cells, in runs all over the table.",
                                                 grouped(cells.all()), grouped(study.all_cells())));
}

std::string lengths_words(const char* what, const char* unit, const probe_lengths& lengths) {
  if (lengths.count == 0) return fmt::format("{}: none.", what);
  return fmt::format("{}: {:.2f} {}{} on average, {} at most, of {}.", what, lengths.mean(), unit,
                     lengths.mean() == 1 ? "" : "s", lengths.longest(), counted(lengths.count, "lookup"));
}

u64 count_of(const probe_lengths& lengths, std::size_t read) {
  u64 count = read < lengths.lookups.size() ? lengths.lookups[read] : 0;
  for (std::size_t i = most_bars + 1; read == most_bars && i < lengths.lookups.size(); ++i) count += lengths.lookups[i];
  return count;
}

// Every number, every second one where they are many; the last one always, which says what it gathers.
std::vector<std::size_t> ticks_of(std::size_t shown) {
  const std::size_t every = shown > 12 ? 2 : 1;
  std::vector<std::size_t> ticks;
  for (std::size_t read = shown; read >= 1; read -= std::min(read, every)) ticks.push_back(read);
  return ticks;
}

// Two bars for each number of windows, or steps: filled for hits, hollow for misses. The key of one of a bar that is clicked.
std::optional<u64> histogram(const probe_study& study, const char* unit, std::optional<u64> of_key, float height) {
  const std::size_t longest =
      static_cast<std::size_t>(std::max<u64>({study.hits().longest(), study.misses().longest(), 3}));
  const std::size_t shown = std::min(longest, most_bars);
  const text_style style(fonts().mono, type::tiny, theme().text_faint);
  if (!ImPlot::BeginPlot(
          "##lengths", ImVec2(-1, height),
          ImPlotFlags_NoLegend | ImPlotFlags_NoMouseText | ImPlotFlags_NoMenus | ImPlotFlags_NoBoxSelect))
    return std::nullopt;
  double most = 0;
  const auto share = [](const probe_lengths& lengths, std::size_t read) {
    return lengths.count == 0
               ? 0.0
               : 100.0 * static_cast<double>(count_of(lengths, read)) / static_cast<double>(lengths.count);
  };
  for (std::size_t read = 1; read <= shown; ++read)
    most = std::max({most, share(study.hits(), read), share(study.misses(), read)});
  ImPlot::SetupAxes(fmt::format("{}s of a lookup", unit).c_str(), "% of lookups",
                    ImPlotAxisFlags_NoGridLines | ImPlotAxisFlags_Lock, ImPlotAxisFlags_Lock);
  ImPlot::SetupAxisLimits(ImAxis_X1, 0.4, static_cast<double>(shown) + 0.6, ImPlotCond_Always);
  ImPlot::SetupAxisLimits(ImAxis_Y1, 0, most * 1.12 + 1e-9, ImPlotCond_Always);
  std::vector<double> ticks;
  std::vector<std::string> names;
  for (const std::size_t read : ticks_of(shown)) {
    ticks.push_back(static_cast<double>(read));
    names.push_back(read == most_bars && longest > most_bars ? std::to_string(read) + "+" : std::to_string(read));
  }
  std::vector<const char*> labels;
  labels.reserve(names.size());
  for (const std::string& name : names) labels.push_back(name.c_str());
  ImPlot::SetupAxisTicks(ImAxis_X1, ticks.data(), static_cast<int>(ticks.size()), labels.data());
  ImPlot::SetupFinish();
  ImDrawList& draw = *ImPlot::GetPlotDrawList();
  ImPlot::PushPlotClipRect();
  std::size_t pointed = 0;
  bool of_misses = false;
  for (std::size_t read = 1; read <= shown; ++read) {
    const auto x = static_cast<double>(read);
    const auto bar = [&](double from, double to, double value, bool filled) {
      if (value <= 0) return;
      const ImVec2 low = ImPlot::PlotToPixels(x + from, value), high = ImPlot::PlotToPixels(x + to, 0.0);
      if (filled)
        draw.AddRectFilled(low, high, theme().text_dim, px(2));
      else
        draw.AddRect({low.x + 1, low.y}, {high.x - 1, high.y}, theme().text, px(2), px(1.5f));
    };
    bar(-0.38, -0.02, share(study.hits(), read), true);
    bar(0.02, 0.38, share(study.misses(), read), false);
    const double mouse = ImPlot::GetPlotMousePos().x;
    if (ImPlot::IsPlotHovered() && mouse >= x - 0.5 && mouse < x + 0.5) pointed = read, of_misses = mouse >= x;
  }
  if (of_key) {
    const double x = static_cast<double>(std::min<u64>(*of_key, most_bars));
    const ImVec2 at = ImPlot::PlotToPixels(x, most * 1.1);
    draw_caret(draw, {at.x, at.y + px(10)}, "");
  }
  const bool clicked = pointed > 0 && ImGui::IsMouseReleased(ImGuiMouseButton_Left);
  ImPlot::PopPlotClipRect();
  ImPlot::EndPlot();
  if (pointed == 0) return std::nullopt;
  hover_card(
      fmt::format("{}{}", counted(pointed, unit), pointed == most_bars && longest > most_bars ? " and more" : ""),
      fmt::format("{} of {} and {} of {} have so many.", grouped(count_of(study.hits(), pointed)),
                  counted(study.hits().count, "hit"), grouped(count_of(study.misses(), pointed)),
                  study.misses().count == 1 ? "1 miss" : grouped(study.misses().count) + " misses"),
      "Click to step through one of them.");
  if (!clicked) return std::nullopt;
  const bool or_more = pointed == most_bars;
  const probe_lengths &wanted = of_misses ? study.misses() : study.hits(),
                      &other = of_misses ? study.hits() : study.misses();
  const std::optional<u64> key = wanted.example(pointed, or_more);
  return key ? key : other.example(pointed, or_more);
}

void lengths(frame& f, const probe_study& study, const std::optional<probe_windows>& windows) {
  const char* const unit = windows ? "window" : "step";
  heading(windows ? "Windows a lookup reads" : "Steps a lookup takes",
          windows
              ? windows->meaning
              : "This index is searched by its order, from level to level; each step waits for the one before. A hit "
                "may end above the last level, a miss does not.");
  const lookup_trace* trace = f.trace();
  const bool of_index = trace && f.view.transport.path->index == f.session.index && !trace->steps.empty();
  const float room = ImGui::GetContentRegionAvail().y - px(96);
  const std::optional<u64> key =
      histogram(study, unit, of_index ? std::optional<u64>(trace->steps.size()) : std::nullopt,
                std::clamp(room, px(110), px(260)));
  if (key) f.act.choose_key(*key);
  spot("lengths");
  words_in(theme().text, lengths_words("\u25A0 hits", unit, study.hits()));
  words_in(theme().text, lengths_words("\u25A1 misses", unit, study.misses()));
  if (const u64 longest = std::max(study.hits().longest(), study.misses().longest()); longest > most_bars)
    words_in(theme().text_dim, fmt::format("The last bar, {0}+, gathers {0} and more, up to {1}.", most_bars, longest));
  std::string sample =
      study.traced() < study.to_trace()
          ? fmt::format("Tracing: {} of {} lookups.", grouped(study.traced()), grouped(study.to_trace()))
          : fmt::format("The batch's first {}, traced.", counted(study.asked(), "lookup"));
  if (study.made_misses() > 0)
    sample += fmt::format(" None of them misses, so {} more were asked for keys that are in no row.",
                          grouped(study.made_misses()));
  words_in(theme().text_faint, sample);
  provenance_note(provenance::modelled);
}

}  // namespace

void probes_panel(frame& f) {
  if (!f.session.index) return wait_or_explain(f, "probes");
  const std::optional<probe_windows> windows = f.model()->windows();
  const bool cells = f.model()->cells_tell(), searched = has_search_lengths(*f.model());
  if (!cells && !searched)
    return caption("A search looks through all cells from the first one on: it takes as many steps as Path says.");
  probe_study* study = study_probes(f);
  if (!study) return wait_or_explain(f, "probes");
  if (study->failed()) return caption("The index could not be read.");
  if (cells) cells_bar(*study, windows.has_value());
  if (!searched) return;
  if (cells) ImGui::Spacing();
  lengths(f, *study, windows);
}

}  // namespace pivotscope::viz
