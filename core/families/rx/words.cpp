#include "core/families/rx/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/families/rx/rx.hpp"
#include "core/index/answer_words.hpp"
#include "core/index/box_words.hpp"
#include "core/index/scene_model.hpp"

namespace pivotscope {
namespace {

constexpr std::string_view beam_words[most_beams] = {"the range's part of its first row",
                                                     "the rows behind it in that plane", "the planes between",
                                                     "the rows of the last plane", "the last row"};

class rx_teller {
 public:
  rx_teller(lookup_trace& trace, const stored_index& index) : trace_(trace), view_(index.state_as<rx_view>()) {}

  void tell() {
    if (!trace_.steps.empty()) {
      const std::string place = place_words(view_.grid.of(trace_.key));
      trace_.start =
          trace_.range
              ? fmt::format("{} is at {} in the scene. A beam of rays along x: {}.", trace_.key, place, beam_words[0])
              : fmt::format("{} is at {} in the scene. A ray along x goes through that place.", trace_.key, place);
    }
    for (std::size_t i = 0; i < trace_.steps.size(); ++i)
      tell_step(trace_.steps[i], i + 1 < trace_.steps.size() ? &trace_.steps[i + 1] : nullptr);
    trace_.verdict = answer_words(trace_);
  }

 private:
  beam_of_range beam_now() const {
    return beam_number(view_.grid, trace_.key, std::min(trace_.range->high, view_.greatest), beam_);
  }
  static bool begins(const trace_step& step) { return step.level == 0; }

  void tell_step(trace_step& step, const trace_step* next) {
    const bool boxes = step.accesses.front().array == rx::scene.boxes;
    const u64 first = step.compared.front().slot, count = step.compared.size();
    const std::string run = count == 1 ? std::to_string(first) : fmt::format("{} to {}", first, first + count - 1);
    step.where = boxes ? fmt::format("level {}, box{} {}", step.level, count == 1 ? "" : "es", run)
                       : fmt::format("triangle{} {}", count == 1 ? "" : "s", run);
    const comparison& last = step.compared.back();
    const char* const who = trace_.range ? "The beam" : "The ray";
    step.left_first = 0, step.left_end = trace_.cells;
    step.left = "goes on";
    if (boxes && tell_boxes_met(step, rx::scene, who)) return;
    if (boxes)
      step.words = count == 1 ? fmt::format("{} does not meet this box.", who)
                              : fmt::format("{} meets none of these {} boxes.", who, count);
    else
      step.words = trace_.range ? beam_hits_words(step) : triangles_words(step);
    if (!next) {
      step.left = !trace_.range && trace_.row != not_found ? "found" : "end";
      const bool found = !trace_.range && trace_.row != not_found;
      step.left_first = found ? last.slot : 0, step.left_end = found ? last.slot + 1 : 0;
      if (!found) step.words += " Nothing is left to look through.";
      return;
    }
    step.next = back_words(*next);
    if (!trace_.range || !begins(*next)) return;
    do ++beam_;
    while (beam_ + 1 < most_beams && !beam_now().is_there);
    step.next = fmt::format("This beam has come to its end. The next one: {}.", beam_words[beam_]);
  }

  std::string beam_hits_words(const trace_step& step) const {
    const beam rays = beam_now().rays;
    const auto hits = std::count_if(step.compared.begin(), step.compared.end(), [&](const comparison& c) {
      return !c.keyless && rays.hits(triangle_at(view_.grid, view_.grid.of(c.key), 0, false));
    });
    return fmt::format("The beam hits {} of {}.", hits, cells_words(step));
  }

  std::string triangles_words(const trace_step& step) const {
    const comparison& last = step.compared.back();
    if (!last.keyless && last.key == trace_.key)
      return fmt::format("The ray hits triangle {}: {} is there.", last.slot, last.key);
    if (step.compared.size() > 1) return fmt::format("The ray hits none of these {}.", cells_words(step));
    return last.keyless ? "A hole: its triangle was erased." : "The ray does not hit this triangle.";
  }

  // "4 triangles", "3 triangles and a hole".
  static std::string cells_words(const trace_step& step) {
    const auto holes = std::ranges::count_if(step.compared, [](const comparison& c) { return c.keyless; });
    const auto triangles = static_cast<std::ptrdiff_t>(step.compared.size()) - holes;
    std::string words = fmt::format("{} triangle{}", triangles, triangles == 1 ? "" : "s");
    if (holes > 0) words += holes == 1 ? " and a hole" : fmt::format(" and {} holes", holes);
    return words;
  }

  lookup_trace& trace_;
  rx_view view_;
  u32 beam_ = 0;  // of a range: the one that is under way
};

}  // namespace

void tell_rx(lookup_trace& trace, const stored_index& index) { rx_teller(trace, index).tell(); }

}  // namespace pivotscope
