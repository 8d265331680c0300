// Keys from one column of a CSV file.
#include <algorithm>
#include <charconv>
#include <new>

#include "core/workload/csv.hpp"
#include "core/workload/key_file.hpp"
#include "core/workload/nearest_word.hpp"
#include "core/workload/number_lines.hpp"

namespace pivotscope {
namespace {

// What parts the fields: of comma, semicolon and tab the one that the first line has first, outside of quotes.
char separator_of(std::string_view text) {
  bool within = false;
  for (const char c : text) {
    if (c == '"') within = !within;
    if (within) continue;
    if (c == ',' || c == ';' || c == '\t') return c;
    if (c == '\r' || c == '\n') break;
  }
  return ',';
}

std::string fields_text(std::size_t count) { return fmt::format("{} {}", count, count == 1 ? "field" : "fields"); }

bool is_number(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "-3" and "1.5" are values that went wrong, not names.
bool looks_like_a_name(std::string_view word) {
  return !word.empty() && word.front() != '-' && word.front() != '+' && word.front() != '.' &&
         !(word.front() >= '0' && word.front() <= '9');
}

// Takes the keys out of the rows, up to the first fault.
template <class Key>
class column_taker final : public csv_rows {
 public:
  explicit column_taker(std::string_view column) : name_(column) {
    u64 number = 0;
    const auto [end, error] = std::from_chars(column.data(), column.data() + column.size(), number);
    if (error == std::errc{} && end == column.data() + column.size() && number > 0) place_ = number - 1;
  }

  void take_field(std::string_view text, u64 line) override {
    if (fault) return;
    if (!begun_) return names_.emplace_back(text), void();
    if (fields_++ == *place_) take_key(text, line);
  }

  void end_row(u64 line) override {
    if (fault) return;
    if (!begun_) fields_ = names_.size();
    if (fields_ == 0) {
      if (empty_line_ == 0) empty_line_ = line;
      return;
    }
    if (empty_line_ != 0) return refuse(empty_line_, "is empty; a row of the table is wanted");
    if (!begun_) {
      begin(line);
    } else if (fields_ != names_.size()) {
      refuse(line, fmt::format("has {}, and the first row has {}; a separator within a field is put in quotes",
                               fields_text(fields_), names_.size()));
    }
    if (!fault) fault = std::move(wrong_key_);
    fields_ = 0;
  }

  std::vector<Key> keys;
  std::optional<csv_fault> fault;

 private:
  void refuse(u64 line, std::string words) { fault = csv_fault{line, std::move(words)}; }

  // With the first row, which has names or the first values.
  void begin(u64 line) {
    begun_ = true;
    // A name may be a number: then it is the column of that name.
    const auto named = std::find(names_.begin(), names_.end(), name_);
    if (named != names_.end() && !is_number(*named)) {
      place_ = static_cast<std::size_t>(named - names_.begin());
      return;
    }
    if (!place_) {
      std::vector<std::string> shown;
      for (const std::string& name : names_) shown.push_back(excerpt(name));
      return refuse(line, fmt::format("there is no column '{}'{}", excerpt(name_), suggestion(name_, shown)));
    }
    if (*place_ >= names_.size())
      return refuse(line, fmt::format("has {}; column {} is wanted", fields_text(names_.size()), *place_ + 1));
    if (is_number(names_[*place_]) || !looks_like_a_name(names_[*place_])) take_key(names_[*place_], line);
  }

  // A row that lacks a field is told as that: its key may be another column's.
  void take_key(std::string_view text, u64 line) {
    Key key = 0;
    if (text.empty()) {
      wrong_key_ = csv_fault{line, fmt::format("has nothing in column {}", *place_ + 1)};
    } else if (!read_number(text, key)) {
      wrong_key_ = csv_fault{line, refusal<Key>(text)};
    } else if (keys.size() == max_lookups) {
      wrong_key_ = csv_fault{line, "is one too many: at most 2^32 numbers are read"};
    } else {
      keys.push_back(key);
    }
  }

  std::string name_;
  std::optional<std::size_t> place_;
  std::vector<std::string> names_;      // the first row
  bool begun_ = false;                  // the first row is whole
  std::size_t fields_ = 0;              // of this row
  std::optional<csv_fault> wrong_key_;  // of this row
  u64 empty_line_ = 0;                  // the first
};

template <class Key>
outcome<key_array> read_column(byte_source& source, std::string_view column, const job_control& control) {
  const std::unique_ptr<char[]> bytes = std::make_unique_for_overwrite<char[]>(byte_source::block_bytes);
  const std::span<char> block(bytes.get(), byte_source::block_bytes);
  column_taker<Key> taker(column);
  std::optional<csv_reader> reader;
  u64 consumed = 0;
  for (bool at_end = false; !at_end;) {
    if (control.cancelled()) return job_control::cancelled_problem();
    const outcome<std::size_t> got = source.read(block);
    if (!got) return got.error();
    at_end = *got < block.size();
    std::string_view text(block.data(), *got);
    if (!reader) {
      if (std::string words = signature_words(source.name(), block.first(std::min(*got, signature_bytes)));
          !words.empty())
        return problem{std::move(words)};
      if (status room = make_room_for(lines_to_expect(text, source.size()), source.name(), taker.keys); !room)
        return room.error();
      if (text.starts_with(utf8_mark)) text.remove_prefix(utf8_mark.size());
      reader.emplace(separator_of(text), taker);
    }
    std::optional<csv_fault> fault = reader->read(text);
    if (!fault && at_end) fault = reader->end();
    if (taker.fault) fault = taker.fault;  // which comes before
    if (fault) return problem{fmt::format("{}:{}: {}", source.name(), fault->line, fault->words)};
    consumed += *got;
    if (!at_end)
      control.progress("reading " + source.name(),
                       std::min(1.0, static_cast<double>(consumed) / static_cast<double>(source.size())));
  }
  return key_array(std::move(taker.keys));
}

}  // namespace

outcome<key_array> read_key_column(const std::filesystem::path& path, std::string_view column, key_width width,
                                   const job_control& control) {
  return read_file(path, "keys", control, [&](byte_source& source) {
    return width == key_width::u32 ? read_column<u32>(source, column, control)
                                   : read_column<u64>(source, column, control);
  });
}

}  // namespace pivotscope
