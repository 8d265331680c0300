// What is told of the batches that changed an index, in words.
#pragma once

#include <string>

#include "viz/session_view.hpp"

namespace pivotscope::viz {

// "2 added, 1 replaced, 1 found no room": what its writes came to. Of a batch without writes "nothing written".
std::string counts_words(const applied_batch& batch);
// Of inserts into an index that is full: "3 of 5 inserts went in: there is no room for more". Empty: all went in.
std::string full_words(const applied_batch& batch);
// "3 of 3 answers are right", "1 of 3 answers is wrong: ...", "not checked: ..."
std::string check_words(const applied_batch& batch);
// Of a script that was typed: "5 operations in 2 batches".
std::string size_words(const script& typed);
// Operations a second; 0: there is no time to divide by.
double operations_per_second(const applied_batch& batch);

}  // namespace pivotscope::viz
