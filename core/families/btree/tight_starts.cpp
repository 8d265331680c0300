#include "core/families/btree/tight_starts.hpp"

#include <algorithm>
#include <iterator>

namespace pivotscope {
namespace {

// Every schedule begins with a copy of the tree.
constexpr u64 most_cells = 512;
// Splits are the same in small nodes and in large ones, where they take hundreds of accesses.
constexpr u32 most_cells_of_inner = 8, most_cells_of_leaf = 16;

// A tree of one leaf, into which ever greater keys come: only its last leaf, and its last inner node above, are split.
class growing_tree {
 public:
  explicit growing_tree(const btree_config& c) : config_(c) {
    for (u64 i = 0; i < in_leaf_; ++i) keys_.push_back(next_key());
  }
  u32 in_leaf() const { return in_leaf_; }      // pairs of the last leaf
  u32 in_parent() const { return in_parent_; }  // leaves of its parent
  bool parent_is_root() const { return is_root_; }
  u64 cells() const { return u64{leaves_} * config_.node; }

  void insert() {
    const u32 slots = node_slots(config_), kept = kept_by_split(config_);
    before_.emplace_back(operation::insert, next_key());
    if (in_parent_ == slots) in_parent_ -= kept, is_root_ = false;  // a full node on the way is split
    if (in_leaf_ == slots) in_leaf_ -= kept, ++in_parent_, ++leaves_;
    ++in_leaf_;
  }
  // The next two keys meet in the last leaf; the third is there, and leaves with the split.
  tight_start start(std::string name) const {
    return {std::move(name), keys_, before_, {last_ + 10, last_ + 5, last_}};
  }
  // An insert on the way to the last leaf, beside a key of the second one, to which the upper node's second pair leads.
  tight_start start_left(std::string name) const {
    const u64 first_of_second = 10 * (u64{kept_by_split(config_)} + 1);
    return {std::move(name), keys_, before_, {last_ + 10, first_of_second}};
  }

 private:
  u64 next_key() { return last_ += 10; }

  btree_config config_;
  std::vector<u64> keys_;
  std::vector<question> before_;
  u64 last_ = 0;
  u32 in_leaf_ = 2, in_parent_ = 1, leaves_ = 1;
  bool is_root_ = true;
};

// A leaf full of one key, and what comes of it.
std::vector<tight_start> tight_runs(const btree_config& c) {
  const u64 key = 10, less = 5;
  std::vector<question> before(node_slots(c) - 2, {operation::insert, key});
  std::vector<tight_start> list;
  const auto add = [&](const char* name, u64 other) { list.push_back({name, {key, key}, before, {key, other}}); };
  add("a leaf is full of one key", less);
  before.emplace_back(operation::insert, key);
  add("a run's next leaf has room", key + 2);
  std::vector<question> in_two_leaves = before;
  before.insert(before.end(), node_slots(c) - 1, {operation::insert, key});
  add("a run's next leaf is full", less);
  // Where the run begins there are other keys, too.
  before = std::move(in_two_leaves);
  before.emplace_back(operation::erase, key);
  for (u32 i = 0; i < node_slots(c); ++i) before.emplace_back(operation::insert, i < 3 ? less : key);
  add("a run begins in a leaf with another key", less + 1);
  // Of the run no entry is left, and its first leaf is full of the key before it.
  before.resize(before.size() - node_slots(c));
  before.insert(before.end(), node_slots(c), {operation::insert, key - 1});
  list.push_back({"the first leaf of a run without entries is full", {key, key}, before, {key - 1, key}});
  return list;
}

}  // namespace

std::vector<tight_start> tight_trees(const btree_config& config) {
  std::vector<tight_start> list;
  const u32 slots = node_slots(config);
  if (config.node > most_cells_of_leaf) return list;
  growing_tree tree(config);
  const auto grow_until = [&](auto&& reached) {
    while (!reached() && tree.cells() <= most_cells) tree.insert();
    return tree.cells() <= most_cells;
  };
  if (grow_until([&] { return tree.in_leaf() == slots; })) list.push_back(tree.start("the only leaf is full"));
  if (config.node > most_cells_of_inner) return list;
  if (keeps_all(config)) {
    // Inner nodes are split as without duplicates.
    std::ranges::move(tight_runs(config), std::back_inserter(list));
    return list;
  }
  if (grow_until([&] { return tree.in_parent() > 1 && tree.in_leaf() == slots; }))
    list.push_back(tree.start("the last leaf is full"));
  if (grow_until([&] { return tree.in_parent() == slots; })) {
    list.push_back(tree.start("the root is full"));
    list.push_back(tree.start_left("the root is full, and its second pair in use"));
  }
  if (grow_until([&] { return !tree.parent_is_root() && tree.in_parent() == slots; }))
    list.push_back(tree.start("an inner node is full"));
  return list;
}

}  // namespace pivotscope
