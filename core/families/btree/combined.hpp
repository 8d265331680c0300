// A batch of writes as a whole: sorted, so that all writes of a leaf lie together, and done without latches, level by level
// from the leaves up.
//
//   writes, sorted    3 i   3 e | 17 i  18 i  19 i  20 i | 58 i        i an insert, e an erase; equal keys are combined
//   their leaves      l0    l0    l1    l1    l1    l1     l3
//   new entries       17 18 19 20 | 58                                 of keys that the tree does not have
//   l1 has no room for its four:   l1 | 17 18 19 | 20 ->  n  | 20 30 |
//   new pairs above   (20, n)                                          put into the inner nodes in the same way
//
// An item is a write, or a new pair. Which nodes a list of new pairs is for follows from the keys; a node's are a run of
// the list, and its first item stands for the node. A run that finds no room makes as many siblings at once as it needs:
// of T pairs and L nodes, node q takes those of ranks [q T / L, (q + 1) T / L) in the order of keys. So no item waits for
// another, and neither ascending keys nor a leaf that gets the whole batch makes one thread do it all.
#pragma once

#include "core/families/btree/passes.hpp"

namespace pivotscope {

// The list of new pairs that a pass reads, and that of the level above, which it makes: the two change places.
struct pair_lists {
  PIVOTSCOPE_FN static constexpr array_id keys(u32 list) { return list == 0 ? array_id{4} : batch_keys; }
  PIVOTSCOPE_FN static constexpr array_id values(u32 list) { return list == 0 ? array_id{5} : batch_numbers; }
  static constexpr array_id nodes{6};     // the node of each pair of the list that is read
  static constexpr array_id siblings{2};  // how many the runs before it make; one more at the end
};
// Of the writes: what each does to its leaf.
inline constexpr array_id write_nodes{2}, write_effects{3};
struct write_effect {
  static constexpr u32 none = 0, adds = 1u << 8, changes_row = 2u << 8, erases = 3u << 8;
  PIVOTSCOPE_FN static constexpr u32 what(u32 effect) { return effect & 3u << 8; }
  PIVOTSCOPE_FN static constexpr u32 slot(u32 effect) { return effect & 0xff; }
  // Of a write that adds an entry, above these: what its leaf was like (leaf_look).
  PIVOTSCOPE_FN static constexpr u32 with_look(u32 effect, u32 look) { return effect | look << 16; }
  PIVOTSCOPE_FN static constexpr u32 look(u32 effect) { return effect >> 16; }
};
// What a leaf was like before the batch, of each new entry: how many pairs it had, and its first empty cell. Erases have made
// more room since. So most leaves need not be read again.
struct leaf_look {
  static constexpr u32 no_slot = 0xff;
  PIVOTSCOPE_FN static constexpr u32 of(u32 pairs, u32 slot) { return pairs << 8 | slot; }
  PIVOTSCOPE_FN static constexpr u32 pairs(u32 look) { return look >> 8; }  // at least as many as there are now
  PIVOTSCOPE_FN static constexpr u32 empty(u32 look) { return look & 0xff; }
  // They lie behind the nodes.
  PIVOTSCOPE_FN static u32& of_item(const build_view& view, u64 i) {
    return view.array<u32>(pair_lists::nodes)[view.as<btree_view>().batch.looks + i];
  }
};

struct combined_passes {
  // Item i is a write. Counts the keys that go.
  struct look_at_writes {
    template <class Key, class Config>
    PIVOTSCOPE_FN static bool at(Config config, const build_view& view, u64 i) {
      const combined_batch& batch = view.as<btree_view>().batch;
      const Key* const keys = view.template array<Key>(batch_keys);
      const u32* const numbers = view.template array<u32>(batch_numbers);
      const Key key = keys[i];
      const u32 leaf = child_word::number(node_on<Key>(config, view, key, view.as<btree_view>().levels));
      const auto [slot, look] = look_at(config, view, leaf, key);
      const bool first = i == 0 || keys[i - 1] != key, last = i + 1 == batch.items || keys[i + 1] != key;
      // Erases have the lower numbers, so those of a key come before its inserts.
      const bool inserts = numbers[i] >= batch.erases;
      const bool was_there = first ? slot != no_cell : inserts && numbers[i - 1] >= batch.erases;
      view.done[numbers[i]] = inserts     ? was_there ? write_done::replaced : write_done::added
                              : was_there ? write_done::erased
                                          : write_done::absent;
      // The last write of a key is what counts.
      u32 effect = write_effect::none;
      if (last && slot == no_cell)
        effect = inserts ? write_effect::with_look(write_effect::adds, look) : write_effect::none;
      else if (last)
        effect = (inserts ? write_effect::changes_row : write_effect::erases) | slot;
      view.template array<u32>(write_nodes)[i] = leaf;
      view.template array<u32>(write_effects)[i] = effect;
      return write_effect::what(effect) == write_effect::erases;
    }
  };

