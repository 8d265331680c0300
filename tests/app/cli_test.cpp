// The command line from outside: arguments in, streams and exit status out.
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/common/portable.hpp"
#include "tests/app/expectations.hpp"
#include "tests/app/program.hpp"

namespace pivotscope {
namespace {

using nlohmann::json;

json parsed(const program_result& result) { return json::parse(result.out); }

TEST(command_line, helps_a_stranger) {
  const std::string help = expect_right({"--help"}).out;
  for (const char* part : {"Examples:", "run", "trace", "verify", "devices", "--headless", "Exit status: 0"}) {
    expect_part(help, part);
  }
  for (const char* command : {"run", "trace", "verify", "devices"}) {
    const std::string words = expect_right({command, "--help"}).out;
    expect_part(words, "Usage: pivotscope " + std::string(command));
    expect_part(words, "--json");
  }
  expect_part(expect_right({"run", "--help"}).out, "(default 2^20)");
  expect_part(expect_right({"--version"}).out, "pivotscope 0.");
}

TEST(command_line, refuses_unknown_names_with_a_suggestion) {
  expect_refused({"rnu"}, {"unknown command 'rnu'", "did you mean 'run'?"});
  expect_refused({"run", "--kyes", "5"}, {"unknown option '--kyes' of run", "did you mean '--keys'?"});
  expect_refused({"run", "--distribution", "unifrom"}, {"--distribution", "'unifrom'", "did you mean 'uniform'?"});
  expect_refused({"run", "--machine", "gpu"}, {"'gpu' is not a machine", "cuda"});
  expect_refused({"run", "--config", "EO+SB"}, {"EO+SB", "EO+BS"});
  expect_refused({"run", "--config", "EO+KS fanotu=3"}, {"fanotu", "fanout"});
  expect_refused({"run", "--config", "EO+KS layout=row"}, {"row", "aos", "soa"});
  expect_refused({"run", "--config", "EO+KS", "fanout=5"}, {"unexpected 'fanout=5'", "in quotes"});
  expect_refused({"run", "--workload", "kesy=5"}, {"--workload", "did you mean 'keys'?"});
  expect_refused({"verify", "nonsense"}, {"unexpected 'nonsense'"});
}

TEST(command_line, refuses_counts_and_says_the_limits) {
  expect_refused({"run", "--keys", "5000000000"},
                 {"--keys 5000000000", "4294967294 = 2^32 - 2", "row ids are 32 bits"});
  expect_refused({"run", "--keys", "-5"}, {"--keys '-5'", "negative"});
  expect_refused({"run", "--keys", "many"}, {"--keys 'many'", "2^20"});
  expect_refused({"run", "--keys", ""}, {"--keys ''", "empty"});
  expect_refused({"run", "--keys"}, {"--keys needs a value"});
  expect_refused({"run", "--keys", "1", "--keys", "2"}, {"--keys", "more than once"});
  expect_refused({"run", "--lookups", "2^40"}, {"--lookups 2^40", "4294967296"});
  expect_refused({"run", "--hits", "1.5"}, {"--hits=1.5", "between 0 and 1"});
  expect_refused({"run", "--uniformity", "half"}, {"--uniformity 'half'"});
  expect_refused({"run", "--repeat-keys", "0"}, {"--repeat-keys 0", "below the least, 1"});
  expect_refused({"run", "--repeats", "0"}, {"--repeats 0", "or write auto"});
  expect_refused({"run", "--noise", "1%"}, {"--noise goes with --repeats auto"});
  expect_refused({"run", "--config", "PLAIN", "--keys", "9", "--inserts", "3", "--repeats", "auto"},
                 {"--repeats auto goes with one batch", "--repeats 10"});
  expect_refused({"run", "--config", "PLAIN", "--keys", "9", "--inserts", "3", "--cold"},
                 {"--cold goes with one batch"});
  expect_refused({"run", "--keys", "15", "--distribution", "paper"}, {"exactly 14 keys, not 15"});
  expect_refused({"verify", "--cases", "x"}, {"--cases 'x'"});
  expect_refused({"trace"}, {"one of these says what to show, and one alone: --lookup, --successor, "});
  expect_refused({"trace", "--lookup", "nine"}, {"--lookup 'nine'"});
  expect_refused({"trace", "--lookup", "5000000000"}, {"--lookup 5000000000", "4294967295", "keys=u64"});
  expect_refused({"--screenshot", "x.png"}, {"--headless"});
  expect_refused({"--headless", "--config", "nonsense"}, {"--config", "nonsense"});
}

TEST(command_line, refuses_options_that_stand_before_the_command) {
  const auto refused = [](const std::vector<std::string>& arguments, const std::string& words) {
    const program_result result = run_program(arguments);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "pivotscope: " + words + "\n");
  };
  refused({"--machine", "cuda", "run", "--keys", "5"},
          "--machine stands before the command 'run'; put it behind: pivotscope run --machine cuda");
  refused({"--machine", "nonsense", "run"},
          "--machine stands before the command 'run'; put it behind: pivotscope run --machine nonsense");
  refused({"--config", "EO+KS fanout=3", "run"},
          "--config stands before the command 'run'; put it behind: pivotscope run --config \"EO+KS fanout=3\"");
  refused({"--config", "", "trace", "--lookup", "1"},
          "--config stands before the command 'trace'; put it behind: pivotscope trace --config \"\"");
  refused({"--lookup", "9", "trace"},
          "--lookup stands before the command 'trace'; put it behind: pivotscope trace --lookup 9");
  refused({"--cache-folder", "it's", "tune", "--kyes", "5"},
          "--cache-folder stands before the command 'tune'; put it behind: pivotscope tune --cache-folder \"it's\"");
  refused({"--headless", "run"},
          "--headless stands before the command 'run', which has no such option; leave one of the two out");
  refused({"--workload", "keys=5", "devices"},
          "--workload stands before the command 'devices', which has no such option; leave one of the two out");
}

TEST(command_line, offers_no_option_that_does_nothing) {
  expect_refused({"tune", "--rows"}, {"unknown option '--rows' of tune"});
  expect_refused({"traffic", "--workload", "ranges=5"}, {"traffic counts point lookups; leave the ranges out"});
  expect_refused({"trace", "--lookup", "9", "--hits", "1"}, {"unknown option '--hits' of trace"});
  expect_refused({"trace", "--lookup", "9", "--lookups", "1"}, {"unknown option '--lookups' of trace"});
  expect_refused({"advise", "--hits", "1"}, {"unknown option '--hits' of advise"});
}

TEST(trace, makes_no_lookups_of_a_line) {
  expect_part(expect_right({"trace", "--workload", "keys=20 lookups=2^32 ranges=2^32", "--lookup", "5"}).out,
              "20 keys");
}

TEST(command_line, refuses_configs_that_check_refuses) {
  expect_refused({"run", "--config", "EO+BS pivots=3"}, {"EO+BS pivots=3", "pivot buffer"});
  expect_refused({"run", "--config", "EO+KS fanout=40"}, {"fanout=40", "33"});
  expect_refused({"trace", "--config", "EO+KS fanout=5 lanes=5", "--lookup", "1"}, {"lanes=5", "1 to 4"});
  expect_refused({"run", "--config", ""}, {"config is empty"});
}

TEST(command_line, refuses_files_that_are_not_keys) {
  const scratch_folder folder;
  const std::string good = folder.write("good", "1\n2\n3\n");
  const auto refused = [&](const char* name, std::string_view bytes, std::vector<std::string> parts,
                           const char* config = "EO+BS") {
    const std::string path = folder.write(name, bytes);
    parts.push_back(path);
    expect_refused({"run", "--config", config, "--keys-from", path}, parts);
    expect_refused({"run", "--config", config, "--keys-from", good, "--lookups-from", path}, parts);
    expect_refused({"trace", "--config", config, "--keys-from", path, "--lookup", "1"}, parts);
  };
  refused("word", "1\ntwo\n", {":2: 'two'"});
  refused("minus", "1\n2\n-3\n", {":3: '-3' has a minus sign"});
  refused("wide", "4294967296\n", {":1: '4294967296' is too great for keys=u32", "keys=u64"});
  refused("wider", "18446744073709551616\n", {":1:", "keys=u64"}, "EO+BS keys=u64");
  const u64 three = 3;
  std::string half(8 + 10, '\1');
  std::memcpy(half.data(), &three, 8);
  refused("half", half, {"its count says 3 values", "2 values of 32 bits follow, and 2 bytes of another"});
  expect_refused({"run", "--keys-from", (folder / "none").string()}, {"none", "No such file"});
  expect_refused({"run", "--keys-from", good, "--keys", "5"}, {"--keys-from", "--keys"});
  expect_refused({"run", "--lookups-from", good, "--lookups", "5"}, {"--lookups-from", "--lookups"});
}

TEST(command_line, refuses_places_that_cannot_be_written) {
  const scratch_folder folder;
  expect_refused({"run", "--answers", (folder / "no/rows").string()}, {"no/rows", "No such file or directory"});
  expect_refused({"run", "--answers", "/"}, {"cannot write /", "Is a directory"});
  expect_refused({"run", "--config", "EO+BS", "--config", "AO+BS", "--answers", (folder / "a").string()},
                 {"one --config"});
  const std::string file = folder.write("file", "");
  expect_refused({"run", "--cache-folder", file + "/cache"}, {"--cache-folder", "Not a directory"});
  expect_refused({"run", "--cache-folder", ""}, {"--cache-folder is empty"});
}

TEST(command_line, refuses_cuda_where_there_is_none) {
  expect_refused({"run", "--machine", "cuda"}, {"CUDA"});
  expect_refused({"verify", "--machine", "cuda"}, {"CUDA"});
}

TEST(command_line, refuses_what_the_memory_cannot_hold) {
  // 2^32 - 2 wide keys take a CPU over 100 GB.
  const json report = parsed(run_program({"devices", "--json"}));
  for (const json& machine : report["machines"]) {
    if (machine["kind"] == "cpu" && machine["memory_bytes"] > 100'000'000'000ull) GTEST_SKIP() << "a big machine";
  }
  expect_refused({"run", "--config", "EO+BS keys=u64", "--keys", "4294967294"},
                 {"not enough memory", "4294967294 keys"});
  expect_refused({"trace", "--keys", "4294967294", "--lookup", "1"}, {"not enough memory"});
}

TEST(run, prints_a_table_of_every_config) {
  const program_result result = expect_right({"run", "--config", "AO+BS", "--config", "EO+KS fanout=5 keys=u64",
                                              "--keys", "1000", "--lookups", "1000", "--repeats", "1"});
  for (const char* part : {"keys=1000 distribution=uniform seed=1 lookups=1000 hits=1", "every answer was checked",
                           "AO+BS", "EO+KS fanout=5 keys=u64", "/s"}) {
    expect_part(result.out, part);
  }
}

TEST(run, prints_json_that_says_nothing_was_wrong) {
  const program_result result =
      expect_right({"run",        "--config",      "AO+BS", "--config",  "EO+KS", "--keys", "5000", "--distribution",
                    "duplicates", "--repeat-keys", "7",     "--lookups", "2000",  "--hits", "0.5",  "--seed",
                    "3",          "--repeats",     "2",     "--json"});
  expect_part(result.out, "\"wrong\": 0");
  const json report = parsed(result);
  EXPECT_EQ(report["format"], 2);
  EXPECT_EQ(report["wrong"], 0);
  EXPECT_EQ(report["workload"], "keys=5000 distribution=duplicates repeat=7 seed=3 lookups=2000 hits=0.5");
  ASSERT_EQ(report["results"].size(), 2u);
  for (const json& one : report["results"]) {
    EXPECT_EQ(one["wrong"], 0);
    EXPECT_EQ(one["checked"], true);
    EXPECT_EQ(one["keys"], 5000);
    EXPECT_NEAR(one["found"].get<double>(), 1000, 150);
    EXPECT_EQ(one["times"].back()["samples_ms"].size(), 2u);
    EXPECT_GT(one["lookups_per_second"].get<double>(), 0);
    EXPECT_GE(one["bytes"]["index"].get<u64>(), 5000u * 8);
  }
}

TEST(run, takes_no_keys_and_no_lookups) {
  for (const char* method : {"AO+BS", "EO+BS", "EO+KS", "AO+PB+BS", "AO+PB+KS"}) {
    for (const char* count : {"0", "1"}) {
      EXPECT_EQ(parsed(expect_right({"run", "--config", method, "--keys", count, "--lookups", "5", "--json"}))["wrong"],
                0);
      EXPECT_EQ(parsed(expect_right({"run", "--config", method, "--keys", count, "--lookups", "0", "--json"}))["wrong"],
                0);
    }
  }
}

TEST(run, answers_for_data_of_ones_own) {
  const scratch_folder folder;
  const std::string keys = folder.write("keys", "30\r\n10\r\n4294967295\r\n0\r\n");
  const std::string lookups = folder.write("lookups", "10\n11\n0\n4294967295\n30\n29\n");
  const std::string answers = (folder / "answers").string();
  for (const char* config : {"AO+BS", "EO+KS fanout=3", "AO+PB+BS layout=soa", "EO+BS keys=u64"}) {
    expect_right({"run", "--config", config, "--keys-from", keys, "--lookups-from", lookups, "--answers", answers});
    EXPECT_EQ(contents_of(answers), "1\n-\n3\n2\n0\n-\n") << config;
  }
  const json drawn = parsed(expect_right({"run", "--keys-from", keys, "--lookups", "100", "--json"}));
  EXPECT_EQ(drawn["results"][0]["found"], 100);
  EXPECT_EQ(drawn["results"][0]["keys"], 4);
}

TEST(run, reads_sosd) {
  const scratch_folder folder;
  const u64 values[] = {4, 70, 5, ~0ull, 6};
  std::string bytes(sizeof values, '\0');
  std::memcpy(bytes.data(), values, sizeof values);
  const std::string keys = folder.write("keys", bytes), answers = (folder / "answers").string();
  expect_right(
      {"run", "--config", "AO+PB+KS keys=u64", "--keys-from", keys, "--lookups-from", keys, "--answers", answers});
  EXPECT_EQ(contents_of(answers), "0\n1\n2\n3\n");
}

TEST(trace, prints_steps_of_the_papers_example) {
  const program_result result = expect_right({"trace", "--config", "EO+BS", "--lookup", "9"});
  for (const char* part : {"EO+BS, 14 keys: looking for 9", "step 1 of", "9 is in the index: row id 6"}) {
    expect_part(result.out, part);
  }
  expect_part(expect_right({"trace", "--lookup", "8"}).out, "8 is not in the index");
}

TEST(trace, prints_json) {
  const json trace =
      parsed(expect_right({"trace", "--config", "AO+PB+KS fanout=5 lanes=2", "--lookup", "13", "--json"}));
  EXPECT_EQ(trace["format"], 1);
  EXPECT_EQ(trace["lookup"], 13);
  EXPECT_EQ(trace["found"], true);
  EXPECT_EQ(trace["row"], 10);
  EXPECT_EQ(trace["wrong"], 0);
  EXPECT_GT(trace["steps"].size(), 1u);
}

TEST(trace, prints_the_source_when_asked_to) {
  const program_result with = expect_right({"trace", "--config", "EO+KS", "--lookup", "9", "--source"});
  expect_part(with.out, "  core/families/ordered/eytzinger/eytzinger.hpp\n");
  expect_part(with.out, "wave.memory.probe_entries(");
  expect_part(with.out, "wave.keys[i] 9, level 0, node[i] 0");
  const json trace = parsed(expect_right({"trace", "--config", "PLAIN", "--lookup", "9", "--source", "--json"}));
  for (const json& step : trace["steps"]) {
    EXPECT_EQ(step["source"][0]["file"], "core/families/plain/plain.hpp");
    EXPECT_GT(step["watched"].size(), 2u);
  }
}

TEST(trace, takes_any_workload_and_file) {
  const scratch_folder folder;
  expect_part(expect_right({"trace", "--keys", "1000", "--distribution", "dense", "--lookup", "999"}).out, "row id");
  expect_part(expect_right({"trace", "--keys-from", folder.write("keys", "5\n6\n"), "--lookup", "6"}).out, "row id 1");
  expect_part(
      expect_right({"trace", "--config", "EO+BS keys=u64", "--keys", "10", "--lookup", "18446744073709551615"}).out,
      "not in the index");
}

TEST(verify, finds_all_right) {
  const program_result result = expect_right({"verify", "--cases", "60", "--seed", "5", "--max-keys", "2000"});
  expect_part(result.out, "60 cases on cpu, seed 5:");
  expect_part(result.out, "all right");
  const json report = parsed(expect_right({"verify", "--cases", "5", "--json"}));
  EXPECT_EQ(report["wrong"], 0);
  EXPECT_EQ(report["cases"], 5);
}

TEST(verify, uses_no_more_keys_than_it_may) {
  for (const char* most : {"0", "1", "2"}) {
    const json report = parsed(expect_right({"verify", "--cases", "40", "--max-keys", most, "--json"}));
    EXPECT_LE(report["keys"].get<u64>(), 40u * static_cast<u64>(most[0] - '0'));
    EXPECT_EQ(report["keys"].get<u64>() == 0, most[0] == '0');
  }
}

TEST(devices, tells_what_there_is_and_why_not) {
  const json report = parsed(expect_right({"devices", "--json"}));
  EXPECT_EQ(report["best"], "cpu");
  bool cpu = false;
  for (const json& machine : report["machines"]) {
    if (machine["kind"] == "cpu") cpu = machine["available"];
    if (machine["kind"] == "cuda") {
      EXPECT_FALSE(machine["why_not"].get<std::string>().empty());
    }
  }
  EXPECT_TRUE(cpu);
  expect_part(expect_right({"devices"}).out, "--machine best is cpu");
}

TEST(window, without_a_display_says_so) {
  const program_result result = run_program({});
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(result.err.starts_with("pivotscope: ")) << result.err;
}

TEST(output, that_nobody_reads_is_no_fault) {
  int pipe[2] = {};
  ASSERT_EQ(::pipe(pipe), 0);
  const int null = ::open("/dev/null", O_WRONLY);
  ::close(pipe[0]);
  EXPECT_EQ(wait_for_program(start_program({"trace", "--lookup", "9"}, pipe[1], null)), 0);
  ::close(pipe[1]);
  ::close(null);
}

TEST(output, that_cannot_be_written_is_told) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const scratch_folder folder;
  const int full = ::open("/dev/full", O_WRONLY);
  const int err = ::open((folder / "err").c_str(), O_WRONLY | O_CREAT, 0600);
  EXPECT_EQ(wait_for_program(start_program({"trace", "--lookup", "9"}, full, err)), 2);
  ::close(full);
  ::close(err);
  expect_part(contents_of(folder / "err"), "cannot write the output: No space left on device");
}

// A wrong answer is the worse news.
TEST(output, that_cannot_be_written_does_not_hide_a_wrong_answer) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const int full = ::open("/dev/full", O_WRONLY), null = ::open("/dev/null", O_WRONLY);
  ::setenv("PIVOTSCOPE_LIE", "wrong row", 1);
  EXPECT_EQ(wait_for_program(start_program({"run", "--keys", "100"}, full, null, testing::lying_program)), 1);
  ::unsetenv("PIVOTSCOPE_LIE");
  ::close(full);
  ::close(null);
}

