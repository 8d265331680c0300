// Pieces of a page: text of a file, made fit for it, and cells of tables.
#pragma once

#include <string>
#include <string_view>

#include "core/statistics/figure.hpp"

namespace pivotscope::html {

// Any text of a file: what no terminal should get no reader should either.
std::string text(std::string_view words);
std::string code(std::string_view words);
std::string heading(std::string words);  // begins with a large letter
std::string cell(std::string_view html, std::string_view kind = "");

// The noise of a line's runs: what is beyond the bound of the stopping rule stands out.
std::string noise_of(const figure_line& line);

// A list of facts, each with its name; what is empty is left out.
class fact_list {
 public:
  void add(std::string_view name, const std::string& html);
  std::string take() const { return "<dl>\n" + list_ + "</dl>\n"; }

 private:
  std::string list_;
};

}  // namespace pivotscope::html
