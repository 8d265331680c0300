// session_view: what the views show, and the actions that they call. Everything here is immutable or a plain value: a
// view draws it, and knows nothing of threads, files or windows.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/index/batch_merge.hpp"
#include "core/index/family.hpp"
#include "core/index/model.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/memory_benchmark/memory_benchmark.hpp"
#include "core/run/run.hpp"
#include "core/run/script_record.hpp"
#include "core/run/view_position.hpp"
#include "core/sweep/measured_curves.hpp"
#include "core/sweep/sweep_point.hpp"
#include "core/tuning/autotuner.hpp"
#include "core/verify/cases.hpp"
#include "core/verify/interleaving.hpp"
#include "core/workload/files/table_columns.hpp"
#include "core/workload/script.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope::viz {

// What the user has chosen. Everything else follows from it.
struct session_choice {
  workload load;
  index_config config = default_config();
  machine_kind machine = machine_kind::cpu;
  std::optional<question> key;  // the key or the range to look for
  bool batch_told = false;      // true: the user chose the size of the batch; otherwise it follows from the keys
  bool operator==(const session_choice&) const = default;
};

// A key set, on the host and on a machine.
struct key_data {
  workload load;
  machine_kind machine = machine_kind::cpu;
  std::shared_ptr<const key_set> set;
  double made_ms = 0;  // time to make the keys on the host
};

// A lookup's path, and the index that it walked.
struct path_data {
  std::shared_ptr<const built_index> index;
  lookup_trace trace;
};

// Where a figure comes from. Each has its own word and type style, and a view never mixes them.
enum class provenance : u8 {
  live,      // from the pass that follows a change: once, without warm-up
  measured,  // on request: warmed up, repeated, every answer checked
  modelled,  // counted on a trace; not a time
};

// One pass over the batch, with all that came before it, without the answers.
struct session_run {
  u64 number = 0;
  workload load = {};
  provenance origin = provenance::live;
  run_record record = {};
};

// What the worker is doing.
struct job_state {
  bool running = false;
  bool stopped = false;     // the user stopped it; the rest waits for run_again()
  std::string stage;        // "sorting"
  double fraction = -1;     // of the stage, 0 to 1; negative: unknown
  double elapsed_s = 0;     // since the begin of the stage
  double remaining_s = -1;  // of the stage; negative: unknown
};

// Which config is fastest for a choice, as far as it is known, and what the autotuner is doing.
struct tuning_state {
  // The question. The answer is valid for this machine, these keys and this batch only.
  workload load;
  machine_kind machine = machine_kind::cpu;
  key_width width = key_width::u32;
  bool ascending = false, smallest = false;
  bool running = false;
  tuning_progress progress = {};              // while it runs
  std::shared_ptr<const tuning> result = {};  // null: not measured yet
  bool kept = false;                          // from an earlier start of the program
  std::string note = {};                      // why a kept answer cannot be used

  bool answers(const tuning_state& question) const {
    return load == question.load && machine == question.machine && width == question.width &&
           ascending == question.ascending && smallest == question.smallest;
  }
};

// What the user asks of `verify`: a number of random cases of a seed, on the machine that is then chosen.
struct verify_request {
  u64 cases = 1000, seed = 1, most_keys = 1 << 14;
  bool operator==(const verify_request&) const = default;
};

// A case with a wrong answer, made as small as possible.
struct failing_case {
  u64 number = 0;
  index_config config = {};
  workload load = {};
  question key = 0;
  std::string words = {};  // the answer, and the right one
  std::string line = {};   // a command, which is also a scenario that opens the case
  bool operator==(const failing_case&) const = default;
};

// Random cases against the reference. They run while there is nothing else to do.
struct verification {
  verify_request asked = {};
  machine_kind machine = machine_kind::cpu;
  bool running = false, stopped = false;
  u64 done = 0, configs = 0;  // checked cases, and the number of different configs in them
  case_counts counts = {};
  std::shared_ptr<const std::vector<failing_case>> failing = {};  // null: none
  std::string problem = {};                                       // what ended it early
};

// The first lookups of a batch, if no formula makes each of them alone (each_by_formula()).
struct first_lookups {
  workload load;
  key_array keys;
  static constexpr u64 most = 1 << 20;
};

// The user's own numbers that could not be read, and the reason.
struct reading_fault {
  own_numbers of = {};
  std::string words = {};
};

