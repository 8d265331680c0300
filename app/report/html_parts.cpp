#include "app/report/html_parts.hpp"

#include <fmt/format.h>

#include "app/report/figure_words.hpp"
#include "core/common/plain_words.hpp"
#include "core/common/xml_text.hpp"
#include "core/statistics/stopping.hpp"

namespace pivotscope::html {

std::string text(std::string_view words) { return xml_text(plain_lines(words)); }
std::string code(std::string_view words) { return fmt::format("<code>{}</code>", text(words)); }

std::string heading(std::string words) {
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z') words[0] = static_cast<char>(words[0] - 'a' + 'A');
  return text(words);
}

std::string cell(std::string_view html, std::string_view kind) {
  return kind.empty() ? fmt::format("<td>{}</td>", html) : fmt::format("<td class=\"{}\">{}</td>", kind, html);
}

std::string noise_of(const figure_line& line) {
  const auto* noise = std::get_if<double>(&figure_of(line, "noise").value);
  const std::string words = text(shown_figure(figure_of(line, "noise")));
  const bool noisy = noise != nullptr && *noise > stopping_options{}.noise;
  return noisy ? fmt::format("<span class=\"verdict short\">{}</span>", words) : words;
}

void fact_list::add(std::string_view name, const std::string& html) {
  if (!html.empty()) list_ += fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, html);
}

}  // namespace pivotscope::html
