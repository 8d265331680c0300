// A figure's PNG, of the same drawing as its SVG. It needs no display and no OpenGL.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/picture/font_files.hpp"
#include "app/picture/png.hpp"
#include "core/common/outcome.hpp"
#include "core/sweep/sweep_svg.hpp"

namespace pivotscope {

// Makes the SVG, with the writer that it gets for its words.
using figure_drawing = std::function<std::string(const words_writer&)>;

// Two dots a unit; letters are Inter's. Problem: the font is in none of the folders, or the SVG is none.
outcome<picture> figure_pixels(const figure_drawing& draw,
                               const std::vector<std::filesystem::path>& fonts = font_folders());
outcome<std::string> figure_png(const figure_drawing& draw);

}  // namespace pivotscope
