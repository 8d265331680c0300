// An output is never an input, nor another output: of every command, by the table of the options that name files.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "app/cli/options/file_options.hpp"
#include "tests/app/help_text.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;
using enum file_use;

TEST(overwriting, table_has_every_option_that_names_a_file) {
  const std::set<std::string> no_files = {"",     "N", "NAME",  "KEY",    "0..1", "0..5", "WIDTH", "H",    "SIZE",
                                          "SLOT", "S", "SHARE", "N|auto", "I/N",  "K",    "X",     "TEXT", "UNITS"};
  const std::set<std::string> files = {"FILE", "DIR", "FOLDER", "RESULT", "DOCUMENT"};
  // A config, a pinned one and a schedule are lines that name no file; a workload's may.
  const std::set<std::string> lines_without = {"--config", "--pin", "--replay"};
  std::set<std::pair<std::string, std::string>> wanted, table;
  for (const file_option& one : file_options()) table.emplace(one.command, one.option);
  for (const std::string& command : commands())
    for (const option_in_help& option : options_of(command)) {
      SCOPED_TRACE(command + " " + option.name + " " + option.type);
      const bool line = option.type == "LINE";
      const bool names_file = files.contains(option.type) || (line && !lines_without.contains(option.name));
      EXPECT_TRUE(names_file || line || no_files.contains(option.type)) << "does the new type name a file?";
      if (names_file) wanted.emplace(command, option.name);
    }
  EXPECT_EQ(table, wanted);
  EXPECT_EQ(table.size(), file_options().size()) << "an option stands there twice";
}

bool written(file_use use) {
  return use == writes || use == writes_several || use == goes_on_in || use == rewrites || use == caches_in;
}
bool folder(file_use use) { return use == reads_results || use == goes_on_in || use == caches_in; }

// What must stand before an option, so that it is one of that command's.
std::vector<std::string> call_of(std::string_view command) {
  if (command.empty()) return {"--headless"};
  if (command == "sweep") return {"sweep", "packed"};
  if (command == "picture") return {"picture", "--panel", "tree"};
  return {std::string(command)};
}

void add(std::vector<std::string>& call, const file_option& option, const std::string& path) {
  if (option.command == "sweep" && option.option == "DIR") call[1] = "merge";
  if (option.option.starts_with("--")) call.emplace_back(option.option);
  call.push_back(option.use == reads_line ? "keys_from=" + path : path);
}

struct pair_of_options {
  file_option one, other;
};

std::vector<pair_of_options> all_pairs() {
  std::vector<pair_of_options> pairs;
  const auto all = file_options();
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (all[i].command == all[k].command && (written(all[i].use) || written(all[k].use)))
        pairs.push_back({all[k], all[i]});
  return pairs;
}

std::map<std::string, std::string> all_in(const fs::path& place) {
  std::map<std::string, std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(place))
    found[entry.path().string()] = entry.is_regular_file() ? contents_of(entry.path()) : "";
  return found;
}

// The pair is refused in words that name both options, and no byte of the folder changes.
void expect_pair_refused(const scratch_folder& place, const pair_of_options& pair, const std::string& path,
                         const std::string& other) {
  std::vector<std::string> call = call_of(pair.one.command);
  add(call, pair.one, path);
  add(call, pair.other, other);
  if (call.front() == "picture" && pair.one.option != "--out") call.insert(call.end(), {"--out", "x.svg"});
  const auto before = all_in(place / "");
  expect_refused(call, {std::string(pair.one.option), std::string(pair.other.option), "name another"});
  EXPECT_EQ(all_in(place / ""), before);
}

// A file's name, a link to it, a hard link and a way round: all are the file.
TEST(overwriting, is_refused_of_every_pair_of_files) {
  std::size_t pairs = 0;
  for (const pair_of_options& pair : all_pairs()) {
    if (folder(pair.one.use) || folder(pair.other.use)) continue;
    ++pairs;
    const scratch_folder place;
    const std::string file = place.write("k", "5\n3\n");
    fs::create_symlink("k", place / "link");
    fs::create_symlink("link", place / "link-to-link");
    fs::create_hard_link(file, place / "hard");
    fs::create_directory(place / "sub");
    for (const char* name : {"k", "link", "link-to-link", "hard", "sub/../k"}) {
      expect_pair_refused(place, pair, file, (place / name).string());
      expect_pair_refused(place, pair, (place / name).string(), file);
    }
  }
  EXPECT_GE(pairs, 20u);
}

