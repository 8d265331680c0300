#include "app/report/measured_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "app/report/figure_words.hpp"
#include "app/report/html_parts.hpp"
#include "core/memory_benchmark/memory_benchmark_store.hpp"
#include "core/run/json_parts.hpp"
#include "core/run/run_figures.hpp"
#include "core/sweep/sweep_result.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

using html::cell;
using html::code;
using html::text;
using nlohmann::json;

constexpr int run_format = 2, memory_benchmark_format = 1;

u64 count_at(const json& of, const char* name) { return of.at(name).get_ref<const json::number_unsigned_t&>(); }

void take_value(figure& into, const json& value) {
  if (value.is_null()) return;
  if (into.hint == figure_hint::text)
    into.value = value.get<std::string>();
  else if (into.hint == figure_hint::count)
    into.value = u64{value.get_ref<const json::number_unsigned_t&>()};
  else
    into.value = value.get<double>();
}

figure& named(figure_line& line, std::string_view name) {
  return *std::find_if(line.begin(), line.end(), [&](const figure& f) { return f.name == name; });
}

// Values that this program does not know are another's, and are left out.
figure_line line_from(const json& result) {
  if (result.contains("batches"))
    throw std::invalid_argument("it is of a script's batches, which a page does not tell: `run --json` has them");
  figure_line line = figures_of(run_record{});
  for (figure& one : line) one.value = {};
  named(line, "config").value = result.at("config_line").get<std::string>();
  named(line, "wrong").value = count_at(result, "wrong");
  if (count_at(result, "wrong") > 0) {
    named(line, "problem").value = result.at("first_wrong").get<std::string>();
    return line;
  }
  for (const json& one : result.at("figures")) {
    const std::string name = one.at("name").get<std::string>();
    const auto at = std::find_if(line.begin(), line.end(), [&](const figure& f) { return f.name == name; });
    if (at != line.end()) take_value(*at, one.at("value"));
  }
  return line;
}

std::string method_of(const json& all) {
  const u64 warm_ups = count_at(all, "warm_ups");
  std::string words = all.at("repeats").is_string() ? fmt::format("runs until the noise is {} or stable, or {:g} s",
                                                                  share_words(all.at("most_noise").get<double>()),
                                                                  all.at("most_seconds").get<double>())
                                                    : fmt::format("{} runs", count_at(all, "repeats"));
  words += fmt::format(", {} before them to warm up", warm_ups);
  if (all.at("cold").get<bool>()) words += "; the last-level cache was emptied before each";
  return words + "; every answer is checked";
}

run_result result_from(const json& all) {
  if (all.at("format") != run_format) throw std::invalid_argument("it is of another format");
  run_result result{.by = {all.at("program").get<std::string>(), all.at("commit").get<std::string>()},
                    .workload = all.at("workload").get<std::string>(),
                    .method = method_of(all),
                    .seed = count_at(all, "seed")};
  for (const json& one : all.at("results")) {
    result.lines.push_back(line_from(one));
    outcome<machine_info> machine = machine_from_json(one.at("machine"));
    if (!machine) throw std::invalid_argument(machine.error().words);
    result.machine = std::move(*machine);
  }
  if (result.lines.empty()) throw std::invalid_argument("it has no results");
  return result;
}

outcome<json> parsed(std::string_view text_of) {
  json all = json::parse(text_of, nullptr, false);
  if (all.is_discarded()) return problem{"it is no JSON, or it was cut off"};
  return all;
}

// What one needs to measure it again, but for the command.
html::fact_list made_by(const measured_by& by, std::string_view device, std::string_view driver) {
  html::fact_list facts;
  facts.add("program", by.program.empty() ? "not known" : text(fmt::format("{}, commit {}", by.program, by.commit)));
  facts.add("device", text(device));
  facts.add("driver", text(driver));
  return facts;
}

std::string first_text(const std::vector<figure_line>& lines, std::string_view name) {
  for (const figure_line& line : lines)
    if (std::string words = text_of_figure(line, name); !words.empty()) return words;
  return {};
}

std::string opened(std::string_view anchor, std::string_view title, std::string_view what, std::string_view file) {
  return fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n<p class=\"dim\">{}; from {}</p>\n", anchor, title, what,
                     code(file));
}

}  // namespace

result_kind kind_of_result(std::string_view text_of) {
  const json all = json::parse(text_of, nullptr, false);
  if (!all.is_object()) return result_kind::none;
  if (all.contains("sweep") && all.contains("rows")) return result_kind::sweep;
  if (all.contains("warm_ups") && all.contains("workload") && all.contains("results")) return result_kind::run;
  return all.contains("points") && all.contains("machine") ? result_kind::floor : result_kind::none;
}

outcome<run_result> run_result_from_json(std::string_view text_of) {
  const outcome<json> all = parsed(text_of);
  if (!all) return all.error();
  return in_words([&] { return result_from(*all); });
}

outcome<std::string> short_run_json(std::string_view text_of) {
  if (const outcome<run_result> whole = run_result_from_json(text_of); !whole) return whole.error();
  return in_words([&] {
    json all = json::parse(text_of);
    const json results = std::exchange(all["results"], json::array());
    all.erase("made");
    std::string lines;
    for (const json& result : results) {
      json kept = {
          {"config_line", result.at("config_line")}, {"wrong", result.at("wrong")}, {"machine", result.at("machine")}};
      kept["machine"]["detail"] = driver_words(result.at("machine").at("detail").get<std::string>());
      if (result.contains("first_wrong")) kept["first_wrong"] = result.at("first_wrong");
      kept["figures"] = json::array();
      for (const json& one : result.value("figures", json::array()))
        if (!one.at("value").is_null() && one.at("value") != json("")) kept["figures"].push_back(one);
      lines += (lines.empty() ? "\n  " : ",\n  ") + kept.dump(-1, ' ', true);
    }
    std::string out = all.dump(1, ' ', true);
    const std::string empty = "\"results\": []";
    return out.replace(out.find(empty), empty.size(), "\"results\": [" + lines + "\n ]") + "\n";
  });
}

