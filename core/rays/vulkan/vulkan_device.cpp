#include "core/rays/vulkan/vulkan_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace pivotscope {
namespace {

constexpr u32 least_version = VK_API_VERSION_1_2;  // addresses of buffers, SPIR-V 1.4

constexpr const char* extensions[] = {VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME,
                                      VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                                      VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME};
// Switched on where they are there.
constexpr const char* extensions_to_share[] = {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME,
                                               VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME};

// The features that are switched on, and asked for before.
struct wanted_features {
  VkPhysicalDeviceRayTracingPipelineFeaturesKHR pipelines = info_of<VkPhysicalDeviceRayTracingPipelineFeaturesKHR>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR);
  VkPhysicalDeviceAccelerationStructureFeaturesKHR scenes = info_of<VkPhysicalDeviceAccelerationStructureFeaturesKHR>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR, &pipelines);
  VkPhysicalDeviceVulkan12Features version =
      info_of<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &scenes);
  VkPhysicalDeviceFeatures2 all =
      info_of<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &version);

  wanted_features() = default;
  wanted_features(const wanted_features&) = delete;  // they point to each other
  wanted_features& operator=(const wanted_features&) = delete;
};

std::vector<VkExtensionProperties> extensions_of(const vulkan_calls& calls, VkPhysicalDevice device) {
  u32 count = 0;
  if (calls.vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr) != VK_SUCCESS) return {};
  std::vector<VkExtensionProperties> there(count);
  if (calls.vkEnumerateDeviceExtensionProperties(device, nullptr, &count, there.data()) != VK_SUCCESS) return {};
  return there;
}

bool has(const std::vector<VkExtensionProperties>& there, const char* name) {
  return std::any_of(there.begin(), there.end(),
                     [&](const auto& one) { return std::strcmp(one.extensionName, name) == 0; });
}

// A GPU before what stands in for one.
int rank_of(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return 2;
    default:
      return 3;
  }
}

// Vulkan started, and what is asked of it. Stays to the end of the process, one for each loader: a driver comes with the
// first instance and goes with the last, and NVIDIA's (580) does not come more than about a dozen times in a process.
struct started_vulkan {
  vulkan_calls calls;
  VkInstance instance = VK_NULL_HANDLE;
};
outcome<started_vulkan> start(const char* loader) {
  static std::mutex one_by_one;
  static std::map<std::string, started_vulkan> started;
  const std::lock_guard turn(one_by_one);
  if (const auto there = started.find(loader); there != started.end()) return there->second;
  outcome<vulkan_calls> calls = load_vulkan(loader);
  if (!calls) return calls.error();
  started_vulkan made{*calls};
  u32 version = 0;
  if (status s = checked(made.calls.vkEnumerateInstanceVersion(&version), "asking for its version"); !s)
    return s.error();
  if (version < least_version) return problem{"Vulkan's loader is older than 1.2; install a newer libvulkan1"};
  VkApplicationInfo program = info_of<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
  program.pApplicationName = "pivotscope", program.apiVersion = least_version;
  VkInstanceCreateInfo info = info_of<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
  info.pApplicationInfo = &program;
  if (status s = checked(made.calls.vkCreateInstance(&info, nullptr, &made.instance), "starting"); !s) return s.error();
  if (status s = made.calls.find_for(made.instance); !s) {
    if (made.calls.vkDestroyInstance != nullptr) made.calls.vkDestroyInstance(made.instance, nullptr);
    return s.error();
  }
  started.emplace(loader, made);
  return made;
}

}  // namespace

outcome<std::shared_ptr<const vulkan_device>> vulkan_device::open(const char* loader,
                                                                  const std::optional<gpu_uuid>& rather) {
  outcome<started_vulkan> vulkan = start(loader);
  if (!vulkan) return vulkan.error();
  const std::shared_ptr<vulkan_device> made(new vulkan_device);
  made->calls_ = vulkan->calls, made->instance_ = vulkan->instance;
  if (status s = made->choose_device(rather); !s) return s.error();
  if (status s = made->make_device(); !s) return s.error();
  if (status s = made->make_queue(); !s) return s.error();
  return std::shared_ptr<const vulkan_device>(made);
}

status vulkan_device::is_here(const char* loader) {
  outcome<started_vulkan> vulkan = start(loader);
  if (!vulkan) return vulkan.error();
  vulkan_device looked;
  looked.calls_ = vulkan->calls, looked.instance_ = vulkan->instance;
  return looked.choose_device({});
}

vulkan_device::~vulkan_device() {
  if (device_ != VK_NULL_HANDLE) {
    calls_.vkDeviceWaitIdle(device_);
    calls_.vkDestroyQueryPool(device_, clock_, nullptr);
    calls_.vkDestroyFence(device_, done_, nullptr);
    calls_.vkDestroyCommandPool(device_, pool_, nullptr);
    calls_.vkDestroyDevice(device_, nullptr);
  }
}

