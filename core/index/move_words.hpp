// move_words: a region of words that keys share by a hash. A word counts how often an entry of one of them was moved, so that who
// searched meanwhile and found nothing looks again; its lowest bit is their latch.
#pragma once

#include "core/simt/region.hpp"
#include "core/simt/source_place.hpp"

namespace pivotscope {

template <region_id Moves>
struct move_words {
  static constexpr u32 latch_bit = 1, a_move = 2;

  // What the key's word says of moves, without the latch. What is loaded later is no older.
  template <class Lanes, class Memory>
  PIVOTSCOPE_FN static u32 moves_so_far(Lanes& lanes, Memory& memory, u32 word, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    return lanes.once([&] { return memory.template load_acquire<u32>(Moves, word, sizeof(u32), 0) & ~latch_bit; });
  }
  // Whether no key of this word was moved since. What was loaded before is older.
  template <class Lanes, class Memory>
  PIVOTSCOPE_FN static bool none_moved(Lanes& lanes, Memory& memory, u32 word, u32 moves,
                                       typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    memory.fence();
    return moves_so_far(lanes, memory, word) == moves;
  }
  // Calls f() with the latch, and returns its result. All of it is in a round of one loop: the threads of a GPU's warp may meet at
  // the loop's end, and wait there for one that has the latch.
  template <class Lanes, class Memory, class F>
  PIVOTSCOPE_FN static auto with_latch(Lanes& lanes, Memory& memory, u32 word, F&& f, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    decltype(f()) result{};
    for (bool done = false; !done;) {
      if (try_latch(lanes, memory, word)) {
        result = f();
        unlatch(lanes, memory, word);
        done = true;
      } else {
        memory.pause(64);
      }
    }
    return result;
  }
  template <class Lanes, class Memory>
  PIVOTSCOPE_FN static bool try_latch(Lanes& lanes, Memory& memory, u32 word, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const bool got = lanes.once(
        [&] { return (memory.template fetch_or<u32>(Moves, word, sizeof(u32), 0, latch_bit) & latch_bit) == 0; });
    memory.fence();
    return got;
  }
  template <class Lanes, class Memory>
  PIVOTSCOPE_FN static void unlatch(Lanes& lanes, Memory& memory, u32 word, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    lanes.meet();  // a fence of this lane is one of all that the others stored before they met
    lanes.once([&] {
      memory.fence();
      memory.template fetch_add<u32>(Moves, word, sizeof(u32), 0, ~0u);  // moves meanwhile stay counted
      return true;
    });
  }
};

}  // namespace pivotscope
