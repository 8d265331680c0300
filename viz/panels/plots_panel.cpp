// Plots: the papers' figures measured anew, and plots of one's own: points as they are measured, with what the paper saw
// beside them.
#include <fmt/format.h>

#include <algorithm>

#include "core/index/config_text.hpp"
#include "core/sweep/timed_part.hpp"
#include "core/tuning/batch_to_time.hpp"
#include "core/workload/host_memory.hpp"
#include "viz/panels/panels.hpp"
#include "viz/parts/sweep_plot.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/state/opening.hpp"
#include "viz/state/own_sweep.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

// Bits that counts are cut by unless one says otherwise: as many as leave the largest sorted array twice the cache, without
// which no figure shows what the paper saw.
u64 usual_scale(const frame& f, const pivotscope::sweep& of) {
  constexpr u64 assumed_cache = 32ull << 20, entry_bytes = 8;
  u64 cache = assumed_cache, keys = 1;
  if (f.session.machines)
    for (const machine_report& report : *f.session.machines)
      if (report.kind == f.session.choice.machine && report.available && report.info.l2_bytes != 0)
        cache = report.info.l2_bytes;
  for (const sweep_row& row : of.rows) keys = std::max(keys, plotted_keys(row.load));
  // A point of very many keys takes a CPU minutes, whatever its cache.
  constexpr u64 least_on_a_cpu = 5;
  u64 bits = f.session.choice.machine == machine_kind::cpu ? least_on_a_cpu : 0;
  while (bits < most_scale && (keys >> (bits + 1)) * entry_bytes >= 2 * cache) ++bits;
  return bits;
}

struct shown_sweep {
  pivotscope::sweep of;
  u32 scale = 0;
  std::string problem = {};  // why one's own is none
};

u32 scale_of(const frame& f) {
  const plots_state& state = f.view.plots;
  if (state.scale) return static_cast<u32>(*state.scale);
  const outcome<const pivotscope::sweep*> named = find_sweep(state.sweep);
  return named ? static_cast<u32>(usual_scale(f, **named)) : 0;
}

// A row as it runs: of fewer keys than its name, which is the paper's, says.
std::string as_run(const pivotscope::sweep& of, const sweep_point& point) {
  if (!of.plot || of.plot->x != plot_x::keys || !point.row.tick) return point.row.id;
  return fmt::format("{} at {} keys", point.row.series, count_text(plotted_keys(point.row.load)));
}

// Of a point of lookups, ranges or successors; empty: its time tells something.
std::string too_few_words(const sweep_point& point) {
  if (point.row.gather_lanes != 0 || point.best() == nullptr) return "";
  return too_few_to_time(extent_of(point.row.load, point.machine.kind));
}

shown_sweep sweep_in_view(const frame& f) {
  const plots_state& state = f.view.plots;
  if (!state.sweep.empty())
    if (const outcome<const pivotscope::sweep*> named = find_sweep(state.sweep)) {
      shown_sweep shown{**named, scale_of(f)};
      if (state.other_y && shown.of.plot) shown.of.plot->y = *state.other_y;
      return shown;
    }
  outcome<pivotscope::sweep> own = own_sweep(state.x, state.y, state.configs, f.session.choice.load);
  if (!own) return {{}, 0, own.error().words};
  return {std::move(*own), 0};
}

const sweep_result* result_of(const frame& f, const shown_sweep& shown) {
  if (!f.session.sweeps) return nullptr;
  const auto found = f.session.sweeps->find(shown.of.measured_as());
  if (found == f.session.sweeps->end()) return nullptr;
  return found->second.measures(shown.of, shown.scale, f.session.choice.machine) ? &found->second : nullptr;
}

void choose_sweep(frame& f) {
  plots_state& state = f.view.plots;
  constexpr const char* own = "one's own";
  const auto words_of = [](const pivotscope::sweep& one) { return fmt::format("{}: {}", one.name, one.sentence); };
  const outcome<const pivotscope::sweep*> named = find_sweep(state.sweep);
  ImGui::SetNextItemWidth(std::min(px(460), ImGui::GetContentRegionAvail().x));
  const text_style style(fonts().words_medium, type::small, theme().text);
  if (!ImGui::BeginCombo("##which sweep", named ? words_of(**named).c_str() : own, ImGuiComboFlags_HeightLarge)) return;
  if (ImGui::Selectable(own, state.sweep.empty())) state.sweep.clear();
  for (const pivotscope::sweep& one : sweeps())
    if (one.plot && ImGui::Selectable(words_of(one).c_str(), state.sweep == one.name))
      state.sweep = one.name, state.other_y.reset();
  ImGui::EndCombo();
}

