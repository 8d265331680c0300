// Operations that meet in an index, as they are shown: an access a row, and the cells as they are behind each. Pure.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/machine/interleaved/replay.hpp"
#include "viz/models/latches.hpp"
#include "viz/models/session_view.hpp"

namespace pivotscope::viz {

// What the access that is shown has to do with a part of memory.
enum class access_mark : u8 { none, read, written };

// What an operation stored and others do not see yet.
struct unseen_word {
  u32 task = 0;
  std::string words = {};
  bool now = false;  // stored by the access that is shown
};
struct met_field {
  field_kind kind = field_kind::key;
  std::string words = {};  // as all see it: "7", "none"
  access_mark mark = access_mark::none;
  std::vector<unseen_word> unseen = {};
};
// A cell, with what lies beside it; or several side by side that hold nothing before the run, in it and behind it.
struct met_cell {
  cell_ref at;
  u64 count = 1;
  std::string name = {};          // "entry 3", "entries 3 to 31"
  std::optional<u64> reads = {};  // of several: the one that the access reads
  cell_state state = cell_state::empty;
  std::vector<met_field> fields = {};
  bool holds_nothing = false;  // it is empty, and nothing was put there: what its key's bytes are says nothing
};

class interleave_model {
 public:
  // Of a result without a problem.
  explicit interleave_model(std::shared_ptr<const interleave_result> of);

  const interleave_result& result() const { return *result_; }
  const interleaved_case& of() const { return result_->asked.of; }
  std::size_t accesses() const { return result_->run.accesses.size(); }
  std::size_t operations() const { return of().operations.size(); }
  u32 task(std::size_t access) const { return result_->run.accesses[access].task; }
  std::string words(std::size_t access) const;       // "load entry 3 row id: none"
  std::string meaning(std::size_t access) const;     // a sentence for a stranger
  bool writes(std::size_t access) const;             // others see it, or will
  bool switches(std::size_t access) const;           // another operation had the one before
  std::string operation_words(std::size_t i) const;  // "insert 5, row 3"
  std::string end_words(std::size_t i) const;        // "added"
  std::string step_words(std::size_t step) const;    // "3 of 14"
  const latch_story& latches() const { return latches_; }
  // What an access begins, of what an operation does in several stages: "half split: ..."; most begin nothing.
  const std::string& stage(std::size_t access) const { return stages_[access]; }
  // The last stage that an operation began before the step; empty: none.
  std::string stage_of(u32 task, std::size_t step) const;

  // Steps: so many accesses are done.
  std::size_t next_switch(std::size_t step, int direction) const;  // the first access behind it, or an end
  std::optional<u32> goes_on(std::size_t step) const;              // who does the next access; none: it was the last
  bool has_ended(std::size_t step, u32 task) const;
  // The accesses before the step as they are; then this one goes on to its end, and then who has not ended yet.
  interleaved_case let_go_on(std::size_t step, u32 task) const;
  replayed_memory memory(std::size_t step) const;
  // Reads the memory as all operations see it then.
  region_reader reader(std::size_t step) const;
  std::vector<met_cell> cells(std::size_t step) const;  // all of them, the same number at each step

 private:
  met_cell cell_at(cell_ref at, std::size_t step, const replayed_memory& before, const replayed_memory& now) const;
  void find_runs();
  std::vector<bool> cells_that_hold(region_id region) const;
  met_cell unused(const cell_run& run, std::size_t step) const;

  std::shared_ptr<const interleave_result> result_;
  latch_story latches_;
  std::vector<std::string> stages_;  // by access
  std::vector<cell_run> runs_;       // one cell each, or several that hold nothing
};

// How many accesses both begin with alike.
std::size_t alike(const interleave_model& a, const interleave_model& b);

// What was typed or pasted: a line, or the command that replays one, which names a config too.
struct typed_interleaving {
  interleaved_case of;
  std::optional<index_config> config = {};
};
outcome<typed_interleaving> interleaving_from_text(std::string_view text, key_width width);
// The command that replays it: pivotscope interleave --config "PLAIN" --replay "...".
std::string replay_command(const interleave_request& of);

// "Of all 1 240 orders with at most two switches each is right."
std::string switches_words(const interleaving_report& report);

}  // namespace pivotscope::viz
