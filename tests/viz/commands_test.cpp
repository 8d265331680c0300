// The list of commands, their keys as text, and the keys that a user gives them.
#include "viz/state/commands.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "core/index/config_text.hpp"
#include "tests/support/deaf_session.hpp"
#include "viz/bars/palette.hpp"
#include "viz/state/bindings.hpp"
#include "viz/state/key_chord.hpp"
#include "viz/state/lesson.hpp"

namespace pivotscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using viz::bindings_from;
using viz::chord_from_text;

constexpr ImGuiKeyChord ctrl_key = ImGuiMod_Ctrl, shift_key = ImGuiMod_Shift;

std::size_t place_of(std::string_view id) { return viz::find_command(id).value(); }

TEST(commands, each_has_an_id_and_keys_of_its_own_and_says_what_it_does) {
  std::set<std::string> ids;
  std::set<ImGuiKeyChord> chords;
  for (const viz::command& c : viz::commands()) {
    EXPECT_TRUE(ids.insert(c.id).second) << c.id;
    EXPECT_TRUE(c.keys == ImGuiKey_None || (viz::is_chord(c.keys) && chords.insert(c.keys).second)) << c.id;
    EXPECT_GT(std::string(c.words).size(), 3u) << c.id;
    EXPECT_TRUE(c.act) << c.id;
  }
  EXPECT_FALSE(viz::find_command("no such thing"));
}

TEST(key_chords, every_one_comes_back_from_its_text) {
  std::set<std::string> texts;
  u64 count = 0;
  std::vector<int> keys;
  for (int key = ImGuiKey_Keyboard_BEGIN; key < ImGuiKey_Keyboard_END; ++key) keys.push_back(key);
  for (int sign = 0; sign < 256; ++sign) keys.push_back(sign);
  for (const int key : keys) {
    for (u32 mods = 0; mods < 16; ++mods) {
      ImGuiKeyChord chord = key;
      if (mods & 1) chord |= ImGuiMod_Ctrl;
      if (mods & 2) chord |= ImGuiMod_Shift;
      if (mods & 4) chord |= ImGuiMod_Alt;
      if (mods & 8) chord |= ImGuiMod_Super;
      if (!viz::is_chord(chord)) continue;
      const std::string text = viz::to_text(chord);
      EXPECT_TRUE(texts.insert(text).second) << text;
      std::string other = text;  // in capitals, and with + between
      for (char& c : other) c = c == ' ' ? '+' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      for (const std::string& written : {text, "  " + text + " ", other}) {
        const auto back = chord_from_text(written);
        ASSERT_TRUE(back) << written << ": " << back.error().words;
        EXPECT_EQ(*back, chord) << written;
      }
      ++count;
    }
  }
  EXPECT_GT(count, 100u * 16);
  EXPECT_EQ(viz::to_text(ImGuiKey_None), "none");
  EXPECT_EQ(*chord_from_text("none"), ImGuiKey_None);
}

TEST(key_chords, are_told_as_they_stand_on_the_keys) {
  EXPECT_EQ(viz::to_text(ctrl_key | ImGuiKey_C), "ctrl C");
  EXPECT_EQ(viz::to_text(shift_key | ImGuiKey_N), "shift n");
  EXPECT_EQ(viz::to_text(shift_key | ImGuiKey_RightArrow), "shift right");
  EXPECT_EQ(viz::to_text(ctrl_key | '+'), "ctrl +");
  EXPECT_EQ(viz::to_text('/'), "/");
  EXPECT_EQ(viz::to_text(ctrl_key | ImGuiKey_Slash), "ctrl /");
  EXPECT_EQ(viz::to_text(ImGuiKey_F5), "F5");
  EXPECT_EQ(*chord_from_text("Ctrl+="), ctrl_key | '=');
  EXPECT_EQ(*chord_from_text("ctrl /"), ctrl_key | ImGuiKey_Slash) << "X11 types a control character there";
  EXPECT_EQ(*chord_from_text("/"), '/');
}

