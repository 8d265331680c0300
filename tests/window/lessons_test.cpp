// Every lesson is gone through as a reader would: each deed is done with mouse and keyboard, and noticed then and not
// before; what a step points at is there.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui_internal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "tests/window/lesson_claims.hpp"
#include "tests/window/window_driver.hpp"
#include "viz/models/tile_model.hpp"
#include "viz/models/warp_model.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/state/lesson_progress.hpp"

namespace pivotscope {
namespace {

using viz::panel;

class lessons_test : public window_test {
 protected:
  const std::vector<viz::lesson>& all() { return *view().lessons.all; }
  const viz::lesson& in_view() { return all()[*view().lessons.current]; }
  const viz::lesson_step& step_in_view() { return in_view().steps[view().lessons.step]; }
  bool noticed() { return view().lessons.noticed[view().lessons.step]; }

  // What stands in the part of the panel that scrolls.
  ImGuiID in_prose(const std::string& item) {
    ImGuiWindow* lesson = ImGui::FindWindowByName("Lesson");
    for (ImGuiWindow* child : lesson->DC.ChildWindows)
      if (std::string_view(child->Name).find("prose") != std::string_view::npos) return child->GetID(item.c_str());
    return 0;
  }

  void type(ImGuiTestContext& hand, panel where, const char* field, const char* words) {
    hand.WindowFocus(fmt::format("//{}", viz::name_of(where)).c_str());
    hand.ItemInputValue(panel_item(where, field).c_str(), words);
  }

  void click(ImGuiTestContext& hand, panel where, const std::string& item) {
    hand.WindowFocus(fmt::format("//{}", viz::name_of(where)).c_str());
    hand.ItemClick(panel_item(where, item).c_str());
  }

  void make_it_so(ImGuiTestContext& hand, const viz::lesson_condition& c) {
    const auto highlights = [&](const char* item) {
      const auto& list = step_in_view().highlights;
      return std::any_of(list.begin(), list.end(), [&](const auto& h) { return h.item == item; });
    };
    if (c.fact == "step") {
      hand.KeyPress(c.value == "last" ? ImGuiKey_End : ImGuiKey_Home);
      for (int i = 1; c.value != "last" && i < std::stoi(c.value); ++i) hand.KeyPress(ImGuiKey_RightArrow);
    } else if (c.fact == "access") {
      hand.ItemClick("//Interleave/**/end");
    } else if (c.fact == "switches") {
      hand.ItemClick("//Interleave/**/$$2/access");
      hand.ItemClick("//Interleave/**/let 1 go on");
    } else if (c.fact == "build") {
      while (view().build.at.slot < std::stoull(c.value)) hand.KeyPress(ImGuiKey_RightArrow);
    } else if (c.fact == "panel") {
      const auto same = [&](const char* name) { return ImStricmp(name, c.value.c_str()) == 0; };
      hand.WindowFocus(
          fmt::format("//{}", *std::find_if(viz::panel_names.begin(), viz::panel_names.end(), same)).c_str());
    } else if (c.fact == "points") {
      hand.MouseMove(
          panel_item(c.value == "key" ? panel::layout : panel::memory, c.value == "key" ? "lower" : "rows").c_str());
    } else if (c.fact == "keys") {
      type(hand, panel::workload, "keys/##keys", c.value.c_str());
    } else if (c.fact == "lookup") {
      type(hand, panel::path, "##key", "100..400");
    } else if (c.fact == "found") {
      type(hand, panel::path, "##key", "2000");
    } else if (c.fact == "order") {
      click(hand, panel::warp, c.value);
    } else if (c.fact == "round") {
      click(hand, panel::warp, "round after");
    } else if (c.fact == "required") {
      click(hand, panel::advice, c.value);
    } else if (c.fact == "measured") {
      click(hand, panel::timings, "measure");
    } else if (c.fact == "boxes") {
      click(hand, panel::scene, "level " + c.value);
    } else if (c.fact == "pivots") {
      click(hand, panel::tree, "fewer levels");
    } else if (highlights("Apply")) {
      ASSERT_TRUE(until_settled());
      state().choose_config(*config_from_line("AO+BS"));
    } else if (c.fact == "reorder" && highlights("Sort the tile")) {
      click(hand, panel::tile, "sort");
    } else {
      click(hand, panel::index, c.how == viz::lesson_condition::relation::is ? c.fact + "/" + c.value : "method/AO+BS");
    }
  }