std::optional<u32> vulkan_device::queue_family_of(VkPhysicalDevice device) const {
  u32 count = 0;
  calls_.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  calls_.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  for (u32 i = 0; i < count; ++i)
    if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) != 0) return i;
  return std::nullopt;
}

std::string vulkan_device::lack_of(VkPhysicalDevice device) const {
  VkPhysicalDeviceProperties2 properties =
      info_of<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
  calls_.vkGetPhysicalDeviceProperties2(device, &properties);
  if (properties.properties.apiVersion < least_version) return "Vulkan 1.2";
  const std::vector<VkExtensionProperties> there = extensions_of(calls_, device);
  for (const char* const name : extensions)
    if (!has(there, name)) return name;
  wanted_features features;
  calls_.vkGetPhysicalDeviceFeatures2(device, &features.all);
  if (features.pipelines.rayTracingPipeline == VK_FALSE) return "the feature rayTracingPipeline";
  if (features.scenes.accelerationStructure == VK_FALSE) return "the feature accelerationStructure";
  if (features.version.bufferDeviceAddress == VK_FALSE) return "the feature bufferDeviceAddress";
  return queue_family_of(device) ? "" : "a queue for compute";
}

status vulkan_device::choose_device(const std::optional<gpu_uuid>& rather) {
  u32 count = 0;
  if (status s = checked(calls_.vkEnumeratePhysicalDevices(instance_, &count, nullptr), "listing devices"); !s)
    return s;
  std::vector<VkPhysicalDevice> devices(count);
  if (status s = checked(calls_.vkEnumeratePhysicalDevices(instance_, &count, devices.data()), "listing devices"); !s)
    return s;
  std::string lacks;
  int best = std::numeric_limits<int>::max();
  for (const VkPhysicalDevice device : devices) {
    auto number = info_of<VkPhysicalDeviceIDProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES);
    VkPhysicalDeviceProperties2 properties =
        info_of<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &number);
    calls_.vkGetPhysicalDeviceProperties2(device, &properties);
    const std::string lack = lack_of(device);
    if (!lack.empty()) {
      lacks += fmt::format("; {} lacks {}", properties.properties.deviceName, lack);
      continue;
    }
    const gpu_uuid uuid = std::to_array(number.deviceUUID);
    const int rank = uuid == rather ? -1 : rank_of(properties.properties.deviceType);
    if (rank < best) best = rank, physical_ = device, uuid_ = uuid;
  }
  if (physical_ != VK_NULL_HANDLE) return fine();
  return problem{
      fmt::format("no Vulkan device with {}{}", extensions[0], devices.empty() ? "; none is listed" : lacks)};
}

status vulkan_device::make_device() {
  pipeline_limits_ =
      info_of<decltype(pipeline_limits_)>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR);
  scene_limits_ = info_of<decltype(scene_limits_)>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_PROPERTIES_KHR, &pipeline_limits_);
  VkPhysicalDeviceProperties2 properties =
      info_of<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &scene_limits_);
  calls_.vkGetPhysicalDeviceProperties2(physical_, &properties);
  name_ = properties.properties.deviceName, limits_ = properties.properties.limits;
  calls_.vkGetPhysicalDeviceMemoryProperties(physical_, &memory_);
  family_ = *queue_family_of(physical_);

  wanted_features features;
  features.pipelines.rayTracingPipeline = VK_TRUE;
  features.scenes.accelerationStructure = VK_TRUE;
  features.version.bufferDeviceAddress = VK_TRUE;
  features.version.timelineSemaphore = VK_TRUE;  // each device of Vulkan 1.2 has it
  const float priority = 1;
  VkDeviceQueueCreateInfo queue = info_of<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queue.queueFamilyIndex = family_, queue.queueCount = 1, queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo info = info_of<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features.all);
  info.queueCreateInfoCount = 1, info.pQueueCreateInfos = &queue;
  std::vector<const char*> names(std::begin(extensions), std::end(extensions));
  const std::vector<VkExtensionProperties> there = extensions_of(calls_, physical_);
  for (const char* const name : extensions_to_share)
    if (has(there, name)) names.push_back(name);
  info.enabledExtensionCount = static_cast<u32>(names.size()), info.ppEnabledExtensionNames = names.data();
  VkDevice made = VK_NULL_HANDLE;
  if (status s = checked(calls_.vkCreateDevice(physical_, &info, nullptr, &made), "opening " + name_); !s) return s;
  if (status s = calls_.find_for(made); !s) return s;  // without its functions it cannot even be closed
  device_ = made;
  return fine();
}