// The columns of a table file from which numbers are to be read.
struct file_columns {
  std::string file = {};
  std::vector<table_column> list = {};
};

// The content of a folder: folders, then files, each by name.
struct folder_list {
  struct entry {
    std::string name = {};
    bool is_folder = false;
    u64 bytes = 0;  // of a file
  };
  std::string asked = {}, folder = {};
  std::string above = {};  // the folder that contains it; empty: there is none
  std::vector<entry> entries = {};
  std::size_t left_out = 0;  // entries that are not listed, if there are very many
  std::string problem = {};  // why it cannot be read
};

// The content of a slot: a scenario with its place, and a picture of it.
struct snapshot {
  std::string line = {};  // of the scenario
  index_config config = default_config();
  workload load = {};
  std::optional<question> key = {};
  view_position at = {};
  std::shared_ptr<const std::string> png = {};
};
inline constexpr u32 snapshot_slots = 8;
using snapshots = std::array<std::optional<snapshot>, snapshot_slots>;

// A batch of the workload's script that was applied, and its outcome.
struct applied_batch {
  static constexpr u64 told = 12;  // greatest number of operations in `words`
  std::string kind = {};           // the verb of all its operations, or "mixed"
  std::string words = {};          // its first operations, as in a workload's line: "+5,+7"
  u64 writes = 0;                  // number of writes among its operations
  script_batch_record record = {};
  u64 index_bytes = 0;  // after the batch
};

// The difference between two states of an index, in cells of the main region.
struct cell_changes {
  std::vector<u64> cells = {};                  // that have changed, ascending
  std::vector<std::pair<u64, u64>> moved = {};  // entries that have moved: from, to; if there are many, the first ones
};

// The batch that made the array in view, where that was by a merge.
struct merged_batch {
  std::shared_ptr<const batch_merge> merge = {};  // null: the array is as it was built, or the family does not merge
  std::size_t batch = 0;                          // its number, from 1
};

// The batches that changed the index in view, followed by those that were undone.
struct update_history {
  std::vector<applied_batch> batches = {};
  std::size_t applied = 0;                           // number of batches that are applied
  std::shared_ptr<const script> all = {};            // the script of all the batches; null before there is an index
  std::shared_ptr<const cell_changes> changes = {};  // since the last index in view; null: that was another index
  merged_batch merged = {};                          // the last applied batch that wrote
  std::string refused = {};  // why the workload's script is not applied: the family does not change
  std::string held = {};     // what the index does not hold as it was built (held_words()); empty: it holds all
};

// Random operations from the workload's distribution (core/workload/script_recipe.hpp).
struct update_draw {
  u64 inserts = 8, erases = 4, finds = 0;
  bool mixed = false;  // true: all in mixed batches; false: one batch of each kind
  u64 seed = 1;
  bool operator==(const update_draw&) const = default;
};

// Concurrent operations on an index, and the order of their accesses.
struct interleave_request {
  index_config config = default_config();
  interleaved_case of = {};
  bool operator==(const interleave_request&) const = default;
};
// The result of an interleave_request.
struct interleave_result {
  interleave_request asked = {};
  std::string problem = {};  // why it cannot run; then the rest is empty
  std::shared_ptr<const index_model> model = {};
  std::vector<u32> rows = {};  // row ids that its inserts give, by operation
  shared_regions begin = {};   // memory before the first access
  interleaved_run run = {};
  std::optional<interleaving_report> switches = {};  // of all orders with at most two switches; nothing: not tried yet
};

// Random cases, each in many orders, until `schedules` orders were tried or one is wrong.
struct interleave_search_request {
  index_config config = default_config();
  u64 schedules = 100'000, seed = 1;
};
struct interleave_search {
  u64 number = 0;  // number of the search, different for each; 0: there was none
  interleave_search_request asked = {};
  bool running = false, stopped = false;
  interleaving_counts counts = {};
  std::optional<interleaving_failure> failure = {};
  std::string problem = {};  // what ended it early
};

// A sweep to measure on the machine that is then chosen, with every count divided by 2^scale.
struct sweep_request {
  pivotscope::sweep of = {};
  u32 scale = 0;
};

// What this session has measured of a sweep.
struct sweep_result {
  std::shared_ptr<const pivotscope::sweep> of = {};
  u32 scale = 0;
  machine_kind kind = machine_kind::cpu;
  machine_info machine = {};  // without a name: not known yet
  std::shared_ptr<const std::vector<sweep_point>> points = {};
  // Returns true if its points are of that sweep: the same rows on the same machine.
  bool measures(const pivotscope::sweep& other, u32 other_scale, machine_kind on) const;
};
using sweep_results = std::map<std::string, sweep_result>;  // by sweep::measured_as()

