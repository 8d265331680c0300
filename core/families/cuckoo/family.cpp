// The family `cuckoo` as the program knows it: a hash table of buckets whose entries move, method HT+CUCKOO.
#include <fmt/format.h>

#include <algorithm>

#include "core/families/cuckoo/cuckoo.hpp"
#include "core/families/cuckoo/cuckoo_model.hpp"
#include "core/families/cuckoo/hot_configs.hpp"
#include "core/families/cuckoo/pseudo_code.hpp"
#include "core/families/cuckoo/tight_starts.hpp"
#include "core/families/cuckoo/words.hpp"
#include "core/index/family.hpp"
#include "core/index/lookup_trace.hpp"
#include "core/index/table_knobs.hpp"

namespace pivotscope {

extern const host_code cuckoo_host_code;  // host.cpp
extern const trace_code cuckoo_trace_code;

namespace {

static_assert(cuckoo::entries == main_region);

constexpr build_pass passes[] = {
    {"empty cells", "emptying cells", "empty_cells", host_items<cuckoo, cuckoo::empty_cells>},
    {"insert keys", "inserting keys", "insert_keys", host_items<cuckoo, cuckoo::insert_keys, cuckoo_hot_configs>},
    {"clean up", "cleaning up", "insert_live", host_items<cuckoo, cuckoo::insert_live, cuckoo_hot_configs>}};
constexpr const build_pass &empty_cells = passes[0], &insert_keys = passes[1], &cleaning_up = passes[2];

// The same kernel under another name: live entries go into another table.
constexpr build_pass moving(std::string_view stage, std::string_view doing) {
  build_pass pass = passes[2];
  pass.stage = stage, pass.doing = doing;
  return pass;
}
constexpr build_pass growing = moving("grow", "growing the table");
constexpr build_pass rehashing = moving("rehash", "rehashing the table");
constexpr build_pass rebuilding = moving("rebuild", "rebuilding the table");

constexpr node_knob bucket_knob{"bucket", 1, most_bucket};

constexpr std::string_view placement_words[] = {"evict", "lighter", "iceberg"};  // cuckoo_placement

std::string explain_placement(std::string_view value) {
  if (value == "evict")
    return "Into its first home with an empty cell. Where all are full an entry moves to another of its own: tables "
           "get "
           "fullest, and most keys lie in their first home.";
  if (value == "lighter")
    return "Into the home with the fewest taken cells. No entry moves, and a miss looks at all homes.";
  return "Into its first home until four fifths of its cells are taken, then into the one of the others with the "
         "fewest. "
         "No entry moves, and most keys lie in their first home.";
}

std::string explain_grow(std::string_view value) {
  return value == "on"
             ? "A table without room moves into one of twice the buckets, or of as many as the inserts need."
             : "A table keeps its buckets: inserts that find no room, with no seed of the hashes, are refused.";
}

class cuckoo_family_type final : public family {
 public:
  family_id id() const override { return cuckoo_id; }
  std::string_view name() const override { return "cuckoo"; }
  std::string_view sentence() const override {
    return "A hash table: a key lies in one of a few buckets, and moves to another of them to make room.";
  }
  std::string_view source() const override { return "BGHT, CUDPP and DyCuckoo, which the papers measure against"; }

  std::string_view lacks(operation kind) const override {
    return kind == operation::range || answer_of(kind) == answer_kind::next ? "has no order" : "";
  }
  bool keeps_duplicates(const index_config&) const override { return false; }

