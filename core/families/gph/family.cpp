// The family `gph` as the program knows it: a hash table in which a lookup reads one bucket, method GPH.
#include <fmt/format.h>

#include <algorithm>

#include "core/families/gph/gph.hpp"
#include "core/families/gph/gph_model.hpp"
#include "core/families/gph/hot_configs.hpp"
#include "core/families/gph/pseudo_code.hpp"
#include "core/families/gph/tight_starts.hpp"
#include "core/families/gph/words.hpp"
#include "core/index/family.hpp"
#include "core/index/lookup_trace.hpp"
#include "core/index/table_knobs.hpp"

namespace pivotscope {

extern const host_code gph_host_code;  // host.cpp
extern const trace_code gph_trace_code;

namespace {

static_assert(gph::entries == main_region);

constexpr build_pass passes[] = {
    {"empty slots", "emptying slots", "empty_table", host_items<gph, gph::empty_table>},
    {"saturation fill", "inserting keys", "insert_keys", host_items<gph, gph::insert_keys, gph_hot_configs>},
    {"refinement", "making room for the others", "refine_keys", host_items<gph, gph::refine_keys, gph_hot_configs>},
    {"list refused", "listing the others", "list_refused", host_tiles<gph, gph::list_refused>, 1, key_use::none,
     done_by::block},
    {"clean up", "cleaning up", "insert_live", host_items<gph, gph::insert_live, gph_hot_configs>},
    {"refinement", "making room for the others", "refine_live", host_items<gph, gph::refine_live, gph_hot_configs>}};

// How a table is filled: by its two phases.
struct two_phases {
  build_pass first, second;
};
constexpr two_phases of_keys = {passes[1], passes[2]};
constexpr const build_pass& list_refused = passes[3];
// The same kernels under another name: live entries go into another table.
constexpr two_phases of_live(std::string_view stage, std::string_view doing) {
  two_phases both = {passes[4], passes[5]};
  both.first.stage = stage, both.first.doing = doing;
  return both;
}
constexpr two_phases cleaning_up = of_live("clean up", "cleaning up");
constexpr two_phases growing = of_live("grow", "growing the table");
constexpr two_phases rehashing = of_live("rehash", "rehashing the table");
constexpr two_phases rebuilding = of_live("rebuild", "rebuilding the table");

constexpr node_knob bucket_knob{"bucket", 1, most_gph_bucket};

constexpr u32 usual_scratch = 96u << 10;  // two blocks on a multiprocessor

constexpr std::string_view hashing_words[] = {"in_turn", "perfect"};
constexpr std::string_view requests_words[] = {"single", "wide"};
constexpr std::string_view phases_words[] = {"two", "one"};
constexpr std::string_view reads_words[] = {"cached", "once", "kept"};

std::string explain_hashing(std::string_view value) {
  return value == "perfect" ? "Every lookup reads one bucket: where it is full, keys of a cell of the index move."
                            : "There is no index: the keys of a full bucket go into the next ones, in turn.";
}
std::string explain_requests(std::string_view value) {
  return value == "wide" ? "A lane loads 16 bytes at a time, and all of its share before it looks at any."
                         : "A lane loads one slot at a time, neighbouring lanes neighbouring slots.";
}
std::string explain_phases(std::string_view value) {
  return value == "two" ? "A batch's inserts that find their bucket full wait until all others are done; only then do "
                          "entries move."
                        : "Every write latches its cell of the index, and makes room at once.";
}
std::string explain_reads(std::string_view value) {
  if (value == "cached") return "Caches keep what they like.";
  return value == "once" ? "What is read of buckets leaves the L2 cache first."
                         : "What is read of buckets leaves the L2 cache first, and the cell index last.";
}
std::string explain_routes(std::string_view value) {
  return value == "on" ? "Each block has a part of the index in scratch, and lookups are first sorted to the parts."
                       : "A block's scratch, if it has any, has the index's first cells.";
}
std::string explain_grow(std::string_view value) {
  return value == "on" ? "A table that gets an eighth fuller than it was built moves into one of twice the buckets."
                       : "A table keeps its buckets: inserts that find no room, even in the spill, are refused.";
}

class gph_family_type final : public family {
 public:
  family_id id() const override { return gph_id; }
  std::string_view name() const override { return "gph"; }
  std::string_view sentence() const override {
    return "A hash table with a small index that says where a key's bucket is: a lookup reads no other.";
  }
  std::string_view source() const override { return "gph"; }

