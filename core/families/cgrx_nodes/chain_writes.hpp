// A batch of writes in the nodes: a thread does all that belong to its bucket (cgrx, Section 4).
//
//   batch, sorted    -3  +7 +7 | +9 -12 +12 | +20           -: erase, +: insert
//   bounds                   8           17     -           of the buckets
//   bucket                 0          1          2          two binary searches say which part is its own
//
// A bucket's erases come first, then nodes that became small are merged, then its inserts come. A key that the batch
// both erases and inserts has its inserts cancelled: it is erased, as if they had come before. All writes of a batch
// are concurrent, so that is one of its orders.
//
//   erase     of all entries of the key: those behind them in their node move up. They may go on in the next nodes.
//   insert    into the first node whose greatest key is not smaller. A full one is split before: the upper half goes to
//             a node from the pool, which gets the old greatest key; the greatest key that stays is the node's new one.
//   merge     the next node into this one, if both come to half a node at most, or one of them is empty. So the first
//             node of a bucket stays where its triangle leads.
//
// No two threads touch one node, so nothing is latched; the pool's counters alone are atomics. Where the pool is empty
// a thread notes how far it came, and goes on once there are more nodes: what it did stays.
#pragma once

#include "core/families/cgrx_nodes/passes.hpp"

namespace pivotscope {

inline constexpr array_id bucket_progress{3};  // of each bucket: its next insert, or progress_done
inline constexpr u32 progress_done = ~0u;

template <class Key, class Config, class Memory>
class chain_writer {
 public:
  PIVOTSCOPE_FN chain_writer(Config config, Memory& memory, const build_view& view, u32 bucket)
      : config_(config),
        memory_(memory),
        view_(view),
        here_(view.as<cgrx_nodes_view>()),
        keys_(view.template array<Key>(batch_keys)),
        numbers_(view.template array<u32>(batch_numbers)),
        bucket_(bucket) {}

  // Returns true if inserts are left for which there was no node.
  PIVOTSCOPE_FN bool write() {
    u32& progress = view_.template array<u32>(bucket_progress)[bucket_];
    if (here_.batch.again && progress == progress_done) return false;
    const u32 end = first_above(bound_of(bucket_));
    const u32 begin = here_.batch.again ? progress : erase_until(end);
    if (erased_ > 0) merge_small_nodes();
    const u32 next = insert_until(begin, end);
    progress = next == end ? progress_done : next;
    count(pool_inserted, inserted_), count(pool_erased, erased_), count(pool_freed, freed_);
    return next < end;
  }

 private:
  using entry = entry_cell<Key>;
  using head = node_head<Key>;

  // --- The batch ---
  PIVOTSCOPE_FN bool is_erase(u32 i) const { return numbers_[i] < here_.batch.erases; }
  // The writes of a key lie side by side, its erases before its inserts, as they have the lower numbers.
  PIVOTSCOPE_FN bool begins_run(u32 i) const { return i == 0 || keys_[i - 1] != keys_[i]; }
  PIVOTSCOPE_FN u32 end_of_run(u32 i) const { return first_above(keys_[i]); }
  PIVOTSCOPE_FN Key bound_of(u32 bucket) const { return view_.load<Key>(node_region::bounds, bucket); }
  PIVOTSCOPE_FN u32 first_above(Key key) const {
    return first_that([&](u32 i) { return keys_[i] > key; });
  }
  template <class Is>
  PIVOTSCOPE_FN u32 first_that(Is&& is) const {
    u32 begin = 0, end = here_.batch.writes;
    while (begin < end) {
      const u32 middle = begin + (end - begin) / 2;
      if (is(middle))
        end = middle;
      else
        begin = middle + 1;
    }
    return begin;
  }

  // Does the bucket's erases. Returns where its own part of the batch begins.
  PIVOTSCOPE_FN u32 erase_until(u32 end) {
    begin_chain();
    u32 begin = 0;
    if (bucket_ > 0) {
      // Entries with the bound of the bucket before may lie here too, as the build cuts buckets anywhere. That one, or
      // one before it, has the key first, so it says what the erase came to.
      const Key before = bound_of(bucket_ - 1);
      begin = first_that([&](u32 i) { return keys_[i] >= before; });
      if (begin < here_.batch.writes && keys_[begin] == before) {
        if (is_erase(begin)) erase(before);
        begin = end_of_run(begin);
      }
    }
    for (u32 i = begin; i < end;) {
      if (!is_erase(i)) {
        ++i;
        continue;
      }
      const u32 behind = end_of_run(i);
      // Inserts of the key are cancelled: they count as what the erase found.
      const bool found = erase(keys_[i]) || !is_erase(behind - 1);
      view_.done[numbers_[i]] = found ? write_done::erased : write_done::absent;
      for (++i; i < behind; ++i)
        if (is_erase(i)) view_.done[numbers_[i]] = write_done::absent;
    }
    return begin;
  }

  // Does the bucket's inserts from `begin` on. Returns the one for which there was no node, or `end`.
  PIVOTSCOPE_FN u32 insert_until(u32 begin, u32 end) {
    begin_chain();
    for (u32 i = begin; i < end;) {
      if (begins_run(i) && is_erase(i)) {
        i = end_of_run(i);
        continue;
      }
      if (!insert(keys_[i], here_.batch.first_row + (numbers_[i] - here_.batch.erases))) return i;
      ++i;
    }
    return end;
  }

