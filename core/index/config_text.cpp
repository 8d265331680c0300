#include "core/index/config_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/index/axes.hpp"
#include "core/index/check.hpp"

namespace pivotscope {

namespace {

// The config that a bare method name stands for.
index_config method_default(std::string_view method, bool& known) {
  index_config c = default_config();
  known = find_axis("method")->set(c, method);
  return c;
}

std::string list_words(std::span<const std::string> words) { return fmt::format("{}", fmt::join(words, ", ")); }

std::string unknown_axis(family_id id, std::string_view name) {
  std::vector<std::string> names;
  for (const axis& a : axes(id)) names.push_back(a.name);
  return fmt::format("unknown setting '{}' in a config; there are: {}", name, list_words(names));
}

// Also those that make answers wrong.
std::vector<std::string> all_values(const axis& a) {
  std::vector<std::string> all = a.values;
  all.insert(all.end(), a.wrong_values.begin(), a.wrong_values.end());
  return all;
}

std::string bad_value(const axis& a, std::string_view value) {
  return fmt::format("'{}' is no value for {}: expected {}", value, a.name,
                     a.range ? fmt::format("a number from {} to {}", a.range->first, a.range->second)
                             : "one of " + list_words(all_values(a)));
}

outcome<index_config> checked(const index_config& config) {
  if (auto why = check(config)) return problem{fmt::format("the config {} is refused: {}", to_line(config), *why)};
  return config;
}

}  // namespace

std::string to_line(const index_config& config) {
  std::string line = method_name(config);
  bool known = false, name_alone = true;
  index_config standard = method_default(line, known);
  for (const axis& a : axes(config.family)) {
    if (a.name == "method" || a.get(config) == a.get(standard)) continue;
    line += fmt::format(" {}={}", a.name, a.get(config));
    a.set(standard, a.get(config));  // another fanout has other default lanes
    name_alone &= a.name == "keys";
  }
  const axis* beside = name_alone ? find_axis(config.family, family_of(config).knob_beside_name()) : nullptr;
  return beside ? fmt::format("{} {}={}", line, beside->name, beside->get(config)) : line;
}

outcome<index_config> config_from_line(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t begin = line.find_first_not_of(" \t\r\n", at);
    if (begin == std::string_view::npos) break;
    const std::size_t end = std::min(line.find_first_of(" \t\r\n", begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    at = end;
  }
  if (words.empty())
    return problem{"the config is empty: it begins with a method, one of " + list_words(method_names())};
  bool known = false;
  index_config c = method_default(words[0], known);
  if (!known) {
    return problem{
        fmt::format("unknown method '{}': a config begins with one of {}", words[0], list_words(method_names()))};
  }
  // In the order of the axes, so that "lanes=2 fanout=9" and "fanout=9 lanes=2" are the same.
  std::vector<std::pair<const axis*, std::string_view>> settings;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    if (equals == std::string_view::npos) {
      return problem{fmt::format("'{}' in a config is not of the form name=value", words[i])};
    }
    const axis* a = find_axis(c.family, words[i].substr(0, equals));
    if (!a || a->name == "method") return problem{unknown_axis(c.family, words[i].substr(0, equals))};
    for (const auto& earlier : settings) {
      if (earlier.first == a) return problem{fmt::format("{} is given twice in a config", a->name)};
    }
    settings.emplace_back(a, words[i].substr(equals + 1));
  }
  std::sort(settings.begin(), settings.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [a, value] : settings) {
    if (!a->set(c, value)) return problem{bad_value(*a, value)};
  }
  return checked(c);
}

outcome<typed_config> typed_config_from_line(std::string_view line) {
  outcome<index_config> config = config_from_line(line);
  if (!config) return config.error();
  if (family_of(*config).knob_beside_name().empty()) return typed_config{*config};
  index_config standard = family_of(*config).standard();
  standard.keys = config->keys;
  // Knobs that are typed at their standard are typed all the same.
  const auto knobs = std::count(line.begin(), line.end(), '=');
  const bool alone = knobs == (line.find("keys=") != std::string_view::npos ? 1 : 0);
  return typed_config{*config, alone && *config == standard};
}

void to_json(nlohmann::json& json, const index_config& config) {
  json = nlohmann::json::object();
  for (const axis& a : axes(config.family)) {
    if (a.range) {
      json[a.name] = std::stoul(a.get(config));
    } else {
      json[a.name] = a.get(config);
    }
  }
}

outcome<index_config> config_from_json(const nlohmann::json& json) {
  if (!json.is_object() || !json.contains("method") || !json["method"].is_string()) {
    return problem{"a config in JSON is an object with a \"method\", one of " + list_words(method_names())};
  }
  std::string line = json["method"].get<std::string>();
  if (line.find_first_of(" \t\r\n") != std::string::npos) return problem{fmt::format("unknown method '{}'", line)};
  bool known = false;
  const family_id id = method_default(line, known).family;
  for (const auto& [name, value] : json.items()) {
    if (name == "method") continue;
    if (!find_axis(id, name)) return problem{unknown_axis(id, name)};
    std::string text = value.is_string() ? value.get<std::string>() : value.is_number_unsigned() ? value.dump() : "";
    if (text.empty() || text.find_first_of(" \t\r\n") != std::string::npos) {
      return problem{bad_value(*find_axis(id, name), value.dump())};
    }
    line += fmt::format(" {}={}", name, text);
  }
  return config_from_line(line);
}

}  // namespace pivotscope
