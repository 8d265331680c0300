#include "app/files/keys_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <system_error>

#include "app/files/quarantined_file.hpp"
#include "app/files/settings.hpp"
#include "core/common/json_words.hpp"
#include "core/common/whole_file.hpp"

namespace pivotscope {
namespace {

constexpr int file_format = 1;
constexpr const char* what = "The keys";

struct content {
  enum class state { understood, not_understood, not_readable };
  state is = state::understood;
  std::string why = {};  // when it is not
  viz::written_keys keys = {};
};

// In the file's order: of two that clash, the first one stays.
content read(const std::filesystem::path& path) {
  std::string text;
  const int error = read_whole_file(path, text);
  if (error == ENOENT) return {};
  if (error != 0) return {content::state::not_readable, system_words(error)};
  try {
    const auto json = nlohmann::ordered_json::parse(text);
    if (json.value("format", file_format) != file_format)
      return {content::state::not_understood, "it is of another format"};
    content out;
    const auto keys = json.value("keys", nlohmann::ordered_json::object());
    for (const auto& [id, chord] : keys.get_ref<const nlohmann::ordered_json::object_t&>())
      out.keys.emplace_back(id, chord.get<std::string>());
    return out;
  } catch (const nlohmann::json::exception& e) {
    return {content::state::not_understood, json_words(e)};
  }
}

}  // namespace

std::filesystem::path keys_path() {
  const std::filesystem::path settings = settings_path();
  return settings.empty() ? settings : settings.parent_path() / "keys.json";
}

loaded_keys load_keys(const std::filesystem::path& path) {
  if (path.empty()) return {};
  const content kept = read(path);
  if (kept.is == content::state::not_readable)
    return {{}, {fmt::format("{} in {} cannot be read ({}); all are as at first.", what, path.string(), kept.why)}};
  if (kept.is == content::state::not_understood) {
    const outcome<std::string> aside = quarantine_and_say(path, what, kept.why);
    return {{}, {aside ? *aside + " All are as at first." : aside.error().words}};
  }
  viz::read_bindings read = viz::bindings_from(kept.keys);
  loaded_keys out{std::move(read.keys), {}};
  for (const std::string& problem : read.problems)
    out.problems.push_back(fmt::format("{}: {}. Mend the line, or give the command its keys in the list of keys.",
                                       path.string(), problem));
  return out;
}

outcome<std::string> save_keys(const std::filesystem::path& path, const viz::bindings& keys) {
  if (path.empty()) return problem{"There is no home folder to keep keys in: neither HOME nor XDG_CONFIG_HOME is set."};
  const content before = read(path);
  if (before.is == content::state::not_readable)
    return problem{fmt::format("The keys are not kept: {} cannot be read ({}), and stays.", path.string(), before.why)};
  std::string told;
  if (before.is == content::state::not_understood) {
    outcome<std::string> aside = quarantine_and_say(path, what, before.why);
    if (!aside) return aside.error();
    told = std::move(*aside);
  }
  nlohmann::ordered_json list = nlohmann::ordered_json::object();
  for (const auto& [id, chord] : viz::to_written(keys)) list[id] = chord;
  const nlohmann::ordered_json json = {{"format", file_format}, {"keys", list}};
  std::error_code fault;  // the write will say so
  std::filesystem::create_directories(path.parent_path(), fault);
  const status written = write_whole_file(path, json.dump(2) + "\n");
  if (!written) return problem{fmt::format("The keys are not kept: {}.", written.error().words)};
  return told;
}

}  // namespace pivotscope
