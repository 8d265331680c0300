#include "viz/state/own_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/index/axes.hpp"
#include "core/index/check.hpp"
#include "core/index/config_text.hpp"
#include "core/index/operations.hpp"

namespace pivotscope::viz {
namespace {

struct place {
  std::string words;
  std::function<bool(index_config&, workload&)> set;  // false: the config has no such knob
};

place of_knob(const char* axis_name, u32 value) {
  return {fmt::format("{}", value), [=](index_config& config, workload&) {
            const axis* knob = find_axis(config.family, axis_name);
            return knob != nullptr && knob->set(config, std::to_string(value));
          }};
}

template <class F>
place of_load(std::string words, F&& change) {
  return {std::move(words), [=](index_config&, workload& load) { return change(load), true; }};
}

std::vector<place> places_of(own_axis x, const workload& load) {
  std::vector<place> all;
  switch (x) {
    case own_axis::keys: {
      constexpr u32 least_bits = 4, shown_bits = 14;
      const u32 most = std::max<u32>(least_bits, static_cast<u32>(std::bit_width(load.keys | 1)) - 1);
      for (u32 bits = most > shown_bits + least_bits ? most - shown_bits : least_bits; bits <= most; ++bits)
        all.push_back(of_load(fmt::format("2^{}", bits), [=](workload& w) { w.keys = 1ull << bits; }));
      break;
    }
    case own_axis::hits:
      for (const u32 percent : {0u, 25u, 50u, 75u, 100u})
        all.push_back(of_load(fmt::format("{}%", percent), [=](workload& w) { w.hits = percent / 100.0; }));
      break;
    case own_axis::skew:
      for (const double exponent : {0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 5.0})
        all.push_back(of_load(fmt::format("{:g}", exponent), [=](workload& w) {
          w.popular = exponent == 0 ? popularity::uniform : popularity::zipf;  // which is the same, and can be modelled
          if (exponent != 0) w.exponent = exponent;
        }));
      break;
    case own_axis::distribution:
      for (const distribution dist : {distribution::uniform, distribution::dense, distribution::gaps,
                                      distribution::clusters, distribution::narrow, distribution::half})
        all.push_back(of_load(std::string(distribution_name(dist)), [=](workload& w) { w.dist = dist; }));
      break;
    case own_axis::fanout:
      for (const u32 k : {2u, 3u, 5u, 9u, 17u, 33u}) all.push_back(of_knob("fanout", k));
      break;
    case own_axis::threads:
      for (const u32 threads : {64u, 128u, 256u, 512u, 1024u}) all.push_back(of_knob("threads", threads));
      break;
    case own_axis::per_thread:
      for (const u32 lookups : {1u, 2u, 4u, 8u, 16u}) all.push_back(of_knob("per_thread", lookups));
      break;
    case own_axis::range_entries:
      for (u32 bits = 0; bits <= 14 && 1ull << bits <= load.keys; bits += 2)
        all.push_back(of_load(fmt::format("2^{}", bits), [=](workload& w) {
          const u64 ranges = std::max<u64>(1, batch_size(w) >> bits);
          set_batch_size(w, operation::range, ranges);
          w.range_hits = 1ull << bits;
        }));
      break;
    case own_axis::load:
      for (const u32 percent : {30u, 50u, 60u, 70u, 80u, 90u, 95u}) all.push_back(of_knob("load", percent));
      break;
  }
  return all;
}

plot_x place_of_axis(own_axis x) {
  if (x == own_axis::keys) return plot_x::keys;
  return x == own_axis::range_entries ? plot_x::range_entries : plot_x::place;
}

// What the papers' keys and one's own cannot be: of any number, drawn anew.
workload generated(const workload& load) {
  workload w = load;
  w.own_keys = {}, w.own_batch = {}, w.own_script = {}, w.recipe = {};
  if (w.dist == distribution::paper) w.dist = distribution::uniform;
  return w;
}

}  // namespace

const char* name_of(own_axis x) {
  constexpr const char* names[own_axis_count] = {"n",       "hits",       "skew",  "distribution", "K",
                                                 "threads", "per thread", "range", "load"};
  return names[static_cast<std::size_t>(x)];
}

const char* sentence_of(own_axis x) {
  constexpr const char* sentences[own_axis_count] = {
      "The number of keys, up to that of the workload.",
      "How many of the lookups are of a key that is there.",
      "How unevenly keys are looked up: the r-th most popular row in proportion to 1 / r^skew (Zipf). 0: all alike.",
      "How the keys are distributed, and with them the lookups.",
      "The fanout of a search node: of methods that have one.",
      "Threads a block, and with them the lookups of a tile.",
      "Lookups a thread: with the threads a block they make a tile.",
      "Entries of a range: ranges in place of lookups, fewer of them the longer they are.",
      "Keys of a hundred cells: of hash tables."};
  return sentences[static_cast<std::size_t>(x)];
}

outcome<pivotscope::sweep> own_sweep(own_axis x, plot_y y, std::span<const index_config> configs,
                                     const workload& load) {
  const workload base = generated(load);
  const std::vector<place> places = places_of(x, base);
  pivotscope::sweep made{.name = "own",
                         .sentence = fmt::format("configs by {}", name_of(x)),
                         .source = "this window",
                         .plot = sweep_plot{.x_words = name_of(x), .x = place_of_axis(x), .ticks = {}, .y = y}};
  if (x == own_axis::skew) made.plot->x_words = "exponent of Zipf's law, of lookups";
  made.plot->log_y = x == own_axis::keys || x == own_axis::range_entries;
  for (const place& at : places) made.plot->ticks.push_back(at.words);
  std::vector<bool> has_row(configs.size());
  for (u32 tick = 0; tick < places.size(); ++tick) {
    for (std::size_t i = 0; i < configs.size(); ++i) {
      sweep_row row{
          .load = base, .width = configs[i].keys, .advised = false, .series = to_line(configs[i]), .tick = tick};
      index_config config = configs[i];
      if (!places[tick].set(config, row.load) || check(config) || check(row.load, row.width) ||
          check_serves(config, operation_of(row.load)) || check_keys(config, row.load.keys))
        continue;
      config.keys = key_width::u32;  // the row's width
      row.id = fmt::format("{} at {}", row.series, places[tick].words);
      row.configs = {to_line(config)};
      if (made.row(row.id) == nullptr) made.rows.push_back(std::move(row)), has_row[i] = true;
    }
  }
  for (std::size_t i = 0; i < configs.size(); ++i)
    if (!has_row[i]) made.missing.push_back({to_line(configs[i]), fmt::format("{} does not go with it", name_of(x))});
  if (made.rows.empty())
    return problem{configs.empty() ? std::string("Choose a config to plot.")
                                   : fmt::format("None of these configs goes with {} along x.", name_of(x))};
  return made;
}

}  // namespace pivotscope::viz
