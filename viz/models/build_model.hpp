// The build as the transport steps through it: an output slot is a step, pass after pass. And how a slot's correction
// grows with n (lightweight, Figure 10). Pure.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/index/model.hpp"
#include "core/run/view_position.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope::viz {

struct build_place {
  u32 pass = 0;
  u64 slot = 0;
  bool operator==(const build_place&) const = default;
};

// The nearest place that these passes have: the index in view may have become another one. Passes have slots.
build_place clamped(std::span<const pass_info> passes, build_place at);
// As a scenario names it. A problem: there is no such pass, or no such slot.
outcome<build_place> find_place(std::span<const pass_info> passes, const build_slot& at);
// Slots on, or back when negative; behind a pass's last slot comes the next pass. At the ends it stays.
build_place moved(std::span<const pass_info> passes, build_place at, long long slots);
// To the first slot of the next level, or to the last one of the level before, like a lookup's steps; at a pass's ends
// to the neighbouring pass.
build_place moved_by_level(std::span<const pass_info> passes, build_place at, bool on);
// How far the build has come with a cell: passes come one after the other, and here so do a pass's slots.
enum class built : u8 { yes, now, not_yet };
built built_of(std::span<const pass_info> passes, build_place at, cell_ref cell);
bool is_first(build_place at);
bool is_last(std::span<const pass_info> passes, build_place at);

// The sizes that a slot is watched at: those of Figure 10 and about, where K = 3 fills its last level from the first
// key on (9) to the last (26).
inline constexpr u64 least_grown = 9, most_grown = 26;

// One slot in an index of n keys.
struct grown_slot {
  u64 n = 0;
  bool there = false;  // the index has it, and it holds a key
  u64 rank = no_rank;
  std::optional<rank_shift> shift = std::nullopt;  // nothing on a level that is not corrected
};
std::vector<grown_slot> grow(const index_config& config, build_place at);
// The same workload with n keys. The papers' example has 14 and no other number: its place is taken by dense keys, and
// at 14 it is back, where it was so replaced (`from_paper` remembers).
workload grown_to(workload load, u64 n, bool& from_paper);
// Does the correction differ from that at one key less?
bool changes(std::span<const grown_slot> grown, std::size_t i);

}  // namespace pivotscope::viz