void scale_field(frame& f) {
  plots_state& state = f.view.plots;
  constexpr const char* meaning =
      "Bits that every count is cut by: the papers' 2^28 keys take a large GPU, and minutes a point. 0 is the papers' "
      "size.";
  ImGui::AlignTextToFramePadding();
  {
    const text_style style(fonts().words, type::small, theme().text_dim);
    ImGui::TextUnformatted("counts / 2^");
  }
  hover_card("scale", meaning);
  ImGui::SameLine(0, px(2));
  u64 value = scale_of(f);
  const u64 before = value;
  count_field("scale", meaning, state.scale_field, value, 0, most_scale, px(48));
  if (value != before) state.scale = value;
  say_wrong(state.scale_field.problem);
}

void run_buttons(frame& f, const shown_sweep& shown, const sweep_result* result) {
  const sweeping& now = f.session.sweeping;
  const bool mine = now.running && now.name == shown.of.measured_as();
  const bool all = result && result->points->size() == shown.of.rows.size();
  if (mine) {
    if (button("stop sweep", "Stop", icon::stop)) f.act.stop_sweep();
    hover_card("Stop", "What was measured stays; Measure goes on behind it.");
    return;
  }
  const bool some = result && !result->points->empty();
  const std::string words = all    ? "All measured"
                            : some ? "Go on"
                                   : fmt::format("Measure {} points", shown.of.rows.size());
  if (button("measure sweep", words, icon::gauge, !all && shown.problem.empty(), true))
    f.act.measure_sweep({shown.of, shown.scale});
  hover_card("Measure",
             fmt::format("Each point on {}, its candidates in rounds of seven runs until they are quiet, every answer "
                         "checked. What you choose meanwhile goes first.",
                         machine_name(f.session.choice.machine)),
             shown.of.name == "own" ? std::string() : fmt::format("The same as `pivotscope sweep {}`.", shown.of.name));
}

void progress(const frame& f) {
  const sweeping& now = f.session.sweeping;
  if (!now.problem.empty()) say_wrong(fmt::format("{}: {}", now.name, now.problem));
  if (!now.running) return;
  const float room = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(at, {at.x + room, at.y + px(4)}, theme().raised, px(2));
  draw.AddRectFilled(at, {at.x + std::max(px(4), room * static_cast<float>(now.fraction)), at.y + px(4)}, theme().text,
                     px(2));
  ImGui::Dummy({room, px(5)});
  one_line(fonts().words, type::tiny, theme().text_dim,
           f.session.job.running ? fmt::format("{}, after {}", now.words, f.session.job.stage) : now.words);
}

std::string dot_words(plot_y shown, const plotted_value& y, std::string_view part) {
  std::string middle = value_words(shown, y.value, part);
  if (y.low == y.high) return middle;
  return fmt::format("{}, the middle half from {} to {}", middle, short_number(y.low), short_number(y.high));
}

// "120 MiB, more than the 50 MiB of L2"
std::string index_words(u64 bytes, const machine_info& on) {
  if (on.l2_bytes == 0) return bytes_text(bytes);
  return fmt::format("{}, {} the {} of {}", bytes_text(bytes), bytes > on.l2_bytes ? "more than" : "within",
                     bytes_text(on.l2_bytes), on.kind == machine_kind::cuda ? "L2" : "last-level cache");
}

// "L1 had 83% of what it was asked for, L2 60%; they moved 3.2 T and 1.1 T bytes a second, DRAM 400 G."
std::string memory_words(const memory_counters& of) {
  return fmt::format("L1 had {} of what it was asked for, L2 {}; they moved {} and {} bytes a second, DRAM {}.",
                     share_words(of.l1_hit_rate), share_words(of.l2_hit_rate), short_number(of.l1_bytes_per_second),
                     short_number(of.l2_bytes_per_second), short_number(of.dram_bytes_per_second));
}

