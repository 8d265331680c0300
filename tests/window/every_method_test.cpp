// Fill, Probes, Updates and Tile say something of every method, and count nothing that would take half a minute.
#include <fmt/format.h>

#include "core/index/config_text.hpp"
#include "tests/window/window_driver.hpp"
#include "viz/models/tile_model.hpp"

namespace pivotscope {
namespace {

using viz::panel;

class every_method : public window_test {
 protected:
  void open_with(const char* config, u64 keys) {
    window_options start;
    start.config = *typed_config_from_line(config);
    start.load = uniform_keys(keys, 4096);
    open(start);
    ASSERT_TRUE(until_settled());
    draw_frames(12);  // until the arrangement has its panels in front
  }
  std::string words_in(panel which) {
    std::string all;
    for (const drawn_text& t : watch_.texts())
      if (t.window == viz::name_of(which)) all += t.words + " ";
    return all;
  }
  std::string shown(panel which) {
    view().focus = which;
    draw_frames(40);
    return words_in(which);
  }
};

TEST_F(every_method, OfATreeTheyShowStepsLevelsAndWhatBuildingTakes) {
  open_with("EO+BS", 1 << 14);
  const std::string probes = shown(panel::probes), fill = shown(panel::fill);
  EXPECT_NE(probes.find("Steps a lookup takes"), std::string::npos) << probes;
  EXPECT_NE(probes.find("steps on average"), std::string::npos) << probes;
  take_picture("probes-of-a-tree");
  EXPECT_NE(fill.find("Cells by level"), std::string::npos) << fill;
  EXPECT_NE(fill.find("level 13 2^13, 50%"), std::string::npos) << fill;
  take_picture("fill-of-a-tree");
  const std::string updates = shown(panel::updates);
  EXPECT_NE(updates.find("It is built anew"), std::string::npos) << updates;
  EXPECT_NE(updates.find("from 2^14 keys that took"), std::string::npos) << updates;
  take_picture("updates-of-a-tree");
}

TEST_F(every_method, AProbeSequenceOfManyWindowsSaysWhatItsLastBarGathers) {
  open_with("HT+OA lanes=1 window=4 probing=linear load=95", 1 << 12);
  const std::string probes = shown(panel::probes);
  EXPECT_NE(probes.find("24+"), std::string::npos) << probes;
  EXPECT_NE(probes.find("The last bar, 24+, gathers 24 and more, up to "), std::string::npos) << probes;
  take_picture("probes-beyond");
}

TEST_F(every_method, ATileOfSearchesFromEndToEndIsNotCounted) {
  open_with("PLAIN", 1 << 16);
  const std::string tile = shown(panel::tile);
  EXPECT_NE(tile.find("more than is worth counting"), std::string::npos) << tile;
  EXPECT_FALSE(view().tile.study && !view().tile.study->complete()) << "nothing is being counted";
  take_picture("tile-of-plain");
}

TEST_F(every_method, OneKeyIsOneKey) {
  open_with("EO+BS", 1);
  std::string all;
  for (const drawn_text& t : watch_.texts()) all += t.words + "\n";
  EXPECT_EQ((" " + all).find("\n1 keys"), std::string::npos) << all;
  EXPECT_NE(all.find("1 key, uniform"), std::string::npos) << all;
}

}  // namespace
}  // namespace pivotscope
