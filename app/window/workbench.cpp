#include "app/window/workbench.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <array>

#include "app/session/scenario_text.hpp"
#include "app/window/gl_window.hpp"
#include "app/window/presets.hpp"
#include "core/index/check.hpp"
#include "core/workload/own_numbers.hpp"
#include "viz/panels.hpp"
#include "viz/shortcuts.hpp"
#include "viz/snapshots.hpp"
#include "viz/theme.hpp"

namespace pivotscope {
namespace {

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
                                                               {viz::panel::timings, viz::timings_panel},
                                                               {viz::panel::machine, viz::machine_panel},
                                                               {viz::panel::advice, viz::advice_panel},
                                                               {viz::panel::verify, viz::verify_panel},
                                                               {viz::panel::snapshots, viz::snapshots_panel}}};

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
  if (options.config) choice.config = *options.config;
  if (options.load) choice.load = *options.load;
  // A key of another key set says nothing here: the session draws one.
  if (options.load) choice.key = choice.load.dist == distribution::paper ? first_choice().key : std::nullopt;
  if (options.key) choice.key = options.key;
  if (options.machine)
    choice.machine = *options.machine;
  else if (remembered.machine)
    choice.machine = *remembered.machine;
  if (check(choice.load, choice.config.keys)) choice.load = workload{};
  return choice;
}

}  // namespace

viz::session_choice first_choice() {
  viz::session_choice choice;
  choice.key = 9;
  return choice;
}

workbench::workbench(const window_options& options, const settings& remembered) : saved_panels_(remembered.panels) {
  view_.light = remembered.light;
  view_.motion = remembered.motion;
  view_.scale = remembered.scale;
  view_.preset = remembered.preset;
  view_.transport.steps_per_second = remembered.steps_per_second;
  view_.reset_layout = saved_panels_.empty();
  session_options s;
  s.start = begin_with(options, remembered);
  s.machine_chosen = options.machine || remembered.machine;
  s.machines = options.machines;
  s.from = options.from;
  s.wake = wake_window;
  if (const std::filesystem::path remembers = settings_path(); !remembers.empty())
    s.data_folder = remembers.parent_path();
  s.set_clipboard = [](const std::string& text) { ImGui::SetClipboardText(text.c_str()); };
  session_ = std::make_unique<session>(std::move(s));
}

settings workbench::to_remember() const {
  settings s;
  const viz::session_view now = session_->view();
  s.scenario = session_->scenario_line();
  s.machine = now.choice.machine;
  s.light = view_.light;
  s.motion = view_.motion;
  s.scale = view_.scale;
  s.preset = view_.preset;
  s.steps_per_second = view_.transport.steps_per_second;
  if (const char* panel_words = ImGui::SaveIniSettingsToMemory()) s.panels = panel_words;
  return s;
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
  const std::optional<u32> slot = std::exchange(view_.snapshots.wanted, std::nullopt);
  if (!slot) return;
  constexpr int width = 480;
  const outcome<std::string> png = png_of(small_picture(frame, picture_part(frame), width));
  session_->keep_snapshot(*slot, view_.transport.step, png ? *png : std::string());
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
  for (const panel_entry& entry : panels) {
    bool& open = view_.open[static_cast<std::size_t>(entry.which)];
    if (!open) continue;
    if (view_.focus == entry.which) ImGui::SetNextWindowFocus();
    ImGui::SetNextWindowSize({viz::px(360), viz::px(420)}, ImGuiCond_FirstUseEver);
    // One that a remembered arrangement does not know yet goes beside Layout.
    if (const ImGuiWindow* layout = ImGui::FindWindowByName(viz::name_of(viz::panel::layout)); layout && layout->DockId)
      ImGui::SetNextWindowDockID(layout->DockId, ImGuiCond_FirstUseEver);
    if (ImGui::Begin(viz::name_of(entry.which), &open,
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoFocusOnAppearing))
      entry.draw(f);
    ImGui::End();
  }
  view_.focus.reset();
}

bool workbench::draw() {
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
  viz::frame f{shown_, *session_, session_->slots(), view_};
  f.now = ImGui::GetTime();
  f.seconds = ImGui::GetIO().DeltaTime;
  viz::advance_transport(f);
  viz::follow_snapshot(f);
  if (shown_.snapshots) thumbnails_.show(*shown_.snapshots, view_.snapshots.textures);
  viz::handle_shortcuts(f);

  draw_bar("top line", ImGuiDir_Up, viz::top_bar_height(), true, viz::top_bar, f);
  draw_bar("notices", ImGuiDir_Down, viz::notice_strip_height(f), true, viz::notice_strip, f);
  draw_bar("transport", ImGuiDir_Down, viz::transport_bar_height(), true, viz::transport_bar, f);
  const ImGuiID dock_space = ImGui::GetID("panels");
  if (view_.reset_layout) {
    view_.reset_layout = false;
    view_.open.fill(true);
    arrange_panels(view_.preset, dock_space, ImGui::GetMainViewport()->WorkSize);
    bring_forward_ = 2 + static_cast<int>(front_panels(view_.preset).size());
  }
  ImGui::DockSpaceOverViewport(dock_space, ImGui::GetMainViewport());
  draw_panels(f);
  // One a frame: a tab comes to the front when its window has the focus at the frame's end.
  const std::span<const viz::panel> front = front_panels(view_.preset);
  if (bring_forward_ > 0 && --bring_forward_ < static_cast<int>(front.size()))
    ImGui::SetWindowFocus(viz::name_of(front[static_cast<std::size_t>(bring_forward_)]));
  viz::shortcut_list(f);
  // What one view points at the others show in the next frame.
  const bool points = view_.points_next != view_.pointed;
  return f.moving || points || bring_forward_ > 0 || shown_.job.running || shown_.verified.running;
}

}  // namespace pivotscope
