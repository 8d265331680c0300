#include "viz/panels/interleave_tree.hpp"

#include <imgui.h>

#include <algorithm>
#include <vector>

#include "viz/cells/seen_state.hpp"
#include "viz/models/tree_model.hpp"
#include "viz/parts/key_label.hpp"
#include "viz/parts/node_marks.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

constexpr float row_height = 72, node_height = 30, largest_cell = 46;

class met_tree {
 public:
  met_tree(const interleave_model& model, std::size_t step, ImVec2 corner, float width)
      : model_(model),
        step_(step),
        read_(model.reader(step)),
        tree_(make_tree(index(), read_)),
        places_(place_nodes(tree_, width, px(largest_cell), px(12))),
        corner_(corner) {}

  void draw() {
    ways();
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i) node(i);
    states();
  }

 private:
  const index_model& index() const { return *model_.result().model; }
  box box_of(std::size_t i) const {
    const tree_node& node = tree_.nodes[i];
    const double half = places_.cell[node.level] * node.cells / 2;
    const float x = corner_.x + static_cast<float>(places_.middle[i] - half);
    const float y = corner_.y + px(row_height) * static_cast<float>(node.level) + px(22);
    return {{x, y}, {x + static_cast<float>(2 * half), y + px(node_height)}};
  }
  float cell_width(const tree_node& node) const { return static_cast<float>(places_.cell[node.level]); }

  void ways() {
    std::vector<node_link> links;
    index().links_of(tree_.nodes, read_, links);
    for (const node_link& link : links) {
      const box from = box_of(link.from), to = box_of(link.to);
      const ImU32 ink = theme().text_faint;
      if (tree_.nodes[link.from].level == tree_.nodes[link.to].level)
        draw_side_link(draw_, {from.high.x - cell_width(tree_.nodes[link.from]) / 2, from.high.y + px(3)},
                       {to.low.x + cell_width(tree_.nodes[link.to]) / 2, to.high.y + px(3)}, px(14), ink, px(1.25f));
      else
        draw_link(draw_,
                  {from.low.x + cell_width(tree_.nodes[link.from]) * (static_cast<float>(link.gap) + 0.5f),
                   from.high.y + px(2)},
                  {to.middle().x, to.low.y - px(3)}, ink, px(1.25f));
    }
  }
  // What the access that is shown does to a cell, or to what lies beside it.
  access_mark mark_of(cell_ref at) const {
    if (step_ == 0) return access_mark::none;
    const shared_access& last = model_.result().run.accesses[step_ - 1];
    const region_info& region = index().region(last.region);
    if (last.what == shared_access::kind::fence || region.beside.value_or(last.region) != at.region)
      return access_mark::none;
    const u64 first = at.cell * region.cell_bytes;
    if (last.byte + last.bytes <= first || first + region.cell_bytes <= last.byte) return access_mark::none;
    return model_.writes(step_ - 1) ? access_mark::written : access_mark::read;
  }
  void node(std::size_t i) {
    const tree_node& node = tree_.nodes[i];
    const box whole = box_of(i);
    const float width = cell_width(node);
    std::vector<u64> keys;
    std::vector<std::optional<u64>> of(node.cells);
    for (u32 c = 0; c < node.cells; ++c) {
      const auto value = index().value_of({node.region, node.cell(c)}, read_);
      if (value && value->key) of[c] = value->key;
      if (of[c]) keys.push_back(*of[c]);
    }
    const key_labels labels(keys, width - px(4), 14, px(node_height - 4));
    for (u32 c = 0; c < node.cells; ++c) {
      const cell_ref at{node.region, node.cell(c)};
      const box cell{{whole.low.x + width * static_cast<float>(c), whole.low.y},
                     {whole.low.x + width * static_cast<float>(c + 1) - px(2), whole.high.y}};
      if (state_seen(index(), place_of(index(), at), read_).state == cell_state::empty) {
        draw_link_cell(draw_, cell, index().brief_of(at, read_));
      } else {
        const ImU32 colour = level_colour(node.level, tree_.levels);
        draw_cell(draw_, cell, colour, false);
        if (of[c]) labels.draw(draw_, cell, cell.middle().y, ink_on(colour), *of[c]);
      }
      const access_mark mark = mark_of(at);
      if (mark == access_mark::read) draw_read(draw_, cell, read_mark::now, 0, false);
      if (mark == access_mark::written) draw_written(draw_, cell);
    }
  }
  void states() {
    std::vector<node_state> states;
    staged(index())->states_of(tree_.nodes, read_, states);
    for (const node_state& state : states) {
      const box at = box_of(state.node);
      if (state.latched) draw_latch(draw_, at, holder_of(tree_.nodes[state.node]));
      if (!state.words.empty()) draw_node_state(draw_, at, state.words);
    }
  }
  std::string holder_of(const tree_node& node) const {
    for (const latch_held& held : model_.latches().held)
      if (step_ > 0 && held.at_access(step_ - 1) && held.at.region == node.region && held.at.cell >= node.first &&
          held.at.cell < node.first + node.cells)
        return std::to_string(held.task);
    return {};
  }

  const interleave_model& model_;
  std::size_t step_;
  region_reader read_;
  tree_model tree_;
  node_places places_;
  ImVec2 corner_;
  ImDrawList& draw_ = *ImGui::GetWindowDrawList();
};

}  // namespace

float interleave_tree_height(const interleave_model& model, std::size_t step) {
  const tree_model tree = make_tree(*model.result().model, model.reader(step));
  return px(row_height) * static_cast<float>(tree.levels) + px(4);
}

void interleave_tree(const interleave_model& model, std::size_t step) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  met_tree(model, step, corner, width).draw();
  ImGui::Dummy({width, interleave_tree_height(model, step)});
  spot("tree");
}

}  // namespace pivotscope::viz
