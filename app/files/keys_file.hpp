// keys.json: which keys the user's commands have. A small file beside window.json, to be read and edited by hand.
//
//   {"format": 1, "keys": {"step-on": "right", "copy": "ctrl C", "theme": "none", ...}}
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/common/outcome.hpp"
#include "viz/state/bindings.hpp"

namespace pivotscope {

// Beside window.json; empty when there is no home.
std::filesystem::path keys_path();

struct loaded_keys {
  viz::bindings keys;
  std::vector<std::string> problems;  // with the file's name, and what to do
};
// No file: the list's own. A line that cannot be used is left out; a file that cannot be understood is set aside, and
// one that cannot be read stays, and save_keys() refuses.
loaded_keys load_keys(const std::filesystem::path& path);
// A whole_file, with every command in it. In place of one that cannot be understood, which is set aside: the words that
// say so, or none.
outcome<std::string> save_keys(const std::filesystem::path& path, const viz::bindings& keys);

}  // namespace pivotscope
