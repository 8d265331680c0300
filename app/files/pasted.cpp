#include "app/files/pasted.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <system_error>

#include "core/common/whole_file.hpp"
#include "core/workload/script_text.hpp"

namespace pivotscope {
namespace {

// FNV-1a.
u64 hash_of(std::string_view text) {
  u64 hash = 0xCBF29CE484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

outcome<std::filesystem::path> keep(const std::filesystem::path& folder, const char* name, const std::string& text,
                                    const char* what) {
  std::error_code fault;  // the write will say so
  std::filesystem::create_directories(folder, fault);
  // A file of that name may have been changed since, and be what the keys are read from: it stays.
  for (int number = 1;; ++number) {
    const std::string more = number == 1 ? "" : fmt::format("-{}", number);
    const std::filesystem::path path = folder / fmt::format("{}-{:016x}{}.txt", name, hash_of(text), more);
    std::string there;
    const int error = read_whole_file(path, there);
    if (error == 0 && there == text) return path;
    if (error == 0) continue;
    const status written = error == ENOENT || error == ENOTDIR
                               ? write_whole_file(path, text)
                               : status(problem{fmt::format("{}: {}", path.string(), system_words(error))});
    if (!written) return problem{fmt::format("{} not kept: {}.", what, written.error().words)};
    return path;
  }
}

}  // namespace

std::string whole_path(const std::string& typed) {
  if (typed.empty()) return typed;
  std::filesystem::path path = typed;
  const char* home = std::getenv("HOME");
  if (home && *home && (typed == "~" || typed.starts_with("~/"))) path = std::filesystem::path(home + typed.substr(1));
  std::error_code fault;
  const std::filesystem::path whole = std::filesystem::absolute(path, fault);
  return fault ? typed : whole.lexically_normal().string();
}

outcome<std::filesystem::path> keep_pasted(const std::filesystem::path& folder, std::span<const u64> numbers) {
  std::string text;
  for (const u64 number : numbers) text += fmt::format("{}\n", number);
  return keep(folder, "pasted", text, "The pasted keys are");
}

outcome<std::filesystem::path> keep_script(const std::filesystem::path& folder, const script& s) {
  return keep(folder, "script", to_text(s), "The script is");
}

workload with_whole_paths(workload load) {
  load.own_keys.file = whole_path(load.own_keys.file);
  load.own_batch.numbers.file = whole_path(load.own_batch.numbers.file);
  load.own_script.file = whole_path(load.own_script.file);
  return load;
}

}  // namespace pivotscope
