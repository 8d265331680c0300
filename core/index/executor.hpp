// executor: the machine's side of a build, and of an update that is made of passes. It allocates regions and arrays, runs
// passes over them, and sorts. A family writes its build once; the cpu and the cuda machine each have an executor.
#pragma once

#include <memory>

#include "core/batch/hot_configs.hpp"
#include "core/batch/pass.hpp"
#include "core/batch/update.hpp"
#include "core/common/expect.hpp"
#include "core/common/outcome.hpp"
#include "core/index/built_index.hpp"
#include "core/simt/host.hpp"
#include "core/simt/host_tile.hpp"
#include "core/simt/searchers.hpp"

namespace pivotscope {

// Runs items [begin, end) of a pass on the host. Returns how many of them the pass counted: those
// for which it returned true.
using host_pass = u64 (*)(const index_config&, const build_view&, u64 begin, u64 end);

// How a pass uses the keys of a family that wants them sorted.
enum class key_use : u8 {
  any,  // reads them as it likes
  // Stores each key by itself, as one of its first items, item_in_turn(rank), and reads no others. Has
  // at_key<Key>(config, view, rank, key, row), for a machine that has the key and its rank in hand. If the pass has a true
  // counts_repeats, it counts the keys that are like the one before, and nothing else.
  each,
  none,  // reads no keys
};

// Who does an item of a pass on a GPU.
enum class done_by : u8 {
  thread,
  warp,   // a search (simt/searchers.hpp): at<Key>(config, searchers, view, i)
  block,  // a tile (simt/tile_pass.hpp): make<Key>(config, tile, scratch, view, number)
};

// A pass of a build. `kernel` is a struct inside the family's own. Its at<Key>(config, view, i)
// does item i; if the threads of the pass write the same cells, at<Key>(config, memory, view, i) does; or a group of
// lanes, as an operation of an update (batch/update.hpp): at<Key>(config, lanes, memory, view, i). The items for which
// it returns true are counted. will<Key>(config, memory, view, i) may tell what item i reads first. The config is
// for_writes() of the index's.
struct build_pass {
  std::string_view stage;   // "build entries"
  std::string_view doing;   // "building entries"
  std::string_view kernel;  // "build_entries"
  host_pass on_host;
  u32 at_once = 1;  // items of a GPU's thread, so that their loads are under way together
  key_use keys = key_use::any;
  done_by by = done_by::thread;
};

// Runs items of a pass on the host. Pass is a struct inside Family. An item takes twice as
// long where its config is copied from call to call.
template <class Family, class Pass, class Hot = no_hot_configs>
PIVOTSCOPE_FLATTEN u64 host_items(const index_config& config, const build_view& view, u64 begin, u64 end) {
  return with_hot_config<Hot>(for_writes<Family>(Family::config::of(config)), [&]<class Key>(auto search, Key) {
    host_writing here(view, Family::lanes(search.value));
    u64 counted = 0;
    each_told_ahead(
        begin, end,
        [&](u64 i) {
          if constexpr (requires { Pass::template will<Key>(search, here.memory, view, i); })
            Pass::template will<Key>(search, here.memory, view, i);
        },
        [&](u64 i) { counted += do_item<Pass, Key>(search, here.lanes, here.memory, view, i); });
    return counted;
  });
}

// The same for a pass whose items are searches.
template <class Family, class Pass>
PIVOTSCOPE_FLATTEN u64 host_searches(const index_config& config, const build_view& view, u64 begin, u64 end) {
  const auto knobs = Family::config::of(config);
  return with_hot_config<no_hot_configs>(knobs, [&]<class Key>(auto search, Key) {
    for (u64 i = begin; i < end; ++i) Pass::template at<Key>(search, host_searchers(), view, i);
    return u64{0};
  });
}

// The same for a pass by tiles. Takes as many tiles as there are numbers from `begin` to `end`, whichever are next.
// Returns how many cells they make.
template <class Family, class Pass>
PIVOTSCOPE_FLATTEN u64 host_tiles(const index_config& config, const build_view& view, u64 begin, u64 end) {
  const auto knobs = Family::config::of(config);  // of a temporary GCC 12 takes the wrong key width for known
  return with_hot_config<no_hot_configs>(knobs, [&]<class Key>(auto search, Key) {
    const auto scratch = std::make_unique_for_overwrite<typename Pass::template scratch<Key>>();
    u64* const chain = view.array<u64>(tile_chain);
    u64 made = 0;
    for (u64 i = begin; i < end; ++i) {
      const u64 number = host_tile::take_next(chain);
      host_tile tile(chain + 1, number);
      Pass::template make<Key>(search, tile, *scratch, view, number);
      made += tile.made();
    }
    return made;
  });
}

class executor {
 public:
  virtual ~executor() = default;
  virtual u64 keys() const = 0;
  virtual std::pair<u64, u64> key_range() const = 0;  // the least and the greatest key; zeros without keys
  // Called before the passes, at most once in a build(), make_room() or after(): the regions that were there become
  // build_view::before, and a second call would lose them before their entries are moved. A build that has to start again
  // runs its passes again. A region that turns out too small is changed by resize(). The content of the new regions is
  // undefined.
  status allocate(std::vector<index_region> regions) {
    PIVOTSCOPE_EXPECT(!has_allocated_);
    has_allocated_ = true;
    return replace_regions(std::move(regions));
  }
  // Called when a make_room() or after() has returned. Frees build_view::before.
  void end_step() {
    has_allocated_ = false;
    free_before();
  }
  // Changes the number of cells of a region. The cells that stay keep their content.
  virtual status resize(region_id region, u64 cells) = 0;
  // The region has no more than so many of its cells from now on. Its memory stays as it is, until the next change.
  virtual void trim(region_id region, u64 cells) = 0;
  // Copies what the passes left in a region to the host.
  virtual status read(region_id region, u64 byte_offset, std::span<std::byte> out) = 0;
  // Runs a pass, and times it under its name. A pass over no items is a stage without a time. Returns how
  // many items the pass counted, or cells its tiles made.
  virtual outcome<u64> run(const build_pass& pass, u64 items, const state_bytes& state) = 0;

  // --- Arrays beside the regions, until the build or the update ends (build_view::arrays) ---
  // The content is undefined. `what`: "the places of a batch".
  virtual status allocate_array(array_id array, u64 bytes, std::string_view what) = 0;
  // Sorts `count` keys of the index's width, and 32-bit values with them: ascending, equal keys in their former order.
  // Timed under the stage's name.
  virtual status sort_pairs(array_id keys, array_id values, u64 count, std::string_view stage) = 0;

 private:
  virtual status replace_regions(std::vector<index_region> regions) = 0;
  virtual void free_before() = 0;

  bool has_allocated_ = false;
};

}  // namespace pivotscope
