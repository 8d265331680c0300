// view_state: what the views themselves remember: what is in view, which step of the path is shown, what is being
// typed. Only the frame's thread uses it.
#pragma once

#include <imgui.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/index/linked_code.hpp"
#include "core/index/model.hpp"
#include "core/traffic/warp_step.hpp"
#include "viz/cells/camera.hpp"
#include "viz/cells/cells.hpp"
#include "viz/cells/pointing.hpp"
#include "viz/models/build_model.hpp"
#include "viz/models/fill_model.hpp"
#include "viz/models/memory_model.hpp"
#include "viz/models/session_view.hpp"
#include "viz/models/stops.hpp"
#include "viz/state/bindings.hpp"
#include "viz/state/scene_state.hpp"
#include "viz/theme/scale.hpp"
#include "viz/words/panel_names.hpp"

namespace pivotscope::viz {

struct lesson;
class fill_study;
class interleave_model;
class probe_study;
class scratch_row;
class source_model;
class tile_study;
class warp_study;

// Which step of the path is shown, and whether it plays.
struct transport_state {
  u32 step = 0;
  u32 beyond = 0;  // steps beyond the end of this path, if a longer path is stepped beside it
  bool playing = false;
  float steps_per_second = 1.0f;
  double next_at = 0;
  std::shared_ptr<const path_data> path;  // the path of `step`
  std::vector<stop_mark> stops;           // where playing stops
  // Cells that the write's step in view has changed since the step that was in view before, and the time of that.
  struct step_change {
    std::shared_ptr<const path_data> path;
    u32 step = 0;
    std::vector<cell_ref> cells;
    double at = -1;  // negative: nothing of it is visible
  } change;
};

// The other mode of the transport: its steps are the slots that the build writes, or the merge of a batch.
struct build_state {
  bool on = false;
  build_place at;  // in the index in view
  // Requested last. An index without that slot shows its nearest one, and a later index may have it again.
  build_place wanted;
  std::shared_ptr<const index_model> model;  // of the passes: that of the index in view
  merged_batch merged;                       // the batch whose merge is the only pass, if one made that index
  std::vector<pass_info> passes;
  build_place followed;  // the place to which Layout was last scrolled
  bool follow = false;
  bool from_paper = false;  // n was changed from the papers' example; at 14 it is that example again
  // The slot at other sizes, and the config and slot for which that was found.
  std::vector<grown_slot> grown;
  std::optional<std::pair<index_config, build_place>> grown_for;
};

// A text field, and what is wrong with the text in it.
struct entry_state {
  std::string text = {};
  std::string problem = {};
  bool focus_next = false;
  std::string beside = {};  // the value that was valid when the problem came

  void refuse(std::string why, std::string standing) { problem = std::move(why), beside = std::move(standing); }
  // Removes the problem when another value comes from elsewhere: it was about the typed text.
  void forget_old_problem(const std::string& standing) {
    if (!problem.empty() && standing != beside) problem.clear();
  }
};

// One row of cells: what is in view, and what is drawn if the cells are too small to be drawn one by one.
struct strip_state {
  strip_camera camera;
  bool dragged = false;
  // What the first click of a double click changed: the key, and the step or slot in view. The second click fits
  // the view and restores these.
  bool fitted = false;
  std::optional<std::pair<std::optional<question>, view_position>> before_click;
  struct block {
    float x0, x1, y0, y1;
    u32 level;
    bool erased;  // true: entries that were erased, instead of a level
  };
  std::vector<block> blocks;    // positions from the corner of the strip
  bool blocks_to_come = false;  // some cells are on their way
  struct blocks_key {
    const void* index = nullptr;
    double left = -1, scale = -1, width = -1;
    float height = -1;
    bool operator==(const blocks_key&) const = default;
  } blocks_for;
};

struct layout_state {
  strip_state upper, lower, scratch_strip;
  entry_state search;
  bool search_slots = false;                   // true: a plain number is a slot's
  std::shared_ptr<const scratch_row> scratch;  // what a block pins; null when pinning is off
  std::shared_ptr<const built_index> index;
  std::shared_ptr<const index_model> model;   // of `index`
  std::shared_ptr<const index_model> before;  // of the index before the last change, while cells glide from there
  double glide_from = -1;
  std::shared_ptr<const cell_changes> changes;  // by a batch
  double changed_at = -1;                       // time of the frame that first showed them; negative: nothing moves
  std::optional<u64> searched_key;              // from the search field: the view goes to its path when that is there
  bool follow = false;                          // the view follows each step, wherever it reads
  std::shared_ptr<const path_data> followed;
  u32 followed_step = 0;
  std::optional<region_id> upper_shown;         // the last region in the upper row
  bool upper_was_old = false;                   // or the array before a batch
  std::shared_ptr<const path_data> windows_of;  // the path whose windows were last in view, in a family with windows

