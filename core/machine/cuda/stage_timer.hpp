// What stages of a build or an update take on a stream that is idle before each.
#pragma once

#include "core/machine/cuda/runtime.hpp"
#include "core/machine/cuda/stream_gate.hpp"

namespace pivotscope {

// A stage is queued behind a gate: what its launches cost the host is not in its time. It is run once and never again, so
// where the gate did not hold (a kernel had to be loaded, or launches wait) the time has the launches in it, and the stages
// that follow go without.
class stage_timer {
 public:
  static outcome<stage_timer> make() {
    stage_timer made;
    auto timer = device_timer::make();
    if (!timer) return timer.error();
    made.timer_ = std::move(*timer);
    // Where a device shares no memory with the host, there is none.
    auto gate = stream_gate::make();
    made.gated_ = gate.ok();
    if (gate) made.gate_ = std::move(*gate);
    return made;
  }

  // `queue()` queues the stage's work, allocates nothing, and returns what CUDA says to it. Returns milliseconds, when the
  // work is done.
  template <class Queue>
  outcome<double> time(cudaStream_t stream, std::string_view stage, const Queue& queue) {
    stream_gate::closed closed;
    if (gated_) {
      auto closing = gate_.close(stream);
      if (!closing) return closing.error();
      closed = std::move(*closing);
    }
    if (auto s = timer_.start(stream); !s) return s.error();
    if (auto s = checked(queue(), stage); !s) return s.error();
    if (auto s = timer_.mark_end(stream, stage); !s) return s.error();
    closed.open();
    auto ms = timer_.read(stage);
    gated_ = gated_ && gate_.held();
    return ms;
  }

 private:
  device_timer timer_;
  stream_gate gate_;
  bool gated_ = false;
};

}  // namespace pivotscope
