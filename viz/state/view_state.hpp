// What the views themselves remember: where one looks, which step of the path is shown, what is being typed. Lives on
// the frame's thread only.
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

// Which step of the path is shown, and whether time moves it.
struct transport_state {
  u32 step = 0;
  u32 beyond = 0;  // steps past this path's last one, where a longer one is stepped beside it
  bool playing = false;
  float steps_per_second = 1.0f;
  double next_at = 0;
  std::shared_ptr<const path_data> path;  // that `step` belongs to
  std::vector<stop_mark> stops;           // where playing stops
  // Cells that a write's step in view has otherwise than the one that was in view before, and since when.
  struct step_change {
    std::shared_ptr<const path_data> path;
    u32 step = 0;
    std::vector<cell_ref> cells;
    double at = -1;  // negative: nothing is to be seen of it
  } change;
};

// The transport's other mode: its steps are the slots that the build writes.
struct build_state {
  bool on = false;
  build_place at;      // in the index in view
  build_place wanted;  // gone to last: an index without that slot shows its nearest, and the next one may have it again
  std::shared_ptr<const index_model> model;  // that the passes are of: that of the index in view
  std::vector<pass_info> passes;
  build_place followed;  // that Layout was last scrolled to
  bool follow = false;
  bool from_paper = false;  // n was slid away from the papers' example: back at 14 it is that again
  // How the slot is at other sizes, and of which config and slot that was told.
  std::vector<grown_slot> grown;
  std::optional<std::pair<index_config, build_place>> grown_for;
};

// A text field and what is wrong with what was typed.
struct entry_state {
  std::string text = {};
  std::string problem = {};
  bool focus_next = false;
  std::string beside = {};  // the value that stood when the problem came

  void refuse(std::string why, std::string standing) { problem = std::move(why), beside = std::move(standing); }
  // A problem is of what was typed: it goes when another value comes from elsewhere.
  void forget_old_problem(const std::string& standing) {
    if (!problem.empty() && standing != beside) problem.clear();
  }
};

// One row of cells: where one looks, and what is drawn there when the cells are too small to be drawn one by one.
struct strip_state {
  strip_camera camera;
  bool dragged = false;
  // The second click of two fits, and puts back what the first one changed: the key, and the step or slot in view.
  bool fitted = false;
  std::optional<std::pair<std::optional<question>, view_position>> before_click;
  struct block {
    float x0, x1, y0, y1;
    u32 level;
    bool erased;  // not the level's: of entries that were erased
  };
  std::vector<block> blocks;    // from the strip's corner
  bool blocks_to_come = false;  // of cells that are on their way
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
  bool search_slots = false;                   // a plain number is a slot's
  std::shared_ptr<const scratch_row> scratch;  // what a block pins; null when pinning is off
  std::shared_ptr<const built_index> index;
  std::shared_ptr<const index_model> model;   // of `index`
  std::shared_ptr<const index_model> before;  // of the index before the last change, while cells glide from there
  double glide_from = -1;
  std::shared_ptr<const cell_changes> changes;  // that a batch brought
  double changed_at = -1;                       // the frame that took them up; negative: nothing moves
  std::optional<u64> searched_key;              // looked for in the search field: its path is gone to when it is there
  bool follow = false;                          // each step comes near, wherever it reads
  std::shared_ptr<const path_data> followed;
  u32 followed_step = 0;
  std::optional<region_id> upper_shown;         // what the upper row was last
  std::shared_ptr<const path_data> windows_of;  // whose windows it last had in view, of a family that has them

  // Of regions that are neither row, by their numbers.
  std::vector<strip_state> others;
  std::pair<const path_data*, u32> others_followed = {};  // to which step of which path they were last moved
  strip_state& other_strip(region_id region) {
    if (others.size() <= number_of(region)) others.resize(number_of(region) + 1);
    return others[number_of(region)];
  }

  // Where a region is a row: what leads to the entries lies above them.
  strip_state& strip_of(region_id region) { return region == main_region ? lower : upper; }
};

