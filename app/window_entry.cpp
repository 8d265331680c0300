#include "app/window_entry.hpp"

#include "app/cli/output.hpp"

#if PIVOTSCOPE_WINDOW
#include "app/window/window.hpp"
#endif

namespace pivotscope {

#if PIVOTSCOPE_WINDOW

namespace {

window_options options_of(const window_start& start) {
  window_options options;
  options.config = start.config;
  options.load = start.load;
  options.batch_told = start.batch_told;
  options.machine = start.machine;
  options.key = start.key;
  options.machines = start.machines;
  return options;
}

int open_window(const window_start& start) { return run_window(options_of(start)); }

outcome<std::vector<std::filesystem::path>> draw_picture(const std::filesystem::path& path, const window_start& start,
                                                         const picture_shape& shape) {
  return write_pictures(path, options_of(start), shape);
}

}  // namespace

window_entry built_window() { return {open_window, draw_picture, ready_for_pictures}; }

#else

window_entry built_window() {
  const auto open = [](const window_start&) {
    return complain("this build has no window; pivotscope --help lists the commands that need none");
  };
  return {open, {}};
}

#endif

}  // namespace pivotscope
