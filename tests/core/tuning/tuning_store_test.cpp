// What was tuned comes back, for its own question alone; a file of nonsense is a miss with a note.
#include "core/tuning/tuning_store.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/common/whole_file.hpp"
#include "core/index/config_text.hpp"
#include "tests/app/expectations.hpp"
#include "tests/support/failing_file_calls.hpp"

namespace pivotscope {
namespace {

tuning some_tuning() {
  tuning t;
  t.machine = "a CPU, 2 threads";
  t.keys = 1000;
  t.operations = 5000;
  t.seconds = 1.5;
  t.ranking = {{.config = *config_from_line("EO+BS"),
                .index_bytes = 8000,
                .build_ms = 0.25,
                .operations = 5000,
                .samples_ms = {1, 2, 3},
                .finalist = true},
               {.config = *config_from_line("AO+PB+KS lanes=2"),
                .index_bytes = 9000,
                .build_ms = 0.5,
                .operations = 500,
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

TEST(tuning_store, says_by_which_program_and_how_it_was_measured) {
  tuning how = some_tuning();
  how.by = {"pivotscope 1", "abc"}, how.detail = "kernels by NVRTC", how.driver = "580.1";
  how.conditions.clocks = "1 MHz", how.conditions.governor = "performance", how.conditions.load = 0.5;
  how.rounds = 3, how.repeats = 5;
  const nlohmann::json json = how;
  EXPECT_EQ(json["commit"], "abc");
  EXPECT_EQ(json["machine"]["driver"], "580.1");
  EXPECT_EQ(nlohmann::json(*tuning_from_json(json)), json);
  // One that was kept before any of it was said is one still.
  nlohmann::json older = json;
  for (const char* name : {"program", "commit", "clocks", "governor", "load", "rounds", "repeats"}) older.erase(name);
  older["machine"].erase("detail"), older["machine"].erase("driver");
  EXPECT_EQ(nlohmann::json(*tuning_from_json(older)), nlohmann::json(some_tuning()));
}

// A file that was kept before there were tunings of ranges has the fields that lookups have now.
TEST(tuning_store, of_ranges_comes_back_as_one_of_ranges) {
  tuning of_ranges = some_tuning();
  of_ranges.asked = operation::range;
  const nlohmann::json json = of_ranges, of_lookups = some_tuning();
  EXPECT_EQ(json["ranges"], 5000);
  EXPECT_EQ(json["ranking"][0]["ranges"], 5000);
  EXPECT_EQ(json["ranking"][0]["ranges_per_second"], of_ranges.ranking[0].rate());
  EXPECT_FALSE(json.contains("lookups") || json["ranking"][0].contains("lookups"));
  EXPECT_FALSE(of_lookups.contains("ranges") || of_lookups["ranking"][0].contains("ranges"));
  const outcome<tuning> back = tuning_from_json(json), other = tuning_from_json(of_lookups);
  ASSERT_TRUE(back.ok() && other.ok());
  EXPECT_EQ(back->asked, operation::range);
  EXPECT_EQ(back->operations, 5000u);
  EXPECT_EQ(back->ranking[1].operations, 500u);
  EXPECT_EQ(nlohmann::json(*back), json);
  EXPECT_EQ(other->asked, operation::find);
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

const char* const nonsense[] = {"",
                                "{",
                                "[]",
                                "3",
                                "\xff\xfe",
                                "{\"format\":2,\"tunings\":[]}",
                                "{\"format\":1}",
                                "{\"format\":1,\"tunings\":3}",
                                "{\"format\":\"1\",\"tunings\":[]}"};

TEST(tuning_store, nonsense_is_a_miss_with_a_note_and_is_set_aside) {
  const scratch_folder folder;
  const auto path = folder / "tunings.json";
  int number = 0;
  for (const char* text : nonsense) {
    folder.write("tunings.json", text);
    const std::string why = nlohmann::json::accept(text) ? "it is of another format" : "it is no JSON";
    const std::string words = fmt::format("What was tuned before, in {}, cannot be used ({}); ", path.string(), why);
    const kept_tuning kept = load_tuning(path, question());
    EXPECT_FALSE(kept.found) << text;
    EXPECT_EQ(kept.note, words + "the next tuning keeps it aside and begins anew.");
    EXPECT_EQ(contents_of(path), text) << "looking changes nothing";
    const std::string aside = fmt::format("{}.not-understood-{}", path.string(), ++number);
    const outcome<std::string> told = keep_tuning(path, load, some_tuning());
    ASSERT_TRUE(told) << told.error().words;
    EXPECT_EQ(*told, words + "it is kept as " + aside + ", and a new file is begun.");
    EXPECT_EQ(contents_of(aside), text);
    EXPECT_TRUE(load_tuning(path, question()).found);
  }
  EXPECT_EQ(*keep_tuning(path, load, some_tuning()), "");
  EXPECT_EQ(files_of(folder / "").size(), std::size(nonsense) + 2);  // the store, its lock
}

TEST(tuning_store, what_cannot_be_read_stays_and_is_said) {
  const scratch_folder folder;
  const auto path = folder / "tunings.json";
  std::filesystem::create_directory(path);
  EXPECT_EQ(load_tuning(path, question()).note,
            "What was tuned before, in " + path.string() + ", cannot be used (Is a directory).");
  const outcome<std::string> kept = keep_tuning(path, load, some_tuning());
  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().words, "The tuning cannot be kept: " + path.string() + " cannot be read: Is a directory.");
  EXPECT_TRUE(std::filesystem::is_directory(path));
}

TEST(tuning_store, a_link_stays_a_link) {
  const scratch_folder folder;
  std::filesystem::create_symlink("target.json", folder / "tunings.json");
  for (const char* before : {"nonsense", ""}) {
    if (*before) folder.write("target.json", before);
    ASSERT_TRUE(keep_tuning(folder / "tunings.json", load, some_tuning()));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "tunings.json"));
    EXPECT_TRUE(load_tuning(folder / "target.json", question()).found);
  }
  EXPECT_EQ(contents_of(folder / "target.json.not-understood-1"), "nonsense");
  std::filesystem::create_symlink("loop", folder / "loop");
  EXPECT_EQ(
      keep_tuning(folder / "loop", load, some_tuning()).error().words,
      "The tuning cannot be kept: cannot write " + (folder / "loop").string() + ": Too many levels of symbolic links.");
}

TEST(tuning_store, entries_that_answer_no_question_stay) {
  const scratch_folder folder;
  const auto path = folder / "tunings.json";
  folder.write("tunings.json", R"({"format": 1, "tunings": [7, {"later": true}]})");
  ASSERT_EQ(*keep_tuning(path, load, some_tuning()), "");
  const nlohmann::json entries = nlohmann::json::parse(contents_of(path))["tunings"];
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0]["workload"], load);
  EXPECT_EQ(entries[1], nlohmann::json(7));
  EXPECT_EQ(entries[2], nlohmann::json({{"later", true}}));
}

TEST(tuning_store, the_newest_two_hundred_are_kept) {
  const scratch_folder folder;
  const auto path = folder / "tunings.json";
  nlohmann::json entries = nlohmann::json::array();
  for (int i = 0; i < 200; ++i) entries.push_back({{"workload", std::to_string(i)}, {"tuning", some_tuning()}});
  folder.write("tunings.json", nlohmann::json{{"format", 1}, {"tunings", entries}}.dump());
  ASSERT_EQ(*keep_tuning(path, load, some_tuning()), "");
  const nlohmann::json kept = nlohmann::json::parse(contents_of(path))["tunings"];
  ASSERT_EQ(kept.size(), 200u);
  EXPECT_EQ(kept[0]["workload"], load);
  EXPECT_EQ(kept[1]["workload"], "0");
  EXPECT_EQ(kept[199]["workload"], "198");
}

// Processes, as four people's tunes at once would be.
TEST(tuning_store, nothing_is_lost_when_several_keep_at_once) {
  const scratch_folder folder;
  const auto path = folder / "tunings.json";
  constexpr int writers = 4, each = 8;
  std::vector<pid_t> children;
  for (int writer = 0; writer < writers; ++writer) {
    const pid_t child = ::fork();
    if (child == 0) {
      bool right = true;
      for (int i = 0; i < each; ++i) right &= keep_tuning(path, fmt::format("{} {}", writer, i), some_tuning()).ok();
      ::_exit(right ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) EXPECT_EQ(wait_for_program(child), 0);
  tuning_question asked = question();
  for (int writer = 0; writer < writers; ++writer) {
    for (int i = 0; i < each; ++i) {
      asked.workload = fmt::format("{} {}", writer, i);
      EXPECT_TRUE(load_tuning(path, asked).found) << asked.workload;
    }
  }
  EXPECT_EQ(files_of(folder / "").size(), 2u);
}

TEST(tuning_store, a_failure_loses_nothing) {
  const scratch_folder folder;
  const auto path = folder / "tunings.json";
  ASSERT_TRUE(keep_tuning(path, "other keys", some_tuning()));
  const std::string understood = contents_of(path);
  for (const std::string& old : {understood, std::string("not understood")}) {
    with_every_fault(
        [&] {
          std::filesystem::remove_all(folder / "");
          std::filesystem::create_directory(folder / "");
          folder.write("tunings.json", old);
        },
        [&] { return keep_tuning(path, load, some_tuning()); },
        [&](const outcome<std::string>& kept, const file_fault& fault, const failing_file_calls& calls) {
          bool old_is_there = false;
          for (const auto& [name, bytes] : files_of(folder / "")) {
            old_is_there |= bytes == old;
            EXPECT_TRUE(calls.crashed() || name.ends_with(".lock") || bytes != "") << name << " is empty";
          }
          if (kept) {
            EXPECT_TRUE(load_tuning(path, question()).found);
            EXPECT_EQ(old_is_there, old != understood);
            tuning_question other = question();
            other.workload = "other keys";
            EXPECT_EQ(load_tuning(path, other).found.has_value(), old == understood);
          } else {
            EXPECT_TRUE(old_is_there);
            if (!calls.crashed()) {
              EXPECT_FALSE(has_temporaries(folder / ""));
              EXPECT_TRUE(kept.error().words.starts_with("The tuning cannot be kept: ")) << kept.error().words;
              expect_part(kept.error().words, path.string());
              if (fault.what == file_fault::kind::error) expect_part(kept.error().words, system_words(fault.number));
              if (contents_of(path) != old) expect_part(kept.error().words, "it is kept as ");
            }
          }
          let_writers_die(folder / "");
          EXPECT_TRUE(keep_tuning(path, load, some_tuning()));
          EXPECT_TRUE(load_tuning(path, question()).found);
          EXPECT_FALSE(has_temporaries(folder / ""));
        });
  }
}

TEST(tuning_store, a_failing_read_is_a_note_and_never_another_ranking) {
  const scratch_folder folder;
  const auto path = folder / "tunings.json";
  ASSERT_TRUE(keep_tuning(path, load, some_tuning()));
  with_every_fault([] {}, [&] { return load_tuning(path, question()); },
                   [&](const kept_tuning& kept, const file_fault& fault, const failing_file_calls&) {
                     if (kept.found) {
                       EXPECT_EQ(nlohmann::json(*kept.found), nlohmann::json(some_tuning()));
                       EXPECT_EQ(kept.note, "");
                       return;
                     }
                     const int error = fault.what == file_fault::kind::error ? fault.number : EIO;
                     EXPECT_EQ(kept.note, fmt::format("What was tuned before, in {}, cannot be used ({}).",
                                                      path.string(), system_words(error)));
                   });
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
      std::filesystem::remove(path.string() + ".not-understood-1");
    }
    const std::string text = whole.dump();
    folder.write("tunings.json", text.substr(0, text.size() / 2));
    EXPECT_FALSE(load_tuning(path, question()).found);
  }
  EXPECT_GT(missed, 60u);
}

// Whichever byte is wrong: what is found is what was kept, to the last digit, or nothing, with a note; and the entry stays.
TEST(tuning_store, a_wrong_byte_is_never_believed) {
  const scratch_folder folder;
  const auto path = folder / "tunings.json";
  ASSERT_TRUE(keep_tuning(path, load, some_tuning()).ok());
  const std::string text = contents_of(path);
  const nlohmann::json right = *load_tuning(path, question()).found;
  u32 noted = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string damaged = text;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);  // of a digit another digit
    folder.write("tunings.json", damaged);
    const kept_tuning now = load_tuning(path, question());
    ASSERT_TRUE(!now.found || nlohmann::json(*now.found) == right) << "byte " << at;
    ASSERT_TRUE(now.found || !now.note.empty()) << "byte " << at;
    noted += !now.note.empty();
  }
  EXPECT_GT(noted, text.size() / 2);
  std::string digit = text;
  digit[digit.find_first_of("0123456789", digit.find("samples_ms"))] ^= 1;
  folder.write("tunings.json", digit);
  ASSERT_TRUE(keep_tuning(path, load, some_tuning()).ok());
  EXPECT_EQ(nlohmann::json::parse(contents_of(path))["tunings"].size(), 2u) << "what is damaged stays";
  EXPECT_TRUE(load_tuning(path, question()).found);
}

