#include "core/workload/files/key_file.hpp"

#include <algorithm>
#include <cstdint>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/workload/files/binary_numbers.hpp"
#include "core/workload/files/number_lines.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

// A file of which the first bytes were read already.
class begun_file {
 public:
  explicit begun_file(byte_source& source) : source_(source) {}

  status begin() {
    outcome<std::size_t> got = source_.read(bytes_);
    if (!got) return got.error();
    held_ = *got;
    return fine();
  }
  const std::string& name() const { return source_.name(); }
  byte_source& rest() { return source_; }
  std::span<const char> first() const { return std::span(bytes_).first(held_); }

  // Bytes from `offset` on, as many as `out` has room for.
  status read(u64 offset, std::span<char> out, const job_control& control) {
    std::span<const char> held = first().subspan(offset);
    for (std::size_t at = 0; at < out.size();) {
      if (control.cancelled()) return job_control::cancelled_problem();
      const std::span<char> block = out.subspan(at, std::min(byte_source::block_bytes, out.size() - at));
      const std::size_t copied = std::min(block.size(), held.size());
      std::copy_n(held.begin(), copied, block.begin());
      held = held.subspan(copied);
      outcome<std::size_t> got = source_.read(block.subspan(copied));
      if (!got) return got.error();
      if (copied + *got < block.size()) return problem{fmt::format("{} became shorter while it was read", name())};
      at += block.size();
      control.progress("reading " + name(), static_cast<double>(at) / static_cast<double>(out.size()));
    }
    return fine();
  }

 private:
  byte_source& source_;
  char bytes_[told_bytes] = {};
  std::size_t held_ = 0;
};

// The file's values as they are.
template <class Value>
outcome<std::vector<Value>> read_values(begun_file& file, const binary_numbers& what, const job_control& control) {
  if (what.count > max_lookups)
    return problem{fmt::format("{} holds {} values; at most 2^32 are read", file.name(), what.count)};
  if (status enough = check_host_memory(what.count * what.value_bytes, file.name()); !enough) return enough.error();
  std::vector<Value> values(what.count * what.value_bytes / sizeof(Value));
  const std::span<char> bytes(reinterpret_cast<char*>(values.data()), values.size() * sizeof(Value));
  if (status read = file.read(what.offset, bytes, control); !read) return read.error();
  return values;
}

// Values of an array of NumPy's as keys: those that are none are told with their place.
template <class Key, class Value>
outcome<key_array> keys_from(begun_file& file, const binary_numbers& what, const job_control& control) {
  outcome<std::vector<Value>> values = read_values<Value>(file, what, control);
  if (!values) return values.error();
  const auto at = std::find_if_not(values->begin(), values->end(), [](Value v) { return std::in_range<Key>(v); });
  if (at != values->end())
    return problem{
        fmt::format("{}: value {}: {}", file.name(), at - values->begin(), refusal<Key>(std::to_string(*at)))};
  if constexpr (std::is_same_v<Key, Value>) return key_array(std::move(*values));
  return key_array(std::vector<Key>(values->begin(), values->end()));
}

template <class Key>
outcome<key_array> read_binary(begun_file& file, const binary_numbers& what, const job_control& control) {
  const bool wide = what.value_bytes == 8;
  if (what.layout == binary_layout::sosd_lookups)
    return problem{fmt::format("{} has SOSD's lookups, {} keys and the sum of each one's rows: --lookups-from reads it",
                               file.name(), what.count)};
  if (what.layout == binary_layout::numpy && what.has_sign)
    return wide ? keys_from<Key, std::int64_t>(file, what, control) : keys_from<Key, std::int32_t>(file, what, control);
  if (what.layout == binary_layout::numpy)
    return wide ? keys_from<Key, u64>(file, what, control) : keys_from<Key, u32>(file, what, control);
  if (what.value_bytes != sizeof(Key))
    return problem{fmt::format("{} holds {} values of {} bits, but the config says {}", file.name(), what.count,
                               what.value_bytes * 8, width_name<Key>)};
  outcome<std::vector<Key>> values = read_values<Key>(file, what, control);
  return values ? outcome<key_array>(key_array(std::move(*values))) : outcome<key_array>(values.error());
}