// A letter or a digit alone is text.
TEST(commands, no_letter_and_no_digit_acts_without_a_modifier) {
  for (const viz::command& c : viz::commands()) {
    const ImGuiKeyChord key = c.keys & ~ImGuiMod_Mask_;
    const bool text = (key >= ImGuiKey_0 && key <= ImGuiKey_Z) || (key >= ImGuiKey_Keypad0 && key <= ImGuiKey_Keypad9);
    EXPECT_TRUE(!text || (c.keys & (ImGuiMod_Ctrl | ImGuiMod_Alt)) != 0) << c.id;
  }
}

TEST(key_chords, what_is_typed_is_a_sign_under_any_modifiers_but_shift) {
  EXPECT_EQ(viz::sign_typed('/', shift_key), '/') << "shift 7 on a German board";
  EXPECT_EQ(viz::sign_typed('+', ctrl_key | shift_key), ctrl_key | '+');
  for (const char none : {'a', 'Z', '0', '9', ' ', '\n', '\x7f', '\x1f'})
    EXPECT_FALSE(viz::sign_typed(static_cast<unsigned>(none), 0));
  EXPECT_FALSE(viz::sign_typed(0xFC, 0));
}

TEST(key_chords, what_is_none_is_said) {
  for (const auto& [text, words] :
       std::vector<std::pair<const char*, const char*>>{{"", "a key is missing"},
                                                        {"ctrl", "a key is missing"},
                                                        {"ctrl ++", "two keys"},
                                                        {"a b", "two keys"},
                                                        {"ctrl none", "stands alone"},
                                                        {"none a", "stands alone"},
                                                        {"strg C", "\"strg\" is no key"},
                                                        {"leftctrl", "is no key"},
                                                        {"shift /", "shift is a part of \"/\""},
                                                        {"ctrl @", "no key has \"@\" together with ctrl"},
                                                        {"\xff", "is no key"}}) {
    const auto chord = chord_from_text(text);
    ASSERT_FALSE(chord) << text;
    EXPECT_THAT(chord.error().words, HasSubstr(words)) << text;
  }
}

TEST(bindings, those_of_the_list_come_back) {
  const viz::read_bindings back = bindings_from(viz::to_written({}));
  EXPECT_EQ(back.keys, viz::bindings());
  EXPECT_THAT(back.problems, IsEmpty());
}

TEST(bindings, what_a_user_binds_is_in_force_and_the_rest_stays) {
  const viz::read_bindings read = bindings_from({{"step-on", "l"}, {"theme", "ctrl shift T"}, {"measure", "none"}});
  EXPECT_THAT(read.problems, IsEmpty());
  EXPECT_EQ(read.keys.of(place_of("step-on")), ImGuiKey_L);
  EXPECT_EQ(read.keys.of(place_of("measure")), ImGuiKey_None);
  EXPECT_EQ(read.keys.of(place_of("step-back")), ImGuiKey_LeftArrow);
  EXPECT_TRUE(read.keys.is_own(place_of("theme")));
  EXPECT_EQ(read.keys.command_of(ctrl_key | shift_key | ImGuiKey_T), place_of("theme"));
  EXPECT_EQ(read.keys.command_of(ctrl_key | ImGuiKey_M), std::nullopt);
  EXPECT_EQ(read.keys.command_of(ImGuiKey_None), std::nullopt);
  EXPECT_EQ(bindings_from(viz::to_written(read.keys)).keys, read.keys);
}

TEST(bindings, two_may_change_places) {
  const viz::read_bindings read = bindings_from({{"step-on", "left"}, {"step-back", "right"}});
  EXPECT_THAT(read.problems, IsEmpty());
  EXPECT_EQ(read.keys.command_of(ImGuiKey_LeftArrow), place_of("step-on"));
}

