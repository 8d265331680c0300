#include "core/workload/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <iterator>

#include "core/workload/field_needs.hpp"
#include "core/workload/files/nearest_word.hpp"
#include "core/workload/generate/key_formula.hpp"
#include "core/workload/own_text.hpp"

namespace pivotscope {
namespace {

// In the order of the enumeration.
const std::array<std::string, 14> names = {"uniform",  "dense",  "mix",    "duplicates", "ends", "narrow", "gaps",
                                           "clusters", "nested", "crowds", "span",       "half", "paper",  "zipf"};
const std::array<std::string, 3> miss_places = {"anywhere", "inside", "outside"};
const std::array<std::string, 3> orders = {"random", "sorted", "nearly"};
const std::array<std::string, 3> popularities = {"uniform", "zipf", "hot"};
// The line's parts. For each read operation three: how many, from a file, or listed.
const std::vector<std::string>& fields() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> list = {"keys",           "distribution", "uniformity", "repeat",      "seed",
                                     "hits",           "range_hits",   "keys_from",  "keys_column", "key_list",
                                     "lookups_column", "inserts",      "erases",     "mix",         "batch",
                                     "script_from",    "script",       "misses",     "order",       "displaced",
                                     "distance",       "popularity",   "exponent",   "hot_keys",    "hot_lookups"};
    for (const batch_count& one : batch_counts)
      list.insert(list.end(), {std::string(info_of(one.kind).field), from_field(one.kind), list_field(one.kind)});
    return list;
  }();
  return all;
}

template <class T>
std::optional<problem> assign(outcome<T> parsed, auto& field) {
  if (!parsed) return parsed.error();
  field = static_cast<std::remove_cvref_t<decltype(field)>>(*parsed);
  return std::nullopt;
}

template <class Enumeration>
outcome<Enumeration> parse_name(std::string_view name, std::span<const std::string> all, std::string_view what) {
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] == name) return static_cast<Enumeration>(i);
  return problem{fmt::format("'{}' is not {}{}", name, what, suggestion(name, all))};
}

std::optional<problem> set_field(workload& w, std::string_view name, std::string_view value) {
  if (name == "keys") return assign(parse_count(value, "keys", 0, max_keys), w.keys);
  if (name == "distribution") return assign(parse_distribution(value), w.dist);
  if (name == "uniformity") return assign(parse_share(value, "uniformity"), w.uniformity);
  if (name == "repeat") return assign(parse_count(value, "repeat", 1, greatest_key<u32>()), w.repeat);
  if (name == "seed") return assign(parse_count(value, "seed", 0, greatest_key<u64>()), w.seed);
  for (const batch_count& one : batch_counts)
    if (name == info_of(one.kind).field) return assign(parse_count(value, name, 0, max_lookups), w.*one.count);
  if (name == "hits") return assign(parse_share(value, "hits"), w.hits);
  if (name == "range_hits") return assign(parse_count(value, "range_hits", 0, max_keys), w.range_hits);
  if (name == "misses") return assign(parse_miss_place(value), w.misses);
  if (name == "order") return assign(parse_lookup_order(value), w.order);
  if (name == "displaced") return assign(parse_share(value, name), w.displaced);
  if (name == "distance") return assign(parse_count(value, name, 2, max_lookups), w.distance);
  if (name == "popularity") return assign(parse_popularity(value), w.popular);
  if (name == "exponent") return assign(parse_number(value, name, 0, most_exponent), w.exponent);
  if (name == "hot_keys") return assign(parse_share(value, name), w.hot_keys);
  if (name == "hot_lookups") return assign(parse_share(value, name), w.hot_lookups);
  if (is_own_field(name)) return set_own_field(w, name, value);
  if (is_recipe_field(name)) return set_recipe_field(w.recipe, name, value);
  return problem{fmt::format("'{}' is not a part of a workload{}", name, suggestion(name, fields()))};
}

bool has(std::span<const std::string> given, std::string_view name) {
  return std::find(given.begin(), given.end(), name) != given.end();
}
bool has_any(std::span<const std::string> given, std::initializer_list<std::string_view> names_of) {
  return std::any_of(names_of.begin(), names_of.end(), [&](std::string_view name) { return has(given, name); });
}
bool has_count(std::span<const std::string> given) {
  return std::any_of(std::begin(batch_counts), std::end(batch_counts),
                     [&](const batch_count& one) { return has(given, info_of(one.kind).field); });
}

