#include "core/workload/script_text.hpp"

#include <new>
#include <string>
#include <vector>

#include "core/workload/files/binary_numbers.hpp"
#include "core/workload/files/line_writer.hpp"
#include "core/workload/files/nearest_word.hpp"
#include "core/workload/files/number_lines.hpp"

namespace pivotscope {
namespace {

// The first words of lines.
const std::vector<std::string>& line_words() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> words;
    words.reserve(operation_table.size() + maintenance_table.size() + 2);
    for (const operation_info& one : operation_table) words.emplace_back(one.verb);
    for (const maintenance_info& one : maintenance_table) words.emplace_back(one.name);
    words.insert(words.end(), {"begin", "end"});
    return words;
  }();
  return all;
}

constexpr std::string_view wanted_of(operation what) {
  return what == operation::range ? "a range takes its low and its high end: range A B" : "it takes one key";
}

// A line's words, one after the other, each with the place where it begins.
class words_of_line {
 public:
  // No blanks around the line, whose first byte stands in `column`.
  words_of_line(std::string_view line, u64 column) : rest_(line.substr(0, line.find('#'))), column_(column) {}

  // Empty at the end, whose column is that behind the last word.
  std::string_view take() {
    const std::size_t begin = rest_.find_first_not_of(number_blanks);
    if (begin == rest_.npos) {
      at_ = behind_;
      return {};
    }
    skip(begin);
    at_ = column_;
    const std::string_view word = rest_.substr(0, rest_.find_first_of(number_blanks));
    skip(word.size());
    behind_ = column_;
    return word;
  }
  // The problem's words, with the column of the word that was taken last.
  std::string at(std::string_view words) const { return fmt::format("column {}: {}", at_, words); }

 private:
  void skip(std::size_t bytes) {
    rest_.remove_prefix(bytes);
    column_ += bytes;
  }

  std::string_view rest_;
  u64 column_;
  u64 at_ = 1, behind_ = 1;
};

// Takes a script's lines, and says what is wrong with one.
template <class Key>
class script_parser {
 public:
  explicit script_parser(keys_a_line keys = keys_a_line::one)
      : script_(sizeof(Key) == 4 ? key_width::u32 : key_width::u64), keys_(keys) {}

  void reserve(u64 operations) { script_.reserve(operations); }

  // Words for what is wrong; empty: nothing.
  std::string take(std::string_view line, u64 number, u64 column) {
    words_of_line words(line, column);
    const std::string_view first = words.take();
    if (first.empty()) return {};  // a comment
    number_ = number;
    script_.at_line(number);
    if (first == "begin" || first == "end") return take_bracket(first, words, number);
    if (const auto whole = maintenance_of_name(first)) return take_whole(*whole, words);
    if (const auto kind = operation_of_verb(first)) return take_operation(*kind, words);
    return words.at(fmt::format("'{}' is not an operation{}", excerpt(first), suggestion(first, line_words())));
  }

  // The line of a begin that has no end; 0: there is none.
  u64 unended() const { return script_.in_mixed() ? begun_ : 0; }
  script finish() { return std::move(script_); }

 private:
  std::string take_bracket(std::string_view word, words_of_line& words, u64 number) {
    if (const std::string_view more = words.take(); !more.empty())
      return words.at(fmt::format("'{}' behind {}, which stands alone in its line", excerpt(more), word));
    if (word == "begin") {
      if (script_.in_mixed())
        return fmt::format("begin within the mixed batch that line {} began; put end before it", begun_);
      begun_ = number;
      script_.begin_mixed();
      return {};
    }
    if (!script_.in_mixed()) return "end without begin; put begin before the batch's first operation, or leave end out";
    if (script_.batches().back().size() == 0)
      return fmt::format("the mixed batch that line {} began is empty; put operations between, or leave both lines out",
                         begun_);
    script_.end_mixed();
    return {};
  }

  std::string take_whole(maintenance what, words_of_line& words) {
    const std::string_view name = info_of(what).name;
    if (const std::string_view more = words.take(); !more.empty())
      return words.at(
          fmt::format("'{}' behind {}, which is done to the whole index and takes no key", excerpt(more), name));
    if (script_.in_mixed())
      return fmt::format(
          "{} within the mixed batch that line {} began; it is a batch of its own: put it before begin "
          "or behind end",
          name, begun_);
    if (script_.items() == max_lookups) return too_many();
    script_.add(what);
    return {};
  }

  std::string take_operation(operation what, words_of_line& words) {
    if (std::string wrong = take_keys(what, words, words.take()); !wrong.empty()) return wrong;
    for (std::string_view more = words.take(); !more.empty(); more = words.take()) {
      if (keys_ == keys_a_line::one)
        return words.at(
            fmt::format("'{}' is too much for {}; {}", excerpt(more), operation_verb(what), wanted_of(what)));
      script_.at_line(number_);
      if (std::string wrong = take_keys(what, words, more); !wrong.empty()) return wrong;
    }
    return {};
  }

