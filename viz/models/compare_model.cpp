#include "viz/models/compare_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "core/index/step_words.hpp"
#include "core/statistics/compare.hpp"
#include "core/traffic/warp_step.hpp"
#include "viz/models/probe_model.hpp"
#include "viz/models/reads.hpp"
#include "viz/models/tile_model.hpp"
#include "viz/models/timings_model.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

constexpr const char* dash = "\xE2\x80\x93";

// The smaller the better.
verdict of_counts(double a, double b) { return b < a ? verdict::better : b > a ? verdict::worse : verdict::same; }

// The last run of what is chosen now.
const session_run* last_run(const session_view& s) {
  return !s.runs->empty() && is_of(s.runs->back(), s.choice) ? &s.runs->back() : nullptr;
}

template <class Side, class F>
compared counted(const char* name, const char* meaning, const Side* a, const Side* b, F&& value) {
  compared row{name, meaning, dash, dash};
  if (a) row.a = grouped(value(*a));
  if (b) row.b = grouped(value(*b));
  if (a && b) row.of_b = of_counts(static_cast<double>(value(*a)), static_cast<double>(value(*b)));
  return row;
}

std::set<memory_block> blocks_of(const trace_step& step, u64 size) {
  std::set<memory_block> blocks;
  for (const memory_access& a : step.accesses) each_block(a, size, [&](memory_block block) { blocks.insert(block); });
  return blocks;
}

u64 bytes_from(const trace_step& step, memory_space space) {
  u64 bytes = 0;
  for (const memory_access& a : step.accesses) bytes += a.space == space ? a.bytes : 0;
  return bytes;
}

// Windows and buckets may have different sizes, so more of them are not worse.
compared mean_length(const char* name, const char* meaning, const compared_side& a, const compared_side& b,
                     const probe_lengths& (probe_study::*of)() const) {
  compared row{name, meaning, dash, dash};
  row.judged = false;
  const auto words = [&](const compared_side& side) -> std::string {
    if (!side.probes || (side.probes->*of)().count == 0) return dash;
    return fmt::format("{:.2f} {}s", (side.probes->*of)().mean(), side.probes->unit());
  };
  row.a = words(a), row.b = words(b);
  if (row.a == dash || row.b == dash || a.probes->unit() != b.probes->unit()) return row;
  row.of_b = row.a == row.b ? verdict::same : of_counts((a.probes->*of)().mean(), (b.probes->*of)().mean());
  return row;
}

}  // namespace

const char* word_of(verdict v) {
  switch (v) {
    case verdict::better:
      return "less";
    case verdict::worse:
      return "more";
    case verdict::same:
      return "same";
    case verdict::no_telling:
      return "can't tell";
    case verdict::unknown:
      break;
  }
  return "";
}

verdict compare_runs(const std::vector<double>& a_ms, const std::vector<double>& b_ms) {
  if (a_ms.empty() || b_ms.empty()) return verdict::unknown;
  const speed_verdict of_b = compare_speeds(a_ms, b_ms).says;
  return of_b == speed_verdict::cannot_tell ? verdict::no_telling
         : of_b == speed_verdict::faster    ? verdict::better
                                            : verdict::worse;
}

std::vector<compared> compare(const compared_side& a, const compared_side& b) {
  std::vector<compared> rows;
  rows.push_back(counted("steps", "Steps of this lookup: each waits for the one before.", a.trace, b.trace,
                         [](const lookup_trace& t) { return u64{t.steps.size()}; }));
  rows.push_back(counted("requests", "Loads that the lookup's lanes issue, step after step.", a.trace, b.trace,
                         [](const lookup_trace& t) { return t.requests; }));
  rows.push_back(counted("distinct sectors", "Different pieces of 32 bytes that this lookup reads.", a.trace, b.trace,
                         [](const lookup_trace& t) { return t.distinct_sectors; }));
  rows.push_back(counted("distinct lines", "Different lines of 128 bytes that this lookup reads.", a.trace, b.trace,
                         [](const lookup_trace& t) { return t.distinct_lines; }));
  rows.push_back(counted("bytes loaded", "Bytes that this lookup's lanes get from memory.", a.trace, b.trace,
                         [](const lookup_trace& t) { return t.bytes; }));

  compared warp{
      "sectors a warp",
      "Sectors that a warp's 32 lookups load on average, a step at a time: what they read together counts once. "
      "Of the tile that is shown, in the order in which it is served.",
      dash, dash};
  const auto sectors = [](const tile_study& t) { return t.sectors_a_warp(t.reordered()); };
  if (a.tile) warp.a = fmt::format("{:.1f}", sectors(*a.tile));
  if (b.tile) warp.b = fmt::format("{:.1f}", sectors(*b.tile));
  if (a.tile && b.tile) warp.of_b = warp.a == warp.b ? verdict::same : of_counts(sectors(*a.tile), sectors(*b.tile));
  rows.push_back(warp);
  // From the beginning on, so that what stands below stays where it is.
  if (a.has_lengths || b.has_lengths || a.probes || b.probes) {
    rows.push_back(mean_length(
        "a hit reads", "Windows or buckets that lookups of keys that are there read on average; in a tree, its steps.",
        a, b, &probe_study::hits));
    rows.push_back(mean_length("a miss reads", "The same of keys that are not there.", a, b, &probe_study::misses));
  }
  for (compared& row : rows) row.origin = provenance::modelled;

  compared bytes{"bytes of the index", "What the index takes of memory, row ids and empty slots included.", dash, dash};
  if (a.session.index) bytes.a = bytes_text(a.session.index->bytes());
  if (b.session.index) bytes.b = bytes_text(b.session.index->bytes());
  if (a.session.index && b.session.index) {
    const u64 of_a = a.session.index->bytes(), of_b = b.session.index->bytes();
    bytes.of_b = of_counts(static_cast<double>(of_a), static_cast<double>(of_b));
    // A few bytes of many: "less" beside two figures that look alike would be no answer.
    if (of_a != of_b && bytes.a == bytes.b) bytes.a = grouped(of_a), bytes.b = grouped(of_b);
  }
  rows.push_back(bytes);

  const session_run *run_a = last_run(a.session), *run_b = last_run(b.session);
  compared build{"build", "Filling the index from the sorted keys, without sorting them. Once: no telling.", dash,
                 dash};
  build.timed = true;
  if (run_a) build.a = ms_text(run_a->record.build_ms());
  if (run_b) build.b = ms_text(run_b->record.build_ms());
  if (run_a && run_b) build.of_b = verdict::no_telling, build.origin = provenance::live;
  rows.push_back(build);

  compared rate{
      fmt::format("{} a second", operation_noun(operation_of(b.session.choice.load))),
      "By the median. Told apart when a rank test of all runs is sure of it, and by more than a hundredth; a single "
      "pass after a change tells nothing: measure both.",
      dash, dash};
  rate.timed = true;
  if (run_a) rate.a = rate_text(run_a->record.operations_per_second());
  if (run_b) rate.b = rate_text(run_b->record.operations_per_second());
  if (run_a && run_b) {
    rate.of_b = compare_runs(run_a->record.time.samples_ms, run_b->record.time.samples_ms);
    const bool both = run_a->origin == provenance::measured && run_b->origin == provenance::measured;
    rate.origin = both ? provenance::measured : provenance::live;
    rate.withheld = too_few_words(*run_b);
    if (!rate.withheld.empty()) rate.of_b = verdict::no_telling;
  }
  rows.push_back(rate);
  return rows;
}

