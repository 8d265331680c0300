#include <GLFW/glfw3.h>

#include <cstdio>

int main() {
  std::puts("pivotscope: a placeholder");
  if (!glfwInit()) {
    const char* why = nullptr;
    glfwGetError(&why);
    std::printf("no window: %s\n", why);
    return 0;
  }
  std::printf("GLFW %s\n", glfwGetVersionString());
  glfwTerminate();
}
