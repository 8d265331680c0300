#include "core/machine/cuda/compile/toolkit_places.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <system_error>

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

// Entries of a folder; none when it cannot be read.
std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    found.push_back(it->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool is_there(const fs::path& path) {
  std::error_code failed;
  return fs::exists(path, failed);
}

std::optional<int> number_after(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  text.remove_prefix(prefix.size());
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

void add(std::vector<toolkit_place>& places, fs::path root, std::string why) {
  const bool known = std::any_of(places.begin(), places.end(), [&](const toolkit_place& p) { return p.root == root; });
  if (!known) places.push_back({std::move(root), std::move(why)});
}

void add_variable(std::vector<toolkit_place>& places, const char* name) {
  const char* value = std::getenv(name);
  if (value != nullptr && *value != '\0') add(places, value, std::string("$") + name);
}

// The first folder of $PATH that holds a program.
std::optional<fs::path> on_path(const char* program) {
  const char* value = std::getenv("PATH");
  std::string_view rest = value == nullptr ? "" : value;
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const fs::path folder = rest.substr(0, colon);
    if (folder.is_absolute() && is_there(folder / program)) return folder;
    rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
  }
  return std::nullopt;
}

void add_nvcc(std::vector<toolkit_place>& places) {
  const auto folder = on_path("nvcc");
  if (!folder) return;
  std::error_code failed;
  const fs::path nvcc = fs::canonical(*folder / "nvcc", failed);
  if (!failed) add(places, nvcc.parent_path().parent_path(), "of the nvcc on $PATH");
}

// nvidia/cu13, and CUDA 12's nvidia/cuda_nvrtc, of a site-packages folder.
void add_wheels(std::vector<toolkit_place>& places, const fs::path& packages) {
  std::vector<std::pair<int, fs::path>> wheels;
  for (const fs::path& folder : entries_of(packages / "nvidia")) {
    const std::string name = folder.filename();
    if (name == "cuda_nvrtc") wheels.emplace_back(12, folder);
    if (const auto major = number_after(name, "cu")) wheels.emplace_back(*major, folder);
  }
  std::stable_sort(wheels.begin(), wheels.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (auto& wheel : wheels) add(places, std::move(wheel.second), "Python package");
}

// site-packages and dist-packages of every Python below a prefix.
void add_pythons(std::vector<toolkit_place>& places, const fs::path& prefix) {
  for (const fs::path& python : entries_of(prefix / "lib")) {
    if (!python.filename().string().starts_with("python3")) continue;
    add_wheels(places, python / "site-packages");
    add_wheels(places, python / "dist-packages");
  }
}

}  // namespace

std::vector<toolkit_place> toolkit_places() {
  std::vector<toolkit_place> places;
  for (const char* name : {"PIVOTSCOPE_CUDA", "CUDA_PATH", "CUDA_HOME"}) add_variable(places, name);
  add(places, build_toolkit(), "the build's");
  add(places, "/usr/local/cuda", "");
  add_nvcc(places);
  // conda's cuda-nvrtc lies in the environment itself, pip's wheels in its Python's packages.
  add_variable(places, "CONDA_PREFIX");
  if (const char* environment = std::getenv("CONDA_PREFIX")) add_pythons(places, environment);
  if (const char* environment = std::getenv("VIRTUAL_ENV")) add_pythons(places, environment);
  // Not resolved: a virtual environment's python3 is a link to one elsewhere.
  if (const auto folder = on_path("python3")) add_pythons(places, folder->parent_path());
  if (const char* home = std::getenv("HOME")) add_pythons(places, fs::path(home) / ".local");
  add_pythons(places, "/usr/local");
  add_pythons(places, "/usr");
  return places;
}

std::vector<fs::path> library_folders(const fs::path& root) {
  std::vector<fs::path> folders;
  for (const char* name : {"lib64", "lib", "targets/x86_64-linux/lib"}) {
    const fs::path folder = root / name;
    std::error_code failed;
    const bool known = std::any_of(folders.begin(), folders.end(),
                                   [&](const fs::path& other) { return fs::equivalent(other, folder, failed); });
    if (is_there(folder) && !known) folders.push_back(folder);
  }
  return folders;
}

std::vector<fs::path> nvrtc_files(const fs::path& folder) {
  std::vector<std::pair<int, fs::path>> files;
  for (const fs::path& file : entries_of(folder)) {
    if (const auto major = number_after(file.filename().string(), "libnvrtc.so.")) files.emplace_back(*major, file);
  }
  std::stable_sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<fs::path> paths;
  paths.reserve(files.size());
  for (auto& file : files) paths.push_back(std::move(file.second));
  return paths;
}

std::vector<fs::path> cuda_include_folders() {
  for (const toolkit_place& place : toolkit_places()) {
    for (const char* name : {"include", "targets/x86_64-linux/include"}) {
      const fs::path include = place.root / name;
      if (!is_there(include / "cuda_runtime_api.h")) continue;
      // CUDA 13 keeps CCCL in a folder of its own.
      if (is_there(include / "cccl" / "cub" / "cub.cuh")) return {include, include / "cccl"};
      if (is_there(include / "cub" / "cub.cuh")) return {include};
    }
  }
  return {};
}

std::string place_text(const toolkit_place& place) {
  return place.why.empty() ? place.root.string() : place.root.string() + " (" + place.why + ")";
}

}  // namespace pivotscope
