// What Nsight Compute is asked, and what is made of what it says; a script stands in for it.
#include "core/counters/nsight_compute.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "core/index/config_text.hpp"
#include "tests/app/program.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

const std::string names =
    R"("ID","Process ID","Kernel Name","Block Size","sm__warps_active.avg.pct_of_peak_sustained_active","smsp__average_warp_latency_per_inst_issued.ratio","smsp__inst_executed.sum","dram__bytes.sum.per_second","l1tex__t_bytes.sum.per_second","l1tex__t_sector_hit_rate.pct","lts__t_bytes.sum.per_second","lts__t_sector_hit_rate.pct")";
const std::string units = R"("","","","","%","inst","inst","byte/second","byte/second","%","byte/second","%")";
// DRAM, L1 and its hits, L2 and its hits.
const std::string memory = R"(,"0","4,812,345,678,901.5","83.25","1,900,000,000,000","61.5")";

std::string printed(const std::string& values) {
  return "==PROF== Connected to process 12\n==PROF== Profiling \"lookup\" - 0: 0%....100% - 1 pass\n\n"
         "config  asked\nHT+OA   1,000 lookups\n==PROF== Disconnected from process 12\n" +
         names + "\n" + units + "\n" + values + "\n";
}
const std::string usual = printed(R"x("0","12","lookup","(256, 1, 1)","70.89","22.58","9,360,000,000")x" + memory);

