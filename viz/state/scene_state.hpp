// What the Scene panel remembers: where one looks from, and what of the scene is shown.
#pragma once

#include <memory>
#include <optional>

#include "viz/cells/orbit_camera.hpp"
#include "viz/models/scene_lookup.hpp"
#include "viz/models/shown_scene.hpp"

namespace pivotscope::viz {

struct scene_state {
  orbit_camera camera;
  std::optional<u32> boxes;  // the level whose boxes are shown; nothing: those that the step looks at, no more
  scene_slice slice;
  std::weak_ptr<const index_model> of;  // what the slice is of
  bool fit = false;                     // shows all from the usual side in the next frame
  std::shared_ptr<scene_study> study;   // of the index in view; null: the panel was not drawn for a while
  double studied_at = -1;               // time of the frame that last worked on it
  bool dragged = false;                 // the mouse turns or moves the scene

  // What the last frame showed, and what that depends on.
  struct shown_for {
    u64 changes = ~u64{0};  // of the study
    orbit_camera camera;
    scene_slice slice;
    std::optional<u32> boxes;
    bool operator==(const shown_for&) const = default;
  };
  shown_scene shown;
  shown_boxes level;  // the boxes of the level that shown_of has
  shown_for shown_of;
  bool told = false;  // those of it that are few enough are told whole
  kept_lookup lookup;
};

// Forgets what the last frame showed: the mouse finds nothing in it until a frame shows the scene again.
void forget_picture(scene_state& state);
// Lets go of what was read of a scene that no frame has drawn for a while. A look at another tab and back costs nothing.
void let_go_of_hidden_scene(scene_state& state, double now);

}  // namespace pivotscope::viz
