#include "core/families/ordered/pseudo_code.hpp"

#include <fmt/format.h>

namespace pivotscope {
namespace {

constexpr std::string_view ascending = "core/families/ordered/ascending/ascending.hpp",
                           eytzinger = "core/families/ordered/eytzinger/eytzinger.hpp",
                           buffer = "core/families/ordered/pivot_buffer/pivot_buffer.hpp",
                           run = "core/families/ordered/sorted_run.hpp", probe = "core/families/ordered/probe.hpp",
                           scan = "core/families/ordered/range_scan.hpp",
                           next = "core/families/ordered/next_key_scan.hpp",
                           whole = "core/families/ordered/ordered.hpp";

using marks = std::vector<source_mark>;

// All that the probe of entries or pivots runs: reading, and comparing.
marks with_reads(marks list) {
  for (const char* text : {"each_entry<", "memory_.template each_of_run<Cell>", "memory_.template each_read<",
                           "memory_.template compare_run<", "memory_.template each_of_scratch<Key>",
                           "count_pinned(first, run, lane, key)", "count_keys(ordered_region::", "return with_row(",
                           "memory_.template load_part<Key>(ordered_region::entries, slot",
                           "memory_.template load_scratch<Key>", "memory_.template load<u32>(ordered_region::rows"})
    list.push_back({probe, text});
  return list;
}
marks with_compares(marks list) {
  for (const char* text : {"memory_.saw(", "memory_.saw_scratch(", "less += "}) list.push_back({probe, text});
  return list;
}
marks with_prefetch(marks list) {
  list.push_back({probe, "memory_.will_read(region, first, slots"});
  return list;
}

class writer {
 public:
  explicit writer(const ordered_config& config) : c_(config) {}

  pseudo_code find() {
    switch (c_.order) {
      case order_kind::eytzinger:
        return find_eytzinger();
      case order_kind::pivot_buffer:
        return find_by_pivots();
      default:
        return find_ascending();
    }
  }

  // A range, or what comes after a key: the same way to the low end, and from there other work.
  // `itself`: the key is an answer too.
  pseudo_code from(const char* head, const char* low, bool range, bool itself = false) {
    itself_ = itself;
    add({head});
    if (range)
      add({"  count = 0, sum = 0", {}, pseudo_when::begins});
    else if (itself)
      add({"  nearest = none", {{whole, "next_key_scan scan(lanes, sorted, low"}}, pseudo_when::begins});
    else
      add({"  looked for is the value after the key; nearest = none", {{whole, "key_after"}}, pseudo_when::begins});
    if (c_.order == order_kind::eytzinger) {
      add({"  node = 0", {{eytzinger, "u64 node = 0;"}}, pseudo_when::begins});
      add({"  on each level, while there is a node:", {{eytzinger, "memory.step(level)"}}});
      add({"    read its " + keys("key") + shares(),
           with_reads({{eytzinger, "memory.probe_entries(static_cast<u32>(first)"}})});
      add({fmt::format("    less = how many are smaller than {}", low), with_compares({})});
      add_scan("    ", range, {{eytzinger, "scan.run("}});
      add({fmt::format("    node = node * {} + 1 + less", c_.fanout),
           {{eytzinger, "node = node * config.value.fanout + 1 + less"}}});
    } else {
      if (c_.order == order_kind::pivot_buffer)
        add_descent(), add_leaf(low);
      else
        add_seek(low);
      add_scan("  ", range, {{ascending, "scan.run("}, {buffer, "scan.run("}});
    }
    add({range ? "  return count, sum" : "  return nearest", {{whole, "return scan.answer()"}}, pseudo_when::ends});
    return std::move(code_);
  }

 private:
  std::string keys(const char* what) const {
    return c_.fanout == 2 ? what : fmt::format("{} {}s", c_.fanout - 1, what);
  }
  std::string shares() const { return c_.lanes == 1 ? "" : ", a lane's share each"; }
  void add(pseudo_line line) { code_.push_back(std::move(line)); }

  pseudo_code find_eytzinger() {
    add({"find(key):"});
    add({"  node = 0", {{eytzinger, "auto node = wave.all(0u);"}}, pseudo_when::begins});
    add({"  while there is such a node:", {{eytzinger, "wave.memory.step(level)"}}});
    add({"    read its " + keys("key") + shares(), with_reads({{eytzinger, "wave.memory.probe_entries("}})});
    add({c_.fanout == 2 ? "    less = 1 if it is smaller than the key, else 0"
                        : "    less = how many are smaller than the key",
         with_compares({})});
    add({c_.fanout == 2 ? "    if it is the key: return its row id" : "    if one is the key: return its row id",
         {{eytzinger, "found[i].take(p.row)"},
          {probe, "if (e.key == key) result.row"},
          {probe, "result.row = memory_.template load"}},
         pseudo_when::found});
    add({fmt::format("    node = node * {} + 1 + less", c_.fanout),
         with_prefetch({{eytzinger, "const u64 child ="}, {eytzinger, "wave.memory.will_read("}}),
         pseudo_when::goes_on});
    add({"  return none", {{eytzinger, "auto rows = wave.all(not_found);"}}, pseudo_when::absent});
    return std::move(code_);
  }

