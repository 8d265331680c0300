// A short script as one word, for a workload's line: +5 inserts, -5 erases, ?5 looks up, 5..9 is a range, >5 asks for
// the successor. Commas stand between the operations of a batch, a slash between batches, brackets around a mixed one:
//   +5,+7/-5/(+3,?3,0..9)/>4/-*/@
// -* clears the index and @ rebuilds it, each a batch of its own.
// As in a script's text a batch ends where the verb changes, slash or none; two batches of one verb in a row are told
// apart by brackets around the second.
#pragma once

#include <string>
#include <string_view>

#include "core/workload/script.hpp"

namespace pivotscope {

// One to max_listed operations. The problem's words quote what is wrong, and say what to do.
outcome<script> script_from_list(std::string_view word, key_width width);

// Reading it gives the script back.
std::string to_list(const script& s);

}  // namespace pivotscope
