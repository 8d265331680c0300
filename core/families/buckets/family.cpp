// The family `buckets` as the program knows it: a hash table of buckets with chains of slabs, method HT+BUCKET.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/families/buckets/buckets.hpp"
#include "core/families/buckets/buckets_model.hpp"
#include "core/families/buckets/hot_configs.hpp"
#include "core/families/buckets/pool_size.hpp"
#include "core/families/buckets/pseudo_code.hpp"
#include "core/families/buckets/tight_starts.hpp"
#include "core/families/buckets/words.hpp"
#include "core/index/family.hpp"
#include "core/index/lookup_trace.hpp"
#include "core/index/table_knobs.hpp"

namespace pivotscope {

extern const host_code buckets_host_code;  // host.cpp
extern const trace_code buckets_trace_code;

namespace {

static_assert(buckets::entries == main_region);

constexpr build_pass passes[] = {
    {"empty cells", "emptying cells", "empty_cells", host_items<buckets, buckets::empty_cells>},
    {"list free slabs", "listing free slabs", "list_free", host_items<buckets, buckets::list_free>},
    {"insert keys", "inserting keys", "insert_keys", host_items<buckets, buckets::insert_keys, buckets_hot_configs>},
    {"grow", "growing the table", "insert_live", host_items<buckets, buckets::insert_live, buckets_hot_configs>},
    {"clean up", "cleaning up", "clean_up", host_items<buckets, buckets::clean_up>}};
constexpr const build_pass &empty_cells = passes[0], &list_free = passes[1], &insert_keys = passes[2],
                           &insert_live = passes[3], &clean_up = passes[4];

// The same kernel under another name.
constexpr build_pass as_rebuild() {
  build_pass pass = insert_live;
  pass.stage = "rebuild", pass.doing = "rebuilding the table";
  return pass;
}
constexpr build_pass rebuilding = as_rebuild();

constexpr node_knob slab_knob{"slab", least_slab, most_slab};

std::string explain_duplicates(std::string_view value) {
  return value == "on" ? "An insert of a key that is there adds another entry, and takes cells of erased ones at once."
                       : "A key has one entry: an insert of one that is there gives it another row id.";
}
std::string explain_grow(std::string_view value) {
  return value == "on"
             ? "The pool gets more slabs when a batch needs them, and the table more buckets beyond twice its "
               "load."
             : "The table keeps its slabs: inserts that find none free are refused.";
}

class buckets_family_type final : public family {
 public:
  family_id id() const override { return buckets_id; }
  std::string_view name() const override { return "buckets"; }
  std::string_view sentence() const override {
    return "A hash table: a key lies in the bucket that its hash leads to, which is a chain of slabs.";
  }
  std::string_view source() const override { return "SlabHash, which the papers measure against"; }

  std::string_view lacks(operation kind) const override {
    return kind == operation::range || answer_of(kind) == answer_kind::next ? "has no order" : "";
  }
  bool keeps_duplicates(const index_config& config) const override { return keeps_all(buckets_config::of(config)); }

