#include "app/files/settings.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <system_error>

#include "app/files/quarantined_file.hpp"
#include "core/common/json_words.hpp"
#include "core/common/whole_file.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope {
namespace {

constexpr int file_format = 1;
constexpr const char* told_of = "What was remembered";
constexpr int least_side = 200, greatest_side = 16384;

// A whole number, or the library's exception: value() would make one of any number, of 1e300 as well.
std::int64_t number(const nlohmann::json& json, const char* name, std::int64_t otherwise) {
  const nlohmann::json value = json.value(name, nlohmann::json(otherwise));
  return value.get_ref<const nlohmann::json::number_integer_t&>();
}

int side(const nlohmann::json& json, const char* name, int otherwise) {
  const std::int64_t value = number(json, name, otherwise);
  return value < least_side || value > greatest_side ? otherwise : static_cast<int>(value);
}

settings from_json(const nlohmann::json& json) {
  settings s;
  s.scenario = json.value("scenario", "");
  if (json.contains("batch_told")) s.batch_told = json.at("batch_told").get<bool>();
  const std::string machine = json.value("machine", "");
  for (const machine_kind kind : {machine_kind::cpu, machine_kind::cuda})
    if (machine == machine_name(kind)) s.machine = kind;
  s.light = json.value("theme", "dark") == "light";
  s.motion = json.value("motion", true);
  const auto preset = number(json, "preset", 1);
  s.preset = preset == 2 || preset == 3 ? static_cast<int>(preset) : 1;
  const double speed = json.value("steps_per_second", 1.0);
  s.steps_per_second = speed >= 0.1 && speed <= 60 ? static_cast<float>(speed) : 1;
  const auto scale = static_cast<float>(json.value("scale", 1.0));
  s.scale = scale >= viz::least_scale && scale <= viz::greatest_scale ? scale : 1;
  s.width = side(json, "width", s.width);
  s.height = side(json, "height", s.height);
  s.panels = json.value("panels", "");
  s.lessons_done = json.value("lessons_done", std::vector<std::string>());
  s.interleave = json.value("interleave", "");
  return s;
}

struct settings_content {
  enum class state { understood, not_understood, not_readable };
  state is = state::understood;
  std::string why = {};  // when it is not
  settings value = {};
};

// No file: the defaults.
settings_content read_settings(const std::filesystem::path& path) {
  std::string text;
  const int error = read_whole_file(path, text);
  if (error == ENOENT) return {};
  if (error != 0) return {settings_content::state::not_readable, system_words(error)};
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    if (json.value("format", file_format) != file_format)
      return {settings_content::state::not_understood, "it is of another format"};
    return {.value = from_json(json)};
  } catch (const nlohmann::json::exception& e) {
    return {settings_content::state::not_understood, json_words(e)};
  }
}

}  // namespace

std::filesystem::path settings_path() {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return value && *value ? std::filesystem::path(value) : std::filesystem::path();
  };
  const std::filesystem::path config = set("XDG_CONFIG_HOME"), home = set("HOME");
  if (!config.empty()) return config / "pivotscope" / "window.json";
  if (!home.empty()) return home / ".config" / "pivotscope" / "window.json";
  return {};
}

outcome<settings> load_settings(const std::filesystem::path& path) {
  if (path.empty()) return settings{};
  const settings_content kept = read_settings(path);
  if (kept.is == settings_content::state::understood) return kept.value;
  if (kept.is == settings_content::state::not_readable)
    return problem{fmt::format(
        "What was remembered in {} cannot be read ({}); this start is as new, and nothing of it will be remembered.",
        path.string(), kept.why)};
  const outcome<std::string> aside = quarantine_and_say(path, told_of, kept.why);
  return problem{aside ? *aside + " This start is as new." : aside.error().words};
}

outcome<std::string> save_settings(const std::filesystem::path& path, const settings& what) {
  if (path.empty())
    return problem{"There is no home folder to remember settings in: neither HOME nor XDG_CONFIG_HOME is set."};
  const settings_content before = read_settings(path);
  if (before.is == settings_content::state::not_readable)
    return problem{
        fmt::format("The settings are not kept: {} cannot be read ({}), and stays.", path.string(), before.why)};
  std::string told;
  if (before.is == settings_content::state::not_understood) {
    outcome<std::string> aside = quarantine_and_say(path, told_of, before.why);
    if (!aside) return aside.error();
    told = std::move(*aside);
  }
  nlohmann::json json = {{"format", file_format},
                         {"scenario", what.scenario},
                         {"theme", what.light ? "light" : "dark"},
                         {"motion", what.motion},
                         {"scale", what.scale},
                         {"preset", what.preset},
                         {"width", what.width},
                         {"height", what.height},
                         {"panels", what.panels},
                         {"steps_per_second", what.steps_per_second},
                         {"lessons_done", what.lessons_done},
                         {"interleave", what.interleave}};
  if (what.batch_told) json["batch_told"] = *what.batch_told;
  if (what.machine) json["machine"] = machine_name(*what.machine);
  std::error_code fault;  // the write will say so
  std::filesystem::create_directories(path.parent_path(), fault);
  const status written =
      write_whole_file(path, json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  if (!written)
    return problem{
        fmt::format("The settings are not kept: {}.{}{}", written.error().words, told.empty() ? "" : " ", told)};
  return told;
}

}  // namespace pivotscope
