#include "core/workload/key_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <new>

#include "core/workload/file_descriptor.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

static_assert(std::endian::native == std::endian::little, "SOSD's files are little-endian and are read as they are");

constexpr std::size_t block_bytes = 4 << 20;

std::string system_words(int error) { return std::error_code(error, std::system_category()).message(); }

template <class Key>
constexpr std::string_view width_name = sizeof(Key) == 4 ? "keys=u32" : "keys=u64";

// What a person sees of bytes that should have been a number.
std::string excerpt(std::string_view bytes) {
  constexpr std::size_t longest = 40;
  std::string text;
  for (const char c : bytes.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte >= 0x20 && byte != 0x7f ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return bytes.size() > longest ? text + "..." : text;
}

// A regular file, block by block; or a pipe, which is taken into memory whole since its length is not known before.
class byte_source {
 public:
  static outcome<byte_source> open(const std::filesystem::path& path) {
    byte_source source;
    source.name_ = path.string();
    source.file_ = file_descriptor(path.c_str(), O_RDONLY);
    struct stat about {};
    if (!source.file_.is_open() || ::fstat(source.file_.number(), &about) != 0) {
      return problem{fmt::format("cannot open {}: {}", source.name_, system_words(errno))};
    }
    if (S_ISDIR(about.st_mode)) return problem{fmt::format("{} is a folder; a file of keys is wanted", source.name_)};
    source.size_ = static_cast<u64>(about.st_size);
    if (!S_ISREG(about.st_mode)) {
      if (status taken = source.take_pipe(); !taken) return taken.error();
    }
    return source;
  }

  const std::string& name() const { return name_; }
  u64 size() const { return size_; }

  // Fewer bytes than asked only at the end.
  outcome<std::size_t> read(std::span<char> out) {
    if (in_memory_) {
      const std::size_t count = std::min<std::size_t>(out.size(), taken_.size() - position_);
      std::copy_n(taken_.begin() + static_cast<std::ptrdiff_t>(position_), count, out.begin());
      position_ += count;
      return count;
    }
    const std::ptrdiff_t got = file_.read(out);
    if (got < 0) return problem{fmt::format("cannot read {}: {}", name_, system_words(errno))};
    return static_cast<std::size_t>(got);
  }

 private:
  byte_source() = default;

  status take_pipe() {
    in_memory_ = true;
    while (true) {
      const std::size_t before = taken_.size();
      taken_.resize(before + block_bytes);
      const std::ptrdiff_t got = file_.read(std::span(taken_).subspan(before));
      if (got < 0) return problem{fmt::format("cannot read {}: {}", name_, system_words(errno))};
      taken_.resize(before + static_cast<std::size_t>(got));
      if (static_cast<std::size_t>(got) < block_bytes) break;
    }
    size_ = taken_.size();
    return fine();
  }

  std::string name_;
  file_descriptor file_;
  u64 size_ = 0;
  bool in_memory_ = false;
  std::vector<char> taken_;
  std::size_t position_ = 0;
};

// Splits blocks into lines and lines into numbers.
template <class Key>
class text_reader {
 public:
  text_reader(byte_source& source, std::vector<Key>& keys) : source_(source), keys_(keys) {}

  // `first` holds bytes that were read already, to tell the format.
  status read(std::span<const char> first, const job_control& control) {
    std::vector<char> block(first.begin(), first.end());
    std::size_t held = block.size();  // of a line whose end is not read yet
    block.resize(block_bytes);
    u64 consumed = 0;
    while (true) {
      if (control.cancelled()) return job_control::cancelled_problem();
      if (held == block.size()) return too_long(block);
      outcome<std::size_t> got = source_.read(std::span(block).subspan(held));
      if (!got) return got.error();
      const bool at_end = *got < block.size() - held;
      std::string_view text(block.data(), held + *got);
      if (consumed == 0) reserve(text);
      if (status parsed = parse_lines(text, at_end); !parsed) return parsed.error();
      held = text.size();
      consumed += *got;
      if (at_end) return fine();
      std::memmove(block.data(), text.data(), held);
      control.progress("reading " + source_.name(),
                       static_cast<double>(consumed) / static_cast<double>(source_.size()));
    }
  }

 private:
  // As many as the first block's lines let expect, so that few files make the vector grow.
  void reserve(std::string_view text) {
    const auto lines = static_cast<double>(std::count(text.begin(), text.end(), '\n') + 1);
    const double expected = lines * static_cast<double>(source_.size()) / static_cast<double>(text.size() + 1);
    keys_.reserve(static_cast<std::size_t>(std::min(expected * 1.02, 0x1p32)) + 1);
  }

  // Takes whole lines off `text`; at the end of the file also one without a newline.
  status parse_lines(std::string_view& text, bool at_end) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      if (end == text.npos && !at_end) return fine();
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
      ++line_number_;
      if (status parsed = parse_line(line); !parsed) return parsed.error();
    }
    return fine();
  }

  status parse_line(std::string_view line) {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t begin = line.find_first_not_of(blanks);
    if (begin == line.npos) {
      if (first_empty_line_ == 0) first_empty_line_ = line_number_;
      return fine();
    }
    if (first_empty_line_ != 0) return at_line(first_empty_line_, "is empty; one unsigned integer is wanted");
    const char* const last = line.data() + line.find_last_not_of(blanks) + 1;
    Key key = 0;
    const auto [end, error] = std::from_chars(line.data() + begin, last, key);
    if (error != std::errc{} || end != last)
      return refuse(line.substr(begin, line.find_last_not_of(blanks) + 1 - begin));
    if (keys_.size() == max_lookups) return at_line(line_number_, "is one too many: at most 2^32 numbers are read");
    keys_.push_back(key);
    return fine();
  }

  status refuse(std::string_view word) const {
    const std::string shown = excerpt(word);
    if (std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; })) {
      const char* advice = sizeof(Key) == 4 ? "; take keys=u64 in the config for greater ones" : "";
      return at_line(line_number_, fmt::format("'{}' is too great for {}, whose keys end at {}{}", shown,
                                               width_name<Key>, greatest_key<Key>(), advice));
    }
    if (word.front() == '-')
      return at_line(line_number_, fmt::format("'{}' has a minus sign; keys are unsigned", shown));
    return at_line(line_number_, fmt::format("'{}' is not an unsigned integer", shown));
  }

  status too_long(std::span<const char> line) const {
    return at_line(line_number_ + 1,
                   fmt::format("'{}' has more than {} bytes and no end; one unsigned integer is wanted",
                               excerpt({line.data(), line.size()}), block_bytes));
  }

  status at_line(u64 number, std::string_view words) const {
    return problem{fmt::format("{}:{}: {}", source_.name(), number, words)};
  }

  byte_source& source_;
  std::vector<Key>& keys_;
  u64 line_number_ = 0;
  u64 first_empty_line_ = 0;
};

