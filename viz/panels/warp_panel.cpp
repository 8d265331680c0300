// Warp: 32 lookups, one step. A row a step, a column a thread; what the threads read together at the right and, for the
// step that is shown, below: the lines of memory with the threads in them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/index/family.hpp"
#include "viz/models/warp_model.hpp"
#include "viz/panels/panels.hpp"
#include "viz/panels/warp_grid.hpp"
#include "viz/panels/warp_lines.hpp"
#include "viz/parts/empty_view.hpp"
#include "viz/parts/key_label.hpp"
#include "viz/parts/marks.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/state/tile_in_view.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

void number_chooser(const char* name, const std::string& meaning, const char* before, const char* after,
                    const char* what, u32& value, u32 count) {
  {
    const text_style style(fonts().words, type::small, theme().text_dim);
    ImGui::TextUnformatted(name);
  }
  hover_card(capitalised(name), meaning);
  ImGui::SameLine(0, px(6));
  if (icon_button(before, icon::back, fmt::format("The {} before", what), value > 0, 20)) --value;
  ImGui::SameLine(0, px(2));
  {
    const text_style style(fonts().mono_bold, type::small, theme().text);
    ImGui::Text("%u of %u", value + 1, count);
  }
  ImGui::SameLine(0, px(2));
  if (icon_button(after, icon::forward, fmt::format("The {} after", what), value + 1 < count, 20)) ++value;
}

void header(frame& f, const tile_study& tile, bool sorted, u32 group) {
  warp_state& state = f.view.warp;
  ImGui::AlignTextToFramePadding();
  number_chooser("warp", "32 threads that go in step. A block's warps share its tile of lookups.", "warp before",
                 "warp after", "warp of the tile", state.number, warps_of(tile));
  if (group > 1) {
    ImGui::SameLine(0, px(16));
    number_chooser(
        "round",
        fmt::format("{} threads serve a lookup together, and each of them has brought one: they take turns. In a "
                    "round the warp serves {} lookups.",
                    group, threads / group),
        "round before", "round after", "round", state.round, group);
  }
  ImGui::SameLine(0, px(16));
  const auto order = [&](const char* words, bool choice, const char* meaning) {
    if (chip(words, words, sorted == choice ? chip_look::chosen : chip_look::plain)) state.sorted = choice;
    hover_card(words, meaning);
  };
  order("as they come", false, "The lookups as they lie in the batch: neighbours have nothing to do with each other.");
  ImGui::SameLine(0, px(4));
  order("sorted", true,
        "The lookups as the block's sort of its tile orders them: neighbours go the same way, and read the same "
        "sectors. What the other order would load is the hollow bar.");
  question_pill(f, true);
}

std::string sentence(const shown_warp& w, u32 step) {
  const warp_step& s = w.steps()[step];
  std::string words;
  if (s.sectors.empty())
    words = s.loads.empty() ? fmt::format("Step {}: no thread loads anything.", step + 1)
                            : fmt::format("Step {}: all reads are served from scratch.", step + 1);
  else
    words = fmt::format("Step {}: {} load{} {} of {}, and {} of these {} are used.", step + 1,
                        counted(s.loading, "thread"), s.loading == 1 ? "s" : "", counted(s.sectors.size(), "sector"),
                        counted(s.lines, "line"), bytes_text(s.bytes), bytes_text(s.loaded_bytes()));
  if (s.scratch_passes > s.least_scratch_passes)
    words += fmt::format(" Banks conflict in scratch: {} passes where {} would do.", s.scratch_passes,
                         s.least_scratch_passes);
  words += fmt::format(" All steps: {}", counted(w.now.sectors, "sector"));
  if (w.other)
    words += fmt::format(", {} {}.", w.other_name(), grouped(w.other->sectors));
  else
    words += ".";
  return words;
}

// Goes to the warp that serves the key looked for, once for each path and order.
void follow_key(frame& f, const tile_study& tile, bool sorted, u32 group) {
  warp_state& state = f.view.warp;
  if (state.followed == f.view.transport.path) return;
  state.followed = f.view.transport.path;
  const lookup_trace* trace = f.trace();
  if (!trace || question_of(*trace).kind != operation::find) return;
  if (const auto place = serves(tile, trace->key, sorted))
    state.number = place->warp, state.round = place->thread % group;
}

}  // namespace

void warp_panel(frame& f) {
  if (!f.session.index || f.model()->keys() == 0) return wait_or_explain(f, "a warp's lookups");
  if (const operation asked = operation_of(f.session.choice.load); asked != operation::find)
    return caption(
        fmt::format("A warp is shown of lookups; this workload asks for {}. Choose lookups in the Workload panel.",
                    operation_noun(asked)));
  const index_config& config = f.session.index->config();
  if (f.model()->keys() > family_of(config).sensible_keys(config))
    return caption(
        fmt::format("Each of the warp's lookups looks through all {} keys: too many steps to draw. Choose fewer "
                    "keys in the Workload panel, or an index.",
                    grouped(f.model()->keys())));
  if (shown_tiles(config, f.session.choice.load) == 0)
    return caption("The workload has no lookups, so there is no warp. Give it some in the Workload panel.");
  if (!study_tile(f)) return wait_or_explain(f, "a warp's lookups");  // numbers of one's own are being read
  const std::shared_ptr<const tile_study> tile = f.view.tile.study;
  if (tile->size() == 0) return;
  warp_state& state = f.view.warp;
  const u32 group = group_threads(config);
  const bool sorted = state.sorted.value_or(tile->reordered());
  follow_key(f, *tile, sorted, group);
  state.number = std::min(state.number, warps_of(*tile) - 1);
  state.round = std::min(state.round, group - 1);
  header(f, *tile, sorted, group);
  if (!state.study || state.study->tile() != tile || state.study->number() != state.number)
    state.study = std::make_shared<warp_study>(tile, state.number);
  if (state.studied_at != f.now) f.moving |= state.study->go_on();
  state.studied_at = f.now;
  const warp_study::service* now = state.study->of(sorted);
  if (!now) return caption(f.moving ? "Tracing its lookups..." : "The index could not be read.");
  const shown_warp w{*state.study, *now, state.study->of(!sorted), sorted, state.round};
  if (w.steps().empty()) return caption("No step is needed: the index is empty.");
  const u32 current = std::min(f.view.transport.step, static_cast<u32>(w.steps().size() - 1));
  caption(sentence(w, current));
  provenance_note(provenance::modelled);

  std::optional<u32> chosen;  // its lookup, if it is served here
  for (u32 i = 0; i < now->traces.size() && f.session.choice.key; ++i)
    if (f.session.choice.key == now->traces[i].key && i % group == state.round) chosen = i;
  const float room = ImGui::GetContentRegionAvail().y;
  draw_warp_grid(f, w, std::max(px(110), std::min(room - px(96), room * 0.62f)), current,
                 std::max(1u, f.model()->levels()), chosen);
  warp_lines(f, w.steps()[current], w.other_step(current), w.other_name(), current, pointed_thread(f, w, chosen));
}

}  // namespace pivotscope::viz
