// What the program knows of a family of indexes at run time: a constant of each (index/NAME/family.cpp). What runs on
// the machines is in index/NAME/NAME.hpp.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/batch/host_code.hpp"
#include "core/config/axis.hpp"
#include "core/config/machine_kind.hpp"
#include "core/families/families.hpp"
#include "core/index/built_index.hpp"
#include "core/index/executor.hpp"
#include "core/index/linked_code.hpp"
#include "core/index/model.hpp"
#include "core/index/trace_code.hpp"
#include "core/workload/batch.hpp"

namespace pivotscope {

// A name that a config's line begins with, and what it stands for.
struct method {
  std::string name;      // "EO+BS"
  std::string sentence;  // for a stranger
};

// Parameters that are known by a name.
struct preset {
  std::string_view name, line, sentence;  // "WarpCore", a config's line, for a stranger
};

// What the autotuner looks for.
struct candidate_question {
  machine_kind machine = machine_kind::cpu;
  u64 keys = 0;
  key_width width = key_width::u32;
  bool ascending = false;  // entries must lie in ascending order
  bool smallest = false;   // nothing beside the entries may take memory
  operation asked = operation::find;
  u64 cache_bytes = 0;  // as named_for has them
  bool large_scratch = false;
};

// What a method's name alone, as somebody typed it, is to be good at: finding single keys.
struct named_for {
  machine_kind machine = machine_kind::cpu;
  u64 keys = 0;
  key_width width = key_width::u32;
  u64 cache_bytes = 0;         // of the machine's last-level cache, which is L2 of a GPU
  bool large_scratch = false;  // may a block of threads have 226 KiB?
};

// What a batch is about to do to an index that changes.
struct room_wanted {
  u64 inserts = 0;       // that may each take a cell
  u64 rows = 0;          // all row ids are below it
  bool refused = false;  // inserts found no room: is there any to be made?
};

struct device_code {
  std::string_view header, name;
  std::span<const build_pass> passes;  // in the order of the build's kernels
};

class family {
 public:
  virtual ~family() = default;

  virtual family_id id() const = 0;
  virtual std::string_view name() const = 0;
  virtual std::string_view sentence() const = 0;
  virtual std::string_view source() const = 0;  // "lightweight", with what else it rests on

  // --- Operations ---
  // Why it lacks an operation, as it is said behind a method's name: "has no order, so it has no successors". Empty: it
  // has it. What it lacks is not in the struct that runs on the machines either (batch/serves.hpp).
  virtual std::string_view lacks(operation) const { return {}; }
  bool serves(operation kind) const { return lacks(kind).empty(); }
  bool changes() const { return serves(operation::insert) || serves(operation::erase); }
  // Of several entries with one key: are all kept? Else one of them is (docs/updates.md).
  virtual bool keeps_duplicates() const { return true; }
  // Does a build want its keys in ascending order, with their row ids? Else it takes them in any.
  virtual bool sorted_input() const { return true; }

  // --- Configs ---
  virtual std::span<const method> methods() const = 0;
  // The knobs in the order of the line, with those of the common axes that it has; the method is not among them.
  virtual std::vector<axis> axes() const = 0;
  // An accepted config: what a config of this family begins as.
  virtual index_config standard() const = 0;
  virtual std::span<const preset> presets() const { return {}; }
  // What a method's name alone stands for, where that depends on what it is for; then of no more than 1.04 times the standard's
  // bytes. The papers' methods are the papers' parameters everywhere.
  virtual index_config named(const named_for&) const { return standard(); }
  // The knob that is in a line where nothing else is: a line that is printed is not a name alone. Empty: the name says the same
  // everywhere.
  virtual std::string_view knob_beside_name() const { return {}; }
  virtual std::string method_of(const index_config&) const { return methods().front().name; }
  // Changes what the method says and keeps what of the other knobs goes with it. `name` is one of methods().
  virtual void set_method(index_config&, std::string_view /*name*/) const {}
  // Why the knobs are refused, in a sentence; nothing when they are accepted. The launch is not looked at.
  virtual std::optional<std::string> check(const index_config& config) const = 0;
  // Moves refused knobs to their closest legal values, in the order of the axes, but `keep`.
  virtual void accept(index_config& config, std::string_view keep) const = 0;
  // What speaks against an accepted config.
  virtual std::optional<std::string> caution(const index_config&) const { return std::nullopt; }

