// The terms of one slot's formula as they were told, and what an order's words are made from. Host only.
#pragma once

#include <array>

#include "core/families/ordered/build_terms.hpp"
#include "core/families/ordered/config.hpp"
#include "core/families/ordered/shape.hpp"
#include "core/index/model.hpp"

namespace pivotscope {

class terms_seen {
 public:
  void operator()(build_term term, u64 value) {
    seen_[static_cast<u32>(term)] = true;
    value_[static_cast<u32>(term)] = value;
  }
  bool has(build_term term) const { return seen_[static_cast<u32>(term)]; }
  u64 operator[](build_term term) const {
    PIVOTSCOPE_EXPECT(has(term));
    return value_[static_cast<u32>(term)];
  }

 private:
  std::array<u64, build_term_count> value_{};
  std::array<bool, build_term_count> seen_{};
};

// What an order has to say of a slot: what its formula was asked, went through and came to.
struct slot_told {
  const ordered_config& config;
  const index_shape& shape;
  u64 slot = 0;
  u64 rank = no_rank;
  terms_seen terms = {};
};

}  // namespace pivotscope
