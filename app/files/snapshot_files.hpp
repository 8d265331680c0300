// Snapshots of the window, kept in a folder: of each slot a scenario's line with the step of its path, and a picture.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/common/outcome.hpp"
#include "core/common/portable.hpp"

namespace pivotscope {

struct kept_snapshot {
  std::string scenario;  // scenario_text.hpp
  u32 step = 0;
  std::string png = {};  // empty: the picture is gone
};

// FOLDER/snapshot-SLOT.json and .png. None: there is no such file. One that cannot be understood is set aside: a
// problem that names its new name.
outcome<std::optional<kept_snapshot>> load_snapshot(const std::filesystem::path& folder, u32 slot);
// Whole files; the picture first, so that no slot has another one's.
status keep_snapshot(const std::filesystem::path& folder, u32 slot, const kept_snapshot& what);
status remove_snapshot(const std::filesystem::path& folder, u32 slot);

}  // namespace pivotscope
