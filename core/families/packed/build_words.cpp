// What each pass of a packed index's build writes, and how a slot comes to what it holds: what packed_model says of its build.
#include <fmt/format.h>

#include <algorithm>

#include "core/families/packed/packed_model.hpp"

namespace pivotscope {

std::vector<pass_info> packed_model::build_passes() const {
  if (view_.keys == 0) return {};
  const u32 entries = leaf_entries(config_);
  std::vector<u64> levels;
  for (u32 level = 0; level < std::max(view_.levels, 1u); ++level) levels.push_back(first_of_level(level));
  std::vector<pass_info> passes = {
      {"leaves",
       fmt::format(
           "A pack of three entries a thread, from the sorted keys: {} entries side by side are a leaf. Each keeps its "
           "row id and as many low bits of its key as have room.",
           entries),
       main_region,
       regions_[0].cells,
       {0}},
      {"blocks",
       "A block a thread: each takes the leaves that begin in its bucket, as those who packed them noted, and keeps 8 "
       "bits of where in it each "
       "begins. Where too many begin, or too near each other, the block becomes a node, and another pass fills the "
       "blocks below it; or a list.",
       packed_region::blocks, blocks(), std::move(levels)}};
  if (view_.listed > 0)
    passes.push_back({"lists",
                      "Of the blocks that are lists the leaves are counted, and a thread a leaf puts in full where in "
                      "its bucket the leaf begins.",
                      packed_region::lists,
                      view_.listed,
                      {0}});
  if (view_.escapes > 0)
    passes.push_back({"escapes",
                      "Leaves whose keys lie too far apart for the bits that an entry keeps are counted, and each puts "
                      "its entries here in full.",
                      packed_region::escapes,
                      regions_[number_of(packed_region::escapes)].cells,
                      {0}});
  return passes;
}

build_step packed_model::step_of_build(u32 pass, u64 slot) const {
  const u32 entries = leaf_entries(config_);
  build_step step;
  if (pass == 0) {
    const u64 leaf = slot / entries, place = slot % entries;
    if (slot >= view_.keys) {
      step.empty = true;
      step.words = fmt::format("Behind the last entry: leaf {} is filled up with that entry once more.", leaf);
      return step;
    }
    step.rank = slot;
    step.terms = {
        {"leaf", fmt::format("floor(slot / {})", entries), fmt::format("floor({} / {})", slot, entries), leaf,
         "The leaf that the slot is in. All leaves have as many entries, so none needs to say where it begins."},
        {"i", fmt::format("slot mod {}", entries), fmt::format("{} mod {}", slot, entries), place,
         "The slot's place in its leaf."},
        {"rank", fmt::format("{} \u00D7 leaf + i", entries), fmt::format("{} \u00D7 {} + {}", entries, leaf, place),
         slot, "The entry's place in the order of the keys: that of its slot."}};
    step.words = fmt::format(
        "Thread {} packs entries {} to {}. It keeps the row id in the low {} bits, and the key's distance "
        "from the least key in those that are left.",
        slot / pack_entries, slot / pack_entries * pack_entries,
        std::min(slot / pack_entries * pack_entries + pack_entries, view_.keys) - 1, view_.row_bits);
    return step;
  }
  if (pass == 1 && slot < view_.blocks) {
    step.turn = slot, step.level = 0;
    const auto keys = keys_of_part(slot);
    step.words = keys ? fmt::format(
                            "The bucket of keys {} to {}: thread {} takes the leaves whose first keys are "
                            "among these.",
                            keys->first, keys->last, slot)
                      : fmt::format("A bucket that no key can lie in: there are more buckets than values.");
    return step;
  }
  if (pass == 1) {
    const u32 level = block_level(slot);
    step.level = level;
    step.words = fmt::format(
        "A block of level {}, below a node: thread {} of that level's pass takes the leaves that begin in "
        "this part of the node's bucket.",
        level, slot - first_of_level(level));
    return step;
  }
  if (pass == 2 && view_.listed > 0) {
    step.turn = slot;
    step.words = fmt::format("Thread {} puts where a leaf begins, counted from the begin of its bucket.", slot);
    return step;
  }
  const u64 leaf = slot / (entries + 1), place = slot % (entries + 1);
  step.words = place < entries
                   ? fmt::format("Entry {} of escaped leaf number {}, with its whole key.", place, leaf)
                   : fmt::format("The first key behind escaped leaf number {}: its last entry's successor.", leaf);
  return step;
}

}  // namespace pivotscope
