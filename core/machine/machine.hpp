// The machines behind one interface: cpu and cuda. Everything here may be called from any one thread at a time per
// machine, blocks until done, reports progress, and stops soon after the control is cancelled.
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
  std::string detail;          // driver, runtime, compiler, in words
  std::string driver;          // of a GPU, its version: "580.159.04", or "CUDA 13.0" where no more is told
  u32 processors = 0;          // multiprocessors, or threads
  u64 memory_bytes = 0;        // of the device, or of the host
  u64 l2_bytes = 0;            // last-level cache; 0: unknown
  u32 compute_capability = 0;  // 90 for 9.0; 0 on the CPU
  u32 max_threads_per_block = 0;
};

// What the compiler and the driver say of a kernel. Zeros on the CPU.
struct kernel_info {
  std::string name;       // "lookup", "build entries"
  u32 registers = 0;      // a thread
  u32 shared_bytes = 0;   // static, a block
  u32 local_bytes = 0;    // stack and spills, a thread
  u32 blocks_per_sm = 0;  // by the driver's occupancy calculator
  double occupancy = 0;   // 0 to 1
  double compile_ms = 0;  // NVRTC, or reading the cache
  enum class source : u8 { none, compiled, disk_cache, memory_cache } origin = source::none;
};

struct stage_time {
  std::string name;                // "sort", "build entries", "lookup"
  std::vector<double> samples_ms;  // device's clock on cuda; steady clock on cpu
  sampling how = {};               // why there are so many, where a rule asked for them
  sample_summary summary() const { return summary_of(samples_ms); }
  double median() const { return summary().median; }
};

// What a measurement met, as far as the system tells. Empty after a single run, for which nobody asks.
struct measuring_conditions {
  std::string clocks = {};          // at its end: clocks_now()
  std::string governor = {};        // of the processors' clocks: "performance"
  std::optional<double> load = {};  // programs that wanted to run, over the last minute, as it began
  u32 bound_threads = 0;            // that each kept to a processor of its own
  std::optional<bool> blocked =
      {};  // cuda: the stream stood still while a run was queued, so that launching it is not in
           // its time
};

// Keys on a machine: many indexes can be built from them. They lie there as they came, until a family that wants them sorted
// builds: from then on they are sorted, beside their row ids, for all that is built later. Who builds may so change them;
// nothing guards that, since a machine does one thing at a time.
class resident_keys {
 public:
  virtual ~resident_keys() = default;
  virtual u64 size() const = 0;
  virtual key_width width() const = 0;
  virtual const stage_time& sort_time() const = 0;  // "sort"; without a sample as long as nothing was sorted
};

// An index in a machine's memory.
class built_index : public stored_index {
 public:
  virtual machine_kind kind() const = 0;
  virtual std::span<const stage_time> build_times() const = 0;
  virtual std::span<const kernel_info> kernels() const = 0;  // build kernels
};

struct batch_options {
  u32 repeats = 1;    // timed runs, each on its own
  u32 warm_ups = 0;   // runs before them that are not counted
  bool rows = false;  // ranges: the row ids themselves, too: a scan of the counts, and a second pass that writes them
  std::optional<stopping_options> until = {};  // in place of `repeats`: as many as the rule wants
  bool cold = false;                           // before each run the last-level cache is filled with other bytes
  time_source now = std::chrono::steady_clock::now;

  stopping_options rule() const;
  // More than the one run that follows a change in the window.
  bool measures() const { return until || repeats > 1 || warm_ups > 0; }
};

struct batch_result {
  batch_answers answers = {};
  stage_time time = {};  // "lookup", "successors", or "ranges": counting and summing; per timed run
  kernel_info kernel = {};
  std::vector<stage_time> row_times = {};  // of listing row ids, on request: "scan counts", "write rows"
  measuring_conditions conditions = {};
};