  std::span<const method> methods() const override {
    static const method list[] = {
        {"HT+BUCKET",
         "A hash table of buckets: each is a chain of slabs, and a group of lanes looks at a slab together. A bucket "
         "that "
         "is full gets another slab from a pool. It changes in place: inserts and erases by thousands of threads at "
         "once, and it may keep duplicates."}};
    return list;
  }
  std::span<const preset> presets() const override {
    static const preset list[] = {
        {"SlabHash", "HT+BUCKET lanes=32 slab=32 layout=soa load=60",
         "A warp looks at a slab, a word a lane, and follows its link: SlabHash, at the load that its authors find "
         "best. "
         "Its slab of 128 bytes has 15 pairs side by side; a word a lane is here a slab of 31 keys, row ids apart."},
        {"SlabHash 100%", "HT+BUCKET lanes=16 slab=16 load=100",
         "Slabs of 15 entries in a line of 128 bytes, as many keys as the first slabs have cells: HT (buckets) of the "
         "papers."},
        {"SlabHash 150%", "HT+BUCKET lanes=16 slab=16 load=150",
         "The same with half as many keys again, so that most buckets have a second slab."}};
    return list;
  }
  std::vector<axis> axes() const override {
    std::vector<axis> list = {
        common_axis("keys"),
        {"lanes",
         "Lanes a lookup",
         "Threads that look at a slab together, 1 to 32, a power of two.",
         {"1", "2", "4", "8", "16", "32"},
         std::pair{1u, 32u},
         get_knob<0>,
         set_knob<0>,
         no_explanation},
        {"slab",
         "Cells of a slab",
         "Cells that a step looks at, a power of two: 1 to 8 for each lane, which loads 16 bytes at a time. The last "
         "one "
         "is the link to the next slab.",
         {"4", "8", "16", "32"},
         std::pair{least_slab, most_slab},
         get_knob<1>,
         set_knob<1>,
         no_explanation},
        {"load",
         "Load",
         "Keys to a hundred cells of the buckets' first slabs. Beyond a hundred most buckets are chains of several "
         "slabs.",
         {"50", "75", "100", "150", "200"},
         std::pair{least_bucket_load, most_bucket_load},
         get_knob<2>,
         set_knob<2>,
         no_explanation},
        layout_axis<3>(),
        named_axis<4, off_on>("duplicates", "Duplicates", "Whether several entries with one key are all kept.",
                              explain_duplicates),
        room_axis<5>("Keys that there are buckets for where it is built from fewer: so many can come in later."),
        named_axis<6, off_on>("grow", "Growth",
                              "Whether there are more slabs, and more buckets, when inserts need them.", explain_grow)};
    for (const char* name : {"threads", "per_thread", "schedule", "blocks_per_sm", "reorder"})
      list.push_back(common_axis(name));
    return list;
  }
  index_config standard() const override { return buckets_config{}; }
  // A slab of 64 bytes, which is one access of memory, with 32-bit keys, else of two. It has fewer entries to a link, and a
  // higher load makes up for that: together they take 1.035 times the standard's bytes (docs/buckets.md).
  index_config named(const named_for& what) const override {
    buckets_config c{.keys = what.width, .slab = 8, .load = 115};
    if (what.machine == machine_kind::cpu) {
      c.lanes = 1;
      return c;
    }
    c.lanes = what.width == key_width::u32 ? 2 : 4;
    const double table_bytes = static_cast<double>(what.keys) * 100 / c.load * 2 * key_bytes(what.width);
    if (table_bytes <= static_cast<double>(what.cache_bytes)) c.launch.per_thread = 4;
    return c;
  }
  std::string_view knob_beside_name() const override { return "lanes"; }
  std::optional<std::string> check(const index_config& config) const override {
    const buckets_config c = buckets_config::of(config);
    if (auto refused = check_node(slab_knob, c.slab, c.lanes)) return refused;
    if (c.load < least_bucket_load || c.load > most_bucket_load)
      return fmt::format("load={} is outside {} to {} keys to a hundred cells", c.load, least_bucket_load,
                         most_bucket_load);
    return check_room(c.room);
  }
  void accept(index_config& config, std::string_view keep) const override {
    buckets_config c = buckets_config::of(config);
    accept_node(slab_knob, c.slab, c.lanes, keep);
    c.load = std::clamp(c.load, least_bucket_load, most_bucket_load);
    c.room = static_cast<u32>(std::min<u64>(c.room, table_most_keys));
    config = c;
  }
  std::optional<std::string> caution(const index_config& config) const override {
    const buckets_config c = buckets_config::of(config);
    if (keeps_all(c)) return "entries with one key are one chain: with many of them it is long";
    if (c.load <= 200) return std::nullopt;
    return fmt::format("at a load of {} a key that is not there is looked for in some {} slabs", c.load,
                       ceil_div(c.load, 100u));
  }
  // Keys that are all equal are one chain, which every insert of a table that keeps them goes through.
  u64 sensible_keys(const index_config& config) const override {
    return keeps_all(buckets_config::of(config)) ? 1u << 14 : table_most_keys;
  }
  bool sorted_input() const override { return false; }
  u64 most_keys(const index_config&) const override { return table_most_keys; }

  u32 lanes(const index_config& config) const override { return buckets_config::of(config).lanes; }
  u32 lookups_in_flight(const index_config& config) const override { return group_threads(config); }
  index_config for_build(const index_config& config) const override {
    buckets_config c = buckets::for_writes(buckets_config::of(config));
    c.load = 100, c.room = 0, c.grow = pool_growth::on, c.launch = {};
    return c;
  }
  index_config config_as_compiled_for(const index_config& config, operation) const override {
    buckets_config c = buckets_config::of(config);
    c.load = 100, c.room = 0, c.grow = pool_growth::on;
    return c;
  }

  outcome<state_bytes> build(executor& on, const index_config& config) const override {
    const buckets_config c = buckets_config::of(config);
    const u64 keys = on.keys(), likely_keys = std::max<u64>(keys, c.room);
    buckets_view table{.buckets = buckets_for(c, keys)};
    table.slabs = slabs_of(table.buckets, slabs_likely(c, table.buckets, likely_keys));
    if (auto s = on.allocate(model_over(c, table)->region_list()); !s) return s.error();
    return fill(on, c, table, likely_keys, insert_keys, keys);
  }

