#include "app/window/picture_taker.hpp"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <cfloat>
#include <utility>

#include "app/files/picture_files.hpp"
#include "viz/state/opening.hpp"

namespace pivotscope {
namespace {

constexpr int still_frames = 4;          // panels find their sizes in a few
constexpr int longest_frames = 90;       // what runs need not end
constexpr std::size_t most_waiting = 4;  // pictures that are not written yet

// What is drawn in the panel, without the tabs above it; nothing: it is not there.
std::optional<frame_part> part_of(viz::panel which) {
  const ImGuiWindow* window = ImGui::FindWindowByName(viz::name_of(which));
  if (!window) return std::nullopt;
  return frame_part{window->InnerRect.Min,
                    {window->InnerRect.Max.x + window->ScrollbarSizes.x, window->InnerRect.Max.y}};
}

}  // namespace

void picture_taker::start(viz::frame& f) {
  asked_ = std::exchange(f.view.pictures.asked, std::nullopt);
  before_ = viz::place_in_view(f.session, f.view);
  places_ = asked_->every_place ? every_place(f.view) : std::vector<view_position>{};
  path_ = f.view.transport.path;
  model_ = f.view.build.model;
  series_ = std::make_shared<picture_series>();
  series_->what = asked_->which ? viz::name_of(*asked_->which) : "The window";
  series_->paths = free_names(
      pictures_folder(), picture_stem(asked_->which ? series_->what : "window", f.session.choice.config, f.view.light),
      asked_->vector ? ".svg" : ".png", std::max<u32>(static_cast<u32>(places_.size()), 1));
  motion_before_ = std::exchange(f.view.motion, false);
  f.view.transport.playing = false;
  f.view.pictures.running = true;
  if (asked_->which) {
    f.view.open[static_cast<std::size_t>(*asked_->which)] = true;
    f.view.focus = asked_->which;
  }
  mouse_ = ImGui::GetIO().MousePos;
  at_ = 0;
  next(f.view);
}

void picture_taker::next(viz::view_state& view) {
  frames_ = still_ = 0;
  take_now_ = false;
  exact_.reset();
  if (at_ < places_.size()) (void)show_place(view, places_[at_]);  // it is one of those that there are
}

void picture_taker::stop(viz::view_state& view) {
  if (before_.any() && !places_.empty()) (void)show_place(view, before_);  // may be gone by now
  view.motion = motion_before_;
  view.pictures.running = false;
  ImGui::GetIO().AddMousePosEvent(mouse_.x, mouse_.y);
  asked_.reset();
  series_.reset();
  path_.reset();
  model_.reset();
  take_now_ = false;
  exact_.reset();
}

void picture_taker::begin_frame(viz::frame& f, session& told) {
  if (!asked_ && f.view.pictures.asked) start(f);
  if (!asked_) return;
  const bool other = f.view.transport.path != path_ || f.view.build.model != model_;
  if (series_->failed || ImGui::IsKeyPressed(ImGuiKey_Escape, false) || (other && !places_.empty())) {
    if (!series_->failed)
      told.tell({fmt::format("The pictures of {} end at {} of {}.", series_->what, at_, series_->paths.size()), false});
    return stop(f.view);
  }
  // Nothing is pointed at, and no card covers anything.
  ImGui::GetIO().MousePos = {-FLT_MAX, -FLT_MAX};
  ImGui::GetCurrentContext()->HoveredWindow = nullptr;
}

bool picture_taker::end_frame(bool moving, viz::view_state& view, session& told) {
  if (!asked_) return view.pictures.asked.has_value();
  if (exact_) {
    take_now_ = true;
    return true;
  }
  ++frames_;
  still_ = moving ? 0 : still_ + 1;
  const bool seen = !asked_->which || view.seen[static_cast<std::size_t>(*asked_->which)];
  if (!seen && frames_ >= longest_frames) {
    told.tell({fmt::format("There is no picture of {}: it does not come to the front.", series_->what), true});
    stop(view);
    return true;
  }
  const bool ready = seen && (still_ >= still_frames || frames_ >= longest_frames);
  if (!ready || at_ >= series_->written + most_waiting) return true;
  if (asked_->vector)
    exact_.emplace();  // for the next frame
  else
    take_now_ = true;
  return true;
}

void picture_taker::take(const picture& frame, viz::view_state& view, session& writes, const std::string& line) {
  const std::optional<frame_part> part = asked_->which ? part_of(*asked_->which) : std::nullopt;
  const picture_words words{picture_title(asked_->which, view), line};
  writes.write_picture(series_, at_, asked_->vector ? svg_of_frame(part, words) : png_of_frame(frame, part, words));
  ++at_;
  at_ < places_.size() ? next(view) : stop(view);
}

}  // namespace pivotscope
