// What the command line knows of the window: nothing but these two calls, so that it builds and runs without one.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/picture_shape.hpp"
#include "core/index/config_text.hpp"
#include "core/machine/machine.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

// What a person may say on the command line about the window's first sight; what is not said is remembered or standard.
struct window_start {
  std::optional<typed_config> config = {};
  std::optional<workload> load = {};
  bool batch_told = true;  // of the load: its line says how large the batch is
  std::optional<machine_kind> machine = {};
  std::optional<question> key = {};
  machine_options machines = {};
};

struct window_entry {
  // The program's exit status once the window is closed.
  std::function<int(const window_start&)> open;
  // Draws off-screen, as PNG or SVG by the file's name; the files written. Empty in a program without the window.
  std::function<outcome<std::vector<std::filesystem::path>>(const std::filesystem::path&, const window_start&,
                                                            const picture_shape&)>
      picture;
  // Whether one of that name could be drawn here. Empty where `picture` is.
  std::function<status(const std::filesystem::path&)> ready_for_picture = {};
};

// The window that this program was built with.
window_entry built_window();

}  // namespace pivotscope
