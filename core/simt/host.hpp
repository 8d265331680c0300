// Lanes, memory and block for the cpu and the trace machine: lanes are a loop, memory is bytes that some source hands
// out, and a recorder sees every access. The cpu machine's recorder does nothing and costs nothing.
#pragma once

#include <array>
#include <cstring>

#include "core/config/index_config.hpp"
#include "core/order/shape.hpp"
#include "core/simt/run.hpp"

namespace pivotscope {

struct no_recorder {
  void step(u32) {}
  void lane(u32) {}
  void access(array_id, u64 /*slot*/, u32 /*slots*/, u32 /*slot_bytes*/) {}
  void compared(array_id, u64 /*slot*/, u64 /*key*/) {}
};

// Bytes in the host's memory.
struct direct_source {
  const std::byte* arrays[3] = {};

  template <class T>
  T load(array_id array, u64 byte_offset) {
    T value;
    std::memcpy(&value, arrays[static_cast<u32>(array)] + byte_offset, sizeof(T));
    return value;
  }
};

template <class Recorder>
class host_lanes {
 public:
  host_lanes(u32 count, Recorder& recorder) : count_(count), recorder_(recorder) {}

  // A value that differs from lane to lane.
  template <class T>
  std::array<T, 32> each(T value) const {
    std::array<T, 32> values;
    for (u32 lane = 0; lane < count_; ++lane) values[lane] = value;
    return values;
  }
  template <class F>
  u32 sum(F&& f) {
    u32 total = 0;
    for (u32 lane = 0; lane < count_; ++lane) recorder_.lane(lane), total += f(lane);
    return total;
  }
  template <class F>
  u32 min(F&& f) {
    u32 smallest = ~0u;
    for (u32 lane = 0; lane < count_; ++lane) recorder_.lane(lane), smallest = least(smallest, f(lane));
    return smallest;
  }
  // May the loop end once this lookup is done? Here yes; a warp goes on until its last level, whole.
  bool may_stop(bool done) const { return done; }

 private:
  u32 count_;
  Recorder& recorder_;
};

template <class Config, class Key, class Recorder, class Source>
class host_memory {
 public:
  host_memory(Config config, Source& source, Recorder& recorder)
      : config_(config), source_(source), recorder_(recorder) {}

  void step(u32 level) { recorder_.step(level); }

  // Compares a run of `live` entries, sorted among themselves, with `key`.
  probe probe_entries(u64 first, u32 live, u32 /*per_lane*/, u32 align, Key key) {
    const u32 stride = entry_bytes(config_.value);
    record_loads(array_id::entries, first, live, align, stride);
    probe result{0, not_found};
    u32 equal = live;
    for (u32 i = 0; i < live; ++i) {
      const Key k = source_.template load<Key>(array_id::entries, (first + i) * stride);
      recorder_.compared(array_id::entries, first + i, k);
      result.less += k < key;
      if (k == key && equal == live) equal = i;
    }
    if (equal < live) result.row = entry_row(first + equal);
    return result;
  }

  u32 count_less_pivots(u64 first, u32 live, u32 /*per_lane*/, u32 align, Key key) {
    record_loads(array_id::pivots, first, live, align, sizeof(Key));
    u32 less = 0;
    for (u32 i = 0; i < live; ++i) {
      const Key k = source_.template load<Key>(array_id::pivots, (first + i) * sizeof(Key));
      recorder_.compared(array_id::pivots, first + i, k);
      less += k < key;
    }
    return less;
  }

  Key entry_key(u64 slot) {
    const u32 stride = entry_bytes(config_.value);
    recorder_.access(array_id::entries, slot, 1, sizeof(Key));
    const Key k = source_.template load<Key>(array_id::entries, slot * stride);
    recorder_.compared(array_id::entries, slot, k);
    return k;
  }

 private:
  u32 entry_row(u64 slot) {
    if (config_.value.layout == entry_layout::aos) {  // came with the key
      return source_.template load<u32>(array_id::entries, slot * entry_bytes(config_.value) + sizeof(Key));
    }
    recorder_.access(array_id::rows, slot, 1, sizeof(u32));
    return source_.template load<u32>(array_id::rows, slot * sizeof(u32));
  }
  void record_loads(array_id array, u64 first, u32 live, u32 align, u32 slot_bytes) {
    const u32 slots = slots_a_load(align, slot_bytes);
    for (u32 i = 0; i < live; i += slots) recorder_.access(array, first + i, slots, slot_bytes);
  }

  Config config_;
  Source& source_;
  Recorder& recorder_;
};

// A block's tile on the host: keys in a row, answers in a row. One host_block serves one tile after another.
template <class Config, class Key>
class host_block {
 public:
  host_block(Config config, const index_view& view) : config_(config) {
    source_.arrays[0] = static_cast<const std::byte*>(view.entries);
    source_.arrays[1] = static_cast<const std::byte*>(view.rows);
    source_.arrays[2] = static_cast<const std::byte*>(view.pivots);
  }

  // Which tiles this block serves: the cpu machine hands tiles out, one at a time.
  void take(u64 tile) { tile_ = tile; }
  template <class F>
  void each_tile(u64 count, F&& f) {
    const u64 size = static_cast<u64>(config_.value.threads) * config_.value.per_thread;
    const u64 first = tile_ * size;
    if (first < count) f(first, static_cast<u32>(count - first < size ? count - first : size));
  }

  void load(const Key* lookups, u32 size) { lookups_ = lookups, size_ = size; }
  template <class F>
  void map_to(u32* answers, F&& f) {
    host_lanes<no_recorder> lanes(config_.value.lanes, recorder_);
    host_memory<Config, Key, no_recorder, direct_source> memory(config_, source_, recorder_);
    for (u32 i = 0; i < size_; ++i) answers[i] = f(lanes, memory, lookups_[i]);
  }

 private:
  Config config_;
  direct_source source_;
  no_recorder recorder_;
  u64 tile_ = 0;
  const Key* lookups_ = nullptr;
  u32 size_ = 0;
};

}  // namespace pivotscope