TEST(tuning_store, a_damaged_entry_is_told) {
  const scratch_folder folder;
  const auto path = folder / "tunings.json";
  ASSERT_TRUE(keep_tuning(path, load, some_tuning()).ok());
  nlohmann::json whole = nlohmann::json::parse(contents_of(path));
  whole["tunings"][0].erase("checksum");  // which tells of each, and older programs wrote none
  const auto why = [&](const char* place, const nlohmann::json& instead) {
    nlohmann::json damaged = whole;
    damaged["tunings"][0]["tuning"][nlohmann::json::json_pointer(place)] = instead;
    folder.write("tunings.json", damaged.dump());
    const kept_tuning kept = load_tuning(path, question());
    EXPECT_FALSE(kept.found);
    const std::string before = "What was tuned before for this workload, in " + path.string() + ", cannot be used (",
                      after = "); tune again to replace it.";
    EXPECT_TRUE(kept.note.starts_with(before) && kept.note.ends_with(after)) << kept.note;
    return kept.note.substr(before.size(), kept.note.size() - before.size() - after.size());
  };
  EXPECT_EQ(why("/ranking/0/samples_ms", nlohmann::json::array()), "a config without times");
  EXPECT_EQ(why("/ranking/0/samples_ms/1", -0.5), "a time that is none");
  EXPECT_EQ(why("/ranking/1/config_line", "AO+PB+KS lanes=2 keys=u64"), "a config of another key width");
  EXPECT_EQ(why("/ranking", nlohmann::json::array()), "a ranking of nothing");
  nlohmann::json unknown = whole["tunings"][0]["tuning"];
  unknown["machine"]["kind"] = "quantum";
  EXPECT_EQ(tuning_from_json(unknown).error().words, "an unknown machine");
  unknown["machine"]["kind"] = "cuda";
  EXPECT_EQ(tuning_from_json(unknown)->kind, machine_kind::cuda);
}

TEST(tuning_store, a_folder_that_cannot_be_written_is_said) {
  const scratch_folder folder;
  const std::string file = folder.write("file", "");
  const outcome<std::string> kept = keep_tuning(std::filesystem::path(file) / "tunings.json", load, some_tuning());
  ASSERT_FALSE(kept.ok());
  EXPECT_EQ(kept.error().words, "The tuning cannot be kept: " + file + ": Not a directory.");
  EXPECT_EQ(keep_tuning({}, load, some_tuning()).error().words,
            "The tuning cannot be kept: neither HOME nor XDG_CACHE_HOME is set.");
  EXPECT_FALSE(load_tuning({}, question()).found);
  EXPECT_EQ(load_tuning({}, question()).note, "");
  EXPECT_EQ(tuning_path("/there"), "/there/tunings.json");
}

}  // namespace
}  // namespace pivotscope
