#include "app/report/document_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include "app/report/figure_words.hpp"
#include "core/workload/files/nearest_word.hpp"
#include "core/workload/host_memory.hpp"

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
  std::vector<std::string> files = {};
  std::string rows = {}, across = {};              // how their names begin; the value of which each file has a column
  std::vector<std::string> columns = {}, as = {};  // what those columns are called
};

std::vector<std::string> listed(std::string_view words) {
  std::istringstream list{std::string(words)};
  std::vector<std::string> names;
  for (std::string name; std::getline(list, name, ',');) names.push_back(name);
  return names;
}

outcome<wanted_table> table_from(const std::string& words) {
  wanted_table wanted;
  std::istringstream all(words);
  constexpr std::string_view columns = "columns=", across = "across=", as = "as=", json = ".json";
  for (std::string word; all >> word;) {
    if (word.starts_with(columns))
      wanted.columns = listed(std::string_view(word).substr(columns.size()));
    else if (word.starts_with(across))
      wanted.across = word.substr(across.size());
    else if (word.starts_with(as))
      wanted.as = listed(std::string_view(word).substr(as.size()));
    else if (wanted.files.empty() || (wanted.rows.empty() && word.ends_with(json)))
      wanted.files.push_back(word);
    else
      wanted.rows += (wanted.rows.empty() ? "" : " ") + word;
  }
  if (wanted.files.empty()) return problem{"a table of which file? '<!-- table: figures/packed-h200.json hits -->'"};
  if (wanted.across.empty() && wanted.files.size() > 1)
    return problem{"which value of each file? 'across=per_second' is one"};
  if (!wanted.across.empty() && !wanted.columns.empty())
    return problem{"across= is one value of several files, columns= are several of one: not both"};
  if (wanted.as.size() != (wanted.across.empty() ? 0 : wanted.files.size()))
    return problem{"as= names the columns of across=, one for each file: 'as=2^16,2^28'"};
  return wanted;
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
  const figure& of = figure_of(line, column);
  if (const auto* bytes = std::get_if<u64>(&of.value); bytes != nullptr && column.ends_with("_bytes"))
    return bytes_text(*bytes);
  return shown_figure(of);
}

bool is_number(const figure_line& names, std::string_view column) {
  const auto at = std::find_if(names.begin(), names.end(), [&](const figure& f) { return f.name == column; });
  return column == "middle_half" || (at != names.end() && at->hint != figure_hint::text && column != "wanted");
}

// Words where a table has no such value; the middle half is one of what has quartiles of a rate.
std::optional<std::string> unknown(const measured_table& table, const std::string& column) {
  std::vector<std::string> known;
  for (const figure& one : table.names) known.emplace_back(one.name);
  if (std::find(known.begin(), known.end(), "lower_quartile") != known.end()) known.emplace_back("middle_half");
  if (std::find(known.begin(), known.end(), column) != known.end()) return std::nullopt;
  return fmt::format("there is no column '{}'{}", column, suggestion(column, known));
}

// A row that has no figures is its name, and why it has none where configs stand.
std::string cell_of(const measured_table& table, const figure_line& line, const std::string& column) {
  const bool of_sweep = table.row_name == "row";
  const std::string why = table.row_name == "kind" ? "" : text_of_figure(line, "problem");
  const bool measured = of_sweep ? !text_of_figure(line, "config").empty() : why.empty();
  if (measured || column == table.row_name) return cell_of(line, column);
  return of_sweep && column == "config" ? "not measured: " + why : "-";
}

std::vector<const figure_line*> lines_of(const measured_table& table, const std::string& beginning) {
  std::vector<const figure_line*> lines;
  for (const figure_line& line : table.lines)
    if (text_of_figure(line, table.row_name).starts_with(beginning)) lines.push_back(&line);
  return lines;
}

outcome<std::string> table_of(const wanted_table& wanted, const measured_table& table) {
  const std::vector<const figure_line*> lines = lines_of(table, wanted.rows);
  if (lines.empty())
    return problem{fmt::format("{} has no row that begins with '{}'", wanted.files.front(), wanted.rows)};
  std::string head = "|", rule = "|", rows;
  for (const std::string& column : wanted.columns.empty() ? table.usual : wanted.columns) {
    if (const auto wrong = unknown(table, column)) return problem{*wrong};
    head += fmt::format(" {} |", column == "config" && table.row_name == "config" ? column : heading_of(column));
    rule += is_number(table.names, column) ? "---:|" : "---|";
  }
  for (const figure_line* line : lines) {
    rows += "|";
    for (const std::string& column : wanted.columns.empty() ? table.usual : wanted.columns)
      rows += fmt::format(" {} |", in_cell(cell_of(table, *line, column)));
    rows += "\n";
  }
  return fmt::format("{}\n{}\n{}", head, rule, rows);
}

// The rows of all files, in the order in which they first come; "-" where one has none.
outcome<std::string> table_across(const wanted_table& wanted, const std::vector<measured_table>& tables) {
  std::vector<std::string> names;
  std::string head = fmt::format("| {} |", tables.front().row_name), rule = "|---|", rows;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (const auto wrong = unknown(tables[i], wanted.across)) return problem{*wrong};
    head += fmt::format(" {} |", in_cell(wanted.as[i]));
    rule += is_number(tables[i].names, wanted.across) ? "---:|" : "---|";
    for (const figure_line* line : lines_of(tables[i], wanted.rows))
      if (const std::string name = text_of_figure(*line, tables[i].row_name);
          std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
  }
  if (names.empty())
    return problem{fmt::format("{} has no row that begins with '{}'", fmt::join(wanted.files, ", nor "), wanted.rows)};
  for (const std::string& name : names) {
    rows += fmt::format("| {} |", in_cell(name));
    for (const measured_table& table : tables) {
      const auto line = std::find_if(table.lines.begin(), table.lines.end(), [&](const figure_line& one) {
        return text_of_figure(one, table.row_name) == name;
      });
      rows += fmt::format(" {} |", line == table.lines.end() ? "-" : in_cell(cell_of(table, *line, wanted.across)));
    }
    rows += "\n";
  }
  return fmt::format("{}\n{}\n{}", head, rule, rows);
}

class rewriting {
 public:
  rewriting(std::string_view document, const table_reader& read) : left_(document), read_(read) {}

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
    std::vector<measured_table> tables;
    std::string captions;
    for (const std::string& file : wanted->files) {
      outcome<measured_table> read = read_(file);
      if (!read) return read.error();
      // What a caption above says is not said again.
      if (files_.insert(file).second) {
        if (said_.insert(read->measured).second) captions += fmt::format("\n{}:\n\n", read->measured);
        if (said_.insert(read->command).second)
          captions += fmt::format("{}    {}\n", captions.empty() ? "\n" : "", read->command);
      }
      tables.push_back(std::move(*read));
    }
    const outcome<std::string> made =
        wanted->across.empty() ? table_of(*wanted, tables.front()) : table_across(*wanted, tables);
    if (!made) return made.error();
    return fmt::format("{}\n{}\n", captions, *made);
  }

  std::string_view left_;
  const table_reader& read_;
  rewritten_document out_ = {};
  std::size_t number_ = 0, began_ = 0;
  std::optional<std::string> table_ = {};  // the comment of the one that is open
  std::string made_ = {};
  std::set<std::string> files_ = {};  // of which there was a table
  std::set<std::string> said_ = {};   // what captions say, each once
};

}  // namespace

outcome<rewritten_document> rewrite_tables(std::string_view document, const table_reader& read) {
  return rewriting(document, read).run();
}

}  // namespace pivotscope
