#include "viz/shortcuts.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace pivotscope {
namespace {

TEST(Shortcuts, TheTableNamesEachKeyOnceAndSaysWhatItDoes) {
  std::set<ImGuiKeyChord> chords;
  for (const viz::shortcut& s : viz::shortcuts()) {
    EXPECT_TRUE(chords.insert(s.chord).second) << s.name;
    EXPECT_GT(std::string(s.words).size(), 3u) << s.name;
    EXPECT_TRUE(s.act) << s.name;
  }
}

}  // namespace
}  // namespace pivotscope
