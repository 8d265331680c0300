// Pages and tables that are made of what sweeps wrote.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <cctype>
#include <set>

#include "app/report/document_tables.hpp"
#include "app/report/figure_words.hpp"
#include "app/report/page.hpp"
#include "core/sweep/sweep_svg.hpp"
#include "tests/app/expectations.hpp"
#include "tests/support/file_tree.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Of `packed`: a row that reaches what is wanted, one that falls short twice, and one that was not measured.
json three_rows() {
  const json machine = {{"kind", "cuda"},       {"name", "NVIDIA H200"}, {"detail", "driver 13.0"}, {"processors", 132},
                        {"memory_bytes", 1024}, {"l2_bytes", 1024},      {"compute_capability", 90}};
  json reached = {
      {"row", "hits 2^16"},
      {"keys", 65536},
      {"key_width", "u32"},
      {"workload", "keys=2^16 distribution=uniform seed=1 lookups=2^27 hits=1"},
      {"series", ""},
      {"machine", "cuda"},
      {"operations", 1ull << 27},
      {"config", "PACKED leaf=32 lanes=1"},
      {"per_second", 111e9},
      {"lower_quartile", 110e9},
      {"upper_quartile", 112e9},
      {"median_ms", 1.209},
      {"runs", 14},
      {"ties", 1},
      {"of_sorted_array", 0.718},
      {"wanted_of", "rate"},
      {"wanted", 100e9},
      {"got", 111e9},
      {"verdict", "reached"},
      {"wrong", 0},
      {"candidates",
       json::array({{{"config", "PACKED leaf=32 lanes=1"},
                     {"index_bytes", 376416},
                     {"build_ms", 0.05},
                     {"samples_ms", {1.2, 1.3}}},
                    {{"config", "EO+BS"}, {"index_bytes", 376416}, {"build_ms", 0.05}, {"samples_ms", {2.2, 2.3}}}})}};
  json short_of = reached, again = reached, failed = reached;
  short_of["row"] = "hits 2^20", short_of["verdict"] = "falls short: 0.78 of it", short_of["why"] = "by the model";
  again["row"] = "hits 2^20", again["wanted_of"] = "time", again["wanted"] = 1.0, again["got"] = 1.209;
  again["verdict"] = "falls short: 0.83 of it", again["wanted_words"] = "a word | another";
  failed["row"] = "misses 2^20", failed["config"] = "", failed["problem"] = "<b>no</b> memory", failed["verdict"] = "";
  failed["wanted_of"] = "", failed["wanted"] = nullptr, failed["got"] = nullptr, failed["per_second"] = nullptr;
  return {{"format", 1},
          {"program", "pivotscope 0.1.0"},
          {"commit", "abcdef"},
          {"sweep", "packed"},
          {"source", "docs/packed.md"},
          {"plot", nullptr},
          {"missing", {{{"series", "B+"}, {"why", "not <built> here"}}}},
          {"saw", ""},
          {"machine", machine},
          {"clocks_before", "SM 1980 of 1980 MHz"},
          {"clocks_after", ""},
          {"scale", 0},
          {"rounds", 2},
          {"repeats", 7},
          {"complete", false},
          {"wrong", 0},
          {"rows", {reached, short_of, again, failed}}};
}

sweep_result result_of(const json& all) {
  outcome<sweep_result> result = sweep_result_from_json(all.dump());
  EXPECT_TRUE(result.ok()) << (result ? "" : result.error().words);
  return result ? std::move(*result) : sweep_result{};
}

std::string refusal_of(const json& all) {
  const outcome<sweep_result> result = sweep_result_from_json(all.dump());
  EXPECT_FALSE(result.ok());
  return result ? "" : result.error().words;
}

std::string page_of(const json& all) {
  return report_page({.folder = "results", .sweeps = {{"packed.json", result_of(all), {}}}});
}

void expect_parts(const std::string& all, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(all.find(part), all.npos) << part;
}

