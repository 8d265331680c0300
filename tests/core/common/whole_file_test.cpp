// A file is there in whole or not at all, whatever stands in the way.
#include "core/common/whole_file.hpp"

#include <gtest/gtest.h>
#include <sys/file.h>

#include <future>
#include <thread>

#include "tests/app/expectations.hpp"
#include "tests/support/failing_file_calls.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;
using files = std::map<std::string, std::string>;

std::string refusal(const status& s) { return s ? "" : s.error().words; }
mode_t mode_of(const fs::path& path) {
  struct stat about {};
  ::stat(path.c_str(), &about);
  return about.st_mode & 07777;
}

class whole_file_in : public ::testing::Test {
 protected:
  fs::path at(const char* name) const { return folder_ / name; }
  files there() const { return files_of(at("")); }
  const scratch_folder folder_;
};

TEST_F(whole_file_in, a_new_file_and_an_old_one) {
  ASSERT_EQ(refusal(write_whole_file(at("new"), "one")), "");
  EXPECT_EQ(there(), (files{{"new", "one"}}));
  ASSERT_EQ(refusal(write_whole_file(at("new"), "")), "");
  EXPECT_EQ(there(), (files{{"new", ""}}));
}

TEST_F(whole_file_in, a_new_file_has_the_mode_that_the_umask_leaves) {
  const mode_t before = ::umask(027);
  ASSERT_EQ(refusal(write_whole_file(at("new"), "one")), "");
  ::umask(before);
  EXPECT_EQ(mode_of(at("new")), 0640u);
}

TEST_F(whole_file_in, an_old_file_keeps_its_mode) {
  folder_.write("old", "one");
  for (const mode_t mode : {0600u, 0666u, 0755u}) {
    ::chmod(at("old").c_str(), mode);
    const outcome<whole_file> file = whole_file::open(at("old"));
    ASSERT_TRUE(file) << file.error().words;
    for (const auto& [name, bytes] : there()) EXPECT_EQ(mode_of(at(name.c_str())), mode) << name;
  }
  ::chmod(at("old").c_str(), 0640);
  ASSERT_EQ(refusal(write_whole_file(at("old"), "two")), "");
  EXPECT_EQ(mode_of(at("old")), 0640u);
}

// Not by chmod: root may write everywhere.
class protected_file final : public file_calls {
 public:
  protected_file(fs::path path, int wanted) : path_(std::move(path)), wanted_(wanted) {}
  int access(const char* path, int wanted) override {
    if (path != path_) return file_calls::access(path, wanted);
    EXPECT_EQ(wanted, wanted_);
    errno = EACCES;
    return -1;
  }

 private:
  fs::path path_;
  int wanted_;
};

TEST_F(whole_file_in, what_is_protected_is_refused_before_anything_happens) {
  folder_.write("old", "one");
  {
    protected_file calls(at("old"), W_OK);
    const file_calls_in_place in_place(calls);
    const std::string words = "cannot write " + at("old").string() + ": Permission denied";
    EXPECT_EQ(refusal(check_writable(at("old"))), words);
    EXPECT_EQ(refusal(write_whole_file(at("old"), "two")), words);
  }
  const fs::path folder = at("old").parent_path();
  protected_file calls(folder, W_OK | X_OK);
  const file_calls_in_place in_place(calls);
  const std::string words =
      "cannot write " + at("old").string() + ": the folder " + folder.string() + ": Permission denied";
  EXPECT_EQ(refusal(check_writable(at("old"))), words);
  EXPECT_EQ(refusal(write_whole_file(at("old"), "two")), words);
  EXPECT_EQ(there(), (files{{"old", "one"}}));
}

TEST_F(whole_file_in, what_is_not_finished_has_not_happened) {
  folder_.write("old", "one");
  {
    outcome<whole_file> file = whole_file::open(at("old"));
    ASSERT_TRUE(file) << file.error().words;
    ASSERT_TRUE(file->write("two"));
    const whole_file moved = std::move(*file);
    EXPECT_EQ(there().size(), 2u);
    EXPECT_EQ(there()["old"], "one");
  }
  EXPECT_EQ(there(), (files{{"old", "one"}}));
}

