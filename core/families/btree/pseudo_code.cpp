#include "core/families/btree/pseudo_code.hpp"

#include "core/families/btree/coupled.hpp"
#include "core/index/row_cells_code.hpp"

namespace pivotscope {
namespace {

constexpr std::string_view here = "core/families/btree/btree.hpp", walk = "core/families/btree/walk.hpp",
                           writes = "core/families/btree/writes.hpp", leaves = "core/families/btree/leaf_writes.hpp",
                           runs = "core/families/btree/runs.hpp", splits = "core/families/btree/splits.hpp",
                           coupled = "core/families/btree/coupled.hpp", node = "core/families/btree/node.hpp";

std::vector<source_mark> inner_loads() {
  return with(cell_loads(), {{here, "load_inner<Key>(config, memory, tree, node[i]"},
                             {walk, "load_inner<Key>(config, memory, view.as<btree_view>(), node, lane)"},
                             {walk, "memory.template each_of_scratch<entry_cell<Key>>"},
                             {walk, "load_inner<Key>(config, memory, node, lane)"},
                             {walk, "return inner_cells::load<Key>(config, memory, node, lane, true)"}});
}
std::vector<source_mark> inner_compares() {
  return {{here, "last_pair(config, memory, node[i]"},
          {walk, "return last_pair(config, memory, node, lane, key"},
          {walk, "saw_separator(config, memory, node, slot"},
          {walk, "memory.saw(btree_region::inner"}};
}
std::vector<source_mark> value_loads() {
  return {{node, "return memory.template load_acquire<u32>(Keys, cell"},
          {node, "return memory.template load_acquire<u32>(Values, cell"},
          {node, "return memory.template load_part<u32>(Keys, cell"},
          {node, "return memory.template load<u32>(Values, cell)"}};
}
std::vector<source_mark> child_loads() {
  return with(value_loads(), {{here, "child_seen<Key>(config, memory, node[i]"},
                              {walk, "child_seen<Key>(config, memory, node, seen)"},
                              {walk, "return child_word::number(inner_cells::load_value<Key>(config, memory"},
                              {here, "inner_cells::will_read<Key>"},
                              {here, "leaf_cells::will_read<Key>"},
                              {row_cells_source, "memory.will_read(entries, first_cell(config, node)"}});
}
std::vector<source_mark> leaf_loads() {
  return with(cell_loads(), {{here, "load_leaf<Key>(config, memory"},
                             {walk, "load_leaf<Key>(config, memory, leaf, lane)"},
                             {walk, "return leaf_cells::load<Key>(config, memory, leaf, lane, true)"}});
}
std::vector<source_mark> leaf_compares() {
  return with(cell_compares(), {{here, "row_in_share(config, memory, node[i]"},
                                {walk, "memory.saw(btree_region::entries"},
                                {walk, "leaf_cells::complete(config, memory"},
                                {walk, "leaf_cells::load_row(config, memory"},
                                {walk, "leaf_cells::row_of_key<Key>(config, memory"}});
}
std::vector<source_mark> end_loads() {
  return with(value_loads(), {{walk, "leaf_cells::end_of<Key>(config, lanes, memory, leaf)"},
                              {walk, "inner_cells::end_of<Key>(config, lanes, memory, node)"},
                              {here, "leaf_cells::end_of<Key>(config, wave.lanes, memory, leaf)"},
                              {splits, "inner_cells::end_of<Key>(config, lanes, memory, node)"},
                              {leaves, "leaf_cells::end_of<Key>(config, lanes, memory, leaf)"},
                              {runs, "leaf_cells::end_of<Key>(config, lanes, memory, leaf)"},
                              {node, "return lanes.once([&] { return end_seen<Key>(config"},
                              {node, "load_acquire<u64>(Keys, cell"},
                              {node, "const Key high = memory.template load_acquire<Key>(Keys"},
                              {node, "const Key high = memory.template load_part<Key>(Keys"},
                              {node, "return {high, node_link_word::unlatched(load_value<Key>"}});
}
const char* read_words(u32 lanes) { return lanes == 1 ? "read the node" : "read the node, a lane's share each"; }

// The way down that reads have in common.
pseudo_code way_down_code(const btree_config& config, const char* head) {
  return {{head},
          {"  node = the root", {}, pseudo_when::begins},
          {"  on each level of inner nodes:", {{here, "memory.step(level);"}, {walk, "memory.step(level);"}}},
          {std::string("    ") + read_words(config.lanes), inner_loads()},
          {"    count the separators that are not above the key", inner_compares()},
          {"    node = the child of the last of them", child_loads()}};
}
pseudo_code find_code(const btree_config& config) {
  return joined(way_down_code(config, "find(key):"),
                {{"  read the leaf, a lane's share each", with(leaf_loads(), {{here, "memory.step(levels);"}})},
                 {"  compare each key", leaf_compares()},
                 {"  if a cell has the key: return its row id", {}, pseudo_when::found},
                 {"  return none", {}, pseudo_when::absent}});
}
pseudo_code range_code(const btree_config& config) {
  return joined(
      way_down_code(config, "range(low, high):"),
      {{"  repeat:", {{here, "memory.scan_step(level, false)"}, {here, "seek_leaf(config, lanes"}}},
       {"    read the leaf, a lane's share each", with(leaf_loads(), {{here, "look_at_leaf<Key>(config, lanes"}})},
       {"    count the keys in the range, and add their row ids",
        with(leaf_compares(), {{here, "u32 inside = lanes.sum"}, {here, "answer.row_sum += lanes.sum"}})},
       {"    if the high key is above the range: return count and sum", end_loads(), pseudo_when::ends},
       {"    leaf = where the link leads", {}, pseudo_when::goes_on}});
}
pseudo_code next_code(const btree_config& config) {
  return joined(
      way_down_code(config, "successor(key):"),
      {{"  repeat:", {{here, "memory.scan_step(level, false)"}, {here, "seek_leaf(config, lanes"}}},
       {"    read the leaf, a lane's share each", with(leaf_loads(), {{here, "look_at_leaf<Key>(config, lanes"}})},
       {"    least = the least of its keys that are above the key",
        with(leaf_compares(), {{here, "const Key least_key = least_of"}, {here, "const u32 row = lanes.min"}})},
       {"    if there is one: return it", {}, pseudo_when::found},
       {"    if the link is none: return none", end_loads(), pseudo_when::absent},
       {"    leaf = where the link leads", {}, pseudo_when::goes_on}});
}

std::vector<source_mark> beside_writers() {
  return with(inner_loads(), {{walk, "saw_separator(config, memory, node, slot"},
                              {walk, "memory.saw(btree_region::inner"},
                              {writes, "way_beside_writers(config, lanes, memory, node, key, may_be_old)"},
                              {walk, "way_beside_writers(config, lanes, memory, node, key, may_be_old)"},
                              {coupled, "way_beside_writers(config, lanes, memory, node, key, false)"},
                              {walk, "load_on_the_way<Key>(config, memory, node, lane, may_be_old)"},
                              {walk, "return inner_cells::load_old<Key>(config, memory, node, lane)"},
                              {walk, "return load_inner<Key>(config, memory, node, lane)"},
                              {node, "memory.template each_of_old_run"},
                              {walk, "const Key first = inner_cells::load_key"},
                              {walk, "const u32 child = inner_cells::load_value"},
                              {walk, "const bool same = inner_cells::load_key"},
                              {node, "return memory.template load_acquire<Key>(Keys, cell, key_stride"},
                              {node, "return memory.template load_acquire<u32>(Keys, cell"},
                              {node, "return memory.template load_acquire<u32>(Values, cell"}});
}
std::vector<source_mark> latches() {
  return {{leaves, "leaf_cells::take_latch<Key>(config, lanes, memory, leaf)"},
          {writes, "leaf_cells::take_latch<Key>(config, lanes, memory, leaf)"},
          {coupled, "_cells::take_latch<Key>(config, lanes, memory,"},
          {node, "while (!try_latch<Key>(config, lanes, memory, node))"},
          {node, "? memory.template fetch_or<u32>(Keys, cell"},
          {node, ": memory.template fetch_or<u32>(Values, cell"},
          {node, "    order_stores(config, memory);"}};
}
std::vector<source_mark> stores() {
  return with(cell_stores(), {{node, "memory.template store_part<u32>(Keys, cell"},
                              {node, "memory.template store_part<u32>(Values, cell"},
                              {node, "memory.template store_part<Key>(Keys, cell"},
                              {node, "return memory.template store_part<u64>(Keys, cell"},
                              {node, "store_value<Key>(config, memory, cell, value)"},
                              {node, "store_key(config, memory, cell, key)"},
                              {node, "return put_pair(config, memory, cell, key, row)"},
                              {node, "cells::store(config, memory, cell, key, row)"},
                              {node, "put_pair(config, memory, cell, greatest_key<Key>(), not_found)"}});
}
std::vector<source_mark> unlatches() {
  return with(value_loads(), {{writes, "leaf_cells::unlatch<Key>(config, lanes, memory, leaf)"},
                              {coupled, "_cells::unlatch<Key>(config, lanes, memory,"},
                              {node, "store_value<Key>(config, memory, cell, node_link_word::unlatched("},
                              {node, "memory.template store_part<u32>(Keys, cell"},
                              {node, "memory.template store_part<u32>(Values, cell"},
                              {node, "    order_stores(config, memory);"}});
}

std::vector<source_mark> leaf_looks() {
  return with(leaf_loads(), {{leaves, "memory.saw(btree_region::entries"},
                             {runs, "memory.saw(btree_region::entries"},
                             {leaves, "leaf_cells::complete(config, memory"},
                             {runs, "leaf_cells::complete(config, memory"},
                             {leaves, "load_leaf<Key>(config, memory, leaf, lane)"},
                             {runs, "load_leaf<Key>(config, memory, leaf, lane)"},
                             {splits, "load_leaf<Key>(config, memory, leaf, lane)"},
                             {leaves, "slot_in_leaf(config, lanes, memory, leaf, key)"},
                             {writes, "slot_in_leaf(config, lanes, memory, leaf, key)"},
                             {coupled, "slot_in_leaf(config, lanes, memory, node, key)"},
                             {row_cells_source, "row = memory.template load_acquire<u32>(rows, cell"},
                             {row_cells_source, "load_row(config, memory, cell"},
                             {row_cells_source, "its_key = memory.template load<Key>(entries, cell)"}});
}
std::vector<source_mark> splits_on_the_way() {
  return with(stores(), {{writes, "split_root<Key>(config, lanes, memory, tree)"},
                         {writes, "split_inner(config, lanes, memory, tree, node, parent, level, key)"},
                         {splits, "memory.step(node_level"},
                         {splits, "memory.step(0)"},
                         {splits, "halve_root<Key>(config, lanes, memory, tree)"},
                         {splits, "halve_inner(config, lanes, memory, tree, node, end"},
                         {coupled, "halve_root<Key>(config, lanes, memory, tree)"},
                         {coupled, "halve_inner(config, lanes, memory, tree, node, way.end"},
                         {coupled, "insert_or_split(config, lanes, memory, tree, key, row);"},
                         {splits, "inner_cells::"},
                         {writes, "inner_cells::"},
                         {splits, "is_full<Key>(config, lanes, memory"},
                         {splits, "separator_of<Key>(config, lanes, memory"},
                         {splits, "copy_pair<Key>(config, memory"},
                         {splits, "take_nodes(lanes, memory, pool_inner"},
                         {splits, "latch_parent(config, lanes, memory, parent, node, key)"},
                         {splits, "load_inner<Key>(config, memory, parent, lane)"},
                         {runs, "order_stores(config, memory);"},
                         {splits, "order_stores(config, memory);"},
                         {leaves, "memory.template fetch_add<u32>(btree_region::pool"},
                         {runs, "memory.template fetch_add<u32>(btree_region::pool"},
                         {splits, "memory.template fetch_add<u32>(btree_region::pool"},
                         {splits, "add_pair(config, lanes, memory, parent"},
                         {node, "put_pair(config, memory, end_cell(config, node), end.high"},
                         {node, "return memory.template load_acquire<Key>(Keys, cell, key_stride"}});
}
// What an insert does in the leaf that it has latched.
pseudo_code leaf_code(const btree_config& config, const char* split) {
  const std::vector<source_mark> puts = {{leaves, "put_into_leaf(config, lanes, memory, leaf"},
                                         {writes, "put_into_leaf(config, lanes, memory, leaf"},
                                         {coupled, "put_into_leaf(config, lanes, memory, node"}};
  pseudo_code code = {{"  look through it", leaf_looks()}};
  if (keeps_all(config)) {
    code =
        joined(std::move(code),
               {{"  if a cell is empty: store the entry there",
                 with(with(stores(), puts), {{leaves, "leaf_cells::put_entry(config, memory"},
                                             {runs, "leaf_cells::put_entry(config, memory"},
                                             {splits, "leaf_cells::put_entry(config, memory"}})},
                {"  else if it is full of the key, whose run goes on: latch the next leaf, and store the entry there",
                 {{writes, "lengthen_run(config, lanes, memory, tree, leaf"},
                  {runs, "leaf_cells::latch<Key>(config, lanes, memory, next)"},
                  {runs, "slot_in_leaf(config, lanes, memory, next, key)"},
                  {runs, "put_into_leaf(config, lanes, memory, next"},
                  {runs, "leaf_cells::unlatch<Key>(config, lanes, memory, next"}}},
                {"    that is full, too: a new leaf between the two"}});
  } else {
    code = joined(std::move(code), {{"  if it has the key: store the row id",
                                     with(puts, {{leaves, "leaf_cells::store_value<Key>(config, memory"},
                                                 {splits, "leaf_cells::store_value<Key>(config, memory"}})},
                                    {"  else if a cell is empty: store the pair there",
                                     with(stores(), {{leaves, "leaf_cells::put_entry(config, memory"},
                                                     {runs, "leaf_cells::put_entry(config, memory"},
                                                     {splits, "leaf_cells::put_entry(config, memory"}})}});
  }
  return joined(std::move(code),
                {{split,
                  {{writes, "split_leaf(config, lanes, memory, tree"},
                   {coupled, "split_leaf(config, lanes, memory, tree"},
                   {leaves, "memory.step(leaf_level"},
                   {runs, "memory.step(leaf_level"},
                   {splits, "memory.step(leaf_level"},
                   {writes, "memory.step(leaf_level"},
                   {writes, "latch_parent(config, lanes, memory, parent, leaf | child_word::leaf, key)"},
                   {runs, "take_nodes(lanes, memory, pool_leaves, 1)"},
                   {splits, "take_nodes(lanes, memory, pool_leaves, 1)"},
                   {splits, "leaf_cells::load_row(config, memory"},
                   {runs, "leaf_cells::set_end(config, memory, sibling"},
                   {splits, "leaf_cells::set_end(config, memory, sibling"}}},
                 {"    set link and high key: half split; then the pairs that moved leave",
                  {{runs, "leaf_cells::set_end(config, memory, leaf"},
                   {splits, "leaf_cells::set_end(config, memory, leaf"},
                   {leaves, "leaf_cells::empty<Key>(config, memory"},
                   {runs, "leaf_cells::empty<Key>(config, memory"},
                   {splits, "leaf_cells::empty<Key>(config, memory"}}},
                 {"    the parent gets the separator",
                  {{splits, "add_pair(config, lanes, memory, parent, slot, separator, sibling | child_word::leaf)"}}},
                 {"  let go of the latch; return", unlatches()}});
}
std::string read_words_of_writes(const btree_config& config) {
  return std::string("    ") + read_words(btree_writes::for_writes(config).lanes);
}

pseudo_code insert_code(const btree_config& config) {
  return joined(
      {{"insert(key, row id):"},
       {"  node = the root", {}, pseudo_when::begins},
       {"  repeat:", {{runs, "memory.step(level);"}, {writes, "memory.step(level);"}}},
       {read_words_of_writes(config), beside_writers()},
       {"    if the high key is not above the key: node = the right sibling", end_loads()},
       {"    if it is full: latch it, split it; once more from the root", splits_on_the_way()},
       {"    node = the child behind the last separator that is not above the key"},
       {"  latch the leaf; another has the latch: once more from the root",
        with(latches(), {{writes, "insert_into_leaf(config, lanes, memory, tree"}})}},
      leaf_code(config, keeps_all(config)
                            ? "  else: latch the parent; the greater keys' pairs to a new leaf that nobody sees yet"
                            : "  else: latch the parent; half of the pairs to a new leaf that nobody sees yet"));
}
pseudo_code coupled_insert_code(const btree_config& config) {
  return joined({{"insert(key, row id):"},
                 {"  node = the root", {}, pseudo_when::begins},
                 {"  repeat, down to the leaf:", {{coupled, "memory.step(level);"}}},
                 {"    latch the node; the latch above is still there", latches()},
                 {read_words_of_writes(config), with(beside_writers(), end_loads())},
                 {"    if it is full: split it; let go of both; once more from the root", splits_on_the_way()},
                 {"    let go of the latch above; node = the child"}},
                leaf_code(config, "  else: half of the pairs to a new leaf that nobody sees yet"));
}
pseudo_code erase_code(const btree_config& config) {
  return {{"erase(key):"},
          {"  node = the root", {}, pseudo_when::begins},
          {"  on each level:",
           {{runs, "memory.step(level);"}, {writes, "memory.step(level);"}, {walk, "memory.step(level);"}}},
          {read_words_of_writes(config),
           with(beside_writers(), {{runs, "seek_leaf(config, lanes, memory, view, key, level)"},
                                   {writes, "seek_leaf(config, lanes, memory, view, key, level)"}})},
          {"    if the high key is not above the key: node = the right sibling", end_loads()},
          {"    node = the child behind the last separator that is not above the key"},
          {"  latch the leaf", latches()},
          {"  look through it", with(leaf_looks(), {{writes, "erase_from_leaf(config, lanes, memory, leaf, key)"}})},
          {"  if a cell has the key: empty it", with(stores(), {{leaves, "leaf_cells::empty<Key>(config, memory"},
                                                                {runs, "leaf_cells::empty<Key>(config, memory"},
                                                                {splits, "leaf_cells::empty<Key>(config, memory"}})},
          {"  let go of the latch; return", unlatches()}};
}
// With duplicates.
pseudo_code erase_run_code(const btree_config& config) {
  return {
      {"erase(key):"},
      {"  node = the root", {}, pseudo_when::begins},
      {"  on each level:",
       {{runs, "memory.step(level);"}, {writes, "memory.step(level);"}, {walk, "memory.step(level);"}}},
      {read_words_of_writes(config),
       with(beside_writers(), {{runs, "seek_leaf(config, lanes, memory, view, key, level)"},
                               {writes, "seek_leaf(config, lanes, memory, view, key, level)"}})},
      {"    if the high key is not above the key: node = the right sibling", end_loads()},
      {"    node = the child behind the last separator that is not above the key"},
      {"  repeat: latch the leaf", latches()},
      {"    look through it", with(leaf_looks(), {{runs, "erase_all_from_leaf(config, lanes, memory, leaf, key)"}})},
      {"    empty all cells that have the key", with(stores(), {{leaves, "leaf_cells::empty<Key>(config, memory"},
                                                                {runs, "leaf_cells::empty<Key>(config, memory"},
                                                                {splits, "leaf_cells::empty<Key>(config, memory"}})},
      {"    let go of the latch", unlatches()},
      {"    if the high key is above the key: return how many there were",
       {{runs, "count_more(memory, removed - 1)"},
        {leaves, "memory.template fetch_add<u32>(btree_region::pool"},
        {runs, "memory.template fetch_add<u32>(btree_region::pool"},
        {splits, "memory.template fetch_add<u32>(btree_region::pool"}}},
      {"    leaf = where the link leads"}};
}
pseudo_code coupled_erase_code(const btree_config& config) {
  return {
      {"erase(key):"},
      {"  node = the root", {}, pseudo_when::begins},
      {"  on each level, down to the leaf:", {{coupled, "memory.step(level);"}, {coupled, "memory.step(++level);"}}},
      {"    latch the node; then let go of the one above", latches()},
      {read_words_of_writes(config), with(beside_writers(), end_loads())},
      {"    node = the child behind the last separator that is not above the key"},
      {"  look through the leaf",
       with(leaf_looks(), {{coupled, "erase_from_leaf(config, lanes, memory, child, key)"}})},
      {"  if a cell has the key: empty it", with(stores(), {{leaves, "leaf_cells::empty<Key>(config, memory"},
                                                            {runs, "leaf_cells::empty<Key>(config, memory"},
                                                            {splits, "leaf_cells::empty<Key>(config, memory"}})},
      {"  let go of the latch; return", unlatches()}};
}

}  // namespace

pseudo_code btree_pseudo_code(const btree_config& config, operation kind) {
  switch (kind) {
    case operation::insert:
      return config.latches == latch_use::coupled ? coupled_insert_code(config) : insert_code(config);
    case operation::erase:
      return config.latches == latch_use::coupled ? coupled_erase_code(config)
             : keeps_all(config)                  ? erase_run_code(config)
                                                  : erase_code(config);
    case operation::range:
      return range_code(config);
    case operation::successor:
    case operation::lower_bound:
      return next_code(config);
    default:
      return find_code(config);
  }
}

}  // namespace pivotscope
