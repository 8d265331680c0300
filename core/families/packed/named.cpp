#include "core/families/packed/named.hpp"

#include <algorithm>

namespace pivotscope {
namespace {

// A grid that fills scratch once a block.
constexpr launch_config filling_scratch{.schedule = schedule_kind::fixed, .threads = 1024, .per_thread = 8};
constexpr u32 most_scratch = 226 * 1024, usual_scratch = 192 * 1024;

struct shape {
  packed_config config;
  // Bytes of its leaves, and of its directory, over so many keys: all that matters but for a few nodes.
  double leaves(double keys) const { return keys * leaf_bytes(config) / leaf_entries(config); }
  double directory(double keys) const { return keys / leaf_entries(config) / config.fill * 10 * config.block; }
};

// As much of the directory in scratch as leaves L1 some room, or all of it.
packed_config with_scratch(packed_config c, double directory, u32 flight) {
  c.scratch = directory > usual_scratch && directory <= most_scratch ? most_scratch : usual_scratch;
  c.flight = flight, c.launch = filling_scratch;
  return c;
}

packed_config two_at_once(packed_config c) {
  c.flight = c.launch.per_thread = 2;
  return c;
}

// An access of memory a leaf. What L2 is too small for: leaves leave it first, and the directory is the smaller the larger its
// share of L2 would be.
packed_config of_memory(double keys, key_width width, double cache) {
  const bool wide = width == key_width::u64;
  const shape usual{{.keys = width, .lanes = wide ? 2u : 4u, .fill = 105}};
  const shape small{{.keys = width, .lanes = usual.config.lanes, .block = 32, .fill = wide ? 340u : 400u}};
  const packed_config smallest{.keys = width, .leaf = 128, .lanes = 4, .block = 32, .fill = 400};
  packed_config c = usual.directory(keys) <= 0.4 * cache             ? usual.config
                    : !wide || small.directory(keys) <= 0.75 * cache ? small.config
                                                                     : smallest;
  if (usual.leaves(keys) > 2 * cache) c.reads = leaf_reads::kept;
  return c;
}

}  // namespace

packed_config named_packed(const named_for& what) {
  const key_width width = what.width;
  const bool wide = width == key_width::u64;
  if (what.machine == machine_kind::cpu) return {.keys = width, .leaf = 32, .lanes = 1, .fill = 105};
  const double keys = static_cast<double>(what.keys), cache = static_cast<double>(what.cache_bytes);
  const bool tiny = what.keys <= u64{1} << 17;
  const shape small{{.keys = width, .leaf = 32, .lanes = wide ? 1u : 2u, .fill = wide ? 80u : tiny ? 105u : 121u}};
  const packed_config line = of_memory(keys, width, cache);
  const shape usual{{.keys = width, .lanes = line.lanes, .fill = 105}};
  const double leaves = usual.leaves(keys);
  if (wide) {
    if (what.keys <= u64{1} << 16) return small.config;
    if (leaves > cache / 2) return line;
    return !tiny && what.large_scratch ? with_scratch(usual.config, usual.directory(keys), 2)
                                       : two_at_once(usual.config);
  }
  if (what.keys <= u64{1} << 18) return two_at_once(small.config);
  if (leaves > cache / 2) return line;
  if (!what.large_scratch) return small.config;
  return leaves <= 0.4 * cache ? with_scratch(small.config, small.directory(keys), 4)
                               : with_scratch(usual.config, usual.directory(keys), 2);
}

}  // namespace pivotscope