  // Regions that are in neither row, by their numbers.
  std::vector<strip_state> others;
  std::pair<const path_data*, u32> others_followed = {};  // the step and path to which they were last moved
  strip_state& other_strip(region_id region) {
    if (others.size() <= number_of(region)) others.resize(number_of(region) + 1);
    return others[number_of(region)];
  }

  // Returns the row of a region: the one below is the entries, the one above leads to them.
  strip_state& strip_of(region_id region) { return region == main_region ? lower : upper; }
};

// The step to which the tree was last scrolled, and the places of its nodes in the index that was in view before.
struct tree_state {
  std::shared_ptr<const path_data> followed;
  u32 followed_step = 0;
  std::weak_ptr<const built_index> of;
  std::map<u64, double> stood, stand;  // of nodes that live on (viz/models/tree_model.hpp): places before, and now
  double came_at = -1;                 // when other nodes came; negative: none did
};

// Which file of the source is shown, and the step to which it was last scrolled.
struct source_state {
  std::shared_ptr<const source_model> model;
  std::weak_ptr<const path_data> modelled;          // the path of `model`; weak, because a path keeps its index
  std::string chosen;                               // a file that is shown whenever a step runs through it
  std::shared_ptr<const linked_code> code;          // the pseudo code of the same operation
  bool in_short = true;                             // true if the pseudo code is shown
  std::optional<std::size_t> pointed, points_next;  // line of the pseudo code under the mouse, here or in the source
  std::optional<source_spot> shown;                 // requested by a click; the view scrolls to it
  const void* followed = nullptr;                   // the model to whose step the view has scrolled
  u32 followed_step = 0;
  std::size_t followed_file = 0;
};

// What the user demands of the index, for the adviser and the autotuner.
struct advice_state {
  bool ascending = false, smallest = false, short_rebuild = false;
  // Which lists below the recommendation are open.
  bool show_ranking = false, show_looked_at = false, show_left_out = false;
  bool show_measured = false, show_same_method = false, show_paper = false;
};

// Which tile of the batch is shown.
struct tile_state {
  u64 number = 0;
  std::shared_ptr<tile_study> study;
  double studied_at = -1;  // time of the frame that began with it
  strip_state strip;
  std::optional<u32> hovered;  // a lookup, by its position in the tile
  u32 last_served = 0;         // the last one that the view went to, in the order of service
};

// What is known of the windows that lookups read, and of the cells.
struct probes_state {
  std::shared_ptr<probe_study> study;
  double studied_at = -1;  // time of the frame that last worked on it
};

// Which parts of an index are in view, and how full all of them are.
struct fill_state {
  strip_state strip;  // one cell per part
  std::vector<fill_column> columns;
  bool columns_to_come = false;  // some parts are on their way
  strip_state::blocks_key columns_for;
  std::shared_ptr<fill_study> study;
  double studied_at = -1;                     // time of the frame that last worked on it
  std::shared_ptr<const path_data> followed;  // the path to whose part the view last went
};

// What the cell that leads to the key may say.
struct values_state {
  std::shared_ptr<const path_data> of;
  std::optional<value_choices> values;
};

// Which warp of the tile is shown, and how.
struct warp_state {
  u32 number = 0, round = 0;
  std::optional<bool> sorted;  // the chosen order; nothing: the order in which the tile is served
  std::shared_ptr<warp_study> study;
  double studied_at = -1;                     // time of the frame that last worked on it
  std::shared_ptr<const path_data> followed;  // the path to whose key the view last went
  u32 scrolled_to = 0;                        // a step
};

// Which part of an array is shown byte by byte.
struct memory_state {
  region_id array{};
  u32 row_bytes = 128;
  double first_row = 0;                       // first one that is shown
  std::weak_ptr<const built_index> of;        // the index of the array
  std::shared_ptr<const path_data> followed;  // the path and the step to which the view was last moved
  u32 followed_step = 0;
  std::vector<sector_read> reads;  // of the path up to that step
  // How often equal parts of an array are read, and its most read sector.
  struct map_heat {
    std::weak_ptr<const tile_study> of;
    region_id array{};
    std::vector<u32> parts;
    u64 touched = 0, alone = 0;  // sectors of the array that lookups read, and those that only one lookup reads
    u32 hottest = 0;             // number of lookups that read the most read sector
  } map;
};

// Which lesson is running, and how far it is (viz/state/lesson_progress.hpp).
struct lesson_state {
  std::shared_ptr<const std::vector<lesson>> all;  // null: there are none
  std::string own_folder;                          // folder of the user's own lessons; empty: none
  std::optional<std::size_t> current;              // nothing: the list of lessons is shown
  std::size_t step = 0;
  std::vector<bool> noticed;  // for each step: its task is done or its question answered
  std::optional<std::size_t> chosen_answer;
  std::vector<std::string> finished;  // ids, over all starts of the program
  std::vector<panel> to_front;        // panels still to be brought to the front, one per frame
  bool settling = false;              // the step's scenario is on its way
  bool rewind = false;                // go to the first step of the path, when that is there
  bool bring_into_view = false;       // scroll to what the lesson points at
  bool scroll_to_end = false;         // scroll to the newest words, at the end
  bool wants_room = false;            // a panel that shares its place with others is to get a place of its own
  double entered_at = -10;
};

// Greatest number of steps per second at which a lookup is played. Slots are played faster.
inline constexpr float fastest_lookup = 4;

// A measurement of both sides, A and then B.
struct compare_state {
  bool measuring = false;
  u64 measured_before = 0;  // number of A's last measured run
};

// Where keys and lookups come from, and what is typed about that.
struct own_data_state {
  enum class source : u8 { generated, file, typed };
  source keys = source::generated, batch = source::generated;  // the form that is shown
  own_numbers seen_keys = {};                                  // the workload's, as the forms show them
  own_lookups seen_batch = {};
  workload generated = {};  // the last workload without the user's own numbers
  entry_state keys_file, keys_typed, batch_file, batch_typed;
  std::string keys_column, batch_column;
  bool keys_browsed = false, batch_browsed = false;  // a list of a folder is open below the field
  operation asked = operation::find;                 // what the batch file asks for
};

// What the next verification is to do.
struct verify_state {
  verify_request asked = {};
  entry_state cases, seed, most_keys;
};

// Concurrent operations: what is typed, and which access is shown.
struct interleave_state {
  entry_state line = {.text = "keys=5,3 ops=+5,-5 schedule=0:1 1"};
  std::pair<std::string, key_width> read_for;
  std::optional<interleaved_case> of;       // the last one that was read; a faulty line leaves it as it is
  std::optional<interleave_request> asked;  // the last one
  u64 drawn = 0;                            // number of the case of the seed that is drawn next
  interleave_search_request search = {};
  entry_state schedules, seed;
  u64 opened = 0;  // number of the search whose failure was opened
  std::shared_ptr<const interleave_model> model;
  std::weak_ptr<const interleave_result> modelled;  // the result of `model`, or one with a problem
  std::size_t step = 0;                             // number of accesses that are done
  std::optional<std::size_t> wanted;                // requested step of the result
  bool scroll = false;                              // scroll to the step
  bool focused = false;                             // the step keys go to this panel
};

// The next batches: typed, or random.
struct updates_state {
  entry_state typed;
  // The last text that was read; null: there is none, or it is faulty, and `typed.problem` says why.
  std::shared_ptr<const script> read;
  std::pair<std::string, key_width> read_for;
  update_draw drawn = {};
  entry_state inserts, erases, finds, seed;
  std::shared_ptr<const update_history> followed;  // to which the list was last scrolled
};

// A scenario that is opening: its place waits for its path or its index.
struct opening_scenario {
  view_position at;
  double asked_at = 0;                                       // time of the frame in which it was requested
  std::optional<std::pair<index_config, workload>> of = {};  // what was chosen with it
};

// What the user's own plot has on its x axis.
enum class own_axis : u8 { keys, hits, skew, distribution, fanout, threads, per_thread, range_entries, load };

// Which sweep is plotted: a named one, or the user's own.
struct plots_state {
  std::string sweep = "lightweight-20a";  // empty: the user's own
  std::optional<u64> scale = {};          // typed; nothing: one that suits the machine
  entry_state scale_field;
  own_axis x = own_axis::keys;
  plot_y y = plot_y::rate;
  std::optional<plot_y> other_y = {};      // instead of the figure's own; the user's own plot uses `y`
  std::vector<index_config> configs = {};  // the user's own series, at most six
  std::vector<std::string> hidden = {};    // other machines whose curves are not shown
  std::optional<ImVec2> first_dot = {};    // its place in the last frame; nothing: none was drawn
};
inline constexpr std::size_t most_own_series = 6;

struct snapshots_state {
  std::optional<u32> wanted;                   // a slot that gets the picture of the frame
  std::optional<u32> removing;                 // a slot whose removal needs a second click
  std::array<u64, snapshot_slots> textures{};  // 0: no picture
};

// A picture of a panel, or of the whole window, that the window is to write.
struct picture_request {
  std::optional<panel> which;
  bool vector = false;       // true: SVG; false: PNG
  bool every_place = false;  // one picture for each step, or for each slot of the build
};

struct pictures_state {
  std::optional<picture_request> asked;
  bool running = false;
};
inline constexpr u64 most_pictures = 1000;  // of one scenario

// The time that the last frames took on the frame's thread, in milliseconds.
struct frame_costs {
  std::array<float, 120> ms = {};
  std::size_t next = 0;

