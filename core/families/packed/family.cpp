// The family `packed` as the program knows it: method PACKED.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/families/packed/building.hpp"
#include "core/families/packed/named.hpp"
#include "core/families/packed/packed.hpp"
#include "core/families/packed/packed_model.hpp"
#include "core/families/packed/pseudo_code.hpp"
#include "core/families/packed/words.hpp"
#include "core/index/check.hpp"
#include "core/index/family.hpp"
#include "core/index/lookup_trace.hpp"
#include "core/index/lookups_in_flight.hpp"
#include "core/index/scratch_bytes.hpp"
#include "core/index/table_knobs.hpp"

namespace pivotscope {

extern const host_code packed_host_code;  // host.cpp
extern const trace_code packed_trace_code;

namespace {

constexpr u32 least_fill = 10, most_fill = 400;
constexpr u32 least_leaf = 16, greatest_leaf = 128;

constexpr std::string_view reads_words[] = {"cached", "once", "kept"};
constexpr value_names<leaf_reads> reads_names{reads_words};
std::string explain_reads(std::string_view value) {
  if (value == "cached") return "As anything else: good while the leaves fit into the L2 cache.";
  return value == "once" ? "They leave the L2 cache first, so that the directory stays: for more than fits into it."
                         : "They leave the L2 cache first, and the directory leaves it last.";
}

// Whatever the keys' width, so that a config goes with both.
constexpr u32 most_lanes(const packed_config& c) { return c.leaf / pack_bytes(key_width::u32); }

// The power of two that is nearest from below, within bounds that are such.
u32 power_within(u32 value, u32 low, u32 high) { return std::clamp(std::bit_floor(std::max(value, 1u)), low, high); }

class packed_family_type final : public family {
 public:
  family_id id() const override { return packed_id; }
  std::string_view name() const override { return "packed"; }
  std::string_view sentence() const override {
    return "Sorted entries in fewer bits than they have, under a directory that stays in the cache.";
  }
  std::string_view source() const override { return "beyond the papers"; }

  std::string_view lacks(operation kind) const override { return is_write(kind) ? "is built once" : ""; }

  std::span<const method> methods() const override {
    static const method list[] = {
        {"PACKED",
         "Sorted entries packed into leaves of one memory access each, and a directory of prefix blocks that a key's "
         "bucket leads to: one block and one leaf a lookup, in less memory than the sorted array."}};
    return list;
  }
  std::span<const preset> presets() const override {
    static const preset list[] = {
        {"small", "PACKED leaf=16 lanes=1 fill=80 per_thread=2 flight=2",
         "The smallest leaves, two of a thread on the way at once: for what lies in the caches, up to 2^18 keys."},
        {"million", "PACKED leaf=32 fill=121 threads=1024 per_thread=8 schedule=static flight=4 scratch=226KiB",
         "Small leaves, and the whole directory in scratch: for up to 2^20 keys."},
        {"large", "PACKED lanes=4 fill=105 reads=kept",
         "Leaves leave the L2 cache first, the directory last: for 2^26 keys and more."},
        {"huge", "PACKED lanes=4 block=32 fill=400 reads=kept",
         "The smallest directory, as the L2 cache is to hold it: for 2^28 keys."}};
    return list;
  }
  std::vector<axis> axes() const override {
    std::vector<axis> list = {
        common_axis("keys"),
        {"leaf",
         "Bytes of a leaf",
         "What is read of the entries at once: 16 to 128 bytes; three entries at least, which with 64-bit keys take "
         "32.",
         {"16", "32", "64", "128"},
         std::pair{16u, 128u},
         get_knob<0>,
         set_knob<0>,
         no_explanation},
        {"lanes",
         "Lanes a lookup",
         "Threads that look at a leaf together, a power of two: each takes a pack of three "
         "entries, or several. Where a leaf has fewer packs, as many.",
         {"1", "2", "4", "8"},
         std::pair{1u, 8u},
         get_knob<1>,
         set_knob<1>,
         no_explanation},
        {"block",
         "Bytes of a prefix block",
         "16 bytes part 13 leaves by 8 bits each, or up to 17 by marks; 32 bytes part 29, or up to 49.",
         {"16", "32"},
         std::pair{16u, 32u},
         get_knob<2>,
         set_knob<2>,
         no_explanation},
        {"fill",
         "Leaves of a bucket",
         "Leaves that begin in a prefix block's bucket on average, in tenths: more make the "
         "directory smaller, and more buckets too full for one block.",
         {"40", "65", "120", "220"},
         std::pair{least_fill, most_fill},
         get_knob<3>,
         set_knob<3>,
         no_explanation},
        scratch_axis<4>("Bytes of scratch that a block of threads keeps the first prefix blocks in (O2); 0: none."),
        {"reads", "Reads of leaves", "What the cache keeps of leaves that are read.", reads_names.all(), std::nullopt,
         [](const index_config& c) { return reads_names.of(packed_config::of(c).reads); },
         [](index_config& c, std::string_view text) {
           packed_config p = packed_config::of(c);
           if (!reads_names.set(p.reads, text)) return false;
           c = p;
           return true;
         },
         explain_reads},
        in_flight_axis(get_knob<6>, set_knob<6>)};
    for (const char* name : {"threads", "per_thread", "schedule", "blocks_per_sm", "reorder"})
      list.push_back(common_axis(name));
    return list;
  }
  index_config standard() const override { return packed_config{}; }
  index_config named(const named_for& what) const override { return named_packed(what); }
  std::string_view knob_beside_name() const override { return "leaf"; }