outcome<memory_benchmark> memory_benchmark_result_from_json(std::string_view text_of) {
  const outcome<json> all = parsed(text_of);
  if (!all) return all.error();
  if (!all->is_object() || all->value("format", json()) != memory_benchmark_format)
    return problem{"it is of another format"};
  return memory_benchmark_from_json(*all);
}

std::string run_section(const run_result& result, std::string_view file, std::string_view anchor) {
  std::string page =
      opened(anchor, "Run", fmt::format("{}, on {}", code(result.workload), text(result.machine.name)), file);
  page +=
      "<div class=\"scroll\"><table>\n<thead><tr><th>config</th><th>asked</th><th class=\"n\">per second</th>"
      "<th class=\"n\">middle half</th><th class=\"n\">median</th><th class=\"n\">least</th><th "
      "class=\"n\">greatest</th>"
      "<th class=\"n\">runs</th><th class=\"n\">noise</th><th>ended</th><th class=\"n\">index</th><th "
      "class=\"n\">sort</th><th class=\"n\">build</th></tr></thead>\n<tbody>\n";
  for (const figure_line& line : result.lines) {
    const auto shown = [&](std::string_view name) { return text(shown_figure(figure_of(line, name))); };
    page += "<tr>" + cell(code(text_of_figure(line, "config")), "config");
    if (const std::string wrong = text_of_figure(line, "problem"); !wrong.empty()) {
      page += fmt::format("<td colspan=\"12\"><span class=\"verdict short\">wrong answers</span> {}</td></tr>\n",
                          text(wrong));
      continue;
    }
    page += cell(shown("operations") + " " + shown("asked")) + cell(shown("per_second"), "n") +
            cell(text(middle_half(line)), "n");
    for (const char* name : {"median_ms", "least_ms", "greatest_ms", "runs"}) page += cell(shown(name), "n");
    page += cell(html::noise_of(line), "n") + cell(shown("stopped"));
    for (const char* name : {"index_bytes", "sort_ms", "build_ms"}) page += cell(shown(name), "n");
    page += "</tr>\n";
  }
  html::fact_list facts = made_by(result.by, device_words(result.machine), result.machine.driver);
  facts.add("compiler", text(driver_words(result.machine.detail)));
  facts.add("clocks", text(first_text(result.lines, "clocks")));
  facts.add("governor", text(first_text(result.lines, "governor")));
  facts.add("workload", code(result.workload));
  facts.add("seed", fmt::format("{}", result.seed));
  facts.add("method", text(result.method));
  return page + "</tbody></table></div>\n<h3>To measure it again</h3>\n" + facts.take() + "</section>\n";
}

std::string floor_section(const memory_benchmark& floor, std::string_view file, std::string_view anchor) {
  std::string page =
      opened(anchor, "What the memory gives at most", fmt::format("no index around it, on {}", text(floor.name)), file);
  page +=
      "<div class=\"scroll\"><table>\n<thead><tr><th>kind</th><th class=\"n\">array</th><th class=\"n\">request</th>"
      "<th class=\"n\">threads a group</th><th class=\"n\">per second</th><th class=\"n\">median</th><th class=\"n\">"
      "middle half</th><th class=\"n\">runs</th><th class=\"n\">a step, ns</th></tr></thead>\n<tbody>\n";
  std::size_t without = 0;
  for (const benchmark_point& point : floor.points) {
    if (!point.measured()) {
      ++without;
      continue;
    }
    const figure_line line = figures_of(point);
    const auto shown = [&](std::string_view name) { return text(shown_figure(figure_of(line, name))); };
    page += "<tr>" + cell(shown("kind"), "row") + cell(bytes_text(point.asked.bytes), "n") +
            cell(point.asked.copy ? "" : fmt::format("{} B", point.asked.request_bytes()), "n") +
            cell(point.asked.copy ? "" : shown("lanes"), "n") +
            cell(shown("per_second") + (point.asked.copy ? " of bytes" : ""), "n") + cell(shown("ms"), "n") +
            cell(fmt::format("{:+.1f} {:+.1f}%", 100 * (point.lower_quartile_ms / point.ms - 1),
                             100 * (point.upper_quartile_ms / point.ms - 1)),
                 "n") +
            cell(shown("runs"), "n") + cell(point.kind == benchmark_kind::latency ? shown("step_ns") : "", "n") +
            "</tr>\n";
  }
  page += "</tbody></table></div>\n";
  if (without > 0)
    page += fmt::format(
        "<p class=\"dim\">{} points were left out: half of the free memory had no room for their "
        "arrays.</p>\n",
        without);
  html::fact_list facts = made_by(floor.by, floor.name, floor.driver);
  facts.add("clocks after it", text(floor.clocks));
  facts.add("method", "each point for up to 0.4 s on a GPU, 0.2 s on a CPU, until it is quiet; every sum is looked at");
  facts.add("command", fmt::format("<pre><code>pivotscope floor --machine {} --again --json floor.json</code></pre>",
                                   machine_name(floor.kind)));
  return page + "<h3>To measure it again</h3>\n" + facts.take() + "</section>\n";
}

}  // namespace pivotscope
