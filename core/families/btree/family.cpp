// The family `btree` as the program knows it: a B-link tree, method BTREE.
#include <fmt/format.h>

#include <algorithm>

#include "core/families/btree/btree.hpp"
#include "core/families/btree/btree_model.hpp"
#include "core/families/btree/combined_update.hpp"
#include "core/families/btree/pass_table.hpp"
#include "core/families/btree/pseudo_code.hpp"
#include "core/families/btree/tight_starts.hpp"
#include "core/families/btree/tree_room.hpp"
#include "core/families/btree/words.hpp"
#include "core/index/family.hpp"
#include "core/index/table_knobs.hpp"

namespace pivotscope {

extern const host_code btree_host_code;  // host.cpp
extern const trace_code btree_trace_code;

namespace {

constexpr node_knob node_cells_knob{"node", least_node, most_node};
constexpr u64 most_btree_keys = 1ull << 30;

constexpr std::string_view batch_list[] = {"latched", "combined"};
constexpr std::string_view wait_list[] = {"restart", "spin", "backoff"};
constexpr std::string_view fence_list[] = {"on", "none"};
constexpr std::string_view latch_list[] = {"changed", "coupled"};
constexpr std::string_view l1_list[] = {"bypassed", "inner"};
constexpr std::string_view look_list[] = {"each", "ahead"};
constexpr value_names<write_batches> batch_names{batch_list};
constexpr value_names<latch_wait> wait_names{wait_list};
constexpr value_names<fence_use> fence_names{fence_list};
constexpr value_names<link_use> link_names{fence_list};
constexpr value_names<latch_use> latch_names{latch_list};
constexpr value_names<l1_use> l1_names{l1_list};
constexpr value_names<look_use> look_names{look_list};
std::string explain_duplicates(std::string_view value) {
  return value == "on" ? "An insert of a key that is there adds another entry, and an erase removes all."
                       : "A key has one entry: an insert of one that is there gives it another row id.";
}
template <auto Knob, const auto& Names>
std::string get_named(const index_config& c) {
  return Names.of(btree_config::of(c).*Knob);
}
template <auto Knob, const auto& Names>
bool set_named(index_config& c, std::string_view text) {
  btree_config config = btree_config::of(c);
  const bool known = Names.set(config.*Knob, text);
  c = config;
  return known;
}

class btree_family_type final : public family {
 public:
  family_id id() const override { return btree_id; }
  std::string_view name() const override { return "btree"; }
  std::string_view sentence() const override {
    return "A B-link tree: nodes of one or two cache lines, each with a link to its right sibling, so that it can be "
           "searched and changed at once.";
  }
  std::string_view source() const override { return "gpu-btree"; }

  bool keeps_duplicates(const index_config& config) const override { return keeps_all(btree_config::of(config)); }

