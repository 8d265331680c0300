// What the lines and values of any trace's steps must be, whatever the family: its own text says it.
#pragma once

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "core/common/source_text.hpp"
#include "core/index/lookup_trace.hpp"

namespace pivotscope::testing {

// Is `name` called in this line, with or without template arguments?
inline bool calls(std::string_view line, std::string_view name) {
  for (std::size_t at = line.find(name); at != line.npos; at = line.find(name, at + 1)) {
    const auto in_a_word = [&](std::size_t i) {
      return i < line.size() && (std::isalnum(static_cast<unsigned char>(line[i])) || line[i] == '_');
    };
    if ((at > 0 && in_a_word(at - 1)) || in_a_word(at + name.size())) continue;
    const std::string_view rest = line.substr(at + name.size());
    if (rest.starts_with('(') || (rest.starts_with('<') && rest.find(">(") != rest.npos)) return true;
  }
  return false;
}

// A name of the source as it stands there: "wave.keys[i]" is `keys`.
inline bool is_named(std::string_view text, std::string_view name) {
  name = name.substr(0, name.find_first_of("[("));
  name = name.substr(name.rfind('.') == name.npos ? 0 : name.rfind('.') + 1);
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const auto part_of_word = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '"';
    };
    if (at > 0 && part_of_word(text[at - 1])) continue;
    if (at + name.size() < text.size() && part_of_word(text[at + name.size()])) continue;
    return true;
  }
  return false;
}

// What a line is, by its text: looked up once, as many steps run it.
struct line_kind {
  bool known = false, calls = false, begins = false, loads = false, compares = false;
};
inline const line_kind& kind_of(std::string_view file, u32 number) {
  static std::map<std::pair<std::string_view, u32>, line_kind> kinds;
  const auto [place, fresh] = kinds.try_emplace({file, number});
  if (const auto text = source_text(file); fresh && text) {
    const std::string_view line = line_of(*text, number);
    const auto any = [&](std::initializer_list<std::string_view> names) {
      return std::any_of(names.begin(), names.end(), [&](std::string_view name) { return calls(line, name); });
    };
    place->second = {true, line.substr(0, line.find("//")).find('(') != line.npos, any({"step", "scan_step"}),
                     any({"load", "load_part", "each_of_run", "each_read", "load_scratch", "each_of_scratch"}),
                     any({"saw", "saw_scratch", "met"})};
  }
  return place->second;
}
inline bool is_named_in(std::string_view file, std::string_view name) {
  static std::map<std::pair<std::string_view, std::string_view>, bool> known;
  const auto [place, fresh] = known.try_emplace({file, name});
  if (fresh) place->second = is_named(source_text(file).value_or(""), name);
  return place->second;
}

// What is wrong with a step's lines and values; empty when nothing is.
inline std::string wrong_source(const trace_step& step) {
  if (step.ran.empty()) return "no line ran";
  if (step.main_line >= step.ran.size() || step.ran[step.main_line].depth != 0)
    return "its main line is not the search's";
  if (step.watched.empty() && !step.accesses.empty()) return "it reads, and no value is watched";
  std::set<std::pair<std::string_view, u32>> lines;
  line_kind all;
  for (const source_line& l : step.ran) {
    const std::string where = std::string(l.file) + ":" + std::to_string(l.line) + " ";
    const line_kind& kind = kind_of(l.file, l.line);
    if (!lines.emplace(l.file, l.line).second) return where + "ran twice";
    if (!kind.known) return where + "is not in the program";
    // What is not of the vocabulary calls something made of it.
    if (!kind.calls) return where + "calls nothing";
    all.begins |= kind.begins, all.loads |= kind.loads, all.compares |= kind.compares;
  }
  if (!all.begins) return "no line begins it";
  if (step.ran[step.main_line].reads != !step.accesses.empty()) return "its main line is not where it reads";
  if (all.loads != !step.accesses.empty()) return "what is read and the lines that load do not agree";
  if (all.compares != !step.compared.empty()) return "what is compared and the lines that compare do not agree";
  std::set<std::pair<std::string_view, u32>> names;
  for (const watched_value& w : step.watched) {
    if (!names.emplace(w.name, w.lane).second) return std::string(w.name) + " is watched twice";
    if (std::none_of(step.ran.begin(), step.ran.end(),
                     [&](const source_line& l) { return is_named_in(l.file, w.name); }))
      return std::string(w.name) + " is no name of the source";
    if (w.kind == watched_kind::truth && w.value > 1) return std::string(w.name) + " is neither true nor false";
    if (w.name == "level" && w.value != step.level) return "another level is watched";
  }
  return "";
}

}  // namespace pivotscope::testing
