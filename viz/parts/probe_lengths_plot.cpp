#include "viz/parts/probe_lengths_plot.hpp"

#include <fmt/format.h>
#include <implot.h>

#include <algorithm>
#include <vector>

#include "viz/parts/marks.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

// Every number, every second one where they are many; the last one always, which says what it gathers.
std::vector<std::size_t> ticks_of(std::size_t shown) {
  const std::size_t every = shown > 12 ? 2 : 1;
  std::vector<std::size_t> ticks;
  for (std::size_t read = shown; read >= 1; read -= std::min(read, every)) ticks.push_back(read);
  return ticks;
}

}  // namespace

std::string lengths_words(const char* what, const std::string& unit, const probe_lengths& lengths) {
  if (lengths.count == 0) return fmt::format("{}: none.", what);
  return fmt::format("{}: {:.2f} {}{} on average, {} at most, of {}.", what, lengths.mean(), unit,
                     lengths.mean() == 1 ? "" : "s", lengths.longest(), counted(lengths.count, "lookup"));
}

std::optional<u64> draw_lengths(const char* id, const probe_study& study, const length_axes& axes,
                                std::optional<u64> of_key, float height) {
  const std::string unit = study.unit();
  const std::size_t shown = axes.shown;
  const text_style style(fonts().mono, type::tiny, theme().text_faint);
  if (!ImPlot::BeginPlot(
          id, ImVec2(-1, height),
          ImPlotFlags_NoLegend | ImPlotFlags_NoMouseText | ImPlotFlags_NoMenus | ImPlotFlags_NoBoxSelect))
    return std::nullopt;
  const auto share = [&](const probe_lengths& lengths, std::size_t read) { return axes.share(lengths, read); };
  ImPlot::SetupAxes(fmt::format("{}s of a lookup", unit).c_str(), "% of lookups",
                    ImPlotAxisFlags_NoGridLines | ImPlotAxisFlags_Lock, ImPlotAxisFlags_Lock);
  ImPlot::SetupAxisLimits(ImAxis_X1, 0.4, static_cast<double>(shown) + 0.6, ImPlotCond_Always);
  ImPlot::SetupAxisLimits(ImAxis_Y1, 0, axes.most_share * 1.12 + 1e-9, ImPlotCond_Always);
  std::vector<double> ticks;
  std::vector<std::string> names;
  for (const std::size_t read : ticks_of(shown)) {
    ticks.push_back(static_cast<double>(read));
    names.push_back(read == shown && axes.longest > shown ? std::to_string(read) + "+" : std::to_string(read));
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
    const double x = static_cast<double>(std::min<u64>(*of_key, shown));
    const ImVec2 at = ImPlot::PlotToPixels(x, axes.most_share * 1.1);
    draw_caret(draw, {at.x, at.y + px(10)}, "");
  }
  const bool clicked = pointed > 0 && ImGui::IsMouseReleased(ImGuiMouseButton_Left);
  ImPlot::PopPlotClipRect();
  ImPlot::EndPlot();
  if (pointed == 0) return std::nullopt;
  hover_card(
      fmt::format("{}{}", counted(pointed, unit), pointed == shown && axes.longest > shown ? " and more" : ""),
      fmt::format("{} of {} and {} of {} have so many.", grouped(study.hits().of_length(pointed, pointed == shown)),
                  counted(study.hits().count, "hit"), grouped(study.misses().of_length(pointed, pointed == shown)),
                  study.misses().count == 1 ? "1 miss" : grouped(study.misses().count) + " misses"),
      "Click to step through one of them.");
  if (!clicked) return std::nullopt;
  const bool or_more = pointed == shown;
  const probe_lengths &wanted = of_misses ? study.misses() : study.hits(),
                      &other = of_misses ? study.hits() : study.misses();
  const std::optional<u64> key = wanted.example(pointed, or_more);
  return key ? key : other.example(pointed, or_more);
}

}  // namespace pivotscope::viz
