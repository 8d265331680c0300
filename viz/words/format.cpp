#include "viz/words/format.hpp"

#include <fmt/format.h>

#include <charconv>

#include "core/common/plain_words.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope::viz {
namespace {

// Three figures that matter: 1.23, 12.3, 123.
std::string three_figures(double x) {
  if (x < 9.995) return fmt::format("{:.2f}", x);
  if (x < 99.95) return fmt::format("{:.1f}", x);
  return fmt::format("{:.0f}", x);
}

std::string_view trim(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

std::string grouped(u64 n) {
  const std::string digits = std::to_string(n);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += "\u00A0";
    out += digits[i];
  }
  return out;
}

std::string counted(u64 n, std::string_view what) {
  return fmt::format("{} {}{}", short_count(n), what, n == 1 ? "" : "s");
}

std::string short_count(u64 n) {
  const std::string text = count_text(n);
  return text.find('^') == std::string::npos ? grouped(n) : text;
}

std::string bytes_text(u64 bytes) {
  static constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double size = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (size >= 1023.95 && unit + 1 < std::size(units)) size /= 1024, ++unit;
  // Sizes are often round, and then look it: "8 MiB".
  std::string figures = three_figures(size);
  if (figures.find('.') != std::string::npos) {
    while (figures.back() == '0') figures.pop_back();
    if (figures.back() == '.') figures.pop_back();
  }
  return fmt::format("{} {}", figures, units[unit]);
}

// What would be rounded to 1000 is 1.00 of the next unit, here and in a rate.
std::string ms_text(double ms) {
  if (ms < 0.9995e-3) return fmt::format("{} ns", three_figures(ms * 1e6));
  if (ms < 0.9995) return fmt::format("{} \xC2\xB5s", three_figures(ms * 1e3));
  if (ms < 999.5) return fmt::format("{} ms", three_figures(ms));
  return fmt::format("{} s", three_figures(ms / 1000));
}

std::string seconds_text(double seconds) {
  if (seconds < 1) return "under 1 s";
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  return fmt::format("{} min {} s", static_cast<u64>(seconds) / 60, static_cast<u64>(seconds) % 60);
}

std::string rate_text(double per_second) {
  if (per_second >= 999.5e6) return fmt::format("{} G/s", three_figures(per_second / 1e9));
  if (per_second >= 999.5e3) return fmt::format("{} M/s", three_figures(per_second / 1e6));
  if (per_second >= 999.5) return fmt::format("{} k/s", three_figures(per_second / 1e3));
  return fmt::format("{:.0f} /s", per_second);
}

std::string percent_text(double share) { return fmt::format("{:.0f}%", share * 100); }

std::string capitalised(std::string name) {
  if (!name.empty() && name[0] >= 'a' && name[0] <= 'z') name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return name;
}

outcome<u64> parse_key(std::string_view text, key_width width) {
  const std::string_view whole = trim(text);
  constexpr std::size_t most_quoted = 40;  // longer than any key: it may be anything
  const std::string quoted =
      whole.size() > most_quoted ? plain_words(whole.substr(0, most_quoted)) + "..." : plain_words(whole);
  const u64 greatest = width == key_width::u32 ? 0xFFFFFFFFull : ~0ull;
  const char* name = width == key_width::u32 ? "32-bit" : "64-bit";
  if (whole.empty()) return problem{"Type a key: a whole number."};
  if (whole.front() == '-') return problem{fmt::format("Keys are not negative; {} is.", quoted)};
  const bool hex = whole.size() > 2 && whole[0] == '0' && (whole[1] == 'x' || whole[1] == 'X');
  const std::string_view digits = hex ? whole.substr(2) : whole;
  u64 value = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value, hex ? 16 : 10);
  if (fault == std::errc::invalid_argument || end != digits.data() + digits.size())
    return problem{fmt::format("\"{}\" is not a whole number. Decimal digits, or 0x and hexadecimal ones.", quoted)};
  if (fault == std::errc::result_out_of_range || value > greatest)
    return problem{fmt::format("{} is too large: the keys of this index are {}, at most {}.", quoted, name, greatest)};
  return value;
}

outcome<question> parse_question(std::string_view text, key_width width) {
  if (const std::size_t begin = text.find_first_not_of(' '); begin != text.npos) {
    if (const auto taken = take_sign(text.substr(begin)); taken && taken->first != operation::find) {
      const outcome<u64> key = parse_key(taken->second, width);
      if (!key.ok()) return key.error();
      return question(taken->first, *key);
    }
  }
  const std::size_t dots = text.find("..");
  const outcome<u64> low = parse_key(text.substr(0, dots), width);
  if (!low.ok()) return low.error();
  if (dots == std::string_view::npos) return question(*low);
  const outcome<u64> high = parse_key(text.substr(dots + 2), width);
  if (!high.ok()) return high.error();
  if (*high < *low) return problem{fmt::format("{}..{} is no range: its high end is below its low one.", *low, *high)};
  return question(operation::range, *low, *high);
}

}  // namespace pivotscope::viz