std::vector<compared> compare_steps(const lookup_trace& trace, u32 a, u32 b) {
  std::vector<compared> rows;
  if (trace.steps.empty()) return rows;
  const auto at = [&](u32 step) -> const trace_step& {
    return trace.steps[std::min<std::size_t>(step, trace.steps.size() - 1)];
  };
  const trace_step &of_a = at(a), &of_b = at(b);
  const auto words = [&](const char* name, const char* meaning, std::string in_a, std::string in_b) {
    rows.push_back({name, meaning, std::move(in_a), std::move(in_b)});
  };
  const auto count = [&](const char* name, const char* meaning, auto&& value) {
    rows.push_back(counted(name, meaning, &of_a, &of_b, value));
    rows.back().judged = false;
  };
  words("where", "Where in the index the step is, in its own words.", of_a.where, of_b.where);
  words("finds", "How the key looked for lies to the nearest of the keys that the step compares with it.",
        compared_words(of_a), compared_words(of_b));
  count("keys compared", "Keys that the lookup's lanes compare in this step.", [](const trace_step& s) {
    return static_cast<u64>(std::count_if(s.compared.begin(), s.compared.end(),
                                          [](const comparison& c) { return !c.empty && !c.keyless; }));
  });
  const auto counts = [](const trace_step& s) { return s.left == count_left_words(s); };
  if (counts(of_a) && counts(of_b))
    count("still possible", "Entries that may be the answer after this step, or may be in the range.",
          [](const trace_step& s) { return s.left_end - s.left_first; });
  else if (!of_a.left.empty() || !of_b.left.empty())
    words("it is", "Why the search goes on from there, or ends.", of_a.left, of_b.left);
  count("requests", "Loads from memory that the lookup's lanes issue in this step.", [](const trace_step& s) {
    return static_cast<u64>(std::count_if(s.accesses.begin(), s.accesses.end(), [](const memory_access& access) {
      return access.space == memory_space::global;
    }));
  });
  count("bytes loaded", "Bytes that the lookup's lanes get from memory in this step.",
        [](const trace_step& s) { return bytes_from(s, memory_space::global); });
  if (bytes_from(of_a, memory_space::scratch) + bytes_from(of_b, memory_space::scratch) > 0)
    count("from scratch", "Bytes that are read of the keys pinned in the block's scratch: no trip to memory.",
          [](const trace_step& s) { return bytes_from(s, memory_space::scratch); });
  const auto blocks = [&](const char* name, const char* meaning, const char* both_name, const char* both_meaning,
                          u64 size) {
    count(name, meaning, [&](const trace_step& s) { return u64{blocks_of(s, size).size()}; });
    const auto in_a = blocks_of(of_a, size), in_b = blocks_of(of_b, size);
    std::vector<memory_block> both;
    std::set_intersection(in_a.begin(), in_a.end(), in_b.begin(), in_b.end(), std::back_inserter(both));
    words(both_name, both_meaning, fmt::format("{} of {}", both.size(), in_a.size()),
          fmt::format("{} of {}", both.size(), in_b.size()));
  };
  blocks("sectors", "Different pieces of 32 bytes that the step reads.", "shared sectors",
         "Those that both steps read: whichever is the later one finds them near.", 32);
  blocks("lines", "Different lines of 128 bytes that the step reads.", "shared lines",
         "Those that both steps read: whichever is the later one finds them near.", 128);
  for (compared& row : rows) row.origin = provenance::modelled;
  return rows;
}

}  // namespace pivotscope::viz
