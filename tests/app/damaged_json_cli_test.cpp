// What the program kept and finds damaged is told in words of our own, whichever value is wrong.
#include <gtest/gtest.h>

#include "app/files/keys_file.hpp"
#include "app/files/settings.hpp"
#include "app/files/snapshot_files.hpp"
#include "app/report/measured_files.hpp"
#include "core/memory_benchmark/memory_benchmark_store.hpp"
#include "core/sweep/sweep_folder.hpp"
#include "core/sweep/sweep_result.hpp"
#include "core/tuning/tuning_store.hpp"
#include "tests/app/expectations.hpp"
#include "tests/support/json_damages.hpp"
#include "viz/state/commands.hpp"

namespace pivotscope {
namespace {

void expect_own_words(std::string_view words, const std::string& damaged) {
  EXPECT_EQ(words.find("json.exception"), words.npos) << words << "\n" << damaged;
  EXPECT_EQ(words.find("[json"), words.npos) << words << "\n" << damaged;
}

template <class Read>
void expect_told(const std::string& text, Read&& read) {
  std::size_t told = 0;
  testing::for_each_damage(text, [&](const std::string& damaged) {
    const std::string words = read(damaged);
    told += words.empty() ? 0 : 1;
    expect_own_words(words, damaged);
  });
  EXPECT_GT(told, 20u) << "damages are found";
}

template <class T>
std::string words_of(const outcome<T>& read) {
  return read ? "" : read.error().words;
}

// A sweep of the lying program's machines, which takes no time.
class damaged_json : public ::testing::Test {
 protected:
  std::string kept(const char* name) const { return contents_of(folder_ / name); }
  void measure_a_sweep() const {
    const program_result done =
        run_lying("given", {"sweep", "lightweight-1b", "--scale", "20", "--rounds", "1", "--into",
                            (folder_ / "d").string(), "--json", (folder_ / "s.json").string()});
    ASSERT_EQ(done.status, 0) << done.err;
  }

  const scratch_folder folder_;
};

TEST_F(damaged_json, of_a_sweeps_result_is_told) {
  measure_a_sweep();
  expect_told(kept("s.json"), [](const std::string& text) { return words_of(sweep_result_from_json(text)); });
  expect_told(kept("s.json"), [](const std::string& text) { return words_of(short_sweep_json(text)); });
}

TEST_F(damaged_json, of_a_sweeps_folder_is_told) {
  measure_a_sweep();
  const sweep& of = **find_sweep("lightweight-1b");
  for (const char* name : {"d/head.json", "d/point-0001.json"}) {
    const std::string whole = kept(name);
    // As it is, and as programs wrote it that had no checksum, where each field is looked at.
    nlohmann::json unsealed = nlohmann::json::parse(whole);
    unsealed.erase("checksum"), unsealed["format"] = 1;
    for (const std::string& start : {whole, unsealed.dump(1) + "\n"})
      expect_told(start, [&](const std::string& text) {
        folder_.write(name, text);
        const outcome<sweep_folder> read = sweep_folder::read(folder_ / "d", of);
        return !read ? read.error().words : read->damaged().empty() ? std::string() : read->damaged().front();
      });
    folder_.write(name, whole);
  }
}

TEST_F(damaged_json, of_a_run_is_told) {
  const program_result run = run_lying("given", {"run", "--keys", "100", "--lookups", "100", "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  expect_told(run.out, [](const std::string& text) { return words_of(run_result_from_json(text)); });
  expect_told(run.out, [](const std::string& text) { return words_of(short_run_json(text)); });
}

TEST_F(damaged_json, of_a_floor_is_told) {
  const program_result done =
      run_lying("given cuda", {"floor", "--machine", "cuda", "--cache-folder", (folder_ / "c").string(), "--json",
                               (folder_ / "f.json").string()});
  ASSERT_EQ(done.status, 0) << done.err;
  expect_told(kept("f.json"),
              [](const std::string& text) { return words_of(memory_benchmark_result_from_json(text)); });
  const nlohmann::json entry = nlohmann::json::parse(kept("c/floors.json")).at("floors").at(0);
  const std::string name = entry.at("machine").at("name"), driver = entry.at("machine").at("driver");
  expect_told(kept("c/floors.json"), [&](const std::string& text) {
    folder_.write("c/floors.json", text);
    return load_memory_benchmark(folder_ / "c/floors.json", machine_kind::cuda, name, driver).note;
  });
}

TEST_F(damaged_json, of_a_tuning_is_told) {
  const program_result done = run_lying("given cuda", {"tune", "--machine", "cuda", "--keys", "100", "--lookups",
                                                       "2^16", "--cache-folder", (folder_ / "c").string()});
  ASSERT_LT(done.status, 2) << done.err;  // some of these machine's answers are wrong
  const nlohmann::json entry = nlohmann::json::parse(kept("c/tunings.json")).at("tunings").at(0);
  expect_told(entry.dump(), [](const std::string& text) {
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    return json.is_discarded() ? "" : words_of(tuning_from_json(json));
  });
}

TEST_F(damaged_json, of_the_windows_files_is_told) {
  settings look;
  look.scenario = "EO+BS", look.interleave = "PLAIN";
  const std::filesystem::path path = folder_ / "window.json";
  ASSERT_TRUE(save_settings(path, look));
  expect_told(contents_of(path), [&](const std::string& text) {
    folder_.write("window.json", text);
    return words_of(load_settings(path));
  });
  ASSERT_TRUE(keep_snapshot(folder_ / "snapshots", 1, {"EO+BS", 2, "png"}));
  const std::string snapshot = kept("snapshots/snapshot-2.json");
  ASSERT_NE(snapshot, "");
  std::size_t told = 0;
  testing::for_each_damage(snapshot, [&](const std::string& text) {
    folder_.write("snapshots/snapshot-2.json", text);
    const std::string words = words_of(load_snapshot(folder_ / "snapshots", 1));
    told += !words.empty();
    expect_own_words(words, text);
  });
  EXPECT_GT(told, 10u);
}

}  // namespace
}  // namespace pivotscope
