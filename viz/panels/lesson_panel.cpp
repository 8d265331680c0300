// Lesson: the list of lessons, and the one that is gone through: prose, one deed or question a step, and a tick as soon
// as it is noticed.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "viz/panels/panels.hpp"
#include "viz/parts/markdown.hpp"
#include "viz/parts/marks.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/state/lesson_progress.hpp"
#include "viz/theme/icons.hpp"

namespace pivotscope::viz {
namespace {

constexpr float widest_prose = 560;

// --- The list ---

void draw_tick(ImVec2 middle, bool done, ImU32 ink) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddCircle(middle, px(8), done ? theme().good : ink, 0, px(1.5f));
  if (done) draw_text_centred(draw, fonts().words, 11, middle, theme().good, icon::check);
}

void lesson_row(frame& f, std::size_t which, std::size_t number) {
  const lesson& one = (*f.view.lessons.all)[which];
  const bool done = is_finished(f, one);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = px(25);  // all of them at once
  const bool clicked = ImGui::InvisibleButton(one.id.c_str(), {width, height}, ImGuiButtonFlags_EnableNav);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (ImGui::IsItemHovered()) draw.AddRectFilled(at, {at.x + width, at.y + height}, theme().hovered, px(4));
  const float y = at.y + height / 2;
  draw_tick({at.x + px(12), y}, done, theme().text_faint);
  if (!done) draw_text_centred(draw, fonts().mono, 10, {at.x + px(12), y}, theme().text_dim, std::to_string(number));
  const std::string minutes = one.minutes == 0 ? "" : fmt::format("{} min", one.minutes);
  const float minutes_x = at.x + width - px(8) - text_width(fonts().words, type::small, minutes);
  draw_text_in(draw, done ? fonts().words : fonts().words_medium, type::body, {at.x + px(30), y - px(9)},
               minutes_x - px(6) - at.x - px(30), done ? theme().text_dim : theme().text, one.title);
  draw_text(draw, fonts().words, type::small, {minutes_x, y - px(8)}, theme().text_faint, minutes);
  hover_card(one.title, fmt::format("{} steps{}.{}", one.steps.size(), done ? ", done" : "",
                                    one.own ? fmt::format(" Your own: {}.md.", one.id) : ""));
  if (clicked) begin_lesson(f, which);
}

void lesson_list(frame& f) {
  const auto& all = *f.view.lessons.all;
  const auto done = static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [&](const lesson& one) { return is_finished(f, one); }));
  heading(
      done == 0 ? "Lessons" : fmt::format("Lessons: {} of {} done", done, all.size()),
      "Each sets up a scenario, points at what matters and asks for a few deeds. It notices them by itself; nothing "
      "has to be done, and any step can be skipped.");
  if (done == 0) caption("New here? Begin with the first. Each takes a few minutes, and the window stays yours.");
  ImGui::Dummy({1, px(2)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(4), px(1)));
  bool own = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].own && !own) {
      own = true;
      ImGui::Dummy({1, px(6)});
      heading("Your own");
    }
    lesson_row(f, i, i + 1);
  }
  ImGui::PopStyleVar();
  ImGui::Dummy({1, px(6)});
  if (!f.view.lessons.own_folder.empty()) {
    caption("A lesson is a Markdown file: put yours into");
    wrapped(fonts().mono, type::tiny, theme().text_faint, f.view.lessons.own_folder);
    hover_card("Your own lessons",
               "Files *.md in this folder are read when the window opens. docs/lessons.md says what "
               "stands in one.");
  }
}

// --- A lesson ---

// A dot a step: where one is, and what was noticed. A click goes there.
void step_dots(frame& f, const lesson& in) {
  const lesson_state& state = f.view.lessons;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < in.steps.size(); ++i) {
    if (i > 0) ImGui::SameLine(0, 0);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(static_cast<int>(i));
    const bool clicked = ImGui::InvisibleButton("step", {px(18), px(18)});
    ImGui::PopID();
    const ImVec2 middle{at.x + px(9), at.y + px(9)};
    const bool now = i == state.step, done = state.noticed[i];
    if (now)
      draw.AddCircleFilled(middle, px(6), theme().text);
    else
      draw.AddCircle(middle, px(5), done ? theme().good : theme().text_faint, 0, px(1.5f));
    if (done) draw_text_centred(draw, fonts().words, 9, middle, now ? theme().panel : theme().good, icon::check);
    hover_card(fmt::format("Step {}: {}", i + 1, in.steps[i].title), done ? "Done." : "");
    if (clicked && !now) go_to_lesson_step(f, i);
  }
}