  std::span<const method> methods() const override {
    static const method list[] = {
        {"HT+CUCKOO",
         "A cuckoo hash table: each key has a few homes, buckets that a group of lanes looks at together. Where all "
         "are "
         "full an insert moves entries to other homes of theirs. It changes in place: inserts, erases and lookups by "
         "thousands of threads at once."}};
    return list;
  }
  std::span<const preset> presets() const override {
    static const preset list[] = {
        {"BCHT 16", "HT+CUCKOO lanes=16 bucket=16 homes=3 stash=0",
         "Sixteen lanes look at a bucket of sixteen cells, and three hashes lead to it: BGHT's bucketed cuckoo table."},
        {"BCHT 8", "HT+CUCKOO lanes=8 bucket=8 homes=3 stash=0", "The same with buckets of eight, a cell a lane."},
        {"CUDPP", "HT+CUCKOO lanes=1 bucket=1 homes=4 stash=64",
         "Four hashes, a cell each, and a stash of cells that a fifth hash leads to: CUDPP's cuckoo table, at a load "
         "of 80."},
        {"DyCuckoo", "HT+CUCKOO lanes=16 bucket=16 homes=2 layout=soa",
         "Two hashes, keys and row ids apart, sixteen of each: buckets as DyCuckoo has them."},
        {"P2BHT", "HT+CUCKOO lanes=32 bucket=32 homes=2 stash=0 placement=lighter",
         "A key goes into the emptier of two buckets, and stays there: BGHT's table of two choices."},
        {"IHT", "HT+CUCKOO lanes=32 bucket=32 homes=3 stash=0 placement=iceberg",
         "A key goes into its first bucket until 25 of 32 cells are taken, and then into the emptier of two others: "
         "BGHT's iceberg table."}};
    return list;
  }
  std::vector<axis> axes() const override {
    std::vector<axis> list = {
        common_axis("keys"),
        {"lanes",
         "Lanes a lookup",
         "Threads that look at a bucket together, 1 to 32, a power of two.",
         {"1", "2", "4", "8", "16", "32"},
         std::pair{1u, 32u},
         get_knob<0>,
         set_knob<0>,
         no_explanation},
        {"bucket",
         "Cells of a bucket",
         "Cells that a step looks at, a power of two: 1 to 8 for each lane, which loads 16 bytes at a time.",
         {"1", "2", "4", "8", "16", "32"},
         std::pair{1u, most_bucket},
         get_knob<1>,
         set_knob<1>,
         no_explanation},
        {"homes",
         "Homes of a key",
         "Hash functions: buckets in which a key may lie. More of them let the table be fuller, and a miss look at "
         "more.",
         {"1", "2", "3", "4"},
         std::pair{1u, most_homes},
         get_knob<2>,
         set_knob<2>,
         no_explanation},
        {"load",
         "Load",
         "Keys of a hundred cells: a fuller table is smaller, and its inserts move more entries.",
         {"40", "60", "80", "90", "95"},
         std::pair{least_cuckoo_load, most_cuckoo_load},
         get_knob<3>,
         set_knob<3>,
         no_explanation},
        layout_axis<4>(),
        {"stash",
         "Buckets of the stash",
         "Buckets behind the table, for keys that find no room in their homes.",
         {"0", "1", "4", "16", "64"},
         std::pair{0u, most_stash},
         get_knob<5>,
         set_knob<5>,
         no_explanation},
        {"walk",
         "Walk",
         "Buckets that an insert looks at for room, where its homes are full, before it gives up.",
         {"8", "64", "256", "1024"},
         std::pair{1u, most_walk},
         get_knob<6>,
         set_knob<6>,
         no_explanation},
        room_axis<7>("Keys that there are buckets for where it is built from fewer: so many can come in later."),
        named_axis<8, off_on>("grow", "Growth", "Whether the table gets more buckets when inserts find no room.",
                              explain_grow),
        named_axis<9, placement_words>("placement", "Placement", "Into which of its homes a new key goes.",
                                       explain_placement)};
    for (const char* name : {"threads", "per_thread", "schedule", "blocks_per_sm", "reorder"})
      list.push_back(common_axis(name));
    return list;
  }
  index_config standard() const override { return cuckoo_config{}; }
  // The load is the standard's. On a GPU two lanes load what one access of memory brings; on a CPU a bucket is a line.
  index_config named(const named_for& what) const override {
    cuckoo_config c{.keys = what.width};
    c.bucket = 64 / (2 * key_bytes(what.width));
    c.lanes = what.machine == machine_kind::cpu ? 1 : 2;
    return c;
  }
  std::string_view knob_beside_name() const override { return "lanes"; }
  std::optional<std::string> check(const index_config& config) const override {
    const cuckoo_config c = cuckoo_config::of(config);
    if (auto refused = check_node(bucket_knob, c.bucket, c.lanes)) return refused;
    if (c.homes < 1 || c.homes > most_homes) return fmt::format("homes={} is outside 1 to {}", c.homes, most_homes);
    if (c.stash > most_stash) return fmt::format("stash={} is more than {} buckets", c.stash, most_stash);
    if (c.walk < 1 || c.walk > most_walk) return fmt::format("walk={} is outside 1 to {} buckets", c.walk, most_walk);
    if (c.load < least_cuckoo_load || c.load > most_cuckoo_load)
      return fmt::format("load={} is outside {} to {} keys of a hundred cells", c.load, least_cuckoo_load,
                         most_cuckoo_load);
    if (auto refused = check_placement(c)) return refused;
    const u32 most = greatest_load(c);
    if (most == 0)
      return fmt::format("homes=1 bucket={}: with one home a key has no other, and buckets need 16 cells or more",
                         c.bucket);
    if (c.load > most)
      return fmt::format("load={} is more than {}, beyond which homes={} bucket={}{} would not find room for all keys",
                         c.load, most, c.homes, c.bucket,
                         evicts(c) ? std::string() : fmt::format(" placement={}", name_of(c.placement)));
    return check_room(c.room);
  }
  void accept(index_config& config, std::string_view keep) const override {
    cuckoo_config c = cuckoo_config::of(config);
    c.homes = std::clamp(c.homes, 1u, most_homes);
    accept_node(bucket_knob, c.bucket, c.lanes, keep);
    c.load = std::clamp(c.load, least_cuckoo_load, most_cuckoo_load);
    accept_placement(c, keep);
    // One home needs large buckets, and small loads.
    if (greatest_load(c) == 0) {
      if (keep == "homes") {
        c.bucket = 16, accept_node(bucket_knob, c.bucket, c.lanes, "bucket");
      } else {
        c.homes = 2;
      }
    }
    if (c.load > greatest_load(c)) {
      if (keep == "load") {
        while (c.homes < most_homes && c.load > greatest_load(c)) ++c.homes;
        while (c.load > greatest_load(c)) c.bucket *= 2, accept_node(bucket_knob, c.bucket, c.lanes, "bucket");
      } else {
        c.load = greatest_load(c);
      }
    }
    c.stash = std::min(c.stash, most_stash);
    c.walk = std::clamp(c.walk, 1u, most_walk);
    c.room = static_cast<u32>(std::min<u64>(c.room, table_most_keys));
    config = c;
  }
  bool sorted_input() const override { return false; }
  u64 most_keys(const index_config& config) const override { return cuckoo_keys_at_most(cuckoo_config::of(config)); }

