#include "core/trace/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/batch/ranges.hpp"
#include "core/config/config_text.hpp"
#include "core/index/ordered/dispatch.hpp"
#include "core/index/ordered/mapping.hpp"
#include "core/machine/machine.hpp"
#include "core/simt/host.hpp"
#include "core/trace/narrator.hpp"

namespace pivotscope {

namespace {

// Bytes of an index wherever it lives, fetched as they are read. A read that fails is remembered; the search goes on
// over zeros, which it cannot get lost in, and its trace is thrown away.
class fetched_source {
 public:
  explicit fetched_source(const built_index& index) : index_(index), plan_(plan_pins(index.config(), index.shape())) {}

  template <class T>
  T load(region_id array, u64 byte_offset) {
    T value{};
    const auto done = index_.read(array, byte_offset, std::as_writable_bytes(std::span(&value, 1)));
    if (!done && !failure_) failure_ = done.error();
    return value;
  }
  // Scratch is not filled for one lookup: a pinned key is fetched from where a block would have copied it.
  pinned_slot origin(u32 index) const { return pin_source(index_.config(), index_.shape(), plan_, index); }
  template <class T>
  T load_scratch(u32 index) {
    const pinned_slot from = origin(index);
    const u32 stride = from.array == ordered_region::entries ? entry_bytes(index_.config()) : u32{sizeof(T)};
    return load<T>(from.array, from.slot * stride);
  }
  const pin_plan& plan() const { return plan_; }
  const std::optional<problem>& failure() const { return failure_; }

 private:
  const built_index& index_;
  pin_plan plan_;
  std::optional<problem> failure_;
};

class trace_recorder {
 public:
  trace_recorder(const index_config& config, const index_shape& shape, u64 key, lookup_trace& trace)
      : config_(config), shape_(shape), key_(key), trace_(trace) {}

  void step(u32 level) {
    trace_.steps.emplace_back();
    trace_.steps.back().level = level;
  }
  void scan_step(u32 level, bool with_warp) {
    step(level);
    trace_.steps.back().kind = with_warp ? step_kind::warp_scan : step_kind::scan;
  }
  void lane(u32 lane) { lane_ = lane; }
  void access(region_id array, u64 slot, u32 slots, u32 slot_bytes, u32 into_slot = 0) {
    const u32 stride = array == ordered_region::entries ? entry_bytes(config_) : slot_bytes;
    trace_.steps.back().accesses.push_back({array, memory_space::global, slot, slots, slot * stride + into_slot,
                                            slots * slot_bytes, lane_, static_cast<u32>(trace_.steps.size() - 1)});
  }
  void scratch_access(pinned_slot from, u32 index, u32 slots, u32 slot_bytes) {
    trace_.steps.back().accesses.push_back({from.array, memory_space::scratch, from.slot, slots,
                                            u64{index} * slot_bytes, slots * slot_bytes, lane_,
                                            static_cast<u32>(trace_.steps.size() - 1)});
  }
  void compared(region_id array, u64 slot, u64 key) {
    const u64 rank =
        array == ordered_region::pivots ? pivot_rank(config_, shape_, slot) : entry_rank(config_, shape_, slot);
    int order = key_ < key ? -1 : key_ > key ? 1 : 0;
    if (trace_.steps.back().kind != step_kind::search && order <= 0) order = key > trace_.range->high ? -1 : 0;
    trace_.steps.back().compared.push_back({array, slot, rank, key, lane_, order});
  }

