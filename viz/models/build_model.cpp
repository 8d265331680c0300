#include "viz/models/build_model.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pivotscope::viz {

build_place clamped(std::span<const pass_info> passes, build_place at) {
  if (passes.empty()) return {};
  at.pass = std::min(at.pass, static_cast<u32>(passes.size() - 1));
  at.slot = std::min(at.slot, passes[at.pass].slots - 1);
  return at;
}

outcome<build_place> find_place(std::span<const pass_info> passes, const build_slot& at) {
  if (passes.empty()) return problem{"this index writes no slot"};
  std::string names;
  for (u32 i = 0; i < passes.size(); ++i) {
    names += (i == 0 ? "" : ", ") + passes[i].name;
    if (!at.pass.empty() && at.pass != passes[i].name) continue;
    if (at.slot < passes[i].slots) return build_place{i, at.slot};
    return problem{fmt::format("there is no slot {}: the build writes {} of the {}, from slot 0 on", at.slot,
                               passes[i].slots, passes[i].name)};
  }
  return problem{fmt::format("the build of this index writes no {}, but {}", at.pass, names)};
}

build_place moved(std::span<const pass_info> passes, build_place at, long long slots) {
  if (passes.empty()) return {};
  at = clamped(passes, at);
  u64 left = slots < 0 ? static_cast<u64>(-slots) : static_cast<u64>(slots);
  if (slots >= 0) {
    while (left > passes[at.pass].slots - 1 - at.slot) {
      if (at.pass + 1 == passes.size()) return {at.pass, passes[at.pass].slots - 1};
      left -= passes[at.pass].slots - at.slot;
      at = {at.pass + 1, 0};
    }
    return {at.pass, at.slot + left};
  }
  while (left > at.slot) {
    if (at.pass == 0) return {};
    left -= at.slot + 1;
    at = {at.pass - 1, passes[at.pass - 1].slots - 1};
  }
  return {at.pass, at.slot - left};
}

build_place moved_by_level(std::span<const pass_info> passes, build_place at, bool on) {
  if (passes.empty()) return {};
  at = clamped(passes, at);
  const std::vector<u64>& levels = passes[at.pass].levels;
  if (on) {
    const auto next = std::upper_bound(levels.begin(), levels.end(), at.slot);
    if (next != levels.end()) return {at.pass, *next};
    if (at.pass + 1 < passes.size()) return {at.pass + 1, 0};
    return {at.pass, passes[at.pass].slots - 1};
  }
  auto own = std::upper_bound(levels.begin(), levels.end(), at.slot);  // behind the begin of the slot's own level
  if (own != levels.begin() && *(own - 1) > 0) return {at.pass, *(own - 1) - 1};
  if (at.pass > 0) return {at.pass - 1, passes[at.pass - 1].slots - 1};
  return {};
}

built built_of(std::span<const pass_info> passes, build_place at, cell_ref cell) {
  for (u32 i = 0; i < passes.size(); ++i) {
    if (passes[i].region != cell.region) continue;
    if (i != at.pass) return i < at.pass ? built::yes : built::not_yet;
    return cell.cell == at.slot ? built::now : cell.cell < at.slot ? built::yes : built::not_yet;
  }
  return built::yes;
}

bool is_first(build_place at) { return at == build_place{}; }
bool is_last(std::span<const pass_info> passes, build_place at) {
  return passes.empty() || (at.pass + 1 == passes.size() && at.slot + 1 == passes.back().slots);
}

std::vector<grown_slot> grow(const index_config& config, build_place at) {
  std::vector<grown_slot> list;
  for (u64 n = least_grown; n <= most_grown; ++n) {
    const auto model = model_of(config, n);
    const std::vector<pass_info> passes = model->build_passes();
    grown_slot& grown = list.emplace_back(grown_slot{.n = n});
    if (at.pass >= passes.size() || at.slot >= passes[at.pass].slots) continue;
    const build_step step = model->step_of_build(at.pass, at.slot);
    grown.there = !step.empty;
    grown.rank = step.rank;
    grown.shift = step.shift;
  }
  return list;
}

workload grown_to(workload load, u64 n, bool& from_paper) {
  constexpr u64 paper_keys = 14;
  if (load.dist == distribution::paper && n != paper_keys) {
    load.dist = distribution::dense;
    from_paper = true;
  } else if (load.dist != distribution::dense) {
    from_paper = false;  // something else was chosen since
  }
  if (from_paper && n == paper_keys) load.dist = distribution::paper;
  load.keys = n;
  return load;
}

bool changes(std::span<const grown_slot> grown, std::size_t i) {
  if (i == 0 || !grown[i].shift || !grown[i - 1].shift) return false;
  return grown[i].shift->by != grown[i - 1].shift->by;
}

}  // namespace pivotscope::viz
