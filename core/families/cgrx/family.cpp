// The family `cgrx` as the program knows it: method CGRX.
#include "core/index/family.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/bucket_scene/bucket_rays.hpp"
#include "core/bucket_scene/knobs.hpp"
#include "core/families/cgrx/building.hpp"
#include "core/families/cgrx/cgrx.hpp"
#include "core/families/cgrx/cgrx_model.hpp"
#include "core/families/cgrx/pseudo_code.hpp"
#include "core/families/cgrx/words.hpp"
#include "core/index/scene_knobs.hpp"
#include "core/index/table_knobs.hpp"
#include "core/rays/scene_config.hpp"

namespace pivotscope {

extern const host_code cgrx_host_code;  // host.cpp
extern const trace_code cgrx_trace_code;

namespace {

constexpr u32 least_bucket = 2, greatest_bucket = 65536, most_linear = 4096;

constexpr std::string_view entry_words[] = {"aligned", "packed", "column"};
std::string explain_entries(std::string_view value) {
  return value == "aligned"  ? "A key and its row id side by side, in 8 or 16 bytes."
         : value == "packed" ? "A key and its row id side by side, in 8 or 12 bytes."
                             : "Keys in one array, row ids in another.";
}

class cgrx_family_type final : public family {
 public:
  family_id id() const override { return cgrx_id; }
  std::string_view name() const override { return "cgrx"; }
  std::string_view sentence() const override {
    return "Buckets of sorted entries; rays find a key's bucket in a scene with a triangle for each.";
  }
  std::string_view source() const override { return "cgrx"; }

  std::string_view lacks(operation kind) const override { return is_write(kind) ? "is built once" : ""; }

  std::span<const method> methods() const override {
    static const method list[] = {
        {"CGRX",
         "The coarse-granular index of rays: the keys are sorted into buckets, the last key of each is a triangle in "
         "space, and a lookup shoots up to five rays at a hierarchy of boxes to find its bucket."}};
    return list;
  }
  std::vector<axis> axes() const override {
    std::vector<axis> list = {
        common_axis("keys"),
        {"bucket",
         "Entries of a bucket",
         "Entries that share a triangle: more make the scene smaller, and the search of a bucket longer.",
         {"2", "16", "64", "256"},
         std::pair{least_bucket, greatest_bucket},
         get_knob<0>,
         set_knob<0>,
         no_explanation},
        scene_form_axis<1>(),
        named_axis<2, bucket_search_words>("search", "Search of a bucket",
                                           "How a bucket is searched once a ray has found it.", explain_bucket_search),
        named_axis<8, entry_words>("layout", "Layout of entries", "How a key and its row id lie in memory.",
                                   explain_entries)};
    for (axis& a : scene_axes<3>()) list.push_back(std::move(a));
    for (const char* name : {"threads", "per_thread", "schedule", "blocks_per_sm", "reorder"})
      list.push_back(common_axis(name));
    return list;
  }
  index_config standard() const override { return cgrx_config{}; }
  std::span<const preset> presets() const override {
    static const preset list[] = {
        {"small scene", "CGRX bucket=3 x_bits=3 y_bits=2",
         "The paper's example: rows of 8 keys and planes of 4 rows, so that a few dozen keys show all five rays."},
        {"naive", "CGRX form=naive y_scale=0 z_scale=0", "The paper's first scene, unscaled."},
        {"apart", "CGRX y_scale=23 z_scale=46",
         "Rows and planes so far apart that the boxes of 64-bit keys hold rows, and few of them."}};
    return list;
  }

