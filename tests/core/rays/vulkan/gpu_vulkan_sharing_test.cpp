// Vulkan's ray-tracing pipelines in memory that something else writes and reads: the host, by a second Vulkan device,
// where a driver has memory that both see; and CUDA, where it is on the same GPU. Hits are those of our own boxes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/machine/cuda_rays.hpp"
#include "core/rays/own_tracer.hpp"
#include "core/rays/vulkan/vulkan_device.hpp"
#include "core/rays/vulkan/vulkan_tracer.hpp"
#include "tests/support/gpu_fixture.hpp"
#include "tests/support/ray_comparison.hpp"
#include "tests/support/ray_scenes.hpp"

namespace pivotscope {
namespace {

constexpr const char* shared_words = "corners, rays and hits lie in memory that is shared with ";
constexpr u64 sharing_lookups = 100'000, sharing_keys = 1 << 14, sharing_few_keys = 1 << 12;

// What a sharer gets wrong.
enum class fault : u8 { none, another_gpu, map, corners, rays, hits };

// The host: it imports the memory into a Vulkan device of its own and maps it. It needs no semaphore, as no call comes
// while Vulkan works.
class host_sharer final : public gpu_sharer {
 public:
  explicit host_sharer(std::shared_ptr<const vulkan_device> device) : device_(std::move(device)) {}

  fault wrong = fault::none;
  u64 maps = 0, corners = 0, rays = 0, hits = 0;  // how often each was called

  std::string name() const override { return "the host"; }
  gpu_uuid gpu() const override {
    gpu_uuid number = device_->uuid();
    if (wrong == fault::another_gpu) number[0] ^= 1;
    return number;
  }
  bool takes_semaphore() const override { return false; }
  status take_semaphore(file_descriptor) override { return problem{"the host takes none"}; }
  status lift_to(u64) override { return problem{"the host has none"}; }
  status wait_for(u64) override { return problem{"the host has none"}; }

  outcome<std::shared_ptr<void>> map(exported_buffer buffer, std::string_view what) override {
    ++maps;
    if (wrong == fault::map) return problem{"the host's map is torn"};
    const vulkan_calls& calls = device_->calls();
    auto import = info_of<VkImportMemoryFdInfoKHR>(VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
    import.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT, import.fd = buffer.memory.number();
    auto info = info_of<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &import);
    info.allocationSize = buffer.allocated;
    // The same type as the buffer's, which is the first of the device's own memory.
    const outcome<u32> type = device_->memory_type(~0u, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, what);
    const outcome<u32> seen =
        device_->memory_type(~0u, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT, what);
    if (!type || !seen || *type != *seen || buffer.dedicated) return problem{"the host does not see that memory"};
    info.memoryTypeIndex = *type;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    if (status s = checked(calls.vkAllocateMemory(device_->get(), &info, nullptr, &memory), "importing memory"); !s)
      return s.error();
    buffer.memory.release();
    void* mapped = nullptr;
    const status s = checked(calls.vkMapMemory(device_->get(), memory, 0, VK_WHOLE_SIZE, 0, &mapped), "mapping memory");
    std::shared_ptr<void> all(
        mapped, [device = device_, memory](void*) { device->calls().vkFreeMemory(device->get(), memory, nullptr); });
    if (!s) return s.error();
    return all;
  }

  status write_corners(const ray_scene& scene, void* to) override {
    ++corners;
    if (wrong == fault::corners) return problem{"the host's corners are torn"};
    for (u64 i = 0; i < scene.triangles.size(); ++i)
      pivotscope::write_corners(scene.triangles[i], scene.half, static_cast<float*>(to) + i * corner_floats);
    return fine();
  }
  status write_rays(std::span<const axis_ray> list, void* to) override {
    ++rays;
    if (wrong == fault::rays) return problem{"the host's rays are torn"};
    std::copy(list.begin(), list.end(), static_cast<axis_ray*>(to));
    return fine();
  }
  status read_hits(const void* from, std::span<ray_hit> out) override {
    ++hits;
    if (wrong == fault::hits) return problem{"the host's hits are torn"};
    std::copy_n(static_cast<const ray_hit*>(from), out.size(), out.begin());
    return fine();
  }

