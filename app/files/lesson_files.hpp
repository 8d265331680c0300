// Lessons from folders: the program's own, and the user's.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "viz/state/lesson.hpp"

namespace pivotscope {

struct found_lessons {
  std::vector<viz::lesson> all;       // by the names of their files
  std::vector<std::string> problems;  // of files that are left out: file, line, what
};

// Each file *.md of the folder; none, and no problem, when there is no such folder.
found_lessons lessons_in(const std::filesystem::path& folder, bool own);

// The program's, in the first of its asset_folders() that has lessons; where none has, the last place looked at.
std::filesystem::path lessons_folder();
// $XDG_CONFIG_HOME/pivotscope/lessons, else under ~/.config. Empty when there is no home.
std::filesystem::path own_lessons_folder();

}  // namespace pivotscope
