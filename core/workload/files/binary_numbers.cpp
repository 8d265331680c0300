#include "core/workload/files/binary_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "core/common/shell_word.hpp"
#include "core/workload/files/file_signature.hpp"
#include "core/workload/files/numpy_header.hpp"

namespace pivotscope {
namespace {

static_assert(std::endian::native == std::endian::little, "files are little-endian and are read as they are");

constexpr u64 count_bytes = 8;

template <class Value>
Value value_at(std::span<const char> bytes, u64 at) {
  Value value = 0;
  if (at + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// The values in the first bytes of a file, from byte `offset` on.
template <class Value>
std::vector<Value> values_from(std::span<const char> first, u64 offset) {
  std::vector<Value> values(first.size() > offset ? (first.size() - offset) / sizeof(Value) : 0);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_at<Value>(first, offset + i * sizeof(Value));
  return values;
}

// Of values of 32 bits that do, pairs do as well, taken for one of 64.
template <class Value>
bool ascend(const std::vector<Value>& values) {
  constexpr std::size_t least = 4;  // fewer do by chance
  return values.size() >= least && values.front() < values.back() && std::is_sorted(values.begin(), values.end());
}

// Are they floating-point numbers of a size that people measure? As such an integer is one only by chance.
template <class Value>
bool look_floating(const std::vector<Value>& values) {
  constexpr std::size_t least = 4;
  constexpr double smallest = 1e-9, greatest = 1e9;
  return values.size() >= least &&
         std::all_of(values.begin(), values.end(),
                     [](Value value) {
                       const double size = std::abs(static_cast<double>(value));
                       return size == 0 || (size > smallest && size < greatest);
                     }) &&
         std::any_of(values.begin(), values.end(), [](Value value) { return value != 0; });
}

// Does a file of `size` bytes hold `count` values of `bytes` each behind `before` bytes, and nothing else?
bool holds(u64 size, u64 before, u64 count, u64 bytes) {
  return size >= before && (size - before) / bytes == count && (size - before) % bytes == 0;
}

std::string counted(u64 count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// A file that has the right bytes, and how it could be read.
class near_miss {
 public:
  near_miss(std::string_view name, u64 size, std::span<const char> first, key_width wanted)
      : name_(name), size_(size), first_(first), wanted_bytes_(wanted == key_width::u32 ? 4 : 8) {}

  std::string words() const {
    if (size_ < count_bytes) return not_numbers();
    for (const auto& told : {big_endian(), count_of_32_bits(), floating(), count_that_does_not_fit(), without_count()})
      if (!told.empty()) return told;
    return not_numbers();
  }

 private:
  std::string not_numbers() const {
    return fmt::format(
        "{} is binary, and its {} are no numbers that can be read; write them to a text file, one a line", name_,
        counted(size_, "byte"));
  }

  // Another file's name: none is written over.
  std::string mended() const {
    std::string_view base = name_;
    if (base.ends_with(".sosd")) base.remove_suffix(5);
    return shell_path(std::string(base) + "-mended.sosd");
  }

  // The command that writes `count`, and the file behind its first `skipped` bytes.
  std::string with_count(u64 count, u64 skipped) const {
    const std::string file = shell_path(name_);
    const std::string rest = skipped == 0 ? "cat " + file : fmt::format("tail -c +{} {}", skipped + 1, file);
    return fmt::format("{{ perl -e 'print pack \"Q<\", {}'; {}; }} > {}", count, rest, mended());
  }

  std::string big_endian() const {
    const u64 count = __builtin_bswap64(value_at<u64>(first_, 0));
    for (const u64 bytes : {u64{8}, u64{4}}) {
      if (count == 0 || !holds(size_, count_bytes, count, bytes)) continue;
      return fmt::format(
          "{} is big-endian: {} of {} bits behind their count; turn it round: perl -0777 -ne 'print pack "
          "\"Q<{}<*\", unpack \"Q>{}>*\", $_' {} > {}",
          name_, counted(count, "value"), bytes * 8, bytes == 8 ? "Q" : "L", bytes == 8 ? "Q" : "L", shell_path(name_),
          mended());
    }
    return {};
  }

  std::string count_of_32_bits() const {
    constexpr u64 short_count = 4;
    const u64 count = value_at<u32>(first_, 0);
    for (const u64 bytes : {u64{4}, u64{8}}) {
      if (count == 0 || !holds(size_, short_count, count, bytes)) continue;
      return fmt::format("{} has {} of {} bits behind a count of 32 bits, and SOSD's has 64: {}", name_,
                         counted(count, "value"), bytes * 8, with_count(count, short_count));
    }
    return {};
  }

  std::string floating() const {
    for (const u64 offset : {u64{0}, count_bytes}) {
      const bool doubles = size_ % 8 == 0 && look_floating(values_from<double>(first_, offset));
      const bool floats = size_ % 4 == 0 && look_floating(values_from<float>(first_, offset));
      if (!doubles && !floats) continue;
      const u64 bytes = doubles ? 8 : 4;
      return fmt::format(
          "{} seems to be {} of float{}: keys are unsigned integers; scale them to integers that order "
          "alike, and write those to a text file, one a line",
          name_, counted((size_ - offset) / bytes, "value"), bytes * 8);
    }
    return {};
  }

  // Is what begins the file a count, though another one than there are values? A count is no value: what follows ascends
  // without it, or it is far from the others.
  std::string count_that_does_not_fit() const {
    const u64 count = value_at<u64>(first_, 0);
    if (count == 0 || count > max_lookups || size_ == count_bytes) return {};
    const std::vector<u64> wide = values_from<u64>(first_, count_bytes);
    const bool narrow = ascend(values_from<u32>(first_, count_bytes));
    const bool alone = narrow         ? !ascend(values_from<u32>(first_, 0))
                       : ascend(wide) ? !ascend(values_from<u64>(first_, 0)) || far_from(count, wide)
                                      : far_below(count, wide);
    if (!alone) return {};
    const u64 bytes = narrow ? 4 : ascend(wide) ? 8 : bytes_behind(count), rest = (size_ - count_bytes) % bytes;
    const u64 values = (size_ - count_bytes) / bytes;
    std::string words = fmt::format("{}: its count says {}, but {} of {} bits follow", name_, counted(count, "value"),
                                    counted(values, "value"), bytes * 8);
    if (rest != 0) words += fmt::format(", and {} of another", counted(rest, "byte"));
    return words + fmt::format("; is it whole? To take what is there: {}", with_count(values, count_bytes));
  }

  // How wide values in no order are behind a count that does not fit them.
  u64 bytes_behind(u64 count) const {
    const u64 behind = size_ - count_bytes;
    for (const u64 bytes : {u64{8}, u64{4}})
      if (behind / bytes + 1 >= count && behind / bytes <= count + 1) return bytes;
    return wanted_bytes_;
  }

  // Of values that ascend: is the first so far before them as none of them is from the next?
  static bool far_from(u64 first, const std::vector<u64>& values) {
    constexpr u64 far = 1000;
    std::vector<u64> gaps;
    for (std::size_t i = 1; i < values.size(); ++i) gaps.push_back(values[i] - values[i - 1]);
    std::nth_element(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2), gaps.end());
    const u64 gap = gaps[gaps.size() / 2];
    return first < gap / far || (values.front() - first) / far > gap;
  }
  static bool far_below(u64 first, std::vector<u64> values) {
    constexpr u64 far = 1000;
    if (values.empty()) return true;
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2] / far > first;
  }

  std::string without_count() const {
    const bool narrow = ascend(values_from<u32>(first_, 0));
    if (size_ % 4 != 0) return {};
    const u64 bytes = size_ % 8 != 0 || narrow ? 4 : 8, count = size_ / bytes;
    const bool told = narrow || bytes == 4 || ascend(values_from<u64>(first_, 0));
    return fmt::format("{} has {} of {} bits without a count{}; SOSD's format has it before them: {}", name_,
                       counted(count, "value"), bytes * 8, told ? "" : fmt::format(", or {} of 32 bits", size_ / 4),
                       with_count(count, 0));
  }

  std::string_view name_;
  u64 size_;
  std::span<const char> first_;
  u64 wanted_bytes_;
};

// Bytes from 0x80 on that are part of no letter in UTF-8; a letter that is cut at the end is one.
std::size_t bytes_of_no_letter(std::string_view text) {
  std::size_t bad = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80) continue;
    const std::size_t more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    const std::string_view rest = text.substr(i + 1, more);
    const bool letter =
        lead >= 0xc2 && lead < 0xf5 && std::all_of(rest.begin(), rest.end(), [](char c) { return (c & 0xc0) == 0x80; });
    letter ? i += rest.size() : ++bad;
  }
  return bad;
}

}  // namespace