  // --- What is said ---
  struct no_slots : viz::slot_source {
    const std::vector<std::byte>* page(region_id, u64) override { return nullptr; }
  };
  static std::string listed(const std::vector<u64>& numbers) { return fmt::format("{}", fmt::join(numbers, ",")); }
  // What a claim may ask of the path, the index and the batch by a name.
  std::map<std::string, std::string> facts() {
    std::map<std::string, std::string> all;
    const auto fact = [&](const char* name, u64 number) { all[name] = std::to_string(number); };
    if (!now().index || !now().path) return all;
    const lookup_trace& trace = now().path->trace;
    const auto model = model_of(*now().index);
    fact("keys", now().index->keys()), fact("levels", model->levels()), fact("index-bytes", now().index->bytes());
    fact("cells", model->region(main_region).cells), fact("steps", trace.steps.size());
    fact("loads", trace.requests), fact("bytes", trace.bytes), fact("scratch-bytes", trace.scratch_bytes);
    fact("sectors", trace.distinct_sectors), fact("lines", trace.distinct_lines);
    fact("found", trace.range ? trace.range->answer.count : trace.row != not_found);
    if (trace.row != not_found) fact("row-id", trace.row);
    std::vector<u64> slots, left, compared, keys;
    u64 vain = 0;
    for (const trace_step& step : trace.steps) {
      slots.push_back(step.compared.empty() ? no_rank : step.compared.front().slot);
      left.push_back(step.left_end - step.left_first), compared.push_back(step.compared.size());
      for (const comparison& c : step.compared) {
        if (!c.empty && !c.keyless) keys.push_back(c.key);
        vain += step.kind != step_kind::search && !c.empty && c.met != relation::equal ? 1 : 0;
      }
    }
    all["slots"] = listed(slots), all["left"] = listed(left), all["compared"] = listed(compared);
    all["read"] = listed(keys), fact("vain", vain);
    const trace_step& shown = trace.steps[std::min<std::size_t>(step(), trace.steps.size() - 1)];
    all["where"] = shown.where, all["doubt"] = shown.doubt.empty() ? "no" : "yes";
    std::size_t scratch_steps = 0;
    for (const trace_step& one : trace.steps)
      scratch_steps +=
          std::ranges::any_of(one.accesses, [](const auto& a) { return a.space == memory_space::scratch; });
    fact("scratch-steps", scratch_steps);
    for (std::size_t r = 0; r < model->regions().size(); ++r) {
      const region_info& region = model->regions()[r];
      fact((region.id + "-cells").c_str(), region.cells), fact((region.id + "-bytes").c_str(), region.bytes());
      fact((region.id + "-cell-bytes").c_str(), region.cell_bytes);
    }
    fact("cell-bytes", model->region(main_region).cell_bytes);
    const question what = question_of(trace);
    fact("short-lines", family_of(trace.config).pseudo_code_of(trace.config, what.kind).size());
    add_facts_of_batch(fact, all);
    return all;
  }
  // Of the tile, and of the warp that Warp shows, in the order that it shows.
  template <class Fact>
  void add_facts_of_batch(const Fact& fact, std::map<std::string, std::string>& all) {
    if (const auto& tile = view().tile.study) fact("tile-lookups", tile->size());
    const auto& study = view().warp.study;
    if (!study || !study->tile()) return;
    const auto* const served = study->of(view().warp.sorted.value_or(study->tile()->reordered()));
    if (!served || served->rounds.empty()) return;
    std::vector<u64> sectors;
    const std::size_t round = std::min<std::size_t>(view().warp.round, served->rounds.size() - 1);
    for (const warp_step& one : served->rounds[round]) sectors.push_back(one.sectors.size());
    all["warp-sectors"] = listed(sectors);
    fact("warp-most", *std::max_element(sectors.begin(), sectors.end()));
    fact("warp-total", served->sectors), fact("warp-rounds", served->rounds.size());
    fact("warp-writes", served->written()), fact("warp-writes-in-order", served->written_in_order());
  }
  // Texts that a panel draws, one a line, with plain blanks.
  std::string texts_of(std::string_view window) {
    std::string all;
    for (const drawn_text& t : watch_.texts())
      if (t.window == window) all += t.words + "\n";
    for (std::size_t at = 0; (at = all.find("\u00A0", at)) != std::string::npos;) all.replace(at, 2, " ");
    return all;
  }
  // Why a claim does not hold; empty: it does. "steps = 5"; "Warp: 388 sectors", what a panel draws; "so: method=EO+BS", as a deed's
  // condition.
  std::string fault_of(const std::string& claim) {
    const std::size_t colon = claim.find(": ");
    if (claim.starts_with("not ")) return fault_of(claim.substr(4)).empty() ? "it is so" : "";
    if (claim.starts_with("so: ")) {
      const auto conditions = viz::parse_conditions(claim.substr(4), false);
      if (!conditions) return conditions.error().words;
      const viz::session_view shown = now();
      no_slots none;
      const viz::frame f{shown, state(), none, view()};
      for (const viz::lesson_condition& c : *conditions)
        if (!viz::holds(c, f)) return "it is not so";
      return {};
    }
    for (const char* const how : {" = ", " ~ "}) {
      const std::size_t at = claim.find(how);
      if (at == std::string::npos || (colon != std::string::npos && colon < at)) continue;
      const auto all = facts();
      const auto found = all.find(claim.substr(0, at));
      if (found == all.end()) return "there is no such fact";
      const std::string wanted = claim.substr(at + 3);
      const bool so = how[1] == '=' ? found->second == wanted : found->second.starts_with(wanted);
      return so ? "" : "it is " + found->second;
    }
    if (colon == std::string::npos) return "it is neither a fact nor a panel's text";
    const std::string texts = texts_of(claim.substr(0, colon));
    return texts.find(claim.substr(colon + 2)) != std::string::npos ? "" : "it draws\n" + texts;
  }
  void expect_claims(const viz::lesson& one, std::size_t i, const std::vector<std::string>& sentences) {
    const bool dumps = std::getenv("PIVOTSCOPE_DUMP_LESSONS") != nullptr;
    if (dumps) {
      std::printf("@@ %s / %zu\n", one.id.c_str(), i + 1);
      for (const std::string& sentence : sentences) std::printf("S %s\n", sentence.c_str());
      for (const auto& [name, value] : facts()) std::printf("F %s = %s\n", name.c_str(), value.c_str());
      for (const panel which : one.steps[i].show)
        std::printf("P %s\n%s", viz::name_of(which), texts_of(viz::name_of(which)).c_str());
      return;
    }
    for (const std::string& sentence : sentences) {
      const std::vector<std::string>* const claims = claims_.of(one.id, i + 1, sentence);
      EXPECT_TRUE(claims) << "lesson_claims.txt does not have the sentence: " << sentence;
      for (std::size_t c = 0; claims && c < claims->size(); ++c) {
        const std::string fault = fault_of((*claims)[c]);
        EXPECT_TRUE(fault.empty()) << sentence << "\n    " << (*claims)[c] << ": " << fault;
      }
    }
  }

