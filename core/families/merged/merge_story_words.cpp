// What a merge_story says of a slot, in words and terms.
#include <fmt/format.h>

#include "core/families/merged/merge_story.hpp"

namespace pivotscope {
namespace {

std::string name_of(const merged_write& write) {
  return fmt::format("{} {}", write.kind == operation::erase ? "erase" : "insert", write.key);
}

// Why an entry comes before the write that is the next one.
std::string why_before(const merged_write& next) {
  if (next.kind == operation::erase)
    return fmt::format("its key is less than that of the next write, {}.", name_of(next));
  return fmt::format("its key is not greater than that of the next write, {}. Of a key, inserts come after entries.",
                     name_of(next));
}

std::string words_of(const batch_merge& merge, const path_step& at) {
  if (at.part == path_part::insert) {
    const std::string why = at.entries == merge.before()
                                ? "no entry of the old array is left."
                                : fmt::format("the next entry, in old slot {}, has a greater key.", at.entries);
    return fmt::format("Step {} inserts {}: {}", at.step, merge.write(at.writes).key, why);
  }
  return fmt::format("Step {} copies old slot {}: {}", at.step, at.entries,
                     at.writes < merge.writes() ? why_before(merge.write(at.writes)) : "no write is left.");
}

// How w was found: write w is the first one that does not come before entry s - w - 1.
std::string found_words(const batch_merge& merge, const path_step& at) {
  const u64 w = at.writes;
  if (w == merge.writes()) return "all writes";
  if (at.step == w) return "no entry comes before";
  return fmt::format("{} is not before entry {}", name_of(merge.write(w)), at.step - w - 1);
}

}  // namespace

pass_info merge_story::pass() const {
  return {
      "entries",
      "The merge path has the entries of the old array and the writes of the sorted batch in one order: of a key "
      "its erases, then its entries, then its inserts. An erase drops the entries of its key, which follow it; all "
      "other entries and all inserts make a slot each. The path is cut into tiles that are merged at the same time, "
      "so each step has to be found without the ones before it.",
      main_region,
      after(),
      {}};
}

build_step merge_story::build_step_of(u64 slot) const {
  const path_step at = at_slot(slot);
  const u64 s = at.step, w = at.writes;
  build_step told;
  told.rank = slot;
  told.words = words_of(*this, at);
  const auto add = [&](const char* name, const char* formula, std::string numbers, u64 value, const char* meaning) {
    told.terms.push_back({name, formula, std::move(numbers), value, meaning});
  };
  add("s", "the step that makes this slot", std::to_string(s), s,
      "Steps of the merge path count from 0, and there are as many as entries and writes. This view goes from the slot "
      "to its step; the merge goes the other way, by the lines below.");
  add("w", "writes before step s, by binary search", found_words(*this, at), w,
      "If w of the steps before s are writes, write w and entry s - w are the next ones. So w is the first write that "
      "does not come before entry s - w - 1. A binary search over the writes finds it and looks at no other step: so "
      "each "
      "tile finds its part of the path without the tiles before it.");
  add("entry", "s - w", fmt::format("{} - {}", s, w), at.entries,
      "Entries of the old array before step s, and so the old slot of the next one.");
  if (erases() == 0) {
    add("slot", "s", std::to_string(s), slot, "Without erases each step makes a slot, so step s makes slot s.");
    return told;
  }
  add("erases", "among the w writes", fmt::format("{} of {}", at.erases, w), at.erases,
      "An erase is a step of the path, but makes no slot: it is a tombstone.");
  add("dropped", "among the entries before step s", fmt::format("{} of {}", at.dropped, at.entries), at.dropped,
      "Entries that the batch erases. They follow the erases of their key on the path, and make no slot.");
  add("slot", "s - erases - dropped", fmt::format("{} - {} - {}", s, at.erases, at.dropped), slot,
      "Each step before s makes a slot, but for erases and dropped entries.");
  return told;
}

}  // namespace pivotscope
