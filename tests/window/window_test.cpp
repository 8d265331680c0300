// What a person does with the window, and what the session must then be.
#include <fmt/format.h>

#include <algorithm>

#include "app/files/scenario_text.hpp"
#include "core/families/ordered/mapping.hpp"
#include "core/index/axes.hpp"
#include "core/index/check.hpp"
#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/ordered.hpp"
#include "tests/window/window_driver.hpp"
#include "viz/parts/strip.hpp"

namespace pivotscope {
namespace {

using viz::panel;

using testing::config_of;

TEST_F(window_test, FirstStartShowsThePapersExampleWithAPath) {
  open();
  ASSERT_TRUE(until_settled());
  const viz::session_view v = now();
  EXPECT_EQ(to_line(v.choice.config), "EO+BS");
  EXPECT_EQ(shape_of(*v.index).keys, 14u);
  ASSERT_TRUE(v.path);
  EXPECT_EQ(v.path->trace.key, 9u);
  EXPECT_NE(v.path->trace.row, not_found);
  EXPECT_EQ(v.runs->back().record.check.wrong, 0u);
  EXPECT_EQ(v.runs->back().record.check.checked, v.choice.load.lookups);
  EXPECT_TRUE(v.notices.empty());
}

TEST_F(window_test, EveryPanelOpensClosesAndOpensAgain) {
  open();
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    for (const char* name : viz::panel_names) {
      hand.WindowFocus(fmt::format("//{}", name).c_str());
      hand.Yield(3);
      EXPECT_TRUE(hand.WindowInfo(fmt::format("//{}", name).c_str()).Window->Active) << name;
    }
    for (std::size_t i = 0; i < viz::panel_count; ++i) {
      view().open[i] = false;
      hand.Yield(2);
      view().open[i] = true;
      hand.Yield(2);
    }
    hand.KeyPress(ImGuiKey_F1);
    hand.Yield(3);
    EXPECT_TRUE(view().show_keys);
  });
  take_picture("keys");
}

TEST_F(window_test, OrderAndFanoutRebuildTheIndex) {
  open();
  ASSERT_TRUE(until_settled());
  view().motion = true;  // cells glide
  perform([&](ImGuiTestContext& hand) {
    for (const std::string& method : method_names()) {
      hand.ItemClick(panel_item(panel::index, "method/" + method).c_str());
      ASSERT_TRUE(until_settled());
      EXPECT_EQ(method_name(now().index->config()), method);
      EXPECT_TRUE(method != "PACKED" || to_line(now().index->config()) == "PACKED leaf=32 lanes=1 fill=105")
          << "the name alone";
    }
    hand.ItemClick(panel_item(panel::index, "method/AO+PB+KS").c_str());
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(knobs_of(now().index->config()).order, order_kind::pivot_buffer);
    for (const char* fanout : {"3", "17", "5"}) {
      hand.ItemClick(panel_item(panel::index, std::string("fanout/") + fanout).c_str());
      ASSERT_TRUE(until_settled());
      EXPECT_EQ(knobs_of(now().index->config()).fanout, static_cast<u32>(std::stoul(fanout)));
      EXPECT_EQ(now().runs->back().record.check.wrong, 0u);
    }
    hand.ItemClick(panel_item(panel::index, "fanout/more").c_str());
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(knobs_of(now().index->config()).fanout, 6u);
    hand.ItemClick(panel_item(panel::index, "layout/soa").c_str());
    hand.ItemClick(panel_item(panel::index, "keys/u64").c_str());
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(knobs_of(now().index->config()).layout, entry_layout::soa);
    EXPECT_EQ(now().index->config().keys, key_width::u64);
    EXPECT_GT(now().index->bytes(ordered_region::rows), 0u);
  });
}

