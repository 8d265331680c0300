// The family `ordered` as the program knows it: sorted entries in one of several orders, and a search of them.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/families/ordered/build_steps.hpp"
#include "core/families/ordered/candidates.hpp"
#include "core/families/ordered/config.hpp"
#include "core/families/ordered/knobs.hpp"
#include "core/families/ordered/mapping.hpp"
#include "core/families/ordered/narrator.hpp"
#include "core/families/ordered/ordered.hpp"
#include "core/families/ordered/ordered_model.hpp"
#include "core/families/ordered/pseudo_code.hpp"
#include "core/families/ordered/words.hpp"
#include "core/index/check.hpp"
#include "core/index/family.hpp"
#include "core/index/lookups_in_flight.hpp"
#include "core/index/scratch_bytes.hpp"

namespace pivotscope {

extern const host_code ordered_host_code;  // host.cpp
extern const trace_code ordered_trace_code;

namespace {

constexpr u32 default_ks_fanout = 9;

constexpr build_pass passes[] = {
    {"build entries", "building entries", "build_entries", host_items<ordered, ordered::build_entries>, entries_at_once,
     key_use::each},
    {"empty pivots", "filling empty pivots", "fill_empty_pivots", host_items<ordered, ordered::fill_empty_pivots>, 1,
     key_use::none},
};

std::string_view short_name(order_kind kind) {
  return with_words(kind, [](auto words) { return std::string_view(words.short_name); });
}

bool has_pivots(order_kind kind) {
  return with_order(dynamic_config{ordered_config{.order = kind}}, [](auto order) { return order.has_pivots; });
}

std::string name_of(order_kind kind, bool binary) {
  return fmt::format("{}+{}", short_name(kind), binary ? "BS" : "KS");
}

class ordered_family_type final : public family {
 public:
  family_id id() const override { return ordered_id; }
  std::string_view name() const override { return "ordered"; }
  std::string_view sentence() const override {
    return "Sorted entries in ascending or Eytzinger order, or under a buffer of pivots, and a search of K ways a "
           "step.";
  }
  std::string_view source() const override { return "lightweight"; }

  std::string_view lacks(operation kind) const override { return is_write(kind) ? "is built once" : ""; }

  std::span<const method> methods() const override {
    static const std::vector<method> list = [] {
      std::vector<method> all;
      for (const order_kind kind : all_orders()) {
        const auto sentence = with_words(kind, [](auto words) { return std::string(words.sentence); });
        all.push_back({name_of(kind, true), sentence + " Searched two ways a step (BS)."});
        all.push_back({name_of(kind, false), sentence + " Searched K ways a step (KS)."});
      }
      return all;
    }();
    return list;
  }
  std::vector<axis> axes() const override { return ordered_axes(); }
  index_config standard() const override { return ordered_config{}; }
  std::string method_of(const index_config& config) const override {
    const ordered_config c = ordered_config::of(config);
    return name_of(c.order, c.fanout == 2);
  }

  // A method stands for its order, and K-ary search with K - 1 lanes or binary search with one.
  void set_method(index_config& config, std::string_view name) const override {
    ordered_config c = ordered_config::of(config);
    for (const order_kind kind : all_orders()) {
      for (const bool binary : {true, false}) {
        if (name != name_of(kind, binary)) continue;
        const bool was_binary = c.fanout == 2;
        c.order = kind;
        if (binary) {
          c.fanout = 2, c.lanes = 1;
        } else if (was_binary) {
          c.fanout = default_ks_fanout, c.lanes = default_ks_fanout - 1;
        }
      }
    }
    config = c;
  }

  std::optional<std::string> check(const index_config& config) const override {
    const ordered_config c = ordered_config::of(config);
    if (c.fanout < least_fanout || c.fanout > greatest_fanout) {
      return fmt::format("fanout={} is outside {} to {}: a node's K - 1 keys must fit the 32 lanes of a warp", c.fanout,
                         least_fanout, greatest_fanout);
    }
    if (c.lanes < 1 || c.lanes > c.fanout - 1) {
      return fmt::format("lanes={} is outside 1 to {}: a step of fanout={} compares {} key{}, and every lane needs one",
                         c.lanes, c.fanout - 1, c.fanout, c.fanout - 1, c.fanout == 2 ? "" : "s");
    }
    if (c.pivots > greatest_pivots) {
      return fmt::format("pivots={} is more than {}: no pivot buffer is that high", c.pivots, greatest_pivots);
    }
    if (c.pivots != 0 && !has_pivots(c.order)) {
      return fmt::format("pivots={} needs a pivot buffer (AO+PB): this order has none to trim", c.pivots);
    }
    if (c.reads == entry_reads::once && (c.order == order_kind::ascending || c.pivots != 0)) {
      return fmt::format(
          "reads=once needs entries that a lookup reads in one go: {} searches {} step by step and comes back to what "
          "it "
          "read",
          method_of(config), c.pivots != 0 ? "a trimmed buffer's leaves" : "its entries");
    }
    if (c.scratch != default_scratch && c.pin == pin_kind::none) {
      return fmt::format("scratch={} needs pin=steps or pin=full: nothing else is kept there", scratch_text(c.scratch));
    }
    if (c.scratch < 16 || c.scratch > greatest_scratch || c.scratch % 16 != 0) {
      return fmt::format("scratch={} is not a multiple of 16 bytes from 16 to {}", scratch_text(c.scratch),
                         scratch_text(greatest_scratch));
    }
    return check_in_flight(c.flight, c.launch.per_thread);
  }

