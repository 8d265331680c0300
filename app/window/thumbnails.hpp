// Small pictures: made from a frame, and shown as textures.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "app/window/gl_window.hpp"
#include "viz/models/session_view.hpp"

namespace pivotscope {

struct pixel_rect {
  int left = 0, top = 0, right = 0, bottom = 0;
};
// The part of the picture within `part`, at most `width` pixels wide: each pixel the mean of those that it covers.
picture small_picture(const picture& of, pixel_rect part, int width);
outcome<picture> picture_of_png(const std::string& png);

// Textures of the snapshots' pictures; a slot's is made when its picture is another one. In the thread of the window.
class thumbnails {
 public:
  thumbnails() = default;
  thumbnails(const thumbnails&) = delete;
  thumbnails& operator=(const thumbnails&) = delete;
  ~thumbnails();
  void show(const viz::snapshots& kept, std::array<u64, viz::snapshot_slots>& textures);

 private:
  struct shown {
    std::shared_ptr<const std::string> png;
    u32 texture = 0;
  };
  std::array<shown, viz::snapshot_slots> slots_;
};

}  // namespace pivotscope
