// Verify: random cases against the reference, on the machine that is chosen. A case that fails is a row; a click opens it.
#include <fmt/format.h>

#include <algorithm>

#include "core/index/config_text.hpp"
#include "core/workload/question_text.hpp"
#include "viz/panels/panels.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/state/opening.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

// A count that one types, beside its name.
void number_field(const char* name, const char* meaning, entry_state& entry, u64& value, u64 least, u64 greatest) {
  ImGui::AlignTextToFramePadding();
  const float left = ImGui::GetCursorPosX();
  {
    const text_style style(fonts().words, type::small, theme().text_dim);
    ImGui::TextUnformatted(name);
  }
  hover_card(name, meaning);
  ImGui::SameLine();
  ImGui::SetCursorPosX(std::max(left + px(80), ImGui::GetCursorPosX()));
  count_field(name, meaning, entry, value, least, greatest, px(110));
  say_wrong(entry.problem);
}

void request(frame& f) {
  constexpr u64 most_cases = 1ull << 30;
  verify_state& state = f.view.verify;
  number_field("cases", "How many random configs, each with a workload of its own.", state.cases, state.asked.cases, 1,
               most_cases);
  number_field("seed", "Which cases: the same seed has the same ones, on every machine.", state.seed, state.asked.seed,
               0, ~0ull);
  ImGui::SameLine(0, px(4));
  if (icon_button("next seed", icon::dice, "The next seed: other cases", true, 26)) ++state.asked.seed;
  number_field("keys", "How many keys a case has at most. Sizes are drawn around powers of two and of the fanout.",
               state.most_keys, state.asked.most_keys, 0, 1ull << 24);
  const std::string machine(machine_name(f.session.choice.machine));
  if (button("verify", fmt::format("Verify {}", machine), icon::shield, true, !f.session.verified.running))
    f.act.verify(state.asked);
  hover_card("Verify",
             fmt::format("Draws cases, builds, looks up keys and ranges on {}, and compares every answer with a plain "
                         "std::lower_bound; traces a few of each. What you choose meanwhile goes first.",
                         machine),
             "The same as `pivotscope verify`.");
}

void progress(frame& f, const verification& v) {
  const float room = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float share = static_cast<float>(v.done) / static_cast<float>(std::max<u64>(v.asked.cases, 1));
  draw.AddRectFilled(at, {at.x + room, at.y + px(6)}, theme().raised, px(3));
  draw.AddRectFilled(at, {at.x + std::max(px(6), room * share), at.y + px(6)}, theme().text, px(3));
  ImGui::Dummy({room, px(8)});
  const std::string waits = f.session.job.running ? ", after " + f.session.job.stage : "";
  wrapped(fonts().words_medium, type::small, theme().text,
          fmt::format("{} of {} cases{}", grouped(v.done), grouped(v.asked.cases), waits));
  if (button("stop verifying", "Stop", icon::stop)) f.act.stop_verifying();
}

// What came of it, in a sentence that begins with a mark.
void verdict(const verification& v) {
  const std::size_t failing = v.failing ? v.failing->size() : 0;
  if (failing > 0) {
    std::string words = fmt::format("{}  {} of {} cases fail", icon::warning, failing, grouped(v.done));
    if (failing == 1) words = fmt::format("{}  1 of {} cases fails", icon::warning, grouped(v.done));
    if (!v.running && v.done < v.asked.cases && !v.stopped) words += "; it ended there";
    wrapped(fonts().words_bold, type::body, theme().bad, words + ".");
  } else if (!v.running && v.done == v.asked.cases) {
    wrapped(fonts().words_bold, type::body, theme().good,
            fmt::format("{}  All {} cases are right.", icon::check, grouped(v.done)));
  } else if (v.stopped) {
    wrapped(fonts().words_bold, type::body, theme().text,
            fmt::format("{}  Stopped after {} cases, all right.", icon::stop, grouped(v.done)));
  }
  if (!v.problem.empty())
    wrapped(fonts().words_medium, type::small, theme().bad,
            fmt::format("{}  Case {} could not be checked: {}", icon::warning, v.done, v.problem));
}

