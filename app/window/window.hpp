// The window: the program's face. All that main.cpp needs to know of it.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "app/picture_shape.hpp"
#include "core/common/outcome.hpp"
#include "core/index/config_text.hpp"
#include "core/machine/machine_source.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

// What the window starts with. What is not set comes from the settings file, else it is the papers' 14-key example.
struct window_options {
  std::optional<typed_config> config;
  std::optional<workload> load;
  bool batch_told = true;  // of the load: its batch stays as it is when other keys are chosen
  std::optional<machine_kind> machine;
  std::optional<question> key;  // the key to look for
  machine_options machines;
  machine_source from;   // a test may have machines of its own
  bool remember = true;  // false: neither reads nor writes the settings file, and the user's own lessons stay out
};

// Shows the window until it is closed; the program's exit code. 2, with words on standard error, when there is no
// display or no OpenGL.
int run_window(const window_options& options = {});

// Draws the window, or one of its panels, off-screen, once every job has ended and nothing moves any more, and writes
// it as a PNG or an SVG, as the file's name ends; the scenario's line stands in it. With every_step a file for each
// step of the lookup's path, with every_slot for each slot of the build: "path-01.svg" and on. Shows nothing, and
// leaves the settings alone. A PNG takes OpenGL, and so a display: a virtual one is started where there is none. The
// files written.
outcome<std::vector<std::filesystem::path>> write_pictures(const std::filesystem::path& path,
                                                           const window_options& options = {},
                                                           const picture_shape& shape = {});
// Whether a picture of that name could be drawn here, before there is anything to draw.
status ready_for_pictures(const std::filesystem::path& path);

}  // namespace pivotscope