void lesson_head(frame& f, const lesson& in) {
  const lesson_state& state = f.view.lessons;
  if (icon_button("all lessons", icon::list, "All lessons", true, 22)) return leave_lesson(f);
  ImGui::SameLine(0, px(6));
  ImGui::AlignTextToFramePadding();
  {
    const text_style style(fonts().words_medium, type::small, theme().text_dim);
    ImGui::TextUnformatted(in.title.c_str());
  }
  ImGui::SameLine();
  const std::string words = fmt::format("step {} of {}", state.step + 1, in.steps.size());
  ImGui::SetCursorPosX(
      std::max(ImGui::GetCursorPosX(), right_edge() - text_width(fonts().words, type::small, words) - px(26)));
  {
    const text_style style(fonts().words, type::small, theme().text_faint);
    ImGui::TextUnformatted(words.c_str());
  }
  ImGui::SameLine(0, px(4));
  ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), right_edge() - px(22)));
  if (icon_button("set up again", icon::again, "Set this step up again: its index, its keys, its lookup", true, 22))
    set_step_up_again(f);
  step_dots(f, in);
}

// A box of its own ground, as tall as what `content` draws.
template <class Content>
void card(ImU32 bar, Content content) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  draw.ChannelsSplit(2);
  draw.ChannelsSetCurrent(1);
  ImGui::SetCursorScreenPos({at.x + px(12), at.y + px(8)});
  ImGui::BeginGroup();
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width - px(20));
  content();
  ImGui::PopTextWrapPos();
  ImGui::EndGroup();
  const float bottom = ImGui::GetItemRectMax().y + px(8);
  draw.ChannelsSetCurrent(0);
  draw.AddRectFilled(at, {at.x + width, bottom}, theme().raised, px(4));
  draw.AddRectFilled(at, {at.x + px(3), bottom}, bar, px(2));
  draw.ChannelsMerge();
  ImGui::SetCursorScreenPos({at.x, bottom});
  ImGui::Dummy({width, px(4)});
}

void words_in_card(ImFont* font, float size, ImU32 colour, const std::string& words) {
  const text_style style(font, size, colour);
  ImGui::TextUnformatted(words.c_str());
}

void deed(const lesson_step& step, bool done) {
  card(done ? theme().good : theme().accent, [&] {
    words_in_card(fonts().words_bold, type::small, done ? theme().good : theme().text,
                  done ? fmt::format("{}  Done", icon::check) : fmt::format("{}  Now you", icon::right));
    words_in_card(fonts().words_medium, type::body, done ? theme().text_dim : theme().text, step.task);
    if (done && !step.then.empty()) words_in_card(fonts().words, type::body, theme().text, step.then);
  });
  if (!done)
    hover_card("Now you",
               "The tick comes by itself as soon as it is done, in whatever way you do it. Nothing has to be: "
               "Next goes on.");
}

// A choice among answers, as wide as the panel.
bool answer_row(const char* id, const lesson_answer& answer, bool chosen) {
  const float width = ImGui::GetContentRegionAvail().x, wrap = width - px(44);
  const ImVec2 extent = fonts().words->CalcTextSizeA(px(type::body), FLT_MAX, wrap, answer.words.c_str());
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = extent.y + px(12);
  const bool clicked = ImGui::InvisibleButton(id, {width, height}, ImGuiButtonFlags_EnableNav);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImU32 ink = !chosen ? theme().text_faint : answer.right ? theme().good : theme().bad;
  draw.AddRectFilled(at, {at.x + width, at.y + height}, ImGui::IsItemHovered() ? theme().hovered : theme().raised,
                     px(4));
  if (chosen) draw.AddRect(at, {at.x + width, at.y + height}, ink, px(4), px(1.5f));
  const ImVec2 middle{at.x + px(16), at.y + height / 2};
  draw.AddCircle(middle, px(7), ink, 0, px(1.5f));
  if (chosen) draw_text_centred(draw, fonts().words, 10, middle, ink, answer.right ? icon::check : icon::cross);
  draw.AddText(fonts().words, px(type::body), {at.x + px(32), at.y + px(6)}, theme().text, answer.words.c_str(),
               nullptr, wrap);
  return clicked;
}

