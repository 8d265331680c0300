// What the Scene panel remembers: where one looks from, and what of the scene is shown.
#pragma once

#include <memory>
#include <optional>

#include "viz/cells/orbit_camera.hpp"
#include "viz/models/scene_study.hpp"

namespace pivotscope::viz {

struct scene_state {
  orbit_camera camera;
  std::optional<u32> boxes;  // the level whose boxes are shown; nothing: those that the step looks at, no more
  scene_slice slice;
  bool fit = false;  // shows all from the usual side in the next frame
  std::shared_ptr<scene_study> study;
  double studied_at = -1;  // time of the frame that last worked on it
  bool dragged = false;    // the mouse turns or moves the scene

  // What the last frame showed, and what that depends on.
  struct shown_for {
    const scene_study* study = nullptr;
    u64 read = 0;
    orbit_camera camera;
    scene_slice slice;
    bool operator==(const shown_for&) const = default;
  };
  shown_scene shown;
  shown_for shown_of;
  bool told = false;  // those of it that are few enough are told whole
};

}  // namespace pivotscope::viz
