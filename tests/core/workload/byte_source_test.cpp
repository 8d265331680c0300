#include "core/workload/files/byte_source.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "core/workload/files/key_file.hpp"
#include "core/workload/files/range_file.hpp"
#include "tests/support/file_tree.hpp"

namespace pivotscope {
namespace {

constexpr std::size_t a_block = byte_source::block_bytes;

// Bytes that differ from block to block.
std::string bytes_of(std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i % 251 + i / a_block);
  return bytes;
}

// All that is left, asked for in pieces.
std::string rest_of(byte_source& source, std::size_t piece) {
  std::string all, part(piece, '\0');
  while (true) {
    const outcome<std::size_t> got = source.read(part);
    EXPECT_TRUE(got.ok());
    if (!got) return all;
    all.append(part, 0, *got);
    if (*got < piece) return all;
  }
}

class pipe_source : public ::testing::Test {
 protected:
  // What comes out of a named pipe into which `bytes` are written.
  outcome<byte_source> through_pipe(std::string_view bytes, const job_control& control = {}) const {
    const std::filesystem::path path = fifo();
    std::thread writer([&] {
      const file_descriptor end(path.c_str(), O_WRONLY);
      (void)end.write(bytes);
    });
    outcome<byte_source> source = byte_source::open(path, "keys", control);
    writer.join();
    return source;
  }
  std::filesystem::path fifo() const {
    const std::filesystem::path path = tree_.root() / "pipe";
    ::unlink(path.c_str());
    EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0);
    return path;
  }

  file_tree tree_;
  char room_[10] = {};
};

TEST_F(pipe_source, of_a_file_gives_its_bytes_in_pieces_of_any_size) {
  const std::string bytes = bytes_of(1000);
  const std::filesystem::path path = tree_.write("file", bytes);
  for (const std::size_t piece : {1, 7, 999, 1000, 1001}) {
    outcome<byte_source> source = byte_source::open(path, "keys", {});
    ASSERT_TRUE(source.ok());
    EXPECT_EQ(source->size(), 1000u);
    EXPECT_EQ(source->name(), path.string());
    EXPECT_EQ(rest_of(*source, piece), bytes);
    EXPECT_EQ(*source->read(std::span(const_cast<char*>(bytes.data()), 1)), 0u);
  }
}

TEST_F(pipe_source, gives_every_byte_that_was_written) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{70'000}, a_block - 1, a_block, a_block + 1,
                                 2 * a_block, 2 * a_block + 17}) {
    const std::string bytes = bytes_of(size);
    outcome<byte_source> source = through_pipe(bytes);
    ASSERT_TRUE(source.ok());
    EXPECT_EQ(source->size(), size);
    std::string first(std::min<std::size_t>(size, 8), '\0');
    EXPECT_EQ(*source->read(first), first.size());
    EXPECT_TRUE(first + rest_of(*source, a_block) == bytes) << size;
    std::string more(5, 'x');
    EXPECT_EQ(*source->read(more), 0u);
  }
}

TEST_F(pipe_source, is_read_in_pieces_of_any_size) {
  const std::string bytes = bytes_of(a_block + 5000);
  for (const std::size_t piece : {std::size_t{4999}, a_block - 1, a_block + 5000, a_block + 5001}) {
    outcome<byte_source> source = through_pipe(bytes);
    ASSERT_TRUE(source.ok());
    EXPECT_TRUE(rest_of(*source, piece) == bytes) << piece;
  }
}

TEST_F(pipe_source, of_a_pipe_without_a_name) {
  int ends[2] = {};
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "1\n2\n", 4), 4);
  ::close(ends[1]);
  outcome<byte_source> source = byte_source::open(fmt::format("/proc/self/fd/{}", ends[0]), "keys", {});
  ASSERT_TRUE(source.ok());
  EXPECT_EQ(rest_of(*source, 100), "1\n2\n");
  ::close(ends[0]);
}

// As the shell's `< pipe` does: the writer may be gone before the pipe is opened once more.
TEST_F(pipe_source, of_a_pipe_whose_writer_is_gone) {
  const std::filesystem::path path = fifo();
  const file_descriptor held(path.c_str(), O_RDONLY | O_NONBLOCK);
  {
    const file_descriptor writer(path.c_str(), O_WRONLY);
    ASSERT_TRUE(writer.write(std::string_view("5\n")));
  }
  outcome<byte_source> source = byte_source::open(path, "keys", {});
  ASSERT_TRUE(source.ok());
  EXPECT_EQ(rest_of(*source, 100), "5\n");
}

TEST_F(pipe_source, takes_what_is_written_bit_by_bit) {
  const std::filesystem::path path = fifo();
  std::thread writer([&] {
    const file_descriptor end(path.c_str(), O_WRONLY);
    for (int i = 0; i < 1000; ++i) {
      (void)end.write(std::string_view("12"));
      std::this_thread::yield();
    }
  });
  outcome<byte_source> source = byte_source::open(path, "keys", {});
  writer.join();
  ASSERT_TRUE(source.ok());
  EXPECT_EQ(source->size(), 2000u);
}

