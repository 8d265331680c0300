#include "core/rays/vulkan/vulkan_pipeline.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <vector>

#include "core/rays/vulkan/vulkan_shaders.hpp"

namespace pivotscope {
namespace {

// As the programs name them (shaders/rays.rgen).
constexpr u32 scene_binding = 0, rays_binding = 1, hits_binding = 2;
// Groups of the pipeline, in their order.
constexpr u32 generation_group = 0, miss_group = 1, hit_group = 2, groups = 3;

u64 aligned(u64 bytes, u64 to) { return (bytes + to - 1) / to * to; }

// A compiled program, which a pipeline copies.
class shader_module {
 public:
  explicit shader_module(const vulkan_device& device) : device_(device) {}
  ~shader_module() { device_.calls().vkDestroyShaderModule(device_.get(), module_, nullptr); }
  shader_module(const shader_module&) = delete;
  shader_module& operator=(const shader_module&) = delete;

  status load(const vulkan_shader& shader) {
    auto info = info_of<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    info.codeSize = shader.words.size_bytes(), info.pCode = shader.words.data();
    return checked(device_.calls().vkCreateShaderModule(device_.get(), &info, nullptr, &module_), shader.name);
  }
  VkPipelineShaderStageCreateInfo stage(VkShaderStageFlagBits kind) const {
    auto info = info_of<VkPipelineShaderStageCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
    info.stage = kind, info.module = module_, info.pName = "main";
    return info;
  }

 private:
  const vulkan_device& device_;
  VkShaderModule module_ = VK_NULL_HANDLE;
};

VkRayTracingShaderGroupCreateInfoKHR group_of(VkRayTracingShaderGroupTypeKHR type, u32 general, u32 closest_hit) {
  auto group =
      info_of<VkRayTracingShaderGroupCreateInfoKHR>(VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR);
  group.type = type, group.generalShader = general, group.closestHitShader = closest_hit;
  group.anyHitShader = group.intersectionShader = VK_SHADER_UNUSED_KHR;
  return group;
}

}  // namespace

outcome<std::unique_ptr<vulkan_pipeline>> vulkan_pipeline::make(std::shared_ptr<const vulkan_device> device) {
  std::unique_ptr<vulkan_pipeline> made(new vulkan_pipeline(std::move(device)));
  if (status s = made->make_layouts(); !s) return s.error();
  if (status s = made->make_set(); !s) return s.error();
  if (status s = made->make_pipeline(); !s) return s.error();
  if (status s = made->make_table(); !s) return s.error();
  return made;
}

vulkan_pipeline::~vulkan_pipeline() {
  const vulkan_calls& calls = device_->calls();
  calls.vkDestroyPipeline(device_->get(), pipeline_, nullptr);
  calls.vkDestroyDescriptorPool(device_->get(), pool_, nullptr);
  calls.vkDestroyPipelineLayout(device_->get(), layout_, nullptr);
  calls.vkDestroyDescriptorSetLayout(device_->get(), set_layout_, nullptr);
}

status vulkan_pipeline::make_layouts() {
  const vulkan_calls& calls = device_->calls();
  const auto binding = [](u32 number, VkDescriptorType type) {
    return VkDescriptorSetLayoutBinding{number, type, 1, VK_SHADER_STAGE_RAYGEN_BIT_KHR, nullptr};
  };
  const VkDescriptorSetLayoutBinding bindings[] = {
      binding(scene_binding, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR),
      binding(rays_binding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER),
      binding(hits_binding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)};
  auto set = info_of<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
  set.bindingCount = static_cast<u32>(std::size(bindings)), set.pBindings = bindings;
  if (status s = checked(calls.vkCreateDescriptorSetLayout(device_->get(), &set, nullptr, &set_layout_),
                         "making a pipeline's layout");
      !s)
    return s;
  const VkPushConstantRange first = {VK_SHADER_STAGE_RAYGEN_BIT_KHR, 0, sizeof(u32)};
  auto layout = info_of<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
  layout.setLayoutCount = 1, layout.pSetLayouts = &set_layout_;
  layout.pushConstantRangeCount = 1, layout.pPushConstantRanges = &first;
  return checked(calls.vkCreatePipelineLayout(device_->get(), &layout, nullptr, &layout_),
                 "making a pipeline's layout");
}

status vulkan_pipeline::make_set() {
  const vulkan_calls& calls = device_->calls();
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 1},
                                        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2}};
  auto pool = info_of<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
  pool.maxSets = 1, pool.poolSizeCount = static_cast<u32>(std::size(sizes)), pool.pPoolSizes = sizes;
  if (status s = checked(calls.vkCreateDescriptorPool(device_->get(), &pool, nullptr, &pool_), "making descriptors");
      !s)
    return s;
  auto set = info_of<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
  set.descriptorPool = pool_, set.descriptorSetCount = 1, set.pSetLayouts = &set_layout_;
  return checked(calls.vkAllocateDescriptorSets(device_->get(), &set, &set_), "making descriptors");
}

