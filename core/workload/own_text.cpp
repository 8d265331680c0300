#include "core/workload/own_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <span>

#include "core/workload/files/number_lines.hpp"
#include "core/workload/script_list.hpp"

namespace pivotscope {
namespace {

outcome<std::string> from_word(std::string_view word) {
  std::string text;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] != '%') {
      text += word[i];
      continue;
    }
    unsigned byte = 0;
    const std::string_view digits = word.substr(i + 1, 2);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (digits.size() != 2 || error != std::errc{} || end != digits.data() + 2)
      return problem{
          fmt::format("'{}' has a % that two hexadecimal digits do not follow; %25 stands for it", excerpt(word))};
    if (byte == 0) return problem{fmt::format("'{}' has a zero byte", excerpt(word))};
    text += static_cast<char>(byte);
    i += 2;
  }
  if (text.empty()) return problem{"a name is wanted, and it is empty"};
  return text;
}

std::optional<problem> set_text(std::string_view value, std::string_view name, std::string& out) {
  outcome<std::string> text = from_word(value);
  if (!text) return problem{fmt::format("{}: {}", name, text.error().words)};
  out = std::move(*text);
  return std::nullopt;
}

// f(item) for each item between commas; words for what is wrong, or nothing.
template <class F>
std::optional<problem> each_item(std::string_view name, std::string_view value, const F& f) {
  for (std::size_t count = 1;; ++count) {
    if (count > max_listed)
      return problem{fmt::format("{} has more than {} numbers; a file may have more", name, max_listed)};
    const std::size_t comma = value.find(',');
    if (const std::string words = f(value.substr(0, comma)); !words.empty())
      return problem{fmt::format("{}: {}", name, words)};
    if (comma == value.npos) return std::nullopt;
    value.remove_prefix(comma + 1);
  }
}

std::string read_item(std::string_view item, u64& out) {
  if (item.empty()) return "a number is missing";
  return read_number(item, out) ? std::string() : refusal<u64>(item);
}

std::optional<problem> set_list(std::string_view name, std::string_view value, std::vector<u64>& list) {
  return each_item(name, value, [&](std::string_view item) { return read_item(item, list.emplace_back()); });
}

std::optional<problem> set_ranges(std::string_view name, std::string_view value, own_lookups& out) {
  return each_item(name, value, [&](std::string_view item) -> std::string {
    const std::size_t dots = item.find("..");
    if (dots == item.npos) return fmt::format("'{}' is no range; a range is LOW..HIGH", excerpt(item));
    if (std::string words = read_item(item.substr(0, dots), out.numbers.list.emplace_back()); !words.empty())
      return words;
    return read_item(item.substr(dots + 2), out.highs.emplace_back());
  });
}

// The list as it is written, whatever it is typed like.
std::optional<problem> set_script(std::string_view value, std::string& list) {
  const outcome<script> read = script_from_list(value, key_width::u64);
  if (!read) return problem{fmt::format("script: {}", read.error().words)};
  list = to_list(*read);
  return std::nullopt;
}

std::optional<std::string> check_list(std::span<const u64> list, std::string_view what, key_width width) {
  if (list.size() > max_listed)
    return fmt::format("more than {} {} are listed; a file may have more", max_listed, what);
  if (width == key_width::u64) return std::nullopt;
  for (const u64 number : list)
    if (number > greatest_key<u32>()) return refusal<u32>(std::to_string(number));
  return std::nullopt;
}

std::optional<std::string> check_batch(const own_lookups& own, key_width width) {
  const own_numbers& numbers = own.numbers;
  if (!numbers.file.empty() && (!numbers.list.empty() || !own.highs.empty()))
    return "lookups come from a file or a list, not from both";
  const bool ranges = own.kind == operation::range;
  if (!numbers.column.empty() && (numbers.file.empty() || ranges)) return "a column is of a file of lookups";
  if (numbers.file.empty() && own.highs.size() != (ranges ? numbers.list.size() : 0))
    return "a range has a low and a high end";
  if (auto refused = check_list(numbers.list, "lookups", width)) return refused;
  return check_list(own.highs, "lookups", width);
}

std::optional<std::string> check_script(const own_operations& own, key_width width) {
  if (!own.file.empty() && !own.list.empty()) return "a script comes from a file or a list, not from both";
  if (own.list.empty()) return std::nullopt;
  const outcome<script> read = script_from_list(own.list, width);
  return read ? std::nullopt : std::optional(fmt::format("script: {}", read.error().words));
}

}  // namespace

std::string as_word(std::string_view text) {
  std::string word;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte > 0x20 && byte != 0x7f && c != '%' && c != '"' && c != '\'';
    word += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return word;
}

