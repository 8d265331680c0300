// Timings: how long each stage took, kernel by kernel, and how the last runs compare.
#include <fmt/format.h>
#include <implot.h>

#include <algorithm>
#include <cmath>

#include "core/index/config_text.hpp"
#include "viz/format.hpp"
#include "viz/icons.hpp"
#include "viz/panels.hpp"
#include "viz/widgets.hpp"

namespace pivotscope::viz {
namespace {

// "2^20 lookups", "64Ki ranges of 4.2M entries"
std::string batch_words(const run_record& record) {
  const std::string words = fmt::format("{} {}", short_count(record.operations), operation_noun(record.kind));
  return record.kind == operation::range ? fmt::format("{} of {} entries", words, short_count(record.entries)) : words;
}

std::string found_words(const run_record& record) {
  return fmt::format("{} {}", grouped(record.check.found), record.kind == operation::range ? "not empty" : "found");
}

void figures(const session_run& run) {
  const run_record& record = run.record;
  const float room = ImGui::GetContentRegionAvail().x;
  const float width = std::max(px(110), room / 4 - px(12));
  const auto columns = std::max(1, static_cast<int>(room / (width + px(8))));
  // Sorting and building are timed once, whatever the batch was.
  struct shown_figure {
    std::string name, value;
    provenance origin;
  };
  std::vector<shown_figure> shown = {
      {std::string(operation_noun(record.kind)), rate_text(record.operations_per_second()), run.origin},
      {"one batch", ms_text(record.time.median()), run.origin},
      {"build", ms_text(record.build_ms()), provenance::live}};
  if (!record.sort.name.empty()) shown.push_back({"sort", ms_text(record.sort.median()), provenance::live});
  if (record.kind == operation::range)
    shown.insert(shown.begin() + 1, {"entries", rate_text(record.entries_per_second()), run.origin});
  int i = 0;
  for (const auto& [name, value, origin] : shown) {
    if (i++ % columns != 0) ImGui::SameLine(0, px(8));
    figure(name.c_str(), value, origin, width);
  }
}

void time_row(const stage_time& t, const kernel_info* kernel) {
  if (t.samples_ms.empty()) return;
  ImGui::TableNextRow();
  const auto cell = [](const std::string& words, ImFont* font, ImU32 colour, bool right) {
    ImGui::TableNextColumn();
    if (right) {
      const float width = text_width(font, type::small, words);
      ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, ImGui::GetContentRegionAvail().x - width));
    }
    one_line(font, type::small, colour, words);
  };
  const sample_summary of = t.summary();
  cell(t.name, fonts().words, theme().text, false);
  cell(ms_text(of.median), fonts().mono, theme().text, true);
  cell(t.samples_ms.size() > 1 ? ms_text(of.least) : "", fonts().mono, theme().text_dim, true);
  cell(t.samples_ms.size() > 1 ? ms_text(of.greatest) : "", fonts().mono, theme().text_dim, true);
  cell(std::to_string(t.samples_ms.size()), fonts().mono, theme().text_faint, true);
  cell(kernel && kernel->registers ? std::to_string(kernel->registers) : "", fonts().mono, theme().text_dim, true);
}

void stage_table(const run_record& run) {
  if (!ImGui::BeginTable("stages", 6, ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_PadOuterX)) return;
  const std::pair<const char*, float> columns[] = {{"stage", 2.2f}, {"median", 1.5f}, {"least", 1.3f},
                                                   {"most", 1.3f},  {"runs", 0.8f},   {"regs", 0.8f}};
  for (const auto& [name, weight] : columns) ImGui::TableSetupColumn(name, 0, weight);
  ImGui::TableNextRow();
  for (const auto& [name, weight] : columns) {
    (void)weight;
    ImGui::TableNextColumn();
    const float width = text_width(fonts().words, type::small, name);
    if (std::string_view(name) != "stage")
      ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, ImGui::GetContentRegionAvail().x - width));
    heading(name, std::string_view(name) == "regs" ? "Registers a thread, as the driver reports them; empty on the CPU."
                                                   : "");
  }
  const auto kernel_of = [&](const std::string& name) -> const kernel_info* {
    for (const kernel_info& k : run.kernels)
      if (k.name == name) return &k;
    return nullptr;
  };
  time_row(run.sort, nullptr);
  for (const stage_time& t : run.builds) time_row(t, kernel_of(t.name));
  time_row(run.time, kernel_of(run.time.name));
  ImGui::EndTable();
}

void run_tooltip(const session_run& run) {
  if (!ImGui::BeginTooltip()) return;
  {
    const text_style style(fonts().mono_bold, type::body, theme().text);
    ImGui::TextUnformatted(to_line(run.record.config).c_str());
  }
  {
    const text_style style(fonts().mono, type::small, theme().text_dim);
    ImGui::TextUnformatted(to_line(run.load).c_str());
    ImGui::TextUnformatted(fmt::format("{}  {}  ({})", rate_text(run.record.operations_per_second()),
                                       provenance_word(run.origin), run.record.machine.name)
                               .c_str());
  }
  ImGui::EndTooltip();
}

