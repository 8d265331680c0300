#include "app/window/paper.hpp"

#include <imgui.h>
#include <implot.h>

#include "app/window/fonts.hpp"
#include "viz/theme/theme.hpp"

namespace pivotscope {

paper::paper(int width, int height) : context_(ImGui::CreateContext()), plots_(ImPlot::CreateContext()) {
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_DockingEnable;
  io.ConfigInputTextCursorBlink = false;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
  io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  io.DeltaTime = 1.0f / 60;
  viz::set_display_scale(1);
  load_fonts();
  viz::set_theme(false);
}

paper::~paper() {
  for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
    texture->SetTexID(ImTextureID_Invalid);
    texture->SetStatus(ImTextureStatus_Destroyed);
  }
  ImPlot::DestroyContext(plots_);
  ImGui::DestroyContext(context_);
}

void paper::begin_frame() { ImGui::NewFrame(); }

void paper::end_frame() {
  ImGui::Render();
  // Letters lie in textures that nobody draws from.
  for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
    if (texture->Status == ImTextureStatus_WantDestroy) {
      texture->SetTexID(ImTextureID_Invalid);
      texture->SetStatus(ImTextureStatus_Destroyed);
    } else if (texture->Status != ImTextureStatus_OK) {
      texture->SetTexID(1);
      texture->SetStatus(ImTextureStatus_OK);
    }
  }
}

}  // namespace pivotscope
