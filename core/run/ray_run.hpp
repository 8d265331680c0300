// The rays of an index's lookups, traced in several ways: timed, and their hits compared ray by ray. `pivotscope rays`
// prints it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/machine/machine.hpp"
#include "core/rays/ray_tracer.hpp"

namespace pivotscope {

// A way to trace rays, by the name that a user types.
struct tracer_kind {
  std::string_view name;  // "embree"
  tracer_maker make;
  status (*is_here)() = fine;  // problem: its library, driver or device is not on this computer
};
// Returns all that this program knows; our own boxes on the CPU, which the others are compared with, first.
std::span<const tracer_kind> tracer_kinds();
// Returns the one of that name, or null.
const tracer_kind* tracer_named(std::string_view name);

// What came of one tracer.
struct traced_rays {
  std::string_view tracer;  // tracer_kind::name
  // Words, if it is not here; or if it is here and failed. All below is empty then.
  std::string why_not = {}, failed = {};
  std::string name = {}, runs_on = {}, caution = {};
  std::string sharing = {};  // ray_tracer::sharing()
  tracer_cost cost = {};
  trace_times times = {};        // of all rounds: the sum of the median of each
  u64 others = 0;                // rays that hit something else than by our own boxes
  std::string first_other = {};  // the first of them, in words

  bool has_traced() const { return why_not.empty() && failed.empty(); }
};

struct ray_record {
  u64 lookups = 0, triangles = 0;
  double index_build_ms = 0;     // without the sort of the keys
  std::vector<u64> rounds = {};  // how many rays each has: a lookup's first, its second, ...
  std::vector<traced_rays> by = {};

  u64 rays() const;
  bool is_right() const;  // all tracers hit the same
};

// Traces the rays of lookups of `asked`, each round `repeats` times by each tracer, which is at least once. Which rays
// follow is decided by our own boxes' hits. Problem: the index casts no rays or cannot be read, or cancelled. What a
// single tracer lacks is in its record.
outcome<ray_record> trace_lookups(const built_index& index, const key_array& asked,
                                  std::span<const tracer_kind* const> tracers, u32 repeats, const job_control& control);

// Returns the methods whose lookups are rays: "RX, CGRX".
std::string methods_that_cast_rays();

}  // namespace pivotscope
