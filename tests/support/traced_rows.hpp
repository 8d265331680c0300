// What the trace machine answers to many lookups, a warp of 32 at a time and without the words that trace_lookup() makes of
// each; that both take the same steps is tests/core/machine/trace/warp_test.cpp's.
#pragma once

#include <algorithm>
#include <vector>

#include "core/machine/trace/trace.hpp"
#include "core/simt/wave.hpp"

namespace pivotscope::testing {

template <class Key>
outcome<std::vector<u32>> traced_rows(const stored_index& index, const std::vector<Key>& lookups) {
  const std::vector<u64> keys(lookups.begin(), lookups.end());
  std::vector<u32> rows;
  rows.reserve(keys.size());
  for (std::size_t i = 0; i < keys.size(); i += host_wave) {
    const auto warp = trace_warp(index, std::span(keys).subspan(i, std::min<std::size_t>(host_wave, keys.size() - i)));
    if (!warp) return warp.error();
    for (const lookup_trace& trace : *warp) rows.push_back(trace.row);
  }
  return rows;
}

}  // namespace pivotscope::testing
