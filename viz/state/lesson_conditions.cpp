// What a lesson's conditions are about: a scenario's own words, which ask what is chosen, and a few words for what the
// views show.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "core/index/axes.hpp"
#include "core/workload/field_needs.hpp"
#include "core/workload/files/nearest_word.hpp"
#include "viz/models/interleave_model.hpp"
#include "viz/models/tile_model.hpp"
#include "viz/models/timings_model.hpp"
#include "viz/models/warp_model.hpp"
#include "viz/state/lesson.hpp"
#include "viz/state/lesson_progress.hpp"
#include "viz/theme/cell_sizes.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

// Where the search reads last; 0 where it reads none of the region.
double last_cell_read(const frame& f, region_id region) {
  double cell = 0;
  if (!f.trace()) return cell;
  for (const trace_step& step : f.trace()->steps)
    for (const memory_access& read : step.accesses)
      if (read.array == region && read.space == memory_space::global) cell = static_cast<double>(read.slot);
  return cell;
}

using relation = lesson_condition::relation;

std::optional<double> number_of(std::string_view text) {
  const outcome<u64> count = parse_count(text, "", 0, ~0ull);
  if (count.ok()) return static_cast<double>(*count);
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool compare(relation how, double now, double value) {
  switch (how) {
    case relation::is:
      return now == value;
    case relation::is_not:
      return now != value;
    case relation::at_least:
      return now >= value;
    case relation::at_most:
      return now <= value;
  }
  return false;
}

// --- What the views show ---

// A fact is a number, or one of some words.
struct view_fact {
  std::string_view name, values, meaning;
  std::vector<std::string> words;  // empty: a number
  std::optional<double> (*number)(const frame&) = nullptr;
  bool (*is)(const frame&, std::string_view word) = nullptr;
  void (*set)(frame&, std::string_view value) = nullptr;  // null: only a person can
};

u32 whole(std::string_view value) { return static_cast<u32>(number_of(value).value_or(1)); }

std::vector<std::string> names_of_panels() {
  std::vector<std::string> names;
  for (const char* name : panel_names) {
    names.emplace_back(name);
    std::transform(names.back().begin(), names.back().end(), names.back().begin(),
                   [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  }
  return names;
}

std::optional<double> step_shown(const frame& f) {
  if (!shows_choice(f) || f.trace()->steps.empty()) return std::nullopt;
  return f.view.transport.step + 1.0;
}

std::optional<double> access_shown(const frame& f) {
  if (!f.view.interleave.model || f.view.interleave.wanted) return std::nullopt;  // another one is on its way
  return static_cast<double>(f.view.interleave.step);
}

std::optional<double> switches_shown(const frame& f) {
  if (!f.view.interleave.model || f.view.interleave.wanted) return std::nullopt;
  const interleave_model& model = *f.view.interleave.model;
  u32 switches = 0;
  for (std::size_t i = 0; i < model.accesses(); ++i) switches += model.switches(i);
  return switches;
}

bool is_found(const frame& f, std::string_view word) {
  if (!shows_choice(f)) return false;
  const lookup_trace& trace = *f.trace();
  const bool found = trace.range ? trace.range->answer.count > 0 : trace.row != not_found;
  return found == (word == "yes");
}

bool panel_is_seen(const frame& f, std::string_view word) {
  const auto names = names_of_panels();
  const auto at = std::find(names.begin(), names.end(), word);
  return at != names.end() && f.view.seen[static_cast<std::size_t>(at - names.begin())];
}

bool is_measured(const frame& f, std::string_view word) {
  const bool measured = std::any_of(f.session.runs->begin(), f.session.runs->end(), [&](const session_run& run) {
    return run.origin == provenance::measured && is_of(run, f.session.choice);
  });
  return measured == (word == "yes");
}

bool is_tuned(const frame& f, std::string_view word) {
  const tuning_state& tuned = f.session.tuned;
  const bool there = tuned.result && tuned.load == f.session.choice.load && tuned.machine == f.session.choice.machine;
  return there == (word == "yes");
}

bool is_required(const frame& f, std::string_view word) {
  const advice_state& a = f.view.advice;
  if (word == "nothing") return !a.ascending && !a.smallest && !a.short_rebuild;
  return word == "ascending" ? a.ascending : word == "smallest" ? a.smallest : a.short_rebuild;
}

void require(frame& f, std::string_view word) {
  f.view.advice = {word == "ascending", word == "smallest", word == "short-rebuilds"};
}

bool array_is(const frame& f, std::string_view word) {
  if (!f.session.index) return false;
  const auto& regions = f.model()->regions();
  const auto i = static_cast<std::size_t>(f.view.memory.array);
  return i < regions.size() && regions[i].id == word;
}

// "no", "any", "last", or a slot as a scenario names it.
bool build_is(const frame& f, std::string_view word) {
  const build_state& b = f.view.build;
  if (!b.on || !f.pass()) return word == "no" && !b.on;
  if (word == "any") return true;
  if (word == "last") return is_last(b.passes, b.at);
  const outcome<build_slot> wanted = parse_build_slot(word);
  if (!wanted) return false;
  const outcome<build_place> at = find_place(b.passes, *wanted);
  return at && *at == b.at;
}

void set_build(frame& f, std::string_view word) {
  show_build(f, word != "no");
  const std::vector<pass_info>& passes = f.view.build.passes;
  if (word == "no" || word == "any" || passes.empty()) return;
  if (word == "last") return go_to_place(f, {static_cast<u32>(passes.size() - 1), passes.back().slots - 1});
  const outcome<build_slot> wanted = parse_build_slot(word);
  if (!wanted) return;
  if (const outcome<build_place> at = find_place(passes, *wanted)) go_to_place(f, *at);
}

// The levels that boxes may have, and "no".
std::vector<std::string> level_words() {
  std::vector<std::string> words = {"no"};
  for (u32 level = 0; level < most_box_levels; ++level) words.push_back(std::to_string(level));
  return words;
}
bool boxes_are(const frame& f, std::string_view word) {
  const std::optional<u32>& shown = f.view.scene.boxes;
  return shown ? std::to_string(*shown) == word : word == "no";
}

const std::vector<view_fact>& view_facts() {
  static const std::vector<view_fact> all = [] {
    const std::vector<std::string> yes_no = {"yes", "no"};
    std::vector<view_fact> list;
    list.push_back({"step",
                    "1, 2, ... or last",
                    "the step of the path that is shown",
                    {},
                    step_shown,
                    nullptr,
                    [](frame& f, std::string_view value) {
                      f.view.transport.playing = false;
                      go_to_step(f, value == "last" ? ~0u : std::max(whole(value), 1u) - 1);
                    }});
    list.push_back({"build",
                    "11, pivots:2, ..., last, any or no",
                    "the slot of the build that is shown",
                    {"slot"},
                    nullptr,
                    build_is,
                    set_build});
    list.push_back({"playing", "yes, no", "whether the path plays", yes_no, nullptr,
                    [](const frame& f, std::string_view word) { return f.view.transport.playing == (word == "yes"); },
                    [](frame& f, std::string_view word) { f.view.transport.playing = word == "yes"; }});
    list.push_back({"found", "yes, no", "whether the lookup that is shown finds anything", yes_no, nullptr, is_found});
    list.push_back(
        {"panel", "a panel's name", "the panel is open and in front", names_of_panels(), nullptr, panel_is_seen});
    list.push_back({"order",
                    "sorted, as-they-come",
                    "Warp: the order of the lookups",
                    {"sorted", "as-they-come"},
                    nullptr,
                    [](const frame& f, std::string_view word) {
                      const auto& study = f.view.tile.study;
                      return study && f.view.warp.sorted.value_or(study->reordered()) == (word == "sorted");
                    },
                    [](frame& f, std::string_view word) { f.view.warp.sorted = word == "sorted"; }});
    list.push_back({"warp",
                    "1, 2, ...",
                    "Warp: which of the tile's warps",
                    {},
                    [](const frame& f) -> std::optional<double> { return f.view.warp.number + 1.0; },
                    nullptr,
                    [](frame& f, std::string_view value) {
                      f.view.warp.number = std::max(whole(value), 1u) - 1;
                      f.view.warp.followed = f.view.transport.path;  // it would go to the key's warp
                    }});
    list.push_back({"round",
                    "1, 2, ...",
                    "Warp: which of the rounds",
                    {},
                    [](const frame& f) -> std::optional<double> { return f.view.warp.round + 1.0; },
                    nullptr,
                    [](frame& f, std::string_view value) {
                      f.view.warp.round = std::max(whole(value), 1u) - 1;
                      f.view.warp.followed = f.view.transport.path;
                    }});
    list.push_back({"tile",
                    "1, 2, ...",
                    "Tile: which of the batch's tiles",
                    {},
                    [](const frame& f) -> std::optional<double> { return static_cast<double>(f.view.tile.number) + 1; },
                    nullptr,
                    [](frame& f, std::string_view value) { f.view.tile.number = std::max(whole(value), 1u) - 1; }});
    list.push_back({"array", "entries, keys, rows, pivots, ...", "Memory: which array", {"any"}, nullptr, array_is});
    list.push_back({"row",
                    "32, 64, 128",
                    "Memory: bytes in a row",
                    {},
                    [](const frame& f) -> std::optional<double> { return f.view.memory.row_bytes; },
                    nullptr,
                    [](frame& f, std::string_view value) {
                      const u32 bytes = whole(value);
                      if (bytes == 32 || bytes == 64 || bytes == 128) f.view.memory.row_bytes = bytes;
                    }});
    list.push_back({"zoom",
                    "all, cells",
                    "Layout: the whole array, or near enough for single cells",
                    {"all", "cells"},
                    nullptr,
                    [](const frame& f, std::string_view word) {
                      const strip_camera& camera = f.view.layout.lower.camera;
                      return word == "all" ? camera.shows_all() : shows_cells(camera) && !camera.shows_all();
                    },
                    [](frame& f, std::string_view word) {
                      layout_state& l = f.view.layout;
                      for (strip_state* s : {&l.upper, &l.lower}) {
                        const auto cells = static_cast<double>(s->camera.cells());
                        const double from = word == "all" || s != &l.lower ? 0 : last_cell_read(f, main_region) - 8;
                        const double first = std::clamp(from, 0.0, std::max(cells - 16, 0.0));
                        s->camera.go_to(first, word == "all" ? cells : std::min(cells, first + 16));
                      }
                    }});
    list.push_back({"points",
                    "key, sector",
                    "the mouse is over a key, or a sector",
                    {"key", "sector"},
                    nullptr,
                    [](const frame& f, std::string_view word) {
                      return word == "key" ? f.view.pointed.rank.has_value() : f.view.pointed.sector.has_value();
                    }});
    list.push_back({"access", "1, 2, ...", "Interleave: how many accesses are done", {}, [](const frame& f) {
                      return access_shown(f);
                    }});
    list.push_back({"switches",
                    "0, 1, 2, ...",
                    "Interleave: how often another operation goes on, in the order that is shown",
                    {},
                    [](const frame& f) { return switches_shown(f); }});
    list.push_back({"boxes", "0, 1, 2, ... or no", "Scene: the level whose boxes are shown", level_words(), nullptr,
                    boxes_are, [](frame& f, std::string_view word) {
                      f.view.scene.boxes = word == "no" ? std::nullopt : std::optional(whole(word));
                    }});
    list.push_back({"required",
                    "nothing, ascending, smallest, short-rebuilds",
                    "Advice: what the index must have",
                    {"nothing", "ascending", "smallest", "short-rebuilds"},
                    nullptr,
                    is_required,
                    require});
    list.push_back({"measured", "yes, no", "Timings: this choice has been measured", yes_no, nullptr, is_measured});
    list.push_back({"tuned", "yes, no", "Advice: this workload has been tuned for", yes_no, nullptr, is_tuned});
    list.push_back(
        {"machine",
         "cpu, cuda",
         "the machine that is worked on",
         {"cpu", "cuda"},
         nullptr,
         [](const frame& f, std::string_view word) { return machine_name(f.session.choice.machine) == word; }});
    return list;
  }();
  return all;
}

const view_fact* find_view_fact(std::string_view name) {
  const auto& all = view_facts();
  const auto at = std::find_if(all.begin(), all.end(), [&](const view_fact& fact) { return fact.name == name; });
  return at == all.end() ? nullptr : &*at;
}

// --- What is chosen ---

constexpr std::array<std::string_view, 15> workload_words = {
    "keys",  "distribution", "uniformity", "repeat",     "seed",     "hits",     "range_hits", "misses",
    "order", "displaced",    "distance",   "popularity", "exponent", "hot_keys", "hot_lookups"};
bool is_workload_word(std::string_view name) {
  return std::ranges::find(workload_words, name) != workload_words.end() ||
         std::ranges::any_of(batch_counts, [&](const batch_count& one) { return info_of(one.kind).field == name; });
}

// `keys=u64` is the config's, `keys=2^20` the workload's.
bool is_of_workload(const lesson_condition& c) {
  return is_workload_word(c.fact) && c.value != "u32" && c.value != "u64";
}

double member(const workload& w, std::string_view name) {
  if (name == "keys") return static_cast<double>(w.keys);
  if (name == "distribution") return static_cast<double>(w.dist);
  if (name == "uniformity") return w.uniformity;
  if (name == "repeat") return w.repeat;
  if (name == "seed") return static_cast<double>(w.seed);
  for (const batch_count& one : batch_counts)
    if (name == info_of(one.kind).field) return static_cast<double>(w.*one.count);
  if (name == "hits") return w.hits;
  if (name == "misses") return static_cast<double>(w.misses);
  if (name == "order") return static_cast<double>(w.order);
  if (name == "displaced") return w.displaced;
  if (name == "distance") return static_cast<double>(w.distance);
  if (name == "popularity") return static_cast<double>(w.popular);
  if (name == "exponent") return w.exponent;
  if (name == "hot_keys") return w.hot_keys;
  if (name == "hot_lookups") return w.hot_lookups;
  return static_cast<double>(w.range_hits);
}

outcome<double> value_in_workload(const lesson_condition& c) {
  if (c.fact == "distribution") {
    const outcome<distribution> which = parse_distribution(c.value);
    return which.ok() ? outcome<double>(static_cast<double>(*which)) : which.error();
  }
  const outcome<workload_parts> w = workload_parts_from_line(c.fact + "=" + c.value);
  return w.ok() ? outcome<double>(member(w->load, c.fact)) : w.error();
}

bool holds_of_config(const lesson_condition& c, const index_config& config) {
  const axis* a = find_axis(config.family, c.fact);
  if (a == nullptr) return c.how == relation::is_not;
  if (c.how == relation::is || c.how == relation::is_not) {
    index_config wanted = config;
    const bool same = a->set(wanted, c.value) && a->get(wanted) == a->get(config);
    return same == (c.how == relation::is);
  }
  const auto now = number_of(a->get(config)), value = number_of(c.value);
  return now && value && compare(c.how, *now, *value);
}

// --- Text ---

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::vector<std::string> known_words() {
  std::vector<std::string> words(workload_words.begin(), workload_words.end());
  words.emplace_back("lookup");
  for (const family* f : families())
    for (const axis& a : axes(f->id()))
      if (std::find(words.begin(), words.end(), a.name) == words.end()) words.push_back(a.name);
  for (const view_fact& fact : view_facts()) words.emplace_back(fact.name);
  return words;
}

bool is_order(relation how) { return how == relation::at_least || how == relation::at_most; }

std::string refuse_value(const lesson_condition& c, std::string_view values) {
  return fmt::format("{} is {}, not '{}'", c.fact, values, c.value);
}

// Why it is refused; nothing when it is not.
std::optional<std::string> refuse(const lesson_condition& c, bool to_set) {
  const view_fact* fact = find_view_fact(c.fact);
  if (to_set && (!fact || !fact->set))
    return fmt::format("a lesson cannot set '{}'; it belongs into a scenario, or is for the reader to do", c.fact);
  if (to_set && c.how != relation::is) return fmt::format("to set {} takes '=' and a value", c.fact);
  if (fact && fact->words.empty()) {
    if (c.value == "last" && c.fact == "step") return std::nullopt;
    if (!number_of(c.value)) return refuse_value(c, fact->values);
    return std::nullopt;
  }
  if (fact) {
    if (is_order(c.how)) return fmt::format("{} is no number: '=' or '!=' it is", c.fact);
    if (fact->words.front() == "slot") {
      const bool named = c.value == "last" || c.value == "any" || c.value == "no";
      return named || parse_build_slot(c.value) ? std::nullopt : std::optional(refuse_value(c, fact->values));
    }
    const bool any = fact->words.front() == "any";
    if (!any && std::find(fact->words.begin(), fact->words.end(), c.value) == fact->words.end())
      return refuse_value(c, fact->name == "panel" ? "a panel's name in small letters" : fact->values);
    return std::nullopt;
  }
  if (c.fact == "lookup") {
    if (is_order(c.how)) return "lookup is a question, as 9, 9..12 or >9: '=' or '!=' it is";
    if (c.value == "range") return std::nullopt;
    const outcome<question> key = parse_question(c.value, key_width::u64);
    return key.ok() ? std::nullopt : std::optional(key.error().words);
  }
  if (is_of_workload(c)) {
    const outcome<double> value = value_in_workload(c);
    return value.ok() ? std::nullopt : std::optional(value.error().words);
  }
  bool known = false;
  for (const family* f : families()) {
    const axis* a = find_axis(f->id(), c.fact);
    known |= a != nullptr;
    index_config wanted = f->standard();
    if (a && a->set(wanted, c.value)) {
      if (is_order(c.how) && !a->range) return fmt::format("{} is no number: '=' or '!=' it is", c.fact);
      return std::nullopt;
    }
  }
  if (known) {
    const axis* a = find_axis(c.fact);
    return refuse_value(c, a->range ? fmt::format("{} to {}", a->range->first, a->range->second)
                                    : fmt::format("one of {}", fmt::join(a->values, ", ")));
  }
  const std::vector<std::string> words = known_words();
  const std::string near = nearest_word(c.fact, words);
  return fmt::format("'{}' is nothing a lesson can ask for{}", c.fact,
                     near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
}

}  // namespace

bool shows_choice(const session_view& session, const view_state& view) {
  const session_choice& choice = session.choice;
  const path_data* path = view.transport.path.get();
  // An index that a script changed has as many keys as that left, once it is done.
  const bool changed = has_script(choice.load);
  if (changed && session.job.running) return false;
  return path && path == session.path.get() && path->index == session.index && choice.key &&
         path->trace.config == choice.config && (changed || path->trace.keys == choice.load.keys) &&
         question_of(path->trace) == *choice.key;
}

bool shows_choice(const frame& f) { return shows_choice(f.session, f.view); }

outcome<std::vector<lesson_condition>> parse_conditions(std::string_view text, bool to_set) {
  std::vector<lesson_condition> all;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view one = trimmed(text.substr(0, comma));
    const std::size_t sign = one.find_first_of("=<>!");
    if (sign == 0 || sign == std::string_view::npos)
      return problem{fmt::format("'{}' is no condition: a word, =, !=, >= or <=, and a value, such as step=last", one)};
    lesson_condition c{std::string(trimmed(one.substr(0, sign)))};
    std::string_view rest = one.substr(sign);
    const bool two = rest.size() > 1 && rest[0] != '=' && rest[1] == '=';
    if (rest[0] != '=' && !two) return problem{fmt::format("'{}': after '{}' comes =, !=, >= or <=", one, c.fact)};
    c.how = rest[0] == '='   ? relation::is
            : rest[0] == '!' ? relation::is_not
            : rest[0] == '>' ? relation::at_least
                             : relation::at_most;
    c.value = std::string(trimmed(rest.substr(two ? 2 : 1)));
    if (c.value.empty()) return problem{fmt::format("'{}' has no value", one)};
    if (const auto why = refuse(c, to_set)) return problem{*why};
    all.push_back(std::move(c));
    if (comma == std::string_view::npos) return all;
    text.remove_prefix(comma + 1);
  }
}

bool holds(const lesson_condition& c, const frame& f) {
  if (const view_fact* fact = find_view_fact(c.fact)) {
    if (fact->is) return fact->is(f, c.value) == (c.how == relation::is);
    const std::optional<double> now = fact->number(f);
    std::optional<double> value = number_of(c.value);
    if (c.value == "last" && now) value = static_cast<double>(f.trace()->steps.size());
    return now && value && compare(c.how, *now, *value);
  }
  const session_choice& choice = f.session.choice;
  if (c.fact == "lookup") {
    if (!shows_choice(f)) return false;
    const outcome<question> key = parse_question(c.value, key_width::u64);
    const bool same = c.value == "range" ? choice.key->kind == operation::range : key.ok() && *key == *choice.key;
    return same == (c.how == relation::is);
  }
  if (is_of_workload(c)) {
    const outcome<double> value = value_in_workload(c);
    return value.ok() && compare(c.how, member(choice.load, c.fact), *value);
  }
  return holds_of_config(c, choice.config);
}

void set_up(const lesson_condition& what, frame& f) {
  const view_fact* fact = find_view_fact(what.fact);
  if (fact && fact->set) fact->set(f, what.value);
}

std::vector<lesson_fact_words> lesson_facts() {
  std::vector<lesson_fact_words> all;
  for (const view_fact& fact : view_facts()) all.push_back({fact.name, fact.values, fact.meaning, fact.set != nullptr});
  return all;
}

}  // namespace pivotscope::viz