TEST(overwriting, is_refused_of_two_files_that_are_not_there_yet) {
  for (const pair_of_options& pair : all_pairs()) {
    if (!written(pair.one.use) || !written(pair.other.use) || folder(pair.one.use) || folder(pair.other.use)) continue;
    const scratch_folder place;
    fs::create_directory(place / "sub");
    fs::create_symlink("new", place / "link");
    for (const char* name : {"new", "link", "sub/../new"})
      expect_pair_refused(place, pair, (place / "new").string(), (place / name).string());
  }
}

// Names of the files that a command reads or writes in such a folder.
std::vector<std::string> own_names(file_use use) {
  if (use == caches_in) return {"floors.json", "tunings.json", "0123456789abcdef0123456789abcdef.kernel"};
  if (use == reads_results) return {"packed.json", "20a/head.json", "20a/point-0003.json"};
  return {"head.json", "point-0000.json"};
}

TEST(overwriting, is_refused_of_the_files_of_every_folder) {
  std::size_t pairs = 0;
  for (const pair_of_options& pair : all_pairs()) {
    const bool holds = folder(pair.one.use) || pair.one.use == reads_sweep;
    const file_option &of = holds ? pair.one : pair.other, &file = holds ? pair.other : pair.one;
    if (folder(file.use) || (!folder(of.use) && of.use != reads_sweep) || file.use == reads_sweep) continue;
    for (const std::string& name : own_names(of.use)) {
      ++pairs;
      const scratch_folder place;
      fs::create_directories(place / "d/20a");
      fs::create_symlink("d", place / "link");
      fs::create_symlink("d/" + name, place / "file-link");
      for (const std::string& path : {"d/" + name, "link/" + name, std::string("file-link")}) {
        const bool first = &of == &pair.one;
        const std::string whole = (place / path.c_str()).string(), dir = (place / "d").string();
        expect_pair_refused(place, pair, first ? dir : whole, first ? whole : dir);
      }
    }
  }
  EXPECT_GE(pairs, 40u);
}

TEST(overwriting, is_refused_of_two_that_are_one_folder) {
  const scratch_folder place;
  fs::create_directory(place / "d");
  fs::create_symlink("d", place / "link");
  const std::string d = (place / "d").string(), link = (place / "link").string();
  expect_refused({"sweep", "merge", d, "--into", link}, {"DIR " + d + " and --into " + link, "the same folder"});
  expect_refused({"sweep", "packed", "--into", d, "--against", d}, {"the same folder"});
  // With --kept both are read.
  EXPECT_EQ(run_program({"sweep", "packed", "--kept", "--into", d, "--against", d}).err.find("the same folder"),
            std::string::npos);
  expect_refused({"sweep", "packed", "--kept", "--into", d, "--csv", d + "/head.json"}, {"one of the files of --into"});
}

TEST(overwriting, is_refused_of_a_picture_with_a_number) {
  const scratch_folder place;
  const std::string keys = place.write("k-01.svg", "5\n3\n"), out = (place / "k.svg").string();
  expect_refused({"picture", "--step", "all", "--out", out, "--workload", "keys_from=" + keys},
                 {"--out", "--workload", keys, "the same file"});
  expect_refused({"picture", "--out", keys, "--workload", "keys_from=" + keys}, {"the same file"});
}

TEST(overwriting, is_refused_of_files_that_nobody_names) {
  const scratch_folder place;
  const std::string result = place.write("packed.json", "{}"), page = (place / "report.html").string();
  fs::create_symlink("packed.json", page);
  expect_refused({"report", (place / "").string()},
                 {"the page " + page, "is one of the files of DIR", "would be written over"});
  EXPECT_EQ(contents_of(result), "{}");
}

// A shell has emptied the file, or will add to it: either way it is said.
TEST(overwriting, is_refused_of_standard_output) {
  const scratch_folder place;
  const std::string keys = place.write("k", "5\n3\n");
  const int out = ::open(keys.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  const int err = ::open((place / "err").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  EXPECT_EQ(wait_for_program(start_program({"run", "--machine", "cpu", "--keys-from", keys}, out, err)), 2);
  ::close(out);
  ::close(err);
  EXPECT_EQ(contents_of(keys), "5\n3\n");
  expect_part(contents_of(place / "err"), "standard output");
}

TEST(overwriting, is_none_of_what_takes_several) {
  const scratch_folder place;
  const std::string keys = place.write("k", "5\n3\n");
  const std::vector<std::string> run = {"run", "--machine", "cpu", "--keys-from", keys, "--repeats", "1"};
  for (const char* stream : {"/dev/stdout", "/dev/null"}) {
    std::vector<std::string> call = run;
    call.insert(call.end(), {"--answers", stream, "--csv", stream});
    expect_right(call);
  }
  std::vector<std::string> call = run;
  call.insert(call.end(), {"--answers", (place / "a").string(), "--csv", (place / "b").string()});
  expect_right(call);
}

}  // namespace
}  // namespace pivotscope
