// Which row a hit is of: all alike, by Zipf's law, or most of them in one run of neighbours.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/workload/generate/seeded_bijection.hpp"
#include "core/workload/generate/zipf_ranks.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

// Of n things, rows or places in sorted order, a random one for random bits.
class popular_rows {
 public:
  popular_rows(const workload& w, u64 n)
      : n_(n),
        popular_(n == 0 ? popularity::uniform : w.popular),
        places_(n == 0 ? 0 : n - 1, seed_for(w.seed, purpose::popular_places)) {
    // With exponent 0 none is more popular than another.
    if (popular_ == popularity::zipf && w.exponent == 0) popular_ = popularity::uniform;
    if (popular_ == popularity::zipf) ranks_.emplace(n, w.exponent);
    if (popular_ == popularity::hot) {
      hot_ = std::clamp<u64>(static_cast<u64>(std::llround(w.hot_keys * static_cast<double>(n))), 1, n);
      hot_begin_ = scale_to(seed_for(w.seed, purpose::popular_places), n - hot_);
      // A power of two times it is exact. Where all are hot there is nowhere else to go.
      hot_of_2_to_53_ = hot_ == n ? 1ull << 53 : static_cast<u64>(w.hot_lookups * 0x1p53);
    }
  }

  u64 operator()(u64 bits) const {
    switch (popular_) {
      case popularity::uniform:
        break;
      case popularity::zipf:  // popular ones are no neighbours
        return places_((*ranks_)(bits));
      case popularity::hot: {
        const u64 where = spread_bits(bits);
        if ((bits >> 11) < hot_of_2_to_53_) return hot_begin_ + scale_to(where, hot_ - 1);
        const u64 cold = scale_to(where, n_ - hot_ - 1);
        return cold < hot_begin_ ? cold : cold + hot_;
      }
    }
    return scale_to(bits, n_ - 1);
  }

 private:
  u64 n_;
  popularity popular_;
  seeded_bijection places_;
  std::optional<zipf_ranks> ranks_ = {};
  u64 hot_ = 0, hot_begin_ = 0, hot_of_2_to_53_ = 0;
};

// Whether it takes the keys in sorted order to tell which of them are popular.
inline bool popular_by_order(const workload& w) { return w.popular == popularity::hot; }

}  // namespace pivotscope
