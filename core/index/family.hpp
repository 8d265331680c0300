// family: what the program knows about a family of indexes at run time. Each family has one constant object of this
// class (families/NAME/family.cpp). The code that runs on the machines is in families/NAME/NAME.hpp.
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
#include "core/index/built_index.hpp"
#include "core/index/executor.hpp"
#include "core/index/linked_code.hpp"
#include "core/index/model.hpp"
#include "core/index/tight_start.hpp"
#include "core/index/trace_code.hpp"
#include "core/workload/batch.hpp"

namespace pivotscope {

class batch_merge;
class ray_lookups;
class script;

// A name with which a config's line can begin.
struct method {
  std::string name;      // "EO+BS"
  std::string sentence;  // what it stands for, for a newcomer
};

// A set of parameters that is known by a name.
struct preset {
  std::string_view name, line, sentence;  // "WarpCore"; a config's line; what it is, for a newcomer
};

// What the autotuner asks a family for: configs for this machine, these keys and this operation.
struct candidate_question {
  machine_kind machine = machine_kind::cpu;
  u64 keys = 0;
  key_width width = key_width::u32;
  bool ascending = false;  // true: entries must lie in ascending order
  bool smallest = false;   // true: nothing beside the entries may take memory
  operation asked = operation::find;
  u64 cache_bytes = 0;  // as in named_for
  bool large_scratch = false;
};

// The machine and the keys for which a method's name alone, as a user types it, becomes a config: one that is good at
// finding single keys.
struct named_for {
  machine_kind machine = machine_kind::cpu;
  u64 keys = 0;
  key_width width = key_width::u32;
  u64 cache_bytes = 0;         // of the machine's last-level cache; on a GPU that is L2
  bool large_scratch = false;  // true if a block of threads may have 226 KiB
};

// What a batch will do to an index that changes.
struct room_wanted {
  u64 inserts = 0;       // each may take a cell
  u64 rows = 0;          // all row ids of the index are then below it
  bool refused = false;  // true: inserts found no room, so make some if that is possible
};

// The writes of a batch that is done by passes. Erases come before inserts, so an insert of a key that the batch erases
// stays, unless the family says otherwise: all writes of a batch are concurrent, so it may be erased as well.
struct write_batch {
  u64 erases = 0, inserts = 0;
  u32 first_row = 0;  // row id of the first insert; the others follow it
  u64 size() const { return erases + inserts; }
};

struct device_code {
  std::string_view header, name;
  std::span<const build_pass> passes;  // in the order of the build's kernels
  // A struct as that named `name` is, whose find() does the first part of its lookups and returns what that comes to.
  // Empty: lookups have no part that is timed by itself (batch_options::part).
  std::string_view part = {};
};

class family {
 public:
  virtual ~family() = default;

  virtual family_id id() const = 0;
  virtual std::string_view name() const = 0;
  virtual std::string_view sentence() const = 0;
  virtual std::string_view source() const = 0;  // the paper, and what else it rests on: "lightweight"

  // --- Operations ---
  // Returns why the family lacks an operation, in words between a method's name and "so it has no successors": "has no
  // order". Empty: it has it. The struct that runs on the machines lacks the same operations (batch/serves.hpp).
  virtual std::string_view lacks(operation) const { return {}; }
  bool serves(operation kind) const { return lacks(kind).empty(); }
  bool changes() const { return serves(operation::insert) || serves(operation::erase); }
  // True if several entries with one key are all kept. Otherwise one of them is (docs/updates.md). A family that keeps
  // them has a range(), also if it has no order: matches are asked of it, a range from a key to itself.
  virtual bool keeps_duplicates(const index_config&) const { return true; }
  // True if a build needs its keys in ascending order, with their row ids. Otherwise it takes them in any order.
  virtual bool sorted_input() const { return true; }

