// The path's transport: which step is shown, and when time moves it. And what the keys do.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/ordered.hpp"
#include "viz/bars/shortcuts.hpp"
#include "viz/state/commands.hpp"
#include "viz/state/key_chord.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope {
namespace {

using viz::frame;
using viz::path_data;
using viz::view_state;

// Writes down what it is asked for.
class told final : public viz::session_actions {
 public:
  void choose_config(const index_config&) override { calls.emplace_back("config"); }
  void choose_workload(const workload&) override { calls.emplace_back("workload"); }
  void choose_batch(std::optional<u64>) override { calls.emplace_back("batch"); }
  void choose_machine(machine_kind) override { calls.emplace_back("machine"); }
  void choose_key(std::optional<question>) override { calls.emplace_back("key"); }
  void choose_random_key(bool hit) override { calls.emplace_back(hit ? "random hit" : "random miss"); }
  void choose_key_at(region_id, u64) override { calls.emplace_back("key at"); }
  void cancel() override { calls.emplace_back("cancel"); }
  void run_again() override { calls.emplace_back("run again"); }
  void measure() override { calls.emplace_back("measure"); }
  void apply(const script& s) override { calls.push_back("apply " + std::to_string(s.size())); }
  void apply_drawn(const viz::update_draw&) override { calls.emplace_back("draw"); }
  void go_to_batch(std::size_t applied) override { calls.push_back("go to " + std::to_string(applied)); }
  void copy_script() override { calls.emplace_back("copy script"); }
  void tune(bool, bool) override { calls.emplace_back("tune"); }
  void find_tuning(bool, bool) override { calls.emplace_back("find tuning"); }
  void verify(const viz::verify_request&) override { calls.emplace_back("verify"); }
  void stop_verifying() override { calls.emplace_back("stop verifying"); }
  void measure_sweep(const viz::sweep_request&) override { calls.emplace_back("measure sweep"); }
  void stop_sweep() override { calls.emplace_back("stop sweep"); }
  void run_memory_benchmark() override {}
  void stop_memory_benchmark() override {}
  void interleave(const viz::interleave_request&) override { calls.emplace_back("interleave"); }
  void search_interleavings(const viz::interleave_search_request&) override { calls.emplace_back("search"); }
  void stop_searching() override { calls.emplace_back("stop searching"); }
  void keep_snapshot(u32, const view_position&, std::string) override { calls.emplace_back("keep snapshot"); }
  void remove_snapshot(u32) override { calls.emplace_back("remove snapshot"); }
  void list_folder(const std::string&) override { calls.emplace_back("list folder"); }
  void read_again() override { calls.emplace_back("read again"); }
  status take_keys(std::string_view text) override {
    calls.push_back("take " + std::string(text));
    return fine();
  }
  void tell(viz::notice what) override { calls.push_back("tell " + what.words); }
  void dismiss(std::size_t) override { calls.emplace_back("dismiss"); }
  void copy_scenario(const view_position& at) override { calls.push_back("copy " + to_line(at)); }
  std::optional<view_position> open_scenario(std::string_view text) override {
    calls.push_back("open " + std::string(text));
    return opens;
  }

  std::vector<std::string> calls;
  std::optional<view_position> opens;  // what the next line names
};

class no_pages final : public viz::slot_source {
 public:
  const std::vector<std::byte>* page(region_id, u64) override { return nullptr; }
};

class transport : public ::testing::Test {
 protected:
  viz::session_view session;
  told act;
  no_pages pages;
  view_state view;
  frame f{session, act, pages, view};