void dot_card(const pivotscope::sweep& of, const plot_dot& dot, std::string_view part) {
  const sweep_point& point = *dot.point;
  ImGui::SetNextWindowSize({px(360), 0});  // words wrap at its edge
  if (!ImGui::BeginTooltip()) return;
  wrapped(fonts().mono_bold, type::small, theme().text, point.name_of(*point.best()));
  wrapped(fonts().mono, type::tiny, theme().text_dim, to_line(point.row.load));
  wrapped(fonts().words_medium, type::small, theme().text, dot_words(of.plot->y, dot.y, part));
  const std::string best = point.ranking.size() > 1 ? fmt::format("the best of {}, ", point.ranking.size()) : "";
  wrapped(fonts().words, type::tiny, theme().text_dim,
          fmt::format("{}: {}{} runs on {}; {} has {}.{}", point.row.series, best, point.best()->samples_ms.size(),
                      point.machine.name, point.row.program() ? "what it reads" : "its index",
                      index_words(point.best()->index_bytes, point.machine),
                      point.row.program() ? "" : " Click to open it."));
  const stop_reason why = point.best()->how.why;
  const bool note_has_noise = why == stop_reason::time || why == stop_reason::most;
  if (const std::optional<double> noise = point.best()->summary().noise; noise && !note_has_noise)
    wrapped(fonts().words, type::tiny, theme().text_dim,
            fmt::format("Its runs differ by {}{}.", share_words(*noise),
                        point.best()->noisy() ? ", more than what is called quiet" : ""));
  if (const std::string note = point.note(); !note.empty())
    wrapped(fonts().words, type::tiny, theme().text_dim, fmt::format("{}  {}.", icon::warning, note));
  if (const std::string few = too_few_words(point); !few.empty())
    wrapped(fonts().words, type::tiny, theme().text_dim, fmt::format("{}  {}.", icon::warning, few));
  if (point.counters)
    wrapped(
        fonts().words, type::tiny, theme().text_dim,
        fmt::format("The GPU counted {} instructions of its warps (EI), {:.3g} cycles each (CPI), with {} of the room "
                    "for warps taken (AO).",
                    short_number(static_cast<double>(point.counters->instructions)),
                    point.counters->cycles_per_instruction, share_words(point.counters->occupancy)));
  if (point.counters && point.counters->memory)
    wrapped(fonts().words, type::tiny, theme().text_dim, memory_words(*point.counters->memory));
  if (const std::string model = model_beside(point); !model.empty())
    wrapped(fonts().words, type::tiny, theme().text_dim, model);
  ImGui::EndTooltip();
}

void open_point(frame& f, const sweep_point& point) {
  if (point.row.program()) return;  // a scenario has an index
  index_config config = point.best()->config;
  config.keys = point.row.width;
  open_scenario(f, to_line(config) + " " + to_line(point.row.load));
}

// Whose times tell nothing of an index.
void too_small(const pivotscope::sweep& of, const std::vector<sweep_point>& points) {
  if (!of_runs(of.plot->y)) return;
  const auto small = [](const sweep_point& p) { return !too_few_words(p).empty(); };
  const auto first = std::find_if(points.begin(), points.end(), small);
  if (first == points.end()) return;
  wrapped(fonts().words, type::small, theme().bad,
          fmt::format("{}  {} of {} points tell nothing of which is faster. {}: {}.", icon::warning,
                      std::count_if(points.begin(), points.end(), small), points.size(), as_run(of, *first),
                      too_few_words(*first)));
}