  // Erases and replaces what the leaves have, and makes the list of what they do not have.
  struct keep_new {
    template <class Key>
    struct scratch {};
    template <class Key, class Config, class Tile>
    PIVOTSCOPE_FN static void make(Config config, Tile& tile, scratch<Key>&, const build_view& view, u64 number) {
      const combined_batch& batch = view.as<btree_view>().batch;
      const u32* const effects = view.template array<u32>(write_effects);
      auto counts = tile.all(0u);
      tile.each([&](u32 thread) {
        u32 count = 0;
        each_of_thread(batch, number, thread,
                       [&](u64 i) { count += write_effect::what(effects[i]) == write_effect::adds; });
        counts[thread] = count;
      });
      const u64 begin = tile.places(counts, unknown_place);
      tile.each([&](u32 thread) {
        u64 to = begin + counts[thread];
        each_of_thread(batch, number, thread, [&](u64 i) {
          const u32 effect = effects[i];
          if (write_effect::what(effect) == write_effect::none) return;
          const Key key = view.template array<Key>(batch_keys)[i];
          const u32 row = batch.first_row + (view.template array<u32>(batch_numbers)[i] - batch.erases);
          const u32 leaf = view.template array<u32>(write_nodes)[i];
          const u64 cell = first_cell(config, leaf) + write_effect::slot(effect);
          switch (write_effect::what(effect)) {
            case write_effect::changes_row:
              leaf_cells::put(config, view, cell, key, row);
              break;
            case write_effect::erases:
              leaf_cells::put(config, view, cell, greatest_key<Key>(), not_found);
              break;
            default:
              view.template array<Key>(pair_lists::keys(0))[to] = key;
              view.template array<u32>(pair_lists::values(0))[to] = row;
              leaf_look::of_item(view, to) = write_effect::look(effect);
              view.template array<u32>(pair_lists::nodes)[to++] = leaf;
          }
        });
      });
    }
  };

  // The inner node of a level that each pair of the list is for.
  struct find_nodes {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 i) {
      const combined_batch& batch = view.as<btree_view>().batch;
      const Key key = view.template array<Key>(pair_lists::keys(batch.list))[i];
      view.template array<u32>(pair_lists::nodes)[i] = node_on<Key>(config, view, key, batch.level);
    }
  };

  // Says how many siblings the nodes of the list's runs need. Makes that many.
  template <class Cells>
  struct count_siblings {
    template <class Key>
    struct scratch {};
    template <class Key, class Config, class Tile>
    PIVOTSCOPE_FN static void make(Config config, Tile& tile, scratch<Key>&, const build_view& view, u64 number) {
      const combined_batch& batch = view.as<btree_view>().batch;
      u32* const siblings = view.template array<u32>(pair_lists::siblings);
      auto counts = tile.all(0u);
      tile.each([&](u32 thread) {
        u32 count = 0;
        each_of_thread(batch, number, thread, [&](u64 i) { count += siblings[i] = wanted<Key>(config, view, i); });
        counts[thread] = count;
      });
      const u64 begin = tile.places(counts, unknown_place);
      tile.each([&](u32 thread) {
        u32 before = static_cast<u32>(begin) + counts[thread];
        each_of_thread(batch, number, thread, [&](u64 i) {
          const u32 own = siblings[i];
          siblings[i] = before;
          before += own;
          if (i + 1 == batch.items) siblings[i + 1] = before;
        });
      });
    }

   private:
    template <class Key, class Config>
    PIVOTSCOPE_FN static u32 wanted(Config config, const build_view& view, u64 i) {
      if (!begins_run(view, i)) return 0;
      const combined_batch& batch = view.as<btree_view>().batch;
      const u32 node = view.template array<u32>(pair_lists::nodes)[i];
      const u64 run = end_of_run(view, i) - i;
      if constexpr (is_leaf<Cells>) {
        const u32 look = leaf_look::of_item(view, i);
        if (leaf_look::pairs(look) + run <= node_slots(config.value)) return 0;
      }
      const u64 pairs = pairs_in<Key, Cells>(config, view, node) + run;
      return pairs <= node_slots(config.value) ? 0 : static_cast<u32>(ceil_div<u64>(pairs, batch.pairs_a_node) - 1);
    }
  };

