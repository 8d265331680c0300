// A rapidcheck generator of key sets and batches, compiled once.
#pragma once

#include <rapidcheck.h>

#include <vector>

#include "core/common/portable.hpp"

namespace pivotscope::testing {

// Keys that crowd (many duplicates), that spread over the width, that sit at its ends, that are all different, that lie in crowds
// at hard places (core/workload/generate/crowds.hpp), or in one range of any width at any place (core/workload/generate/one_span.hpp).
template <class Key>
rc::Gen<std::vector<Key>> any_keys();
extern template rc::Gen<std::vector<u32>> any_keys<u32>();
extern template rc::Gen<std::vector<u64>> any_keys<u64>();

}  // namespace pivotscope::testing
