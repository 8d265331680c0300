// The search that a program has without any index: std::lower_bound over the sorted entries, on all
// threads of this computer.
#pragma once

#include "core/run/run_record.hpp"

namespace pivotscope {

inline constexpr const char* standard_search_name = "std::lower_bound";

// Does each lookup by std::lower_bound over entries of key and row id (8 bytes with 32-bit keys, 16 with 64-bit ones).
// Times and checks it as the cpu machine's batches. Fills of the record: keys, operations, index_bytes (of the
// entries), time, check. `asked` is a batch of lookups. Problem: not enough memory, or cancelled.
outcome<run_record> run_standard_search(const answer_checker& keys, const batch& asked, const batch_options& options,
                                        const job_control& control);

}  // namespace pivotscope
