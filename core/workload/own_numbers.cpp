#include "core/workload/own_numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "core/workload/files/key_file.hpp"
#include "core/workload/files/number_lines.hpp"
#include "core/workload/files/range_file.hpp"

namespace pivotscope {
namespace {

constexpr std::string_view separators = " \t\r\n,;|[](){}\"'";

template <class Key>
outcome<key_array> typed_array(std::span<const u64> list) {
  for (const u64 number : list)
    if (number > greatest_key<Key>()) return problem{refusal<Key>(std::to_string(number))};
  return key_array(std::vector<Key>(list.begin(), list.end()));
}

outcome<key_array> array_of(std::span<const u64> list, key_width width) {
  return width == key_width::u32 ? typed_array<u32>(list) : typed_array<u64>(list);
}

outcome<key_array> read_numbers(const own_numbers& from, key_width width, const job_control& control) {
  if (from.file.empty()) return array_of(from.list, width);
  if (!from.column.empty()) return read_key_column(from.file, from.column, width, control);
  return read_key_file(from.file, width, control);
}

// A word of the width, or why not.
template <class Key>
std::string read_word(std::string_view word, u64& out) {
  Key key = 0;
  if (word.starts_with("0x") || word.starts_with("0X")) {
    const std::string_view digits = word.substr(2);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), key, 16);
    if (error == std::errc::result_out_of_range)
      return fmt::format("'{}' is too great for {}, whose keys end at {}{}", excerpt(word), width_name<Key>,
                         greatest_key<Key>(), sizeof(Key) == 4 ? "; take keys=u64 in the config for greater ones" : "");
    if (error != std::errc{} || end != digits.data() + digits.size())
      return fmt::format("'{}' is not an unsigned integer", excerpt(word));
  } else if (!read_number(word, key)) {
    return refusal<Key>(word);
  }
  out = key;
  return {};
}

std::string read_word(std::string_view word, key_width width, u64& out) {
  return width == key_width::u32 ? read_word<u32>(word, out) : read_word<u64>(word, out);
}

// f(word) returns what is wrong with it, or nothing.
template <class F>
status each_word(std::string_view text, const F& f) {
  u64 line = 1;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find_first_of(separators), text.size());
    if (length == 0) {
      line += text.front() == '\n' ? 1 : 0;
      text.remove_prefix(1);
      continue;
    }
    if (const std::string words = f(text.substr(0, length)); !words.empty())
      return problem{fmt::format("line {}: {}", line, words)};
    text.remove_prefix(length);
  }
  return fine();
}

bool any_wide(const key_array& keys) {
  return keys.visit([](const auto& values) {
    return std::any_of(values.begin(), values.end(), [](auto v) { return v > greatest_key<u32>(); });
  });
}

// The width that numbers need, which read_wide() reads as 64-bit ones.
template <class ReadWide>
outcome<key_width> width_of(const own_numbers& numbers, operation kind, const job_control& control,
                            const ReadWide& read_wide) {
  std::error_code unknown;  // reading it says why
  if (!numbers.file.empty() && !std::filesystem::is_regular_file(numbers.file, unknown)) return key_width::u32;
  if (!numbers.file.empty() && numbers.column.empty() && kind != operation::range) {
    const outcome<std::optional<key_width>> told = told_width(numbers.file, control);
    if (!told) return told.error();
    if (*told) return **told;
  }
  const outcome<key_array> keys = read_wide();
  if (!keys) return keys.error();
  return any_wide(*keys) ? key_width::u64 : key_width::u32;
}

}  // namespace

outcome<key_array> read_own_keys(const own_numbers& from, key_width width, const job_control& control) {
  outcome<key_array> keys = read_numbers(from, width, control);
  if (keys && keys->size() > max_keys) {
    return problem{fmt::format("{} holds {} keys; the limit is {} = 2^32 - 2: row ids are 32 bits wide", from.file,
                               keys->size(), max_keys)};
  }
  return keys;
}

outcome<batch> read_own_lookups(const own_lookups& from, key_width width, const job_control& control) {
  const own_numbers& numbers = from.numbers;
  if (from.kind == operation::range && !numbers.file.empty()) return read_range_file(numbers.file, width, control);
  if (from.kind == operation::find && !numbers.file.empty() && numbers.column.empty()) {
    outcome<lookup_file> file = read_lookup_file(numbers.file, width, control);
    if (!file) return file.error();
    return batch{operation::find, std::move(file->keys), {}, std::move(file->row_sums)};
  }
  outcome<key_array> keys = read_numbers(numbers, width, control);
  if (!keys) return keys.error();
  if (from.kind != operation::range) return batch{from.kind, std::move(*keys)};
  outcome<key_array> highs = array_of(from.highs, width);
  if (!highs) return highs.error();
  return batch{operation::range, std::move(*keys), std::move(*highs)};
}

