#include "app/files/settings_keeper.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace pivotscope {
namespace {

namespace fs = std::filesystem;
constexpr int most_windows = 9, a_writing = 1;

fs::path numbered(const fs::path& first, int number) {
  if (number == 1) return first;
  return first.parent_path() / fmt::format("{}-{}{}", first.stem().string(), number, first.extension().string());
}

}  // namespace

own_settings take_settings(const fs::path& first) {
  if (first.empty()) return {};
  std::error_code fault;  // the lock will say so
  fs::create_directories(first.parent_path(), fault);
  for (int number = 1; number <= most_windows; ++number) {
    const fs::path file = numbered(first, number);
    outcome<std::optional<file_lock>> lock = file_lock::take_free(file.string() + ".lock");
    if (!lock) return {first, first, {}};  // nothing can be written there: that is told when it is tried
    if (!*lock) continue;
    const bool known = number == 1 || fs::exists(file, fault);
    return {file, known ? file : first, std::move(*lock)};
  }
  return {{}, first, {}};
}

settings_keeper::settings_keeper(fs::path file, const settings& known, std::function<void(const std::string&)> tell)
    : file_(std::move(file)), tell_(std::move(tell)), known_(known) {
  // Before anything changed: who cannot keep settings is told at once, and not when it is too late.
  writer_.add([this, known] { write(known); });
}

void settings_keeper::keep(const settings& now) {
  if (now == known_) return;
  known_ = now;
  writer_.replace(a_writing, [this, now] { write(now); });
}

void settings_keeper::finish() { writer_.finish(); }

void settings_keeper::write(const settings& what) {
  const outcome<std::string> saved = save_settings(file_, what);
  const std::string& words = saved.ok() ? *saved : saved.error().words;
  if (!words.empty() && words != told_) tell_(words);
  told_ = words;
}

}  // namespace pivotscope
