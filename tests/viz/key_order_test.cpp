// Several keys between two frames: each shortcut acts once, in their order, and what is typed for a field comes to it.
#include "viz/state/key_order.hpp"

#include <gtest/gtest.h>
#include <imgui.h>
#include <misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/support/deaf_session.hpp"
#include "viz/bars/shortcuts.hpp"

namespace pivotscope {
namespace {

class writes_keys_down final : public testing::deaf_session {
 public:
  void choose_random_key(bool hit) override { calls.emplace_back(hit ? "r" : "shift r"); }
  void cancel() override { calls.emplace_back("escape"); }
  void measure() override { calls.emplace_back("m"); }
  void copy_scenario(const view_position&) override { calls.emplace_back("ctrl C"); }
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
  void ctrl(ImGuiKey which) { press(ImGuiKey_LeftCtrl, which); }
  void type(const char* digits) {
    for (; *digits != 0; ++digits)
      press(static_cast<ImGuiKey>(ImGuiKey_0 + *digits - '0'), std::string(1, *digits).c_str());
  }
  void field(const char* name, viz::entry_state& entry) {
    if (entry.focus_next) ImGui::SetKeyboardFocusHere();
    entry.focus_next = false;
    if (ImGui::InputText(name, &entry.text, ImGuiInputTextFlags_EnterReturnsTrue)) {
      entered.push_back(entry.text);
      entry.text.clear();
    }
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
  for (int i = 0; i < 2; ++i) ctrl(ImGuiKey_R), ctrl(ImGuiKey_M);
  ctrl(ImGuiKey_C);
  press(ImGuiKey_Escape);
  ctrl(ImGuiKey_R);
  draw_all();
  EXPECT_EQ(act.calls, (std::vector<std::string>{"r", "m", "r", "m", "ctrl C", "escape", "r"}));
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
  key(ImGuiKey_LeftCtrl, true);
  key(ImGuiKey_R, true);
  key(ImGuiKey_LeftShift, true);
  key(ImGuiKey_R, false);
  press(ImGuiKey_R);
  key(ImGuiKey_LeftShift, false);
  key(ImGuiKey_LeftCtrl, false);
  draw_all();
  EXPECT_EQ(act.calls, (std::vector<std::string>{"r", "shift r"}));
}

TEST_F(slow_frames, what_follows_ctrl_g_and_slash_is_typed_into_their_fields) {
  ctrl(ImGuiKey_G);
  type("123");
  press(ImGuiKey_Enter);
  ctrl(ImGuiKey_M);
  press(ImGuiKey_Slash, "/");
  type("5");
  press(ImGuiKey_Enter);
  ctrl(ImGuiKey_R);
  draw_all();
  EXPECT_EQ(entered, (std::vector<std::string>{"123", "5"}));
  EXPECT_EQ(act.calls, (std::vector<std::string>{"m", "r"}));
}

// The sign counts, wherever the keyboard has it.
TEST_F(slow_frames, a_slash_is_what_types_one) {
  key(ImGuiKey_LeftShift, true);
  press(ImGuiKey_7, "/");
  key(ImGuiKey_LeftShift, false);
  type("41");
  press(ImGuiKey_Enter);
  draw_all();
  EXPECT_EQ(entered, std::vector<std::string>{"41"});
}

TEST_F(slow_frames, ctrl_and_what_types_plus_is_larger) {
  const float before = view.scale;
  for (const char sign : {'+', '='}) {
    viz::note_typed(static_cast<unsigned>(sign), ImGuiMod_Ctrl);
    draw_all();
  }
  EXPECT_NEAR(view.scale, before * 1.2f, 0.02f);
  viz::note_typed('-', ImGuiMod_Ctrl | ImGuiMod_Shift);
  draw_all();
  EXPECT_NEAR(view.scale, before * 1.1f, 0.02f);
  viz::note_typed('+', ImGuiMod_Alt);
  viz::note_typed('c', ImGuiMod_Ctrl);
  draw_all();
  EXPECT_NEAR(view.scale, before * 1.1f, 0.02f);
  EXPECT_TRUE(act.calls.empty());
}

TEST_F(slow_frames, digits_with_ctrl_are_those_of_the_number_pad_too) {
  ctrl(ImGuiKey_Keypad2);
  draw_all();
  EXPECT_EQ(view.preset, 2);
}

TEST_F(slow_frames, digits_that_no_field_waits_for_are_the_next_key) {
  for (const char* key : {"4294967295", "7"}) {
    type(key);
    press(ImGuiKey_Enter);
  }
  press(ImGuiKey_Period, ">");
  type("12");
  press(ImGuiKey_Enter);
  draw_all();
  EXPECT_EQ(entered, (std::vector<std::string>{"4294967295", "7", ">12"}));
  EXPECT_EQ(view.preset, 1) << "2 and 3 were no arrangements";
}

TEST_F(slow_frames, a_word_acts_on_nothing) {
  for (const char* word = "customer_id"; *word != 0; ++word) {
    const bool letter = *word != '_';
    press(letter ? static_cast<ImGuiKey>(ImGuiKey_A + *word - 'a') : ImGuiKey_Minus, std::string(1, *word).c_str());
  }
  draw_all();
  EXPECT_TRUE(act.calls.empty());
  EXPECT_TRUE(entered.empty());
  EXPECT_FALSE(viz::types_into_field());
  EXPECT_FALSE(view.focus.has_value());
}

TEST_F(slow_frames, a_field_that_never_comes_gives_the_keys_back) {
  fields_are_seen = false;
  ctrl(ImGuiKey_G);
  ctrl(ImGuiKey_M);
  draw_all();
  EXPECT_EQ(act.calls, std::vector<std::string>{"m"});
  // And digits are gone.
  type("12");
  draw_all();
  EXPECT_FALSE(viz::key_order::waits());
  ctrl(ImGuiKey_R);
  draw_all();
  EXPECT_EQ(act.calls, (std::vector<std::string>{"m", "r"}));
}

TEST_F(slow_frames, any_keys_in_any_frames_act_as_one_by_one) {
  struct chord {
    const char* name;
    ImGuiKey key;
    bool ctrl = false, shift = false;
  };
  static constexpr chord chords[] = {{"r", ImGuiKey_R, true},     {"shift r", ImGuiKey_R, true, true},
                                     {"m", ImGuiKey_M, true},     {"ctrl C", ImGuiKey_C, true},
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
