// Settings are written as they change, so that a window that is killed loses nothing, and a window that is opened
// beside another has a file of its own.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "app/files/settings.hpp"
#include "app/session/reader.hpp"
#include "core/common/file_lock.hpp"

namespace pivotscope {

// The file of this window, while it lives: window.json, or window-2.json and on where the ones before are other
// windows'.
struct own_settings {
  std::filesystem::path file = {};         // empty: there is no home, and nothing is kept
  std::filesystem::path begins_with = {};  // to read at first: its own, or window.json where it has none yet
  std::optional<file_lock> lock = {};      // none where the file system has no locks, or the folder cannot be written
};
own_settings take_settings(const std::filesystem::path& first);

class settings_keeper {
 public:
  // `tell`: what went wrong, each once; from another thread.
  settings_keeper(std::filesystem::path file, const settings& known, std::function<void(const std::string&)> tell);
  ~settings_keeper() { finish(); }

  // Writes them beside the caller where they differ from those before.
  void keep(const settings& now);
  void finish();                                           // waits until they are written
  const std::string& last_words() const { return told_; }  // of the last time; empty: all went well. Behind finish()

 private:
  void write(const settings& what);

  const std::filesystem::path file_;
  const std::function<void(const std::string&)> tell_;
  settings known_;
  std::string told_;  // the writer's
  reader writer_;     // ends before what its tasks use
};

}  // namespace pivotscope
