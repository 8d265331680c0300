// What the views are given and whom they call back. Everything in here is immutable or a plain value: a view draws it
// and knows nothing of threads, files or windows.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

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

// What the user asks for. All else follows from it.
struct session_choice {
  workload load;
  index_config config = default_config();
  machine_kind machine = machine_kind::cpu;
  std::optional<question> key;  // the key to look for, or the range
  bool batch_told = false;      // the user said how large the batch is; else it follows the keys
  bool operator==(const session_choice&) const = default;
};

// A key set, on the host and on a machine.
struct key_data {
  workload load;
  machine_kind machine = machine_kind::cpu;
  std::shared_ptr<const key_set> set;
  double made_ms = 0;  // host
};

// A lookup's path, with the index that it walked.
struct path_data {
  std::shared_ptr<const built_index> index;
  lookup_trace trace;
};

// Where a figure comes from; each has its word and its type style, and they are never mixed.
enum class provenance : u8 {
  live,      // from the pass that follows a change: once, unwarmed
  measured,  // asked for: warmed up, repeated, every answer checked
  modelled,  // counted on a trace, not timed
};

// One pass over the batch, with everything that came before it; without the answers.
struct session_run {
  u64 number = 0;
  workload load = {};
  provenance origin = provenance::live;
  run_record record = {};
};

// What the worker does now.
struct job_state {
  bool running = false;
  bool stopped = false;     // the user stopped it: the rest waits for run_again()
  std::string stage;        // "sorting"
  double fraction = -1;     // of the stage, 0 to 1; negative: unknown
  double elapsed_s = 0;     // since the stage began
  double remaining_s = -1;  // of the stage; negative: unknown
};

// What is known of which config is fastest for a choice, and what the autotuner does now.
struct tuning_state {
  // What was asked for: the answer belongs to that machine, these keys and this batch, and nothing else.
  workload load;
  machine_kind machine = machine_kind::cpu;
  key_width width = key_width::u32;
  bool ascending = false, smallest = false;
  bool running = false;
  tuning_progress progress = {};              // while it runs
  std::shared_ptr<const tuning> result = {};  // null: not measured yet
  bool kept = false;                          // from an earlier start
  std::string note = {};                      // why what was kept cannot be used

  bool answers(const tuning_state& question) const {
    return load == question.load && machine == question.machine && width == question.width &&
           ascending == question.ascending && smallest == question.smallest;
  }
};

// What `verify` is asked for: so many random cases of a seed, on the machine that is chosen then.
struct verify_request {
  u64 cases = 1000, seed = 1, most_keys = 1 << 14;
  bool operator==(const verify_request&) const = default;
};

// A case with a wrong answer, made as small as could be.
struct failing_case {
  u64 number = 0;
  index_config config = {};
  workload load = {};
  question key = 0;
  std::string words = {};  // what was answered, and what is right
  std::string line = {};   // as a command, and as a scenario that opens it
  bool operator==(const failing_case&) const = default;
};

// Random cases against the reference, which are checked while nothing else is to do.
struct verification {
  verify_request asked = {};
  machine_kind machine = machine_kind::cpu;
  bool running = false, stopped = false;
  u64 done = 0, configs = 0;  // cases that were checked, and how many different configs they had
  case_counts counts = {};
  std::shared_ptr<const std::vector<failing_case>> failing = {};  // null: none
  std::string problem = {};                                       // what ended it before the last case
};

// The first lookups of a batch that no formula makes again, each by itself (each_by_formula()).
struct first_lookups {
  workload load;
  key_array keys;
  static constexpr u64 most = 1 << 20;
};

// Numbers of one's own that could not be read, and why.
struct reading_fault {
  own_numbers of = {};
  std::string words = {};
};

// The columns of a table's file that numbers were to be read from.
struct file_columns {
  std::string file = {};
  std::vector<table_column> list = {};
};

