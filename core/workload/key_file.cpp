#include "core/workload/key_file.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "core/workload/host_memory.hpp"
#include "core/workload/number_lines.hpp"

namespace pivotscope {
namespace {

static_assert(std::endian::native == std::endian::little, "SOSD's files are little-endian and are read as they are");

template <class Key>
status read_values(byte_source& source, std::vector<Key>& keys, u64 count, const job_control& control) {
  const std::span<char> bytes(reinterpret_cast<char*>(keys.data()), count * sizeof(Key));
  for (std::size_t done = 0; done < bytes.size();) {
    if (control.cancelled()) return job_control::cancelled_problem();
    const std::span<char> block = bytes.subspan(done, std::min(byte_source::block_bytes, bytes.size() - done));
    outcome<std::size_t> got = source.read(block);
    if (!got) return got.error();
    if (*got < block.size()) return problem{fmt::format("{} became shorter while it was read", source.name())};
    done += block.size();
    control.progress("reading " + source.name(), static_cast<double>(done) / static_cast<double>(bytes.size()));
  }
  return fine();
}

// Does a file of `size` bytes hold `count` values of `bytes` each after the count?
bool holds(u64 size, u64 count, u64 bytes) {
  return size >= 8 && (size - 8) / bytes == count && (size - 8) % bytes == 0;
}

// Text has no byte below the tab.
bool looks_binary(std::span<const char> first) {
  return std::any_of(first.begin(), first.end(), [](char c) { return static_cast<unsigned char>(c) < '\t'; });
}

template <class Key>
problem broken_binary(const byte_source& source, u64 count) {
  constexpr u64 other = sizeof(Key) == 4 ? 8 : 4;
  if (holds(source.size(), count, other)) {
    return {fmt::format("{} holds {} values of {} bits, but the config says {}", source.name(), count, other * 8,
                        width_name<Key>)};
  }
  std::string words =
      fmt::format("{} is neither text nor SOSD's format: its first 8 bytes count {} values", source.name(), count);
  if (count <= max_lookups) {
    words += fmt::format(", {} bytes in all for {}, but it has {} bytes", 8 + count * sizeof(Key), width_name<Key>,
                         source.size());
  }
  if (const u64 rest = (source.size() - 8) % sizeof(Key); rest != 0) {
    words += fmt::format("; byte {} begins a record of {} of {} bytes", source.size() - rest, rest, sizeof(Key));
  }
  return {words};
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
outcome<key_array> read_keys(byte_source& source, const job_control& control) {
  char head[signature_bytes] = {};
  outcome<std::size_t> got = source.read(head);
  if (!got) return got.error();
  const std::span<const char> first(head, *got);
  u64 count = 0;
  static_assert(sizeof count == sizeof head);
  std::memcpy(&count, head, sizeof count);
  std::vector<Key> keys;
  if (*got == sizeof head && holds(source.size(), count, sizeof(Key))) {
    if (count > max_lookups)
      return problem{fmt::format("{} holds {} values; at most 2^32 are read", source.name(), count)};
    if (status enough = check_host_memory(count * sizeof(Key), source.name()); !enough) return enough.error();
    keys.resize(count);
    if (status read = read_values(source, keys, count, control); !read) return read.error();
    return key_array(std::move(keys));
  }
  if (std::string words = signature_words(source.name(), first); !words.empty()) return problem{std::move(words)};
  if (*got == sizeof head && looks_binary(first)) return broken_binary<Key>(source, count);
  if (status read = read_text(source, first, keys, control); !read) return read.error();
  return key_array(std::move(keys));
}

}  // namespace

outcome<key_array> read_key_file(const std::filesystem::path& path, key_width width, const job_control& control) {
  return read_file(path, "keys", control, [&](byte_source& source) {
    return width == key_width::u32 ? read_keys<u32>(source, control) : read_keys<u64>(source, control);
  });
}

}  // namespace pivotscope