TEST_F(whole_file_in, links_are_followed_and_stay) {
  fs::create_directory(at("deep"));
  fs::create_symlink("deep/second", at("first"));           // relative to the link's folder
  fs::create_symlink(at("target"), at("deep") / "second");  // absolute
  for (const char* words : {"dangling", "there"}) {
    EXPECT_EQ(refusal(check_writable(at("first"))), "");
    ASSERT_EQ(refusal(write_whole_file(at("first"), words)), "");
    EXPECT_EQ(fs::read_symlink(at("first")), "deep/second");
    EXPECT_TRUE(fs::is_symlink(at("deep") / "second"));
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(at("target"))));
    EXPECT_EQ(contents_of(at("target")), words);
    EXPECT_FALSE(has_temporaries(at("")) || has_temporaries(at("deep")));
  }
}

TEST_F(whole_file_in, a_loop_of_links_is_refused) {
  fs::create_symlink("b", at("a"));
  fs::create_symlink("a", at("b"));
  const std::string words = "cannot write " + at("a").string() + ": Too many levels of symbolic links";
  EXPECT_EQ(refusal(check_writable(at("a"))), words);
  EXPECT_EQ(refusal(write_whole_file(at("a"), "one")), words);
  EXPECT_TRUE(fs::is_symlink(at("a")) && fs::is_symlink(at("b")));
}

TEST_F(whole_file_in, forty_links_are_followed_and_no_more) {
  for (int i = 0; i < 41; ++i) fs::create_symlink(std::to_string(i + 1), at(std::to_string(i).c_str()));
  EXPECT_EQ(*behind_links(at("1")), at("41"));
  EXPECT_FALSE(behind_links(at("0")));
}

TEST_F(whole_file_in, a_path_that_leads_nowhere_is_refused) {
  const std::string file = folder_.write("file", "one");
  fs::create_symlink(at("no") / "target", at("link"));
  const auto expect = [](const fs::path& path, const std::string& words) {
    EXPECT_EQ(refusal(check_writable(path)), words);
    EXPECT_EQ(refusal(write_whole_file(path, "two")), words);
  };
  expect("", "the name of the file to write is empty");
  expect(folder_ / "", "cannot write " + (folder_ / "").string() + ": Is a directory");
  expect(at("no") / "file", "cannot write " + (at("no") / "file").string() + ": the folder " + at("no").string() +
                                ": No such file or directory");
  expect(at("link"),
         "cannot write " + at("link").string() + ": the folder " + at("no").string() + ": No such file or directory");
  expect(fs::path(file) / "file", "cannot write " + file + "/file: Not a directory");
  const std::string longest(256, 'x');
  expect(at(longest.c_str()), "cannot write " + at(longest.c_str()).string() + ": File name too long");
  EXPECT_EQ(there(), (files{{"file", "one"}}));
}

TEST_F(whole_file_in, the_longest_name_has_room_for_a_temporary) {
  const std::string longest(255, 'x');
  ASSERT_EQ(refusal(write_whole_file(at(longest.c_str()), "one")), "");
  EXPECT_EQ(there(), (files{{longest, "one"}}));
}

TEST_F(whole_file_in, a_name_without_a_folder_is_in_this_one) {
  const fs::path before = fs::current_path();
  fs::current_path(at(""));
  EXPECT_EQ(refusal(check_writable("here")), "");
  EXPECT_EQ(refusal(write_whole_file("here", "one")), "");
  fs::current_path(before);
  EXPECT_EQ(there(), (files{{"here", "one"}}));
}

