#include "core/workload/files/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "core/workload/files/number_lines.hpp"

namespace pivotscope {
namespace {

u64 line_ends_in(std::string_view text) {
  u64 ends = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    ends += text[i] == '\n' || (text[i] == '\r' && !text.substr(i + 1).starts_with('\n')) ? 1 : 0;
  return ends;
}

class row_collector final : public csv_rows {
 public:
  void take_field(std::string_view text, u64 /*line*/) override { row_.emplace_back(text); }
  void end_row(u64 /*line*/) override { rows.push_back(std::exchange(row_, {})); }

  std::vector<std::vector<std::string>> rows;

 private:
  std::vector<std::string> row_;
};

}  // namespace

csv_reader::csv_reader(char separator, csv_rows& to) : to_(to) {
  constexpr unsigned char options = CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL | CSV_EMPTY_IS_NULL;
  csv_init(&parser_, options);  // refuses a null pointer and nothing else
  csv_set_delim(&parser_, static_cast<unsigned char>(separator));
  constexpr std::size_t step = 1 << 16;  // by which its buffer grows
  csv_set_blk_size(&parser_, step);
}

void csv_reader::on_field(void* text, std::size_t size, void* self) {
  auto& reader = *static_cast<csv_reader*>(self);
  reader.after_return_ = false;
  const bool nothing = text == nullptr;  // not even quotes
  if (nothing && csv_get_delim(&reader.parser_) == CSV_SPACE) return;
  const std::string_view field = nothing ? std::string_view() : std::string_view(static_cast<char*>(text), size);
  reader.to_.take_field(field, reader.line_);
  reader.line_ += line_ends_in(field);
}

void csv_reader::on_row(int end, void* self) {
  auto& reader = *static_cast<csv_reader*>(self);
  if (end == CSV_LF && std::exchange(reader.after_return_, false)) return;
  reader.after_return_ = end == CSV_CR;
  reader.to_.end_row(reader.row_line_);
  reader.row_line_ = ++reader.line_;
}

std::optional<csv_fault> csv_reader::read(std::string_view part) {
  const std::size_t done = csv_parse(&parser_, part.data(), part.size(), &on_field, &on_row, this);
  if (csv_get_buffer_size(&parser_) > longest_field) {
    return csv_fault{line_, fmt::format("a field has more than {} bytes: is its quote not closed?", longest_field)};
  }
  if (done == part.size()) return std::nullopt;
  if (csv_error(&parser_) == CSV_ENOMEM) throw std::bad_alloc();
  return misplaced_quote(part[done]);
}

std::optional<csv_fault> csv_reader::end() {
  if (csv_fini(&parser_, &on_field, &on_row, this) == 0) return std::nullopt;
  return csv_fault{line_, "a quote is opened here and not closed"};
}

csv_fault csv_reader::misplaced_quote(char at) const {
  if (parser_.quoted == 0)
    return {line_,
            "a quote stands within a field that begins without one; quote the whole field, and double the quote"};
  return {line_, fmt::format("'{}' follows a closing quote; a quote within a quoted field is doubled",
                             excerpt(std::string_view(&at, 1)))};
}

std::vector<std::vector<std::string>> first_csv_rows(std::string_view text, char separator, std::size_t most) {
  row_collector collector;
  csv_reader reader(separator, collector);
  constexpr std::size_t part = 1 << 12;
  while (collector.rows.size() < most && !text.empty()) {
    if (reader.read(text.substr(0, part))) break;
    text.remove_prefix(std::min(part, text.size()));
  }
  if (text.empty()) reader.end();
  collector.rows.resize(std::min(collector.rows.size(), most));
  return std::move(collector.rows);
}

}  // namespace pivotscope