// What a folder holds: folders, then files, each by name.
struct folder_list {
  struct entry {
    std::string name = {};
    bool is_folder = false;
    u64 bytes = 0;  // of a file
  };
  std::string asked = {}, folder = {};
  std::string above = {};  // the folder that it is in; empty: none
  std::vector<entry> entries = {};
  std::size_t left_out = 0;  // of very many
  std::string problem = {};  // why it cannot be read
};

// What a slot keeps: a scenario with its place, and how that looked.
struct snapshot {
  std::string line = {};  // the scenario's
  index_config config = default_config();
  workload load = {};
  std::optional<question> key = {};
  view_position at = {};
  std::shared_ptr<const std::string> png = {};
};
inline constexpr u32 snapshot_slots = 8;
using snapshots = std::array<std::optional<snapshot>, snapshot_slots>;

// What became of a batch of the workload's script.
struct applied_batch {
  static constexpr u64 told = 12;  // operations that `words` has, at most
  std::string kind = {};           // the verb of all its operations, or "mixed"
  std::string words = {};          // the first of them, as in a workload's line: "+5,+7"
  u64 writes = 0;                  // of its operations
  script_batch_record record = {};
  u64 index_bytes = 0;  // behind it
};

// What came of going from one state of an index to another: cells of the main region.
struct cell_changes {
  std::vector<u64> cells = {};                  // that are others now, ascending
  std::vector<std::pair<u64, u64>> moved = {};  // entries that lie elsewhere now: from, to; of many the first
};

// The batches that the index in view was changed by, and behind them those that were undone.
struct update_history {
  std::vector<applied_batch> batches = {};
  std::size_t applied = 0;
  std::shared_ptr<const script> all = {};            // of all the batches; null before there is an index
  std::shared_ptr<const cell_changes> changes = {};  // since the index that was in view before; null: of another one
  std::string refused = {};  // why the workload's script is not applied: its family does not change
  std::string held = {};     // what the index as it was built does not hold (held_words()); empty: it holds all
};

// Operations that are drawn from the workload's distribution (core/workload/script_recipe.hpp).
struct update_draw {
  u64 inserts = 8, erases = 4, finds = 0;
  bool mixed = false;  // all in mixed batches; else a batch of each
  u64 seed = 1;
  bool operator==(const update_draw&) const = default;
};

// Operations that meet in an index, and the order of their accesses.
struct interleave_request {
  index_config config = default_config();
  interleaved_case of = {};
  bool operator==(const interleave_request&) const = default;
};
// What it came to.
struct interleave_result {
  interleave_request asked = {};
  std::string problem = {};  // why it cannot be run; the rest is empty then
  std::shared_ptr<const index_model> model = {};
  std::vector<u32> rows = {};  // that its inserts give, by operation
  shared_regions begin = {};   // memory before the first access
  interleaved_run run = {};
  std::optional<interleaving_report> switches = {};  // of all its orders with at most two switches; none: being tried
};

// Random cases, each in many orders, until so many orders were tried or one is wrong.
struct interleave_search_request {
  index_config config = default_config();
  u64 schedules = 100'000, seed = 1;
};
struct interleave_search {
  u64 number = 0;  // of the search: each has another one; 0: there was none
  interleave_search_request asked = {};
  bool running = false, stopped = false;
  interleaving_counts counts = {};
  std::optional<interleaving_failure> failure = {};
  std::string problem = {};  // what ended it
};

// A sweep that is to be measured on the machine that is chosen then, every count divided by 2^scale.
struct sweep_request {
  pivotscope::sweep of = {};
  u32 scale = 0;
};

// What was measured of one, in this session.
struct sweep_result {
  std::shared_ptr<const pivotscope::sweep> of = {};
  u32 scale = 0;
  machine_kind kind = machine_kind::cpu;
  machine_info machine = {};  // without a name: not known yet
  std::shared_ptr<const std::vector<sweep_point>> points = {};
  // Whether its points are ones of that sweep: the same rows on the same machine.
  bool measures(const pivotscope::sweep& other, u32 other_scale, machine_kind on) const;
};
using sweep_results = std::map<std::string, sweep_result>;  // by sweep::measured_as()

