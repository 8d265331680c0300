#include "core/machine/cuda/runtime.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/machine/device_memory.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

// Errors after which every later call of the process fails too.
bool ends_the_context(cudaError_t error) {
  switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorIllegalInstruction:
    case cudaErrorHardwareStackError:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorUnknown:
      return true;
    default:
      return false;
  }
}

// What the words of an out-of-memory problem say is free; empty when even that cannot be told.
std::string free_memory_text() {
  std::size_t free = 0, total = 0;
  if (cudaMemGetInfo(&free, &total) != cudaSuccess) {
    cudaGetLastError();
    return "";
  }
  return fmt::format("{} of {} are free", bytes_text(free), bytes_text(total));
}

constexpr u64 piece_bytes = 64ull << 20;

status copy_in_pieces(void* to, const void* from, u64 bytes, cudaMemcpyKind kind, cudaStream_t stream,
                      std::string_view stage, const job_control& control) {
  for (u64 done = 0; done < bytes;) {
    if (control.cancelled()) return job_control::cancelled_problem();
    const u64 piece = std::min(piece_bytes, bytes - done);
    const cudaError_t queued =
        cudaMemcpyAsync(static_cast<char*>(to) + done, static_cast<const char*>(from) + done, piece, kind, stream);
    if (auto s = checked(queued, stage); !s) return s;
    if (auto s = checked(cudaStreamSynchronize(stream), stage); !s) return s;
    done += piece;
    control.progress(stage, static_cast<double>(done) / static_cast<double>(bytes));
  }
  return fine();
}

}  // namespace

problem cuda_problem(cudaError_t error, std::string_view doing) {
  cudaGetLastError();
  const bool ends = ends_the_context(error);
  return {.words = fmt::format(
              "The GPU failed at {}: {} ({}).{}", doing, cudaGetErrorString(error), cudaGetErrorName(error),
              ends ? " It does no more work for this process: start pivotscope again, and report what you did." : ""),
          .ends_machine = ends};
}

status checked(cudaError_t error, std::string_view doing) {
  if (error != cudaSuccess) return cuda_problem(error, doing);
  return fine();
}

outcome<device_buffer> device_buffer::allocate(u64 bytes, std::string_view what) {
  device_buffer buffer;
  if (bytes == 0) return buffer;
  const cudaError_t error = cudaMalloc(&buffer.data_, bytes);
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    return problem{fmt::format(
        "Not enough GPU memory: {} for {} could not be had; {}. Lower the number of keys or lookups, or end other "
        "programs that use this GPU.",
        bytes_text(bytes), what, free_memory_text())};
  }
  if (error != cudaSuccess) return cuda_problem(error, fmt::format("allocating {}", what));
  buffer.bytes_ = bytes;
  device_memory_taken(bytes);
  return buffer;
}

void device_buffer::release() {
  if (data_ != nullptr) {
    cudaFree(std::exchange(data_, nullptr));
    device_memory_given_back(bytes_);
  }
  bytes_ = 0;
}

status check_device_memory(const cuda_device& device, std::string_view for_what, std::span<const memory_need> needs,
                           std::string_view advice) {
  std::size_t free = 0, total = 0;
  if (auto s = checked(cudaMemGetInfo(&free, &total), "asking how much memory is free"); !s) return s;
  u64 sum = 0;
  std::string list;
  for (const memory_need& need : needs) {
    sum += need.bytes;
    if (need.bytes > 0) list += fmt::format("{}{} {}", list.empty() ? "" : ", ", need.what, bytes_text(need.bytes));
  }
  if (sum <= free) return fine();
  return problem{
      fmt::format("Not enough GPU memory: {} needs {} ({}), and of {}'s {} are {} free. {}, or end other programs that "
                  "use this GPU.",
                  for_what, bytes_text(sum), list, device.info.name, bytes_text(total), bytes_text(free), advice)};
}

outcome<device_stream> device_stream::make() {
  cudaStream_t stream = nullptr;
  if (auto s = checked(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream"); !s) {
    return s.error();
  }
  device_stream made;
  made.stream_.reset(stream);
  return made;
}

outcome<device_timer> device_timer::make() {
  device_timer timer;
  for (auto* owner : {&timer.begin_, &timer.end_}) {
    cudaEvent_t event = nullptr;
    if (auto s = checked(cudaEventCreate(&event), "making an event"); !s) return s.error();
    owner->reset(event);
  }
  return timer;
}

status device_timer::start(cudaStream_t stream) const {
  return checked(cudaEventRecord(begin_.get(), stream), "starting a timer");
}

status device_timer::mark_end(cudaStream_t stream, std::string_view doing) const {
  return checked(cudaEventRecord(end_.get(), stream), doing);
}

outcome<double> device_timer::stop(cudaStream_t stream, std::string_view doing) const {
  if (auto s = mark_end(stream, doing); !s) return s.error();
  return read(doing);
}

outcome<double> device_timer::read(std::string_view doing) const {
  if (auto s = checked(cudaEventSynchronize(end_.get()), doing); !s) return s.error();
  float ms = 0;
  if (auto s = checked(cudaEventElapsedTime(&ms, begin_.get(), end_.get()), doing); !s) return s.error();
  return static_cast<double>(ms);
}

status upload(void* to, const void* from, u64 bytes, cudaStream_t stream, std::string_view stage,
              const job_control& control) {
  return copy_in_pieces(to, from, bytes, cudaMemcpyHostToDevice, stream, stage, control);
}

status download(void* to, const void* from, u64 bytes, cudaStream_t stream, std::string_view stage,
                const job_control& control) {
  return copy_in_pieces(to, from, bytes, cudaMemcpyDeviceToHost, stream, stage, control);
}

}  // namespace pivotscope
