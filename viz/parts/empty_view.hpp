// What a view shows in place of its picture, or of a part of it: why there is none, and a button that helps.
#pragma once

#include <string>

#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

// Says that the session is busy, that the user's numbers could not be read, that there are no keys, or that nothing is
// built yet; `what`: what the view would show, "its search tree".
void wait_or_explain(frame& f, const char* what);
// For a view of changes, over an index that cannot change: says why, then `remark` if there is one, and offers the
// methods that can; with `one_by_one` those whose operations can be interleaved.
void offer_what_changes(frame& f, const std::string& remark = {}, bool one_by_one = false);
// Says why the batch is too small to be timed, and offers a larger one. Draws nothing if `why` is empty.
void say_too_few(frame& f, const std::string& why);
// If each lookup of the tile would read more keys than a frame can count, says so and returns true.
bool tile_asks_too_much(frame& f);

}  // namespace pivotscope::viz
