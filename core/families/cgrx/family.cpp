// The family `cgrx` as the program knows it: method CGRX.
#include "core/index/family.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/families/cgrx/building.hpp"
#include "core/families/cgrx/cgrx.hpp"
#include "core/families/cgrx/cgrx_model.hpp"
#include "core/families/cgrx/pseudo_code.hpp"
#include "core/families/cgrx/words.hpp"
#include "core/index/table_knobs.hpp"

namespace pivotscope {

extern const host_code cgrx_host_code;  // host.cpp
extern const trace_code cgrx_trace_code;

namespace {

constexpr u32 least_bucket = 2, greatest_bucket = 65536, most_linear = 4096;
constexpr u32 most_y_scale = 23, most_z_scale = 46;

constexpr std::string_view form_words[] = {"naive", "optimised"};
constexpr std::string_view search_words[] = {"binary", "linear"};
std::string explain_form(std::string_view value) {
  return value == "naive"
             ? "A marker before each row and plane that has representatives: up to five rays a lookup."
             : "The last representative of a row or plane is moved to its end, or one is added there: most "
               "lookups need a ray or two.";
}
std::string explain_search(std::string_view value) {
  return value == "binary" ? "By halves." : "From the first entry on, until one is large enough.";
}

axis number_axis(const char* name, const char* title, const char* sentence, std::vector<std::string> values,
                 std::pair<u32, u32> range, std::string (*get)(const index_config&),
                 bool (*set)(index_config&, std::string_view)) {
  return {name, title, sentence, std::move(values), range, get, set, no_explanation};
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
        number_axis("bucket", "Entries of a bucket",
                    "Entries that share a triangle: more make the scene smaller, and the search of a bucket longer.",
                    {"2", "16", "64", "256"}, {least_bucket, greatest_bucket}, get_knob<0>, set_knob<0>),
        named_axis<1, form_words>("form", "Scene", "How rows and planes are marked that have representatives.",
                                  explain_form),
        named_axis<2, search_words>("search", "Search of a bucket", "How a bucket is searched once a ray has found it.",
                                    explain_search),
        number_axis("wide", "Boxes of a group", "Boxes or triangles that a box of the hierarchy holds: 4 or 8.",
                    {"4", "8"}, {4, 8}, get_knob<3>, set_knob<3>),
        number_axis(
            "x_bits", "Bits of x",
            "The lowest bits of a key are its place along x, in its row. Few make scenes of few keys easy to see.",
            {"3", "8", "23"}, {1, most_axis_bits}, get_knob<4>, set_knob<4>),
        number_axis(
            "y_bits", "Bits of y",
            "The bits above those of x are the row in its plane; what is left is the plane. Where that would be "
            "more than 23 bits, y gets more, and then x.",
            {"2", "8", "23"}, {1, most_axis_bits}, get_knob<5>, set_knob<5>),
        number_axis("y_scale", "Scale of y",
                    "Rows are 2 to that power apart: more, and boxes hold parts of rows rather than of several.",
                    {"0", "15"}, {0, most_y_scale}, get_knob<6>, set_knob<6>),
        number_axis("z_scale", "Scale of z", "Planes are 2 to that power apart.", {"0", "25"}, {0, most_z_scale},
                    get_knob<7>, set_knob<7>)};
    for (const char* name : {"threads", "per_thread", "schedule", "blocks_per_sm", "reorder"})
      list.push_back(common_axis(name));
    return list;
  }
  index_config standard() const override { return cgrx_config{}; }
  std::span<const preset> presets() const override {
    static const preset list[] = {
        {"small scene", "CGRX bucket=3 x_bits=3 y_bits=2",
         "The paper's example: rows of 8 keys and planes of 4 rows, so that a few dozen keys show all five rays."},
        {"naive", "CGRX form=naive y_scale=0 z_scale=0", "The paper's first scene, unscaled."}};
    return list;
  }

  std::optional<std::string> check(const index_config& config) const override {
    const cgrx_config c = cgrx_config::of(config);
    if (c.bucket < least_bucket || c.bucket > greatest_bucket)
      return fmt::format("bucket={} is outside {} to {} entries", c.bucket, least_bucket, greatest_bucket);
    if (c.search == bucket_search::linear && c.bucket > most_linear)
      return fmt::format("search=linear reads half of a bucket of {} entries: take at most {}, or search=binary",
                         c.bucket, most_linear);
    if (c.wide != 4 && c.wide != 8) return fmt::format("wide={} is not 4 or 8", c.wide);
    if (auto why = check_bits("x_bits", c.x_bits)) return why;
    if (auto why = check_bits("y_bits", c.y_bits)) return why;
    if (c.y_scale > most_y_scale) return fmt::format("y_scale={} is greater than {}", c.y_scale, most_y_scale);
    if (c.z_scale > most_z_scale) return fmt::format("z_scale={} is greater than {}", c.z_scale, most_z_scale);
    return std::nullopt;
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
    c.wide = c.wide < 8 ? 4 : 8;
    c.x_bits = std::clamp(c.x_bits, 1u, most_axis_bits), c.y_bits = std::clamp(c.y_bits, 1u, most_axis_bits);
    c.y_scale = std::min(c.y_scale, most_y_scale), c.z_scale = std::min(c.z_scale, most_z_scale);
    config = c;
  }
  // A slot's number has 31 bits, and there are three slots a bucket at most.
  u64 most_keys(const index_config& config) const override {
    return std::min<u64>(max_keys, u64{most_primitives - 1} / 3 * cgrx_config::of(config).bucket);
  }
  u32 branching(const index_config& config) const override { return cgrx_config::of(config).bucket; }

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

  const host_code& on_host() const override { return cgrx_host_code; }
  const trace_code& on_trace() const override { return cgrx_trace_code; }
  device_code on_device() const override { return {"core/families/cgrx/cgrx.hpp", "cgrx", cgrx_passes()}; }

  void add_candidates(const candidate_question& question, std::vector<index_config>& list) const override {
    if (question.smallest) return;
    for (const u32 bucket : {16u, 64u, 256u}) list.push_back(cgrx_config{.keys = question.width, .bucket = bucket});
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

 private:
  static std::optional<std::string> check_bits(const char* name, u32 bits) {
    if (bits >= 1 && bits <= most_axis_bits) return std::nullopt;
    return fmt::format("{}={} is outside 1 to {}: a float tells no more places and the halves between them", name, bits,
                       most_axis_bits);
  }
  static cgrx_config without_places(cgrx_config c) {
    const cgrx_config standard;
    c.x_bits = standard.x_bits, c.y_bits = standard.y_bits;
    c.y_scale = standard.y_scale, c.z_scale = standard.z_scale;
    return c;
  }
};

}  // namespace

const family& cgrx_family() {
  static const cgrx_family_type the_family;
  return the_family;
}

}  // namespace pivotscope
