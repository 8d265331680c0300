// A batch merged into SA on the cpu machine, and what merge_story tells of it, held against the arrays before and after.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/families/merged/merge_story.hpp"
#include "core/machine/machine.hpp"
#include "core/run/stored_entries.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope::testing {

inline key_array keys_of_width(key_width width, const std::vector<u64>& of) {
  key_array keys(width, of.size());
  keys.visit([&]<class Key>(std::vector<Key>& all) {
    for (std::size_t i = 0; i < of.size(); ++i) all[i] = static_cast<Key>(of[i]);
  });
  return keys;
}

// The arrays before and after the last batch of a script, and the story of that batch.
struct told_merge {
  script batches;
  std::vector<stored_entry> before, after;
  std::shared_ptr<const batch_merge> merge;
  std::shared_ptr<const built_index> index;

  told_merge(const std::vector<u64>& keys, script s) : batches(std::move(s)) {
    const auto cpu = open_machine(machine_kind::cpu);
    const index_config config = config_of(batches.width() == key_width::u32 ? "SA" : "SA keys=u64");
    const auto resident = (*cpu)->load(keys_of_width(batches.width(), keys), job_control{});
    index = *(*cpu)->build(config, *resident, job_control{});
    const u64 last = batches.batches().size() - 1;
    for (u64 b = 0; b < last; ++b) index = (*cpu)->update(*index, batches, b, {}, job_control{})->index;
    before = *stored_entries(*index);
    merge = *family_of(config).merge_of(*index, batches, last, {});
    index = (*cpu)->update(*index, batches, last, {}, job_control{})->index;
    after = *stored_entries(*index);
  }
  const script_batch& batch() const { return batches.batches().back(); }

  // Where a step stands in the order of the path: by key; of a key its erases, then its entries, then its inserts.
  std::tuple<u64, int, u64> order_of(const path_step& at) const {
    const bool entry = at.part == path_part::keep || at.part == path_part::drop;
    if (entry) return {before[at.entries].key, 1, at.entries};
    const merged_write w = merge->write(at.writes);
    return {w.key, at.part == path_part::erase ? 0 : 2, w.place};
  }

