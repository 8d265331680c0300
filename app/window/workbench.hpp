// The workbench: a session and the views on it. One call draws a frame; it knows no GLFW, so that tests can drive it.
#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/files/keys_file.hpp"
#include "app/files/settings.hpp"
#include "app/session/session.hpp"
#include "app/window/picture_taker.hpp"
#include "app/window/thumbnails.hpp"
#include "app/window/window.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope {

class workbench {
 public:
  // What is measured and the frames take turns in the room, where there is one.
  workbench(const window_options& options, const settings& remembered, timing_turns* room = nullptr);

  // Draws everything; true when the next frame should follow at once, because something moves.
  bool draw();
  settings to_remember() const;
  void take_keys(loaded_keys loaded);
  void keep_changed_keys(const std::filesystem::path& path);  // where they were changed in the window
  // For good, nothing is drawn after it: cancels what runs and keeps what was to be kept. False: something did not look
  // at its control in time, and goes on.
  bool ends_within(std::chrono::milliseconds patience);
  // What is typed from now on is for a field that has the keyboard in a few frames.
  bool field_is_coming() const { return view_.frames_to_field > 0; }
  // From now on nothing but this panel is drawn, as large as the window.
  void show_only(viz::panel which) { only_ = which; }
  std::string scenario_line() const;  // with the place that was drawn last
  bool wants_picture() const { return view_.snapshots.wanted || taker_.wants_frame(); }  // of the frame drawn last
  void give_picture(const picture& frame);
  // Files that were dropped onto the window: the first one's keys are taken.
  void take_files(const std::vector<std::string>& paths);

  session& state() { return *session_; }
  viz::view_state& view() { return view_; }
  const viz::session_view& shown() const { return shown_; }  // what the last frame drew
  // Of the index that is pinned, or of the one whose step is, to be compared with; empty without either.
  const viz::session_view& pinned_shown() const { return pinned_shown_; }
  viz::view_state& pinned_view() { return pinned_view_; }

 private:
  bool draw_frame();
  void draw_panels(viz::frame& f);
  void draw_only(viz::frame& f);
  // Of the pinned index: a session of its own that follows the chosen keys, lookups, machine and key. A pinned step is
  // of the one session, seen a second time.
  void keep_pinned();
  void draw_pinned(viz::frame& a);
  void link_cameras();
  session_options options_of_session(const viz::session_choice& start, bool machine_chosen) const;
  void load_lessons(const settings& remembered, bool own_too);
  bool lesson_has_room() const;
  void draw_bar(const char* name, int side, float height, bool on_ground, void (*content)(viz::frame&), viz::frame& f);

  pixel_rect picture_part(const picture& whole) const;

  window_options options_;
  timing_turns* room_;
  std::unique_ptr<session> session_;
  thumbnails thumbnails_;
  picture_taker taker_;
  viz::view_state view_;
  viz::session_view shown_;
  std::unique_ptr<session> pinned_;
  viz::view_state pinned_view_;
  viz::session_view pinned_shown_;
  viz::session_choice pinned_asked_;  // what its session was asked for last
  bool step_was_pinned_ = false;
  std::future<void> unpinned_;  // ends the last pinned session, off the frame's thread
  std::future<void> ended_;     // ends both sessions
  bool theme_is_light_ = false;
  float scale_ = 1;
  std::string saved_panels_;  // to be loaded in the first frame
  bool first_frame_ = true;
  std::optional<viz::panel> only_;
  int bring_forward_ = 0;      // frames until the preset's first tabs come to the front: they have to be there first
  bool lesson_first_ = false;  // Learn gives Lesson a place of its own
};

// What a fresh start shows: the papers' example, EO+BS, looking for 9 as in their Figure 4.
viz::session_choice first_choice();

}  // namespace pivotscope
