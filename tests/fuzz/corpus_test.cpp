// Every file of the fuzzer's corpus, through the same body that the fuzzer runs.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "tests/fuzz/reader.hpp"
#include "tests/support/places.hpp"

namespace pivotscope::fuzz {
namespace {

namespace fs = std::filesystem;

// How many files each reader's folder has: a corpus that is lost, or not found, is seen.
const std::map<std::string_view, int> counts = {
    {"config_line", 47}, {"config_json", 44}, {"workload_line", 63}, {"scenario_line", 57}, {"key_file", 79},
    {"key_column", 37},  {"range_file", 50},  {"tuning_json", 49},   {"tuning_store", 48},  {"settings_file", 48},
    {"lesson_file", 47}, {"keys_json", 20},   {"script_file", 42},   {"index_case", 9},
};

fs::path corpus_folder() { return testing::source_folder() / "tests/fuzz/corpus"; }

class corpus : public ::testing::TestWithParam<reader> {};

TEST_P(corpus, keeps_every_promise) {
  int files = 0;
  for (const auto& entry : fs::directory_iterator(corpus_folder() / GetParam().name)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    ++files;
    EXPECT_NO_THROW(GetParam().body(bytes)) << entry.path();
  }
  EXPECT_EQ(files, counts.at(GetParam().name));
}

INSTANTIATE_TEST_SUITE_P(of, corpus, ::testing::ValuesIn(readers().begin(), readers().end()),
                         [](const auto& about) { return std::string(about.param.name); });

TEST(corpus, has_a_folder_for_each_reader_and_no_others) {
  std::size_t folders = 0;
  for (const auto& entry : fs::directory_iterator(corpus_folder())) {
    EXPECT_TRUE(counts.contains(entry.path().filename().string())) << entry.path();
    ++folders;
  }
  EXPECT_EQ(folders, readers().size());
  EXPECT_EQ(counts.size(), readers().size());
}

TEST(demand_words, refuses_words_that_are_none) {
  EXPECT_NO_THROW(demand_words({"what, where and what to do"}, ""));
  EXPECT_THROW(demand_words({""}, ""), std::logic_error);
  EXPECT_THROW(demand_words({"words", true}, ""), std::logic_error);
  EXPECT_THROW(demand_words({std::string(2001, 'x')}, ""), std::logic_error);
  EXPECT_NO_THROW(demand_words({std::string(2001, 'x')}, "x"));
}

}  // namespace
}  // namespace pivotscope::fuzz
