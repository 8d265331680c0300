// A batch of writes in the nodes: a thread does all that belong to its bucket (cgrx, Section 4).
//
//   batch, sorted    -3  +7 +7 | +9 -12 +12 | +20           -: erase, +: insert
//   bounds                   8           17     -           of the buckets
//   bucket                 0          1          2          a search says where its part ends, and where it begins
//
// A bucket's erases come first, then nodes that became small are merged, then its inserts come. A key that the batch
// both erases and inserts has its inserts cancelled: it is erased, as if they had come before. All writes of a batch
// are concurrent, so that is one of its orders.
//
//   erase     of all entries of the key, which may go on in the next nodes. All erases of a node are done as one: what
//             stays moves up once.
//   insert    into the first node whose greatest key is not smaller. All inserts of a node for which it has room are
//             merged into it as one, from the back: each entry moves once. A full one is split before: the upper half
//             goes to a node from the pool, which gets the old greatest key; the greatest key that stays is its new one.
//   merge     the next node into this one, if both come to half a node at most, or one of them is empty. So the first
//             node of a bucket stays where its triangle leads.
//
// No two threads touch one node, so nothing is latched; the pool's counters alone are atomics. They count what differs
// from an insert that goes in and an erase that takes one entry, as millions of threads would queue for one counter.
// Where the pool is empty a thread notes how far it came, and goes on once there are more nodes: what it did stays.
//
// A write alone is the same with a batch of one, over cells that record what is read and written (traced_write.hpp).
#pragma once

#include "core/families/cgrx_nodes/passes.hpp"

namespace pivotscope {

inline constexpr array_id bucket_progress{3};  // of each bucket: its next insert, or progress_done
inline constexpr u32 progress_done = ~0u;

// The cells of a pass: a thread's own, so that plain loads and stores do.
template <class Memory>
struct cells_of_pass {
  using place = typename Memory::place;
  const build_view& view;

  template <class Cell>
  PIVOTSCOPE_FN Cell load(region_id region, u64 i, place) const {
    return view.load<Cell>(region, i);
  }
  template <class Cell>
  PIVOTSCOPE_FN void store(region_id region, u64 i, const Cell& cell, place) const {
    view.store(region, i, cell);
  }
};

template <class Key, class Config, class Memory, class Cells = cells_of_pass<Memory>>
class chain_writer {
 public:
  // `progress`: the bucket's item of bucket_progress.
  PIVOTSCOPE_FN chain_writer(Config config, Memory& memory, const build_view& view, const Cells& cells, u32 bucket,
                             u32& progress)
      : config_(config),
        memory_(memory),
        view_(view),
        cells_(cells),
        here_(view.as<cgrx_nodes_view>()),
        keys_(view.template array<Key>(batch_keys)),
        numbers_(view.template array<u32>(batch_numbers)),
        bucket_(bucket),
        progress_(progress) {}

  // Returns true if inserts are left for which there was no node.
  PIVOTSCOPE_FN bool write() {
    if (here_.batch.again && progress_ == progress_done) return false;
    memory_.step(here_.level_of(bucket_));
    const u32 end = first_above(bound_of(bucket_), 0, here_.batch.writes);
    const u32 begin = here_.batch.again ? progress_ : begin_before(end);
    memory_.watch("bucket_", bucket_, "begin", begin, "end", end);
    if (here_.batch.erases > 0 && !here_.batch.again) {
      erase_until(begin, end);
      if (gone_ > 0) merge_small_nodes();
    }
    const u32 next = insert_until(begin, end);
    progress_ = next == end ? progress_done : next;
    count(pool_freed, freed_), count(pool_cancelled, cancelled_), count(pool_erased_beside, gone_ - erases_);
    count(pool_left, end - next);
    return next < end;
  }

 private:
  using entry = entry_cell<Key>;
  using head = node_head<Key>;
  using place = typename Memory::place;

