// Tables of a document, between its markers.
#include "app/report/document_tables.hpp"

#include <gtest/gtest.h>

#include "tests/app/expectations.hpp"
#include "tests/support/file_tree.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

// A small sweep, once for all tests.
const sweep_result& given() {
  static const sweep_result result = [] {
    const file_tree tree;
    const std::string file = (tree.root() / "20a.json").string();
    expect_right({"sweep", "lightweight-20a", "--machine", "cpu", "--scale", "24", "--json", file});
    outcome<sweep_result> read = read_sweep_result(file);
    EXPECT_TRUE(read.ok());
    return read ? std::move(*read) : sweep_result{};
  }();
  return result;
}

outcome<rewritten_document> rewrite(std::string_view document) {
  return rewrite_tables(document, [](const std::string& file) -> outcome<measured_table> {
    if (file != "20a.json") return problem{file + ": No such file"};
    return table_of(given());
  });
}

std::string text_of(std::string_view document) {
  const outcome<rewritten_document> made = rewrite(document);
  EXPECT_TRUE(made.ok()) << (made ? "" : made.error().words);
  return made ? made->text : "";
}

std::string words_of(std::string_view document) {
  const outcome<rewritten_document> made = rewrite(document);
  EXPECT_FALSE(made.ok()) << document;
  return made ? "" : made.error().words;
}

std::size_t lines_with(const std::string& all, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = all.find(part); at != all.npos; at = all.find(part, at + part.size())) ++count;
  return count;
}

TEST(document_tables, are_written_between_their_markers_and_nothing_else_is) {
  const std::string before =
                        "# Words\r\n\n  kept | as *they* are\t\n<!-- a note -->\n<!-- table: 20a.json AO+BS at -->\n",
                    after = "<!-- end -->\nwords behind it, without a line's end <!-- end -->";
  const std::string made = text_of(before + "old\n<!-- a note that goes -->\n" + after);
  ASSERT_TRUE(made.starts_with(before));
  ASSERT_TRUE(made.ends_with(after));
  const std::string table = made.substr(before.size(), made.size() - before.size() - after.size());
  EXPECT_EQ(table.find("old"), table.npos);
  EXPECT_EQ(table.find("goes"), table.npos);
  EXPECT_NE(table.find("| row | best config | per second | middle half | median | runs | of a sorted array |\n"
                       "|---|---|---:|---:|---:|---:|---:|\n| AO+BS at 2^15 | AO+BS "),
            table.npos)
      << table;
  EXPECT_NE(table.find("    pivotscope sweep lightweight-20a --machine cpu --scale 24 --json lightweight-20a.json\n"),
            table.npos);
  EXPECT_EQ(lines_with(table, "\n| AO+BS at "), 14u);
  EXPECT_EQ(lines_with(table, "\n| EO+BS at "), 0u);
}

TEST(document_tables, are_the_same_when_they_are_written_again) {
  const std::string document =
      "a\n<!-- table: 20a.json -->\n<!-- end -->\nb\n<!-- table: 20a.json EO+KS columns=row,config,index_bytes "
      "-->\nold\n"
      "<!-- end -->\n";
  const std::string once = text_of(document);
  EXPECT_NE(once, document);
  EXPECT_EQ(text_of(once), once);
  EXPECT_EQ(rewrite(once)->tables, 2u);
  EXPECT_EQ(lines_with(once, "    pivotscope sweep lightweight-20a"), 1u) << "over the first table of a file";
  EXPECT_NE(once.find("| row | best config | index |\n|---|---|---:|\n| EO+KS at 2^15 | EO+KS "), once.npos) << once;
  EXPECT_EQ(text_of("no marker\n"), "no marker\n");
  EXPECT_EQ(text_of(""), "");
}

