// index_config: which index, as one value: a family, what its knobs are set to, a key width, and how kernels are
// launched. Device code takes it as a template argument, host code at run time.
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

enum class family_id : u8;  // families/families.hpp

enum class key_width : u8 { u32, u64 };
enum class schedule_kind : u8 { dynamic, fixed };  // O1: a block a tile, or a fixed grid that strides ("static")
enum class reorder_kind : u8 {
  none,
  lookup,
  both
};  // O3: sort a tile's lookups; and bring the answers home ("double")

// How a batch is cut into tiles and served: every family's.
struct launch_config {
  schedule_kind schedule = schedule_kind::dynamic;
  u32 blocks_per_sm = 1;  // static schedule only
  u32 threads = 256;      // threads a block
  u32 per_thread = 1;     // lookups a thread in a tile
  reorder_kind reorder = reorder_kind::none;

  constexpr bool operator==(const launch_config&) const = default;
};

inline constexpr u32 most_knobs = 12;

// A structural type: usable as a template argument (DESIGN.md, "The configuration is a value"). What a knob means is
// the family's: it reads them as a struct of its own. One with all knobs 0 need not be accepted;
// default_config() is (index/family.hpp).
struct index_config {
  family_id family = {};
  key_width keys = key_width::u32;
  launch_config launch = {};
  u32 knobs[most_knobs] = {};

  constexpr bool operator==(const index_config&) const = default;

  // As a family's own struct reads it.
  template <class FamilyConfig>
  requires requires(const index_config& config) { FamilyConfig::of(config); }
  PIVOTSCOPE_FN constexpr operator FamilyConfig() const { return FamilyConfig::of(*this); }
};

// How an algorithm is handed its family's config: `config.value.keys` reads the same from both.
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

// Lookups that a block takes at a time.
PIVOTSCOPE_FN constexpr u32 tile_lookups(const launch_config& launch) { return launch.threads * launch.per_thread; }

}  // namespace pivotscope
