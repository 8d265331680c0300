// Limits of the system: a file that may not grow is words and exit status 2, and nothing of it is left.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/app/expectations.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

// The program, in the folder, where no file may be longer than so many bytes; standard output and error go to pipes.
program_result run_limited(const scratch_folder& place, const std::vector<std::string>& arguments, rlim_t bytes,
                           const char* program = "pivotscope", const char* out_file = nullptr) {
  int out[2], err[2];
  if (::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(err, O_CLOEXEC) != 0) return {};
  const int file = out_file ? ::open((place / out_file).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit limit{bytes, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  const fs::path here = fs::current_path();
  fs::current_path(place / "");
  ::setenv("PIVOTSCOPE_LIE", "given", 1);
  const pid_t child = start_program(arguments, file >= 0 ? file : out[1], err[1], program);
  ::unsetenv("PIVOTSCOPE_LIE");
  fs::current_path(here);
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::close(out[1]);
  ::close(err[1]);
  if (file >= 0) ::close(file);
  program_result result;
  const auto read_all = [](int from, std::string& text) {
    char block[4096];
    for (ssize_t got = 0; (got = ::read(from, block, sizeof block)) > 0;)
      text.append(block, static_cast<std::size_t>(got));
    ::close(from);
  };
  read_all(out[0], result.out);
  read_all(err[0], result.err);
  result.status = wait_for_program(child);
  return result;
}

struct limited_call {
  std::vector<std::string> call;
  const char* file;  // that is not written; nullptr: a store, without which the command goes on
  rlim_t bytes = 64;
};

TEST(limits, of_a_files_length_are_told_and_leave_nothing) {
  const std::vector<std::string> run = {"run",       "--machine", "cpu",       "--keys", "1000",
                                        "--lookups", "1000",      "--repeats", "1"};
  const auto with = [](std::vector<std::string> call, const std::vector<std::string>& more) {
    call.insert(call.end(), more.begin(), more.end());
    return call;
  };
  const std::vector<std::string> sweep = {"sweep", "lightweight-1b", "--scale", "20"};
  const std::vector<limited_call> calls = {
      {with(run, {"--answers", "answers"}), "answers"},
      {with(run, {"--csv", "csv"}), "csv"},
      {with(sweep, {"--csv", "csv"}), "csv"},
      {with(sweep, {"--json", "json"}), "json"},
      {with(sweep, {"--svg", "svg"}), "svg"},
      {with(sweep, {"--png", "png"}), "png"},
      {with(sweep, {"--into", "d"}), "d/head.json", 300},
      {with(sweep, {"--into", "d"}), "d/point-0000.json", 2500},
      {{"floor", "--csv", "csv", "--cache-folder", "cache"}, "csv"},
      {{"floor", "--json", "json", "--cache-folder", "cache"}, "json"},
      {{"floor", "--cache-folder", "cache"}, nullptr},
      {{"tune", "--keys", "100", "--lookups", "2^12", "--cache-folder", "cache"}, nullptr},
  };
  for (const limited_call& one : calls) {
    SCOPED_TRACE(::testing::PrintToString(one.call));
    const scratch_folder place;
    const program_result result = run_limited(place, one.call, one.bytes, testing::lying_program);
    // Without a store the command goes on, to what the machine's answers are.
    EXPECT_EQ(result.status >= 2, one.file != nullptr) << result.err;
    expect_part(result.err, ": File too large");
    if (one.file) expect_part(result.err, std::string("cannot write ") + one.file);
    for (const auto& entry : fs::recursive_directory_iterator(place / "")) {
      EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
      EXPECT_TRUE(!one.file || entry.path().filename() != fs::path(one.file).filename()) << entry.path();
    }
  }
}

TEST(limits, of_a_report_and_a_document_too) {
  const scratch_folder place;
  expect_right({"run", "--machine", "cpu", "--keys", "100", "--lookups", "100", "--csv", (place / "csv").string()});
  place.write("r.json", run_program({"run", "--machine", "cpu", "--keys", "100", "--lookups", "100", "--json"}).out);
  const std::string text = "<!-- table: r.json -->\n<!-- end -->\n";
  const std::string document = place.write("d.md", text);
  for (const std::vector<std::string>& call : std::vector<std::vector<std::string>>{
           {"report", "."}, {"measurements", "d.md"}, {"measurements", "--keep", "r.json", "--as", "short.json"}}) {
    const program_result result = run_limited(place, call, 64);
    EXPECT_EQ(result.status, 2) << result.err;
    expect_part(result.err, ": File too large");
  }
  EXPECT_EQ(contents_of(document), text);
  EXPECT_FALSE(fs::exists(place / "report.html") || fs::exists(place / "short.json"));
}

TEST(limits, of_standard_output_are_told) {
  const scratch_folder place;
  const program_result result = run_limited(
      place, {"run", "--machine", "cpu", "--keys", "100", "--lookups", "100", "--json"}, 64, "pivotscope", "out");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err, "pivotscope: cannot write the output: File too large\n");
}

}  // namespace
}  // namespace pivotscope