  std::span<const method> methods() const override {
    static const method list[] = {{"BTREE",
                                   "A B-link tree: a group of lanes reads a node together, and a node leads to its "
                                   "right sibling as well as to its "
                                   "children. It changes in place, by thousands of groups at once; readers never wait. "
                                   "It keeps one entry a key, or all."}};
    return list;
  }
  std::span<const preset> presets() const override {
    static const preset list[] = {
        {"GPU B-Tree", "BTREE lanes=16 node=16 fill=53 l1=bypassed look=each",
         "Nodes of 15 pairs in a line of 128 bytes, 8 of them filled by the build, and a warp's lanes for a node: the "
         "paper's tree. It has a lane for a word, here a lane has a pair."}};
    return list;
  }
  std::vector<axis> axes() const override {
    std::vector<axis> list = {
        common_axis("keys"),
        {"lanes",
         "Lanes a lookup",
         "Threads that read a node together, 1 to 32, a power of two.",
         {"1", "2", "4", "8", "16", "32"},
         std::pair{1u, 32u},
         get_knob<0>,
         set_knob<0>,
         no_explanation},
        {"node",
         "Cells of a node",
         "Cells of a node, a power of two: 1 to 8 for each lane, which loads 16 bytes at a time. "
         "The last one is the link "
         "to the right sibling.",
         {"8", "16", "32"},
         std::pair{least_node, most_node},
         get_knob<1>,
         set_knob<1>,
         no_explanation},
        {"fill",
         "Fill",
         "Pairs of a hundred that the build puts into a node. What is left is for inserts.",
         {"50", "53", "70", "85", "100"},
         std::pair{least_fill, most_fill},
         get_knob<2>,
         set_knob<2>,
         no_explanation},
        layout_axis<3>(),
        {"writes", "Batches of writes",
         "latched: thousands of writes at once, each with latches of its own. combined: the batch is "
         "sorted, writes of one key are combined, and a leaf gets all of its writes together, "
         "without latches. Reads of the batch see the tree as it was.",
         batch_names.all(), std::nullopt, get_named<&btree_config::batch, batch_names>,
         set_named<&btree_config::batch, batch_names>, no_explanation},
        {"wait", "Wait for a latch",
         "What an insert does that finds a leaf's latch taken: begins again from the root "
         "(restart), tries again and again (spin), or pauses between (backoff). With combined "
         "batches there are no latches.",
         wait_names.all(), std::nullopt, get_named<&btree_config::wait, wait_names>,
         set_named<&btree_config::wait, wait_names>, no_explanation},
        {"fences",
         "Fences",
         "Whether writers order what they store, so that nobody sees a node before its content. "
         "Without fences a GPU's answers may be wrong.",
         {"on"},
         std::nullopt,
         get_named<&btree_config::fences, fence_names>,
         set_named<&btree_config::fences, fence_names>,
         no_explanation,
         {"none"}},
        {"links",
         "Links",
         "Whether a lookup that comes to a node left of its key's goes on by the node's link. It does where a node is "
         "half split. Without links it loses keys that are there.",
         {"on"},
         std::nullopt,
         get_named<&btree_config::links, link_names>,
         set_named<&btree_config::links, link_names>,
         no_explanation,
         {"none"}},
        {"latches", "Latches",
         "changed: a write latches the nodes that it changes. coupled: it latches each node on its way before it lets "
         "go of the one above, as trees without links do: all writes meet in the root.",
         latch_names.all(), std::nullopt, get_named<&btree_config::latches, latch_names>,
         set_named<&btree_config::latches, latch_names>, no_explanation},
        {"l1", "L1",
         "Whether the way down beside writers reads inner nodes through a GPU's L1, where they may be as they were "
         "before others wrote them. That is right: the links lead on. Who is sent back reads what is there now.",
         l1_names.all(), std::nullopt, get_named<&btree_config::l1, l1_names>, set_named<&btree_config::l1, l1_names>,
         no_explanation},
        {"look", "Look for leaves",
         "ahead: a batch first looks for the leaves of all its keys, as lookups do, and each operation begins at its "
         "own. each: every operation goes down from the root by itself, as in the paper, and as Trace and Interleave "
         "show it in any case.",
         look_names.all(), std::nullopt, get_named<&btree_config::look, look_names>,
         set_named<&btree_config::look, look_names>, no_explanation},
        named_axis<10, off_on>(
            "duplicates", "Duplicates",
            "Whether several entries with one key are all kept. Leaves of one key alone are a run then, "
            "which goes on by the links.",
            explain_duplicates),
        scratch_axis<12>(
            "Bytes of scratch that a block of threads keeps the first inner nodes in for lookups, from the root "
            "on; 0: none.")};
    for (const char* name : {"threads", "per_thread", "schedule", "blocks_per_sm", "reorder"})
      list.push_back(common_axis(name));
    return list;
  }
  index_config standard() const override { return btree_config{}; }
  std::optional<std::string> check(const index_config& config) const override {
    const btree_config c = btree_config::of(config);
    if (auto refused = check_node(node_cells_knob, c.node, c.lanes)) return refused;
    if (c.fill < least_fill || c.fill > most_fill)
      return fmt::format("fill={} is outside {} to {} pairs of a hundred", c.fill, least_fill, most_fill);
    if (auto why = check_scratch(c.scratch)) return why;
    if (c.scratch != 0 && c.layout == cell_layout::soa)
      return fmt::format("scratch={} needs layout=aos: with soa children do not lie beside their separators",
                         scratch_text(c.scratch));
    if (c.fences == fence_use::none && c.latches == latch_use::coupled)
      return "latches=coupled goes by what it read under its latches, and may go anywhere without fences: choose "
             "fences=on or latches=changed";
    if (keeps_all(c) && c.batch == write_batches::combined)
      return "writes=combined keeps one entry a key: choose duplicates=off or writes=latched";
    if (keeps_all(c) && c.latches == latch_use::coupled)
      return "latches=coupled keeps one entry a key: choose duplicates=off or latches=changed";
    return std::nullopt;
  }
  void accept(index_config& config, std::string_view keep) const override {
    btree_config c = btree_config::of(config);
    accept_node(node_cells_knob, c.node, c.lanes, keep);
    c.fill = std::clamp(c.fill, least_fill, most_fill), c.scratch = accept_scratch(c.scratch);
    if (c.scratch != 0 && c.layout == cell_layout::soa) {
      if (keep == "scratch")
        c.layout = cell_layout::aos;
      else
        c.scratch = 0;
    }
    if (c.latches == latch_use::coupled && c.fences == fence_use::none) {
      if (keep == "fences")
        c.latches = latch_use::changed;
      else
        c.fences = fence_use::on;
    }
    if (c.batch == write_batches::combined || c.latches == latch_use::coupled) {
      if (keep == "duplicates" && keeps_all(c))
        c.batch = write_batches::latched, c.latches = latch_use::changed;
      else
        c.duplicates = kept_duplicates::off;
    }
    config = c;
  }
  std::optional<std::string> caution(const index_config& config) const override {
    const btree_config c = btree_config::of(config);
    if (c.fences == fence_use::none)
      return "fences=none is wrong: on a GPU a reader may see a node before its content. It shows what fences cost";
    if (c.links == link_use::none)
      return "links=none is wrong: beside a split a lookup may lose a key that is there. It shows what links are for";
    return std::nullopt;
  }
  u64 sensible_keys(const index_config&) const override { return most_btree_keys; }
  u64 most_keys(const index_config&) const override { return most_btree_keys; }
  u32 lanes(const index_config& config) const override { return btree_config::of(config).lanes; }
  u32 pinned_bytes(const index_config& config) const override { return btree_config::of(config).scratch; }
  void pin_less(index_config& config) const override {
    btree_config c = btree_config::of(config);
    c.scratch = 0;
    config = c;
  }
  u32 lookups_in_flight(const index_config& config) const override { return group_threads(config); }
  u32 branching(const index_config& config) const override { return pairs_a_node(btree_config::of(config)); }
  index_config for_build(const index_config& config) const override {
    btree_config c = btree::for_writes(btree_config::of(config));
    c.fill = most_fill, c.launch = {}, c.batch = {}, c.look = {}, c.scratch = 0;
    return c;
  }
  index_config config_as_compiled_for(const index_config& config, operation) const override {
    btree_config c = btree_config::of(config);
    // A search that goes alone does not look at the knobs of writes.
    c.fill = most_fill, c.batch = {}, c.wait = {}, c.fences = {}, c.links = {}, c.latches = {}, c.l1 = {}, c.look = {};
    return c;
  }

