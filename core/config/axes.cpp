#include "core/config/axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/config/check.hpp"
#include "core/index/ordered/words.hpp"

namespace pivotscope {

namespace {

constexpr u32 default_ks_fanout = 9;

std::string_view short_name(order_kind kind) {
  return with_words(kind, [](auto words) { return std::string_view(words.short_name); });
}

std::vector<order_kind> all_orders() {
  std::vector<order_kind> kinds;
#define PIVOTSCOPE_PUSH(name) kinds.push_back(order_kind::name);
  PIVOTSCOPE_EACH_ORDER(PIVOTSCOPE_PUSH)
#undef PIVOTSCOPE_PUSH
  return kinds;
}

std::optional<u32> parse_u32(std::string_view text) {
  u32 value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

template <u32 index_config::*Field>
std::string get_number(const index_config& c) {
  return std::to_string(c.*Field);
}
template <u32 index_config::*Field>
bool set_number(index_config& c, std::string_view text) {
  const auto value = parse_u32(text);
  if (value) c.*Field = *value;
  return value.has_value();
}
std::string no_explanation(std::string_view) { return {}; }

// What a method stands for: its order, and K-ary search with K - 1 lanes or binary search with one.
bool set_method(index_config& c, std::string_view text) {
  for (const order_kind kind : all_orders()) {
    for (const bool binary : {true, false}) {
      if (text != fmt::format("{}+{}", short_name(kind), binary ? "BS" : "KS")) continue;
      const bool was_binary = c.fanout == 2;
      c.order = kind;
      if (binary) {
        c.fanout = 2, c.lanes = 1;
      } else if (was_binary) {
        c.fanout = default_ks_fanout, c.lanes = default_ks_fanout - 1;
      }
      return true;
    }
  }
  return false;
}

// Another fanout keeps the papers' K - 1 lanes where those were chosen, and otherwise as many lanes as still fit.
bool set_fanout(index_config& c, std::string_view text) {
  const auto value = parse_u32(text);
  if (!value) return false;
  const bool papers_lanes = c.lanes == c.fanout - 1;
  c.fanout = *value;
  if (*value >= least_fanout) c.lanes = papers_lanes ? *value - 1 : std::min(c.lanes, *value - 1);
  return true;
}

bool set_keys(index_config& c, std::string_view text) {
  if (text != "u32" && text != "u64") return false;
  c.keys = text == "u32" ? key_width::u32 : key_width::u64;
  return true;
}
// Names of an enumeration's values, in its order.
template <class Enum>
struct value_names {
  std::span<const std::string_view> names;
  std::string of(Enum value) const { return std::string(names[static_cast<std::size_t>(value)]); }
  bool set(Enum& value, std::string_view text) const {
    const auto at = std::find(names.begin(), names.end(), text);
    if (at != names.end()) value = static_cast<Enum>(at - names.begin());
    return at != names.end();
  }
  std::vector<std::string> all() const { return {names.begin(), names.end()}; }
};
constexpr std::string_view schedule_words[] = {"dynamic", "static"};
constexpr std::string_view pin_words[] = {"none", "steps", "full"};
constexpr std::string_view reorder_words[] = {"none", "lookup", "double"};
constexpr value_names<schedule_kind> schedule_names{schedule_words};
constexpr value_names<pin_kind> pin_names{pin_words};
constexpr value_names<reorder_kind> reorder_names{reorder_words};
constexpr std::string_view scan_words[] = {"alone", "cooperative"};
constexpr value_names<scan_kind> scan_names{scan_words};

bool set_scratch(index_config& c, std::string_view text) {
  const bool kib = text.ends_with("KiB");
  const auto value = parse_u32(kib ? text.substr(0, text.size() - 3) : text);
  if (!value || (kib && *value > (1u << 20))) return false;
  c.scratch = kib ? *value * 1024 : *value;
  return true;
}
std::string pivots_text(u32 levels) { return levels == 0 ? "all" : std::to_string(levels); }
bool set_pivots(index_config& c, std::string_view text) {
  if (text == "all") {
    c.pivots = 0;
    return true;
  }
  const auto value = parse_u32(text);
  if (!value || *value == 0) return false;
  c.pivots = *value;
  return true;
}

bool set_layout(index_config& c, std::string_view text) {
  if (text != "aos" && text != "soa") return false;
  c.layout = text == "aos" ? entry_layout::aos : entry_layout::soa;
  return true;
}

std::string explain_method(std::string_view value) {
  for (const order_kind kind : all_orders()) {
    const std::string_view name = short_name(kind);
    if (!value.starts_with(name) || value.size() != name.size() + 3) continue;
    const auto sentence = with_words(kind, [](auto words) { return std::string(words.sentence); });
    return sentence + (value.ends_with("BS") ? " Searched two ways a step (BS)." : " Searched K ways a step (KS).");
  }
  return {};
}
std::string explain_fanout(std::string_view value) {
  const auto k = parse_u32(value);
  if (!k || *k < 2) return {};
  return *k == 2 ? "Binary: one key a step, and a step halves what is left."
                 : fmt::format("{} keys a step, and a step leaves one part in {}.", *k - 1, *k);
}
std::string explain_lanes(std::string_view value) {
  const auto lanes = parse_u32(value);
  if (!lanes) return {};
  return *lanes == 1
             ? "One thread does a whole lookup."
             : fmt::format(
                   "{} neighbouring threads of a warp share a lookup's loads and tell each other what they saw.",
                   *lanes);
}
std::string explain_keys(std::string_view value) { return value == "u32" ? "Keys of 4 bytes." : "Keys of 8 bytes."; }
std::string explain_layout(std::string_view value) {
  return value == "aos" ? "Array of structs: a key beside its row id; 64-bit keys are padded to 16 bytes an entry."
                        : "Struct of arrays: all keys in one array, all row ids in another.";
}

std::string explain_pivots(std::string_view value) {
  return value == "all"
             ? "Every level: a leaf partition is one node's worth of entries."
             : fmt::format("The top {} levels; the rest of the way is a search of the leaf partition.", value);
}
std::string explain_schedule(std::string_view value) {
  return value == "dynamic"
             ? "A block for every tile; the hardware hands blocks out as multiprocessors fall free."
             : "A fixed number of blocks, each taking every so-many-th tile: less runs at a time, and scratch "
               "is filled once a block.";
}
std::string explain_pin(std::string_view value) {
  if (value == "none") return "Nothing is pinned: the caches decide.";
  return value == "steps" ? "The keys of as many whole steps as fit."
                          : "The keys of whole steps, and the room that is left is filled with those of the next one.";
}
std::string explain_reorder(std::string_view value) {
  if (value == "none") return "Lookups stay in the order they come in.";
  return value == "lookup" ? "Lookups are sorted within their tile; answers are written where they belong, scattered."
                           : "Lookups are sorted, and the answers are put back in order before they are written.";
}
std::string explain_scan(std::string_view value) {
  return value == "alone" ? "A range is scanned by the lanes of its lookup: one thread with BS, all K - 1 with KS."
                          : "A lookup's own lanes scan up to 32 entries; the warp's 32 lanes then go through the scans "
                            "that are not finished, one after another.";
}

std::vector<axis> make_axes() {
  std::vector<axis> list;
  list.push_back({"method",
                  "Method",
                  "How the entries are ordered in memory, and whether a step compares one key (BS) or K - 1 (KS).",
                  {method_names().begin(), method_names().end()},
                  std::nullopt,
                  [](const index_config& c) { return method_name(c); },
                  set_method,
                  explain_method});
  list.push_back({"fanout",
                  "Fanout K",
                  "Children of a search node: a step compares K - 1 keys and goes one of K ways.",
                  {"2", "3", "5", "9", "17", "33"},
                  std::pair{least_fanout, greatest_fanout},
                  get_number<&index_config::fanout>,
                  set_fanout,
                  explain_fanout});
  list.push_back({"lanes",
                  "Lanes a lookup",
                  "Threads that serve one lookup together, 1 to K - 1. The papers use K - 1.",
                  {"1", "2", "4", "8", "16", "32"},
                  std::pair{1u, greatest_fanout - 1},
                  get_number<&index_config::lanes>,
                  set_number<&index_config::lanes>,
                  explain_lanes});
  list.push_back({"keys",
                  "Key width",
                  "Bits of a key. Row ids always have 32.",
                  {"u32", "u64"},
                  std::nullopt,
                  [](const index_config& c) { return std::string(c.keys == key_width::u32 ? "u32" : "u64"); },
                  set_keys,
                  explain_keys});
  list.push_back({"layout",
                  "Memory layout",
                  "Whether a key and its row id lie side by side or in two arrays (O4).",
                  {"aos", "soa"},
                  std::nullopt,
                  [](const index_config& c) { return std::string(c.layout == entry_layout::aos ? "aos" : "soa"); },
                  set_layout,
                  explain_layout});
  list.push_back({"threads",
                  "Threads a block",
                  "Threads that the GPU schedules together as one block: a multiple of 32.",
                  {"64", "128", "256", "512", "1024"},
                  std::pair{least_threads, greatest_threads},
                  get_number<&index_config::threads>,
                  set_number<&index_config::threads>,
                  no_explanation});
  list.push_back({"per_thread",
                  "Lookups a thread",
                  "Lookups that a thread holds in registers in one tile of work.",
                  {"1", "2", "4", "8", "16"},
                  std::pair{1u, greatest_per_thread},
                  get_number<&index_config::per_thread>,
                  set_number<&index_config::per_thread>,
                  no_explanation});
  list.push_back({"pivots",
                  "Pivot levels",
                  "Levels of the pivot buffer that are kept, from the root; what is left out makes the leaf partitions "
                  "larger and the index smaller (O5).",
                  {"all", "1", "2", "4", "8", "10", "20", "24", "27"},
                  std::nullopt,
                  [](const index_config& c) { return pivots_text(c.pivots); },
                  set_pivots,
                  explain_pivots});
  list.push_back(
      {"schedule", "Schedule", "How tiles of lookups come to the blocks of threads (O1).", schedule_names.all(),
       std::nullopt, [](const index_config& c) { return schedule_names.of(c.schedule); },
       [](index_config& c, std::string_view text) { return schedule_names.set(c.schedule, text); }, explain_schedule});
  list.push_back({"blocks_per_sm",
                  "Blocks a multiprocessor",
                  "Static schedule: how many blocks every multiprocessor gets.",
                  {"1", "2", "4", "8", "16"},
                  std::pair{1u, greatest_blocks_per_sm},
                  get_number<&index_config::blocks_per_sm>,
                  set_number<&index_config::blocks_per_sm>,
                  no_explanation});
  list.push_back({"pin", "Pinning", "Keeps the keys of the first steps in the block's scratch memory (O2).",
                  pin_names.all(), std::nullopt, [](const index_config& c) { return pin_names.of(c.pin); },
                  [](index_config& c, std::string_view text) { return pin_names.set(c.pin, text); }, explain_pin});
  list.push_back({"scratch",
                  "Scratch",
                  "Bytes of scratch that a block fills with pinned keys.",
                  {"8KiB", "16KiB", "32KiB", "48KiB", "64KiB", "96KiB", "160KiB", "224KiB"},
                  std::nullopt,
                  [](const index_config& c) { return scratch_text(c.scratch); },
                  set_scratch,
                  no_explanation});
  list.push_back(
      {"reorder", "Reordering", "Sorts the lookups of a tile, so that neighbouring threads walk the same way (O3).",
       reorder_names.all(), std::nullopt, [](const index_config& c) { return reorder_names.of(c.reorder); },
       [](index_config& c, std::string_view text) { return reorder_names.set(c.reorder, text); }, explain_reorder});
  list.push_back({"scan", "Range scan", "Who scans the entries of a range lookup (O6).", scan_names.all(), std::nullopt,
                  [](const index_config& c) { return scan_names.of(c.scan); },
                  [](index_config& c, std::string_view text) { return scan_names.set(c.scan, text); }, explain_scan});
  return list;
}

}  // namespace

std::string scratch_text(u32 bytes) {
  return bytes % 1024 == 0 ? fmt::format("{}KiB", bytes / 1024) : std::to_string(bytes);
}

std::string method_name(const index_config& c) {
  return fmt::format("{}+{}", short_name(c.order), c.fanout == 2 ? "BS" : "KS");
}

std::span<const std::string> method_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const order_kind kind : all_orders()) {
      for (const u32 fanout : {2u, default_ks_fanout}) {
        const index_config c{.order = kind, .fanout = fanout, .lanes = fanout - 1};
        if (!check(c)) list.push_back(method_name(c));
      }
    }
    return list;
  }();
  return names;
}

std::span<const axis> axes() {
  static const std::vector<axis> list = make_axes();
  return list;
}

const axis* find_axis(std::string_view name) {
  for (const axis& a : axes()) {
    if (a.name == name) return &a;
  }
  return nullptr;
}

}  // namespace pivotscope
