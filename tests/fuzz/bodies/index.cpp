// An index of any family over keys in crowds that the bytes say.
#include <algorithm>
#include <cstring>

#include "core/machine/machine.hpp"
#include "core/run/load_workload.hpp"
#include "core/verify/cases.hpp"
#include "tests/fuzz/reader.hpp"

namespace pivotscope::fuzz {
namespace {

// 8 bytes each, in the machine's order.
struct crowd {
  u32 place;      // where it begins, as a part of the key range
  u8 beyond;      // so many values beyond that
  u8 width_bits;  // its values: 2^width_bits of them
  u8 rows;        // drawn from these
  u8 at_ends;     // rows of its first value, and of its last
};
static_assert(sizeof(crowd) == 8);

constexpr std::size_t most_crowds = 32;

template <class Key>
void add(std::vector<Key>& keys, const crowd& c) {
  constexpr u32 bits = sizeof(Key) * 8;
  const u64 first = (u64{c.place} << (bits - 32)) + c.beyond, others = (u64{1} << c.width_bits % bits) - 1;
  u64 place = first;
  for (u32 row = 0; row < c.rows; ++row, place = place * 6364136223846793005u + 1442695040888963407u)
    keys.push_back(static_cast<Key>(first + (place >> 20 & others)));
  keys.insert(keys.end(), c.at_ends, static_cast<Key>(first));
  keys.insert(keys.end(), c.at_ends, static_cast<Key>(first + others));
}

}  // namespace

// A seed, of which the config is drawn, then the crowds.
void index_case(std::string_view bytes) {
  u64 seed = 0;
  if (bytes.size() < sizeof(seed)) return;
  std::memcpy(&seed, bytes.data(), sizeof(seed));
  bytes.remove_prefix(sizeof(seed));
  verify_case drawn = case_generator({.seed = seed}).draw(0);
  key_array keys(drawn.config.keys, 0);
  keys.visit([&](auto& list) {
    for (std::size_t i = 0; i < most_crowds && bytes.size() >= sizeof(crowd); ++i, bytes.remove_prefix(sizeof(crowd))) {
      crowd c{};
      std::memcpy(&c, bytes.data(), sizeof(c));
      add(list, c);
    }
  });
  // No lookups but the edges; what ranges and scripts it has is drawn from the keys.
  drawn.load = {.keys = keys.size(), .dist = distribution::uniform, .seed = seed % 1000, .lookups = 0};
  static auto cpu = open_machine(machine_kind::cpu);
  case_counts counts;
  const auto loaded =
      load_keys(drawn.load, drawn.config.keys, **cpu, {}, true, std::make_shared<const key_array>(std::move(keys)));
  demand(loaded.ok(), loaded.ok() ? "" : loaded.error().words);
  const auto checked = check_case_over(**cpu, drawn, *loaded->set, counts);
  demand(checked.ok(), checked.ok() ? "" : checked.error().words);
  demand(!*checked, *checked ? (*checked)->words : "");
}

}  // namespace pivotscope::fuzz
