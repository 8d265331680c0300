// A stream that stands still while a run is queued behind the gate: its events and its kernel then follow each other
// without a gap, and what launching them costs the host is not between them.
#pragma once

#include <atomic>
#include <memory>

#include "core/machine/cuda/gate.hpp"
#include "core/machine/cuda/runtime.hpp"

namespace pivotscope {

class stream_gate {
 public:
  static outcome<stream_gate> make();

  // Closed until this is opened, or gone.
  class closed {
   public:
    closed() = default;  // of no gate
    closed(closed&& other) noexcept : gate_(std::exchange(other.gate_, nullptr)) {}
    closed& operator=(closed&& other) noexcept {
      open();
      gate_ = std::exchange(other.gate_, nullptr);
      return *this;
    }
    ~closed() { open(); }
    void open();

   private:
    friend stream_gate;
    explicit closed(stream_gate& gate) : gate_(&gate) {}
    stream_gate* gate_ = nullptr;
  };
  // What is queued from now on waits. What is queued must not wait for the stream itself, as loading a kernel may: the
  // first run of a kernel goes without a gate.
  outcome<closed> close(cudaStream_t stream);
  // After the stream was waited for: did the gate stand until it was opened? It does not where launches themselves wait
  // (CUDA_LAUNCH_BLOCKING, some profilers): then it gives up after a while, and is of no use.
  bool held() const;

 private:
  struct give_back {
    void operator()(gate_words* words) const { cudaFreeHost(words); }
  };
  std::unique_ptr<gate_words, give_back> words_;
  u32 turn_ = 0;
};

}  // namespace pivotscope
