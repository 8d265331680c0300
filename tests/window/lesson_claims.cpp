#include "tests/window/lesson_claims.hpp"

#include <fmt/format.h>

#include <fstream>

#include "tests/support/places.hpp"

namespace pivotscope {
namespace {

std::string plain(std::string_view markdown) {
  std::string words;
  for (const char c : markdown)
    if (c != '*' && c != '`') words += c;
  return words;
}

void add(std::vector<std::string>& list, std::string words) {
  while (!words.empty() && words.front() == ' ') words.erase(0, 1);
  while (!words.empty() && words.back() == ' ') words.pop_back();
  if (!words.empty()) list.push_back(std::move(words));
}

void split(std::vector<std::string>& list, const std::string& paragraph) {
  std::size_t from = 0;
  for (std::size_t i = 0; i + 1 < paragraph.size(); ++i) {
    const bool ends = paragraph[i] == '.' || paragraph[i] == '?' || paragraph[i] == '!';
    if (!ends || paragraph[i + 1] != ' ') continue;
    add(list, paragraph.substr(from, i + 1 - from));
    from = i + 1;
  }
  add(list, paragraph.substr(from));
}

void append(std::vector<std::string>& to, const std::vector<std::string>& list) {
  to.insert(to.end(), list.begin(), list.end());
}

std::string key_of(std::string_view lesson, std::size_t step, const std::string& sentence) {
  return fmt::format("{} / {} / {}", lesson, step, sentence);
}

}  // namespace

std::vector<std::string> sentences_of(std::string_view markdown) {
  std::vector<std::string> list;
  std::string paragraph;
  const auto end = [&] { split(list, plain(std::exchange(paragraph, {}))); };
  for (std::size_t i = 0; i <= markdown.size();) {
    const std::size_t behind = std::min(markdown.find('\n', i), markdown.size());
    const std::string line(markdown.substr(i, behind - i));
    i = behind + 1;
    if (line.empty() || line.starts_with("- ")) end();
    if (!line.empty()) paragraph += (paragraph.empty() ? "" : " ") + line;
  }
  end();
  return list;
}

step_sentences sentences_of(const viz::lesson_step& step) {
  step_sentences all;
  for (const std::string* part : {&step.prose, &step.task, &step.question}) append(all.before, sentences_of(*part));
  append(all.behind, sentences_of(step.then));
  for (const viz::lesson_answer& answer : step.answers)
    append(all.behind, sentences_of(answer.words)), append(all.behind, sentences_of(answer.why));
  return all;
}

lesson_claims::lesson_claims() {
  std::ifstream file(testing::source_folder() / "tests/window/lesson_claims.txt");
  std::string step;
  entry* last = nullptr;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## ")) {
      step = line.substr(3), last = nullptr;
    } else if (line.starts_with("    ")) {
      if (last) last->claims.push_back(line.substr(4));
    } else if (!line.empty() && !step.empty()) {
      last = &all_[step + " / " + line];
    }
  }
}

const std::vector<std::string>* lesson_claims::of(std::string_view lesson, std::size_t step,
                                                  const std::string& sentence) const {
  const auto found = all_.find(key_of(lesson, step, sentence));
  if (found == all_.end()) return nullptr;
  found->second.asked = true;
  return &found->second.claims;
}

std::vector<std::string> lesson_claims::unasked() const {
  std::vector<std::string> list;
  for (const auto& [sentence, entry] : all_)
    if (!entry.asked) list.push_back(sentence);
  return list;
}

std::size_t lesson_claims::count() const {
  std::size_t sum = 0;
  for (const auto& [sentence, entry] : all_) sum += entry.claims.size();
  return sum;
}

}  // namespace pivotscope
