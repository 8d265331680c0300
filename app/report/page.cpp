#include "app/report/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "app/report/figure_words.hpp"
#include "app/report/html_parts.hpp"
#include "app/report/page_style.hpp"
#include "core/common/plain_words.hpp"
#include "core/common/xml_text.hpp"
#include "core/sweep/plot_lines.hpp"
#include "core/sweep/sweep_svg.hpp"

namespace pivotscope {
namespace {

using html::cell;
using html::code;
using html::heading;
using html::noise_of;
using html::text;

// How many wants are reached, fall short, and are not judged.
struct tally {
  std::size_t reached = 0, falls_short = 0, not_judged = 0;

  explicit tally(const sweep_result& result) {
    for (const figure_line& line : result.lines) {
      const std::string verdict = text_of_figure(line, "verdict");
      if (verdict.empty()) continue;
      ++(verdict == "reached" ? reached : verdict.starts_with("falls short") ? falls_short : not_judged);
    }
  }
  std::string words() const {
    std::string all;
    if (reached + falls_short > 0) all = fmt::format("{} of {} reached", reached, reached + falls_short);
    if (not_judged > 0) all += fmt::format("{}{} not judged", all.empty() ? "" : ", ", not_judged);
    return all.empty() ? "nothing" : all;
  }
};

std::string rows_words(const sweep_result& result) {
  const auto measured = static_cast<std::size_t>(
      std::count_if(result.points.begin(), result.points.end(), [](const auto& p) { return p.best() != nullptr; }));
  const std::size_t all = std::max(result.of.rows.size(), result.points.size());
  return measured == all ? fmt::format("{}", all) : fmt::format("{} of {}", measured, all);
}

std::string verdict_cell(const figure_line& line) {
  const std::string verdict = text_of_figure(line, "verdict"), why = text_of_figure(line, "why");
  if (verdict.empty()) return cell("");
  const bool reached = verdict == "reached", falls_short = verdict.starts_with("falls short");
  std::string html = fmt::format("<span class=\"verdict{}\">{}{}</span>",
                                 reached       ? " reached"
                                 : falls_short ? " short"
                                               : "",
                                 reached ? "&#10003; " : "", text(verdict.substr(0, verdict.find(", not judged"))));
  if (verdict.find(", not judged") != verdict.npos) html += "<span class=\"why\">not judged</span>";
  if (!why.empty()) html += fmt::format("<span class=\"why\">{}</span>", text(why));
  return cell(html);
}

std::string wanted_cell(const figure_line& line) {
  if (!figure_of(line, "wanted").known()) return cell("");
  const std::string measure = text_of_figure(line, "wanted_of");
  std::string html = text(shown_figure(figure_of(line, "wanted")));
  if (measure != "rate") html += " " + text(measure);
  if (const std::string words = text_of_figure(line, "wanted_words"); !words.empty())
    html += fmt::format("<span class=\"why\">{}</span>", text(words));
  if (measure != "rate" && figure_of(line, "got").known())
    html += fmt::format("<span class=\"why\">it is {}</span>", text(shown_figure(figure_of(line, "got"))));
  return cell(html);
}

bool has_wants(const sweep_result& result) {
  return std::any_of(result.lines.begin(), result.lines.end(),
                     [](const auto& line) { return figure_of(line, "wanted").known(); });
}

std::string note_of(const figure_line& line) {
  const std::string note = text_of_figure(line, "note");
  return note.empty() ? note : fmt::format("<span class=\"why\">{}</span>", text(note));
}

std::string table_of(const sweep_result& result) {
  const bool wants = has_wants(result);
  std::string html =
      "<div class=\"scroll\"><table>\n<thead><tr><th>row</th><th>best config</th><th class=\"n\">per second</th>"
      "<th class=\"n\">middle half</th><th class=\"n\">median</th><th class=\"n\">runs</th>"
      "<th class=\"n\">noise</th><th class=\"n\">of a sorted array</th>";
  if (wants) html += "<th>wanted</th><th>verdict</th>";
  html += "</tr></thead>\n<tbody>\n";
  std::string before;
  for (const figure_line& line : result.lines) {
    const auto shown = [&](std::string_view name) { return text(shown_figure(figure_of(line, name))); };
    const std::string id = text_of_figure(line, "row");
    const bool again = id == before;
    before = id;
    html += "<tr>";
    if (text_of_figure(line, "config").empty()) {
      const auto* wrong = std::get_if<u64>(&figure_of(line, "wrong").value);
      html += cell(text(id), "row") +
              fmt::format("<td colspan=\"{}\"><span class=\"verdict short\">{}</span> {}</td>", wants ? 9 : 7,
                          wrong != nullptr && *wrong != 0 ? "wrong answers" : "not measured", shown("problem"));
    } else if (again) {  // another want of the same row
      html += "<td colspan=\"8\"></td>" + wanted_cell(line) + verdict_cell(line);
    } else {
      // The note is below the config, where there is room for words.
      html += cell(text(id), "row") + cell(code(text_of_figure(line, "config")) + note_of(line), "config") +
              cell(shown("per_second"), "n") + cell(text(middle_half(line)), "n") + cell(shown("median_ms"), "n") +
              cell(shown("runs"), "n") + cell(noise_of(line), "n") + cell(shown("of_sorted_array"), "n");
      if (wants) html += wanted_cell(line) + verdict_cell(line);
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

// What a GPU's clocks were right after each row, where that is one and the same.
std::optional<std::string> clocks_of_rows(const sweep_result& result) {
  std::set<std::string> all;
  for (const figure_line& line : result.lines) all.insert(text_of_figure(line, "clocks"));
  return all.size() == 1 ? std::optional(*all.begin()) : std::nullopt;
}

// "+18%"; "-" where it was not modelled.
std::string model_error_of(const figure_line& line) {
  const auto* error = std::get_if<double>(&figure_of(line, "model_error").value);
  return error == nullptr ? "-" : fmt::format("{:+.0f}%", 100 * *error);
}

// What the GPU counted of its memories; "-" where it did not.
std::string memory_cells(const figure_line& line) {
  std::string html;
  for (const memory_counter& one : all_memory_counters)
    html += cell(text(shown_figure(figure_of(line, one.name))), "n");
  return html;
}

// All else that is known of each row.
std::string details_of(const sweep_result& result) {
  const bool clocks = !clocks_of_rows(result);
  const auto any = [&](std::string_view name) {
    return std::any_of(result.lines.begin(), result.lines.end(),
                       [&](const figure_line& line) { return figure_of(line, name).known(); });
  };
  const bool modelled = any("model_error"), counted = any("occupancy"), memory = any("l1_hit_rate");
  std::string html = fmt::format(
      "<details><summary>Each row's workload, and what else was measured</summary>\n<div class=\"scroll\"><table>\n"
      "<thead><tr><th>row</th><th>workload</th><th>on</th><th class=\"n\">sort</th><th class=\"n\">build</th>"
      "<th class=\"n\">index</th><th class=\"n\">peak</th><th class=\"n\">ties</th><th>the adviser's, and its "
      "share</th>"
      "{}{}{}{}</tr></thead>\n<tbody>\n",
      modelled ? "<th class=\"n\">the model allows</th><th class=\"n\">it is off by</th><th>by</th>" : "",
      counted ? "<th class=\"n\">AO</th><th class=\"n\">EI</th><th class=\"n\">CPI</th>" : "",
      memory ? "<th class=\"n\">L1 hits</th><th class=\"n\">L2 hits</th><th class=\"n\">L1</th><th class=\"n\">L2</th>"
               "<th class=\"n\">DRAM</th>"
             : "",
      clocks ? "<th>clocks</th>" : "");
  std::string before;
  for (const figure_line& line : result.lines) {
    const std::string id = text_of_figure(line, "row");
    if (id == before) continue;
    before = id;
    const auto shown = [&](std::string_view name) { return text(shown_figure(figure_of(line, name))); };
    const std::string adviser = text_of_figure(line, "adviser");
    html +=
        "<tr>" + cell(text(id), "row") +
        cell(code(text_of_figure(line, "workload") + ", " + text_of_figure(line, "key_width"))) +
        cell(shown("machine")) + cell(shown("sort_ms"), "n") + cell(shown("build_ms"), "n") +
        cell(shown("index_bytes"), "n") + cell(shown("device_bytes"), "n") + cell(shown("ties"), "n") +
        cell(adviser.empty() ? "" : code(adviser) + " " + shown("adviser_share")) +
        (modelled ? cell(shown("model_per_second"), "n") + cell(model_error_of(line), "n") + cell(shown("model_bound"))
                  : "") +
        (counted ? cell(shown("occupancy"), "n") + cell(shown("instructions"), "n") +
                       cell(shown("cycles_per_instruction"), "n")
                 : "") +
        (memory ? memory_cells(line) : "") + (clocks ? cell(shown("clocks")) : "") + "</tr>\n";
  }
  return html + "</tbody></table></div></details>\n";
}

std::string seeds_of(const sweep_result& result) {
  std::set<u64> seeds;
  for (const sweep_point& point : result.points) seeds.insert(point.row.load.seed);
  return fmt::format("{}", fmt::join(seeds, ", "));
}

// What one needs to measure it again.
std::string repeat_of(const sweep_result& result) {
  const sweep_head& head = result.head;
  html::fact_list list;
  const auto add = [&](const char* name, const std::string& value) { list.add(name, value); };
  const auto or_unknown = [](const std::string& words) { return words.empty() ? "not known" : text(words); };
  add("program", text(fmt::format("{}, commit {}", head.program, head.commit)));
  add("device", text(device_words(head.machine)));
  add("driver", text(head.machine.driver));
  add("compiler", text(driver_words(head.machine.detail)));
  add("clocks before", or_unknown(head.clocks_before));
  add("clocks after", or_unknown(head.clocks_after));
  if (const auto clocks = clocks_of_rows(result); clocks && !clocks->empty())
    add("clocks after each row", text(*clocks));
  add("workloads", fmt::format("each row's below; seed {}", seeds_of(result)));
  if (head.scale != 0) add("scale", fmt::format("a rehearsal: every count divided by 2^{}", head.scale));
  add("method",
      fmt::format("of each row every config is timed on a slice of the batch, then the best few on all of it, in {}; "
                  "shown are medians of these {}, and the best config; every answer is checked",
                  head.rounds.words(), head.rounds.runs_words()));
  add("command", fmt::format("<pre><code>{}</code></pre>", text(command_of(result.of, head))));
  return "<h3>To measure it again</h3>\n" + list.take();
}

// A sweep's name as an anchor; which of the page's.
std::string anchor(std::size_t i) { return fmt::format("sweep-{}", i + 1); }
std::string run_anchor(std::size_t i) { return fmt::format("run-{}", i + 1); }
std::string floor_anchor(std::size_t i) { return fmt::format("floor-{}", i + 1); }

std::string section_of(const reported_sweep& one, std::size_t i) {
  const sweep_result& result = one.result;
  std::string html =
      fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n<p class=\"dim\">{} ({}), measured on {}; from {}</p>\n",
                  anchor(i), heading(result.of.sentence), text(result.of.name), text(result.of.source),
                  text(result.head.machine.name), code(one.file));
  if (!result.head.complete) html += "<p><span class=\"verdict short\">not all of its rows were measured</span></p>\n";
  for (const sweep* plot : one.plots) {
    if (one.plots.size() > 1)
      html += fmt::format("<h3>{} <span class=\"dim\">({})</span></h3>\n", heading(plot->sentence), text(plot->name));
    html += fmt::format("<figure class=\"plot\">\n{}<figcaption>Medians{}.",
                        sweep_plot_svg(*plot, result.head, result.points),
                        is_scatter(*plot->plot) ? "" : "; bands: the middle half of the runs");
    if (!plot->saw.empty()) html += fmt::format(" <strong>The paper saw:</strong> {}", text(plot->saw));
    html += "</figcaption></figure>\n";
  }
  if (one.plots.empty() && !result.of.saw.empty())
    html += fmt::format("<p><strong>The paper saw:</strong> {}</p>\n", text(result.of.saw));
  if (!result.of.missing.empty()) {
    html += "<h3>Missing</h3>\n<ul>\n";
    for (const missing_series& gone : result.of.missing)
      html += fmt::format("<li>{}: {}</li>\n", text(gone.name), text(gone.why));
    html += "</ul>\n";
  }
  html += "<h3>What was measured</h3>\n";
  if (has_wants(result)) html += fmt::format("<p>Of what is wanted: {}.</p>\n", tally(result).words());
  return html + table_of(result) + repeat_of(result) + details_of(result) + "</section>\n";
}

std::string contents_table(const report_contents& contents) {
  std::string html =
      "<div class=\"toc scroll\"><table>\n<thead><tr><th>result</th><th>what</th><th>device</th><th>commit</th>"
      "<th class=\"n\">rows</th><th>wanted</th></tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < contents.sweeps.size(); ++i) {
    const sweep_result& result = contents.sweeps[i].result;
    html += fmt::format("<tr><td class=\"row\"><a href=\"#{}\">{}</a><span class=\"why\">{}</span></td>", anchor(i),
                        text(result.of.name), text(contents.sweeps[i].file)) +
            cell(heading(result.of.sentence)) + cell(text(result.head.machine.name), "row") +
            cell(code(result.head.commit)) + cell(rows_words(result), "n") + cell(tally(result).words(), "row") +
            "</tr>\n";
  }
  const auto row = [&](const std::string& to, std::string_view name, const std::string& file, const std::string& what,
                       const std::string& device, const std::string& commit, std::size_t rows) {
    html += fmt::format("<tr><td class=\"row\"><a href=\"#{}\">{}</a><span class=\"why\">{}</span></td>", to, name,
                        text(file)) +
            cell(what) + cell(text(device), "row") + cell(code(commit)) + cell(fmt::format("{}", rows), "n") +
            cell("") + "</tr>\n";
  };
  for (std::size_t i = 0; i < contents.runs.size(); ++i) {
    const run_result& run = contents.runs[i].result;
    row(run_anchor(i), "run", contents.runs[i].file, code(run.workload), run.machine.name, run.by.commit,
        run.lines.size());
  }
  for (std::size_t i = 0; i < contents.floors.size(); ++i) {
    const memory_benchmark& floor = contents.floors[i].result;
    row(floor_anchor(i), "floor", contents.floors[i].file, "What the memory gives at most", floor.name, floor.by.commit,
        floor.points.size());
  }
  return html + "</tbody></table></div>\n";
}

// "2 sweeps, a run, 3 floors"
std::string contents_words(const report_contents& contents) {
  std::vector<std::string> parts;
  for (const auto& [many, one] :
       {std::pair(contents.sweeps.size(), "sweep"), {contents.runs.size(), "run"}, {contents.floors.size(), "floor"}})
    if (many > 0) parts.push_back(many == 1 ? fmt::format("one {}", one) : fmt::format("{} {}s", many, one));
  return heading(fmt::format("{}", fmt::join(parts, ", ")));
}

std::string unread_list(const report_contents& contents) {
  if (contents.unread.empty()) return {};
  std::string html = "<div class=\"unread\"><h2>Not read</h2>\n<ul>\n";
  for (const unread_file& one : contents.unread)
    html += fmt::format("<li>{}: {}</li>\n", code(one.file), text(one.words));
  return html + "</ul></div>\n";
}

}  // namespace

std::string report_page(const report_contents& contents) {
  const std::string title = fmt::format("Measurements in {}", contents.folder);
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>{}</title>\n<style>{}",
      text(title), page_style);
  html += fmt::format(fmt::runtime(dark_plot_style), fmt::arg("paper", paint_on_white.paper),
                      fmt::arg("ink", paint_on_white.ink), fmt::arg("dim", paint_on_white.dim),
                      fmt::arg("rule", paint_on_white.rule));
  html += fmt::format(
      "</style>\n</head>\n<body>\n<main>\n<h1>{}</h1>\n<p class=\"dim\">{} of index structures, by "
      "pivotscope. Lookups are by the median; the middle half is how far the slower and the faster "
      "quarter of the runs lie from it.</p>\n",
      text(title), contents_words(contents));
  html += unread_list(contents) + contents_table(contents);
  for (std::size_t i = 0; i < contents.sweeps.size(); ++i) html += section_of(contents.sweeps[i], i);
  for (std::size_t i = 0; i < contents.runs.size(); ++i)
    html += run_section(contents.runs[i].result, contents.runs[i].file, run_anchor(i));
  for (std::size_t i = 0; i < contents.floors.size(); ++i)
    html += floor_section(contents.floors[i].result, contents.floors[i].file, floor_anchor(i));
  return html + "</main>\n</body>\n</html>\n";
}

}  // namespace pivotscope
