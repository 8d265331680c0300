#include "app/files/snapshot_files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/common/json_words.hpp"
#include "core/common/quarantine.hpp"
#include "core/common/whole_file.hpp"

namespace pivotscope {
namespace {

constexpr int file_format = 1;

std::filesystem::path file_of(const std::filesystem::path& folder, u32 slot, const char* kind) {
  return folder / fmt::format("snapshot-{}.{}", slot + 1, kind);
}

problem not_understood(const std::filesystem::path& path, const std::string& why) {
  const outcome<std::filesystem::path> aside = quarantine(path);
  if (!aside)
    return {fmt::format("The snapshot in {} cannot be used ({}), and stays as it is, for {}.", path.string(), why,
                        aside.error().words)};
  return {
      fmt::format("The snapshot in {} cannot be used ({}); it is kept as {}.", path.string(), why, aside->string())};
}

}  // namespace

outcome<std::optional<kept_snapshot>> load_snapshot(const std::filesystem::path& folder, u32 slot) {
  using found = std::optional<kept_snapshot>;
  const std::filesystem::path path = file_of(folder, slot, "json");
  std::string text;
  const int error = read_whole_file(path, text);
  if (error == ENOENT) return found();
  if (error != 0)
    return problem{fmt::format("The snapshot in {} cannot be read: {}.", path.string(), system_words(error))};
  kept_snapshot out;
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    if (json.at("format").get<int>() != file_format) return not_understood(path, "it is of another format");
    out.scenario = json.at("scenario").get<std::string>();
    out.step = json.at("step").get_ref<const nlohmann::json::number_unsigned_t&>() & 0xFFFFFFFFu;
  } catch (const nlohmann::json::exception& e) {
    return not_understood(path, json_words(e));
  }
  if (read_whole_file(file_of(folder, slot, "png"), out.png) != 0) out.png.clear();
  return found(std::move(out));
}

status keep_snapshot(const std::filesystem::path& folder, u32 slot, const kept_snapshot& what) {
  std::error_code fault;  // the write will say so
  std::filesystem::create_directories(folder, fault);
  const std::filesystem::path path = file_of(folder, slot, "json");
  std::filesystem::remove(path, fault);
  if (status written = write_whole_file(file_of(folder, slot, "png"), what.png); !written) return written;
  const nlohmann::json json = {{"format", file_format}, {"scenario", what.scenario}, {"step", what.step}};
  return write_whole_file(path, json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

status remove_snapshot(const std::filesystem::path& folder, u32 slot) {
  for (const char* kind : {"json", "png"}) {
    std::error_code fault;
    const std::filesystem::path path = file_of(folder, slot, kind);
    std::filesystem::remove(path, fault);
    if (fault) return problem{fmt::format("{} cannot be removed: {}", path.string(), fault.message())};
  }
  return fine();
}

}  // namespace pivotscope
