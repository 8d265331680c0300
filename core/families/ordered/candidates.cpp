#include "core/families/ordered/candidates.hpp"

#include <bit>

#include "core/families/ordered/dispatch.hpp"
#include "core/families/ordered/words.hpp"

namespace pivotscope {
namespace {

ordered_config reordered(ordered_config c) {
  c.launch = launch_for_reordering(c.launch);
  return c;
}

ordered_config with_layout(ordered_config c, entry_layout layout) {
  c.layout = layout;
  return c;
}

using config_list = std::vector<ordered_config>;

void add_binary(config_list& list, const ordered_config& base, const candidate_question& question) {
  for (const entry_layout layout : {entry_layout::aos, entry_layout::soa}) {
    const ordered_config c = with_layout(base, layout);
    list.push_back(c);
    list.push_back(reordered(c));
  }
  if (base.order == order_kind::ascending && question.machine == machine_kind::cuda) {
    list.push_back(ordered_pinned(base, pin_kind::full));
  }
  // Lightweight, Section 5.4: partitions of 16 entries, a line, are best.
  const auto levels = static_cast<u32>(std::bit_width(question.keys));
  if (base.order == order_kind::pivot_buffer && levels > 8) {
    ordered_config trimmed = base;
    trimmed.pivots = levels - 5;
    list.push_back(trimmed);
    list.push_back(reordered(trimmed));
  }
}

void add_k_ary(config_list& list, const ordered_config& base, machine_kind machine) {
  for (const u32 fanout : {5u, 9u, 17u}) {
    for (const u32 lanes : {1u, 2u, 4u, fanout - 1}) {
      // On a CPU lanes run one after another.
      if (machine == machine_kind::cpu && lanes != 1 && !(fanout == 9 && lanes == 8)) continue;
      ordered_config c = base;
      c.fanout = fanout;
      c.lanes = lanes;
      list.push_back(c);
      if (machine == machine_kind::cpu || lanes == 2 || lanes == fanout - 1) {
        list.push_back(with_layout(c, entry_layout::soa));
      }
    }
  }
}

// The same ones, each with the warp scanning together (lightweight, Section 5.7).
void add_cooperative(config_list& list) {
  const std::size_t alone = list.size();
  for (std::size_t i = 0; i < alone; ++i) {
    ordered_config together = list[i];
    together.scan = scan_kind::cooperative;
    list.push_back(together);
  }
}

}  // namespace

ordered_config ordered_pinned(ordered_config c, pin_kind pin) {
  c.launch = {.schedule = schedule_kind::fixed, .blocks_per_sm = 2, .threads = 1024};
  c.pin = pin;
  return c;
}

void ordered_candidates(const candidate_question& question, std::vector<index_config>& list) {
  config_list found;
  for (const method& m : family_of(ordered_id).methods()) {
    index_config standard = ordered_config{};
    family_of(ordered_id).set_method(standard, m.name);
    ordered_config base = ordered_config::of(standard);
    base.keys = question.width;
    if (question.ascending && base.order == order_kind::eytzinger) continue;
    if (question.smallest && base.order == order_kind::pivot_buffer) continue;
    if (family_of(ordered_id).caution(base))
      found.push_back(base);  // it is known to be slow: once, to show that
    else if (base.fanout == 2)
      add_binary(found, base, question);
    else
      add_k_ary(found, base, question.machine);
  }
  if (answer_of(question.asked) == answer_kind::sum && question.machine == machine_kind::cuda) add_cooperative(found);
  list.insert(list.end(), found.begin(), found.end());
}

}  // namespace pivotscope