std::size_t count_of(const std::string& all, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = all.find(part); at != all.npos; at = all.find(part, at + part.size())) ++count;
  return count;
}

// The first tag that a browser would have to guess about; empty when each is closed by its own.
std::string unbalanced_tag(const std::string& html) {
  static const std::set<std::string> alone = {"meta", "br", "img", "link", "hr", "!DOCTYPE"};
  std::vector<std::string> open;
  for (std::size_t at = html.find('<'); at != html.npos; at = html.find('<', at + 1)) {
    if (!open.empty() && open.back() == "style" && html.compare(at, 8, "</style>") != 0) continue;
    const std::size_t end = html.find_first_of(" >\n", at);
    if (end == html.npos) return html.substr(at, 40);
    std::string name = html.substr(at + 1, end - at - 1);
    const bool closes = name.starts_with("/"), itself = html[html.find('>', at) - 1] == '/';
    if (closes) name.erase(0, 1);
    const bool known = !name.empty() && (std::isalpha(static_cast<unsigned char>(name[0])) != 0 || name[0] == '!');
    if (!known) return html.substr(at, 40);
    if (closes) {
      if (open.empty() || open.back() != name) return html.substr(at, 40);
      open.pop_back();
    } else if (!itself && !alone.contains(name)) {
      open.push_back(name);
    }
  }
  return open.empty() ? "" : open.back();
}

TEST(report_page, has_no_tag_that_a_browser_would_guess_about) {
  json all = three_rows();
  EXPECT_EQ(unbalanced_tag(page_of(all)), "");
  for (json& row : all["rows"]) {
    row["model_per_second"] = 2e9, row["model_error"] = -0.25, row["model_bound"] = "L2";
    row["occupancy"] = 0.82, row["instructions"] = 2160000000u, row["cycles_per_instruction"] = 46.3;
    row["l1_hit_rate"] = 0.5, row["l2_hit_rate"] = 0.25, row["l1_bytes_per_second"] = 3e12;
    row["l2_bytes_per_second"] = 2e12, row["dram_bytes_per_second"] = 1e12;
    row["note"] = "a <note> & more";
    EXPECT_EQ(unbalanced_tag(page_of(all)), "");
  }
  EXPECT_EQ(unbalanced_tag("<p>a<=b></p>"), "<=b></p>") << "this test's own";
  EXPECT_EQ(unbalanced_tag("<p><b></p></b>"), "</p></b>");
}

TEST(report_page, has_the_model_and_what_a_gpu_counted_beside_each_row) {
  const std::string without = page_of(three_rows());
  EXPECT_EQ(without.find("the model allows"), without.npos) << "nothing was modelled";
  EXPECT_EQ(without.find("<th class=\"n\">EI</th>"), without.npos);
  json all = three_rows();
  all["rows"][0]["model_per_second"] = 2e9, all["rows"][0]["model_error"] = -0.25, all["rows"][0]["model_bound"] = "L2";
  all["rows"][0]["occupancy"] = 0.82, all["rows"][0]["instructions"] = 2160000000u;
  all["rows"][0]["cycles_per_instruction"] = 46.3;
  expect_parts(page_of(all), {"<th class=\"n\">the model allows</th><th class=\"n\">it is off by</th><th>by</th>",
                              "<td class=\"n\">2.00 G/s</td><td class=\"n\">-25%</td><td>L2</td>",
                              "<td class=\"n\">82%</td><td class=\"n\">2160000000</td><td class=\"n\">46.30</td>"});
  EXPECT_EQ(page_of(all).find("<th class=\"n\">DRAM</th>"), std::string::npos) << "a file from before it was counted";
  all["rows"][0]["l1_hit_rate"] = 0.83, all["rows"][0]["l2_hit_rate"] = 0.6;
  all["rows"][0]["l1_bytes_per_second"] = 4.8e12, all["rows"][0]["l2_bytes_per_second"] = 1.9e12;
  all["rows"][0]["dram_bytes_per_second"] = 4e11;
  expect_parts(page_of(all), {"<th class=\"n\">L1 hits</th><th class=\"n\">L2 hits</th>",
                              "<td class=\"n\">46.30</td><td class=\"n\">83%</td><td class=\"n\">60%</td>"
                              "<td class=\"n\">4.80 TB/s</td><td class=\"n\">1.90 TB/s</td>"
                              "<td class=\"n\">400.0 GB/s</td>"});
}