  // --- The batch ---
  PIVOTSCOPE_FN bool is_erase(u32 i) const { return numbers_[i] < here_.batch.erases; }
  // The writes of a key lie side by side, its erases before its inserts, as they have the lower numbers.
  PIVOTSCOPE_FN u32 end_of_run(u32 i) const {
    const Key key = keys_[i];
    for (++i; i < here_.batch.writes && keys_[i] == key;) ++i;
    return i;
  }
  PIVOTSCOPE_FN Key bound_of(u32 bucket, place at = {}) const {
    return cells_.template load<Key>(node_region::bounds, bucket, at);
  }
  // Returns the first write of [begin, end) whose key is greater.
  PIVOTSCOPE_FN u32 first_above(Key key, u32 begin, u32 end) const {
    while (begin < end) {
      const u32 middle = begin + (end - begin) / 2;
      if (keys_[middle] > key)
        end = middle;
      else
        begin = middle + 1;
    }
    return begin;
  }
  // Returns where the bucket's part of the batch begins, which is seldom far before its end.
  PIVOTSCOPE_FN u32 begin_before(u32 end) const {
    if (bucket_ == 0) return 0;
    const Key before = bound_of(bucket_ - 1);
    for (u32 step = 1; end > 0; step *= 2) {
      const u32 probe = end > step ? end - step : 0;
      if (keys_[probe] <= before) return first_above(before, probe + 1, end);
      end = probe;
    }
    return 0;
  }

  // Does the bucket's erases. One loop over keys and entries, a step of one thing: in loops within loops the lanes of a
  // warp would wait for the longest at each turn.
  PIVOTSCOPE_FN void erase_until(u32 begin, u32 end) {
    // Entries with the bound of the bucket before may lie here too, as the build cuts buckets anywhere. That one, or
    // one before it, has the key first, so it says what the erase came to.
    const bool reaches_in = bucket_ > 0 && begin > 0 && keys_[begin - 1] == bound_of(bucket_ - 1);
    if (begin == end && !reaches_in) return;
    enter_chain();
    if (reaches_in) {
      const Key before = keys_[begin - 1];
      const u32 first = before == Key{} ? 0 : first_above(before - 1, 0, begin);
      while (is_erase(first) && !erase_step(before)) {
      }
    }
    for (u32 i = begin, gone = gone_; i < end;) {
      if (!is_erase(i)) {
        ++i;
        continue;
      }
      if (!erase_step(keys_[i])) continue;
      // Inserts of the key are cancelled: they count as what the erase found.
      const u32 first = i, behind = end_of_run(i);
      const bool found = gone_ > gone || !is_erase(behind - 1);
      for (; i < behind && is_erase(i); ++i)
        view_.done[numbers_[i]] = found && i == first ? write_done::erased : write_done::absent;
      erases_ += i - first, cancelled_ += behind - i, i = behind, gone = gone_;
    }
    close_gap();
  }

  // Does the bucket's inserts from `begin` on. Returns the one for which there was no node, or `end`.
  PIVOTSCOPE_FN u32 insert_until(u32 begin, u32 end) {
    u32 i = behind_cancelled(begin, end);
    if (i == end) return end;
    enter_chain();
    for (; i < end; i = behind_cancelled(i, end)) {
      go_on_to(keys_[i]);
      if (head_.size == config_.value.node) {
        memory_.step(here_.level_of(node_));  // a split
        const u32 fresh = take_node();
        if (fresh == next_node::none) return i;
        split(fresh);
        continue;
      }
      u32 fit = i + 1;
      while (fit < end && fit - i < config_.value.node - head_.size && keys_[fit] <= head_.greatest &&
             !is_cancelled(fit))
        ++fit;
      merge_inserts(i, fit);
      i = fit;
    }
    return end;
  }
  // Whether the writes of the key that begin there have an erase, and cancel the key's inserts. In a batch without
  // erases its numbers need not be read.
  PIVOTSCOPE_FN bool is_cancelled(u32 i) const { return here_.batch.erases > 0 && is_erase(i); }
  PIVOTSCOPE_FN u32 behind_cancelled(u32 i, u32 end) const {
    while (i < end && is_cancelled(i)) i = end_of_run(i);
    return i;
  }

