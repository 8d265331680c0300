// A second search of every order, for tests: over sorted keys, by ranks, in the words of the papers and with none of
// the code that it is compared with. It says which slots each step looks at, in which lane, and where the search
// stands.
#pragma once

#include <algorithm>
#include <vector>

#include "core/families/ordered/config.hpp"
#include "core/families/ordered/shape.hpp"
#include "core/machine/trace/trace.hpp"

namespace pivotscope::testing {

struct walked_read {
  region_id array = ordered_region::entries;
  u64 slot = 0;
  u64 rank = no_rank;
  u32 lane = 0;
};

struct walked_step {
  step_kind kind = step_kind::search;
  u32 level = 0;
  std::vector<walked_read> reads;
  u64 smaller = 0;  // keys of this step that are smaller than the one looked for
  u64 node = 0;     // a node's number: in the whole tree (EO), on its level (AO+PB)
  u64 stands = 0;   // steps that shrink: the slot that this step goes back from
  u64 length = 0;   // ... and how far; 0: the entry arrived at is read
};

// `sorted`: all keys of the index, ascending.
class walker {
 public:
  walker(const ordered_config& config, const std::vector<u64>& sorted)
      : config_(config), sorted_(sorted), n_(sorted.size()), fanout_(config.fanout) {
    if (config_.order == order_kind::eytzinger) number_nodes(0);
  }

  // Leaves in `steps()` what a lookup of `key` does.
  void find(u64 key) {
    begin(key, key, false);
    if (n_ == 0) return;
    if (config_.order == order_kind::eytzinger) {
      eytzinger(key);
    } else if (config_.order == order_kind::ascending) {
      last_read(shrinking_steps(0, n_, n_, 0, true, key), levels_of(n_));
    } else {
      const u64 base = descend(key);
      if (config_.pivots == 0) {
        node_step(depth_, ordered_region::entries, base, leaf_, key);
      } else {
        last_read(shrinking_steps(base, std::min(leaf_, n_ - base), std::min(leaf_, n_), depth_, false, key), depth_);
      }
    }
  }

  // ... and a range lookup.
  void scan(u64 low, u64 high) {
    begin(low, high, true);
    if (n_ == 0) return;
    if (config_.order == order_kind::eytzinger) {
      eytzinger(low);
    } else if (config_.order == order_kind::ascending) {
      run(shrinking_steps(0, n_, n_, 0, true, low), n_, levels_of(n_));
    } else {
      const u64 base = descend(low);
      u64 first;
      if (config_.pivots == 0) {
        node_step(depth_, ordered_region::entries, base, leaf_, low);
        first = base + steps_.back().smaller;
      } else {
        first = shrinking_steps(base, std::min(leaf_, n_ - base), std::min(leaf_, n_), depth_, false, low);
      }
      run(first, n_, depth_);
    }
  }

  // ... and a lookup of what comes after a key, `value` being the one that follows it.
  void next(u64 value) {
    next_ = true;
    scan(value, value);
    next_ = false;
  }

  const std::vector<walked_step>& steps() const { return steps_; }

 private:
  void begin(u64 low, u64 high, bool range) {
    steps_.clear();
    low_ = low, high_ = high, range_ = range, with_warp_ = false;
  }

  static u64 up(u64 a, u64 b) { return a / b + (a % b != 0); }
  bool less(u64 rank, u64 key) const { return rank != no_rank && sorted_[rank] < key; }
  u32 levels_of(u64 count) const {
    u32 levels = 0;
    for (u64 length = 1; length <= count; length *= fanout_) ++levels;
    return levels;
  }

  // A node of adjacent slots, shared out to the lanes from left to right.
  void node_step(u32 level, region_id array, u64 first, u64 slots, u64 key) {
    walked_step step{.level = level, .reads = {}};
    const u64 share = up(slots, config_.lanes);
    for (u64 i = 0; i < slots; ++i) {
      const u64 rank = rank_of(array, level, first + i);
      step.reads.push_back({array, first + i, rank, static_cast<u32>(i / share)});
      step.smaller += less(rank, key);
    }
    steps_.push_back(step);
  }

  u64 rank_of(region_id array, u32 level, u64 slot) const {
    if (array == ordered_region::pivots) {  // the last key to the left of the next child
      u64 keys_a_child = leaf_;
      for (u32 l = level + 1; l < depth_; ++l) keys_a_child *= fanout_;
      const u64 i = slot - level_begin_[level], child = i / (fanout_ - 1) * fanout_ + i % (fanout_ - 1);
      const u64 next = (child + 1) * keys_a_child;
      return next < n_ ? next - 1 : no_rank;
    }
    if (config_.order != order_kind::eytzinger) return slot < n_ ? slot : no_rank;
    const u64 front = fanout_ == 2 ? 1 : 0;
    return slot >= front && slot - front < n_ ? rank_at_[slot - front] : no_rank;
  }

  // In-order numbers of a complete tree, filled level by level.
  void number_nodes(u64 node) {
    const u64 first = node * (fanout_ - 1);
    if (first >= n_) return;
    rank_at_.resize(n_);
    for (u64 child = 0; child < fanout_; ++child) {
      number_nodes(node * fanout_ + 1 + child);
      if (child + 1 < fanout_ && first + child < n_) rank_at_[first + child] = next_rank_++;
    }
  }

