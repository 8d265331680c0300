// Every command that has keys, by its keys, in the real window: what it does is seen.
#include <imgui_internal.h>

#include <functional>
#include <map>
#include <set>
#include <string>

#include "core/index/config_text.hpp"
#include "core/workload/script_text.hpp"
#include "tests/window/window_driver.hpp"
#include "viz/state/commands.hpp"
#include "viz/state/key_chord.hpp"
#include "viz/state/key_order.hpp"

namespace pivotscope {
namespace {

class every_key : public window_test {
 protected:
  // By a command's id: what is made so before, and what its keys bring.
  struct expectation {
    std::function<void()> before;
    std::function<bool()> after;
  };

  bool at(u32 wanted) { return step() == wanted; }
  u32 last() { return steps() - 1; }
  void go(u32 to) { view().transport.step = to; }
  const trace_step& shown() { return now().path->trace.steps[step()]; }
  bool on_field(const viz::entry_state& field) { return !field.focus_next && ImGui::GetIO().WantTextInput; }

  std::map<std::string, expectation> expectations() {
    const auto go_to = [this](u32 to) { return [this, to] { go(to); }; };
    const auto is_at = [this](u32 to) { return [this, to] { return at(to); }; };
    const auto nothing = [] {};
    const auto keep_key = [this] { key_before_ = now().choice.key; };
    const auto arranged = [this](int preset) {
      return [this, preset] { return view().preset == preset && !view().reset_layout; };
    };
    return {
        {"play", {go_to(0), [this] { return step() > 0; }}},
        {"step-on", {go_to(0), is_at(1)}},
        {"step-back", {go_to(3), is_at(2)}},
        {"level-on", {go_to(0), [this] { return shown().level == 1; }}},
        {"level-back", {go_to(3), [this] { return shown().level == 2; }}},
        {"first-step", {go_to(3), is_at(0)}},
        {"last-step", {go_to(0), [this] { return at(last()); }}},
        {"stop-on", {go_to(0), [this] { return at(last()); }}},
        {"stop-back", {go_to(3), is_at(0)}},
        {"lookup-on", {keep_key, [this] { return now().choice.key != key_before_; }}},
        {"lookup-back", {keep_key, [this] { return now().choice.key != key_before_; }}},
        {"build", {nothing, [this] { return view().build.on; }}},
        {"find-key", {nothing, [this] { return on_field(view().key); }}},
        {"find-slot", {nothing, [this] { return on_field(view().layout.search); }}},
        {"random-hit", {keep_key, [this] { return now().choice.key != key_before_ && found(); }}},
        {"random-miss", {keep_key, [this] { return now().choice.key != key_before_ && !found(); }}},
        {"type-batch", {[this] { change(1); }, [this] { return on_field(view().updates.typed); }}},
        {"undo", {[this] { change(1); }, [this] { return now().updates->applied == 0; }}},
        {"redo", {[this] { change(1), change(0); }, [this] { return now().updates->applied == 1; }}},
        {"fit", {[this] { camera().go_to(10, 20), draw_frames(60); }, [this] { return camera().shows_all(); }}},
        {"boxes-down", {[this] { have_scene(); }, [this] { return view().scene.boxes == 0u; }}},
        {"boxes-up", {[this] { have_scene(), view().scene.boxes = 0; }, [this] { return !view().scene.boxes; }}},
        {"measure", {nothing, [this] { return now().runs->back().origin == viz::provenance::measured; }}},
        {"baseline",
         {[this] {
            state().measure();
            until([&] { return now().runs->back().origin == viz::provenance::measured && !now().job.running; });
            draw_frames(2);
          },
          [this] { return view().baseline != nullptr; }}},
        {"escape", {[this] { view().show_keys = true; }, [this] { return !view().show_keys; }}},
        {"larger", {nothing, [this] { return view().scale > 1; }}},
        {"smaller", {nothing, [this] { return view().scale < 1; }}},
        {"usual-size", {[this] { view().scale = 1.2f; }, [this] { return view().scale == 1; }}},
        {"learn", {[this] { view().preset = 2; }, arranged(1)}},
        {"tune", {nothing, arranged(2)}},
        {"compare", {nothing, [this] { return view().preset == 3 && view().pinned.has_value(); }}},
        {"copy",
         {[] { ImGui::SetClipboardText(""); },
          [] { return std::string(ImGui::GetClipboardText()).starts_with("EO+BS"); }}},
        {"paste",
         {[] { ImGui::SetClipboardText("AO+BS keys=100 distribution=dense lookups=10"); },
          [this] { return to_line(now().choice.config) == "AO+BS" && now().choice.load.keys == 100; }}},
        {"commands", {nothing, [this] { return view().palette.open; }}},
        {"close", {nothing, [this] { return view().quit; }}},
        {"keys", {nothing, [this] { return view().show_keys; }}},
    };
  }
  // Goes over to an index that changes, with a batch that is applied or undone.
  void change(std::size_t applied) {
    if (to_line(now().choice.config) != "PLAIN") {
      state().choose_config(*config_from_line("PLAIN"));
      state().apply(*script_from_text("insert 5\n", key_width::u32));
    } else {
      state().go_to_batch(applied);
    }
    ASSERT_TRUE(until([&] { return !now().job.running && now().updates && now().updates->applied == applied; }));
  }
  // Goes over to an index whose lookups are rays.
  void have_scene() {
    view().scene.boxes.reset();
    state().choose_config(*config_from_line("RX"));
    ASSERT_TRUE(
        until([&] { return !now().job.running && now().index && now().index->config() == *config_from_line("RX"); }));
  }
  // A sign is what the keyboard types, which with ctrl GLFW alone tells.
  static void press(ImGuiTestContext& hand, ImGuiKeyChord keys) {
    const auto sign = static_cast<char>(keys & ~ImGuiMod_Mask_);
    if (!viz::is_sign(keys))
      hand.KeyPress(keys);
    else if ((keys & ImGuiMod_Ctrl) != 0)
      viz::note_typed(static_cast<unsigned>(sign), ImGuiMod_Ctrl);
    else
      hand.KeyChars(std::string(1, sign).c_str());
  }
  bool found() { return now().path && now().path->trace.row != not_found; }
  viz::strip_camera& camera() { return view().layout.lower.camera; }