// Points that are there and not drawn, and why.
void lacking(const sweep_result& result, const pivotscope::sweep& of) {
  const plot_y y = of.plot->y;
  const std::vector<sweep_point>& points = *result.points;
  const auto wrong = std::find_if(points.begin(), points.end(), [](const sweep_point& p) { return p.wrong; });
  if (wrong != points.end())
    wrapped(
        fonts().words_medium, type::small, theme().bad,
        fmt::format("{}  {} answered wrong, and is not drawn: {}", icon::warning, as_run(of, *wrong), wrong->problem));
  const auto none =
      std::find_if(points.begin(), points.end(), [](const sweep_point& p) { return !p.wrong && p.best() == nullptr; });
  if (none != points.end())
    wrapped(fonts().words, type::small, theme().text_dim,
            fmt::format("{}  {} was not measured: {}", icon::info, as_run(of, *none), none->problem));
  const auto uncounted =
      std::find_if(points.begin(), points.end(), [](const sweep_point& p) { return !p.counters_problem.empty(); });
  if (is_counted(y) && uncounted != points.end())
    return wrapped(
        fonts().words, type::small, theme().text_dim,
        fmt::format("{}  {} was not counted: {}.", icon::info, as_run(of, *uncounted), uncounted->counters_problem));
  const auto without = std::count_if(points.begin(), points.end(),
                                     [&](const sweep_point& p) { return p.best() != nullptr && !plotted(y, p); });
  if (without > 0)
    wrapped(fonts().words, type::small, theme().text_dim,
            fmt::format("{}  {} of {} points have no \"{}\"{}", icon::info, without, points.size(), plot_y_words(y),
                        y == plot_y::sectors ? ": that is of lookups, and these are not." : "."));
}

const std::vector<measured_curves>* measured_of(const frame& f, const shown_sweep& shown) {
  if (!f.session.curves || shown.of.plot->x == plot_x::warp_cycles) return nullptr;
  const auto found = f.session.curves->find(shown.of.measured_as());
  return found == f.session.curves->end() || f.view.plots.sweep.empty() ? nullptr : &found->second;
}

bool is_hidden(const frame& f, const std::string& device) {
  const std::vector<std::string>& hidden = f.view.plots.hidden;
  return std::find(hidden.begin(), hidden.end(), device) != hidden.end();
}

// What GPUs came to, at as many lookups as one's own rows have. `points` outlive the lines.
std::vector<curves_behind> curves_of(const frame& f, const shown_sweep& shown,
                                     std::vector<std::vector<sweep_point>>& points) {
  std::vector<curves_behind> behind;
  const std::vector<measured_curves>* const known = measured_of(f, shown);
  if (!known) return behind;
  for (const measured_curves& one : *known)
    if (!is_hidden(f, one.device)) points.push_back(for_as_many(one, shown.of, shown.scale));
  auto of_it = points.begin();
  for (const measured_curves& one : *known)
    if (!is_hidden(f, one.device)) behind.push_back({one.device, plot_lines(shown.of, *of_it++)});
  return behind;
}

// A chip a GPU: its curves are seen, or not.
void behind_chips(frame& f, const shown_sweep& shown) {
  const std::vector<measured_curves>* const known = measured_of(f, shown);
  if (!known) return;
  ImGui::AlignTextToFramePadding();
  {
    const text_style style(fonts().words, type::small, theme().text_dim);
    ImGui::TextUnformatted("behind");
  }
  constexpr const char* meaning =
      "What the same rows came to on one H100 and one H200 (docs/reproduced.md), thin and without marks: at their own "
      "numbers of keys, as if for as many lookups as here.";
  hover_card("behind", meaning);
  for (const measured_curves& one : *known) {
    ImGui::SameLine(0, px(6));
    const bool hidden = is_hidden(f, one.device);
    if (chip(fmt::format("behind {}", one.device).c_str(), one.device, hidden ? chip_look::plain : chip_look::chosen)) {
      if (hidden)
        std::erase(f.view.plots.hidden, one.device);
      else
        f.view.plots.hidden.push_back(one.device);
    }
    hover_card(one.device, meaning, hidden ? "Click to see them." : "Click to hide them.");
  }
}