TEST_F(window_test, ARefusedValueTakesTheNearestLegalConfig) {
  open();
  ASSERT_TRUE(until_settled());
  ASSERT_EQ(knobs_of(now().choice.config).fanout, 2u);
  index_config wanted = now().choice.config;
  ASSERT_TRUE(find_axis("lanes")->set(wanted, "8"));
  ASSERT_TRUE(check(wanted)) << "8 lanes of a binary search should be refused";
  perform([&](ImGuiTestContext& hand) { hand.ItemClick(panel_item(panel::index, "lanes/8").c_str()); });
  ASSERT_TRUE(until_settled());
  EXPECT_FALSE(check(now().choice.config));
  EXPECT_EQ(knobs_of(now().choice.config).lanes, 8u);
  EXPECT_GE(knobs_of(now().choice.config).fanout, 9u);
}

TEST_F(window_test, APathIsSteppedToItsEndAndBackToItsStart) {
  open();
  ASSERT_TRUE(until_settled());
  ASSERT_EQ(step(), 0u);
  const u32 last = steps() - 1;
  ASSERT_GE(last, 2u);
  perform([&](ImGuiTestContext& hand) {
    for (u32 i = 0; i < last + 3; ++i) hand.KeyPress(ImGuiKey_RightArrow);  // past the end changes nothing
    EXPECT_EQ(step(), last);
    for (u32 i = 0; i < last + 3; ++i) hand.KeyPress(ImGuiKey_LeftArrow);
    EXPECT_EQ(step(), 0u);
    hand.KeyPress(ImGuiKey_End);
    EXPECT_EQ(step(), last);
    hand.KeyPress(ImGuiKey_Home);
    EXPECT_EQ(step(), 0u);
    hand.ItemClick("//transport/on");
    EXPECT_EQ(step(), 1u);
    hand.ItemClick("//transport/last");
    EXPECT_EQ(step(), last);
    hand.ItemClick("//transport/first");
    EXPECT_EQ(step(), 0u);
    view().transport.steps_per_second = 20;
    hand.KeyPress(ImGuiKey_Space);
    EXPECT_TRUE(view().transport.playing);
    EXPECT_TRUE(until([&] { return step() == last; }));
    EXPECT_TRUE(until([&] { return !view().transport.playing; }));
    // The list of steps is another way to each of them.
    hand.WindowFocus("//Path");
    hand.ItemClick(panel_item(panel::path, "$$1/step").c_str());
    EXPECT_EQ(step(), 1u);
  });
}

TEST_F(window_test, AMissingKeyIsWalkedToItsMiss) {
  open();
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Path");
    hand.ItemInputValue(panel_item(panel::path, "##key").c_str(), "8");
  });
  ASSERT_TRUE(until([&] { return now().path && now().path->trace.key == 8; }));
  EXPECT_EQ(now().path->trace.row, not_found);
  EXPECT_EQ(now().choice.key, 8u);
  perform([&](ImGuiTestContext& hand) { hand.KeyPress(ImGuiKey_End); });
  take_picture("miss");
}

TEST_F(window_test, KeysThatAreNoneAreToldSoAndChangeNothing) {
  open();
  ASSERT_TRUE(until_settled());
  const char* nonsense[] = {"4294967296", "99999999999999999999999", "nine", "--9", "9.5", "0x", "12 34"};
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Path");
    for (const char* text : nonsense) {
      hand.ItemInputValue(panel_item(panel::path, "##key").c_str(), text);
      hand.Yield(3);
      EXPECT_FALSE(view().key.problem.empty()) << text;
      EXPECT_EQ(now().choice.key, 9u) << text;
    }
    hand.ItemInputValue(panel_item(panel::path, "##key").c_str(), "0xA");
    EXPECT_TRUE(until([&] { return now().choice.key == 10u; }));
    EXPECT_TRUE(view().key.problem.empty()) << view().key.problem;
  });
}

