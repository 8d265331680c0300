#include "core/families/cgrx_nodes/pseudo_code.hpp"

#include "core/bucket_scene/rays_code.hpp"

namespace pivotscope {
namespace {

constexpr std::string_view here = "core/families/cgrx_nodes/cgrx_nodes.hpp",
                           cells = "core/families/cgrx_nodes/node.hpp";

const source_mark loads_key = {cells, "load_part<Key>(entries, slot, sizeof(entry_cell<Key>), 0)"},
                  loads_entry = {cells, "memory.template load<entry_cell<Key>>(entries, slot)"};

// Rays to the bucket, then the node of its chain, then the entry.
pseudo_code search_code(const cgrx_nodes_config& config, std::string head) {
  std::vector<source_mark> looks = bucket_search_marks(config.search);
  looks.push_back(loads_key);
  return joined(rays_code(config.form, std::move(head)),
                {{"  node = the first of that bucket; while its greatest key is less: node = the next one",
                  {{here, "wave.memory.step(here.level_of(at.node))"},
                   {here, "wave.memory.template load<node_head<key_type>>(heads, at.node)"},
                   {here, "wave.memory.met(heads, at.node"}}},
                 {config.search == bucket_search::linear ? "  at = its first entry that is not smaller, one by one"
                                                         : "  at = its first entry that is not smaller, by halves",
                  std::move(looks)}});
}

// The lines that begin a step of a scan.
std::vector<source_mark> scan_marks(std::vector<source_mark> more) {
  more.insert(more.end(), {{here, "memory.scan_step(here.level_of(at.node), false)"},
                           {here, "enter_node<Key>(config, memory, at);"},
                           {here, "memory.template load<node_head<Key>>(heads, at.node)"},
                           {here, "memory.met(heads, at.node, relation::hit)"},
                           {here, "begin_scan<Key>(config, memory, here, at)"},
                           loads_entry,
                           {here, "memory.saw(entries, at.slot, entry.key)"}});
  return more;
}

pseudo_code find_code(const cgrx_nodes_config& config) {
  return joined(search_code(config, "find(key):"),
                {{"  if it has the key: return its row id",
                  {{here, "wave.memory.step(here.level_of(at[i].node))"},
                   {here, "node_cells<key_type>::load_entry(wave.memory, at[i].slot)"},
                   loads_entry,
                   {here, "wave.memory.saw(entries, at[i].slot, entry.key)"}}},
                 {"  else: return none", {{here, "auto found = wave.all(not_found);"}}, pseudo_when::absent}});
}

pseudo_code range_code(const cgrx_nodes_config& config) {
  return joined(search_code(config, "range(low, high): the key is low"),
                {{"  while slot at, or the first of the next node, has a key that is not greater than high:",
                  scan_marks({{here, "node_cells<Key>::load_entry(memory, at.slot)"}})},
                 {"    count = count + 1, sum = sum + row id, at = at + 1", {{here, "++answer.count, ++at.slot"}}},
                 {"  return count, sum", {{here, "return answer;"}}, pseudo_when::ends}});
}

pseudo_code next_code(const cgrx_nodes_config& config, bool itself) {
  return joined(search_code(config, itself ? "lower bound(key):" : "what comes after(key): the key is key + 1"),
                {{"  read the entry in slot at, or the first of the nodes that follow",
                  scan_marks({{here, "node_cells<Key>::load_entry(memory, at.slot)"}})},
                 {"    return its key and row id", {{here, "answer = {entry.key, entry.row}"}}, pseudo_when::found},
                 {"  return none", {{here, "successor_answer answer{};"}}, pseudo_when::absent}});
}

}  // namespace

pseudo_code cgrx_nodes_pseudo_code(const cgrx_nodes_config& config, operation kind) {
  if (kind == operation::range) return range_code(config);
  if (answer_of(kind) == answer_kind::next) return next_code(config, takes_itself(kind));
  return find_code(config);
}

}  // namespace pivotscope
