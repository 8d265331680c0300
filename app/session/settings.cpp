#include "app/session/settings.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

namespace pivotscope {
namespace {

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
  const std::string machine = json.value("machine", "");
  for (const machine_kind kind : {machine_kind::cpu, machine_kind::cuda})
    if (machine == machine_name(kind)) s.machine = kind;
  s.light = json.value("theme", "dark") == "light";
  s.motion = json.value("motion", true);
  s.preset = number(json, "preset", 1) == 2 ? 2 : 1;
  const double speed = json.value("steps_per_second", 1.0);
  s.steps_per_second = speed >= 0.1 && speed <= 60 ? static_cast<float>(speed) : 1;
  s.width = side(json, "width", s.width);
  s.height = side(json, "height", s.height);
  s.panels = json.value("panels", "");
  return s;
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
  std::error_code fault;
  if (path.empty() || !std::filesystem::exists(path, fault)) return settings{};
  std::ifstream file(path);
  const auto complain = [&](const std::string& why) {
    return problem{
        fmt::format("What was remembered in {} cannot be used ({}); this start is as new.", path.string(), why)};
  };
  if (!file) return complain("it cannot be read");
  try {
    return from_json(nlohmann::json::parse(file));
  } catch (const nlohmann::json::exception& e) {
    return complain(e.what());
  }
}

status save_settings(const std::filesystem::path& path, const settings& what) {
  if (path.empty())
    return problem{"There is no home folder to remember settings in: neither HOME nor XDG_CONFIG_HOME is set."};
  nlohmann::json json = {{"scenario", what.scenario}, {"theme", what.light ? "light" : "dark"},
                         {"motion", what.motion},     {"preset", what.preset},
                         {"width", what.width},       {"height", what.height},
                         {"panels", what.panels},     {"steps_per_second", what.steps_per_second}};
  if (what.machine) json["machine"] = machine_name(*what.machine);
  std::error_code fault;
  std::filesystem::create_directories(path.parent_path(), fault);
  const std::filesystem::path beside = path.string() + ".new";
  {
    std::ofstream file(beside);
    file << json.dump(2) << '\n';
    if (!file.flush()) return problem{fmt::format("The settings cannot be written to {}.", beside.string())};
  }
  std::filesystem::rename(beside, path, fault);
  if (fault) return problem{fmt::format("The settings cannot be written to {}: {}.", path.string(), fault.message())};
  return fine();
}

}  // namespace pivotscope
