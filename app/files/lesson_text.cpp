#include "app/files/lesson_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "app/files/scenario_text.hpp"
#include "core/common/plain_words.hpp"
#include "core/index/check.hpp"
#include "core/verify/interleaved_case.hpp"
#include "core/workload/files/nearest_word.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {
namespace {

constexpr std::size_t longest_text = 1 << 18, most_steps = 40;

const std::vector<std::string>& step_words() {
  static const std::vector<std::string> words = {"scenario", "interleave", "set",   "show",  "highlight", "do",
                                                 "done",     "question",   "right", "wrong", "then"};
  return words;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

// "done: step=last" as a word and the rest; no word: a line of prose.
struct directive {
  std::string_view word, rest;
};
directive directive_in(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return {};
  const std::string_view word = line.substr(0, colon);
  const bool small = std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  // "see:" at a line's end is prose, and so is "std::vector".
  if (!small || colon + 1 >= line.size() || line[colon + 1] != ' ') return {};
  return {word, trimmed(line.substr(colon + 1))};
}

class reader {
 public:
  explicit reader(std::string_view id) { lesson_.id = id; }

  outcome<viz::lesson> read(std::string_view text) {
    if (text.size() > longest_text)
      return problem{fmt::format("line 1: a lesson has at most {} bytes, this has {}", longest_text, text.size())};
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      take(text.substr(0, end));
      if (!fault_.empty()) return problem{fault_};
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (lesson_.title.empty()) return problem{"line 1: a lesson begins with its title, '# ' and some words"};
    if (lesson_.steps.empty())
      return problem{fmt::format("line {}: the lesson has no step: one begins with '## ' and its title", line_)};
    end_step();
    if (!fault_.empty()) return problem{fault_};
    return std::move(lesson_);
  }

 private:
  void refuse(std::size_t line, const std::string& why) {
    constexpr std::size_t longest = 400;  // it may quote what is no lesson at all
    if (!fault_.empty()) return;
    fault_ = plain_words(fmt::format("line {}: {}{}", line, why.substr(0, longest), why.size() > longest ? "..." : ""));
  }
  void refuse(const std::string& why) { refuse(line_, why); }

  void take(std::string_view line) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.starts_with("```")) fenced_ = !fenced_;
    if (!fenced_ && line.starts_with("# ")) return take_title(trimmed(line.substr(2)));
    if (!fenced_ && line.starts_with("## ")) return begin_step(trimmed(line.substr(3)));
    const directive d = fenced_ ? directive{} : directive_in(line);
    if (lesson_.steps.empty()) return take_head(line, d);
    if (!d.word.empty() && take_directive(d)) return;
    std::string& prose = step().prose;
    if (prose.empty() && trimmed(line).empty()) return;
    prose.append(line).push_back('\n');
  }

  void take_title(std::string_view title) {
    if (!lesson_.title.empty()) return refuse("a second title: a lesson has one '# ', and a '## ' for each step");
    if (title.empty()) return refuse("the title has no words");
    lesson_.title = title;
  }

  // Between the title and the first step.
  void take_head(std::string_view line, const directive& d) {
    if (trimmed(line).empty()) return;
    if (lesson_.title.empty()) return refuse("a lesson begins with its title, '# ' and some words");
    if (d.word == "minutes") {
      const outcome<u64> minutes = parse_count(d.rest, "minutes", 1, 600);
      if (!minutes.ok()) return refuse(minutes.error().words);
      lesson_.minutes = static_cast<u32>(*minutes);
      return;
    }
    refuse(fmt::format("'{}' stands before the first step: there only 'minutes: 5' may; a step begins with '## '",
                       std::string(trimmed(line).substr(0, 40))));
  }

  void begin_step(std::string_view title) {
    if (lesson_.title.empty()) return refuse("a lesson begins with its title, '# ' and some words");
    if (title.empty()) return refuse("the step has no title");
    if (lesson_.steps.size() == most_steps) return refuse(fmt::format("more than {} steps", most_steps));
    if (!lesson_.steps.empty()) end_step();
    lesson_.steps.emplace_back();
    step().title = title;
    step_line_ = line_;
  }

  // What only the whole step shows.
  void end_step() {
    viz::lesson_step& s = step();
    while (!s.prose.empty() && s.prose.back() == '\n') s.prose.pop_back();
    const auto at = [&](const std::string& why) { refuse(step_line_, fmt::format("step '{}': {}", s.title, why)); };
    if (!s.task.empty() && s.done.empty()) return at("'do:' has no 'done:' that tells when it is done");
    if (s.task.empty() && !s.done.empty()) return at("'done:' has no 'do:' that says what to do");
    if (!s.task.empty() && !s.question.empty()) return at("it asks for a deed and a question; a step has one of them");
    if (s.question.empty() && !s.answers.empty()) return at("it has answers and no 'question:'");
    const auto right = std::count_if(s.answers.begin(), s.answers.end(), [](const auto& a) { return a.right; });
    if (!s.question.empty() && (right == 0 || s.answers.size() < 2))
      return at("a question wants at least two answers, and a 'right:' one among them");
    if (!s.then.empty() && s.task.empty()) return at("'then:' is said when a deed is done; there is no 'do:'");
    if (s.prose.empty()) return at("it has no words to read");
  }

