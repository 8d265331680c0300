#include "app/window/workbench.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <iterator>
#include <utility>

#include "app/files/lesson_files.hpp"
#include "app/files/scenario_text.hpp"
#include "app/session/told_batch.hpp"
#include "app/window/gl_window.hpp"
#include "app/window/presets.hpp"
#include "core/index/check.hpp"
#include "core/tuning/name_alone.hpp"
#include "core/workload/own_numbers.hpp"
#include "viz/bars/bars.hpp"
#include "viz/bars/notice_strip.hpp"
#include "viz/bars/palette.hpp"
#include "viz/bars/picture_caption.hpp"
#include "viz/bars/shortcuts.hpp"
#include "viz/panels/panels.hpp"
#include "viz/parts/picture_menu.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/state/lesson_progress.hpp"
#include "viz/state/opening.hpp"
#include "viz/theme/theme.hpp"

namespace pivotscope {
namespace {

constexpr const char *tree_of_a = "Tree of A", *layout_of_a = "Layout of A", *scene_of_a = "Scene of A";

struct panel_entry {
  viz::panel which;
  void (*draw)(viz::frame&);
};
constexpr std::array<panel_entry, viz::panel_count> panels = {{{viz::panel::index, viz::index_panel},
                                                               {viz::panel::workload, viz::workload_panel},
                                                               {viz::panel::tree, viz::tree_panel},
                                                               {viz::panel::layout, viz::layout_panel},
                                                               {viz::panel::tile, viz::tile_panel},
                                                               {viz::panel::warp, viz::warp_panel},
                                                               {viz::panel::memory, viz::memory_panel},
                                                               {viz::panel::path, viz::path_panel},
                                                               {viz::panel::source, viz::source_panel},
                                                               {viz::panel::timings, viz::timings_panel},
                                                               {viz::panel::machine, viz::machine_panel},
                                                               {viz::panel::advice, viz::advice_panel},
                                                               {viz::panel::compare, viz::compare_panel},
                                                               {viz::panel::lesson, viz::lesson_panel},
                                                               {viz::panel::verify, viz::verify_panel},
                                                               {viz::panel::snapshots, viz::snapshots_panel},
                                                               {viz::panel::probes, viz::probes_panel},
                                                               {viz::panel::updates, viz::updates_panel},
                                                               {viz::panel::interleave, viz::interleave_panel},
                                                               {viz::panel::fill, viz::fill_panel},
                                                               {viz::panel::plots, viz::plots_panel},
                                                               {viz::panel::values, viz::values_panel},
                                                               {viz::panel::scene, viz::scene_panel}}};

// Every panel once: one that is left out would be Workload again.
static_assert([] {
  u32 drawn = 0;
  for (const panel_entry& entry : panels) drawn |= 1u << static_cast<u32>(entry.which);
  return drawn == (1u << viz::panel_count) - 1;
}());

// Of this thread alone: what others do on a loaded machine does not count.
double thread_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

// The choice to begin with: what was asked for, else what was remembered, else the papers' example.
viz::session_choice begin_with(const window_options& options, const settings& remembered) {
  viz::session_choice choice = first_choice();
  if (!remembered.scenario.empty()) {
    if (const outcome<scenario_text> saved = scenario_from_line(remembered.scenario); saved.ok()) {
      if (saved->config) choice.config = *saved->config;
      if (saved->load) choice.load = *saved->load;
      choice.key = saved->key;
    }
  }
  choice.batch_told = remembered.batch_told.value_or(!is_usual_batch(choice));
  if (options.load) choice.load = *options.load, choice.batch_told = options.batch_told;
  // A key of another key set says nothing here: the session draws one.
  if (options.load) choice.key = choice.load.dist == distribution::paper ? first_choice().key : std::nullopt;
  if (options.key) choice.key = options.key;
  if (options.machine)
    choice.machine = *options.machine;
  else if (remembered.machine)
    choice.machine = *remembered.machine;
  if (options.config) {
    choice.config = options.config->config;
    if (options.config->name_alone) {
      const std::vector<machine_report> found = options.from.find();
      const bool chosen = options.machine || remembered.machine;
      const auto best = std::find_if(found.begin(), found.end(), [](const auto& one) { return one.available; });
      const machine_kind on = chosen || best == found.end() ? choice.machine : best->kind;
      choice.config = config_for(*options.config, choice.load.keys, on, found);
    }
  }
  if (check(choice.load, choice.config.keys)) choice.load = workload{}, choice.batch_told = false;
  return choice;
}

}  // namespace

viz::session_choice first_choice() {
  viz::session_choice choice;
  choice.key = 9;
  return choice;
}

workbench::workbench(const window_options& options, const settings& remembered, timing_turns* room)
    : options_(options), room_(room), saved_panels_(remembered.panels) {
  view_.light = remembered.light;
  view_.motion = remembered.motion;
  view_.scale = remembered.scale;
  view_.preset = remembered.preset;
  view_.transport.steps_per_second = remembered.steps_per_second;
  if (!remembered.interleave.empty()) view_.interleave.line.text = remembered.interleave;
  view_.reset_layout = saved_panels_.empty();
  // Whoever comes for the first time and asks for nothing is offered the lessons.
  lesson_first_ = saved_panels_.empty() && !options.config && !options.load && !options.key;
  session_options s = options_of_session(begin_with(options, remembered), options.machine || remembered.machine);
  if (const std::filesystem::path remembers = settings_path(); !remembers.empty())
    s.data_folder = remembers.parent_path();
  session_ = std::make_unique<session>(std::move(s));
  if (view_.preset == 3) view_.pinned = session_->view().choice.config;
  load_lessons(remembered, options.remember);
}

session_options workbench::options_of_session(const viz::session_choice& start, bool machine_chosen) const {
  return {.start = start,
          .machine_chosen = machine_chosen,
          .machines = options_.machines,
          .from = options_.from,
          .wake = wake_window,
          .set_clipboard = [](const std::string& text) { ImGui::SetClipboardText(text.c_str()); },
          .room = room_};
}

void workbench::load_lessons(const settings& remembered, bool own_too) {
  view_.lessons.finished = remembered.lessons_done;
  found_lessons found = lessons_in(lessons_folder(), false);
  const std::filesystem::path own = own_too ? own_lessons_folder() : std::filesystem::path();
  if (!own.empty()) {
    found_lessons theirs = lessons_in(own, true);
    std::move(theirs.all.begin(), theirs.all.end(), std::back_inserter(found.all));
    std::move(theirs.problems.begin(), theirs.problems.end(), std::back_inserter(found.problems));
    view_.lessons.own_folder = own.string();
  }
  for (std::string& words : found.problems) session_->tell({std::move(words), false});
  view_.lessons.all = std::make_shared<const std::vector<viz::lesson>>(std::move(found.all));
}

// Not behind a tab that one needs beside it.
bool workbench::lesson_has_room() const {
  const ImGuiWindow* window = ImGui::FindWindowByName(viz::name_of(viz::panel::lesson));
  return window && (!window->DockNode || window->DockNode->Windows.Size == 1);
}

std::string workbench::scenario_line() const { return session_->scenario_line(viz::place_in_view(shown_, view_)); }

settings workbench::to_remember() const {
  settings s;
  const viz::session_view now = session_->view();
  s.scenario = session_->scenario_line();
  s.batch_told = now.choice.batch_told;
  s.machine = now.choice.machine;
  s.light = view_.light;
  s.motion = view_.motion;
  s.scale = view_.scale;
  s.preset = view_.preset;
  s.steps_per_second = view_.transport.steps_per_second;
  s.lessons_done = view_.lessons.finished;
  if (view_.interleave.of) s.interleave = to_text(*view_.interleave.of);
  if (const char* panel_words = ImGui::SaveIniSettingsToMemory()) s.panels = panel_words;
  return s;
}

void workbench::take_keys(loaded_keys loaded) {
  view_.keys = std::move(loaded.keys);
  for (std::string& words : loaded.problems) session_->tell({std::move(words), false});
}

void workbench::keep_changed_keys(const std::filesystem::path& path) {
  if (!std::exchange(view_.keys_changed, false)) return;
  const outcome<std::string> kept = save_keys(path, view_.keys);
  const std::string& told = kept.ok() ? *kept : kept.error().words;
  if (!told.empty()) session_->tell({told, !kept.ok()});
}

bool workbench::ends_within(std::chrono::milliseconds patience) {
  const auto give_up = std::chrono::steady_clock::now() + patience;
  for (const auto& last : {&session_, &pinned_})
    if (*last) (*last)->stop();
  ended_ = std::async(std::launch::async, [a = std::move(pinned_), b = std::move(session_)]() mutable {
    a.reset();
    b.reset();
  });
  const auto is_done = [&](const std::future<void>& end) {
    return !end.valid() || end.wait_until(give_up) == std::future_status::ready;
  };
  return is_done(ended_) && is_done(unpinned_);
}

void workbench::take_files(const std::vector<std::string>& paths) {
  if (paths.empty()) return;
  const std::string& path = paths.front();
  // A table has several columns: of one that was only dropped it is the first.
  const bool table = path.ends_with(".csv") || path.ends_with(".tsv");
  session_->choose_workload(with_keys(session_->view().choice.load, {.file = path, .column = table ? "1" : ""}));
  view_.open[static_cast<std::size_t>(viz::panel::workload)] = true;
  view_.focus = viz::panel::workload;
  if (paths.size() > 1) session_->tell({"Several files were dropped, and the keys of the first are taken.", false});
}

// Where the views of the index are, when they are all to be seen.
pixel_rect workbench::picture_part(const picture& whole) const {
  ImRect part;
  bool any = false;
  for (const viz::panel which : {viz::panel::tree, viz::panel::layout}) {
    const ImGuiWindow* window = ImGui::FindWindowByName(viz::name_of(which));
    if (!window || !window->Active || window->Hidden) continue;
    any ? part.Add(window->Rect()) : void(part = window->Rect());
    any = true;
  }
  if (!any) return {0, 0, whole.width, whole.height};
  const ImVec2 pixels = ImGui::GetIO().DisplayFramebufferScale;
  return {static_cast<int>(part.Min.x * pixels.x), static_cast<int>(part.Min.y * pixels.y),
          static_cast<int>(part.Max.x * pixels.x), static_cast<int>(part.Max.y * pixels.y)};
}

void workbench::give_picture(const picture& frame) {
  if (taker_.wants_frame()) taker_.take(frame, view_, *session_, scenario_line());
  const std::optional<u32> slot = std::exchange(view_.snapshots.wanted, std::nullopt);
  if (!slot) return;
  constexpr int width = 480;
  const outcome<std::string> png = png_of(small_picture(frame, picture_part(frame), width));
  session_->keep_snapshot(*slot, viz::place_in_view(shown_, view_), png ? *png : std::string());
}

void workbench::draw_bar(const char* name, int side, float height, bool on_ground, void (*content)(viz::frame&),
                         viz::frame& f) {
  if (height <= 0) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, on_ground ? viz::theme().ground : viz::theme().panel);
  constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoScrollbar |
                                     ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoMove |
                                     ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoDocking |
                                     ImGuiWindowFlags_NoSavedSettings;
  const bool open =
      ImGui::BeginViewportSideBar(name, ImGui::GetMainViewport(), static_cast<ImGuiDir>(side), height, flags);
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
  if (open) content(f);
  ImGui::End();
}

