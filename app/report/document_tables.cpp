#include "app/report/document_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include "app/report/figure_words.hpp"
#include "core/common/plain_words.hpp"
#include "core/workload/nearest_word.hpp"

namespace pivotscope {
namespace {

constexpr std::string_view opening = "<!--", closing = "-->";

// What a comment that is a line of its own says; nothing of any other line.
std::optional<std::string> comment_in(std::string_view line) {
  const auto trim = [](std::string_view words) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t first = words.find_first_not_of(blanks);
    return first == words.npos ? std::string_view() : words.substr(first, words.find_last_not_of(blanks) - first + 1);
  };
  if (!line.starts_with(opening)) return std::nullopt;
  line = trim(line);
  if (!line.ends_with(closing) || line.size() < opening.size() + closing.size()) return std::nullopt;
  return std::string(trim(line.substr(opening.size(), line.size() - opening.size() - closing.size())));
}

// A word that is nearly a marker's is a slip, and not prose.
std::optional<std::string> slip_in(const std::string& comment) {
  const std::string word = comment.substr(0, comment.find(' '));
  const std::vector<std::string> markers = {"table:", "end"};
  if (!word.ends_with(':') && word.size() != comment.size()) return std::nullopt;
  const std::string nearest = nearest_word(word, markers);
  if (nearest.empty()) return std::nullopt;
  return fmt::format("'<!-- {} -->' is no marker; did you mean '{}'?", comment, nearest);
}

struct wanted_table {
  std::string file, rows;
  std::vector<std::string> columns = {};
};

std::vector<std::string> column_names() {
  std::vector<std::string> names = {"middle_half"};
  for (const figure& one : figure_names()) names.emplace_back(one.name);
  return names;
}

outcome<wanted_table> table_from(const std::string& words) {
  wanted_table wanted;
  std::istringstream all(words);
  constexpr std::string_view columns = "columns=";
  for (std::string word; all >> word;) {
    if (wanted.file.empty()) {
      wanted.file = word;
    } else if (word.starts_with(columns)) {
      std::istringstream list(word.substr(columns.size()));
      const std::vector<std::string> known = column_names();
      for (std::string name; std::getline(list, name, ',');) {
        if (std::find(known.begin(), known.end(), name) == known.end())
          return problem{fmt::format("there is no column '{}'{}", name, suggestion(name, known))};
        wanted.columns.push_back(name);
      }
    } else {
      wanted.rows += (wanted.rows.empty() ? "" : " ") + word;
    }
  }
  if (wanted.file.empty()) return problem{"a table of which file? '<!-- table: figures/packed-h200.json hits -->'"};
  return wanted;
}

// As a cell of a table.
std::string in_cell(const std::string& words) {
  std::string out;
  for (const char c : plain_words(words)) {
    if (c == '|' || c == '\\' || c == '*' || c == '`' || c == '<' || c == '[') out += '\\';
    out += c;
  }
  return out;
}

std::string heading_of(std::string_view column) {
  constexpr std::pair<std::string_view, std::string_view> all[] = {{"config", "best config"},
                                                                   {"per_second", "per second"},
                                                                   {"middle_half", "middle half"},
                                                                   {"median_ms", "median"},
                                                                   {"of_sorted_array", "of a sorted array"},
                                                                   {"index_bytes", "index"},
                                                                   {"sort_ms", "sort"},
                                                                   {"build_ms", "build"},
                                                                   {"device_bytes", "peak memory"}};
  for (const auto& [name, words] : all)
    if (name == column) return std::string(words);
  std::string words(column);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

// "100 G/s (0.9 of hits 2^16)", "it is 1.29 ms" behind it where that is no rate.
std::string wanted_words(const figure_line& line) {
  if (!figure_of(line, "wanted").known()) return {};
  std::string words = shown_figure(figure_of(line, "wanted"));
  if (const std::string of = text_of_figure(line, "wanted_words"); !of.empty()) words += fmt::format(" ({})", of);
  if (text_of_figure(line, "wanted_of") != "rate")
    words += fmt::format("; it is {}", shown_figure(figure_of(line, "got")));
  return words;
}

std::string cell_of(const figure_line& line, const std::string& column) {
  if (column == "middle_half") return middle_half(line);
  if (column == "wanted") return wanted_words(line);
  return shown_figure(figure_of(line, column));
}

bool is_number(std::string_view column) {
  const figure_line names = figure_names();
  const auto at = std::find_if(names.begin(), names.end(), [&](const figure& f) { return f.name == column; });
  return column == "middle_half" || (at != names.end() && at->hint != figure_hint::text && column != "wanted");
}

// Which machine and program it was.
std::string caption_of(const sweep_result& result) {
  const sweep_head& head = result.head;
  std::string words = device_words(head.machine);
  if (!head.machine.driver.empty()) words += "; driver " + head.machine.driver;
  if (const std::string compiler = driver_words(head.machine.detail); !compiler.empty()) words += "; " + compiler;
  if (!head.clocks_before.empty()) words += "; clocks before: " + head.clocks_before;
  if (!head.clocks_after.empty()) words += "; after: " + head.clocks_after;
  return fmt::format("On {}. {}, commit {}; medians of {} runs; every answer was checked{}:\n\n    {}\n",
                     in_cell(words), in_cell(head.program), in_cell(head.commit), head.rounds * head.repeats,
                     head.complete ? "" : "; not all rows of the sweep were measured", command_of(result.of, head));
}

outcome<std::string> table_of(const wanted_table& wanted, const sweep_result& result, bool first_of_file) {
  std::vector<const figure_line*> lines;
  for (const figure_line& line : result.lines)
    if (text_of_figure(line, "row").starts_with(wanted.rows)) lines.push_back(&line);
  if (lines.empty()) return problem{fmt::format("{} has no row that begins with '{}'", wanted.file, wanted.rows)};
  std::vector<std::string> columns = wanted.columns;
  if (columns.empty()) {
    columns = {"row", "config", "per_second", "middle_half", "median_ms", "runs", "of_sorted_array"};
    if (std::any_of(lines.begin(), lines.end(), [](const auto* line) { return figure_of(*line, "wanted").known(); }))
      columns.insert(columns.end(), {"wanted", "verdict"});
  }
  std::string head = "|", rule = "|", rows;
  for (const std::string& column : columns)
    head += fmt::format(" {} |", heading_of(column)), rule += is_number(column) ? "---:|" : "---|";
  for (const figure_line* line : lines) {
    const bool measured = !text_of_figure(*line, "config").empty();
    rows += "|";
    for (const std::string& column : columns) {
      const bool told = measured || column == "row";
      rows += fmt::format(" {} |", in_cell(told                 ? cell_of(*line, column)
                                           : column == "config" ? "not measured: " + text_of_figure(*line, "problem")
                                                                : std::string("-")));
    }
    rows += "\n";
  }
  return fmt::format("\n{}{}\n{}\n{}\n", first_of_file ? caption_of(result) + "\n" : "", head, rule, rows);
}

class rewriting {
 public:
  rewriting(std::string_view document, const result_reader& read) : left_(document), read_(read) {}

  outcome<rewritten_document> run() {
    while (!left_.empty()) {
      const std::string_view line = next_line();
      const std::optional<std::string> comment = comment_in(line);
      if (comment)
        if (auto wrong = marker(*comment)) return problem{fmt::format("line {}: {}", number_, *wrong)};
      // The old table goes.
      if (!table_ || comment == table_) out_.text += line;
    }
    if (table_) return problem{fmt::format("line {}: '<!-- {} -->' has no '<!-- end -->' behind it", began_, *table_)};
    return std::move(out_);
  }

 private:
  std::string_view next_line() {
    const std::size_t end = left_.find('\n');
    const std::string_view line = left_.substr(0, end == left_.npos ? end : end + 1);
    left_.remove_prefix(line.size());
    ++number_;
    return line;
  }

  // Words where it is out of place.
  std::optional<std::string> marker(const std::string& comment) {
    constexpr std::string_view table = "table:";
    if (comment.starts_with(table)) {
      if (table_)
        return fmt::format("a table begins within '<!-- {} -->' of line {}, which has no '<!-- end -->' before it",
                           *table_, began_);
      outcome<std::string> made = make(comment.substr(table.size()));
      if (!made) return made.error().words;
      made_ = std::move(*made), table_ = comment, began_ = number_;
      ++out_.tables;
      return std::nullopt;
    }
    if (comment == "end") {
      if (!table_) return "'<!-- end -->' ends no table: '<!-- table: FILE -->' is not above it";
      out_.text += made_;
      table_.reset();
      return std::nullopt;
    }
    return slip_in(comment);
  }

  outcome<std::string> make(const std::string& words) {
    const outcome<wanted_table> wanted = table_from(words);
    if (!wanted) return wanted.error();
    const outcome<sweep_result> result = read_(wanted->file);
    if (!result) return result.error();
    return table_of(*wanted, *result, files_.insert(wanted->file).second);
  }

  std::string_view left_;
  const result_reader& read_;
  rewritten_document out_ = {};
  std::size_t number_ = 0, began_ = 0;
  std::optional<std::string> table_ = {};  // the comment of the one that is open
  std::string made_ = {};
  std::set<std::string> files_ = {};  // of which there was a table
};

}  // namespace

outcome<rewritten_document> rewrite_tables(std::string_view document, const result_reader& read) {
  return rewriting(document, read).run();
}

}  // namespace pivotscope
