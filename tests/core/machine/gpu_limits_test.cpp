// What the cuda machine keeps and what it refuses: kernels, memory, cancelled jobs, what is not its own.
#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/support/batches.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/gpu_fixture.hpp"
#include "tests/support/ordered.hpp"
#include "tests/support/small_keys.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;
using testing::check_answers;
using testing::config_of;
using ::testing::HasSubstr;
using testing::look_up;

TEST_F(Gpu, KernelsComeFromTheCompilerThenMemoryThenDisk) {
  std::string name = (fs::temp_directory_path() / "pivotscope-gpu-XXXXXX").string();
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  const machine_options options{name};
  const ordered_config config = config_of("AO+PB+KS fanout=9 lanes=2");
  using source = kernel_info::source;
  const auto prepare = [&](machine& on) {
    auto info = on.prepare(config, operation::find, control_);
    EXPECT_TRUE(info) << info.error().words;
    return info ? *info : kernel_info{};
  };
  const auto first = open(options), second = open(options);
  ASSERT_TRUE(first && second);
  prepare(*gpu_);  // what the first compile of a process costs is not the kernel's
  const kernel_info compiled = prepare(*first), memory = prepare(*first), disk = prepare(*second);
  EXPECT_EQ(compiled.origin, source::compiled);
  EXPECT_EQ(memory.origin, source::memory_cache);
  EXPECT_EQ(disk.origin, source::disk_cache);
  std::printf("compiled %.1f ms, from disk %.2f ms, from memory %.3f ms\n", compiled.compile_ms, disk.compile_ms,
              memory.compile_ms);
  EXPECT_LE(compiled.compile_ms, 500.0);
  EXPECT_LE(disk.compile_ms, 20.0);

  for (const auto& file : fs::directory_iterator(name)) fs::resize_file(file.path(), file.file_size() / 2);
  EXPECT_EQ(prepare(*open(options)).origin, source::compiled) << "a damaged file is a miss";
  EXPECT_EQ(prepare(*open(options)).origin, source::disk_cache) << "and is written anew";
  for (const auto& file : fs::directory_iterator(name)) std::ofstream(file.path()) << "no kernel";
  EXPECT_EQ(prepare(*open(options)).origin, source::compiled);

  const auto refused = open_machine(machine_kind::cuda, {"/proc/pivotscope"});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().words, HasSubstr("/proc/pivotscope"));
  fs::remove_all(name);
}

// Takes all but a little of the device's memory away, with plain cudaMalloc.
class hoard {
 public:
  explicit hoard(u64 leave) {
    std::size_t free = 0, total = 0;
    if (cudaMemGetInfo(&free, &total) != cudaSuccess || free <= leave) return;
    for (u64 want = free - leave; want >= 1 << 20 && taken_ == nullptr; want -= want / 16) {
      if (cudaMalloc(&taken_, want) != cudaSuccess) cudaGetLastError();
    }
  }
  hoard(const hoard&) = delete;
  hoard& operator=(const hoard&) = delete;
  ~hoard() { cudaFree(taken_); }
  explicit operator bool() const { return taken_ != nullptr; }

 private:
  void* taken_ = nullptr;
};

TEST_F(Gpu, TooLittleMemoryIsAProblemInWords) {
  const workload small{.keys = 1000, .dist = distribution::dense, .lookups = 1 << 26};
  const auto few = make_keys(small, key_width::u64);
  const auto many = make_lookups(small, key_width::u64);
  ASSERT_TRUE(few && many);
  const auto resident = gpu_->load(*few, control_);
  ASSERT_TRUE(resident);
  const ordered_config config = config_of("EO+KS fanout=9 keys=u64");
  const auto index = gpu_->build(config, *resident, control_);
  ASSERT_TRUE(index) << index.error().words;
  {
    const hoard all_but(256ull << 20);
    ASSERT_TRUE(all_but);
    const auto lookups = look_up(*gpu_, **index, *many, {}, control_);
    ASSERT_FALSE(lookups);
    EXPECT_FALSE(lookups.error().cancelled);
    EXPECT_THAT(lookups.error().words, HasSubstr("Not enough GPU memory: looking up 2^26 keys needs"));
    EXPECT_THAT(lookups.error().words, HasSubstr("free"));
    EXPECT_THAT(lookups.error().words, HasSubstr("Use fewer lookups"));
    const auto keys = gpu_->load(*many, control_);
    ASSERT_FALSE(keys);
    EXPECT_THAT(keys.error().words, HasSubstr("Not enough GPU memory: copying 2^26 keys needs"));
    EXPECT_THAT(keys.error().words, HasSubstr("Use fewer keys"));
    std::printf("%s\n%s\n", lookups.error().words.c_str(), keys.error().words.c_str());
  }
  // Nothing is lost: the same works when there is room.
  const auto again = look_up(*gpu_, **index, *many, {}, control_);
  ASSERT_TRUE(again) << again.error().words;
  EXPECT_EQ(check_answers(*few, *many, again->answers.found).wrong, 0u);
}

