// The parts of the Workload panel that bring keys and lookups of one's own: from a file, typed or pasted.
#pragma once

#include <string>

#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

// Forms follow what is chosen elsewhere: a scenario that was opened, a file that was dropped. Once a frame.
void follow_own_data(own_data_state& state, const workload& now);
// The workload with generated keys, or a generated batch, in place of one's own: as it was before those.
workload with_generated_keys(const workload& now, const workload& before);
workload with_generated_batch(const workload& now, const workload& before);
// "1 000 keys of keys.txt", "9 keys, typed".
std::string own_keys_words(const workload& load);
// Of all that is chosen: "2^20 keys, uniform, 2 batches".
std::string keys_in_words(const session_view& session);
// What is wrong with a file, without the folders of its path: below a field they are known.
std::string short_fault(const reading_fault& fault);

// Which source the keys have, as chips, and the form of a file's or of typed ones. True: they are generated.
bool keys_source(frame& f);
// The form of typed lookups or of a file's; nothing when they are generated.
void own_batch_form(frame& f);

}  // namespace pivotscope::viz
