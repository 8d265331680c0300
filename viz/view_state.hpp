// What the views themselves remember: where one looks, which step of the path is shown, what is being typed. Lives on
// the frame's thread only.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "core/index/model.hpp"
#include "viz/camera.hpp"
#include "viz/session_view.hpp"

namespace pivotscope::viz {

enum class panel : u8 { workload, index, tree, layout, path, timings, machine, advice, tile, source };
inline constexpr std::size_t panel_count = 10;
inline constexpr std::array<const char*, panel_count> panel_names = {
    "Workload", "Index", "Tree", "Layout", "Path", "Timings", "Machine", "Advice", "Tile", "Source"};
inline constexpr const char* name_of(panel which) { return panel_names[static_cast<std::size_t>(which)]; }

class scratch_row;
class source_model;
class tile_study;

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

// Which file of the source is shown, and which step it was last scrolled to.
struct source_state {
  std::shared_ptr<const source_model> model;
  std::weak_ptr<const path_data> modelled;  // the path that `model` is of; it keeps an index, this does not
  std::string chosen;                       // a file that is shown wherever a step runs through it
  const void* followed = nullptr;           // the model whose step was scrolled to
  u32 followed_step = 0;
  std::size_t followed_file = 0;
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

// How much larger than the display asks a user may have everything.
inline constexpr float least_scale = 0.7f, greatest_scale = 3;

struct view_state {
  bool light = false;
  bool motion = true;
  float scale = 1;  // of everything, beside the display's own
  int preset = 1;
  bool reset_layout = false;  // lay the panels out as the preset has them
  std::array<bool, panel_count> open = {true, true, true, true, true, true, true, true, true, true};
  std::optional<panel> focus;  // to the front in the next frame
  bool show_keys = false;      // the list of keys
  bool quit = false;
  transport_state transport;
  layout_state layout;
  tree_state tree;
  tile_state tile;
  source_state source;
  advice_state advice;
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
