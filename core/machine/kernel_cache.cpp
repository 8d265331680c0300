#include "core/machine/kernel_cache.hpp"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "core/common/expect.hpp"
#include "core/common/whole_file.hpp"

#define XXH_INLINE_ALL  // no library to carry along
#include <xxhash.h>

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

constexpr std::array<char, 8> magic = {'P', 'V', 'S', 'K', 'E', 'R', 'N', '\n'};
constexpr u64 format_version = 1;

// The file: this, then the code, and nothing after. Little-endian, like every machine that CUDA runs on.
struct file_head {
  std::array<char, 8> magic;
  u64 version;
  u64 key_low, key_high;  // a file that was renamed is not taken for another
  u64 code_bytes;
  u64 checksum_low, checksum_high;
};
static_assert(sizeof(file_head) == 56);

XXH128_hash_t hash(std::string_view bytes) { return XXH3_128bits(bytes.data(), bytes.size()); }

file_head head_for(const cache_key& key, std::string_view code) {
  const XXH128_hash_t checksum = hash(code);
  return {magic, format_version, key.low, key.high, code.size(), checksum.low64, checksum.high64};
}

std::string home_folder() {
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') return home;
  std::array<char, 4096> space;
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(::getuid(), &entry, space.data(), space.size(), &found) != 0 || found == nullptr) return {};
  return found->pw_dir == nullptr ? "" : found->pw_dir;
}

}  // namespace

cache_key hash_parts(std::span<const std::string_view> parts) {
  std::string all;
  for (const std::string_view part : parts) {
    all += fmt::format("{}:", part.size());
    all += part;
  }
  const XXH128_hash_t h = hash(all);
  return {h.low64, h.high64};
}

cache_folder choose_cache_folder(const std::string& option) {
  if (!option.empty()) return {option, "--cache-folder"};
  if (const char* named = std::getenv("PIVOTSCOPE_CACHE"); named != nullptr && *named != '\0') {
    return {named, "PIVOTSCOPE_CACHE"};
  }
  // A relative $XDG_CACHE_HOME is to be ignored, says its specification.
  if (const char* caches = std::getenv("XDG_CACHE_HOME"); caches != nullptr && *caches == '/') {
    return {fs::path(caches) / "pivotscope", ""};
  }
  const std::string home = home_folder();
  return {home.empty() ? fs::path() : fs::path(home) / ".cache" / "pivotscope", ""};
}

outcome<kernel_cache> kernel_cache::open(const cache_folder& folder) {
  const std::string named = folder.named_by.empty() ? "" : " named by " + folder.named_by;
  const auto refuse = [&](std::string_view what, const std::string& words) {
    return problem{fmt::format(
        "The folder for compiled kernels{}, {}, {}: {}. Name one that can be written, with --cache-folder or "
        "PIVOTSCOPE_CACHE.",
        named, folder.path.empty() ? "(none)" : folder.path.string(), what, words)};
  };
  if (folder.path.empty()) return refuse("cannot be found", "neither HOME nor XDG_CACHE_HOME is set");
  std::error_code failed;
  fs::create_directories(folder.path, failed);
  if (failed) return refuse("cannot be made", failed.message());
  // Of this call alone: several threads may open at once.
  static std::atomic<u64> opened{0};
  const fs::path probe = folder.path / fmt::format("write-test.{}.{}", ::getpid(), ++opened);
  if (const status written = write_whole_file(probe, "", power_cut::may_damage); !written) {
    return refuse("cannot be written", written.error().words);
  }
  file_calls::in_use().remove(probe.c_str());
  return kernel_cache(folder.path);
}

fs::path kernel_cache::file(const cache_key& key) const {
  PIVOTSCOPE_EXPECT(!folder_.empty());  // else it would be a file of the folder one happens to be in
  return folder_ / fmt::format("{:016x}{:016x}.kernel", key.high, key.low);
}

kernel_cache::found kernel_cache::load(const cache_key& key) const {
  const fs::path path = file(key);
  std::string bytes;
  const int error = read_whole_file(path, bytes);
  if (error == ENOENT) return {};
  const auto refuse = [&](std::string_view why) {
    return found{std::nullopt, fmt::format("The compiled kernel {} {}; it is compiled again.", path.string(), why)};
  };
  if (error != 0) return refuse("cannot be read (" + system_words(error) + ")");
  if (bytes.size() < sizeof(file_head)) return refuse("is cut short");
  file_head head;
  std::memcpy(&head, bytes.data(), sizeof head);
  if (head.magic != magic) return refuse("is no file of pivotscope's");
  if (head.version != format_version) return refuse("is of another version of pivotscope");
  if (head.code_bytes != bytes.size() - sizeof head) return refuse("has not the length that it says");
  bytes.erase(0, sizeof head);
  const file_head right = head_for(key, bytes);
  if (std::memcmp(&head, &right, sizeof head) != 0) return refuse("is damaged: its checksum is wrong");
  return {std::move(bytes), ""};
}

std::string kernel_cache::store(const cache_key& key, std::string_view code) const {
  const file_head head = head_for(key, code);
  std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
  bytes += code;
  const status written = write_whole_file(file(key), bytes, power_cut::may_damage);
  return written ? "" : fmt::format("The compiled kernel could not be kept: {}.", written.error().words);
}

}  // namespace pivotscope