  std::optional<std::string> check(const index_config& config) const override {
    const packed_config c = packed_config::of(config);
    if (c.leaf < least_leaf || c.leaf > greatest_leaf || !std::has_single_bit(c.leaf))
      return fmt::format("leaf={} is not 16, 32, 64 or 128 bytes", c.leaf);
    if (c.lanes < 1 || !std::has_single_bit(c.lanes) || c.lanes > most_lanes(c))
      return fmt::format("lanes={} is no power of two up to {}, the packs of a leaf of {} bytes with 32-bit keys",
                         c.lanes, most_lanes(c), c.leaf);
    if (c.block != 16 && c.block != 32) return fmt::format("block={} is not 16 or 32 bytes", c.block);
    if (c.fill < least_fill || c.fill > most_fill)
      return fmt::format("fill={} is outside {} to {} tenths of a leaf", c.fill, least_fill, most_fill);
    if (auto why = check_scratch(c.scratch)) return why;
    if (c.scratch != 0 && c.block != pinned_block)
      return fmt::format("scratch={} needs block={}: larger ones are for directories that no scratch has room for",
                         scratch_text(c.scratch), pinned_block);
    if (auto why = check_in_flight(c.flight, c.launch.per_thread)) return why;
    return check_group_in_flight(c.flight, c.lanes);
  }
  void accept(index_config& config, std::string_view keep) const override {
    packed_config c = packed_config::of(config);
    c.leaf = power_within(c.leaf, least_leaf, greatest_leaf), c.lanes = power_within(c.lanes, 1, 8);
    if (keep == "lanes") c.leaf = std::max(c.leaf, c.lanes * pack_bytes(key_width::u32));
    c.lanes = std::min(c.lanes, most_lanes(c));
    c.block = power_within(c.block, 16, 32), c.fill = std::clamp(c.fill, least_fill, most_fill);
    c.scratch = accept_scratch(c.scratch);
    if (c.scratch != 0 && c.block != pinned_block) (keep == "scratch" ? c.block = pinned_block : c.scratch = 0);
    accept_in_flight(c.flight, c.launch.per_thread, keep);
    accept_group_in_flight(c.flight, c.lanes, keep);
    config = c;
  }
  u32 pinned_bytes(const index_config& config) const override { return packed_config::of(config).scratch; }
  void pin_less(index_config& config) const override {
    packed_config c = packed_config::of(config);
    c.scratch = 0;
    config = c;
  }
  // A leaf's number has 30 bits.
  u64 most_keys(const index_config& config) const override {
    return std::min(max_keys, ((u64{1} << 30) - 1) * leaf_entries(packed_config::of(config)));
  }

  u32 lanes(const index_config& config) const override { return used_lanes(packed_config::of(config)); }
  u32 lookups_in_flight(const index_config& config) const override {
    return group_threads(config) * packed_config::of(config).flight;
  }
  u32 branching(const index_config& config) const override { return leaf_entries(packed_config::of(config)); }
  index_config for_build(const index_config& config) const override {
    packed_config c = for_search(config);
    c.lanes = 1, c.scratch = 0, c.reads = leaf_reads::cached, c.flight = 1, c.launch = {};
    return c;
  }
  index_config config_as_compiled_for(const index_config& config, operation kind) const override {
    packed_config c = for_search(config);
    if (kind != operation::find) c.flight = 1;
    return c;
  }

  outcome<state_bytes> build(executor& on, const index_config& config) const override {
    return build_packed(on, config);
  }

  std::shared_ptr<const index_model> model(const index_config& config, u64 keys) const override {
    const packed_config c = packed_config::of(config);
    return std::make_shared<const packed_model>(c, fresh_packed_view(c, keys, all_keys(c)));
  }
  std::shared_ptr<const index_model> model_of(const stored_index& index) const override {
    return std::make_shared<const packed_model>(packed_config::of(index.config()), index.state_as<packed_view>());
  }
  pseudo_code pseudo_code_of(const index_config& config, operation kind) const override {
    return packed_pseudo_code(packed_config::of(config), kind);
  }
  void tell(lookup_trace& trace, const stored_index& index) const override { tell_packed(trace, index); }