outcome<key_width> width_of_own(const workload& w, const job_control& control) {
  outcome<key_width> keys = key_width::u32, asked = key_width::u32;
  if (w.own_keys.given())
    keys = width_of(w.own_keys, operation::find, control,
                    [&] { return read_own_keys(w.own_keys, key_width::u64, control); });
  if (!keys || !w.own_batch.given()) return keys;
  asked = width_of(w.own_batch.numbers, w.own_batch.kind, control, [&]() -> outcome<key_array> {
    outcome<batch> all = read_own_lookups(w.own_batch, key_width::u64, control);
    if (!all) return all.error();
    return any_wide(all->highs) ? std::move(all->highs) : std::move(all->keys);
  });
  return asked && *keys == key_width::u64 ? keys : asked;
}

outcome<std::vector<u64>> numbers_from_text(std::string_view text, key_width width, u64 most) {
  if (text.starts_with(utf8_mark)) text.remove_prefix(utf8_mark.size());
  std::vector<u64> numbers;
  const status read = each_word(text, [&](std::string_view word) -> std::string {
    if (numbers.size() == most) return fmt::format("more than {} numbers; put them into a file", most);
    return read_word(word, width, numbers.emplace_back());
  });
  if (!read) return read.error();
  if (numbers.empty()) return problem{"there is no number in it"};
  return numbers;
}

outcome<own_lookups> lookups_from_text(std::string_view text, key_width width) {
  own_lookups out;
  const status read = each_word(text, [&](std::string_view word) -> std::string {
    if (out.numbers.list.size() == max_listed)
      return fmt::format("more than {} lookups; put them into a file", max_listed);
    const auto sign = take_sign(word);
    if (sign && is_write(sign->first)) return fmt::format("'{}' is an {}", excerpt(word), info_of(sign->first).one);
    const bool first = out.numbers.list.empty();
    if (sign && first) out.kind = sign->first;
    if (!first && (sign ? sign->first : operation::find) != (out.kind == operation::range ? operation::find : out.kind))
      return fmt::format("'{}' is of another kind than those before it", excerpt(word));
    if (sign) word = sign->second;
    const std::size_t dots = sign ? word.npos : word.find("..");
    if (dots == 0) return fmt::format("'{}' has no low end", excerpt(word));
    u64 low = 0;
    if (std::string words = read_word(word.substr(0, dots), width, low); !words.empty()) return words;
    u64 high = low;
    if (dots != word.npos) {
      out.kind = operation::range;
      const std::string_view end = word.substr(dots + 2);
      if (end.empty()) return fmt::format("'{}' has no high end", excerpt(word));
      if (std::string words = read_word(end, width, high); !words.empty()) return words;
    }
    out.numbers.list.push_back(low);
    out.highs.push_back(high);
    return {};
  });
  if (!read) return read.error();
  if (out.numbers.list.empty()) return problem{"there is no number in it"};
  if (out.kind != operation::range) out.highs.clear();
  return out;
}

workload with_keys(workload w, own_numbers keys) {
  const workload plain;
  w.dist = distribution::uniform;
  w.uniformity = plain.uniformity, w.repeat = plain.repeat;
  w.keys = keys.list.size();
  w.own_keys = std::move(keys);
  return w;
}

workload with_batch(workload w, own_lookups asked) {
  const workload plain;
  w.hits = plain.hits, w.range_hits = plain.range_hits;
  w.misses = plain.misses, w.order = plain.order, w.popular = plain.popular;
  w.displaced = plain.displaced, w.distance = plain.distance;
  w.hot_keys = plain.hot_keys, w.hot_lookups = plain.hot_lookups;
  if (w.own_keys.given() || w.dist != distribution::zipf) w.exponent = plain.exponent;
  set_batch_size(w, asked.kind, asked.numbers.list.size());
  w.own_batch = std::move(asked);
  return w;
}

std::string text_of(const own_numbers& numbers) { return fmt::format("{}", fmt::join(numbers.list, " ")); }

std::string text_of(const own_lookups& asked) {
  if (asked.kind == operation::find) return text_of(asked.numbers);
  std::string text;
  if (asked.kind != operation::range) {
    for (const u64 key : asked.numbers.list)
      text += fmt::format("{}{}{}", text.empty() ? "" : " ", info_of(asked.kind).sign, key);
    return text;
  }
  for (std::size_t i = 0; i < asked.numbers.list.size(); ++i)
    text += fmt::format("{}{}..{}", i == 0 ? "" : " ", asked.numbers.list[i], asked.highs[i]);
  return text;
}

}  // namespace pivotscope