void plot_of(frame& f, const shown_sweep& shown, const sweep_result* result) {
  static const std::vector<sweep_point> nothing;
  const std::vector<sweep_point>& points = result ? *result->points : nothing;
  const std::vector<plot_line> lines = plot_lines(shown.of, points);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float legend = px(230), below = px(type::small) * 5;
  const bool beside = room.x > px(640);
  const float height = std::max(px(170), room.y - below);
  const ImVec2 size(beside ? room.x - legend - px(10) : room.x, height);
  const u64 cache = result ? result->machine.l2_bytes : 0;
  std::vector<std::vector<sweep_point>> measured;  // that the lines behind are of
  const std::vector<curves_behind> behind = curves_of(f, shown, measured);
  const pointed_dot pointed = draw_sweep_plot(shown.of, lines, behind, cache, size);
  f.view.plots.first_dot = pointed.first;
  if (pointed.dot) {
    dot_card(shown.of, *pointed.dot, lines[pointed.line].part);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) open_point(f, *pointed.dot->point);
  }
  if (beside) {
    ImGui::SameLine(0, px(10));
    ImGui::BeginChild("legend", {legend, height});
  }
  draw_sweep_legend(shown.of, lines, cache, pointed.dot ? std::optional(pointed.line) : std::nullopt, legend);
  if (beside) ImGui::EndChild();
}

void paper_words(const frame& f, const shown_sweep& shown, const sweep_result* result) {
  if (!shown.of.saw.empty())
    wrapped(fonts().words, type::small, theme().text,
            fmt::format("The paper saw: {} ({})", shown.of.saw, shown.of.source));
  if (!result)
    return caption(
        measured_of(f, shown)
            ? "No points of it are here at this scale on this machine: the thin lines are what GPUs came to. "
              "Each appears as it is measured; on a CPU a point of many keys takes its time, and a larger scale "
              "less."
            : "No points of it are here at this scale on this machine. Each appears as it is measured.");
  too_small(shown.of, *result->points);
  lacking(*result, shown.of);
  const std::string cut = result->scale == 0 ? "" : fmt::format(", every count divided by 2^{}", result->scale);
  const std::string& name = result->machine.name;
  wrapped(fonts().words, type::tiny, theme().text_dim,
          fmt::format("{} of {} points on {}{}{}", result->points->size(), shown.of.rows.size(),
                      name.empty() ? machine_name(f.session.choice.machine) : name, cut,
                      of_runs(shown.of.plot->y) && !is_scatter(*shown.of.plot)
                          ? "; medians, and bands of the middle half of the runs"
                          : ""));
}

// The name of a row of chips.
void row_name(const char* name, const char* meaning) {
  ImGui::AlignTextToFramePadding();
  const text_style style(fonts().words, type::small, theme().text_dim);
  ImGui::TextUnformatted(name);
  hover_card(name, meaning);
  ImGui::SameLine(px(32));
}

bool writes(const pivotscope::sweep& of) {
  return std::any_of(of.rows.begin(), of.rows.end(),
                     [](const sweep_row& row) { return timed_part_of(row.load).writes; });
}

// Rows ask for matches, as a join does.
bool joins(const pivotscope::sweep& of) {
  return std::any_of(of.rows.begin(), of.rows.end(),
                     [](const sweep_row& row) { return operation_of(row.load) == operation::matches; });
}

// Its rows are of tables that were asked to be so full: by their own plot, or by that of the sweep that they are of.
bool fills(const pivotscope::sweep& of) {
  const outcome<const pivotscope::sweep*> measured = find_sweep(of.measured_as());
  return measured && (**measured).plot && (**measured).plot->y == plot_y::load_factor;
}

// What a sweep's rows have to show beside what all have.
struct y_kinds {
  bool counted = false;  // what the GPU counts
  bool written = false;  // rows write, and do no lookups
  bool joined = false;   // the parts of a join
  bool filled = false;   // the load factor
};