// A run that would take for ever, ended by ctrl-C.
TEST(interrupt, ends_a_run_cleanly) {
  const scratch_folder folder;
  const std::string answers = folder.write("answers", "before");
  const int out = ::open((folder / "out").c_str(), O_WRONLY | O_CREAT, 0600);
  const int err = ::open((folder / "err").c_str(), O_WRONLY | O_CREAT, 0600);
  const pid_t child = start_program({"run", "--keys", "2^16", "--repeats", "1000000", "--answers", answers}, out, err);
  EXPECT_TRUE(wait_until_it_works(child));
  ::kill(child, SIGINT);
  EXPECT_EQ(wait_for_program(child), 130);
  ::close(out);
  ::close(err);
  EXPECT_EQ(contents_of(folder / "out"), "");
  EXPECT_EQ(contents_of(folder / "err"), "pivotscope: cancelled\n");
  EXPECT_EQ(contents_of(answers), "before");
}

// All that a terminal is sent until `until` is in it, or the other end is closed.
std::string read_terminal(int terminal, std::string_view until) {
  std::string text;
  char block[4096];
  pollfd ready{terminal, POLLIN, 0};
  while (text.find(until) == text.npos && ::poll(&ready, 1, -1) > 0) {
    const ssize_t got = ::read(terminal, block, sizeof block);
    if (got <= 0) break;
    text.append(block, static_cast<std::size_t>(got));
  }
  return text;
}

