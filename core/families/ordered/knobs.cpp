#include "core/families/ordered/knobs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/families/ordered/config.hpp"
#include "core/index/lookups_in_flight.hpp"
#include "core/index/scratch_bytes.hpp"

namespace pivotscope {
namespace {

constexpr std::string_view layout_words[] = {"aos", "soa"};
constexpr value_names<entry_layout> layout_names{layout_words};
constexpr std::string_view pin_words[] = {"none", "steps", "full"};
constexpr value_names<pin_kind> pin_names{pin_words};
constexpr std::string_view scan_words[] = {"alone", "cooperative"};
constexpr value_names<scan_kind> scan_names{scan_words};
constexpr std::string_view reads_words[] = {"cached", "once"};
constexpr value_names<entry_reads> reads_names{reads_words};

template <u32 ordered_config::*Field>
std::string get_number(const index_config& c) {
  return std::to_string(ordered_config::of(c).*Field);
}

// f(knobs): false where the text is no value.
template <class F>
bool change(index_config& config, F&& f) {
  ordered_config c = ordered_config::of(config);
  if (!f(c)) return false;
  config = c;
  return true;
}

bool set_lanes(index_config& config, std::string_view text) {
  const auto value = parse_u32(text);
  return value && change(config, [&](ordered_config& c) { return c.lanes = *value, true; });
}

// Another fanout keeps the papers' K - 1 lanes where those were chosen, and otherwise as many lanes as still fit.
bool set_fanout(index_config& config, std::string_view text) {
  const auto value = parse_u32(text);
  return value && change(config, [&](ordered_config& c) {
           const bool papers_lanes = c.lanes == c.fanout - 1;
           c.fanout = *value;
           if (*value >= least_fanout) c.lanes = papers_lanes ? *value - 1 : std::min(c.lanes, *value - 1);
           return true;
         });
}

bool set_scratch(index_config& config, std::string_view text) {
  const bool kib = text.ends_with("KiB");
  const auto value = parse_u32(kib ? text.substr(0, text.size() - 3) : text);
  if (!value || (kib && *value > (1u << 20))) return false;
  return change(config, [&](ordered_config& c) { return c.scratch = kib ? *value * 1024 : *value, true; });
}

std::string pivots_text(u32 levels) { return levels == 0 ? "all" : std::to_string(levels); }
bool set_pivots(index_config& config, std::string_view text) {
  const auto value = text == "all" ? 0u : parse_u32(text);
  if (!value || (*value == 0 && text != "all")) return false;
  return change(config, [&](ordered_config& c) { return c.pivots = *value, true; });
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
std::string explain_layout(std::string_view value) {
  return value == "aos" ? "Array of structs: a key beside its row id; 64-bit keys are padded to 16 bytes an entry."
                        : "Struct of arrays: all keys in one array, all row ids in another.";
}
std::string explain_pivots(std::string_view value) {
  return value == "all"
             ? "Every level: a leaf partition is one node's worth of entries."
             : fmt::format("The top {} levels; the rest of the way is a search of the leaf partition.", value);
}
std::string explain_pin(std::string_view value) {
  if (value == "none") return "Nothing is pinned: the caches decide.";
  return value == "steps" ? "The keys of as many whole steps as fit."
                          : "The keys of whole steps, and the room that is left is filled with those of the next one.";
}
std::string explain_reads(std::string_view value) {
  return value == "cached" ? "As anything else: good while they fit into the L2 cache."
                           : "They leave the L2 cache first, so that the levels above them stay: for more than fits.";
}
std::string explain_scan(std::string_view value) {
  return value == "alone" ? "A range is scanned by the lanes of its lookup: one thread with BS, all K - 1 with KS."
                          : "A lookup's own lanes scan up to 32 entries; the warp's 32 lanes then go through the scans "
                            "that are not finished, one after another.";
}

}  // namespace

std::vector<axis> ordered_axes() {
  std::vector<axis> list;
  list.push_back({"fanout",
                  "Fanout K",
                  "Children of a search node: a step compares K - 1 keys and goes one of K ways.",
                  {"2", "3", "5", "9", "17", "33"},
                  std::pair{least_fanout, greatest_fanout},
                  get_number<&ordered_config::fanout>,
                  set_fanout,
                  explain_fanout});
  list.push_back({"lanes",
                  "Lanes a lookup",
                  "Threads that serve one lookup together, 1 to K - 1. The papers use K - 1.",
                  {"1", "2", "4", "8", "16", "32"},
                  std::pair{1u, greatest_fanout - 1},
                  get_number<&ordered_config::lanes>,
                  set_lanes,
                  explain_lanes});
  list.push_back(common_axis("keys"));
  list.push_back({"layout", "Memory layout", "Whether a key and its row id lie side by side or in two arrays (O4).",
                  layout_names.all(), std::nullopt,
                  [](const index_config& c) { return layout_names.of(ordered_config::of(c).layout); },
                  [](index_config& c, std::string_view text) {
                    return change(c, [&](ordered_config& o) { return layout_names.set(o.layout, text); });
                  },
                  explain_layout});
  list.push_back(common_axis("threads"));
  list.push_back(common_axis("per_thread"));
  list.push_back({"pivots",
                  "Pivot levels",
                  "Levels of the pivot buffer that are kept, from the root; what is left out makes the leaf partitions "
                  "larger and the index smaller (O5).",
                  {"all", "1", "2", "4", "8", "10", "20", "24", "27"},
                  std::nullopt,
                  [](const index_config& c) { return pivots_text(ordered_config::of(c).pivots); },
                  set_pivots,
                  explain_pivots});
  list.push_back(common_axis("schedule"));
  list.push_back(common_axis("blocks_per_sm"));
  list.push_back({"pin", "Pinning", "Keeps the keys of the first steps in the block's scratch memory (O2).",
                  pin_names.all(), std::nullopt,
                  [](const index_config& c) { return pin_names.of(ordered_config::of(c).pin); },
                  [](index_config& c, std::string_view text) {
                    return change(c, [&](ordered_config& o) { return pin_names.set(o.pin, text); });
                  },
                  explain_pin});
  list.push_back({"scratch",
                  "Scratch",
                  "Bytes of scratch that a block fills with pinned keys.",
                  {"8KiB", "16KiB", "32KiB", "48KiB", "64KiB", "96KiB", "160KiB", "224KiB"},
                  std::nullopt,
                  [](const index_config& c) { return scratch_text(ordered_config::of(c).scratch); },
                  set_scratch,
                  no_explanation});
  list.push_back(common_axis("reorder"));
  list.push_back({"scan", "Range scan", "Who scans the entries of a range lookup (O6).", scan_names.all(), std::nullopt,
                  [](const index_config& c) { return scan_names.of(ordered_config::of(c).scan); },
                  [](index_config& c, std::string_view text) {
                    return change(c, [&](ordered_config& o) { return scan_names.set(o.scan, text); });
                  },
                  explain_scan});
  list.push_back(in_flight_axis(get_number<&ordered_config::flight>, [](index_config& config, std::string_view text) {
    const auto value = parse_u32(text);
    return value && change(config, [&](ordered_config& c) { return c.flight = *value, true; });
  }));
  list.push_back(
      {"reads", "Reads of the lowest entries",
       "What the L2 cache of a GPU keeps of the leaves under pivots, or of the lowest level in Eytzinger order.",
       reads_names.all(), std::nullopt,
       [](const index_config& c) { return reads_names.of(ordered_config::of(c).reads); },
       [](index_config& c, std::string_view text) {
         return change(c, [&](ordered_config& o) { return reads_names.set(o.reads, text); });
       },
       explain_reads});
  return list;
}

}  // namespace pivotscope