  const host_code& on_host() const override { return packed_host_code; }
  const trace_code& on_trace() const override { return packed_trace_code; }
  device_code on_device() const override { return {"core/families/packed/packed.hpp", "packed", packed_passes()}; }

  void add_candidates(const candidate_question& question, std::vector<index_config>& list) const override {
    if (question.smallest) return;
    const auto add = [&](packed_config c) {
      c.keys = question.width;
      list.push_back(c);
    };
    if (question.machine == machine_kind::cpu) {
      add({.leaf = 32, .lanes = 1, .fill = 105});
      add({.leaf = 64, .lanes = 1});
      return;
    }
    // docs/packed.md: what was best at 2^16 to 2^28 keys, and the standard one.
    add({.leaf = 16, .lanes = 1, .fill = 80, .flight = 2, .launch = {.per_thread = 2}});
    add({.leaf = 32, .lanes = 1});
    add({.leaf = 32, .lanes = 2, .fill = 115});
    add({});
    add({.lanes = 4, .fill = 105});
    add({.lanes = 4, .fill = 105, .reads = leaf_reads::kept});
    add({.lanes = 4, .block = 32, .fill = 180, .reads = leaf_reads::kept});
    add({.lanes = 4, .block = 32, .fill = 400, .reads = leaf_reads::kept});  // the smallest directory: marks
    // A directory that is small enough stays where it is read fastest; of a larger one its first part.
    const launch_config pinned{.schedule = schedule_kind::fixed, .threads = 1024, .per_thread = 8};
    if (question.keys > u64{1} << 22) return;
    add({.leaf = 32, .lanes = 2, .fill = 115, .scratch = 192 * 1024, .flight = 4, .launch = pinned});
    add({.leaf = 32, .lanes = 2, .fill = 121, .scratch = 226 * 1024, .flight = 4, .launch = pinned});
  }
  // Another leaf, another directory, and more or fewer threads to look at it.
  void add_near(const index_config& config, machine_kind machine, std::vector<index_config>& list) const override {
    const packed_config c = packed_config::of(config);
    const auto add = [&](auto&& change) {
      packed_config other = c;
      change(other);
      if (!(other == c)) list.push_back(other);
    };
    const bool small_blocks = c.block == pinned_block;
    for (const u32 fill : {40u, 65u, 80u, 105u, 120u, 180u, 280u, 400u})
      if (fill != c.fill && (small_blocks ? fill <= 120 : fill >= 120)) add([&](packed_config& o) { o.fill = fill; });
    add([&](packed_config& o) {
      if (o.scratch == 0)
        o.block = small_blocks ? 32 : pinned_block, o.fill = small_blocks ? 180 : packed_config{}.fill;
    });
    if (machine == machine_kind::cpu) {
      for (const u32 leaf : {32u, 64u, 128u}) add([&](packed_config& o) { o.leaf = leaf; });
      return;
    }
    for (const u32 leaf : {16u, 32u, 64u, 128u}) {
      // As many bytes a lane as before, and twice as many.
      for (const u32 lanes : {c.lanes * leaf / c.leaf, c.lanes * leaf / c.leaf / 2})
        if (leaf != c.leaf) add([&](packed_config& o) { o.leaf = leaf, o.lanes = lanes; });
    }
    add([](packed_config& o) { o.lanes *= 2; });
    add([](packed_config& o) { o.lanes /= 2; });
    for (const leaf_reads reads : {leaf_reads::cached, leaf_reads::once, leaf_reads::kept})
      add([&](packed_config& o) { o.reads = reads; });
    for (const u32 flight : {1u, 2u, 4u})
      add([&](packed_config& o) { o.flight = flight, o.launch.per_thread = std::max(o.launch.per_thread, flight); });
    if (c.scratch != 0)
      for (const u32 kib : {64u, 96u, 160u, 192u, 226u}) add([&](packed_config& o) { o.scratch = kib * 1024; });
  }

 private:
  static packed_config for_search(const index_config& config) {
    packed_config c = packed_config::of(config);
    c.fill = packed_config{}.fill;
    return c;
  }
  // What is not known before there is an index: that its keys are spread over all that there are.
  static std::pair<u64, u64> all_keys(const packed_config& c) {
    return {0, c.keys == key_width::u32 ? greatest_key<u32>() : greatest_key<u64>()};
  }
};

}  // namespace

const family& packed_family() {
  static const packed_family_type the_family;
  return the_family;
}

}  // namespace pivotscope