// Which step the tree was last scrolled to, and where its nodes stood in the index that was in view before this one.
struct tree_state {
  std::shared_ptr<const path_data> followed;
  u32 followed_step = 0;
  std::weak_ptr<const built_index> of;
  std::map<u64, double> stood, stand;  // of nodes that live on (viz/models/tree_model.hpp): before, and now
  double came_at = -1;                 // when others came; negative: none did
};

// Which file of the source is shown, and which step it was last scrolled to.
struct source_state {
  std::shared_ptr<const source_model> model;
  std::weak_ptr<const path_data> modelled;          // the path that `model` is of; it keeps an index, this does not
  std::string chosen;                               // a file that is shown wherever a step runs through it
  std::shared_ptr<const linked_code> code;          // the same operation in short
  bool in_short = true;                             // is it shown?
  std::optional<std::size_t> pointed, points_next;  // line in short that the mouse is at, here or in the source
  std::optional<source_spot> shown;                 // that a click asked for; it is scrolled to
  const void* followed = nullptr;                   // the model whose step was scrolled to
  u32 followed_step = 0;
  std::size_t followed_file = 0;
};

// What the index must have, for the adviser and the autotuner.
struct advice_state {
  bool ascending = false, smallest = false, short_rebuild = false;
  // What is unfolded below the recommendation.
  bool show_ranking = false, show_looked_at = false, show_left_out = false;
  bool show_measured = false, show_same_method = false, show_paper = false;
};

// Which of the batch's tiles is shown.
struct tile_state {
  u64 number = 0;
  std::shared_ptr<tile_study> study;
  double studied_at = -1;  // the frame that took it on
  strip_state strip;
  std::optional<u32> hovered;  // a lookup, by its place in the tile
  u32 last_served = 0;         // that was gone to as the next one, in the order of service
};

// What was found out of the windows that lookups read, and of the cells.
struct probes_state {
  std::shared_ptr<probe_study> study;
  double studied_at = -1;  // the frame that went on with it
};