  u32 lanes(const index_config& config) const override { return cuckoo_config::of(config).lanes; }
  u32 lookups_in_flight(const index_config& config) const override { return group_threads(config); }
  index_config for_build(const index_config& config) const override {
    cuckoo_config c = as_compiled(cuckoo::for_writes(cuckoo_config::of(config)));
    c.launch = {};
    return c;
  }
  index_config config_as_compiled_for(const index_config& config, operation) const override {
    return as_compiled(cuckoo_config::of(config));
  }

  outcome<state_bytes> build(executor& on, const index_config& config) const override {
    const cuckoo_config c = cuckoo_config::of(config);
    const cuckoo_view table = cuckoo_table(c, cuckoo_buckets(c, on.keys()), 0);
    if (auto s = on.allocate(model_over(c, table)->region_list()); !s) return s.error();
    return fill(on, c, table, insert_keys, on.keys());
  }

  // Grows the table where its inserts would look for room in vain too often, or cleans it up where that is worth it. Where inserts were refused: another seed of the hash
  // functions, and, after a few of these, more buckets.
  outcome<state_bytes> make_room(executor& on, const index_config& config, const state_bytes& state,
                                 const room_wanted& wanted) const override {
    const cuckoo_config c = cuckoo_config::of(config);
    cuckoo_view table = state.as<cuckoo_view>();
    const u64 cells = u64{table.buckets} * c.bucket, erased = table.used - table.live;
    const u64 live = std::min(cuckoo_keys_at_most(c), table.live + wanted.inserts);
    const bool fits = live * 100 <= cells * greatest_load(c);
    const bool worth_cleaning = erased > 0 && erased >= cells / 8;
    if (!wanted.refused) {
      table.rehashed = 0;
      if (c.grow == cuckoo_growth::on && looks_in_vain(c, table, wanted.inserts) > most_looks_in_vain)
        return grow(on, c, table, live);
      if (wanted.inserts > 0 && worth_cleaning && (table.used + wanted.inserts) * 100 > cells * c.load)
        return move_live(on, c, table, cuckoo_table(c, table.buckets, table.seed), cleaning_up);
      return state_bytes(table);
    }
    if (c.grow == cuckoo_growth::on && (!fits || table.rehashed >= seeds_tried)) return grow(on, c, table, live);
    if ((!fits && erased == 0) || table.rehashed >= seeds_tried) return state;
    cuckoo_view to = cuckoo_table(c, table.buckets, table.seed + 1);
    to.rehashed = table.rehashed + 1;
    return move_live(on, c, table, to, rehashing);
  }
  outcome<state_bytes> after(executor& on, const index_config&, const state_bytes& state,
                             const write_counts& counts) const override {
    cuckoo_view table = state.as<cuckoo_view>();
    if (auto s = read_counters(on, table); !s) return s.error();
    table.live += counts.added + counts.revived - counts.erased;
    table.used += counts.added;
    return state_bytes(table);
  }
  std::vector<tight_start> tight_starts(const index_config& config) const override {
    const cuckoo_config c = cuckoo_config::of(config);
    return evicts(c) ? tight_homes(c) : tight_loads(c);
  }

