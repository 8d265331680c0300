#include "tests/support/any_keys.hpp"

#include "core/config/index_config.hpp"
#include "core/workload/generate/crowds.hpp"
#include "core/workload/generate/one_span.hpp"

namespace pivotscope::testing {
namespace {

// Made by a seed and a number of keys.
template <class Key, class Formula>
rc::Gen<std::vector<Key>> keys_by(const Formula& formula) {
  return rc::gen::map(rc::gen::pair(rc::gen::arbitrary<u64>(), rc::gen::inRange<u64>(0, 3000)),
                      [formula](const auto& drawn) {
                        const auto made = formula(drawn.first, drawn.second);
                        std::vector<Key> keys(drawn.second);
                        for (u64 i = 0; i < keys.size(); ++i) keys[i] = static_cast<Key>(made.key(i));
                        return keys;
                      });
}

}  // namespace

template <class Key>
rc::Gen<std::vector<Key>> any_keys() {
  return rc::gen::oneOf(
      rc::gen::container<std::vector<Key>>(rc::gen::inRange<Key>(0, 40)),
      rc::gen::container<std::vector<Key>>(rc::gen::arbitrary<Key>()),
      rc::gen::container<std::vector<Key>>(rc::gen::element<Key>(0, 1, greatest_key<Key>() - 1, greatest_key<Key>())),
      rc::gen::map(rc::gen::inRange<u32>(0, 3000),
                   [](u32 n) {
                     std::vector<Key> keys(n);
                     for (u32 i = 0; i < n; ++i) keys[i] = static_cast<Key>(i) * 2654435761u;
                     return keys;
                   }),
      keys_by<Key>([](u64 seed, u64 n) { return crowds(seed, n, greatest_key<Key>()); }),
      keys_by<Key>([](u64 seed, u64) { return one_span(seed, greatest_key<Key>()); }));
}

template rc::Gen<std::vector<u32>> any_keys<u32>();
template rc::Gen<std::vector<u64>> any_keys<u64>();

}  // namespace pivotscope::testing
