// homes_model: what the model of an index tells, beside index_model, whose keys have a few buckets each in which they may lie, and
// whose entries move between these (cuckoo hashing). A bucket is a window of index_model::windows().
#pragma once

#include <optional>
#include <vector>

#include "core/index/model.hpp"

namespace pivotscope {

class homes_model {
 public:
  virtual ~homes_model() = default;

  // Returns how many buckets are not of the stash; these come first.
  virtual u64 buckets_without_stash() const = 0;
  // Returns the buckets in which the key may lie, each once, in the order of a search. The stash is none of them.
  virtual std::vector<u64> homes_of_key(u64 key) const = 0;
  // Returns the bucket of the stash in which the key may lie; nothing: there is no stash.
  virtual std::optional<u64> stash_of_key(u64 key) const = 0;
  // Returns the homes to which an insert that needs room may move the key's entry from this bucket, each once.
  virtual std::vector<u64> moves_of_key(u64 key, u64 bucket) const = 0;
};

// Returns what else the model of an index tells; null: its keys have no homes to move between.
inline const homes_model* with_homes(const index_model& model) { return dynamic_cast<const homes_model*>(&model); }

}  // namespace pivotscope
