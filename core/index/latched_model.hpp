// latched_model: what the model of an index tells, beside index_model, whose operations latch parts of it: which bits are
// latches. staged_model: and whose nodes they change in several steps while others read: what is under way.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/index/told_fields.hpp"
#include "core/machine/interleaved/shared_access.hpp"

namespace pivotscope {

// A latch: bits of a word that say that one operation holds what they guard.
struct latch_in_word {
  cell_ref at = {};        // which latch it is
  u64 bits = 0;            // of the word
  std::string name = {};   // of what it guards: "leaf 3"
  u64 value = 0;           // what the bits are while nobody holds it; of a claim, while somebody does
  bool is_claim = false;   // a cell whose row id says that an operation fills or empties it
  bool is_polled = false;  // a load of it looks whether it is free

  bool is_held(u64 word) const { return ((word & bits) == value) == is_claim; }
};

class latched_model : public told_fields {
 public:
  // Returns the latch that lies in a word of a region.
  virtual std::optional<latch_in_word> latch_in(region_id region, u64 byte, u64 bytes) const = 0;
};

// What a node's cells tell about it, beside their keys.
struct node_state {
  u32 node = 0;  // in the list that was asked about
  bool latched = false;
  std::string words = {};  // what is under way in it, in a few words: "half split"
  bool operator==(const node_state&) const = default;
};

class staged_model : public latched_model {
 public:
  // True if a cell holds no entry and no key, though describe() does not call it empty: only its content tells that. What
  // it leads to index_model::brief_of() says. False also where its bytes are not at hand.
  virtual bool is_vacant(cell_ref at, const region_reader& read) const = 0;
  // Returns a level's name where there are so many: an operation under way may have made the tree higher.
  virtual std::string level_words_of(u32 level, u32 levels) const = 0;
  // Finds what is under way in nodes. Returns false if some bytes are not at hand.
  virtual bool states_of(std::span<const tree_node> nodes, const region_reader& read,
                         std::vector<node_state>& out) const = 0;
  // Returns for each access of operations that meet what it begins, where they do something in several stages: "half split:
  // the link of leaf 1 alone leads to leaf 2". Of most accesses it is empty.
  virtual std::vector<std::string> stages_of(std::span<const shared_access> accesses) const = 0;
};

// Returns what else the model of an index tells; null: its operations latch nothing.
inline const latched_model* latched(const index_model& model) { return dynamic_cast<const latched_model*>(&model); }
// Null: they change no node in several steps.
inline const staged_model* staged(const index_model& model) { return dynamic_cast<const staged_model*>(&model); }

// Returns the claim that lies in a word of the main region's cells, or of the row ids beside them: claimed_row, in place of the
// row id.
std::optional<latch_in_word> claim_in(const index_model& model, region_id region, u64 byte, u64 bytes);

}  // namespace pivotscope