// Which of an index's parts are in view, and how full all of them are.
struct fill_state {
  strip_state strip;  // a cell a part
  std::vector<fill_column> columns;
  bool columns_to_come = false;  // of parts that are on their way
  strip_state::blocks_key columns_for;
  std::shared_ptr<fill_study> study;
  double studied_at = -1;                     // the frame that went on with it
  std::shared_ptr<const path_data> followed;  // whose part was gone to last
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

// Which lesson is gone through, and how far (viz/state/lesson_progress.hpp).
struct lesson_state {
  std::shared_ptr<const std::vector<lesson>> all;  // null: there are none
  std::string own_folder;                          // where the user's own are looked for; empty: nowhere
  std::optional<std::size_t> current;              // none: the list
  std::size_t step = 0;
  std::vector<bool> noticed;  // of its steps: the deed is done, the question answered
  std::optional<std::size_t> chosen_answer;
  std::vector<std::string> finished;  // ids, over all starts
  std::vector<panel> to_front;        // still to be brought there, one a frame
  bool settling = false;              // the step's scenario is on its way
  bool rewind = false;                // to the path's first step, once it is there
  bool bring_into_view = false;       // scroll to what is pointed at
  bool scroll_to_end = false;         // what was just said stands at the end of the words
  bool wants_room = false;            // a panel that shares its place with others is to get one of its own
  double entered_at = -10;
};

// Steps a second that a lookup is played at, at most; slots go faster.
inline constexpr float fastest_lookup = 4;

// A measurement of both sides under way: A's, and then B's.
struct compare_state {
  bool measuring = false;
  u64 measured_before = 0;  // number of A's last measured run
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
  bool keys_browsed = false, batch_browsed = false;  // a folder's listing is open below the file's field
  operation asked = operation::find;                 // what the file of the batch asks for
};

// What the next verification is asked for.
struct verify_state {
  verify_request asked = {};
  entry_state cases, seed, most_keys;
};

// Operations that meet: what is typed of them, and which access is shown.
struct interleave_state {
  entry_state line = {.text = "keys=5,3 ops=+5,-5 schedule=0:1 1"};
  std::pair<std::string, key_width> read_for;
  std::optional<interleaved_case> of;       // that was read last; a faulty line leaves it as it is
  std::optional<interleave_request> asked;  // last
  u64 drawn = 0;                            // case of the seed that is drawn next
  interleave_search_request search = {};
  entry_state schedules, seed;
  u64 opened = 0;  // number of the search whose failure was opened
  std::shared_ptr<const interleave_model> model;
  std::weak_ptr<const interleave_result> modelled;  // that `model` is of, or that has a problem
  std::size_t step = 0;                             // accesses that are done
  std::optional<std::size_t> wanted;                // step of the result that was asked for
  bool scroll = false;                              // to the step
  bool focused = false;                             // the keys that step are for it
};

// What the next batches are to be: typed, or drawn.
struct updates_state {
  entry_state typed;
  // What was read of the text that was typed last; null: nothing, or it is faulty, and `typed.problem` says why.
  std::shared_ptr<const script> read;
  std::pair<std::string, key_width> read_for;
  update_draw drawn = {};
  entry_state inserts, erases, finds, seed;
  std::shared_ptr<const update_history> followed;  // that the list was last scrolled to
};

// A scenario on its way to be shown: its place waits for its path, or its index.
struct opening_scenario {
  view_position at;
  double asked_at = 0;                                       // the frame that asked for it
  std::optional<std::pair<index_config, workload>> of = {};  // what was chosen with it
};

// What a plot of one's own has along x.
enum class own_axis : u8 { keys, hits, skew, distribution, fanout, threads, per_thread, range_entries, load };

// Which sweep is plotted: a named one, or one of one's own.
struct plots_state {
  std::string sweep = "lightweight-20a";  // empty: one's own
  std::optional<u64> scale = {};          // that was typed; none: what suits the machine
  entry_state scale_field;
  own_axis x = own_axis::keys;
  plot_y y = plot_y::rate;
  std::optional<plot_y> other_y = {};      // in place of the figure's own; of one's own plot `y` is
  std::vector<index_config> configs = {};  // one's own series, six at most
  std::vector<std::string> hidden = {};    // other machines whose curves are not to be seen behind one's own
  std::optional<ImVec2> first_dot = {};    // where the last frame drew it; none: it drew none
};
inline constexpr std::size_t most_own_series = 6;

struct snapshots_state {
  std::optional<u32> wanted;                   // a slot: the frame's picture goes there
  std::optional<u32> removing;                 // asked for once
  std::array<u64, snapshot_slots> textures{};  // 0: no picture
};

// A picture of a panel, or of the whole window, that the window is to write.
struct picture_request {
  std::optional<panel> which;
  bool vector = false;       // SVG; else PNG
  bool every_place = false;  // of each step, or of each slot of the build
};

struct pictures_state {
  std::optional<picture_request> asked;
  bool running = false;
};
inline constexpr u64 most_pictures = 1000;  // of the places of one scenario

// What the last frames cost the processor, in milliseconds: the program's own time on the frame's thread.
struct frame_costs {
  std::array<float, 120> ms = {};
  std::size_t next = 0;