  // The table keeps its buckets: after a clear, most users fill it again.
  outcome<state_bytes> clear(executor& on, const index_config& config, const state_bytes& state) const override {
    const cuckoo_view was = state.as<cuckoo_view>();
    const cuckoo_config c = cuckoo_config::of(config);
    const cuckoo_view table = cuckoo_table(c, was.buckets, was.seed);
    if (auto s = empty(on, c, table); !s) return s.error();
    return state_bytes(table);
  }
  outcome<state_bytes> rebuild(executor& on, const index_config& config, const state_bytes& state) const override {
    const cuckoo_config c = cuckoo_config::of(config);
    const cuckoo_view table = state.as<cuckoo_view>();
    return move_live(on, c, table, cuckoo_table(c, cuckoo_buckets(c, table.live), 0), rebuilding);
  }

  std::shared_ptr<const index_model> model(const index_config& config, u64 keys) const override {
    const cuckoo_config c = cuckoo_config::of(config);
    cuckoo_view table = cuckoo_table(c, cuckoo_buckets(c, keys), 0);
    table.live = table.used = keys;
    return model_over(c, table);
  }
  std::shared_ptr<const index_model> model_of(const stored_index& index) const override {
    return model_over(cuckoo_config::of(index.config()), index.state_as<cuckoo_view>());
  }
  pseudo_code pseudo_code_of(const index_config& config, operation kind) const override {
    return cuckoo_pseudo_code(cuckoo_config::of(config), kind);
  }
  void tell(lookup_trace& trace, const stored_index& index) const override {
    tell_homes(trace, index.state_as<cuckoo_view>());
  }

  const host_code& on_host() const override { return cuckoo_host_code; }
  const trace_code& on_trace() const override { return cuckoo_trace_code; }
  device_code on_device() const override { return {"core/families/cuckoo/cuckoo.hpp", "cuckoo", passes}; }

  void add_candidates(const candidate_question& question, std::vector<index_config>& list) const override {
    if (question.ascending || question.smallest) return;
    if (!serves(question.asked)) return;
    if (question.keys > cuckoo_keys_at_most({.keys = question.width})) return;
    for (const u32 lanes : {1u, 2u}) list.push_back(cuckoo_config{.keys = question.width, .lanes = lanes});
  }

 private:
  static constexpr u32 seeds_tried = 4;  // of a table, before it gets more buckets

  // What a kernel does not look at, as it is in the standard config.
  static cuckoo_config as_compiled(cuckoo_config c) {
    c.load = std::min(cuckoo_config{}.load, greatest_load(c)), c.room = 0, c.grow = cuckoo_growth::on;
    if (!evicts(c)) c.walk = cuckoo_config{}.walk;
    return c;
  }

  static std::string_view name_of(cuckoo_placement placement) { return placement_words[static_cast<u32>(placement)]; }
  // The smallest bucket that fills evenly enough.
  static u32 smallest_bucket(cuckoo_config c) {
    for (c.bucket = 1; c.bucket < most_bucket && greatest_load(c) == 0;) c.bucket *= 2;
    return c.bucket;
  }
  // Without evictions there must be a choice of homes, and buckets must fill evenly.
  static std::optional<std::string> check_placement(const cuckoo_config& c) {
    if (evicts(c)) return std::nullopt;
    if (c.homes < 2)
      return fmt::format("homes=1 placement={}: with one home there is no other to choose", name_of(c.placement));
    if (greatest_load(c) > 0) return std::nullopt;
    return fmt::format(
        "bucket={} homes={} placement={}: without evictions buckets so small fill too unevenly; {} cells are enough",
        c.bucket, c.homes, name_of(c.placement), smallest_bucket(c));
  }
  // What is to be kept decides whether the placement gives way, or what it does not go with.
  static void accept_placement(cuckoo_config& c, std::string_view keep) {
    c.placement = std::min(c.placement, cuckoo_placement::iceberg);
    if (evicts(c)) return;
    cuckoo_config fullest = c;
    fullest.homes = most_homes, fullest.bucket = most_bucket;
    const u32 homes = std::max(2u, c.homes);
    const u32 smallest = smallest_bucket({.homes = homes, .placement = c.placement});
    const bool gives_way = (keep == "homes" && c.homes < homes) || (keep == "bucket" && c.bucket < smallest) ||
                           (keep == "load" && c.load > greatest_load(fullest));
    if (gives_way) {
      c.placement = cuckoo_placement::evict;
      return;
    }
    c.homes = homes;
    if (c.bucket < smallest) c.bucket = smallest, accept_node(bucket_knob, c.bucket, c.lanes, "bucket");
  }