  std::string_view lacks(operation kind) const override {
    return kind == operation::range || answer_of(kind) == answer_kind::next ? "has no order" : "";
  }
  bool keeps_duplicates(const index_config&) const override { return false; }

  std::span<const method> methods() const override {
    static const method list[] = {{"GPH",
                                   "A perfect hash table that changes: a cell of a few bits, which a dozen keys share, "
                                   "says into which buckets they "
                                   "go. Where one is full an insert gives its cell another value, and the cell's keys "
                                   "move. So a lookup reads the "
                                   "cell, from a cache or scratch, and one bucket."}};
    return list;
  }
  std::span<const preset> presets() const override {
    static const preset list[] = {
        {"GPH of the paper", "GPH lanes=4 bucket=16 virtuals=8 bits=8 per_cell=13",
         "Buckets of sixteen slots, which four lanes request, and a byte for about 12.7 keys: the paper's parameters."},
        {"No bucket requester", "GPH lanes=16 bucket=16 virtuals=8 bits=8 per_cell=13 requests=single",
         "A lane for each slot, as in DyCuckoo: the paper's BR-OFF, PH-ON."},
        {"Routed",
         "GPH lanes=4 scratch=96KiB routes=on reads=once schedule=static blocks_per_sm=2 threads=1024 per_thread=8",
         "Each block has a part of the index in its scratch, and lookups are sorted to the parts before they are "
         "served: the "
         "paper's multiprocessors."},
        {"No perfect hashing", "GPH lanes=16 bucket=16 hashing=in_turn requests=single",
         "Nor an index: full buckets' keys go into the next ones. The paper's BR-OFF, PH-OFF."}};
    return list;
  }
  std::vector<axis> axes() const override {
    const auto number = [](std::string name, std::string title, std::string sentence, std::vector<std::string> values,
                           std::pair<u32, u32> range, auto get, auto set) {
      return axis{std::move(name), std::move(title), std::move(sentence), std::move(values), range, get, set,
                  no_explanation};
    };
    std::vector<axis> list = {
        common_axis("keys"),
        number("lanes", "Lanes a lookup", "Threads that look at a bucket together, 1 to 16, a power of two.",
               {"1", "2", "4", "8", "16"}, {1u, 16u}, get_knob<0>, set_knob<0>),
        number("bucket", "Slots of a bucket", "Slots that a lookup looks at, a power of two: 1 to 8 for each lane.",
               {"4", "8", "16"}, {1u, most_gph_bucket}, get_knob<1>, set_knob<1>),
        number("virtuals", "Virtual buckets of a cell",
               "Buckets among which the keys of a cell are shared out: 2, 4 or 8.", {"2", "4", "8"},
               {2u, most_virtuals}, get_knob<2>, set_knob<2>),
        number("bits", "Bits of a cell",
               "Of them as many as number the virtual buckets are the offset, the others the mapping.", {"8", "16"},
               {8u, 16u}, get_knob<3>, set_knob<3>),
        number("per_cell", "Keys of a cell",
               "Keys that share a cell of the index on average. More of them make the index smaller, and "
               "some find no place for all.",
               {"8", "12", "20"}, {1u, most_keys_a_cell}, get_knob<4>, set_knob<4>),
        number("load", "Load", "Keys of a hundred slots: a fuller table is smaller, and more of its keys are spilled.",
               {"50", "60", "70", "80"}, {least_gph_load, most_gph_load}, get_knob<5>, set_knob<5>),
        layout_axis<6>(),
        named_axis<7, hashing_words>("hashing", "Hashing", "What becomes of the keys of a full bucket.",
                                     explain_hashing),
        named_axis<8, requests_words>("requests", "Requests", "How lanes load a bucket.", explain_requests),
        named_axis<9, phases_words>("phases", "Phases of inserts", "Whether entries move while others are inserted.",
                                    explain_phases),
        named_axis<10, reads_words>("reads", "Caches", "What lookups tell the caches.", explain_reads),
        scratch_axis<11>("Bytes of a block's scratch in which the first cells of the index lie."),
        room_axis<12>("Keys that there are buckets for where it is built from fewer: so many can come in later."),
        named_axis<13, off_on>("grow", "Growth", "Whether the table gets more buckets.", explain_grow),
        named_axis<14, off_on>("routes", "Routing",
                               "Whether a lookup goes to the block that has its part of the index.", explain_routes)};
    for (const char* name : {"threads", "per_thread", "schedule", "blocks_per_sm", "reorder"})
      list.push_back(common_axis(name));
    return list;
  }
  index_config standard() const override { return gph_config{}; }
  // On a GPU a small table's cells lie in scratch; hints to the L2 cache cost where the table fits. On a CPU a bucket is a line.
  index_config named(const named_for& what) const override {
    gph_config c{.keys = what.width};
    if (what.machine == machine_kind::cpu) {
      c.lanes = 1;
      return c;
    }
    c.lanes = 4;
    const double table_bytes = static_cast<double>(what.keys) / c.load * 100 * 2 * key_bytes(what.width);
    if (table_bytes > static_cast<double>(what.cache_bytes) / 2) {
      c.reads = gph_reads::kept;
      return c;
    }
    const u64 index_bytes = ceil_div<u64>(what.keys, c.per_cell * 1024) * 1024;
    if (what.large_scratch && what.keys >= 1u << 16 && index_bytes <= most_index_in_scratch) {
      c.lanes = 2, c.scratch = static_cast<u32>(index_bytes);
      c.launch = {.schedule = schedule_kind::fixed, .blocks_per_sm = 2, .threads = 1024, .per_thread = 8};
    }
    return c;
  }
  std::string_view knob_beside_name() const override { return "lanes"; }
  std::optional<std::string> check(const index_config& config) const override {
    const gph_config c = gph_config::of(config);
    if (auto refused = check_node(bucket_knob, c.bucket, c.lanes)) return refused;
    if (c.virtuals != 2 && c.virtuals != 4 && c.virtuals != 8)
      return fmt::format("virtuals={} is not 2, 4 or 8", c.virtuals);
    if (c.bits != 8 && c.bits != 16) return fmt::format("bits={} is not 8 or 16", c.bits);
    if (c.per_cell < 1 || c.per_cell > most_keys_a_cell)
      return fmt::format("per_cell={} is outside 1 to {} keys", c.per_cell, most_keys_a_cell);
    if (c.load < least_gph_load || c.load > most_gph_load)
      return fmt::format("load={} is outside {} to {} keys of a hundred slots", c.load, least_gph_load, most_gph_load);
    if (c.scratch > 0 && !is_perfect(c))
      return fmt::format("scratch={} is for cells of the index, and hashing=in_turn has none", scratch_text(c.scratch));
    if (auto refused = check_scratch(c.scratch)) return refused;
    if (is_routed(c) && c.scratch == 0)
      return "routes=on sends lookups to a part of the index in a block's scratch, and scratch=0 has none";
    if (auto refused = check_room(c.room)) return refused;
    if (c.room > gph_keys_at_most(c))
      return fmt::format("room={} is more than {} keys, for which load={} bucket={} have slots", c.room,
                         gph_keys_at_most(c), c.load, c.bucket);
    return std::nullopt;
  }
  void accept(index_config& config, std::string_view keep) const override {
    gph_config c = gph_config::of(config);
    accept_node(bucket_knob, c.bucket, c.lanes, keep);
    c.virtuals = c.virtuals < 4 ? 2 : c.virtuals < 8 ? 4 : 8;
    c.bits = c.bits <= 8 ? 8 : 16;
    c.per_cell = std::clamp(c.per_cell, 1u, most_keys_a_cell);
    c.load = std::clamp(c.load, least_gph_load, most_gph_load);
    c.scratch = accept_scratch(c.scratch);
    if (c.scratch > 0 && !is_perfect(c)) {
      if (keep == "scratch")
        c.hashing = gph_hashing::perfect;
      else
        c.scratch = 0;
    }
    if (is_routed(c) && keep == "routes") {
      if (c.scratch == 0) c.scratch = usual_scratch;
      c.hashing = gph_hashing::perfect;
    }
    if (c.scratch == 0) c.routes = gph_routes::off;
    c.room = static_cast<u32>(std::min<u64>(c.room, gph_keys_at_most(c)));
    config = c;
  }
  std::optional<std::string> caution(const index_config& config) const override {
    if (is_routed(gph_config::of(config)) && config.launch.reorder != reorder_kind::none)
      return "reorder does nothing here: routed lookups are in the order of the index's parts";
    return std::nullopt;
  }
  bool sorted_input() const override { return false; }
  u64 most_keys(const index_config& config) const override { return gph_keys_at_most(gph_config::of(config)); }

