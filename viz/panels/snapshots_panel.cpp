// Snapshots: eight slots, each a scenario and where in it one was, with a picture of how it looked. A click opens one.
#include <fmt/format.h>

#include <algorithm>

#include "core/index/config_text.hpp"
#include "viz/panels/own_data.hpp"
#include "viz/panels/panels.hpp"
#include "viz/parts/marks.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/state/opening.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

constexpr float picture_share = 0.625f;  // of its width

void draw_picture(ImDrawList& draw, const box& at, u64 texture) {
  if (texture != 0)
    draw.AddImageRounded(ImTextureRef(static_cast<ImTextureID>(texture)), at.low, at.high, {0, 0}, {1, 1},
                         IM_COL32_WHITE, px(4));
  else
    draw_text_centred(draw, fonts().words, type::small, at.middle(), theme().text_faint, "no picture");
}

// Loss is asked for twice: the first click arms the cross.
void cross(frame& f, u32 slot, ImVec2 at) {
  snapshots_state& state = f.view.snapshots;
  ImGui::SetCursorScreenPos(at);
  const bool armed = state.removing == slot;
  const char* words = armed ? "Delete it: click once more. There is no way back." : "Delete this snapshot";
  if (icon_button("delete", armed ? icon::warning : icon::cross, words, true, 22)) {
    if (armed) {
      f.act.remove_snapshot(slot);
      state.removing.reset();
    } else {
      state.removing = slot;
    }
  } else if (armed && ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
             !ImGui::IsMouseHoveringRect(at, {at.x + px(22), at.y + px(22)})) {
    state.removing.reset();
  }
}

void full_slot(frame& f, u32 slot, const snapshot& kept, const box& at) {
  const theme_tokens& t = theme();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  ImGui::SetCursorScreenPos(at.low);
  const bool clicked = ImGui::InvisibleButton("open", {at.width(), at.height() - px(40)});
  const bool hovered = ImGui::IsItemHovered();
  hover_card(fmt::format("Snapshot {}", slot + 1), kept.line,
             kept.at.in_time() ? fmt::format("Click to open it, at {}.", words_of(kept.at)) : "Click to open it.");
  draw.AddRectFilled(at.low, at.high, hovered ? t.hovered : t.raised, px(4));
  const float inside = at.width() - px(8);
  const box picture{{at.low.x + px(4), at.low.y + px(4)},
                    {at.high.x - px(4), at.low.y + px(4) + inside * picture_share}};
  draw_picture(draw, picture, f.view.snapshots.textures[slot]);
  const std::string keys = kept.load.own_keys.given() ? own_keys_words(kept.load) : counted(kept.load.keys, "key");
  const float room = at.width() - px(36);
  draw_text_in(draw, fonts().mono_bold, type::small, {at.low.x + px(6), picture.high.y + px(6)}, room, t.text,
               to_line(kept.config));
  draw_text_in(draw, fonts().words, type::tiny, {at.low.x + px(6), picture.high.y + px(25)}, room, t.text_dim,
               kept.at.any() ? fmt::format("{}, {}", keys, words_of(kept.at)) : keys);
  if (clicked) open_snapshot(f, kept);
  cross(f, slot, {at.high.x - px(26), at.high.y - px(31)});
}

void empty_slot(frame& f, u32 slot, const box& at) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  ImGui::SetCursorScreenPos(at.low);
  if (ImGui::InvisibleButton("keep", {at.width(), at.height()})) f.view.snapshots.wanted = slot;
  hover_card("An empty slot", "Click to keep what the window shows: the scenario, the step and a picture of it.");
  draw_ghost(draw, at);
  draw_text_centred(draw, fonts().words_medium, type::small, at.middle(),
                    ImGui::IsItemHovered() ? theme().text : theme().text_dim, fmt::format("{}  Keep", icon::camera));
}

}  // namespace

void snapshots_panel(frame& f) {
  const auto& kept = f.session.snapshots;
  heading("Snapshots",
          "Eight slots. Each keeps the scenario and the step as a line, and a picture, from one start to the next.");
  const float room = ImGui::GetContentRegionAvail().x, gap = px(8);
  const auto columns = static_cast<u32>(std::clamp((room + gap) / (px(150) + gap), 1.0f, 4.0f));
  const float width = (room - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  const float height = px(8) + (width - px(8)) * picture_share + px(42);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  for (u32 slot = 0; slot < snapshot_slots; ++slot) {
    const u32 row = slot / columns;
    const ImVec2 low{from.x + static_cast<float>(slot % columns) * (width + gap),
                     from.y + static_cast<float>(row) * (height + gap)};
    const box at{low, {low.x + width, low.y + height}};
    ImGui::PushID(static_cast<int>(slot));
    if (kept && (*kept)[slot])
      full_slot(f, slot, *(*kept)[slot], at);
    else
      empty_slot(f, slot, at);
    ImGui::PopID();
  }
  const u32 rows = (snapshot_slots + columns - 1) / columns;
  ImGui::SetCursorScreenPos(from);
  ImGui::Dummy({room, static_cast<float>(rows) * (height + gap)});
}

}  // namespace pivotscope::viz
