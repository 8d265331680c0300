// What text a frame draws, and where: ours, Dear ImGui's own and ImPlot's. Every text goes through ImDrawList::AddText,
// and the linker leads that through here (--wrap in CMakeLists.txt), so that nothing drawn is missed.
#pragma once

#include <imgui.h>
#include <imgui_internal.h>

#include <string>
#include <vector>

namespace pivotscope {

struct drawn_text {
  std::string window;  // "Path", of its children too
  std::string words;
  ImRect box;   // all of it
  ImRect clip;  // what can be seen of it
  ImU32 colour = 0;
  float size = 0;

  ImRect seen() const;
  bool hidden() const;  // above or below what is scrolled into view, or in no room at all
  // Some of it is beyond the left or the right edge, where a reader cannot know of it.
  bool cut() const;
};

// Two texts one over the other, by more than their corners.
bool overlap(const drawn_text& a, const drawn_text& b);

// Remembers texts while it lives; one at a time.
class text_watch {
 public:
  text_watch();
  ~text_watch();
  text_watch(const text_watch&) = delete;
  text_watch& operator=(const text_watch&) = delete;

  void forget() { texts_.clear(); }
  const std::vector<drawn_text>& texts() const { return texts_; }
  void add(const ImDrawList& to, ImFont* font, float size, ImVec2 at, ImU32 colour, const char* begin, const char* end,
           float wrap, const ImVec4* fine_clip);

 private:
  std::vector<drawn_text> texts_;
};

}  // namespace pivotscope
