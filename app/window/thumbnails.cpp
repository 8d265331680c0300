#include "app/window/thumbnails.hpp"

#include <imgui_impl_opengl3_loader.h>

#include <algorithm>

// Once and for this file only, as png.cpp has its half.
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#include <stb/stb_image.h>

namespace pivotscope {

picture small_picture(const picture& of, pixel_rect part, int width) {
  part.left = std::clamp(part.left, 0, of.width), part.right = std::clamp(part.right, part.left, of.width);
  part.top = std::clamp(part.top, 0, of.height), part.bottom = std::clamp(part.bottom, part.top, of.height);
  const int across = part.right - part.left, down = part.bottom - part.top;
  if (across == 0 || down == 0) return {};
  picture out;
  out.width = std::min(width, across);
  out.height = std::max(1, static_cast<int>(static_cast<std::int64_t>(down) * out.width / across));
  out.rgb.resize(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height) * 3);
  for (int y = 0; y < out.height; ++y) {
    const int y0 = part.top + down * y / out.height, y1 = std::max(y0 + 1, part.top + down * (y + 1) / out.height);
    for (int x = 0; x < out.width; ++x) {
      const int x0 = part.left + across * x / out.width,
                x1 = std::max(x0 + 1, part.left + across * (x + 1) / out.width);
      for (std::size_t c = 0; c < 3; ++c) {
        u32 sum = 0;
        for (int v = y0; v < y1; ++v)
          for (int u = x0; u < x1; ++u)
            sum += of.rgb[(static_cast<std::size_t>(v) * static_cast<std::size_t>(of.width) +
                           static_cast<std::size_t>(u)) *
                              3 +
                          c];
        const auto count = static_cast<u32>((x1 - x0) * (y1 - y0));
        out.rgb[(static_cast<std::size_t>(y) * static_cast<std::size_t>(out.width) + static_cast<std::size_t>(x)) * 3 +
                c] = static_cast<u8>(sum / count);
      }
    }
  }
  return out;
}

outcome<picture> picture_of_png(const std::string& png) {
  picture out;
  int channels = 0;
  stbi_uc* pixels = stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(png.data()), static_cast<int>(png.size()),
                                          &out.width, &out.height, &channels, 3);
  if (pixels == nullptr) return problem{"this is no picture"};
  out.rgb.assign(pixels, pixels + static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height) * 3);
  stbi_image_free(pixels);
  return out;
}

thumbnails::~thumbnails() {
  for (const shown& slot : slots_)
    if (slot.texture != 0) glDeleteTextures(1, &slot.texture);
}

void thumbnails::show(const viz::snapshots& kept, std::array<u64, viz::snapshot_slots>& textures) {
  for (std::size_t i = 0; i < viz::snapshot_slots; ++i) {
    shown& slot = slots_[i];
    const std::shared_ptr<const std::string> png = kept[i] ? kept[i]->png : nullptr;
    if (png != slot.png) {
      if (slot.texture != 0) glDeleteTextures(1, &slot.texture);
      slot = {png, 0};
      const outcome<picture> pixels = png ? picture_of_png(*png) : outcome<picture>(problem{});
      if (pixels) {
        glGenTextures(1, &slot.texture);
        glBindTexture(GL_TEXTURE_2D, slot.texture);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, pixels->width, pixels->height, 0, 0x1907 /* RGB */, GL_UNSIGNED_BYTE,
                     pixels->rgb.data());
      }
    }
    textures[i] = slot.texture;
  }
}

}  // namespace pivotscope
