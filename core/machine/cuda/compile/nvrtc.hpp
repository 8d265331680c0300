// NVRTC, CUDA's run-time compiler, loaded when it is wanted and never linked: the program starts where there is none.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/common/outcome.hpp"
#include "core/common/portable.hpp"
#include "core/common/source_text.hpp"
#include "core/machine/cuda/compile/program.hpp"
#include "core/machine/cuda/compile/toolkit_places.hpp"

namespace pivotscope {

struct nvrtc_output {
  std::string code;  // a cubin, or PTX
  std::string log;   // warnings, and the assembler's report
};

// A loaded library. Any number of threads may compile at a time.
class nvrtc {
 public:
  // 12.8 is the oldest that is taken.
  static outcome<std::shared_ptr<const nvrtc>> open(const std::filesystem::path& file);

  int major_version() const { return major_; }
  int minor_version() const { return minor_; }
  const std::filesystem::path& file() const { return file_; }
  std::span<const u32> architectures() const { return architectures_; }  // ascending: 75, 80, ...

  // The best that can be made for a device of that compute capability: its own machine code, that of an older device
  // of its generation, or PTX of an older generation. Problem: the device is too old for this NVRTC.
  outcome<compile_target> target_for(u32 capability) const;

  // With compile_options(target). A source that does not compile is a problem whose words name `what` and hold the
  // compiler's log.
  // `more`: options beside these.
  outcome<nvrtc_output> compile(const std::string& source, std::string_view what,
                                std::span<const embedded_file> headers, compile_target target,
                                std::span<const std::string> more = {}) const;

  std::string text() const;  // "NVRTC 13.0 (/usr/local/cuda/lib64/libnvrtc.so.13)"

 private:
  struct functions;
  std::shared_ptr<const functions> call_;
  std::filesystem::path file_;
  int major_ = 0, minor_ = 0;
  std::vector<u32> architectures_;
};

// The first NVRTC in these places, or else where the loader looks. The problem's words list every place and what was
// wrong with it.
outcome<std::shared_ptr<const nvrtc>> search_nvrtc(std::span<const toolkit_place> places, bool ask_loader = true);

// search_nvrtc(toolkit_places()), looked for once a process.
const outcome<std::shared_ptr<const nvrtc>>& find_nvrtc();

}  // namespace pivotscope
