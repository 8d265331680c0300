// The panels, each in its own file. A panel draws inside the window that is open and knows nothing of where that is.
#pragma once

#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

void workload_panel(frame& f);
void index_panel(frame& f);
void tree_panel(frame& f);
void layout_panel(frame& f);
void tile_panel(frame& f);
void warp_panel(frame& f);
void memory_panel(frame& f);
void compare_panel(frame& f);
void path_panel(frame& f);
void source_panel(frame& f);
void timings_panel(frame& f);
void machine_panel(frame& f);
void advice_panel(frame& f);
void lesson_panel(frame& f);
void verify_panel(frame& f);
void snapshots_panel(frame& f);
void probes_panel(frame& f);
void fill_panel(frame& f);
void plots_panel(frame& f);
void updates_panel(frame& f);
void interleave_panel(frame& f);

void build_panel(frame& f);  // in Path's place while the build is shown

// The bars that are always there.
float top_bar_height();
void top_bar(frame& f);
float transport_bar_height();
void transport_bar(frame& f);
void build_scrub(frame& f, float width, float height);  // the transport's line of slots
float notice_strip_height();
void notice_strip(frame& f);
// Over a panel that is a picture by itself, of those that show a lookup: the index and its keys, what is looked for, and what the
// step says.
void picture_caption(frame& f, panel which);

// Of Interleave: by so many accesses, and to where another operation goes on.
void step_accesses(frame& f, int accesses);
void step_to_switch(frame& f, int direction);
void show_interleaving(frame& f, const std::string& line);  // before its first access

// A few parts that more than one view shows.
void wait_or_explain(frame& f, const char* what);  // in place of a view that has no index to show yet
// ... that shows what changes an index, of one that does not change: why, a remark or none, and the methods that do.
void offer_what_changes(frame& f, const std::string& remark = {});
// Why the batch tells nothing of speed, and a button that takes one which does; nothing where `why` is empty.
void say_too_few(frame& f, const std::string& why);
void level_legend(frame& f, bool clickable, float room);  // as wide as there is room, at most
// The study of the tile that is shown, a little further on; null where the batch has no tile of lookups.
tile_study* study_tile(frame& f);
// Would its lookups read more than is worth counting, each of them all keys? Then it is said.
bool tile_asks_too_much(frame& f);
void stored_levels_bar(frame& f);  // which levels are stored of those that could be; nothing where none can be left out

}  // namespace pivotscope::viz
