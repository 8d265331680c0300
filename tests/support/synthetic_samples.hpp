// Times of runs that never ran, from a seed: what they are spread like is known beforehand.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

#include "core/common/portable.hpp"

namespace pivotscope::testing {

class synthetic {
 public:
  explicit synthetic(u64 seed) : bits_(seed) {}

  double uniform() { return (static_cast<double>(bits_() >> 11) + 0.5) * 0x1p-53; }  // above 0, below 1
  // Box and Muller: the library's own is not the same everywhere.
  double normal(double mean, double deviation) {
    return mean + deviation * std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform());
  }
  // Two clocks: `share` of the runs on the slower.
  double bimodal(double fast, double slow, double share, double deviation) {
    return normal(uniform() < share ? slow : fast, deviation);
  }
  // Never faster than `least`, now and then much slower: Pareto's, of which the third moment is not finite.
  double heavy_tailed(double least, double width) { return least + width * (std::pow(uniform(), -1 / 2.5) - 1); }

  std::vector<double> many(u64 count, const std::function<double(synthetic&, u64)>& one) {
    std::vector<double> samples;
    for (u64 i = 0; i < count; ++i) samples.push_back(one(*this, i));
    return samples;
  }

 private:
  std::mt19937_64 bits_;
};

using sample_source = std::function<double(synthetic&, u64)>;
// Run i of a kind, each with a median near 1.
inline sample_source normal_of(double noise, double at = 1) {
  return [=](synthetic& s, u64) { return s.normal(at, noise * at); };
}
inline sample_source bimodal_of(double apart, double share) {
  return [=](synthetic& s, u64) { return s.bimodal(1, 1 + apart, share, 0.002); };
}
inline sample_source heavy_tailed_of(double width) {
  return [=](synthetic& s, u64) { return s.heavy_tailed(1, width); };
}
inline sample_source drifting_of(double a_run, double noise) {
  return [=](synthetic& s, u64 i) { return s.normal(1 + a_run * static_cast<double>(i), noise); };
}

}  // namespace pivotscope::testing