  // Steps on these levels.
  static std::shared_ptr<const path_data> path(std::vector<u32> levels, u64 key = 9, bool range = false) {
    auto made = std::make_shared<path_data>();
    made->trace.key = key;
    if (range) made->trace.asked = operation::range, made->trace.range.emplace();
    for (const u32 level : levels) made->trace.steps.emplace_back().level = level;
    return made;
  }
  void show(std::shared_ptr<const path_data> what) {
    session.path = std::move(what);
    viz::advance_transport(f);
  }
  void frame_at(double now) {
    f.now = now;
    f.moving = false;
    viz::advance_transport(f);
  }
  u32 step() const { return view.transport.step; }
  void press(const std::string& name) {
    for (const viz::command& c : viz::commands())
      if (name == viz::to_text(c.keys)) return c.act(f);
    FAIL() << name;
  }
};

TEST_F(transport, without_a_path_there_is_no_step) {
  frame_at(1);
  EXPECT_EQ(f.trace(), nullptr);
  EXPECT_EQ(f.step(), nullptr);
  viz::go_to_step(f, 3);
  EXPECT_EQ(step(), 0u);
  show(path({}));
  EXPECT_EQ(f.step(), nullptr);
  viz::go_to_step(f, 3);
  EXPECT_EQ(step(), 0u);
}

TEST_F(transport, another_key_begins_at_its_first_step_and_another_index_keeps_the_step) {
  show(path({0, 1, 2, 3}));
  viz::go_to_step(f, 2);
  EXPECT_EQ(f.step(), &session.path->trace.steps[2]);
  show(path({0, 1, 2, 3, 4}));
  EXPECT_EQ(step(), 2u);
  show(path({0, 1}));
  EXPECT_EQ(step(), 1u);
  show(path({0, 1}, 10));
  EXPECT_EQ(step(), 0u);
  viz::go_to_step(f, 1);
  show(path({0, 1}, 10, true));
  EXPECT_EQ(step(), 0u);
  viz::go_to_step(f, 1);
  show(path({}, 10, true));
  EXPECT_EQ(step(), 0u);
  show(nullptr);
  EXPECT_EQ(step(), 0u);
  EXPECT_EQ(f.trace(), nullptr);
}

TEST_F(transport, undo_and_redo_go_by_one_batch_where_there_is_one) {
  press("ctrl Z");
  press("ctrl Y");
  const auto history = [&](std::size_t applied) {
    viz::update_history made;
    made.batches.resize(3);
    made.applied = applied;
    session.updates = std::make_shared<const viz::update_history>(std::move(made));
  };
  history(0);
  press("ctrl Z");
  EXPECT_TRUE(act.calls.empty());
  press("ctrl Y");
  history(2);
  press("ctrl Z");
  press("ctrl Y");
  history(3);
  press("ctrl Y");
  EXPECT_EQ(act.calls, (std::vector<std::string>{"go to 1", "go to 1", "go to 3"}));
}

TEST_F(transport, a_step_beyond_the_end_is_the_last) {
  show(path({0, 1, 2}));
  viz::go_to_step(f, 7);
  EXPECT_EQ(step(), 2u);
  view.transport.step = 9;
  EXPECT_EQ(f.step(), &session.path->trace.steps[2]);
}

TEST_F(transport, time_moves_a_step_when_it_plays_and_stops_at_the_end) {
  view.transport.steps_per_second = 2;
  f.now = 10;
  show(path({0, 1, 2}));
  EXPECT_DOUBLE_EQ(view.transport.next_at, 10.5);
  frame_at(20);
  EXPECT_EQ(step(), 0u);  // it does not play
  EXPECT_FALSE(f.moving);
  press("space");
  EXPECT_TRUE(view.transport.playing);
  EXPECT_DOUBLE_EQ(view.transport.next_at, 20.5);
  frame_at(20.25);
  EXPECT_EQ(step(), 0u);
  EXPECT_TRUE(f.moving);
  frame_at(20.5);
  EXPECT_EQ(step(), 1u);
  EXPECT_DOUBLE_EQ(view.transport.next_at, 21);
  frame_at(20.75);
  EXPECT_EQ(step(), 1u);
  frame_at(21);
  EXPECT_EQ(step(), 2u);
  EXPECT_TRUE(view.transport.playing);
  frame_at(21.25);
  EXPECT_FALSE(view.transport.playing);
  EXPECT_FALSE(f.moving);
  EXPECT_EQ(step(), 2u);
  // From the end it begins again.
  press("space");
  EXPECT_TRUE(view.transport.playing);
  EXPECT_EQ(step(), 0u);
  press("space");
  EXPECT_FALSE(view.transport.playing);
  EXPECT_EQ(step(), 0u);
}

TEST_F(transport, without_a_path_playing_ends) {
  view.transport.playing = true;
  frame_at(1);
  EXPECT_FALSE(view.transport.playing);
}

TEST_F(transport, keys_step_and_stop_the_playing) {
  show(path({0, 1, 2, 3}));
  f.now = 3;
  view.transport.steps_per_second = 4;
  for (const auto& [key, to] : std::vector<std::pair<const char*, u32>>{
           {"right", 1}, {"right", 2}, {"left", 1}, {"end", 3}, {"right", 3}, {"home", 0}, {"left", 0}}) {
    view.transport.playing = true;
    press(key);
    EXPECT_EQ(step(), to) << key;
    EXPECT_FALSE(view.transport.playing);
    EXPECT_DOUBLE_EQ(view.transport.next_at, 3.25);
  }
}

TEST_F(transport, shift_goes_to_the_next_level_and_to_the_one_before) {
  show(path({0, 0, 1, 1, 1, 2}));
  const auto goes = [&](u32 from, const char* key, u32 to) {
    viz::go_to_step(f, from);
    view.transport.playing = true;
    press(key);
    EXPECT_EQ(step(), to) << from << " " << key;
    EXPECT_FALSE(view.transport.playing);
  };
  goes(0, "shift right", 2);
  goes(1, "shift right", 2);
  goes(2, "shift right", 5);
  goes(5, "shift right", 5);
  goes(5, "shift left", 4);
  goes(4, "shift left", 1);
  goes(1, "shift left", 0);
  goes(0, "shift left", 0);
  view.transport.step = 9;  // of a longer path
  press("shift left");
  EXPECT_EQ(step(), 5u);
  show(nullptr);
  press("shift right");
  EXPECT_EQ(step(), 0u);
}

TEST_F(transport, keys_ask_the_session) {
  f.now = 7;
  for (const char* key : {"ctrl R", "ctrl shift R", "ctrl M", "escape", "ctrl C"}) press(key);
  EXPECT_EQ(act.calls, (std::vector<std::string>{"random hit", "random miss", "measure", "cancel", "copy "}));
  EXPECT_EQ(view.copied_at, 7);
}

TEST_F(transport, either_an_index_or_a_step_is_pinned) {
  show(path({0, 1, 2, 3}));
  view.preset = 1;
  viz::compare_with_step(f, 2);
  EXPECT_EQ(view.pinned_step, 2u);
  EXPECT_FALSE(view.pinned);
  EXPECT_EQ(view.preset, 3);
  EXPECT_TRUE(view.reset_layout);
  view.reset_layout = false;
  viz::compare_with_step(f, 1);
  EXPECT_EQ(view.pinned_step, 1u);
  EXPECT_FALSE(view.reset_layout) << "two columns are there";
  press("ctrl 3");
  EXPECT_EQ(view.pinned_step, 1u) << "there is an A";
  EXPECT_FALSE(view.pinned);
  viz::pin_index(view, session.choice.config);
  EXPECT_TRUE(view.pinned);
  EXPECT_FALSE(view.pinned_step);
  viz::pin_step(view, 0);
  EXPECT_FALSE(view.pinned);
  viz::unpin(view);
  EXPECT_FALSE(view.pinned || view.pinned_step);
  press("ctrl 3");
  EXPECT_TRUE(view.pinned) << "there was none";
}

TEST_F(transport, escape_closes_the_list_of_keys_first) {
  press("F1");
  EXPECT_TRUE(view.show_keys);
  press("escape");
  EXPECT_FALSE(view.show_keys);
  EXPECT_TRUE(act.calls.empty());
  press("escape");
  EXPECT_EQ(act.calls, (std::vector<std::string>{"cancel"}));
}

TEST_F(transport, keys_make_everything_larger_and_smaller) {
  press("ctrl +");
  EXPECT_FLOAT_EQ(view.scale, 1.1f);
  press("ctrl -");
  EXPECT_FLOAT_EQ(view.scale, 1);
  for (int i = 0; i < 30; ++i) press("ctrl +");
  EXPECT_FLOAT_EQ(view.scale, viz::greatest_scale);
  for (int i = 0; i < 60; ++i) press("ctrl -");
  EXPECT_FLOAT_EQ(view.scale, viz::least_scale);
  press("ctrl 0");
  EXPECT_EQ(view.scale, 1);
}

TEST_F(transport, keys_lead_to_fields_and_panels) {
  view.open.fill(false);
  press("/");
  EXPECT_TRUE(view.key.focus_next);
  EXPECT_EQ(view.focus, viz::panel::path);
  press("ctrl G");
  EXPECT_TRUE(view.layout.search_slots);
  EXPECT_EQ(view.layout.search.text, "");
  EXPECT_TRUE(view.layout.search.focus_next);
  for (std::size_t i = 0; i < viz::panel_count; ++i)
    EXPECT_EQ(view.open[i],
              static_cast<viz::panel>(i) == viz::panel::path || static_cast<viz::panel>(i) == viz::panel::layout);
  press("ctrl 2");
  EXPECT_EQ(view.preset, 2);
  EXPECT_TRUE(view.reset_layout);
  view.reset_layout = false;
  press("ctrl 1");
  EXPECT_EQ(view.preset, 1);
  EXPECT_TRUE(view.reset_layout);
  press("F1");
  EXPECT_TRUE(view.show_keys);
  press("F1");
  EXPECT_FALSE(view.show_keys);
  EXPECT_FALSE(view.quit);
  press("ctrl Q");
  EXPECT_TRUE(view.quit);
  press("ctrl E");
  EXPECT_TRUE(f.moving);
}

// Dear ImGui without a window or a picture: only its input.
class keyboard : public transport {
 protected:
  keyboard() {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {800, 600};
    io.DeltaTime = 1.0f / 60;
    io.IniFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    ImGui::GetPlatformIO().Platform_GetClipboardTextFn = [](ImGuiContext*) { return "EO+KS"; };
  }
  ~keyboard() override { ImGui::DestroyContext(context_); }