// Keys and lookups of one's own leave no room for parts that say how others are made.
std::optional<problem> refuse_mixed(const workload& w, std::span<const std::string> given) {
  const auto any = [&](std::initializer_list<std::string_view> of) { return has_any(given, of); };
  if (w.own_keys.given() && any({"keys", "distribution", "uniformity", "repeat"}))
    return problem{
        "keys_from and key_list bring the keys; keys, distribution, uniformity and repeat do not go with them"};
  const bool drawn = has_count(given) || any({"hits", "range_hits", "misses", "order", "displaced", "distance",
                                              "popularity", "hot_keys", "hot_lookups"});
  const bool of_keys = w.dist == distribution::zipf;  // whose the exponent is
  if (w.own_batch.given() && (drawn || (has(given, "exponent") && !of_keys)))
    return problem{fmt::format("a file or a list brings the {}: how many, and how they are drawn, does not go with it",
                               operation_noun(w.own_batch.kind))};
  if (any({"keys_column"}) && w.own_keys.file.empty())
    return problem{"keys_column without keys_from: a column of which file?"};
  if (any({"lookups_column"}) && w.own_batch.numbers.file.empty())
    return problem{"lookups_column without lookups_from, or a file of another operation: a column of which file?"};
  if (w.own_script.given() && any({"inserts", "erases", "mix", "batch"}))
    return problem{"script_from and script bring the operations; inserts, erases, mix and batch do not go with them"};
  return std::nullopt;
}

bool is_share(double share) { return share >= 0 && share <= 1; }

std::string keys_line(const workload& w) {
  if (w.own_keys.given()) return own_keys_line(w.own_keys);
  std::string line = fmt::format("keys={} distribution={}", count_text(w.keys), distribution_name(w.dist));
  if (w.dist == distribution::mix) line += fmt::format(" uniformity={}", w.uniformity);
  const bool repeats = w.dist == distribution::duplicates || w.dist == distribution::ends;
  if (repeats) line += fmt::format(" repeat={}", w.repeat);
  if (w.dist == distribution::zipf) line += fmt::format(" exponent={}", w.exponent);
  return line;
}

std::string batch_line(const workload& w) {
  if (w.own_batch.given()) return own_batch_line(w.own_batch);
  std::string line = fmt::format("lookups={} hits={}", count_text(w.lookups), w.hits);
  if (w.ranges != 0) line += fmt::format(" ranges={} range_hits={}", count_text(w.ranges), count_text(w.range_hits));
  for (const batch_count& one : batch_counts)
    if (one.kind != operation::find && one.kind != operation::range && w.*one.count != 0)
      line += fmt::format(" {}={}", info_of(one.kind).field, count_text(w.*one.count));
  return line + drawn_line(w);
}

}  // namespace

std::span<const std::string> distribution_names() { return names; }

outcome<double> parse_share(std::string_view text, std::string_view what) { return parse_number(text, what, 0, 1); }

outcome<double> parse_number(std::string_view text, std::string_view what, double least, double greatest) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return problem{fmt::format("{} '{}' is not a number from {} to {}", what, text, least, greatest)};
  }
  // What is not a number is not between any.
  if (!(number >= least && number <= greatest))
    return problem{fmt::format("{}={} is not between {} and {}", what, number, least, greatest)};
  return number;
}

std::string_view distribution_name(distribution d) { return names[static_cast<std::size_t>(d)]; }

outcome<distribution> parse_distribution(std::string_view name) {
  return parse_name<distribution>(name, names, "a distribution");
}

std::string_view distribution_sentence(distribution d) {
  switch (d) {
    case distribution::uniform:
      return "Unique keys, spread evenly over all values of the key width, in random order.";
    case distribution::dense:
      return "The keys 0 to n - 1, shuffled: no gaps, so every miss lies beyond the last key.";
    case distribution::mix:
      return "Dense keys from 0 on and uniform ones above them, shuffled; uniformity is the uniform ones' share.";
    case distribution::duplicates:
      return "Each key is drawn from n / repeat uniform values, so a value occurs about `repeat` times.";
    case distribution::ends:
      return "The least and the greatest values of the key width, each `repeat` times: 0, the greatest, 1, and so on.";
    case distribution::narrow:
      return "Each key is drawn from one range of 2^20 values: past 2^20 keys they are duplicates.";
    case distribution::gaps:
      return "Each key is drawn so that its logarithm is even: gaps double with the key, and small keys repeat.";
    case distribution::clusters:
      return "Each key is drawn from one of 1,000 runs of values at random places, about half of which are keys.";
    case distribution::nested:
      return "Each key is drawn from one of n / 384 stretches, ever closer to its begin: skew within skew, everywhere.";
    case distribution::crowds:
      return "Each key is drawn from one of up to 24 crowds, of neighbours or of one key, at places hard to tell "
             "apart.";
    case distribution::span:
      return "Each key is drawn from one range of values, of any width and at any place; both its ends are keys.";
    case distribution::half:
      return "Half of the keys are equal; the others are unique and spread evenly over all values.";
    case distribution::paper:
      return "The 14 keys of the papers' worked examples, two of them equal.";
    case distribution::zipf:
      return "Each key is drawn from n values by Zipf's law: the exponent says how few of them have most of the rows.";
  }
  return {};
}

