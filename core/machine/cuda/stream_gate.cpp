#include "core/machine/cuda/stream_gate.hpp"

#include <new>

namespace pivotscope {
namespace {

// Queuing takes some 10 us. A frame of a window that is drawn on the same GPU must not wait long either.
constexpr u64 patience_ns = 20'000'000;

}  // namespace

outcome<stream_gate> stream_gate::make() {
  void* words = nullptr;
  // With unified addresses, which every 64-bit system has, the device sees it where the host does.
  if (auto s = checked(cudaHostAlloc(&words, sizeof(gate_words), cudaHostAllocMapped), "making a gate"); !s)
    return s.error();
  stream_gate made;
  made.words_.reset(new (words) gate_words);
  return made;
}

outcome<stream_gate::closed> stream_gate::close(cudaStream_t stream) {
  if (auto s = checked(queue_gate(words_.get(), ++turn_, patience_ns, stream), "closing a gate"); !s) return s.error();
  return closed(*this);
}

void stream_gate::closed::open() {
  if (stream_gate* const gate = std::exchange(gate_, nullptr))
    std::atomic_ref(gate->words_->opened).store(gate->turn_, std::memory_order_release);
}

bool stream_gate::held() const { return std::atomic_ref(words_->gave_up).load(std::memory_order_acquire) != turn_; }

}  // namespace pivotscope