  outcome<state_bytes> build(executor& on, const index_config& config) const override {
    const btree_config c = btree_config::of(config);
    btree_view tree = tree_over(c, on.keys());
    if (auto s = on.allocate(tree_regions(c, tree)); !s) return s.error();
    auto equal = build_leaves(on, c, tree, on.keys());
    if (!equal) return equal.error();
    if (keeps_all(c)) {
      if (on.key_range().second != greatest_key_of(c)) return finish(on, c, tree);
      if (auto s = gather(on, c, tree, btree_pass::keep_live, u64{tree.leaves} * c.node, on.keys()); !s)
        return s.error();
      return build_with_greatest(on, c, tree, on.keys());
    }
    if (*equal > 0) {
      // The leaves are in order; those of the keys that stay take their place.
      const u64 keys = on.keys() - *equal;
      if (auto s = gather(on, c, tree, btree_pass::keep_unique, u64{tree.leaves} * c.node, keys); !s) return s.error();
      equal = build_leaves(on, c, tree, keys);
      if (!equal) return equal.error();
    }
    return finish(on, c, tree);
  }

  outcome<state_bytes> make_room(executor& on, const index_config& config, const state_bytes& state,
                                 const room_wanted& wanted) const override {
    const btree_config c = btree_config::of(config);
    const btree_view& tree = state.as<btree_view>();
    if (wanted.inserts == 0) return state;
    // A split moves half a node, so the next one of either half is as many inserts away. Nodes that are full already are
    // split by the first insert: inserts that were refused may all be into such leaves.
    const u64 half = node_slots(c) - kept_by_split(c);
    // With duplicates a split may move a pair or none, so that each insert that was refused may need a leaf.
    const u64 at_most = keeps_all(c) ? wanted.inserts : tree.leaves;
    const u64 leaves = wanted.inserts / half + 1 + (wanted.refused ? std::min<u64>(wanted.inserts, at_most) : 0);
    const u64 inner = leaves / half + (wanted.refused ? std::min<u64>(leaves, tree.inner) : 0) + 2 * (tree.levels + 1);
    const u64 free_leaves = tree.leaf_room - tree.leaves, free_inner = tree.inner_room - tree.inner;
    if (free_leaves >= leaves && free_inner >= inner) return state;
    btree_view grown = tree;
    if (auto s = add_node_room(on, c, grown, leaves > free_leaves ? leaves - free_leaves : 0,
                               inner > free_inner ? inner - free_inner : 0);
        !s)
      return s.error();
    if (grown.leaf_room == tree.leaf_room && grown.inner_room == tree.inner_room) return state;
    // Inserts that found no room have moved them on.
    if (const auto done = on.run(pass_of(btree_pass::set_counters), pool_counters(c), state_bytes(grown)); !done)
      return done.error();
    return state_bytes(grown);
  }
  bool changes_by_batch(const index_config& config) const override {
    return btree_config::of(config).batch == write_batches::combined;
  }
  bool changes_in_place(const index_config&) const override { return true; }
  bool looks_ahead(const index_config& config) const override { return btree::looks_ahead(btree_config::of(config)); }
  outcome<state_bytes> update(executor& on, const index_config& config, const state_bytes& state,
                              const write_batch& batch) const override {
    const btree_config c = btree_config::of(config);
    const outcome<state_bytes> done = combined_update(on, c, state.as<btree_view>(), batch);
    if (!done) return done.error();
    btree_view tree = done->as<btree_view>();
    tree.pinned = cells_to_pin(c, tree);
    return state_bytes(tree);
  }
  outcome<state_bytes> after(executor& on, const index_config& config, const state_bytes& state,
                             const write_counts& counts) const override {
    const btree_config c = btree_config::of(config);
    btree_view tree = state.as<btree_view>();
    u32 now[pool_more + 1] = {};
    if (auto s = on.read(btree_region::pool, 0, std::as_writable_bytes(std::span(now, pool_counters(c)))); !s)
      return s.error();
    tree.leaves = std::min(now[pool_leaves], tree.leaf_room);
    tree.inner = std::min(now[pool_inner], tree.inner_room);
    tree.pinned = cells_to_pin(c, tree);
    tree.levels = now[pool_levels];
    tree.live += counts.added - counts.erased - (now[pool_more] - tree.more);
    tree.more = now[pool_more];
    return state_bytes(tree);
  }
  std::vector<tight_start> tight_starts(const index_config& config) const override {
    const btree_config c = btree_config::of(config);
    // A pause is no access: backoff has the schedules of spin.
    return c.wait == latch_wait::backoff ? std::vector<tight_start>() : tight_trees(c);
  }
  // The tree as if it were built from its entries.
  outcome<state_bytes> rebuild(executor& on, const index_config& config, const state_bytes& state) const override {
    const btree_config c = btree_config::of(config);
    btree_view tree = state.as<btree_view>();
    const u64 keys = tree.live;
    if (auto s = gather(on, c, tree, btree_pass::keep_live, u64{tree.leaves} * c.node, keys); !s) return s.error();
    if (auto s = on.sort_pairs(sorted_keys, sorted_rows, keys, "sort entries"); !s) return s.error();
    btree_view anew = tree_over(c, keys);
    if (auto s = on.allocate(tree_regions(c, anew)); !s) return s.error();
    anew.from_arrays = true;
    if (keeps_all(c)) return build_with_greatest(on, c, anew, keys);
    if (const auto equal = build_leaves(on, c, anew, keys); !equal) return equal.error();
    return finish(on, c, anew);
  }

