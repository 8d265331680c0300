// Lessons from folders: the program's own, and the user's.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "viz/lesson.hpp"

namespace pivotscope {

struct found_lessons {
  std::vector<viz::lesson> all;       // by the names of their files
  std::vector<std::string> problems;  // of files that are left out: file, line, what
};

// Each file *.md of the folder; none, and no problem, when there is no such folder.
found_lessons lessons_in(const std::filesystem::path& folder, bool own);

// The program's: beside it where it is installed (share/pivotscope/lessons), else those of `built_from`.
std::filesystem::path lessons_folder(const std::filesystem::path& built_from);
// $XDG_CONFIG_HOME/pivotscope/lessons, else under ~/.config. Empty when there is no home.
std::filesystem::path own_lessons_folder();

}  // namespace pivotscope
