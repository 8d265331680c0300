#include "app/session/scenario_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/index/axes.hpp"
#include "core/index/config_text.hpp"
#include "viz/format.hpp"

namespace pivotscope {
namespace {

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : line) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (!word.empty()) words.push_back(std::move(word));
      word.clear();
    } else {
      word += c;
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
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

std::string to_line(const index_config& config, const workload& load, std::optional<looked_for> key) {
  std::string line = to_line(config) + " " + to_line(load);
  if (key) line += fmt::format(" lookup={}", to_text(*key));
  return line;
}

outcome<scenario_text> scenario_from_line(std::string_view line) {
  const std::vector<std::string> words = words_of(line);
  if (words.empty()) return problem{"There is no scenario in the clipboard: it is empty."};
  constexpr std::size_t longest = 64;
  if (words.size() > longest) return problem{fmt::format("That is no scenario line: \"{}\".", excerpt(line))};
  const auto refuse = [line](const std::string& why) {
    return problem{fmt::format("\"{}\" is no scenario: {}", excerpt(line), why)};
  };
  std::string config_line, workload_line;
  std::optional<std::string> key_word;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals), value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (name == "lookup" && key_word)
      return refuse("it gives lookup twice");
    else if (name == "lookup")
      key_word = value;
    else if (equals == std::string::npos || (name == "keys" ? is_width(value) : find_axis(name) != nullptr))
      append(config_line, word);
    else
      append(workload_line, word);
  }

  scenario_text out;
  if (!config_line.empty()) {
    outcome<index_config> config = config_from_line(config_line);
    if (!config.ok()) return refuse(config.error().words);
    out.config = *config;
  }
  if (!workload_line.empty()) {
    outcome<workload> load = workload_from_line(workload_line);
    if (!load.ok()) return refuse(load.error().words);
    out.load = *load;
  }
  const key_width width = out.config ? out.config->keys : key_width::u64;
  if (key_word) {
    const outcome<looked_for> key = viz::parse_looked_for(*key_word, width);
    if (!key.ok()) return refuse(key.error().words);
    out.key = *key;
  }
  return out;
}

}  // namespace pivotscope
