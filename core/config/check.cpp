#include "core/config/check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/config/axes.hpp"
#include "core/config/scratch_bytes.hpp"
#include "core/index/ordered/dispatch.hpp"
#include "core/index/ordered/words.hpp"

namespace pivotscope {

std::optional<std::string> check(const index_config& c) {
  if (c.fanout < least_fanout || c.fanout > greatest_fanout) {
    return fmt::format("fanout={} is outside {} to {}: a node's K - 1 keys must fit the 32 lanes of a warp", c.fanout,
                       least_fanout, greatest_fanout);
  }
  if (c.lanes < 1 || c.lanes > c.fanout - 1) {
    return fmt::format("lanes={} is outside 1 to {}: a step of fanout={} compares {} key{}, and every lane needs one",
                       c.lanes, c.fanout - 1, c.fanout, c.fanout - 1, c.fanout == 2 ? "" : "s");
  }
  if (c.threads < least_threads || c.threads > greatest_threads || c.threads % 32 != 0) {
    return fmt::format("threads={} is not a multiple of 32 from {} to {}: a block is made of whole warps", c.threads,
                       least_threads, greatest_threads);
  }
  if (c.per_thread < 1 || c.per_thread > greatest_per_thread) {
    return fmt::format("per_thread={} is outside 1 to {}: a thread keeps its lookups in registers", c.per_thread,
                       greatest_per_thread);
  }
  if (c.pivots > greatest_pivots) {
    return fmt::format("pivots={} is more than {}: no pivot buffer is that high", c.pivots, greatest_pivots);
  }
  if (c.pivots != 0 && !with_order(dynamic_config{c}, [](auto order) { return order.has_pivots; })) {
    return fmt::format("pivots={} needs a pivot buffer (AO+PB): this order has none to trim", c.pivots);
  }
  if (c.blocks_per_sm < 1 || c.blocks_per_sm > greatest_blocks_per_sm) {
    return fmt::format("blocks_per_sm={} is outside 1 to {}", c.blocks_per_sm, greatest_blocks_per_sm);
  }
  if (c.blocks_per_sm != 1 && c.schedule == schedule_kind::dynamic) {
    return fmt::format("blocks_per_sm={} needs schedule=static: a dynamic schedule has a block for every tile",
                       c.blocks_per_sm);
  }
  if (c.scratch != default_scratch && c.pin == pin_kind::none) {
    return fmt::format("scratch={} needs pin=steps or pin=full: nothing else is kept there", scratch_text(c.scratch));
  }
  if (c.scratch < 16 || c.scratch > greatest_scratch || c.scratch % 16 != 0) {
    return fmt::format("scratch={} is not a multiple of 16 bytes from 16 to {}", scratch_text(c.scratch),
                       scratch_text(greatest_scratch));
  }
  if (block_scratch(c).all() > greatest_scratch) {
    return fmt::format(
        "a block would need {} bytes of scratch, and no GPU has more than {}: take fewer threads or lookups "
        "a thread, or pin less",
        block_scratch(c).all(), scratch_text(greatest_scratch));
  }
  return std::nullopt;
}

std::optional<std::string> caution(const index_config& c) {
  const char* words = with_words(c.order, [&](auto order_words) { return order_words.caution(c); });
  return words ? std::optional<std::string>(words) : std::nullopt;
}

index_config nearest_accepted(index_config c, std::string_view keep) {
  c.fanout = std::clamp(c.fanout, least_fanout, greatest_fanout);
  if (keep == "lanes" && c.lanes > c.fanout - 1) {
    const bool fits = c.lanes <= greatest_fanout - 1;
    c.lanes = fits ? c.lanes : greatest_fanout - 1;
    c.fanout = c.lanes + 1;
  }
  c.lanes = std::clamp(c.lanes, 1u, c.fanout - 1);
  c.threads = std::clamp((c.threads + 16) / 32 * 32, least_threads, greatest_threads);
  c.per_thread = std::clamp(c.per_thread, 1u, greatest_per_thread);
  c.pivots = std::min(c.pivots, greatest_pivots);
  if (c.pivots != 0 && !with_order(dynamic_config{c}, [](auto order) { return order.has_pivots; })) {
    if (keep == "pivots") {
      c.order = order_kind::pivot_buffer;
    } else {
      c.pivots = 0;
    }
  }
  c.blocks_per_sm = std::clamp(c.blocks_per_sm, 1u, greatest_blocks_per_sm);
  if (c.blocks_per_sm != 1 && c.schedule == schedule_kind::dynamic) {
    if (keep == "blocks_per_sm") {
      c.schedule = schedule_kind::fixed;
    } else {
      c.blocks_per_sm = 1;
    }
  }
  c.scratch = std::clamp(c.scratch / 16 * 16, 16u, greatest_scratch);
  if (c.scratch != default_scratch && c.pin == pin_kind::none) {
    if (keep == "scratch") {
      c.pin = pin_kind::full;
    } else {
      c.scratch = default_scratch;
    }
  }
  while (block_scratch(c).all() > greatest_scratch && c.per_thread > 1) --c.per_thread;
  if (block_scratch(c).all() > greatest_scratch) c.scratch = default_scratch;
  return c;
}

}  // namespace pivotscope
