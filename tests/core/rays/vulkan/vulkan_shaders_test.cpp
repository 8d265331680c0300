// The programs in the program are valid SPIR-V, by Khronos' own validator.
#include "core/rays/vulkan/vulkan_shaders.hpp"

#include <gtest/gtest.h>

#include <string_view>

#include "core/common/child_process.hpp"
#include "tests/support/file_tree.hpp"

namespace pivotscope {
namespace {

TEST(VulkanShaders, AreValid) {
  const file_tree tree;
  for (const vulkan_shader& shader : {ray_shaders().generation, ray_shaders().miss, ray_shaders().closest_hit}) {
    ASSERT_FALSE(shader.words.empty());
    EXPECT_EQ(shader.words.front(), 0x07230203u) << "SPIR-V's first word";
    const std::string_view bytes(reinterpret_cast<const char*>(shader.words.data()), shader.words.size_bytes());
    const auto file = tree.write(shader.name, bytes);
    const auto ended = run_program("/usr/bin/env", {"spirv-val", "--target-env", "vulkan1.2", file.string()}, {});
    ASSERT_TRUE(ended.ok()) << ended.error().words;
    EXPECT_EQ(ended->status, 0) << shader.name << ": " << ended->output;
  }
}

}  // namespace
}  // namespace pivotscope