void workbench::draw_panels(viz::frame& f) {
  const std::optional<viz::panel> focus = std::exchange(view_.focus, std::nullopt);
  for (const panel_entry& entry : panels) {
    bool& open = view_.open[static_cast<std::size_t>(entry.which)];
    bool& seen = view_.seen[static_cast<std::size_t>(entry.which)];
    seen = false;
    if (!open) continue;
    if (focus == entry.which) ImGui::SetNextWindowFocus();
    ImGui::SetNextWindowSize({viz::px(360), viz::px(420)}, ImGuiCond_FirstUseEver);
    // One that a remembered arrangement does not know yet goes beside Layout.
    if (const ImGuiWindow* layout = ImGui::FindWindowByName(viz::name_of(viz::panel::layout)); layout && layout->DockId)
      ImGui::SetNextWindowDockID(layout->DockId, ImGuiCond_FirstUseEver);
    seen = ImGui::Begin(viz::name_of(entry.which), &open,
                        ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoFocusOnAppearing);
    if (seen && viz::is_view(entry.which) && ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows))
      view_.looked_at = entry.which;
    viz::panel_menu(f, entry.which);
    if (seen) entry.draw(f);
    ImGui::End();
  }
}

void workbench::keep_pinned() {
  if (!view_.pinned) {
    const bool ends = pinned_ || (step_was_pinned_ && !view_.pinned_step);
    step_was_pinned_ = view_.pinned_step.has_value();
    if (pinned_) unpinned_ = std::async(std::launch::async, [last = std::move(pinned_)]() mutable { last.reset(); });
    if (ends) pinned_view_ = {};  // and with it the index that it is of
    pinned_shown_ = view_.pinned_step ? shown_ : viz::session_view{};
    return;
  }
  viz::session_choice wanted = shown_.choice;
  wanted.config = *view_.pinned;
  wanted.batch_told = true;  // it is B's
  if (!pinned_) {
    pinned_ = std::make_unique<session>(options_of_session(wanted, true));
    pinned_view_ = {};
    pinned_asked_ = wanted;
  }
  // Asked for once: what A's keys cannot be is said once, too.
  viz::session_choice& asked = pinned_asked_;
  if (!(asked.config == wanted.config)) pinned_->choose_config(wanted.config);
  if (!(asked.load == wanted.load)) pinned_->choose_workload(wanted.load);
  if (asked.machine != wanted.machine) pinned_->choose_machine(wanted.machine);
  asked = wanted;
  pinned_shown_ = pinned_->view();
  if (wanted.key && pinned_shown_.choice.key != wanted.key) pinned_->choose_key(wanted.key);
  for (const viz::notice& n : pinned_shown_.notices) session_->tell({"A: " + n.words, n.fault});
  for (std::size_t i = pinned_shown_.notices.size(); i-- > 0;) pinned_->dismiss(i);
}

