#include "tests/window/window_driver.hpp"

#include "core/machine/trace/trace.hpp"
#include "tests/support/ordered.hpp"

#include <fmt/format.h>

#include <cfloat>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <utility>

namespace pivotscope {
namespace {

// What passes from one frame to the next, as the window and the test engine see it: a double click stays one on a
// machine that draws three frames a second.
constexpr float frame_seconds = 1.0f / 60;
constexpr double patience_seconds = 150;
// What is waited for has the processor meanwhile. A pass is over in less; the program gives it longer.
constexpr std::chrono::milliseconds between_frames{1}, beside_a_pass{20};

}  // namespace

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void window_test::end_frame(bool seen) {
  // Paint by a processor is nine tenths of a frame. The night has all painted.
  static const bool paints_all = std::getenv("PIVOTSCOPE_PAINT_ALL") != nullptr;
  window_->keep_frames(seen);
  window_->end_frame(seen || paints_all);
  ImGuiTestEngine_PostSwap(engine_);  // the clock of the next frame
}

void window_test::SetUp() {}

void window_test::TearDown() { close(); }

void window_test::open(const window_options& options, int width, int height, bool off_screen) {
  gl_window_options shape;
  shape.width = width;
  shape.height = height;
  shape.off_screen = off_screen;
  outcome<std::unique_ptr<gl_window>> opened = gl_window::open(shape);
  ASSERT_TRUE(opened.ok()) << opened.error().words;
  window_ = std::move(*opened);
  keeps_ = !off_screen;
  settings fresh = remembered_;
  fresh.motion = false;  // tests of motion switch it on
  window_options start = options;
  if (!start.machine) start.machine = machine_kind::cpu;
  start.remember = reads_own_lessons_;
  bench_ = std::make_unique<workbench>(start, fresh, &window_->room());
  engine_ = ImGuiTestEngine_CreateContext();
  ImGuiTestEngineIO& io = ImGuiTestEngine_GetIO(engine_);
  io.ConfigSavedSettings = false;
  io.ConfigCaptureEnabled = false;
  io.ConfigMouseDrawCursor = false;
  io.ConfigVerboseLevel = ImGuiTestVerboseLevel_Warning;
  io.ConfigVerboseLevelOnError = ImGuiTestVerboseLevel_Info;
  io.ConfigLogToTTY = true;
  io.ConfigFixedDeltaTime = frame_seconds;
  io.ConfigWatchdogWarning = io.ConfigWatchdogKillTest = io.ConfigWatchdogKillApp = FLT_MAX;  // ctest has one
  ImGuiTestEngine_Start(engine_, ImGui::GetCurrentContext());
  draw_frames(6);
}

void window_test::close() {
  bench_.reset();
  if (engine_) ImGuiTestEngine_Stop(engine_);
  window_.reset();
  if (engine_) ImGuiTestEngine_DestroyContext(engine_);
  engine_ = nullptr;
}

bool window_test::draw_frame() {
  window_->begin_frame(bench_->field_is_coming());
  watch_.forget();
  const bool moving = bench_->draw() || viz::key_order::waits();
  end_frame(keeps_ || bench_->wants_picture());
  if (bench_->wants_picture()) bench_->give_picture(window_->last_frame());
  // Here, and not where deeds wait: they run within a frame, and a pass waits for its end.
  if (rests_) std::this_thread::sleep_for(window_->measuring() ? beside_a_pass : between_frames);
  return moving;
}

void window_test::draw_frames(int count) {
  if (hand_) return hand_->Yield(count);
  for (int i = 0; i < count; ++i) draw_frame();
}

void window_test::perform(std::function<void(ImGuiTestContext&)> deeds) {
  struct performance {
    window_test* test;
    std::function<void(ImGuiTestContext&)> deeds;
  } what{this, std::move(deeds)};
  ImGuiTest* test = ImGuiTestEngine_RegisterTest(engine_, "window", "deeds", __FILE__, __LINE__);
  test->UserData = &what;
  test->TestFunc = [](ImGuiTestContext* hand) {
    auto& p = *static_cast<performance*>(hand->Test->UserData);
    p.test->hand_ = hand;
    p.deeds(*hand);
    p.test->hand_ = nullptr;
  };
  ImGuiTestEngine_QueueTest(engine_, test, ImGuiTestRunFlags_RunFromCommandLine);
  while (!ImGuiTestEngine_IsTestQueueEmpty(engine_)) draw_frame();
  EXPECT_EQ(test->Output.Status, ImGuiTestStatus_Success)
      << "the test engine could not do what was asked: see its log above";
  ImGuiTestEngine_UnregisterTest(engine_, test);
}

bool window_test::until(const std::function<bool()>& is_so) {
  const double give_up = processor_seconds() + patience_seconds;
  const bool rested = std::exchange(rests_, true);
  while (!is_so()) {
    if (processor_seconds() > give_up) {
      rests_ = rested;
      return false;
    }
    draw_frames(1);
  }
  rests_ = rested;
  draw_frames(2);
  return true;
}

bool window_test::until_settled() {
  return until([&] {
    const viz::session_view v = now();
    if (v.job.running || !v.index || !(v.index->config() == v.choice.config)) return false;
    if (v.index->keys() != v.choice.load.keys) return false;
    const bool run =
        !v.runs->empty() && v.runs->back().record.config == v.choice.config && v.runs->back().load == v.choice.load;
    if (batch_size(v.choice.load) > 0 && !run) return false;
    return !v.choice.key || (v.path && v.path->index == v.index && question_of(v.path->trace) == *v.choice.key);
  });
}

void window_test::take_picture(const std::string& name) {
  draw_frames(2);
  const picture seen = next_frame();
  if (seen.width >= 1280 && seen.height >= 720) expect_no_text_is_cut(name);
  expect_picture(name, seen);
}

void window_test::expect_no_text_is_cut(const std::string& where) {
  const viz::layout_state& layout = view().layout;
  const bool zoomed =
      !layout.lower.camera.shows_all() || (layout.upper.camera.cells() > 0 && !layout.upper.camera.shows_all());
  for (const drawn_text& t : watch_.texts()) {
    if (t.window == "Source")
      continue;  // code is longer than its part, which scrolls sideways, with a bar that says so
    if (t.window == "Layout" && zoomed) continue;  // a map: its cells go on beyond its edges
    if (t.cut() && said_.insert(t.window + t.words).second)
      ADD_FAILURE() << fmt::format("CUT {}, {}: \"{}\" is at {:.0f} to {:.0f}, and seen from {:.0f} to {:.0f}", where,
                                   t.window, t.words, t.box.Min.x, t.box.Max.x, t.clip.Min.x, t.clip.Max.x);
  }
}

picture window_test::next_frame() {
  const bool kept = std::exchange(keeps_, true);
  draw_frames(2);  // inside perform() the first may have been drawn already
  keeps_ = kept;
  return window_->last_frame();
}

void window_test::expect_picture(const std::string& name, const picture& seen) {
  const status written = write_png((test_pictures_folder() / (name + ".png")).string(), seen);
  EXPECT_TRUE(written.ok()) << written.error().words;
  // A picture of nothing has one colour.
  bool varied = false;
  for (std::size_t i = 3; i < seen.rgb.size() && !varied; i += 3) varied = seen.rgb[i] != seen.rgb[0];
  EXPECT_TRUE(varied) << name << " is blank";
}

std::string window_test::panel_item(viz::panel which, const std::string& item) {
  return std::string("//") + viz::name_of(which) + "/" + item;
}

}  // namespace pivotscope
