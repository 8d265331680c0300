#include "viz/parts/picture_menu.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include "viz/parts/widgets.hpp"

namespace pivotscope::viz {
namespace {

u64 places(const frame& f) {
  if (!f.view.build.on) return f.trace() ? f.trace()->steps.size() : 0;
  u64 slots = 0;
  for (const pass_info& pass : f.view.build.passes) slots += pass.slots;
  return slots;
}

// Each asks for a picture; the window's next frames take it.
void picture_items(frame& f, std::optional<panel> which) {
  const auto item = [&](const std::string& words, bool vector, bool every, bool possible) {
    if (ImGui::MenuItem(words.c_str(), nullptr, false, possible && !f.view.pictures.running))
      f.view.pictures.asked = picture_request{which, vector, every};
  };
  item("Save as PNG", false, false, true);
  item("Save as SVG", true, false, true);
  const u64 count = places(f);
  const bool possible = count > 1 && count <= most_pictures;
  const char* one = f.view.build.on ? "slot" : "step";
  for (const bool vector : {false, true})
    item(fmt::format("Every {} as {}###every {}", one, vector ? "SVG" : "PNG", vector ? "svg" : "png"), vector, true,
         possible);
  if (count > most_pictures) caption(fmt::format("{} slots are too many for a file each.", count));
}

}  // namespace

void panel_menu(frame& f, panel which) {
  if (!ImGui::BeginPopupContextItem("panel menu")) return;
  heading(fmt::format("Picture of {}", name_of(which)));
  picture_items(f, which);
  ImGui::Separator();
  if (ImGui::MenuItem("Close")) f.view.open[static_cast<std::size_t>(which)] = false;
  ImGui::EndPopup();
}

void pictures_menu(frame& f) {
  if (!ImGui::BeginMenu("Save a picture")) return;
  if (ImGui::BeginMenu("The whole window")) {
    picture_items(f, std::nullopt);
    ImGui::EndMenu();
  }
  ImGui::Separator();
  for (std::size_t i = 0; i < panel_count; ++i) {
    if (!ImGui::BeginMenu(panel_names[i])) continue;
    picture_items(f, static_cast<panel>(i));
    ImGui::EndMenu();
  }
  ImGui::EndMenu();
}

}  // namespace pivotscope::viz