  u32 lanes(const index_config& config) const override { return gph_config::of(config).lanes; }
  u32 lookups_in_flight(const index_config& config) const override { return group_threads(config); }
  u32 pinned_bytes(const index_config& config) const override { return gph_config::of(config).scratch; }
  bool routes(const index_config& config) const override { return is_routed(gph_config::of(config)); }
  u64 parts(const index_config& config, const state_view& view) const override {
    return gph::parts(gph_config::of(config), view);
  }
  index_config for_build(const index_config& config) const override {
    gph_config c = same_kernels(gph::for_writes(gph_config::of(config)));
    c.scratch = 0, c.routes = gph_routes::off, c.reads = gph_reads::cached, c.launch = {};
    return c;
  }
  index_config config_as_compiled_for(const index_config& config, operation kind) const override {
    gph_config c = same_kernels(gph_config::of(config));
    if (kind != operation::insert && kind != operation::erase) c.phases = gph_phases::two;
    // Blocks keep their part, and lookups have an order already.
    if (is_routed(c)) c.launch.schedule = schedule_kind::fixed, c.launch.reorder = reorder_kind::none;
    return c;
  }

  outcome<state_bytes> build(executor& on, const index_config& config) const override {
    const gph_config c = gph_config::of(config);
    const gph_view table = gph_table(c, gph_buckets(c, on.keys()), 0);
    if (auto s = on.allocate(model_over(c, table)->region_list()); !s) return s.error();
    return fill(on, c, table, of_keys, on.keys());
  }