// What to do with a first line that is none of a file of numbers.
std::string table_words(std::string_view line) {
  const bool is_name = (line.front() >= 'A' && line.front() <= 'Z') || (line.front() >= 'a' && line.front() <= 'z');
  if (!is_name && line.find_first_of(",;|\t \"") == line.npos) return {};
  return "; is this a table? One of its columns is read with --keys-column NAME or NUMBER (in a workload's line "
         "keys_column= or lookups_column=)";
}

template <class Key>
status read_text(byte_source& source, std::span<const char> first, std::vector<Key>& keys, const job_control& control) {
  const auto on_line = [&keys](std::string_view line) -> std::string {
    Key key = 0;
    if (!read_number(line, key)) return refusal<Key>(line) + (keys.empty() ? table_words(line) : "");
    if (keys.size() == max_lookups) return "is one too many: at most 2^32 numbers are read";
    keys.push_back(key);
    return {};
  };
  const auto expect = [&](std::size_t lines) { return make_room_for(lines, source.name(), keys); };
  return line_reader(source, "one unsigned integer").read(first, on_line, expect, control);
}

template <class Key>
outcome<key_array> read_keys(begun_file& file, const std::optional<binary_numbers>& binary,
                             const job_control& control) {
  if (binary) return read_binary<Key>(file, *binary, control);
  std::vector<Key> keys;
  if (status read = read_text(file.rest(), file.first(), keys, control); !read) return read.error();
  return key_array(std::move(keys));
}

template <class Key>
outcome<lookup_file> read_sosd_lookups(begun_file& file, const binary_numbers& what, const job_control& control) {
  outcome<std::vector<u64>> pairs = read_values<u64>(file, what, control);
  if (!pairs) return pairs.error();
  std::vector<Key> keys(what.count);
  std::vector<u64> sums(what.count);
  for (u64 i = 0; i < what.count; ++i) {
    const u64 key = (*pairs)[2 * i];
    if (!std::in_range<Key>(key))
      return problem{fmt::format("{}: lookup {}: {}", file.name(), i, refusal<Key>(std::to_string(key)))};
    keys[i] = static_cast<Key>(key), sums[i] = (*pairs)[2 * i + 1];
  }
  return lookup_file{key_array(std::move(keys)), std::move(sums)};
}

// read(file, what it is)
template <class T, class Read>
outcome<T> read_told(const std::filesystem::path& path, key_width width, const job_control& control, const Read& read) {
  return read_file(path, "keys", control, [&](byte_source& source) -> outcome<T> {
    begun_file file(source);
    if (status begun = file.begin(); !begun) return begun.error();
    const auto told = tell_binary(source.name(), source.size(), file.first(), width);
    if (!told) return told.error();
    return read(file, *told);
  });
}

}  // namespace

outcome<key_array> read_key_file(const std::filesystem::path& path, key_width width, const job_control& control) {
  return read_told<key_array>(path, width, control, [&](begun_file& file, const auto& told) {
    return width == key_width::u32 ? read_keys<u32>(file, told, control) : read_keys<u64>(file, told, control);
  });
}

outcome<lookup_file> read_lookup_file(const std::filesystem::path& path, key_width width, const job_control& control) {
  const bool narrow = width == key_width::u32;
  return read_told<lookup_file>(path, width, control, [&](begun_file& file, const auto& told) -> outcome<lookup_file> {
    if (told && told->layout == binary_layout::sosd_lookups)
      return narrow ? read_sosd_lookups<u32>(file, *told, control) : read_sosd_lookups<u64>(file, *told, control);
    outcome<key_array> keys = narrow ? read_keys<u32>(file, told, control) : read_keys<u64>(file, told, control);
    if (!keys) return keys.error();
    return lookup_file{std::move(*keys), {}};
  });
}

outcome<std::optional<key_width>> told_width(const std::filesystem::path& path, const job_control& control) {
  using told_width = std::optional<key_width>;
  return read_told<told_width>(path, key_width::u32, control, [](begun_file&, const auto& told) -> outcome<told_width> {
    if (!told || told->layout == binary_layout::sosd_lookups || told->count == 0) return told_width();
    return told_width(told->value_bytes == 8 ? key_width::u64 : key_width::u32);
  });
}

}  // namespace pivotscope