  void add(float cost) { ms[next++ % ms.size()] = cost; }
  float last() const { return next == 0 ? 0 : ms[(next - 1) % ms.size()]; }
  float most() const { return *std::max_element(ms.begin(), ms.end()); }
};

// Which command waits for the keys that it is to have, and why the last ones were not taken.
struct rebinding_state {
  std::optional<std::size_t> command;
  std::string problem;
};

// The command palette: what is typed, and which of the commands that it finds is chosen.
struct palette_state {
  bool open = false;
  entry_state text = {};
  std::string sought = {};  // that `chosen` is of
  std::size_t chosen = 0;
};

struct view_state {
  frame_costs frame_ms;
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
  std::array<bool, panel_count> seen = {};  // in front in the last frame, and so drawn
  std::optional<panel> focus;               // to the front in the next frame
  std::optional<panel> looked_at = {};      // the view that was clicked or came to the front last
  bool show_keys = false;                   // the list of keys
  bindings keys;
  bool keys_changed = false;  // in the window: they are to be kept
  rebinding_state rebinding;
  palette_state palette;
  bool quit = false;
  bool key_begun = false;   // digits that were typed wait for the key's field
  int frames_to_field = 0;  // that a field may take until it has the keyboard; 0: none is to have it
  transport_state transport;
  build_state build;
  layout_state layout;
  tree_state tree;
  tile_state tile;
  warp_state warp;
  probes_state probes;
  fill_state fill;
  compare_state compare;
  // A, to compare with: an index beside the chosen one, or a step of the path beside the one that is shown.
  std::optional<index_config> pinned;
  std::optional<u32> pinned_step;
  std::shared_ptr<const session_run> baseline;  // that Timings compares with; null: none is pinned
  memory_state memory;
  lesson_state lessons;
  pointing pointed, points_next;
  std::optional<cell_ref> menu_at;  // the cell that a menu is open for
  std::optional<u32> menu_step;     // the step
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
  entry_state key, keys_count, lookups_count, ranges_count, successors_count, range_hits, seed;
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
  double now = 0;          // seconds
  double seconds = 0;      // since the frame before
  bool moving = false;     // a view that moves says so, and the next frame follows at once
  frame* other = nullptr;  // of B: A's, where an index or a step is pinned

  const lookup_trace* trace() const { return view.transport.path ? &view.transport.path->trace : nullptr; }
  const trace_step* step() const;  // the one that is shown; null without a path
  u32 steps() const;               // that the transport has: of the longer path, where two are stepped
  u32 joint_step() const { return view.transport.step + view.transport.beyond; }

  // Of the index in view, which must be there; and of the index that the path walked, in the rare frames where that is
  // another one.
  const std::shared_ptr<const index_model>& model() const;
  std::shared_ptr<const index_model> path_model() const;
  // What the build does for the slot that is shown; nothing while a lookup is.
  std::optional<build_step> writes() const;
  // The pass that it is of; null while a lookup is shown, or where the family tells nothing of its build.
  const pass_info* pass() const;
  // What a slot of the index in view holds, when it is known yet.
  std::optional<slot_content> read(region_id array, u64 slot) const;
  // What stands in a slot without a key (index_model::words_of); empty while it is on its way.
  std::string words(region_id array, u64 slot) const;
  std::string brief(region_id array, u64 slot) const;  // the same in fewer (index_model::brief_of)
  // A place with what its cell is: where cells tell, what its row id says, as soon as it is here.
  cell_place seen(cell_place place) const;
  cell_place seen_at(cell_ref at) const { return seen(place_of(*model(), at)); }
  // How much a cell that changed with the step still shows of it: 1 at once, 0 soon after, and where nothing moves.
  float changed(cell_ref at) const;
};

// Takes up a new path and moves the step when playing. Once a frame, before the views.
void advance_transport(frame& f);
void go_to_step(frame& f, u32 step);
// Is one of the stops at this step: of this path, or of A's that is stepped beside it?
bool stops_at(const frame& f, u32 joint_step);
// A is this index, or this step of the path, and nothing else.
void pin_index(view_state& view, const index_config& config);
void pin_step(view_state& view, u32 step);
void unpin(view_state& view);
// The last run becomes the baseline; or, where there is one, none is.
bool can_pin_baseline(const frame& f);
void toggle_baseline(frame& f);
void compare_with_chosen(frame& f);          // pins the chosen index, unless A is there, and arranges two columns
void compare_with_step(frame& f, u32 step);  // pins a step, and arranges two columns
void step_by(frame& f, int steps);           // of what is shown, a lookup or the build
// One or the other; time stops moving it.
void show_build(frame& f, bool on);
void go_to_place(frame& f, build_place at);
// To the slot of a pass that writes there.
void go_to_cell(frame& f, region_id region, u64 cell);

// Another scenario is there: what was wrong with the fields of the one before is no longer.
void forget_problems(view_state& view);

}  // namespace pivotscope::viz
