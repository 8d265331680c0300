// A rapidcheck generator of configs that check() accepts, over every axis. Compiled once: it takes longer than most of
// the properties that draw from it.
#pragma once

#include <rapidcheck.h>

#include "core/families/ordered/config.hpp"

namespace pivotscope::testing {

rc::Gen<ordered_config> any_config();

// f(Key{}) for the config's key width.
template <class F>
void with_key_of(const ordered_config& c, F&& f) {
  if (c.keys == key_width::u32) {
    f(u32{});
  } else {
    f(u64{});
  }
}

}  // namespace pivotscope::testing
