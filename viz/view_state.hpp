// What the views themselves remember: where one looks, which step of the path is shown, what is being typed. Lives on
// the frame's thread only.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/index/model.hpp"
#include "core/trace/warp_step.hpp"
#include "viz/camera.hpp"
#include "viz/memory_model.hpp"
#include "viz/session_view.hpp"

namespace pivotscope::viz {

enum class panel : u8 {
  workload,
  index,
  tree,
  layout,
  path,
  timings,
  machine,
  advice,
  tile,
  warp,
  memory,
  verify,
  snapshots
};
inline constexpr std::size_t panel_count = 13;
inline constexpr std::array<const char*, panel_count> panel_names = {
    "Workload", "Index", "Tree", "Layout", "Path",   "Timings",  "Machine",
    "Advice",   "Tile",  "Warp", "Memory", "Verify", "Snapshots"};
inline constexpr const char* name_of(panel which) { return panel_names[static_cast<std::size_t>(which)]; }

class scratch_row;
class tile_study;
class warp_study;

// Which step of the path is shown, and whether time moves it.
struct transport_state {
  u32 step = 0;
  bool playing = false;
  float steps_per_second = 1.0f;
  double next_at = 0;
  std::shared_ptr<const path_data> path;  // that `step` belongs to
};

// A text field and what is wrong with what was typed.
struct entry_state {
  std::string text;
  std::string problem;
  bool focus_next = false;
};

// One row of cells: where one looks, and what is drawn there when the cells are too small to be drawn one by one.
struct strip_state {
  strip_camera camera;
  bool dragged = false;
  struct block {
    float x0, x1, y0, y1;
    u32 level;
  };
  std::vector<block> blocks;  // from the strip's corner
  struct blocks_key {
    const void* index = nullptr;
    double left = -1, scale = -1, width = -1;
    float height = -1;
    bool operator==(const blocks_key&) const = default;
  } blocks_for;
};

struct layout_state {
  strip_state upper, lower, scratch_strip;
  std::optional<u64> hovered_rank;  // shown in both rows, whichever the mouse is over
  entry_state search;
  bool search_slots = false;                   // a plain number is a slot's
  std::shared_ptr<const scratch_row> scratch;  // what a block pins; null when pinning is off
  std::shared_ptr<const built_index> index;
  std::shared_ptr<const index_model> model;   // of `index`
  std::shared_ptr<const index_model> before;  // of the index before the last change, while cells glide from there
  double glide_from = -1;
  std::optional<u64> searched_key;  // looked for in the search field: its path is gone to when it is there
  std::shared_ptr<const path_data> followed;
  u32 followed_step = 0;

