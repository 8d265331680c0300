// Timed runs on a stream: each behind a gate, between two events.
#pragma once

#include "core/common/timing_turns.hpp"
#include "core/machine/clocks.hpp"
#include "core/machine/cuda/stream_gate.hpp"
#include "core/machine/timed_runs.hpp"

namespace pivotscope {

struct stage_words {
  const char *starting, *doing;
};

// One run after another of the same kernel.
class batch_timer {
 public:
  static outcome<batch_timer> make(const cuda_device& device, const batch_options& options) {
    batch_timer made;
    made.measures_ = made.gated_ = options.measures();
    auto timer = device_timer::make();
    if (!timer) return timer.error();
    made.timer_ = std::move(*timer);
    if (made.gated_) {
      // Where a device shares no memory with the host, runs go without, and the conditions say so.
      auto gate = stream_gate::make();
      made.gated_ = gate.ok();
      if (gate) made.gate_ = std::move(*gate);
    }
    if (options.cold) {
      auto other = device_buffer::allocate(2 * device.info.l2_bytes, "emptying the L2 cache");
      if (!other) return other.error();
      made.other_bytes_ = std::move(*other);
    }
    return made;
  }

  // `queue()` starts the kernel, and returns what CUDA says to that.
  template <class Queue>
  outcome<timed_run> time(cudaStream_t stream, u64 run, const stage_words& words, const job_control& control,
                          const Queue& queue) {
    // The first run goes without the gate: its kernel may have to be loaded.
    if (run > 0 && gated_) {
      constexpr u32 most_tries = 3;  // a host that was away for a moment is no reason to do without
      for (u32 tries = 0; tries < most_tries; ++tries) {
        outcome<timed_run> done = once(stream, run, true, words, control, queue);
        if (!done || gate_.held()) return done;
      }
      gated_ = false;  // and the run is made again, as all that come
    }
    return once(stream, run, false, words, control, queue);
  }
  bool gated() const { return gated_; }

 private:
  template <class Queue>
  outcome<timed_run> once(cudaStream_t stream, u64 run, bool gated, const stage_words& words,
                          const job_control& control, const Queue& queue) {
    if (other_bytes_.bytes() > 0) {
      const auto other = static_cast<int>(run & 0xFF);
      const cudaError_t queued = cudaMemsetAsync(other_bytes_.data(), other, other_bytes_.bytes(), stream);
      if (auto s = checked(queued, "emptying the L2 cache"); !s) return s.error();
      // Else the gate's patience would go by while the cache is emptied.
      if (auto s = checked(cudaStreamSynchronize(stream), "emptying the L2 cache"); !s) return s.error();
    }
    const clock_reading before = measures_ ? detail::cuda_clock_now() : clock_reading();
    timing_turns::turn quiet = timed_pass(control);
    stream_gate::closed closed;
    if (gated) {
      auto closing = gate_.close(stream);
      if (!closing) return closing.error();
      closed = std::move(*closing);
    }
    if (auto s = timer_.start(stream); !s) return s.error();
    if (auto s = checked(queue(), words.starting); !s) return s.error();
    if (auto s = timer_.mark_end(stream, words.doing); !s) return s.error();
    closed.open();
    auto ms = timer_.read(words.doing);
    quiet.end();
    if (!ms) return ms.error();
    const clock_reading after = measures_ ? detail::cuda_clock_now() : clock_reading();
    return timed_run{*ms, watch_.held_back(before, after)};
  }

  device_timer timer_;
  stream_gate gate_;
  device_buffer other_bytes_;
  clock_watch watch_;
  bool measures_ = false, gated_ = false;
};

}  // namespace pivotscope