  // Grows the table where a batch would make it too full, or cleans it up where that is worth it. Where inserts were refused: their
  // second phase; and if the spill is full as well, a larger one.
  outcome<state_bytes> make_room(executor& on, const index_config& config, const state_bytes& state,
                                 const room_wanted& wanted) const override {
    const gph_config c = gph_config::of(config);
    gph_view table = state.as<gph_view>();
    const u64 slots = u64{table.buckets} * c.bucket, erased = table.used - table.live;
    const u64 live = std::min(gph_keys_at_most(c), table.live + wanted.inserts);
    const bool too_full = live * 100 > slots * std::min(most_gph_load, c.load + c.load / 8);
    if (!wanted.refused) {
      table.refines = 0, table.rehashed = 0;
      if (c.grow == gph_growth::on && wanted.inserts > 0 && too_full) return grow(on, c, table, live);
      if (wanted.inserts > 0 && erased > 0 && erased >= slots / 8 &&
          (table.used + wanted.inserts) * 100 > slots * c.load)
        return move_live(on, c, table, gph_table(c, table.buckets, table.seed, table.spill), cleaning_up);
      return state_bytes(table);
    }
    if (gph::begin_second_phase(c, table)) return state_bytes(table);
    if (c.grow == gph_growth::off) return state;
    if (!is_perfect(c) || too_full || table.rehashed >= seeds_tried) return grow(on, c, table, live);
    gph_view to = gph_table(c, table.buckets, table.seed + 1, enough_spill(c, table, wanted.inserts));
    to.rehashed = table.rehashed + 1;
    return move_live(on, c, table, to, rehashing);
  }
  outcome<state_bytes> after(executor& on, const index_config&, const state_bytes& state,
                             const write_counts& counts) const override {
    gph_view table = state.as<gph_view>();
    const u32 emptied = table.emptied;
    if (auto s = read_counters(on, table); !s) return s.error();
    table.live += counts.added + counts.revived - counts.erased;
    table.used += counts.added;
    table.used -= table.emptied - emptied;
    return state_bytes(table);
  }
  std::vector<tight_start> tight_starts(const index_config& config) const override {
    return tight_cells(gph_config::of(config));
  }

