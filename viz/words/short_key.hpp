// Keys in fewer characters than they have digits: the digits in which neighbours differ stay, and an ellipsis stands
// where digits are left out. Pure.
#pragma once

#include <span>
#include <string>

#include "core/common/portable.hpp"

namespace pivotscope::viz {

// Which digits of a long key are written. All keys that stand side by side have one form, so that a reader compares the
// same digits of each.
struct key_form {
  u32 chars = 0;          // room; a key of no more digits is written whole
  u32 head = 0;           // digits kept from the first one on
  u32 from = 0, run = 0;  // and `run` more, above the `from` lowest ones
  bool distinct = true;   // no two different keys of those that it was made for are written alike

  // At most `chars` characters; empty where not even a digit and an ellipsis have room.
  std::string write(u64 key) const;
  bool operator==(const key_form&) const = default;
};

inline constexpr u32 least_key_chars = 2;  // a digit and an ellipsis

u32 digits_of(u64 number);

// The form in so many characters that tells all keys apart; where none does, the one by which the fewest of those
// beside each other (`keys`, in the order in which they are seen) read alike. The first digits are kept where others
// tell no more: then labels ascend as their keys do.
key_form form_of(std::span<const u64> keys, u32 chars);

}  // namespace pivotscope::viz
