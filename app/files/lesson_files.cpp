#include "app/files/lesson_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "app/files/lesson_text.hpp"
#include "app/files/settings.hpp"
#include "core/common/program_folder.hpp"
#include "core/common/whole_file.hpp"

namespace pivotscope {

namespace fs = std::filesystem;

found_lessons lessons_in(const fs::path& folder, bool own) {
  found_lessons found;
  std::vector<fs::path> files;
  std::error_code fault;
  for (fs::directory_iterator at(folder, fault), end; !fault && at != end; at.increment(fault))
    if (at->path().extension() == ".md" && !at->is_directory(fault)) files.push_back(at->path());
  if (fault && fault != std::errc::no_such_file_or_directory)
    found.problems.push_back(fmt::format("The lessons in {} cannot be read: {}.", folder.string(), fault.message()));
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::string text;
    if (const int error = read_whole_file(file, text); error != 0) {
      found.problems.push_back(fmt::format("The lesson {} cannot be read: {}.", file.string(), system_words(error)));
      continue;
    }
    outcome<viz::lesson> one = lesson_from_text(file.stem().string(), text);
    if (!one.ok()) {
      found.problems.push_back(fmt::format("The lesson {} is left out. Its {}.", file.string(), one.error().words));
      continue;
    }
    one->own = own;
    found.all.push_back(std::move(*one));
  }
  return found;
}

fs::path lessons_folder() {
  std::error_code fault;
  fs::path lessons;
  for (const fs::path& assets : asset_folders()) {
    lessons = assets / "lessons";
    if (fs::is_directory(lessons, fault)) break;
  }
  return lessons;
}

fs::path own_lessons_folder() {
  const fs::path file = settings_path();
  return file.empty() ? fs::path() : file.parent_path() / "lessons";
}

}  // namespace pivotscope
