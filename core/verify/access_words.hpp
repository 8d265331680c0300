// Words for what concurrent operations do to memory, and for their outcomes. The command line and the window use them.
#pragma once

#include <string>
#include <vector>

#include "core/common/answers.hpp"
#include "core/index/model.hpp"
#include "core/machine/interleaved/shared_access.hpp"
#include "core/workload/script.hpp"

namespace pivotscope {

// "insert 5, row 3"
std::string operation_text(const question& o, u32 row);
// "took its former cell"
std::string end_text(const question& o, write_done done, const script_answer& answer);
// "load entry 3 row id: none"
std::string access_text(const index_model& model, const shared_access& a);
// Returns what a field of a cell holds: a number, or its meaning: of a row id that is none "erased", of a child "leaf 3".
std::string field_text(const index_model& model, cell_ref at, const cell_field& field, u64 value);

}  // namespace pivotscope
