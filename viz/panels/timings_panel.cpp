// Timings: how long each stage took, kernel by kernel, and how the last runs compare.
#include <fmt/format.h>
#include <implot.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/index/config_text.hpp"
#include "core/run/entry_count.hpp"
#include "core/run/run_figures.hpp"
#include "viz/models/timings_model.hpp"
#include "viz/panels/panels.hpp"
#include "viz/parts/empty_view.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/state/commands.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

// "2^20 lookups", "64Ki ranges of 4.2M entries"
std::string batch_words(const run_record& record) {
  const std::string words = fmt::format("{} {}", short_count(record.operations), operation_noun(record.kind));
  return answer_of(record.kind) == answer_kind::sum
             ? fmt::format("{} of {} entries", words, short_count(record.entries))
             : words;
}

std::string found_words(const run_record& record) {
  return fmt::format("{} {}", short_count(record.check.found),
                     answer_of(record.kind) == answer_kind::sum ? "not empty" : "found");
}

void figures(const session_run& run) {
  const run_record& record = run.record;
  const float room = ImGui::GetContentRegionAvail().x;
  const float width = std::max(px(110), room / 4 - px(12));
  const auto columns = std::max(1, static_cast<int>(room / (width + px(8))));
  const std::string noun(operation_noun(record.kind));
  // Sorting and building are timed once, whatever the batch was.
  struct tile {
    const char* name;
    std::string_view of;
    provenance origin;
  };
  const tile tiles[] = {{noun.c_str(), "per_second", run.origin},
                        {"entries", "entries_per_second", run.origin},
                        {"one batch", "median_ms", run.origin},
                        {"build", "build_ms", provenance::live},
                        {"sort", "sort_ms", provenance::live}};
  const figure_line line = figures_of(record);
  int i = 0;
  for (const tile& one : tiles) {
    const pivotscope::figure& of_it = figure_of(line, one.of);
    const auto* value = std::get_if<double>(&of_it.value);
    if (!value) continue;
    if (i++ % columns != 0) ImGui::SameLine(0, px(8));
    figure(one.name, of_it.hint == figure_hint::rate ? rate_text(*value) : ms_text(*value), one.origin, width);
  }
}

// A column: a value of the stage's runs (core/run/run_figures.hpp), or what is not of runs.
struct stage_column {
  const char *name, *meaning;
  float weight;
  std::string_view figure;
  bool for_wide = false;  // in a narrow panel it is told on hover
};
constexpr std::string_view no_figure = "";
constexpr stage_column stage_columns[] = {
    {"stage", "", 1.7f, "stage"},
    {"median", "Half of the runs were faster.", 1.3f, "median_ms"},
    {"middle half", "A quarter of the runs were faster than the first, and a quarter slower than the second.", 2.4f,
     no_figure, true},
    {"noise",
     "By how much a run differs from another, as a share of the median. Of fewer than five runs there is none.", 0.9f,
     "noise"},
    {"runs", "That count: those to warm up do not.", 0.8f, "runs"},
    {"regs", "Registers a thread, as the driver reports them; empty on the CPU.", 0.8f, no_figure, true}};

// As its hint says; empty where it is not known.
std::string shown(const pivotscope::figure& f) {
  if (const auto* text = std::get_if<std::string>(&f.value)) return *text;
  if (const auto* count = std::get_if<u64>(&f.value)) return grouped(*count);
  const auto* value = std::get_if<double>(&f.value);
  if (value == nullptr) return "";
  switch (f.hint) {
    case figure_hint::milliseconds:
      return ms_text(*value);
    case figure_hint::rate:
      return rate_text(*value);
    case figure_hint::share:
      return share_words(*value);
    default:
      return fmt::format("{:.3g}", *value);
  }
}

void right_aligned(const std::string& words, ImFont* font) {
  const float room = ImGui::GetContentRegionAvail().x - text_width(font, type::small, words);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, room));
}

// Beside the columns: on hover.
std::string more_of(const figure_line& line, const std::string& half, const std::string& registers) {
  const auto of = [&](std::string_view name) { return shown(figure_of(line, name)); };
  std::string more;
  if (!half.empty())
    more = fmt::format("{} runs: the fastest {}, the slowest {}, the middle half {}.", of("runs"), of("least_ms"),
                       of("greatest_ms"), half);
  if (const auto away = std::get<u64>(figure_of(line, "thrown_away").value); away > 0)
    more += fmt::format(" {} on a clock that was held back do{} not count.", away, away == 1 ? "es" : "");
  if (!registers.empty()) more += fmt::format("{}{} registers a thread.", more.empty() ? "" : " ", registers);
  return more;
}