TEST_F(pipe_source, that_has_no_end_is_bounded_by_the_free_memory) {
  constexpr const char* device = "/dev/zero";
  if (!std::filesystem::exists(device)) GTEST_SKIP() << "no /dev/zero here";
  const auto words = [&](std::string_view wanted) {
    const outcome<byte_source> source = byte_source::open(device, wanted, {});
    EXPECT_FALSE(source.ok());
    if (source.ok()) return std::string();
    EXPECT_FALSE(source.error().cancelled);
    return source.error().words;
  };
  const free_memory free(3 * a_block);
  EXPECT_EQ(words("keys"),
            "/dev/zero is too long for the memory: 12 MiB came without an end, and 12 MiB are free for the keys made "
            "of them; send less");
  free.set(3 * a_block - 1024);
  EXPECT_EQ(words("ranges"),
            "/dev/zero is too long for the memory: 8 MiB came without an end, and 12 MiB are free for the ranges made "
            "of them; send less");
  free.set(0);
  EXPECT_TRUE(
      words("keys").starts_with("/dev/zero is too long for the memory: 4 MiB came without an end, and 0 bytes"));
  EXPECT_EQ(read_key_file(device, key_width::u32).error().words, words("keys"));
  EXPECT_EQ(read_range_file(device, key_width::u32).error().words, words("ranges"));
}

TEST_F(pipe_source, that_just_fits_is_taken) {
  const free_memory free(2 * a_block);
  const std::string bytes = bytes_of(2 * a_block - 1);
  outcome<byte_source> source = through_pipe(bytes);
  ASSERT_TRUE(source.ok());
  EXPECT_EQ(source->size(), bytes.size());
}

TEST_F(pipe_source, of_a_device_that_has_nothing_is_empty) {
  outcome<byte_source> source = byte_source::open("/dev/null", "keys", {});
  ASSERT_TRUE(source.ok());
  EXPECT_EQ(source->size(), 0u);
  EXPECT_EQ(rest_of(*source, 10), "");
}

// A control that is cancelled when `stage` is told the `count`-th time.
struct cancelled_at {
  std::string stage;
  int count = 1;
  int told = 0;
  job_control control = job_control([this](std::string_view what, double fraction) {
    if (what != stage) return;
    EXPECT_EQ(fraction, -1);
    if (++told == count) control.cancel();
  });
};

TEST_F(pipe_source, that_nobody_writes_into_can_be_cancelled) {
  const std::filesystem::path path = fifo();
  cancelled_at at{.stage = "waiting for " + path.string(), .count = 2};
  const outcome<byte_source> source = byte_source::open(path, "keys", at.control);
  ASSERT_FALSE(source.ok());
  EXPECT_TRUE(source.error().cancelled);
  EXPECT_EQ(at.told, 2);
  cancelled_at again{.stage = "waiting for " + path.string()};
  EXPECT_TRUE(read_key_file(path, key_width::u32, again.control).error().cancelled);
  cancelled_at once_more{.stage = "waiting for " + path.string()};
  EXPECT_TRUE(read_range_file(path, key_width::u32, once_more.control).error().cancelled);
}

TEST_F(pipe_source, whose_writer_rests_can_be_cancelled) {
  const std::filesystem::path path = fifo();
  const file_descriptor reader(path.c_str(), O_RDONLY | O_NONBLOCK);
  const file_descriptor writer(path.c_str(), O_WRONLY);
  ASSERT_TRUE(writer.write(std::string_view("1\n2")));
  // Told once before the first byte, and again when there are no more.
  cancelled_at at{.stage = "waiting for " + path.string(), .count = 2};
  const outcome<byte_source> source = byte_source::open(path, "keys", at.control);
  ASSERT_FALSE(source.ok());
  EXPECT_TRUE(source.error().cancelled);
  char left = 0;
  EXPECT_EQ(::read(reader.number(), &left, 1), -1) << "what was written has been read";
}

TEST_F(pipe_source, that_has_no_end_can_be_cancelled) {
  if (!std::filesystem::exists("/dev/zero")) GTEST_SKIP() << "no /dev/zero here";
  const free_memory free(1ull << 40);
  cancelled_at at{.stage = "reading /dev/zero", .count = 3};
  const outcome<byte_source> source = byte_source::open("/dev/zero", "keys", at.control);
  ASSERT_FALSE(source.ok());
  EXPECT_TRUE(source.error().cancelled);
  EXPECT_EQ(at.told, 3);
}

TEST_F(pipe_source, that_cannot_be_had_says_why) {
  EXPECT_EQ(byte_source::open(tree_.root() / "none", "keys", {}).error().words,
            "cannot open " + (tree_.root() / "none").string() + ": No such file or directory");
  EXPECT_EQ(byte_source::open(tree_.root(), "keys", {}).error().words,
            tree_.root().string() + " is a folder; a file of keys is wanted");
  EXPECT_EQ(byte_source::open("/proc/self/mem", "keys", {})->read(std::span<char>(room_)).error().words,
            "cannot read /proc/self/mem: Input/output error");
}

}  // namespace
}  // namespace pivotscope