// What sweeps came to on other machines, by sweep::measured_as().
using known_curves = std::map<std::string, std::vector<measured_curves>>;

// The sweep that is measured, or was last.
struct sweeping {
  std::string name = {};  // sweep::measured_as(); empty: none was
  bool running = false, stopped = false;
  std::size_t done = 0, rows = 0;
  std::string words = {};  // what it does now
  double fraction = 0;     // by the work that rows are
  std::string problem = {};
};

// What each machine's memory gives at most, as far as that was measured, now or before.
using known_memory_benchmarks = std::map<machine_kind, std::shared_ptr<const memory_benchmark>>;
// The memory benchmark that runs, or that ran last.
struct memory_benchmark_state {
  std::optional<machine_kind> running = {};  // on which machine
  std::optional<machine_kind> of = {};       // of which machine `problem` is
  std::string words = {};                    // what it does now
  double fraction = 0;
  std::string problem = {};
};

struct notice {
  std::string words;       // what is wrong and what to do
  bool fault = true;       // false: a remark
  bool of_choice = false;  // of what is chosen: the next choice takes it away
};

// One moment of the session. Cheap to copy: pointers to what does not change.
struct session_view {
  session_choice choice;
  std::shared_ptr<const key_data> keys;      // null until the first are made
  std::shared_ptr<const built_index> index;  // of an earlier choice while its successor is being built
  std::shared_ptr<const path_data> path;     // of `index`, when a key is chosen and it has been walked
  std::shared_ptr<const std::vector<machine_report>> machines;  // null until they have been looked for
  std::shared_ptr<const std::vector<session_run>> runs;         // oldest first; never null
  std::shared_ptr<const kernel_info> lookup_kernel;             // of `index`; null until it is prepared
  std::shared_ptr<const first_lookups> own_lookups;             // null: a formula makes them
  std::shared_ptr<const update_history> updates;                // of `index`; never null beside one
  tuning_state tuned;
  std::shared_ptr<const std::vector<tuning_state>> tunings;  // of this session, the last of each question; null: none
  verification verified;
  std::shared_ptr<const interleave_result> interleaved;  // null: none was asked for
  interleave_search interleavings;
  std::shared_ptr<const sweep_results> sweeps;  // null: none was measured
  viz::sweeping sweeping;
  std::shared_ptr<const known_curves> curves;  // null until what lies beside the program has been read
  std::shared_ptr<const known_memory_benchmarks> memory_benchmarks;  // null until what is kept has been looked for
  memory_benchmark_state benchmarking;
  std::optional<reading_fault> unread;
  std::shared_ptr<const file_columns> key_columns, batch_columns;  // of the files last read; null: no tables
  std::shared_ptr<const folder_list> folder;                       // that was asked for last; null: none was
  std::shared_ptr<const viz::snapshots> snapshots;                 // null until they have been looked for
  std::vector<notice> notices;
  job_state job;
};

// Bytes of the index in view, a page at a time. Null: not here yet; it has been asked for, and a frame follows when it
// comes. A page is `page_bytes` long; the array's last may be shorter.
class slot_source {
 public:
  static constexpr u64 page_bytes = 1024;
  virtual ~slot_source() = default;
  virtual const std::vector<std::byte>* page(region_id array, u64 number) = 0;
};

