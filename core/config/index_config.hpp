// index_config: one index, described as one value: its family, the family's knobs, the key width, and how kernels are
// launched. Device code takes it as a template argument, host code at run time.
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

// Which family's a config is. It is made of the family's name, not of its place in the table (families/families.hpp): a new
// family recompiles no other.
enum class family_id : u32 {};

// FNV-1a; the table is refused where two names come to one number.
PIVOTSCOPE_FN constexpr family_id family_named(const char* name) {
  u32 number = 2166136261u;
  for (; *name != 0; ++name) number = (number ^ static_cast<u8>(*name)) * 16777619u;
  return static_cast<family_id>(number);
}

enum class key_width : u8 { u32, u64 };
enum class schedule_kind : u8 { dynamic, fixed };  // O1: one block per tile, or a fixed grid that strides ("static")
// O3. lookup: sorts the lookups of a tile. both ("double"): also puts the answers back in the order of the lookups.
enum class reorder_kind : u8 { none, lookup, both };

// How a batch is cut into tiles, and how blocks serve them. The same for every family.
struct launch_config {
  schedule_kind schedule = schedule_kind::dynamic;
  u32 blocks_per_sm = 1;  // blocks per multiprocessor, 1 to 32; static schedule only
  u32 threads = 256;      // per block, 64 to 1024
  u32 per_thread = 1;     // lookups of a thread in a tile, 1 to 16
  reorder_kind reorder = reorder_kind::none;

  constexpr bool operator==(const launch_config&) const = default;
};

inline constexpr u32 most_knobs = 16;

// A structural type, so that it can be a template argument (docs/design.md). The family says
// what each knob means: it reads them as a struct of its own. A config with all knobs 0 may be refused;
// default_config() (index/family.hpp) is always accepted.
struct index_config {
  family_id family = {};
  key_width keys = key_width::u32;
  launch_config launch = {};
  u32 knobs[most_knobs] = {};

  constexpr bool operator==(const index_config&) const = default;

  // Converts to the family's own config struct.
  template <class FamilyConfig>
  requires requires(const index_config& config) { FamilyConfig::of(config); }
  PIVOTSCOPE_FN constexpr operator FamilyConfig() const { return FamilyConfig::of(*this); }
};

// Two ways to hand an algorithm its family's config: known to the compiler, or known at run time. The algorithm reads
// `config.value.keys` from both.
template <auto Value>
struct static_config {
  static constexpr auto value = Value;
};
template <class Config>
struct dynamic_config {
  Config value;
};
template <class Config>
dynamic_config(Config) -> dynamic_config<Config>;

PIVOTSCOPE_FN constexpr u32 key_bytes(key_width width) { return width == key_width::u32 ? 4u : 8u; }

// Returns how many lookups a block takes at a time: one tile.
PIVOTSCOPE_FN constexpr u32 tile_lookups(const launch_config& launch) { return launch.threads * launch.per_thread; }

}  // namespace pivotscope
