// A formula with its numbers filled in, as a person would work it out: + - × / ^ floor() min() and parentheses, and chains
// of comparisons. Knows nothing of the code that prints formulas.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace pivotscope::testing {

class formula {
 public:
  explicit formula(std::string_view text) : text_(text) {}

  // Does it compare? Then whether it holds; else what it comes to.
  struct result {
    bool compares = false, holds = true;
    std::uint64_t value = 0;
  };
  result work_out() {
    result r;
    std::uint64_t left = sum();
    r.value = left;
    for (;;) {
      const bool not_more = take("\u2264"), not_less = !not_more && take("\u2265");
      if (!not_more && !not_less && !take("<")) break;
      r.compares = true;
      const std::uint64_t right = sum();
      r.holds = r.holds && (not_more ? left <= right : not_less ? left >= right : left < right);
      left = right;
    }
    blank();
    if (!text_.empty()) throw std::runtime_error("left over: " + std::string(text_));
    return r;
  }

 private:
  void blank() {
    while (!text_.empty() && text_.front() == ' ') text_.remove_prefix(1);
  }
  bool take(std::string_view what) {
    blank();
    if (!text_.starts_with(what)) return false;
    text_.remove_prefix(what.size());
    return true;
  }
  void demand(std::string_view what) {
    if (!take(what)) throw std::runtime_error("expected " + std::string(what) + " at " + std::string(text_));
  }

  std::uint64_t sum() {
    std::uint64_t value = product();
    for (;;) {
      if (take("+"))
        value += product();
      else if (take("-"))
        value = less(value, product());
      else
        return value;
    }
  }
  static std::uint64_t less(std::uint64_t a, std::uint64_t b) {
    if (b > a) throw std::runtime_error("less than nothing");
    return a - b;
  }
  std::uint64_t product() {
    std::uint64_t value = power();
    for (;;) {
      if (take("\u00D7"))
        value *= power();
      else if (in_floor_ && take("/"))
        value /= power();
      else
        return value;
    }
  }
  std::uint64_t power() {
    const std::uint64_t base = atom();
    if (!take("^")) return base;
    std::uint64_t value = 1;
    for (std::uint64_t times = atom(); times > 0; --times) value *= base;
    return value;
  }
  std::uint64_t atom() {
    if (take("floor(")) {
      const bool outer = in_floor_;
      in_floor_ = true;
      const std::uint64_t value = sum();
      in_floor_ = outer;
      demand(")");
      return value;
    }
    if (take("min(")) {
      const std::uint64_t a = sum();
      demand(",");
      const std::uint64_t b = sum();
      demand(")");
      return std::min(a, b);
    }
    if (take("(")) {
      const std::uint64_t value = sum();
      demand(")");
      return value;
    }
    blank();
    std::size_t digits = 0;
    std::uint64_t value = 0;
    while (digits < text_.size() && text_[digits] >= '0' && text_[digits] <= '9')
      value = value * 10 + static_cast<std::uint64_t>(text_[digits++] - '0');
    if (digits == 0) throw std::runtime_error("expected a number at " + std::string(text_));
    text_.remove_prefix(digits);
    return value;
  }

  std::string_view text_;
  bool in_floor_ = false;  // the only place where a division has a meaning
};

}  // namespace pivotscope::testing
