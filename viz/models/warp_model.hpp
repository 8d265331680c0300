// A warp of the tile that is shown: its 32 lookups step by step, as they come and sorted. Counted on traces.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/traffic/warp_step.hpp"
#include "viz/models/tile_model.hpp"

namespace pivotscope::viz {

class warp_study {
 public:
  // A warp's lookups in one order of the tile.
  struct service {
    std::vector<u32> places;           // in the tile, of the lookup that each thread brings
    std::vector<lookup_trace> traces;  // of these
    // Threads that serve a lookup together serve theirs in turn: round r the lookups of each group's r-th thread.
    std::vector<std::vector<warp_step>> rounds;
    u64 sectors = 0;  // of all rounds' steps

    u64 written() const;           // sectors that the answers go to, each to its lookup's place
    u64 written_in_order() const;  // when they are put back in order in scratch first (O3, double reordering)
  };

  // number < warps_of(tile).
  warp_study(std::shared_ptr<const tile_study> tile, u32 number);

  const std::shared_ptr<const tile_study>& tile() const { return tile_; }
  u32 number() const { return number_; }
  u32 group() const { return group_; }  // threads that serve a lookup together, with those that idle
  // Traces one of the orders that are not yet; true while there are more.
  bool go_on();
  // Null until it is traced, or when the index could not be read.
  const service* of(bool sorted) const { return services_[sorted] ? &*services_[sorted] : nullptr; }

 private:
  std::shared_ptr<const tile_study> tile_;
  u32 number_, group_;
  std::optional<service> services_[2];
  u32 tried_ = 0;
};

u32 warps_of(const tile_study& tile);

// Which warp of the tile serves a lookup of this key, and in which round; nothing where the tile has none.
struct warp_place {
  u32 warp = 0, thread = 0;
};
std::optional<warp_place> serves(const tile_study& tile, u64 key, bool sorted);

// The sectors that a step's threads read, by words of at most three letters: the sector's number where all of them are
// that short, else a letter for each, in ascending order: the same letter is the same sector. Empty for threads that
// load nothing from memory; of several sectors the first.
std::vector<std::string> sector_labels(const warp_step& step);

// A line of memory that a step touches, and the threads that read each of its sectors: in the order that is shown, and
// in the other one.
struct touched_line {
  memory_block line;
  std::vector<u32> threads[4], otherwise[4];
};
// The lines of a step in either order, ascending: whichever of the two is shown, a line has the same place. `other` is
// the same step in the other order; null: it has none, or is not traced yet.
std::vector<touched_line> lines_of(const warp_step& step, const warp_step* other);

// How many sectors both orders read in a step, and how many one of them alone.
struct shared_sectors {
  u64 both = 0, here = 0, there = 0;
};
shared_sectors count_shared(std::span<const touched_line> lines);

}  // namespace pivotscope::viz
