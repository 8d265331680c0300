// The family `cgrx_nodes` as the program knows it: method CGRX+NODES.
#include "core/index/family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/bucket_scene/bucket_rays.hpp"
#include "core/bucket_scene/knobs.hpp"
#include "core/families/cgrx_nodes/building.hpp"
#include "core/families/cgrx_nodes/cgrx_nodes.hpp"
#include "core/families/cgrx_nodes/cgrx_nodes_model.hpp"
#include "core/families/cgrx_nodes/node_update.hpp"
#include "core/families/cgrx_nodes/pass_table.hpp"
#include "core/families/cgrx_nodes/pseudo_code.hpp"
#include "core/families/cgrx_nodes/words.hpp"
#include "core/index/scene_knobs.hpp"
#include "core/rays/scene_config.hpp"

namespace pivotscope {

extern const host_code cgrx_nodes_host_code;  // host.cpp
extern const trace_code cgrx_nodes_trace_code;

namespace {

constexpr u32 least_node = 4, greatest_node = 64;

class cgrx_nodes_family_type final : public family {
 public:
  family_id id() const override { return cgrx_nodes_id; }
  std::string_view name() const override { return "cgrx_nodes"; }
  std::string_view sentence() const override {
    return "Buckets that rays find, each a chain of nodes: the scene stays, and batches of updates go into the chains.";
  }
  std::string_view source() const override { return "cgrx"; }

  std::span<const method> methods() const override {
    static const method list[] = {
        {"CGRX+NODES",
         "The coarse-granular index of rays that can be updated: as in CGRX rays find a key's bucket, and a bucket is "
         "a "
         "chain of nodes that are split and merged. A batch is sorted, and a thread does all writes of a bucket."}};
    return list;
  }
  std::vector<axis> axes() const override {
    std::vector<axis> list = {
        common_axis("keys"),
        {"node",
         "Entries of a node",
         "Entries that a node has room for, a power of two. The build fills half of each, and a triangle leads to it.",
         {"4", "8", "16", "32", "64"},
         std::pair{least_node, greatest_node},
         get_knob<0>,
         set_knob<0>,
         no_explanation},
        scene_form_axis<1>(),
        named_axis<2, bucket_search_words>("search", "Search of a node",
                                           "How a node is searched once rays and links have found it.",
                                           explain_bucket_search)};
    for (axis& a : scene_axes<3>()) list.push_back(std::move(a));
    for (const char* name : {"threads", "per_thread", "schedule", "blocks_per_sm", "reorder"})
      list.push_back(common_axis(name));
    return list;
  }
  index_config standard() const override { return cgrx_nodes_config{}; }
  std::span<const preset> presets() const override {
    static const preset list[] = {
        {"small nodes", "CGRX+NODES node=4 x_bits=3 y_bits=2",
         "Nodes of four entries in a scene of rows of 8 keys and planes of 4 rows: a few inserts split them."},
        {"linear", "CGRX+NODES node=8 search=linear", "Small nodes, read entry by entry."}};
    return list;
  }

  std::optional<std::string> check(const index_config& config) const override {
    const cgrx_nodes_config c = cgrx_nodes_config::of(config);
    if (c.node < least_node || c.node > greatest_node || !std::has_single_bit(c.node))
      return fmt::format("node={} is no power of two from {} to {} entries", c.node, least_node, greatest_node);
    return check_scene(scene_knobs_of(c));
  }
  void accept(index_config& config, std::string_view) const override {
    cgrx_nodes_config c = cgrx_nodes_config::of(config);
    c.node = std::bit_floor(std::clamp(c.node, least_node, greatest_node));
    set_scene_knobs(c, accepted_scene(scene_knobs_of(c)));
    config = c;
  }
  // A slot's number has 31 bits, and there are three slots a bucket at most.
  u64 most_keys(const index_config& config) const override {
    return std::min<u64>(max_keys, u64{most_primitives - 1} / 3 * half_a_node(cgrx_nodes_config::of(config)));
  }
  u32 branching(const index_config& config) const override { return half_a_node(cgrx_nodes_config::of(config)); }

