#include "core/traffic/search_lengths.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/index/built_index.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {
namespace {

constexpr u64 warp = 32;

// A hash of the key leads to a part of the table, and from there perhaps to others.
bool is_hash_table(const index_model& model) {
  return model.cells_tell() && !model.has_order() && (model.windows() || model.fill());
}

nlohmann::json lengths_json(const probe_lengths& lengths) {
  return {{"lookups", lengths.count}, {"mean", lengths.mean()}, {"of_length", lengths.lookups}};
}

}  // namespace

void probe_lengths::add(u64 read, u64 key) {
  const std::size_t size = std::max<std::size_t>(lookups.size(), read + 1);
  lookups.resize(size), first.resize(size);
  if (lookups[read]++ == 0) first[read] = key;
  ++count, windows += read;
}

std::optional<u64> probe_lengths::example(u64 read, bool or_more) const {
  if (or_more && longest() > read) return first[longest()];
  return read < lookups.size() && lookups[read] > 0 ? std::optional(first[read]) : std::nullopt;
}

u64 probe_lengths::of_length(u64 read, bool or_more) const {
  if (read >= lookups.size()) return 0;
  if (!or_more) return lookups[read];
  return std::accumulate(lookups.begin() + static_cast<std::ptrdiff_t>(read), lookups.end(), u64{0});
}

bool has_search_lengths(const index_model& model) {
  return is_hash_table(model) || model.windows() || model.levels() > 1;
}

std::string length_unit(const index_model& model) {
  if (const auto parts = is_hash_table(model) ? model.fill() : std::nullopt) return parts->name;
  return model.windows() ? "window" : "step";
}

u64 length_of(const index_model& model, const lookup_trace& trace) {
  if (!is_hash_table(model)) return trace.steps.size();
  // A step may read what leads to a part, such as GPH's cell index, and no entry.
  return static_cast<u64>(std::ranges::count_if(trace.steps, [](const trace_step& step) {
    return std::ranges::any_of(step.compared, [](const comparison& c) { return c.array == main_region && !c.keyless; });
  }));
}

outcome<search_lengths> count_lengths(const stored_index& index, const key_array& lookups, u64 sample,
                                      const job_control& control) {
  const auto model = model_of(index);
  search_lengths lengths{length_unit(*model), {}, {}};
  const u64 all = has_search_lengths(*model) ? std::min(sample, lookups.size()) : 0;
  for (u64 done = 0; done < all; done += warp) {
    if (control.cancelled()) return job_control::cancelled_problem();
    std::vector<u64> keys;
    for (u64 i = done; i < std::min(done + warp, all); ++i) keys.push_back(lookups[i]);
    const outcome<std::vector<lookup_trace>> traces = trace_warp(index, keys);
    if (!traces) return traces.error();
    for (const lookup_trace& trace : *traces)
      (trace.row == not_found ? lengths.misses : lengths.hits).add(length_of(*model, trace), trace.key);
  }
  return lengths;
}

void to_json(nlohmann::json& json, const search_lengths& lengths) {
  json = {{"unit", lengths.unit}, {"hits", lengths_json(lengths.hits)}, {"misses", lengths_json(lengths.misses)}};
}

}  // namespace pivotscope
