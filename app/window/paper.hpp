// What Dear ImGui draws where there is no display and no OpenGL: frames of shapes, which svg.hpp reads.
#pragma once

struct ImGuiContext;
struct ImPlotContext;

namespace pivotscope {

class paper {
 public:
  paper(int width, int height);
  ~paper();
  paper(const paper&) = delete;
  paper& operator=(const paper&) = delete;

  void begin_frame();
  void end_frame();

 private:
  ImGuiContext* context_;
  ImPlotContext* plots_;
};

}  // namespace pivotscope
