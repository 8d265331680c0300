// Where the sources and what was built of them lie, found at run time: a path in a macro would keep every file that sees it out of
// another clone's compiler cache.
#pragma once

#include <cstdlib>
#include <filesystem>

#include "core/common/program_folder.hpp"

namespace pivotscope::testing {

// The build tree that the tests belong to: the folder of this program, or $PIVOTSCOPE_BUILT where the program was built elsewhere
// (tests/support/shadow_build.py).
inline std::filesystem::path built_folder() {
  const char* const named = std::getenv("PIVOTSCOPE_BUILT");
  return named != nullptr ? std::filesystem::path(named) : program_folder();
}

// The checkout.
inline std::filesystem::path source_folder() {
  return (built_folder() / PIVOTSCOPE_SOURCES_FROM_BUILD).lexically_normal();
}

// A program under test: beside this one, which is built with it.
inline std::filesystem::path program_path(const char* name = "pivotscope") { return program_folder() / name; }
inline constexpr const char* lying_program = "pivotscope_lying";

}  // namespace pivotscope::testing
