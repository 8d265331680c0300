// What is told of the batches that changed an index, in words.
#pragma once

#include <string>

#include "viz/models/session_view.hpp"

namespace pivotscope::viz {

// "2 added, 1 replaced, 1 found no room": what its writes came to. Of a batch without writes "nothing written".
std::string counts_words(const applied_batch& batch);
// "Checked: 3 answers are right, by the oracle.", "1 of 3 answers is wrong. ..."
std::string check_words(const applied_batch& batch);
// Of a script that was typed: "5 operations in 2 batches".
std::string size_words(const script& typed);

}  // namespace pivotscope::viz