  // Where a region is a row: what leads to the entries lies above them.
  strip_state& strip_of(region_id region) { return region == main_region ? lower : upper; }
};

// Which step the tree was last scrolled to.
struct tree_state {
  std::shared_ptr<const path_data> followed;
  u32 followed_step = 0;
};

// What the index must have, for the adviser and the autotuner.
struct advice_state {
  bool ascending = false, smallest = false, short_rebuild = false;
};

// Which of the batch's tiles is shown.
struct tile_state {
  u64 number = 0;
  std::shared_ptr<tile_study> study;
  double studied_at = -1;  // the frame that took it on
  strip_state strip;
  std::optional<u32> hovered;  // a lookup, by its place in the tile
};

// Which of the tile's warps is shown, and how.
struct warp_state {
  u32 number = 0, round = 0;
  std::optional<bool> sorted;  // the order that was asked for; none: that in which the tile is served
  std::shared_ptr<warp_study> study;
  double studied_at = -1;                     // the frame that went on with it
  std::shared_ptr<const path_data> followed;  // the key that was last gone to
  u32 scrolled_to = 0;                        // step
};

// What part of an array is shown byte by byte.
struct memory_state {
  region_id array{};
  u32 row_bytes = 128;
  double first_row = 0;                       // that is shown
  std::weak_ptr<const built_index> of;        // whose array it is
  std::shared_ptr<const path_data> followed;  // to which step it was last moved
  u32 followed_step = 0;
  std::vector<sector_read> reads;  // of the path up to that step
  // The heat of so many parts of an array, as equal as can be, and of its hottest sector.
  struct map_heat {
    std::weak_ptr<const tile_study> of;
    region_id array{};
    std::vector<u32> parts;
    u64 touched = 0, alone = 0;  // sectors of the array that lookups read, and that one lookup alone reads
    u32 hottest = 0;             // lookups that read the one that most read
  } map;
};

// What the mouse is over, wherever that is: every view that shows it too points it out. One view tells, and in the next
// frame all show.
struct pointing {
  std::optional<memory_block> sector;
  std::optional<u64> rank;  // of a key
  bool operator==(const pointing&) const = default;
};

// Where keys and lookups are to come from, and what is typed of it.
struct own_data_state {
  enum class source : u8 { generated, file, typed };
  source keys = source::generated, batch = source::generated;  // whose form is shown
  own_numbers seen_keys = {};                                  // of the workload, as the forms show it
  own_lookups seen_batch = {};
  workload generated = {};  // the last one without numbers of one's own
  entry_state keys_file, keys_typed, batch_file, batch_typed;
  std::string keys_column, batch_column;
  bool ranges = false;  // that the file of the batch is of
};

// What the next verification is asked for.
struct verify_state {
  verify_request asked = {};
  entry_state cases, seed, most_keys;
};

// A snapshot on its way to be shown: its step waits for its path.
struct opening_snapshot {
  index_config config;
  std::optional<looked_for> key;
  u32 step = 0;
};

struct snapshots_state {
  std::optional<u32> wanted;    // a slot: the frame's picture goes there
  std::optional<u32> removing;  // asked for once
  std::optional<opening_snapshot> opening;
  std::array<u64, snapshot_slots> textures{};  // 0: no picture
};

// How much larger than the display asks a user may have everything.
inline constexpr float least_scale = 0.7f, greatest_scale = 3;

struct view_state {
  bool light = false;
  bool motion = true;
  float scale = 1;  // of everything, beside the display's own
  int preset = 1;
  bool reset_layout = false;  // lay the panels out as the preset has them
  std::array<bool, panel_count> open = [] {
    std::array<bool, panel_count> all{};
    all.fill(true);
    return all;
  }();
  std::optional<panel> focus;  // to the front in the next frame
  bool show_keys = false;      // the list of keys
  bool quit = false;
  transport_state transport;
  layout_state layout;
  tree_state tree;
  tile_state tile;
  warp_state warp;
  memory_state memory;
  pointing pointed, points_next;
  advice_state advice;
  own_data_state own;
  verify_state verify;
  snapshots_state snapshots;
  entry_state key, keys_count, lookups_count, ranges_count, range_hits, seed;
  std::shared_ptr<const key_data> seen_keys;  // fields show what was made last
  double copied_at = -10;
  // Of the index in view, made when another one comes. It does not keep the index.
  std::weak_ptr<const built_index> modelled;
  std::shared_ptr<const index_model> model;
};

// One frame, as every view gets it.
struct frame {
  const session_view& session;
  session_actions& act;
  slot_source& slots;
  view_state& view;
  double now = 0;       // seconds
  double seconds = 0;   // since the frame before
  bool moving = false;  // a view that moves says so, and the next frame follows at once

  const lookup_trace* trace() const { return view.transport.path ? &view.transport.path->trace : nullptr; }
  const trace_step* step() const;  // the one that is shown; null without a path

  // Of the index in view, which must be there; and of the index that the path walked, in the rare frames where that is
  // another one.
  const std::shared_ptr<const index_model>& model() const;
  std::shared_ptr<const index_model> path_model() const;
  // What a slot of the index in view holds, when it is known yet.
  std::optional<slot_content> read(region_id array, u64 slot) const;
};

// Takes up a new path and moves the step when playing. Once a frame, before the views.
void advance_transport(frame& f);
void go_to_step(frame& f, u32 step);
void step_by(frame& f, int steps);

}  // namespace pivotscope::viz