  // Cleans up where that is worth it, or gives free slabs to a batch that found none; then, if there may be more slabs,
  // sees to it that the batch finds enough of them, or moves the entries into more buckets.
  outcome<state_bytes> make_room(executor& on, const index_config& config, const state_bytes& state,
                                 const room_wanted& wanted) const override {
    const buckets_config c = buckets_config::of(config);
    buckets_view table = state.as<buckets_view>();
    const u64 erased = table.used - table.live, live = table.live + wanted.inserts;
    const bool grows = c.grow == pool_growth::on && wanted.inserts > 0;
    if (grows && live * 100 > 2 * slots_of(c, table) * c.load)
      return move_live(on, c, table, std::min(table_most_keys, live), insert_live);
    const bool worth_cleaning = erased >= std::max(table.used / 8, least_worth_cleaning);
    if (wanted.inserts > 0 && erased > 0 && (wanted.refused || worth_cleaning)) {
      if (auto s = tidy(on, table); !s) return s.error();
      if (wanted.refused) return state_bytes(table);
    }
    if (!grows) return state_bytes(table);
    // Inserts that were refused may all have been into full chains of different buckets.
    const u64 needed = wanted.refused ? std::min<u64>(wanted.inserts, table.buckets) + slabs_at_most(c, wanted.inserts)
                                      : more_slabs_likely(c, table, live);
    if (needed <= table.left()) return state_bytes(table);
    return enlarge_pool(on, c, table, needed - table.left());
  }
  outcome<state_bytes> after(executor& on, const index_config&, const state_bytes& state,
                             const write_counts& counts) const override {
    buckets_view table = state.as<buckets_view>();
    const u32 more = table.more;
    if (const auto asked = read_counters(on, table); !asked) return asked.error();
    table.live += counts.added + counts.revived - counts.erased - (table.more - more);
    table.used += counts.added;
    return state_bytes(table);
  }
  std::vector<tight_start> tight_starts(const index_config& config) const override {
    return tight_chains(buckets_config::of(config));
  }

  // The table keeps its slabs: after a clear, most users fill it again.
  outcome<state_bytes> clear(executor& on, const index_config& config, const state_bytes& state) const override {
    const buckets_view was = state.as<buckets_view>();
    buckets_view table{.buckets = was.buckets, .slabs = was.slabs};
    if (auto s = empty_from(on, buckets_config::of(config), table, 0); !s) return s.error();
    if (auto s = list_pool(on, table); !s) return s.error();
    return state_bytes(table);
  }
  outcome<state_bytes> rebuild(executor& on, const index_config& config, const state_bytes& state) const override {
    const buckets_view& table = state.as<buckets_view>();
    return move_live(on, buckets_config::of(config), table, table.live, rebuilding);
  }

  std::shared_ptr<const index_model> model(const index_config& config, u64 keys) const override {
    const buckets_config c = buckets_config::of(config);
    buckets_view table{.live = keys, .used = keys, .buckets = buckets_for(c, keys)};
    table.slabs = slabs_of(table.buckets, slabs_likely(c, table.buckets, std::max<u64>(keys, c.room)));
    return model_over(c, table);
  }
  std::shared_ptr<const index_model> model_of(const stored_index& index) const override {
    return model_over(buckets_config::of(index.config()), index.state_as<buckets_view>());
  }
  pseudo_code pseudo_code_of(const index_config& config, operation kind) const override {
    return buckets_pseudo_code(buckets_config::of(config), kind);
  }
  void tell(lookup_trace& trace, const stored_index& index) const override { tell_chain(trace, index); }

  const host_code& on_host() const override { return buckets_host_code; }
  const trace_code& on_trace() const override { return buckets_trace_code; }
  device_code on_device() const override { return {"core/families/buckets/buckets.hpp", "buckets", passes}; }

  void add_candidates(const candidate_question& question, std::vector<index_config>& list) const override {
    if (question.ascending || question.smallest) return;
    if (!serves(question.asked)) return;
    if (question.keys > table_most_keys) return;
    for (const u32 lanes : {2u, 4u}) list.push_back(buckets_config{.keys = question.width, .lanes = lanes});
  }

 private:
  static constexpr u64 least_worth_cleaning = 64;  // erased cells

  static u32 slabs_of(u32 buckets, u64 in_pool) { return static_cast<u32>(buckets + in_pool); }
  static u64 slots_of(const buckets_config& c, const buckets_view& table) { return u64{table.buckets} * link_cell(c); }
  // Returns how many more slabs the table is likely to need until it holds so many keys.
  static u64 more_slabs_likely(const buckets_config& c, const buckets_view& table, u64 keys) {
    const u64 in_use = table.in_pool() - table.left(), likely = slabs_likely(c, table.buckets, keys);
    return likely > in_use ? likely - in_use : 0;
  }

