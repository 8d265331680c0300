// Snapshots in their files.
#include "app/files/snapshot_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/program.hpp"
#include "tests/app/session/session_fixture.hpp"

namespace pivotscope {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

TEST(snapshot_files, come_back_slot_by_slot_and_go_when_they_are_removed) {
  const scratch_folder folder;
  const fs::path where = folder / "not there yet";
  EXPECT_EQ(load_snapshot(where, 3).value(), std::nullopt);
  const std::string png("\x89PNG\0 any bytes", 16);
  ASSERT_TRUE(keep_snapshot(where, 3, {"EO+BS keys=14", 7, png}));
  ASSERT_TRUE(keep_snapshot(where, 0, {"AO+BS", 0, ""}));
  const auto back = load_snapshot(where, 3);
  ASSERT_TRUE(back.ok() && *back);
  EXPECT_EQ((*back)->scenario, "EO+BS keys=14");
  EXPECT_EQ((*back)->step, 7u);
  EXPECT_EQ((*back)->png, png);
  EXPECT_EQ((*load_snapshot(where, 0))->scenario, "AO+BS");
  ASSERT_TRUE(keep_snapshot(where, 3, {"PLAIN", 1, "other"}));
  EXPECT_EQ((*load_snapshot(where, 3))->png, "other");
  ASSERT_TRUE(remove_snapshot(where, 3));
  EXPECT_EQ(load_snapshot(where, 3).value(), std::nullopt);
  EXPECT_FALSE(fs::exists(where / "snapshot-4.png"));
  EXPECT_TRUE(load_snapshot(where, 0).value()) << "the others stay";
  EXPECT_TRUE(remove_snapshot(where, 3)) << "what is gone is gone";
  fs::remove(where / "snapshot-1.png");
  EXPECT_EQ((*load_snapshot(where, 0))->png, "");
}

TEST(snapshot_files, one_that_is_not_understood_is_set_aside_in_words) {
  for (const char* text :
       {"{", "[]", "{\"format\":2,\"scenario\":\"EO+BS\",\"step\":1}", "{\"format\":1,\"step\":1}",
        "{\"format\":1,\"scenario\":7,\"step\":1}", "{\"format\":1,\"scenario\":\"EO+BS\",\"step\":-1}",
        "{\"format\":1,\"scenario\":\"EO+BS\",\"step\":1.5}"}) {
    const scratch_folder folder;
    const std::string path = folder.write("snapshot-1.json", text);
    const auto refused = load_snapshot(folder / "", 0);
    ASSERT_FALSE(refused.ok()) << text;
    EXPECT_THAT(refused.error().words, HasSubstr("cannot be used"));
    EXPECT_THAT(refused.error().words, HasSubstr(path + ".not-understood-1"));
    EXPECT_FALSE(fs::exists(path));
    EXPECT_EQ(load_snapshot(folder / "", 0).value(), std::nullopt);
  }
}

TEST(snapshot_files, what_cannot_be_written_is_said) {
  const scratch_folder folder;
  const std::string file = folder.write("a file", "");
  EXPECT_FALSE(keep_snapshot(file, 0, {"EO+BS", 0, "png"}));
  fs::create_directory(folder / "snapshot-2.json");
  EXPECT_THAT(load_snapshot(folder / "", 1).error().words, HasSubstr("cannot be read"));
}

TEST_F(session_test, keeps_snapshots_for_the_next_start) {
  open();
  on->keep_snapshot(2, {.step = 2}, "a picture");
  ASSERT_TRUE(now().snapshots && (*now().snapshots)[2]);
  EXPECT_EQ((*now().snapshots)[2]->line, on->scenario_line() + " step=2");
  EXPECT_EQ((*now().snapshots)[2]->key, question(9));
  on->keep_snapshot(3, {}, "");
  on->remove_snapshot(3);
  on->keep_snapshot(4, {.build = build_slot{"", 11}}, "");
  EXPECT_FALSE((*now().snapshots)[3]);
  // A later task of the reader's: the files are written.
  on->choose_key(4);
  ASSERT_TRUE(seen.until([](const session_view& v) { return v.path && v.path->trace.key == 4; }));
  close();
  folder.write("data/snapshots/snapshot-6.json", "{\"format\":1,\"scenario\":\"NO+BS\",\"step\":1}");
  folder.write("data/snapshots/snapshot-7.json", "nonsense");
  folder.write("data/snapshots/snapshot-8.json", "{\"format\":1,\"scenario\":\"EO+BS keys=14 lookup=9\",\"step\":3}");
  begin();
  ASSERT_TRUE(seen.until([](const session_view& v) { return v.snapshots && v.notices.size() == 2; }));
  const viz::snapshots kept = *now().snapshots;
  for (u32 slot = 0; slot < viz::snapshot_slots; ++slot)
    EXPECT_EQ(kept[slot].has_value(), slot == 2 || slot == 4 || slot == 7) << slot;
  EXPECT_EQ(kept[2]->at, (view_position{.step = 2}));
  EXPECT_EQ(kept[4]->at, (view_position{.build = build_slot{"", 11}}));
  EXPECT_EQ(kept[7]->at, (view_position{.step = 4})) << "from before places stood in the line";
  EXPECT_EQ(*kept[2]->png, "a picture");
  EXPECT_THAT(now().notices[0].words, HasSubstr("Snapshot 6 has a scenario that is not understood here"));
  EXPECT_THAT(now().notices[1].words, HasSubstr("snapshot-7.json cannot be used"));
}

}  // namespace
}  // namespace pivotscope
