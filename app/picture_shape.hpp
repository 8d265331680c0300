// What a picture shows, and how large.
#pragma once

#include <optional>
#include <string>

#include "core/common/portable.hpp"
#include "core/index/config_text.hpp"
#include "core/run/view_position.hpp"

namespace pivotscope {

struct picture_shape {
  std::optional<std::string> panel = {};  // "warp"; not set: the whole window
  int width = 0, height = 0;              // in units, before scaling; 0: what suits the panel
  float scale = 1;                        // 0.7 to 3
  bool light = false;
  bool as_text = false;                     // an SVG's letters, in place of their outlines
  std::optional<typed_config> pinned = {};  // to be compared with
  int preset = 1;                           // of the whole window: 1 Learn, 2 Tune
  std::optional<u32> step = {};             // of the lookup's path, from 1; not set: half-way
  bool every_step = false;                  // a picture for each
  std::optional<build_slot> build = {};     // in place of the lookup: this slot of the build
  bool every_slot = false;
};

}  // namespace pivotscope
