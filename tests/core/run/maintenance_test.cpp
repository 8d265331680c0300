// Scripts that clear and rebuild: as text, as a list, on the machine and by the oracle; entries written to a file.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/index/axes.hpp"
#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/index/operations.hpp"
#include "core/run/entry_file.hpp"
#include "core/run/run_script.hpp"
#include "core/run/stored_entries.hpp"
#include "core/workload/script_list.hpp"
#include "core/workload/script_text.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/method_lists.hpp"
#include "tests/support/without_arrays.hpp"

namespace pivotscope {
namespace {

// "PLAIN, HT+OA and SA have it": what changes.
std::string have_it() {
  std::string words = testing::have_them({"PLAIN", "HT+OA"}, operation::insert);
  return words.replace(words.rfind("them"), 4, "it");
}

constexpr const char* text = "clear\ninsert 5\ninsert 6\nrebuild\ninsert 7\nclear\n";
constexpr const char* list = "-*/+5,+6/@/+7/-*";

TEST(maintenance_in_scripts, is_a_line_and_a_batch_of_its_own) {
  const script s = *script_from_text(text, key_width::u32);
  ASSERT_EQ(s.batches().size(), 5u);
  EXPECT_EQ(s.batches()[0].whole, maintenance::clear);
  EXPECT_EQ(s.batches()[2].whole, maintenance::rebuild);
  EXPECT_EQ(s.size(), 3u);
  EXPECT_EQ(s.items(), 6u);
  EXPECT_EQ(s.line(2), 5u);
  EXPECT_EQ(s.line_of_whole(4), 6u);
  EXPECT_EQ(s.batches()[3].inserts_before, 2u);
  EXPECT_EQ(to_text(s), text);
  EXPECT_EQ(to_list(s), list);
  EXPECT_TRUE(*script_from_list(list, key_width::u32) == s);
  EXPECT_EQ(to_text(*script_from_text("clear\n", key_width::u32)), "clear\n");
  EXPECT_EQ(script_from_text("insert 5\nrebuild\ninsert 6\n", key_width::u32)->batches().size(), 3u)
      << "inserts before and after it are two batches";
}

TEST(maintenance_in_scripts, is_refused_in_words_where_it_does_not_fit) {
  const auto of_text = [](const char* all) { return script_from_text(all, key_width::u32).error().words; };
  EXPECT_EQ(of_text("clear 5"),
            "line 1: column 7: '5' behind clear, which is done to the whole index and takes no key");
  EXPECT_EQ(of_text("begin\nrebuild\nend"),
            "line 2: rebuild within the mixed batch that line 1 began; it is a batch of its own: put it before begin "
            "or behind end");
  EXPECT_EQ(of_text("cleer"), "line 1: column 1: 'cleer' is not an operation; did you mean 'clear'?");
  const auto of_list = [](const char* all) { return script_from_list(all, key_width::u32).error().words; };
  EXPECT_EQ(of_list("+5,-*"), "'-*' is clear, a batch of its own; put slashes around it");
  EXPECT_EQ(of_list("(@)"), "'@' is rebuild, a batch of its own; put slashes around it");
  EXPECT_EQ(*check_serves(*config_from_line("EO+BS"), maintenance::rebuild),
            "EO+BS is built once, so it has no rebuild; " + have_it());
  EXPECT_EQ(*check_serves(*config_from_line("EO+BS"), *script_from_list("-*", key_width::u32)),
            "EO+BS is built once, so it has no clear; " + have_it());
}

TEST(maintenance_of_plain, leaves_tombstones_and_counts_its_entries) {
  const auto cpu = detail::open_cpu();
  const auto keys = *key_set::load(*cpu, key_array(std::vector<u32>{5, 3, 5, 9}), {});
  const script s = *script_from_list("-5/+7/@/-*/+3,+4", key_width::u32);
  const outcome<script_record> record =
      run_script_config(*cpu, *config_from_line("PLAIN"), *keys, s, {.compare_each = true}, {});
  ASSERT_TRUE(record) << record.error().words;
  EXPECT_EQ(record->first_wrong(), "");
  std::vector<u64> entries;
  for (const script_batch_record& batch : record->batches) entries.push_back(batch.entries);
  EXPECT_EQ(entries, (std::vector<u64>{2, 3, 3, 0, 2})) << "an erase removed two";
  EXPECT_EQ(*stored_entries(*record->index), (std::vector<stored_entry>{{3, 5}, {4, 6}}));
  EXPECT_EQ(record->batches[3].time.name, "clear");
  EXPECT_EQ(record->batches[3].time.samples_ms.size(), 1u);
}

TEST(maintenance_by_the_oracle, knows_what_was_cleared) {
  const key_array keys(std::vector<u32>{5});
  oracle truth(keys, true);
  const script s = *script_from_text("clear\nfind 5\n", key_width::u32);
  truth.begin(s, 0), truth.end(inserts_done::all);
  truth.begin(s, 1);
  EXPECT_TRUE(truth.accepts(0, script_answer::none()));
  EXPECT_EQ(truth.fault(0, script_answer::found(0)),
            "find 5 in batch 2, line 2, answered row 0, which was cleared in batch 1, line 1");
}

// The default of a family that knows no better: as if it were built of no keys.
class recording_executor final : public testing::without_arrays<> {
 public:
  u64 keys() const override { return 1000; }
  std::pair<u64, u64> key_range() const override { return {1, 2}; }
  status resize(region_id, u64) override { return fine(); }
  status read(region_id, u64, std::span<std::byte>) override { return fine(); }
  outcome<u64> run(const build_pass&, u64 items, const state_bytes&) override { return items; }
  std::vector<index_region> regions = {};
  u64 freed = 0;

