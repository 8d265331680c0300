// waiting_loop: how a turn of a task tells that the task waits for another one.
#pragma once

#include <optional>
#include <span>

#include "core/machine/interleaved/shared_access.hpp"

namespace pivotscope {

// Accesses that a task repeats: of a turn the first one, and their number.
struct waiting_loop {
  u64 first = 0, accesses = 0;
};

// Returns the loop at the end of a turn: the same accesses with the same words, again and again, through its last half.
// Then memory is as it was each time the loop begins. So a task that keeps no count of its rounds is as it was, too,
// and goes on for ever. Nothing: the turn does not end in a loop. Reading a word twice on purpose, as a seqlock's
// reader does, is no loop: the task comes to its end.
inline std::optional<waiting_loop> loop_at_end(std::span<const shared_access> turn) {
  const u64 n = turn.size();
  const auto same_from = [&](u64 least, u64 period) {  // the first access from which on all repeat
    u64 i = n - period;
    while (i > least && turn[i - 1] == turn[i - 1 + period]) --i;
    return i;
  };
  for (u64 period = 1; period <= n / 4; ++period)
    if (same_from(n / 2, period) == n / 2) return waiting_loop{same_from(0, period), period};
  return std::nullopt;
}

}  // namespace pivotscope