status vulkan_pipeline::make_pipeline() {
  const vulkan_shaders& shaders = ray_shaders();
  shader_module generation(*device_), miss(*device_), closest_hit(*device_);
  if (status s = generation.load(shaders.generation); !s) return s;
  if (status s = miss.load(shaders.miss); !s) return s;
  if (status s = closest_hit.load(shaders.closest_hit); !s) return s;
  const VkPipelineShaderStageCreateInfo stages[] = {generation.stage(VK_SHADER_STAGE_RAYGEN_BIT_KHR),
                                                    miss.stage(VK_SHADER_STAGE_MISS_BIT_KHR),
                                                    closest_hit.stage(VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR)};
  // A group's number is its stage's.
  VkRayTracingShaderGroupCreateInfoKHR list[groups];
  for (const u32 general : {generation_group, miss_group})
    list[general] = group_of(VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR, general, VK_SHADER_UNUSED_KHR);
  list[hit_group] = group_of(VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR, VK_SHADER_UNUSED_KHR, hit_group);
  auto info = info_of<VkRayTracingPipelineCreateInfoKHR>(VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR);
  info.stageCount = groups, info.pStages = stages, info.groupCount = groups, info.pGroups = list;
  info.maxPipelineRayRecursionDepth = 1, info.layout = layout_;
  return checked(device_->calls().vkCreateRayTracingPipelinesKHR(device_->get(), VK_NULL_HANDLE, VK_NULL_HANDLE, 1,
                                                                 &info, nullptr, &pipeline_),
                 "compiling programs for rays");
}

// The handles of the groups, each at the begin of a region of its own.
status vulkan_pipeline::make_table() {
  const vulkan_calls& calls = device_->calls();
  const VkPhysicalDeviceRayTracingPipelinePropertiesKHR& limits = device_->pipeline_limits();
  const u32 handle = limits.shaderGroupHandleSize;
  const u64 base = std::max(limits.shaderGroupBaseAlignment, 1u),
            stride = aligned(handle, std::max(limits.shaderGroupHandleAlignment, 1u)), region = aligned(stride, base);
  std::vector<std::byte> handles(u64{groups} * handle);
  if (status s = checked(calls.vkGetRayTracingShaderGroupHandlesKHR(device_->get(), pipeline_, 0, groups,
                                                                    handles.size(), handles.data()),
                         "asking for its programs");
      !s)
    return s;
  outcome<vulkan_buffer> table =
      vulkan_buffer::make(device_, groups * region + base,
                          VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                          vulkan_buffer::place::to_device, "the table of programs");
  if (!table) return table.error();
  table_ = std::move(*table);
  const VkDeviceAddress begin = aligned(table_.address(), base);
  std::byte* const out = static_cast<std::byte*>(table_.mapped()) + (begin - table_.address());
  for (u32 i = 0; i < groups; ++i) std::memcpy(out + i * region, handles.data() + u64{i} * handle, handle);
  // Of the first region stride and size must be equal.
  generation_ = {begin + generation_group * region, region, region};
  miss_ = {begin + miss_group * region, stride, stride};
  hit_ = {begin + hit_group * region, stride, stride};
  return fine();
}

void vulkan_pipeline::bind(VkAccelerationStructureKHR scene, const vulkan_buffer& rays,
                           const vulkan_buffer& hits) const {
  auto scenes = info_of<VkWriteDescriptorSetAccelerationStructureKHR>(
      VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR);
  scenes.accelerationStructureCount = 1, scenes.pAccelerationStructures = &scene;
  const VkDescriptorBufferInfo buffers[] = {{rays.get(), 0, VK_WHOLE_SIZE}, {hits.get(), 0, VK_WHOLE_SIZE}};
  const auto write = [&](u32 binding, VkDescriptorType type) {
    auto info = info_of<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    info.dstSet = set_, info.dstBinding = binding, info.descriptorCount = 1, info.descriptorType = type;
    return info;
  };
  VkWriteDescriptorSet writes[] = {write(scene_binding, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR),
                                   write(rays_binding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER),
                                   write(hits_binding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)};
  writes[scene_binding].pNext = &scenes;
  writes[rays_binding].pBufferInfo = &buffers[0], writes[hits_binding].pBufferInfo = &buffers[1];
  device_->calls().vkUpdateDescriptorSets(device_->get(), static_cast<u32>(std::size(writes)), writes, 0, nullptr);
}

void vulkan_pipeline::record(VkCommandBuffer commands, u32 count) const {
  const vulkan_calls& calls = device_->calls();
  calls.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, pipeline_);
  calls.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, layout_, 0, 1, &set_, 0, nullptr);
  // Both limits are of one launch, and each may be smaller than what buffers hold.
  const VkPhysicalDeviceLimits& limits = device_->limits();
  const u64 wide = u64{limits.maxComputeWorkGroupCount[0]} * limits.maxComputeWorkGroupSize[0];
  const u64 most = std::min<u64>(wide, device_->pipeline_limits().maxRayDispatchInvocationCount);
  const VkStridedDeviceAddressRegionKHR nothing_called = {};
  for (u64 first = 0; first < count; first += most) {
    const u32 pushed = static_cast<u32>(first);
    calls.vkCmdPushConstants(commands, layout_, VK_SHADER_STAGE_RAYGEN_BIT_KHR, 0, sizeof(pushed), &pushed);
    calls.vkCmdTraceRaysKHR(commands, &generation_, &miss_, &hit_, &nothing_called,
                            static_cast<u32>(std::min<u64>(most, count - first)), 1, 1);
  }
}

}  // namespace pivotscope