TEST(document_tables, that_are_wrong_are_refused_by_their_lines) {
  EXPECT_EQ(words_of("\n<!-- table: 20a.json -->\nold\n"),
            "line 2: '<!-- table: 20a.json -->' has no '<!-- end -->' behind it");
  EXPECT_EQ(
      words_of("<!-- table: 20a.json -->\n<!-- table: 20a.json -->\n<!-- end -->\n"),
      "line 2: a table begins within '<!-- table: 20a.json -->' of line 1, which has no '<!-- end -->' before it");
  EXPECT_EQ(words_of("a\n<!-- end -->\n"),
            "line 2: '<!-- end -->' ends no table: '<!-- table: FILE -->' is not above it");
  EXPECT_EQ(words_of("<!-- table: none.json -->\n<!-- end -->\n"), "line 1: none.json: No such file");
  EXPECT_EQ(words_of("<!-- table: -->\n<!-- end -->\n"),
            "line 1: a table of which file? '<!-- table: figures/packed-h200.json hits -->'");
  EXPECT_EQ(words_of("<!-- table: 20a.json nothing of this -->\n<!-- end -->\n"),
            "line 1: 20a.json has no row that begins with 'nothing of this'");
  EXPECT_EQ(words_of("<!-- table: 20a.json columns=row,median_m -->\n<!-- end -->\n"),
            "line 1: there is no column 'median_m'; did you mean 'median_ms'?");
  EXPECT_EQ(words_of("<!-- tabel: 20a.json -->\n<!-- end -->\n"),
            "line 1: '<!-- tabel: 20a.json -->' is no marker; did you mean 'table:'?");
  EXPECT_EQ(words_of("<!-- table: 20a.json -->\n<!-- edn -->\n"),
            "line 2: '<!-- edn -->' is no marker; did you mean 'end'?");
}

TEST(measurements_command, writes_a_document_whole_or_not_at_all) {
  const file_tree tree;
  const std::string file = (tree.root() / "figures/20a.json").string();
  fs::create_directories(tree.root() / "figures");
  expect_right({"sweep", "lightweight-20a", "--machine", "cpu", "--scale", "24", "--json", file});
  const std::string kept = (tree.root() / "figures/kept.json").string();
  expect_part(expect_right({"measurements", "--keep", file, "--as", kept}).out, "bytes of");
  EXPECT_LT(fs::file_size(kept), fs::file_size(file));
  const std::string path =
      tree.write("m.md", "words\n<!-- table: figures/kept.json EO+BS -->\n<!-- end -->\n").string();
  EXPECT_EQ(run_program({"measurements", path, "--check"}).status, 1);
  EXPECT_EQ(contents_of(path).find("| EO+BS"), std::string::npos) << "--check writes nothing";
  EXPECT_EQ(expect_right({"measurements", path}).out, path + ": 1 table, written anew\n");
  const std::string written = contents_of(path);
  EXPECT_EQ(lines_with(written, "\n| EO+BS at "), 14u);
  EXPECT_EQ(expect_right({"measurements", path}).out, path + ": 1 table, as it was\n");
  EXPECT_EQ(expect_right({"measurements", path, "--check"}).status, 0);
  EXPECT_EQ(contents_of(path), written);
  // The first table is right and the second is not: neither is written.
  for (const char* wrong : {"<!-- table: none.json -->\n<!-- end -->\n", "<!-- table: figures/kept.json -->\n",
                            "<!-- ned -->\n", "<!-- table: m.md -->\n<!-- end -->\n"}) {
    const std::string document = "<!-- table: figures/kept.json EO+BS -->\nold\n<!-- end -->\n" + std::string(wrong);
    tree.write("m.md", document);
    expect_refused({"measurements", path}, {"m.md, line ", "nothing was written"});
    EXPECT_EQ(contents_of(path), document);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(tree.root()), fs::directory_iterator{}), 2)
      << "nothing is left beside it";
}

TEST(measurements_command, refuses_bad_input) {
  const file_tree tree;
  const std::string words = tree.write("words.md", "words\n").string();
  expect_refused({"measurements"}, {"which document?"});
  expect_refused({"measurements", words}, {"has no line '<!-- table: FILE -->'"});
  expect_refused({"measurements", "/nowhere/m.md"}, {"/nowhere/m.md: No such file or directory"});
  expect_refused({"measurements", "--keep", "a"}, {"--keep and --as go together"});
  expect_refused({"measurements", "--as", "a"}, {"--keep and --as go together"});
  expect_refused({"measurements", words, "--keep", "a", "--as", "b"}, {"alone"});
  expect_refused({"measurements", "--keep", words, "--as", "b"}, {"it is no JSON"});
}