  // --- The chain ---
  PIVOTSCOPE_FN u64 cell(u32 node, u32 slot) const { return u64{node} * config_.value.node + slot; }
  PIVOTSCOPE_FN head head_of(u32 node, place at = {}) const {
    return cells_.template load<head>(node_region::heads, node, at);
  }
  PIVOTSCOPE_FN void store_head(u32 node, const head& h, place at = {}) const {
    cells_.store(node_region::heads, node, h, at);
  }
  PIVOTSCOPE_FN entry entry_of(u32 node, u32 slot, place at = {}) const {
    return cells_.template load<entry>(node_region::entries, cell(node, slot), at);
  }
  PIVOTSCOPE_FN void store_entry(u32 node, u32 slot, const entry& e, place at = {}) const {
    cells_.store(node_region::entries, cell(node, slot), e, at);
  }
  PIVOTSCOPE_FN void empty_slot(u32 node, u32 slot, place at = {}) const {
    store_entry(node, slot, make_entry(Key{}, not_found), at);
  }

  // The node in hand. Keys come in ascending order, so it only goes on.
  PIVOTSCOPE_FN void enter(u32 node, place at = {}) {
    memory_.step(here_.level_of(node), at);
    node_ = node, head_ = head_of(node, at), from_ = to_ = 0, seeks_ = true;
    memory_.watch("node_", node_, "head_.greatest", head_.greatest, "head_.next", head_.next, "head_.size", head_.size);
  }
  PIVOTSCOPE_FN void enter_chain(place at = {}) { enter(bucket_, at); }
  PIVOTSCOPE_FN void go_on_to(Key key) {
    while (is_behind(key)) enter(head_.next);
  }
  // Whether the key belongs to a later node than that in hand.
  PIVOTSCOPE_FN bool is_behind(Key key) {
    const bool behind = head_.greatest < key;
    memory_.met(node_region::heads, node_, behind ? relation::miss : relation::hit);
    return behind;
  }

  // Looks at the next entry, or goes on to the next node, and erases entries of the key. What stays of the node in hand
  // lies before its cell to_, or from from_ on. Returns whether no more of the key can follow.
  PIVOTSCOPE_FN bool erase_step(Key key) {
    if (seeks_ ? !is_behind(key) : head_.greatest >= key) {
      if (seeks_) from_ = to_ = first_not_below(key), seeks_ = false;
      if (from_ < head_.size) {
        const entry e = look_at(from_);
        if (e.key > key) return true;
        if (e.key < key && from_ != to_) store_entry(node_, to_, e);
        to_ += e.key < key, gone_ += e.key == key, ++from_;
        return false;
      }
      if (head_.greatest > key || head_.next == next_node::none) return true;
      // The key may go on in the next node.
    }
    close_gap();
    enter(head_.next);
    return false;
  }
  PIVOTSCOPE_FN u32 first_not_below(Key key) {
    u32 begin = from_, end = head_.size;
    while (begin < end) {
      const u32 middle = begin + (end - begin) / 2;
      const Key seen = look_at(middle).key;
      memory_.watch("begin", begin, "end", end, "middle", middle, "seen", seen);
      if (seen < key)
        begin = middle + 1;
      else
        end = middle;
    }
    return begin;
  }
  PIVOTSCOPE_FN entry look_at(u32 slot, place at = {}) {
    memory_.step(here_.level_of(node_), at);
    const entry e = entry_of(node_, slot, at);
    memory_.saw(node_region::entries, cell(node_, slot), e.key, at);
    return e;
  }
  // Moves the rest of the node in hand up, behind what stayed.
  PIVOTSCOPE_FN void close_gap() {
    if (from_ == to_) return;
    memory_.step(here_.level_of(node_));  // a gap is closed
    while (from_ < head_.size) store_entry(node_, to_++, entry_of(node_, from_++));
    for (u32 slot = to_; slot < head_.size; ++slot) empty_slot(node_, slot);
    head_.size = to_, from_ = to_;
    store_head(node_, head_);
    memory_.watch("node_", node_, "head_.size", head_.size);
  }