  void add(float cost) { ms[next++ % ms.size()] = cost; }
  float last() const { return next == 0 ? 0 : ms[(next - 1) % ms.size()]; }
  float most() const { return *std::max_element(ms.begin(), ms.end()); }
};

// The command that waits for its new keys, and why the last keys were refused.
struct rebinding_state {
  std::optional<std::size_t> command;
  std::string problem;
};

// The command palette: the typed text, and which of the found commands is chosen.
struct palette_state {
  bool open = false;
  entry_state text = {};
  std::string sought = {};  // the text for which `chosen` is valid
  std::size_t chosen = 0;
};

struct view_state {
  frame_costs frame_ms;
  bool light = false;
  bool motion = true;
  float scale = 1;  // of everything, on top of the display's own
  int preset = 1;
  bool reset_layout = false;  // arrange the panels as in the preset
  std::array<bool, panel_count> open = [] {
    std::array<bool, panel_count> all{};
    all.fill(true);
    return all;
  }();
  std::array<bool, panel_count> seen = {};  // drawn in the last frame, because it was in front
  std::optional<panel> focus;               // comes to the front in the next frame
  std::optional<panel> looked_at = {};      // the panel that was last clicked or came to the front
  bool show_keys = false;                   // the list of keys is open
  bindings keys;
  bool keys_changed = false;  // by the user, so they are to be kept
  rebinding_state rebinding;
  palette_state palette;
  bool quit = false;
  bool key_begun = false;   // typed digits wait for the key's field
  int frames_to_field = 0;  // frames until a field must have the keyboard; 0: no field is to have it
  transport_state transport;
  build_state build;
  layout_state layout;
  tree_state tree;
  scene_state scene;
  tile_state tile;
  warp_state warp;
  probes_state probes;
  fill_state fill;
  values_state values;
  compare_state compare;
  // A, to compare with: another index, or another step of the path.
  std::optional<index_config> pinned;
  std::optional<u32> pinned_step;
  std::shared_ptr<const session_run> baseline;  // with which Timings compares; null: none is pinned
  memory_state memory;
  lesson_state lessons;
  pointing pointed, points_next;
  std::optional<cell_ref> menu_at;  // the cell of the open menu
  std::optional<u32> menu_step;     // the step of the open menu
  source_state source;
  advice_state advice;
  own_data_state own;
  verify_state verify;
  updates_state updates;
  interleave_state interleave;
  plots_state plots;
  snapshots_state snapshots;
  std::optional<opening_scenario> opening;
  pictures_state pictures;
  entry_state key, keys_count, batch_count, range_hits, seed;
  std::shared_ptr<const key_data> seen_keys;  // for which the fields show their values
  double copied_at = -10;
  // The model of the index in view. It is made when another index comes, and does not keep the index.
  std::weak_ptr<const built_index> modelled;
  std::shared_ptr<const index_model> model;
};

// One frame, as each view gets it.
struct frame {
  const session_view& session;
  session_actions& act;
  slot_source& slots;
  view_state& view;
  double now = 0;          // seconds
  double seconds = 0;      // since the last frame
  bool moving = false;     // set by a view that moves; then the next frame follows at once
  frame* other = nullptr;  // in B: A's frame, if an index or a step is pinned