void time_row(const stage_time& t, const kernel_info* kernel, bool wide) {
  if (t.samples_ms.empty()) return;
  ImGui::TableNextRow();
  const figure_line line = figures_of(t);
  const std::string half = t.samples_ms.size() > 1 ? middle_half_text(t.summary()) : "";
  const std::string registers = kernel && kernel->registers ? std::to_string(kernel->registers) : "";
  for (const stage_column& column : stage_columns) {
    if (!wide && column.for_wide) continue;
    ImGui::TableNextColumn();
    if (&column == stage_columns) {
      one_line(fonts().words, type::small, theme().text, t.name);
      if (const std::string more = more_of(line, half, registers); !more.empty()) hover_card(capitalised(t.name), more);
      continue;
    }
    const std::string_view name = column.name;
    const std::string words = name == "middle half" ? half
                              : name == "regs"      ? registers
                                                    : shown(figure_of(line, column.figure));
    right_aligned(words, fonts().mono);
    one_line(fonts().mono, type::small,
             name == "median" ? theme().text
             : name == "runs" ? theme().text_faint
                              : theme().text_dim,
             words);
  }
}

void stage_table(const run_record& run) {
  const bool wide = ImGui::GetContentRegionAvail().x > px(440);
  const auto columns = std::count_if(std::begin(stage_columns), std::end(stage_columns),
                                     [&](const stage_column& column) { return wide || !column.for_wide; });
  if (!ImGui::BeginTable(wide ? "stages" : "few", static_cast<int>(columns),
                         ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_PadOuterX))
    return;
  for (const stage_column& column : stage_columns)
    if (wide || !column.for_wide) ImGui::TableSetupColumn(column.name, 0, column.weight);
  ImGui::TableNextRow();
  for (const stage_column& column : stage_columns) {
    if (!wide && column.for_wide) continue;
    ImGui::TableNextColumn();
    if (&column != stage_columns) right_aligned(column.name, fonts().words);
    heading(column.name, column.meaning);
  }
  const auto kernel_of = [&](const std::string& name) -> const kernel_info* {
    for (const kernel_info& k : run.kernels)
      if (k.name == name) return &k;
    return nullptr;
  };
  time_row(run.sort, nullptr, wide);
  for (const stage_time& t : run.builds) time_row(t, kernel_of(t.name), wide);
  time_row(run.time, kernel_of(run.time.name), wide);
  ImGui::EndTable();
  if (wide || run.time.samples_ms.size() < 2) return;
  fact("middle half", middle_half_text(run.time.summary()),
       fmt::format("Of {}: a quarter of the runs were faster than the first, and a quarter slower than the second.",
                   run.time.name));
}

