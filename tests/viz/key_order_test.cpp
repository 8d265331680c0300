// Several keys between two frames: each shortcut acts once, in their order, and what is typed for a field comes to it.
#include "viz/key_order.hpp"

#include <gtest/gtest.h>
#include <imgui.h>
#include <misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/support/deaf_session.hpp"
#include "viz/shortcuts.hpp"

namespace pivotscope {
namespace {

class writes_keys_down final : public testing::deaf_session {
 public:
  void choose_random_key(bool hit) override { calls.emplace_back(hit ? "r" : "shift r"); }
  void cancel() override { calls.emplace_back("escape"); }
  void measure() override { calls.emplace_back("m"); }
  void copy_scenario(const shown_place&) override { calls.emplace_back("ctrl C"); }
  std::vector<std::string> calls;
};

// Dear ImGui without a window, a keyboard as GLFW's backend tells of it, and a panel with Layout's and Path's fields.
class slow_frames : public ::testing::Test {
 protected:
  slow_frames() {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {800, 600};
    io.DeltaTime = 0.1f;
    io.IniFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    for (int i = 0; i < 4; ++i) draw();
  }
  ~slow_frames() override { ImGui::DestroyContext(context_); }

  void draw() {
    order_.new_frame(view.frames_to_field > 0);
    viz::handle_shortcuts(f);
    ImGui::Begin("fields");
    if (fields_are_seen) field("slot", view.layout.search), field("key", view.key);
    ImGui::End();
    ImGui::EndFrame();
  }
  void draw_all() {
    for (int i = 0; i < 200 && (viz::key_order::waits() || view.frames_to_field > 0); ++i) draw();
    for (int i = 0; i < 4; ++i) draw();
  }

  void key(ImGuiKey which, bool down) {
    ImGuiIO& io = ImGui::GetIO();
    if (which == ImGuiKey_LeftCtrl) ctrl_ = down;
    if (which == ImGuiKey_LeftShift) shift_ = down;
    io.AddKeyEvent(ImGuiMod_Ctrl, ctrl_);
    io.AddKeyEvent(ImGuiMod_Shift, shift_);
    io.AddKeyEvent(which, down);
  }
  void press(ImGuiKey which, const char* text = "") {
    key(which, true);
    if (!ctrl_) ImGui::GetIO().AddInputCharactersUTF8(text);
    key(which, false);
  }
  void press(ImGuiKey modifier, ImGuiKey which) {
    key(modifier, true);
    press(which);
    key(modifier, false);
  }
  void field(const char* name, viz::entry_state& entry) {
    if (entry.focus_next) ImGui::SetKeyboardFocusHere();
    entry.focus_next = false;
    if (ImGui::InputText(name, &entry.text, ImGuiInputTextFlags_EnterReturnsTrue)) entered.push_back(entry.text);
  }

  viz::session_view session;
  writes_keys_down act;
  testing::no_bytes bytes;
  viz::view_state view;
  viz::frame f{session, act, bytes, view};
  std::vector<std::string> entered;
  bool fields_are_seen = true;

 private:
  ImGuiContext* context_ = ImGui::CreateContext();
  viz::key_order order_;
  bool ctrl_ = false, shift_ = false;
};

TEST_F(slow_frames, each_key_acts_once_and_in_its_order) {
  for (int i = 0; i < 2; ++i) press(ImGuiKey_R), press(ImGuiKey_M);
  press(ImGuiKey_LeftShift, ImGuiKey_R);
  press(ImGuiKey_LeftCtrl, ImGuiKey_C);
  press(ImGuiKey_R);
  draw_all();
  EXPECT_EQ(act.calls, (std::vector<std::string>{"r", "m", "r", "m", "shift r", "ctrl C", "r"}));
}

TEST_F(slow_frames, a_modifier_that_is_let_go_in_the_frame_of_its_key_counts) {
  key(ImGuiKey_LeftCtrl, true);
  draw();
  press(ImGuiKey_C);
  key(ImGuiKey_LeftCtrl, false);
  draw_all();
  EXPECT_EQ(act.calls, std::vector<std::string>{"ctrl C"});
  act.calls.clear();
  // And one that comes while the key before it is still down does not.
  key(ImGuiKey_R, true);
  key(ImGuiKey_LeftShift, true);
  key(ImGuiKey_R, false);
  press(ImGuiKey_R);
  key(ImGuiKey_LeftShift, false);
  draw_all();
  EXPECT_EQ(act.calls, (std::vector<std::string>{"r", "shift r"}));
}

TEST_F(slow_frames, what_follows_g_and_slash_is_typed_into_their_fields) {
  press(ImGuiKey_G, "g");
  for (const char* digit : {"1", "2", "3"}) press(static_cast<ImGuiKey>(ImGuiKey_0 + *digit - '0'), digit);
  press(ImGuiKey_Enter);
  press(ImGuiKey_M, "m");
  press(ImGuiKey_Slash, "/");
  press(ImGuiKey_5, "5");
  press(ImGuiKey_Enter);
  press(ImGuiKey_R, "r");
  draw_all();
  EXPECT_EQ(entered, (std::vector<std::string>{"123", "5"}));
  EXPECT_EQ(act.calls, (std::vector<std::string>{"m", "r"}));
  EXPECT_EQ(view.preset, 1);
  EXPECT_FALSE(view.reset_layout) << "1, 2 and 3 were no arrangements";
}

TEST_F(slow_frames, a_field_that_never_comes_gives_the_keys_back) {
  fields_are_seen = false;
  press(ImGuiKey_G, "g");
  press(ImGuiKey_M, "m");
  draw_all();
  EXPECT_EQ(act.calls, std::vector<std::string>{"m"});
}

TEST_F(slow_frames, any_keys_in_any_frames_act_as_one_by_one) {
  struct chord {
    const char* name;
    ImGuiKey key;
    bool ctrl = false, shift = false;
  };
  static constexpr chord chords[] = {{"r", ImGuiKey_R},           {"shift r", ImGuiKey_R, false, true},
                                     {"m", ImGuiKey_M},           {"ctrl C", ImGuiKey_C, true},
                                     {"escape", ImGuiKey_Escape}, {"ctrl C", ImGuiKey_C, true}};
  for (u32 seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    const auto one_in = [&](u32 n) { return random() % n == 0; };
    std::vector<std::string> expected;
    std::set<ImGuiKey> down;
    bool ctrl = false, shift = false;
    const auto event = [&](ImGuiKey which, bool is_down) {
      key(which, is_down);
      if (one_in(4)) draw();
    };
    act.calls.clear();
    for (int i = 0; i < 12; ++i) {
      const chord& next = chords[random() % std::size(chords)];
      if (ctrl != next.ctrl) event(ImGuiKey_LeftCtrl, ctrl = next.ctrl);
      if (shift != next.shift) event(ImGuiKey_LeftShift, shift = next.shift);
      if (down.erase(next.key) != 0) event(next.key, false);
      event(next.key, true);
      down.insert(next.key);
      expected.emplace_back(next.name);
      if (one_in(2)) continue;  // it goes up after the next one
      for (const ImGuiKey up : down) event(up, false);
      down.clear();
    }
    for (const ImGuiKey up : down) event(up, false);
    if (ctrl) event(ImGuiKey_LeftCtrl, false);
    if (shift) event(ImGuiKey_LeftShift, false);
    draw_all();
    EXPECT_EQ(act.calls, expected) << "seed " << seed;
  }
}

}  // namespace
}  // namespace pivotscope