void counts(const verification& v) {
  fact("machine", std::string(machine_name(v.machine)), "Where the cases are built and looked up.");
  fact("seed", count_text(v.asked.seed), "Which cases these are.");
  fact("cases", grouped(v.done), "That were checked, each with all of its answers.");
  fact("configs", grouped(v.configs),
       "Different ones that these cases had. On cuda they share 48: compiling takes long.");
  fact("keys", grouped(v.counts.keys), "Of all cases together.");
  for (const operation kind : read_operations)
    fact(std::string(operation_noun(kind)), grouped(v.counts.of(kind)),
         kind == operation::range ? "Counts and sums compared with the reference's; in every third case row ids."
                                  : "Answers compared with the reference's.");
  fact("traces", grouped(v.counts.traces), "Traced as well: the answer must be the machine's.");
}

// Its config over its workload, the key, and what was answered.
void failing_row(frame& f, const failing_case& c, std::size_t i) {
  const theme_tokens& t = theme();
  const float room = ImGui::GetContentRegionAvail().x, left = px(26), inside = room - left - px(8);
  const std::string key = "lookup=" + to_text(c.key);
  const ImVec2 words = fonts().words->CalcTextSizeA(px(type::small), FLT_MAX, inside, c.words.c_str());
  const float height = px(70) + words.y;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(static_cast<int>(i));
  const bool clicked = ImGui::InvisibleButton("row", {room, height});
  ImGui::PopID();
  const session_choice& now = f.session.choice;
  const bool open = now.config == c.config && now.key == c.key && now.load.keys == c.load.keys &&
                    now.load.dist == c.load.dist && now.load.seed == c.load.seed;
  hover_card(fmt::format("Case {} of seed {}", grouped(c.number), f.session.verified.asked.seed), c.line,
             open ? "It is open: step through it." : "Click to open it in the stepper.");
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImU32 ground = ImGui::IsItemHovered() ? t.hovered : t.raised;
  draw.AddRectFilled(at, {at.x + room, at.y + height}, ground, px(4));
  draw_text(draw, fonts().words, type::small, {at.x + px(6), at.y + px(6)}, open ? t.good : t.bad,
            open ? icon::check : icon::warning);
  draw_text_in(draw, fonts().mono_bold, type::small, {at.x + left, at.y + px(6)}, inside, t.text, to_line(c.config));
  draw_text_in(draw, fonts().mono, type::tiny, {at.x + left, at.y + px(27)}, inside, t.text_dim, to_line(c.load));
  draw_text_in(draw, fonts().mono_bold, type::small, {at.x + left, at.y + px(45)}, inside, t.accent, key);
  draw.AddText(fonts().words, px(type::small), {at.x + left, at.y + px(64)}, t.text, c.words.c_str(), nullptr, inside);
  if (clicked && open_scenario(f, c.line)) show_build(f, false);
}

}  // namespace

void verify_panel(frame& f) {
  const verification& v = f.session.verified;
  heading("Random cases",
          "A random config and a random workload each: every axis, all distributions, no key, one key, all keys equal, "
          "the ends of the width.");
  request(f);
  ImGui::Dummy({1, px(4)});
  const bool any = v.running || v.done > 0 || v.stopped || !v.problem.empty();
  if (!any)
    return caption(
        "Nothing was verified yet. Every answer of a case is compared with a plain reference; one "
        "that is wrong is shown here, and a click opens it in the stepper.");
  if (v.running) progress(f, v);
  verdict(v);
  if (v.failing) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(4), px(6)));
    for (std::size_t i = 0; i < v.failing->size(); ++i) failing_row(f, (*v.failing)[i], i);
    ImGui::PopStyleVar();
  }
  ImGui::Dummy({1, px(4)});
  counts(v);
}

}  // namespace pivotscope::viz
