#include "core/sweep/sweep_shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/config/axis.hpp"
#include "core/sweep/timed_part.hpp"

namespace pivotscope {
namespace {

// Of each row the first row of those that it hangs together with.
std::vector<std::size_t> groups_of(const sweep& whole) {
  std::vector<std::size_t> group(whole.rows.size());
  const auto place_of = [&](std::string_view id) {
    return static_cast<std::size_t>(whole.row(id) - whole.rows.data());
  };
  const auto join = [&](std::size_t row, std::string_view leans_on) {
    if (leans_on.empty()) return;
    const std::size_t one = group[row], other = group[place_of(leans_on)];
    for (std::size_t& g : group)
      if (g == one || g == other) g = std::min(one, other);
  };
  for (std::size_t i = 0; i < group.size(); ++i) {
    group[i] = i;
    join(i, whole.rows[i].configs_of);
    for (const want& wanted : whole.rows[i].wants) join(i, wanted.row);
  }
  return group;
}

}  // namespace

outcome<sweep_shard> parse_shard(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto part = [&](std::string_view digits) { return parse_u32(digits).value_or(0); };
  const u32 number = part(text.substr(0, slash)), of = slash == text.npos ? 0 : part(text.substr(slash + 1));
  if (number == 0 || of == 0)
    return problem{fmt::format("'{}' is no shard: which one, from 1, and of how many, as in 3/16", text)};
  if (of > most_shards) return problem{fmt::format("there can be {} shards at most, not {}", most_shards, of)};
  if (number > of) return problem{fmt::format("shard {} is not one of 1 to {}", number, of)};
  return sweep_shard{number, of};
}

sweep shard_of(const sweep& whole, const sweep_shard& shard, u32 scale) {
  const std::vector<std::size_t> group = groups_of(whole);
  constexpr u32 rounds = 1;
  std::map<std::size_t, double> weights;
  double all = 0;
  for (std::size_t i = 0; i < group.size(); ++i) {
    const double weight = weight_of(scaled(whole.rows[i], scale), rounds);
    weights[group[i]] += weight, all += weight;
  }
  // A group belongs to the shard that its middle lies in.
  std::map<std::size_t, u32> shard_of_group;
  double before = 0;
  for (const auto& [first, weight] : weights) {
    const double middle = all > 0 ? (before + weight / 2) / all : 0;
    shard_of_group[first] = std::min(shard.of - 1, static_cast<u32>(middle * shard.of)) + 1;
    before += weight;
  }
  sweep out = whole;
  out.rows.clear();
  for (std::size_t i = 0; i < group.size(); ++i)
    if (shard_of_group[group[i]] == shard.number) out.rows.push_back(whole.rows[i]);
  return out;
}

double weight_of(const sweep_row& row, u32 rounds) {
  const double configs = static_cast<double>(std::max<std::size_t>(1, row.configs.size()) + (row.advised ? 1 : 0));
  const double entries = static_cast<double>(row.load.ranges * row.load.range_hits);
  // The oracle does a script's writes one by one.
  const double replayed = has_script(row.load) ? static_cast<double>(plotted_keys(row.load)) * 64 * configs : 0;
  return static_cast<double>(row.load.keys) * 4 + replayed +
         (static_cast<double>(timed_part_of(row.load).operations) + entries / 16) * configs * rounds;
}

}  // namespace pivotscope