  void expect_sums() const {
    std::set<u64> erased;
    u64 writes = 0, erases = 0;
    for (u64 i = batch().begin; i < batch().end; ++i) {
      writes += is_write(batches.verb_of(i)) ? 1 : 0;
      if (batches.verb_of(i) == operation::erase) erased.insert(batches[i].key), ++erases;
    }
    const auto dropped = std::ranges::count_if(before, [&](const stored_entry& e) { return erased.contains(e.key); });
    ASSERT_EQ(merge->before(), before.size());
    ASSERT_EQ(merge->after(), after.size());
    ASSERT_EQ(merge->writes(), writes);
    ASSERT_EQ(merge->erases(), erases);
    ASSERT_EQ(merge->dropped(), static_cast<u64>(dropped));
    ASSERT_EQ(merge->dropped() + merge->kept(), before.size());
    ASSERT_EQ(merge->kept() + merge->inserts(), after.size());
    ASSERT_EQ(merge->pass().slots, after.size());
  }
  // Each write of the batch once, with the row id that its insert gave.
  void expect_writes() const {
    std::map<u64, u32> row_of;  // by operation
    u32 row = static_cast<u32>(index->rows() - merge->inserts());
    for (u64 i = batch().begin; i < batch().end; ++i)
      if (batches.verb_of(i) == operation::insert) row_of[i - batch().begin] = row++;
    std::set<u64> seen;
    for (u64 w = 0; w < merge->writes(); ++w) {
      const merged_write write = merge->write(w);
      ASSERT_TRUE(seen.insert(write.place).second) << write.place;
      const question asked = batches[batch().begin + write.place];
      ASSERT_EQ(write.kind, asked.kind);
      ASSERT_EQ(write.key, asked.key);
      if (write.kind == operation::insert) {
        ASSERT_EQ(write.row, row_of.at(write.place));
      }
    }
  }
  // The whole path, step by step: all counts grow as the steps say, each slot is made once, and holds what is told.
  void expect_path() const {
    path_step next;  // its counts
    std::set<u64> erased;
    for (u64 s = 0; s < merge->steps(); ++s) {
      SCOPED_TRACE("step " + std::to_string(s));
      const path_step at = merge->at_step(s);
      next.step = s, next.part = at.part;
      ASSERT_EQ(at, next);
      if (s > 0) {
        ASSERT_LT(order_of(merge->at_step(s - 1)), order_of(at));
      }
      const auto told = merge->key_of(at);
      switch (at.part) {
        case path_part::keep:
          ASSERT_FALSE(erased.contains(before[at.entries].key));
          ASSERT_EQ(after.at(at.slot()), before[at.entries]);
          ASSERT_EQ(told, std::nullopt);
          ++next.entries;
          break;
        case path_part::drop:
          ASSERT_TRUE(erased.contains(before[at.entries].key));
          ASSERT_EQ(told, before[at.entries].key);
          ++next.entries, ++next.dropped;
          break;
        case path_part::erase:
          erased.insert(merge->write(at.writes).key);
          ASSERT_EQ(told, merge->write(at.writes).key);
          ++next.writes, ++next.erases;
          break;
        case path_part::insert:
          ASSERT_EQ(after.at(at.slot()), (stored_entry{merge->write(at.writes).key, merge->write(at.writes).row}));
          ASSERT_EQ(told, merge->write(at.writes).key);
          ++next.writes;
          break;
      }
      if (at.makes_slot()) {
        ASSERT_EQ(merge->at_slot(at.slot()), at);
      }
      if (at.part == path_part::keep || at.part == path_part::drop) {
        ASSERT_EQ(merge->at_entry(at.entries), at);
      }
      expect_search(at);
    }
    ASSERT_EQ(next.entries, before.size());
    ASSERT_EQ(next.writes, merge->writes());
    for (u64 slot = 0; slot < after.size(); ++slot) {
      const path_step at = merge->at_slot(slot);
      ASSERT_TRUE(at.makes_slot() && at.slot() == slot) << slot;
    }
  }
  // w as the merge finds it: the first write that does not come before entry s - w - 1.
  void expect_search(const path_step& at) const {
    const auto comes_before = [&](u64 w) {  // entry at.step - w - 1
      const merged_write write = merge->write(w);
      const u64 key = before[at.step - w - 1].key;
      return write.key < key || (write.key == key && write.kind == operation::erase);
    };
    const u64 least = at.step > before.size() ? at.step - before.size() : 0;
    const u64 most = std::min(at.step, merge->writes());
    u64 w = least;
    while (w < most && comes_before(w)) ++w;
    ASSERT_EQ(at.writes, w);
  }
  // A slot's terms are the numbers of its step, and lead back to it.
  void expect_terms(u64 slot) const {
    const path_step at = merge->at_slot(slot);
    const build_step step = merge->build_step_of(slot);
    std::vector<u64> right{at.step, at.writes, at.entries};
    if (merge->erases() > 0) right.insert(right.end(), {at.erases, at.dropped});
    right.push_back(slot);
    ASSERT_EQ(step.terms.size(), right.size());
    for (std::size_t i = 0; i < right.size(); ++i) {
      const step_term& term = step.terms[i];
      ASSERT_EQ(term.value, right[i]) << term.name;
      for (const std::string* words : {&term.name, &term.formula, &term.numbers, &term.meaning}) ASSERT_NE(*words, "");
    }
    ASSERT_EQ(step.rank, slot);
    ASSERT_FALSE(step.empty);
    const std::string makes = at.part == path_part::insert ? "inserts " + std::to_string(after[slot].key)
                                                           : "old slot " + std::to_string(at.entries);
    ASSERT_NE(step.words.find(makes), std::string::npos) << step.words;
  }
  void expect_all() const {
    ASSERT_NO_FATAL_FAILURE(expect_sums());
    ASSERT_NO_FATAL_FAILURE(expect_writes());
    ASSERT_NO_FATAL_FAILURE(expect_path());
    for (u64 slot = 0; slot < after.size(); ++slot) ASSERT_NO_FATAL_FAILURE(expect_terms(slot));
  }
};

}  // namespace pivotscope::testing
