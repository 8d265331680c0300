// Random scripts, for use within a rapidcheck property.
#pragma once

#include <fmt/format.h>
#include <rapidcheck.h>

#include <string>

#include "core/workload/script.hpp"
#include "core/workload/script_text.hpp"

namespace pivotscope::testing {

// At most `most` operations whose keys are drawn by `key`, in batches of one verb and mixed ones.
template <class Key>
script any_script(key_width width, u64 most, const rc::Gen<Key>& key) {
  script s(width);
  const u64 count = *rc::gen::inRange<u64>(0, most + 1);
  while (s.size() < count) {
    if (!s.in_mixed() && *rc::gen::inRange(0, 4) == 0) s.begin_mixed();
    question drawn{*rc::gen::elementOf(all_operations), *key};
    if (drawn.kind == operation::range) drawn.high = *key;
    s.add(drawn);
    if (s.in_mixed() && *rc::gen::inRange(0, 4) == 0) s.end_mixed();
  }
  if (s.in_mixed()) s.end_mixed();
  return s;
}

}  // namespace pivotscope::testing
