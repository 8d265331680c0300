// Lanes, memory and block for the cpu and the trace machine: lanes are a loop, memory is bytes that some source hands
// out, and a recorder sees every access. The cpu machine's recorder does nothing and costs nothing.
#pragma once

#include <array>
#include <cstring>
#include <functional>
#include <span>
#include <vector>

#include "core/config/index_config.hpp"
#include "core/index/ordered/shape.hpp"
#include "core/simt/run.hpp"
#include "core/simt/tile_order.hpp"
#include "core/simt/vector_compare.hpp"
#include "core/simt/wave.hpp"

namespace pivotscope {

struct no_recorder {
  void step(u32) {}
  void scan_step(u32 /*level*/, bool /*with_warp*/) {}
  void lane(u32) {}
  void access(region_id, u64 /*slot*/, u32 /*slots*/, u32 /*slot_bytes*/, u32 /*into the slot*/ = 0) {}
  void scratch_access(pinned_slot, u32 /*index*/, u32 /*slots*/, u32 /*slot_bytes*/) {}
  void compared(region_id, u64 /*slot*/, u64 /*key*/) {}
};

// Bytes in the host's memory, and a block's scratch.
struct direct_source {
  const std::byte* arrays[3] = {};
  const std::byte* scratch = nullptr;

  template <class T>
  T load(region_id array, u64 byte_offset) {
    T value;
    std::memcpy(&value, arrays[static_cast<u32>(array)] + byte_offset, sizeof(T));
    return value;
  }
  pinned_slot origin(u32) const { return {}; }  // only a recorder wants to know
  template <class T>
  T load_scratch(u32 index) {
    T value;
    std::memcpy(&value, scratch + index * sizeof(T), sizeof(T));
    return value;
  }
  const std::byte* address(region_id array, u64 byte_offset) const {
    return arrays[static_cast<u32>(array)] + byte_offset;
  }
  void will_load(region_id array, u64 byte_offset, u64 bytes) {
    constexpr u64 line = 64;
    const std::byte* const begin = arrays[static_cast<u32>(array)] + byte_offset;
    for (u64 at = 0; at < bytes; at += line) __builtin_prefetch(begin + at);
    __builtin_prefetch(begin + bytes - 1);
  }
};

template <class Recorder>
class host_lanes {
 public:
  host_lanes(u32 count, Recorder& recorder) : count_(count), recorder_(recorder) {}

  // A value that differs from lane to lane.
  template <class T>
  using per_lane = std::array<T, 32>;
  template <class T>
  per_lane<T> each(T value) const {
    per_lane<T> values{};
    for (u32 lane = 0; lane < count_; ++lane) values[lane] = value;
    return values;
  }
  // The least row id that the lanes take. They are a loop, so one does for all.
  struct row_of_lanes {
    u32 row = not_found;
    void take(u32 seen) { row = least(row, seen); }
    u32 of_all(host_lanes&) const { return row; }
  };
  row_of_lanes least_row() const { return {}; }

