// The kernel cache on disk: a hit, a miss, everything that can be wrong with a file or a folder. The compiler behind
// it: jit_cache_test.cpp.
#include "core/machine/kernel_cache.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include "core/common/whole_file.hpp"
#include "tests/app/expectations.hpp"
#include "tests/support/failing_file_calls.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

class KernelCache : public ::testing::Test {
 protected:
  kernel_cache open() const {
    auto cache = kernel_cache::open({folder_ / "a/b", "--cache-folder"});
    EXPECT_TRUE(cache) << cache.error().words;
    return *cache;
  }
  static std::string read(const fs::path& file) { return contents_of(file); }
  static void write(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

  const scratch_folder folder_;
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
  folder_.write("file", "");
  for (const fs::path& path : {folder_ / "file/cache", folder_ / "file", fs::path("/proc/pivotscope")}) {
    const auto cache = kernel_cache::open({path, "PIVOTSCOPE_CACHE"});
    ASSERT_FALSE(cache) << path;
    const std::string& words = cache.error().words;
    EXPECT_NE(words.find(path.string()), std::string::npos) << words;
    EXPECT_NE(words.find("named by PIVOTSCOPE_CACHE"), std::string::npos) << words;
    EXPECT_NE(words.find("--cache-folder"), std::string::npos) << words;
  }
  const std::string advice = " Name one that can be written, with --cache-folder or PIVOTSCOPE_CACHE.";
  EXPECT_EQ(kernel_cache::open({folder_ / "file/cache", "--cache-folder"}).error().words,
            "The folder for compiled kernels named by --cache-folder, " + (folder_ / "file/cache").string() +
                ", cannot be made: Not a directory." + advice);
  EXPECT_EQ(
      kernel_cache::open({"", ""}).error().words,
      "The folder for compiled kernels, (none), cannot be found: neither HOME nor XDG_CACHE_HOME is set." + advice);
}

TEST_F(KernelCache, AReadOnlyFolderIsAProblemInWords) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::create_directory(folder_ / "locked");
  chmod((folder_ / "locked").c_str(), 0555);
  const auto cache = kernel_cache::open({folder_ / "locked", "--cache-folder"});
  ASSERT_FALSE(cache);
  EXPECT_NE(cache.error().words.find("Permission denied"), std::string::npos) << cache.error().words;
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

TEST_F(KernelCache, AFailureLeavesTheOldKernelAndIsSaid) {
  const kernel_cache cache = open();
  const std::string other(70'000, 'y');
  with_every_fault(
      [&] {
        fs::remove_all(cache.folder());
        fs::create_directory(cache.folder());
        ASSERT_EQ(cache.store(key_, code_), "");
      },
      [&] { return cache.store(key_, other); },
      [&](const std::string& words, const file_fault& fault, const failing_file_calls& calls) {
        EXPECT_EQ(cache.load(key_).code, words.empty() ? other : code_);
        if (calls.crashed()) {
          let_writers_die(cache.folder());
          EXPECT_EQ(cache.store(key_, other), "");
        } else if (!words.empty()) {
          EXPECT_TRUE(words.starts_with("The compiled kernel could not be kept: cannot write ")) << words;
          expect_part(words, cache.file(key_).string());
          expect_part(words, system_words(fault.number));
        }
        EXPECT_EQ(files_of(cache.folder()).size(), 1u) << "temporary files are left";
      });
}

TEST_F(KernelCache, AFailingReadIsAMissAndNeverAnotherKernel) {
  const kernel_cache cache = open();
  ASSERT_EQ(cache.store(key_, code_), "");
  with_every_fault([] {}, [&] { return cache.load(key_); },
                   [&](const kernel_cache::found& found, const file_fault& fault, const failing_file_calls&) {
                     if (found.code) {
                       EXPECT_EQ(*found.code, code_);
                       EXPECT_EQ(found.note, "");
                       return;
                     }
                     const int error = fault.what == file_fault::kind::error ? fault.number : EIO;
                     EXPECT_EQ(found.note, "The compiled kernel " + cache.file(key_).string() + " cannot be read (" +
                                               system_words(error) + "); it is compiled again.");
                   });
}

TEST_F(KernelCache, OpeningTriesToWriteAndLeavesNothing) {
  const fs::path path = folder_ / "cache";
  with_every_fault([&] { fs::remove_all(path); },
                   [&] {
                     return kernel_cache::open({path, ""});
                   },
                   [&](const outcome<kernel_cache>& opened, const file_fault&, const failing_file_calls& calls) {
                     if (calls.crashed()) return;
                     EXPECT_EQ(files_of(path).size(), calls.name() == "remove" ? 1u : 0u);
                     if (!opened) expect_part(opened.error().words, "cannot be written: cannot write " + path.string());
                   });
}

TEST_F(KernelCache, SeveralThreadsOpenAtOnce) {
  std::atomic<u32> refused{0};
  {
    std::vector<std::jthread> threads;
    for (u32 t = 0; t < 8; ++t) {
      threads.emplace_back([&] {
        for (u32 i = 0; i < 300; ++i) refused += !kernel_cache::open({folder_ / "a/b", "--cache-folder"});
      });
    }
  }
  EXPECT_EQ(refused, 0u);
  EXPECT_TRUE(fs::is_empty(folder_ / "a/b"));
}

TEST_F(KernelCache, SaysWhatIsWrongWithAFile) {
  const kernel_cache cache = open();
  ASSERT_EQ(cache.store(key_, code_), "");
  const std::string whole = read(cache.file(key_)), name = cache.file(key_).string();
  const auto expect = [&](const std::string& bytes, const std::string& why) {
    write(cache.file(key_), bytes);
    EXPECT_EQ(cache.load(key_).note, "The compiled kernel " + name + " " + why + "; it is compiled again.");
  };
  const auto damaged = [&](std::size_t at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    return bytes;
  };
  expect(whole.substr(0, 55), "is cut short");
  expect(damaged(0), "is no file of pivotscope's");
  expect(damaged(8), "is of another version of pivotscope");
  expect(whole + "x", "has not the length that it says");
  expect(whole.substr(0, 56), "has not the length that it says");
  for (const std::size_t at : {16, 24, 40, 48, 56}) expect(damaged(at), "is damaged: its checksum is wrong");
  EXPECT_EQ(cache.file(key_).filename(), "00000000000000020000000000000001.kernel");
  EXPECT_EQ(whole.substr(0, 32), std::string("PVSKERN\n\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0", 32));
}

TEST(HashParts, ListsDoNotRunTogether) {
  const std::string_view joined[] = {"ab", "c"}, apart[] = {"a", "bc"};
  EXPECT_NE(hash_parts(joined), hash_parts(apart));
  EXPECT_EQ(hash_parts(joined), hash_parts(joined));
}

}  // namespace
}  // namespace pivotscope