TEST(report_page, has_a_points_note_where_words_may_wrap) {
  json all = three_rows();
  all["rows"][0]["note"] = "time was up, with a noise of <2.1%>";
  expect_parts(page_of(all), {"<td class=\"config\"><code>PACKED leaf=32 lanes=1</code>"
                              "<span class=\"why\">time was up, with a noise of &lt;2.1%&gt;</span></td>"});
}

// What is wanted of a row, in the page and in a document's table: of each kind of want the limit, what it is relative to, and,
// where it is no rate, which stands there already, what it is.
TEST(wanted_cells, say_the_limit_what_it_leans_on_and_what_it_is) {
  struct {
    const char *measure, *wanted, *got;
  } const kinds[] = {
      {"rate", "1.50 G/s", "2.50 G/s"}, {"time", "1.50 ms", "2.50 ms"}, {"sort and build", "1.50", "2.50"}};
  for (const auto& kind : kinds) {
    const bool is_rate = std::string_view(kind.measure) == "rate";
    for (const std::string words : {"", "0.9 of hits 2^16"}) {
      SCOPED_TRACE(std::string(kind.measure) + ", " + words);
      json all = three_rows();
      all["rows"] = json::array({all["rows"][0]});
      json& row = all["rows"][0];
      row["wanted_of"] = kind.measure, row["wanted_words"] = words;
      row["wanted"] = is_rate ? 1.5e9 : 1.5, row["got"] = is_rate ? 2.5e9 : 2.5;
      const sweep_result result = result_of(all);
      const rewritten_document table =
          *rewrite_tables("<!-- table: a.json columns=row,wanted -->\n<!-- end -->\n",
                          [&](const std::string&) -> outcome<measured_table> { return table_of(result); });
      const std::string of = words.empty() ? "" : " (" + words + ")",
                        it_is = is_rate ? "" : std::string("; it is ") + kind.got;
      expect_parts(table.text, {"\n| hits 2^16 | " + std::string(kind.wanted) + of + it_is + " |\n"});
      const auto why = [](const std::string& text) { return "<span class=\"why\">" + text + "</span>"; };
      expect_parts(page_of(all), {"<td>" + std::string(kind.wanted) + (is_rate ? "" : std::string(" ") + kind.measure) +
                                  (words.empty() ? "" : why(words)) +
                                  (is_rate ? "" : why(std::string("it is ") + kind.got)) + "</td>"});
    }
  }
}

TEST(report_page, counts_what_is_reached_falls_short_and_is_not_judged) {
  const json row = three_rows()["rows"][0];
  const char* const verdicts[] = {"reached", "falls short: 0.78 of it",
                                  "0.78 of it, not judged: counts are cut by 3 bits"};
  for (u32 reached = 0; reached < 3; ++reached)
    for (u32 falls_short = 0; falls_short < 3; ++falls_short)
      for (u32 not_judged = 0; not_judged < 3; ++not_judged) {
        json all = three_rows();
        all["rows"] = json::array();
        const u32 counts[] = {reached, falls_short, not_judged};
        for (u32 v = 0; v < 3; ++v)
          for (u32 i = 0; i < counts[v]; ++i) {
            all["rows"].push_back(row);
            all["rows"].back()["verdict"] = verdicts[v];
          }
        std::string words;
        if (reached + falls_short > 0) words = fmt::format("{} of {} reached", reached, reached + falls_short);
        if (not_judged > 0) words += fmt::format("{}{} not judged", words.empty() ? "" : ", ", not_judged);
        expect_parts(page_of(all), {"<td class=\"row\">" + (words.empty() ? "nothing" : words) + "</td>"});
      }
  // Of a row of which nothing is wanted nothing is said.
  json all = three_rows();
  all["rows"] = json::array({row, row});
  all["rows"][0]["verdict"] = "reached", all["rows"][1]["verdict"] = "";
  expect_parts(page_of(all), {"<td class=\"row\">1 of 1 reached</td>"});
}

