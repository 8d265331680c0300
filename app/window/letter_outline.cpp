// stb_truetype, once and for this file only: Dear ImGui brings a copy of its own.
#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include <stb/stb_truetype.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "app/window/letter_outline.hpp"

namespace pivotscope {

letter_outline outline_of(const void* font_file, int number, u32 codepoint) {
  letter_outline out;
  stbtt_fontinfo font;
  const auto* bytes = static_cast<const unsigned char*>(font_file);
  if (!stbtt_InitFont(&font, bytes, stbtt_GetFontOffsetForIndex(bytes, number))) return out;
  out.unit_size = stbtt_ScaleForPixelHeight(&font, 1);
  stbtt_vertex* corners = nullptr;
  const int count = stbtt_GetCodepointShape(&font, static_cast<int>(codepoint), &corners);
  for (const stbtt_vertex& v : std::span(corners, static_cast<std::size_t>(std::max(count, 0)))) {
    switch (v.type) {
      case STBTT_vmove:
        out.path += fmt::format("{}M{} {}", out.path.empty() ? "" : "Z", v.x, v.y);
        break;
      case STBTT_vline:
        out.path += fmt::format("L{} {}", v.x, v.y);
        break;
      case STBTT_vcurve:
        out.path += fmt::format("Q{} {} {} {}", v.cx, v.cy, v.x, v.y);
        break;
      case STBTT_vcubic:
        out.path += fmt::format("C{} {} {} {} {} {}", v.cx, v.cy, v.cx1, v.cy1, v.x, v.y);
        break;
      default:
        break;
    }
  }
  stbtt_FreeShape(&font, corners);
  if (!out.path.empty()) out.path += "Z";
  return out;
}

}  // namespace pivotscope
