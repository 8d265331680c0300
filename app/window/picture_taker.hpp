// Takes the pictures that the window's menus ask for: brings the panel to the front, goes from step to step where every
// one is wanted, waits until nothing moves, and hands what was drawn to the session to be written.
#pragma once

#include <imgui.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/session.hpp"
#include "app/window/pictures.hpp"
#include "app/window/svg.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope {

class picture_taker {
 public:
  // Before the views.
  void begin_frame(viz::frame& f, session& told);
  // After them; true: the next frame is to follow at once.
  bool end_frame(bool moving, viz::view_state& view, session& told);
  // The frame that was drawn last is one to take.
  bool wants_frame() const { return take_now_; }
  void take(const picture& frame, viz::view_state& view, session& writes, const std::string& line);

 private:
  void start(viz::frame& f);
  void next(viz::view_state& view);
  void stop(viz::view_state& view);

  std::optional<viz::picture_request> asked_;
  std::shared_ptr<picture_series> series_;
  std::vector<view_position> places_;  // empty: where the views are
  std::size_t at_ = 0;
  view_position before_;
  bool motion_before_ = true;
  std::shared_ptr<const viz::path_data> path_;  // that the places are of
  std::shared_ptr<const index_model> model_;
  ImVec2 mouse_ = {};
  int frames_ = 0, still_ = 0;
  bool take_now_ = false;
  std::optional<exact_shapes> exact_;
};

}  // namespace pivotscope