// The results of sweeps on other machines, by sweep::measured_as().
using known_curves = std::map<std::string, std::vector<measured_curves>>;

// The sweep that is being measured, or was measured last.
struct sweeping {
  std::string name = {};  // sweep::measured_as(); empty: there was none
  bool running = false, stopped = false;
  std::size_t done = 0, rows = 0;
  std::string words = {};  // what it is doing
  double fraction = 0;     // 0 to 1, by the work in the rows
  std::string problem = {};
};

// The greatest rates of each machine's memory, as far as they were measured, now or earlier.
using known_memory_benchmarks = std::map<machine_kind, std::shared_ptr<const memory_benchmark>>;
// The measurement of memory rates that is running, or ran last.
struct memory_benchmark_state {
  std::optional<machine_kind> running = {};  // the machine on which it runs
  std::optional<machine_kind> of = {};       // the machine to which `problem` belongs
  std::string words = {};                    // what it is doing
  double fraction = 0;
  std::string problem = {};
};

// A message for the user.
struct notice {
  std::string words;       // what is wrong and what to do
  bool fault = true;       // false: a remark, not a fault
  bool of_choice = false;  // about the current choice: the next choice removes it
};

// One moment of the session. Cheap to copy: it holds pointers to what does not change.
struct session_view {
  session_choice choice;
  std::shared_ptr<const key_data> keys;      // null until the first keys are made
  std::shared_ptr<const built_index> index;  // still that of an earlier choice while the next one is being built
  std::shared_ptr<const path_data> path;     // of `index`; null until a key is chosen and its path has been walked
  std::shared_ptr<const std::vector<machine_report>> machines;  // null until they have been searched for
  std::shared_ptr<const std::vector<session_run>> runs;         // the oldest first; never null
  std::shared_ptr<const kernel_info> lookup_kernel;             // of `index`; null until it is compiled
  std::shared_ptr<const first_lookups> own_lookups;             // null: a formula makes them
  std::shared_ptr<const update_history> updates;                // of `index`; never null if there is one
  tuning_state tuned;
  std::shared_ptr<const std::vector<tuning_state>> tunings;  // of this session, the last of each question; null: none
  verification verified;
  std::shared_ptr<const interleave_result> interleaved;  // null: none was requested
  interleave_search interleavings;
  std::shared_ptr<const sweep_results> sweeps;  // null: none was measured
  viz::sweeping sweeping;
  std::shared_ptr<const known_curves> curves;  // null until the files beside the program have been read
  std::shared_ptr<const known_memory_benchmarks> memory_benchmarks;  // null until kept ones have been searched for
  memory_benchmark_state benchmarking;
  std::optional<reading_fault> unread;
  std::shared_ptr<const file_columns> key_columns, batch_columns;  // of the files read last; null: no tables
  std::shared_ptr<const folder_list> folder;                       // that was requested last; null: none was
  std::shared_ptr<const viz::snapshots> snapshots;                 // null until they have been searched for
  std::vector<notice> notices;
  job_state job;
};

// The bytes of the index in view, one page at a time. page() returns null if the page is not here yet; it has then been
// requested, and a frame follows when it comes. A page is `page_bytes` long; the last one of an array may be shorter.
class slot_source {
 public:
  static constexpr u64 page_bytes = 1024;
  virtual ~slot_source() = default;
  virtual const std::vector<std::byte>* page(region_id array, u64 number) = 0;
  // Does a job on the thread that brings pages. A frame follows when it is done. Jobs are short, as pages wait for them. A
  // source without such a thread does it at once.
  virtual void later(const std::function<void()>& job) { job(); }
};

