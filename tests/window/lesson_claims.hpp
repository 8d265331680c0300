// What lessons say, sentence by sentence, and what of it must be so on the screen: tests/window/lesson_claims.txt.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "viz/state/lesson.hpp"

namespace pivotscope {

// Of Markdown: without its marks, a line of a list or of a formula by itself.
std::vector<std::string> sentences_of(std::string_view markdown);

// A step's sentences, in the order of their file: those that are read before the deed is done, and those behind it.
struct step_sentences {
  std::vector<std::string> before, behind;
};
step_sentences sentences_of(const viz::lesson_step& step);

// The file: a heading `## LESSON / STEP'S NUMBER`, below it each sentence on a line of its own, and below that, indented, what
// must be so, a claim a line. A sentence without any explains, asks, or says what another one has.
class lesson_claims {
 public:
  lesson_claims();
  // Null: the file does not have the sentence there.
  const std::vector<std::string>* of(std::string_view lesson, std::size_t step, const std::string& sentence) const;
  // Sentences of the file that nobody asked for.
  std::vector<std::string> unasked() const;
  std::size_t count() const;  // of claims

 private:
  struct entry {
    std::vector<std::string> claims;
    mutable bool asked = false;
  };
  std::map<std::string, entry> all_;  // by "LESSON / NUMBER / sentence"
};

}  // namespace pivotscope