std::span<const std::string> miss_place_names() { return miss_places; }
outcome<miss_place> parse_miss_place(std::string_view name) {
  return parse_name<miss_place>(name, miss_places, "a place of misses");
}
std::string_view miss_place_sentence(miss_place where) {
  switch (where) {
    case miss_place::anywhere:
      return "Misses are of all values that are no key.";
    case miss_place::inside:
      return "Misses lie between the least and the greatest key.";
    case miss_place::outside:
      return "Misses are less than the least key or greater than the greatest.";
  }
  return {};
}

std::span<const std::string> lookup_order_names() { return orders; }
outcome<lookup_order> parse_lookup_order(std::string_view name) {
  return parse_name<lookup_order>(name, orders, "an order of lookups");
}
std::string_view lookup_order_sentence(lookup_order order) {
  switch (order) {
    case lookup_order::random:
      return "In the order in which they are drawn: random.";
    case lookup_order::sorted:
      return "In ascending order: neighbours share what they read.";
    case lookup_order::nearly:
      return "In ascending order, but for a share of them, which changed places with others nearby.";
  }
  return {};
}

std::span<const std::string> popularity_names() { return popularities; }
outcome<popularity> parse_popularity(std::string_view name) {
  return parse_name<popularity>(name, popularities, "a popularity of keys");
}
std::string_view popularity_sentence(popularity popular) {
  switch (popular) {
    case popularity::uniform:
      return "Each key of the set is asked for as often as any other.";
    case popularity::zipf:
      return "By Zipf's law: a few keys, here and there in the set, are asked for again and again, most of them hardly "
             "ever.";
    case popularity::hot:
      return "Most hits are of one run of neighbouring keys, the hot ones.";
  }
  return {};
}

bool each_by_formula(const workload& w) {
  if (w.own_keys.given() || w.own_batch.given() || w.order != lookup_order::random) return false;
  return !takes_keys(w);
}

std::optional<std::string> check(const workload& w, key_width width) {
  // n is below 2^32, so any set fits either width and leaves misses.
  if (auto refused = check_own(w, width)) return refused;
  if (w.keys > max_keys) {
    return fmt::format(
        "keys={} is above the limit, {} = 2^32 - 2: row ids are 32 bits wide and one of them means 'not found'", w.keys,
        max_keys);
  }
  const batch_count* before = nullptr;
  for (const batch_count& one : batch_counts) {
    const u64 count = w.*one.count;
    const std::string_view field = info_of(one.kind).field;
    if (count > max_lookups) return fmt::format("{}={} is above the limit, {}", field, count, max_lookups);
    if (count == 0 || one.kind == operation::find) continue;
    if (before != nullptr)
      return fmt::format("a batch is of {} or of {}, and not of both", operation_noun(before->kind),
                         operation_noun(one.kind));
    before = &one;
  }
  if (w.range_hits > max_keys) return fmt::format("range_hits={} is above the limit, {}", w.range_hits, max_keys);
  if (static_cast<std::size_t>(w.dist) >= names.size()) return "this distribution is unknown";
  if (static_cast<std::size_t>(w.misses) >= miss_places.size()) return "this place of misses is unknown";
  if (static_cast<std::size_t>(w.order) >= orders.size()) return "this order of lookups is unknown";
  if (!is_share(w.displaced)) return fmt::format("displaced={} is not between 0 and 1", w.displaced);
  if (w.distance < 2 || w.distance > max_lookups)
    return fmt::format("distance={} is not between 2 and {}", w.distance, max_lookups);
  if (static_cast<std::size_t>(w.popular) >= popularities.size()) return "this popularity of keys is unknown";
  if (!(w.exponent >= 0 && w.exponent <= most_exponent))
    return fmt::format("exponent={} is not between 0 and {}", w.exponent, most_exponent);
  if (!is_share(w.hot_keys)) return fmt::format("hot_keys={} is not between 0 and 1", w.hot_keys);
  if (!is_share(w.hot_lookups)) return fmt::format("hot_lookups={} is not between 0 and 1", w.hot_lookups);
  if (w.recipe != script_recipe{})
    if (auto refused = check(w.recipe, w.keys)) return refused;
  if (w.own_script.given() && w.recipe != script_recipe{}) return "a script is made, or one's own, and not both";
  if (!is_share(w.hits)) return fmt::format("hits={} is not between 0 and 1", w.hits);
  if (!is_share(w.uniformity)) return fmt::format("uniformity={} is not between 0 and 1", w.uniformity);
  if (w.repeat == 0) return "repeat=0 would leave no value to repeat; the least is 1";
  if (!w.own_keys.given() && w.dist == distribution::paper && w.keys != std::size(paper_keys)) {
    return fmt::format("distribution=paper has exactly {} keys, not {}; for another number take distribution=uniform",
                       std::size(paper_keys), w.keys);
  }
  return std::nullopt;
}

