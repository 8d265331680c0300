// The family `open_addressing` as the program knows it: a hash table of windows, method HT+OA.
#include <fmt/format.h>

#include <algorithm>

#include "core/families/open_addressing/hot_configs.hpp"
#include "core/families/open_addressing/open_addressing.hpp"
#include "core/families/open_addressing/pseudo_code.hpp"
#include "core/families/open_addressing/table_model.hpp"
#include "core/families/open_addressing/tight_starts.hpp"
#include "core/families/open_addressing/words.hpp"
#include "core/index/answer_words.hpp"
#include "core/index/family.hpp"
#include "core/index/lookup_trace.hpp"
#include "core/index/table_knobs.hpp"

namespace pivotscope {

extern const host_code open_addressing_host_code;  // host.cpp
extern const trace_code open_addressing_trace_code;

namespace {

using table_config = open_addressing_config;

static_assert(open_addressing::entries == main_region);

constexpr build_pass passes[] = {
    {"empty cells", "emptying cells", "empty_cells", host_items<open_addressing, open_addressing::empty_cells>},
    {"insert keys", "inserting keys", "insert_keys",
     host_items<open_addressing, open_addressing::insert_keys, open_addressing_hot_configs>},
    {"clean up", "cleaning up", "insert_live",
     host_items<open_addressing, open_addressing::insert_live, open_addressing_hot_configs>}};

// The same kernel under another name: live entries go into a table of another size.
constexpr build_pass moving(std::string_view stage, std::string_view doing) {
  build_pass pass = passes[2];
  pass.stage = stage, pass.doing = doing;
  return pass;
}
constexpr build_pass growing = moving("grow", "growing the table");
constexpr build_pass rebuilding = moving("rebuild", "rebuilding the table");

constexpr std::string_view probing_words[] = {"linear", "quadratic", "double"};
constexpr node_knob window_knob{"window", 1, most_window};

std::string explain_probing(std::string_view value) {
  if (value == "linear") return "The next window, and so on: neighbours share a line, but runs of full windows grow.";
  return value == "quadratic"
             ? "1, 3, 6, 10 windows further on: runs do not grow where they begin apart."
             : "As far on each time as a second hash of the key says: keys of one window part at once.";
}
std::string explain_grow(std::string_view value) {
  return value == "on" ? "A table without room moves into one of twice the cells, or of as many as the inserts need."
                       : "A table keeps its cells: inserts that find no room are refused.";
}

class open_addressing_family_type final : public family {
 public:
  family_id id() const override { return open_addressing_id; }
  std::string_view name() const override { return "open_addressing"; }
  std::string_view sentence() const override {
    return "A hash table: a key lies in the first window with room that its hash leads to.";
  }
  std::string_view source() const override { return "WarpCore and cuCollections, which the papers measure against"; }

  std::string_view lacks(operation kind) const override {
    return kind == operation::range || answer_of(kind) == answer_kind::next ? "has no order" : "";
  }
  bool keeps_duplicates(const index_config&) const override { return false; }