  std::shared_ptr<const index_model> model(const index_config& config, u64 keys) const override {
    const btree_config c = btree_config::of(config);
    btree_view tree = tree_over(c, keys);
    tree.live = keys;
    if (keeps_all(c)) ++tree.leaves;
    tree.pinned = cells_to_pin(c, tree);
    return model_over(c, tree);
  }
  std::shared_ptr<const index_model> model_of(const stored_index& index) const override {
    return model_over(btree_config::of(index.config()), index.state_as<btree_view>());
  }
  pseudo_code pseudo_code_of(const index_config& config, operation kind) const override {
    return btree_pseudo_code(btree_config::of(config), kind);
  }
  void tell(lookup_trace& trace, const stored_index& index) const override { tell_tree(trace, index); }

  const host_code& on_host() const override { return btree_host_code; }
  const trace_code& on_trace() const override { return btree_trace_code; }
  device_code on_device() const override { return {"core/families/btree/btree.hpp", "btree", btree_passes_in_order()}; }

  void add_candidates(const candidate_question& question, std::vector<index_config>& list) const override {
    if (question.ascending || question.smallest || question.keys > most_btree_keys) return;
    for (const u32 lanes : {4u, 8u}) list.push_back(btree_config{.keys = question.width, .lanes = lanes});
  }

