// Keys from one column of a CSV file.
#include <algorithm>
#include <new>
#include <utility>

#include "core/workload/files/binary_numbers.hpp"
#include "core/workload/files/csv.hpp"
#include "core/workload/files/key_file.hpp"
#include "core/workload/files/nearest_word.hpp"
#include "core/workload/files/number_lines.hpp"
#include "core/workload/files/table_shape.hpp"

namespace pivotscope {
namespace {

std::string fields_text(std::size_t count) { return fmt::format("{} {}", count, count == 1 ? "field" : "fields"); }

// "1 or 2", "1, 2 or 4": columns by their numbers.
std::string numbers_text(const std::vector<std::size_t>& places) {
  std::string text;
  for (std::size_t i = 0; i < places.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == places.size() ? " or " : ", ", places[i] + 1);
  return text;
}

// Which columns of a table hold keys and nothing else, for who asks for one that is not there.
template <class Key>
class column_survey {
 public:
  void begin(const std::vector<std::string>& first_row) {
    names_ = first_row;
    holds_keys_.resize(first_row.size());
    for (std::size_t i = 0; i < first_row.size(); ++i)
      holds_keys_[i] = is_key(first_row[i]) || looks_like_a_name(first_row[i]);
  }
  void take(std::size_t place, std::string_view text) {
    if (place < holds_keys_.size() && !is_key(text)) holds_keys_[place] = false;
  }

  // What may be asked for in place of `name`, as a part of a sentence.
  std::string words(const std::string& name) const {
    std::vector<std::string> good;
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (holds_keys_[i]) good.push_back(to_ask_for(i));
    if (good.empty())
      return fmt::format(", and none of the {} there holds {} keys alone", names_.size(), width_name<Key>);
    constexpr std::size_t most_told = 8;
    if (good.size() > most_told && nearest_word(name, good).empty()) {
      const std::size_t others = good.size() - most_told;
      good.resize(most_told);
      good.push_back(fmt::format("{} more", others));
    }
    return suggestion(name, good);
  }

 private:
  static bool is_key(std::string_view text) {
    Key key = 0;
    return read_number(text, key);
  }
  // The column's name where that can be typed and means it, else its number.
  std::string to_ask_for(std::size_t place) const {
    const std::string& name = names_[place];
    constexpr std::size_t longest = 64;
    const bool fits = looks_like_a_name(name) && name.size() <= longest && excerpt(name) == name &&
                      std::count(names_.begin(), names_.end(), name) == 1;
    return fits ? name : std::to_string(place + 1);
  }

  std::vector<std::string> names_;
  std::vector<bool> holds_keys_;
};

// Takes the keys out of the rows, up to the first fault.
template <class Key>
class column_taker final : public csv_rows {
 public:
  // `skips_first`: the first row is none of the table.
  column_taker(column_name column, bool skips_first) : column_(std::move(column)), skip_(skips_first) {}

  void take_field(std::string_view text, u64 line) override {
    if (fault || skip_) return;
    if (!begun_) return first_row_.emplace_back(text), void();
    if (missing_) survey_.take(fields_, text);
    if (fields_++ == place_ && !missing_) take_key(text, line);
  }

  void end_row(u64 line) override {
    if (fault || std::exchange(skip_, false)) return;
    if (!begun_) fields_ = first_row_.size();
    if (fields_ == 0) {
      if (empty_line_ == 0) empty_line_ = line;
      return;
    }
    if (empty_line_ != 0) return refuse(empty_line_, "is empty; a row of the table is wanted");
    if (!begun_) {
      begin(line);
    } else if (fields_ != first_row_.size()) {
      refuse(line, fmt::format("has {}, and the first row has {}; a separator within a field is put in quotes",
                               fields_text(fields_), first_row_.size()));
    }
    if (!fault) fault = std::exchange(wrong_key_, std::nullopt);
    fields_ = 0;
  }

  // The table has ended, or `broken` says where it cannot be read on.
  void end(const std::optional<csv_fault>& broken) {
    if (!fault) fault = broken;
    const std::string name = excerpt(column_.text());
    if (!fault && !begun_ && !is_digits(name))
      return refuse(1, fmt::format("there is no column '{}', nor any row", name));
    if (!missing_) return;
    refuse(*missing_, fault ? fmt::format("there is no column '{}'; and line {}: {}", name, fault->line, fault->words)
                            : fmt::format("there is no column '{}'{}", name, survey_.words(column_.text())));
  }

