#include "app/files/scenario_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/index/axes.hpp"
#include "core/index/config_text.hpp"
#include "core/workload/field_needs.hpp"
#include "core/workload/operation_table.hpp"
#include "core/workload/own_text.hpp"
#include "core/workload/question_text.hpp"
#include "viz/words/format.hpp"
#include "viz/words/panel_names.hpp"

namespace pivotscope {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// With quotes, what they hold is one word, or a part of one, as for a shell.
std::vector<std::string> words_of(std::string_view line, bool quotes = false) {
  std::vector<std::string> words;
  std::string word;
  char quote = '\0';
  for (const char c : line) {
    if (quote != '\0' ? c == quote : quotes && (c == '"' || c == '\'')) {
      quote = quote != '\0' ? '\0' : c;
    } else if (quote != '\0' || !is_blank(c)) {
      word += c;
    } else {
      if (!word.empty()) words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

// The operation whose option is called so: of one key, "lower-bound", or of many, "lower-bounds".
const operation_info* find_info(std::string_view option, std::string_view operation_info::*name) {
  const auto at = std::ranges::find_if(operation_table,
                                       [&](const operation_info& one) { return option_name(one.*name) == option; });
  return at == operation_table.end() ? nullptr : &*at;
}
bool is_batch_file(std::string_view option) {
  constexpr std::string_view end = "-from";
  return option.ends_with(end) && find_info(option.substr(0, option.size() - end.size()), &operation_info::field);
}

// pivotscope trace --config LINE --keys N ... --lookup KEY --range-to KEY, or another option of a key, in a scenario's
// own words.
outcome<std::vector<std::string>> words_of_command(std::string_view line) {
  const std::vector<std::string> command = words_of(line, true);
  const bool has_ranges =
      std::any_of(command.begin(), command.end(), [](const std::string& word) { return word.starts_with("--ranges"); });
  // What the command takes where it is told nothing.
  std::vector<std::string> config = {"EO+BS"}, rest, asked;
  std::string key, high;
  for (std::size_t i = 0; i < command.size(); ++i) {
    if (!command[i].starts_with("--")) continue;  // its name
    const std::size_t equals = command[i].find('=');
    const std::string name = command[i].substr(2, equals == std::string::npos ? equals : equals - 2);
    if (equals == std::string::npos && i + 1 == command.size()) return problem{fmt::format("--{} has no value", name)};
    const std::string value = equals == std::string::npos ? command[++i] : command[i].substr(equals + 1);
    if (name == "config") {
      config = words_of(value);
    } else if (name == "workload") {
      for (std::string& word : words_of(value)) rest.push_back(std::move(word));
    } else if (name == "lookup") {
      key = value;
    } else if (name == "range-to") {
      high = value;
    } else if (const operation_info* of_a_key = find_info(name, &operation_info::one);
               of_a_key != nullptr && of_a_key->kind != operation::range) {
      asked.push_back(fmt::format("{}={}", of_a_key->verb, value));
    } else if (const operation_info* of_many = find_info(name, &operation_info::field)) {
      rest.push_back(fmt::format("{}={}", of_many->field, value));
    } else if (name == "hits" && has_ranges) {
      rest.push_back("range_hits=" + value);
    } else if (name == "keys-from" || name == "keys-column" || is_batch_file(name)) {
      std::string field = name;
      std::replace(field.begin(), field.end(), '-', '_');
      rest.push_back(field + "=" + as_word(value));
    } else if (name == "script") {
      rest.push_back("script_from=" + as_word(value));
    } else if (name == "repeat-keys") {
      rest.push_back("repeat=" + value);
    } else if (name == "keys" || name == "distribution" || name == "uniformity" || name == "seed" || name == "hits" ||
               name == "misses" || name == "order" || name == "popularity" || name == "exponent" || name == "mix" ||
               name == "batch" || name == "step" || name == "build" || name == "panel") {
      rest.push_back(fmt::format("{}={}", name, value));
    } else if (name != "machine") {
      return problem{fmt::format("--{} is no part of a scenario", name)};
    }
  }
  if (rest.empty()) rest.push_back("distribution=paper");
  if (!key.empty()) rest.push_back(fmt::format("lookup={}{}{}", key, high.empty() ? "" : "..", high));
  rest.insert(rest.end(), asked.begin(), asked.end());
  config.insert(config.end(), rest.begin(), rest.end());
  return config;
}

void append(std::string& line, const std::string& word) { line += (line.empty() ? "" : " ") + word; }

bool is_width(std::string_view value) { return value == "u32" || value == "u64"; }

// What a problem quotes of a clipboard that may hold anything.
std::string excerpt(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, 60)) out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  return text.size() > 60 ? out + "..." : out;
}

}  // namespace

std::string to_line(const index_config& config, const workload& load, std::optional<question> key,
                    const view_position& at) {
  std::string line = to_line(config) + " " + to_line(load);
  if (key && key->kind != operation::find && key->kind != operation::range)
    line += fmt::format(" {}={}", operation_verb(key->kind), key->key);
  else if (key)
    line += fmt::format(" lookup={}", to_text(*key));
  if (at.any()) append(line, to_line(at));
  return line;
}

outcome<scenario_text> scenario_from_line(std::string_view line) {
  std::vector<std::string> words = words_of(line);
  if (words.empty()) return problem{"There is no scenario in the clipboard: it is empty."};
  constexpr std::size_t longest = 64;
  if (words.size() > longest) return problem{fmt::format("That is no scenario line: \"{}\".", excerpt(line))};
  const auto refuse = [line](const std::string& why) {
    return problem{fmt::format("\"{}\" is no scenario: {}", excerpt(line), why)};
  };
  if (std::any_of(words.begin(), words.end(), [](const std::string& word) { return word.starts_with("--"); })) {
    outcome<std::vector<std::string>> command = words_of_command(line);
    if (!command.ok()) return refuse(command.error().words);
    words = std::move(*command);
  }
  std::string config_line, workload_line;
  std::optional<std::string> key_word, step_word, build_word, panel_word, cells_word;
  std::map<operation, std::string> asked_words;  // successor=9, match=9, ...
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals), value = equals == std::string::npos ? "" : word.substr(equals + 1);
    std::optional<std::string>* const own = name == "lookup"  ? &key_word
                                            : name == "step"  ? &step_word
                                            : name == "build" ? &build_word
                                            : name == "panel" ? &panel_word
                                            : name == "cells" ? &cells_word
                                                              : nullptr;
    const std::optional<operation> asks = operation_of_verb(name);
    if (asks && *asks != operation::find && *asks != operation::range && equals != std::string::npos) {
      if (!asked_words.emplace(*asks, value).second) return refuse(fmt::format("it gives {} twice", name));
    } else if (own && equals != std::string::npos) {
      if (*own) return refuse(fmt::format("it gives {} twice", name));
      *own = value;
    } else if (equals == std::string::npos || (name == "keys" ? is_width(value) : find_axis(name) != nullptr)) {
      append(config_line, word);
    } else {
      append(workload_line, word);
    }
  }

  scenario_text out;
  if (!config_line.empty()) {
    outcome<typed_config> config = typed_config_from_line(config_line);
    if (!config.ok()) return refuse(config.error().words);
    out.config = config->config, out.name_alone = config->name_alone;
  }
  if (!workload_line.empty()) {
    outcome<workload_parts> parts = workload_parts_from_line(workload_line);
    if (!parts.ok()) return refuse(parts.error().words);
    if (out.config)
      if (const auto refused = check(parts->load, out.config->keys)) return refuse(*refused);
    out.batch_told = says_batch(*parts);
    out.dropped = drop_idle(*parts);
    out.load = std::move(parts->load);
  }
  const key_width width = out.config ? out.config->keys : key_width::u64;
  if (asked_words.size() + (key_word ? 1 : 0) > 1)
    return refuse("it asks one question of a key, and not several: a lookup, what comes after it, or a write");
  if (key_word) {
    const outcome<question> key = viz::parse_question(*key_word, width);
    if (!key.ok()) return refuse(key.error().words);
    out.key = *key;
  }
  for (const auto& [kind, word] : asked_words) {
    const outcome<u64> key = viz::parse_key(word, width);
    if (!key.ok()) return refuse(key.error().words);
    out.key = question(kind, *key);
  }
  if (step_word && build_word) return refuse("it shows a step of the lookup, or a slot of the build, and not both");
  if (step_word) {
    const outcome<u64> step = parse_count(*step_word, "step", 1, greatest_step);
    if (!step) return refuse(step.error().words);
    out.at.step = static_cast<u32>(*step);
  }
  if (build_word) {
    outcome<build_slot> slot = parse_build_slot(*build_word);
    if (!slot) return refuse(slot.error().words);
    out.at.build = std::move(*slot);
  }
  if (panel_word) {
    if (!viz::panel_named(*panel_word)) return refuse(viz::no_panel(*panel_word));
    out.at.panel = *panel_word;
  }
  if (cells_word) {
    const outcome<shown_cells> cells = parse_shown_cells(*cells_word);
    if (!cells) return refuse(cells.error().words);
    out.at.cells = *cells;
  }
  return out;
}

}  // namespace pivotscope