// Numbers stand one below the other by their ends: all that are one are in cells of that kind.
TEST(report_page, has_numbers_in_cells_for_numbers) {
  json all = three_rows();
  json& row = all["rows"][0];
  row["sort_ms"] = 1.25, row["build_ms"] = 2.5, row["index_bytes"] = 4096, row["device_bytes"] = 8192, row["ties"] = 3;
  expect_parts(page_of(all), {"<td class=\"n\">1.25 ms</td><td class=\"n\">2.50 ms</td>"});
}

TEST(sweep_result, is_read_from_json) {
  const sweep_result result = result_of(three_rows());
  EXPECT_EQ(result.of.name, "packed");
  EXPECT_EQ(result.of.missing.size(), 1u);
  EXPECT_EQ(result.head.commit, "abcdef");
  EXPECT_EQ(result.head.machine.name, "NVIDIA H200");
  EXPECT_EQ(result.head.machine.processors, 132u);
  EXPECT_FALSE(result.head.complete);
  ASSERT_EQ(result.lines.size(), 4u);
  ASSERT_EQ(result.points.size(), 3u) << "a row stands there for each of its wants";
  EXPECT_EQ(result.points[0].best()->samples_ms, (std::vector<double>{1.2, 1.3}));
  EXPECT_EQ(result.points[0].row.load.lookups, 1ull << 27);
  EXPECT_EQ(result.points[2].best(), nullptr);
  EXPECT_EQ(shown_figure(figure_of(result.lines[0], "wanted")), "100 G/s");
  EXPECT_EQ(shown_figure(figure_of(result.lines[2], "wanted")), "1.00 ms");
  EXPECT_EQ(middle_half(result.lines[0]), "-0.9 +0.9%");
  EXPECT_EQ(command_of(result.of, result.head), "pivotscope sweep packed --machine cuda --rounds 2 --json packed.json");
  json open = three_rows();
  open["most_rounds"] = 12;
  const sweep_result by_rule = result_of(open);
  EXPECT_EQ(by_rule.head.rounds.words(), "2 to 12 rounds of 7 runs each");
  EXPECT_EQ(command_of(by_rule.of, by_rule.head), "pivotscope sweep packed --machine cuda --json packed.json");
}

TEST(sweep_result, of_what_this_program_does_not_know_has_its_rows) {
  json all = three_rows();
  all["sweep"] = "tomorrows";
  const sweep_result result = result_of(all);
  EXPECT_EQ(result.of.name, "tomorrows");
  EXPECT_EQ(result.lines.size(), 4u);
  expect_parts(page_of(all), {"tomorrows", "hits 2^16", "A sweep that this program does not know"});
}

TEST(sweep_result, refuses_what_is_none) {
  const std::string whole = three_rows().dump();
  for (std::size_t cut = 0; cut < whole.size(); cut += 97)
    EXPECT_FALSE(sweep_result_from_json(whole.substr(0, cut)).ok()) << cut;
  EXPECT_EQ(refusal_of(json::array()), "it is not the JSON of a sweep");
  EXPECT_EQ(refusal_of({{"format", 1}, {"results", 1}}), "it is not the JSON of a sweep");
  json all = three_rows();
  all["format"] = 2;
  EXPECT_EQ(refusal_of(all), "it is of another format");
  // Each field that is missing, or of another kind: words, or a result.
  u32 without = 0;
  const json good = three_rows();
  for (const auto& [name, value] : good.items())
    for (const json& other : {json(), json("x"), json(-1), json(json::array({1})), json(1e300)}) {
      all = three_rows();
      all[name] = other;
      without += !sweep_result_from_json(all.dump()).ok();
    }
  EXPECT_GT(without, 40u);
  for (const auto& [name, value] : good["rows"][0].items())
    for (const json& other : {json("x"), json(-1), json(json::array({1})), json(1e300)}) {
      all = three_rows();
      all["rows"][0][name] = other;
      (void)sweep_result_from_json(all.dump()).ok();
    }
  all = three_rows();
  all["rows"][0]["candidates"][0]["samples_ms"] = json::array();
  EXPECT_EQ(refusal_of(all), "a config without times");
  all["rows"][0]["candidates"][0]["samples_ms"] = {-1.0};
  EXPECT_EQ(refusal_of(all), "a time that is none");
  all["rows"][0]["config"] = "AO+XY";
  expect_parts(refusal_of(all), {"AO+XY"});
}