  const lookup_trace* trace() const { return view.transport.path ? &view.transport.path->trace : nullptr; }
  const trace_step* step() const;  // the one that is shown; null if there is no path
  u32 steps() const;               // steps of the transport: of the longer path if two are stepped
  u32 joint_step() const { return view.transport.step + view.transport.beyond; }

  // model(): of the index in view, which must be there. path_model(): of the index that the path walked, which in
  // rare frames is another one.
  const std::shared_ptr<const index_model>& model() const;
  std::shared_ptr<const index_model> path_model() const;
  // Returns what the build does for the slot that is shown; nothing while a lookup is shown.
  std::optional<build_step> writes() const;
  // Returns the pass of that slot; null while a lookup is shown, or if the family does not describe its build.
  const pass_info* pass() const;
  // Returns the content of a slot of the index in view, if it is known yet.
  std::optional<slot_content> read(region_id array, u64 slot) const;
  // Returns what a slot without a key holds (index_model::words_of); empty while it is on its way.
  std::string words(region_id array, u64 slot) const;
  std::string brief(region_id array, u64 slot) const;  // the same, shorter (index_model::brief_of)
  // Returns a place with the state of its cell: if cells tell it, what the row id says, as soon as that is here.
  cell_place seen(cell_place place) const;
  cell_place seen_at(cell_ref at) const { return seen(place_of(*model(), at)); }
  // Returns how visible a cell's change in the step still is: 1 at once, 0 soon afterwards and where nothing moves.
  float changed(cell_ref at) const;
};

// Takes up a new path, and moves the step if it plays. Called once per frame, before the views.
void advance_transport(frame& f);
void go_to_step(frame& f, u32 step);
// Returns true if playing stops at this step: on this path, or on A's path beside it.
bool stops_at(const frame& f, u32 joint_step);
// Each makes A this index, or this step of the path, alone.
void pin_index(view_state& view, const index_config& config);
void pin_step(view_state& view, u32 step);
void unpin(view_state& view);
// Makes the last run the baseline. If there is a baseline, removes it.
bool can_pin_baseline(const frame& f);
void toggle_baseline(frame& f);
void compare_with_chosen(frame& f);          // pins the chosen index, unless A is there; arranges two columns
void compare_with_step(frame& f, u32 step);  // pins a step; arranges two columns
void step_by(frame& f, int steps);           // of what is shown: a lookup, or the build
// Shows the build or the lookup. Playing stops.
void show_build(frame& f, bool on);
void go_to_place(frame& f, build_place at);
// Goes to the slot of a pass that writes the cell.
void go_to_cell(frame& f, region_id region, u64 cell);

// Removes the problems of all fields, when another scenario has come.
void forget_problems(view_state& view);

}  // namespace pivotscope::viz