  void accept(index_config& config, std::string_view keep) const override {
    ordered_config c = ordered_config::of(config);
    c.fanout = std::clamp(c.fanout, least_fanout, greatest_fanout);
    if (keep == "lanes" && c.lanes > c.fanout - 1) {
      const bool fits = c.lanes <= greatest_fanout - 1;
      c.lanes = fits ? c.lanes : greatest_fanout - 1;
      c.fanout = c.lanes + 1;
    }
    c.lanes = std::clamp(c.lanes, 1u, c.fanout - 1);
    c.pivots = std::min(c.pivots, greatest_pivots);
    if (c.pivots != 0 && !has_pivots(c.order)) {
      if (keep == "pivots") {
        c.order = first_with_pivots();
      } else {
        c.pivots = 0;
      }
    }
    if (c.reads == entry_reads::once && (c.order == order_kind::ascending || c.pivots != 0)) {
      if (keep == "reads") {
        c.pivots = 0;
        if (c.order == order_kind::ascending) c.order = first_with_pivots();
      } else {
        c.reads = entry_reads::cached;
      }
    }
    c.scratch = std::clamp(c.scratch / 16 * 16, 16u, greatest_scratch);
    if (c.scratch != default_scratch && c.pin == pin_kind::none) {
      if (keep == "scratch") {
        c.pin = pin_kind::full;
      } else {
        c.scratch = default_scratch;
      }
    }
    accept_in_flight(c.flight, c.launch.per_thread, keep);
    config = c;
  }

  std::optional<std::string> caution(const index_config& config) const override {
    const ordered_config c = ordered_config::of(config);
    const char* words = with_words(c.order, [&](auto order_words) { return order_words.caution(c); });
    return words ? std::optional<std::string>(words) : std::nullopt;
  }

  u32 lanes(const index_config& config) const override { return ordered_config::of(config).lanes; }
  u32 branching(const index_config& config) const override { return ordered_config::of(config).fanout; }
  u32 pinned_bytes(const index_config& config) const override {
    const ordered_config c = ordered_config::of(config);
    return c.pin == pin_kind::none ? 0 : c.scratch;
  }
  u32 lookups_in_flight(const index_config& config) const override { return ordered_config::of(config).flight; }
  void pin_less(index_config& config) const override {
    ordered_config c = ordered_config::of(config);
    c.scratch = default_scratch;
    config = c;
  }
  index_config config_as_compiled_for(const index_config& config, operation kind) const override {
    ordered_config c = ordered_config::of(config);
    if (kind != operation::range) c.scan = scan_kind::alone;
    if (kind != operation::find) c.flight = 1, c.reads = entry_reads::cached;
    return c;
  }
  // Only what decides the slots: configs that differ in how they are searched share the kernels.
  index_config for_build(const index_config& config) const override {
    const ordered_config c = ordered_config::of(config);
    return ordered_config{.order = c.order, .fanout = c.fanout, .keys = c.keys, .layout = c.layout, .pivots = c.pivots};
  }

  outcome<state_bytes> build(executor& on, const index_config& config) const override {
    const ordered_config c = ordered_config::of(config);
    const index_shape shape = make_shape(c, on.keys());
    const state_bytes state(ordered_view{shape, plan_pins(c, shape)});
    if (auto s = on.allocate(regions_of(config, on.keys())); !s) return s.error();
    if (auto s = on.run(passes[0], shape.entry_slots, state); !s) return s.error();
    if (shape.pivot_slots == 0) return state;
    if (auto s = on.run(passes[1], empty_pivots(c, shape), state); !s) return s.error();
    return state;
  }

  std::shared_ptr<const index_model> model(const index_config& config, u64 keys) const override {
    return make_ordered_model(ordered_config::of(config), keys);
  }
  pseudo_code pseudo_code_of(const index_config& config, operation kind) const override {
    return ordered_pseudo_code(ordered_config::of(config), kind);
  }
  void tell(lookup_trace& trace, const stored_index&) const override { narrate(trace); }

  const host_code& on_host() const override { return ordered_host_code; }
  const trace_code& on_trace() const override { return ordered_trace_code; }
  device_code on_device() const override { return {"core/families/ordered/ordered.hpp", "ordered", passes}; }

  void add_candidates(const candidate_question& question, std::vector<index_config>& list) const override {
    ordered_candidates(question, list);
  }
  void add_near(const index_config& config, machine_kind machine, std::vector<index_config>& list) const override {
    if (machine == machine_kind::cpu) return;
    for (const pin_kind pin : {pin_kind::steps, pin_kind::full}) {
      list.push_back(ordered_pinned(ordered_config::of(config), pin));
    }
  }

 private:
  static std::vector<order_kind> all_orders() {
    std::vector<order_kind> kinds;
#define PIVOTSCOPE_PUSH(name) kinds.push_back(order_kind::name);
    PIVOTSCOPE_EACH_ORDER(PIVOTSCOPE_PUSH)
#undef PIVOTSCOPE_PUSH
    return kinds;
  }
  static order_kind first_with_pivots() {
    const std::vector<order_kind> kinds = all_orders();
    return *std::find_if(kinds.begin(), kinds.end(), has_pivots);
  }
};

}  // namespace

const family& ordered_family() {
  static const ordered_family_type the_family;
  return the_family;
}

}  // namespace pivotscope
