#include "core/verify/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/common/shell_word.hpp"
#include "core/index/axes.hpp"
#include "core/index/check.hpp"
#include "core/index/config_text.hpp"
#include "core/reference/reference.hpp"
#include "core/run/load_workload.hpp"
#include "core/workload/field_needs.hpp"
#include "core/workload/generate/seeded_bijection.hpp"
#include "core/workload/make_script.hpp"

namespace pivotscope {
namespace {

class dice {
 public:
  explicit dice(u64 seed, u64 stream) : seed_(spread_bits(seed ^ spread_bits(stream + 1))) {}
  u64 up_to(u64 greatest) { return scale_to(random_bits(seed_, next_++), greatest); }
  u64 from_to(u64 least, u64 greatest) { return least + up_to(greatest - least); }
  bool one_in(u64 n) { return up_to(n - 1) == 0; }
  template <class List>
  const auto& one_of(const List& list) {
    return list[up_to(std::size(list) - 1)];
  }

 private:
  u64 seed_;
  u64 next_ = 0;
};

// At a corner, each number of the index itself is the least or the greatest of its range. How a kernel is launched matters less, and
// its corners take a GPU's compiler minutes.
std::string draw_value(const axis& a, bool at_corner, dice& d) {
  const bool of_launch = a.name == "threads" || a.name == "per_thread" || a.name == "blocks_per_sm";
  if (at_corner && a.range && !of_launch) return std::to_string(d.one_in(2) ? a.range->first : a.range->second);
  const bool suggested = !a.values.empty() && (!a.range || d.one_in(2));
  if (suggested) return d.one_of(a.values);
  if (a.name == "threads") return std::to_string(32 * d.from_to(a.range->first / 32, a.range->second / 32));  // warps
  return std::to_string(a.range ? d.from_to(a.range->first, a.range->second) : 0);
}

index_config draw_config(std::span<const family* const> of, dice& d) {
  // Each family as often as any other, however many methods it has.
  index_config config = *config_from_line(d.one_of(d.one_of(of)->methods()).name);
  const bool at_corner = d.one_in(2);
  for (const axis& a : axes(config.family).subspan(1)) {
    if (!at_corner && d.one_in(3)) continue;
    // A value that is refused beside the axes drawn so far is drawn again; at last, the others give way.
    for (u32 trial = 0; trial < 6; ++trial) {
      index_config changed = config;
      if (!a.set(changed, draw_value(a, at_corner, d))) continue;
      if (check(changed) && trial < 5) continue;
      changed = nearest_accepted(changed, a.name);
      if (check(changed)) continue;
      config = changed;
      break;
    }
  }
  return config;
}

u64 draw_size(u32 branching, u64 most, dice& d) {
  const auto near = [&](u64 n) { return std::min(most, n - std::min<u64>(n, 1) + d.up_to(2)); };
  const auto power_of = [&](u64 base) {
    std::vector<u64> powers = {1};
    while (powers.back() <= most / base) powers.push_back(powers.back() * base);
    return d.one_of(powers);
  };
  switch (d.up_to(7)) {
    case 0:
      return std::min(most, d.up_to(2));
    case 1:
      return std::min(most, d.up_to(40));
    case 2:
      return near(power_of(2));
    case 3:
      return near(power_of(branching));
    case 4:  // as many entries as the upper levels hold, and a leaf more or less
      return std::min(most, power_of(branching) * d.from_to(1, branching) + d.up_to(branching));
    case 5:
      return d.up_to(most);
    default:  // all magnitudes alike
      return d.up_to(std::min(most, power_of(2)));
  }
}

workload draw_workload(const index_config& config, u64 most_keys, dice& d) {
  const u32 branching = family_of(config).branching(config);
  constexpr double shares[] = {0, 0.1, 0.5, 0.9, 1};
  workload w;
  w.keys = draw_size(branching, most_keys, d);
  // Zipf's law has no throw of the dice of its own: what was drawn before it came stays as it was.
  static_assert(distribution::zipf > distribution::paper);
  w.dist = static_cast<distribution>(d.up_to(static_cast<u64>(distribution::paper)));
  if (d.one_in(2)) {  // what chance does not draw, and enough of it
    w.dist = distribution::crowds;
    if (!d.one_in(4)) w.keys = d.from_to(most_keys / 8, most_keys);
  } else if (d.one_in(4)) {  // far from 0, and of any width
    w.dist = distribution::span;
  }
  const u64 paper_keys = workload{}.keys;
  if (w.dist == distribution::paper && most_keys < paper_keys) w.dist = distribution::uniform;
  if (w.dist == distribution::paper) w.keys = paper_keys;
  if (w.dist == distribution::mix) w.uniformity = d.one_of(shares);
  if (w.dist == distribution::duplicates || w.dist == distribution::ends) {
    const u64 repeats[] = {1, 2, 3, branching, 100, std::max<u64>(1, w.keys)};
    w.repeat = static_cast<u32>(d.one_of(repeats));
  }
  w.seed = d.up_to(999'999);
  constexpr double exponents[] = {0, 0.001, 0.5, 1, 1.5, 4.999, 5};
  if (w.dist == distribution::crowds && w.seed % 8 == 0)
    w.dist = distribution::zipf, w.exponent = exponents[w.seed / 8 % std::size(exponents)];
  w.lookups = d.one_in(8) ? d.up_to(3) : d.up_to(700);
  w.hits = d.one_of(shares);
  if (d.one_in(4)) w.order = d.one_in(3) ? lookup_order::nearly : lookup_order::sorted;
  if (w.order == lookup_order::nearly) w.displaced = d.one_of(shares), w.distance = d.from_to(2, 40);
  if (d.one_in(4)) w.popular = d.one_in(2) ? popularity::hot : popularity::zipf;
  if (w.popular == popularity::zipf) w.exponent = d.one_of(exponents);
  if (w.popular == popularity::hot) w.hot_keys = d.one_of(shares), w.hot_lookups = d.one_of(shares);
  return without_idle(w);
}

template <class Key>
void add_edges(std::vector<Key>& lookups, std::span<const Key> keys) {
  lookups.insert(lookups.end(), {Key{0}, Key{1}, greatest_key<Key>(), static_cast<Key>(greatest_key<Key>() - 1)});
  if (keys.empty()) return;
  const auto [least, greatest] = std::minmax_element(keys.begin(), keys.end());
  for (const Key key : {*least, *greatest, keys.front(), keys.back(), keys[keys.size() / 2]}) {
    lookups.insert(lookups.end(), {key, static_cast<Key>(key - 1), static_cast<Key>(key + 1)});
  }
  // From keys all over the set as far as each power of two, both ways: into gaps, at any distance from what is there.
  constexpr u64 bits = sizeof(Key) * 8, places = 64;
  for (u64 i = 0; i < places; ++i) {
    const Key key = keys[i * (keys.size() - 1) / (places - 1)], far = Key{1} << i * 5 % bits;
    lookups.insert(lookups.end(), {static_cast<Key>(key + far), static_cast<Key>(key - far)});
  }
}

std::string answer_words(u32 row) { return row == not_found ? "not found" : fmt::format("row id {}", row); }

std::optional<case_failure> compare(const reference& right, const key_array& lookups, std::span<const u32> answers) {
  if (answers.size() != lookups.size()) {
    return case_failure{0, fmt::format("{} lookups have {} answers", lookups.size(), answers.size())};
  }
  for (u64 i = 0; i < answers.size(); ++i) {
    if (right.accepts(lookups[i], answers[i])) continue;
    return case_failure{lookups[i], fmt::format("lookup {} of key {} answered {}, right is {}", i, lookups[i],
                                                answer_words(answers[i]), answer_words(right.find(lookups[i])))};
  }
  return std::nullopt;
}

// A few lookups of the batch on the trace machine: the same source, so the same answer.
outcome<std::optional<case_failure>> compare_traces(const built_index& index, const key_array& lookups,
                                                    std::span<const u32> answers, case_counts& counts) {
  for (const u64 i : {u64{0}, lookups.size() / 2, lookups.size() - 2, lookups.size() - 1}) {
    outcome<lookup_trace> trace = trace_lookup(index, lookups[i]);
    if (!trace) return trace.error();
    ++counts.traces;
    if (trace->row == answers[i]) continue;
    return std::optional(
        case_failure{lookups[i], fmt::format("lookup {} of key {} answered {}, but its trace {}", i, lookups[i],
                                             answer_words(answers[i]), answer_words(trace->row))});
  }
  return std::optional<case_failure>();
}

template <class Key>
void add_range_edges(std::vector<Key>& low, std::vector<Key>& high, std::span<const Key> keys) {
  const auto add = [&](u64 first, u64 last) {
    low.push_back(static_cast<Key>(first)), high.push_back(static_cast<Key>(last));
  };
  constexpr u64 greatest = greatest_key<Key>();
  add(0, greatest), add(greatest, 0), add(0, 0), add(greatest, greatest), add(1, 0), add(greatest - 1, greatest);
  if (keys.empty()) return;
  const auto [least, most] = std::minmax_element(keys.begin(), keys.end());
  add(*least, *most), add(*most, *least), add(u64{*least} + 1, u64{*most} - 1);
  for (const u64 key : {*least, *most, keys.front(), keys.back(), keys[keys.size() / 2]}) {
    add(key, key), add(key, greatest), add(0, key), add(key + 1, greatest), add(0, key - 1), add(key, key + 1);
    add(key + 1, key), add(key, *most), add(*least, key);
  }
}

std::string range_words(const range_answer& a) { return fmt::format("{} entries with row sum {}", a.count, a.row_sum); }

// `one_a_key`: the index keeps one entry of each key, whichever.
std::optional<case_failure> compare_ranges(const reference& right, const batch& ranges, const batch_answers& answers,
                                           bool rows, bool one_a_key) {
  if (answers.ranges.size() != ranges.size()) {
    return case_failure{{operation::range, 0, 0},
                        fmt::format("{} ranges have {} answers", ranges.size(), answers.ranges.size())};
  }
  for (u64 i = 0; i < ranges.size(); ++i) {
    const u64 low = ranges.keys[i], high = ranges.highs[i];
    const auto failure = [&](const std::string& words) {
      return case_failure{{operation::range, low, high}, fmt::format("range {} from {} to {} {}", i, low, high, words)};
    };
    const range_answer truth = right.range(low, high), &answer = answers.ranges[i];
    if (!right.accepts_range(low, high, one_a_key, answer)) {
      return failure(fmt::format("answered {}, right is {}{}", range_words(answer), range_words(truth),
                                 one_a_key ? ", of which it keeps one a key" : ""));
    }
    if (!rows) continue;
    if (answers.begins.size() != ranges.size() + 1) return failure("listed no row ids");
    const u64 begin = answers.begins[i], end = answers.begins[i + 1];
    if (end - begin != answer.count) {
      return failure(fmt::format("listed {} row ids, right are {}", end - begin, answer.count));
    }
    if (end > answers.rows.size()) {
      return failure(fmt::format("listed row ids {} to {} of {}", begin, end, answers.rows.size()));
    }
    const auto at = [&](u64 n) { return answers.rows.begin() + static_cast<std::ptrdiff_t>(n); };
    std::vector<u32> listed(at(begin), at(end));
    if (std::accumulate(listed.begin(), listed.end(), u64{0}) != answer.row_sum ||
        !right.accepts_range_rows(low, high, one_a_key, std::move(listed)))
      return failure("listed other row ids than the right ones");
  }
  return std::nullopt;
}

outcome<std::optional<case_failure>> compare_range_traces(const built_index& index, const batch& ranges,
                                                          std::span<const range_answer> answers, case_counts& counts) {
  // A trace writes down every access: ranges of many entries are left out.
  u64 traced = 0;
  for (u64 i = 0; i < ranges.size() && traced < 2; i += 1 + ranges.size() / 8) {
    if (answers[i].count > 300) continue;
    const u64 low = ranges.keys[i], high = ranges.highs[i];
    outcome<lookup_trace> trace = trace_range(index, low, high);
    if (!trace) return trace.error();
    ++counts.traces, ++traced;
    if (trace->range->answer == answers[i]) continue;
    return std::optional(case_failure{{operation::range, low, high},
                                      fmt::format("range {} from {} to {} answered {}, but its trace {}", i, low, high,
                                                  range_words(answers[i]), range_words(trace->range->answer))});
  }
  return std::optional<case_failure>();
}

std::string next_words(const successor_answer& a) {
  return a.row == not_found ? "no key" : fmt::format("key {} with row id {}", a.key, a.row);
}

// Successors, or lower bounds.
std::optional<case_failure> compare_next(const reference& right, operation kind, const key_array& keys,
                                         std::span<const successor_answer> answers) {
  if (answers.size() != keys.size()) {
    return case_failure{question(kind, 0),
                        fmt::format("{} {} have {} answers", keys.size(), operation_noun(kind), answers.size())};
  }
  for (u64 i = 0; i < answers.size(); ++i) {
    if (right.accepts_next_key(keys[i], takes_itself(kind), answers[i])) continue;
    const successor_answer truth = right.next_key(keys[i], takes_itself(kind));
    return case_failure{question(kind, keys[i]),
                        fmt::format("{} {} of key {} answered {}, right is {}", info_of(kind).one, i, keys[i],
                                    next_words(answers[i]), next_words(truth))};
  }
  return std::nullopt;
}

// `one_a_key`: the index keeps one entry of each key, whichever.
std::optional<case_failure> compare_matches(const reference& right, const key_array& keys,
                                            std::span<const range_answer> answers, bool one_a_key) {
  if (answers.size() != keys.size()) {
    return case_failure{question(operation::matches, 0),
                        fmt::format("{} matches have {} answers", keys.size(), answers.size())};
  }
  for (u64 i = 0; i < answers.size(); ++i) {
    const range_answer truth = right.range(keys[i], keys[i]), &answer = answers[i];
    const bool is_one =
        answer.count == 1 && answer.row_sum < not_found && right.accepts(keys[i], static_cast<u32>(answer.row_sum));
    if (answer == truth || (one_a_key && truth.count > 0 && is_one)) continue;
    return case_failure{question(operation::matches, keys[i]),
                        fmt::format("match {} of key {} answered {}, right is {}{}", i, keys[i], range_words(answer),
                                    range_words(truth), one_a_key ? ", of which it keeps one" : "")};
  }
  return std::nullopt;
}

// What a trace of the question answers, in words; and what the machine answered.
outcome<std::optional<case_failure>> compare_key_traces(const built_index& index, operation kind, const key_array& keys,
                                                        const batch_answers& answers, case_counts& counts) {
  for (const u64 i : {keys.size() / 2, keys.size() - 1}) {
    outcome<lookup_trace> trace = trace_of(index, question(kind, keys[i]));
    if (!trace) return trace.error();
    ++counts.traces;
    const auto differs = [&](const std::string& answered, const std::string& traced) {
      return std::optional(
          case_failure{question(kind, keys[i]), fmt::format("{} {} of key {} answered {}, but its trace {}",
                                                            info_of(kind).one, i, keys[i], answered, traced)});
    };
    if (answer_of(kind) == answer_kind::next) {
      if (*trace->successor != answers.successors[i])
        return differs(next_words(answers.successors[i]), next_words(*trace->successor));
      continue;
    }
    const range_answer traced = trace->range              ? trace->range->answer
                                : trace->row == not_found ? range_answer{}
                                                          : range_answer{1, trace->row};
    if (traced != answers.ranges[i]) return differs(range_words(answers.ranges[i]), range_words(traced));
  }
  return std::optional<case_failure>();
}

outcome<std::optional<case_failure>> check_case_lookups(machine& on, const verify_case& c, const built_index& index,
                                                        const key_set& keys, const reference& right,
                                                        case_counts& counts, const job_control& control) {
  outcome<batch> lookups = case_lookups(c, keys.keys(), control);
  if (!lookups) return lookups.error();
  outcome<run_record> run = run_batch(on, index, keys, *lookups, {.check = false}, control);
  if (!run) return run.error();
  counts.of(operation::find) += lookups->size();
  const std::vector<u32>& answers = run->answers.found;
  if (auto failure = compare(right, lookups->keys, answers)) return std::optional(*failure);
  return compare_traces(index, lookups->keys, answers, counts);
}

outcome<std::optional<case_failure>> check_case_ranges(machine& on, const verify_case& c, const built_index& index,
                                                       const key_set& keys, const reference& right, case_counts& counts,
                                                       const job_control& control) {
  outcome<batch> ranges = case_ranges(c, keys.keys(), control);
  if (!ranges) return ranges.error();
  // Some ranges hold all keys: row ids of more would take most of the time.
  const bool rows = c.range_rows && keys.size() <= 1 << 17;
  outcome<run_record> run = run_batch(on, index, keys, *ranges, {.batch = {.rows = rows}, .check = false}, control);
  if (!run) return run.error();
  counts.of(operation::range) += ranges->size();
  if (auto failure =
          compare_ranges(right, *ranges, run->answers, rows, !family_of(c.config).keeps_duplicates(c.config)))
    return std::optional(*failure);
  return compare_range_traces(index, *ranges, run->answers.ranges, counts);
}

// Successors, matches or lower bounds.
outcome<std::optional<case_failure>> check_case_of_keys(machine& on, const verify_case& c, operation kind,
                                                        const built_index& index, const key_set& keys,
                                                        const reference& right, case_counts& counts,
                                                        const job_control& control) {
  outcome<batch> asked = case_of_keys(c, kind, keys.keys(), control);
  if (!asked) return asked.error();
  outcome<run_record> run = run_batch(on, index, keys, *asked, {.check = false}, control);
  if (!run) return run.error();
  counts.of(kind) += asked->size();
  const std::optional<case_failure> failure =
      kind == operation::matches
          ? compare_matches(right, asked->keys, run->answers.ranges, !family_of(c.config).keeps_duplicates(c.config))
          : compare_next(right, kind, asked->keys, run->answers.successors);
  if (failure) return failure;
  return compare_key_traces(index, kind, asked->keys, run->answers, counts);
}

outcome<std::optional<case_failure>> check_case_script(machine& on, const verify_case& c,
                                                       std::shared_ptr<const built_index> index, const key_set& keys,
                                                       case_counts& counts, const job_control& control) {
  const workload load = case_script(c);
  const outcome<script> asked = make_script(keys.keys(), load, control);
  if (!asked) return asked.error();
  const outcome<script_record> record = run_script(on, std::move(index), keys, *asked, {.compare_each = true}, control);
  if (!record) return record.error();
  counts.operations += asked->size();
  if (record->wrong() == 0) return std::optional<case_failure>();
  return std::optional(case_failure{0, record->first_wrong(), load});
}

}  // namespace

workload case_script(const verify_case& c) {
  dice d(c.load.seed, 11);
  constexpr double mixes[] = {0, 0.3, 0.9, 1};
  constexpr u64 batches[] = {5, 64, 1 << 20};
  workload w = c.load;
  w.recipe = {.inserts = d.one_in(8) ? 0 : d.up_to(300), .erases = d.one_in(8) ? 0 : d.up_to(300)};
  w.recipe.mix = d.one_of(mixes), w.recipe.batch = d.one_of(batches);
  w.lookups = d.up_to(100);
  return without_idle(w);
}

verify_case case_generator::draw(u64 i) const {
  const u64 config_stream = options_.configs == 0 ? i : i % options_.configs;
  dice config_dice(options_.seed, 2 * config_stream), workload_dice(options_.seed, 2 * i + 1);
  const index_config config = draw_config(options_.of, config_dice);
  const u64 most_keys = std::min(options_.most_keys, family_of(config).sensible_keys(config));
  return {config, draw_workload(config, most_keys, workload_dice), i % 3 == 2};
}

outcome<batch> case_lookups(const verify_case& c, const key_array& keys, const job_control& control) {
  outcome<batch> lookups = make_batch(c.load, c.config.keys, control);
  if (!lookups) return lookups.error();
  lookups->keys.visit([&]<class Key>(std::vector<Key>& list) { add_edges<Key>(list, keys.as<Key>()); });
  return lookups;
}

outcome<batch> case_of_keys(const verify_case& c, operation kind, const key_array& keys, const job_control& control) {
  outcome<batch> asked = case_lookups(c, keys, control);
  if (asked) asked->kind = kind;
  return asked;
}

outcome<batch> case_ranges(const verify_case& c, const key_array& keys, const job_control& control) {
  dice d(c.load.seed, 7);
  const u64 sizes[] = {0, 1, 2, 16, 31, 32, 33, 63, 64, 65, 100, 300, std::max<u64>(keys.size(), 1)};
  workload w = c.load;
  batch all{operation::range, key_array(keys.width(), 0), key_array(keys.width(), 0)};
  for (u64 draw = 0; draw < 3; ++draw) {
    w.range_hits = d.one_of(sizes);
    // The more entries, the fewer ranges: a case takes about as long as its lookups.
    w.ranges = 1 + d.up_to(std::clamp<u64>(20'000 / (w.range_hits + 1), 2, 60));
    w.seed = c.load.seed + draw;
    outcome<batch> some = draw_ranges(keys, w, control);
    if (!some) return some.error();
    const auto append = [](key_array& to, const key_array& from) {
      to.visit([&]<class Key>(std::vector<Key>& list) {
        list.insert(list.end(), from.as<Key>().begin(), from.as<Key>().end());
      });
    };
    append(all.keys, some->keys), append(all.highs, some->highs);
  }
  all.keys.visit([&]<class Key>(std::vector<Key>& low) {
    all.highs.visit([&]<class Other>(std::vector<Other>& high) {
      if constexpr (std::is_same_v<Key, Other>) add_range_edges<Key>(low, high, keys.as<Key>());
    });
  });
  return all;
}

outcome<std::optional<case_failure>> check_case(machine& on, const verify_case& c, case_counts& counts,
                                                const job_control& control) {
  const outcome<loaded_key_set> loaded = load_keys(c.load, c.config.keys, on, control);
  if (!loaded) return loaded.error();
  return check_case_over(on, c, *loaded->set, counts, control);
}

outcome<std::optional<case_failure>> check_case_over(machine& on, const verify_case& c, const key_set& keys,
                                                     case_counts& counts, const job_control& control) {
  const reference right(keys.keys());
  outcome<std::shared_ptr<const built_index>> index = on.build(c.config, keys.resident(), control);
  if (!index) return index.error();
  counts.keys += keys.size();
  outcome<std::optional<case_failure>> looked_up = check_case_lookups(on, c, **index, keys, right, counts, control);
  if (!looked_up || *looked_up) return looked_up;
  const family& asked = family_of(c.config);
  if (asked.serves(operation::range)) {
    auto ranges = check_case_ranges(on, c, **index, keys, right, counts, control);
    if (!ranges || *ranges) return ranges;
  }
  for (const operation kind : read_operations) {
    if (kind == operation::find || kind == operation::range || !asked.serves(kind)) continue;
    auto failure = check_case_of_keys(on, c, kind, **index, keys, right, counts, control);
    if (!failure || *failure) return failure;
  }
  if (asked.changes()) return check_case_script(on, c, *index, keys, counts, control);
  return std::optional<case_failure>();
}

outcome<std::pair<verify_case, case_failure>> shrink_case(machine& on, const verify_case& c,
                                                          const case_failure& failure, const job_control& control) {
  std::vector<u64> sizes;
  for (u64 n = 0; n < std::min<u64>(c.load.keys, 40); ++n) sizes.push_back(n);
  for (u64 n = 64; n < c.load.keys; n *= 2) sizes.push_back(n);
  if (c.load.dist == distribution::paper) sizes.clear();
  case_counts counts;
  for (const u64 n : sizes) {
    verify_case smaller = c;
    smaller.load.keys = n;
    outcome<std::optional<case_failure>> checked = check_case(on, smaller, counts, control);
    if (!checked) return checked.error();
    // A wrong answer to a key stays one: it is easier to follow than a range's or a script's.
    const auto is_long = [](const case_failure& f) { return f.script || f.asked.kind == operation::range; };
    if (*checked && (is_long(failure) || !is_long(**checked))) return std::pair{smaller, **checked};
  }
  return std::pair{c, failure};
}

u32 standard_configs(machine_kind on) { return on == machine_kind::cuda ? 48 : 0; }

outcome<std::optional<std::pair<verify_case, case_failure>>> verify_one(machine& on, const case_generator& generator,
                                                                        u64 i, case_counts& counts,
                                                                        const job_control& control) {
  const verify_case c = generator.draw(i);
  outcome<std::optional<case_failure>> checked = check_case(on, c, counts, control);
  if (control.cancelled() || (!checked && checked.error().cancelled)) return job_control::cancelled_problem();
  if (!checked) return problem{fmt::format("{}: {}", trace_command_line(c, 0, on.info().kind), checked.error().words)};
  using found = std::optional<std::pair<verify_case, case_failure>>;
  if (!*checked) return found();
  outcome<std::pair<verify_case, case_failure>> smallest = shrink_case(on, c, **checked, control);
  return found(smallest ? *smallest : std::pair{c, **checked});
}

std::string command_line(const verify_case& c, const case_failure& failure, machine_kind machine) {
  if (!failure.script) return trace_command_line(c, failure.asked, machine);
  return fmt::format("pivotscope run --config {} --workload {} --machine {}", shell_word(to_line(c.config)),
                     shell_word(to_line(*failure.script)), machine_name(machine));
}

std::string trace_command_line(const verify_case& c, const question& asked, machine_kind machine) {
  const workload standard;
  const workload& w = c.load;
  std::string line = fmt::format("pivotscope trace --config \"{}\" ", to_line(c.config));
  const bool zipf = w.dist == distribution::zipf;  // its exponent has no option where there are no lookups
  line += zipf ? fmt::format("--workload \"keys={} distribution=zipf exponent={}\"", w.keys, w.exponent)
               : fmt::format("--keys {} --distribution {}", w.keys, distribution_name(w.dist));
  if (w.uniformity != standard.uniformity) line += fmt::format(" --uniformity {}", w.uniformity);
  if (w.repeat != standard.repeat) line += fmt::format(" --repeat-keys {}", w.repeat);
  if (w.dist != distribution::paper) line += fmt::format(" --seed {}", w.seed);
  line += fmt::format(" --machine {}", machine_name(machine));
  const operation shown = asked.kind == operation::range ? operation::find : asked.kind;
  line += fmt::format(" --{} {}", option_name(info_of(shown).one), asked.key);
  return asked.kind == operation::range ? line + fmt::format(" --range-to {}", asked.high) : line;
}

}  // namespace pivotscope
