// Index: which index, knob by knob. What check() refuses as things stand is hollow where a click
// can set what it needs as well, else grey; it says why.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "core/index/axes.hpp"
#include "core/index/check.hpp"
#include "core/index/config_text.hpp"
#include "core/tuning/name_alone.hpp"
#include "viz/models/kernel_facts.hpp"
#include "viz/panels/panels.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

// "Pinning none, scratch 0": what else than `a` a click changes.
std::string also_set(const axis& a, const index_config& now, const index_config& instead) {
  std::string words;
  for (const axis& other : axes(instead.family)) {
    if (other.name == a.name || other.get(instead) == other.get(now)) continue;
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", other.title, other.get(instead));
  }
  return words;
}

// What a click at the value takes. A method of another family is its name alone.
bool set_value(const frame& f, const axis& a, const std::string& value, index_config& c) {
  const family_id before = c.family;
  if (!a.set(c, value)) return false;
  if (c.family == before) return true;
  const viz::session_choice& now = f.session.choice;
  index_config standard = family_of(c).standard();
  standard.keys = c.keys;
  if (family_of(c).knob_beside_name().empty() || !(c == standard)) return true;
  const auto& found = f.session.machines;
  c = config_for(typed_config(c, true), now.load.keys, now.machine,
                 found ? std::span(*found) : std::span<const machine_report>());
  return true;
}

// `wrong`: it makes answers wrong.
void value_chip(frame& f, const axis& a, const std::string& value, bool wrong) {
  const index_config& now = f.session.choice.config;
  index_config wanted = now;
  if (!set_value(f, a, value, wanted)) return;
  const auto refused = check(wanted);
  const bool chosen = a.get(now) == value;
  const index_config instead = refused ? nearest_accepted(wanted, a.name) : wanted;
  const bool reachable = refused && a.get(instead) == value;
  const bool clicked = chip(value.c_str(), wrong ? value + ", wrong" : value,
                            chosen      ? chip_look::chosen
                            : reachable ? chip_look::reachable
                            : refused   ? chip_look::refused
                                        : chip_look::plain);
  const std::string sentence = wrong       ? family_of(now).caution(wanted).value_or("") + "."
                               : a.explain ? a.explain(value)
                                           : "";
  const std::string title = fmt::format("{} {}", a.title, value);
  if (reachable)
    hover_card(title, fmt::format("{}{}Not as things stand: {}.", sentence, sentence.empty() ? "" : " ", *refused),
               "A click sets what it needs as well: " + also_set(a, now, instead) + ".");
  else if (refused)
    hover_card(title, "Refused: " + *refused + ".", fmt::format("Click for the nearest legal: {}", to_line(instead)));
  else
    hover_card(title, sentence);
  if (clicked && !(instead == now) && !check(instead)) f.act.choose_config(instead);
}

// Values that are not among the suggestions: the arrows step through the range.
void number_steps(frame& f, const axis& a) {
  const index_config& now = f.session.choice.config;
  const std::string text = a.get(now);
  u32 value = 0;
  const auto [rest, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || rest != text.data() + text.size()) return;
  const u32 least = a.range->first, greatest = a.range->second;
  // The next value that is accepted: of powers of two it is not the next number.
  const auto step = [&](int by) {
    for (std::int64_t to = std::int64_t{value} + by; to >= least && to <= greatest; to += by) {
      index_config wanted = now;
      if (!a.set(wanted, std::to_string(to))) return;
      if (check(wanted)) wanted = nearest_accepted(wanted, a.name);
      if (check(wanted) || a.get(wanted) == a.get(now)) continue;
      f.act.choose_config(wanted);
      return;
    }
  };
  const float right = right_edge();
  ImGui::SameLine();
  ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), right - px(2 * 20 + 44)));
  const float y = ImGui::GetCursorPosY();
  ImGui::SetCursorPosY(y - px(2));
  if (icon_button("less", icon::back, fmt::format("{} - 1", a.name), value > least, 20)) step(-1);
  ImGui::SameLine(0, 0);
  const std::string words = std::to_string(value);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({px(44), px(20)});
  draw_text_centred(*ImGui::GetWindowDrawList(), fonts().mono_bold, type::small, {at.x + px(22), at.y + px(10)},
                    theme().text, words);
  ImGui::SameLine(0, 0);
  ImGui::SetCursorPosY(y - px(2));
  if (icon_button("more", icon::forward, fmt::format("{} + 1", a.name), value < greatest, 20)) step(1);
}

// What the knob does to the compiled kernel. A figure that is computed is italic, as everywhere.
void facts_row(const frame& f, const axis& a) {
  const std::vector<knob_fact> facts = facts_beside(a.name, f.session);
  if (a.name == "threads") {
    caption(kernel_remark(f.session));
    hover_card("Kernel",
               "What the compiler and the driver say of the lookup kernel stands beside the knobs that cause it.");
  }
  for (const knob_fact& k : facts) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + px(8));
    ImGui::BeginGroup();
    fact(k.name, k.value);
    ImGui::EndGroup();
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + px(1)}, {at.x + px(2), ImGui::GetItemRectMax().y},
                                              theme().line);
    hover_card(k.name, k.meaning, k.computed ? "Computed from the config." : "");
  }
}

void axis_row(frame& f, const axis& a) {
  ImGui::PushID(a.name.c_str());
  const ImVec2 at = ImGui::GetCursorScreenPos();
  heading(a.title, a.sentence);
  if (a.range && a.range->second - a.range->first > 1) number_steps(f, a);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(4), px(4)));
  bool first = true;
  for (const auto* list : {&a.values, &a.wrong_values}) {
    for (const std::string& value : *list) {
      const bool wrong = list == &a.wrong_values;
      flow_chip(wrong ? value + ", wrong" : value, first);
      first = false;
      value_chip(f, a, value, wrong);
    }
  }
  ImGui::PopStyleVar();
  spot(a.name, {at, {at.x + ImGui::GetContentRegionAvail().x, ImGui::GetCursorScreenPos().y}});
  facts_row(f, a);
  ImGui::PopID();
  ImGui::Dummy({1, px(2)});
}

// Parameters that are known by a name: a click takes them, with the key width as it is.
void presets_row(frame& f) {
  const index_config& now = f.session.choice.config;
  const auto presets = family_of(now).presets();
  if (presets.empty()) return;
  heading("Parameters of", "What other programs take for such an index, as far as its knobs say it.");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(4), px(4)));
  bool first = true;
  for (const preset& p : presets) {
    outcome<index_config> taken = config_from_line(p.line);
    if (!taken) continue;
    taken->keys = now.keys;
    const std::string name(p.name);
    flow_chip(name, first);
    first = false;
    const bool clicked = chip(name.c_str(), name, *taken == now ? chip_look::chosen : chip_look::plain);
    hover_card(name, std::string(p.sentence), std::string(p.line));
    if (clicked && !(*taken == now)) f.act.choose_config(*taken);
  }
  ImGui::PopStyleVar();
  ImGui::Dummy({1, px(2)});
}

}  // namespace

void index_panel(frame& f) {
  for (const axis& a : axes(f.session.choice.config.family)) {
    axis_row(f, a);
    // The method is the choice that the others hang on: it is told in words without being asked.
    if (a.name == "method") {
      caption(a.explain(a.get(f.session.choice.config)));
      ImGui::Dummy({1, px(4)});
      presets_row(f);
    }
  }
}

}  // namespace pivotscope::viz
