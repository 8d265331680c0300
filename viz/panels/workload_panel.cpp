// Workload: which keys, and which lookups, ranges or successors.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/index/operations.hpp"
#include "core/tuning/batch_to_time.hpp"
#include "viz/panels/own_data.hpp"
#include "viz/panels/panels.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

// A workload that check() refuses, or whose batch the index cannot serve, is not chosen: its chip is grey and says why.
bool workload_chip(frame& f, const std::string& value, const workload& wanted, bool chosen,
                   const std::string& sentence) {
  auto refused = check(wanted, f.session.choice.config.keys);
  if (!refused) refused = check_serves(f.session.choice.config, operation_of(wanted));
  const bool clicked = chip(value.c_str(), value,
                            chosen    ? chip_look::chosen
                            : refused ? chip_look::refused
                                      : chip_look::plain);
  hover_card(value, refused ? "Refused: " + *refused : sentence);
  if (clicked && !refused) f.act.choose_workload(wanted);
  return clicked && !refused;
}

bool counts_the_batch(u64 workload::*member) {
  return std::any_of(std::begin(batch_counts), std::end(batch_counts),
                     [&](const batch_count& one) { return one.count == member; });
}

// A count that one types: "2^20", "1e6", "64Ki".
void count_field(frame& f, const char* id, entry_state& entry, u64 value, u64 least, u64 greatest, const char* what,
                 u64 workload::*member) {
  const float width = px(120);
  entry.forget_old_problem(count_text(value));
  const bool entered = text_field(id, entry.text, "2^20", width, type::small);
  const bool active = ImGui::IsItemActive();
  const bool left = ImGui::IsItemDeactivatedAfterEdit();
  // A card would hide what is wrong, which stands below.
  if (entry.problem.empty()) hover_card("", fmt::format("{}: as 1000000, 2^20, 64Ki or 1e6. Then Enter.", what));
  if (ImGui::IsItemActivated()) entry.problem.clear();
  if (entered || left) {
    const outcome<u64> count = parse_count(entry.text, what, least, greatest);
    entry.refuse(count.ok() ? "" : count.error().words, count_text(value));
    if (count.ok()) {
      workload wanted = f.session.choice.load;
      wanted.*member = *count;
      // The papers' example has its own 14 keys: any other count wants another distribution.
      if (member == &workload::keys && wanted.dist == distribution::paper && *count != 14)
        wanted.dist = distribution::uniform;
      if (const auto refused = check(wanted, f.session.choice.config.keys))
        entry.problem = *refused;
      else if (counts_the_batch(member))
        f.act.choose_batch(*count);  // also where it is that already: from now on it stays
      else
        f.act.choose_workload(wanted);
    }
  } else if (!active && entry.problem.empty()) {
    entry.text = count_text(value);
  }
  if (entry.problem.empty()) return;
  const text_style style(fonts().words_medium, type::small, theme().bad);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(entry.problem.c_str());
  ImGui::PopTextWrapPos();
}

// The batch as large as the keys ask for.
void usual_chip(frame& f) {
  const session_choice& now = f.session.choice;
  const std::string count = count_text(usual_batch(now.load, now.config, now.machine));
  flow_chip("usual", true);
  if (chip("usual", "usual", now.batch_told ? chip_look::plain : chip_look::chosen)) f.act.choose_batch(std::nullopt);
  hover_card("usual", fmt::format("As many as time these keys well: {}. Their number follows the keys until you say "
                                  "another one.",
                                  count));
}

void count_chips(frame& f, std::span<const u64> counts, u64 workload::*member) {
  const workload& now = f.session.choice.load;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(4), px(4)));
  bool first = !counts_the_batch(member);
  if (!first) usual_chip(f);
  for (const u64 count : counts) {
    workload wanted = now;
    wanted.*member = count;
    if (member == &workload::keys) {
      if (count == 14)
        wanted.dist = distribution::paper;
      else if (wanted.dist == distribution::paper)
        wanted.dist = distribution::uniform;
    }
    const std::string words = count_text(count);
    flow_chip(words, first);
    first = false;
    const bool clicked = workload_chip(f, words, wanted, now.*member == count,
                                       count == 14 ? "The papers' worked example." : grouped(count));
    if (clicked && counts_the_batch(member)) f.act.choose_batch(count);
  }
  ImGui::PopStyleVar();
}

