#include "core/machine/cpu/host_pages.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace pivotscope {
namespace {

u64 address(const void* at) { return reinterpret_cast<u64>(at); }

// The value of a field of the mapping that `at` lies in, as /proc/self/smaps has it; empty where there is none.
std::string smaps_field(const void* at, std::string_view field) {
  std::ifstream smaps("/proc/self/smaps");
  bool here = false;
  for (std::string line; std::getline(smaps, line);) {
    unsigned long begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) here = begin <= address(at) && address(at) < end;
    if (here && line.starts_with(field)) return line.substr(field.size());
  }
  return {};
}

constexpr u64 mapped_anew = 20 * huge_page_bytes;

// Where no memory was freed before: in what malloc keeps of other tests' there may be former advice, and former huge pages.
class host_pages_anew : public ::testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};
#define EXPECT_TRUE_ANEW(statement) EXPECT_EXIT(std::_Exit((statement) ? 0 : 1), ::testing::ExitedWithCode(0), "")

bool is_advised(const void* at) { return (smaps_field(at, "VmFlags:") + " ").find(" hg ") != std::string::npos; }

// Whether this system takes the advice at all, and says so: some kernels are made without.
bool advice_shows() {
  const u64 bytes = 2 * huge_page_bytes;
  void* const at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return false;
  const bool shows = ::madvise(at, bytes, MADV_HUGEPAGE) == 0 && is_advised(at);
  ::munmap(at, bytes);
  return shows;
}

u64 words_that_do_not_hold(host_array<u64>& numbers, u64 n) {
  for (u64 i = 0; i < n; ++i) numbers[i] = i * 0x9e3779b97f4a7c15ull;
  u64 wrong = 0;
  for (u64 i = 0; i < n; ++i) wrong += numbers[i] != i * 0x9e3779b97f4a7c15ull;
  return wrong;
}

TEST(host_pages, every_byte_is_ours_at_every_size) {
  for (const u64 bytes : {u64{0}, u64{8}, u64{4096}, least_huge_bytes - 8, least_huge_bytes, least_huge_bytes + 8,
                          2 * least_huge_bytes - 8, 2 * least_huge_bytes + 4096}) {
    SCOPED_TRACE(bytes);
    host_array<u64> numbers = make_host_array<u64>(bytes / 8);
    ASSERT_NE(numbers, nullptr);
    EXPECT_EQ(words_that_do_not_hold(numbers, bytes / 8), 0u);
  }
}

TEST(host_pages, big_arrays_begin_at_a_huge_page_and_small_ones_are_plain) {
  EXPECT_FALSE(make_host_array<u32>(least_huge_bytes / 4 - 1).get_deleter().aligned);
  const host_array<u32> first = make_host_array<u32>(least_huge_bytes / 4);
  const host_array<std::byte> second = make_host_array<std::byte>(3 * least_huge_bytes + 1);
  for (const void* const at : {static_cast<const void*>(first.get()), static_cast<const void*>(second.get())})
    EXPECT_EQ(address(at) % huge_page_bytes, 0u);
  EXPECT_TRUE(first.get_deleter().aligned && second.get_deleter().aligned);
}

// radix_sort swaps the sorted array for its copy: each is freed as it was taken.
TEST(host_pages, change_hands_with_what_they_are_freed_with) {
  host_array<u32> small = make_host_array<u32>(16), big = make_host_array<u32>(least_huge_bytes / 4);
  const void* const was_big = big.get();
  small.swap(big);
  EXPECT_EQ(small.get(), was_big);
  EXPECT_TRUE(small.get_deleter().aligned);
  EXPECT_FALSE(big.get_deleter().aligned);
  big = std::move(small);
  EXPECT_EQ(big.get(), was_big);
  EXPECT_TRUE(big.get_deleter().aligned);
}

bool asks_for_whole_huge_pages() {
  const host_array<std::byte> big = make_host_array<std::byte>(mapped_anew + huge_page_bytes - 1);
  if (!is_advised(big.get()) || !is_advised(big.get() + mapped_anew - 1)) return false;
  return !is_advised(big.get() + mapped_anew + 4096);  // a part of a huge page would be held whole
}

bool is_plain_where_huge_ones_are_forbidden() {
  if (::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0) return false;
  host_array<u64> numbers = make_host_array<u64>(mapped_anew / 8);
  if (words_that_do_not_hold(numbers, mapped_anew / 8) != 0) return false;
  const std::string huge = smaps_field(numbers.get(), "AnonHugePages:");
  return huge.empty() || std::stoul(huge) == 0;
}

TEST_F(host_pages_anew, huge_ones_are_asked_for_where_the_system_has_them) {
  if (!advice_shows()) GTEST_SKIP() << "this system does not tell which pages were asked to be huge";
  EXPECT_TRUE_ANEW(asks_for_whole_huge_pages());
}

TEST_F(host_pages_anew, are_plain_where_huge_ones_are_forbidden) {
  if (::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0) GTEST_SKIP() << "huge pages cannot be forbidden here";
  ::prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
  EXPECT_TRUE_ANEW(is_plain_where_huge_ones_are_forbidden());
}

TEST(host_pages, what_is_not_there_is_bad_alloc) {
  EXPECT_THROW((void)make_host_array<u64>(~0ull / 4), std::bad_array_new_length);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // theirs end the program
  EXPECT_THROW((void)make_host_array<std::byte>(1ull << 60), std::bad_alloc);
  EXPECT_THROW((void)make_host_array<std::byte>(~0ull), std::bad_alloc);
#endif
}

}  // namespace
}  // namespace pivotscope
