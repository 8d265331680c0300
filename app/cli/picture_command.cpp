// pivotscope picture: a panel, or the window, as an image for papers and lectures.
#include <fmt/format.h>

#include "app/cli/exit_code.hpp"
#include "app/cli/options/option_list.hpp"
#include "app/cli/options/start_options.hpp"
#include "app/cli/output.hpp"
#include "app/cli/subcommand.hpp"
#include "core/common/plain_words.hpp"
#include "core/common/whole_file.hpp"
#include "core/index/config_text.hpp"
#include "core/workload/workload.hpp"
#include "viz/theme/scale.hpp"

namespace pivotscope {
namespace {

constexpr const char* examples = R"(Examples:
  pivotscope picture --panel tree --config "EO+KS fanout=3" --lookup 9 --out tree.svg
  pivotscope picture --panel warp --workload "keys=2^16 distribution=uniform" --step 12 --light --out warp.svg
  pivotscope picture --panel layout --lookup 9 --step all --out step.png     step-1.png, step-2.png, ...
  pivotscope picture --panel layout --config "AO+PB+BS" --build pivots:2 --out pivot.svg
  pivotscope picture --out window.png

A name that ends in .svg is a vector graphic whose letters are outlines: it looks the same everywhere. The scenario's
line stands in every file, to be pasted into the window. Drawn off-screen: an SVG takes no display and no OpenGL, a PNG a
display, or Xvfb, which is started where there is none. Exit status: 0 written, 2 bad input or no picture.)";

// "1.5", between the two.
outcome<float> parse_scale(const std::string& text) {
  using viz::least_scale, viz::greatest_scale;
  char* end = nullptr;
  const float scale = std::strtof(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(scale >= least_scale && scale <= greatest_scale))
    return problem{fmt::format("--scale {} is not a number from {} to {}", text, least_scale, greatest_scale)};
  return scale;
}

class picture_command final : public subcommand {
 public:
  explicit picture_command(const window_entry& window) : window_(window) {}

  command_words words() const override {
    return {"picture", "draw a panel, or the whole window, into a PNG or SVG file", examples};
  }

  void add_options(option_list& to) override {
    to.text("--panel", shape_.panel, {"NAME"}, "tree, layout, warp, memory, path, ... (default: the whole window)");
    to.required("--out", out_, {"FILE"}, "where to: FILE.svg or FILE.png");
    to.text("--step", step_, {"N"}, "of the lookup's path, from 1, or all: a file for each (default half-way)");
    to.text("--build", build_, {"SLOT"}, "in place of the lookup the build, at this slot (11, pivots:0), or all");
    to.text("--width", width_, {"UNITS"}, "of the picture (default a panel's content)");
    to.text("--height", height_, {"UNITS"}, "of the picture");
    to.text("--scale", scale_, {"X"},
            fmt::format("everything larger, {} to {} (default 1)", viz::least_scale, viz::greatest_scale));
    to.text("--pin", pin_, {"LINE"}, "with this index pinned beside it, as Compare shows them");
    to.flag("--light", shape_.light, "dark on light, for print");
    to.flag("--text", shape_.as_text, "an SVG's letters are text, to be found and edited, not outlines");
    shown_.add_to(to, "What it shows");
  }

  int run(const machine_source& machines) override {
    const std::filesystem::path path = out_;
    if (path.extension() != ".svg" && path.extension() != ".png")
      return complain(fmt::format("--out {}: a picture's name ends in .svg or .png", plain_words(out_)));
    if (shape_.as_text && path.extension() != ".svg") return complain("--text is for an SVG: a PNG has pixels alone");
    if (const status read = read_shape(); !read) return complain(read.error());
    const outcome<window_start> start = shown_.read(machines);
    if (!start) return complain(start.error());
    if (!window_.picture) return complain("this build has no window, so it draws no pictures");
    const auto written = window_.picture(path, *start, shape_);
    if (!written) return complain(written.error());
    for (const auto& file : *written) print(fmt::format("{}\n", plain_words(file.string())));
    return finish_output(exit_right);
  }

 private:
  status read_shape() {
    constexpr u64 least_side = 100, greatest_side = 8000;
    if (step_ == "all") {
      shape_.every_step = true;
    } else if (step_) {
      const outcome<u64> step = parse_count(*step_, "--step", 1, greatest_step);
      if (!step) return step.error();
      shape_.step = static_cast<u32>(*step);
    }
    if (build_ && step_) return problem{"a picture shows the lookup (--step) or the build (--build), not both"};
    if (build_ == "all") {
      shape_.every_slot = true;
    } else if (build_) {
      outcome<build_slot> slot = parse_build_slot(*build_);
      if (!slot) return problem{"--" + slot.error().words};
      shape_.build = std::move(*slot);
    }
    for (const auto& [name, text, side] :
         {std::tuple("--width", &width_, &shape_.width), std::tuple("--height", &height_, &shape_.height)}) {
      if (!*text) continue;
      const outcome<u64> units = parse_count(**text, name, least_side, greatest_side);
      if (!units) return units.error();
      *side = static_cast<int>(*units);
    }
    if (scale_) {
      const outcome<float> scale = parse_scale(*scale_);
      if (!scale) return scale.error();
      shape_.scale = *scale;
    }
    if (pin_) {
      const outcome<typed_config> pinned = typed_config_from_line(*pin_);
      if (!pinned) return problem{"--pin: " + pinned.error().words};
      shape_.pinned = *pinned;
    }
    return fine();
  }

  const window_entry& window_;
  std::string out_;
  std::optional<std::string> step_, build_, pin_, width_, height_, scale_;
  picture_shape shape_;
  start_options shown_;
};

}  // namespace

std::unique_ptr<subcommand> make_picture_command(const window_entry& window) {
  return std::make_unique<picture_command>(window);
}

}  // namespace pivotscope
