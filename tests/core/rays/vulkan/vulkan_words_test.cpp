// What the Vulkan tracer says where it cannot work.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "core/rays/vulkan/vulkan_device.hpp"

namespace pivotscope {
namespace {

bool has_words(const problem& p, const char* part) { return p.words.find(part) != std::string::npos; }

TEST(VulkanWords, OfNoLoader) {
  const auto device = vulkan_device::open("libvulkan_that_is_nowhere.so");
  ASSERT_FALSE(device.ok());
  EXPECT_TRUE(has_words(device.error(), "libvulkan_that_is_nowhere.so")) << device.error().words;
  EXPECT_TRUE(has_words(device.error(), "apt-get install libvulkan1")) << device.error().words;
  const status here = vulkan_device::is_here("libvulkan_that_is_nowhere.so");
  ASSERT_FALSE(here.ok());
  EXPECT_EQ(here.error().words, device.error().words);
}

TEST(VulkanWords, OfALibraryThatIsNoLoader) {
  const auto device = vulkan_device::open("libm.so.6");
  ASSERT_FALSE(device.ok());
  EXPECT_TRUE(has_words(device.error(), "libm.so.6 is not Vulkan's loader")) << device.error().words;
}

TEST(VulkanWords, OfNoDriver) {
  for (const char* name : {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"}) ::setenv(name, "/dev/null", 1);
  const auto device = vulkan_device::open();
  EXPECT_FALSE(vulkan_device::is_here().ok());
  for (const char* name : {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"}) ::unsetenv(name);
  ASSERT_FALSE(device.ok());
  EXPECT_TRUE(has_words(device.error(), "no driver is installed")) << device.error().words;
}

TEST(VulkanWords, OfAFailedCall) {
  EXPECT_TRUE(checked(VK_SUCCESS, "nothing").ok());
  EXPECT_EQ(checked(VK_ERROR_DEVICE_LOST, "tracing rays").error().words,
            "Vulkan failed at tracing rays: VK_ERROR_DEVICE_LOST (-4)");
  EXPECT_EQ(checked(VK_ERROR_OUT_OF_DEVICE_MEMORY, "taking 5 MiB for hits").error().words,
            "Vulkan failed at taking 5 MiB for hits: VK_ERROR_OUT_OF_DEVICE_MEMORY (-2); take fewer keys, or larger "
            "buckets");
  EXPECT_EQ(words_of(static_cast<VkResult>(-77)), "error (-77)");
}

}  // namespace
}  // namespace pivotscope
