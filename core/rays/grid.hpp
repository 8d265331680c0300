// key_grid: where a key's triangle stands in the scene (RX and cgRX: cgrx, Section 2.1).
//
//   key      z bits | y bits | x bits        k -> (x, y, z); the paper: 18, 23 and 23 bits of 64-bit keys
//   row      the keys of one y and z         a line along x
//   plane    the keys of one z               its rows one above another, along y
//
// A float has 24 bits, so it tells whole numbers below 2^23 and the halves between them. No axis has more than 23 bits,
// and all that rays and triangles need beside a key's own place is half a unit away from it. Axes are scaled by
// powers of two, which a float multiplies by exactly.
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

inline constexpr u32 most_axis_bits = 23;

// A place on the grid, in units of each axis. -1: a marker before the first row or plane.
struct grid_point {
  int x, y, z;
};

// The numbers of bits that a key gives to each axis, and the scales of y and z as powers of two (cgrx, Section 5.2:
// 2^15 and 2^25 are best there, 0 and 0 is no scaling).
struct key_grid {
  u32 x_bits = 0, y_bits = 0, z_bits = 0;
  u32 y_scale = 0, z_scale = 0;

  constexpr bool operator==(const key_grid&) const = default;

  PIVOTSCOPE_FN u64 row_of(u64 key) const { return shifted(key, x_bits); }             // y and z as one number
  PIVOTSCOPE_FN u64 plane_of(u64 key) const { return shifted(key, x_bits + y_bits); }  // z
  PIVOTSCOPE_FN int x_max() const { return static_cast<int>((1u << x_bits) - 1); }
  PIVOTSCOPE_FN int y_max() const { return static_cast<int>((1u << y_bits) - 1); }
  PIVOTSCOPE_FN grid_point of(u64 key) const {
    return {static_cast<int>(key & ((u64{1} << x_bits) - 1)), static_cast<int>(row_of(key) & ((u64{1} << y_bits) - 1)),
            static_cast<int>(plane_of(key))};
  }
  // Returns the key whose place this is.
  PIVOTSCOPE_FN u64 key_of(grid_point p) const {
    const u64 z = static_cast<u64>(p.z), y = static_cast<u64>(p.y);
    return (z_bits == 0 ? 0 : z << (x_bits + y_bits)) | (y_bits == 0 ? 0 : y << x_bits) | static_cast<u64>(p.x);
  }

  // The unit of each axis in the scene.
  PIVOTSCOPE_FN static constexpr float x_unit() { return 1.0f; }
  PIVOTSCOPE_FN float y_unit() const { return power_of_two(y_scale); }
  PIVOTSCOPE_FN float z_unit() const { return power_of_two(z_scale); }

  // Returns the place's number on the Morton curve through the scene: the bits of x, y and z, those that weigh most
  // in the scaled scene first, and where they weigh the same z before y before x. So among places that differ in one
  // axis alone it grows along that axis. -1 counts as 0.
  PIVOTSCOPE_FN u64 morton(grid_point p) const {
    const u32 x = p.x < 0 ? 0 : static_cast<u32>(p.x), y = p.y < 0 ? 0 : static_cast<u32>(p.y),
              z = static_cast<u32>(p.z);
    u64 code = 0;
    each_bit([&](u32 axis, u32 bit) { code = code << 1 | ((axis == 0 ? x : axis == 1 ? y : z) >> bit & 1); });
    return code;
  }
  // Returns the place that has this number.
  PIVOTSCOPE_FN grid_point point_of(u64 code) const {
    u32 x = 0, y = 0, z = 0, left = x_bits + y_bits + z_bits;
    each_bit([&](u32 axis, u32 bit) {
      const u32 value = static_cast<u32>(code >> --left & 1) << bit;
      x |= axis == 0 ? value : 0, y |= axis == 1 ? value : 0, z |= axis == 2 ? value : 0;
    });
    return {static_cast<int>(x), static_cast<int>(y), static_cast<int>(z)};
  }

 private:
  // Calls f(axis, bit) for all bits of a place, those that weigh most in the scene first.
  template <class F>
  PIVOTSCOPE_FN void each_bit(F&& f) const {
    u32 top = x_bits;
    if (y_bits + y_scale > top) top = y_bits + y_scale;
    if (z_bits + z_scale > top) top = z_bits + z_scale;
    for (u32 weight = top; weight-- > 0;) {
      if (weight >= z_scale && weight - z_scale < z_bits) f(2u, weight - z_scale);
      if (weight >= y_scale && weight - y_scale < y_bits) f(1u, weight - y_scale);
      if (weight < x_bits) f(0u, weight);
    }
  }
  PIVOTSCOPE_FN static u64 shifted(u64 key, u32 by) { return by < 64 ? key >> by : 0; }
  PIVOTSCOPE_FN static float power_of_two(u32 exponent) {
    float value = 1.0f;
    for (u32 i = 0; i < exponent; ++i) value *= 2.0f;
    return value;
  }
};

// Returns the grid for keys up to `greatest` that has x_bits and y_bits as asked for, and the rest for z. Where z
// would have more than 23 bits, y gets more than it asked for, and then x.
PIVOTSCOPE_FN key_grid grid_for(u64 greatest, u32 x_bits, u32 y_bits, u32 y_scale, u32 z_scale) {
  u32 bits = 0;
  while (bits < 64 && greatest >> bits != 0) ++bits;
  const auto lacks = [&] { return bits > x_bits + y_bits + most_axis_bits; };
  while (lacks() && y_bits < most_axis_bits) ++y_bits;
  while (lacks()) ++x_bits;
  if (x_bits > bits) x_bits = bits;
  if (y_bits > bits - x_bits) y_bits = bits - x_bits;
  return {x_bits, y_bits, bits - x_bits - y_bits, y_scale, z_scale};
}

}  // namespace pivotscope
