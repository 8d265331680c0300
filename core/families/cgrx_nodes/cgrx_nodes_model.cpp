#include "core/families/cgrx_nodes/cgrx_nodes_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/index/row_cells_model.hpp"

namespace pivotscope {

static_assert(node_region::entries == main_region);

cgrx_nodes_model::cgrx_nodes_model(const cgrx_nodes_config& config, const cgrx_nodes_view& view)
    : config_(config), view_(view), scene_(node_region::scene, view_, config.form, config.wide) {
  const u32 key = key_bytes(config.keys);
  region_info heads{.id = "heads",
                    .name = "heads",
                    .cell_name = "head",
                    .title = "heads",
                    .meaning =
                        "For each node: the greatest key that it is for, the next node of its chain, and how many "
                        "entries it has. The first nodes of the buckets come first, then the linked ones.",
                    .cells = view.room,
                    .cell_bytes = 16,
                    .fields = {{"greatest key", 0, key, field_kind::other},
                               {"next node", key, 4, field_kind::other},
                               {"size", key + 4, 4, field_kind::other}}};
  if (key == 4) heads.fields.push_back({"padding", 12, 4, field_kind::padding});
  region_info bounds{.id = "bounds",
                     .name = "bounds",
                     .cell_name = "bound",
                     .title = "bounds",
                     .meaning = "The greatest key of each bucket. The last bucket gets all greater ones as well.",
                     .cells = view.buckets,
                     .cell_bytes = key,
                     .fields = {{"bound", 0, key, field_kind::other}}};
  region_info pool{.id = "pool",
                   .name = "pool counters",
                   .cell_name = "counter",
                   .title = "pool",
                   .meaning =
                       "Of the last pass over the chains, which is the whole batch unless nodes ran out: how many "
                       "nodes were asked for, and how many left their chains; writes that wait for a node, and inserts "
                       "that an erase cancelled; by how many the entries that went differ from the erases.",
                   .cells = pool_counters,
                   .cell_bytes = 4,
                   .fields = {{"count", 0, 4, field_kind::other}}};
  regions_ = {entries_region(cell_layout::aos, config.keys, u64{view.room} * config.node,
                             fmt::format("The nodes' entries, {} cells a node: first the node that each bucket begins "
                                         "with, then the linked ones. A node's entries ascend; its other cells are "
                                         "empty.",
                                         config.node)),
              scene_.triangles(),
              scene_.boxes(),
              std::move(heads),
              std::move(bounds),
              std::move(pool)};
}

std::vector<index_region> cgrx_nodes_model::region_list() const { return as_index_regions(regions_); }

std::string cgrx_nodes_model::level_words(u32 level) const {
  return level == linked_level()           ? "linked nodes"
         : level == representative_level() ? "first nodes"
                                           : scene_.level_words(level);
}

cell_info cgrx_nodes_model::describe(region_id region, u64 cell) const {
  if (cell >= regions_[number_of(region)].cells) return {};
  if (region == node_region::scene.triangles) return {.empty = false, .level = scene_.triangles_level()};
  if (region == node_region::scene.boxes) return {.empty = false, .level = scene_.box_level(cell)};
  const bool linked = region == main_region          ? cell >= built_cells()
                      : region == node_region::heads ? cell >= view_.buckets
                                                     : region == node_region::pool;
  return {.empty = false, .level = linked ? linked_level() : representative_level()};
}

void cgrx_nodes_model::count_levels(region_id region, u64 first, u64 end, u64* out) const {
  std::fill(out, out + max_levels, 0);
  const u64 cells = regions_[number_of(region)].cells;
  first = std::min(first, cells), end = std::min(end, cells);
  if (first >= end) return;
  if (region == node_region::scene.boxes) return scene_.count_boxes(first, end, out);
  if (region == node_region::scene.triangles) {
    out[scene_.triangles_level()] = end - first;
    return;
  }
  const u64 linked_from = region == main_region          ? built_cells()
                          : region == node_region::heads ? u64{view_.buckets}
                          : region == node_region::pool  ? 0
                                                         : cells;
  const u64 border = std::clamp(linked_from, first, end);
  out[representative_level()] = border - first, out[linked_level()] = end - border;
}

std::optional<cell_run> cgrx_nodes_model::level_run(u32 level) const {
  if (level < representative_level()) return scene_.level_run(level);
  if (level == representative_level()) return cell_run{main_region, 0, built_cells()};
  return cell_run{main_region, built_cells(), u64{view_.nodes} * config_.node - built_cells()};
}

std::vector<tree_node> cgrx_nodes_model::nodes() const {
  std::vector<tree_node> list;
  list.reserve(node_count());
  scene_.add_nodes(list);
  const u64 linked = view_.nodes - view_.buckets;
  for (u64 node = 0; node < view_.nodes; ++node) {
    const bool is_linked = node >= view_.buckets;
    const double place = static_cast<double>(is_linked ? node - view_.buckets : node) + 0.5;
    list.push_back({.level = is_linked ? linked_level() : representative_level(),
                    .first = node * config_.node,
                    .cells = config_.node,
                    .middle = place / static_cast<double>(is_linked ? linked : view_.buckets),
                    .id = node});
  }
  return list;
}

bool cgrx_nodes_model::arrange(std::vector<tree_node>& nodes, const region_reader& read) const {
  const u64 first_linked = scene_.node_count() + view_.buckets, linked = view_.nodes - view_.buckets;
  if (nodes.size() != node_count() || linked == 0) return true;
  std::vector<u64> places(linked, linked);  // by number; those in no chain come last
  u64 place = 0;
  for (u64 bucket = 0; bucket < view_.buckets; ++bucket) {
    auto head = head_of(bucket, read);
    while (head && head->next < view_.nodes && place < linked) {
      places[head->next - view_.buckets] = place++;
      head = head_of(head->next, read);
    }
    if (!head) return false;
  }
  for (u64& of : places)
    if (of == linked) of = place++;
  std::vector<tree_node> arranged(nodes.begin() + static_cast<std::ptrdiff_t>(first_linked), nodes.end());
  for (u64 i = 0; i < linked; ++i) {
    tree_node& node = nodes[first_linked + places[i]];
    node = arranged[i];
    node.middle = (static_cast<double>(places[i]) + 0.5) / static_cast<double>(linked);
  }
  return true;
}

std::optional<told_head> cgrx_nodes_model::head_of(u64 node, const region_reader& read) const {
  told_head head;
  return heads_of(node, read, {&head, 1}) ? std::optional(head) : std::nullopt;
}

bool cgrx_nodes_model::heads_of(u64 first, const region_reader& read, std::span<told_head> out) const {
  constexpr u64 head_bytes = 16;
  std::vector<std::byte> bytes(out.size() * head_bytes);
  if (first + out.size() > view_.room || !read(node_region::heads, first * head_bytes, bytes)) return false;
  const u32 key = key_bytes(config_.keys);
  for (std::size_t i = 0; i < out.size(); ++i) {  // little-endian, as every machine that CUDA runs on
    const std::byte* const at = bytes.data() + i * head_bytes;
    out[i] = {};
    std::memcpy(&out[i].greatest, at, key);
    std::memcpy(&out[i].next, at + key, 4), std::memcpy(&out[i].size, at + key + 4, 4);
  }
  return true;
}

std::optional<u64> cgrx_nodes_model::number_at(cell_ref at, const region_reader& read) const {
  const u32 size = regions_[number_of(at.region)].cell_bytes;
  u64 number = 0;
  if (at.cell >= regions_[number_of(at.region)].cells ||
      !read(at.region, at.cell * size, std::as_writable_bytes(std::span(&number, 1)).first(size)))
    return std::nullopt;
  return number;
}

std::optional<u32> cgrx_nodes_model::bucket_of(u64 key, const region_reader& read) const {
  u32 begin = 0, end = view_.buckets - 1;
  while (begin < end) {
    const u32 middle = begin + (end - begin) / 2;
    const auto bound = number_at({node_region::bounds, middle}, read);
    if (!bound) return std::nullopt;
    if (*bound < key)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

std::string cgrx_nodes_model::node_words(u64 node) const {
  return fmt::format("{}node {}", node < view_.buckets ? "" : "linked ", node);
}

std::string cgrx_nodes_model::head_words(u64 node, const told_head& head) const {
  if (head.next == next_node::free) return "in no chain";
  const bool no_end =
      head.next == next_node::none &&
      head.greatest == (config_.keys == key_width::u32 ? u64{greatest_key<u32>()} : greatest_key<u64>());
  std::string words = fmt::format("{}: {} entr{}, ", node_words(node), head.size, head.size == 1 ? "y" : "ies");
  words += no_end ? "keys without an end" : fmt::format("keys up to {}", head.greatest);
  return words + (head.next == next_node::none ? "; the chain ends here" : fmt::format("; on to node {}", head.next));
}

std::string cgrx_nodes_model::words_of(cell_ref at, const region_reader& read) const {
  if (at.region == node_region::scene.boxes) return scene_.box_words(at.cell, read);
  if (at.region == node_region::scene.triangles) return scene_.triangle_words(at.cell, read);
  if (at.region == node_region::heads) {
    const auto head = head_of(at.cell, read);
    return head ? head_words(at.cell, *head) : "";
  }
  if (at.region != node_region::bounds && at.region != node_region::pool) return "";
  const auto number = number_at(at, read);
  if (!number) return "";
  if (at.region == node_region::bounds)
    return at.cell + 1 == view_.buckets ? fmt::format("bucket {}: no end", at.cell)
                                        : fmt::format("bucket {}: keys up to {}", at.cell, *number);
  constexpr const char* words[] = {"nodes were asked for", "nodes left their chains", "writes wait for a node",
                                   "inserts were cancelled by erases"};
  if (at.cell != pool_erased_beside) return fmt::format("{} {}", *number, words[at.cell]);
  const auto beside = static_cast<std::int32_t>(*number);
  if (beside == 0) return "as many entries went as there were erases";
  return fmt::format("{} {} entries went than there were erases", beside < 0 ? -std::int64_t{beside} : beside,
                     beside < 0 ? "fewer" : "more");
}

std::string cgrx_nodes_model::brief_of(cell_ref at, const region_reader& read) const {
  if (at.region == node_region::scene.triangles) return scene_.triangle_brief(at.cell, read);
  if (at.region == node_region::heads) {
    const auto head = head_of(at.cell, read);
    if (!head) return "";
    return head->next == next_node::free ? "free" : head->next == next_node::none ? "end" : std::to_string(head->next);
  }
  if (at.region == node_region::bounds && at.cell + 1 == view_.buckets) return "no end";
  if (at.region != node_region::bounds && at.region != node_region::pool) return "";
  const auto number = number_at(at, read);
  return number ? std::to_string(*number) : "";
}

std::string cgrx_nodes_model::field_words(cell_ref at, const cell_field& field, u64 value) const {
  // By how much the entries that went differ from the erases, modulo 2^32.
  if (at.region == node_region::pool && at.cell == pool_erased_beside)
    return std::to_string(static_cast<std::int32_t>(value));
  if (at.region != node_region::heads) return "";
  const u32 key = key_bytes(config_.keys);
  if (field.offset == key) return value == next_node::none ? "end" : value == next_node::free ? "free" : "";
  const u64 greatest = config_.keys == key_width::u32 ? u64{greatest_key<u32>()} : greatest_key<u64>();
  return field.offset == 0 && value == greatest ? "no end" : "";
}

bool cgrx_nodes_model::leads_of(const cell_run& cells, const region_reader& read, std::vector<cell_link>& out) const {
  const u64 end = std::min(cells.first + cells.count, regions_[number_of(cells.region)].cells);
  if (cells.region == node_region::scene.boxes) scene_.add_leads(cells.first, end, out);
  for (u64 cell = cells.first; cells.region == node_region::scene.triangles && cell < end; ++cell) {
    const auto triangle = scene_.triangle(cell, read);
    if (!triangle) return false;
    const auto bucket = scene_.bucket_of(*triangle);
    if (bucket) out.push_back({{cells.region, cell}, first_cell_of(*bucket), config_.node});
  }
  for (u64 node = cells.first; cells.region == node_region::heads && node < std::min<u64>(end, view_.nodes); ++node) {
    const auto head = head_of(node, read);
    if (!head) return false;
    if (head->next == next_node::free) continue;
    out.push_back({{cells.region, node}, first_cell_of(node), config_.node});
    if (head->next < view_.nodes) out.push_back({{cells.region, node}, first_cell_of(head->next), config_.node});
  }
  return true;
}

bool cgrx_nodes_model::links_of(std::span<const tree_node> nodes, const region_reader& read,
                                std::vector<node_link>& out) const {
  if (!index_model::links_of(nodes, read, out)) return false;
  std::vector<u32> place_of(view_.nodes);  // in `nodes`, by number
  for (u32 i = 0; i < nodes.size(); ++i)
    if (nodes[i].id) place_of[*nodes[i].id] = i;
  for (u32 i = 0; i < nodes.size(); ++i) {
    if (nodes[i].id) {
      const auto head = head_of(*nodes[i].id, read);
      if (!head) return false;
      if (head->next < view_.nodes) out.push_back({i, place_of[head->next], config_.node});
      continue;
    }
    if (nodes[i].region != node_region::scene.triangles) continue;
    for (u32 c = 0; c < nodes[i].cells; ++c) {
      const auto triangle = scene_.triangle(nodes[i].cell(c), read);
      if (!triangle) return false;
      if (const auto bucket = scene_.bucket_of(*triangle)) out.push_back({i, place_of[*bucket], c});
    }
  }
  return true;
}

std::optional<fill_parts> cgrx_nodes_model::fill() const {
  fill_parts parts;
  parts.name = "node";
  parts.meaning = fmt::format(
      "A node has room for {} entries. The build fills half of it, and so does a split. Erases leave less, and merge "
      "nodes of one chain that come to half a node together.",
      config_.node);
  parts.unit = "entry", parts.units = "entries";
  parts.count = view_.nodes, parts.room = config_.node, parts.cells = config_.node;
  parts.kinds = {{"first node", "Of a bucket: a triangle leads to it."},
                 {"linked node", "In the chain of a bucket, or free."}};
  return parts;
}

bool cgrx_nodes_model::fills_of(u64 first, const region_reader& read, std::span<part_fill> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto head = head_of(first + i, read);
    if (!head) return false;
    out[i] = {head->size, first + i < view_.buckets ? 0u : 1u};
  }
  return true;
}

std::optional<u64> cgrx_nodes_model::part_of(u64 key, const region_reader& read) const {
  const auto bucket = bucket_of(key, read);
  if (!bucket) return std::nullopt;
  u64 node = *bucket;
  for (auto head = head_of(node, read);; head = head_of(node, read)) {
    if (!head) return std::nullopt;
    if (head->greatest >= key || head->next >= view_.nodes) return node;
    node = head->next;
  }
}

std::string cgrx_nodes_model::part_words(u64 part, const region_reader& read) const {
  const auto head = head_of(part, read);
  return head ? fmt::format("Cells {} to {}; {}.", part * config_.node, (part + 1) * config_.node - 1,
                            head_words(part, *head))
              : "";
}

std::vector<pass_info> cgrx_nodes_model::build_passes() const {
  if (view_.changed) return {};
  std::vector<pass_info> list = {{"entries",
                                  "One pass: for each key of the sorted ones a thread stores it with its row id in its "
                                  "bucket's node. Another leaves "
                                  "the other cells empty.",
                                  main_region,
                                  regions_[0].cells,
                                  {}}};
  if (view_.tree.triangles > 0) list.push_back(scene_.triangles_pass());
  if (view_.tree.levels > 0) list.push_back(scene_.boxes_pass());
  list.push_back({"heads",
                  "For each bucket a thread stores the head of its node. Nodes behind those are free.",
                  node_region::heads,
                  view_.room,
                  {}});
  list.push_back(
      {"bounds",
       "For each bucket a thread stores the key of the place where its triangle is: it is the greatest whose "
       "rays lead to the bucket.",
       node_region::bounds,
       view_.buckets,
       {}});
  list.push_back({"pool", "The counters begin at 0.", node_region::pool, pool_counters, {}});
  return list;
}

build_step cgrx_nodes_model::step_of_build(u32 pass, u64 slot) const {
  const region_id region = build_passes()[pass].region;
  if (region == node_region::scene.triangles) return scene_.step_of_triangle(slot);
  if (region == node_region::scene.boxes) return scene_.step_of_box(slot);
  build_step step;
  step.turn = slot;
  if (region == node_region::pool) {
    step.words = "The counter is set to 0.";
  } else if (region == node_region::bounds) {
    step.words = slot + 1 == view_.buckets ? "The last bucket has no end."
                                           : fmt::format("The greatest key whose rays lead to bucket {}.", slot);
  } else if (region == node_region::heads) {
    step.words = slot < view_.buckets ? fmt::format("Node {} is the first of bucket {}, and the only one.", slot, slot)
                                      : fmt::format("Node {} is in no chain.", slot);
  } else {
    const u64 node = slot / config_.node, in_node = slot % config_.node, half = half_a_node(config_),
              key = node * half + in_node;
    step.empty = node >= view_.buckets || in_node >= half || key >= view_.keys;
    step.words = step.empty
                     ? fmt::format("Slot {} of node {} stays empty: room for inserts.", in_node, node)
                     : fmt::format("Slot {} of node {} gets key number {} of the sorted ones.", in_node, node, key);
    if (!step.empty) step.turn = key, step.at_once = cgrx_nodes::build_at_once;
  }
  return step;
}

}  // namespace pivotscope