  // Merges inserts [begin, end) of the batch into the node in hand, which has room for them. Entries of a key stay
  // before its inserts. One loop, an entry a turn, as for erases.
  PIVOTSCOPE_FN void merge_inserts(u32 begin, u32 end) {
    memory_.step(here_.level_of(node_));  // inserts are merged in
    u32 left = head_.size, to = left + (end - begin);
    head_.size = to;
    entry old = left > 0 ? entry_of(node_, left - 1) : entry{}, fresh = insert_of(end - 1);
    while (end > begin) {
      if (left > 0) memory_.saw(node_region::entries, cell(node_, left - 1), old.key);
      const bool moves = left > 0 && old.key > fresh.key;
      store_entry(node_, --to, moves ? old : fresh);
      if (moves && --left > 0) old = entry_of(node_, left - 1);
      if (!moves && --end > begin) fresh = insert_of(end - 1);
    }
    store_head(node_, head_);
    memory_.watch("node_", node_, "head_.size", head_.size, "left", left);
  }
  PIVOTSCOPE_FN entry insert_of(u32 i) const {
    return make_entry(keys_[i], here_.batch.first_row + (numbers_[i] - here_.batch.erases));
  }

  PIVOTSCOPE_FN void split(u32 fresh) {
    const u32 half = half_a_node(config_.value);
    constexpr u32 at_once = 4;  // loads under way together
    for (u32 slot = half; slot < head_.size; slot += at_once) {
      entry some[at_once];
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < at_once; ++i)
        if (slot + i < head_.size) some[i] = entry_of(node_, slot + i);
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < at_once; ++i)
        if (slot + i < head_.size) store_entry(fresh, slot + i - half, some[i]), empty_slot(node_, slot + i);
    }
    store_head(fresh, make_head(head_.greatest, head_.next, head_.size - half));
    head_ = make_head(entry_of(node_, half - 1).key, fresh, half);
    store_head(node_, head_);
    memory_.watch("node_", node_, "fresh", fresh, "head_.greatest", head_.greatest, "head_.size", head_.size);
  }

  PIVOTSCOPE_FN void merge_small_nodes() {
    enter_chain();
    while (head_.next != next_node::none) {
      const u32 next = head_.next;
      memory_.step(here_.level_of(next));
      const head other = head_of(next);
      const bool small = head_.size + other.size <= half_a_node(config_.value);
      memory_.watch("node_", node_, "head_.size", head_.size, "next", next, "other.size", other.size, "other.next",
                    other.next, "small", small);
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
  Cells cells_;
  const cgrx_nodes_view& here_;
  const Key* keys_;
  const u32* numbers_;
  u32 bucket_;
  u32& progress_;
  u32 node_ = 0;
  head head_ = {};
  u32 from_ = 0, to_ = 0;
  bool seeks_ = true;                                      // from_ is to be found yet
  u32 erases_ = 0, gone_ = 0, cancelled_ = 0, freed_ = 0;  // writes that erase; entries that they took
};

// Item i is a bucket. Counts those that found no node for some of their inserts.
struct write_chains_pass {
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static bool at(Config config, Memory& memory, const build_view& view, u64 i) {
    const u32 bucket = static_cast<u32>(i);
    return chain_writer<Key, Config, Memory>(config, memory, view, cells_of_pass<Memory>{view}, bucket,
                                             view.template array<u32>(bucket_progress)[bucket])
        .write();
  }
};

}  // namespace pivotscope
