// A lesson: steps of prose, each with what it sets up, what it points at, and one deed or question. Parsed from a
// Markdown file (app/files/lesson_text.hpp, docs/lessons.md) and never changed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/common/outcome.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

// What must be so, or is to be made so: "method=EO+BS", "step>=3".
struct lesson_condition {
  enum class relation : u8 { is, is_not, at_least, at_most };
  std::string fact;
  relation how = relation::is;
  std::string value = {};
};

// A panel, or a thing in it by the name it bears on the screen. A window's name: "Tree", "transport".
struct lesson_pointer {
  std::string window;
  std::string item = {};  // empty: all of it
};

struct lesson_answer {
  std::string words, why = {};
  bool right = false;
};

struct lesson_step {
  std::string title, prose;           // Markdown
  std::string scenario;               // a line that session_actions::open_scenario() takes; empty: what is there
  std::string interleave = {};        // the line that Interleave shows, before its first access; empty: as it is
  std::vector<lesson_condition> set;  // of the views, once the scenario is there
  std::vector<panel> show;            // to the front
  std::vector<lesson_pointer> highlights;
  std::string task;                    // the deed, in words; empty: nothing is asked for but reading
  std::vector<lesson_condition> done;  // when all of these hold
  std::string question;                // in place of a deed
  std::vector<lesson_answer> answers;
  std::string then;  // said once it is done

  bool asks() const { return !done.empty() || !answers.empty(); }
};

struct lesson {
  std::string id;  // its file's name, without ".md"
  std::string title;
  u32 minutes = 0;   // 0: not told
  bool own = false;  // of the user's own folder
  std::vector<lesson_step> steps;
};

// "method=EO+BS, step>=3". A problem says what is wrong with which of them. `to_set`: only what a lesson can set.
outcome<std::vector<lesson_condition>> parse_conditions(std::string_view text, bool to_set);
// Whether it holds now. A fact of a view that is not there yet does not.
bool holds(const lesson_condition& what, const frame& f);
// Makes it so; what parse_conditions(..., true) accepts.
void set_up(const lesson_condition& what, frame& f);

// What a condition can be about, for the documentation: each with its values.
struct lesson_fact_words {
  std::string_view name, values, meaning;
  bool settable = false;
};
std::vector<lesson_fact_words> lesson_facts();

}  // namespace pivotscope::viz
