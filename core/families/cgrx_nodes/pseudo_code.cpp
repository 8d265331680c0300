#include "core/families/cgrx_nodes/pseudo_code.hpp"

#include "core/bucket_scene/rays_code.hpp"

namespace pivotscope {
namespace {

constexpr std::string_view here = "core/families/cgrx_nodes/cgrx_nodes.hpp",
                           cells = "core/families/cgrx_nodes/node.hpp",
                           writes = "core/families/cgrx_nodes/chain_writes.hpp",
                           passes = "core/families/cgrx_nodes/passes.hpp";

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

// A batch of one write: its bucket, and the node of its chain.
pseudo_code write_code(std::string head, const char* whose) {
  return {{std::move(head), {{passes, "memory.store_part(node_region::pool"}}},
          {std::string("  a thread for each bucket: if the key is not above its bound, and ") + whose +
               " the bound before:",
           {{writes, "memory_.step(here_.level_of(bucket_))"},
            {writes, "const u32 end = first_above(bound_of(bucket_)"},
            {writes, "const Key before = bound_of(bucket_ - 1)"},
            {writes, "const bool reaches_in = "}}},
          {"    node = the first of the bucket", {{writes, "enter_chain();"}}},
          {"    while its greatest key is less: node = the next one",
           {{writes, "while (is_behind(key)) enter(head_.next)"},
            {writes, "memory_.met(node_region::heads, node_"},
            {writes, "enter(head_.next);"}}}};
}

pseudo_code insert_code() {
  return joined(write_code("insert(key, row id), a batch by itself:", "above"),
                {{"    if the node is full:", {{writes, "memory_.step(here_.level_of(node_));  // a split"}}},
                 {"      take a node from the pool", {{writes, "fetch_add<u32>(node_region::pool, pool_taken"}}},
                 {"      move the upper half there; it gets the old greatest key, and what follows",
                  {{writes, "some[i] = entry_of(node_, slot + i)"},
                   {writes, "store_entry(fresh, slot + i - half, some[i])"},
                   {writes, "store_head(fresh, make_head(head_.greatest"}}},
                 {"      the last key that stays is the node's greatest; it leads to the new node",
                  {{writes, "head_ = make_head(entry_of(node_, half - 1).key, fresh, half)"}}},
                 {"    move greater entries one cell, from the back; store the new one, and the size",
                  {{writes, "memory_.step(here_.level_of(node_));  // inserts are merged in"},
                   {writes, "entry old = left > 0 ? entry_of(node_, left - 1)"},
                   {writes, "memory_.saw(node_region::entries, cell(node_, left - 1)"},
                   {writes, "store_entry(node_, --to, moves ? old : fresh)"},
                   {writes, "old = entry_of(node_, left - 1)"},
                   {writes, "store_head(node_, head_)"}}}});
}

pseudo_code erase_code() {
  return joined(
      write_code("erase(key), a batch by itself:", "not below"),
      {{"    at = its first entry that is not smaller, by halves", {{writes, "const Key seen = look_at(middle).key"}}},
       {"    while entry at has the key: it goes; at = the next, or the first of the next node",
        {{writes, "const entry e = look_at(from_)"}}},
       {"    move up what stays, empty the cells behind it, store the size",
        {{writes, "memory_.step(here_.level_of(node_));  // a gap is closed"},
         {writes, "store_entry(node_, to_++, entry_of(node_, from_++))"},
         {writes, "empty_slot(node_, slot)"},
         {writes, "store_head(node_, head_)"}}},
       {"    if something went: for each node of the chain and the next one:",
        {{writes, "memory_.step(here_.level_of(next))"}, {writes, "const head other = head_of(next)"}}},
       {"      if both come to half a node at most, or one is empty: merge them, and free the second",
        {{writes, "store_entry(node_, head_.size + slot, entry_of(next, slot))"},
         {writes, "empty_slot(next, slot)"},
         {writes, "store_head(next, make_head("},
         {writes, "count(pool_freed"},
         {writes, "memory_.template fetch_add<u32>(node_region::pool, counter"}}}});
}

}  // namespace

pseudo_code cgrx_nodes_pseudo_code(const cgrx_nodes_config& config, operation kind) {
  if (kind == operation::insert) return insert_code();
  if (kind == operation::erase) return erase_code();
  if (kind == operation::range) return range_code(config);
  if (answer_of(kind) == answer_kind::next) return next_code(config, takes_itself(kind));
  return find_code(config);
}

}  // namespace pivotscope