 private:
  static std::shared_ptr<const btree_model> model_over(const btree_config& config, const btree_view& tree) {
    return std::make_shared<const btree_model>(config, tree);
  }
  // Brings `keys` entries at most to the arrays, in the order of the pass.
  static status gather(executor& on, const btree_config& c, btree_view& tree, btree_pass pass, u64 items, u64 keys) {
    if (auto s = on.allocate_array(sorted_keys, keys * key_bytes(c.keys), "the tree's keys"); !s) return s;
    if (auto s = on.allocate_array(sorted_rows, keys * sizeof(u32), "the tree's row ids"); !s) return s;
    tree.items = items;
    const auto done = on.run(pass_of(pass), ceil_div<u64>(items, btree::kept_tile), state_bytes(tree));
    if (!done) return done.error();
    tree.from_arrays = true;
    return fine();
  }
  static u64 greatest_key_of(const btree_config& c) {
    return c.keys == key_width::u32 ? u64{greatest_key<u32>()} : greatest_key<u64>();
  }
  // With duplicates, from the sorted arrays: the greatest key's entries have leaves of their own.
  static outcome<state_bytes> build_with_greatest(executor& on, const btree_config& c, btree_view& tree, u64 keys) {
    const auto greatest = on.run(pass_of(btree_pass::count_greatest), keys, state_bytes(tree));
    if (!greatest) return greatest.error();
    if (const auto built = build_leaves(on, c, tree, keys - *greatest); !built) return built.error();
    tree.live = keys;
    return finish(on, c, tree);
  }
  // Builds the leaves of a tree of so many keys into the regions that there are. Returns how many keys are like the one
  // before.
  static outcome<u64> build_leaves(executor& on, const btree_config& c, btree_view& tree, u64 keys) {
    tree.shape = btree_shape::over(c, keys);
    tree.live = keys, tree.levels = tree.shape.levels;
    tree.leaves = tree.shape.leaves, tree.inner = tree.shape.inner();
    return on.run(pass_of(btree_pass::build_leaves), keys, state_bytes(tree));
  }
  // What a tree with leaves misses.
  static outcome<state_bytes> finish(executor& on, const btree_config& c, btree_view tree) {
    const u64 greatest = tree.live - tree.shape.keys;
    const u32 with_keys = tree.shape.keys == 0 ? 0 : tree.leaves;
    if (keeps_all(c)) tree.leaves += greatest_leaves(c, greatest);
    tree.first_new = u64{with_keys} * c.node;
    const auto emptied =
        on.run(pass_of(btree_pass::empty_leaves), u64{tree.leaf_room - with_keys} * c.node, state_bytes(tree));
    if (!emptied) return emptied.error();
    tree.first_new = 0;
    if (keeps_all(c)) {
      if (const auto done = on.run(pass_of(btree_pass::link_runs), tree.shape.leaves, state_bytes(tree)); !done)
        return done.error();
      if (const auto done = on.run(pass_of(btree_pass::build_greatest), greatest, state_bytes(tree)); !done)
        return done.error();
    }
    if (const auto done = on.run(pass_of(btree_pass::build_inner), u64{tree.inner_room} * c.node, state_bytes(tree));
        !done)
      return done.error();
    if (const auto done = on.run(pass_of(btree_pass::set_counters), pool_counters(c), state_bytes(tree)); !done)
      return done.error();
    tree.items = 0, tree.from_arrays = false, tree.pinned = cells_to_pin(c, tree);
    return state_bytes(tree);
  }
};

}  // namespace

const family& btree_family() {
  static const btree_family_type the_family;
  return the_family;
}

}  // namespace pivotscope