bool looks_binary(std::span<const char> first) {
  const std::string_view text(first.data(), first.size());
  if (text.find('\0') != text.npos) return true;
  const std::string_view line = text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  const std::size_t behind = line.find_first_not_of(" \t\r", digits);
  if (digits > 0 && behind != line.npos && line[behind] == '\n') return false;
  constexpr char escape = 0x1b;  // begins a terminal's colours
  const auto is_control = [](char c) { return (c >= 0 && c < 0x20 && (c < '\t' || c > '\r') && c != escape); };
  if (std::any_of(text.begin(), text.end(), is_control)) return true;
  constexpr std::size_t share = 3;  // text in an old encoding has fewer
  return bytes_of_no_letter(text) * share > text.size();
}

outcome<std::optional<binary_numbers>> tell_binary(std::string_view name, u64 size, std::span<const char> first,
                                                   key_width wanted) {
  using told = std::optional<binary_numbers>;
  const u64 count = value_at<u64>(first, 0), wanted_bytes = wanted == key_width::u32 ? 4 : 8;
  if (first.size() >= count_bytes) {
    for (const u64 bytes : {wanted_bytes, 12 - wanted_bytes})
      if (holds(size, count_bytes, count, bytes))
        return told({binary_layout::sosd, count, count_bytes, static_cast<u32>(bytes)});
    constexpr u64 pair_bytes = 16;
    if (holds(size, count_bytes, count, pair_bytes))
      return told({binary_layout::sosd_lookups, count, count_bytes, pair_bytes});
  }
  if (std::string_view(first.data(), first.size()).starts_with(numpy_magic)) {
    outcome<binary_numbers> numpy = read_numpy_header(name, size, first);
    return numpy ? outcome<told>(told(*numpy)) : outcome<told>(numpy.error());
  }
  if (std::string words = signature_words(name, first); !words.empty()) return problem{std::move(words)};
  // Of few bytes each has to fit.
  constexpr u64 few = 64;
  const bool is_text = !looks_binary(first) && (size >= few || bytes_of_no_letter({first.data(), first.size()}) == 0);
  if (is_text) return told();
  return problem{near_miss(name, size, first, wanted).words()};
}

}  // namespace pivotscope
