// What a trace counts, counted again from its raw addresses by a set; and the loads themselves against the keys that
// were compared: nothing is read that is not looked at, nothing looked at that was not read.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "core/families/ordered/mapping.hpp"
#include "core/index/config_text.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/support/any_config.hpp"
#include "tests/support/any_keys.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

// Blocks of `size` bytes that hold a byte of some load, step by step.
u64 blocks_touched(const lookup_trace& trace, u64 size) {
  std::set<std::tuple<std::size_t, region_id, u64>> blocks;
  for (std::size_t step = 0; step < trace.steps.size(); ++step) {
    for (const memory_access& a : trace.steps[step].accesses) {
      for (u64 byte = 0; byte < a.bytes && a.space == memory_space::global; ++byte) {
        blocks.emplace(step, a.array, (a.byte_offset + byte) / size);
      }
    }
  }
  return blocks.size();
}

void expect_counted_right(const lookup_trace& trace) {
  RC_ASSERT(trace.sectors == blocks_touched(trace, 32));
  RC_ASSERT(trace.lines == blocks_touched(trace, 128));
  u64 bytes = 0, scratch_bytes = 0;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    for (const memory_access& a : trace.steps[i].accesses) {
      RC_ASSERT(a.step == i);
      (a.space == memory_space::global ? bytes : scratch_bytes) += a.bytes;
    }
  }
  RC_ASSERT(trace.bytes == bytes);
  RC_ASSERT(trace.scratch_bytes == scratch_bytes);
}

// Where the keys of a slot lie, from the layout's sentence: key and row id together, or each in an array of its own.
struct layout_of {
  u64 key, stride;
  explicit layout_of(const ordered_config& c)
      : key(c.keys == key_width::u32 ? 4 : 8), stride(c.layout == entry_layout::aos ? 2 * key : key) {}
};

void expect_loads_of_what_is_compared(const built_index& index, const lookup_trace& trace) {
  const ordered_config& c = index.config();
  const layout_of at(c);
  std::map<u64, pinned_slot> pinned;  // by place in scratch
  const pin_plan plan = plan_pins(c, shape_of(index));
  for (u32 i = 0; i < plan.total; ++i) pinned[i] = pin_source(c, shape_of(index), plan, i);
  for (const trace_step& step : trace.steps) {
    using looked_at = std::tuple<region_id, u64, u32>;  // slot and lane
    std::multiset<looked_at> compared, loaded;
    std::set<looked_at> equal;
    for (const comparison& k : step.compared) {
      compared.emplace(k.array, k.slot, k.lane);
      if (k.met == relation::equal) equal.emplace(k.array, k.slot, k.lane);
    }
    for (const memory_access& a : step.accesses) {
      RC_ASSERT(a.bytes <= 16u);
      RC_ASSERT(a.bytes > 0u);
      RC_ASSERT((a.bytes & (a.bytes - 1)) == 0u);
      RC_ASSERT(a.byte_offset % a.bytes == 0u);
      RC_ASSERT(a.lane < 32u);
      const bool scan = step.kind != step_kind::search;
      const bool whole = a.array == ordered_region::entries && a.space == memory_space::global;
      const bool row_of_pinned = whole && a.byte_offset % at.stride != 0;  // its key is in scratch
      if (a.array == ordered_region::rows || row_of_pinned) {  // a row id: of an equal key, or of any in a scan
        RC_ASSERT(a.slots == 1u);
        RC_ASSERT(a.bytes == 4u);
        RC_ASSERT(a.byte_offset == (row_of_pinned ? a.slot * at.stride + at.key : a.slot * 4));
        const auto& those = scan ? std::set<looked_at>(compared.begin(), compared.end()) : equal;
        RC_ASSERT(those.contains({ordered_region::entries, a.slot, a.lane}));
        continue;
      }
      if (a.space == memory_space::scratch) {
        RC_ASSERT(a.bytes == a.slots * at.key);
        for (u32 i = 0; i < a.slots; ++i) {
          RC_ASSERT(pinned.contains(a.byte_offset / at.key + i));
          const pinned_slot from = pinned.at(a.byte_offset / at.key + i);
          RC_ASSERT(from.array == a.array);
          RC_ASSERT(from.slot == a.slot + i);
        }
      } else {
        const u64 stride = whole ? at.stride : at.key;
        RC_ASSERT(a.byte_offset == a.slot * stride);
        const bool key_alone = a.slots == 1 && a.bytes == at.key;  // a step of AO compares a key and wants no row id
        RC_ASSERT((a.bytes == a.slots * stride || key_alone));
      }
      for (u32 i = 0; i < a.slots; ++i) loaded.emplace(a.array, a.slot + i, a.lane);
    }
    RC_ASSERT(loaded == compared);
  }
}

