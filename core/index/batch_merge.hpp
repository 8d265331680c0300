// batch_merge: how a batch of writes was merged into a sorted array, as a view tells it: slot by slot of the new array,
// and step by step along the merge path. It is made from the array as it was and from the batch, and keeps neither.
#pragma once

#include <optional>
#include <vector>

#include "core/common/operation.hpp"
#include "core/index/model.hpp"

namespace pivotscope {

// What a step of the merge path does.
enum class path_part : u8 {
  keep,    // copies an entry of the old array
  drop,    // leaves out an entry of the old array, which the batch erases
  erase,   // an erase of the batch, a tombstone: it makes no entry
  insert,  // an insert of the batch
};

// A step of the merge path. The entries and the writes that come before it make up all steps before it.
struct path_step {
  u64 step = 0;
  path_part part = path_part::keep;
  u64 entries = 0;  // of the old array, before this step: for keep and drop also the entry's old slot
  u64 writes = 0;   // of the sorted batch, before this step: for erase and insert also the write's place
  u64 erases = 0;   // among these writes
  u64 dropped = 0;  // among these entries: those that the batch erases

  // Slots of the new array that are made before this step: for keep and insert also the slot that it makes.
  u64 slot() const { return step - erases - dropped; }
  bool makes_slot() const { return part == path_part::keep || part == path_part::insert; }
  bool operator==(const path_step&) const = default;
};

// A write of the batch.
struct merged_write {
  operation kind = operation::insert;
  u64 key = 0;
  u64 place = 0;  // operation of the batch, from 0, as the user wrote it
  u32 row = 0;    // row id that an insert gives
  bool operator==(const merged_write&) const = default;
};

class batch_merge {
 public:
  virtual ~batch_merge() = default;

  // before() = kept + dropped(), writes() = erases() + inserts, after() = kept + inserts.
  virtual u64 before() const = 0;   // entries of the old array
  virtual u64 writes() const = 0;   // of the batch
  virtual u64 erases() const = 0;   // among them
  virtual u64 dropped() const = 0;  // entries of the old array that the batch erased
  u64 steps() const { return before() + writes(); }
  u64 inserts() const { return writes() - erases(); }
  u64 kept() const { return before() - dropped(); }
  u64 after() const { return kept() + inserts(); }

  // Each costs the logarithm of the batch's writes.
  virtual path_step at_step(u64 step) const = 0;    // step < steps()
  virtual path_step at_slot(u64 slot) const = 0;    // the step that makes it; slot < after()
  virtual path_step at_entry(u64 entry) const = 0;  // the step of an entry of the old array; entry < before()

  virtual merged_write write(u64 place) const = 0;  // of the sorted batch; place < writes()
  // Returns the key of a step, if the batch tells it: not of an entry that was kept, which the new array holds.
  std::optional<u64> key_of(const path_step& at) const {
    if (at.part == path_part::keep) return std::nullopt;
    return write(at.part == path_part::drop ? at.writes - 1 : at.writes).key;  // its erase is the last write before it
  }

  virtual pass_info pass() const = 0;
  // Returns how a slot of the new array comes to its entry. The last term is the slot itself.
  virtual build_step build_step_of(u64 slot) const = 0;
  virtual u32 tile() const = 0;   // steps that are merged together
  virtual u64 bytes() const = 0;  // of memory that it takes
};

}  // namespace pivotscope
