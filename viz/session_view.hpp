// What the views are given and whom they call back. Everything in here is immutable or a plain value: a view draws it
// and knows nothing of threads, files or windows.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/choose/autotuner.hpp"
#include "core/index/family.hpp"
#include "core/index/model.hpp"
#include "core/run/run.hpp"
#include "core/trace/trace.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope::viz {

// What the user asks for. All else follows from it.
struct session_choice {
  workload load;
  index_config config = default_config();
  machine_kind machine = machine_kind::cpu;
  std::optional<looked_for> key;  // the key to look for, or the range
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

struct notice {
  std::string words;  // what is wrong and what to do
  bool fault = true;  // false: a remark
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
  tuning_state tuned;
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
  virtual void choose_machine(machine_kind kind) = 0;
  virtual void choose_key(std::optional<looked_for> key) = 0;
  virtual void choose_random_key(bool hit) = 0;
  virtual void choose_key_at(region_id array, u64 slot) = 0;  // the key that the slot holds
  virtual void cancel() = 0;
  virtual void run_again() = 0;                                 // what was stopped, or the batch once more
  virtual void measure() = 0;                                   // warmed up and repeated
  virtual void tune(bool ascending, bool smallest) = 0;         // measures and ranks configs for the choice
  virtual void find_tuning(bool ascending, bool smallest) = 0;  // what was kept of that
  virtual void tell(notice what) = 0;
  virtual void dismiss(std::size_t which) = 0;
  virtual void copy_scenario() = 0;
  virtual void open_scenario(std::string_view text) = 0;
};

// A slot of the index as the views show it.
struct slot_content {
  u64 key = 0;
  std::optional<u32> row;  // not in an array of keys alone
};
// `model` is the index's. Nothing where a region has no keys, or while the key is on its way.
std::optional<slot_content> read_slot(const index_model& model, const built_index& index, slot_source& source,
                                      region_id array, u64 slot);
// The bytes of an entry, in the array's order; empty while they are on their way.
std::vector<std::byte> read_bytes(const built_index& index, slot_source& source, region_id array, u64 offset,
                                  u64 count);

}  // namespace pivotscope::viz
