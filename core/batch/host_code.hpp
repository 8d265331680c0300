// host_code: a family compiled for the cpu machine, as a table with one function per operation. It is compiled once per
// family, in a translation unit of its own (core/families/NAME/host.cpp).
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

// How a function serves a batch: in parallel; it returns false if cancelled. `forgotten`: a block whose answers are
// left out. `level`: of the processor's instructions to use; not more than the processor has.
struct host_batch {
  const index_config& config;
  const index_view& view;
  u64 forgotten;
  const job_control& control;
  u32 level;
};

// A function is null if the family lacks the operation.
struct host_code {
  // Sets answers[i] to a row id of keys[i], or to not_found.
  bool (*find)(const host_batch&, const key_array& keys, std::span<u32> answers) = nullptr;
  // Does of find() what routes the lookups, and nothing else: a stage that is timed by itself. Null: the family never does.
  void (*route)(const host_batch&, const key_array& keys) = nullptr;
  // As find(), of the first part of each lookup alone, whose outcome is the answer: a stage that is timed by itself. Null:
  // the family has none.
  bool (*part)(const host_batch&, const key_array& keys, std::span<u32> answers) = nullptr;
  // Sets answers[i] to the number of entries in range i and the sum of their row ids.
  bool (*count_ranges)(const host_batch&, const key_array& lows, const key_array& highs,
                       std::span<range_answer> answers) = nullptr;
  // Writes the row ids of range i to rows[begins[i]] and the places after it.
  bool (*write_rows)(const host_batch&, const key_array& lows, const key_array& highs, const u64* begins,
                     u32* rows) = nullptr;
  // Sets answers[i] to the least key greater than keys[i], and a row id of it; with `itself` to the least that is not
  // smaller.
  bool (*next_keys)(const host_batch&, const key_array& keys, bool itself,
                    std::span<successor_answer> answers) = nullptr;
  // Does the operations of a batch, in parallel; of a family that changes by whole batches, reads alone. Null: the
  // family does not change.
  bool (*update)(const index_config&, const build_view&, const update_work&, const job_control&) = nullptr;
};

// Returns the level of x86-64 instructions that this processor has, 1 to 4; on other processors 1.
u32 instruction_level();

}  // namespace pivotscope