 private:
  std::shared_ptr<const vulkan_device> device_;
};

u64 open_files() {
  u64 count = 0;
  for ([[maybe_unused]] const auto& one : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

class GpuVulkanSharing : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto device = vulkan_device::open();
    if (!device) GTEST_SKIP() << device.error().words;
    RecordProperty("device", (*device)->name());
    EXPECT_TRUE(vulkan_device::is_here().ok()) << "it was opened";
    sharer_ = std::make_shared<host_sharer>(*device);
    const auto tried = make();
    ASSERT_TRUE(tried.ok()) << tried.error().words;
    const std::string words = (*tried)->sharing();
    for (const char* lacks : {"lacks VK_KHR_external_memory_fd", "gives no memory away", "does not see that memory"})
      if (words.find(lacks) != std::string::npos) GTEST_SKIP() << words;
    ASSERT_EQ(words, std::string(shared_words) + "the host");
  }

  outcome<std::unique_ptr<ray_tracer>> make() const { return make_vulkan_tracer(scene_, shared()); }
  std::shared_ptr<gpu_sharer> shared() const { return sharer_; }
  void expect_right(ray_tracer& tracer, u64 count = 1000) const {
    const std::vector<axis_ray> rays(count, testing::ray_from(grid_, {0, 1, 0}, 0));
    std::vector<ray_hit> hits(count);
    const auto traced = tracer.trace(rays, hits);
    ASSERT_TRUE(traced.ok()) << traced.error().words;
    for (const ray_hit& hit : hits) ASSERT_EQ(hit, ray_hit::of(0, side::front));
  }

  const key_grid grid_{3, 2, 1, 0, 0};
  const std::shared_ptr<const ray_scene> scene_ = testing::scene_of(grid_, {{{4, 1, 0}, false}});
  std::shared_ptr<host_sharer> sharer_;
};

std::shared_ptr<gpu_sharer> lent;  // to make_with_lent(), which is a plain function
outcome<std::unique_ptr<ray_tracer>> make_with_lent(const std::shared_ptr<const ray_scene>& scene) {
  return make_vulkan_tracer(scene, lent);
}

TEST_F(GpuVulkanSharing, HitsTheSameInMemoryThatTheHostWrites) {
  lent = sharer_;
  for (const auto& [method, keys] : {std::pair{"RX", sharing_keys},
                                     {"RX keys=u64", sharing_keys},
                                     {"CGRX bucket=4 x_bits=12", sharing_keys},
                                     {"CGRX keys=u64 bucket=4", sharing_few_keys}}) {
    const u64 corners = sharer_->corners, rays = sharer_->rays;
    EXPECT_GT(testing::compare_all(method, keys, sharing_lookups, make_with_lent).hits, 10'000u) << method;
    EXPECT_GE(sharer_->corners, corners + 8) << "of each scene";
    EXPECT_GE(sharer_->rays, rays + 8) << "of each round";
  }
  EXPECT_EQ(sharer_->rays, sharer_->hits);
  lent.reset();
}

TEST_F(GpuVulkanSharing, TakesASceneWithoutTrianglesAndRoundsOfAnySize) {
  const auto empty = make_vulkan_tracer(testing::scene_of(grid_, {}), shared());
  ASSERT_TRUE(empty.ok()) << empty.error().words;
  EXPECT_EQ((*empty)->sharing(), std::string(shared_words) + "the host");
  const auto one = make();
  ASSERT_TRUE(one.ok()) << one.error().words;
  for (const u64 count : {0u, 1u, 1000u, 3u}) {
    expect_right(**one, count);
    const std::vector<axis_ray> rays(count, testing::ray_from(grid_, {0, 1, 0}, 0));
    std::vector<ray_hit> hits(count);
    ASSERT_TRUE((*empty)->trace(rays, hits).ok());
    for (const ray_hit& hit : hits) EXPECT_FALSE(hit.is_there());
  }
}

TEST_F(GpuVulkanSharing, GoesThroughTheHostAndSaysWhy) {
  const struct {
    fault wrong;
    std::string why;
  } cases[] = {{fault::another_gpu, "the host's GPU is another one than Vulkan's"},
               {fault::map, "the host's map is torn"},
               {fault::corners, "the host's corners are torn"}};
  for (const auto& one : cases) {
    sharer_->wrong = one.wrong;
    const u64 rays = sharer_->rays;
    const auto tracer = make();
    ASSERT_TRUE(tracer.ok()) << tracer.error().words;
    EXPECT_EQ((*tracer)->sharing().rfind("rays and hits go through the host: " + one.why, 0), 0u)
        << (*tracer)->sharing();
    expect_right(**tracer);
    EXPECT_EQ(sharer_->rays, rays) << "it has no part in it";
  }
  const auto alone = make_vulkan_tracer(scene_, problem{"nobody is there"});
  ASSERT_TRUE(alone.ok()) << alone.error().words;
  EXPECT_EQ((*alone)->sharing(), "rays and hits go through the host: nobody is there");
  expect_right(**alone);
}

TEST_F(GpuVulkanSharing, AFaultOfARoundIsAProblemAndTheNextRoundIsRight) {
  const auto tracer = make();
  ASSERT_TRUE(tracer.ok()) << tracer.error().words;
  const std::vector<axis_ray> rays(10, testing::ray_from(grid_, {0, 1, 0}, 0));
  std::vector<ray_hit> hits(rays.size());
  for (const auto& [wrong, words] :
       {std::pair{fault::rays, "the host's rays are torn"}, {fault::hits, "the host's hits are torn"}}) {
    sharer_->wrong = wrong;
    const auto failed = (*tracer)->trace(rays, hits);
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().words, words);
    sharer_->wrong = fault::none;
    expect_right(**tracer);
  }
}

TEST_F(GpuVulkanSharing, LeavesNoFileOpen) {
  const u64 before = open_files();
  for (const fault wrong : {fault::none, fault::map, fault::corners, fault::rays, fault::hits})
    for (int again = 0; again < 3; ++again) {
      sharer_->wrong = wrong;
      const auto tracer = make();
      ASSERT_TRUE(tracer.ok()) << tracer.error().words;
      std::vector<ray_hit> hits(5);
      [[maybe_unused]] const auto traced =
          (*tracer)->trace(std::vector<axis_ray>(5, testing::ray_from(grid_, {0, 1, 0}, 0)), hits);
    }
  EXPECT_EQ(open_files(), before);
}

// The semaphore alone, as not every driver gives one away: commands come after its number and lift it to the next one.
TEST_F(GpuVulkanSharing, CommandsLiftATimelineSemaphore) {
  const auto opened = vulkan_device::open();
  ASSERT_TRUE(opened.ok()) << opened.error().words;
  const vulkan_device& device = **opened;
  const vulkan_calls& calls = device.calls();
  const auto count_of = reinterpret_cast<PFN_vkGetSemaphoreCounterValue>(
      calls.vkGetDeviceProcAddr(device.get(), "vkGetSemaphoreCounterValue"));
  ASSERT_NE(count_of, nullptr);
  auto kind = info_of<VkSemaphoreTypeCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
  kind.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  const auto info = info_of<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &kind);
  VkSemaphore semaphore = VK_NULL_HANDLE;
  ASSERT_EQ(calls.vkCreateSemaphore(device.get(), &info, nullptr, &semaphore), VK_SUCCESS);
  for (const vulkan_order order : {vulkan_order{semaphore, 0, 2}, {semaphore, 2, 3}, {semaphore, 1, 7}}) {
    const auto ran = device.run(
        "doing nothing", [](VkCommandBuffer) {}, order);
    EXPECT_TRUE(ran.ok()) << ran.error().words;
    u64 count = 0;
    EXPECT_EQ(count_of(device.get(), semaphore, &count), VK_SUCCESS);
    EXPECT_EQ(count, order.then);
  }
  calls.vkDestroySemaphore(device.get(), semaphore, nullptr);
}

// CUDA beside Vulkan. The words of a failure tell which call failed, or why memory is not shared.
class GpuVulkanCuda : public Gpu {
 protected:
  void SetUp() override {
    if (rehearsal()) GTEST_SKIP() << "the cpu machine shares no memory with Vulkan";
    Gpu::SetUp();
    if (IsSkipped()) return;
    const auto device = vulkan_device::open();
    if (!device) GTEST_SKIP() << device.error().words;
    const auto sharer = make_cuda_sharer();
    ASSERT_TRUE(sharer.ok()) << sharer.error().words;
    const auto tried = make_vulkan_tracer(testing::scene_of(key_grid{3, 2, 1, 0, 0}, {{{4, 1, 0}, false}}), sharer);
    ASSERT_TRUE(tried.ok()) << tried.error().words;
    const std::string words = (*tried)->sharing();
    for (const char* apart : {"another one than Vulkan's", "lacks VK_KHR_external"})
      if (words.find(apart) != std::string::npos) GTEST_SKIP() << words;
    ASSERT_EQ(words, std::string(shared_words) + "CUDA");
  }

