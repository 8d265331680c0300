#include "core/workload/field_needs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pivotscope {
namespace {

bool draws(const workload& w) { return !w.own_batch.given() && batch_size(w) != 0; }
bool draws_hits(const workload& w) { return draws(w) && w.hits > 0; }
// Without keys all is a miss, whatever `hits` says.
bool draws_misses(const workload& w) {
  const bool no_entries = w.ranges != 0 && w.range_hits == 0, no_keys = !w.own_keys.given() && w.keys == 0;
  return draws(w) && (w.hits < 1 || no_entries || no_keys);
}
bool writes(const workload& w) { return w.recipe.inserts != 0 || w.recipe.erases != 0; }
bool finds(const workload& w) { return writes(w) && w.recipe.mix != 0; }

constexpr field_need needs[] = {
    {"seed", "keys, lookups or operations that are drawn", "--seed", "keys, lookups or operations that are drawn",
     [](const workload& w) { return (!w.own_keys.given() && w.dist != distribution::paper) || draws(w) || writes(w); }},
    {"hits", "lookups, or operations that are made", "--hits", "what is drawn, --erases or --mix",
     [](const workload& w) { return draws(w) || w.recipe.erases != 0 || finds(w); }},
    {"uniformity", "distribution=mix", "--uniformity", "--distribution mix",
     [](const workload& w) { return !w.own_keys.given() && w.dist == distribution::mix; },
     [](workload& w) { w.uniformity = workload{}.uniformity; }},
    {"repeat", "distribution=duplicates or distribution=ends", "--repeat-keys",
     "--distribution duplicates or --distribution ends",
     [](const workload& w) {
       return !w.own_keys.given() && (w.dist == distribution::duplicates || w.dist == distribution::ends);
     },
     [](workload& w) { w.repeat = workload{}.repeat; }},
    {"range_hits", "ranges", "", "", [](const workload& w) { return !w.own_batch.given() && w.ranges != 0; },
     [](workload& w) { w.range_hits = workload{}.range_hits; }},
    {"misses", "hits below 1", "--misses", "--hits below 1", draws_misses,
     [](workload& w) { w.misses = workload{}.misses; }},
    {"order", "a batch that is drawn", "--order", "a batch that is drawn", draws,
     [](workload& w) { w.order = workload{}.order; }},
    {"displaced", "order=nearly", "", "", [](const workload& w) { return draws(w) && w.order == lookup_order::nearly; },
     [](workload& w) { w.displaced = workload{}.displaced; }},
    {"distance", "order=nearly", "", "", [](const workload& w) { return draws(w) && w.order == lookup_order::nearly; },
     [](workload& w) { w.distance = workload{}.distance; }},
    {"popularity", "hits above 0", "--popularity", "--hits above 0", draws_hits,
     [](workload& w) { w.popular = workload{}.popular; }},
    {"exponent", "popularity=zipf or distribution=zipf", "--exponent", "--popularity zipf or --distribution zipf",
     [](const workload& w) {
       const bool of_keys = !w.own_keys.given() && w.dist == distribution::zipf;
       return of_keys || (draws_hits(w) && w.popular == popularity::zipf);
     },
     [](workload& w) { w.exponent = workload{}.exponent; }},
    {"hot_keys", "popularity=hot", "", "",
     [](const workload& w) { return draws_hits(w) && w.popular == popularity::hot; },
     [](workload& w) { w.hot_keys = workload{}.hot_keys; }},
    {"hot_lookups", "popularity=hot", "", "",
     [](const workload& w) { return draws_hits(w) && w.popular == popularity::hot; },
     [](workload& w) { w.hot_lookups = workload{}.hot_lookups; }},
    {"mix", "inserts or erases", "--mix", "--inserts or --erases", writes,
     [](workload& w) { w.recipe.mix = workload{}.recipe.mix; }},
    {"batch", "inserts or erases", "--batch", "--inserts or --erases", writes,
     [](workload& w) { w.recipe.batch = workload{}.recipe.batch; }},
};

}  // namespace

std::span<const field_need> field_needs() { return needs; }

workload without_idle(workload w) {
  for (const field_need& need : needs)
    if (need.reset && !need.counts(w)) need.reset(w);
  return w;
}

bool says_batch(const workload_parts& parts) {
  return std::any_of(parts.given.begin(), parts.given.end(), [](const std::string& field) {
    return std::any_of(std::begin(batch_counts), std::end(batch_counts),
                       [&](const batch_count& one) { return field == info_of(one.kind).field; });
  });
}

std::vector<std::string> drop_idle(workload_parts& parts) {
  std::vector<std::string> words;
  for (const field_need& need : needs) {
    if (!need.reset || need.counts(parts.load)) continue;
    if (std::find(parts.given.begin(), parts.given.end(), need.field) != parts.given.end())
      words.push_back(fmt::format("{} has no effect without {}: it is left out", need.field, need.needs));
    need.reset(parts.load);
  }
  return words;
}

}  // namespace pivotscope