TEST(bindings, what_cannot_be_used_is_left_out_and_said) {
  const viz::read_bindings read = bindings_from(
      {{"fidn-slot", "x"}, {"fit", "wrong"}, {"build", "ctrl m"}, {"theme", "x"}, {"motion", "x"}, {"play", "p"}});
  EXPECT_THAT(read.problems, ElementsAre("\"fidn-slot\" is no command", "of fit, \"wrong\" is no key",
                                         "measure and build both have ctrl M, and it stays with the first",
                                         "theme and motion both have x, and it stays with the first"));
  EXPECT_EQ(read.keys.of(place_of("build")), ctrl_key | ImGuiKey_B);
  EXPECT_EQ(read.keys.of(place_of("motion")), ImGuiKey_None);
  EXPECT_EQ(read.keys.of(place_of("theme")), ImGuiKey_X);
  EXPECT_EQ(read.keys.of(place_of("play")), ImGuiKey_P);
}

class palette_model : public ::testing::Test {
 protected:
  class takes_configs final : public testing::deaf_session {
   public:
    void choose_config(const index_config& config) override { chosen = config; }
    std::optional<index_config> chosen;
  };
  viz::session_view session;
  takes_configs act;
  testing::no_bytes bytes;
  viz::view_state view;
  viz::frame f{session, act, bytes, view};

  std::string best(const std::string& sought) {
    const auto entries = viz::palette_entries(f);
    const auto found = viz::palette_found(entries, sought);
    return found.empty() ? "" : entries[found.front()].words;
  }
  void run(const std::string& words) {
    for (const viz::palette_entry& entry : viz::palette_entries(f))
      if (entry.words == words) return entry.act(f);
    FAIL() << words;
  }
};

TEST_F(palette_model, finds_by_letters_in_their_order) {
  EXPECT_EQ(best("eo+ks"), "method EO+KS");
  EXPECT_EQ(best("ptree"), "panel Tree");
  EXPECT_EQ(best("mea"), "Measure: repeat the lookups and take the median");
  EXPECT_EQ(best("fanout 9"), "fanout 9");  // with what else it needs
  EXPECT_EQ(best("EASURE"), "Measure: repeat the lookups and take the median");
  EXPECT_EQ(best("qqq"), "");
  const auto entries = viz::palette_entries(f);
  EXPECT_EQ(viz::palette_found(entries, "").size(), entries.size());
  EXPECT_EQ(viz::palette_found(entries, "  ").size(), entries.size());
  EXPECT_THAT(viz::palette_found(entries, std::string(1000, 'e')), IsEmpty());
}

TEST_F(palette_model, shows_the_keys_that_are_in_force_and_what_is_not_possible) {
  view.keys.bind(place_of("measure"), ctrl_key | ImGuiKey_K);
  for (const viz::palette_entry& entry : viz::palette_entries(f)) {
    if (!entry.words.starts_with("Measure")) continue;
    EXPECT_EQ(entry.keys, "ctrl K");
    EXPECT_FALSE(entry.possible) << "there is no index";
  }
}

TEST_F(palette_model, does_what_it_says) {
  auto lessons = std::make_shared<std::vector<viz::lesson>>(1);
  lessons->front().title = "Eytzinger order";
  view.lessons.all = lessons;
  view.open.fill(false);
  run("panel Warp");
  EXPECT_TRUE(view.open[static_cast<std::size_t>(viz::panel::warp)]);
  EXPECT_EQ(view.focus, viz::panel::warp);
  run("method EO+KS");
  ASSERT_TRUE(act.chosen);
  EXPECT_EQ(to_line(*act.chosen), "EO+KS");
  run("Light on dark, or dark on light");
  EXPECT_TRUE(view.light);
  run("Arrange the panels to tune");
  EXPECT_EQ(view.preset, 2);
  EXPECT_EQ(best("lessoney"), "lesson Eytzinger order");
}

}  // namespace
}  // namespace pivotscope