TEST(progress, is_shown_on_a_terminal_and_wiped_away) {
  int terminal = -1, inside = -1;
  winsize size{.ws_row = 24, .ws_col = 60, .ws_xpixel = 0, .ws_ypixel = 0};
  if (::openpty(&terminal, &inside, nullptr, nullptr, &size) != 0) {
    GTEST_SKIP() << "no pseudo-terminals here (a bare chroot): " << std::strerror(errno);
  }
  const int null = ::open("/dev/null", O_WRONLY);
  const pid_t child = start_program({"verify", "--cases", "1e9", "--max-keys", "100"}, null, inside);
  ::close(inside);
  ::close(null);
  const std::string shown = read_terminal(terminal, " of 1000000000, 0%");
  EXPECT_TRUE(shown.starts_with("\r\x1b[Kcase ")) << shown;
  ::kill(child, SIGINT);
  const std::string rest = read_terminal(terminal, "all right\r\n");
  EXPECT_EQ(wait_for_program(child), 130);
  const std::size_t last = rest.rfind("\r\x1b[K");
  ASSERT_NE(last, rest.npos) << rest;
  EXPECT_TRUE(rest.substr(last).starts_with("\r\x1b[Kpivotscope: cancelled after ")) << rest.substr(last);
  ::close(terminal);
}

}  // namespace
}  // namespace pivotscope
