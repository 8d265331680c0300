#include "core/sweep/theorem_6_1.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "core/index/config_text.hpp"
#include "core/index/model.hpp"
#include "core/index/value_choices.hpp"
#include "core/machine/machine.hpp"
#include "core/workload/generate/seeded_bijection.hpp"

namespace pivotscope {
namespace {

constexpr u64 keys_of_table = 1 << 16, inserts_counted = 1000, seed = 1;

double log_choose(double n, double k) { return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1); }

// How many mappings the insert tries, the present one first, until all keys of the cell fit by one of its offsets; nothing: by
// none. The last mapping is not tried: it says that keys are in the spill.
std::optional<u32> tries_of(const value_choices& values) {
  const u32 last = values.columns - 1, now = values.now % values.columns;
  for (u32 tried = 0; tried < last; ++tried)
    for (u32 row = 0; row < values.rows; ++row)
      if (values.kinds[values.square(row, (now + tried) % last)] == value_choices::fits) return tried + 1;
  return std::nullopt;
}

// The share of the table's keys in the spill: the first cell of the region `counters` counts them.
outcome<double> spilled_share(const built_index& index, const index_model& model, u64 keys) {
  const auto regions = model.regions();
  const auto at = std::ranges::find(regions, "counters", &region_info::id);
  if (at == regions.end()) return problem{"the index counts no spilled keys"};
  u32 spilled = 0;
  const auto region = static_cast<region_id>(at - regions.begin());
  if (auto s = index.read(region, 0, std::as_writable_bytes(std::span(&spilled, 1))); !s) return s.error();
  return static_cast<double>(spilled) / static_cast<double>(keys);
}

struct table_shape {
  u32 slots, virtuals;  // M, R
  u32 colour;

  std::string words() const { return fmt::format("M = {}, R = {}", slots, virtuals); }
  std::string line(u32 load) const {
    return fmt::format("GPH bucket={} lanes={} virtuals={} load={}", slots, std::max(1u, slots / 8), virtuals, load);
  }
};

// Calls f(shape, its number, load, what was counted) for each load of the axis.
template <class F>
status each_table(machine& cpu, std::span<const table_shape> shapes, const job_control& control, F&& f) {
  constexpr u32 first = 30, last = 95, step = 5, loads = (last - first) / step + 1;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (u32 load = first; load <= last; load += step) {
      if (control.cancelled()) return job_control::cancelled_problem();
      const double done = static_cast<double>(i * loads + (load - first) / step);
      control.progress(fmt::format("{}, load {}", shapes[i].words(), load),
                       done / static_cast<double>(shapes.size() * loads));
      const auto counted = count_inserts(cpu, shapes[i].line(load), keys_of_table, inserts_counted, control);
      if (!counted) return counted.error();
      f(shapes[i], i, load, *counted);
    }
  }
  return fine();
}

computed_figure begin_figure(const figure_recipe& of, std::string y_words) {
  return {.name = std::string(of.name),
          .sentence = std::string(of.sentence),
          .source = std::string(of.source),
          .x_words = "load: keys of a hundred slots",
          .y_words = std::move(y_words)};
}

constexpr std::string_view tables_words =
    "GPH: tables of 2^16 keys, a byte for 12; 1000 inserts of other keys, each into the table as it was built.";

}  // namespace

double mean_tries(const theorem_case& of) {
  double product = 1;
  for (u32 j = 0; j < of.virtuals; ++j) product *= (static_cast<double>(of.buckets) - j) / (of.vacant() - j);
  return product;
}

double tries_bound(const theorem_case& of) {
  return std::pow(1 + static_cast<double>(of.full) / (of.vacant() - of.virtuals), of.virtuals);
}

double simulated_tries(const theorem_case& of, u64 inserts, u64 seed_of_draws) {
  u64 tries = 0, drawn = 0;
  std::vector<u64> buckets;
  for (u64 i = 0; i < inserts; ++i) {
    for (bool all_vacant = false; !all_vacant; ++tries) {
      // By chance all of it: which buckets are full makes no difference, so these are the first ones.
      buckets.clear();
      while (buckets.size() < of.virtuals) {
        const u64 bucket = scale_to(random_bits(seed_of_draws, drawn++), of.buckets - 1);
        if (std::ranges::find(buckets, bucket) == buckets.end()) buckets.push_back(bucket);
      }
      all_vacant = std::ranges::all_of(buckets, [&](u64 bucket) { return bucket >= of.full; });
    }
  }
  return static_cast<double>(tries) / static_cast<double>(inserts);
}

double failure_chance(u64 buckets, u64 keys, u32 virtuals, u32 slots) {
  const double p = static_cast<double>(virtuals) / static_cast<double>(buckets), n = static_cast<double>(keys);
  double chance = 0;
  // Beyond the mean each term is smaller than the one before.
  for (double k = virtuals * slots + 1; k <= n; ++k) {
    const double term = std::exp(log_choose(n, k) + k * std::log(p) + (n - k) * std::log1p(-p));
    chance += term;
    if (k > n * p && term < chance * 1e-12) break;
  }
  return std::min(chance, 1.0);
}