// What a view can ask the session to do. Every call returns at once; its effect comes with a later session_view.
class session_actions {
 public:
  virtual ~session_actions() = default;
  virtual void choose_config(const index_config& config) = 0;  // one that check() accepts
  virtual void choose_workload(const workload& load) = 0;      // one that check() accepts for the config's keys
  virtual void choose_batch(std::optional<u64> size) = 0;      // size of the batch; nothing: as many as suit the keys
  virtual void choose_machine(machine_kind kind) = 0;
  virtual void choose_key(std::optional<question> key) = 0;
  virtual void choose_random_key(bool hit) = 0;
  virtual void choose_key_at(region_id array, u64 slot) = 0;  // the key in the slot
  virtual void cancel() = 0;
  virtual void run_again() = 0;  // what was stopped, or otherwise the batch once more
  virtual void measure() = 0;    // with warm-up and repeats
  // Changes of the index in view, one after the other. Each is added to the workload's script when it is done.
  virtual void apply(const script& batches) = 0;  // after the applied batches, in place of those that were undone
  virtual void apply_drawn(const update_draw& what) = 0;
  virtual void go_to_batch(std::size_t applied) = 0;            // undo and redo: the number of batches to be applied
  virtual void copy_script() = 0;                               // the script of the applied batches, as text of a file
  virtual void tune(bool ascending, bool smallest) = 0;         // measures and ranks configs for the choice
  virtual void find_tuning(bool ascending, bool smallest) = 0;  // shows an earlier result of that
  virtual void verify(const verify_request& asked) = 0;         // in place of what it checked before
  virtual void stop_verifying() = 0;
  // Measures the rows that are not measured yet, one by one while there is nothing else to do,
  // in place of another sweep.
  virtual void measure_sweep(const sweep_request& asked) = 0;
  virtual void stop_sweep() = 0;
  virtual void run_memory_benchmark() = 0;  // of the chosen machine; the result is kept in place of an earlier one
  virtual void stop_memory_benchmark() = 0;
  virtual void interleave(const interleave_request& asked) = 0;  // in place of what was requested before
  virtual void search_interleavings(const interleave_search_request& asked) = 0;  // in place of another search
  virtual void stop_searching() = 0;
  // Takes keys from text that was pasted or typed, in place of the present keys: a few into the workload's line, more
  // into a file that is kept. Problem: why they are not taken.
  virtual status take_keys(std::string_view text) = 0;
  virtual void list_folder(const std::string& path) = 0;  // what lies in a folder, or beside a file
  virtual void read_again() = 0;                          // the files of the workload, which may have changed
  virtual void keep_snapshot(u32 slot, const view_position& at, std::string png) = 0;  // of the present choice
  virtual void remove_snapshot(u32 slot) = 0;
  virtual void tell(notice what) = 0;
  virtual void dismiss(std::size_t which) = 0;
  virtual void copy_scenario(const view_position& at) = 0;
  // Opens a scenario. Returns the place that its line names, which the views go to themselves; nothing: the text is no
  // scenario, and a notice says so.
  virtual std::optional<view_position> open_scenario(std::string_view text) = 0;
};

// The pages of another source with what a traced write has put there, up to the step that is shown. The
// index itself does not change.
class written_pages final : public slot_source {
 public:
  explicit written_pages(slot_source& under) : under_(under) {}

  // Sets what this frame shows. `trace`: null, or of the index whose pages these are.
  void show(std::shared_ptr<const index_model> model, const lookup_trace* trace, u32 step);
  const std::vector<std::byte>* page(region_id array, u64 number) override;
  void later(const std::function<void()>& job) override { under_.later(job); }

 private:
  slot_source& under_;
  std::shared_ptr<const index_model> model_;
  const lookup_trace* trace_ = nullptr;
  u32 step_ = 0;
  std::map<std::pair<region_id, u64>, std::vector<std::byte>> pages_;
};

// The content of a slot, as the views show it.
struct slot_content {
  u64 key = 0;
  std::optional<u32> row;  // nothing in an array of keys alone
};
// Returns a reader for a model. `index` and `source` must outlive it.
region_reader reader_of(const built_index& index, slot_source& source);
// Reads a slot; `model` is the index's. Nothing if the region has no keys, or while the key is on its way.
std::optional<slot_content> read_slot(const index_model& model, const built_index& index, slot_source& source,
                                      region_id array, u64 slot);
// Reads the row id of a cell, which may lie in another region beside it. Nothing if there is none,
// or while it is on its way.
std::optional<u32> read_row(const index_model& model, const built_index& index, slot_source& source, cell_ref at);
// Returns "row 5", or the meaning of a row id that is none: "erased".
std::string row_words(u32 row);
// Reads bytes of an array. False, or empty, while they are on their way.
bool read_into(const built_index& index, slot_source& source, region_id array, u64 offset, std::span<std::byte> out);
std::vector<std::byte> read_bytes(const built_index& index, slot_source& source, region_id array, u64 offset,
                                  u64 count);

}  // namespace pivotscope::viz