// The last runs as dots, hollow where live and filled where measured.
void last_runs(const std::vector<session_run>& runs, float height) {
  heading("Last runs",
          "Lookups or ranges a second of each run, oldest first. A hollow dot is live, a filled one measured. A run is "
          "after every "
          "change; point at one for what it was.");
  const text_style style(fonts().mono, type::tiny, theme().text_faint);
  if (!ImPlot::BeginPlot(
          "##runs", ImVec2(-1, height),
          ImPlotFlags_NoLegend | ImPlotFlags_NoMouseText | ImPlotFlags_NoMenus | ImPlotFlags_NoBoxSelect))
    return;
  double most = 0;
  for (const session_run& run : runs) most = std::max(most, run.record.operations_per_second());
  const double scale = most >= 1e9 ? 1e9 : most >= 1e6 ? 1e6 : 1e3;
  const char* unit = scale == 1e9 ? "G/s" : scale == 1e6 ? "M/s" : "k/s";
  const std::size_t shown = std::min<std::size_t>(runs.size(), 40), begin = runs.size() - shown;
  ImPlot::SetupAxes(
      nullptr, unit,
      ImPlotAxisFlags_NoGridLines | ImPlotAxisFlags_NoTickLabels | ImPlotAxisFlags_NoTickMarks | ImPlotAxisFlags_Lock,
      ImPlotAxisFlags_Lock);
  ImPlot::SetupAxisLimits(ImAxis_X1, -0.7, static_cast<double>(std::max<std::size_t>(shown, 12)) - 0.3,
                          ImPlotCond_Always);
  ImPlot::SetupAxisLimits(ImAxis_Y1, 0, most / scale * 1.15 + 1e-9, ImPlotCond_Always);
  ImPlot::SetupFinish();
  ImDrawList& draw = *ImPlot::GetPlotDrawList();
  ImPlot::PushPlotClipRect();
  const float ground = ImPlot::PlotToPixels(0.0, 0.0).y;
  const session_run* pointed = nullptr;
  for (std::size_t i = 0; i < shown; ++i) {
    const session_run& run = runs[begin + i];
    if (run.record.check.wrong > 0) continue;
    const ImVec2 at = ImPlot::PlotToPixels(static_cast<double>(i), run.record.operations_per_second() / scale);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool near = ImPlot::IsPlotHovered() && std::abs(mouse.x - at.x) < px(6);
    if (near) pointed = &run;
    draw.AddLine({at.x, ground}, at, near ? theme().text_faint : theme().line, px(2));
    const ImU32 ink = i + 1 == shown || near ? theme().text : theme().text_dim;
    if (run.origin == provenance::measured)
      draw.AddCircleFilled(at, px(5), ink);
    else
      draw.AddCircle(at, px(4.5f), ink, 0, px(1.5f));
  }
  ImPlot::PopPlotClipRect();
  ImPlot::EndPlot();
  if (pointed) run_tooltip(*pointed);
}

}  // namespace

void timings_panel(frame& f) {
  const std::vector<session_run>& runs = *f.session.runs;
  if (runs.empty()) {
    if (f.session.job.running) return wait_or_explain(f, "how long it took");
    if (empty_view(icon::gauge, "Nothing has been timed yet.", "run", "Look up the batch")) f.act.run_again();
    return;
  }
  const session_run& run = runs.back();
  {
    const text_style style(fonts().mono_bold, type::small, theme().text);
    ImGui::TextWrapped("%s", to_line(run.record.config).c_str());
  }
  {
    const text_style style(fonts().words, type::small, theme().text_dim);
    ImGui::TextWrapped("%s", fmt::format("{} keys, {}, on {} ({})", short_count(run.load.keys), batch_words(run.record),
                                         machine_name(run.record.machine.kind), run.record.machine.name)
                                 .c_str());
  }
  ImGui::Dummy({1, px(2)});
  if (run.record.check.wrong > 0) {
    const text_style style(fonts().words_medium, type::body, theme().bad);
    ImGui::TextWrapped("%s  %s of %s answers are wrong. Times of wrong answers are not shown.", icon::warning,
                       grouped(run.record.check.wrong).c_str(), grouped(run.record.check.checked).c_str());
    return;
  }
  figures(run);
  {
    const text_style style(fonts().words, type::small, theme().good);
    ImGui::TextWrapped("%s", fmt::format("{}  all {} answers checked, {}", icon::check,
                                         grouped(run.record.check.checked), found_words(run.record))
                                 .c_str());
  }
  ImGui::Dummy({1, px(2)});
  const bool idle = !f.session.job.running;
  if (button("measure", "Measure", icon::gauge, idle, true)) f.act.measure();
  hover_card("Measure", "Warms up, repeats the batch for about five seconds, and shows the median.");
  ImGui::SameLine();
  if (button("again", "Once more", icon::again, idle)) f.act.run_again();
  ImGui::Dummy({1, px(4)});
  stage_table(run.record);
  ImGui::Dummy({1, px(4)});
  last_runs(runs, std::max(px(120), ImGui::GetContentRegionAvail().y - px(30)));
}

}  // namespace pivotscope::viz
