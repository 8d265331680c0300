// How a slot comes to its key, in Path's place while the build is shown: which thread writes it, the formula with its
// numbers filled in, and how the correction c grows with n. Or which step of a batch's merge makes it.
#include <fmt/format.h>

#include <algorithm>

#include "core/machine/cuda/compile/program.hpp"
#include "viz/panels/merge_parts.hpp"
#include "viz/panels/panels.hpp"
#include "viz/parts/empty_view.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"
#include "viz/words/sentence_numbers.hpp"

namespace pivotscope::viz {
namespace {

void pass_chips(frame& f) {
  const build_state& b = f.view.build;
  heading("Pass",
          "A build runs in passes, one after the other; within one no thread waits for another. A pivot buffer's "
          "pivots are "
          "stored along with its entries: they are stepped through on their own.");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(4), px(4)));
  for (u32 i = 0; i < b.passes.size(); ++i) {
    const std::string words = fmt::format("{} {}", i + 1, b.passes[i].name);
    ImGui::PushID(static_cast<int>(i));
    flow_chip(words, i == 0);
    if (chip("pass", words, i == b.at.pass ? chip_look::chosen : chip_look::plain)) {
      f.view.transport.playing = false;
      go_to_place(f, {i, 0});
    }
    ImGui::PopID();
    hover_card(words, b.passes[i].meaning, fmt::format("{} slots.", grouped(b.passes[i].slots)));
  }
  ImGui::PopStyleVar();
  ImGui::Spacing();
}

void held_fact(const frame& f, const build_step& step, const pass_info& pass) {
  const u64 slot = f.view.build.at.slot;
  const auto content = step.empty ? std::nullopt : f.read(pass.region, slot);
  const std::string said = step.empty ? "" : f.words(pass.region, slot);
  const std::string key = content ? std::to_string(content->key) : said.empty() ? "reading..." : said;
  fact("memory holds",
       step.empty                ? "no key"
       : content && content->row ? fmt::format("{}, {}", key,
                                               is_live_row(*content->row) ? "row id " + std::to_string(*content->row)
                                                                          : row_words(*content->row))
                                 : key,
       "Read from the index: the key in this slot, and the row id that goes with it.");
}

// Who writes the slot.
void turn_facts(const frame& f, const build_step& step, const pass_info& pass) {
  const u64 slot = f.view.build.at.slot;
  const char* who =
      "Which turn the slot is on a GPU; a pivot has that of its entry. Neighbouring threads take slots whose keys are "
      "neighbours, so that the "
      "sorted keys are read once and in order; empty slots come last. The cpu machine runs the same lines in a loop. "
      "Over 2^22 evenly spread keys and more a GPU may build in the last pass of its sort instead, with each key in "
      "the "
      "hands of the thread that found its rank.";
  if (step.turn) {
    fact("turn", grouped(*step.turn), who);
    const u64 a_block = u64{build_threads} * step.at_once, of_block = *step.turn % a_block;
    const std::string which =
        step.at_once == 1 ? "" : fmt::format(", {} of its {}", of_block / build_threads + 1, step.at_once);
    fact(
        "thread", fmt::format("{} of block {}{}", of_block % build_threads, grouped(*step.turn / a_block), which),
        fmt::format("{0} threads start in a block{1}: turn {2} = {3} \u00D7 {4} + {5}.", build_threads,
                    step.at_once == 1 ? ", each for one turn"
                                      : fmt::format(", each for {} turns, {} apart, so that their loads are on the way "
                                                    "together",
                                                    step.at_once, build_threads),
                    grouped(*step.turn), grouped(*step.turn / a_block), a_block, of_block));
  } else if (const u32 together = f.model()->region(pass.region).cells_a_pack; together > 1) {
    fact("thread", fmt::format("{}, for {} slots", grouped(slot / together), together),
         "On a GPU this thread writes a pack: as many slots as share its bytes, and nothing else.");
  } else {
    fact("turn", "as the keys decide", who);
  }
}

