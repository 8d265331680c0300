// Probes: what the cells of an index are that changes, and how far searches go: how many windows or buckets of a table they read, else
// how many steps they take.
#include <fmt/format.h>

#include <algorithm>

#include "viz/models/probe_model.hpp"
#include "viz/panels/panels.hpp"
#include "viz/parts/empty_view.hpp"
#include "viz/parts/marks.hpp"
#include "viz/parts/probe_lengths_plot.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/state/probes_in_view.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

void words_in(ImU32 ink, const std::string& words) {
  const text_style style(fonts().words, type::small, ink);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopTextWrapPos();
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

void lengths(frame& f, const probe_study& study, const std::optional<probe_windows>& windows) {
  const std::string unit = study.unit();
  const bool steps = unit == "step";
  heading(steps ? "Steps a lookup takes" : fmt::format("{}s a lookup reads", capitalised(unit)),
          windows ? windows->meaning
          : !steps
              ? fmt::format("Of the table; what else a lookup reads on its way to the {} is not counted.", unit)
              : "This index is searched by its order, from level to level; each step waits for the one before. A hit "
                "may end above the last level, a miss does not.");
  const lookup_trace* trace = f.trace();
  const bool of_index = trace && f.view.transport.path->index == f.session.index && !trace->steps.empty();
  const float room = ImGui::GetContentRegionAvail().y - px(96);
  const std::optional<u64> of_key = of_index ? std::optional(length_of(*f.model(), *trace)) : std::nullopt;
  const probe_study* const alone[] = {&study};
  const std::optional<u64> key =
      draw_lengths("##lengths", study, length_axes_of(alone), of_key, std::clamp(room, px(110), px(260)));
  if (key) f.act.choose_key(*key);
  spot("lengths");
  words_in(theme().text, lengths_words("\u25A0 hits", unit, study.hits()));
  words_in(theme().text, lengths_words("\u25A1 misses", unit, study.misses()));
  if (const u64 longest = std::max(study.hits().longest(), study.misses().longest()); longest > most_length_bars)
    words_in(theme().text_dim,
             fmt::format("The last bar, {0}+, gathers {0} and more, up to {1}.", most_length_bars, longest));
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
