#include "viz/bars/palette.hpp"

#include <fmt/format.h>
#include <imcmd_fuzzy_search.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/index/axes.hpp"
#include "core/index/check.hpp"
#include "viz/parts/marks.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/state/commands.hpp"
#include "viz/state/key_chord.hpp"
#include "viz/state/lesson.hpp"
#include "viz/state/lesson_progress.hpp"

namespace pivotscope::viz {
namespace {

constexpr float row_units = 28;

void add_commands(const frame& f, std::vector<palette_entry>& to) {
  for (std::size_t i = 0; i < commands().size(); ++i) {
    const command& c = commands()[i];
    if (std::string_view(c.id) == "commands" || std::string_view(c.id) == "escape") continue;  // it is open
    const std::string words = std::string_view(c.id) == "keys" ? "All keys, and to change them" : c.words;
    const ImGuiKeyChord keys = f.view.keys.of(i);
    to.push_back({words, keys == ImGuiKey_None ? "" : to_text(keys), !c.possible || c.possible(f), c.act});
  }
}

void add_panels(std::vector<palette_entry>& to) {
  for (std::size_t i = 0; i < panel_count; ++i) {
    const auto which = static_cast<panel>(i);
    to.push_back({fmt::format("panel {}", name_of(which)), "", true, [which](frame& f) {
                    f.view.open[static_cast<std::size_t>(which)] = true;
                    f.view.focus = which;
                  }});
  }
}

void add_lessons(const frame& f, std::vector<palette_entry>& to) {
  const auto& all = f.view.lessons.all;
  for (std::size_t i = 0; all && i < all->size(); ++i)
    to.push_back({fmt::format("lesson {}", (*all)[i].title), "", true, [i](frame& g) { begin_lesson(g, i); }});
}

void add_machines(const frame& f, std::vector<palette_entry>& to) {
  if (!f.session.machines) return;
  for (const machine_report& report : *f.session.machines)
    to.push_back({fmt::format("machine {}", machine_name(report.kind)), "",
                  report.available && report.kind != f.session.choice.machine,
                  [kind = report.kind](frame& g) { g.act.choose_machine(kind); }});
}

// As a click on its chip: with what else it needs.
void add_values(const frame& f, std::vector<palette_entry>& to) {
  const index_config& now = f.session.choice.config;
  for (const axis& a : axes(now.family)) {
    for (const std::string& value : a.values) {
      index_config wanted = now;
      if (!a.set(wanted, value)) continue;
      if (check(wanted)) wanted = nearest_accepted(wanted, a.name);
      if (check(wanted) || a.get(wanted) != value) continue;  // no config near has it
      to.push_back({fmt::format("{} {}", a.name, value), "", !(wanted == now),
                    [wanted](frame& g) { g.act.choose_config(wanted); }});
    }
  }
}

// What stands in a row counts before what is strewn about, and at a word's begin before the middle of one.
int bonus_of(const std::string& words, const std::string& letters) {
  const auto same = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
  int bonus = 0;
  for (auto from = words.begin();; ++from) {
    from = std::search(from, words.end(), letters.begin(), letters.end(), same);
    if (from == words.end()) return bonus;
    const bool begins = from == words.begin() || std::isalnum(static_cast<unsigned char>(from[-1])) == 0;
    bonus = std::max(bonus, begins ? 2000 : 1000);
  }
}

void draw_entry(const palette_entry& entry, bool chosen, bool& clicked) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = px(row_units);
  clicked = ImGui::InvisibleButton(entry.words.c_str(), {width, height});
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const box all{at, {at.x + width, at.y + height}};
  if (chosen || ImGui::IsItemHovered())
    draw.AddRectFilled(all.low, all.high, chosen ? theme().pressed : theme().hovered, px(4));
  const float keys_width = entry.keys.empty() ? 0 : text_width(fonts().mono_bold, type::small, entry.keys) + px(12);
  const float y = at.y + (height - type::body * px(1)) / 2;
  draw.PushClipRect(all.low, {all.high.x - keys_width - px(4), all.high.y}, true);
  draw_text(draw, fonts().words, type::body, {at.x + px(8), y}, entry.possible ? theme().text : theme().text_faint,
            entry.words);
  draw.PopClipRect();
  if (keys_width > 0)
    draw_text(draw, fonts().mono_bold, type::small, {all.high.x - keys_width, y + px(1)}, theme().text_dim, entry.keys);
}

// What is chosen by arrows, from what is found; true when it is to be done.
bool choose_by_keys(palette_state& p, std::size_t found, bool entered) {
  if (p.sought != p.text.text) p.sought = p.text.text, p.chosen = 0;
  // Not for the way from control to control.
  for (const ImGuiKey arrow : {ImGuiKey_DownArrow, ImGuiKey_UpArrow})
    ImGui::SetKeyOwner(arrow, ImGui::GetID("##sought"));
  if (found == 0) return false;
  p.chosen = std::min(p.chosen, found - 1);
  if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) p.chosen = std::min(p.chosen + 1, found - 1);
  if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) p.chosen -= p.chosen > 0;
  return entered;
}