  // The table keeps its buckets: after a clear, most users fill it again.
  outcome<state_bytes> clear(executor& on, const index_config& config, const state_bytes& state) const override {
    const gph_config c = gph_config::of(config);
    const gph_view was = state.as<gph_view>();
    const gph_view table = gph_table(c, was.buckets, was.seed, was.spill);
    if (auto s = empty(on, c, table); !s) return s.error();
    return state_bytes(table);
  }
  outcome<state_bytes> rebuild(executor& on, const index_config& config, const state_bytes& state) const override {
    const gph_config c = gph_config::of(config);
    const gph_view table = state.as<gph_view>();
    return move_live(on, c, table, gph_table(c, gph_buckets(c, table.live), 0), rebuilding);
  }

  std::shared_ptr<const index_model> model(const index_config& config, u64 keys) const override {
    const gph_config c = gph_config::of(config);
    gph_view table = gph_table(c, gph_buckets(c, keys), 0);
    table.live = table.used = keys;
    return model_over(c, table);
  }
  std::shared_ptr<const index_model> model_of(const stored_index& index) const override {
    return model_over(gph_config::of(index.config()), index.state_as<gph_view>());
  }
  pseudo_code pseudo_code_of(const index_config& config, operation kind) const override {
    return gph_pseudo_code(gph_config::of(config), kind);
  }
  void tell(lookup_trace& trace, const stored_index& index) const override { tell_cells(trace, index); }

  const host_code& on_host() const override { return gph_host_code; }
  const trace_code& on_trace() const override { return gph_trace_code; }
  device_code on_device() const override { return {"core/families/gph/gph.hpp", "gph", passes}; }

  void add_candidates(const candidate_question& question, std::vector<index_config>& list) const override {
    if (question.ascending || question.smallest) return;
    if (!serves(question.asked)) return;
    if (question.keys > gph_keys_at_most({.keys = question.width})) return;
    for (const u32 lanes : {2u, 4u})
      for (const gph_reads reads : {gph_reads::cached, gph_reads::kept})
        list.push_back(gph_config{.keys = question.width, .lanes = lanes, .reads = reads});
  }

 private:
  static constexpr u32 seeds_tried = 4;                     // of a table, before it gets more buckets
  static constexpr u64 most_index_in_scratch = 112 * 1024;  // of which a multiprocessor holds two