  // --- Configs ---
  virtual std::span<const method> methods() const = 0;
  // Returns the knobs in the order of the line, and the common axes that apply. The method is not among them.
  virtual std::vector<axis> axes() const = 0;
  // Returns the default config of this family, which check() accepts.
  virtual index_config standard() const = 0;
  virtual std::span<const preset> presets() const { return {}; }
  // Returns what a method's name alone stands for, if that depends on what it is for. It then takes at most 1.04 times
  // the bytes of standard(). The papers' methods are the papers' parameters everywhere.
  virtual index_config named(const named_for&) const { return standard(); }
  // Returns the knob that a printed line shows even if no knob differs from its default, so that the line is not read
  // as a name alone. Empty: the name means the same everywhere.
  virtual std::string_view knob_beside_name() const { return {}; }
  virtual std::string method_of(const index_config&) const { return methods().front().name; }
  // Sets the method to `name`, which is one of methods(). Keeps those other knobs that are legal with it.
  virtual void set_method(index_config&, std::string_view /*name*/) const {}
  // Returns why the knobs are refused, in a sentence; nothing if they are accepted. Does not look at the launch.
  virtual std::optional<std::string> check(const index_config& config) const = 0;
  // Moves refused knobs to their closest legal values, in the order of the axes. The knob `keep` stays as it is.
  virtual void accept(index_config& config, std::string_view keep) const = 0;
  // Returns a warning about an accepted config.
  virtual std::optional<std::string> caution(const index_config&) const { return std::nullopt; }

  // --- What a config asks for ---
  // Returns the number of keys up to which lookups take a sensible time. Whatever draws or proposes configs does not
  // use this one for more keys. A user may.
  virtual u64 sensible_keys(const index_config&) const { return max_keys; }
  // Returns how many keys an index of the config can hold (check_keys()).
  virtual u64 most_keys(const index_config&) const { return max_keys; }
  // Returns how many threads serve a lookup together.
  virtual u32 lanes(const index_config&) const { return 1; }
  // Returns how many lookups a GPU's group of threads serves in step, so that their loads are under way together.
  virtual u32 lookups_in_flight(const index_config&) const { return 1; }
  // Returns how many ways a step of the search can go. Sizes near its powers are worth testing.
  virtual u32 branching(const index_config&) const { return 2; }
  // Returns the bytes of scratch that a block fills before it serves lookups; a multiple of 16.
  virtual u32 pinned_bytes(const index_config&) const { return 0; }
  // True if a block pins one part of the index, and lookups are routed to the blocks that have theirs (batch/routed.hpp).
  virtual bool routes(const index_config&) const { return false; }
  // Returns how many parts an index with this state is cut into; of a config that routes.
  virtual u64 parts(const index_config&, const state_view&) const { return 1; }
  // What device_code::part does of a lookup: "rays". Empty: there is none.
  virtual std::string_view part_of_lookups() const { return {}; }
  // Reduces pinning to the usual size, for a block that would need too much scratch.
  virtual void pin_less(index_config&) const {}
  // Returns the config with every knob that an operation does not use at its default. Configs that
  // agree then share kernels.
  virtual index_config config_as_compiled_for(const index_config& config, operation) const { return config; }
  // The same for the build.
  virtual index_config for_build(const index_config& config) const { return config; }

  // --- Indexes ---
  // Allocates the regions, runs the passes, and returns the state by which searches find their way.
  virtual outcome<state_bytes> build(executor& on, const index_config& config) const = 0;