  std::span<const method> methods() const override {
    static const method list[] = {{"HT+OA",
                                   "A hash table with open addressing: windows of cells that a group of lanes looks at "
                                   "together, one after another "
                                   "until the key or an empty cell is met. It changes in place: inserts and erases by "
                                   "thousands of threads at once."}};
    return list;
  }
  std::span<const preset> presets() const override {
    static const preset list[] = {
        {"WarpCore", "HT+OA lanes=8 window=8 probing=double load=80",
         "Eight lanes look at a window of eight cells, a cell each, and go on by double hashing: WarpCore's default."},
        {"cuCollections", "HT+OA lanes=4 window=4 probing=linear load=50",
         "Four lanes look at four cells, a cell each, and go on to the next four: the default of cuCollections' maps."},
        {"small", "HT+OA lanes=1 window=4",
         "A lane looks at four cells by itself: the fastest while the table fits into L2."},
        {"large", "HT+OA lanes=4 window=8", "Four lanes look at eight cells: the fastest for tables beyond L2."}};
    return list;
  }
  std::vector<axis> axes() const override {
    std::vector<axis> list = {
        common_axis("keys"),
        {"lanes",
         "Lanes a lookup",
         "Threads that look at a window together, 1 to 32, a power of two.",
         {"1", "2", "4", "8", "16", "32"},
         std::pair{1u, 32u},
         get_knob<0>,
         set_knob<0>,
         no_explanation},
        {"window",
         "Cells of a window",
         "Cells that a step looks at, a power of two: 1 to 8 for each lane, which loads 16 bytes at a time.",
         {"1", "2", "4", "8", "16", "32", "64"},
         std::pair{1u, most_window},
         get_knob<1>,
         set_knob<1>,
         no_explanation},
        named_axis<2, probing_words>("probing", "Probing",
                                     "Which window comes next when a full one does not have the key.", explain_probing),
        {"load",
         "Load",
         "Keys of a hundred cells: a fuller table is smaller, and its lookups come to more windows.",
         {"30", "50", "70", "80", "90", "100"},
         std::pair{least_load, 100u},
         get_knob<3>,
         set_knob<3>,
         no_explanation},
        layout_axis<4>(),
        room_axis<5>("Keys that there are cells for where it is built from fewer: so many can come in later."),
        named_axis<6, off_on>("grow", "Growth", "Whether the table gets more cells when inserts find no room.",
                              explain_grow)};
    for (const char* name : {"threads", "per_thread", "schedule", "blocks_per_sm", "reorder"})
      list.push_back(common_axis(name));
    return list;
  }
  index_config standard() const override { return table_config{}; }
  // The load is the standard's, and so are the bytes: what is left is how a window is looked at (docs/hash_tables.md).
  // On a GPU the fewest loads while the table lies in half of L2, a sector of 32 bytes by a lane; beyond, what one access
  // of memory brings.
  index_config named(const named_for& what) const override {
    const u32 cell = 2 * key_bytes(what.width);
    table_config c{.keys = what.width};
    const double table_bytes = static_cast<double>(what.keys) / c.load * 100 * cell,
                 cache = static_cast<double>(what.cache_bytes);
    if (what.machine == machine_kind::cpu) {
      // Past what a core's table of pages reaches, a window is one line, and the next one is worth more in the same page.
      constexpr double pages_reach = 16 << 20;
      c.lanes = 1;
      if (table_bytes > std::min(cache, pages_reach)) c.window = 64 / cell, c.probing = probing_kind::linear;
      return c;
    }
    const bool near = table_bytes <= cache / 2;
    c.lanes = near ? 1 : 2, c.window = (near ? 32 : 64) / cell;
    if (table_bytes <= cache) c.launch.per_thread = 4;
    return c;
  }
  std::string_view knob_beside_name() const override { return "lanes"; }
  std::optional<std::string> check(const index_config& config) const override {
    const table_config c = table_config::of(config);
    if (auto refused = check_node(window_knob, c.window, c.lanes)) return refused;
    if (c.load < least_load || c.load > 100)
      return fmt::format("load={} is outside {} to 100 keys of a hundred cells", c.load, least_load);
    return check_room(c.room);
  }
  void accept(index_config& config, std::string_view keep) const override {
    table_config c = table_config::of(config);
    accept_node(window_knob, c.window, c.lanes, keep);
    c.load = std::clamp(c.load, least_load, 100u);
    c.room = static_cast<u32>(std::min<u64>(c.room, table_most_keys));
    config = c;
  }
  std::optional<std::string> caution(const index_config& config) const override {
    const u32 load = table_config::of(config).load;
    if (load <= 95) return std::nullopt;
    return fmt::format("at a load of {} in a hundred a key that is not there is looked for in {} windows", load,
                       load == 100 ? "all" : "very many");
  }
  // A miss looks at every window of a full table.
  u64 sensible_keys(const index_config& config) const override {
    return table_config::of(config).load <= 95 ? table_most_keys : 1u << 10;
  }
  bool sorted_input() const override { return false; }
  u64 most_keys(const index_config& config) const override { return table_keys_at_most(table_config::of(config)); }

  u32 lanes(const index_config& config) const override { return table_config::of(config).lanes; }
  u32 lookups_in_flight(const index_config& config) const override { return group_threads(config); }
  index_config for_build(const index_config& config) const override {
    table_config c = open_addressing::for_writes(config);
    c.load = 80, c.room = 0, c.grow = growth::on, c.launch = {};
    return c;
  }
  index_config config_as_compiled_for(const index_config& config, operation) const override {
    table_config c = table_config::of(config);
    c.load = 80, c.room = 0, c.grow = growth::on;
    return c;
  }

  outcome<state_bytes> build(executor& on, const index_config& config) const override {
    const table_config c = table_config::of(config);
    table_view table{.size = window_count::of(table_windows(c, on.keys()))};
    if (auto s = on.allocate(regions_of(config, on.keys())); !s) return s.error();
    if (auto s = on.run(passes[0], u64{table.size.windows} * c.window, state_bytes(table)); !s) return s.error();
    const auto added = on.run(passes[1], on.keys(), state_bytes(table));
    if (!added) return added.error();
    table.live = table.used = *added;
    return state_bytes(table);
  }

  // Grows the table where inserts found no room, or would read it in vain too often. Cleans it up before the used cells,
  // erased ones too, are more than the load, if there is something to gain; and when inserts found no room but cells are
  // erased.
  outcome<state_bytes> make_room(executor& on, const index_config& config, const state_bytes& state,
                                 const room_wanted& wanted) const override {
    const table_config c = table_config::of(config);
    const table_view table = state.as<table_view>();
    const u64 cells = cells_of(c, table), erased = table.used - table.live;
    const bool worth_cleaning = erased >= cells / 8 && erased > 0;
    if (wanted.refused ? !worth_cleaning : reads_in_vain(c, table, wanted.inserts) > most_reads_in_vain) {
      const u32 windows = windows_to_grow_to(c, table, wanted.inserts);
      if (windows > table.size.windows) return grow(on, c, table, windows);
    }
    if (wanted.refused ? erased == 0 : !worth_cleaning || table.used + wanted.inserts <= cells * c.load / 100)
      return state;
    return move_live(on, c, table, table.size.windows, passes[2]);
  }
  outcome<state_bytes> after(executor&, const index_config&, const state_bytes& state,
                             const write_counts& counts) const override {
    table_view table = state.as<table_view>();
    table.live += counts.added + counts.revived - counts.erased;
    table.used += counts.added;
    return state_bytes(table);
  }
  std::vector<tight_start> tight_starts(const index_config& config) const override {
    return tight_tables(table_config::of(config));
  }