status vulkan_device::make_queue() {
  u32 count = 0;
  calls_.vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  calls_.vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, families.data());
  timestamp_bits_ = families[family_].timestampValidBits;
  calls_.vkGetDeviceQueue(device_, family_, 0, &queue_);

  VkCommandPoolCreateInfo pool = info_of<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT, pool.queueFamilyIndex = family_;
  if (status s = checked(calls_.vkCreateCommandPool(device_, &pool, nullptr, &pool_), "making a pool"); !s) return s;
  VkCommandBufferAllocateInfo commands =
      info_of<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
  commands.commandPool = pool_, commands.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY, commands.commandBufferCount = 1;
  if (status s = checked(calls_.vkAllocateCommandBuffers(device_, &commands, &commands_), "making commands"); !s)
    return s;
  VkFenceCreateInfo fence = info_of<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
  if (status s = checked(calls_.vkCreateFence(device_, &fence, nullptr, &done_), "making a fence"); !s) return s;
  VkQueryPoolCreateInfo clock = info_of<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
  clock.queryType = VK_QUERY_TYPE_TIMESTAMP, clock.queryCount = 2;
  return checked(calls_.vkCreateQueryPool(device_, &clock, nullptr, &clock_), "making a clock");
}

outcome<u32> vulkan_device::memory_type(u32 types, VkMemoryPropertyFlags wanted, std::string_view what) const {
  for (u32 i = 0; i < memory_.memoryTypeCount; ++i)
    if ((types >> i & 1) != 0 && (memory_.memoryTypes[i].propertyFlags & wanted) == wanted) return i;
  return problem{fmt::format("Vulkan: {} has no memory for {}", name_, what)};
}

outcome<double> vulkan_device::run(std::string_view doing, const std::function<void(VkCommandBuffer)>& record,
                                   const vulkan_order& order) const {
  VkCommandBufferBeginInfo begin = info_of<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  if (status s = checked(calls_.vkResetCommandBuffer(commands_, 0), doing); !s) return s.error();
  if (status s = checked(calls_.vkBeginCommandBuffer(commands_, &begin), doing); !s) return s.error();
  // What came before is seen by what comes now.
  auto barrier = info_of<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  calls_.vkCmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1,
                              &barrier, 0, nullptr, 0, nullptr);
  if (timestamp_bits_ != 0) {
    calls_.vkCmdResetQueryPool(commands_, clock_, 0, 2);
    calls_.vkCmdWriteTimestamp(commands_, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, clock_, 0);
  }
  record(commands_);
  if (timestamp_bits_ != 0) calls_.vkCmdWriteTimestamp(commands_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, clock_, 1);
  if (status s = checked(calls_.vkEndCommandBuffer(commands_), doing); !s) return s.error();

  const auto began = std::chrono::steady_clock::now();
  if (status s = submit(doing, order); !s) return s.error();
  const u64 for_ever = std::numeric_limits<u64>::max();
  if (status s = checked(calls_.vkWaitForFences(device_, 1, &done_, VK_TRUE, for_ever), doing); !s) return s.error();
  if (timestamp_bits_ == 0)
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();

  u64 ticks[2] = {};
  const VkQueryResultFlags flags = VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT;
  if (status s = checked(calls_.vkGetQueryPoolResults(device_, clock_, 0, 2, sizeof(ticks), ticks, sizeof(u64), flags),
                         "reading its clock");
      !s)
    return s.error();
  const u64 valid = timestamp_bits_ >= 64 ? ~u64{0} : (u64{1} << timestamp_bits_) - 1;
  return static_cast<double>((ticks[1] - ticks[0]) & valid) * static_cast<double>(limits_.timestampPeriod) / 1e6;
}

status vulkan_device::submit(std::string_view doing, const vulkan_order& order) const {
  auto numbers = info_of<VkTimelineSemaphoreSubmitInfo>(VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
  numbers.waitSemaphoreValueCount = 1, numbers.pWaitSemaphoreValues = &order.after;
  numbers.signalSemaphoreValueCount = 1, numbers.pSignalSemaphoreValues = &order.then;
  const bool ordered = order.semaphore != VK_NULL_HANDLE;
  const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkSubmitInfo info = info_of<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO, ordered ? &numbers : nullptr);
  info.commandBufferCount = 1, info.pCommandBuffers = &commands_;
  if (ordered) {
    info.waitSemaphoreCount = 1, info.pWaitSemaphores = &order.semaphore, info.pWaitDstStageMask = &all;
    info.signalSemaphoreCount = 1, info.pSignalSemaphores = &order.semaphore;
  }
  if (status s = checked(calls_.vkResetFences(device_, 1, &done_), doing); !s) return s;
  return checked(calls_.vkQueueSubmit(queue_, 1, &info, done_), doing);
}

}  // namespace pivotscope