  // Buckets that inserts may look at in vain before the table grows ahead of them: about as long as a small rehash.
  static constexpr u64 most_looks_in_vain = 1 << 20;

  // Returns how many buckets a batch looks at for inserts that find no room, if all its keys are new.
  static u64 looks_in_vain(const cuckoo_config& c, const cuckoo_view& table, u64 inserts) {
    const u64 room = u64{table.buckets} * c.bucket * greatest_load(c) / 100, wanted = table.live + inserts;
    return wanted <= room ? 0 : (wanted - room) * (evicts(c) ? c.walk : c.homes);
  }
  static std::shared_ptr<const cuckoo_model> model_over(const cuckoo_config& config, const cuckoo_view& table) {
    return std::make_shared<const cuckoo_model>(config, table);
  }
  static status empty(executor& on, const cuckoo_config& c, const cuckoo_view& table) {
    const u64 cells = (u64{table.buckets} + c.stash) * c.bucket;
    const auto done = on.run(empty_cells, std::max<u64>({cells, table.moves, cuckoo_counters}), state_bytes(table));
    return done ? fine() : status(done.error());
  }
  static status resize(executor& on, const cuckoo_config& c, const cuckoo_view& table) {
    const std::vector<index_region> list = model_over(c, table)->region_list();
    for (std::size_t r = 0; r < list.size(); ++r)
      if (auto s = on.resize(static_cast<region_id>(r), list[r].cells); !s) return s;
    return fine();
  }
  // Takes over what a pass or a batch did to the counters.
  static status read_counters(executor& on, cuckoo_view& table) {
    u32 counters[cuckoo_counters];
    if (auto s = on.read(cuckoo_region::counters, 0, std::as_writable_bytes(std::span(counters))); !s) return s;
    table.stashed = counters[counter_stashed], table.refused = counters[counter_refused];
    return fine();
  }
  // Puts what the pass inserts into a table that has been allocated. Where some found no room: all again with another
  // seed, and with more buckets after a few of these.
  static outcome<state_bytes> fill(executor& on, const cuckoo_config& c, cuckoo_view table, const build_pass& pass,
                                   u64 items) {
    for (u32 tried = 1;; ++tried) {
      if (auto s = empty(on, c, table); !s) return s.error();
      const auto added = on.run(pass, items, state_bytes(table));
      if (!added) return added.error();
      table.live = table.used = *added;
      if (auto s = read_counters(on, table); !s) return s.error();
      if (table.refused == 0) return state_bytes(table);
      const u32 buckets = tried % seeds_tried == 0 ? larger(table.buckets) : table.buckets;
      const bool grows = buckets != table.buckets;
      table = with_rehashed(cuckoo_table(c, buckets, table.seed + 1), table.rehashed);
      if (!grows) continue;
      if (auto s = resize(on, c, table); !s) return s.error();
    }
  }
  static u32 larger(u32 buckets) {
    return static_cast<u32>(std::min<u64>(~0u - most_stash, u64{buckets} + buckets / 8 + 1));
  }
  static cuckoo_view with_rehashed(cuckoo_view table, u32 times) {
    table.rehashed = times;
    return table;
  }
  // Moves the live entries into another table.
  static outcome<state_bytes> move_live(executor& on, const cuckoo_config& c, const cuckoo_view& from,
                                        const cuckoo_view& to, const build_pass& pass) {
    if (auto s = on.allocate(model_over(c, to)->region_list()); !s) return s.error();
    return fill(on, c, to, pass, (u64{from.buckets} + c.stash) * c.bucket);
  }
  static outcome<state_bytes> grow(executor& on, const cuckoo_config& c, const cuckoo_view& table, u64 live) {
    const u64 most = ~0u - most_stash;
    const u32 buckets =
        static_cast<u32>(std::min(most, std::max<u64>(2 * u64{table.buckets}, cuckoo_buckets(c, live))));
    if (buckets == table.buckets) return state_bytes(table);
    auto grown = move_live(on, c, table, cuckoo_table(c, buckets, table.seed), growing);
    if (grown || grown.error().cancelled) return grown;
    return problem{
        fmt::format("the table has no room, and cannot grow from {} to {} buckets: {}. Nothing of this batch "
                    "went in; insert fewer keys, or take grow=off for as many as fit",
                    table.buckets, buckets, grown.error().words)};
  }
};

}  // namespace

const family& cuckoo_family() {
  static const cuckoo_family_type the_family;
  return the_family;
}

}  // namespace pivotscope