// Why the runs ended; of a live one there is nothing to say.
void sampling_line(const session_run& run) {
  const sampling& how = run.record.time.how;
  if (run.origin != provenance::measured || how.why == stop_reason::not_asked) return;
  const bool doubtful = how.doubtful();
  wrapped(fonts().words, type::small, doubtful ? theme().bad : theme().text_dim,
          fmt::format("{}Measuring ended: {}.", doubtful ? fmt::format("{}  ", icon::warning) : "",
                      stop_words(how, run.record.time.summary())));
  hover_card("What the measurement met", conditions_words(run.record.conditions));
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

// How the run lies to the baseline.
void baseline_line(const frame& f, const session_run& run) {
  if (const session_run* const baseline = f.view.baseline.get()) {
    const beside_baseline told = beside(*baseline, run);
    const bool faster = told.says == speed_verdict::faster, slower = told.says == speed_verdict::slower;
    wrapped(fonts().words_medium, type::body,
            faster   ? theme().good
            : slower ? theme().bad
                     : theme().text_dim,
            fmt::format("{}{}",
                        faster   ? fmt::format("{}  ", icon::check)
                        : slower ? fmt::format("{}  ", icon::warning)
                                 : "",
                        told.words));
    if (ImGui::IsItemHovered()) run_tooltip(*baseline);
  }
}

void baseline_button(frame& f) {
  const bool baseline = f.view.baseline != nullptr, can = can_pin_baseline(f);
  if (button("baseline", baseline ? "Let the baseline go" : "Pin as baseline", icon::pin, can)) toggle_baseline(f);
  hover_card(with_keys_of(f, baseline ? "Let the baseline go" : "Pin as baseline", "baseline"),
             baseline ? "Runs are then compared with nothing."
             : can    ? "What is measured later is compared with this run: faster, slower, or can't tell."
                      : "Measure first: a single run is no baseline.");
}

constexpr std::size_t most_runs_shown = 40;

double rate_at(const session_run& run, double ms) {
  return ms > 0 ? static_cast<double>(run.record.operations) / ms * 1e3 : 0;
}

// Its dot, over a line from the ground; of a measured one the middle half as a bar.
void draw_run(ImDrawList& draw, const session_run& run, double place, double scale, bool near, bool last) {
  const ImVec2 at = ImPlot::PlotToPixels(place, run.record.operations_per_second() / scale);
  draw.AddLine({at.x, ImPlot::PlotToPixels(0.0, 0.0).y}, at, near ? theme().text_faint : theme().line, px(2));
  const ImU32 ink = last || near ? theme().text : theme().text_dim;
  if (run.origin != provenance::measured) return draw.AddCircle(at, px(4.5f), ink, 0, px(1.5f));
  const sample_summary of = run.record.time.summary();
  const float high = ImPlot::PlotToPixels(place, rate_at(run, of.lower_quartile) / scale).y;
  const float low = ImPlot::PlotToPixels(place, rate_at(run, of.upper_quartile) / scale).y;
  draw.AddLine({at.x, low}, {at.x, high}, ink, px(2));
  for (const float y : {low, high}) draw.AddLine({at.x - px(4), y}, {at.x + px(4), y}, ink, px(1.5f));
  draw.AddCircleFilled(at, px(5), ink);
}

void draw_baseline(ImDrawList& draw, double rate) {
  const ImVec2 begin = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
  const float y = ImPlot::PlotToPixels(0.0, rate).y;
  const auto dashes = static_cast<int>(size.x / px(10));
  for (int dash = 0; dash < dashes; ++dash) {
    const float x = begin.x + static_cast<float>(dash) * px(10);
    draw.AddLine({x, y}, {x + px(6), y}, theme().text_dim, px(1.5f));
  }
  const std::string words = "baseline";
  const float width = text_width(fonts().words, type::tiny, words);
  draw_text(draw, fonts().words, type::tiny, {begin.x + size.x - width - px(4), y - px(type::tiny) - px(4)},
            theme().text_dim, words);
}

// The last runs that ask what the newest asks, as dots: hollow where live and filled where measured.
// `height`: of all of it.
void last_runs(const frame& f, float height) {
  const float top = ImGui::GetCursorPosY();
  const run_history history = history_of(*f.session.runs, most_runs_shown);
  const auto& runs = history.runs;
  heading(
      "Last runs of this workload",
      "Lookups or ranges a second of each run of this workload on this machine, oldest first. A hollow dot is live, "
      "a filled one measured, with a bar across the middle half of its runs. A run is after every change; point at "
      "one for what it was.");
  if (history.left_out > 0)
    caption(fmt::format("{} of another workload or machine {} left out.", counted(history.left_out, "run"),
                        history.left_out == 1 ? "is" : "are"));
  const session_run* const baseline =
      f.view.baseline && same_question(*f.view.baseline, *runs.back()) ? f.view.baseline.get() : nullptr;
  const text_style style(fonts().mono, type::tiny, theme().text_faint);
  if (!ImPlot::BeginPlot(
          "##runs", ImVec2(-1, std::max(px(120), height - (ImGui::GetCursorPosY() - top) - px(8))),
          ImPlotFlags_NoLegend | ImPlotFlags_NoMouseText | ImPlotFlags_NoMenus | ImPlotFlags_NoBoxSelect))
    return;
  double most = baseline ? baseline->record.operations_per_second() : 0;
  for (const session_run* run : runs) most = std::max(most, run->record.operations_per_second());
  const double scale = most >= 1e9 ? 1e9 : most >= 1e6 ? 1e6 : 1e3;
  const char* unit = scale == 1e9 ? "G/s" : scale == 1e6 ? "M/s" : "k/s";
  ImPlot::SetupAxes(
      nullptr, unit,
      ImPlotAxisFlags_NoGridLines | ImPlotAxisFlags_NoTickLabels | ImPlotAxisFlags_NoTickMarks | ImPlotAxisFlags_Lock,
      ImPlotAxisFlags_Lock);
  ImPlot::SetupAxisLimits(ImAxis_X1, -0.7, static_cast<double>(std::max<std::size_t>(runs.size(), 12)) - 0.3,
                          ImPlotCond_Always);
  ImPlot::SetupAxisLimits(ImAxis_Y1, 0, most / scale * 1.15 + 1e-9, ImPlotCond_Always);
  ImPlot::SetupFinish();
  ImDrawList& draw = *ImPlot::GetPlotDrawList();
  ImPlot::PushPlotClipRect();
  const session_run* pointed = nullptr;
  if (baseline) draw_baseline(draw, baseline->record.operations_per_second() / scale);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const session_run& run = *runs[i];
    if (run.record.check.wrong > 0) continue;
    const float x = ImPlot::PlotToPixels(static_cast<double>(i), 0.0).x;
    const bool near = ImPlot::IsPlotHovered() && std::abs(ImGui::GetIO().MousePos.x - x) < px(6);
    if (near) pointed = &run;
    draw_run(draw, run, static_cast<double>(i), scale, near, i + 1 == runs.size());
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
    ImGui::TextWrapped("%s", fmt::format("{}, {}, on {} ({})", counted(run.load.keys, "key"), batch_words(run.record),
                                         machine_name(run.record.machine.kind), run.record.machine.name)
                                 .c_str());
  }
  ImGui::Dummy({1, px(2)});
  if (run.record.check.wrong > 0) {
    const text_style style(fonts().words_medium, type::body, theme().bad);
    ImGui::TextWrapped("%s  %s of %s answers are wrong. Times of wrong answers are not shown.", icon::warning,
                       short_count(run.record.check.wrong).c_str(), short_count(run.record.check.checked).c_str());
    return;
  }
  figures(run);
  {
    const text_style style(fonts().words, type::small, theme().good);
    ImGui::TextWrapped("%s", fmt::format("{}  all {} answers checked, {}", icon::check,
                                         short_count(run.record.check.checked), found_words(run.record))
                                 .c_str());
  }
  if (const std::string words = held_words(run.record.held, run.record.keys); !words.empty()) {
    const text_style style(fonts().words, type::small, theme().text_dim);
    ImGui::TextWrapped("%s  the index %s", icon::info, words.c_str());
  }
  if (is_of(run, f.session.choice)) say_too_few(f, too_few_words(run));
  ImGui::Dummy({1, px(2)});
  const bool idle = !f.session.job.running;
  if (button("measure", "Measure", icon::gauge, idle, true)) f.act.measure();
  hover_card(
      "Measure",
      "Warms up, and repeats the batch until the noise is under 0.5% or does not change any more, for five seconds "
      "at most; shows the median.");
  ImGui::SameLine();
  if (button("again", "Once more", icon::again, idle)) f.act.run_again();
  if (ImGui::GetItemRectMax().x + px(160) < right_edge()) ImGui::SameLine();
  baseline_button(f);
  ImGui::Dummy({1, px(2)});
  baseline_line(f, run);
  ImGui::Dummy({1, px(2)});
  // Beside each other where there is room, else one under the other.
  const bool wide = ImGui::GetContentRegionAvail().x > px(760);
  if (wide && ImGui::BeginTable("halves", 2, ImGuiTableFlags_SizingStretchProp)) {
    ImGui::TableSetupColumn("stages", 0, 1.25f);
    ImGui::TableSetupColumn("runs", 0, 1);
    const float height = ImGui::GetContentRegionAvail().y;
    ImGui::TableNextColumn();
    stage_table(run.record);
    sampling_line(run);
    ImGui::TableNextColumn();
    last_runs(f, height);
    ImGui::EndTable();
  } else if (!wide) {
    stage_table(run.record);
    sampling_line(run);
    ImGui::Dummy({1, px(4)});
    last_runs(f, ImGui::GetContentRegionAvail().y);
  }
}

}  // namespace pivotscope::viz
