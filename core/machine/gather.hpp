// Loads at random places of an array, of which none waits for another: what a device's memory gives at most, whatever
// an index makes of it. Lightweight, Figure 7, is one such question; core/memory_benchmark has the list of them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/machine/machine.hpp"

namespace pivotscope {

// Threads in groups. In each step a group draws a place of the array, and its threads load neighbouring entries from
// there on. Every thread adds up what it loaded, so that no load can be left out and each is checked.
struct gather_question {
  u64 bytes = 0;           // of the array, a multiple of 16
  u32 entry_bytes = 16;    // that a thread loads at once: 4 or 16
  u32 lanes = 1;           // threads of a group: a power of two, 1024 at most
  u32 loading = 1;         // of them that load, the first ones
  u32 align_bytes = 16;    // places are multiples of it; a multiple of entry_bytes
  u32 threads = 0;         // in all; 0: as many as the device has room for at once
  u64 requests = 0;        // of all groups together, at least; each group makes as many
  bool dependent = false;  // each place follows from the word that was loaded before, so that a thread waits; of 1 lane
  bool copy = false;       // no gather: the array's `bytes` are copied to another place, once

  u32 request_bytes() const { return loading * entry_bytes; }
};

struct gather_times {
  u64 requests = 0;  // of a run; of a copy 0
  u64 threads = 0;
  stage_time time = {};  // "gather" or "copy"; without samples: there was no room for the array
};

// What a device makes of a question.
struct gather_shape {
  u32 threads = 0, groups = 0;
  u32 steps = 0;   // of each group
  u32 places = 0;  // to draw from
  u32 salt = 0;    // of a run (gather_code.hpp)
};
// `at_once`: threads that the device has room for, a multiple of 1024.
gather_shape shape_of(const gather_question& asked, u32 at_once);

// Of questions that fit into `room` bytes, the largest array, and the most that is copied.
struct gather_room {
  u64 array = 0, copy = 0;
};
gather_room room_of(std::span<const gather_question> asked, u64 room);

// What each thread says at the end: how many steps it made (the upper half), and the sum of all words that it loaded.
// Problem, which is a wrong answer's: a thread that did not come to its end, or a sum that is not what it must be. Sums
// are reckoned again for some threads only, spread over all of them; steps are looked at of every one.
status check_gather(const gather_question& asked, const gather_shape& shape, std::span<const u64> said);

// Of a copy: the words that came, and their places in the array.
status check_copy(std::span<const u32> words, std::span<const u32> places);

// "32 B of 64 MiB", "a copy of 1 GiB"
std::string gather_words(const gather_question& asked);

}  // namespace pivotscope
