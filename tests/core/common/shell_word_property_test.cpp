// A shell gives back every word that is quoted for it.
#include "core/common/shell_word.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <stdio.h>

#include <string>
#include <vector>

namespace pivotscope {
namespace {

TEST(shell_word, is_quoted_only_where_it_must_be) {
  EXPECT_EQ(shell_word("docs/a-b_c.md"), "docs/a-b_c.md");
  EXPECT_EQ(shell_word("2^20"), "2^20");
  EXPECT_EQ(shell_word(""), "\"\"");
  EXPECT_EQ(shell_word("two words"), "\"two words\"");
  EXPECT_EQ(shell_word("it's"), "\"it's\"");
  EXPECT_EQ(shell_word("$HOME"), "'$HOME'");
  EXPECT_EQ(shell_word("it's $5"), "'it'\"'\"'s $5'");
  EXPECT_EQ(shell_word("a;b"), "\"a;b\"");
  EXPECT_EQ(shell_path("-x"), "./-x");
  EXPECT_EQ(shell_path("-x y"), "\"./-x y\"");
  EXPECT_EQ(shell_path("/x"), "/x");
}

// What sh prints of a command's words, each behind a line of its own.
std::string printed_by_shell(const std::string& words) {
  FILE* shell = ::popen(("printf '%s\\037' " + words).c_str(), "r");
  if (shell == nullptr) return "no shell";
  std::string out;
  for (int c = 0; (c = ::fgetc(shell)) != EOF;) out += static_cast<char>(c);
  ::pclose(shell);
  return out;
}

RC_GTEST_PROP(ShellWordProperty, AShellGivesItBack, ()) {
  // Many in one call: a shell takes milliseconds to start.
  const auto words = *rc::gen::container<std::vector<std::string>>(
      20, rc::gen::container<std::string>(rc::gen::elementOf(std::string(" \"'$`\\!*?;&|<>()[]{}~#-=\n\tabc/"))));
  std::string line, wanted;
  for (const std::string& word : words) line += shell_word(word) + " ", wanted += word + '\037';
  RC_ASSERT(printed_by_shell(line) == wanted);
}

}  // namespace
}  // namespace pivotscope