  // Puts into the siblings what is theirs, of the list and of the nodes that they are split from, which stay as they are.
  // Makes the list of the level above: each sibling with its least key.
  template <class Cells>
  struct fill_siblings {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 i) {
      const u64 run = begin_of_run(view, i);
      const u32* const siblings = view.template array<u32>(pair_lists::siblings);
      if (siblings[run] == siblings[run + 1]) return;
      const run_split split = split_of<Key, Cells>(config, view, run);
      const combined_batch& batch = view.as<btree_view>().batch;
      const Key* const keys = view.template array<Key>(pair_lists::keys(batch.list));
      const u32 node = view.template array<u32>(pair_lists::nodes)[run];
      const Key own = keys[i];
      const auto pairs = pairs_of<Key, Cells>(config, view, node);
      u32 below = 0;  // pairs of the node that are below the item's
      PIVOTSCOPE_UNROLL
      for (u32 slot = 0; slot < node_slots(config.value); ++slot) {
        if (!has_pair<Cells>(pairs.values[slot])) continue;
        const Key key = pairs.keys[slot];
        below += key < own;
        if (i != run) continue;
        // The item that stands for the node moves the node's pairs, too.
        u64 before = run, end = split.end;  // of the list
        while (before < end) {
          const u64 middle = before + (end - before) / 2;
          if (keys[middle] < key)
            before = middle + 1;
          else
            end = middle;
        }
        u64 rank = before - run;
        PIVOTSCOPE_UNROLL
        for (u32 other = 0; other < node_slots(config.value); ++other)
          rank += has_pair<Cells>(pairs.values[other]) && pairs.keys[other] < key;
        put<Key, Cells>(config, view, split, rank, key, pairs.values[slot]);
      }
      put<Key, Cells>(config, view, split, i - run + below, own,
                      view.template array<u32>(pair_lists::values(batch.list))[i]);
      if (i != run) return;
      const u64 end = Cells::end_cell(config, node);
      const auto link = Cells::template entry_in<Key>(config, view, end);
      Cells::put(config, view, Cells::end_cell(config, split.first + split.siblings - 1), link.key, link.row);
    }
  };

  // Gives the nodes of the list what stays theirs.
  template <class Cells>
  struct settle_nodes {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 i) {
      if (!begins_run(view, i)) return;
      const combined_batch& batch = view.as<btree_view>().batch;
      const u32* const siblings = view.template array<u32>(pair_lists::siblings);
      const u32 node = view.template array<u32>(pair_lists::nodes)[i];
      if constexpr (is_leaf<Cells>) {
        const u32 slot = leaf_look::empty(leaf_look::of_item(view, i));
        if (slot != leaf_look::no_slot && end_of_run(view, i) == i + 1)
          return Cells::put(config, view, first_cell(config, node) + slot,
                            view.template array<Key>(pair_lists::keys(batch.list))[i],
                            view.template array<u32>(pair_lists::values(batch.list))[i]);
      }
      if (siblings[i] == siblings[i + 1])
        return add_pairs<Key, Cells>(config, view, node, greatest_key<Key>(), i,
                                     static_cast<u32>(end_of_run(view, i) - i));
      const run_split split = split_of<Key, Cells>(config, view, i);
      const Key separator = view.template array<Key>(pair_lists::keys(1 - batch.list))[siblings[i]];
      const auto pairs = pairs_of<Key, Cells>(config, view, node);
      u32 stay = 0;  // of the node's own
      PIVOTSCOPE_UNROLL
      for (u32 slot = 0; slot < node_slots(config.value); ++slot)
        stay += has_pair<Cells>(pairs.values[slot]) && pairs.keys[slot] < separator;
      add_pairs<Key, Cells>(config, view, node, separator, i, static_cast<u32>(split.first_rank(1)) - stay);
      Cells::put(config, view, Cells::end_cell(config, node), separator, split.first);
    }
  };

  // Item i is a cell of the root, whose pairs all go to a node of their own; the root leads to that.
  struct raise_root {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 i) {
      const u32 node = static_cast<u32>(view.as<btree_view>().first_new);
      const auto pair = inner_cells::entry_in<Key>(config, view, i);
      inner_cells::put(config, view, first_cell(config, node) + i, pair.key, pair.row);
      if (i == 0)
        inner_cells::put(config, view, i, Key{}, node);
      else if (i < node_slots(config.value))
        inner_cells::put(config, view, i, greatest_key<Key>(), not_found);
    }
  };

  struct count_new_leaves : count_siblings<leaf_cells> {};
  struct fill_new_leaves : fill_siblings<leaf_cells> {};
  struct settle_leaves : settle_nodes<leaf_cells> {};
  struct count_new_inner : count_siblings<inner_cells> {};
  struct fill_new_inner : fill_siblings<inner_cells> {};
  struct settle_inner : settle_nodes<inner_cells> {};

 private:
  // A run of the list, and how its node is split.
  struct run_split {
    u64 pairs;     // of the node and the run
    u64 end;       // of the run
    u32 siblings;  // that are made
    u32 first;     // number of the first one
    u32 before;    // siblings of the runs before: where the first one's pair is in the list of the level above

    PIVOTSCOPE_FN u64 first_rank(u32 node) const { return node * pairs / (siblings + 1); }
    // The node that takes the pair of a rank: the last one whose first rank is not above it.
    PIVOTSCOPE_FN u32 node_of(u64 rank) const {
      return static_cast<u32>(ceil_div<u64>((rank + 1) * (siblings + 1), pairs) - 1);
    }
  };
  template <class Key, class Cells, class Config>
  PIVOTSCOPE_FN static run_split split_of(Config config, const build_view& view, u64 run) {
    const u32* const siblings = view.template array<u32>(pair_lists::siblings);
    const u64 end = end_of_run(view, run);
    const u32 before = siblings[run];
    return {pairs_in<Key, Cells>(config, view, view.template array<u32>(pair_lists::nodes)[run]) + (end - run), end,
            siblings[run + 1] - before, static_cast<u32>(view.as<btree_view>().first_new) + before, before};
  }
  // Puts the pair of a rank into its sibling, if it goes to one. The first one of a sibling is its separator.
  template <class Key, class Cells, class Config>
  PIVOTSCOPE_FN static void put(Config config, const build_view& view, const run_split& split, u64 rank, Key key,
                                u32 value) {
    const u32 to = split.node_of(rank);
    if (to == 0) return;
    const u32 sibling = split.first + to - 1;
    const u32 slot = static_cast<u32>(rank - split.first_rank(to));
    Cells::put(config, view, first_cell(config, sibling) + slot, key, value);
    if (slot > 0) return;
    const u32 above = 1 - view.as<btree_view>().batch.list, place = split.before + to - 1;
    view.template array<Key>(pair_lists::keys(above))[place] = key;
    view.template array<u32>(pair_lists::values(above))[place] = is_leaf<Cells> ? sibling | child_word::leaf : sibling;
    if (to > 1) Cells::put(config, view, Cells::end_cell(config, sibling - 1), key, sibling);
  }
  // Adds the next items of the list, from `next` on, to a node that keeps its pairs below a separator, or all with the
  // greatest key: to the empty cells of a leaf, which is not sorted, and to where they belong in an inner node, whose pairs
  // are.
  template <class Key, class Cells, class Config>
  PIVOTSCOPE_FN static void add_pairs(Config config, const build_view& view, u32 node, Key separator, u64 next,
                                      u32 items) {
    const u32 list = view.as<btree_view>().batch.list;
    const Key* const keys = view.template array<Key>(pair_lists::keys(list)) + next;
    const u32* const values = view.template array<u32>(pair_lists::values(list)) + next;
    const u64 first = first_cell(config, node);
    const auto pairs = pairs_of<Key, Cells>(config, view, node);
    u32 item = 0, stay = 0;
    PIVOTSCOPE_UNROLL
    for (u32 slot = 0; slot < node_slots(config.value); ++slot) {
      const bool has = has_pair<Cells>(pairs.values[slot]);
      if (has && (separator == greatest_key<Key>() || pairs.keys[slot] < separator))
        ++stay;
      else if (is_leaf<Cells> && item < items)
        Cells::put(config, view, first + slot, keys[item], values[item]), ++item;
      else if (has)
        Cells::put(config, view, first + slot, greatest_key<Key>(), not_found);
    }
    if constexpr (!is_leaf<Cells>) {
      for (u32 to = stay + items; items > 0;) {
        const auto pair = inner_cells::entry_in<Key>(config, view, first + stay - 1);
        if (pair.key > keys[items - 1])  // the first pair of a node is not: all its keys are at or above it
          --stay, Cells::put(config, view, first + --to, pair.key, pair.row);
        else
          --items, Cells::put(config, view, first + --to, keys[items], values[items]);
      }
    }
  }

  template <class Cells>
  static constexpr bool is_leaf = Cells::entries == btree_region::entries;
  template <class Cells>
  PIVOTSCOPE_FN static bool has_pair(u32 value) {
    return is_leaf<Cells> ? is_live_row(value) : value != child_word::none;
  }
  // What the cells of a node hold. A thread that looks at a node looks at all of it: two cells a load.
  template <class Key>
  struct node_pairs {
    Key keys[most_node];
    u32 values[most_node];
  };
  template <class Key, class Cells, class Config>
  PIVOTSCOPE_FN static node_pairs<Key> pairs_of(Config config, const build_view& view, u32 node) {
    node_pairs<Key> pairs;
    PIVOTSCOPE_UNROLL
    for (u32 slot = 0; slot < node_cells(config.value); slot += 2) {
      const auto two = Cells::template two_in<Key>(config, view, first_cell(config, node) + slot);
      pairs.keys[slot] = two.first.key, pairs.values[slot] = two.first.row;
      pairs.keys[slot + 1] = two.second.key, pairs.values[slot + 1] = two.second.row;
    }
    return pairs;
  }
  template <class Key, class Cells, class Config>
  PIVOTSCOPE_FN static u32 pairs_in(Config config, const build_view& view, u32 node) {
    const auto all = pairs_of<Key, Cells>(config, view, node);
    u32 pairs = 0;
    PIVOTSCOPE_UNROLL
    for (u32 slot = 0; slot < node_slots(config.value); ++slot) pairs += has_pair<Cells>(all.values[slot]);
    return pairs;
  }
  // The slot in a leaf that has a key, or no_cell; and what the leaf is like.
  struct seen_leaf {
    u32 slot, look;
  };
  template <class Key, class Config>
  PIVOTSCOPE_FN static seen_leaf look_at(Config config, const build_view& view, u32 leaf, Key key) {
    const auto all = pairs_of<Key, leaf_cells>(config, view, leaf);
    u32 found = no_cell, pairs = 0, empty = leaf_look::no_slot;
    PIVOTSCOPE_UNROLL
    for (u32 slot = node_slots(config.value); slot-- > 0;) {
      const bool live = is_live_row(all.values[slot]);
      if (live && all.keys[slot] == key) found = slot;
      pairs += live;
      if (!live) empty = slot;
    }
    return {found, leaf_look::of(pairs, empty)};
  }
  // Returns what leads to the node of a key on an inner level, or to its leaf: a child's word.
  template <class Key, class Config>
  PIVOTSCOPE_FN static u32 node_on(Config config, const build_view& view, Key key, u32 level) {
    const Key bound = key < greatest_key<Key>() ? key : static_cast<Key>(key - 1);  // that of empty cells
    u32 node = 0;
    for (u32 l = 0; l < level; ++l) {
      const u64 first = first_cell(config, node);
      u32 slot = 0;  // of the last pair that is not above the key
      for (u32 step = node_cells(config.value) / 2; step > 0; step /= 2)
        if (slot + step < node_slots(config.value) &&
            inner_cells::entry_in<Key>(config, view, first + slot + step).key <= bound)
          slot += step;
      node = inner_cells::entry_in<Key>(config, view, first + slot).row;
    }
    return node;
  }

  template <class F>
  PIVOTSCOPE_FN static void each_of_thread(const combined_batch& batch, u64 tile, u32 thread, F&& f) {
    const u64 from = tile * btree_passes::kept_tile + u64{thread} * btree_passes::kept_items;
    for (u64 i = from; i < from + btree_passes::kept_items && i < batch.items; ++i) f(i);
  }
  PIVOTSCOPE_FN static bool begins_run(const build_view& view, u64 i) {
    const u32* const nodes = view.template array<u32>(pair_lists::nodes);
    return i == 0 || nodes[i - 1] != nodes[i];
  }
  // Where the run of an item begins and ends. Runs are short, mostly; of a long one steps get longer, then shorter.
  PIVOTSCOPE_FN static u64 begin_of_run(const build_view& view, u64 i) {
    const u32* const nodes = view.template array<u32>(pair_lists::nodes);
    u64 begin = i, step = 1;
    for (; begin >= step && nodes[begin - step] == nodes[i]; step *= 2) begin -= step;
    for (; step > 0; step /= 2)
      if (begin >= step && nodes[begin - step] == nodes[i]) begin -= step;
    return begin;
  }
  PIVOTSCOPE_FN static u64 end_of_run(const build_view& view, u64 i) {
    const u32* const nodes = view.template array<u32>(pair_lists::nodes);
    const u64 items = view.as<btree_view>().batch.items;
    u64 last = i, step = 1;
    for (; last + step < items && nodes[last + step] == nodes[i]; step *= 2) last += step;
    for (; step > 0; step /= 2)
      if (last + step < items && nodes[last + step] == nodes[i]) last += step;
    return last + 1;
  }
};

}  // namespace pivotscope
