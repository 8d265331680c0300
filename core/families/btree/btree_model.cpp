#include "core/families/btree/btree_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <unordered_map>

#include "core/index/row_cells_model.hpp"

namespace pivotscope {

static_assert(btree::entries == main_region);

btree_model::btree_model(const btree_config& config, const btree_view& tree) : config_(config), tree_(tree) {
  const bool aos = config.layout == cell_layout::aos;
  const u64 leaf_cells = u64{tree.leaf_room} * config.node, inner_cells = u64{tree.inner_room} * config.node;
  regions_.push_back(entries_region(
      config.layout, config.keys, leaf_cells,
      aos ? "The leaves' cells, leaf by leaf: a key and its row id, in the order in which they came. The last cell of "
            "a "
            "leaf is its link: the least key of the next leaf, and that leaf's number."
          : "The keys of the leaves' cells, leaf by leaf. The last cell of a leaf has the least key of the next one."));
  region_info inner = entries_region(config.layout, config.keys, inner_cells,
                                     "The inner nodes' cells, node by node, the root first: a separator, and the child "
                                     "whose keys begin there. The last "
                                     "cell of a node is its link to the next node of its level.");
  inner.id = "inner", inner.name = "separators", inner.cell_name = "separator", inner.title = "inner nodes";
  if (aos) inner.fields[1] = {"child", inner.fields[1].offset, 4, field_kind::other};
  regions_.push_back(std::move(inner));
  regions_.push_back({"pool",
                      "node counters",
                      "counter",
                      "pool",
                      keeps_all(config)
                          ? "How many leaves and how many inner nodes are in use, how many levels of inner nodes there "
                            "are, and how many entries erases removed beyond one each."
                          : "How many leaves and how many inner nodes are in use, and how many levels of inner nodes "
                            "there are.",
                      pool_counters(config),
                      4,
                      {{"count", 0, 4, field_kind::other}},
                      {}});
  if (aos) return;
  regions_.push_back(row_ids_region(leaf_cells));
  regions_.push_back({"children",
                      "children",
                      "child",
                      "children",
                      "The child of each separator: a node of the level below.",
                      inner_cells,
                      4,
                      {{"child", 0, 4, field_kind::other}},
                      btree_region::inner});
}

std::optional<pinned_cells> btree_model::pinned() const {
  if (config_.scratch == 0) return std::nullopt;
  pinned_cells list;
  list.cell_bytes = regions_[number_of(btree_region::inner)].cell_bytes, list.room = config_.scratch;
  for (u32 i = 0; i < tree_.pinned; ++i) list.cells.push_back(pinned_cell(i));
  // Where nodes were split, new ones of an upper level lie behind all others.
  if (tree_.inner > tree_.shape.inner()) return list;
  while (list.steps < tree_.levels && tree_.shape.first(list.steps + 1) * config_.node <= tree_.pinned) ++list.steps;
  list.whole = tree_.shape.first(list.steps) * config_.node;
  return list;
}

std::string btree_model::level_words(u32 level) const { return level_words_of(level, tree_.levels + 1); }
std::string btree_model::level_words_of(u32 level, u32 levels) const {
  return level == 0 ? "root" : level + 1 == levels ? "leaves" : fmt::format("level {}", level);
}

// Levels are counted from the root, and a root that is split moves all others down.
u32 btree_model::level_of_inner(u64 node) const {
  if (node == 0) return 0;
  const u32 added = tree_.levels - std::min(tree_.levels, tree_.shape.levels);
  for (u32 level = 1; level < tree_.shape.levels; ++level)
    if (node < tree_.shape.first(level + 1)) return level + added;
  return tree_.levels - 1;  // of the pool: where most of them are
}

cell_info btree_model::describe(region_id region, u64 cell) const {
  if (cell >= regions_[number_of(region)].cells) return {};
  const u64 node = cell / config_.node;
  if (is_leaf_cell(region)) {
    if (node >= tree_.leaves) return {.empty = true, .level = tree_.levels};
    return {.empty = false, .level = tree_.levels};
  }
  // What is in use only cells tell: is_vacant().
  if (is_inner(region)) return {.empty = false, .level = level_of_inner(node)};
  return {.empty = false, .level = 0};
}

void btree_model::count_levels(region_id region, u64 first, u64 end, u64* out) const {
  std::fill(out, out + max_levels, 0);
  const u64 all = regions_[number_of(region)].cells;
  first = std::min(first, all), end = std::min(end, all);
  if (is_leaf_cell(region)) {
    out[tree_.levels] = end - first;
  } else if (is_inner(region)) {
    // The levels that were built lie one after another, and the pool behind them.
    u64 at = first;
    for (u32 level = 0; level <= tree_.shape.levels && at < end; ++level) {
      const u64 behind = level < tree_.shape.levels ? u64{tree_.shape.first(level + 1)} * config_.node : end;
      if (behind <= at) continue;
      const u64 until = std::min(behind, end);
      out[level_of_inner(at / config_.node)] += until - at;
      at = until;
    }
  } else {
    out[0] = end - first;
  }
}

std::optional<cell_run> btree_model::level_run(u32 level) const {
  if (level >= tree_.levels) return cell_run{main_region, 0, u64{tree_.leaves} * config_.node};
  if (tree_.inner > tree_.shape.inner()) return std::nullopt;
  return cell_run{btree_region::inner, u64{tree_.shape.first(level)} * config_.node,
                  u64{tree_.shape.nodes(level)} * config_.node};
}

namespace {

// A node's place in both lists.
constexpr u64 id_of(region_id region, u64 node) { return node * 2 + (region == btree_region::entries ? 0 : 1); }

// Nodes of a level stand side by side.
void spread(std::span<tree_node> level) {
  for (std::size_t i = 0; i < level.size(); ++i)
    level[i].middle = (static_cast<double>(i) + 0.5) / static_cast<double>(level.size());
}

}  // namespace

std::vector<tree_node> btree_model::nodes() const {
  std::vector<tree_node> list;
  list.reserve(node_count());
  for (u64 node = 0; node < tree_.inner; ++node)
    list.push_back({.level = level_of_inner(node),
                    .region = btree_region::inner,
                    .first = node * config_.node,
                    .cells = config_.node,
                    .id = id_of(btree_region::inner, node)});
  std::stable_sort(list.begin(), list.end(), [](const tree_node& a, const tree_node& b) { return a.level < b.level; });
  for (u64 leaf = 0; leaf < tree_.leaves; ++leaf)
    list.push_back(
        {.level = tree_.levels, .first = leaf * config_.node, .cells = config_.node, .id = id_of(main_region, leaf)});
  for (std::size_t first = 0; first < list.size();) {
    std::size_t end = first;
    while (end < list.size() && list[end].level == list[first].level) ++end;
    spread(std::span(list).subspan(first, end - first));
    first = end;
  }
  return list;
}

bool btree_model::raw_of(const cell_run& cells, const region_reader& read, std::span<raw_cell> out) const {
  const bool inner = is_inner(cells.region), aos = config_.layout == cell_layout::aos;
  const region_id keys = inner ? btree_region::inner : btree_region::entries;
  const region_id values = aos ? keys : inner ? btree_region::children : btree_region::rows;
  const u32 key = key_bytes(config_.keys), each = regions_[number_of(keys)].cell_bytes;
  std::vector<std::byte> bytes(cells.count * each);
  if (!read(keys, cells.first * each, bytes)) return false;
  for (u64 i = 0; i < cells.count; ++i) {
    std::memcpy(&out[i].key, bytes.data() + i * each, key);
    if (aos) std::memcpy(&out[i].value, bytes.data() + i * each + key, 4);
  }
  if (aos) return true;
  bytes.resize(cells.count * 4);
  if (!read(values, cells.first * 4, bytes)) return false;
  for (u64 i = 0; i < cells.count; ++i) std::memcpy(&out[i].value, bytes.data() + i * 4, 4);
  return true;
}

bool btree_model::values_of(const cell_run& cells, const region_reader& read, std::span<cell_value> out) const {
  if (!index_model::values_of(cells, read, out)) return false;
  if (cells.region == btree_region::pool) return true;
  for (u64 i = 0; i < out.size(); ++i) {
    if (is_link(cells.first + i)) out[i] = {};
    if (!is_inner(cells.region)) continue;
    if (out[i].key == greatest() || ((cells.first + i) % config_.node == 0 && out[i].key == u64{0})) out[i].key.reset();
  }
  return true;
}

std::optional<btree_model::lead> btree_model::lead_of(cell_ref at, const raw_cell& cell) const {
  const region_id keys = is_inner(at.region) ? btree_region::inner : btree_region::entries;
  if (is_link(at.cell)) {
    const u32 next = node_link_word::number(cell.value);
    if (next == node_link_word::none) return std::nullopt;
    return lead{keys, next};
  }
  if (!is_inner(at.region) || cell.value == child_word::none) return std::nullopt;
  return lead{child_word::is_leaf(cell.value) ? btree_region::entries : btree_region::inner,
              child_word::number(cell.value)};
}

std::string btree_model::words_of(cell_ref at, const region_reader& read) const {
  if (at.cell >= regions_[number_of(at.region)].cells) return "";
  if (at.region == btree_region::pool) {
    u32 count = 0;
    std::byte bytes[4];
    if (!read(at.region, at.cell * 4, bytes)) return "";
    std::memcpy(&count, bytes, 4);
    constexpr const char* words[] = {"leaves in use", "inner nodes in use", "inner levels", "more erased"};
    return fmt::format("{} {}", count, words[at.cell]);
  }
  raw_cell cell;
  if (!raw_of({at.region, at.cell, 1}, read, {&cell, 1})) return "";
  const auto leads = lead_of(at, cell);
  if (is_link(at.cell)) {
    const char* const latch = (cell.value & node_link_word::latched) != 0 ? ", latched" : "";
    if (!leads) return fmt::format("the last of its level{}", latch);
    return fmt::format("{} {} {} in {}{}", goes_on_in(cell) ? "entries of" : "keys from", cell.key,
                       goes_on_in(cell) ? "go on" : "on are", node_words(*leads), latch);
  }
  if (!is_inner(at.region)) return "";
  if (!leads) return "empty";
  return fmt::format("keys from {} on: {}", cell.key, node_words(*leads));
}

std::string btree_model::node_words(const lead& node) {
  if (node.region == btree_region::entries) return fmt::format("leaf {}", node.node);
  return node.node == 0 ? "the root" : fmt::format("node {}", node.node);
}

bool btree_model::is_vacant(cell_ref at, const region_reader& read) const {
  if (at.region == btree_region::pool || at.cell >= regions_[number_of(at.region)].cells) return false;
  if (is_link(at.cell)) return true;
  raw_cell cell;
  return is_inner(at.region) && raw_of({at.region, at.cell, 1}, read, {&cell, 1}) && cell.value == child_word::none;
}

std::string btree_model::field_words(cell_ref at, const cell_field& field, u64 value) const {
  if (at.region == btree_region::pool) return {};
  const bool inner = is_inner(at.region), link = is_link(at.cell);
  if (field.kind == field_kind::key) {
    if (value == greatest() && (inner || link)) return "none";
    const bool may_have_run = keeps_all(config_) && !inner;  // whose key is the leaf's, too
    return link ? fmt::format("{} {}", may_have_run ? "ends at" : "below", value) : "";
  }
  if (field.kind == field_kind::padding || (!inner && !link)) return {};
  const raw_cell cell{0, static_cast<u32>(value)};
  const auto leads = lead_of(at, cell);
  const std::string to = leads ? node_words(*leads) : link ? "end" : "none";
  const std::string words = link && goes_on_in(cell) ? to + ", a run goes on" : to;
  return link && (cell.value & node_link_word::latched) != 0 ? words + ", latched" : words;
}

std::string btree_model::brief_of(cell_ref at, const region_reader& read) const {
  if (at.region == btree_region::pool || at.cell >= regions_[number_of(at.region)].cells) return "";
  raw_cell cell;
  if (!raw_of({at.region, at.cell, 1}, read, {&cell, 1})) return "";
  const auto leads = lead_of(at, cell);
  if (!leads) return is_link(at.cell) ? "end" : "";
  if (!is_link(at.cell)) return fmt::format("{}", leads->node);
  return fmt::format("{}{}", goes_on_in(cell) ? "<=" : "<", cell.key);
}

bool btree_model::leads_of(const cell_run& cells, const region_reader& read, std::vector<cell_link>& out) const {
  if (cells.region != btree_region::entries && cells.region != btree_region::inner) return true;
  const u64 all = regions_[number_of(cells.region)].cells;
  const u64 count = std::min(cells.first + cells.count, all) - std::min(cells.first, all);
  if (count == 0) return true;
  std::vector<raw_cell> raw(count);
  if (!raw_of({cells.region, cells.first, count}, read, raw)) return false;
  for (u64 i = 0; i < count; ++i) {
    const cell_ref from{cells.region, cells.first + i};
    if (const auto leads = lead_of(from, raw[i]))
      out.push_back({from, {leads->region, u64{leads->node} * config_.node}, config_.node});
  }
  return true;
}

outcome<std::optional<btree_model::lead>> btree_model::link_of(const lead& node, const region_reader& read) const {
  const cell_ref at{node.region, u64{node.node} * config_.node + node_slots(config_)};
  raw_cell cell;
  if (at.cell >= regions_[number_of(at.region)].cells || !raw_of({at.region, at.cell, 1}, read, {&cell, 1}))
    return problem{"its bytes are not at hand"};
  return lead_of(at, cell);
}

bool btree_model::add_unseen(std::vector<lead>& leaves, const region_reader& read) const {
  u32 taken = 0;
  std::byte bytes[4];
  if (!read(btree_region::pool, pool_leaves * sizeof(u32), bytes)) return false;
  std::memcpy(&taken, bytes, sizeof(taken));
  std::vector<bool> reached(std::min(taken, tree_.leaf_room));
  for (const lead& leaf : leaves)
    if (leaf.node < reached.size()) reached[leaf.node] = true;
  std::vector<raw_cell> raw(config_.node);
  for (u32 number = 0; number < reached.size(); ++number) {
    if (reached[number]) continue;
    if (!raw_of({main_region, u64{number} * config_.node, config_.node}, read, raw)) return false;
    const auto pair =
        std::find_if(raw.begin(), raw.end() - 1, [](const raw_cell& cell) { return is_live_row(cell.value); });
    if (pair == raw.end() - 1) continue;  // nothing has come to it
    std::size_t behind = 0;
    for (bool right = true; right && behind < leaves.size(); ++behind) {
      raw_cell end;
      const u64 cell = u64{leaves[behind].node} * config_.node + node_slots(config_);
      if (!raw_of({main_region, cell, 1}, read, {&end, 1})) return false;
      right = node_link_word::number(end.value) != node_link_word::none && pair->key >= end.key;
    }
    leaves.insert(leaves.begin() + static_cast<std::ptrdiff_t>(behind), {main_region, number});
  }
  return true;
}

bool btree_model::add_unseen_inner(std::vector<std::vector<lead>>& rows, const region_reader& read) const {
  u32 taken = 0;
  std::byte bytes[4];
  if (!read(btree_region::pool, pool_inner * sizeof(u32), bytes)) return false;
  std::memcpy(&taken, bytes, sizeof(taken));
  std::vector<bool> reached(std::min(taken, tree_.inner_room));
  std::map<u64, std::pair<std::size_t, u32>> parent_of;  // by a node's id: the level above it, and the node there
  std::vector<raw_cell> raw(config_.node);
  const auto load = [&](u32 node) {
    return raw_of({btree_region::inner, u64{node} * config_.node, config_.node}, read, raw);
  };
  for (std::size_t depth = 0; depth < rows.size(); ++depth) {
    for (const lead& at : rows[depth]) {
      if (at.region != btree_region::inner) continue;
      if (at.node < reached.size()) reached[at.node] = true;
      if (!load(at.node)) return false;
      for (u32 slot = 0; slot < node_slots(config_); ++slot)
        if (const auto leads = lead_of({at.region, slot}, raw[slot]))
          parent_of.emplace(id_of(leads->region, leads->node), std::pair(depth, at.node));
    }
  }
  for (u32 number = 0; number < reached.size(); ++number) {
    if (reached[number]) continue;
    if (!load(number)) return false;
    const auto child = lead_of({btree_region::inner, 0}, raw[0]);
    const auto parent = child ? parent_of.find(id_of(child->region, child->node)) : parent_of.end();
    if (parent == parent_of.end()) continue;  // nothing has come to it
    const auto& [depth, beside] = parent->second;
    std::vector<lead>& row = rows[depth];
    auto behind = std::ranges::find(row, beside, &lead::node);
    do ++behind;
    while (behind != row.end() && behind->node < reached.size() && !reached[behind->node]);
    row.insert(behind, {btree_region::inner, number});
  }
  return true;
}

// Level by level, as the cells of each lead to the next.
bool btree_model::arrange(std::vector<tree_node>& nodes, const region_reader& read) const {
  std::vector<std::vector<lead>> rows;
  std::vector<lead> level = {{btree_region::inner, 0}};
  std::vector<raw_cell> raw(config_.node);
  std::set<u64> seen;  // a batch may be under way: no node twice
  while (!level.empty() && rows.size() < btree_most_levels) {
    std::set<u64> led_to;
    for (const lead& at : level) led_to.insert(id_of(at.region, at.node));
    std::vector<lead> here, below;
    for (const lead& at : level) {
      for (std::optional<lead> node = at; node && seen.insert(id_of(node->region, node->node)).second;) {
        here.push_back(*node);
        const auto next = link_of(*node, read);
        if (!next) return false;
        node = *next && !led_to.contains(id_of((*next)->region, (*next)->node)) ? *next : std::nullopt;
      }
    }
    const bool leaves = !here.empty() && here.front().region == btree_region::entries;
    if (leaves && !add_unseen(here, read)) return false;
    for (const lead& at : here) {
      if (at.region != btree_region::inner) continue;
      if (!raw_of({at.region, u64{at.node} * config_.node, config_.node}, read, raw)) return false;
      for (u32 slot = 0; slot < node_slots(config_); ++slot)
        if (const auto leads = lead_of({at.region, slot}, raw[slot])) below.push_back(*leads);
    }
    rows.push_back(std::move(here));
    level = std::move(below);
  }
  if (!add_unseen_inner(rows, read)) return false;
  std::vector<tree_node> list;
  for (u32 depth = 0; depth < rows.size(); ++depth) {
    const std::size_t first = list.size();
    for (const lead& at : rows[depth])
      list.push_back({.level = depth,
                      .region = at.region,
                      .first = u64{at.node} * config_.node,
                      .cells = config_.node,
                      .id = id_of(at.region, at.node)});
    spread(std::span(list).subspan(first));
  }
  nodes = std::move(list);
  return true;
}

bool btree_model::links_of(std::span<const tree_node> nodes, const region_reader& read,
                           std::vector<node_link>& out) const {
  std::unordered_map<u64, u32> place;
  for (u32 i = 0; i < nodes.size(); ++i) place.emplace(*nodes[i].id, i);
  std::vector<raw_cell> raw(config_.node);
  for (u32 i = 0; i < nodes.size(); ++i) {
    if (!raw_of({nodes[i].region, nodes[i].first, config_.node}, read, raw)) return false;
    for (u32 slot = 0; slot < config_.node; ++slot) {
      const auto leads = lead_of({nodes[i].region, nodes[i].first + slot}, raw[slot]);
      const auto to = leads ? place.find(id_of(leads->region, leads->node)) : place.end();
      if (to != place.end() && to->second != i) out.push_back({i, to->second, slot});
    }
  }
  return true;
}

bool btree_model::states_of(std::span<const tree_node> nodes, const region_reader& read,
                            std::vector<node_state>& out) const {
  std::vector<node_link> links;
  if (!links_of(nodes, read, links)) return false;
  std::vector<bool> has_parent(nodes.size());
  for (const node_link& link : links)
    if (nodes[link.from].level < nodes[link.to].level) has_parent[link.to] = true;
  std::vector<raw_cell> ends(nodes.size());
  for (u32 i = 0; i < nodes.size(); ++i)
    if (!raw_of({nodes[i].region, nodes[i].first + node_slots(config_), 1}, read, {&ends[i], 1})) return false;
  std::vector<bool> has_left(nodes.size()), half(nodes.size()), in_run(nodes.size());
  for (const node_link& link : links) {
    if (nodes[link.from].level != nodes[link.to].level || (!has_parent[link.from] && !has_left[link.from])) continue;
    has_left[link.to] = true;
    const bool leaf = nodes[link.to].region == main_region;
    in_run[link.to] = leaf && goes_on_in(ends[link.from]);
    const bool own_leaf = keeps_all(config_) && leaf && nodes[link.to].first / config_.node == greatest_leaf(tree_);
    if (!has_parent[link.to] && !in_run[link.to] && !own_leaf) half[link.from] = true;
  }
  for (u32 i = 0; i < nodes.size(); ++i) {
    node_state state{i};
    state.latched = (ends[i].value & node_link_word::latched) != 0;
    if (half[i])
      state.words = "half split";
    else if (!has_parent[i] && in_run[i])
      state.words = "in a run";
    else if (has_left[i] && keeps_all(config_) && nodes[i].region == main_region &&
             nodes[i].first / config_.node == greatest_leaf(tree_))
      state.words = "greatest key's";
    else if (*nodes[i].id != id_of(btree_region::inner, 0) && !has_parent[i])
      state.words = has_left[i] ? "by the link alone" : "nobody sees it yet";
    if (state.latched || !state.words.empty()) out.push_back(std::move(state));
  }
  return true;
}

std::optional<latch_in_word> btree_model::latch_in(region_id region, u64 byte, u64 bytes) const {
  if (region == btree_region::pool) return std::nullopt;
  const bool aos = config_.layout == cell_layout::aos;
  const region_id keys = is_inner(region) ? btree_region::inner : btree_region::entries;
  if (!aos && region == keys) return std::nullopt;  // of keys alone
  const region_info& info = regions_[number_of(region)];
  const u64 cell = byte / info.cell_bytes, at = cell * info.cell_bytes + (aos ? key_bytes(config_.keys) : 0);
  if (!is_link(cell) || at < byte || at + sizeof(u32) > byte + bytes) return std::nullopt;
  return latch_in_word{{keys, cell},
                       u64{node_link_word::latched} << 8 * (at - byte),
                       node_words({keys, static_cast<u32>(cell / config_.node)})};
}

std::vector<index_region> btree_model::region_list() const { return as_index_regions(regions_); }

}  // namespace pivotscope