  // --- The chain ---
  PIVOTSCOPE_FN u64 cell(u32 node, u32 slot) const { return u64{node} * config_.value.node + slot; }
  PIVOTSCOPE_FN head head_of(u32 node) const { return view_.load<head>(node_region::heads, node); }
  PIVOTSCOPE_FN void store_head(u32 node, const head& h) const { view_.store(node_region::heads, node, h); }
  PIVOTSCOPE_FN entry entry_of(u32 node, u32 slot) const {
    return view_.load<entry>(node_region::entries, cell(node, slot));
  }
  PIVOTSCOPE_FN void store_entry(u32 node, u32 slot, const entry& e) const {
    view_.store(node_region::entries, cell(node, slot), e);
  }
  PIVOTSCOPE_FN void empty_slot(u32 node, u32 slot) const { store_entry(node, slot, make_entry(Key{}, not_found)); }

  // The node in hand. Keys come in ascending order, so it only goes on.
  PIVOTSCOPE_FN void begin_chain() { node_ = bucket_, head_ = head_of(node_); }
  PIVOTSCOPE_FN void go_on_to(Key key) {
    while (head_.greatest < key) node_ = head_.next, head_ = head_of(node_);
  }

  // Returns how many entries of a node are smaller than the key, or with `itself` not greater.
  PIVOTSCOPE_FN u32 entries_below(u32 node, u32 size, Key key, bool itself) const {
    u32 begin = 0, end = size;
    while (begin < end) {
      const u32 middle = begin + (end - begin) / 2;
      const Key there = entry_of(node, middle).key;
      if (there < key || (itself && there == key))
        begin = middle + 1;
      else
        end = middle;
    }
    return begin;
  }

  PIVOTSCOPE_FN bool erase(Key key) {
    go_on_to(key);
    const u32 before = erased_;
    u32 node = node_;
    for (head h = head_;; h = head_of(node)) {
      const u32 first = entries_below(node, h.size, key, false), end = entries_below(node, h.size, key, true);
      if (first < end) {
        for (u32 slot = end; slot < h.size; ++slot) store_entry(node, first + (slot - end), entry_of(node, slot));
        for (u32 slot = h.size - (end - first); slot < h.size; ++slot) empty_slot(node, slot);
        h.size -= end - first, erased_ += end - first;
        store_head(node, h);
        if (node == node_) head_ = h;
      }
      if (h.greatest > key || h.next == next_node::none) return erased_ > before;
      node = h.next;
    }
  }

  PIVOTSCOPE_FN bool insert(Key key, u32 row) {
    go_on_to(key);
    if (head_.size == config_.value.node) {
      const u32 fresh = take_node();
      if (fresh == next_node::none) return false;
      split(fresh);
      go_on_to(key);
    }
    const u32 to = entries_below(node_, head_.size, key, true);
    for (u32 slot = head_.size; slot > to; --slot) store_entry(node_, slot, entry_of(node_, slot - 1));
    store_entry(node_, to, make_entry(key, row));
    ++head_.size, ++inserted_;
    store_head(node_, head_);
    return true;
  }

  PIVOTSCOPE_FN void split(u32 fresh) {
    const u32 half = half_a_node(config_.value);
    for (u32 slot = half; slot < head_.size; ++slot) {
      store_entry(fresh, slot - half, entry_of(node_, slot));
      empty_slot(node_, slot);
    }
    store_head(fresh, make_head(head_.greatest, head_.next, head_.size - half));
    head_ = make_head(entry_of(node_, half - 1).key, fresh, half);
    store_head(node_, head_);
  }

  PIVOTSCOPE_FN void merge_small_nodes() {
    begin_chain();
    while (head_.next != next_node::none) {
      const u32 next = head_.next;
      const head other = head_of(next);
      const bool small = head_.size + other.size <= half_a_node(config_.value);
      if (!small && head_.size > 0 && other.size > 0) {
        node_ = next, head_ = other;
        continue;
      }
      for (u32 slot = 0; slot < other.size; ++slot) {
        store_entry(node_, head_.size + slot, entry_of(next, slot));
        empty_slot(next, slot);
      }
      head_ = make_head(other.greatest, other.next, head_.size + other.size);
      store_head(node_, head_);
      store_head(next, make_head(Key{}, next_node::free, 0));
      ++freed_;
    }
  }

  // --- The pool ---
  // Returns a node that is in no chain, those first that were used before; none if there is none.
  PIVOTSCOPE_FN u32 take_node() {
    const u32 turn = memory_.template fetch_add<u32>(node_region::pool, pool_taken, sizeof(u32), 0, 1u);
    if (turn < here_.batch.free) return view_.template array<u32>(free_nodes)[turn];
    const u32 unused = turn - here_.batch.free;
    return unused < here_.room - here_.nodes ? here_.nodes + unused : next_node::none;
  }
  PIVOTSCOPE_FN void count(u32 counter, u32 by) {
    if (by > 0) memory_.template fetch_add<u32>(node_region::pool, counter, sizeof(u32), 0, by);
  }

  Config config_;
  Memory& memory_;
  const build_view& view_;
  const cgrx_nodes_view& here_;
  const Key* keys_;
  const u32* numbers_;
  u32 bucket_, node_ = 0;
  head head_ = {};
  u32 inserted_ = 0, erased_ = 0, freed_ = 0;
};

// Item i is a bucket. Counts those that found no node for some of their inserts.
struct write_chains_pass {
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static bool at(Config config, Memory& memory, const build_view& view, u64 i) {
    return chain_writer<Key, Config, Memory>(config, memory, view, static_cast<u32>(i)).write();
  }
};

}  // namespace pivotscope
