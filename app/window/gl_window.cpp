#include "app/window/gl_window.hpp"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#include <imgui_impl_opengl3_loader.h>
#include <implot.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "app/window/fonts.hpp"
#include "app/window/virtual_display.hpp"
#include "viz/theme/theme.hpp"

namespace pivotscope {
namespace {

std::string last_fault;
std::atomic<int> open_windows{0};

// GLFW's events come on the one thread that has windows.
std::vector<std::string>& dropped_files() {
  static std::vector<std::string> files;
  return files;
}

void remember_dropped(GLFWwindow*, int count, const char** paths) {
  for (int i = 0; i < count; ++i) dropped_files().emplace_back(paths[i]);
}

// Of all that is typed GLFW tells Dear ImGui what it types without ctrl and alt.
void remember_typed(GLFWwindow*, unsigned character, int modifiers) {
  ImGuiKeyChord held = ImGuiMod_None;
  if (modifiers & GLFW_MOD_CONTROL) held |= ImGuiMod_Ctrl;
  if (modifiers & GLFW_MOD_ALT) held |= ImGuiMod_Alt;
  if (held != ImGuiMod_None) viz::note_typed(character, held);
}

void remember_fault(int, const char* words) { last_fault = words ? words : ""; }

// Neither frame buffers nor glFinish are among the functions that Dear ImGui's loader finds.
constexpr GLenum frame_buffer_target = 0x8D40, render_buffer_target = 0x8D41, colour_attachment = 0x8CE0,
                 rgba8 = 0x8058;
struct more_functions {
  void (*gen_frame_buffers)(GLsizei, GLuint*);
  void (*finish)();
  void (*bind_frame_buffer)(GLenum, GLuint);
  void (*delete_frame_buffers)(GLsizei, const GLuint*);
  void (*gen_render_buffers)(GLsizei, GLuint*);
  void (*bind_render_buffer)(GLenum, GLuint);
  void (*delete_render_buffers)(GLsizei, const GLuint*);
  void (*render_buffer_storage)(GLenum, GLenum, GLsizei, GLsizei);
  void (*frame_buffer_render_buffer)(GLenum, GLenum, GLenum, GLuint);
};

template <class Function>
void find(Function& function, const char* name) {
  const GLFWglproc found = glfwGetProcAddress(name);
  std::memcpy(&function, &found, sizeof function);
}

const more_functions& gl() {
  static const more_functions functions = [] {
    more_functions f{};
    find(f.gen_frame_buffers, "glGenFramebuffers");
    find(f.finish, "glFinish");
    find(f.bind_frame_buffer, "glBindFramebuffer");
    find(f.delete_frame_buffers, "glDeleteFramebuffers");
    find(f.gen_render_buffers, "glGenRenderbuffers");
    find(f.bind_render_buffer, "glBindRenderbuffer");
    find(f.delete_render_buffers, "glDeleteRenderbuffers");
    find(f.render_buffer_storage, "glRenderbufferStorage");
    find(f.frame_buffer_render_buffer, "glFramebufferRenderbuffer");
    return f;
  }();
  return functions;
}

struct window_size {
  int width, height;
};

// Not beyond the screen, whose panels are not ours: what was remembered may be of a larger one.
window_size fitting(window_size wanted) {
  GLFWmonitor* const screen = glfwGetPrimaryMonitor();
  int x = 0, y = 0, most_wide = 0, most_high = 0;
  if (screen) glfwGetMonitorWorkarea(screen, &x, &y, &most_wide, &most_high);
  if (most_wide <= 0 || most_high <= 0) return wanted;
  return {std::min(wanted.width, most_wide), std::min(wanted.height, most_high)};
}

GLFWwindow* create(const gl_window_options& options) {
  glfwWindowHint(GLFW_VISIBLE, options.off_screen ? GLFW_FALSE : GLFW_TRUE);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "pivotscope");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "pivotscope");
  const auto [width, height] = options.off_screen ? window_size{64, 64} : fitting({options.width, options.height});
  return glfwCreateWindow(width, height, options.title.c_str(), nullptr, nullptr);
}

std::string no_window_words() {
  const char* wayland = std::getenv("WAYLAND_DISPLAY");
  if (!has_display() && wayland && *wayland)
    return "The window needs X11, and this Wayland session has none (WAYLAND_DISPLAY is set, DISPLAY is not). Install "
           "XWayland "
           "(Debian: xwayland) and log in again.";
  if (!has_display())
    return "There is no display (DISPLAY is not set), so the window cannot open. Start this in a desktop session, over "
           "ssh -X, or under xvfb-run; the commands that need no window are in `pivotscope --help`.";
  return fmt::format("The window cannot open on this display: {}. It needs OpenGL 3.3.",
                     last_fault.empty() ? "no reason was given" : last_fault);
}

}  // namespace