  static outcome<std::unique_ptr<ray_tracer>> make_beside_cuda(const std::shared_ptr<const ray_scene>& scene) {
    auto made = make_vulkan_tracer(scene, make_cuda_sharer());
    EXPECT_TRUE(made && (*made)->sharing() == std::string(shared_words) + "CUDA") << words_of(made);
    return made;
  }

  static std::string words_of(const outcome<std::unique_ptr<ray_tracer>>& made) {
    return made ? (*made)->sharing() : made.error().words;
  }

  // As compare_lookups(), of an index that the GPU built.
  void compare_built_there(const char* line, u32 kind, u64 count, tracer_maker tracer) const {
    SCOPED_TRACE(std::string(line) + ", kind of keys " + std::to_string(kind));
    const index_config config = testing::config_of(line);
    const auto build = [&](const key_array& keys) -> std::shared_ptr<const built_index> {
      const auto loaded = load_sorted(*gpu_, keys);
      const auto built = gpu_->build(config, loaded, control_);
      EXPECT_TRUE(built) << built.error().words;
      return built ? *built : nullptr;
    };
    testing::ray_totals totals;
    testing::compare_lookups(config, testing::lookups_of_kind(kind, count, sharing_lookups), tracer, totals, build);
    EXPECT_GT(totals.rays, sharing_lookups / 4);
  }
};

TEST_F(GpuVulkanCuda, HitsTheSameInMemoryThatCudaWrites) {
  for (const auto& [method, keys] : {std::pair{"RX", sharing_keys},
                                     {"RX keys=u64", sharing_keys},
                                     {"CGRX bucket=4 x_bits=12", sharing_keys},
                                     {"CGRX keys=u64 bucket=4", sharing_few_keys},
                                     {"CGRX form=naive bucket=4 x_bits=12", sharing_keys}})
    EXPECT_GT(testing::compare_all(method, keys, sharing_lookups, make_beside_cuda).hits, 10'000u) << method;
}

TEST_F(GpuVulkanCuda, TakesTheTrianglesOfAnIndexThatLiesOnTheGpu) {
  for (const char* line : {"RX", "RX keys=u64 wide=8", "CGRX bucket=4 x_bits=12", "CGRX keys=u64 bucket=4"})
    for (u32 kind = 0; kind < testing::kinds_of_keys && !HasFailure(); ++kind)
      compare_built_there(line, kind, sharing_few_keys, make_beside_cuda);
}

// The tracer `cuda` has them there as well.
TEST_F(GpuVulkanCuda, OurOwnBoxesAreReadWhereTheIndexHasThem) {
  for (const char* line : {"RX", "CGRX keys=u64 bucket=4"})
    compare_built_there(line, 2, sharing_few_keys, make_cuda_tracer);
}

TEST_F(GpuVulkanCuda, TakesRoundsOfAnySizeAndManyTracers) {
  const key_grid grid{3, 2, 1, 0, 0};
  const auto scene = testing::scene_of(grid, {{{4, 1, 0}, false}});
  u64 before = 0;
  for (int again = 0; again < 10; ++again) {
    if (again == 2) before = open_files();  // drivers keep some of the first ones
    const auto one = make_beside_cuda(scene);
    ASSERT_TRUE(one.ok()) << one.error().words;
    for (const u64 count : {0u, 1u, 100'000u, 3u}) {
      const std::vector<axis_ray> rays(count, testing::ray_from(grid, {0, 1, 0}, 0));
      std::vector<ray_hit> hits(count);
      const auto traced = (*one)->trace(rays, hits);
      ASSERT_TRUE(traced.ok()) << traced.error().words;
      for (const ray_hit& hit : hits) ASSERT_EQ(hit, ray_hit::of(0, side::front));
      if (count > 0) {
        EXPECT_GT(traced->handover_ms, 0);
        EXPECT_GE(traced->upload_ms, traced->handover_ms);
      }
    }
  }
  EXPECT_LT(open_files(), before + 8) << "a tracer that kept one would have left eight";
}

}  // namespace
}  // namespace pivotscope