 private:
  const index_config& config_;
  const index_shape& shape_;
  u64 key_;
  lookup_trace& trace_;
  u32 lane_ = 0;
};

// Runs `f(config, order, lanes, memory, view)` on the trace machine.
template <class Key, class F>
auto on_trace_machine(const index_shape& shape, u64 key, fetched_source& source, lookup_trace& trace, F&& f) {
  const dynamic_config config{trace.config};
  trace_recorder recorder(trace.config, shape, key, trace);
  host_lanes<trace_recorder> lanes(trace.config.lanes, recorder);
  host_memory<dynamic_config, Key, trace_recorder, fetched_source> memory(config, source, recorder);
  index_view view;
  view.shape = shape;
  view.pin = source.plan();
  return with_order(config, [&](auto order) { return f(config, order, lanes, memory, view); });
}

template <class Key>
u32 find_traced(const index_shape& shape, Key key, fetched_source& source, lookup_trace& trace) {
  return on_trace_machine<Key>(shape, key, source, trace,
                               [&](auto config, auto order, auto& lanes, auto& memory, const index_view& view) {
                                 auto one = wave_of(lanes, memory, key);
                                 return order.find(config, one, view)[0];
                               });
}

template <class Key>
range_answer scan_traced(const index_shape& shape, Key low, Key high, fetched_source& source, lookup_trace& trace) {
  return on_trace_machine<Key>(shape, low, source, trace,
                               [&](auto config, auto order, auto& lanes, auto& memory, const index_view& view) {
                                 range_totals unused{nullptr};
                                 range_scan scan(config, lanes, memory, low, high, 0, unused);
                                 order.scan(config, lanes, memory, view, low, scan);
                                 return scan.answer();
                               });
}

status check_key_fits(const index_config& config, u64 key) {
  if (config.keys == key_width::u64 || key <= greatest_key<u32>()) return fine();
  return problem{
      fmt::format("key {} does not fit the index's 32-bit keys: the greatest is {}", key, greatest_key<u32>())};
}

// Distinct blocks of `size` bytes that a step's loads touch, over all arrays.
u64 touched(const trace_step& step, u64 size) {
  std::set<std::pair<region_id, u64>> blocks;
  for (const memory_access& a : step.accesses) {
    if (a.space == memory_space::scratch) continue;
    for (u64 block = a.byte_offset / size; block <= (a.byte_offset + a.bytes - 1) / size; ++block) {
      blocks.emplace(a.array, block);
    }
  }
  return blocks.size();
}

void measure(lookup_trace& trace) {
  for (const trace_step& step : trace.steps) {
    for (const memory_access& a : step.accesses)
      (a.space == memory_space::scratch ? trace.scratch_bytes : trace.bytes) += a.bytes;
    trace.sectors += touched(step, 32);
    trace.lines += touched(step, 128);
  }
}

// The entry that answered: the first equal one of the last step, as its row id is the least.
void find_slot(lookup_trace& trace) {
  if (trace.row == not_found) return;
  for (const comparison& c : trace.steps.back().compared) {
    if (c.array == ordered_region::entries && c.order == 0 && c.rank != no_rank) {
      trace.slot = c.slot;
      return;
    }
  }
}

std::string counted(u64 n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

std::string_view array_name(region_id array, entry_layout layout) {
  switch (array) {
    case ordered_region::entries:
      return layout == entry_layout::aos ? "entries" : "keys";
    case ordered_region::rows:
      return "row ids";
    case ordered_region::pivots:
      return "pivots";
  }
  return "";
}

std::string_view kind_name(step_kind kind) {
  switch (kind) {
    case step_kind::search:
      return "search";
    case step_kind::scan:
      return "scan";
    case step_kind::warp_scan:
      return "warp scan";
  }
  return "";
}

}  // namespace

outcome<lookup_trace> trace_lookup(const built_index& index, u64 key) {
  const index_config& config = index.config();
  if (auto s = check_key_fits(config, key); !s) return s.error();
  lookup_trace trace;
  trace.config = config;
  trace.keys = index.shape().keys;
  trace.key = key;
  fetched_source source(index);
  trace.row = config.keys == key_width::u32 ? find_traced(index.shape(), static_cast<u32>(key), source, trace)
                                            : find_traced(index.shape(), key, source, trace);
  if (source.failure()) return *source.failure();
  find_slot(trace);
  measure(trace);
  narrate(trace, index.shape());
  return trace;
}

outcome<lookup_trace> trace_range(const built_index& index, u64 low, u64 high) {
  const index_config& config = index.config();
  for (const u64 key : {low, high}) {
    if (auto s = check_key_fits(config, key); !s) return s.error();
  }
  lookup_trace trace;
  trace.config = config;
  trace.keys = index.shape().keys;
  trace.key = low;
  trace.range = traced_range{high, {}};
  fetched_source source(index);
  trace.range->answer = config.keys == key_width::u32
                            ? scan_traced(index.shape(), static_cast<u32>(low), static_cast<u32>(high), source, trace)
                            : scan_traced(index.shape(), low, high, source, trace);
  if (source.failure()) return *source.failure();
  measure(trace);
  narrate_range(trace, index.shape());
  return trace;
}

void to_json(nlohmann::json& json, const lookup_trace& trace) {
  nlohmann::json config;
  to_json(config, trace.config);
  json = {{"format", 1},
          {"config", config},
          {"config_line", to_line(trace.config)},
          {"keys", trace.keys},
          {"lookup", trace.key},
          {"found", trace.range ? trace.range->answer.count != 0 : trace.row != not_found},
          {"bytes", trace.bytes},
          {"sectors", trace.sectors},
          {"lines", trace.lines},
          {"start", trace.start},
          {"verdict", trace.verdict}};
  if (trace.range) {
    json["range"] = {{"low", trace.key},
                     {"high", trace.range->high},
                     {"count", trace.range->answer.count},
                     {"row_sum", trace.range->answer.row_sum}};
  }
  json["row"] = trace.row == not_found ? nlohmann::json() : nlohmann::json(trace.row);
  json["slot"] = trace.slot == no_rank ? nlohmann::json() : nlohmann::json(trace.slot);
  json["steps"] = nlohmann::json::array();
  for (const trace_step& step : trace.steps) {
    nlohmann::json s = {{"level", step.level},
                        {"kind", kind_name(step.kind)},
                        {"left_first", step.left_first},
                        {"left_end", step.left_end},
                        {"words", step.words},
                        {"next", step.next},
                        {"reads", nlohmann::json::array()},
                        {"compared", nlohmann::json::array()}};
    for (const memory_access& a : step.accesses) {
      s["reads"].push_back({{"array", array_name(a.array, trace.config.layout)},
                            {"space", a.space == memory_space::global ? "global" : "scratch"},
                            {"slot", a.slot},
                            {"slots", a.slots},
                            {"byte", a.byte_offset},
                            {"bytes", a.bytes},
                            {"lane", a.lane}});
    }
    for (const comparison& c : step.compared) {
      s["compared"].push_back({{"array", array_name(c.array, trace.config.layout)},
                               {"slot", c.slot},
                               {"rank", c.rank == no_rank ? nlohmann::json() : nlohmann::json(c.rank)},
                               {"key", c.rank == no_rank ? nlohmann::json() : nlohmann::json(c.key)},
                               {"lane", c.lane},
                               {"order", c.order < 0   ? "less"
                                         : c.order > 0 ? "greater"
                                                       : "equal"}});
    }
    json["steps"].push_back(std::move(s));
  }
}

std::string to_text(const lookup_trace& trace) {
  std::string text = fmt::format(
      "{}, {}: looking for {}\n", to_line(trace.config), counted(trace.keys, "key"),
      trace.range ? fmt::format("all from {} to {}", trace.key, trace.range->high) : std::to_string(trace.key));
  if (!trace.start.empty()) text += trace.start + "\n";
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const trace_step& step = trace.steps[i];
    text += fmt::format("\nstep {} of {}, level {}{}\n", i + 1, trace.steps.size(), step.level,
                        step.kind == step_kind::search ? "" : fmt::format(", {}", kind_name(step.kind)));
    for (const memory_access& a : step.accesses) {
      const bool one = a.slots == 1;
      const std::string where = a.space == memory_space::scratch
                                    ? fmt::format("{} of scratch", a.byte_offset)
                                    : fmt::format("{} (sector {})", a.byte_offset, a.byte_offset / 32);
      text += fmt::format("  lane {:>2} reads {} slot{} {}{}, {} bytes at byte {}\n", a.lane,
                          array_name(a.array, trace.config.layout), one ? "" : "s", a.slot,
                          one ? "" : fmt::format(" to {}", a.slot + a.slots - 1), a.bytes, where);
    }
    text += "  " + step.words + "\n";
    if (!step.next.empty()) text += "  " + step.next + "\n";
  }
  text +=
      fmt::format("\n{}\n{}, {} in {} of 32 bytes, {} of 128.\n", trace.verdict, counted(trace.steps.size(), "step"),
                  counted(trace.bytes, "byte"), counted(trace.sectors, "sector"), counted(trace.lines, "line"));
  return text;
}

}  // namespace pivotscope
