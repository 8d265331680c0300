// gather: loads at random places of an array, none of which waits for another. They show the greatest rate that a
// device's memory gives, independent of any index. Lightweight, Figure 7, is one such question;
// core/memory_benchmark lists them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/machine/machine.hpp"

namespace pivotscope {

// A question: threads in groups. In each step a group draws a place of the array, and its threads load neighbouring
// entries from there on. Every thread adds up what it loads, so that no load can be left out and each is checked.
struct gather_question {
  u64 bytes = 0;           // of the array, a multiple of 16
  u32 entry_bytes = 16;    // that a thread loads at once: 4 or 16
  u32 lanes = 1;           // threads of a group: a power of two, at most 1024
  u32 loading = 1;         // how many of them load: the first ones
  u32 align_bytes = 16;    // places are multiples of this, which is a multiple of entry_bytes
  u32 threads = 0;         // in all; 0: as many as the device holds at once
  u64 requests = 0;        // of all groups together, at least; each group makes the same number
  bool dependent = false;  // each place follows from the word loaded before, so that a thread waits; needs 1 lane
  bool copy = false;       // no gather: the whole array is copied to another place, once

  u32 request_bytes() const { return loading * entry_bytes; }
};

struct gather_times {
  u64 requests = 0;  // of a run; 0 for a copy
  u64 threads = 0;
  stage_time time = {};  // "gather" or "copy"; no samples: there was no room for the array
};

// How a device runs a question.
struct gather_shape {
  u32 threads = 0, groups = 0;
  u32 steps = 0;   // per group
  u32 places = 0;  // number of places to draw from
  u32 salt = 0;    // of the run (gather_code.hpp)
};
// `at_once`: threads that the device holds at once, a multiple of 1024.
gather_shape shape_of(const gather_question& asked, u32 at_once);

// Of the questions that fit into `room` bytes: the largest array, and the greatest copy.
struct gather_room {
  u64 array = 0, copy = 0;
};
gather_room room_of(std::span<const gather_question> asked, u64 room);

// Checks what each thread reports at the end: the number of its steps (upper half), and the sum of all words that it
// loaded. Problem (wrong): a thread did not come to its end, or a sum is wrong. The steps of every thread are checked;
// sums are computed again for some threads, spread over all of them.
status check_gather(const gather_question& asked, const gather_shape& shape, std::span<const u64> said);

// Checks a copy: the words that arrived, and their places in the array.
status check_copy(std::span<const u32> words, std::span<const u32> places);

// Returns "32 B of 64 MiB" or "a copy of 1 GiB".
std::string gather_words(const gather_question& asked);

}  // namespace pivotscope
