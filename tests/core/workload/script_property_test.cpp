// Scripts, whatever they are: their text gives them back, and so does any text that says the same.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/workload/field_needs.hpp"
#include "core/workload/script_list.hpp"
#include "tests/support/any_script.hpp"
#include "tests/support/file_tree.hpp"

namespace pivotscope {
namespace {

template <class Key>
script some_script() {
  const auto key =
      rc::gen::oneOf(rc::gen::arbitrary<Key>(), rc::gen::inRange<Key>(0, 4), rc::gen::just(greatest_key<Key>()));
  return testing::any_script(sizeof(Key) == 4 ? key_width::u32 : key_width::u64, 40, key);
}

// Batches are cut by one rule, said once more: where the verb changes, and around what is mixed.
void demand_batches(const script& s) {
  u64 begin = 0, inserts = 0;
  for (std::size_t b = 0; b < s.batches().size(); ++b) {
    const script_batch& one = s.batches()[b];
    RC_ASSERT(one.begin == begin);
    RC_ASSERT(one.size() > 0u);
    RC_ASSERT(one.inserts_before == inserts);
    for (u64 i = one.begin; i < one.end; ++i) {
      RC_ASSERT(one.mixed || s.verb_of(i) == s.verb_of(one.begin));
      inserts += s.verb_of(i) == operation::insert ? 1 : 0;
    }
    const bool apart = b == 0 || one.mixed || s.batches()[b - 1].mixed || s.verb_of(one.begin) != s.verb_of(begin - 1);
    RC_ASSERT(apart);
    begin = one.end;
  }
  RC_ASSERT(begin == s.size());
  RC_ASSERT(inserts == s.inserts());
}

template <class Key>
void demand_text_gives_back() {
  const script s = some_script<Key>();
  demand_batches(s);
  const std::string text = to_text(s);
  const outcome<script> again = script_from_text(text, s.width());
  RC_ASSERT(again.ok());
  RC_ASSERT(*again == s);
  RC_ASSERT(to_text(*again) == text);
  for (u64 i = 0; i < s.size(); ++i) RC_ASSERT(again->line(i) == s.line(i));
  const script columns(s.columns(), [&] {
    std::vector<script_batch> mixed;
    for (const script_batch& one : s.batches())
      if (one.mixed) mixed.push_back(one);
    return mixed;
  }());
  RC_ASSERT(columns == s);
  for (u64 i = 0; i < s.size(); ++i) RC_ASSERT(columns.line(i) == s.line(i));
}

RC_GTEST_PROP(Script, TextGivesItBackU32, ()) { demand_text_gives_back<u32>(); }
RC_GTEST_PROP(Script, TextGivesItBackU64, ()) { demand_text_gives_back<u64>(); }

// As one word as well, and as a part of a workload's line.
template <class Key>
void demand_a_word_gives_back() {
  const script s = some_script<Key>();
  RC_PRE(s.size() != 0u);
  const std::string list = to_list(s);
  RC_ASSERT(list.find_first_of(" \t\r\n") == list.npos);
  const outcome<script> again = script_from_list(list, s.width());
  RC_ASSERT(again.ok());
  RC_ASSERT(*again == s);
  workload w;
  w.lookups = *rc::gen::element<u64>(0, 3);
  w.own_script.list = list;
  const outcome<workload> read = workload_from_line(to_line(w));
  RC_ASSERT(read.ok());
  RC_ASSERT(*read == w);
  RC_ASSERT(!check(w, s.width()).has_value());
}

RC_GTEST_PROP(Script, AWordGivesItBackU32, ()) { demand_a_word_gives_back<u32>(); }
RC_GTEST_PROP(Script, AWordGivesItBackU64, ()) { demand_a_word_gives_back<u64>(); }

RC_GTEST_PROP(Script, ARecipeIsPartOfAWorkloadsLine, ()) {
  workload w;
  w.recipe = {.inserts = *rc::gen::inRange<u64>(0, 1 << 20),
              .erases = *rc::gen::inRange<u64>(0, 1 << 20),
              .mix = *rc::gen::inRange(0, 1001) / 1000.0,
              .batch = *rc::gen::inRange<u64>(1, 1 << 24)};
  if (check(w, key_width::u32)) w.recipe.mix = 1;  // too many finds
  const outcome<workload> read = workload_from_line(to_line(w));
  RC_ASSERT(read.ok());
  RC_ASSERT(*read == without_idle(w));
}

// Blanks, blank lines, comments and ends of lines as they may be.
RC_GTEST_PROP(Script, MeansTheSameHoweverItIsWritten, ()) {
  const script s = some_script<u32>();
  const auto blanks = [] { return *rc::gen::container<std::string>(rc::gen::elementOf(std::string(" \t"))); };
  const std::vector<std::string> ends = {"\n", "\r\n", "#\n", " # insert 3\n"};
  std::string text;
  std::vector<u64> lines;
  u64 line = 1;
  const std::string plain = to_text(s);
  for (std::size_t at = 0; at < plain.size(); ++line) {
    const std::size_t end = plain.find('\n', at);
    const int kind = *rc::gen::inRange(0, 5);  // small sizes draw 0 alone
    if (kind == 3) {
      text += blanks() + "\n";
    } else if (kind == 4) {
      text += blanks() + "# begin\r\n";
    } else {
      const std::string words = plain.substr(at, end - at);
      if (words != "begin" && words != "end") lines.push_back(line);
      text += blanks() + words + blanks() + *rc::gen::elementOf(ends);
      at = end + 1;
    }
  }
  if (!text.empty() && *rc::gen::arbitrary<bool>()) text.pop_back();
  const file_tree tree;
  for (const outcome<script>& read :
       {script_from_text(text, key_width::u32), read_script(tree.write("s", text), key_width::u32)}) {
    RC_ASSERT(read.ok());
    RC_ASSERT(*read == s);
    for (u64 i = 0; i < s.size(); ++i) RC_ASSERT(read->line(i) == lines[i]);
  }
}

RC_GTEST_PROP(Script, AFileHasItsText, ()) {
  const script s = some_script<u64>();
  const file_tree tree;
  RC_ASSERT(write_script(tree.root() / "s", s).ok());
  std::ifstream file(tree.root() / "s", std::ios::binary);
  RC_ASSERT(std::string(std::istreambuf_iterator<char>(file), {}) == to_text(s));
  const outcome<script> read = read_script(tree.root() / "s", key_width::u64);
  RC_ASSERT(read.ok());
  RC_ASSERT(*read == s);
}

}  // namespace
}  // namespace pivotscope