  static std::shared_ptr<const buckets_model> model_over(const buckets_config& config, const buckets_view& table) {
    return std::make_shared<const buckets_model>(config, table);
  }
  static status resize(executor& on, const buckets_config& c, const buckets_view& table) {
    const std::vector<index_region> list = model_over(c, table)->region_list();
    for (std::size_t r = 0; r < list.size(); ++r)
      if (auto s = on.resize(static_cast<region_id>(r), list[r].cells); !s) return s;
    return fine();
  }
  // Empties the slabs from number `first` on.
  static status empty_from(executor& on, const buckets_config& c, const buckets_view& table, u32 first) {
    buckets_view those = table;
    those.first_new = u64{first} * c.slab;
    const auto done = on.run(empty_cells, u64{table.slabs - first} * c.slab, state_bytes(those));
    return done ? fine() : status(done.error());
  }
  // Lists the free slabs of the pool anew.
  static status list_pool(executor& on, buckets_view& table) {
    const auto listed = on.run(list_free, table.in_pool(), state_bytes(table));
    if (!listed) return listed.error();
    table.free_begin = 0, table.free_end = static_cast<u32>(*listed);
    table.taken += table.free_end;
    return fine();
  }
  // Takes over what the batch did to the pool's counters. Returns true if it asked for more slabs than there were.
  static outcome<bool> read_counters(executor& on, buckets_view& table) {
    u32 counters[2];
    if (auto s = on.read(buckets_region::pool, 0, std::as_writable_bytes(std::span(counters))); !s) return s.error();
    const u32 asked = counters[pool_taken] - table.taken;
    const bool short_of = asked > table.left();
    table.free_begin += std::min(asked, table.left());
    table.taken = counters[pool_taken], table.more = counters[pool_more];
    return short_of;
  }
  static status tidy(executor& on, buckets_view& table) {
    if (const auto done = on.run(clean_up, table.buckets, state_bytes(table)); !done) return done.error();
    table.used = table.live;
    return list_pool(on, table);
  }
  static outcome<state_bytes> enlarge_pool(executor& on, const buckets_config& c, buckets_view table, u64 by) {
    constexpr u64 most_slabs = 0xFFFFFF00u;  // numbers above it are what else a link says
    const u32 before = table.slabs;
    // By an eighth at least, so that many small batches do not enlarge it one by one.
    table.slabs = static_cast<u32>(std::min(most_slabs, before + std::max<u64>(by, table.in_pool() / 8)));
    if (table.slabs == before) return state_bytes(table);
    if (auto s = resize(on, c, table); !s)
      return problem{
          fmt::format("the table has no room, and its pool cannot grow from {} to {} slabs: {}. Nothing of this "
                      "batch went in; insert fewer keys, or take grow=off for as many as fit",
                      before - table.buckets, table.in_pool(), s.error().words)};
    if (auto s = empty_from(on, c, table, before); !s) return s.error();
    if (auto s = list_pool(on, table); !s) return s.error();
    return state_bytes(table);
  }
  // Puts what the pass inserts into a table that has been allocated, for so many keys. Keys that chance would not share out
  // so need more slabs than are likely: once more, with as many as there can be.
  static outcome<state_bytes> fill(executor& on, const buckets_config& c, buckets_view table, u64 keys,
                                   const build_pass& pass, u64 items) {
    for (;;) {
      if (auto s = empty_from(on, c, table, 0); !s) return s.error();
      if (auto s = list_pool(on, table); !s) return s.error();
      const auto added = on.run(pass, items, state_bytes(table));
      if (!added) return added.error();
      table.live = table.used = *added;
      const auto short_of = read_counters(on, table);
      if (!short_of) return short_of.error();
      if (!*short_of) return state_bytes(table);
      table = {.buckets = table.buckets, .slabs = slabs_of(table.buckets, slabs_at_most(c, keys))};
      if (auto s = resize(on, c, table); !s) return s.error();
    }
  }
  // Moves the live entries into a table for so many keys.
  static outcome<state_bytes> move_live(executor& on, const buckets_config& c, const buckets_view& from, u64 keys,
                                        const build_pass& pass) {
    buckets_view to{.buckets = buckets_for(c, keys)};
    to.slabs = slabs_of(to.buckets, slabs_likely(c, to.buckets, keys));
    if (auto s = on.allocate(model_over(c, to)->region_list()); !s)
      return s.error().cancelled
                 ? s.error()
                 : problem{
                       fmt::format("the table has no room, and cannot grow from {} to {} buckets: {}. Nothing of this "
                                   "batch went in; insert fewer keys, or take grow=off for as many as fit",
                                   from.buckets, to.buckets, s.error().words)};
    return fill(on, c, to, keys, pass, u64{from.slabs} * c.slab);
  }
};

}  // namespace

const family& buckets_family() {
  static const buckets_family_type the_family;
  return the_family;
}

}  // namespace pivotscope
