// What was tuned comes back, for its own question alone; a file of nonsense is a miss with a note.
#include "core/measure/tuning_store.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/config/config_text.hpp"
#include "tests/app/program.hpp"

namespace pivotscope {
namespace {

tuning some_tuning() {
  tuning t;
  t.machine = "a CPU, 2 threads";
  t.keys = 1000;
  t.lookups = 5000;
  t.seconds = 1.5;
  t.ranking = {{.config = *config_from_line("EO+BS"),
                .index_bytes = 8000,
                .build_ms = 0.25,
                .lookups = 5000,
                .samples_ms = {1, 2, 3},
                .finalist = true},
               {.config = *config_from_line("AO+PB+KS lanes=2"),
                .index_bytes = 9000,
                .build_ms = 0.5,
                .lookups = 500,
                .samples_ms = {1, 1, 1}}};
  rank(t.ranking);
  t.rejected = {{*config_from_line("AO+BS"), true, "1 of 5000 answers are wrong"}};
  return t;
}

const std::string load = "keys=1000 distribution=uniform seed=1 lookups=5000 hits=1";
tuning_question question() { return {.machine = "a CPU, 2 threads", .workload = load}; }

TEST(tuning_store, what_was_kept_comes_back) {
  const scratch_folder folder;
  const auto path = folder / "deeper" / "tunings.json";
  EXPECT_FALSE(load_tuning(path, question()).found);
  EXPECT_EQ(load_tuning(path, question()).note, "");
  ASSERT_TRUE(keep_tuning(path, load, some_tuning()).ok());
  const kept_tuning kept = load_tuning(path, question());
  ASSERT_TRUE(kept.found) << kept.note;
  EXPECT_EQ(nlohmann::json(*kept.found), nlohmann::json(some_tuning()));
  EXPECT_EQ(to_line(kept.found->winner()->config), "EO+BS");
  // For its own question alone.
  std::vector<tuning_question> others(5, question());
  others[0].kind = machine_kind::cuda;
  others[1].machine = "another";
  others[2].workload += " ";
  others[3].width = key_width::u64;
  others[4].ascending = true;
  for (const tuning_question& other : others) EXPECT_FALSE(load_tuning(path, other).found);
}

TEST(tuning_store, a_newer_one_takes_the_place_of_the_older) {
  const scratch_folder folder;
  const auto path = folder / "tunings.json";
  tuning second = some_tuning();
  second.ranking.front().samples_ms = {7, 7, 7};
  ASSERT_TRUE(keep_tuning(path, load, some_tuning()).ok());
  ASSERT_TRUE(keep_tuning(path, "other keys", some_tuning()).ok());
  ASSERT_TRUE(keep_tuning(path, load, second).ok());
  EXPECT_EQ(load_tuning(path, question()).found->winner()->samples_ms.front(), 7);
  tuning_question other = question();
  other.workload = "other keys";
  EXPECT_TRUE(load_tuning(path, other).found);
  EXPECT_EQ(nlohmann::json::parse(contents_of(path))["tunings"].size(), 2u);
}

TEST(tuning_store, nonsense_is_a_miss_with_a_note_and_is_replaced) {
  const scratch_folder folder;
  const auto path = folder / "tunings.json";
  for (const char* nonsense : {"", "{", "[]", "3", "\xff\xfe", "{\"format\":2,\"tunings\":[]}", "{\"format\":1}",
                               "{\"format\":1,\"tunings\":3}", "{\"format\":\"1\",\"tunings\":[]}"}) {
    folder.write("tunings.json", nonsense);
    const kept_tuning kept = load_tuning(path, question());
    EXPECT_FALSE(kept.found) << nonsense;
    EXPECT_NE(kept.note.find(path.string()), std::string::npos) << nonsense;
    ASSERT_TRUE(keep_tuning(path, load, some_tuning()).ok());
    EXPECT_TRUE(load_tuning(path, question()).found);
  }
}

// Every field of a kept tuning, gone or of another kind.
TEST(tuning_store, a_damaged_entry_is_never_a_crash) {
  const scratch_folder folder;
  const auto path = folder / "tunings.json";
  ASSERT_TRUE(keep_tuning(path, load, some_tuning()).ok());
  const nlohmann::json whole = nlohmann::json::parse(contents_of(path));
  const nlohmann::json flat = whole.flatten();
  u32 missed = 0;
  for (const auto& [pointer, value] : flat.items()) {
    for (const nlohmann::json& instead :
         {nlohmann::json(), nlohmann::json("x"), nlohmann::json(-1), nlohmann::json::object()}) {
      nlohmann::json damaged = whole;
      damaged[nlohmann::json::json_pointer(pointer)] = instead;
      folder.write("tunings.json", damaged.dump());
      missed += load_tuning(path, question()).found ? 0 : 1;
      EXPECT_TRUE(keep_tuning(path, "other keys", some_tuning()).ok());
    }
    const std::string text = whole.dump();
    folder.write("tunings.json", text.substr(0, text.size() / 2));
    EXPECT_FALSE(load_tuning(path, question()).found);
  }
  EXPECT_GT(missed, 60u);
}

TEST(tuning_store, a_folder_that_cannot_be_written_is_said) {
  const scratch_folder folder;
  const std::string file = folder.write("file", "");
  const status kept = keep_tuning(std::filesystem::path(file) / "tunings.json", load, some_tuning());
  ASSERT_FALSE(kept.ok());
  EXPECT_NE(kept.error().words.find("cannot be kept"), std::string::npos);
  EXPECT_FALSE(keep_tuning({}, load, some_tuning()).ok());
  EXPECT_EQ(tuning_path("/there"), "/there/tunings.json");
}

}  // namespace
}  // namespace pivotscope
