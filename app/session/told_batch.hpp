// The batch follows the keys until the user has said how large it is to be.
#pragma once

#include "viz/models/session_view.hpp"

namespace pivotscope {

// After a change of what is chosen: a batch of another size was asked for, and stays from now on; else it becomes what
// is usual, where that is another number for the new choice. One of the user's own, or of nothing, stays as it is.
void settle_batch(const viz::session_choice& before, viz::session_choice& after);

// The size that the user asks for, or, with none, that of the keys from now on.
void tell_batch(viz::session_choice& choice, std::optional<u64> size);

// Is a batch of an earlier start, of which nothing says whether it was told, what it would be untold?
bool is_usual_batch(const viz::session_choice& choice);

}  // namespace pivotscope
