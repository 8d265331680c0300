#include "core/families/ordered/tree_nodes.hpp"

#include <algorithm>

#include "core/families/ordered/mapping.hpp"

namespace pivotscope {
namespace {

// Listing 1, backwards from the last entry: where the search stands at a distance d from it, a step of length s reads the
// keys at d + s, d + 2 s ... as far as there are any, and goes on from one of them, or from where it stood. Positions
// are multiples of the step before. The last entry itself is read at the very end, by itself.
void add_offset_search(const ordered_config& config, const index_shape& shape, std::vector<tree_node>& nodes) {
  struct way {
    int node = -1;  // the nearest one above
    u32 gap = 0;
  };
  const u64 n = shape.keys, fanout = config.fanout;
  const auto place = [&](double rank) { return (rank + 0.5) / static_cast<double>(n); };
  std::vector<way> ways = {{}};  // to each position
  u64 unit = n;                  // from a position to the next; at first there is one
  u64 step = shape.longest_step;
  for (u32 level = 0; level < shape.levels; ++level, step /= fanout) {
    const u64 next_positions = (n - 1) / step + 1;
    std::vector<way> next(next_positions);
    for (u64 position = ways.size(); position-- > 0;) {
      const u64 distance = position * unit;
      const auto reads = static_cast<u32>(std::min(fanout - 1, (n - 1 - distance) / step));
      way here = ways[position];
      if (reads > 0) {
        const u64 first = n - 1 - distance - reads * step;
        const double middle = static_cast<double>(first) + static_cast<double>((reads - 1) * step) / 2;
        nodes.push_back({level, ordered_region::entries, first, reads, place(middle), here.node, here.gap, step});
        here.node = static_cast<int>(nodes.size()) - 1;
      }
      for (u32 back = 0; back <= reads; ++back) {
        if (reads > 0) here.gap = reads - back;
        next[distance / step + back] = here;
      }
    }
    ways = std::move(next);
    unit = step;
  }
  // Of the search that never went on from the last entry.
  nodes.push_back({shape.levels - 1, ordered_region::entries, n - 1, 1, place(static_cast<double>(n - 1)),
                   ways.front().node, ways.front().gap});
}

// Node j of the whole tree has children j K + 1 to j K + K; a level is spread evenly, whether it is full or not.
void add_eytzinger(const ordered_config& config, const index_shape& shape, std::vector<tree_node>& nodes) {
  const u64 fanout = config.fanout, width = fanout - 1, front = shape.level_first[0];
  u64 nodes_before = 0, nodes_of_level = 1;
  for (u32 level = 0; level < shape.levels; ++level, nodes_before += nodes_of_level, nodes_of_level *= fanout) {
    for (u64 i = 0; i < nodes_of_level; ++i) {
      const u64 node = nodes_before + i, first = front + node * width;
      if (first >= shape.level_first[shape.levels]) return;
      nodes.push_back({level, ordered_region::entries, first, static_cast<u32>(width),
                       (static_cast<double>(i) + 0.5) / static_cast<double>(nodes_of_level),
                       node == 0 ? -1 : static_cast<int>((node - 1) / fanout),
                       node == 0 ? 0 : static_cast<u32>((node - 1) % fanout)});
    }
  }
}

// Leaves side by side, and every pivot node over the middle of the leaves that it leads to.
void add_pivot_buffer(const ordered_config& config, const index_shape& shape, std::vector<tree_node>& nodes) {
  const u64 fanout = config.fanout, width = fanout - 1, leaf = shape.leaf_entries;
  const u64 leaves = ceil_div(shape.keys, leaf);
  int level_begin = 0, parent_begin = -1;
  for (u32 level = 0; level < shape.levels; ++level) {
    const bool is_leaf = level + 1 == shape.levels;
    const u64 nodes_here = is_leaf ? leaves : (shape.level_first[level + 1] - shape.level_first[level]) / width;
    u64 leads_to = 1;
    for (u32 l = level + 1; l < shape.levels; ++l) leads_to *= fanout;
    for (u64 i = 0; i < nodes_here; ++i) {
      const u64 from = i * leads_to, to = std::min(leaves, from + leads_to);
      nodes.push_back(
          {level, is_leaf ? ordered_region::entries : ordered_region::pivots,
           is_leaf ? i * leaf : shape.level_first[level] + i * width, static_cast<u32>(is_leaf ? leaf : width),
           static_cast<double>(from + to) / 2 / static_cast<double>(leaves),
           parent_begin < 0 ? -1 : parent_begin + static_cast<int>(i / fanout), static_cast<u32>(i % fanout)});
    }
    parent_begin = level_begin;
    level_begin += static_cast<int>(nodes_here);
  }
}

// An order that this file does not know: the nodes of each level in a row, without edges.
void add_levels(const ordered_config& config, const index_shape& shape, std::vector<tree_node>& nodes) {
  const u64 width = config.fanout - 1;
  for (u32 level = 0; level < shape.levels; ++level) {
    const level_run run = level_slots(config, shape, level);
    const u64 nodes_here = ceil_div(run.count, width);
    for (u64 i = 0; i < nodes_here; ++i) {
      nodes.push_back({level, run.array, run.first + i * width,
                       static_cast<u32>(std::min(width, run.count - i * width)),
                       (static_cast<double>(i) + 0.5) / static_cast<double>(nodes_here), -1});
    }
  }
}

}  // namespace

u64 count_nodes(const ordered_config& config, const index_shape& shape) {
  if (shape.keys == 0) return 0;
  if (config.order == order_kind::ascending) {
    u64 count = 1;  // the last entry
    for (u64 step = shape.longest_step, unit = shape.keys; step > 0; unit = step, step /= config.fanout)
      count += step < shape.keys ? (shape.keys - 1 - step) / unit + 1 : 0;
    return count;
  }
  if (config.order == order_kind::eytzinger) return ceil_div<u64>(shape.keys, config.fanout - 1);
  const u64 leaf = config.order == order_kind::pivot_buffer ? shape.leaf_entries : config.fanout - 1;
  return shape.pivot_slots / (config.fanout - 1) + ceil_div<u64>(shape.keys, leaf);
}

std::vector<tree_node> make_nodes(const ordered_config& config, const index_shape& shape) {
  std::vector<tree_node> nodes;
  if (shape.keys == 0) return nodes;
  if (config.order == order_kind::ascending) {
    add_offset_search(config, shape, nodes);
  } else if (config.order == order_kind::eytzinger) {
    add_eytzinger(config, shape, nodes);
  } else if (config.order == order_kind::pivot_buffer) {
    add_pivot_buffer(config, shape, nodes);
  } else {
    add_levels(config, shape, nodes);
  }
  return nodes;
}

}  // namespace pivotscope