outcome<std::unique_ptr<gl_window>> gl_window::open(const gl_window_options& options) {
  last_fault.clear();
  glfwSetErrorCallback(remember_fault);
  if (!glfwInit()) return problem{no_window_words()};
  // Once, at the very end: GLFW unloads OpenGL with its last window, and Mesa's does not survive to be loaded again.
  [[maybe_unused]] static const int at_end = std::atexit(glfwTerminate);
  std::unique_ptr<gl_window> out(new gl_window);
  out->window_ = create(options);
  if (!out->window_) return problem{no_window_words()};
  ++open_windows;
  out->off_screen_ = out->keep_ = options.off_screen;
  glfwMakeContextCurrent(out->window_);
  glfwSwapInterval(options.off_screen ? 0 : 1);
  glfwSetWindowSizeLimits(out->window_, 480, 320, GLFW_DONT_CARE, GLFW_DONT_CARE);

  IMGUI_CHECKVERSION();
  out->context_ = ImGui::CreateContext();
  out->plots_ = ImPlot::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // panels are remembered in our own settings
  io.ConfigFlags |= ImGuiConfigFlags_DockingEnable | ImGuiConfigFlags_NavEnableKeyboard;
  io.ConfigDockingWithShift = false;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.ConfigInputTextCursorBlink = !options.off_screen;
  ImGui_ImplGlfw_InitForOpenGL(out->window_, true);
  glfwSetDropCallback(out->window_, remember_dropped);
  glfwSetCharModsCallback(out->window_, remember_typed);
  ImGui_ImplOpenGL3_Init("#version 150");

  float scale = 1, unused = 1;
  if (!options.off_screen) glfwGetWindowContentScale(out->window_, &scale, &unused);
  viz::set_display_scale(scale);
  load_fonts();
  viz::set_theme(false);
  const window_size size{options.width, options.height};
  const auto [width, height] = options.off_screen ? size : fitting(size);
  out->resize(width, height);
  return out;
}

gl_window::~gl_window() {
  if (context_) {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    delete_frame_buffer();
    ImPlot::DestroyContext(plots_);
    ImGui::DestroyContext(context_);
  }
  if (!window_) return;
  glfwDestroyWindow(window_);
  --open_windows;
}

void gl_window::resize(int width, int height) {
  if (!off_screen_) {
    if (width != width_ || height != height_) glfwSetWindowSize(window_, width, height);
    width_ = width;
    height_ = height;
    return;
  }
  width_ = width;
  height_ = height;
  delete_frame_buffer();
  make_frame_buffer();
}

void gl_window::make_frame_buffer() {
  gl().gen_frame_buffers(1, &frame_buffer_);
  gl().bind_frame_buffer(frame_buffer_target, frame_buffer_);
  gl().gen_render_buffers(1, &colour_);
  gl().bind_render_buffer(render_buffer_target, colour_);
  gl().render_buffer_storage(render_buffer_target, rgba8, width_, height_);
  gl().frame_buffer_render_buffer(frame_buffer_target, colour_attachment, render_buffer_target, colour_);
}

void gl_window::delete_frame_buffer() {
  if (!frame_buffer_) return;
  gl().delete_render_buffers(1, &colour_);
  gl().delete_frame_buffers(1, &frame_buffer_);
  frame_buffer_ = colour_ = 0;
}

void gl_window::begin_frame(bool field_is_coming) {
  turn_ = room_.to_draw();
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGuiIO& io = ImGui::GetIO();
  if (off_screen_) {
    io.DisplaySize = {static_cast<float>(width_), static_cast<float>(height_)};
    io.DisplayFramebufferScale = {1, 1};
  } else {
    glfwGetWindowSize(window_, &width_, &height_);
  }
  keys_.new_frame(field_is_coming);
}

void gl_window::end_frame(bool paint) {
  ImGui::Render();
  if (!paint) {
    measuring_ = room_.was_used();
    return turn_.end();
  }
  int width = width_, height = height_;
  if (off_screen_)
    gl().bind_frame_buffer(frame_buffer_target, frame_buffer_);
  else
    glfwGetFramebufferSize(window_, &width, &height);
  glViewport(0, 0, width, height);
  const ImVec4 ground = ImGui::ColorConvertU32ToFloat4(viz::theme().ground);
  glClearColor(ground.x, ground.y, ground.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  if (keep_) kept_ = read();
  measuring_ = room_.was_used();
  if (measuring_) gl().finish();
  turn_.end();  // to show it waits for the screen
  if (!off_screen_) glfwSwapBuffers(window_);
}

picture gl_window::read() const {
  picture out;
  out.width = width_;
  out.height = height_;
  if (!off_screen_) glfwGetFramebufferSize(window_, &out.width, &out.height);
  const auto w = static_cast<std::size_t>(out.width), h = static_cast<std::size_t>(out.height);
  std::vector<u8> rgba(w * h * 4);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, out.width, out.height, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
  out.rgb.resize(w * h * 3);
  for (std::size_t y = 0; y < h; ++y) {  // OpenGL counts rows from the bottom
    const u8* from = rgba.data() + (h - 1 - y) * w * 4;
    u8* to = out.rgb.data() + y * w * 3;
    for (std::size_t x = 0; x < w; ++x) std::memcpy(to + x * 3, from + x * 4, 3);
  }
  return out;
}

std::vector<std::string> gl_window::take_dropped() { return std::exchange(dropped_files(), {}); }

picture gl_window::last_frame() const { return kept_; }

void wake_window() {
  if (open_windows > 0) glfwPostEmptyEvent();
}

}  // namespace pivotscope
