#include <fmt/format.h>

#include <algorithm>

#include "core/tuning/batch_to_time.hpp"
#include "core/index/family.hpp"
#include "core/index/operations.hpp"
#include "viz/words/format.hpp"
#include "viz/parts/icons.hpp"
#include "viz/cells/level_counts.hpp"
#include "viz/parts/marks.hpp"
#include "viz/panels/panels.hpp"
#include "viz/models/tile_model.hpp"
#include "viz/parts/widgets.hpp"

namespace pivotscope::viz {
namespace {

// What lies on a level, and where.
std::string level_words(const index_model& model, u32 level, const std::optional<cell_run>& run) {
  if (run) {
    const region_info& region = model.region(run->region);
    return fmt::format("{} {}, {}, in one run from slot {}.", grouped(run->count), region.name,
                       bytes_text(region.bytes_of(run->count)), grouped(run->first));
  }
  return fmt::format("{} {}, scattered over the array.", grouped(cells_by_level(model)[level]),
                     model.region(main_region).name);
}

}  // namespace

void wait_or_explain(frame& f, const char* what) {
  const job_state& job = f.session.job;
  if (job.running) {
    const std::string percent = job.fraction >= 0 ? " " + percent_text(job.fraction) : "";
    if (empty_view(icon::clock, fmt::format("Busy {}{}. Then this shows {}.", job.stage, percent, what), "stop",
                   "Stop"))
      f.act.cancel();
    return;
  }
  if (f.session.unread)
    return caption(
        fmt::format("Your numbers could not be read, so this does not show {} yet: {}. Mend them in the "
                    "Workload panel.",
                    what, f.session.unread->words));
  if (f.session.index && f.model()->keys() == 0) {
    if (empty_view(icon::database, "This key set is empty: there is nothing to draw and every lookup is a miss.",
                   "example", "Open the 14-key example"))
      f.act.choose_workload(workload{});
    return;
  }
  if (empty_view(icon::database, fmt::format("Nothing is built yet. Build it, and this shows {}.", what), "build",
                 "Build"))
    f.act.run_again();
}

void offer_what_changes(frame& f, const std::string& remark) {
  wrapped(fonts().words, type::body, theme().text, *check_serves(f.session.choice.config, operation::insert) + ".");
  if (!remark.empty()) wrapped(fonts().words, type::small, theme().text_dim, remark);
  ImGui::Spacing();
  for (const family* one : families()) {
    if (!one->changes()) continue;
    index_config wanted = one->standard();
    wanted.keys = f.session.choice.config.keys;
    const std::string name = one->methods().front().name;
    if (button(name.c_str(), "Take " + name)) f.act.choose_config(wanted);
    hover_card(name, std::string(one->sentence()));
    ImGui::SameLine(0, px(4));
  }
  ImGui::NewLine();
}

void say_too_few(frame& f, const std::string& why) {
  if (why.empty()) return;
  const session_choice& now = f.session.choice;
  // Of what is there to be looked at it is no fault.
  if (now.load.keys <= most_keys_to_look_at && !now.batch_told)
    caption(why + ".");
  else
    say_wrong(why + ".");
  if (now.load.own_batch.given()) return;
  batch_extent usual = extent_of(now.load, now.machine);
  usual.operations = usual_batch(now.load, now.config, now.machine);
  // What is usual of the papers' keys is to be looked at, and of a search from end to end to be over soon.
  const bool tells = too_few_to_time(usual).empty();
  const u64 count = tells ? usual.operations : enough_to_time(usual);
  if (button("enough", fmt::format("Take {} {}", short_count(count), operation_noun(usual.kind)), icon::right))
    f.act.choose_batch(tells ? std::nullopt : std::optional(count));
}

void level_legend(frame& f, bool clickable, float room) {
  const index_model& model = *f.model();
  const u32 levels = model.levels();
  const float height = px(18);
  const float y = ImGui::GetCursorPosY();
  ImGui::SetCursorPosY(y + px(6));
  {
    const text_style style(fonts().words, type::small, theme().text_dim);
    ImGui::TextUnformatted("level");
    hover_card("Level",
               "How deep in the search an entry is first read: level 0 is the root, where every search begins. The "
               "colours run from the root, darkest, to the last level.");
  }
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float word = ImGui::GetItemRectSize().x + px(8);
  const float width = std::clamp((room - word) / static_cast<float>(std::max(levels, 1u)), px(4), px(22));
  // Where not every number has room, every second or fifth one, and the last.
  const float number = text_width(fonts().mono, 11, std::to_string(levels)) + px(3);
  const u32 every = width >= number ? 1 : width * 2 >= number ? 2 : 5;
  std::optional<box> pointed;
  for (u32 level = 0; level < levels; ++level) {
    ImGui::SameLine(0, level == 0 ? px(8) : 0);
    ImGui::SetCursorPosY(y + px(5));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(static_cast<int>(level));
    const bool clicked = ImGui::InvisibleButton("level", {width, height});
    ImGui::PopID();
    const ImU32 colour = level_colour(level, levels);
    const ImDrawFlags corners = levels == 1           ? ImDrawFlags_RoundAll
                                : level == 0          ? ImDrawFlags_RoundLeft
                                : level + 1 == levels ? ImDrawFlags_RoundRight
                                                      : ImDrawFlags_RoundNone;
    draw.AddRectFilled(at, {at.x + width, at.y + height}, colour, px(4), corners);
    const bool beside_last = every > 1 && level + every > levels - 1 && level + 1 != levels;
    if ((level % every == 0 && !beside_last) || level + 1 == levels)
      draw_text_centred(draw, fonts().mono, 11, {at.x + width / 2, at.y + height / 2}, ink_on(colour),
                        std::to_string(level));
    if (ImGui::IsItemHovered()) f.view.points_next.level = level;
    if (f.view.pointed.level == level) pointed = box{at, {at.x + width, at.y + height}};
    const std::optional<cell_run> run = model.level_run(level);
    // Pivots make way for the sorted keys while the entries below them are built.
    const bool shown = clickable && run && (run->region == main_region || f.view.layout.upper_shown == run->region);
    hover_card(fmt::format("Level {}", level), level_words(model, level, run),
               shown ? "Click to look at it in memory." : "");
    if (clicked && shown && run->count > 0) {
      const double first = static_cast<double>(run->first), count = static_cast<double>(run->count);
      f.view.layout.strip_of(run->region).camera.go_to(first - count * 0.02, first + count * 1.02);
      f.moving = true;
    }
  }
  if (pointed) draw_pointed(draw, *pointed);
  ImGui::SameLine();
  ImGui::SetCursorPosY(y);
}

bool tile_asks_too_much(frame& f) {
  const index_config& config = f.session.index->config();
  const u64 keys = f.model()->keys(), most = family_of(config).sensible_keys(config);
  if (keys <= most) return false;
  caption(
      fmt::format("Each of a tile's {} looks through {}: more than is worth counting. Up to {} it is; or choose an "
                  "index.",
                  counted(tile_lookups(config.launch), "lookup"), counted(keys, "key"), counted(most, "key")));
  return true;
}

tile_study* study_tile(frame& f) {
  constexpr double frame_share = 0.006;  // seconds of a frame that may go into traces
  tile_state& state = f.view.tile;
  const bool of_lookups =
      f.session.index && f.model()->keys() != 0 && operation_of(f.session.choice.load) == operation::find;
  const workload& load = f.session.choice.load;
  const bool own = !each_by_formula(load);
  const std::shared_ptr<const first_lookups>& first = f.session.own_lookups;
  const bool made = !own || (first && first->load == load);
  const u64 tiles = of_lookups && made ? shown_tiles(f.session.index->config(), f.session.choice.load) : 0;
  if (tiles == 0) {
    state.study.reset();  // and with it the index that it is of
    return nullptr;
  }
  state.number = std::min(state.number, tiles - 1);
  if (!state.study || state.study->index() != f.session.index || state.study->number() != state.number ||
      !(state.study->load() == f.session.choice.load)) {
    state.study = std::make_shared<tile_study>(f.session.index, load, state.number, own ? &first->keys : nullptr);
    state.hovered.reset();
    state.studied_at = -1;
  }
  // Once a frame, whoever asks.
  if (state.studied_at != f.now) f.moving |= state.study->go_on(frame_share);
  state.studied_at = f.now;
  return state.study.get();
}

}  // namespace pivotscope::viz