  // --- What a config asks for ---
  // Keys up to which lookups take no patience: what draws or proposes configs leaves this one out beyond. A user may wait.
  virtual u64 sensible_keys(const index_config&) const { return max_keys; }
  // Keys that an index of the config can hold at all (check_keys()).
  virtual u64 most_keys(const index_config&) const { return max_keys; }
  // Threads that serve a lookup together.
  virtual u32 lanes(const index_config&) const { return 1; }
  // Lookups that a GPU's group of these serves in step: their loads are on the way together.
  virtual u32 lookups_in_flight(const index_config&) const { return 1; }
  // Ways that a step of the search can go: sizes about its powers are worth testing.
  virtual u32 branching(const index_config&) const { return 2; }
  // Scratch that a block fills before it serves lookups; a multiple of 16.
  virtual u32 pinned_bytes(const index_config&) const { return 0; }
  // Gives up pinning beyond the usual, where a block would need too much.
  virtual void pin_less(index_config&) const {}
  // The config with all that does not matter to an operation at its standard: kernels are shared by those that agree.
  virtual index_config config_as_compiled_for(const index_config& config, operation) const { return config; }
  // ... and to the build.
  virtual index_config for_build(const index_config& config) const { return config; }

  // --- Indexes ---
  // Allocates, runs the passes, and comes to the state that searches find their way by.
  virtual outcome<state_bytes> build(executor& on, const index_config& config) const = 0;

  // --- Updates, of families that have them ---
  // Before a batch: makes room for what it inserts, or gives back the state as it is.
  virtual outcome<state_bytes> make_room(executor&, const index_config&, const state_bytes& state,
                                         const room_wanted&) const {
    return state;
  }
  // After it.
  virtual state_bytes after(const state_bytes& state, const write_counts&) const { return state; }

  // What the index is to views, words and tests: of a config and n alone.
  virtual std::shared_ptr<const index_model> model(const index_config& config, u64 keys) const = 0;
  // The same of an index that may have changed since it was built.
  virtual std::shared_ptr<const index_model> model_of(const stored_index& index) const {
    return model(index.config(), index.keys());
  }
  // Puts a trace's steps, and what they come to, into words. `index`: which they walked.
  virtual void tell(lookup_trace& trace, const stored_index& index) const = 0;
  // An operation that it serves, in some ten lines, and where they are in the source.
  virtual pseudo_code pseudo_code_of(const index_config& config, operation kind) const = 0;

  // --- Code ---
  virtual const host_code& on_host() const = 0;
  virtual const trace_code& on_trace() const = 0;
  // The header and the struct that hold what runs on all machines, for NVRTC: "core/index/NAME/NAME.hpp", "NAME".
  virtual device_code on_device() const = 0;

  // --- Choosing ---
  virtual void add_candidates(const candidate_question& question, std::vector<index_config>& list) const = 0;
  // Configs that differ from one in the knobs that are worth another try beside a good one.
  virtual void add_near(const index_config&, machine_kind, std::vector<index_config>& /*list*/) const {}
};

std::span<const family* const> families();  // in the order of the table
const family& family_of(family_id id);
inline const family& family_of(const index_config& config) { return family_of(config.family); }

// The regions of an index over n keys, as its model has them.
std::vector<index_region> regions_of(const index_config& config, u64 keys);

index_config default_config();  // the first family's standard

// Threads of a warp that a lookup occupies on the GPU: a power of two, so that shuffles stay in the group.
u32 group_threads(const index_config& config);

}  // namespace pivotscope