void workbench::draw_pinned(viz::frame& a) {
  for (const auto& [name, draw] : {std::pair(tree_of_a, &viz::tree_panel), std::pair(scene_of_a, &viz::scene_panel),
                                   std::pair(layout_of_a, &viz::layout_panel)}) {
    ImGui::SetNextWindowSize({viz::px(420), viz::px(360)}, ImGuiCond_FirstUseEver);
    if (ImGui::Begin(name, nullptr, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoFocusOnAppearing)) draw(a);
    ImGui::End();
  }
}

// Where the mouse zooms or drags in one of the two layouts or scenes, the other goes along. Each follows the steps by
// itself: what a step reads lies elsewhere.
void workbench::link_cameras() {
  const ImGuiWindow* under = ImGui::GetCurrentContext()->HoveredWindow;
  const ImGuiIO& io = ImGui::GetIO();
  const bool moves = io.MouseWheel != 0 || ImGui::IsMouseDown(ImGuiMouseButton_Left) ||
                     ImGui::IsMouseDown(ImGuiMouseButton_Middle) || ImGui::IsMouseReleased(ImGuiMouseButton_Left);
  if (!moves || !under) return;
  const std::string_view name = under->Name;
  const auto leads = [&](const char* of_a, viz::panel of_b) { return name == of_a || name == viz::name_of(of_b); };
  if (leads(layout_of_a, viz::panel::layout)) {
    viz::layout_state &from = name == layout_of_a ? pinned_view_.layout : view_.layout,
                      &to = name == layout_of_a ? view_.layout : pinned_view_.layout;
    for (const auto strip : {&viz::layout_state::upper, &viz::layout_state::lower}) {
      if ((from.*strip).camera.cells() != 0 && (to.*strip).camera.cells() != 0)
        (to.*strip).camera.look_as((from.*strip).camera);
    }
  } else if (leads(scene_of_a, viz::panel::scene)) {
    const bool a_leads = name == scene_of_a;
    const viz::scene_state& from = a_leads ? pinned_view_.scene : view_.scene;
    viz::scene_state& to = a_leads ? view_.scene : pinned_view_.scene;
    to.camera.look_as(from.camera);
    to.fit = from.fit, to.boxes = from.boxes;
    if (to.camera.frame() == from.camera.frame()) to.slice = from.slice;
  }
}

