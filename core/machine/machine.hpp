// machine: the one interface of the cpu and the cuda machine. One thread at a time may call a machine. A call blocks
// until it is done, reports its progress, and stops soon after its control is cancelled.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/common/job_control.hpp"
#include "core/common/outcome.hpp"
#include "core/config/machine_kind.hpp"
#include "core/index/built_index.hpp"
#include "core/statistics/stopping.hpp"
#include "core/workload/batch.hpp"
#include "core/workload/script.hpp"

namespace pivotscope {

struct gather_question;
struct gather_times;

struct machine_info {
  machine_kind kind = machine_kind::cpu;
  std::string name;            // "NVIDIA H200", "AMD EPYC, 2 threads"
  std::string detail;          // driver, runtime and compiler, in words
  std::string driver;          // version of a GPU's driver: "580.159.04", or "CUDA 13.0" if no more is known
  u32 processors = 0;          // multiprocessors of a GPU; threads of a CPU
  u64 memory_bytes = 0;        // of the device or of the host, in bytes
  u64 l2_bytes = 0;            // last-level cache, in bytes; 0: unknown
  u32 compute_capability = 0;  // 90 for 9.0; 0 on the CPU
  u32 max_threads_per_block = 0;
};

// What the compiler and the driver tell of a kernel. All zeros on the CPU.
struct kernel_info {
  std::string name;       // "lookup", "build entries"
  u32 registers = 0;      // per thread
  u32 shared_bytes = 0;   // static, per block, in bytes
  u32 local_bytes = 0;    // stack and spills per thread, in bytes
  u32 blocks_per_sm = 0;  // by the driver's occupancy calculator
  double occupancy = 0;   // 0 to 1
  double compile_ms = 0;  // of NVRTC, or of reading the cache
  enum class source : u8 { none, compiled, disk_cache, memory_cache } origin = source::none;
};

// The times of one stage of the work, in milliseconds.
struct stage_time {
  std::string name;                // "sort", "build entries", "lookup"
  std::vector<double> samples_ms;  // by the device's clock on cuda, by the steady clock on cpu
  sampling how = {};               // why there are so many samples, if a rule asked for them
  sample_summary summary() const { return summary_of(samples_ms); }
  double median() const { return summary().median; }
};

// The conditions under which a measurement ran, as far as the system tells them. Empty after a single run.
struct measuring_conditions {
  std::string clocks = {};          // at the end of the measurement: clocks_now()
  std::string governor = {};        // of the processors' clocks: "performance"
  std::optional<double> load = {};  // programs that wanted to run in the last minute, when the measurement began
  u32 bound_threads = 0;            // threads that were each bound to a processor
  // cuda: true if the stream stood still while each run was queued, so that a run's time does not include its launch.
  std::optional<bool> blocked = {};
};

// Keys on a machine, from which many indexes can be built. They lie in the order of the input until a family builds
// that wants them sorted. From then on they are sorted, beside their row ids, for every later build. So a build may
// change them. Nothing guards that, because a machine does one thing at a time.
class resident_keys {
 public:
  virtual ~resident_keys() = default;
  virtual u64 size() const = 0;
  virtual key_width width() const = 0;
  virtual const stage_time& sort_time() const = 0;  // "sort"; no sample while nothing has been sorted
};

// An index in a machine's memory.
class built_index : public stored_index {
 public:
  virtual machine_kind kind() const = 0;
  virtual std::span<const stage_time> build_times() const = 0;
  virtual std::span<const kernel_info> kernels() const = 0;  // the kernels of the build
};

struct batch_options {
  u32 repeats = 1;    // timed runs, each timed by itself
  u32 warm_ups = 0;   // runs before the timed ones, not counted
  bool rows = false;  // ranges: list the row ids too, by a scan of the counts and a second pass that writes them
  std::optional<stopping_options> until = {};  // replaces `repeats`: as many runs as the rule wants
  bool part = false;  // lookups: the part that the family names is timed by itself as well (family::part_of_lookups())
  bool cold = false;  // fill the last-level cache with other bytes before each run
  time_source now = std::chrono::steady_clock::now;