TEST(nsight_compute, counters_are_read_out_of_all_that_is_printed) {
  const auto counted = counters_from_ncu(usual);
  ASSERT_TRUE(counted) << counted.error().words;
  EXPECT_DOUBLE_EQ(counted->occupancy, 0.7089);
  EXPECT_EQ(counted->instructions, 9'360'000'000u);
  EXPECT_DOUBLE_EQ(counted->cycles_per_instruction, 22.58);
  EXPECT_NEAR(counted->warp_cycles(), 211.3e9, 0.1e9) << "as the paper has it of WarpCore";
  ASSERT_TRUE(counted->memory);
  EXPECT_DOUBLE_EQ(counted->memory->l1_hit_rate, 0.8325);
  EXPECT_DOUBLE_EQ(counted->memory->l2_hit_rate, 0.615);
  EXPECT_DOUBLE_EQ(counted->memory->l1_bytes_per_second, 4'812'345'678'901.5);
  EXPECT_DOUBLE_EQ(counted->memory->l2_bytes_per_second, 1.9e12);
  EXPECT_EQ(counted->memory->dram_bytes_per_second, 0) << "a small tree's lookups may need none of it";
  std::string windows = usual;
  for (std::size_t at = 0; (at = windows.find('\n', at)) != windows.npos; at += 2) windows.replace(at, 1, "\r\n");
  EXPECT_EQ(*counters_from_ncu(windows), *counted);
}

TEST(nsight_compute, what_is_no_counter_is_told_in_words) {
  const auto words = [](const std::string& text) {
    const auto counted = counters_from_ncu(text);
    return counted ? std::string("counted") : counted.error().words;
  };
  EXPECT_EQ(words(""), "ncu counted no kernel");
  EXPECT_EQ(words("==PROF== Connected\n==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n"),
            "ncu counted no kernel: ERR_NVGPUCTRPERM - The user does not have permission");
  EXPECT_EQ(words("==WARNING== No kernels were profiled.\n"), "ncu counted no kernel: No kernels were profiled.");
  EXPECT_EQ(words("==ERROR=="), "ncu counted no kernel");
  EXPECT_EQ(words(names + "\n" + units + "\n"), "ncu counted no kernel") << "cut off before the values";
  for (const char* value : {"n/a", "", "nan", "-1", "1e999", "12x"})
    EXPECT_EQ(words(printed(std::string(R"x("0","12","lookup","(1, 1, 1)","70","22",")x") + value + "\"" + memory)),
              "ncu did not tell smsp__inst_executed.sum: this device may not count it")
        << value;
  EXPECT_EQ(words(printed(R"("0","12","lookup")")),
            "ncu did not tell sm__warps_active.avg.pct_of_peak_sustained_active: this device may not count it");
  EXPECT_EQ(words(printed(R"x("0","12","lookup","(1, 1, 1)","70","22","1e30")x" + memory)),
            "ncu told 1e+30 instructions, which cannot be");
  const auto above = counters_from_ncu(printed(R"x("0","12","lookup","(1, 1, 1)","100.02","22","7")x" + memory));
  ASSERT_TRUE(above) << above.error().words;
  EXPECT_EQ(above->occupancy, 1) << "a point that is kept is read again";
  // Every prefix: words or counters, and nothing else.
  for (std::size_t length = 0; length < usual.size(); ++length) (void)words(usual.substr(0, length));
}

// A device that lacks one of them has none, and says which; nor is a number taken that is in another unit.
TEST(nsight_compute, what_a_memory_did_is_told_in_words_where_it_is_missing) {
  const std::string others = R"x("0","12","lookup","(1, 1, 1)","70","22","7")x";
  const std::string metrics[] = {"dram__bytes.sum.per_second", "l1tex__t_bytes.sum.per_second",
                                 "l1tex__t_sector_hit_rate.pct", "lts__t_bytes.sum.per_second",
                                 "lts__t_sector_hit_rate.pct"};
  for (std::size_t i = 0; i < std::size(metrics); ++i) {
    std::string values = others;
    for (std::size_t j = 0; j < std::size(metrics); ++j) values += j == i ? ",\"n/a\"" : ",\"1\"";
    const auto counted = counters_from_ncu(printed(values));
    ASSERT_FALSE(counted) << metrics[i];
    EXPECT_EQ(counted.error().words, "ncu did not tell " + metrics[i] + ": this device may not count it");
    // A column that is not there at all.
    std::string without = printed(others + memory);
    without.replace(without.find("\"" + metrics[i] + "\""), metrics[i].size() + 2, "\"another\"");
    EXPECT_EQ(counters_from_ncu(without).error().words,
              "ncu did not tell " + metrics[i] + ": this device may not count it");
  }
  const auto in_units = [&](const std::string& name) {
    std::string text = usual;
    for (std::size_t at = 0; (at = text.find("byte/second", at)) != text.npos; at += name.size())
      text.replace(at, std::string("byte/second").size(), name);
    return counters_from_ncu(text);
  };
  ASSERT_TRUE(in_units("byte/s")) << "as newer ones write it";
  EXPECT_EQ(in_units("byte/s")->memory, counters_from_ncu(usual)->memory);
  for (const char* unit : {"Gbyte/second", "Tbyte/s", "byte", ""})
    EXPECT_EQ(in_units(unit).error().words,
              "ncu told l1tex__t_bytes.sum.per_second in '" + std::string(unit) + "', and not in bytes a second");
  const auto above = counters_from_ncu(printed(others + R"(,"1","1","100.02","1","100.5")"));
  ASSERT_TRUE(above) << above.error().words;
  EXPECT_EQ(above->memory->l1_hit_rate, 1);
  EXPECT_EQ(above->memory->l2_hit_rate, 1);
}

// A program that stands in for ncu.
class given_ncu {
 public:
  explicit given_ncu(const std::string& body) {
    fs::permissions(folder_.write("ncu", "#!/bin/sh\n" + body), fs::perms::owner_all);
  }
  fs::path path() const { return folder_ / "ncu"; }

 private:
  scratch_folder folder_;
};

const workload asked{.keys = 1000, .dist = distribution::uniform, .lookups = 2000, .hits = 0.5};
const index_config table = *config_from_line("HT+OA lanes=8 window=8 probing=double load=53");

TEST(nsight_compute, is_asked_for_one_kernel_of_this_program) {
  const given_ncu ncu("for word; do echo \"$word\" >>\"$0.asked\"; done\ncat <<'end'\n" + usual + "end\n");
  const auto counted = count_lookups(ncu.path(), "/some where/pivotscope", asked, table, {});
  ASSERT_TRUE(counted) << counted.error().words;
  EXPECT_EQ(counted->instructions, 9'360'000'000u);
  EXPECT_EQ(
      contents_of(ncu.path().string() + ".asked"),
      "--csv\n--page=raw\n--print-units=base\n--clock-control=none\n--kernel-name=regex:^lookup$\n--launch-count=1\n"
      "--metrics=sm__warps_active.avg.pct_of_peak_sustained_active,smsp__inst_executed.sum,"
      "smsp__average_warp_latency_per_inst_issued.ratio,l1tex__t_sector_hit_rate.pct,lts__t_sector_hit_rate.pct,"
      "l1tex__t_bytes.sum.per_second,lts__t_bytes.sum.per_second,dram__bytes.sum.per_second\n"
      "/some where/pivotscope\nrun\n--machine\ncuda\n--workload\n" +
          to_line(asked) + "\n--config\n" + to_line(table) + "\n--repeats\n1\n--warm-ups\n0\n");
}

TEST(nsight_compute, that_fails_says_why) {
  const given_ncu ncu("echo '==ERROR== The application returned an error code (2).'\nexit 9\n");
  const auto counted = count_lookups(ncu.path(), "pivotscope", asked, table, {});
  ASSERT_FALSE(counted);
  EXPECT_EQ(counted.error().words,
            "ncu counted no kernel: The application returned an error code (2). (exit status 9)");
  EXPECT_FALSE(count_lookups(ncu.path() / "none", "pivotscope", asked, table, {}));
  job_control cancelled;
  cancelled.cancel();
  const given_ncu endless("cat /dev/zero >/dev/null\n");
  const auto ended = count_lookups(endless.path(), "pivotscope", asked, table, cancelled);
  ASSERT_FALSE(ended);
  EXPECT_TRUE(ended.error().cancelled);
}

TEST(nsight_compute, is_found_on_the_path_first) {
  const given_ncu ncu("exit 0\n");
  const char* there = std::getenv("PATH");
  const std::string before = there != nullptr ? there : "";
  ::setenv("PATH", ("/nonexistent::" + ncu.path().parent_path().string() + ":" + before).c_str(), 1);
  const auto found = find_ncu();
  ::setenv("PATH", "/nonexistent", 1);
  ::setenv("CUDA_HOME", "/nonexistent", 1);
  const auto elsewhere = find_ncu();
  ::unsetenv("CUDA_HOME");
  ::setenv("PATH", before.c_str(), 1);
  ASSERT_TRUE(found) << found.error().words;
  EXPECT_EQ(*found, ncu.path());
  // Else only where a toolkit is installed on this machine.
  if (elsewhere)
    EXPECT_NE(elsewhere->string().find("/bin/ncu"), std::string::npos);
  else
    EXPECT_NE(elsewhere.error().words.find("there is no ncu on $PATH"), std::string::npos);
}

}  // namespace
}  // namespace pivotscope
