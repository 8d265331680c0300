// stb_image_write, once and for this file only: Dear ImGui's test engine brings a copy of its own.
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

#include "app/picture/png.hpp"
#include "core/common/whole_file.hpp"

namespace pivotscope {

namespace {

void append_number(std::string& to, u32 number) {
  for (const int shift : {24, 16, 8, 0}) to += static_cast<char>(number >> shift & 255);
}

// The checksum of a chunk (PNG specification, annex D).
u32 checksum(std::string_view bytes) {
  u32 sum = ~0u;
  for (const char byte : bytes) {
    sum ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) sum = sum & 1 ? 0xEDB88320u ^ sum >> 1 : sum >> 1;
  }
  return ~sum;
}

// Behind the signature and the header, which are always as long.
void insert_words(std::string& png, const std::string& words) {
  constexpr std::size_t behind_header = 8 + 25;
  const std::string named = "tEXtDescription" + std::string(1, '\0') + words;
  std::string chunk;
  append_number(chunk, static_cast<u32>(named.size() - 4));
  chunk += named;
  append_number(chunk, checksum(named));
  png.insert(behind_header, chunk);
}

}  // namespace

outcome<std::string> png_of(const picture& pixels, const std::string& words) {
  if (pixels.rgb.empty()) return problem{"there is no picture"};
  stbi_write_png_compression_level = 9;
  std::string bytes;
  const auto append = [](void* to, void* part, int count) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(part), static_cast<std::size_t>(count));
  };
  if (stbi_write_png_to_func(append, &bytes, pixels.width, pixels.height, 3, pixels.rgb.data(), pixels.width * 3) == 0)
    return problem{"there is not enough memory for the picture"};
  if (!words.empty()) insert_words(bytes, words);
  return bytes;
}

status write_png(const std::filesystem::path& path, const picture& pixels, const std::string& words) {
  const outcome<std::string> bytes = png_of(pixels, words);
  return bytes ? write_whole_file(path, *bytes) : status(bytes.error());
}

}  // namespace pivotscope