  // One operation, whose key is `word`.
  std::string take_keys(operation what, words_of_line& words, std::string_view word) {
    Key key = 0, high = 0;
    if (std::string wrong = take_key(what, words, word, key); !wrong.empty()) return wrong;
    if (what == operation::range) {
      if (std::string wrong = take_key(what, words, words.take(), high); !wrong.empty()) return wrong;
    }
    if (script_.items() == max_lookups) return too_many();
    script_.add({what, key, high});
    return {};
  }

  static std::string too_many() { return "is one too many: at most 2^32 operations are read"; }

  std::string take_key(operation what, const words_of_line& words, std::string_view word, Key& key) {
    if (word.empty())
      return words.at(fmt::format("a key is missing behind {}; {}", operation_verb(what), wanted_of(what)));
    return read_number(word, key) ? std::string() : words.at(refusal<Key>(word));
  }

  script script_;
  keys_a_line keys_;
  u64 number_ = 0;  // of the line
  u64 begun_ = 0;   // the line of the last begin
};

constexpr std::string_view no_end = "begin has no end; put end behind the last operation of its batch";

template <class Key>
outcome<script> read_lines(byte_source& source, const job_control& control) {
  char head[told_bytes] = {};
  outcome<std::size_t> got = source.read(head);
  if (!got) return got.error();
  const std::span<const char> first(head, *got);
  if (std::string words = no_text_words(source.name(), first); !words.empty()) return problem{std::move(words)};
  line_reader reader(source, "an operation", byte_source::block_bytes, empty_lines::anywhere);
  script_parser<Key> parser;
  const auto on_line = [&](std::string_view line) { return parser.take(line, reader.number(), reader.column()); };
  const auto expect = [&](std::size_t lines) -> status {
    if (status enough = check_host_memory(lines * (sizeof(operation) + sizeof(Key)), source.name()); !enough)
      return enough;
    parser.reserve(lines);
    return fine();
  };
  if (status read = reader.read(first, on_line, expect, control); !read) return read.error();
  if (const u64 line = parser.unended(); line != 0)
    return problem{fmt::format("{}:{}: {}", source.name(), line, no_end)};
  return parser.finish();
}

template <class Key>
outcome<script> parse_text(std::string_view text, keys_a_line keys) {
  if (text.starts_with(utf8_mark)) text.remove_prefix(utf8_mark.size());
  script_parser<Key> parser(keys);
  for (u64 number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (const std::string words = parser.take(text.substr(0, end), number, 1); !words.empty())
      return problem{fmt::format("line {}: {}", number, words)};
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (const u64 line = parser.unended(); line != 0) return problem{fmt::format("line {}: {}", line, no_end)};
  return parser.finish();
}

// What is written for operation i: before it the batches of maintenance, and the begin and the end of a mixed batch around
// it. For i behind the last operation, the maintenance that ends the script. `batch` is the first batch that is not
// written as a whole, and goes on.
template <class Put>
void put_lines(const script& s, u64 i, std::size_t& batch, const Put& put) {
  for (; batch < s.batches().size() && s.batches()[batch].end <= i; ++batch)
    if (const auto whole = s.batches()[batch].whole) put(info_of(*whole).name), put('\n');
  if (i == s.size()) return;
  const script_batch& in = s.batches()[batch];
  if (in.mixed && i == in.begin) put(std::string_view("begin\n"));
  const question operation = s[i];
  put(operation_verb(operation.kind)), put(' '), put(operation.key);
  if (operation.kind == operation::range) put(' '), put(operation.high);
  put('\n');
  if (in.mixed && i + 1 == in.end) put(std::string_view("end\n"));
}

}  // namespace

outcome<script> read_script(const std::filesystem::path& path, key_width width, const job_control& control) {
  return read_file(path, "operations", control, [&](byte_source& source) {
    return width == key_width::u32 ? read_lines<u32>(source, control) : read_lines<u64>(source, control);
  });
}

outcome<script> script_from_text(std::string_view text, key_width width, keys_a_line keys) {
  return width == key_width::u32 ? parse_text<u32>(text, keys) : parse_text<u64>(text, keys);
}

std::string to_text(const script& s) {
  std::string text;
  std::size_t batch = 0;
  const auto put = [&]<class Part>(const Part& part) { text += fmt::format("{}", part); };
  for (u64 i = 0; i <= s.size(); ++i) put_lines(s, i, batch, put);
  return text;
}

status write_script(const std::filesystem::path& path, const script& s, const job_control& control) {
  std::size_t batch = 0;
  const auto put_line = [&](text_writer& writer, u64 i) {
    put_lines(s, i, batch, [&](const auto& part) { writer.put(part); });
  };
  return write_lines(path, s.size() + 1, put_line, control);
}

}  // namespace pivotscope
