// Workload: which keys, and which lookups.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "viz/format.hpp"
#include "viz/icons.hpp"
#include "viz/panels.hpp"
#include "viz/widgets.hpp"

namespace pivotscope::viz {
namespace {

// A workload that check() refuses is not chosen: its chip is grey and says why.
void workload_chip(frame& f, const std::string& value, const workload& wanted, bool chosen,
                   const std::string& sentence) {
  const auto refused = check(wanted, f.session.choice.config.keys);
  const bool clicked = chip(value.c_str(), value,
                            chosen    ? chip_look::chosen
                            : refused ? chip_look::refused
                                      : chip_look::plain);
  hover_card(value, refused ? "Refused: " + *refused : sentence);
  if (clicked && !refused) f.act.choose_workload(wanted);
}

// A count that one types: "2^20", "1e6", "64Ki".
void count_field(frame& f, const char* id, entry_state& entry, u64 value, u64 least, u64 greatest, const char* what,
                 u64 workload::*member) {
  const float width = px(120);
  const bool entered = text_field(id, entry.text, "2^20", width, type::small);
  const bool active = ImGui::IsItemActive();
  const bool left = ImGui::IsItemDeactivatedAfterEdit();
  hover_card("", fmt::format("{}: as 1000000, 2^20, 64Ki or 1e6. Then Enter.", what));
  if (ImGui::IsItemActivated()) entry.problem.clear();
  if (entered || left) {
    const outcome<u64> count = parse_count(entry.text, what, least, greatest);
    entry.problem = count.ok() ? "" : count.error().words;
    if (count.ok()) {
      workload wanted = f.session.choice.load;
      wanted.*member = *count;
      // The papers' example has its own 14 keys: any other count wants another distribution.
      if (member == &workload::keys && wanted.dist == distribution::paper && *count != 14)
        wanted.dist = distribution::uniform;
      if (const auto refused = check(wanted, f.session.choice.config.keys))
        entry.problem = *refused;
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

void count_chips(frame& f, std::span<const u64> counts, u64 workload::*member) {
  const workload& now = f.session.choice.load;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(4), px(4)));
  bool first = true;
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
    workload_chip(f, words, wanted, now.*member == count, count == 14 ? "The papers' worked example." : grouped(count));
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
  }
}

void seed_and_hits(frame& f) {
  const workload& now = f.session.choice.load;
  heading("Hits", "The share of lookups whose key is in the set. The rest look for keys that are not there.");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(4), px(4)));
  constexpr std::array shares = {1.0, 0.9, 0.5, 0.0};
  for (std::size_t i = 0; i < shares.size(); ++i) {
    workload wanted = now;
    wanted.hits = shares[i];
    const std::string words = percent_text(shares[i]);
    flow_chip(words, i == 0);
    workload_chip(f, words, wanted, now.hits == shares[i], fmt::format("{} of the lookups find their key.", words));
  }
  ImGui::PopStyleVar();
  ImGui::Dummy({1, px(2)});
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
  heading("Keys", "n: how many keys the index holds.");
  count_field(f, "##keys", f.view.keys_count, now.keys, 0, max_keys, "keys", &workload::keys);
  constexpr std::array<u64, 7> counts = {14, 1u << 10, 1u << 16, 1u << 20, 1u << 24, 1u << 26, 1u << 28};
  count_chips(f, counts, &workload::keys);
  ImGui::PopID();
  ImGui::Dummy({1, px(2)});
  distribution_chips(f);
  distribution_knobs(f);
  ImGui::Dummy({1, px(2)});
  ImGui::PushID("lookups");
  heading("Lookups", "How many keys are looked up in one batch, to be timed and checked.");
  count_field(f, "##lookups", f.view.lookups_count, now.lookups, 0, max_keys, "lookups", &workload::lookups);
  constexpr std::array<u64, 5> batches = {64, 1u << 16, 1u << 20, 1u << 24, 1u << 27};
  count_chips(f, batches, &workload::lookups);
  ImGui::PopID();
  ImGui::Dummy({1, px(2)});
  seed_and_hits(f);
}

}  // namespace pivotscope::viz