  // To the first entry that is not smaller, or the last one.
  void add_seek(const char* key) {
    add({"  at = the last entry", {{ascending, "auto offset = wave.all(last)"}}, pseudo_when::begins});
    add({fmt::format("  step = the greatest power of {} up to their number", c_.fanout),
         {{ascending, "u32 step = s.longest_step"}},
         pseudo_when::begins});
    add({"  while step > 0:", {{ascending, "wave.memory.step(level)"}}});
    add({c_.fanout == 2 ? "    read the key at at - step"
                        : fmt::format("    read the keys at at - step, ... at - {} step{}", c_.fanout - 1, shares()),
         with_reads({{ascending, "wave.memory.entry_key(slot)"}, {ascending, "wave.memory.scratch_key(index)"}})});
    add({c_.fanout == 2 ? fmt::format("    if it is there and not smaller than {}: at = at - step", key)
                        : fmt::format("    at = at - step * how many are there and not smaller than {}", key),
         with_compares({{ascending, "offset[i] = step_back("}, {run, "return offset - steps * step"}})});
    add({fmt::format("    step = step / {}", c_.fanout),
         with_prefetch(
             {{ascending, "step /= fanout"}, {ascending, "will_step_back(config"}, {run, "memory.will_read("}})});
  }

  pseudo_code find_ascending() {
    add({"find(key):"});
    add_seek("the key");
    add({"  read the entry at `at`",
         {{ascending, "wave.memory.step(view.shape.levels)"},
          {ascending, "wave.memory.probe_entries(offset[i], {1, 1, 1}"}}});
    add({"  if it has the key: return its row id",
         {{probe, "if (e.key == key) result.row"}, {probe, "result.row = memory_.template load"}},
         pseudo_when::found});
    add({"  return none", {{ascending, "auto rows = wave.all(not_found);"}}, pseudo_when::absent});
    return std::move(code_);
  }

  void add_descent() {
    add({"  node = 0", {{buffer, "auto node = wave.all(0u);"}}, pseudo_when::begins});
    add({"  for each level of the pivot buffer:", {{buffer, "wave.memory.step(level)"}}});
    add({"    read the node's " + keys("pivot") + shares(), with_reads({{buffer, "wave.memory.count_less_pivots("}})});
    add({c_.fanout == 2 ? "    less = 1 if it is smaller, else 0" : "    less = how many are smaller",
         with_compares({})});
    add({fmt::format("    node = node * {} + less, on the level below", c_.fanout),
         with_prefetch(
             {{buffer, "node[i] = node[i] * config.value.fanout + less"}, {buffer, "wave.memory.will_read("}})});
    add({"  leaf = the entries of that number", {{buffer, "node[i] *= leaf"}}});
  }
  // Within the partition: all of it at once, or where the buffer is trimmed by steps that shrink.
  void add_leaf(const char* key) {
    if (c_.pivots == 0) {
      add({"  read its entries" + shares(),
           {{buffer, "memory.step(s.levels - 1)"},
            {buffer, "memory.probe_entries(base"},
            {buffer, ": wave.memory.probe_entries(base[i]"}}});
      return;
    }
    add({fmt::format("  search it: at = its last entry, step = a power of {}", c_.fanout)});
    add({"  while step > 0:", {{buffer, "memory.step(s.levels - 1)"}}});
    add({c_.fanout == 2
             ? fmt::format("    if the key at at - step is not smaller than {}: at = at - step", key)
             : fmt::format("    at = at - step * how many of {} keys are not smaller than {}", c_.fanout - 1, key),
         {{buffer, "wave.memory.entry_key(base[i] + at)"}, {buffer, "offset[i] = step_back("}}});
    add({fmt::format("    step = step / {}", c_.fanout), with_prefetch({{buffer, "step /= config.value.fanout"},
                                                                        {buffer, "will_step_back(config"},
                                                                        {run, "memory.will_read("}})});
  }
  pseudo_code find_by_pivots() {
    add({"find(key):"});
    add_descent();
    add_leaf("the key");
    if (c_.pivots != 0) add({"  read the entry at `at`", {{buffer, "wave.memory.probe_entries(offset[i], {1, 1, 1}"}}});
    add({c_.pivots == 0 ? "  if one has the key: return its row id" : "  if it has the key: return its row id",
         {{probe, "if (e.key == key) result.row"}, {probe, "result.row = memory_.template load"}},
         pseudo_when::found});
    add({"  return none", {{buffer, "auto rows = wave.all(not_found);"}}, pseudo_when::absent});
    return std::move(code_);
  }

  void add_scan(const std::string& depth, bool range, marks begins) {
    if (!range) {
      begins.push_back({next, "memory_.scan_step(level, false)"});
      begins.push_back({next, "memory_.scan_entry(first)"});
      begins.push_back({probe, "memory_.template load<"});
      add({depth + "look at the first entry from there on", std::move(begins)});
      add({depth + (itself_ ? "if it is not smaller than the key, and less than nearest: nearest = it"
                            : "if it is greater than the key, and less than nearest: nearest = it"),
           {{next, "key_ = entry.key, row_ = entry.row"}}});
      return;
    }
    begins.push_back({scan, "memory_.scan_step(level, false)"});
    add({depth + "scan to the right from there, while no key is greater than high:", std::move(begins)});
    add({depth + "  count = count + 1, sum = sum + row id",
         {{scan, "memory_.scan_entry(at + lane)"}, {scan, "sum += entry.row"}, {probe, "memory_.template load<"}}});
    if (c_.scan == scan_kind::cooperative)
      add({depth + "  after 32 entries: all 32 lanes of the warp scan on together",
           {{scan, "memory_.scan_step(level, true)"},
            {scan, "entries[i] = memory_.scan_entry("},
            {scan, "scan_with_warp(warp"}}});
  }

  const ordered_config& c_;
  bool itself_ = false;
  pseudo_code code_;
};

}  // namespace

pseudo_code ordered_pseudo_code(const ordered_config& config, operation kind) {
  writer code(config);
  if (kind == operation::range) return code.from("range(low, high):", "low", true);
  if (answer_of(kind) == answer_kind::next)
    return takes_itself(kind) ? code.from("lower bound(key):", "the key", false, true)
                              : code.from("what comes after(key):", "it", false);
  return code.find();
}

}  // namespace pivotscope
