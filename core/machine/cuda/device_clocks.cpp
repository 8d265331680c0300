// Clocks by NVML, which comes with the driver. It is loaded when it is asked for: a computer without it has no clocks to
// tell, and the program starts all the same.
#include "core/machine/clocks.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <memory>

namespace pivotscope::detail {
namespace {

// Of nvml.h, whose interface is stable by its versioned names.
using nvml_device = struct nvml_device_of*;
constexpr int nvml_success = 0;
constexpr unsigned clock_sm = 1, clock_memory = 2;
// Reasons that are no throttling: none, idle, clocks that an application or a person set.
constexpr unsigned long long harmless_reasons = 0x1 | 0x2;
// Reasons for which a run does not count: slowed down by the hardware, for heat (by software or hardware), by the power
// brake. The power limit is none of them: who runs into it does so in every run, and the clock itself tells how far.
constexpr unsigned long long throttling_reasons = 0x8 | 0x20 | 0x40 | 0x80;

class nvml {
 public:
  nvml() : library_(dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL)) {
    if (library_ == nullptr) return;
    const bool all = find(init_, "nvmlInit_v2") && find(shutdown_, "nvmlShutdown") &&
                     find(device_, "nvmlDeviceGetHandleByPciBusId_v2") && find(clock_, "nvmlDeviceGetClockInfo") &&
                     find(most_, "nvmlDeviceGetMaxClockInfo") &&
                     find(reasons_, "nvmlDeviceGetCurrentClocksThrottleReasons");
    ready_ = all && init_() == nvml_success;
    find(version_, "nvmlSystemGetDriverVersion");
  }
  ~nvml() {
    if (ready_) shutdown_();
    if (library_ != nullptr) dlclose(library_);
  }
  nvml(const nvml&) = delete;
  nvml& operator=(const nvml&) = delete;

  clock_reading reading_of(const char* bus) const {
    nvml_device device = nullptr;
    if (!ready_ || device_(bus, &device) != nvml_success) return {};
    unsigned mhz = 0;
    unsigned long long reasons = 0;
    if (clock_(device, clock_sm, &mhz) != nvml_success) mhz = 0;
    if (reasons_(device, &reasons) != nvml_success) reasons = 0;
    return {mhz, (reasons & throttling_reasons) != 0};
  }
  std::string driver_version() const {
    std::array<char, 80> version{};  // NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE
    const bool told = ready_ && version_ != nullptr && version_(version.data(), version.size()) == nvml_success;
    return told ? version.data() : std::string();
  }
  std::string clocks_of(const char* bus) const {
    nvml_device device = nullptr;
    if (!ready_ || device_(bus, &device) != nvml_success) return {};
    const std::string sm = clock_words("SM", device, clock_sm), memory = clock_words("memory", device, clock_memory);
    unsigned long long reasons = 0;
    std::string text = sm + (sm.empty() || memory.empty() ? "" : ", ") + memory;
    if (text.empty() || reasons_(device, &reasons) != nvml_success) return text;
    reasons &= ~harmless_reasons;
    return text + (reasons == 0 ? ", not throttled" : fmt::format(", held back (reasons 0x{:x})", reasons));
  }

 private:
  template <class F>
  bool find(F& f, const char* name) {
    f = reinterpret_cast<F>(dlsym(library_, name));
    return f != nullptr;
  }
  std::string clock_words(const char* what, nvml_device device, unsigned which) const {
    unsigned now = 0, most = 0;
    if (clock_(device, which, &now) != nvml_success) return {};
    if (most_(device, which, &most) != nvml_success) return fmt::format("{} {} MHz", what, now);
    return fmt::format("{} {} of {} MHz", what, now, most);
  }

  void* library_;
  bool ready_ = false;
  int (*init_)() = nullptr;
  int (*shutdown_)() = nullptr;
  int (*device_)(const char*, nvml_device*) = nullptr;
  int (*clock_)(nvml_device, unsigned, unsigned*) = nullptr;
  int (*most_)(nvml_device, unsigned, unsigned*) = nullptr;
  int (*reasons_)(nvml_device, unsigned long long*) = nullptr;
  int (*version_)(char*, unsigned) = nullptr;
};

const nvml& library() {
  static const nvml loaded;
  return loaded;
}

// Where the calling thread's GPU is; empty when CUDA does not say.
std::array<char, 32> bus_of_this() {
  std::array<char, 32> bus{};
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), device) != cudaSuccess) {
    cudaGetLastError();
    return {};
  }
  return bus;
}

}  // namespace

std::string cuda_clocks_now() {
  const auto bus = bus_of_this();
  return bus[0] == 0 ? std::string() : library().clocks_of(bus.data());
}

std::string cuda_driver_version() { return library().driver_version(); }

clock_reading cuda_clock_now() {
  const auto bus = bus_of_this();
  return bus[0] == 0 ? clock_reading() : library().reading_of(bus.data());
}

}  // namespace pivotscope::detail
