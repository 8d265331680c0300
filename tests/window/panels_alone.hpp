// Panels drawn without a session, over an index and a path that a test makes.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/page_cache.hpp"
#include "tests/support/deaf_session.hpp"
#include "tests/window/window_driver.hpp"
#include "viz/state/view_state.hpp"
#include "viz/theme/theme.hpp"

namespace pivotscope {

class panels_alone : public window_test {
 protected:
  void SetUp() override { open({}, 1600, 900); }
  void TearDown() override {
    shown_ = {};
    close();
  }

  // Some frames of panels, one beside the other; `pictured`: the last can be looked at.
  using panel_list = std::vector<std::pair<void (*)(viz::frame&), float>>;  // and widths
  void draw(const panel_list& panels, u32 step, int frames = 3, bool pictured = false) {
    for (int i = 0; i < frames; ++i) {
      ImGui::GetIO().AddMousePosEvent(mouse_.x, mouse_.y);
      window_->begin_frame();
      watch_.forget();
      if (was_light_ != seen_.light) viz::set_theme(seen_.light);
      was_light_ = seen_.light;
      pages_.show(shown_.index);
      viz::written_pages slots(pages_);
      testing::deaf_session deaf;
      viz::frame f{shown_, deaf, slots, seen_};
      f.now = ImGui::GetTime();
      f.seconds = 1.0f / 60;
      viz::advance_transport(f);
      if (f.trace()) viz::go_to_step(f, step);
      slots.show(f.model(), f.trace(), seen_.transport.step);
      float x = 0;
      for (const auto& [panel, width] : panels) {
        ImGui::SetNextWindowPos({x, 0});
        ImGui::SetNextWindowSize({width, 900});
        ImGui::Begin(std::to_string(x).c_str(), nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoDocking);
        panel(f);
        ImGui::End();
        x += width;
      }
      end_frame(pictured && i == frames - 1);
    }
  }
  // In both themes.
  void picture_of(const panel_list& panels, u32 step, const std::string& name) {
    for (const bool light : {true, false}) {
      seen_.light = light;
      draw(panels, step, 3, true);
      expect_picture(name + (light ? " light" : " dark"), window_->last_frame());
    }
  }
  // How often the last frame said so.
  auto said(std::string_view words) const {
    return std::count_if(watch_.texts().begin(), watch_.texts().end(),
                         [&](const drawn_text& t) { return t.words == words; });
  }

  ImVec2 mouse_{-1, -1};
  reader reading_;
  page_cache pages_{reading_, [] {}};
  viz::session_view shown_;
  viz::view_state seen_;
  std::optional<bool> was_light_;
};

}  // namespace pivotscope