void distribution_chips(frame& f) {
  const workload& now = f.session.choice.load;
  heading("Distribution", "How the keys are spread over their values.");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(4), px(4)));
  const auto names = distribution_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto kind = static_cast<distribution>(i);
    workload wanted = now;
    wanted.dist = kind;
    if (kind == distribution::paper) wanted.keys = 14;
    flow_chip(names[i], i == 0);
    workload_chip(f, names[i], wanted, now.dist == kind, std::string(distribution_sentence(kind)));
  }
  ImGui::PopStyleVar();
  caption(std::string(distribution_sentence(now.dist)));
}

// The exponent of Zipf's law, of the keys or of the lookups.
void exponent_slider(frame& f) {
  const workload& now = f.session.choice.load;
  auto exponent = static_cast<float>(now.exponent);
  ImGui::SetNextItemWidth(-FLT_MIN);
  ImGui::SliderFloat("##exponent", &exponent, 0, static_cast<float>(most_exponent), "%.2f",
                     ImGuiSliderFlags_AlwaysClamp);
  workload wanted = now;
  wanted.exponent = std::round(exponent * 100.0) / 100.0;
  if (ImGui::IsItemDeactivatedAfterEdit()) f.act.choose_workload(wanted);
}

void distribution_knobs(frame& f) {
  const workload& now = f.session.choice.load;
  workload wanted = now;
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (now.dist == distribution::mix) {
    heading("Uniformity", "The share of keys that are spread over all values; the rest is a dense run from 0.");
    auto percent = static_cast<float>(now.uniformity * 100);
    ImGui::SetNextItemWidth(-FLT_MIN);
    ImGui::SliderFloat("##uniformity", &percent, 0, 100, "%.0f%%");
    wanted.uniformity = percent / 100.0;
    if (ImGui::IsItemDeactivatedAfterEdit()) f.act.choose_workload(wanted);
  } else if (now.dist == distribution::duplicates) {
    heading("Repeats", "How often a value occurs, on average.");
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(4), px(4)));
    bool first = true;
    for (const u32 repeat : {2u, 4u, 16u, 256u}) {
      wanted.repeat = repeat;
      const std::string words = std::to_string(repeat);
      flow_chip(words, first);
      first = false;
      ImGui::PushID("repeat");
      workload_chip(f, words, wanted, now.repeat == repeat, fmt::format("{} of each value, on average.", repeat));
      ImGui::PopID();
    }
    ImGui::PopStyleVar();
  } else if (now.dist == distribution::zipf) {
    heading("Exponent", "The r-th value is drawn in proportion to 1 / r to the power of this.");
    ImGui::PushID("distribution");
    exponent_slider(f);
    ImGui::PopID();
  }
}

// Lookups, ranges or successors: a batch is one of them. How many there are goes with the choice.
void batch_kind(frame& f) {
  using source = own_data_state::source;
  own_data_state& own = f.view.own;
  const workload now = f.session.choice.load.own_batch.given()
                           ? with_generated_batch(f.session.choice.load, own.generated)
                           : f.session.choice.load;
  heading("Batch", "What is run, timed and checked: many lookups of a key, or of what else may be asked of one.");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(4), px(4)));
  const bool drawn = own.batch == source::generated;
  const auto kind = [&](operation asked, const std::string& sentence) {
    const std::string name(operation_noun(asked));
    workload wanted = now;
    const u64 least = asked == operation::find ? 0 : 1;
    set_batch_size(wanted, asked, std::max(batch_size(now), least));
    flow_chip(name, asked == operation::find);
    if (workload_chip(f, name, wanted, drawn && operation_of(now) == asked, sentence)) own.batch = source::generated;
  };
  for (const operation one : read_operations) kind(one, fmt::format("Each finds {}.", info_of(one).answer));
  flow_chip("typed", false);
  if (chip("typed", "typed", own.batch == source::typed ? chip_look::chosen : chip_look::plain))
    own.batch = source::typed;
  hover_card("typed", "Lookups, ranges or other questions of your own, typed here.");
  flow_chip("a file", false);
  if (chip("a file", "a file", own.batch == source::file ? chip_look::chosen : chip_look::plain))
    own.batch = source::file;
  hover_card("a file", "Lookups of your own, or whatever else is asked of keys, from a file.");
  ImGui::PopStyleVar();
}