 private:
  status replace_regions(std::vector<index_region> wanted) override { return regions = std::move(wanted), fine(); }
  void free_before() override { ++freed; }
};

TEST(family_clear, builds_over_no_keys_by_default) {
  recording_executor on;
  const index_config config = *config_from_line("EO+BS");
  const auto cleared = family_of(config).clear(on, config, {});
  ASSERT_TRUE(cleared);
  EXPECT_EQ(on.regions.front().cells, regions_of(config, 0).front().cells);
}

TEST(executors, allocate_once_a_step) {
  recording_executor on;
  ASSERT_TRUE(on.allocate({}));
  on.end_step();
  EXPECT_EQ(on.freed, 1u);
  ASSERT_TRUE(on.allocate({})) << "in the next step";
#if !defined(NDEBUG)
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(static_cast<void>(on.allocate({})), "executor\\.hpp:[0-9]+: expected: !has_allocated_");
#endif
}

TEST(held_entries, come_until_their_taker_has_enough) {
  const auto index = testing::build_on_cpu(*config_from_line("PLAIN"), key_array(std::vector<u32>(100'000, 7)));
  u64 calls = 0;
  const auto reader = [&](region_id region, u64 byte, std::span<std::byte> out) {
    return index->read(region, byte, out).ok();
  };
  EXPECT_FALSE(model_of(*index)->held(reader, [&](auto, double) { return ++calls < 1; }));
  EXPECT_EQ(calls, 1u);
  EXPECT_TRUE(model_of(*index)->held(reader, [&](auto, double) { return ++calls > 0; }));
  EXPECT_EQ(calls, 3u) << "65,536 at once";
}

TEST(entry_file, has_a_line_an_entry_in_ascending_order_for_every_method) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "pivotscope-entries";
  for (const std::string& method : method_names()) {
    SCOPED_TRACE(method);
    const index_config config = *config_from_line(method);
    const auto index = testing::build_on_cpu(config, key_array(std::vector<u32>{~0u, 5, 0, 5}));
    ASSERT_TRUE(write_entries(path, *index));
    std::ostringstream all;
    all << std::ifstream(path).rdbuf();
    const bool both = family_of(config).keeps_duplicates(config);
    if (both) {
      EXPECT_EQ(all.str(), "0 2\n5 1\n5 3\n4294967295 0\n");
    } else {
      EXPECT_TRUE(all.str() == "0 2\n5 1\n4294967295 0\n" || all.str() == "0 2\n5 3\n4294967295 0\n") << all.str();
    }
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace pivotscope