  void eytzinger(u64 key) {
    const u64 front = fanout_ == 2 ? 1 : 0;
    u64 node = 0, level_end = 0, widest = fanout_ - 1;
    for (u32 level = 0; node * (fanout_ - 1) < n_; ++level) {
      level_end = std::min(n_, level_end + widest), widest *= fanout_;
      node_step(level, ordered_region::entries, front + node * (fanout_ - 1), fanout_ - 1, key);
      steps_.back().node = node;
      const walked_step here = steps_.back();
      if (range_) {
        run(here.reads.front().slot + here.smaller, front + level_end, level);
      } else {
        for (const walked_read& r : here.reads) {
          if (r.rank != no_rank && sorted_[r.rank] == key) return;
        }
      }
      node = node * fanout_ + 1 + here.smaller;
    }
  }

  // Through the pivots; the first entry of the leaf arrived at.
  u64 descend(u64 key) {
    leaf_ = fanout_ == 2 ? 2 : fanout_ - 1, depth_ = 0;
    for (u64 children = up(n_, leaf_); children > 1; children = up(children, fanout_)) ++depth_;
    for (; config_.pivots != 0 && depth_ > config_.pivots; --depth_) leaf_ *= fanout_;
    std::vector<u64> nodes(depth_);
    u64 children = up(n_, leaf_), begin = 0, node = 0;
    for (u32 level = depth_; level-- > 0;) nodes[level] = children = up(children, fanout_);
    level_begin_.clear();
    for (u32 level = 0; level < depth_; begin += nodes[level++] * (fanout_ - 1)) level_begin_.push_back(begin);
    for (u32 level = 0; level < depth_; ++level) {
      node_step(level, ordered_region::pivots, level_begin_[level] + node * (fanout_ - 1), fanout_ - 1, key);
      steps_.back().node = node;
      node = node * fanout_ + steps_.back().smaller;
    }
    return node * leaf_;
  }

  // Listing 1 over `count` entries from `base` on, with steps from the greatest power of K up to `longest` down.
  u64 shrinking_steps(u64 base, u64 count, u64 longest, u32 level, bool a_level_each, u64 key) {
    u64 at = count - 1, length = 1;
    while (length * fanout_ <= longest) length *= fanout_;
    const u64 share = up(fanout_ - 1, config_.lanes);
    for (; length > 0; length /= fanout_) {
      walked_step step{.level = level, .reads = {}, .stands = base + at, .length = length};
      u64 back = 0;
      for (u64 i = 1; i < fanout_ && i * length <= at; ++i) {
        const u64 slot = base + at - i * length;
        step.reads.push_back({ordered_region::entries, slot, slot, static_cast<u32>((i - 1) / share)});
        step.smaller += less(slot, key);
        if (!less(slot, key)) back = i * length;
      }
      at -= back;
      steps_.push_back(step);
      level += a_level_each;
    }
    return base + at;
  }

  void last_read(u64 slot, u32 level) {
    walked_step step{.level = level, .reads = {{ordered_region::entries, slot, slot, 0}}, .stands = slot};
    step.smaller = less(slot, low_);
    steps_.push_back(step);
  }

  bool inside(u64 slot) const {
    const u64 key = sorted_[rank_of(ordered_region::entries, 0, slot)];
    return low_ <= key && key <= high_;
  }

  // Entries from `at` on while they are in the range: as many at a time as there are lanes; from 32 entries on by the
  // warp, 128 and then 256 at a time, and by the warp from then on.
  void run(u64 at, u64 end, u32 level) {
    if (at >= end) return;
    if (next_) {  // its first entry alone, by the first lane
      const walked_read first{ordered_region::entries, at, rank_of(ordered_region::entries, 0, at), 0};
      steps_.push_back({.kind = step_kind::next, .level = level, .reads = {first}});
      return;
    }
    const auto read = [&](walked_step& step, u64 count, u64 lanes) {
      u64 taken = 0;
      for (u64 i = 0; i < count && at + i < end; ++i) {
        step.reads.push_back({ordered_region::entries, at + i, rank_of(ordered_region::entries, 0, at + i),
                              static_cast<u32>(i % lanes)});
        taken += inside(at + i);
      }
      at += taken;
      return taken == count;
    };
    bool more = true;
    if (!with_warp_) {
      walked_step step{.kind = step_kind::scan, .level = level, .reads = {}};
      const u64 from = at;
      while (more) {
        more = read(step, config_.lanes, config_.lanes) && at < end;
        if (more && config_.scan == scan_kind::cooperative && at - from >= 32) {
          with_warp_ = true;
          break;
        }
      }
      steps_.push_back(step);
    }
    if (!with_warp_ || !more) return;
    walked_step step{.kind = step_kind::warp_scan, .level = level, .reads = {}};
    for (u64 reach = 128; more && at < end; reach = 256) more = read(step, reach, 32);
    steps_.push_back(step);
  }

  const ordered_config config_;
  const std::vector<u64>& sorted_;
  const u64 n_, fanout_;
  std::vector<u64> rank_at_;  // EO: of each position
  u64 next_rank_ = 0;
  u64 leaf_ = 0;
  u32 depth_ = 0;  // AO+PB: levels of pivots
  std::vector<u64> level_begin_;
  u64 low_ = 0, high_ = 0;
  bool range_ = false, next_ = false, with_warp_ = false;
  std::vector<walked_step> steps_;
};

}  // namespace pivotscope::testing
