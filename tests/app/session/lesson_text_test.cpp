// Lessons as files: what each line means, what is refused and in which words, and the program's own.
#include "app/files/lesson_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "app/files/lesson_files.hpp"
#include "app/files/scenario_text.hpp"
#include "core/common/whole_file.hpp"
#include "tests/app/program.hpp"

namespace pivotscope {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* whole = R"(# A title
minutes: 5

## The first step
scenario: EO+BS distribution=paper lookup=9
set: step=2, order=sorted
show: tree, layout
highlight: tree
highlight: path "distinct sectors"
highlight: transport "on"

Some **words**: and more.

```
do: not a directive
## nor a step
```

do: Step to the end.
done: step=last, found=yes
done: panel=warp
then: Well done.

## The second

How many?

question: Guess.
wrong: 1
right: 2 | It is.

## The third

Only words.
)";

TEST(LessonText, EveryLineHasItsMeaning) {
  const auto parsed = lesson_from_text("01-title", whole);
  ASSERT_TRUE(parsed.ok()) << parsed.error().words;
  EXPECT_EQ(parsed->id, "01-title");
  EXPECT_EQ(parsed->title, "A title");
  EXPECT_EQ(parsed->minutes, 5u);
  ASSERT_EQ(parsed->steps.size(), 3u);
  const viz::lesson_step& first = parsed->steps[0];
  EXPECT_EQ(first.title, "The first step");
  EXPECT_EQ(first.scenario, "EO+BS distribution=paper lookup=9");
  ASSERT_EQ(first.set.size(), 2u);
  EXPECT_EQ(first.set[1].fact, "order");
  EXPECT_EQ(first.show, (std::vector<viz::panel>{viz::panel::tree, viz::panel::layout}));
  ASSERT_EQ(first.highlights.size(), 3u);
  EXPECT_EQ(first.highlights[0].window, "Tree");
  EXPECT_EQ(first.highlights[0].item, "");
  EXPECT_EQ(first.highlights[1].window, "Path");
  EXPECT_EQ(first.highlights[1].item, "distinct sectors");
  EXPECT_EQ(first.highlights[2].window, "transport");
  EXPECT_EQ(first.prose, "Some **words**: and more.\n\n```\ndo: not a directive\n## nor a step\n```");
  EXPECT_EQ(first.task, "Step to the end.");
  ASSERT_EQ(first.done.size(), 3u);
  EXPECT_EQ(first.done[2].value, "warp");
  EXPECT_EQ(first.then, "Well done.");
  const viz::lesson_step& second = parsed->steps[1];
  EXPECT_EQ(second.question, "Guess.");
  ASSERT_EQ(second.answers.size(), 2u);
  EXPECT_FALSE(second.answers[0].right);
  EXPECT_TRUE(second.answers[1].right);
  EXPECT_EQ(second.answers[1].words, "2");
  EXPECT_EQ(second.answers[1].why, "It is.");
  EXPECT_TRUE(second.asks());
  EXPECT_FALSE(parsed->steps[2].asks());
}

TEST(LessonText, ALineEndsAsOnAnySystem) {
  std::string windows;
  for (const char* c = whole; *c; ++c) windows += *c == '\n' ? std::string("\r\n") : std::string(1, *c);
  const auto parsed = lesson_from_text("x", "\xEF\xBB\xBF" + windows);
  ASSERT_TRUE(parsed.ok()) << parsed.error().words;
  EXPECT_EQ(parsed->steps[0].scenario, "EO+BS distribution=paper lookup=9");
  EXPECT_EQ(parsed->steps[1].answers[1].why, "It is.");
}

