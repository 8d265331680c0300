// The oracle of indexes that change: a std::multimap that replays a script's batches, and says which answers are right.
//
// Batches are barriers; within one, operations are concurrent (docs/updates.md). So what the oracle knows of a key is
// what an index *may* hold: entries that are there for certain, and entries that may be there. An answer is right when
// some order of its batch's operations gives it, and it is judged on its own: operations on different keys come in any
// order, so each key may be seen in any state of its own.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/reference/answer_checker.hpp"
#include "core/workload/script.hpp"
#include "core/workload/script_answers.hpp"

namespace pivotscope {

// An entry that an index was found to hold.
struct stored_entry {
  u64 key = 0;
  u32 row = 0;
  bool operator==(const stored_entry&) const = default;
  bool operator<(const stored_entry& other) const { return key != other.key ? key < other.key : row < other.row; }
};

// all: every insert of a batch went in. some: any of them may have been refused, as by a full table.
enum class inserts_done : u8 { all, some };

class oracle {
 public:
  // An entry that may be there. Where duplicates are kept each entry is there or not by itself: for certain if `sure`.
  // Where they are not, one of a key's entries is there, or, unless they are `sure` (all are or none), none of them.
  struct entry {
    u32 row = 0;
    bool sure = true;
    bool operator==(const entry&) const = default;
  };

  // `keys` in input order, so that a key's place is its row id; borrowed. A copy goes its own way: for undo.
  oracle(const key_array& keys, bool keeps_duplicates);

  // Batches in the order of the script, which is borrowed until end(); it may have grown in between.
  void begin(const script& s, u64 batch);
  // May operation `i` of the script, one of the batch, have answered so? A write answers nothing, and anything is accepted.
  bool accepts(u64 i, const script_answer& answer) const { return fault(i, answer).empty(); }
  // Why not, in words: "find 7 in batch 3, line 12, answered row 12, which was erased in batch 2, line 9". Empty: right.
  // Any number of threads may ask.
  std::string fault(u64 i, const script_answer& answer) const;
  // The answers to the batch's operations, one for each, writes included, checked in parallel; those of writes do not
  // count. A cancelled check comes back early with whatever it has found.
  check_report check(std::span<const script_answer> answers, const job_control& control = {}) const;
  void end(inserts_done done = inserts_done::all);

  // --- Between batches: what is left ---
  const std::multimap<u64, entry>& contents() const { return entries_; }
  // Keys of which more than one state is possible. They stay so until they are settled, or a batch leaves one.
  const std::set<u64>& open_keys() const { return open_; }
  // The index was found to hold exactly these rows of the key: words when no order of the batches leaves them. Else they
  // are what it holds from here on.
  std::string settle(u64 key, std::span<const u32> rows);
  // The same of all keys at once: these are the index's entries, in any order. At the first that are wrong, words.
  std::string settle(std::vector<stored_entry> all);

 private:
  // What a key may hold: of each choice one row, or none where that may be.
  struct choice {
    std::vector<u32> rows;
    bool may_be_absent = false;
  };
  // What the running batch writes of a key.
  struct writes {
    u64 key = 0;
    u64 first_row = 0, inserts = 0;  // of written_rows_
    u64 erases = 0;
    u64 last = 0;  // the last erase, or without one the last insert: what ends the rows that were there
  };
  struct ending {
    u64 batch = 0, line = 0;  // from 1; batch 0: it has not ended
    bool erased = false;      // else replaced by an insert
  };

  std::vector<choice> choices(u64 key) const;  // at any time of the batch that is running, or now
  u64 rows() const { return keys_->size() + inserted_.size(); }
  u64 key_of(u32 row) const { return row < keys_->size() ? (*keys_)[row] : inserted_[row - keys_->size()]; }
  std::span<const u32> inserted(const writes& by) const {
    return std::span<const u32>(written_rows_).subspan(by.first_row, by.inserts);
  }
  const writes* running(u64 key) const;  // nullptr: the batch writes nothing of it
  // The least key above that may be there at some time; false: none.
  bool next_key(u64 above, u64& key) const;

  std::string find_fault(u64 key, const script_answer& answer) const;
  std::string range_fault(u64 low, u64 high, const script_answer& answer) const;
  std::string successor_fault(u64 key, const script_answer& answer) const;
  std::string row_fault(u64 key, u64 row) const;  // why that row is not the key's; empty: it may be
  std::string settle_fault(u64 key, std::span<const u32> rows) const;

  void end_entries(const writes& by);
  void note_ending(u32 row, const writes& by);
  void replay(const writes& by, inserts_done done);
  void note_open(u64 key);

  const key_array* keys_;
  bool keeps_duplicates_;
  std::multimap<u64, entry> entries_;
  std::set<u64> open_;
  std::vector<u64> inserted_;  // the keys of the rows behind the input's

  const script* script_ = nullptr;  // while a batch runs
  u64 batch_ = 0;
  // The batch's writes by key, flat: a batch may write every key there is, and a tree of 2^26 is mostly waiting for memory.
  std::vector<writes> running_;
  std::vector<u32> written_rows_;

  std::vector<ending> endings_;  // by row, of those that are gone, or may be; empty until one is
};

}  // namespace pivotscope
