// What a family's code comes to on the host: its batches on the cpu machine. Compiled once a family, in a translation
// unit of its own (index/NAME/host.cpp).
#pragma once

#include <span>

#include "core/common/answers.hpp"
#include "core/common/job_control.hpp"
#include "core/config/index_config.hpp"
#include "core/simt/region.hpp"

namespace pivotscope {

class key_array;
struct build_view;
struct update_work;

// A batch in parallel; false when cancelled. `forgotten`: a block whose answers are left out; `level`: of the
// processor's instructions to use, at most what it has.
struct host_batch {
  const index_config& config;
  const index_view& view;
  u64 forgotten;
  const job_control& control;
  u32 level;
};

// Null: the family lacks the operation.
struct host_code {
  // answers[i] = row id of keys[i], or not_found.
  bool (*find)(const host_batch&, const key_array& keys, std::span<u32> answers) = nullptr;
  // How many entries each range has, and the sum of their row ids.
  bool (*count_ranges)(const host_batch&, const key_array& lows, const key_array& highs,
                       std::span<range_answer> answers) = nullptr;
  // The ranges' row ids: range i's from begins[i] on.
  bool (*write_rows)(const host_batch&, const key_array& lows, const key_array& highs, const u64* begins,
                     u32* rows) = nullptr;
  // Of each key the least greater one that is there, and a row id of it.
  bool (*successors)(const host_batch&, const key_array& keys, std::span<successor_answer> answers) = nullptr;
  // Does a batch's operations, in parallel. Null: the family does not change.
  bool (*update)(const index_config&, const build_view&, const update_work&, const job_control&) = nullptr;
};

// Which of x86-64's levels of instructions this processor has: 1 to 4. Elsewhere 1.
u32 instruction_level();

}  // namespace pivotscope
