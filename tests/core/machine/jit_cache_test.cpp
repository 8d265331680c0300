// The kernel cache on disk, with and without the compiler: a hit, a miss, everything that can be wrong with a file or a
// folder. Needs no device.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "core/index/family.hpp"
#include "core/machine/cuda/compile/compiler.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

class KernelCache : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "pivotscope-cache-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  kernel_cache open() const {
    auto cache = kernel_cache::open({folder_ / "a" / "b", "--cache-folder"});
    EXPECT_TRUE(cache) << cache.error().words;
    return *cache;
  }
  static std::string read(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void write(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }
  static kernel_compiler compiler(const kernel_cache& cache, u32 capability = 90) {
    const auto& found = find_nvrtc();
    EXPECT_TRUE(found) << found.error().words;
    return {*found, compile_target{capability, true}, cache};
  }

  fs::path folder_;
  const cache_key key_{1, 2};
  const std::string code_ = std::string(
                                "\x7f"
                                "ELF\0 and so on",
                                15) +
                            std::string(100000, 'x');
};

TEST_F(KernelCache, ACompilerCompilesOnceAndReadsAfterwards) {
  const kernel_cache cache = open();
  const kernel_program program = lookup_program(default_config());
  const auto first = compiler(cache).get(program);
  ASSERT_TRUE(first) << first.error().words;
  EXPECT_EQ(first->origin, kernel_info::source::compiled);
  const auto second = compiler(cache).get(program);
  ASSERT_TRUE(second) << second.error().words;
  EXPECT_EQ(second->origin, kernel_info::source::disk_cache);
  EXPECT_EQ(first->code, second->code);
  EXPECT_EQ(second->note, "");
  EXPECT_LE(second->ms, 20.0);

  const fs::path file = cache.file(compiler(cache).key(program));
  const std::string whole = read(file);
  write(file, whole.substr(0, whole.size() / 2));
  const auto third = compiler(cache).get(program);
  ASSERT_TRUE(third) << third.error().words;
  EXPECT_EQ(third->origin, kernel_info::source::compiled);
  EXPECT_NE(third->note, "");
  EXPECT_EQ(third->code, first->code);
  EXPECT_EQ(read(file), whole) << "a damaged file is written anew";
}

TEST_F(KernelCache, WorksOnWhenTheFolderGoesAway) {
  const kernel_cache cache = open();
  fs::remove_all(cache.folder());
  const auto code = compiler(cache).get(lookup_program(default_config()));
  ASSERT_TRUE(code) << code.error().words;
  EXPECT_EQ(code->origin, kernel_info::source::compiled);
  EXPECT_NE(code->note.find(cache.folder().string()), std::string::npos) << code->note;
}

TEST_F(KernelCache, KeysDifferByAllThatTheCodeDependsOn) {
  const kernel_cache cache = open();
  std::set<cache_key> keys;
  std::size_t programs = 0;
  for (const u32 capability : {80u, 90u}) {
    const kernel_compiler one = compiler(cache, capability);
    for (const u32 fanout : {2u, 9u}) {
      for (const key_width width : {key_width::u32, key_width::u64}) {
        ordered_config config;
        config.fanout = fanout;
        config.keys = width;
        keys.insert(one.key(lookup_program(config)));
        keys.insert(one.key(build_program(config)));
        programs += 2;
        config.launch.threads = 512;  // what only a lookup sees
        keys.insert(one.key(lookup_program(config)));
        keys.insert(one.key(build_program(config)));
        programs += 1;
      }
    }
  }
  EXPECT_EQ(keys.size(), programs);
  const std::string_view joined[] = {"ab", "c"}, apart[] = {"a", "bc"};
  EXPECT_NE(hash_parts(joined), hash_parts(apart));
}

}  // namespace
}  // namespace pivotscope
