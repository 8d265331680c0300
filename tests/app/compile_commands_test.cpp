// The compiler cache finds an object for another clone only if no macro on the command line holds this clone's path.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/places.hpp"

namespace pivotscope {
namespace {

TEST(compile_commands, no_macro_holds_a_path) {
  std::ifstream file(testing::built_folder() / "compile_commands.json");
  const nlohmann::json commands = nlohmann::json::parse(file);
  std::size_t macros = 0;
  for (const auto& command : commands) {
    std::istringstream words(command.at("command").get<std::string>());
    for (std::string word; words >> word;) {
      if (!word.starts_with("-D")) continue;
      ++macros;
      EXPECT_EQ(word.find(testing::source_folder().string()), std::string::npos)
          << word << " of " << command.at("file") << ": find the place at run time (core/common/program_folder.hpp)";
    }
  }
  EXPECT_GE(commands.size(), 100u);
  EXPECT_GE(macros, 100u);
}

}  // namespace
}  // namespace pivotscope