  template <class F>
  auto sum(F&& f) {
    decltype(f(0u)) total{};
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
  // Are all lookups of the warp done? Here there is one.
  bool all_done(bool done) const { return done; }
  u32 size() const { return count_; }
  bool leads() const { return true; }  // is this the thread that speaks for the lookup?

  // body(lanes of the whole warp, what a lookup hands over) for every lookup of the warp that wants it, in turn; what
  // it comes to for this one, which is nothing, {}, for one that does not.
  template <class Rest, class F>
  auto take_turns(bool wanted, const Rest& rest, F&& body) {
    host_lanes<Recorder> warp(32, recorder_);
    return wanted ? body(warp, rest) : decltype(body(warp, rest)){};
  }

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
  void scan_step(u32 level, bool with_warp) { recorder_.scan_step(level, with_warp); }

  // Slots that are read soon.
  void will_read(region_id array, u64 first, u32 slots) {
    if constexpr (requires { source_.will_load(array, first, u64{slots}); }) {
      const u64 bytes = array == ordered_region::pivots ? sizeof(Key) : entry_bytes(config_.value);
      source_.will_load(array, first * bytes, slots * bytes);
    }
  }

  // Compares a lane's share of a node of entries, sorted among themselves, with `key`. Without `want_row` the row id of
  // an equal one is not fetched.
  probe probe_entries(u32 first, node_run run, u32 lane, Key key, bool pinned, bool want_row = true) {
    const u64 begin = u64{first} + run.offset(lane);
    const u32 live = run.live(lane);
    record_loads(ordered_region::entries, begin, live, run.align, entry_bytes(config_.value), pinned);
    const bool structs = config_.value.layout == entry_layout::aos;
    const compared_keys seen = structs ? compare<2>(ordered_region::entries, begin, live, key, pinned)
                                       : compare<1>(ordered_region::entries, begin, live, key, pinned);
    probe result{seen.less, not_found};
    // Scratch holds keys only: a match in it fetches its row id.
    if (seen.equal > 0 && want_row) result.row = entry_row(begin + seen.less, pinned);
    return result;
  }

  // Key and row id both, whether the key turns out to be in the range or not (cuda.hpp says why).
  scanned_entry<Key> scan_entry(u64 slot) {
    const bool structs = config_.value.layout == entry_layout::aos;
    recorder_.access(ordered_region::entries, slot, 1, structs ? entry_bytes(config_.value) : u32{sizeof(Key)});
    const Key key = load_entry_key(slot);
    return {key, entry_row(slot, false)};
  }

  u32 count_less_pivots(u32 first, node_run run, u32 lane, Key key, bool pinned) {
    const u64 begin = u64{first} + run.offset(lane);
    const u32 live = run.live(lane);
    record_loads(ordered_region::pivots, begin, live, run.align, sizeof(Key), pinned);
    return compare<1>(ordered_region::pivots, begin, live, key, pinned).less;
  }

  Key entry_key(u32 slot) {
    recorder_.access(ordered_region::entries, slot, 1, sizeof(Key));
    return load_entry_key(slot);
  }

  // Pinned key `index` of an order that does not pin slots as they are.
  Key scratch_key(u32 index) {
    const pinned_slot from = source_.origin(index);
    recorder_.scratch_access(from, index, 1, sizeof(Key));
    const Key k = source_.template load_scratch<Key>(index);
    recorder_.compared(from.array, from.slot, k);
    return k;
  }

  // A key that is to be pinned.
  Key pin_key(pinned_slot from) {
    return from.array == ordered_region::pivots
               ? source_.template load<Key>(ordered_region::pivots, from.slot * sizeof(Key))
               : source_.template load<Key>(ordered_region::entries, from.slot * entry_bytes(config_.value));
  }

 private:
  // Keys of slots [begin, begin + live). Stride: values from one key to the next, of those that are not pinned.
  template <u32 Stride>
  compared_keys compare(region_id array, u64 begin, u32 live, Key key, bool pinned) {
    compared_keys seen;
    if constexpr (requires { source_.address(array, begin); }) {
      if (!pinned && compare_node<Stride>(source_.address(array, begin * Stride * sizeof(Key)), live, key, seen))
        return seen;
    }
    for (u32 i = 0; i < live; ++i) {
      const Key k = pinned                            ? pinned_key(array, begin + i)
                    : array == ordered_region::pivots ? load_pivot(begin + i)
                                                      : load_entry_key(begin + i);
      seen.less += k < key;
      seen.equal += k == key;
    }
    return seen;
  }
  Key load_entry_key(u64 slot) {
    const Key k = source_.template load<Key>(ordered_region::entries, slot * entry_bytes(config_.value));
    recorder_.compared(ordered_region::entries, slot, k);
    return k;
  }
  Key load_pivot(u64 slot) {
    const Key k = source_.template load<Key>(ordered_region::pivots, slot * sizeof(Key));
    recorder_.compared(ordered_region::pivots, slot, k);
    return k;
  }
  // Slot = index in scratch.
  Key pinned_key(region_id array, u64 slot) {
    const Key k = source_.template load_scratch<Key>(static_cast<u32>(slot));
    recorder_.compared(array, slot, k);
    return k;
  }
  u32 entry_row(u64 slot, bool pinned) {
    if (config_.value.layout == entry_layout::aos) {  // came with the key, but for a pinned one
      const u64 at = slot * entry_bytes(config_.value) + sizeof(Key);
      if (pinned) recorder_.access(ordered_region::entries, slot, 1, sizeof(u32), sizeof(Key));
      return source_.template load<u32>(ordered_region::entries, at);
    }
    recorder_.access(ordered_region::rows, slot, 1, sizeof(u32));
    return source_.template load<u32>(ordered_region::rows, slot * sizeof(u32));
  }
  void record_loads(region_id array, u64 first, u32 live, u32 align, u32 slot_bytes, bool pinned) {
    const u32 bytes = pinned ? u32{sizeof(Key)} : slot_bytes, slots = slots_a_load(align, bytes);
    for (u32 i = 0; i < live; i += slots) {
      if (pinned) {
        recorder_.scratch_access({array, first + i}, static_cast<u32>(first) + i, slots, bytes);
      } else {
        recorder_.access(array, first + i, slots, bytes);
      }
    }
  }

  Config config_;
  Source& source_;
  Recorder& recorder_;
};

// A block on the host. It serves the tiles that the machine hands it, one at a time, and keeps its scratch in between.
template <class Config, class Key>
class host_block {
 public:
  // `launch` says how a batch is cut into tiles, config the search.
  host_block(Config config, const index_config& launch, const index_view& view)
      : config_(config), launch_(launch), memory_(config_, source_, recorder_) {
    source_.arrays[0] = static_cast<const std::byte*>(view.entries);
    source_.arrays[1] = static_cast<const std::byte*>(view.rows);
    source_.arrays[2] = static_cast<const std::byte*>(view.pivots);
  }

