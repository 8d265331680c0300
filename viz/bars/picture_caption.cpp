// What stands over a panel that is a picture by itself.
#include <fmt/format.h>

#include "core/index/config_text.hpp"
#include "core/workload/question_text.hpp"
#include "viz/bars/picture_caption.hpp"
#include "viz/panels/own_data.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/state/view_state.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

// Of the others a picture has its own words: Plots is of a sweep's keys, Path begins with the key.
bool is_of_the_path(panel which) {
  switch (which) {
    case panel::tree:
    case panel::scene:
    case panel::layout:
    case panel::tile:
    case panel::warp:
    case panel::memory:
    case panel::source:
      return true;
    default:
      return false;
  }
}

}  // namespace

void picture_caption(frame& f, panel which) {
  if (!is_of_the_path(which)) return;
  const session_view& s = f.session;
  std::string of = fmt::format("{}   {}", to_line(s.choice.config), keys_in_words(s));
  {
    const text_style style(fonts().words, type::small, theme().text_dim);
    ImGui::TextUnformatted(of.c_str());
  }
  const trace_step* step = f.step();
  if (f.view.build.on || !step || !s.choice.key) return;
  const auto steps = f.trace()->steps.size();
  {
    const text_style style(fonts().words_medium, type::small, theme().accent);
    ImGui::TextUnformatted(fmt::format("looking for {}", to_text(*s.choice.key)).c_str());
  }
  ImGui::SameLine(0, px(10));
  const text_style style(fonts().words, type::small, theme().text);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(fmt::format("Step {} of {}. {}", f.view.transport.step + 1, steps, step->words).c_str());
  ImGui::PopTextWrapPos();
}

}  // namespace pivotscope::viz