std::string drawn_line(const workload& all) {
  const workload plain, w = without_idle(all);
  std::string line;
  if (w.misses != plain.misses) line += " misses=" + miss_places[static_cast<std::size_t>(w.misses)];
  if (w.order != plain.order) line += " order=" + orders[static_cast<std::size_t>(w.order)];
  const bool nearly = w.order == lookup_order::nearly, hot = w.popular == popularity::hot;
  if (nearly) line += fmt::format(" displaced={}", w.displaced);
  if (nearly) line += fmt::format(" distance={}", count_text(w.distance));
  if (w.popular != plain.popular) line += " popularity=" + popularities[static_cast<std::size_t>(w.popular)];
  // Where the keys are drawn by Zipf's law, it stands with them.
  const bool told = w.dist == distribution::zipf && !w.own_keys.given();
  if (w.popular == popularity::zipf && !told) line += fmt::format(" exponent={}", w.exponent);
  if (hot) line += fmt::format(" hot_keys={}", w.hot_keys);
  if (hot) line += fmt::format(" hot_lookups={}", w.hot_lookups);
  return line;
}

std::string to_line(const workload& all) {
  const workload w = without_idle(all);
  std::string line = fmt::format("{} seed={} {}", keys_line(w), w.seed, batch_line(w));
  if (w.own_script.given()) return line + " " + own_script_line(w.own_script);
  return w.recipe == script_recipe{} ? line : line + " " + to_line(w.recipe);
}

outcome<workload> workload_from_line(std::string_view line) {
  outcome<workload_parts> parts = workload_parts_from_line(line);
  if (!parts) return parts.error();
  return without_idle(std::move(parts->load));
}

outcome<workload_parts> workload_parts_from_line(std::string_view line) {
  constexpr std::string_view blanks = " \t\r\n";
  workload w;
  std::vector<std::string> given;
  while (true) {
    const std::size_t begin = line.find_first_not_of(blanks);
    if (begin == line.npos) break;
    line.remove_prefix(begin);
    const std::string_view part = line.substr(0, line.find_first_of(blanks));
    line.remove_prefix(part.size());
    const std::size_t equals = part.find('=');
    if (equals == part.npos) {
      return problem{fmt::format("'{}' in the workload: each part is name=value, such as keys=2^20", part)};
    }
    const std::string_view name = part.substr(0, equals);
    if (auto p = set_field(w, name, part.substr(equals + 1))) return *p;
    if (has(given, name)) return problem{fmt::format("the workload gives {} twice", name)};
    given.emplace_back(name);
  }
  if (auto refused = refuse_mixed(w, given)) return *refused;
  if ((has(given, "keys") && !has(given, "distribution")) || w.own_keys.given()) w.dist = distribution::uniform;
  // A script of one's own is all that is asked, where nothing else is.
  if (w.own_script.given() && !has_count(given)) w.lookups = 0;
  count_own(w);
  // Both widths accept the same workloads, but for listed numbers.
  if (auto refused = check(w, key_width::u64)) return problem{*refused};
  return workload_parts{.load = std::move(w), .given = std::move(given)};
}

}  // namespace pivotscope