// A number: its formula, then with numbers filled in what it comes to.
void term_row(const step_term& term, float names, bool last) {
  const float left = ImGui::GetCursorPosX(), right = left + ImGui::GetContentRegionAvail().x;
  const auto end_of_item = [] { return ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x + ImGui::GetScrollX(); };
  ImGui::BeginGroup();
  {
    const text_style style(fonts().mono_bold, type::small, theme().text);
    ImGui::TextUnformatted(term.name.c_str());
  }
  ImGui::SameLine(0, 0);
  ImGui::SetCursorPosX(left + names);
  wrapped(fonts().mono, type::tiny, theme().text_dim, term.formula);
  // Where there is nothing to compute, the formula's value stands beside it.
  if (term.numbers != std::to_string(term.value)) {
    ImGui::SetCursorPosX(left + names);
    wrapped(fonts().mono, type::tiny, theme().text, term.numbers);
  }
  const std::string value = fmt::format("= {}", term.value);
  ImFont* font = last ? fonts().mono_bold : fonts().mono;
  const float width = text_width(font, type::small, value);
  if (end_of_item() + px(6) + width < right) ImGui::SameLine(0, 0);
  ImGui::SetCursorPosX(right - width);
  {
    const text_style style(font, type::small, theme().text);
    ImGui::TextUnformatted(value.c_str());
  }
  ImGui::EndGroup();
  hover_card(term.name, term.meaning);
}

void formula(const frame& f, const build_step& step, bool of_main) {
  if (step.terms.empty()) return;
  if (f.view.build.merged.merge)
    heading("Which step makes it",
            "From the slot to its step of the merge path, and back as the merge computes it. Hover a line for what it "
            "means.");
  else
    heading("Which key belongs there",
            of_main
                ? "What the thread computes, in its order: each line in the names of the paper, and with this slot's "
                  "numbers. These are the values of the very function that builds the index. Hover a line for what it "
                  "means."
                : "The formula of the paper, from slot to key, with this slot's numbers. The build goes the other way, "
                  "from the key that a thread has in hand to this slot. Hover a line for what it means.");
  float names = 0;
  for (const step_term& term : step.terms)
    names = std::max(names, text_width(fonts().mono_bold, type::small, term.name));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(8), px(1)));
  for (std::size_t i = 0; i < step.terms.size(); ++i) {
    term_row(step.terms[i], names + px(12), i + 1 == step.terms.size());
    ImGui::Dummy({1, px(3)});
  }
  ImGui::PopStyleVar();
}

void choose_n(frame& f, u64 n) {
  const workload wanted = grown_to(f.session.choice.load, n, f.view.build.from_paper);
  if (!(wanted == f.session.choice.load)) f.act.choose_workload(wanted);
}

const std::vector<grown_slot>& grown_of(frame& f) {
  build_state& b = f.view.build;
  const std::pair wanted{f.session.index->config(), b.at};
  if (!b.grown_for || !(*b.grown_for == wanted)) {
    b.grown = grow(wanted.first, wanted.second);
    b.grown_for = wanted;
  }
  return b.grown;
}

std::string words_of(const grown_slot& at, bool changed) {
  if (!at.there) return "The index has no key in this slot yet.";
  if (!at.shift)
    return fmt::format("The slot is on the last level: nothing corrects it. Its key is that of rank {}.", at.rank);
  return fmt::format("{} = {}{}: the key of rank {}.", at.shift->name, at.shift->by,
                     changed ? ", other than with one key less" : "", at.rank);
}

