// Files from outside: where answers land, what a signal leaves behind, what is said before any work is done.
#include <gtest/gtest.h>
#include <signal.h>

#include <map>

#include "app/cli/command_line.hpp"
#include "tests/app/expectations.hpp"
#include "tests/support/binary_files.hpp"
#include "tests/support/failing_file_calls.hpp"

namespace pivotscope {
namespace {

using files = std::map<std::string, std::string>;

TEST(answers, land_beside_the_table_on_standard_output) {
  const scratch_folder folder;
  const std::string keys = folder.write("keys", "5\n3\n9\n"), lookups = folder.write("lookups", "3\n4\n9\n");
  const program_result result = expect_right({"run", "--config", "EO+BS", "--machine", "cpu", "--keys-from", keys,
                                              "--lookups-from", lookups, "--answers", "/dev/stdout"});
  EXPECT_TRUE(result.out.starts_with("1\n-\n2\n")) << result.out;
  expect_part(result.out, "every answer was checked");
  expect_part(result.out, "\nEO+BS ");
}

TEST(figures_of_a_run, land_in_a_file_a_line_for_each_config) {
  const scratch_folder folder;
  const std::string csv = folder.write("figures.csv", "");
  const program_result done = run_program({"run", "--machine", "cpu", "--keys", "1000", "--lookups", "500", "--config",
                                           "EO+BS", "--config", "PACKED lanes=1", "--csv", csv});
  EXPECT_EQ(done.status, 0) << done.err;
  const std::string text = contents_of(csv);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3) << text;
  EXPECT_NE(text.find("\nPACKED lanes=1,cpu,"), text.npos) << text;
}

TEST(figures_of_a_run, are_refused_before_any_work) {
  const program_result nowhere = run_program({"run", "--keys", "10", "--csv", "/no/such/folder/f.csv"});
  EXPECT_EQ(nowhere.status, 2);
  EXPECT_NE(nowhere.err.find("/no/such/folder"), nowhere.err.npos) << nowhere.err;
  const program_result script =
      run_program({"run", "--config", "PLAIN", "--keys", "10", "--inserts", "5", "--csv", "/no/such/folder/f.csv"});
  EXPECT_EQ(script.status, 2);
  EXPECT_NE(script.err.find("/no/such/folder"), script.err.npos) << script.err;
}

TEST(answers, land_beside_the_table_in_the_file_of_standard_output) {
  const scratch_folder folder;
  const std::string keys = folder.write("keys", "5\n3\n9\n"), lookups = folder.write("lookups", "3\n4\n9\n");
  const std::string out = folder.write("out", "what was there\n");
  const int file = ::open(out.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  EXPECT_EQ(wait_for_program(start_program({"run", "--config", "EO+BS", "--machine", "cpu", "--keys-from", keys,
                                            "--lookups-from", lookups, "--answers", out},
                                           file, STDERR_FILENO)),
            0);
  ::close(file);
  const std::string text = contents_of(out);
  EXPECT_TRUE(text.starts_with("what was there\n1\n-\n2\n")) << text;
  expect_part(text, "\nEO+BS ");
}

TEST(keys, are_a_column_of_a_table) {
  const scratch_folder folder;
  const std::string table = folder.write("t.csv", "id,key\n1,5\n2,3\n"), lookups = folder.write("lookups", "3\n1\n");
  const program_result result =
      expect_right({"run", "--config", "EO+BS", "--machine", "cpu", "--keys-from", table, "--keys-column", "key",
                    "--lookups-from", lookups, "--answers", "/dev/stdout"});
  EXPECT_TRUE(result.out.starts_with("1\n-\n")) << result.out;
  expect_part(result.out, ", column key");
}

TEST(keys, of_64_bits_need_no_config) {
  const scratch_folder folder;
  const std::vector<u64> values = {5, 3, 1ull << 40};
  const std::string keys = folder.write("k", testing::with_count(3, testing::bytes_of(values)));
  const std::vector<std::string> ask = {"--machine", "cpu", "--lookups", "10", "--repeats", "1", "--keys-from"};
  const auto run = [&](const std::string& file, const std::vector<std::string>& more = {}) {
    std::vector<std::string> all = {"run"};
    all.insert(all.end(), ask.begin(), ask.end());
    all.push_back(file);
    all.insert(all.end(), more.begin(), more.end());
    return run_program(all);
  };
  const program_result taken = run(keys);
  EXPECT_EQ(taken.status, 0) << taken.err;
  EXPECT_EQ(taken.err, "pivotscope: " + keys + ": keys of 64 bits, taken as keys=u64\n");
  expect_part(taken.out, "\nEO+BS keys=u64 ");
  const program_result refused = run(keys, {"--config", "EO+BS"});
  EXPECT_EQ(refused.status, 2);
  expect_part(refused.err, "holds 3 values of 64 bits, but the config says keys=u32");
  const program_result text = run(folder.write("t", "5\n4294967296\n"));
  expect_part(text.out, "\nEO+BS keys=u64 ");
  const program_result small = run(folder.write("s", "5\n4294967295\n"));
  EXPECT_EQ(small.err, "");
  expect_part(small.out, "\nEO+BS ");
  const std::string notice = "pivotscope: " + keys + ": keys of 64 bits, taken as keys=u64\n";
  const program_result traced = run_program({"trace", "--keys-from", keys, "--lookup", "1099511627776"});
  EXPECT_EQ(traced.status, 0);
  EXPECT_EQ(traced.err, notice);
  expect_part(traced.out, "keys=u64");
  const program_result counted = run_program({"traffic", "--keys-from", keys, "--lookups", "32"});
  EXPECT_EQ(counted.status, 0);
  EXPECT_EQ(counted.err, notice);
  const program_result tuned = run_program({"tune", "--machine", "cpu", "--smallest", "--lookups", "4096",
                                            "--keys-from", keys, "--cache-folder", (folder / "").string()});
  EXPECT_EQ(tuned.status, 0) << tuned.err;
  expect_part(tuned.out, "keys=u64");
}

TEST(lookups, of_sosd_have_their_sums_checked) {
  const scratch_folder folder;
  const std::string keys = folder.write("k", testing::with_count(4, testing::bytes_of<u64>({5, 5, 7, 1ull << 40})));
  const auto run = [&](const std::vector<u64>& pairs) {
    const std::string asked = folder.write("l", testing::with_count(pairs.size() / 2, testing::bytes_of(pairs)));
    return run_program({"run", "--machine", "cpu", "--repeats", "1", "--keys-from", keys, "--lookups-from", asked,
                        "--answers", "/dev/stdout"});
  };
  const program_result right = run({7, 2, 1ull << 40, 3, 6, 0});
  EXPECT_EQ(right.status, 0) << right.err;
  EXPECT_TRUE(right.out.starts_with("2\n3\n-\n")) << right.out;
  expect_part(right.err, "SOSD's lookups; what it says that the rows of each key sum to is right, of all 3");
  const program_result wrong = run({7, 2, 5, 2});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(wrong.out, "");
  expect_part(wrong.err, "lookup 1 of key 5: its rows sum to 2 there, and over these keys to 1");
}

// The program waits for a reader of its answers' pipe, and then for room in it: its work is done and its file open.
int status_of_run_ended_by(int signal) {
  const scratch_folder folder;
  EXPECT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const int out = ::open((folder / "out").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const int err = ::open((folder / "err").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const pid_t child = start_program({"run", "--machine", "cpu", "--keys", "1000", "--lookups", "2^16", "--repeats", "1",
                                     "--answers", (folder / "pipe").string()},
                                    out, err);
  const int reader = ::open((folder / "pipe").c_str(), O_RDONLY | O_CLOEXEC);
  char first = 0;
  EXPECT_EQ(::read(reader, &first, 1), 1);
  ::kill(child, signal);
  const int status = wait_for_program(child);
  ::close(reader);
  ::close(out);
  ::close(err);
  EXPECT_EQ(contents_of(folder / "out"), "");
  EXPECT_EQ(contents_of(folder / "err"), "pivotscope: cancelled\n");
  return status;
}

TEST(interrupt, by_any_ending_signal_is_told_by_the_exit_status) {
  EXPECT_EQ(status_of_run_ended_by(SIGINT), 130);
  EXPECT_EQ(status_of_run_ended_by(SIGTERM), 143);
  EXPECT_EQ(status_of_run_ended_by(SIGHUP), 129);
}

TEST(headless, a_picture_that_cannot_be_written_is_said_before_the_work) {
  const scratch_folder folder;
  const std::string nowhere = (folder / "no/x.png").string();
  expect_refused({"--headless", "--screenshot", nowhere},
                 {"cannot write " + nowhere + ": the folder " + (folder / "no").string() + ": No such file"});
  expect_refused({"--headless", "--screenshot", "/"}, {"cannot write /: Is a directory"});
}

TEST(tune, a_store_that_cannot_be_understood_is_kept_and_said) {
  const scratch_folder folder;
  folder.write("tunings.json", "nonsense");
  const program_result result = run_program(
      {"tune", "--machine", "cpu", "--keys", "100", "--lookups", "2^12", "--cache-folder", (folder / "").string()});
  EXPECT_EQ(result.status, 0);
  const std::string store = (folder / "tunings.json").string();
  EXPECT_EQ(result.err, "pivotscope: What was tuned before, in " + store +
                            ", cannot be used (it is no JSON); it is kept as " + store +
                            ".not-understood-1, and a new file is begun.\n");
  EXPECT_EQ(contents_of(store + ".not-understood-1"), "nonsense");
  EXPECT_EQ(run_program({"tune", "--machine", "cpu", "--keys", "100", "--lookups", "2^12", "--cache-folder",
                         (folder / "").string(), "--kept"})
                .status,
            0);
}

}  // namespace
}  // namespace pivotscope