  // source(i) says which key is pinned as the i-th.
  template <class F>
  void fill_scratch(u32 count, F&& source) {
    scratch_.resize(count);
    for (u32 i = 0; i < count; ++i) scratch_[i] = memory_.pin_key(source(i));
    source_.scratch = reinterpret_cast<const std::byte*>(scratch_.data());
  }

  // Dynamic schedule: one tile. Static: every blocks-th tile from the first on.
  // go_on() is asked before every tile.
  void take(u64 first_tile, u64 blocks, std::function<bool()> go_on) {
    tile_ = first_tile, blocks_ = blocks, go_on_ = std::move(go_on);
  }
  template <class F>
  void each_tile(u64 count, F&& f) {
    const u64 size = tile_lookups(launch_);
    const bool strides = launch_.schedule == schedule_kind::fixed;
    for (u64 first = tile_ * size; first < count && go_on_(); first += blocks_ * size) {
      f(first, static_cast<u32>(count - first < size ? count - first : size));
      if (!strides) break;
    }
  }

  // f(lanes, memory, place in the tile, key, is it a lookup?) for a tile: as it comes, or sorted by the bits [begin,
  // end) of its keys (O3).
  template <class F>
  void each_as_it_comes(const Key* keys, u32 size, F&& f) {
    host_lanes<no_recorder> lanes(config_.value.lanes, recorder_);
    for (u32 i = 0; i < size; ++i) f(lanes, memory_, i, keys[i], true);
  }
  template <class F>
  void each_sorted(const Key* keys, u32 size, u32 begin, u32 end, F&& f) {
    order_tile(std::span(keys, size), begin, end, places_);
    host_lanes<no_recorder> lanes(config_.value.lanes, recorder_);
    for (const u32 place : places_) f(lanes, memory_, place, keys[place], true);
  }

  // f(wave), the answers of its lookups, for a tile. Those of a sorted one go where their lookups came from: here
  // straight there, whether they are put back in order first ("double") or not.
  template <class F>
  void map_as_it_comes(const Key* lookups, u32* answers, u32 size, F&& f) {
    map(
        lookups, answers, size, [](u32 i) { return i; }, f);
  }
  template <class F>
  void map_sorted(const Key* lookups, u32* answers, u32 size, u32 begin, u32 end, F&& f) {
    order_tile(std::span(lookups, size), begin, end, places_);
    map(
        lookups, answers, size, [this](u32 i) { return places_[i]; }, f);
  }

 private:
  template <class Place, class F>
  void map(const Key* lookups, u32* answers, u32 size, Place&& place, F&& f) {
    using all_lanes = host_lanes<no_recorder>;
    all_lanes lanes(config_.value.lanes, recorder_);
    for (u32 first = 0; first < size; first += host_wave) {
      const u32 count = least(host_wave, size - first);
      wave<all_lanes, host_memory<Config, Key, no_recorder, direct_source>, Key, host_wave> lookups_now(lanes, memory_,
                                                                                                        count);
      lookups_now.each([&](u32 i) { lookups_now.keys[i] = lookups[place(first + i)]; });
      const auto found = f(lookups_now);
      lookups_now.each([&](u32 i) { answers[place(first + i)] = found[i]; });
    }
  }

  Config config_;
  index_config launch_;
  direct_source source_;
  no_recorder recorder_;
  host_memory<Config, Key, no_recorder, direct_source> memory_;
  std::vector<Key> scratch_;
  u64 tile_ = 0, blocks_ = 1;
  std::function<bool()> go_on_;
  std::vector<u32> places_;  // of a sorted tile, in the order of the search
};

}  // namespace pivotscope
