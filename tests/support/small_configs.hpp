// The configs that the exhaustive tests run: every order, K, number of lanes and layout of the list.
#pragma once

#include <vector>

#include "core/families/ordered/config.hpp"
#include "core/index/check.hpp"

namespace pivotscope::testing {

inline const u32 fanouts[] = {2, 3, 5, 9, 17, 33};

// Orders and fanouts only: what decides the shape.
inline std::vector<ordered_config> shape_configs() {
  std::vector<ordered_config> list;
#define PIVOTSCOPE_ADD(name)                                                                  \
  for (const u32 fanout : fanouts) {                                                          \
    const ordered_config c{.order = order_kind::name, .fanout = fanout, .lanes = fanout - 1}; \
    if (!check(c)) list.push_back(c);                                                         \
  }
  PIVOTSCOPE_EACH_ORDER(PIVOTSCOPE_ADD)
#undef PIVOTSCOPE_ADD
  return list;
}

// Times every number of lanes from 1 to K - 1, both layouts.
inline std::vector<ordered_config> lookup_configs(key_width width) {
  std::vector<ordered_config> list;
  for (ordered_config c : shape_configs()) {
    c.keys = width;
    for (c.lanes = 1; c.lanes < c.fanout; ++c.lanes) {
      for (const entry_layout layout : {entry_layout::aos, entry_layout::soa}) {
        c.layout = layout;
        list.push_back(c);
      }
    }
  }
  return list;
}

}  // namespace pivotscope::testing
