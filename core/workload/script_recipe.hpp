// What is written over a workload's keys: how many inserts and erases, and among how many finds.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/common/outcome.hpp"
#include "core/common/portable.hpp"

namespace pivotscope {

struct script_recipe {
  u64 inserts = 0;
  u64 erases = 0;
  double mix = 0;  // the writes' share of mixed batches, in which finds are the rest; 0: no batch is mixed
  u64 batch = 0;   // operations of a batch, the last one of which has what is left; 0: as batch_of says
  bool operator==(const script_recipe&) const;  // 0, and the number that it stands for, are the same
};

// Operations of a batch: 2^20 of a mixed one, all of inserts or erases alone, unless the recipe says another number.
inline constexpr u64 usual_mixed_batch = u64{1} << 20, whole_batch = ~u64{0};
u64 batch_of(const script_recipe& recipe);

// Finds among the writes of mixed batches: writes / mix operations, rounded, less the writes.
u64 finds_among(const script_recipe& recipe);

// Why no script can be made so over n keys.
std::optional<std::string> check(const script_recipe& recipe, u64 keys);

// "inserts=2^20 erases=64 mix=0.2", and " batch=4096" where it is not the usual one: parts of a line as a workload's
// are.
std::string to_line(const script_recipe& recipe);
bool is_recipe_field(std::string_view name);
std::optional<problem> set_recipe_field(script_recipe& recipe, std::string_view name, std::string_view value);

}  // namespace pivotscope