  // Knobs that no kernel reads.
  static gph_config same_kernels(gph_config c) {
    const gph_config usual;
    c.per_cell = usual.per_cell, c.load = usual.load, c.room = usual.room, c.grow = usual.grow;
    return c;
  }
  static std::shared_ptr<const gph_model> model_over(const gph_config& config, const gph_view& table) {
    return std::make_shared<const gph_model>(config, table);
  }
  static status empty(executor& on, const gph_config& c, const gph_view& table) {
    const u64 slots = (u64{table.buckets} + table.spill) * c.bucket;
    const u64 items = std::max<u64>({slots, table.words, table.moves, table.latches, gph_counters});
    const auto done = on.run(passes[0], items, state_bytes(table));
    return done ? fine() : status(done.error());
  }
  static status resize(executor& on, const gph_config& c, const gph_view& table) {
    const std::vector<index_region> list = model_over(c, table)->region_list();
    for (std::size_t r = 0; r < list.size(); ++r)
      if (auto s = on.resize(static_cast<region_id>(r), list[r].cells); !s) return s;
    return fine();
  }
  // Takes over what a pass or a batch did to the counters.
  static status read_counters(executor& on, gph_view& table) {
    u32 counters[gph_counters];
    if (auto s = on.read(gph_region::counters, 0, std::as_writable_bytes(std::span(counters))); !s) return s;
    table.spilled = counters[counter_spilled], table.refused = counters[counter_refused];
    table.emptied = counters[counter_emptied];
    return fine();
  }
  // Buckets of a spill that is too small: with a quarter more than what came and what was refused.
  static u32 enough_spill(const gph_config& c, const gph_view& table, u64 refused) {
    const u64 wanted = ceil_div<u64>((table.spilled + refused) * 3, u64{2} * c.bucket) + 1;
    return static_cast<u32>(std::clamp<u64>(wanted, table.spill, u64{table.buckets} + table.spill));
  }
  // Puts what the first phase inserts into a table that has been allocated. Where some found no room, all again with a larger
  // spill and another seed, and with more buckets after a few of these.
  static outcome<state_bytes> fill(executor& on, const gph_config& c, gph_view table, const two_phases& by, u64 items) {
    constexpr u64 tile_items = gph::list_refused::thread_items * tile_threads;
    const u64 tiles = ceil_div(items, tile_items);
    if (auto s = on.allocate_array(gph::refused_keys, std::max<u64>(tiles, 1) * tile_items,
                                   "marks of keys that found their bucket full");
        !s)
      return s.error();
    if (auto s = on.allocate_array(gph::refused_list, std::max<u64>(items, 1) * sizeof(u32), "the list of these keys");
        !s)
      return s.error();
    const u32 rehashed = table.rehashed;
    for (u32 tried = 1;; ++tried) {
      if (auto s = empty(on, c, table); !s) return s.error();
      const auto added = on.run(by.first, items, state_bytes(table));
      if (!added) return added.error();
      table.live = table.used = *added;
      if (is_perfect(c)) {
        table.items = items;
        const auto refused = on.run(list_refused, tiles, state_bytes(table));
        if (!refused) return refused.error();
        const auto more = on.run(by.second, *refused, state_bytes(table));
        if (!more) return more.error();
        table.items = 0;
        table.live += *more;
      }
      table.used = table.live;
      if (auto s = read_counters(on, table); !s) return s.error();
      table.emptied = 0, table.rehashed = rehashed;
      if (table.refused == 0) return state_bytes(table);
      const bool grows = !is_perfect(c) || tried % seeds_tried == 0;
      const u32 buckets = grows ? larger(c, table.buckets) : table.buckets;
      if (grows && buckets == table.buckets)
        return problem{fmt::format("the keys find no room in {} buckets, and there cannot be more", buckets)};
      table = gph_table(c, buckets, table.seed + 1, is_perfect(c) ? enough_spill(c, table, table.refused) : 0);
      if (auto s = resize(on, c, table); !s) return s.error();
    }
  }
  // Slots are counted by 32 bits, those of the spill among them.
  static u64 most_buckets(const gph_config& c) { return ~0u / c.bucket / 2; }
  static u32 larger(const gph_config& c, u32 buckets) {
    return static_cast<u32>(std::max<u64>(buckets, std::min<u64>(most_buckets(c), u64{buckets} + buckets / 8 + 1)));
  }
  // Moves the live entries into another table.
  static outcome<state_bytes> move_live(executor& on, const gph_config& c, const gph_view& from, const gph_view& to,
                                        const two_phases& by) {
    if (auto s = on.allocate(model_over(c, to)->region_list()); !s) return s.error();
    return fill(on, c, to, by, (u64{from.buckets} + from.spill) * c.bucket);
  }
  static outcome<state_bytes> grow(executor& on, const gph_config& c, const gph_view& table, u64 live) {
    const u64 most = most_buckets(c);
    const u32 buckets = static_cast<u32>(std::min(most, std::max<u64>(2 * u64{table.buckets}, gph_buckets(c, live))));
    if (buckets <= table.buckets) return state_bytes(table);
    auto grown = move_live(on, c, table, gph_table(c, buckets, table.seed), growing);
    if (grown || grown.error().cancelled) return grown;
    return problem{
        fmt::format("the table has no room, and cannot grow from {} to {} buckets: {}. Nothing of this batch "
                    "went in; insert fewer keys, or take grow=off for as many as fit",
                    table.buckets, buckets, grown.error().words)};
  }
};

}  // namespace

const family& gph_family() {
  static const gph_family_type the_family;
  return the_family;
}

}  // namespace pivotscope