TEST(short_sweep_json, has_all_that_tables_and_plots_take) {
  const std::string whole = three_rows().dump(2);
  const outcome<std::string> kept = short_sweep_json(whole);
  ASSERT_TRUE(kept.ok()) << kept.error().words;
  EXPECT_LT(kept->size(), whole.size());
  EXPECT_EQ(count_of(*kept, "EO+BS"), 0u) << "a candidate that is not the best";
  EXPECT_EQ(count_of(*kept, "\n  {\""), 4u) << "a line for a row";
  EXPECT_EQ(report_page({.folder = "f", .sweeps = {{"p", result_of(json::parse(*kept)), {}}}}),
            report_page({.folder = "f", .sweeps = {{"p", result_of(three_rows()), {}}}}));
  EXPECT_EQ(*short_sweep_json(*kept), *kept);
  EXPECT_FALSE(short_sweep_json("{}").ok());
}

TEST(driver_words, leave_out_the_places_of_files) {
  EXPECT_EQ(
      driver_words("CUDA driver 13.0, runtime 13.0; kernels by NVRTC 13.0 (/usr/lib/libnvrtc.so.13); compiled kernels "
                   "are kept in /tmp/kc"),
      "CUDA driver 13.0, runtime 13.0; kernels by NVRTC 13.0");
  EXPECT_EQ(driver_words("a (b); c (d/e"), "a (b)");
  EXPECT_EQ(driver_words(""), "");
  json all = three_rows();
  all["machine"]["detail"] = "driver 13.0; kernels are kept in /tmp/kc";
  EXPECT_EQ(short_sweep_json(all.dump())->find("/tmp"), std::string::npos);
}

TEST(report_page, tells_all_of_a_sweep) {
  expect_parts(page_of(three_rows()), {"<title>Measurements in results</title>",
                                       "NVIDIA H200",
                                       "abcdef",
                                       "SM 1980 of 1980 MHz",
                                       "not known",
                                       "hits 2^16",
                                       "111 G/s",
                                       "-0.9 +0.9%",
                                       "1.21 ms",
                                       "<code>PACKED leaf=32 lanes=1</code>",
                                       "0.72",
                                       "verdict reached",
                                       "verdict short\">falls short: 0.78 of it",
                                       "by the model",
                                       "it is 1.21 ms",
                                       "not measured",
                                       "1 of 3 reached",
                                       "not all of its rows were measured",
                                       "seed 1",
                                       "pivotscope sweep packed --machine cuda --rounds 2 --json packed.json",
                                       "in 2 rounds of 7 runs each",
                                       "keys=2^16 distribution=uniform seed=1 lookups=2^27 hits=1, u32",
                                       "B+: not &lt;built&gt; here"});
}