  void draw() {
    ImGui::NewFrame();
    viz::handle_shortcuts(f);
    ImGui::EndFrame();
  }
  void type(ImGuiKeyChord chord) {
    ImGuiIO& io = ImGui::GetIO();
    const auto key = static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_);
    for (const bool down : {true, false}) {
      io.AddKeyEvent(ImGuiMod_Ctrl, down && (chord & ImGuiMod_Ctrl));
      io.AddKeyEvent(ImGuiMod_Shift, down && (chord & ImGuiMod_Shift));
      io.AddKeyEvent(key, down);
      for (u32 frames = 0; frames < 4; ++frames) draw();  // one event a frame
    }
  }

 private:
  ImGuiContext* context_ = ImGui::CreateContext();
};

TEST_F(keyboard, a_key_does_what_the_table_says) {
  show(path({0, 1, 2}));
  draw();
  type(ImGuiKey_RightArrow);
  EXPECT_EQ(step(), 1u);
  type(ImGuiKey_End);
  EXPECT_EQ(step(), 2u);
  type(ImGuiMod_Shift | ImGuiKey_LeftArrow);
  EXPECT_EQ(step(), 1u);
  type(ImGuiMod_Ctrl | ImGuiKey_M);
  type(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_R);
  type(ImGuiMod_Ctrl | ImGuiKey_R);
  type(ImGuiKey_Escape);
  type(ImGuiMod_Ctrl | ImGuiKey_C);
  type(ImGuiMod_Ctrl | ImGuiKey_V);
  EXPECT_EQ(act.calls,
            (std::vector<std::string>{"measure", "random miss", "random hit", "cancel", "copy ", "open EO+KS"}));
  ImGui::GetPlatformIO().Platform_GetClipboardTextFn = [](ImGuiContext*) -> const char* { return nullptr; };
  type(ImGuiMod_Ctrl | ImGuiKey_V);
  EXPECT_EQ(act.calls.back(), "open ");
}

TEST_F(keyboard, a_held_arrow_goes_on_and_a_held_letter_does_not) {
  show(path({0, 1, 2, 3, 4, 5, 6, 7}));
  draw();
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, true);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_M, true);
  for (u32 frames = 0; frames < 60; ++frames) draw();  // a second
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, false);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_RightArrow, true);
  for (u32 frames = 0; frames < 60; ++frames) draw();
  EXPECT_EQ(step(), 7u);
  EXPECT_EQ(act.calls, std::vector<std::string>{"measure"});
}

}  // namespace
}  // namespace pivotscope