  stopping_options rule() const;
  // True if this is more than the single run that follows a change in the window.
  bool measures() const { return until || repeats > 1 || warm_ups > 0; }
};

struct batch_result {
  batch_answers answers = {};
  stage_time time = {};  // "lookup", "successors", or "ranges" (counting and summing); one sample per timed run
  kernel_info kernel = {};
  stage_time route =
      {};                // what routing the lookups takes of `time`, measured by itself; no sample: they are not routed
  stage_time part = {};  // the same of the part that was asked for by batch_options::part, by its name
  std::vector<stage_time> row_times = {};  // of listing row ids, on request: "scan counts", "write rows"
  measuring_conditions conditions = {};
};

// The result of doing a batch of a script to an index.
struct update_result {
  std::shared_ptr<const built_index> index = {};  // as the batch left it; the index that was given stays as it was
  std::vector<write_done> done = {};              // of each operation
  std::vector<script_answer> answers = {};        // of each operation of a mixed batch; else empty
  write_counts counts = {};
  stage_time time = {};  // "insert", "erase", "mixed", "clear", "rebuild": the batch alone; one sample per timed run
  std::vector<stage_time> room = {};    // of making room for the batch, "clean up", and of counting what it left
  std::vector<stage_time> stages = {};  // of which `time` is made, where a batch is done by passes: "sort batch"
  kernel_info kernel = {};
};

class machine {
 public:
  virtual ~machine() = default;
  virtual const machine_info& info() const = 0;
  // Copies the keys to the machine. Problem: not enough memory; the words say how much is needed and how much there is.
  virtual outcome<std::shared_ptr<const resident_keys>> load(const key_array& keys, const job_control& control) = 0;
  // Builds an index. Sorts the keys first, if the family wants that and no earlier build did it.
  virtual outcome<std::shared_ptr<const built_index>> build(const index_config& config,
                                                            std::shared_ptr<const resident_keys> keys,
                                                            const job_control& control) = 0;
  // Times the machine's sort library on these keys, in the order of the input, with their row ids and by all bits. The
  // program's own sort, and a build after it, are compared with this. The keys stay as they are. No sample if there is
  // no such library (cpu), or if the keys are sorted already.
  virtual outcome<stage_time> library_sort(const resident_keys& keys, const job_control& control) {
    static_cast<void>(keys), static_cast<void>(control);
    return stage_time{};
  }
  // Does once what makes later compiles short (cuda: seconds, once per process). The only call that
  // may run beside the others.
  virtual void warm_up() const {}
  // Compiles what batches of `kind` with `config` need (cuda), so that the next run() starts at once.
  virtual outcome<kernel_info> prepare(const index_config& config, operation kind, const job_control& control) = 0;
  // Does every lookup, range lookup (lightweight, Section 3.2) or successor lookup of the batch, as
  // often as the options say.
  virtual outcome<batch_result> run(const built_index& index, const batch& asked, const batch_options& options,
                                    const job_control& control) = 0;
  // Does a batch of inserts, of erases, a mixed one, or one of maintenance, to a copy of the index; each timed run begins with a new
  // copy. Inserts that find no room are counted, and no entry is lost. Problem also: the family does not change, or
  // lacks an operation of the batch.
  virtual outcome<update_result> update(const built_index& index, const script& s, u64 batch,
                                        const batch_options& options, const job_control& control) = 0;
  // Times loads of the machine's memory, without an index (gather.hpp). Returns one answer per question; without times
  // if the array takes more than half of the free memory. Problem: a sum is wrong.
  virtual outcome<std::vector<gather_times>> gather(std::span<const gather_question> asked,
                                                    const batch_options& options, const job_control& control) = 0;
};

// Whether a machine is available, or why it is not.
struct machine_report {
  machine_kind kind;
  bool available = false;
  machine_info info;    // when available
  std::string why_not;  // when not available: "This build has no CUDA (…)", "no NVIDIA driver …", with what to do
};
std::vector<machine_report> find_machines();  // the best first
// `cache_folder`: for compiled kernels; empty: $XDG_CACHE_HOME/pivotscope, or else ~/.cache/pivotscope.
struct machine_options {
  std::string cache_folder;
};
outcome<std::unique_ptr<machine>> open_machine(machine_kind kind, const machine_options& options = {});

std::string_view machine_name(machine_kind kind);  // "cpu", "cuda"

// Checks a batch before a machine takes it: the index's family must have the operation, the key widths must be equal,
// and ranges must have as many high ends as low ends.
status check_batch_fits(const index_config& config, const batch& asked);
// Turns row ids that were found into matches, of a family in which a key has one entry at most: counts, sums, and with
// `rows` the row ids. A lookup that was not answered stays one that is seen as wrong.
void count_found(batch_answers& answers, bool rows);

// The cpu and the cuda files implement these; find_machines() and open_machine() call them.
namespace detail {
machine_report report_cpu();
// What a machine leaves out of every batch. With it, tests see what happens to an answer that is never given.
struct forgetful {
  u64 block = ~0ull;          // its answers are left out
  u64 rows_of_block = ~0ull;  // the row ids of its ranges are left out
};
std::unique_ptr<machine> open_cpu(const forgetful& forgets = {});
machine_report report_cuda();  // in a build without CUDA: says so
outcome<std::unique_ptr<machine>> open_cuda(const machine_options& options);
}  // namespace detail

}  // namespace pivotscope