  void go_through(ImGuiTestContext& hand, const viz::lesson& one, std::size_t picture_of) {
    hand.WindowFocus("//Lesson");
    hand.ItemClick(panel_item(panel::lesson, one.id).c_str());
    for (std::size_t i = 0; i < one.steps.size(); ++i) {
      SCOPED_TRACE(fmt::format("{}, step {}: {}", one.id, i + 1, one.steps[i].title));
      ASSERT_TRUE(view().lessons.current);
      ASSERT_EQ(view().lessons.step, i);
      ASSERT_TRUE(until_settled());
      ASSERT_TRUE(until([&] { return !view().lessons.settling && view().lessons.to_front.empty(); }));
      // A tile is traced frame by frame, schedules are made by a worker.
      ASSERT_TRUE(until(viz::all_spots_met)) << "what the step points at is not there";
      EXPECT_FALSE(noticed()) << "nothing has been done yet";
      const step_sentences said = sentences_of(one.steps[i]);
      for (const bool light : {true, false}) {
        view().light = light;
        ASSERT_TRUE(until(viz::all_spots_met)) << (light ? "in the light theme" : "in the dark theme");
        draw_frames(light ? 12 : 4);
        expect_claims(one, i, said.before);
      }
      EXPECT_TRUE(view().seen[static_cast<std::size_t>(panel::lesson)]) << "the words are hidden";
      for (const panel which : one.steps[i].show)
        EXPECT_TRUE(view().seen[static_cast<std::size_t>(which)]) << viz::name_of(which);
      if (i == picture_of) take_picture("lesson-" + one.id);
      for (const viz::lesson_condition& c : one.steps[i].done) make_it_so(hand, c);
      for (std::size_t a = 0; a < one.steps[i].answers.size(); ++a) {
        EXPECT_FALSE(noticed()) << "after a wrong answer";
        hand.ItemClick(in_prose(fmt::format("answer {}", a)));
        if (one.steps[i].answers[a].right) break;
      }
      ASSERT_TRUE(until([&] { return noticed(); }));
      ASSERT_TRUE(until_settled());
      draw_frames(12);
      expect_claims(one, i, said.behind);
      if (i == picture_of) take_picture("lesson-" + one.id + "-done");
      hand.MouseMove(panel_item(panel::lesson, "next").c_str());
      hand.ItemClick(panel_item(panel::lesson, "next").c_str());
    }
    EXPECT_FALSE(view().lessons.current);
    EXPECT_EQ(view().lessons.finished.back(), one.id);
    EXPECT_TRUE(now().notices.empty()) << now().notices.front().words;
  }