TEST(report_page, takes_nothing_of_a_file_for_html) {
  const std::string evil = "</script><img src=\"http://x\" onerror='alert(1)'>&\x01";
  json all = three_rows();
  for (const char* name : {"program", "commit", "source", "saw", "clocks_before", "clocks_after", "sweep"})
    all[name] = evil;
  all["machine"]["name"] = all["machine"]["detail"] = evil;
  all["missing"][0] = {{"series", evil}, {"why", evil}};
  for (json& row : all["rows"])
    for (const char* name : {"row", "verdict", "why", "wanted_words", "problem", "clocks", "adviser", "series"})
      row[name] = evil;
  const report_contents contents{.folder = evil, .sweeps = {{evil, result_of(all), {}}}, .unread = {{evil, evil}}};
  const std::string page = report_page(contents);
  EXPECT_EQ(count_of(page, "<img"), 0u);
  EXPECT_EQ(count_of(page, "<script"), 0u);
  EXPECT_EQ(count_of(page, "</script"), 0u);
  EXPECT_GT(count_of(page, "&lt;img src=&quot;"), 20u);
  for (const char c : page) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
}

TEST(report_page, needs_nothing_from_elsewhere) {
  const file_tree tree;
  const std::string folder = (tree.root() / "20a").string();
  expect_right({"sweep", "lightweight-20a", "--machine", "cpu", "--scale", "24", "--into", folder});
  const outcome<report_contents> contents = read_report(tree.root());
  ASSERT_TRUE(contents.ok());
  ASSERT_EQ(contents->sweeps.size(), 1u);
  EXPECT_EQ(contents->sweeps[0].plots.size(), 4u) << "20a, 20b, 21a and 21b are plots of the same rows";
  EXPECT_EQ(contents->sweeps[0].result.points.size(), contents->sweeps[0].result.of.rows.size());
  std::string page = report_page(*contents);
  EXPECT_EQ(count_of(page, "<svg"), 4u);
  expect_parts(page,
               {"The paper saw:", ">B+ full</text>", "every count divided by 2^24", "prefers-color-scheme: dark"});
  // The name of SVG's language is no place that anything is fetched from.
  const std::string_view name = "http://www.w3.org/2000/svg";
  for (std::size_t at = page.find(name); at != page.npos; at = page.find(name)) page.erase(at, name.size());
  for (const char* elsewhere : {"http:", "https:", "//", "url(", "@import", "<link", "<script", "src="})
    EXPECT_EQ(count_of(page, elsewhere), 0u) << elsewhere;
  // The folder itself is one too.
  ASSERT_EQ(read_report(folder)->sweeps.size(), 1u);
}

TEST(report_page, draws_the_plot_of_a_file_as_that_of_its_folder) {
  const file_tree tree;
  const std::string folder = (tree.root() / "1a").string(), file = (tree.root() / "1a.json").string();
  expect_right({"sweep", "lightweight-1a", "--machine", "cpu", "--scale", "24", "--into", folder, "--json", file});
  const report_contents contents = *read_report(tree.root());
  ASSERT_EQ(contents.sweeps.size(), 2u);
  // Of a folder the clocks are those of its last point.
  const auto drawn = [](const reported_sweep& one) {
    std::string svg = sweep_plot_svg(*one.plots.at(0), one.result.head, one.result.points);
    return svg.erase(svg.find("<desc>"), svg.find("</desc>") - svg.find("<desc>"));
  };
  const std::string of_folder = drawn(contents.sweeps[0]), of_file = drawn(contents.sweeps[1]);
  EXPECT_GT(count_of(of_file, "<circle"), 5u);
  EXPECT_EQ(of_folder, of_file);
}

TEST(report_command, writes_a_page_and_names_what_it_could_not_read) {
  const file_tree tree;
  const std::string whole = three_rows().dump();
  tree.write("results/packed.json", whole);
  tree.write("results/cut.json", whole.substr(0, 700));
  tree.write("results/foreign.json", "{\"a\": 1}");
  tree.write("results/broken/head.json", "{");
  tree.write("results/packed.csv", "not looked at");
  const std::string results = (tree.root() / "results").string();
  const program_result done = run_program({"report", results});
  EXPECT_EQ(done.status, 0);
  EXPECT_EQ(done.out, results + "/report.html\n");
  expect_parts(done.err, {"cut.json: it is no JSON, or it was cut off", "foreign.json: it is not the JSON of a sweep",
                          "broken/head.json is not what a sweep wrote"});
  EXPECT_EQ(done.err.find("packed.csv"), done.err.npos);
  const std::string page = contents_of(results + "/report.html");
  expect_parts(page,
               {"Not read", "<code>cut.json</code>", "<code>foreign.json</code>", "<code>broken</code>", "hits 2^16"});
  const std::string elsewhere = (tree.root() / "page.html").string();
  EXPECT_EQ(run_program({"report", results, "--out", elsewhere}).out, elsewhere + "\n");
  EXPECT_EQ(contents_of(elsewhere), page);
}

