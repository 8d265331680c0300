#include "core/run/entry_count.hpp"

#include <fmt/format.h>

#include "core/index/family.hpp"

namespace pivotscope {

u64 entry_count(const stored_index& built) { return family_of(built.config()).model_of(built)->keys(); }

std::string held_words(std::optional<u64> held, u64 rows) {
  return !held || *held == rows ? "" : fmt::format("holds {} of {} rows: one a key", *held, rows);
}

}  // namespace pivotscope
