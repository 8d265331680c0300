// The parts of a workload's line that bring numbers of one's own.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/workload/workload.hpp"

namespace pivotscope {

// keys_from=FILE keys_column=NAME, or key_list=1,5,9.
std::string own_keys_line(const own_numbers& keys);
// lookups_from=FILE lookups_column=NAME, lookup_list=7,9, ranges_from=FILE, range_list=7..20,9..9,
// successors_from=FILE lookups_column=NAME or successor_list=7,9.
std::string own_batch_line(const own_lookups& asked);

// script_from=FILE, or script=+5,+7/-5.
std::string own_script_line(const own_operations& script);

// A name as it stands in a line, where a word has no blanks: %20 in place of one.
std::string as_word(std::string_view text);

// "lookups_from", "lookup_list": the parts that say where the keys of a batch come from.
std::string from_field(operation kind);
std::string list_field(operation kind);
bool is_own_field(std::string_view name);
std::optional<problem> set_own_field(workload& w, std::string_view name, std::string_view value);

// How many keys, lookups and ranges there are of one's own, as far as that is known without reading a file.
void count_own(workload& w);
// Why such numbers are refused; their counts included.
std::optional<std::string> check_own(const workload& w, key_width width);

}  // namespace pivotscope
