// oracle: says which answers of an index that changes are right. It is a multimap (possible_entries) that
// replays the batches of a script.
//
// Batches are barriers; the operations of one batch are concurrent (docs/updates.md). So the oracle knows of each key
// what an index *may* hold: entries that are certainly there, and entries that may be there. An answer is right if some
// order of its batch's operations gives it. Each answer is judged alone: operations on different keys come in any
// order, so each key may be seen in any of its own states.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/common/stored_entry.hpp"
#include "core/reference/answer_checker.hpp"
#include "core/reference/possible_entries.hpp"
#include "core/workload/script.hpp"
#include "core/workload/script_answers.hpp"

namespace pivotscope {

// all: every insert of a batch found room. some: any insert may have been refused, as by a full table.
enum class inserts_done : u8 { all, some };

class oracle {
 public:
  // An entry that may be there. If duplicates are kept, each entry is there or not by itself; it is certain if `sure`.
  // If they are not kept, one of a key's entries is there if they are `sure` (all are, or none is), else one or none.
  using entry = possible_entries::entry;

  // `keys` in input order, so that a key's position is its row id; borrowed. A copy of the oracle
  // goes its own way, for undo.
  oracle(const key_array& keys, bool keeps_duplicates);

  // Begins and ends a batch, in the order of the script. The script is borrowed until end(); it
  // may have grown in between.
  void begin(const script& s, u64 batch);
  // Returns true if operation `i` of the script, one of the batch, may have answered this. A write answers nothing;
  // for it anything is accepted.
  bool accepts(u64 i, const script_answer& answer) const { return fault(i, answer).empty(); }
  // Returns why not, in words: "find 7 in batch 3, line 12, answered row 12, which was erased in batch 2, line 9".
  // Empty: it is right. Any number of threads may ask.
  std::string fault(u64 i, const script_answer& answer) const;
  // Checks the answers to the batch's operations in parallel. There is one for each operation; those of writes are
  // ignored. A cancelled check returns early with what it has found.
  check_report check(std::span<const script_answer> answers, const job_control& control = {}) const;
  void end(inserts_done done = inserts_done::all);

  // --- Between batches: what the index holds ---
  const possible_entries& contents() const { return entries_; }
  // Keys for which more than one state is possible. They stay open until they are settled, or until
  // a batch leaves one state.
  const std::set<u64>& open_keys() const { return open_; }
  // Settles a key: the index was found to hold exactly these rows of it. Returns words if no order of the batches
  // leaves them. Otherwise they are what the oracle knows from here on.
  std::string settle(u64 key, std::span<const u32> rows);
  // Settles all keys at once. These are the index's entries, in any order. Returns words for the first that are wrong.
  std::string settle(std::vector<stored_entry> all);

 private:
  // What a key may hold: of each choice one row, or none if it may be absent.
  struct choice {
    std::vector<u32> rows;
    bool may_be_absent = false;
  };
  // What the running batch writes to a key.
  struct writes {
    u64 key = 0;
    u64 first_row = 0, inserts = 0;  // of written_rows_
    u64 erases = 0;
    u64 last = 0;  // the last erase, or else the last insert: the operation that ends the rows that were there
  };
  struct ending {
    u64 batch = 0, line = 0;  // counted from 1; batch 0: it has not ended
    enum class by : u8 { insert, erase, clear } way = by::insert;
  };

  std::vector<choice> choices(u64 key) const;  // at any time of the running batch, or now
  u64 rows() const { return keys_->size() + inserted_.size(); }
  u64 key_of(u32 row) const { return row < keys_->size() ? (*keys_)[row] : inserted_[row - keys_->size()]; }
  std::span<const u32> inserted(const writes& by) const {
    return std::span<const u32>(written_rows_).subspan(by.first_row, by.inserts);
  }
  const writes* running(u64 key) const;  // nullptr: the batch does not write the key
  // Finds the least key above `above` that may be there at some time; false: there is none.
  bool next_key(u64 above, u64& key) const;

  std::string find_fault(u64 key, const script_answer& answer) const;
  std::string range_fault(u64 low, u64 high, const script_answer& answer) const;
  std::string next_fault(u64 key, bool itself, const script_answer& answer) const;
  std::string fault_of(const question& asked, const script_answer& answer) const;
  std::string row_fault(u64 key, u64 row) const;  // why the row is not one of the key's; empty: it may be
  std::string settle_fault(u64 key, std::span<const u32> rows) const;

  void end_entries(const writes& by);
  void note_ending(u32 row, const ending& how);
  void note_ending(u32 row, const writes& by);
  void clear();
  void replay(const writes& by, inserts_done done);
  void note_open(u64 key);

  const key_array* keys_;
  bool keeps_duplicates_;
  possible_entries entries_;
  std::set<u64> open_;
  std::vector<u64> inserted_;  // keys of the rows that were inserted

  const script* script_ = nullptr;  // while a batch runs
  u64 batch_ = 0;
  // The batch's writes, sorted by key, in a flat list: a batch may write every key, and a tree of 2^26
  // nodes mostly waits for memory.
  std::vector<writes> running_;
  std::vector<u32> written_rows_;

  std::vector<ending> endings_;  // by row, of rows that are gone or may be; empty until there is one
};

}  // namespace pivotscope