  // Where triangles are is what an index says, not its kernels.
  index_config config_as_compiled_for(const index_config& config, operation) const override {
    return without_places(cgrx_nodes_config::of(config));
  }
  index_config for_build(const index_config& config) const override {
    cgrx_nodes_config c = without_places(cgrx_nodes_config::of(config));
    c.search = cgrx_nodes_config{}.search;
    return c;
  }

  outcome<state_bytes> build(executor& on, const index_config& config) const override {
    return build_nodes(on, cgrx_nodes_config::of(config));
  }
  bool changes_by_batch(const index_config&) const override { return true; }
  bool changes_in_place(const index_config&) const override { return true; }
  bool steps_writes(const index_config&) const override { return true; }
  outcome<state_bytes> update(executor& on, const index_config& config, const state_bytes& state,
                              const write_batch& batch) const override {
    return update_nodes(on, cgrx_nodes_config::of(config), state.as<cgrx_nodes_view>(), batch);
  }
  outcome<state_bytes> rebuild(executor& on, const index_config& config, const state_bytes& state) const override {
    return rebuild_nodes(on, cgrx_nodes_config::of(config), state.as<cgrx_nodes_view>());
  }

  // What is not known before there is an index: as if no row had to be marked.
  std::shared_ptr<const index_model> model(const index_config& config, u64 keys) const override {
    const cgrx_nodes_config c = cgrx_nodes_config::of(config);
    cgrx_nodes_view view;
    view.keys = view.entries = keys;
    view.buckets = std::max(1u, static_cast<u32>(ceil_div<u64>(keys, half_a_node(c))));
    view.nodes = view.buckets, view.room = nodes_with_room(view.buckets);
    view.tree = bounding_tree::of(keys == 0 ? 0 : view.buckets, c.wide);
    return std::make_shared<const cgrx_nodes_model>(c, view);
  }
  std::shared_ptr<const index_model> model_of(const stored_index& index) const override {
    return std::make_shared<const cgrx_nodes_model>(cgrx_nodes_config::of(index.config()),
                                                    index.state_as<cgrx_nodes_view>());
  }
  pseudo_code pseudo_code_of(const index_config& config, operation kind) const override {
    return cgrx_nodes_pseudo_code(cgrx_nodes_config::of(config), kind);
  }
  void tell(lookup_trace& trace, const stored_index& index) const override { tell_nodes(trace, index); }

  bool casts_rays() const override { return true; }
  outcome<std::unique_ptr<ray_lookups>> rays_of(const stored_index& index, const key_array& asked) const override {
    const cgrx_nodes_config c = cgrx_nodes_config::of(index.config());
    return rays_to_buckets(index, node_region::scene, index.state_as<cgrx_nodes_view>(), c.form, c.wide, asked);
  }

  const host_code& on_host() const override { return cgrx_nodes_host_code; }
  const trace_code& on_trace() const override { return cgrx_nodes_trace_code; }
  device_code on_device() const override {
    return {"core/families/cgrx_nodes/cgrx_nodes.hpp", "cgrx_nodes", node_passes_in_order()};
  }

  void add_candidates(const candidate_question& question, std::vector<index_config>& list) const override {
    if (question.ascending || question.smallest) return;
    list.push_back(cgrx_nodes_config{.keys = question.width, .y_scale = 23, .z_scale = 46});
  }
  void add_near(const index_config& config, machine_kind, std::vector<index_config>& list) const override {
    const cgrx_nodes_config c = cgrx_nodes_config::of(config);
    for (const u32 node : {c.node / 2, c.node * 2}) {
      cgrx_nodes_config other = c;
      other.node = std::clamp(node, least_node, greatest_node);
      list.push_back(other);
    }
  }
};

}  // namespace

const family& cgrx_nodes_family() {
  static const cgrx_nodes_family_type the_family;
  return the_family;
}

}  // namespace pivotscope