template <class Key>
status read_values(byte_source& source, std::vector<Key>& keys, u64 count, const job_control& control) {
  const std::span<char> bytes(reinterpret_cast<char*>(keys.data()), count * sizeof(Key));
  for (std::size_t done = 0; done < bytes.size();) {
    if (control.cancelled()) return job_control::cancelled_problem();
    const std::span<char> block = bytes.subspan(done, std::min(block_bytes, bytes.size() - done));
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

template <class Key>
outcome<key_array> read_keys(byte_source& source, const job_control& control) {
  char head[8] = {};
  outcome<std::size_t> got = source.read(head);
  if (!got) return got.error();
  const std::span<const char> first(head, *got);
  u64 count = 0;
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
  if (*got == sizeof head && looks_binary(first)) return broken_binary<Key>(source, count);
  if (status read = text_reader<Key>(source, keys).read(first, control); !read) return read.error();
  return key_array(std::move(keys));
}

}  // namespace

outcome<key_array> read_key_file(const std::filesystem::path& path, key_width width, const job_control& control) {
  try {
    control.progress("reading " + path.string(), 0);
    outcome<byte_source> source = byte_source::open(path);
    if (!source) return source.error();
    return width == key_width::u32 ? read_keys<u32>(*source, control) : read_keys<u64>(*source, control);
  } catch (const std::bad_alloc&) {
    return problem{fmt::format("not enough memory to read {}", path.string())};
  }
}

}  // namespace pivotscope