void workbench::draw_only(viz::frame& f) {
  const ImGuiViewport* whole = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(whole->Pos);
  ImGui::SetNextWindowSize(whole->Size);
  constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                     ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings;
  if (ImGui::Begin(viz::name_of(*only_), nullptr, flags)) {
    viz::picture_caption(f, *only_);
    for (const panel_entry& entry : panels)
      if (entry.which == *only_) entry.draw(f);
  }
  ImGui::End();
}

bool workbench::draw() {
  const double before = thread_milliseconds();
  const bool moving = draw_frame();
  view_.frame_ms.add(static_cast<float>(thread_milliseconds() - before));
  return taker_.end_frame(moving, view_, *session_) || moving;
}

bool workbench::draw_frame() {
  if (first_frame_ || theme_is_light_ != view_.light || scale_ != view_.scale) {
    viz::set_user_scale(view_.scale);
    viz::set_theme(view_.light);
    theme_is_light_ = view_.light;
    scale_ = view_.scale;
  }
  if (first_frame_ && !saved_panels_.empty()) ImGui::LoadIniSettingsFromMemory(saved_panels_.c_str());
  first_frame_ = false;

  shown_ = session_->view();
  session_->slots().show(shown_.index);
  viz::written_pages slots(session_->slots());
  viz::frame f{shown_, *session_, slots, view_};
  f.now = ImGui::GetTime();
  f.seconds = ImGui::GetIO().DeltaTime;
  keep_pinned();
  viz::frame a{pinned_shown_, pinned_ ? static_cast<viz::session_actions&>(*pinned_) : *session_,
               pinned_ ? static_cast<viz::slot_source&>(pinned_->slots()) : session_->slots(), pinned_view_};
  a.now = f.now;
  a.seconds = f.seconds;
  if (pinned_) pinned_->slots().show(pinned_shown_.index);
  const bool of_step = !pinned_ && view_.pinned_step;
  if (pinned_ || of_step) {
    pinned_view_.motion = view_.motion;
    viz::advance_transport(a);
    pinned_view_.pointed.take(view_.points_next, of_step);
    if (pinned_view_.transport.path && !pinned_view_.transport.path->trace.steps.empty()) f.other = &a;
  }
  viz::advance_transport(f);
  viz::follow_opening(f);
  if (shown_.snapshots) thumbnails_.show(*shown_.snapshots, view_.snapshots.textures);
  taker_.begin_frame(f, *session_);
  viz::handle_shortcuts(f);
  const bool walked = f.trace() && shown_.index && view_.transport.path->index == shown_.index;
  slots.show(walked ? f.model() : nullptr, walked ? f.trace() : nullptr, view_.transport.step);
  if (f.other) viz::go_to_step(a, of_step ? *view_.pinned_step : f.joint_step());

  if (only_) {
    draw_only(f);
    return f.moving || shown_.job.running || shown_.verified.running || shown_.interleavings.running ||
           shown_.sweeping.running;
  }
  // Before the bars: what a lesson points at may be in one.
  const viz::lesson_step* lesson = viz::lesson_step_in_view(f);
  viz::ask_for_spots(
      lesson ? std::span<const viz::lesson_pointer>(lesson->highlights) : std::span<const viz::lesson_pointer>(),
      std::exchange(view_.lessons.bring_into_view, false));
  draw_bar("top line", ImGuiDir_Up, viz::top_bar_height(), true, viz::top_bar, f);
  draw_bar("notices", ImGuiDir_Down, viz::notice_strip_height(), true, viz::notice_strip, f);
  draw_bar("transport", ImGuiDir_Down, viz::transport_bar_height(), true, viz::transport_bar, f);
  const ImGuiID dock_space = ImGui::GetID("panels");
  if (view_.lessons.wants_room) {
    view_.lessons.wants_room = false;
    if (!lesson_has_room()) view_.preset = 1, view_.reset_layout = true;
    lesson_first_ = true;
  }
  if (view_.reset_layout) {
    view_.reset_layout = false;
    view_.open.fill(true);
    arrange_panels(view_.preset, dock_space, ImGui::GetMainViewport()->WorkSize, lesson_first_);
    bring_forward_ = 2 + static_cast<int>(front_panels(view_.preset).size());
  }
  // Tabs as narrow as their words and a cross: four fit over the knobs.
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(viz::px(6), ImGui::GetStyle().FramePadding.y));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemInnerSpacing, ImVec2(viz::px(3), ImGui::GetStyle().ItemInnerSpacing.y));
  ImGui::DockSpaceOverViewport(dock_space, ImGui::GetMainViewport());
  ImGui::PopStyleVar(2);
  draw_panels(f);
  if ((pinned_ || of_step) && view_.preset == 3) {
    const u32 step_of_a = pinned_view_.transport.step;
    if (of_step) pinned_view_.transport.stops = view_.transport.stops;  // of one path
    draw_pinned(a);
    if (of_step) view_.transport.stops = pinned_view_.transport.stops;
    link_cameras();
    view_.points_next.take(pinned_view_.points_next, of_step);
    if (pinned_view_.transport.step != step_of_a) {  // a click in A went to another one
      if (view_.pinned_step)
        view_.pinned_step = pinned_view_.transport.step;
      else
        viz::go_to_step(f, pinned_view_.transport.step);
    }
  }
  viz::let_go_of_hidden_scene(view_.scene, f.now);
  viz::let_go_of_hidden_scene(pinned_view_.scene, f.now);
  f.moving |= a.moving || pinned_shown_.job.running;
  constexpr double fade_seconds = 0.4;
  const double shown = (f.now - view_.lessons.entered_at) / fade_seconds;
  viz::draw_spots(view_.motion ? static_cast<float>(std::clamp(shown, 0.0, 1.0)) : 1);
  if (lesson && view_.motion && shown < 1) f.moving = true;
  if (bring_forward_ == 0) viz::advance_lesson(f);  // an arrangement comes to its end first
  // One a frame: a tab comes to the front when its window has the focus at the frame's end.
  const std::span<const viz::panel> front = front_panels(view_.preset);
  if (bring_forward_ > 0 && --bring_forward_ < static_cast<int>(front.size()))
    ImGui::SetWindowFocus(viz::name_of(front[static_cast<std::size_t>(bring_forward_)]));
  viz::shortcut_list(f);
  viz::command_palette(f);
  // What one view points at the others show in the next frame.
  const bool points = view_.points_next != view_.pointed;
  return f.moving || points || view_.focus || bring_forward_ > 0 || shown_.job.running || shown_.verified.running ||
         shown_.interleavings.running || shown_.sweeping.running;
}

}  // namespace pivotscope