  std::vector<Key> keys;
  std::optional<csv_fault> fault;

 private:
  void refuse(u64 line, std::string words) { fault = csv_fault{line, std::move(words)}; }

  // With the first row, which has names or the first values.
  void begin(u64 line) {
    begun_ = true;
    const std::vector<std::size_t> places = column_.places(first_row_);
    if (places.empty()) {
      missing_ = line;
      return survey_.begin(first_row_);
    }
    if (places.size() > 1)
      return refuse(line, fmt::format("{} columns are called '{}': take {}", places.size(), excerpt(column_.text()),
                                      numbers_text(places)));
    place_ = places.front();
    if (place_ >= first_row_.size())
      return refuse(line, fmt::format("has {}; column {} is wanted", fields_text(first_row_.size()), place_ + 1));
    const std::string& first = first_row_[place_];
    const bool is_name = first == column_.text() && !is_digits(first);
    if (!is_name && !looks_like_a_name(first)) take_key(first, line);
  }

  // A row that lacks a field is told as that: its key may be another column's.
  void take_key(std::string_view text, u64 line) {
    Key key = 0;
    if (text.empty()) {
      wrong_key_ = csv_fault{line, fmt::format("has nothing in column {}", place_ + 1)};
    } else if (!read_number(text, key)) {
      wrong_key_ = csv_fault{line, refusal<Key>(text)};
    } else if (keys.size() == max_lookups) {
      wrong_key_ = csv_fault{line, "is one too many: at most 2^32 numbers are read"};
    } else {
      keys.push_back(key);
    }
  }

  column_name column_;
  bool skip_;  // this row
  std::vector<std::string> first_row_;
  bool begun_ = false;  // the first row is whole
  std::size_t place_ = 0;
  std::size_t fields_ = 0;              // of this row
  std::optional<csv_fault> wrong_key_;  // of this row
  u64 empty_line_ = 0;                  // the first
  std::optional<u64> missing_;          // no column is the one asked for: the first row's line
  column_survey<Key> survey_;
};

// Of a file that is no text.
problem no_table(const byte_source& source, std::span<const char> first, key_width width) {
  const auto told = tell_binary(source.name(), source.size(), first, width);
  if (!told) return told.error();
  return {fmt::format("{} holds numbers in binary, and no columns: leave the column out", source.name())};
}

template <class Key>
outcome<key_array> read_column(byte_source& source, std::string_view column, const job_control& control) {
  const std::unique_ptr<char[]> bytes = std::make_unique_for_overwrite<char[]>(byte_source::block_bytes);
  const std::span<char> block(bytes.get(), byte_source::block_bytes);
  std::optional<column_taker<Key>> taker;
  std::optional<csv_reader> reader;
  u64 consumed = 0;
  for (bool at_end = false; !at_end;) {
    if (control.cancelled()) return job_control::cancelled_problem();
    const outcome<std::size_t> got = source.read(block);
    if (!got) return got.error();
    at_end = *got < block.size();
    std::string_view text(block.data(), *got);
    if (!reader) {
      const std::span<const char> first = block.first(std::min(*got, told_bytes));
      if (!no_text_words(source.name(), first).empty())
        return no_table(source, first, sizeof(Key) == 4 ? key_width::u32 : key_width::u64);
      if (text.starts_with(utf8_mark)) text.remove_prefix(utf8_mark.size());
      const column_name name(column);
      const outcome<table_shape> shape = shape_of(text, name);
      if (!shape) return problem{fmt::format("{}:1: {}", source.name(), shape.error().words)};
      taker.emplace(name, shape->has_separator_line);
      if (status room = make_room_for(lines_to_expect(text, source.size()), source.name(), taker->keys); !room)
        return room.error();
      reader.emplace(shape->separator, *taker);
    }
    std::optional<csv_fault> broken = reader->read(text);
    if (!broken && at_end) broken = reader->end();
    if (broken || at_end || taker->fault) taker->end(broken);
    if (taker->fault) return problem{fmt::format("{}:{}: {}", source.name(), taker->fault->line, taker->fault->words)};
    consumed += *got;
    if (!at_end)
      control.progress("reading " + source.name(),
                       std::min(1.0, static_cast<double>(consumed) / static_cast<double>(source.size())));
  }
  return key_array(std::move(taker->keys));
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