// What a batch of a script did to an index.
struct update_result {
  std::shared_ptr<const built_index> index = {};  // as the batch left it; the one that was given is as it was
  std::vector<write_done> done = {};              // of each operation
  std::vector<script_answer> answers = {};        // of each operation of a mixed batch; else empty
  write_counts counts = {};
  stage_time time = {};               // "insert", "erase" or "mixed": the batch alone, per timed run
  std::vector<stage_time> room = {};  // what making room for it took: "clean up"
  kernel_info kernel = {};
};

class machine {
 public:
  virtual ~machine() = default;
  virtual const machine_info& info() const = 0;
  // Copies. Out of memory is a problem whose words say how much was needed and how much there is.
  virtual outcome<std::shared_ptr<const resident_keys>> load(const key_array& keys, const job_control& control) = 0;
  // Sorts the keys first, where the family wants that and no build did it before.
  virtual outcome<std::shared_ptr<const built_index>> build(const index_config& config,
                                                            std::shared_ptr<const resident_keys> keys,
                                                            const job_control& control) = 0;
  // What the machine's library takes to sort these keys with their row ids, as they came, by all bits: what this program's own sort, and a
  // build behind it, are held against. They stay as they are. Without a sample where there is no such library (cpu), or where the
  // keys are sorted already.
  virtual outcome<stage_time> library_sort(const resident_keys& keys, const job_control& control) {
    static_cast<void>(keys), static_cast<void>(control);
    return stage_time{};
  }
  // What makes later compiles short (cuda: seconds, once a process). The one call that may run beside the others.
  virtual void warm_up() const {}
  // Compiles what batches of `kind` with `config` need (cuda) so that the next run() starts at once.
  virtual outcome<kernel_info> prepare(const index_config& config, operation kind, const job_control& control) = 0;
  // Looks every key, range (lightweight, Section 3.2) or successor up as often as the options say.
  virtual outcome<batch_result> run(const built_index& index, const batch& asked, const batch_options& options,
                                    const job_control& control) = 0;
  // Does a batch of inserts, of erases, or a mixed one, to a copy of the index: timed runs begin with a copy each. Inserts
  // that find no room are counted, and nothing that was there is lost. Problem also: the family does not change, or lacks
  // an operation of the batch.
  virtual outcome<update_result> update(const built_index& index, const script& s, u64 batch,
                                        const batch_options& options, const job_control& control) = 0;
  // Times loads of its memory, of no index (gather.hpp): an answer a question, without times where the array takes more
  // than half of the memory that is free. Problem: a sum is wrong.
  virtual outcome<std::vector<gather_times>> gather(std::span<const gather_question> asked,
                                                    const batch_options& options, const job_control& control) = 0;
};

// What machines there are, and why one is not there.
struct machine_report {
  machine_kind kind;
  bool available = false;
  machine_info info;    // when available
  std::string why_not;  // when not: "This build has no CUDA (…)", "no NVIDIA driver …", with what to do
};
std::vector<machine_report> find_machines();  // the best first
// `cache_folder` for compiled kernels; empty: $XDG_CACHE_HOME/pivotscope, else ~/.cache/pivotscope.
struct machine_options {
  std::string cache_folder;
};
outcome<std::unique_ptr<machine>> open_machine(machine_kind kind, const machine_options& options = {});

std::string_view machine_name(machine_kind kind);  // "cpu", "cuda"

// What a machine asks of a batch before it takes it: that the index's family has the operation, the index's key width,
// and of ranges as many ends as begins.
status check_batch_fits(const index_config& config, const batch& asked);
// "lookup", "ranges", "successors": a batch's kernel and stage.
std::string_view operation_name(operation kind);

// Names that the cpu and cuda files implement; find_machines() and open_machine() call them.
namespace detail {
machine_report report_cpu();
// What a machine leaves out of every batch, so that tests see what becomes of an answer that is never given.
struct forgetful {
  u64 block = ~0ull;          // its answers
  u64 rows_of_block = ~0ull;  // the row ids of its ranges
};
std::unique_ptr<machine> open_cpu(const forgetful& forgets = {});
machine_report report_cuda();  // in a build without CUDA: says so
outcome<std::unique_ptr<machine>> open_cuda(const machine_options& options);
}  // namespace detail

}  // namespace pivotscope
