// stb_image_write, once and for this file only: Dear ImGui's test engine brings a copy of its own.
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

#include "app/window/gl_window.hpp"
#include "core/common/whole_file.hpp"

namespace pivotscope {

outcome<std::string> png_of(const picture& pixels) {
  if (pixels.rgb.empty()) return problem{"there is no picture"};
  stbi_write_png_compression_level = 9;
  std::string bytes;
  const auto append = [](void* to, void* part, int count) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(part), static_cast<std::size_t>(count));
  };
  if (stbi_write_png_to_func(append, &bytes, pixels.width, pixels.height, 3, pixels.rgb.data(), pixels.width * 3) == 0)
    return problem{"there is not enough memory for the picture"};
  return bytes;
}

status write_png(const std::filesystem::path& path, const picture& pixels) {
  const outcome<std::string> bytes = png_of(pixels);
  return bytes ? write_whole_file(path, *bytes) : status(bytes.error());
}

}  // namespace pivotscope