// A value of `read` at a byte of an array.
template <class T>
T value_at(const built_index& index, region_id array, u64 byte) {
  T value{};
  const status read = index.read(array, byte, std::as_writable_bytes(std::span(&value, 1)));
  RC_ASSERT(read.ok());
  return value;
}

template <class Key>
void expect_keys_of_memory(const built_index& index, const lookup_trace& trace) {
  const layout_of at(index.config());
  for (const trace_step& step : trace.steps) {
    for (const comparison& k : step.compared) {
      const u64 stride = k.array == ordered_region::entries ? at.stride : at.key;
      RC_ASSERT(u64{value_at<Key>(index, k.array, k.slot * stride)} == k.key);
    }
  }
}

// Every field of the JSON, from the trace.
void expect_json(const lookup_trace& trace) {
  nlohmann::json json;
  to_json(json, trace);
  const auto number_or_null = [](bool there, u64 value) { return there ? nlohmann::json(value) : nlohmann::json(); };
  const bool aos = ordered_config::of(trace.config).layout == entry_layout::aos;
  const auto name = [&](region_id a) {
    return a == ordered_region::pivots ? "pivots" : a == ordered_region::rows ? "row ids" : aos ? "entries" : "keys";
  };
  RC_ASSERT(json["format"] == 1);
  RC_ASSERT(json["config_line"] == to_line(trace.config));
  RC_ASSERT(json["keys"] == trace.keys);
  RC_ASSERT(json["lookup"] == trace.key);
  RC_ASSERT(json["row"] == number_or_null(trace.row != not_found, trace.row));
  RC_ASSERT(json["slot"] == number_or_null(trace.slot != no_rank, trace.slot));
  RC_ASSERT(json["bytes"] == trace.bytes);
  RC_ASSERT(json["sectors"] == trace.sectors);
  RC_ASSERT(json["lines"] == trace.lines);
  RC_ASSERT(json["start"] == trace.start);
  RC_ASSERT(json["verdict"] == trace.verdict);
  RC_ASSERT(json["steps"].size() == trace.steps.size());
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const trace_step& step = trace.steps[i];
    const nlohmann::json& said = json["steps"][i];
    RC_ASSERT(said["level"] == step.level);
    RC_ASSERT(said["kind"] == (step.kind == step_kind::search ? "search"
                               : step.kind == step_kind::scan ? "scan"
                                                              : "warp scan"));
    RC_ASSERT(said["left_first"] == step.left_first);
    RC_ASSERT(said["left_end"] == step.left_end);
    RC_ASSERT(said["words"] == step.words);
    RC_ASSERT(said["next"] == step.next);
    nlohmann::json reads = nlohmann::json::array(), compared = nlohmann::json::array();
    for (const memory_access& a : step.accesses) {
      reads.push_back({{"array", name(a.array)},
                       {"space", a.space == memory_space::scratch ? "scratch" : "global"},
                       {"slot", a.slot},
                       {"slots", a.slots},
                       {"byte", a.byte_offset},
                       {"bytes", a.bytes},
                       {"lane", a.lane},
                       {"access", "load"}});
    }
    RC_ASSERT(said["reads"] == reads);
    for (const comparison& k : step.compared) {
      compared.push_back({{"array", name(k.array)},
                          {"slot", k.slot},
                          {"rank", number_or_null(k.rank != no_rank, k.rank)},
                          {"key", number_or_null(k.rank != no_rank, k.key)},
                          {"lane", k.lane},
                          {"order", k.met == relation::equal     ? "equal"
                                    : k.met == relation::greater ? "greater"
                                                                 : "less"}});
    }
    RC_ASSERT(said["compared"] == compared);
  }
}

template <class Key>
void expect_trace_right(const built_index& index, const outcome<lookup_trace>& trace) {
  RC_ASSERT(trace.ok());
  expect_counted_right(*trace);
  expect_loads_of_what_is_compared(index, *trace);
  expect_keys_of_memory<Key>(index, *trace);
  expect_json(*trace);
}

RC_GTEST_PROP(TraceProperty, CountsWhatItsAddressesSay, ()) {
  const ordered_config c = *testing::any_config();
  testing::with_key_of(c, [&]<class Key>(Key) {
    const auto keys = *testing::any_keys<Key>();
    const auto index = testing::build_on_cpu(c, key_array(keys));
    const auto draw = [&] {
      return keys.empty() || *rc::gen::arbitrary<bool>() ? *rc::gen::arbitrary<Key>() : *rc::gen::elementOf(keys);
    };
    const u64 key = draw(), low = draw(), high = draw();
    RC_LOG() << to_line(c) << " n=" << keys.size() << " key " << key << ", " << low << ".." << high << "\n";
    expect_trace_right<Key>(*index, trace_lookup(*index, key));
    // A scan of all keys is no other than one of many.
    if (keys.size() < 150) expect_trace_right<Key>(*index, trace_range(*index, low, high));
  });
}

}  // namespace
}  // namespace pivotscope