TEST_F(whole_file_in, devices_are_written_as_they_are) {
  EXPECT_EQ(refusal(check_writable("/dev/null")), "");
  EXPECT_EQ(refusal(write_whole_file("/dev/null", std::string(100'000, 'x'))), "");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  if (!fs::exists("/dev/full")) return;
  EXPECT_EQ(refusal(check_writable("/dev/full")), "");
  EXPECT_EQ(refusal(write_whole_file("/dev/full", "x")), "cannot write /dev/full: No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(whole_file_in, a_pipe_is_written_as_its_reader_reads) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  const std::string bytes = [] {
    std::string text;
    for (int i = 0; text.size() < 200'000; ++i) text += std::to_string(i) + "\n";
    return text;
  }();
  std::future<std::string> read = std::async(std::launch::async, [&] { return contents_of(at("pipe")); });
  EXPECT_EQ(refusal(write_whole_file(at("pipe"), bytes)), "");
  EXPECT_EQ(read.get(), bytes);
  EXPECT_TRUE(fs::is_fifo(at("pipe")));
}

TEST_F(whole_file_in, waiting_for_a_pipe_ends_when_cancelled) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  job_control control;
  std::thread canceller([&] { control.cancel(); });
  const outcome<whole_file> nobody = whole_file::open(at("pipe"), power_cut::survives, control);
  canceller.join();
  ASSERT_FALSE(nobody);
  EXPECT_TRUE(nobody.error().cancelled);

  const file_descriptor idle(at("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  job_control other;
  outcome<whole_file> file = whole_file::open(at("pipe"), power_cut::survives, other);
  ASSERT_TRUE(file) << file.error().words;
  std::thread second([&] { other.cancel(); });
  const status full = file->write(std::string(1 << 22, 'x'), other);  // more than a pipe holds
  second.join();
  ASSERT_FALSE(full);
  EXPECT_TRUE(full.error().cancelled);
}

// Standard output goes to a file while it lives.
class output_to {
 public:
  output_to(int stream, const fs::path& path) : stream_(stream), before_(::dup(stream)) {
    const file_descriptor file(path.c_str(), O_WRONLY | O_CREAT, 0600);
    ::dup2(file.number(), stream_);
  }
  ~output_to() {
    ::dup2(before_, stream_);
    ::close(before_);
  }

 private:
  int stream_, before_;
};

TEST_F(whole_file_in, what_a_standard_stream_goes_to_is_added_to) {
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    for (const fs::path& path : {fs::path(fmt::format("/dev/fd/{}", stream)), at("out")}) {
      fs::remove(at("out"));
      status written = fine();
      {
        const output_to file(stream, at("out"));
        EXPECT_EQ(::write(stream, "before, ", 8), 8);
        written = write_whole_file(path, "between, ");
        EXPECT_EQ(::write(stream, "after", 5), 5);
      }
      EXPECT_EQ(refusal(written), "");
      EXPECT_EQ(there(), (files{{"out", "before, between, after"}})) << path;
    }
  }
}

TEST_F(whole_file_in, a_failure_leaves_the_old_file_and_nothing_else) {
  const std::string old(5000, 'o'), fresh(100'000, 'n');
  with_every_fault(
      [&] {
        fs::remove_all(at(""));
        fs::create_directory(at(""));
        folder_.write("file", old);
      },
      [&] { return write_whole_file(at("file"), fresh); },
      [&](const status& written, const file_fault& fault, const failing_file_calls& calls) {
        if (calls.crashed()) {
          EXPECT_EQ(contents_of(at("file")), old);
          let_writers_die(at(""));
        } else if (written) {
          EXPECT_EQ(there(), (files{{"file", fresh}}));
        } else {
          EXPECT_EQ(there(), (files{{"file", old}}));
          expect_part(refusal(written), "cannot write " + at("file").string() + ": ");
          expect_part(refusal(written), system_words(fault.number));
        }
        EXPECT_EQ(refusal(write_whole_file(at("file"), fresh)), "");
        EXPECT_EQ(there(), (files{{"file", fresh}}));
      });
}

// Which calls are allowed to fail, and which are tried again.
TEST_F(whole_file_in, an_interrupted_call_is_no_failure) {
  std::map<std::string, bool> right;
  with_every_fault([&] { folder_.write("file", "old"); }, [&] { return write_whole_file(at("file"), "new"); },
                   [&](const status& written, const file_fault& fault, const failing_file_calls& calls) {
                     if (fault.what != file_fault::kind::error || fault.number != EINTR) return;
                     right[calls.name()] = written.ok();
                   });
  EXPECT_EQ(right, (std::map<std::string, bool>{{"access", false},
                                                {"close", true},
                                                {"lock", true},
                                                {"open", true},
                                                {"rename", false},
                                                {"set_mode", false},
                                                {"sync", true},
                                                {"write", true}}));
}

TEST_F(whole_file_in, a_stream_that_fails_says_so) {
  with_every_fault([] {}, [&] { return write_whole_file("/dev/null", "some bytes"); },
                   [&](const status& written, const file_fault& fault, const failing_file_calls& calls) {
                     const bool right =
                         fault.what == file_fault::kind::half || (fault.number == EINTR && calls.name() != "access");
                     EXPECT_EQ(written.ok(), right) << refusal(written);
                     if (!right) expect_part(refusal(written), "cannot write /dev/null: ");
                   });
}

class counted_syncs final : public file_calls {
 public:
  int sync(int file) override { return ++syncs, file_calls::sync(file); }
  int syncs = 0;
};

TEST_F(whole_file_in, only_what_must_survive_a_power_cut_waits_for_the_disk) {
  counted_syncs calls;
  const file_calls_in_place in_place(calls);
  ASSERT_TRUE(write_whole_file(at("file"), "one", power_cut::may_damage));
  EXPECT_EQ(calls.syncs, 0);
  ASSERT_TRUE(write_whole_file(at("file"), "two", power_cut::survives));
  EXPECT_EQ(calls.syncs, 1);
  ASSERT_TRUE(write_whole_file("/dev/null", "three"));
  EXPECT_EQ(calls.syncs, 1);
}

TEST_F(whole_file_in, what_a_killed_process_left_is_taken_away) {
  const auto left_by = [](int process, const char* number) { return fmt::format("file.{}.{}.tmp", process, number); };
  const std::string mine = left_by(::getpid(), "77777"), locked = left_by(no_process, "2");
  files strangers;
  for (const std::string& name :
       {mine, locked, fmt::format("file.{}.tmp", no_process), fmt::format("file.{}.0.tmp.x", no_process),
        fmt::format("other.{}.0.tmp", no_process), fmt::format("file.{}.0", no_process), std::string("file.x.0.tmp"),
        fmt::format("file.-{}.0.tmp", no_process), fmt::format("file.{}.0x.tmp", no_process),
        fmt::format("file.{}x0.tmp", no_process), std::string("file.0.0.tmp"),
        fmt::format("file{}.0.tmp", no_process)}) {
    folder_.write(name.c_str(), name);
    strangers[name] = name;
  }
  for (const char* number : {"0", "1", "3", "4"}) folder_.write(left_by(no_process, number).c_str(), "half of ");
  const file_descriptor holder(at(locked.c_str()).c_str(), O_RDONLY);
  ASSERT_EQ(::flock(holder.number(), LOCK_SH), 0);
  ASSERT_EQ(refusal(write_whole_file(at("file"), "one")), "");
  strangers["file"] = "one";
  EXPECT_EQ(there(), strangers);
}

TEST_F(whole_file_in, a_temporary_is_locked_while_it_is_written) {
  const outcome<whole_file> file = whole_file::open(at("file"));
  ASSERT_TRUE(file);
  ASSERT_EQ(there().size(), 1u);
  const file_descriptor other(at(there().begin()->first.c_str()).c_str(), O_RDONLY);
  EXPECT_NE(::flock(other.number(), LOCK_EX | LOCK_NB), 0);
}

TEST_F(whole_file_in, a_name_that_is_taken_is_passed_over) {
  {
    const outcome<whole_file> first = whole_file::open(at("file"));
    ASSERT_TRUE(first);
    const std::string name = there().begin()->first;  // file.PROCESS.NUMBER.tmp
    const std::size_t dot = name.rfind('.', name.size() - 5);
    const int number = std::stoi(name.substr(dot + 1));
    for (int next = 1; next <= 3; ++next)
      folder_.write((name.substr(0, dot + 1) + std::to_string(number + next) + ".tmp").c_str(), "left");
  }
  EXPECT_EQ(refusal(write_whole_file(at("file"), "one")), "");
  EXPECT_EQ(there()["file"], "one");
  EXPECT_EQ(there().size(), 4u);
}

TEST_F(whole_file_in, reading_is_all_or_an_error) {
  for (const std::size_t size : {0u, 1u, 65'535u, 65'536u, 65'537u, 200'000u}) {
    std::string bytes(size, 'x');
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 7 + i / 65'536);
    folder_.write("file", bytes);
    std::string back = "what was there before";
    EXPECT_EQ(read_whole_file(at("file"), back), 0);
    EXPECT_EQ(back, bytes);
  }
  std::string back;
  EXPECT_EQ(read_whole_file(at("none"), back), ENOENT);
  EXPECT_EQ(read_whole_file(at(""), back), EISDIR);
  const std::string bytes(150'000, 'b');
  folder_.write("file", bytes);
  u32 right = 0, cut = 0;
  with_every_fault([] {}, [&] { return read_whole_file(at("file"), back); },
                   [&](int error, const file_fault& fault, const failing_file_calls& calls) {
                     if (error == 0) {
                       EXPECT_EQ(back, bytes);
                       ++right;
                       return;
                     }
                     const bool says = fault.what == file_fault::kind::error;
                     EXPECT_EQ(error, says ? fault.number : EIO) << calls.name();
                     cut += fault.what == file_fault::kind::end ? 1 : 0;
                   });
  EXPECT_GT(right, 5u);
  EXPECT_GE(cut, 2u);
}

}  // namespace
}  // namespace pivotscope
