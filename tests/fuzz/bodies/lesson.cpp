// A lesson's file: what is taken is whole, and written down again it is the same lesson.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "app/files/lesson_text.hpp"
#include "app/files/scenario_text.hpp"
#include "tests/fuzz/reader.hpp"

namespace pivotscope::fuzz {
namespace {

std::string small(std::string words) {
  for (char& c : words) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return words;
}

std::string to_text(const viz::lesson_condition& c) {
  static constexpr const char* signs[] = {"=", "!=", ">=", "<="};
  return c.fact + signs[static_cast<std::size_t>(c.how)] + c.value;
}

std::string to_text(const viz::lesson& one) {
  std::string text = "# " + one.title + "\n";
  if (one.minutes != 0) text += fmt::format("minutes: {}\n", one.minutes);
  const auto line = [&](const char* word, const std::string& rest) {
    if (!rest.empty()) text += fmt::format("{}: {}\n", word, rest);
  };
  for (const viz::lesson_step& step : one.steps) {
    text += "## " + step.title + "\n";
    line("scenario", step.scenario);
    for (const viz::lesson_condition& c : step.set) line("set", to_text(c));
    for (const viz::panel which : step.show) line("show", small(viz::name_of(which)));
    for (const viz::lesson_pointer& h : step.highlights)
      line("highlight", small(h.window) + (h.item.empty() ? "" : " \"" + h.item + "\""));
    line("do", step.task);
    for (const viz::lesson_condition& c : step.done) line("done", to_text(c));
    line("question", step.question);
    for (const viz::lesson_answer& a : step.answers)
      line(a.right ? "right" : "wrong", a.words + (a.why.empty() ? "" : " | " + a.why));
    line("then", step.then);
    text += step.prose + "\n";
  }
  return text;
}

bool same(const viz::lesson_condition& a, const viz::lesson_condition& b) {
  return a.fact == b.fact && a.how == b.how && a.value == b.value;
}

void demand_whole(const viz::lesson_step& step) {
  demand(!step.title.empty() && !step.prose.empty(), "a step has a title and words");
  demand(step.task.empty() == step.done.empty(), "a deed and what tells that it is done come together");
  const auto right = std::count_if(step.answers.begin(), step.answers.end(), [](const auto& a) { return a.right; });
  demand(step.question.empty() ? step.answers.empty() : step.answers.size() >= 2 && right > 0,
         "a question has answers, a right one among them");
  for (const viz::lesson_pointer& h : step.highlights)
    demand(!h.window.empty() && h.item.find('"') == std::string::npos, "a highlight is a window, or a thing in it");
  demand(step.scenario.empty() || scenario_from_line(step.scenario), "a scenario is one");
  for (const bool to_set : {false, true}) {
    for (const viz::lesson_condition& c : to_set ? step.set : step.done) {
      const auto again = viz::parse_conditions(to_text(c), to_set);
      demand(again.ok() && again->size() == 1 && same(again->front(), c), "a condition is read: " + to_text(c));
    }
  }
}

}  // namespace

void lesson_file(std::string_view bytes) {
  const outcome<viz::lesson> one = lesson_from_text("one", bytes);
  if (!one) {
    demand_words(one.error(), bytes);
    demand(one.error().words.starts_with("line "), "a refusal names the line");
    demand(one.error().words.find('\n') == std::string::npos, "a refusal is one line");
    return;
  }
  demand(one->id == "one" && !one->title.empty() && !one->own, "a lesson has a title");
  demand(!one->steps.empty() && one->steps.size() <= 40, "a lesson has steps, and not endlessly many");
  for (const viz::lesson_step& step : one->steps) demand_whole(step);
  // The end of a line may be two characters, of which the first goes: several of them go one by one.
  if (bytes.find('\r') != std::string_view::npos) return;
  const std::string text = to_text(*one);
  const outcome<viz::lesson> again = lesson_from_text("one", text);
  demand(again.ok(), "a lesson that is written down is read: " + (again ? "" : again.error().words));
  demand(to_text(*again) == text, "a lesson is written down in one way");
  demand(again->steps.size() == one->steps.size(), "each step comes back");
}

}  // namespace pivotscope::fuzz