  // False: it is no directive, but prose.
  bool take_directive(const directive& d) {
    const auto& words = step_words();
    if (std::find(words.begin(), words.end(), d.word) == words.end()) {
      const std::string near = d.word == "minutes" ? "" : nearest_word(d.word, words);
      if (d.word == "minutes")
        refuse("'minutes:' stands above the first step");
      else if (!near.empty())
        refuse(fmt::format("'{}:' means nothing; did you mean '{}:'?", d.word, near));
      return d.word == "minutes" || !near.empty();
    }
    viz::lesson_step& s = step();
    if (d.rest.empty()) return refuse(fmt::format("'{}:' has nothing behind it", d.word)), true;
    if (d.word == "scenario") take_scenario(d.rest);
    if (d.word == "interleave") take_interleaving(d.rest);
    if (d.word == "set") take_conditions(d.rest, true, s.set);
    if (d.word == "done") take_conditions(d.rest, false, s.done);
    if (d.word == "show") take_panels(d.rest);
    if (d.word == "highlight") take_highlight(d.rest);
    if (d.word == "do") take_words(d, s.task);
    if (d.word == "question") take_words(d, s.question);
    if (d.word == "then") take_words(d, s.then);
    if (d.word == "right" || d.word == "wrong") take_answer(d);
    return true;
  }

  void take_words(const directive& d, std::string& into) {
    if (!into.empty()) return refuse(fmt::format("a second '{}:' in this step", d.word));
    into = d.rest;
  }

  void take_scenario(std::string_view line) {
    if (!step().scenario.empty()) return refuse("a second 'scenario:' in this step");
    const outcome<scenario_text> parsed = scenario_from_line(line);
    if (!parsed.ok()) return refuse(parsed.error().words);
    const index_config config = parsed->config.value_or(default_config());
    if (const auto why = parsed->config ? check(config) : std::nullopt) return refuse(*why);
    if (const auto why = parsed->load ? check(*parsed->load, config.keys) : std::nullopt) return refuse(*why);
    step().scenario = line;
  }

  void take_interleaving(std::string_view line) {
    if (!step().interleave.empty()) return refuse("a second 'interleave:' in this step");
    if (const auto parsed = interleaved_case_from_text(line, key_width::u64); !parsed)
      return refuse(parsed.error().words);
    step().interleave = line;
  }

  void take_conditions(std::string_view text, bool to_set, std::vector<viz::lesson_condition>& into) {
    outcome<std::vector<viz::lesson_condition>> parsed = viz::parse_conditions(text, to_set);
    if (!parsed.ok()) return refuse(parsed.error().words);
    into.insert(into.end(), parsed->begin(), parsed->end());
  }

  void take_panels(std::string_view names) {
    while (true) {
      const std::size_t comma = names.find(',');
      const std::string_view name = trimmed(names.substr(0, comma));
      const auto which = viz::panel_named(name);
      if (!which) return refuse(viz::no_panel(name));
      step().show.push_back(*which);
      if (comma == std::string_view::npos) return;
      names.remove_prefix(comma + 1);
    }
  }

  // tree, or path "distinct sectors"
  void take_highlight(std::string_view text) {
    const std::size_t quote = text.find('"');
    const std::string_view name = trimmed(text.substr(0, quote));
    std::string_view item;
    if (quote != std::string_view::npos) {
      item = text.substr(quote + 1);
      if (item.size() < 2 || item.back() != '"' || item.find('"') + 1 != item.size())
        return refuse("a highlight is a panel, or a panel and a name in quotes: path \"distinct sectors\"");
      item.remove_suffix(1);
    }
    if (name == "transport") return step().highlights.push_back({"transport", std::string(item)});
    const auto which = viz::panel_named(name);
    if (!which) return refuse(viz::no_panel(name));
    step().highlights.push_back({viz::name_of(*which), std::string(item)});
  }

  // right: 4 | Because.
  void take_answer(const directive& d) {
    const std::size_t bar = d.rest.find('|');
    viz::lesson_answer answer{std::string(trimmed(d.rest.substr(0, bar)))};
    if (bar != std::string_view::npos) answer.why = trimmed(d.rest.substr(bar + 1));
    if (answer.words.empty()) return refuse(fmt::format("'{}:' has no answer before '|'", d.word));
    answer.right = d.word == "right";
    step().answers.push_back(std::move(answer));
  }

  viz::lesson_step& step() { return lesson_.steps.back(); }

  viz::lesson lesson_;
  std::string fault_;
  std::size_t line_ = 0, step_line_ = 0;
  bool fenced_ = false;
};

}  // namespace

outcome<viz::lesson> lesson_from_text(std::string_view id, std::string_view text) { return reader(id).read(text); }

}  // namespace pivotscope
