#include "core/workload/control_group.hpp"

#include <gtest/gtest.h>

#include "tests/support/file_tree.hpp"

namespace pivotscope {
namespace {

constexpr u64 no_limit = ~0ull;

constexpr const char* mount_2 = "41 31 0:38 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw\n";
constexpr const char* mount_1 =
    "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
    "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu\n"
    "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:9 master:1 - cgroup cgroup rw,memory\n";

// A tree of /proc/self/mountinfo, /proc/self/cgroup and groups.
class control_group : public ::testing::Test {
 protected:
  void process(std::string_view mounts, std::string_view groups) const {
    tree_.write("proc/self/mountinfo", mounts);
    tree_.write("proc/self/cgroup", groups);
  }
  void group_2(const std::string& folder, std::string_view limit, std::string_view used,
               std::string_view stat = {}) const {
    tree_.write(folder + "/memory.max", fmt::format("{}\n", limit));
    tree_.write(folder + "/memory.current", fmt::format("{}\n", used));
    if (!stat.empty()) tree_.write(folder + "/memory.stat", stat);
  }
  void group_1(const std::string& folder, std::string_view limit, std::string_view used,
               std::string_view stat = {}) const {
    tree_.write(folder + "/memory.limit_in_bytes", fmt::format("{}\n", limit));
    tree_.write(folder + "/memory.usage_in_bytes", fmt::format("{}\n", used));
    if (!stat.empty()) tree_.write(folder + "/memory.stat", stat);
  }
  u64 left() const { return control_group_memory(tree_.root()); }