// The one that was clicked.
std::optional<plot_y> y_chips(plot_y shown, const y_kinds& kinds) {
  const auto [counted, written, joined, filled] = kinds;
  std::vector<std::pair<plot_y, const char*>> values = {
      {plot_y::rate, written ? "operations/s" : "lookups/s"},
      {plot_y::batch_ms, "ms"},
      {plot_y::bytes, "bytes"},
      {plot_y::rate_per_byte, written ? "operations/s per byte" : "lookups/s per byte"},
      {plot_y::build_ms, "build ms"},
      {plot_y::build_and_batch_ms, "build and batch ms"},
      {plot_y::build_rate, "built/s"},
      {plot_y::sectors, "sectors"}};
  if (written) values.emplace_back(plot_y::growing_ms, "insert or build ms");
  if (counted)
    values.insert(values.end(), {{plot_y::occupancy, "AO"},
                                 {plot_y::warp_cycles, "EI x CPI"},
                                 {plot_y::busy_ms, "ms x AO"},
                                 {plot_y::hit_rates, "hit rates"},
                                 {plot_y::memory_rates, "bytes/s"}});
  if (joined) values.insert(values.end(), {{plot_y::join_ms, "join ms"}, {plot_y::join_parts, "join ms by part"}});
  if (filled) values.emplace_back(plot_y::load_factor, "load factor");
  std::optional<plot_y> clicked;
  row_name("y", "What each point shows.");
  for (const auto& [y, name] : values) {
    if (y != values[0].first) {
      ImGui::SameLine(0, px(4));
      if (ImGui::GetContentRegionAvail().x < text_width(fonts().words, type::small, name) + px(30)) ImGui::NewLine();
    }
    if (chip(fmt::format("y {}", name).c_str(), name, shown == y ? chip_look::chosen : chip_look::plain)) clicked = y;
    hover_card(name, std::string(plot_y_words(y)),
               y == plot_y::sectors
                   ? "32 bytes each, that a warp of a GPU asks for: counted from a trace of 4096 lookups "
                     "by the search that was measured, on a CPU too. Ranges have none."
                   : "");
  }
  return clicked;
}

// One's own: what lies along x, what is y, and which configs.
void own_choices(frame& f) {
  plots_state& state = f.view.plots;
  row_name("x", "What lies along x.");
  for (std::size_t i = 0; i < own_axis_count; ++i) {
    const auto x = static_cast<own_axis>(i);
    if (i > 0) {
      ImGui::SameLine(0, px(4));
      if (ImGui::GetContentRegionAvail().x < text_width(fonts().words, type::small, name_of(x)) + px(30))
        ImGui::NewLine();
    }
    if (chip(fmt::format("x {}", name_of(x)).c_str(), name_of(x), state.x == x ? chip_look::chosen : chip_look::plain))
      state.x = x;
    hover_card(name_of(x), sentence_of(x));
  }
  if (const std::optional<plot_y> y = y_chips(state.y, {})) state.y = *y;
  const index_config& chosen = f.session.choice.config;
  const bool there = std::find(state.configs.begin(), state.configs.end(), chosen) != state.configs.end();
  const bool full = state.configs.size() >= most_own_series;
  if (button("pin config", "Add " + to_line(chosen), icon::pin, !there && !full)) state.configs.push_back(chosen);
  hover_card("Add",
             fmt::format("The config that is chosen, beside those that are there: {} at most.", most_own_series));
  for (std::size_t i = 0; i < state.configs.size(); ++i) {
    ImGui::SameLine(0, px(4));
    const std::string line = to_line(state.configs[i]) + "  x";
    if (ImGui::GetContentRegionAvail().x < text_width(fonts().words, type::small, line) + px(30)) ImGui::NewLine();
    if (!chip(fmt::format("drop {}", i).c_str(), line, chip_look::plain)) continue;
    state.configs.erase(state.configs.begin() + static_cast<std::ptrdiff_t>(i));
    break;
  }
}

}  // namespace

void plots_panel(frame& f) {
  choose_sweep(f);
  const bool own = f.view.plots.sweep.empty();
  if (own) own_choices(f);
  shown_sweep shown = sweep_in_view(f);
  const sweep_result* result = shown.problem.empty() ? result_of(f, shown) : nullptr;
  if (!own) {
    ImGui::SameLine(0, px(10));
    if (ImGui::GetContentRegionAvail().x < px(300)) ImGui::NewLine();
    scale_field(f);
    ImGui::SameLine(0, px(10));
  }
  run_buttons(f, shown, result);
  if (!own && shown.of.plot)
    if (const std::optional<plot_y> y =
            y_chips(shown.of.plot->y, {shown.of.counters, writes(shown.of), joins(shown.of), fills(shown.of)}))
      f.view.plots.other_y = shown.of.plot->y = *y;
  progress(f);
  if (!shown.problem.empty()) return caption(shown.problem);
  behind_chips(f, shown);
  plot_of(f, shown, result);
  paper_words(f, shown, result);
}

}  // namespace pivotscope::viz
