// The family `rx` as the program knows it: method RX.
#include "core/index/family.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/families/rx/building.hpp"
#include "core/families/rx/pseudo_code.hpp"
#include "core/families/rx/rays.hpp"
#include "core/families/rx/rx.hpp"
#include "core/families/rx/rx_model.hpp"
#include "core/families/rx/words.hpp"
#include "core/index/scene_knobs.hpp"
#include "core/index/table_knobs.hpp"

namespace pivotscope {

extern const host_code rx_host_code;  // host.cpp
extern const trace_code rx_trace_code;

namespace {

constexpr std::string_view updates_words[] = {"rebuild", "refit"};
std::string explain_updates(std::string_view value) {
  return value == "rebuild"
             ? "The scene is built again from what stays and what comes."
             : "Triangles stay in their cells, erased ones leave holes, and inserted ones take these or cells at the "
               "end; then boxes are made to hold what is below them. Boxes get large and overlap, so lookups get slow.";
}

class rx_family_type final : public family {
 public:
  family_id id() const override { return rx_id; }
  std::string_view name() const override { return "rx"; }
  std::string_view sentence() const override { return "A triangle for each key; a ray through its place finds it."; }
  std::string_view source() const override { return "RX, which the paper cgrx goes on from and measures against"; }

  std::string_view lacks(operation kind) const override {
    return answer_of(kind) == answer_kind::next ? "has its triangles in no order of their keys" : "";
  }
  bool sorted_input() const override { return false; }

  std::span<const method> methods() const override {
    static const method list[] = {{"RX",
                                   "The fine-granular index of rays: each key is a triangle in space, and a lookup "
                                   "shoots a ray through the key's "
                                   "place at a hierarchy of boxes over them."}};
    return list;
  }
  std::vector<axis> axes() const override {
    std::vector<axis> list = {common_axis("keys")};
    for (axis& a : scene_axes<0>()) list.push_back(std::move(a));
    list.push_back(named_axis<5, updates_words>(
        "updates", "Updates", "What a batch of inserts and erases does to the scene.", explain_updates));
    for (const char* name : {"threads", "per_thread", "schedule", "blocks_per_sm", "reorder"})
      list.push_back(common_axis(name));
    return list;
  }
  index_config standard() const override { return rx_config{}; }

  std::optional<std::string> check(const index_config& config) const override {
    const rx_config c = rx_config::of(config);
    return check_scene(scene_knobs_of(c));
  }
  void accept(index_config& config, std::string_view) const override {
    rx_config c = rx_config::of(config);
    set_scene_knobs(c, accepted_scene(scene_knobs_of(c)));
    config = c;
  }
  u64 most_keys(const index_config&) const override { return most_primitives - 1; }
  u32 branching(const index_config& config) const override { return rx_config::of(config).wide; }

  // Where triangles are is what an index says, not its kernels.
  index_config config_as_compiled_for(const index_config& config, operation) const override {
    rx_config c = rx_config::of(config);
    c = rx_config{.keys = c.keys, .wide = c.wide, .launch = c.launch};
    return c;
  }
  index_config for_build(const index_config& config) const override {
    return config_as_compiled_for(config, operation::find);
  }

  outcome<state_bytes> build(executor& on, const index_config& config) const override {
    return build_rx(on, rx_config::of(config));
  }

  bool changes_by_batch(const index_config&) const override { return true; }
  bool changes_in_place(const index_config& config) const override {
    return rx_config::of(config).updates == scene_updates::refit;
  }
  outcome<state_bytes> update(executor& on, const index_config& config, const state_bytes& state,
                              const write_batch& batch) const override {
    return update_rx(on, rx_config::of(config), state, batch);
  }
  outcome<state_bytes> rebuild(executor& on, const index_config& config, const state_bytes& state) const override {
    return rebuild_rx(on, rx_config::of(config), state);
  }

  std::shared_ptr<const index_model> model(const index_config& config, u64 keys) const override {
    const rx_config c = rx_config::of(config);
    rx_view view;
    view.tree = bounding_tree::of(static_cast<u32>(keys), c.wide);
    return std::make_shared<const rx_model>(c, view);
  }
  std::shared_ptr<const index_model> model_of(const stored_index& index) const override {
    return std::make_shared<const rx_model>(rx_config::of(index.config()), index.state_as<rx_view>());
  }
  pseudo_code pseudo_code_of(const index_config&, operation kind) const override { return rx_pseudo_code(kind); }
  void tell(lookup_trace& trace, const stored_index& index) const override { tell_rx(trace, index); }

  bool casts_rays() const override { return true; }
  outcome<std::unique_ptr<ray_lookups>> rays_of(const stored_index& index, const key_array& asked) const override {
    return rx_rays_of(index, asked);
  }

  const host_code& on_host() const override { return rx_host_code; }
  const trace_code& on_trace() const override { return rx_trace_code; }
  device_code on_device() const override { return {"core/families/rx/rx.hpp", "rx", rx_passes()}; }

  void add_candidates(const candidate_question& question, std::vector<index_config>& list) const override {
    if (question.smallest || question.ascending) return;
    list.push_back(rx_config{.keys = question.width});
  }
};

}  // namespace

const family& rx_family() {
  static const rx_family_type the_family;
  return the_family;
}

}  // namespace pivotscope
