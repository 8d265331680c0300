// ray_hit: what a ray hit first, in four bytes: as each way to trace a ray tells it (ray_tracer.hpp).
#pragma once

#include "core/rays/triangle.hpp"

namespace pivotscope {

struct ray_hit {
  u32 word = ~0u;  // the triangle's place in the scene; the highest bit: the ray met its back. ~0: no hit

  static constexpr u32 back_bit = 1u << 31;
  PIVOTSCOPE_FN static constexpr ray_hit of(u32 triangle, side met) {
    return {met == side::back ? triangle | back_bit : triangle};
  }

  PIVOTSCOPE_FN constexpr bool is_there() const { return word != ~0u; }
  PIVOTSCOPE_FN constexpr u32 triangle() const { return word & ~back_bit; }  // of a hit
  PIVOTSCOPE_FN constexpr side met() const {
    return !is_there() ? side::none : (word & back_bit) != 0 ? side::back : side::front;
  }
  constexpr bool operator==(const ray_hit&) const = default;
};
static_assert(sizeof(ray_hit) == 4);  // a GPU writes arrays of them

}  // namespace pivotscope
