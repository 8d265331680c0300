#include "tests/support/any_keys.hpp"

#include "core/config/index_config.hpp"
#include "core/workload/crowds.hpp"

namespace pivotscope::testing {

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
      rc::gen::map(rc::gen::pair(rc::gen::arbitrary<u64>(), rc::gen::inRange<u64>(0, 3000)), [](const auto& drawn) {
        const crowds made(drawn.first, drawn.second, greatest_key<Key>());
        std::vector<Key> keys(drawn.second);
        for (u64 i = 0; i < keys.size(); ++i) keys[i] = static_cast<Key>(made.key(i));
        return keys;
      }));
}

template rc::Gen<std::vector<u32>> any_keys<u32>();
template rc::Gen<std::vector<u64>> any_keys<u64>();

}  // namespace pivotscope::testing