outcome<counted_inserts> count_inserts(machine& cpu, std::string_view config, u64 keys, u64 inserts,
                                       const job_control& control) {
  const outcome<index_config> read = config_from_line(std::string(config));
  if (!read) return read.error();
  const seeded_bijection key_at(greatest_key<u32>(), seed);
  key_array all(key_width::u32, keys);
  all.visit([&]<class Key>(std::vector<Key>& list) {
    for (u64 i = 0; i < keys; ++i) list[i] = static_cast<Key>(key_at(i));
  });
  auto resident = cpu.load(all, control);
  if (!resident) return resident.error();
  const auto built = cpu.build(*read, *resident, control);
  if (!built) return built.error();
  const built_index& index = **built;
  const auto model = model_of(index);
  const region_reader bytes = [&](region_id region, u64 byte, std::span<std::byte> out) {
    return index.read(region, byte, out).ok();
  };
  const outcome<double> share = spilled_share(index, *model, keys);
  if (!share) return share.error();
  counted_inserts counted{.inserts = inserts, .spilled = *share};
  u64 tries = 0;
  for (u64 i = 0; i < inserts; ++i) {
    const auto values = model->choices_for(key_at(keys + i), bytes);
    if (!values) return problem{fmt::format("{} has no cells that choose among values", config)};
    if (values->columns != values->all_columns) return problem{fmt::format("{} has too many values", config)};
    if (values->left_over[values->now] == 0) continue;               // its bucket has room
    if (values->kinds[values->now] == value_choices::last_resort) {  // keys of its cell are in the spill: it goes there
      ++counted.without;
      continue;
    }
    const std::optional<u32> tried = tries_of(*values);
    ++counted.refined;
    counted.without += tried ? 0 : 1;
    tries += tried.value_or(values->columns - 1);
  }
  if (counted.refined > 0) counted.tries = static_cast<double>(tries) / static_cast<double>(counted.refined);
  return counted;
}

outcome<computed_figure> draw_theorem_6_1_tries(machine& cpu, const job_control& control) {
  constexpr u64 buckets = 1000, simulated_inserts = 300;
  constexpr double most_simulated = 20'000;  // tries of an insert
  computed_figure made = begin_figure(theorem_6_1_tries, "mappings tried");
  made.below = fmt::format(
      "The theorem: {} buckets of one slot, R keys of a cell, each try R buckets by chance; simulated: {} inserts. {} "
      "A "
      "cell of a byte has {} mappings (R = 4: {}), which are all tried where none fits; an offset is no try of its "
      "own.",
      buckets, simulated_inserts, tables_words, 256 / 8 - 1, 256 / 4 - 1);
  u32 colour = 0;
  for (const u32 virtuals : {2u, 4u, 8u}) {
    computed_series exact{fmt::format("theorem, R = {}", virtuals), drawn_as::line, colour},
        bound{fmt::format("its bound, R = {}", virtuals), drawn_as::dashes, colour},
        simulated{fmt::format("simulated, R = {}", virtuals), drawn_as::dots, colour};
    for (u32 load = 5; load <= 95; load += 5) {
      const theorem_case of{buckets, buckets * load / 100, virtuals};
      exact.dots.push_back({double(load), mean_tries(of)});
      bound.dots.push_back({double(load), tries_bound(of)});
      if (mean_tries(of) < most_simulated && load % 10 == 0)
        simulated.dots.push_back({double(load), simulated_tries(of, simulated_inserts, seed)});
    }
    for (computed_series* one : {&exact, &bound, &simulated}) made.series.push_back(std::move(*one));
    ++colour;
  }
  constexpr table_shape shapes[] = {{8, 4, 3}, {4, 8, 4}, {8, 8, 5}, {16, 8, 6}};
  const std::size_t first = made.series.size();
  for (const table_shape& shape : shapes)
    made.series.push_back({fmt::format("GPH, {}", shape.words()), drawn_as::joined_dots, shape.colour});
  const status done = each_table(cpu, shapes, control,
                                 [&](const table_shape&, std::size_t i, u32 load, const counted_inserts& counted) {
                                   if (counted.refined > 0)
                                     made.series[first + i].dots.push_back({double(load), counted.tries});
                                 });
  if (!done) return done.error();
  return made;
}

outcome<computed_figure> draw_theorem_6_1_failure(machine& cpu, const job_control& control) {
  computed_figure made = begin_figure(theorem_6_1_failure, "share");
  made.least_y = 1e-6;
  made.below = fmt::format(
      "The paper: the chance that more than R M keys belong to the R buckets of a cell, R = 8. {} An insert without a "
      "value: its bucket is full, and the keys of its cell fit by no value, or are in the spill already.",
      tables_words);
  constexpr table_shape shapes[] = {{4, 8, 0}, {8, 8, 1}, {16, 8, 2}};
  constexpr std::size_t of_a_shape = 3;
  for (const table_shape& shape : shapes) {
    made.series.push_back({fmt::format("the paper, M = {}", shape.slots), drawn_as::line, shape.colour});
    made.series.push_back({fmt::format("inserts without a value, M = {}", shape.slots), drawn_as::dots, shape.colour});
    made.series.push_back({fmt::format("keys spilled, M = {}", shape.slots), drawn_as::joined_dots, shape.colour});
  }
  const status done = each_table(
      cpu, shapes, control, [&](const table_shape& shape, std::size_t i, u32 load, const counted_inserts& counted) {
        const u64 buckets = keys_of_table * 100 / (u64{load} * shape.slots);
        const double shares[of_a_shape] = {failure_chance(buckets, keys_of_table, shape.virtuals, shape.slots),
                                           static_cast<double>(counted.without) / static_cast<double>(counted.inserts),
                                           counted.spilled};
        for (std::size_t s = 0; s < of_a_shape; ++s)
          made.series[of_a_shape * i + s].dots.push_back({double(load), shares[s]});
      });
  if (!done) return done.error();
  return made;
}

}  // namespace pivotscope