// Of all kinds but ranges, which have an end too.
void batch_of_keys(frame& f, const batch_count& one) {
  const std::string noun(operation_noun(one.kind));
  ImGui::PushID(noun.c_str());
  count_field(f, ("##" + noun).c_str(), f.view.batch_count, f.session.choice.load.*one.count,
              one.kind == operation::find ? 0 : 1, max_lookups, noun.c_str(), one.count);
  constexpr std::array<u64, 5> batches = {64, 1u << 16, 1u << 20, 1u << 24, 1u << 27};
  count_chips(f, batches, one.count);
  ImGui::PopID();
}

void batch_of_ranges(frame& f) {
  const workload& now = f.session.choice.load;
  ImGui::PushID("ranges");
  count_field(f, "##ranges", f.view.batch_count, now.ranges, 1, max_lookups, "ranges", &workload::ranges);
  constexpr std::array<u64, 5> batches = {64, 1u << 10, 1u << 16, 1u << 20, 1u << 24};
  count_chips(f, batches, &workload::ranges);
  ImGui::PopID();
  ImGui::Dummy({1, px(2)});
  ImGui::PushID("entries");
  heading("Entries each", "How many entries a range has; more where keys repeat, and no more than there are.");
  count_field(f, "##entries", f.view.range_hits, now.range_hits, 0, max_keys, "entries", &workload::range_hits);
  constexpr std::array<u64, 5> sizes = {1, 4, 64, 1u << 10, 1u << 14};
  count_chips(f, sizes, &workload::range_hits);
  ImGui::PopID();
}

void count_of_batch(frame& f) {
  const operation asked = operation_of(f.session.choice.load);
  if (asked == operation::range) return batch_of_ranges(f);
  for (const batch_count& one : batch_counts)
    if (one.kind == asked) return batch_of_keys(f, one);
}

void hits_chips(frame& f) {
  const workload& now = f.session.choice.load;
  const operation asked = operation_of(now);
  const bool ranges = asked == operation::range, keys = asked != operation::find && !ranges;
  heading("Hits",
          ranges ? "The share of ranges that have entries. The rest lie between two keys, or end before they begin."
          : keys ? "The share of the keys asked about that are in the set."
                 : "The share of lookups whose key is in the set. The rest look for keys that are not there.");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(4), px(4)));
  constexpr std::array shares = {1.0, 0.9, 0.5, 0.0};
  for (std::size_t i = 0; i < shares.size(); ++i) {
    workload wanted = now;
    wanted.hits = shares[i];
    const std::string words = percent_text(shares[i]);
    flow_chip(words, i == 0);
    workload_chip(f, words, wanted, now.hits == shares[i],
                  words + (ranges ? " of the ranges have entries."
                           : keys ? " of the keys asked about are in the set."
                                  : " of the lookups find their key."));
  }
  ImGui::PopStyleVar();
  ImGui::Dummy({1, px(2)});
}

// Chips for the values of one enumeration of the workload.
template <class Value>
void value_chips(frame& f, std::span<const std::string> names, Value workload::*member,
                 std::string_view (*sentence)(Value)) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(4), px(4)));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto value = static_cast<Value>(i);
    workload wanted = f.session.choice.load;
    wanted.*member = value;
    flow_chip(names[i], i == 0);
    workload_chip(f, names[i], wanted, f.session.choice.load.*member == value, std::string(sentence(value)));
  }
  ImGui::PopStyleVar();
}