  std::optional<std::string> check(const index_config& config) const override {
    const cgrx_config c = cgrx_config::of(config);
    if (c.bucket < least_bucket || c.bucket > greatest_bucket)
      return fmt::format("bucket={} is outside {} to {} entries", c.bucket, least_bucket, greatest_bucket);
    if (c.search == bucket_search::linear && c.bucket > most_linear)
      return fmt::format("search=linear reads half of a bucket of {} entries: take at most {}, or search=binary",
                         c.bucket, most_linear);
    return check_scene(scene_knobs_of(c));
  }
  void accept(index_config& config, std::string_view keep) const override {
    cgrx_config c = cgrx_config::of(config);
    c.bucket = std::clamp(c.bucket, least_bucket, greatest_bucket);
    if (c.search == bucket_search::linear && c.bucket > most_linear) {
      if (keep == "bucket")
        c.search = bucket_search::binary;
      else
        c.bucket = most_linear;
    }
    set_scene_knobs(c, accepted_scene(scene_knobs_of(c)));
    config = c;
  }
  // A slot's number has 31 bits, and there are three slots a bucket at most.
  u64 most_keys(const index_config& config) const override {
    return std::min<u64>(max_keys, u64{most_primitives - 1} / 3 * cgrx_config::of(config).bucket);
  }
  u32 branching(const index_config& config) const override { return cgrx_config::of(config).bucket; }
  std::string_view part_of_lookups() const override { return "rays"; }

  // Where triangles are is what an index says, not its kernels.
  index_config config_as_compiled_for(const index_config& config, operation) const override {
    return without_places(cgrx_config::of(config));
  }
  index_config for_build(const index_config& config) const override {
    cgrx_config c = without_places(cgrx_config::of(config));
    c.search = cgrx_config{}.search;
    return c;
  }

  outcome<state_bytes> build(executor& on, const index_config& config) const override {
    return build_cgrx(on, cgrx_config::of(config));
  }

  // What is not known before there is an index: as if no row had to be marked.
  std::shared_ptr<const index_model> model(const index_config& config, u64 keys) const override {
    const cgrx_config c = cgrx_config::of(config);
    cgrx_view view;
    view.keys = keys, view.buckets = static_cast<u32>(ceil_div<u64>(keys, c.bucket));
    view.tree = bounding_tree::of(view.buckets, c.wide);
    return std::make_shared<const cgrx_model>(c, view);
  }
  std::shared_ptr<const index_model> model_of(const stored_index& index) const override {
    return std::make_shared<const cgrx_model>(cgrx_config::of(index.config()), index.state_as<cgrx_view>());
  }
  pseudo_code pseudo_code_of(const index_config& config, operation kind) const override {
    return cgrx_pseudo_code(cgrx_config::of(config), kind);
  }
  void tell(lookup_trace& trace, const stored_index& index) const override { tell_cgrx(trace, index); }

  bool casts_rays() const override { return true; }
  outcome<std::unique_ptr<ray_lookups>> rays_of(const stored_index& index, const key_array& asked) const override {
    const cgrx_config c = cgrx_config::of(index.config());
    return rays_to_buckets(index, cgrx::scene, index.state_as<cgrx_view>(), c.form, c.wide, asked);
  }

  const host_code& on_host() const override { return cgrx_host_code; }
  const trace_code& on_trace() const override { return cgrx_trace_code; }
  device_code on_device() const override { return {"core/families/cgrx/cgrx.hpp", "cgrx", cgrx_passes(), "cgrx_rays"}; }

  void add_candidates(const candidate_question& question, std::vector<index_config>& list) const override {
    if (question.smallest) return;
    for (const u32 bucket : {16u, 64u, 256u})
      list.push_back(cgrx_config{.keys = question.width, .bucket = bucket, .y_scale = 23, .z_scale = 46});
  }
  void add_near(const index_config& config, machine_kind, std::vector<index_config>& list) const override {
    const cgrx_config c = cgrx_config::of(config);
    const auto add = [&](auto&& change) {
      cgrx_config other = c;
      change(other);
      list.push_back(other);
    };
    add([](cgrx_config& o) { o.bucket = std::min(2 * o.bucket, greatest_bucket); });
    add([](cgrx_config& o) { o.bucket = std::max(o.bucket / 2, least_bucket); });
    add([](cgrx_config& o) { o.wide = o.wide == 4 ? 8 : 4; });
  }
};

}  // namespace

const family& cgrx_family() {
  static const cgrx_family_type the_family;
  return the_family;
}

}  // namespace pivotscope
