// Keys of 8 and 16 bits, of which a test can ask every value. No index of the program has such. Arithmetic is that of unsigned
// numbers of that width: other than the built-in types, it stays in the width, as that of 32 and 64 bits does.
#pragma once

#include <compare>
#include <concepts>
#include <type_traits>

#include "core/families/packed/pack.hpp"
#include "core/index/entry_cell.hpp"

namespace pivotscope {
namespace testing {

template <class Stored>
class narrow_key {
 public:
  constexpr narrow_key() = default;
  template <std::integral From>
  constexpr narrow_key(From value) : value_(static_cast<Stored>(value)) {}
  constexpr operator u64() const { return value_; }

  // Beside a key or an int it stays a key; beside a wider number it is one.
#define PIVOTSCOPE_NARROW(op)                                                                 \
  friend constexpr narrow_key operator op(narrow_key a, narrow_key b) {                       \
    return static_cast<u64>(a.value_) op static_cast<u64>(b.value_);                          \
  }                                                                                           \
  friend constexpr narrow_key operator op(narrow_key a, int b) { return a op narrow_key(b); } \
  template <std::unsigned_integral Wide>                                                      \
  friend constexpr Wide operator op(narrow_key a, Wide b) {                                   \
    return static_cast<Wide>(a.value_) op b;                                                  \
  }                                                                                           \
  template <std::unsigned_integral Wide>                                                      \
  friend constexpr Wide operator op(Wide a, narrow_key b) {                                   \
    return a op static_cast<Wide>(b.value_);                                                  \
  }
  PIVOTSCOPE_NARROW(+)
  PIVOTSCOPE_NARROW(-)
  PIVOTSCOPE_NARROW(*)
  PIVOTSCOPE_NARROW(&)
  PIVOTSCOPE_NARROW(|)
  PIVOTSCOPE_NARROW(^)
#undef PIVOTSCOPE_NARROW
  friend constexpr narrow_key operator~(narrow_key a) { return ~static_cast<u64>(a.value_); }
  template <std::integral By>
  friend constexpr narrow_key operator<<(narrow_key a, By by) {
    return static_cast<u64>(a.value_) << by;
  }
  template <std::integral By>
  friend constexpr narrow_key operator>>(narrow_key a, By by) {
    return static_cast<u64>(a.value_) >> by;
  }
  constexpr narrow_key& operator|=(narrow_key b) { return *this = *this | b; }
  constexpr narrow_key& operator+=(narrow_key b) { return *this = *this + b; }

  friend constexpr bool operator==(narrow_key a, narrow_key b) = default;
  friend constexpr auto operator<=>(narrow_key a, narrow_key b) = default;
  template <std::integral Other>
  friend constexpr bool operator==(narrow_key a, Other b) {
    return static_cast<u64>(a.value_) == static_cast<u64>(b);
  }
  template <std::integral Other>
  friend constexpr auto operator<=>(narrow_key a, Other b) {
    return static_cast<u64>(a.value_) <=> static_cast<u64>(b);
  }

 private:
  Stored value_ = 0;
};

using key_of_8_bits = narrow_key<u8>;
using key_of_16_bits = narrow_key<u16>;
static_assert(sizeof(key_of_8_bits) == 1 && sizeof(key_of_16_bits) == 2);

// What a family's code has for the widths of its own, found by the keys' namespace.
template <class Stored>
constexpr narrow_key<Stored> shifted_out(narrow_key<Stored> value, u32 by) {
  return by < 8 * sizeof(Stored) ? value << by : narrow_key<Stored>(0);
}

}  // namespace testing

template <class Stored>
struct alignas(8) entry_cell<testing::narrow_key<Stored>> {
  testing::narrow_key<Stored> key;
  u32 row;
};
namespace testing {

template <class Stored>
constexpr entry_cell<narrow_key<Stored>> make_entry(narrow_key<Stored> key, u32 row) {
  return {key, row};
}

// A pack in one quad, a word of it in each of the quad's.
template <class Stored>
quad quad_of(const pack<narrow_key<Stored>>& p, u32) {
  return {{static_cast<u32>(p.words[0]), static_cast<u32>(p.words[1]), static_cast<u32>(p.words[2]),
           static_cast<u32>(p.words[3])}};
}
template <class Stored>
void put_quad(pack<narrow_key<Stored>>& p, u32, const quad& q) {
  for (u32 i = 0; i < 4; ++i) p.words[i] = narrow_key<Stored>(q.words[i]);
}

}  // namespace testing
}  // namespace pivotscope
