// What is worth measuring: every method, K and lanes; a few blocks, schedules and reorderings; for ranges both scans.
#include "core/choose/tuning_candidates.hpp"

#include <algorithm>
#include <bit>

#include "core/config/axes.hpp"
#include "core/config/check.hpp"
#include "core/config/config_text.hpp"

namespace pivotscope {
namespace {

class candidate_list {
 public:
  candidate_list(bool ascending, bool smallest) : ascending_(ascending), smallest_(smallest) {}

  void add(const index_config& config) {
    if (check(config)) return;
    if (ascending_ && config.order == order_kind::eytzinger) return;
    if (smallest_ && config.order == order_kind::pivot_buffer) return;
    if (std::find(list_.begin(), list_.end(), config) == list_.end()) list_.push_back(config);
  }
  std::vector<index_config> take() { return std::move(list_); }

 private:
  bool ascending_, smallest_;
  std::vector<index_config> list_;
};

// Lightweight, Section 5.2: the blocks that reordering wants.
index_config reordered(index_config c) {
  c.threads = 128;
  c.per_thread = 16;
  c.reorder = reorder_kind::both;
  return c;
}

index_config pinned(index_config c, pin_kind pin) {
  c.threads = 1024;
  c.per_thread = 1;
  c.reorder = reorder_kind::none;
  c.schedule = schedule_kind::fixed;
  c.blocks_per_sm = 2;
  c.pin = pin;
  return c;
}

index_config with_layout(index_config c, entry_layout layout) {
  c.layout = layout;
  return c;
}

void add_binary(candidate_list& list, const index_config& base, machine_kind kind, u64 keys) {
  for (const entry_layout layout : {entry_layout::aos, entry_layout::soa}) {
    const index_config c = with_layout(base, layout);
    list.add(c);
    list.add(reordered(c));
  }
  if (base.order == order_kind::ascending && kind == machine_kind::cuda) list.add(pinned(base, pin_kind::full));
  // Lightweight, Section 5.4: partitions of 16 entries, a line, are best.
  const auto levels = static_cast<u32>(std::bit_width(keys));
  if (base.order == order_kind::pivot_buffer && levels > 8) {
    index_config trimmed = base;
    trimmed.pivots = levels - 5;
    list.add(trimmed);
    list.add(reordered(trimmed));
  }
}

void add_k_ary(candidate_list& list, const index_config& base, machine_kind kind) {
  for (const u32 fanout : {5u, 9u, 17u}) {
    for (const u32 lanes : {1u, 2u, 4u, fanout - 1}) {
      // On a CPU lanes run one after another.
      if (kind == machine_kind::cpu && lanes != 1 && !(fanout == 9 && lanes == 8)) continue;
      index_config c = base;
      c.fanout = fanout;
      c.lanes = lanes;
      list.add(c);
      if (kind == machine_kind::cpu || lanes == 2 || lanes == fanout - 1) list.add(with_layout(c, entry_layout::soa));
    }
  }
}

// The same ones, each with the warp scanning together (lightweight, Section 5.7).
void add_cooperative(std::vector<index_config>& candidates) {
  const std::size_t alone = candidates.size();
  for (std::size_t i = 0; i < alone; ++i) {
    index_config together = candidates[i];
    together.scan = scan_kind::cooperative;
    if (!check(together)) candidates.push_back(together);
  }
}

}  // namespace

std::vector<index_config> tuning_candidates(machine_kind kind, u64 keys, key_width width, bool ascending, bool smallest,
                                            operation asked) {
  candidate_list list(ascending, smallest);
  for (const std::string& method : method_names()) {
    outcome<index_config> base = config_from_line(method);
    if (!base) continue;
    base->keys = width;
    if (caution(*base))
      list.add(*base);  // it is known to be slow: once, to show that
    else if (base->fanout == 2)
      add_binary(list, *base, kind, keys);
    else
      add_k_ary(list, *base, kind);
  }
  std::vector<index_config> candidates = list.take();
  if (asked == operation::range && kind == machine_kind::cuda) add_cooperative(candidates);
  return candidates;
}

std::vector<index_config> configs_near(const index_config& config, machine_kind kind) {
  candidate_list list(false, false);
  list.add(reordered(config));
  if (kind == machine_kind::cpu) return list.take();
  for (const u32 threads : {128u, 512u, 1024u}) {
    index_config c = config;
    c.threads = threads;
    list.add(c);
  }
  for (const u32 per_thread : {2u, 4u}) {
    index_config c = config;
    c.per_thread = per_thread;
    list.add(c);
  }
  list.add(pinned(config, pin_kind::steps));
  list.add(pinned(config, pin_kind::full));
  return list.take();
}

}  // namespace pivotscope