class session_actions {
 public:
  virtual ~session_actions() = default;
  virtual void choose_config(const index_config& config) = 0;  // one that check() accepts
  virtual void choose_workload(const workload& load) = 0;      // one that check() accepts for the config's keys
  virtual void choose_batch(std::optional<u64> size) = 0;      // so many; none: as many as the keys ask for
  virtual void choose_machine(machine_kind kind) = 0;
  virtual void choose_key(std::optional<question> key) = 0;
  virtual void choose_random_key(bool hit) = 0;
  virtual void choose_key_at(region_id array, u64 slot) = 0;  // the key that the slot holds
  virtual void cancel() = 0;
  virtual void run_again() = 0;  // what was stopped, or the batch once more
  virtual void measure() = 0;    // warmed up and repeated
  // Changes of the index in view, one after the other; each is the workload's script once it is done.
  virtual void apply(const script& batches) = 0;  // behind what is applied, in place of what was undone
  virtual void apply_drawn(const update_draw& what) = 0;
  virtual void go_to_batch(std::size_t applied) = 0;            // undo and redo: so many batches are applied
  virtual void copy_script() = 0;                               // of what is applied, as a file would have it
  virtual void tune(bool ascending, bool smallest) = 0;         // measures and ranks configs for the choice
  virtual void find_tuning(bool ascending, bool smallest) = 0;  // what was kept of that
  virtual void verify(const verify_request& asked) = 0;         // whatever it did before
  virtual void stop_verifying() = 0;
  // Row by row while nothing else is to do, behind what was measured of it; whatever it measured before.
  virtual void measure_sweep(const sweep_request& asked) = 0;
  virtual void stop_sweep() = 0;
  virtual void run_memory_benchmark() = 0;  // of the machine that is chosen; kept, in place of what was
  virtual void stop_memory_benchmark() = 0;
  virtual void interleave(const interleave_request& asked) = 0;  // in place of what was asked for before
  virtual void search_interleavings(const interleave_search_request& asked) = 0;  // whatever it did before
  virtual void stop_searching() = 0;
  // Keys from text that was pasted or typed, in place of those that there are: few of them in the workload's line, more
  // in a file that is kept. A problem: why they are not taken.
  virtual status take_keys(std::string_view text) = 0;
  virtual void list_folder(const std::string& path) = 0;  // of a file or a folder: what lies there
  virtual void read_again() = 0;                          // the files of the workload, which may have changed
  virtual void keep_snapshot(u32 slot, const view_position& at, std::string png) = 0;  // of what is chosen now
  virtual void remove_snapshot(u32 slot) = 0;
  virtual void tell(notice what) = 0;
  virtual void dismiss(std::size_t which) = 0;
  virtual void copy_scenario(const view_position& at) = 0;
  // The place that the line names, which is the views' own; none: it is no scenario, which is told.
  virtual std::optional<view_position> open_scenario(std::string_view text) = 0;
};

// The same pages with what a write put there, up to its step that is shown: the index itself stays as it is.
class written_pages final : public slot_source {
 public:
  explicit written_pages(slot_source& under) : under_(under) {}

  // Of this frame. `trace`: null, or of the index whose pages they are.
  void show(std::shared_ptr<const index_model> model, const lookup_trace* trace, u32 step);
  const std::vector<std::byte>* page(region_id array, u64 number) override;

 private:
  slot_source& under_;
  std::shared_ptr<const index_model> model_;
  const lookup_trace* trace_ = nullptr;
  u32 step_ = 0;
  std::map<std::pair<region_id, u64>, std::vector<std::byte>> pages_;
};

// A slot of the index as the views show it.
struct slot_content {
  u64 key = 0;
  std::optional<u32> row;  // not in an array of keys alone
};
// As a model asks for them. Both must outlive it.
region_reader reader_of(const built_index& index, slot_source& source);
// `model` is the index's. Nothing where a region has no keys, or while the key is on its way.
std::optional<slot_content> read_slot(const index_model& model, const built_index& index, slot_source& source,
                                      region_id array, u64 slot);
// The row id of a cell, which may lie beside it; nothing where it has none, or while it is on its way.
std::optional<u32> read_row(const index_model& model, const built_index& index, slot_source& source, cell_ref at);
// "row 5", or what a row id that is none says: "erased".
std::string row_words(u32 row);
// Bytes of an array; false, or empty, while they are on their way.
bool read_into(const built_index& index, slot_source& source, region_id array, u64 offset, std::span<std::byte> out);
std::vector<std::byte> read_bytes(const built_index& index, slot_source& source, region_id array, u64 offset,
                                  u64 count);

}  // namespace pivotscope::viz
