// Going through a lesson: which step one is at, what it sets up, and what has been noticed. Once a frame, whether the
// panel is in front or not.
#pragma once

#include "viz/state/lesson.hpp"

namespace pivotscope::viz {

// The path in view is of what is chosen, and not of what was chosen before.
bool shows_choice(const session_view& session, const view_state& view);
bool shows_choice(const frame& f);

void begin_lesson(frame& f, std::size_t which);  // at its first step
void leave_lesson(frame& f);                     // to the list
void next_step(frame& f);
// The one that follows in the list; no_lesson behind the last.
inline constexpr std::size_t no_lesson = ~std::size_t{0};
std::size_t lesson_after(const frame& f);  // after the last one: the lesson is over
void go_to_lesson_step(frame& f, std::size_t step);
void set_step_up_again(frame& f);
void answer_question(frame& f, std::size_t which);

const lesson* lesson_in_view(const frame& f);  // null: the list
const lesson_step* lesson_step_in_view(const frame& f);
bool is_noticed(const frame& f);  // the step's deed is done, or its question answered
bool is_finished(const frame& f, const lesson& which);

// Sets up what the step wants once its scenario is there, and notices what is done. After the panels.
void advance_lesson(frame& f);

}  // namespace pivotscope::viz
