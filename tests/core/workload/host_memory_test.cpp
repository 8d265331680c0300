#include "core/workload/host_memory.hpp"

#include <gtest/gtest.h>

#include "core/workload/generate/fill.hpp"
#include "tests/support/file_tree.hpp"

namespace pivotscope {
namespace {

constexpr u64 unknown = ~0ull;

constexpr const char* meminfo =
    "MemTotal:       32768000 kB\nMemFree:         1000 kB\nMemAvailable:   20480000 kB\nBuffers:   77 kB\n";

// What /proc/self/limits looks like.
std::string limits_of(std::string_view address_space) {
  return fmt::format(
      "Limit                     Soft Limit           Hard Limit           Units     \n"
      "Max cpu time              unlimited            unlimited            seconds   \n"
      "Max address space         {:<20} unlimited            bytes     \n"
      "Max file locks            unlimited            unlimited            locks     \n",
      address_space);
}

TEST(host_memory, is_what_the_machine_has_available) {
  const file_tree tree;
  EXPECT_EQ(available_host_memory(tree.root()), unknown);
  tree.write("proc/meminfo", "MemTotal: 5 kB\nMemFree: 4 kB\n");
  EXPECT_EQ(available_host_memory(tree.root()), unknown);
  tree.write("proc/meminfo", meminfo);
  EXPECT_EQ(available_host_memory(tree.root()), 20480000ull * 1024);
}

TEST(host_memory, that_makes_no_sense_is_not_told) {
  const file_tree tree;
  for (const char* garbage : {"MemAvailable:", "MemAvailable: much", "MemAvailable: 18446744073709551616 kB\n",
                              "MemAvailable: 18014398509481984 kB\n", "\0\xff\n", "xMemAvailable: 5 kB\n"}) {
    tree.write("proc/meminfo", garbage);
    EXPECT_EQ(available_host_memory(tree.root()), unknown) << garbage;
  }
  tree.write("proc/meminfo", "MemAvailable: 18014398509481983 kB\n");
  EXPECT_EQ(available_host_memory(tree.root()), 18014398509481983ull * 1024);
}

TEST(host_memory, is_what_ulimit_leaves_of_the_address_space) {
  const file_tree tree;
  tree.write("proc/meminfo", meminfo);
  tree.write("proc/self/limits", limits_of("1073741824"));
  EXPECT_EQ(available_host_memory(tree.root()), 20480000ull * 1024) << "the use is not known";
  tree.write("proc/self/status", "Name:\tpivotscope\nVmPeak:\t 900 kB\nVmSize:\t  524288 kB\nVmRSS:\t 5 kB\n");
  EXPECT_EQ(available_host_memory(tree.root()), 512ull << 20);
  tree.write("proc/self/limits", limits_of("1000"));
  EXPECT_EQ(available_host_memory(tree.root()), 0u);
  tree.write("proc/self/limits", limits_of("unlimited"));
  EXPECT_EQ(available_host_memory(tree.root()), 20480000ull * 1024);
}

TEST(host_memory, is_the_least_of_all_limits) {
  const file_tree tree;
  tree.write("proc/meminfo", meminfo);
  tree.write("proc/self/cgroup", "0::/\n");
  tree.write("proc/self/mountinfo", "41 31 0:38 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw\n");
  tree.write("sys/fs/cgroup/memory.max", "1000000\n");
  tree.write("sys/fs/cgroup/memory.current", "400000\n");
  EXPECT_EQ(available_host_memory(tree.root()), 600'000u);
  tree.write("proc/meminfo", "MemAvailable: 585 kB\n");
  EXPECT_EQ(available_host_memory(tree.root()), 585u * 1024);
  tree.write("proc/self/limits", limits_of("2048"));
  tree.write("proc/self/status", "VmSize: 1 kB\n");
  EXPECT_EQ(available_host_memory(tree.root()), 1024u);
}

TEST(host_memory, is_told_and_plausible) {
  EXPECT_GT(available_host_memory(), 1ull << 20);
  EXPECT_LT(available_host_memory(), 1ull << 50);
}

TEST(host_memory, of_another_tree_is_seen_only_while_that_lasts) {
  {
    const free_memory free(3 << 20);
    EXPECT_EQ(available_host_memory(), 3u << 20);
    free.set(5 << 20);
    EXPECT_EQ(available_host_memory(), 5u << 20);
  }
  EXPECT_GT(available_host_memory(), 5u << 20);
}

TEST(check_host_memory, refuses_what_is_not_free) {
  const free_memory free(128ull << 20);
  EXPECT_TRUE(check_host_memory(128ull << 20, "keys").ok());
  const status refused = check_host_memory((128ull << 20) + 1, "keys");
  ASSERT_FALSE(refused.ok());
  EXPECT_FALSE(refused.error().cancelled);
  EXPECT_EQ(refused.error().words, "not enough memory: 128 MiB are needed for keys, 128 MiB are free; use fewer");
  EXPECT_EQ(check_host_memory(1ull << 62, "everything").error().words,
            "not enough memory: 4 EiB are needed for everything, 128 MiB are free; use fewer");
}

TEST(check_host_memory, does_not_ask_for_less_than_64_MiB) {
  const free_memory free(0);
  EXPECT_TRUE(check_host_memory((64ull << 20) - 1, "keys").ok());
  EXPECT_FALSE(check_host_memory(64ull << 20, "keys").ok());
}

TEST(with_memory, asks_first_and_turns_a_failed_allocation_into_words) {
  const free_memory free(128ull << 20);
  int made = 0;
  const auto make = [&]() -> status { return ++made, fine(); };
  EXPECT_TRUE(with_memory(128ull << 20, "keys", make).ok());
  EXPECT_EQ(made, 1);
  EXPECT_EQ(with_memory(129ull << 20, "keys", make).error().words,
            "not enough memory: 129 MiB are needed for keys, 128 MiB are free; use fewer");
  EXPECT_EQ(made, 1);
  const std::string words = "not enough memory: 17 bytes could not be had for keys; use fewer";
  EXPECT_EQ(with_memory(17, "keys", []() -> status { throw std::bad_alloc(); }).error().words, words);
  EXPECT_EQ(with_memory(17, "keys", []() -> status { throw std::length_error("vector"); }).error().words, words);
  EXPECT_THROW((void)with_memory(17, "keys", []() -> status { throw std::runtime_error("other"); }),
               std::runtime_error);
}

TEST(bytes_text, has_binary_units_and_few_digits) {
  EXPECT_EQ(bytes_text(0), "0 bytes");
  EXPECT_EQ(bytes_text(1), "1 bytes");
  EXPECT_EQ(bytes_text(1023), "1023 bytes");
  EXPECT_EQ(bytes_text(1024), "1 KiB");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(1300), "1.27 KiB");
  EXPECT_EQ(bytes_text(10 * 1024 - 1), "10 KiB");
  EXPECT_EQ(bytes_text(10 * 1024 + 512), "10.5 KiB");
  EXPECT_EQ(bytes_text(10 * 1024 + 40), "10 KiB");
  EXPECT_EQ(bytes_text(1047527), "1023 KiB");
  EXPECT_EQ(bytes_text(1048524), "1023.9 KiB");
  EXPECT_EQ(bytes_text(1048525), "1 MiB");
  EXPECT_EQ(bytes_text(1ull << 20), "1 MiB");
  EXPECT_EQ(bytes_text(1ull << 30), "1 GiB");
  EXPECT_EQ(bytes_text((1ull << 30) - 1), "1 GiB");
  EXPECT_EQ(bytes_text(123456789), "117.7 MiB");
  EXPECT_EQ(bytes_text(100ull << 20), "100 MiB");
  EXPECT_EQ(bytes_text(1ull << 40), "1 TiB");
  EXPECT_EQ(bytes_text(5ull << 50), "5 PiB");
  EXPECT_EQ(bytes_text(1ull << 60), "1 EiB");
  EXPECT_EQ(bytes_text(~0ull), "16 EiB");
}

}  // namespace
}  // namespace pivotscope