// The entry that is to be done now.
const palette_entry* pick(palette_state& p, const std::vector<palette_entry>& entries, bool entered) {
  const std::vector<std::size_t> found = palette_found(entries, p.text.text);
  const std::size_t before = p.chosen;
  const palette_entry* picked = choose_by_keys(p, found.size(), entered) ? &entries[found[p.chosen]] : nullptr;
  constexpr std::size_t most_rows = 12;
  const auto rows = static_cast<float>(std::clamp<std::size_t>(found.size(), 1, most_rows));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::BeginChild("found", {0, rows * px(row_units)});
  for (std::size_t i = 0; i < found.size(); ++i) {
    bool clicked = false;
    draw_entry(entries[found[i]], i == p.chosen, clicked);
    if (i == p.chosen && before != p.chosen) ImGui::SetScrollHereY(0.5f);
    if (clicked) picked = &entries[found[i]];
  }
  if (found.empty()) caption("Nothing has these letters in this order.");
  ImGui::EndChild();
  ImGui::PopStyleVar();
  return picked && picked->possible ? picked : nullptr;
}

}  // namespace

std::vector<palette_entry> palette_entries(const frame& f) {
  std::vector<palette_entry> all;
  add_commands(f, all);
  add_panels(all);
  add_lessons(f, all);
  add_values(f, all);
  add_machines(f, all);
  return all;
}

std::vector<std::size_t> palette_found(const std::vector<palette_entry>& entries, std::string_view sought) {
  constexpr std::size_t longest = 255;  // that the search numbers letters up to
  const std::string letters(sought.substr(0, longest));
  const bool all = std::all_of(letters.begin(), letters.end(),
                               [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; });
  std::vector<std::pair<int, std::size_t>> scored;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    int score = 0;
    const std::string words = entries[i].words.substr(0, longest);
    if (all || ImCmd::FuzzySearch(letters.c_str(), words.c_str(), score))
      scored.emplace_back(all ? 0 : score + bonus_of(words, letters), i);
  }
  std::stable_sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::size_t> found;
  found.reserve(scored.size());
  for (const auto& [score, i] : scored) found.push_back(i);
  return found;
}

void command_palette(frame& f) {
  palette_state& p = f.view.palette;
  if (!p.open) return;
  const ImGuiViewport& whole = *ImGui::GetMainViewport();
  const float width = std::min(px(560), whole.WorkSize.x - px(16));
  ImGui::SetNextWindowPos({whole.GetCenter().x, whole.WorkPos.y + px(48)}, ImGuiCond_Always, {0.5f, 0});
  ImGui::SetNextWindowSize({width, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme().light ? theme().panel : theme().raised);
  const palette_entry* picked = nullptr;
  const std::vector<palette_entry> entries = palette_entries(f);
  constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                     ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings;
  ImGui::Begin("Commands", nullptr, flags);
  // An arrangement that has just begun brings panels to the front.
  if (p.text.focus_next || !ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows)) ImGui::SetKeyboardFocusHere();
  p.text.focus_next = false;
  const bool entered =
      text_field("##sought", p.text.text, "a command, a panel, a lesson, a method", ImGui::GetContentRegionAvail().x);
  picked = pick(p, entries, entered);
  const bool left =
      ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
  if (picked || left || ImGui::IsKeyPressed(ImGuiKey_Escape, false)) p = {};
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  if (picked) picked->act(f);
}

}  // namespace pivotscope::viz
