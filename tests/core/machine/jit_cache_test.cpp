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

#include "core/machine/cuda/compiler.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

class KernelCache : public testing::Test {
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

TEST_F(KernelCache, GivesBackWhatWasStored) {
  const kernel_cache cache = open();
  EXPECT_FALSE(cache.load(key_).code);
  EXPECT_EQ(cache.load(key_).note, "");
  EXPECT_EQ(cache.store(key_, code_), "");
  EXPECT_EQ(cache.load(key_).code, code_);
  EXPECT_FALSE(cache.load({1, 3}).code);
  EXPECT_EQ(cache.store(key_, "other"), "");  // overwrites
  EXPECT_EQ(cache.load(key_).code, "other");
  EXPECT_EQ(cache.store(key_, ""), "");
  EXPECT_EQ(cache.load(key_).code, "");
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(cache.folder())) ++files;
  EXPECT_EQ(files, 1u) << "temporary files are left";
}

TEST_F(KernelCache, TakesEveryDamageForAMiss) {
  const kernel_cache cache = open();
  ASSERT_EQ(cache.store(key_, code_), "");
  const std::string whole = read(cache.file(key_));
  // Every byte of the head, and some of the code.
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < 64; ++at) places.push_back(at);
  places.push_back(whole.size() / 2);
  places.push_back(whole.size() - 1);
  for (const std::size_t at : places) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    write(cache.file(key_), damaged);
    EXPECT_FALSE(cache.load(key_).code) << "byte " << at;
    EXPECT_NE(cache.load(key_).note, "") << "byte " << at;
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{55}, std::size_t{56}, whole.size() - 1}) {
    write(cache.file(key_), whole.substr(0, size));
    EXPECT_FALSE(cache.load(key_).code) << size << " bytes";
    EXPECT_NE(cache.load(key_).note, "") << size << " bytes";
  }
  write(cache.file(key_), whole + "x");
  EXPECT_FALSE(cache.load(key_).code) << "longer";
  write(cache.file(key_), whole);
  EXPECT_TRUE(cache.load(key_).code);
}

TEST_F(KernelCache, TakesNoFileForAnother) {
  const kernel_cache cache = open();
  ASSERT_EQ(cache.store(key_, code_), "");
  fs::rename(cache.file(key_), cache.file({7, 7}));
  EXPECT_FALSE(cache.load({7, 7}).code);
}

TEST_F(KernelCache, AFolderInThePlaceOfAFileIsAMiss) {
  const kernel_cache cache = open();
  fs::create_directory(cache.file(key_));
  EXPECT_FALSE(cache.load(key_).code);
  EXPECT_NE(cache.store(key_, code_), "");
}

// A file where a folder should be stops root too, whom permissions do not.
TEST_F(KernelCache, AFolderThatCannotBeMadeIsAProblemInWords) {
  write(folder_ / "file", "");
  for (const fs::path& path : {folder_ / "file" / "cache", folder_ / "file", fs::path("/proc/pivotscope")}) {
    const auto cache = kernel_cache::open({path, "PIVOTSCOPE_CACHE"});
    ASSERT_FALSE(cache) << path;
    const std::string& words = cache.error().words;
    EXPECT_NE(words.find(path.string()), std::string::npos) << words;
    EXPECT_NE(words.find("named by PIVOTSCOPE_CACHE"), std::string::npos) << words;
    EXPECT_NE(words.find("--cache-folder"), std::string::npos) << words;
  }
  ASSERT_FALSE(kernel_cache::open({"", ""}));
}

TEST_F(KernelCache, AReadOnlyFolderIsAProblemInWords) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::create_directory(folder_ / "locked");
  chmod((folder_ / "locked").c_str(), 0555);
  const auto cache = kernel_cache::open({folder_ / "locked", "--cache-folder"});
  ASSERT_FALSE(cache);
  EXPECT_NE(cache.error().words.find("cannot be written: Permission denied"), std::string::npos) << cache.error().words;
}

TEST_F(KernelCache, ChoosesTheFolderThatIsNamedFirst) {
  const auto keep = [](const char* name) { return std::getenv(name) == nullptr ? std::string() : std::getenv(name); };
  const std::string cache = keep("PIVOTSCOPE_CACHE"), xdg = keep("XDG_CACHE_HOME"), home = keep("HOME");
  setenv("PIVOTSCOPE_CACHE", "/named", 1);
  setenv("XDG_CACHE_HOME", "/caches", 1);
  setenv("HOME", "/home/one", 1);
  EXPECT_EQ(choose_cache_folder("/option").path, "/option");
  EXPECT_EQ(choose_cache_folder("/option").named_by, "--cache-folder");
  EXPECT_EQ(choose_cache_folder("").path, "/named");
  EXPECT_EQ(choose_cache_folder("").named_by, "PIVOTSCOPE_CACHE");
  unsetenv("PIVOTSCOPE_CACHE");
  EXPECT_EQ(choose_cache_folder("").path, "/caches/pivotscope");
  EXPECT_EQ(choose_cache_folder("").named_by, "");
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(choose_cache_folder("").path, "/home/one/.cache/pivotscope");
  setenv("PIVOTSCOPE_CACHE", cache.c_str(), 1);  // empty counts as not set
  setenv("XDG_CACHE_HOME", xdg.c_str(), 1);
  setenv("HOME", home.c_str(), 1);
}

TEST_F(KernelCache, ACompilerCompilesOnceAndReadsAfterwards) {
  const kernel_cache cache = open();
  const kernel_program program = lookup_program({});
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
  const auto code = compiler(cache).get(lookup_program({}));
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
        index_config config;
        config.fanout = fanout;
        config.keys = width;
        keys.insert(one.key(lookup_program(config)));
        keys.insert(one.key(build_program(config)));
        programs += 2;
        config.threads = 512;  // what only a lookup sees
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
