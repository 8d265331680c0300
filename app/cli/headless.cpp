#include "app/cli/headless.hpp"

#include <fmt/format.h>

#include "app/cli/exit_code.hpp"
#include "app/cli/output.hpp"
#include "app/cli/run_configs.hpp"
#include "core/common/plain_words.hpp"
#include "core/common/whole_file.hpp"
#include "core/index/axes.hpp"
#include "core/index/config_text.hpp"
#include "core/index/family.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

// The papers' size where there is a GPU; what two slow cores do in a few seconds where there is none.
workload standard_workload(machine_kind kind) {
  const bool cuda = kind == machine_kind::cuda;
  return {
      .keys = cuda ? 1ull << 26 : 1ull << 20, .dist = distribution::uniform, .lookups = cuda ? 1ull << 27 : 1ull << 20};
}

// All methods that so many keys are sensible for, each with its defaults; `others`: what is left out, in words.
std::vector<typed_config> standard_configs(u64 keys, std::string& others) {
  std::vector<typed_config> configs;
  for (const std::string& method : method_names()) {
    const typed_config typed = *typed_config_from_line(method);
    const u64 most = family_of(typed.config).sensible_keys(typed.config);
    if (keys <= most)
      configs.push_back(typed);
    else
      others += fmt::format("{} is left out: it is for at most {} keys.\n", method, most);
  }
  return configs;
}

int draw_screenshot(const fs::path& path, const headless_options& options, const window_entry& window,
                    machine_kind kind) {
  if (!window.picture) {
    print("\nThis build has no window, so there is no screenshot.\n");
    return exit_right;
  }
  window_start shown = options.shown;
  shown.machine = kind;
  const auto drawn = window.picture(path, shown, {});
  if (!drawn) return complain(problem{fmt::format("no screenshot: {}", drawn.error().words), drawn.error().cancelled});
  print(fmt::format("\nscreenshot: {}\n", plain_words(path.string())));
  return exit_right;
}

}  // namespace

fs::path standard_screenshot() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (!error && fs::exists(folder / "CMakeCache.txt", error)) return folder / "screenshot.png";
  return "pivotscope.png";
}

int run_headless(const headless_options& options, const window_entry& window, const machine_source& machines) {
  const fs::path& path = options.screenshot;
  if (window.picture) {  // told before the work, not after it
    if (const status writable = check_writable(path); !writable) return complain(writable.error());
    const status ready = window.ready_for_picture ? window.ready_for_picture(path) : fine();
    if (!ready) return complain(problem{fmt::format("no screenshot: {}", ready.error().words)});
  }
  outcome<std::unique_ptr<machine>> on = options.machine.open(machines);
  if (!on) return complain(on.error());
  const machine_info info = (*on)->info();
  const workload load = standard_workload(info.kind);
  std::string others;
  const run_request request{
      .configs = standard_configs(load.keys, others), .load = load, .batch = {.repeats = 3, .warm_ups = 1}};
  outcome<run_results> results = [&] {
    terminal_job job;
    return run_configs(**on, request, job);
  }();
  if (!results) return complain(results.error());
  if (complain_about_wrong(results->records) > 0) return finish_output(exit_wrong);
  print(fmt::format("{}\non {}\nmedian of 3 runs; every answer was checked\n\n", to_line(request.load),
                    machine_words(info)));
  print(records_table(results->records));
  if (!others.empty()) print("\n" + others);
  on->reset();  // the window opens its own
  return finish_output(draw_screenshot(path, options, window, info.kind));
}

}  // namespace pivotscope
