// What a program does without any index: std::lower_bound over the sorted entries, on all threads of this computer.
#pragma once

#include "core/run/run_record.hpp"

namespace pivotscope {

inline constexpr const char* standard_search_name = "std::lower_bound";

// Each lookup by std::lower_bound over entries of key and row id (8 bytes for 32-bit keys, 16 for 64-bit ones), timed and
// checked as the cpu machine's batches are. Of the record: keys, operations, index_bytes (of the entries), time, check.
// `asked` is of lookups. Problem: not enough memory, or cancelled.
outcome<run_record> run_standard_search(const answer_checker& keys, const batch& asked, const batch_options& options,
                                        const job_control& control);

}  // namespace pivotscope