// A share of the workload, by tenths of a percent.
void share_slider(frame& f, const char* name, const char* sentence, double workload::*member) {
  heading(name, sentence);
  workload wanted = f.session.choice.load;
  auto percent = static_cast<float>(wanted.*member * 100);
  ImGui::PushID(name);
  ImGui::SetNextItemWidth(-FLT_MIN);
  ImGui::SliderFloat("##share", &percent, 0, 100, "%.1f%%", ImGuiSliderFlags_AlwaysClamp);
  ImGui::PopID();
  wanted.*member = std::round(percent * 10.0) / 1000.0;
  if (ImGui::IsItemDeactivatedAfterEdit()) f.act.choose_workload(wanted);
}

void misses_and_order(frame& f) {
  const workload& now = f.session.choice.load;
  if (now.hits < 1 || now.misses != miss_place::anywhere) {
    heading("Misses", "Where the keys lie that are looked for and are not there.");
    value_chips(f, miss_place_names(), &workload::misses, miss_place_sentence);
    ImGui::Dummy({1, px(2)});
  }
  heading("Order", "In which order the batch asks.");
  value_chips(f, lookup_order_names(), &workload::order, lookup_order_sentence);
  caption(std::string(lookup_order_sentence(now.order)));
  if (now.order == lookup_order::nearly) {
    share_slider(f, "Displaced", "The share of them that are not where sorting puts them.", &workload::displaced);
    heading("Distance", "A lookup stays within a run of so many places.");
    constexpr std::array<u64, 4> distances = {16, 1u << 10, 1u << 16, 1u << 20};
    count_chips(f, distances, &workload::distance);
  }
  ImGui::Dummy({1, px(2)});
}

// How often each key of the set is asked for.
void popularity_knobs(frame& f) {
  const workload& now = f.session.choice.load;
  if (now.hits == 0) return;  // misses are all alike
  ImGui::PushID("popularity");
  heading("Popularity", now.ranges != 0 ? "How often a range begins at each key of the set."
                                        : "How often each key of the set is asked for.");
  value_chips(f, popularity_names(), &workload::popular, popularity_sentence);
  caption(std::string(popularity_sentence(now.popular)));
  if (now.popular == popularity::zipf) {
    heading("Exponent", "The r-th most popular key is asked for in proportion to 1 / r to the power of this.");
    exponent_slider(f);
  } else if (now.popular == popularity::hot) {
    share_slider(f, "Hot keys", "The share of the keys that are hot: neighbours in sorted order.", &workload::hot_keys);
    share_slider(f, "Hot lookups", "The share of the hits that are of hot keys.", &workload::hot_lookups);
  }
  ImGui::Dummy({1, px(2)});
  ImGui::PopID();
}

void seed_field(frame& f) {
  const workload& now = f.session.choice.load;
  heading("Seed", "The same seed gives the same bytes, on every machine.");
  count_field(f, "##seed", f.view.seed, now.seed, 0, ~0ull, "a seed", &workload::seed);
  ImGui::SameLine(0, px(4));
  if (icon_button("next seed", icon::dice, "The next seed", true, 26)) {
    workload wanted = now;
    ++wanted.seed;
    f.act.choose_workload(wanted);
  }
}

}  // namespace

void workload_panel(frame& f) {
  const workload& now = f.session.choice.load;
  ImGui::PushID("keys");
  heading("Keys", "What the index holds: generated from a seed, or your own.");
  const bool generated = keys_source(f);
  if (generated) {
    count_field(f, "##keys", f.view.keys_count, now.keys, 0, max_keys, "keys", &workload::keys);
    constexpr std::array<u64, 7> counts = {14, 1u << 10, 1u << 16, 1u << 20, 1u << 24, 1u << 26, 1u << 28};
    count_chips(f, counts, &workload::keys);
  }
  ImGui::PopID();
  ImGui::Dummy({1, px(2)});
  if (generated) {
    distribution_chips(f);
    distribution_knobs(f);
    ImGui::Dummy({1, px(2)});
  }
  batch_kind(f);
  const bool drawn = f.view.own.batch == own_data_state::source::generated;
  ImGui::PushID("batch");
  if (!drawn) own_batch_form(f);
  ImGui::PopID();
  if (drawn) count_of_batch(f);
  ImGui::Dummy({1, px(2)});
  if (drawn) hits_chips(f), popularity_knobs(f), misses_and_order(f);
  if (drawn || generated) seed_field(f);
}

}  // namespace pivotscope::viz