  static constexpr std::size_t all_others = ~std::size_t{0};
  void go_through_all(std::size_t first, std::size_t count) {
    open({}, 1440, 900);
    ASSERT_TRUE(until_settled());
    ASSERT_GE(all().size(), 15u);
    count = std::min(count, all().size() - first);
    perform([&](ImGuiTestContext& hand) {
      for (std::size_t i = first; i < first + count && !HasFatalFailure(); ++i) {
        view().light = i % 2 == 1;
        go_through(hand, all()[i], i % 4);
      }
    });
    EXPECT_EQ(bench_->to_remember().lessons_done.size(), count);
  }

  lesson_claims claims_;
};

TEST_F(lessons_test, TombstonesThatAreToldOfAreThoseThatTheSearchPassesOver) {
  open();
  ASSERT_TRUE(until_settled());
  const auto& lessons = all();
  const auto told = std::find_if(lessons.begin(), lessons.end(),
                                 [](const viz::lesson& one) { return one.id == "13-where-a-hash-leads"; });
  ASSERT_NE(told, lessons.end());
  const viz::lesson_step& step = told->steps.back();
  ASSERT_NE(step.prose.find("53 and 41 from window 7, 3 and 44 from window 8"), std::string::npos);
  ASSERT_TRUE(state().open_scenario(step.scenario));
  ASSERT_TRUE(until([&] {
    return !now().job.running && now().updates && now().updates->applied == 1 && now().path &&
           now().path->index == now().index && now().path->trace.key == 119;
  }));
  std::vector<std::vector<u64>> erased;
  for (const trace_step& one : now().path->trace.steps) {
    erased.emplace_back();
    for (const comparison& c : one.compared)
      if (c.state == cell_state::erased) erased.back().push_back(c.key);
  }
  ASSERT_EQ(erased.size(), 3u);
  EXPECT_EQ(erased[0], (std::vector<u64>{53, 41}));
  EXPECT_EQ(erased[1], (std::vector<u64>{3, 44}));
  EXPECT_TRUE(erased[2].empty());
}

TEST_F(lessons_test, TheFirstThreeAreNoticedStepByStep) { go_through_all(0, 3); }
TEST_F(lessons_test, RangesPivotsAndFanoutAreNoticedStepByStep) { go_through_all(3, 3); }
TEST_F(lessons_test, LanesPinningAndReorderingAreNoticedStepByStep) { go_through_all(6, 3); }
TEST_F(lessons_test, TheLastSixAreNoticedStepByStep) { go_through_all(9, 6); }
TEST_F(lessons_test, LaterOnesAreNoticedStepByStep) { go_through_all(15, all_others); }

// Every sentence of the file is one of the lessons', and many of them claim something.
TEST_F(lessons_test, EverySentenceThatIsHeldToSomethingIsSaid) {
  open();
  ASSERT_TRUE(until_settled());
  std::size_t sentences = 0;
  for (const viz::lesson& one : all()) {
    for (std::size_t i = 0; i < one.steps.size(); ++i) {
      const step_sentences said = sentences_of(one.steps[i]);
      for (const auto* part : {&said.before, &said.behind})
        for (const std::string& sentence : *part) {
          ++sentences;
          EXPECT_TRUE(claims_.of(one.id, i + 1, sentence)) << one.id << ", step " << i + 1 << ": " << sentence;
        }
    }
  }
  EXPECT_GT(sentences, 500u);
  EXPECT_GT(claims_.count(), 200u);
  for (const std::string& sentence : claims_.unasked()) ADD_FAILURE() << "no lesson says: " << sentence;
}

TEST_F(lessons_test, AFirstStartOffersThemAndALessonCanBeLeftAndSkipped) {
  open();
  ASSERT_TRUE(until_settled());
  EXPECT_TRUE(view().seen[static_cast<std::size_t>(panel::lesson)]);
  EXPECT_TRUE(view().seen[static_cast<std::size_t>(panel::index)]) << "the knobs stand below it";
  take_picture("lessons");
  perform([&](ImGuiTestContext& hand) {
    hand.ItemClick(panel_item(panel::lesson, "02-eytzinger").c_str());
    ASSERT_TRUE(until([&] { return view().lessons.current == 1u && !view().lessons.settling; }));
    hand.ItemClick(panel_item(panel::lesson, "next").c_str());  // skip
    EXPECT_EQ(view().lessons.step, 1u);
    hand.ItemClick(panel_item(panel::lesson, "back").c_str());
    EXPECT_EQ(view().lessons.step, 0u);
    ASSERT_TRUE(until([&] { return !view().lessons.settling; }));
    EXPECT_EQ(now().choice.config, *config_from_line("AO+BS"));
    hand.ItemClick(panel_item(panel::lesson, "$$4/step").c_str());  // a dot
    EXPECT_EQ(view().lessons.step, 4u);
    ASSERT_TRUE(until([&] { return !view().lessons.settling; }));
    EXPECT_EQ(now().choice.load.keys, 1u << 16) << "a leap sets up the scenario that holds there";
    state().choose_config(*config_from_line("AO+BS"));
    hand.ItemClick(panel_item(panel::lesson, "set up again").c_str());
    ASSERT_TRUE(until([&] { return !view().lessons.settling; }));
    EXPECT_EQ(now().choice.config, *config_from_line("EO+BS"));
    hand.ItemClick(panel_item(panel::lesson, "all lessons").c_str());
    EXPECT_FALSE(view().lessons.current);
    EXPECT_TRUE(view().lessons.finished.empty());
    // Where the words would hide the knobs, they get a place of their own.
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_2);
    draw_frames(12);
    hand.WindowFocus("//Lesson");
    hand.ItemClick(panel_item(panel::lesson, "06-k-ary").c_str());
    ASSERT_TRUE(until([&] { return !view().lessons.settling && view().seen[static_cast<std::size_t>(panel::index)]; }));
    draw_frames(12);
    EXPECT_EQ(view().preset, 1);
    EXPECT_EQ(ImGui::FindWindowByName("Lesson")->DockNode->Windows.Size, 1);
  });
  EXPECT_TRUE(now().notices.empty());
}

TEST_F(lessons_test, ATeachersOwnStandBelowAndABrokenFileIsTold) {
  const std::filesystem::path home = std::filesystem::temp_directory_path() / fmt::format("lessons-{}", ::getpid());
  std::filesystem::create_directories(home / "pivotscope" / "lessons");
  std::ofstream(home / "pivotscope/lessons/mine.md")
      << "# Mine\n## Table\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quote\n\n1. one\n2. [two](https://example.org)\n";
  std::ofstream(home / "pivotscope/lessons/broken.md") << "# Broken\n## S\nshow: nowhere\n";
  const char* before = std::getenv("XDG_CONFIG_HOME");
  const std::string kept = before ? before : "";
  ::setenv("XDG_CONFIG_HOME", home.c_str(), 1);
  reads_own_lessons_ = true;
  open();
  before ? ::setenv("XDG_CONFIG_HOME", kept.c_str(), 1) : ::unsetenv("XDG_CONFIG_HOME");
  std::filesystem::remove_all(home);
  ASSERT_TRUE(until_settled());
  EXPECT_EQ(std::count_if(all().begin(), all().end(), [](const viz::lesson& one) { return one.own; }), 1);
  EXPECT_TRUE(all().back().own);
  ASSERT_EQ(now().notices.size(), 1u);
  EXPECT_NE(now().notices[0].words.find("broken.md is left out. Its line 3: there is no panel 'nowhere'"),
            std::string::npos)
      << now().notices[0].words;
  EXPECT_FALSE(now().notices[0].fault) << "the program itself is well";
  perform([&](ImGuiTestContext& hand) {
    hand.ItemClick(panel_item(panel::lesson, "mine").c_str());
    draw_frames(5);
    ASSERT_TRUE(view().lessons.current);
    EXPECT_EQ(in_view().title, "Mine");
    take_picture("lesson-own");
    hand.ItemClick(panel_item(panel::lesson, "next").c_str());
    EXPECT_EQ(view().lessons.finished, std::vector<std::string>{"mine"}) << "read to its end";
  });
}

}  // namespace
}  // namespace pivotscope
