// parse_count, count_text: numbers as people write them.
#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <limits>

#include "core/workload/workload.hpp"

namespace pivotscope {
namespace {

// A number being multiplied up, which remembers that it left the range.
struct growing {
  u64 value = 0;
  bool overflow = false;

  void times(u64 factor) { overflow = __builtin_mul_overflow(value, factor, &value) || overflow; }
};

struct scanner {
  std::string_view rest;

  bool take(std::string_view word) {
    if (!rest.starts_with(word)) return false;
    rest.remove_prefix(word.size());
    return true;
  }
  std::optional<growing> digits() {
    growing number;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number.value);
    if (error == std::errc::invalid_argument) return std::nullopt;
    number.overflow = error == std::errc::result_out_of_range;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    return number;
  }
};

growing power(u64 base, growing exponent) {
  growing result{1, false};
  if (base <= 1) return {base == 1 || (exponent.value == 0 && !exponent.overflow) ? 1u : 0u, false};
  for (u64 i = 0; i < exponent.value && !result.overflow; ++i) result.times(base);
  result.overflow = result.overflow || exponent.overflow;
  return result;
}

// DIGITS, DIGITS^DIGITS, DIGITSeDIGITS or DIGITS and a binary unit; nothing for anything else.
std::optional<growing> scan_count(std::string_view text) {
  scanner in{text};
  std::optional<growing> number = in.digits();
  if (!number) return std::nullopt;
  if (in.take("^")) {
    const std::optional<growing> exponent = in.digits();
    if (!exponent) return std::nullopt;
    const bool overflow = number->overflow;
    number = power(number->value, *exponent);
    number->overflow = number->overflow || overflow;
  } else if (in.take("e") || in.take("E")) {
    const std::optional<growing> exponent = in.digits();
    if (!exponent) return std::nullopt;
    const growing factor = power(10, *exponent);
    if (number->value != 0) {
      number->times(factor.value);
      number->overflow = number->overflow || factor.overflow;
    }
  } else if (in.take("Ki")) {
    number->times(1ull << 10);
  } else if (in.take("Mi")) {
    number->times(1ull << 20);
  } else if (in.take("Gi")) {
    number->times(1ull << 30);
  } else if (in.take("Ti")) {
    number->times(1ull << 40);
  }
  if (!in.rest.empty()) return std::nullopt;
  return number;
}

}  // namespace

outcome<u64> parse_count(std::string_view text, std::string_view what, u64 least, u64 greatest) {
  const std::optional<growing> number = scan_count(text);
  if (!number) {
    const char* why = text.empty()                   ? "it is empty"
                      : text.starts_with('-')        ? "it is negative"
                      : text.find('.') < text.size() ? "it has a fraction"
                                                     : "it is not a whole number";
    return problem{fmt::format("{} '{}': {}; write it like 1000000, 2^20, 64Ki or 1e6", what, text, why)};
  }
  if (number->overflow || number->value > greatest) {
    const char* why =
        greatest == max_keys ? " = 2^32 - 2: row ids are 32 bits wide and one of them means 'not found'" : "";
    return problem{fmt::format("{} {} is above the limit, {}{}", what, text, greatest, why)};
  }
  if (number->value < least) return problem{fmt::format("{} {} is below the least, {}", what, text, least)};
  return number->value;
}

std::string count_text(u64 n) {
  if (n >= 1024 && std::has_single_bit(n)) return fmt::format("2^{}", std::countr_zero(n));
  return fmt::format("{}", n);
}

}  // namespace pivotscope