// A column for each n: as high as the correction, with its number; a filled one where it differs from the one before.
void chart(frame& f, const std::vector<grown_slot>& grown, u64 now) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, tall = px(46), above = px(16), below = px(16);
  ImGui::InvisibleButton("c by n", {width, above + tall + below});
  const bool hovered = ImGui::IsItemHovered(), clicked = ImGui::IsItemClicked();
  const float grab = px(2),
              step = (width - 2 * grab) / static_cast<float>(grown.size());  // as the slider above divides
  u64 most = 1;
  for (const grown_slot& g : grown) most = std::max(most, g.shift ? g.shift->by : 0);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float floor = at.y + above + tall;
  draw.AddLine({at.x, floor}, {at.x + width, floor}, theme().line);
  for (std::size_t i = 0; i < grown.size(); ++i) {
    const grown_slot& g = grown[i];
    const float x0 = at.x + grab + step * static_cast<float>(i), middle = x0 + step / 2;
    const bool here = g.n == now, changed = changes(grown, i);
    const ImU32 ink = here || changed ? theme().text : theme().text_faint;
    if (here) draw.AddRectFilled({x0, at.y}, {x0 + step, at.y + above + tall + below}, theme().raised, px(3));
    if (g.shift) {
      const float high = tall * static_cast<float>(g.shift->by) / static_cast<float>(most);
      const ImVec2 low{x0 + px(3), floor - high}, end{x0 + step - px(3), floor};
      if (changed || here)
        draw.AddRectFilled(low, end, here ? theme().accent : theme().text_dim, px(1));
      else
        draw.AddRect(low, end, theme().text_faint, px(1));
      draw_text_centred(draw, changed ? fonts().mono_bold : fonts().mono, 10, {middle, floor - high - px(7)}, ink,
                        std::to_string(g.shift->by));
    } else if (g.there) {
      draw_text_centred(draw, fonts().mono, 10, {middle, floor - px(7)}, theme().text_faint, "-");
    }
    draw_text_centred(draw, here ? fonts().mono_bold : fonts().mono, 10, {middle, floor + px(9)}, ink,
                      std::to_string(g.n));
  }
  if (!hovered || grown.empty()) return;
  const float share = (ImGui::GetIO().MousePos.x - at.x - grab) / step;
  const auto i = static_cast<std::size_t>(std::clamp(share, 0.0f, static_cast<float>(grown.size() - 1)));
  hover_card(fmt::format("n = {}", grown[i].n), words_of(grown[i], changes(grown, i)), "Click to take this n.");
  if (clicked) choose_n(f, grown[i].n);
}

void growth(frame& f) {
  heading(
      "n from 9 to 26",
      "How many keys there are. Slide it and watch the rows of Layout: with every key on the last level those above "
      "it slide to the right, until the level is full.");
  const u64 now = f.session.choice.load.keys;
  const bool within = now >= least_grown && now <= most_grown;
  int n = static_cast<int>(std::clamp(now, least_grown, most_grown));
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  const std::string format = within ? "n = %d" : fmt::format("n = {}, slide for 9 to 26", short_count(now));
  if (ImGui::SliderInt("##n", &n, static_cast<int>(least_grown), static_cast<int>(most_grown), format.c_str(),
                       ImGuiSliderFlags_AlwaysClamp))
    choose_n(f, static_cast<u64>(n));
  hover_card("n",
             "The number of keys. The papers' example has 14 and is replaced by dense keys, 0, 1, 2 and so on, at "
             "every other number.");
  const std::vector<grown_slot>& grown = grown_of(f);
  const auto there = std::find_if(grown.begin(), grown.end(), [](const grown_slot& g) { return g.there; });
  if (there == grown.end())
    return caption("None of these sizes has a key in this slot. Go to one nearer to the root, and see how n moves it.");
  const auto shifted =
      std::find_if(grown.begin(), grown.end(), [](const grown_slot& g) { return g.shift.has_value(); });
  if (shifted == grown.end()) return caption("No correction moves this slot at any of these sizes.");
  heading(fmt::format("{} of slot {} by n", shifted->shift->name, f.view.build.at.slot),
          "A column for each n: how far the correction moves this slot's key in sorted order. Filled where it differs "
          "from the n before; a dash where the slot is on the last level, which needs no correction.");
  chart(f, grown, now);
}

}  // namespace

void build_panel(frame& f) {
  if (!f.session.index || f.model()->keys() == 0) return wait_or_explain(f, "how it is built");
  const pass_info* pass = f.pass();
  if (!pass) return caption("This family does not tell how its slots are built.");
  const build_step step = *f.writes();
  if (f.view.build.passes.size() > 1) pass_chips(f);
  const batch_merge* const merge = f.view.build.merged.merge.get();
  if (merge) merge_sums(f.view.build.merged);
  const std::string level = step.level ? fmt::format(", level {}", *step.level) : "";
  heading(fmt::format("Slot {} of {}{}", grouped(f.view.build.at.slot), pass->name, level), pass->meaning);
  wrapped(fonts().words, type::title, theme().text, with_grouped_numbers(step.words));
  ImGui::Spacing();
  if (merge)
    merge_facts(*merge, f.view.build.at.slot);
  else
    turn_facts(f, step, *pass);
  held_fact(f, step, *pass);
  ImGui::Spacing();
  if (merge) {
    merge_path_rows(f, *merge);
    ImGui::Spacing();
  }
  formula(f, step, pass->region == main_region);
  if (merge) return;
  ImGui::Spacing();
  growth(f);
}

}  // namespace pivotscope::viz
