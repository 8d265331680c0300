#include "core/config/axis.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pivotscope {
namespace {

constexpr std::string_view width_words[] = {"u32", "u64"};
constexpr value_names<key_width> width_names{width_words};
constexpr std::string_view schedule_words[] = {"dynamic", "static"};
constexpr value_names<schedule_kind> schedule_names{schedule_words};
constexpr std::string_view reorder_words[] = {"none", "lookup", "double"};
constexpr value_names<reorder_kind> reorder_names{reorder_words};

template <u32 launch_config::*Field>
std::string get_number(const index_config& c) {
  return std::to_string(c.launch.*Field);
}
template <u32 launch_config::*Field>
bool set_number(index_config& c, std::string_view text) {
  const auto value = parse_u32(text);
  if (value) c.launch.*Field = *value;
  return value.has_value();
}

template <u32 launch_config::*Field>
axis launch_number(const char* name, const char* title, const char* sentence, std::vector<std::string> values,
                   std::pair<u32, u32> range) {
  return {name, title, sentence, std::move(values), range, get_number<Field>, set_number<Field>, no_explanation};
}

std::string explain_keys(std::string_view value) { return value == "u32" ? "Keys of 4 bytes." : "Keys of 8 bytes."; }
std::string explain_schedule(std::string_view value) {
  return value == "dynamic"
             ? "A block for every tile; the hardware hands blocks out as multiprocessors fall free."
             : "A fixed number of blocks, each taking every so-many-th tile: less runs at a time, and scratch "
               "is filled once a block.";
}
std::string explain_reorder(std::string_view value) {
  if (value == "none") return "Lookups stay in the order they come in.";
  return value == "lookup" ? "Lookups are sorted within their tile; answers are written where they belong, scattered."
                           : "Lookups are sorted, and the answers are put back in order before they are written.";
}

std::vector<axis> make_common_axes() {
  return {
      {"keys", "Key width", "Bits of a key. Row ids always have 32.", width_names.all(), std::nullopt,
       [](const index_config& c) { return width_names.of(c.keys); },
       [](index_config& c, std::string_view text) { return width_names.set(c.keys, text); }, explain_keys},
      launch_number<&launch_config::threads>("threads", "Threads a block",
                                             "Threads that the GPU schedules together as one block: a multiple of 32.",
                                             {"64", "128", "256", "512", "1024"}, {least_threads, greatest_threads}),
      launch_number<&launch_config::per_thread>("per_thread", "Lookups a thread",
                                                "Lookups that a thread holds in registers in one tile of work.",
                                                {"1", "2", "4", "8", "16"}, {1, greatest_per_thread}),
      {"schedule", "Schedule", "How tiles of lookups come to the blocks of threads (O1).", schedule_names.all(),
       std::nullopt, [](const index_config& c) { return schedule_names.of(c.launch.schedule); },
       [](index_config& c, std::string_view text) { return schedule_names.set(c.launch.schedule, text); },
       explain_schedule},
      launch_number<&launch_config::blocks_per_sm>("blocks_per_sm", "Blocks a multiprocessor",
                                                   "Static schedule: how many blocks every multiprocessor gets.",
                                                   {"1", "2", "4", "8", "16"}, {1, greatest_blocks_per_sm}),
      {"reorder", "Reordering", "Sorts the lookups of a tile, so that neighbouring threads walk the same way (O3).",
       reorder_names.all(), std::nullopt, [](const index_config& c) { return reorder_names.of(c.launch.reorder); },
       [](index_config& c, std::string_view text) { return reorder_names.set(c.launch.reorder, text); },
       explain_reorder},
  };
}

}  // namespace

axis common_axis(std::string_view name) {
  static const std::vector<axis> list = make_common_axes();
  return *std::find_if(list.begin(), list.end(), [&](const axis& a) { return a.name == name; });
}

std::optional<std::string> check_launch(const launch_config& c) {
  if (c.threads < least_threads || c.threads > greatest_threads || c.threads % 32 != 0) {
    return fmt::format("threads={} is not a multiple of 32 from {} to {}: a block is made of whole warps", c.threads,
                       least_threads, greatest_threads);
  }
  if (c.per_thread < 1 || c.per_thread > greatest_per_thread) {
    return fmt::format("per_thread={} is outside 1 to {}: a thread keeps its lookups in registers", c.per_thread,
                       greatest_per_thread);
  }
  if (c.blocks_per_sm < 1 || c.blocks_per_sm > greatest_blocks_per_sm) {
    return fmt::format("blocks_per_sm={} is outside 1 to {}", c.blocks_per_sm, greatest_blocks_per_sm);
  }
  if (c.blocks_per_sm != 1 && c.schedule == schedule_kind::dynamic) {
    return fmt::format("blocks_per_sm={} needs schedule=static: a dynamic schedule has a block for every tile",
                       c.blocks_per_sm);
  }
  return std::nullopt;
}

void accept_launch(launch_config& c, std::string_view keep) {
  c.threads = std::clamp((c.threads + 16) / 32 * 32, least_threads, greatest_threads);
  c.per_thread = std::clamp(c.per_thread, 1u, greatest_per_thread);
  c.blocks_per_sm = std::clamp(c.blocks_per_sm, 1u, greatest_blocks_per_sm);
  if (c.blocks_per_sm != 1 && c.schedule == schedule_kind::dynamic) {
    if (keep == "blocks_per_sm") {
      c.schedule = schedule_kind::fixed;
    } else {
      c.blocks_per_sm = 1;
    }
  }
}

launch_config launch_for_reordering(launch_config c) {
  c.threads = 128;
  c.per_thread = 16;
  c.reorder = reorder_kind::both;
  return c;
}

std::optional<u32> parse_u32(std::string_view text) {
  u32 value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::string no_explanation(std::string_view) { return {}; }

}  // namespace pivotscope
