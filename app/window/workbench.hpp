// The workbench: a session and the views on it. One call draws a frame; it knows no GLFW, so that tests can drive it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/session/session.hpp"
#include "app/session/settings.hpp"
#include "app/window/thumbnails.hpp"
#include "app/window/window.hpp"
#include "viz/view_state.hpp"

namespace pivotscope {

class workbench {
 public:
  workbench(const window_options& options, const settings& remembered);

  // Draws everything; true when the next frame should follow at once, because something moves.
  bool draw();
  settings to_remember() const;
  bool wants_picture() const { return view_.snapshots.wanted.has_value(); }  // of the frame that was drawn last
  void give_picture(const picture& frame);
  // Files that were dropped onto the window: the first one's keys are taken.
  void take_files(const std::vector<std::string>& paths);

  session& state() { return *session_; }
  viz::view_state& view() { return view_; }
  const viz::session_view& shown() const { return shown_; }  // what the last frame drew

 private:
  void draw_panels(viz::frame& f);
  void draw_bar(const char* name, int side, float height, bool on_ground, void (*content)(viz::frame&), viz::frame& f);

  pixel_rect picture_part(const picture& whole) const;

  std::unique_ptr<session> session_;
  thumbnails thumbnails_;
  viz::view_state view_;
  viz::session_view shown_;
  bool theme_is_light_ = false;
  float scale_ = 1;
  std::string saved_panels_;  // to be loaded in the first frame
  bool first_frame_ = true;
  int bring_forward_ = 0;  // frames until the preset's first tabs come to the front: they have to be there first
};

// What a fresh start shows: the papers' example, EO+BS, looking for 9 as in their Figure 4.
viz::session_choice first_choice();

}  // namespace pivotscope
