#include "tests/window/text_watch.hpp"

#include <algorithm>
#include <cfloat>
#include <cstring>
#include <utility>

namespace pivotscope {
namespace {

text_watch* watching = nullptr;

std::string root_of(const char* owner) {
  const std::string name = owner ? owner : "";
  return name.substr(0, name.find('/'));
}

}  // namespace

ImRect drawn_text::seen() const {
  ImRect part = box;
  part.ClipWithFull(clip);
  return part;
}

bool drawn_text::hidden() const {
  return box.Max.y <= clip.Min.y || box.Min.y >= clip.Max.y || clip.GetWidth() <= 0 || clip.GetHeight() <= 0;
}

bool drawn_text::cut() const {
  constexpr float rounding = 1.5f;  // a letter's advance is wider than its ink
  return !hidden() && (box.Min.x < clip.Min.x - rounding || box.Max.x > clip.Max.x + rounding);
}

bool overlap(const drawn_text& a, const drawn_text& b) {
  // Of a line's height about half is ink.
  const auto ink = [](const drawn_text& t) {
    ImRect part = t.seen();
    part.Min.y += t.size * 0.25f, part.Max.y -= t.size * 0.25f;
    return part;
  };
  ImRect both = ink(a);
  both.ClipWith(ink(b));
  return both.GetWidth() > 2 && both.GetHeight() > 1;
}

text_watch::text_watch() { watching = this; }
text_watch::~text_watch() { watching = nullptr; }

void text_watch::add(const ImDrawList& to, ImFont* font, float size, ImVec2 at, ImU32 colour, const char* begin,
                     const char* end, float wrap, const ImVec4* fine_clip) {
  if (!end) end = begin + std::strlen(begin);
  if (begin == end || (colour & IM_COL32_A_MASK) == 0) return;
  if (!font) font = to._Data->Font;
  if (size == 0) size = to._Data->FontSize;
  drawn_text t;
  t.window = root_of(to._OwnerName);
  t.words.assign(begin, end);
  t.colour = colour;
  t.size = size;
  const ImVec2 extent = font->CalcTextSizeA(size, FLT_MAX, wrap, begin, end);
  t.box = ImRect(at, {at.x + extent.x, at.y + extent.y});
  t.clip = ImRect(to._CmdHeader.ClipRect);
  if (fine_clip) t.clip.ClipWith(ImRect(*fine_clip));
  texts_.push_back(std::move(t));
}

}  // namespace pivotscope

// The linker's names of the function that was called and of the real one (ld's --wrap).
extern "C" {
void pivotscope_real_add_text(
    ImDrawList* self, ImFont* font, float size, const ImVec2& at, ImU32 colour, const char* begin, const char* end,
    float wrap, const ImVec4* fine_clip) __asm__("__real__ZN10ImDrawList7AddTextEP6ImFontfRK6ImVec2jPKcS6_fPK6ImVec4");
void pivotscope_add_text(
    ImDrawList* self, ImFont* font, float size, const ImVec2& at, ImU32 colour, const char* begin, const char* end,
    float wrap, const ImVec4* fine_clip) __asm__("__wrap__ZN10ImDrawList7AddTextEP6ImFontfRK6ImVec2jPKcS6_fPK6ImVec4");
void pivotscope_real_add_plain_text(ImDrawList* self, const ImVec2& at, ImU32 colour, const char* begin,
                                    const char* end) __asm__("__real__ZN10ImDrawList7AddTextERK6ImVec2jPKcS4_");
void pivotscope_add_plain_text(ImDrawList* self, const ImVec2& at, ImU32 colour, const char* begin,
                               const char* end) __asm__("__wrap__ZN10ImDrawList7AddTextERK6ImVec2jPKcS4_");

void pivotscope_add_text(ImDrawList* self, ImFont* font, float size, const ImVec2& at, ImU32 colour, const char* begin,
                         const char* end, float wrap, const ImVec4* fine_clip) {
  if (pivotscope::watching) pivotscope::watching->add(*self, font, size, at, colour, begin, end, wrap, fine_clip);
  pivotscope_real_add_text(self, font, size, at, colour, begin, end, wrap, fine_clip);
}

void pivotscope_add_plain_text(ImDrawList* self, const ImVec2& at, ImU32 colour, const char* begin, const char* end) {
  if (pivotscope::watching) pivotscope::watching->add(*self, nullptr, 0, at, colour, begin, end, 0, nullptr);
  // It calls the other one, which some linkers wrap there too and some do not.
  pivotscope::text_watch* const watching = std::exchange(pivotscope::watching, nullptr);
  pivotscope_real_add_plain_text(self, at, colour, begin, end);
  pivotscope::watching = watching;
}
}