TEST(LessonText, WhatIsWrongIsToldWithItsLine) {
  const auto refused = [](const std::string& text, const char* line, const char* words) {
    const auto parsed = lesson_from_text("x", text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_THAT(parsed.error().words, StartsWith(std::string("line ") + line + ": ")) << text;
    EXPECT_THAT(parsed.error().words, HasSubstr(words)) << text;
    EXPECT_EQ(parsed.error().words.find('\n'), std::string::npos) << text;
  };
  const std::string head = "# T\n## S\nwords\n";
  refused("", "1", "begins with its title");
  refused("words\n", "1", "begins with its title");
  refused("## S\n", "1", "begins with its title");
  refused("# T\n", "1", "has no step");
  refused("# \n", "1", "no words");
  refused("# T\n# U\n", "2", "a second title");
  refused("# T\nwords\n## S\n", "2", "before the first step");
  refused("# T\nminutes: soon\n## S\nwords", "2", "soon");
  refused("# T\nminutes: 0\n## S\nwords", "2", "minutes");
  refused("# T\n## S\n", "2", "no words to read");
  refused("# T\n## \n", "2", "no title");
  refused(head + "minutes: 5\n", "4", "above the first step");
  refused(head + "scenaro: EO+BS\n", "4", "did you mean 'scenario:'?");
  refused(head + "scenario: EO+XX\n", "4", "EO+XX");
  refused(head + "scenario: EO+KS fanout=99\n", "4", "99");
  refused(head + "scenario: distribution=paper keys=20\n", "4", "20");
  refused(head + "scenario: EO+BS\nscenario: AO+BS\n", "5", "a second 'scenario:'");
  refused(head + "set: method=EO+BS\n", "4", "cannot set");
  refused(head + "show: tre\n", "4", "did you mean 'tree'?");
  refused(head + "show: tree, \n", "4", "no panel ''");
  refused(head + "highlight: pat\n", "4", "did you mean 'path'?");
  refused(head + "highlight: path \"x\n", "4", "a name in quotes");
  refused(head + "highlight: path \"\"\n", "4", "a name in quotes");
  refused(head + "do: it\n", "2", "no 'done:'");
  refused(head + "done: step=last\n", "2", "no 'do:'");
  refused(head + "interleave: ops=+5\ninterleave: ops=-5\n", "5", "a second 'interleave:'");
  refused(head + "interleave: ops=5\n", "4", "column 5: \"5\" is no operation");
  refused(head + "do: it\ndo: that\n", "5", "a second 'do:'");
  refused(head + "do: it\ndone: step=lst\n", "5", "step is 1, 2");
  refused(head + "do: it\ndone: step=1\nquestion: What?\nright: 1\nwrong: 2\n", "2", "one of them");
  refused(head + "right: 1\n", "2", "no 'question:'");
  refused(head + "question: What?\nright: 1\n", "2", "at least two answers");
  refused(head + "question: What?\nwrong: 1\nwrong: 2\n", "2", "'right:'");
  refused(head + "question: What?\nright: | why\nwrong: 2\n", "5", "no answer");
  refused(head + "then: Fine.\n", "2", "there is no 'do:'");
  refused(head + "do: \n", "4", "nothing behind it");
  refused(head + "do: it\n## Next\nwords\n", "2", "no 'done:'");
  std::string many = "# T\n";
  for (int i = 0; i < 41; ++i) many += "## S\nwords\n";
  refused(many, "82", "more than 40 steps");
  refused(std::string(300000, 'x'), "1", "at most");
}

// Whatever is typed or cut off: it is a lesson, or is refused on one line of a bounded length.
TEST(LessonText, WhateverAFileHoldsIsUnderstoodOrRefusedInWords) {
  const std::string text = whole;
  std::mt19937 random(7);
  int accepted = 0, refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string mutant = text.substr(0, i < 1000 ? random() % text.size() : text.size());
    for (u32 edits = random() % 4; edits > 0 && !mutant.empty(); --edits) {
      const std::size_t at = random() % mutant.size();
      switch (random() % 3) {
        case 0:
          mutant.erase(at, random() % 20);
          break;
        case 1:
          mutant.insert(at, 1, static_cast<char>(random() % 256));
          break;
        default:
          mutant.insert(at, mutant.substr(random() % mutant.size(), random() % 2000));
      }
    }
    const auto parsed = lesson_from_text("x", mutant);
    ++(parsed.ok() ? accepted : refused);
    if (parsed.ok()) continue;
    EXPECT_THAT(parsed.error().words, StartsWith("line "));
    EXPECT_LE(parsed.error().words.size(), 2000u);
    for (const char c : parsed.error().words) ASSERT_GE(static_cast<unsigned char>(c), 32) << parsed.error().words;
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 100);
}