TEST_F(window_test, KeysAreDrawnAtRandomAsHitsAndAsMisses) {
  window_options start;
  start.load = uniform_keys(1 << 12);
  start.config = config_of("AO+PB+KS");
  open(start);
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Path");
    for (const bool hit : {true, false, true, false}) {
      const auto before = now().choice.key;
      hand.ItemClick(panel_item(panel::path, hit ? "hit" : "miss").c_str());
      ASSERT_TRUE(
          until([&] { return now().choice.key != before && now().path && now().path->trace.key == now().choice.key; }));
      EXPECT_EQ(now().path->trace.row != not_found, hit);
    }
  });
}

TEST_F(window_test, AClickOnACellLooksForItsKey) {
  open();
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.MouseMove(panel_item(panel::layout, "lower").c_str());
    const ImRect area = hand.ItemInfo(panel_item(panel::layout, "lower").c_str()).RectFull;
    const viz::strip_camera& camera = view().layout.lower.camera;
    const u64 slot = 3;
    hand.MouseMoveToPos({area.Min.x + static_cast<float>(camera.x_of(slot + 0.5)), area.GetCenter().y});
    hand.Yield(2);
    EXPECT_TRUE(view().pointed.rank);
    hand.MouseClick();
    const u64 rank = entry_rank(now().index->config(), shape_of(*now().index), slot);
    ASSERT_TRUE(until([&] { return now().choice.key != 9u; }));
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().path->trace.slot, entry_slot(now().index->config(), shape_of(*now().index), rank));
  });
}

TEST_F(window_test, TheArrayZoomsFromOneCellToAllOfAMillionKeys) {
  window_options start;
  start.load = uniform_keys(1 << 20);
  start.config = config_of("EO+KS");
  open(start);
  ASSERT_TRUE(until_settled());
  ASSERT_TRUE(view().layout.lower.camera.shows_all());
  take_picture("far");
  perform([&](ImGuiTestContext& hand) {
    for (const char* row : {"lower", "upper"}) {
      viz::strip_camera& camera = (std::string(row) == "lower" ? view().layout.lower : view().layout.upper).camera;
      hand.MouseMove(panel_item(panel::layout, row).c_str());
      for (int i = 0; i < 40 && !viz::shows_cells(camera); ++i) hand.MouseWheelY(4);
      hand.Yield(2);
      take_picture(std::string("cells-") + row);
      // One cell is as wide as nine tenths of the row; of its neighbours, parts.
      for (int i = 0; i < 60 && camera.end_visible() - camera.first_visible() > 3; ++i) hand.MouseWheelY(4);
      hand.Yield(2);
      EXPECT_LE(camera.end_visible() - camera.first_visible(), 3u) << row;
      take_picture(std::string("one-cell-") + row);
      const double left = camera.left();
      hand.MouseDown();
      hand.MouseMoveToPos({ImGui::GetIO().MousePos.x - 200, ImGui::GetIO().MousePos.y});
      hand.MouseUp();
      EXPECT_GT(camera.left(), left) << "a drag to the left shows what lies to the right";
      hand.MouseDoubleClick();
      EXPECT_TRUE(until([&] { return camera.shows_all(); }));
      EXPECT_TRUE(until_settled());
    }
    // Between far and near no frame is costly: what is drawn is by pixels, not by slots.
    hand.MouseMove(panel_item(panel::layout, "upper").c_str());
    int most = 0;
    for (int i = 0; i < 30; ++i) {
      hand.MouseWheelY(1);
      most = std::max(most, ImGui::GetIO().MetricsRenderVertices);
    }
    EXPECT_LT(most, 60'000) << "vertices of a frame";
  });
}

TEST_F(window_test, ADoubleClickFitsAndNothingElse) {
  open();
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    viz::strip_camera& camera = view().layout.lower.camera;
    hand.KeyPress(ImGuiKey_RightArrow);
    const u32 before = step();
    ASSERT_GT(before, 0u);
    hand.MouseMove(panel_item(panel::layout, "lower").c_str());
    for (int i = 0; i < 3; ++i) hand.MouseWheelY(4);
    ASSERT_TRUE(until([&] { return !camera.shows_all(); }));
    hand.MouseDoubleClick();
    ASSERT_TRUE(until([&] { return camera.shows_all(); }));
    ASSERT_TRUE(until([&] { return now().choice.key == question(9) && !view().opening; }));
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(step(), before);
    // One click alone takes the cell's key.
    hand.MouseMove(panel_item(panel::layout, "lower").c_str());
    hand.MouseClick();
    ASSERT_TRUE(until([&] { return now().choice.key != question(9); }));
  });
}

