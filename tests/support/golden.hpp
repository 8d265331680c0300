// Whole texts, character by character, against files beside the tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/places.hpp"

namespace pivotscope::testing {

// `file` from the source folder on. With PIVOTSCOPE_RENEW_GOLDEN set it is written instead; git then says what changed.
inline void expect_golden(const std::string& file, const std::string& text) {
  const std::filesystem::path path = source_folder() / file;
  if (std::getenv("PIVOTSCOPE_RENEW_GOLDEN") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream in(path, std::ios::binary);
  const std::string known{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(text, known) << file << " is another; PIVOTSCOPE_RENEW_GOLDEN=1 writes it anew";
}

}  // namespace pivotscope::testing