TEST(LessonText, WordsThatOnlyLookLikeADirectiveAreProse) {
  const auto parsed = lesson_from_text("x", "# T\n## S\nremember: all is well\nNote: this\nstd::do:it\nsee:\n");
  ASSERT_TRUE(parsed.ok()) << parsed.error().words;
  EXPECT_EQ(parsed->steps[0].prose, "remember: all is well\nNote: this\nstd::do:it\nsee:");
}

TEST(LessonFiles, ABrokenFileIsNamedAndTheOthersStay) {
  const scratch_folder folder;
  folder.write("b.md", "# B\n## S\nwords\n");
  folder.write("a.md", "# A\n## S\nwords\n");
  folder.write("c.md", "# C\n## S\nwords\nshow: nothing\n");
  folder.write("notes.txt", "not a lesson");
  const found_lessons found = lessons_in(folder / ".", true);
  ASSERT_EQ(found.all.size(), 2u);
  EXPECT_EQ(found.all[0].id, "a");
  EXPECT_EQ(found.all[1].id, "b");
  EXPECT_TRUE(found.all[0].own);
  ASSERT_EQ(found.problems.size(), 1u);
  EXPECT_THAT(found.problems[0], HasSubstr("c.md is left out. Its line 4: there is no panel 'nothing'"));
  const found_lessons none = lessons_in(folder / "nowhere", true);
  EXPECT_TRUE(none.all.empty() && none.problems.empty());
}

TEST(LessonFiles, TheProgramsOwnAreWhole) {
  const found_lessons found = lessons_in(testing::source_folder() / "assets/lessons", false);
  EXPECT_THAT(found.problems, ::testing::IsEmpty());
  EXPECT_GE(found.all.size(), 15u);
  std::set<std::string> titles;
  for (const viz::lesson& one : found.all) {
    EXPECT_TRUE(titles.insert(one.title).second) << one.title;
    EXPECT_GE(one.steps.size(), 4u) << one.id;
    EXPECT_LE(one.steps.size(), 6u) << one.id;
    EXPECT_GE(one.minutes, 1u) << one.id;
    EXPECT_FALSE(one.steps[0].scenario.empty()) << one.id << " begins with a scenario of its own";
    for (const viz::lesson_step& step : one.steps) {
      EXPECT_TRUE(step.asks()) << one.id << ", " << step.title;
      EXPECT_LE(step.prose.size(), 900u) << one.id << ", " << step.title << ": too long for a panel";
      if (step.scenario.empty()) continue;
      EXPECT_TRUE(scenario_from_line(step.scenario)->key) << one.id << ", " << step.title;
    }
  }
}

TEST(LessonFiles, TheExampleOfTheDocumentationIsALessonAndEveryWordIsNamedThere) {
  std::string page;
  ASSERT_EQ(read_whole_file(testing::source_folder() / "docs/lessons.md", page), 0);
  for (const viz::lesson_fact_words& fact : viz::lesson_facts())
    EXPECT_THAT(page, HasSubstr("`" + std::string(fact.name) + "`"));
  const std::size_t begin = page.find("    # Two orders"), end = page.find("\n## ", begin);
  ASSERT_NE(begin, std::string::npos);
  std::string example = page.substr(begin, end - begin);
  for (std::size_t at = 0; (at = example.find("    ", at)) != std::string::npos;) example.erase(at, 4);
  const auto parsed = lesson_from_text("example", example);
  ASSERT_TRUE(parsed.ok()) << parsed.error().words;
  EXPECT_EQ(parsed->steps.size(), 3u);
}

}  // namespace
}  // namespace pivotscope