TEST_F(window_test, SearchGoesToASlotAByteAndAKey) {
  window_options start;
  start.load = uniform_keys(1 << 16);
  start.config = config_of("EO+BS");
  open(start);
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    const viz::strip_camera& camera = view().layout.lower.camera;
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_G);
    hand.Yield(2);
    hand.KeyChars("40000");  // a plain number, as a person types it: what stood in the field goes
    hand.KeyPress(ImGuiKey_Enter);
    EXPECT_TRUE(until(
        [&] { return camera.first_visible() <= 40000 && camera.end_visible() > 40000 && viz::shows_cells(camera); }));
    hand.ItemInputValue(panel_item(panel::layout, "##find").c_str(), "@0x800");
    EXPECT_TRUE(until([&] { return camera.first_visible() <= 256 && camera.end_visible() > 256; }));
    hand.ItemInputValue(panel_item(panel::layout, "##find").c_str(), "slot 70000");
    EXPECT_TRUE(until([&] { return !now().notices.empty(); })) << "there is no such slot";
    const u64 key = now().keys->set->keys()[77];
    hand.ItemInputValue(panel_item(panel::layout, "##find").c_str(), std::to_string(key).c_str());
    ASSERT_TRUE(until([&] { return now().path && now().path->trace.key == key; }));
    EXPECT_TRUE(until([&] {
      return camera.first_visible() <= now().path->trace.slot && camera.end_visible() > now().path->trace.slot;
    }));
  });
  take_picture("found");
}

TEST_F(window_test, AScenarioIsCopiedAndPasted) {
  open();
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.MouseTeleportToPos({4, 4});
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
    hand.Yield(2);
    const std::string copied = ImGui::GetClipboardText();
    EXPECT_EQ(copied, bench_->scenario_line() + " panel=layout") << "what is looked at: sight_test.cpp";
    const outcome<scenario_text> parsed = scenario_from_line(copied);
    ASSERT_TRUE(parsed.ok()) << parsed.error().words;
    EXPECT_EQ(*parsed->config, now().choice.config);
    EXPECT_EQ(*parsed->load, now().choice.load);
    EXPECT_EQ(parsed->key, 9u);

    ImGui::SetClipboardText(
        "AO+PB+KS fanout=5 layout=soa keys=u64 keys=2^10 distribution=dense seed=3 lookups=100 hits=0.5 lookup=77\n");
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
    ASSERT_TRUE(until([&] { return now().choice.load.keys == 1024; }));
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(knobs_of(now().index->config()).fanout, 5u);
    EXPECT_EQ(now().index->config().keys, key_width::u64);
    EXPECT_EQ(now().choice.key, 77u);
    EXPECT_NE(now().path->trace.row, not_found);

    const viz::session_choice before = now().choice;
    for (const char* garbage : {"", "hello world", "EO+KS fanout=99", "keys=5000000000", "EO+KS lookup=nine",
                                "\x01\x02\xff\xfe", "lookup=--1", "EO+KS fanout=9 colour=red", "EO+BS pivots=9"}) {
      const std::size_t notices = now().notices.size();
      ImGui::SetClipboardText(garbage);
      hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
      EXPECT_TRUE(until([&] { return now().notices.size() == notices + 1; })) << garbage;
      EXPECT_EQ(now().choice, before) << garbage;
      while (!now().notices.empty()) state().dismiss(0);
    }
  });
}