std::string own_keys_line(const own_numbers& keys) {
  if (keys.file.empty()) return fmt::format("key_list={}", fmt::join(keys.list, ","));
  std::string line = "keys_from=" + as_word(keys.file);
  if (!keys.column.empty()) line += " keys_column=" + as_word(keys.column);
  return line;
}

std::string own_batch_line(const own_lookups& asked) {
  const own_numbers& numbers = asked.numbers;
  if (!numbers.file.empty()) {
    std::string line = fmt::format("{}={}", from_field(asked.kind), as_word(numbers.file));
    if (!numbers.column.empty()) line += " lookups_column=" + as_word(numbers.column);
    return line;
  }
  if (asked.kind != operation::range) return fmt::format("{}={}", list_field(asked.kind), fmt::join(numbers.list, ","));
  std::string line;
  for (std::size_t i = 0; i < numbers.list.size(); ++i)
    line += fmt::format("{}{}..{}", i == 0 ? "range_list=" : ",", numbers.list[i], asked.highs[i]);
  return line;
}

std::string own_script_line(const own_operations& script) {
  return script.file.empty() ? "script=" + script.list : "script_from=" + as_word(script.file);
}

std::string from_field(operation kind) { return fmt::format("{}_from", info_of(kind).field); }
std::string list_field(operation kind) {
  std::string name = fmt::format("{}_list", info_of(kind).one);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

namespace {
// The operation of which `name` says where its keys come from.
std::optional<operation> own_batch_of(std::string_view name) {
  for (const batch_count& one : batch_counts)
    if (name == from_field(one.kind) || name == list_field(one.kind)) return one.kind;
  return std::nullopt;
}
}  // namespace

bool is_own_field(std::string_view name) {
  constexpr std::string_view all[] = {"keys_from",      "keys_column", "key_list",
                                      "lookups_column", "script_from", "script"};
  return std::find(std::begin(all), std::end(all), name) != std::end(all) || own_batch_of(name);
}

std::optional<problem> set_own_field(workload& w, std::string_view name, std::string_view value) {
  own_numbers& asked = w.own_batch.numbers;
  if (name == "keys_column") return set_text(value, name, w.own_keys.column);
  if (name == "lookups_column") return set_text(value, name, asked.column);
  if (name == "keys_from" || name == "key_list") {
    if (w.own_keys.given()) return problem{"keys_from and key_list do not go together: leave one of them out"};
    return name == "keys_from" ? set_text(value, name, w.own_keys.file) : set_list(name, value, w.own_keys.list);
  }
  if (name == "script_from" || name == "script") {
    if (w.own_script.given()) return problem{"script_from and script do not go together: leave one of them out"};
    return name == "script" ? set_script(value, w.own_script.list) : set_text(value, name, w.own_script.file);
  }
  if (w.own_batch.given())
    return problem{fmt::format("{} and {} do not go together: leave one of them out",
                               asked.file.empty() ? list_field(w.own_batch.kind) : from_field(w.own_batch.kind), name)};
  w.own_batch.kind = own_batch_of(name).value_or(operation::find);
  if (name.ends_with("_from")) return set_text(value, name, asked.file);
  return w.own_batch.kind == operation::range ? set_ranges(name, value, w.own_batch)
                                              : set_list(name, value, asked.list);
}

void count_own(workload& w) {
  if (w.own_keys.given()) w.keys = w.own_keys.list.size();
  if (!w.own_batch.given()) return;
  set_batch_size(w, w.own_batch.kind, w.own_batch.numbers.list.size());
}

std::optional<std::string> check_own(const workload& w, key_width width) {
  if (!w.own_keys.file.empty() && !w.own_keys.list.empty()) return "keys come from a file or a list, not from both";
  if (!w.own_keys.column.empty() && w.own_keys.file.empty()) return "a column is of a file";
  if (auto refused = check_list(w.own_keys.list, "keys", width)) return refused;
  if (auto refused = check_batch(w.own_batch, width)) return refused;
  if (auto refused = check_script(w.own_script, width)) return refused;
  workload counted = w;
  count_own(counted);
  // Of a file it is known once it has been read.
  const bool keys_known = w.own_keys.file.empty(), batch_known = w.own_batch.numbers.file.empty();
  if (keys_known && counted.keys != w.keys) return fmt::format("keys={}, but {} are listed", w.keys, counted.keys);
  const bool as_many = std::all_of(std::begin(batch_counts), std::end(batch_counts),
                                   [&](const batch_count& one) { return counted.*one.count == w.*one.count; });
  if (batch_known && !as_many) return "the listed lookups are not as many as the workload says";
  return std::nullopt;
}

}  // namespace pivotscope