  // --- Updates, of families that have them ---
  // Called before a batch. Makes room for what it inserts and returns the new state, or returns the state as it is.
  virtual outcome<state_bytes> make_room(executor&, const index_config&, const state_bytes& state,
                                         const room_wanted&) const {
    return state;
  }
  // True if a batch is done as a whole, by the passes of update(). Otherwise its operations are done one by one, by the
  // struct's insert and erase.
  virtual bool changes_by_batch(const index_config&) const { return false; }
  bool changes_one_by_one(const index_config& config) const { return changes() && !changes_by_batch(config); }
  // True if the trace machine steps through a write (trace_code::write), as if it were a batch by itself.
  virtual bool steps_writes(const index_config& config) const { return changes_one_by_one(config); }
  // True if update() leaves most cells as they are. It is then given a copy of the regions, which it changes, and
  // resize()s where they need more room.
  virtual bool changes_in_place(const index_config&) const { return false; }
  // True if a batch whose operations are done one by one first looks for where each begins (the struct's look_ahead).
  virtual bool looks_ahead(const index_config&) const { return false; }
  // True if an erase is noted without a look at what is there (write_done::noted): only lookups find out.
  virtual bool notes_erases() const { return false; }
  // Does the writes of a batch. Their keys are in the array batch_keys, their numbers in batch_numbers; the row id of
  // insert number i is first_row + i - erases. An insert counts as added; a pass says of each erase in
  // build_view::done[its number] what it came to, unless erases are noted. build_view::regions are those of the index as
  // it was, which stay as they are; the first allocate() makes them `before`. Or, in place, they are the new index's own.
  virtual outcome<state_bytes> update(executor&, const index_config&, const state_bytes& state,
                                      const write_batch&) const {
    return state;
  }
  // Returns how a batch that writes is merged into an index, for a view to tell: of the index as it is before the batch.
  // Null: this family merges no batches. Problem: the index cannot be read, or the job was cancelled.
  virtual outcome<std::shared_ptr<const batch_merge>> merge_of(const stored_index& /*before*/, const script&,
                                                               u64 /*batch*/, const job_control&) const {
    return std::shared_ptr<const batch_merge>();
  }
  // Called after the batch, and after each time that refused inserts were tried again. Returns the state that the index
  // then has. It may run passes: what only the cells tell can be counted here.
  virtual outcome<state_bytes> after(executor&, const index_config&, const state_bytes& state,
                                     const write_counts&) const {
    return state;
  }

  // Takes all entries out, and returns the state that the index then has. Row ids go on: the next insert gets the one that
  // it would have had. By default it is built again over no keys.
  virtual outcome<state_bytes> clear(executor& on, const index_config& config, const state_bytes& state) const;
  // Makes the index as if it were built from the entries that it holds, with their row ids, and returns its state. By
  // default it stays as it is: what a family never leaves behind needs no clean-up.
  virtual outcome<state_bytes> rebuild(executor&, const index_config&, const state_bytes& state) const { return state; }

  // Returns indexes of a few keys that are one insert before something happens, made for the config's knobs; none where
  // the knobs make an index too large to try all schedules on.
  virtual std::vector<tight_start> tight_starts(const index_config&) const { return {}; }

  // --- Rays ---
  // True if lookups are rays through a scene of triangles: whatever traces rays can then trace theirs (ray_lookups.hpp).
  virtual bool casts_rays() const { return false; }
  // Returns the lookups of these keys as rays, of a family that casts them. Problem: the index cannot be read.
  virtual outcome<std::unique_ptr<ray_lookups>> rays_of(const stored_index&, const key_array& asked) const;

  // Returns the index as views, words and tests see it. It follows from the config and n alone.
  virtual std::shared_ptr<const index_model> model(const index_config& config, u64 keys) const = 0;
  // The same for an index that may have changed since it was built.
  virtual std::shared_ptr<const index_model> model_of(const stored_index& index) const {
    return model(index.config(), index.keys());
  }
  // Puts the steps of a trace, and their result, into words. `index`: the index that the trace walked.
  virtual void tell(lookup_trace& trace, const stored_index& index) const = 0;
  // Returns pseudo code of some ten lines for an operation that the family serves, with the places
  // of its lines in the source.
  virtual pseudo_code pseudo_code_of(const index_config& config, operation kind) const = 0;

  // --- Code ---
  virtual const host_code& on_host() const = 0;
  virtual const trace_code& on_trace() const = 0;
  // The header and the struct with the code that runs on all machines, for NVRTC: "core/families/NAME/NAME.hpp",
  // "NAME".
  virtual device_code on_device() const = 0;

  // --- Choosing ---
  // Adds the configs that the autotuner is to measure first.
  virtual void add_candidates(const candidate_question& question, std::vector<index_config>& list) const = 0;
  // Adds configs near a good one: they differ in the knobs that are worth another try.
  virtual void add_near(const index_config&, machine_kind, std::vector<index_config>& /*list*/) const {}
};

std::span<const family* const> families();  // in the order of the table
const family& family_of(family_id id);
inline const family& family_of(const index_config& config) { return family_of(config.family); }

// Returns the regions of an index over n keys, as its model lists them.
std::vector<index_region> regions_of(const index_config& config, u64 keys);

index_config default_config();  // the first family's standard

// Returns how many threads of a warp a lookup takes on the GPU: a power of two, so that shuffles stay in the group.
u32 group_threads(const index_config& config);

}  // namespace pivotscope