TEST_F(Gpu, TooLittleMemoryForTheIndexIsAProblemInWords) {
  const workload w{.keys = 1 << 25, .dist = distribution::dense, .lookups = 1};
  const auto keys = make_keys(w, key_width::u64);
  ASSERT_TRUE(keys);
  const auto resident = gpu_->load(*keys, control_);
  ASSERT_TRUE(resident) << resident.error().words;
  {
    const hoard all_but(256ull << 20);
    ASSERT_TRUE(all_but);
    const auto unsorted = gpu_->build(config_of("AO+BS keys=u64"), *resident, control_);
    ASSERT_FALSE(unsorted);
    EXPECT_THAT(unsorted.error().words, HasSubstr("Not enough GPU memory: sorting 2^25 keys needs"));
  }
  // The keys are as good as before, and once they are sorted it is the index that lacks room.
  const auto sorted = gpu_->build(config_of("AO+BS keys=u64"), *resident, control_);
  ASSERT_TRUE(sorted) << sorted.error().words;
  const hoard all_but(256ull << 20);
  ASSERT_TRUE(all_but);
  const auto index = gpu_->build(config_of("AO+PB+KS fanout=9 keys=u64"), *resident, control_);
  ASSERT_FALSE(index);
  EXPECT_THAT(index.error().words, HasSubstr("Not enough GPU memory: AO+PB+KS over 2^25 keys needs"));
}

TEST_F(Gpu, ACancelledJobEnds) {
  const workload w{.keys = 1 << 20, .dist = distribution::uniform, .lookups = 1 << 20};
  const auto keys = make_keys(w, key_width::u32);
  const auto lookups = make_lookups(w, key_width::u32);
  ASSERT_TRUE(keys && lookups);
  const ordered_config config = config_of("EO+KS fanout=9");
  job_control cancelled;
  cancelled.cancel();
  const auto no_keys = gpu_->load(*keys, cancelled);
  ASSERT_FALSE(no_keys);
  EXPECT_TRUE(no_keys.error().cancelled);

  const auto resident = gpu_->load(*keys, control_);
  ASSERT_TRUE(resident);
  const auto no_index = gpu_->build(config, *resident, cancelled);
  ASSERT_FALSE(no_index);
  EXPECT_TRUE(no_index.error().cancelled);

  const auto index = gpu_->build(config, *resident, control_);
  ASSERT_TRUE(index);
  // Cancelled between two runs of very many.
  u32 runs = 0;
  job_control* handle = nullptr;
  job_control control([&](std::string_view stage, double) {
    if (stage == "looking up" && ++runs == 3) handle->cancel();
  });
  handle = &control;
  const auto no_answers = look_up(*gpu_, **index, *lookups, {.repeats = 1000000}, control);
  ASSERT_FALSE(no_answers);
  EXPECT_TRUE(no_answers.error().cancelled);
  EXPECT_EQ(runs, 3u);

  const auto answers = look_up(*gpu_, **index, *lookups, {.repeats = 5, .warm_ups = 2}, control_);
  ASSERT_TRUE(answers) << answers.error().words;
  EXPECT_EQ(answers->time.samples_ms.size(), 5u);
  EXPECT_EQ(check_answers(*keys, *lookups, answers->answers.found).wrong, 0u);
}

TEST_F(Gpu, RefusesWhatIsNotItsOwn) {
  const auto cpu = open_machine(machine_kind::cpu);
  ASSERT_TRUE(cpu);
  const key_array keys = testing::paper_keys_in_order();
  const auto there = (*cpu)->load(keys, control_);
  ASSERT_TRUE(there);
  EXPECT_FALSE(gpu_->build(config_of("EO+BS"), *there, control_));
  const auto index = (*cpu)->build(config_of("EO+BS"), *there, control_);
  ASSERT_TRUE(index);
  EXPECT_FALSE(look_up(*gpu_, **index, keys, {}, control_));

  const auto here = gpu_->load(keys, control_);
  ASSERT_TRUE(here);
  EXPECT_FALSE(gpu_->build(config_of("EO+BS keys=u64"), *here, control_));
  ordered_config refused = config_of("EO+BS");
  refused.lanes = 7;
  EXPECT_FALSE(gpu_->build(refused, *here, control_));
  EXPECT_FALSE(gpu_->prepare(refused, operation::find, control_));
  const auto own = gpu_->build(config_of("EO+BS"), *here, control_);
  ASSERT_TRUE(own);
  EXPECT_FALSE(look_up(*gpu_, **own, key_array(std::vector<u64>{1}), {}, control_));
}

// An index outlives the machine that made it.
TEST_F(Gpu, AnIndexOutlivesItsMachine) {
  const key_array keys = testing::paper_keys_in_order();
  std::shared_ptr<const built_index> index;
  {
    const auto other = open();
    ASSERT_TRUE(other);
    const auto resident = other->load(keys, control_);
    ASSERT_TRUE(resident);
    const auto built = other->build(config_of("EO+KS fanout=3"), *resident, control_);
    ASSERT_TRUE(built);
    index = *built;
  }
  const auto result = look_up(*gpu_, *index, keys, {}, control_);
  ASSERT_TRUE(result) << result.error().words;
  EXPECT_EQ(check_answers(keys, keys, result->answers.found).wrong, 0u);
  // From another thread, as a window reads.
  std::jthread(
      [&] { EXPECT_EQ(read_array(*index, ordered_region::entries).size(), index->bytes(ordered_region::entries)); });
}

}  // namespace
}  // namespace pivotscope