  // The window as it was opened.
  void restore() {
    ImGui::ClearActiveID();
    ImGui::SetNavCursorVisible(false);  // else keys are for the control that it is on
    view().key.text.clear();
    view().updates.typed = {};
    view().show_keys = view().palette.open = view().quit = view().build.on = view().transport.playing = false;
    view().pinned.reset();
    view().scale = 1;
    if (view().preset != 1) view().preset = 1, view().reset_layout = true;
    if (to_line(now().choice.config) != "EO+BS") {
      state().choose_config(*config_from_line("EO+BS"));
      state().choose_workload(load_);
    }
    ASSERT_TRUE(until_settled());
    go(0);
    draw_frames(3);
  }

  const workload load_{.keys = 1000, .dist = distribution::uniform, .lookups = 200, .hits = 0.5};
  std::optional<question> key_before_;
};

TEST_F(every_key, DoesWhatTheListSays) {
  window_options start;
  start.config = *config_from_line("EO+BS");
  start.load = load_;
  open(start);
  view().transport.steps_per_second = 50;
  ASSERT_TRUE(until_settled());
  const std::map<std::string, expectation> expected = expectations();
  std::set<std::string> pressed;
  perform([&](ImGuiTestContext& hand) {
    for (const viz::command& c : viz::commands()) {
      if (c.keys == ImGuiKey_None) continue;
      SCOPED_TRACE(c.id);
      ASSERT_TRUE(expected.contains(c.id)) << "a command that this test does not know";
      restore();
      expected.at(c.id).before();
      draw_frames(2);
      EXPECT_FALSE(expected.at(c.id).after()) << "before its keys were pressed";
      press(hand, c.keys);
      EXPECT_TRUE(until(expected.at(c.id).after));
      pressed.insert(c.id);
    }
    restore();
  });
  EXPECT_EQ(pressed.size(), expected.size());
  EXPECT_TRUE(now().notices.empty());
}

}  // namespace
}  // namespace pivotscope