  // The table keeps its cells: after a clear, most users fill it again.
  outcome<state_bytes> clear(executor& on, const index_config& config, const state_bytes& state) const override {
    table_view table = state.as<table_view>();
    if (const auto done = on.run(passes[0], cells_of(table_config::of(config), table), state); !done)
      return done.error();
    table.live = table.used = 0;
    return state_bytes(table);
  }
  outcome<state_bytes> rebuild(executor& on, const index_config& config, const state_bytes& state) const override {
    const table_config c = table_config::of(config);
    const table_view table = state.as<table_view>();
    return move_live(on, c, table, table_windows(c, table.live), rebuilding);
  }

  std::shared_ptr<const index_model> model(const index_config& config, u64 keys) const override {
    const table_config c = table_config::of(config);
    return model_over(c, {keys, keys, window_count::of(table_windows(c, keys))});
  }
  std::shared_ptr<const index_model> model_of(const stored_index& index) const override {
    return model_over(table_config::of(index.config()), index.state_as<table_view>());
  }
  pseudo_code pseudo_code_of(const index_config& config, operation kind) const override {
    return table_pseudo_code(open_addressing_config::of(config), kind);
  }
  void tell(lookup_trace& trace, const stored_index&) const override { tell_probes(trace); }

  const host_code& on_host() const override { return open_addressing_host_code; }
  const trace_code& on_trace() const override { return open_addressing_trace_code; }
  device_code on_device() const override {
    return {"core/families/open_addressing/open_addressing.hpp", "open_addressing", passes};
  }

  void add_candidates(const candidate_question& question, std::vector<index_config>& list) const override {
    if (question.ascending || question.smallest) return;
    if (!serves(question.asked)) return;
    if (question.keys > table_keys_at_most({.keys = question.width})) return;
    for (const auto& [lanes, window] : {std::pair{1u, 4u}, {4u, 8u}}) {
      for (const u32 load : {50u, 80u})
        list.push_back(table_config{.keys = question.width, .lanes = lanes, .window = window, .load = load});
    }
  }

 private:
  // Windows that inserts may read in vain before the table grows ahead of them: about as long as a small rehash.
  static constexpr u64 most_reads_in_vain = 1 << 20;

  static u64 cells_of(const table_config& c, const table_view& table) { return u64{table.size.windows} * c.window; }
  // Returns how many windows a batch reads for inserts that find no room, if all its keys are new. Each reads all of them.
  static u64 reads_in_vain(const table_config& c, const table_view& table, u64 inserts) {
    const u64 cells = cells_of(c, table), wanted = table.live + inserts;
    return wanted <= cells ? 0 : (wanted - cells) * table.size.windows;
  }
  // Returns the windows for so many more keys: at least twice those of today; those of today if the table may not grow.
  static u32 windows_to_grow_to(const table_config& c, const table_view& table, u64 inserts) {
    if (c.grow == growth::off) return table.size.windows;
    const u64 most = table_keys_at_most(c), keys = std::min(most, table.live + inserts);
    return static_cast<u32>(std::min<u64>(std::max<u64>(2 * u64{table.size.windows}, table_windows(c, keys)),
                                          std::max(table.size.windows, table_windows(c, most))));
  }
  static outcome<state_bytes> grow(executor& on, const table_config& c, const table_view& table, u32 windows) {
    auto grown = move_live(on, c, table, windows, growing);
    if (grown || grown.error().cancelled) return grown;
    return problem{
        fmt::format("the table has no room, and cannot grow from {} to {} cells: {}. Nothing of this batch "
                    "went in; insert fewer keys, or take grow=off for as many as fit",
                    cells_of(c, table), u64{windows} * c.window, grown.error().words)};
  }
  // Moves the live entries into a table of so many windows.
  static outcome<state_bytes> move_live(executor& on, const table_config& c, const table_view& from, u32 windows,
                                        const build_pass& pass) {
    table_view to{.size = window_count::of(windows)};
    if (auto s = on.allocate(model_over(c, to)->region_list()); !s) return s.error();
    if (auto s = on.run(passes[0], cells_of(c, to), state_bytes(to)); !s) return s.error();
    const auto moved = on.run(pass, cells_of(c, from), state_bytes(to));
    if (!moved) return moved.error();
    to.live = to.used = *moved;
    return state_bytes(to);
  }
  static std::shared_ptr<const table_model> model_over(const table_config& config, const table_view& table) {
    return std::make_shared<const table_model>(config, table);
  }
};

}  // namespace

const family& open_addressing_family() {
  static const open_addressing_family_type the_family;
  return the_family;
}

}  // namespace pivotscope
