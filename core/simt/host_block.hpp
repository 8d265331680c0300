// A block on the host, for the cpu machine: the tiles that it serves, in waves, and its scratch.
//
// A family may tell where a lookup begins (batch/lookup.hpp). Then the lookups of wave i + 2 are told while wave i waits
// for what it reads after its first step: what they will read first is prefetched, and has two waves' time to come. The
// waves go on so from tile to tile.
#pragma once

#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "core/config/index_config.hpp"
#include "core/simt/host.hpp"
#include "core/simt/tile_order.hpp"
#include "core/simt/wave.hpp"

namespace pivotscope {

inline constexpr u32 told_ahead = 2 * host_wave;  // lookups

// Lanes that tell lookups ahead, once for a wave.
template <class Tell>
class telling_lanes : public host_lanes<no_recorder> {
 public:
  telling_lanes(u32 count, no_recorder& recorder, const Tell& tell) : host_lanes(count, recorder), tell_(tell) {}
  void will_tell(u32 begin, u32 end) { begin_ = begin, end_ = end; }
  void meanwhile() {
    tell_(begin_, end_);
    begin_ = end_;
  }

 private:
  const Tell& tell_;
  u32 begin_ = 0, end_ = 0;
};

// A block on the host. It serves the tiles that the machine hands it, one at a time, and keeps its scratch between
// them. `Lanes::value` lanes serve a lookup: a constant, or a number known at run time (any_lanes).
struct any_lanes {
  u32 value;
};
// Lookups of a batch in the order in which a block serves them (batch/routed.hpp): places[i] is the place of the i-th.
template <class Key>
struct routed_lookups {
  const Key* lookups;
  const u32* places;
  routed_lookups operator+(u64 i) const { return {lookups, places + i}; }
};
template <class Lanes, class Key>
class host_block {
 public:
  using memory = host_memory<no_recorder, direct_source>;

  host_block(Lanes lanes, const launch_config& launch, const index_view& view)
      : lanes_(lanes), launch_(launch), memory_(source_, recorder_) {
    for (u32 r = 0; r < max_regions; ++r) source_.regions[r] = static_cast<const std::byte*>(view.regions[r]);
  }

  // Fills the scratch. f(memory, i) returns the i-th value, which takes as many bytes as its type has.
  template <class F>
  void fill_scratch(u32 count, F&& f) {
    using pinned = decltype(f(memory_, 0u));
    scratch_.resize(count * sizeof(pinned));
    for (u32 i = 0; i < count; ++i) {
      const pinned value = f(memory_, i);
      std::memcpy(scratch_.data() + i * sizeof(pinned), &value, sizeof(pinned));
    }
    source_.scratch = scratch_.data();
  }

  // Sets which tiles the block serves. Dynamic schedule: one tile. Static: the first one and every blocks-th after it.
  // go_on() is asked before every tile.
  void take(u64 first_tile, u64 blocks, std::function<bool()> go_on) {
    tile_ = first_tile, blocks_ = blocks, go_on_ = std::move(go_on);
  }
  template <class F>
  void each_tile(u64 count, F&& f) {
    const u64 size = tile_lookups(launch_);
    const bool strides = launch_.schedule == schedule_kind::fixed;
    for (u64 first = tile_ * size; first < count && go_on_(); first += blocks_ * size) {
      const u64 left = count - first;
      // With one tile a block, the next tile is the next block's, which is mostly this thread's as well.
      beyond_ = strides || left <= size ? 0 : static_cast<u32>(left - size < told_ahead ? left - size : told_ahead);
      f(first, static_cast<u32>(left < size ? left : size));
      if (!strides) break;
    }
  }

  // Calls f(lanes, memory, place in the tile, key, is it a lookup?) for the lookups of a tile, in their order or sorted
  // by the key bits [begin, end) (O3).
  template <class F>
  void each_as_it_comes(const Key* keys, u32 size, F&& f) {
    host_lanes<no_recorder> lanes(lanes_.value, recorder_);
    for (u32 i = 0; i < size; ++i) f(lanes, memory_, i, keys[i], true);
  }
  template <class F>
  void each_sorted(const Key* keys, u32 size, u32 begin, u32 end, F&& f) {
    order_tile(std::span(keys, size), begin, end, places_);
    host_lanes<no_recorder> lanes(lanes_.value, recorder_);
    for (const u32 place : places_) f(lanes, memory_, place, keys[place], true);
  }

  // Calls f(wave) for the lookups of a tile, and stores the answers that it returns. The answers of a sorted tile go
  // straight to the places of their lookups, with "double" as without it.
  template <class F>
  void map_as_it_comes(const Key* lookups, u32* answers, u32 size, F&& f) {
    if (beyond_ > 0) {
      prefetch_lines<false>(reinterpret_cast<const std::byte*>(lookups + size + beyond_), size * sizeof(Key));
      prefetch_lines<true>(reinterpret_cast<const std::byte*>(answers + size), size * sizeof(u32));
    }
    map(
        lookups, answers, size, [](u32 i) { return i; }, f, beyond_);
    told_ = beyond_ > 0 ? lookups + size : nullptr;
  }
  // The same of lookups that have been routed.
  template <class F>
  void map_routed(const routed_lookups<Key>& routed, u32* answers, u32 size, F&& f) {
    map(
        routed.lookups, answers, size, [&](u32 i) { return routed.places[i]; }, f, 0);
  }
  template <class F>
  void map_sorted(const Key* lookups, u32* answers, u32 size, u32 begin, u32 end, F&& f) {
    order_tile(std::span(lookups, size), begin, end, places_);
    map(
        lookups, answers, size, [this](u32 i) { return places_[i]; }, f, 0);
  }

 private:
  // `beyond`: how many lookups of the next tile are told ahead.
  template <class Place, class F>
  void map(const Key* lookups, u32* answers, u32 size, Place&& place, F&& f, u32 beyond) {
    const auto tell = [&](u32 begin, u32 end) {  // at most told_ahead lookups
      if constexpr (std::remove_cvref_t<F>::tells_begin) {
        if (begin >= end) return;
        u32 places[told_ahead];
        for (u32 i = 0; i < end - begin; ++i) places[i] = f.begins_at(lookups[place(begin + i)]);
        for (u32 i = 0; i < end - begin; ++i) f.template will_begin<Key>(memory_, places[i]);
      }
    };
    telling_lanes lanes(lanes_.value, recorder_, tell);
    const u32 all = size + beyond;
    if (told_ != lookups) tell(0, least(told_ahead, all));
    for (u32 first = 0; first < size; first += host_wave) {
      const u32 count = least(host_wave, size - first);
      lanes.will_tell(least(first + told_ahead, all), least(first + told_ahead + host_wave, all));
      wave<decltype(lanes), memory, Key, host_wave> lookups_now(lanes, memory_, count);
      lookups_now.each([&](u32 i) { lookups_now.keys[i] = lookups[place(first + i)]; });
      const auto found = f(lookups_now);
      lanes.meanwhile();
      lookups_now.each([&](u32 i) { answers[place(first + i)] = found[i]; });
    }
  }

  [[no_unique_address]] Lanes lanes_;
  launch_config launch_;
  direct_source source_;
  no_recorder recorder_;
  memory memory_;
  std::vector<std::byte> scratch_;
  u64 tile_ = 0, blocks_ = 1;
  std::function<bool()> go_on_;
  u32 beyond_ = 0;             // lookups that follow the tile and are told ahead
  const Key* told_ = nullptr;  // the first lookup that was told ahead and is not served
  std::vector<u32> places_;    // tile positions of a sorted tile, in the order of service
};

}  // namespace pivotscope
