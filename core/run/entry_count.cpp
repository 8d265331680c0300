#include "core/run/entry_count.hpp"

#include <fmt/format.h>

#include "core/index/model.hpp"

namespace pivotscope {

u64 entry_count(const stored_index& index) { return model_of(index)->entries(); }

std::string held_words(std::optional<u64> held, u64 rows) {
  return !held || *held == rows ? "" : fmt::format("holds {} of {} rows: one a key", *held, rows);
}

}  // namespace pivotscope