void question(frame& f, const lesson_step& step) {
  wrapped(fonts().words_bold, type::body, theme().text, step.question);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(4), px(4)));
  for (std::size_t i = 0; i < step.answers.size(); ++i)
    if (answer_row(fmt::format("answer {}", i).c_str(), step.answers[i], f.view.lessons.chosen_answer == i))
      answer_question(f, i);
  ImGui::PopStyleVar();
  if (!f.view.lessons.chosen_answer) return;
  const lesson_answer& chosen = step.answers[*f.view.lessons.chosen_answer];
  ImGui::Dummy({1, px(2)});
  card(chosen.right ? theme().good : theme().bad, [&] {
    words_in_card(fonts().words_bold, type::small, chosen.right ? theme().good : theme().bad,
                  fmt::format("{}  {}", chosen.right ? icon::check : icon::cross, chosen.right ? "Right" : "Not so"));
    if (!chosen.why.empty()) words_in_card(fonts().words, type::body, theme().text, chosen.why);
  });
}

// Where one goes from here. The step's own button is strong once there is nothing left to do.
void lesson_foot(frame& f, const lesson& in, const lesson_step& step) {
  const lesson_state& state = f.view.lessons;
  const bool last = state.step + 1 == in.steps.size(), ready = !step.asks() || is_noticed(f);
  if (button("back", "Back", icon::back, state.step > 0)) return go_to_lesson_step(f, state.step - 1);
  hover_card("Back", "The step before, as it begins.");
  const std::string words = last ? "Finish" : ready ? "Next" : "Skip";
  const auto width_of = [](const std::string& on) {
    return text_width(fonts().words_medium, type::small, std::string(icon::forward) + "  " + on) + px(24);
  };
  const std::size_t after = last ? lesson_after(f) : no_lesson;
  ImGui::SameLine();
  // Behind the last step the next lesson, and beside it the way to the list.
  const float both = width_of(words) + (after != no_lesson ? px(6) + width_of("Next lesson") : 0);
  ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), right_edge() - both));
  const bool onwards = button("next", words, last ? icon::check : icon::forward, true, ready && after == no_lesson);
  hover_card(words, last    ? "Back to the list. The lesson is ticked when all that it asked for was done."
                    : ready ? "On to the next step."
                            : "On without it.");
  if (after != no_lesson) {
    ImGui::SameLine(0, px(6));
    const bool goes_on = button("next lesson", "Next lesson", icon::forward, true, ready);
    hover_card("Next lesson", (*f.view.lessons.all)[after].title);
    if (goes_on) {
      next_step(f);
      return begin_lesson(f, after);
    }
  }
  if (onwards) next_step(f);
}

void one_lesson(frame& f, const lesson& in, const lesson_step& step) {
  lesson_head(f, in);
  if (lesson_in_view(f) != &in || lesson_step_in_view(f) != &step) return;  // it has been left
  const float foot = px(28 + 6) + 2 * ImGui::GetStyle().ItemSpacing.y;
  ImGui::PushID(in.id.c_str());
  ImGui::PushID(static_cast<int>(f.view.lessons.step));  // each step begins at its top
  ImGui::BeginChild("prose", {std::min(ImGui::GetContentRegionAvail().x, px(widest_prose)),
                              std::max(ImGui::GetContentRegionAvail().y - foot, px(60))});
  wrapped(fonts().words_bold, type::title, theme().text, step.title);
  ImGui::Dummy({1, px(1)});
  draw_markdown(step.prose);
  ImGui::Dummy({1, px(2)});
  if (!step.task.empty()) deed(step, is_noticed(f));
  if (!step.answers.empty()) question(f, step);
  if (std::exchange(f.view.lessons.scroll_to_end, false)) ImGui::SetScrollHereY(1);
  ImGui::EndChild();
  ImGui::PopID();
  ImGui::PopID();
  ImGui::Dummy({1, px(2)});
  lesson_foot(f, in, step);
}

}  // namespace

void lesson_panel(frame& f) {
  if (!f.view.lessons.all || f.view.lessons.all->empty())
    return caption("There are no lessons: the program's own are missing, and the folder of yours is empty.");
  const lesson* in = lesson_in_view(f);
  const lesson_step* step = lesson_step_in_view(f);
  if (in && step)
    one_lesson(f, *in, *step);
  else
    lesson_list(f);
}

}  // namespace pivotscope::viz
