// A script: what a user asks of an index that changes, batch after batch. Its meaning is docs/updates.md's.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/common/maintenance.hpp"
#include "core/common/question.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

// Operations [begin, end) of a script, of one verb unless mixed; or, without operations, something that is done to the
// whole index.
struct script_batch {
  u64 begin = 0, end = 0;
  bool mixed = false;
  u64 inserts_before = 0;  // in the batches before: the batch's first insert has row id n + inserts_before
  std::optional<maintenance> whole = {};

  u64 size() const { return end - begin; }
  bool operator==(const script_batch&) const = default;
};

// What a script is made of, an item an operation; `highs` is empty where no operation is a range.
struct script_columns {
  std::vector<operation> verbs = {};
  key_array keys = {};
  key_array highs = {};
};

// A column for each part of an operation, the keys in their own width: 5 or 9 bytes an operation, 9 or 17 where there
// are ranges, in place of the 24 of a question; and what a batch of one verb asks lies in one piece, as a machine takes
// it.
class script {
 public:
  explicit script(key_width width = key_width::u64);
  // Columns that were filled by formula. `mixed`: the batches [begin, end) that are, in order; before, between and
  // behind them a batch ends where the verb changes.
  script(script_columns columns, std::span<const script_batch> mixed);

  // As lines come: an operation goes into the mixed batch that was begun, else into the last batch if that has its verb
  // and is not mixed, else into a new one. A key has the script's width. No mixed batch ends empty.
  void add(const question& operation);
  void add(maintenance whole);  // a batch of its own; not within a mixed one
  void begin_mixed();
  void end_mixed();
  bool in_mixed() const { return open_; }
  // What is added, begun or ended next stands in that line, and what comes after in the lines behind it.
  void at_line(u64 line) { next_line_ = line; }
  void reserve(u64 operations);

  key_width width() const { return columns_.keys.width(); }
  u64 size() const { return columns_.verbs.size(); }
  // Operations and batches of maintenance: as many as a text has lines, without those that begin and end mixed batches.
  u64 items() const { return size() + whole_lines_.size(); }
  u64 inserts() const { return inserts_; }
  u64 inserts_of(u64 batch) const;             // those of one
  bool asks(u64 batch, operation what) const;  // is there such a one in the batch?
  std::span<const script_batch> batches() const { return batches_; }
  operation verb_of(u64 i) const { return columns_.verbs[i]; }
  // The verb of all operations of a batch, also of one that was begun as mixed. Nothing: it has several, or none.
  std::optional<operation> one_verb(const script_batch& batch) const;
  question operator[](u64 i) const;
  const script_columns& columns() const { return columns_; }
  // The line of an operation: in the file that it was read from, or in the text that would be written.
  u64 line(u64 i) const;
  u64 line_of_whole(u64 batch) const;  // of a batch of maintenance

  // The same batches; lines do not count.
  bool operator==(const script& other) const;

 private:
  // From that operation on, lines follow each other.
  struct line_run {
    u64 operation, line;
  };
  // The line of a batch of maintenance.
  struct whole_line {
    u64 batch, line;
  };
  void begin_mixed_at(u64 i);
  void count(u64 i);  // the operation into its batch and its line

  script_columns columns_;
  std::vector<script_batch> batches_;
  std::vector<line_run> runs_;
  std::vector<whole_line> whole_lines_;
  u64 inserts_ = 0;
  u64 next_line_ = 1;
  bool open_ = false;  // a mixed batch was begun
};

// Why there cannot be so many inserts over so many keys: a row id has 32 bits.
std::optional<std::string> check_rows(u64 keys, u64 inserts);

}  // namespace pivotscope