// As the commands themselves wrote them.
TEST(report_page, has_a_table_of_each_run_and_each_floor) {
  const file_tree tree;
  const std::string results = (tree.root() / "results").string(), cache = (tree.root() / "cache").string();
  fs::create_directories(results);
  const program_result run = run_lying("given", {"run", "--keys", "1000", "--lookups", "500", "--config", "EO+BS",
                                                 "--config", "EO+KS fanout=5", "--repeats", "6", "--json"});
  tree.write("results/run.json", run.out);
  const program_result floor = run_lying(
      "given cuda", {"floor", "--machine", "cuda", "--cache-folder", cache, "--json", results + "/floor.json"});
  ASSERT_EQ(floor.status, 0) << floor.err;
  const program_result script = run_program({"run", "--config", "PLAIN", "--keys", "50", "--inserts", "5", "--json"});
  tree.write("results/script.json", script.out);
  const outcome<report_contents> contents = read_report(results);
  ASSERT_TRUE(contents);
  ASSERT_EQ(contents->runs.size(), 1u);
  ASSERT_EQ(contents->floors.size(), 1u);
  ASSERT_EQ(contents->unread.size(), 1u);
  EXPECT_NE(contents->unread[0].words.find("script.json: it is of a script's batches"), std::string::npos);
  const std::string page = report_page(*contents);
  expect_parts(page, {"One run, one floor of index structures", "href=\"#run-1\"", "<section id=\"run-1\">",
                      "<code>EO+BS</code>", "500 lookups", "wrong answers</span> lookup ", "<dt>seed</dt><dd>1</dd>",
                      "<dt>method</dt><dd>6 runs, 1 before them to warm up; every answer is checked</dd>",
                      "<section id=\"floor-1\">", "coalescing", "<dt>driver</dt><dd>1.2</dd>", "points were left out",
                      "pivotscope floor --machine cuda --again", "<dt>program</dt><dd>pivotscope "});
  // Damaged ones are named.
  std::string text = contents_of(results + "/run.json");
  tree.write("results/run.json", text.replace(text.find("\"config_line\""), 13, "\"config_nile\""));
  tree.write("results/floor.json", "{\"points\": [], \"machine\": {}, \"format\": 1}");
  const outcome<report_contents> damaged = read_report(results);
  EXPECT_TRUE(damaged->empty());
  EXPECT_EQ(damaged->unread.size(), 3u);
}

TEST(report_command, refuses_a_folder_without_results) {
  const file_tree tree;
  tree.write("empty/readme.txt", "words");
  tree.write("foreign/a.json", "[]");
  expect_refused({"report"}, {"which folder?"});
  expect_refused({"report", (tree.root() / "empty").string()}, {"has no result of a sweep"});
  expect_refused({"report", (tree.root() / "none").string()}, {"none", "No such file or directory"});
  const program_result done = run_program({"report", (tree.root() / "foreign").string()});
  EXPECT_EQ(done.status, 2);
  expect_parts(done.err, {"a.json: it is not the JSON of a sweep", "has no result of a sweep"});
  EXPECT_FALSE(fs::exists(tree.root() / "foreign" / "report.html"));
  tree.write("good/packed.json", three_rows().dump());
  expect_refused({"report", (tree.root() / "good").string(), "--out", "/nowhere/at/all.html"},
                 {"/nowhere/at/all.html"});
}

}  // namespace
}  // namespace pivotscope
