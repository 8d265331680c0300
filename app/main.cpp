#include <cstdlib>
#include <exception>
#include <new>

#include "app/cli/command_line.hpp"
#include "app/cli/output.hpp"
#include "app/window_entry.hpp"

int main(int argc, char** argv) {
  // A GPU's driver loads kernels when they are first run, and a sort's first time had that in it. Said before there are threads.
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  try {
    return pivotscope::run_command_line(argc, argv, pivotscope::built_window(), pivotscope::machine_source{});
  } catch (const std::bad_alloc&) {
    return pivotscope::complain("not enough memory; use fewer keys or lookups");
  } catch (const std::exception& fault) {
    return pivotscope::complain(fault.what());
  }
}