// Of `run` and of `floor`, and one value of several files side by side.
TEST(measurements_command, takes_the_results_of_runs_and_floors) {
  const file_tree tree;
  const auto at = [&](const char* name) { return (tree.root() / name).string(); };
  for (const auto& [file, keys] : {std::pair("10.json", "2^10"), {"12.json", "2^12"}})
    tree.write(file, expect_right({"run", "--machine", "cpu", "--keys", keys, "--lookups", "1000", "--repeats", "3",
                                   "--config", "AO+BS", "--config", "EO+BS", "--json"})
                         .out);
  tree.write("other.json", expect_right({"run", "--machine", "cpu", "--keys", "300", "--successors", "100", "--repeats",
                                         "3", "--config", "AO+KS", "--json"})
                               .out);
  const auto written = [&](const std::string& marker) {
    const std::string path = tree.write("m.md", "<!-- table: " + marker + " -->\nold\n<!-- end -->\n").string();
    expect_right({"measurements", path});
    expect_right({"measurements", path, "--check"});
    return contents_of(path);
  };
  const std::string run = written("10.json");
  expect_part(
      run, "| config | per second | middle half | median | runs | index |\n|---|---:|---:|---:|---:|---:|\n| AO+BS | ");
  expect_part(run, "\n| EO+BS | ");
  expect_part(run, " | 3 | 8 KiB |\n");
  expect_part(run,
              "3 runs, 1 before them to warm up; every answer is checked:\n\n    pivotscope run --machine cpu "
              "--workload \"keys=2^10");
  EXPECT_EQ(lines_with(written("10.json EO columns=config,index_bytes"), "\n| EO+BS | 8.01 KiB |\n"), 1u);

  const std::size_t all = fs::file_size(at("10.json"));
  expect_part(expect_right({"measurements", "--keep", at("10.json"), "--as", at("kept.json")}).out, "bytes of");
  EXPECT_LT(fs::file_size(at("kept.json")), all / 2);
  const std::string whole = written("10.json"), kept = written("kept.json");
  EXPECT_EQ(kept.substr(kept.find('\n')), whole.substr(whole.find('\n')));

  const std::string across = written("10.json 12.json across=index_bytes as=2^10,2^12");
  expect_part(across,
              "| config | 2^10 | 2^12 |\n|---|---:|---:|\n| AO+BS | 8 KiB | 32 KiB |\n| EO+BS | 8.01 KiB | 32 KiB |\n");
  EXPECT_EQ(lines_with(across, "    pivotscope run --machine cpu"), 2u) << "over both files' first table";
  EXPECT_EQ(lines_with(across, "every answer is checked:"), lines_with(across, "\nOn ")) << "once where it is the same";
  expect_part(written("10.json other.json across=operations as=a,b"),
              "| AO+BS | 1000 | - |\n| EO+BS | 1000 | - |\n| AO+KS | - | 100 |\n");
  EXPECT_EQ(lines_with(written("10.json 12.json E across=index_bytes as=a,b"), "\n| AO+BS"), 0u);
  tree.write("same.json", contents_of(at("10.json")));
  const std::string twice = written("10.json -->\n<!-- end -->\n<!-- table: same.json");
  EXPECT_EQ(lines_with(twice, "\n| AO+BS"), 2u);
  EXPECT_EQ(lines_with(twice, "every answer is checked:"), 1u) << "what a caption above says is not said again";
  EXPECT_EQ(lines_with(twice, "    pivotscope run --machine cpu"), 1u);

  const program_result measured = run_lying(
      "given cuda", {"floor", "--machine", "cuda", "--json", at("floor.json"), "--cache-folder", at("cache")});
  ASSERT_EQ(measured.status, 0) << measured.err;
  const std::string floor = written("floor.json gather");
  expect_part(floor, "| kind | array bytes | request bytes | per second | ms | runs |\n");
  expect_part(floor, "    pivotscope floor --machine cuda --again --json floor.json\n");
  EXPECT_GE(lines_with(floor, "\n| gather | 1 MiB | "), 1u);

  const auto refused = [&](const std::string& marker, const char* words) {
    const std::string path = tree.write("m.md", "<!-- table: " + marker + " -->\nold\n<!-- end -->\n").string();
    expect_refused({"measurements", path}, {words, "nothing was written"});
  };
  refused("10.json 12.json", "which value of each file? 'across=per_second' is one");
  refused("10.json 12.json across=index_bytes", "as= names the columns of across=, one for each file");
  refused("10.json 12.json across=index_bytes as=a,b,c", "as= names the columns of across=, one for each file");
  refused("10.json as=a", "as= names the columns of across=");
  refused("10.json 12.json across=index_byte as=a,b", "there is no column 'index_byte'; did you mean 'index_bytes'?");
  refused("10.json across=keys columns=keys as=a", "not both");
  refused("10.json 12.json X across=keys as=a,b", "10.json, nor 12.json has no row that begins with 'X'");
  refused("floor.json columns=kind,middle_half", "there is no column 'middle_half'");
  tree.write("cut.json", contents_of(at("10.json")).substr(0, 900));
  refused("cut.json", "cut.json: it is no JSON, or it was cut off");
}

// What stands in the repository is what its files say.
TEST(measurements, are_as_their_files_say) {
  const std::string path = testing::source_folder() / "docs/measurements.md";
  expect_part(expect_right({"measurements", path, "--check"}).out, "as it was");
}

}  // namespace
}  // namespace pivotscope
