#include "viz/models/merge_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "viz/words/format.hpp"

namespace pivotscope::viz {

u64 first_listed(u64 step, u64 count, u64 steps) {
  const u64 before = std::min(step, count / 2);
  return steps <= count ? 0 : std::min(step - before, steps - count);
}

std::string write_words(const merged_write& write) {
  return fmt::format("{} {}", write.kind == operation::erase ? "erase" : "insert", write.key);
}

std::string step_words(const batch_merge& merge, const path_step& at) {
  switch (at.part) {
    case path_part::keep:
      return fmt::format("The entry of old slot {} is copied into slot {}.", grouped(at.entries), grouped(at.slot()));
    case path_part::drop:
      return fmt::format(
          "The entry of old slot {} is dropped: {}, which stands before it, takes all entries of its key.",
          grouped(at.entries), write_words(merge.write(at.writes - 1)));
    case path_part::erase: {
      const merged_write write = merge.write(at.writes);
      return fmt::format(
          "{}: a tombstone, which makes no slot. Entries of its key follow it and are dropped. It is operation {} of "
          "the "
          "batch, counted from 0.",
          capitalised(write_words(write)), grouped(write.place));
    }
    case path_part::insert:
      break;
  }
  const merged_write write = merge.write(at.writes);
  return fmt::format("{} goes into slot {}, with row id {}. It is operation {} of the batch, counted from 0.",
                     capitalised(write_words(write)), grouped(at.slot()), write.row, grouped(write.place));
}

std::string source_words(const batch_merge& merge, const path_step& at) {
  if (at.part == path_part::keep) return fmt::format("old slot {}", grouped(at.entries));
  const merged_write write = merge.write(at.writes);
  return fmt::format("write {}, row id {}", grouped(at.writes), write.row);
}

}  // namespace pivotscope::viz