  file_tree tree_;
};

TEST_F(control_group, of_nothing_sets_no_limit) {
  EXPECT_EQ(left(), no_limit);
  process("", "");
  EXPECT_EQ(left(), no_limit);
  process(mount_2, "");
  group_2("sys/fs/cgroup", "100", "30");
  EXPECT_EQ(left(), no_limit) << "the process is in no group";
  process("", "0::/\n");
  EXPECT_EQ(left(), no_limit) << "nothing is mounted";
}

TEST_F(control_group, of_version_2_leaves_limit_minus_use) {
  process(mount_2, "0::/\n");
  group_2("sys/fs/cgroup", "1000", "300");
  EXPECT_EQ(left(), 700u);
  group_2("sys/fs/cgroup", "1000", "1000");
  EXPECT_EQ(left(), 0u);
  group_2("sys/fs/cgroup", "1000", "1001");
  EXPECT_EQ(left(), 0u);
  group_2("sys/fs/cgroup", "0", "0");
  EXPECT_EQ(left(), 0u);
  group_2("sys/fs/cgroup", "max", "300");
  EXPECT_EQ(left(), no_limit);
}

TEST_F(control_group, counts_page_cache_that_is_given_back_as_free) {
  process(mount_2, "0::/job\n");
  group_2("sys/fs/cgroup/job", "1000", "300", "anon 50\nfile 200\nactive_file 40\ninactive_file 160\nslab 3\n");
  EXPECT_EQ(left(), 860u);
  group_2("sys/fs/cgroup/job", "1000", "300", "inactive_file 301\n");
  EXPECT_EQ(left(), 1000u) << "the two files were not written at one time";
  group_2("sys/fs/cgroup/job", "1000", "300", "anon\n");
  EXPECT_EQ(left(), 700u);
  group_2("sys/fs/cgroup/job", "1000", "300", "inactive_file\n");
  EXPECT_EQ(left(), 700u);
}

TEST_F(control_group, is_the_process_s_own_and_every_one_above_it) {
  process(mount_2, "0::/system.slice/slurmstepd.scope/job_7\n");
  group_2("sys/fs/cgroup/system.slice/slurmstepd.scope/job_7", "max", "100");
  group_2("sys/fs/cgroup/system.slice/slurmstepd.scope", "5000", "1000");
  group_2("sys/fs/cgroup/system.slice", "9000", "2000");
  group_2("sys/fs/cgroup/system.slice/other", "1", "0");
  EXPECT_EQ(left(), 4000u) << "the parent's";
  group_2("sys/fs/cgroup/system.slice/slurmstepd.scope/job_7", "600", "100");
  EXPECT_EQ(left(), 500u) << "its own";
  group_2("sys/fs/cgroup/system.slice", "9000", "8600");
  EXPECT_EQ(left(), 400u) << "the one below the root";
  group_2("sys/fs/cgroup", "300", "1");
  EXPECT_EQ(left(), 299u) << "the root's";
  group_2(".", "7", "1");
  EXPECT_EQ(left(), 299u) << "above the mount there is no group";
}

TEST_F(control_group, of_version_1_is_where_memory_is_mounted) {
  process(mount_1, "9:name=systemd:/\n4:memory:/slurm/uid_5/job_3\n3:cpuset,cpu:/elsewhere\n1:cpu:/a\n0::/\n");
  group_1("sys/fs/cgroup/memory/slurm/uid_5/job_3", "9223372036854771712", "500");
  EXPECT_EQ(left(), 9223372036854771712u - 500);
  group_1("sys/fs/cgroup/memory/slurm/uid_5", "1000", "400", "inactive_file 1\nrss 7\ntotal_inactive_file 250\n");
  EXPECT_EQ(left(), 850u);
  group_1("sys/fs/cgroup/memory/slurm/uid_5", "1000", "400", "inactive_file 1\nrss 7\n");
  EXPECT_EQ(left(), 601u);
  group_1("sys/fs/cgroup/cpu/a", "1", "0");
  group_1("sys/fs/cgroup/memory/elsewhere", "1", "0");
  EXPECT_EQ(left(), 601u);
}

TEST_F(control_group, of_version_1_may_have_several_controllers) {
  process("35 31 0:32 / /groups rw - cgroup cgroup rw,cpu,memory\n", "4:cpu,memory:/job\n");
  group_1("groups/job", "1000", "400");
  EXPECT_EQ(left(), 600u);
  process("35 31 0:32 / /groups rw - cgroup cgroup rw,memory_other\n", "4:memory:/job\n");
  EXPECT_EQ(left(), no_limit);
  process("35 31 0:32 / /groups rw - cgroup cgroup rw,memory\n", "4:my,memory_other:/job\n");
  EXPECT_EQ(left(), no_limit);
  process("35 31 0:32 / /groups rw - cgroup cgroup memory,rw\n", "4:memory,cpu:/job\n");
  EXPECT_EQ(left(), 600u);
}

TEST_F(control_group, of_both_versions_leave_the_lesser) {
  const std::string both = std::string(mount_1) + "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
  process(both, "4:memory:/old\n0::/new\n");
  group_1("sys/fs/cgroup/memory/old", "1000", "400");
  group_2("sys/fs/cgroup/unified/new", "2000", "1500");
  EXPECT_EQ(left(), 500u);
  group_2("sys/fs/cgroup/unified/new", "2000", "1300");
  EXPECT_EQ(left(), 600u);
}

TEST_F(control_group, of_a_container_is_mounted_from_within_the_tree) {
  process("41 31 0:38 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup rw\n", "0::/docker/abc/inner\n");
  group_2("sys/fs/cgroup/inner", "1000", "100");
  EXPECT_EQ(left(), 900u);
  group_2("sys/fs/cgroup", "1000", "200");
  EXPECT_EQ(left(), 800u);
  process("41 31 0:38 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup rw\n", "0::/docker/abc\n");
  EXPECT_EQ(left(), 800u);
}

TEST_F(control_group, of_others_set_no_limit) {
  group_2("sys/fs/cgroup", "1000", "200");
  process("41 31 0:38 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup rw\n", "0::/docker/abcd\n");
  EXPECT_EQ(left(), no_limit);
  process("41 31 0:38 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup rw\n", "0::/docker\n");
  EXPECT_EQ(left(), no_limit);
}

TEST_F(control_group, above_its_namespace_is_taken_as_it_is_mounted) {
  process("41 31 0:38 /.. /sys/fs/cgroup rw - cgroup2 cgroup rw\n", "0::/\n");
  group_2("sys/fs/cgroup", "1000", "200");
  EXPECT_EQ(left(), 800u);
}

TEST_F(control_group, is_found_at_every_mount) {
  process(
      "41 31 0:38 /job /first rw - cgroup2 cgroup rw\n42 31 0:38 /other /second rw - cgroup2 cgroup rw\n"
      "43 31 0:38 / /third rw - cgroup2 cgroup rw\n",
      "0::/job\n");
  group_2("first", "1000", "200");
  group_2("second", "1000", "999");
  group_2("third", "1000", "500");
  EXPECT_EQ(left(), 500u);
}

TEST_F(control_group, has_names_with_blanks) {
  process("41 31 0:38 / /my\\040groups\\134x rw - cgroup2 cgroup rw\n", "0::/a b\n");
  group_2("my groups\\x/a b", "1000", "200");
  EXPECT_EQ(left(), 800u);
  process("41 31 0:38 / /my\\04groups\\189\\777\\ rw - cgroup2 cgroup rw\n", "0::/\n");
  group_2("my\\04groups\\189\xff\\", "1000", "300");
  EXPECT_EQ(left(), 700u);
}

TEST_F(control_group, that_cannot_be_understood_sets_no_limit) {
  group_2("sys/fs/cgroup", "1000", "200");
  for (const char* mounts : {"\n", "41\n", "41 31 0:38 / /sys/fs/cgroup\n", "41 31 0:38 / /sys/fs/cgroup rw -\n",
                             "- - - -\n", "41 31 0:38 / /sys/fs/cgroup rw cgroup2 cgroup2 rw\n", "\xff\x01\n"}) {
    process(mounts, "0::/\n");
    EXPECT_EQ(left(), no_limit) << mounts;
  }
  for (const char* groups : {"\n", "0\n", "0:\n", "0:/\n", "::", "0::", ":", "\xff\n", "4:memory:/\n"}) {
    process(mount_2, groups);
    EXPECT_EQ(left(), no_limit) << groups;
  }
  process(std::string("garbage\n") + mount_2, "garbage\n0:\n0::/\n");
  EXPECT_EQ(left(), 800u) << "other lines do not matter";
  for (const char* garbage : {"", "much", "18446744073709551616"}) {
    group_2("sys/fs/cgroup", garbage, "200");
    EXPECT_EQ(left(), no_limit) << garbage;
    group_2("sys/fs/cgroup", "1000", garbage);
    EXPECT_EQ(left(), no_limit) << garbage;
  }
}

}  // namespace
}  // namespace pivotscope
