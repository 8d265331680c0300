// stb_image_write, once and for this file only: Dear ImGui's test engine brings a copy of its own.
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

#include <fmt/format.h>

#include "app/window/gl_window.hpp"

namespace pivotscope {

status write_png(const std::filesystem::path& path, const picture& pixels) {
  stbi_write_png_compression_level = 9;
  if (pixels.rgb.empty()) return problem{fmt::format("There is no picture to write to {}.", path.string())};
  if (stbi_write_png(path.string().c_str(), pixels.width, pixels.height, 3, pixels.rgb.data(), pixels.width * 3) == 0)
    return problem{fmt::format("The picture cannot be written to {}.", path.string())};
  return fine();
}

}  // namespace pivotscope