TEST_F(window_test, NoticesStayUntilTheyAreRead) {
  open();
  ASSERT_TRUE(until_settled());
  state().tell({"Something is wrong. This is what to do about it.", true});
  state().tell({"Something is wrong. This is what to do about it.", true});
  draw_frames(3);
  EXPECT_EQ(now().notices.size(), 1u);
  take_picture("notice");
  perform([&](ImGuiTestContext& hand) { hand.ItemClick("//notices/$$0/dismiss"); });
  EXPECT_TRUE(now().notices.empty());
}

TEST_F(window_test, SmallAndLargeWindowsKeepEveryPanelUsable) {
  open();
  ASSERT_TRUE(until_settled());
  const std::pair<int, int> sizes[] = {{480, 320}, {900, 620}, {3200, 1800}, {1280, 800}};
  for (const auto& [width, height] : sizes) {
    window_->resize(width, height);
    draw_frames(3);
    for (const int preset : {1, 2}) {
      view().preset = preset;
      view().reset_layout = true;
      draw_frames(8);
      take_picture(fmt::format("{}x{}-{}", width, height, preset == 1 ? "learn" : "tune"));
    }
  }
  EXPECT_TRUE(now().notices.empty());
}

TEST_F(window_test, ARealWindowOpensAndResizes) {
  open({}, 1200, 800, false);
  ASSERT_TRUE(until_settled());
  take_picture("real-window");
  window_->resize(700, 500);
  ASSERT_TRUE(until([&] { return window_->last_frame().width == 700; }));
  take_picture("real-window-small");
}

TEST_F(window_test, PresetsInBothThemes) {
  window_options start;
  start.config = config_of("EO+KS fanout=3");
  start.key = 7;
  open(start);
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.KeyPress(ImGuiKey_RightArrow);
    for (const bool light : {false, true}) {
      if (view().light != light) hand.ItemClick("//top line/theme");
      EXPECT_EQ(view().light, light);
      hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_1);
      hand.Yield(10);
      hand.MouseTeleportToPos({4, 4});
      EXPECT_EQ(view().preset, 1);
      take_picture(std::string("learn-") + (light ? "light" : "dark"));
      hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_2);
      hand.Yield(10);
      EXPECT_EQ(view().preset, 2);
      take_picture(std::string("tune-") + (light ? "light" : "dark"));
    }
  });
}

TEST_F(window_test, EmptyAndTinyKeySetsAreDrawn) {
  open();
  ASSERT_TRUE(until_settled());
  for (const std::string& method : method_names()) {
    for (const u64 n : {0, 1, 2, 3}) {
      state().choose_config(config_of(method));
      state().choose_workload(uniform_keys(n, 16));
      ASSERT_TRUE(until_settled()) << method << " " << n;
      EXPECT_EQ(now().index->keys(), n);
      draw_frames(3);
    }
  }
  EXPECT_TRUE(now().notices.empty()) << now().notices.front().words;
  state().choose_workload(uniform_keys(0, 0));
  ASSERT_TRUE(until_settled());
  take_picture("empty");
}

TEST_F(window_test, TheWorkloadIsTyped) {
  open();
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Workload");
    hand.ItemInputValue(panel_item(panel::workload, "keys/##keys").c_str(), "2^15");
    ASSERT_TRUE(until([&] { return now().choice.load.keys == 1u << 15; }));
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(shape_of(*now().index).keys, 1u << 15);
    hand.ItemInputValue(panel_item(panel::workload, "keys/##keys").c_str(), "5000000000");
    hand.Yield(3);
    EXPECT_FALSE(view().keys_count.problem.empty());
    EXPECT_EQ(now().choice.load.keys, 1u << 15);
    hand.ItemClick(panel_item(panel::workload, "dense").c_str());
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().choice.load.dist, distribution::dense);
    hand.ItemClick(panel_item(panel::workload, "50%").c_str());
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().choice.load.hits, 0.5);
  });
}

}  // namespace
}  // namespace pivotscope
