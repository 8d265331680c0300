#include "viz/models/step_reader.hpp"

#include <algorithm>
#include <utility>

namespace pivotscope::viz {

region_reader after_steps(region_reader read, const index_model& model, const lookup_trace& trace, u32 steps) {
  return [read = std::move(read), &model, &trace, steps](region_id region, u64 byte, std::span<std::byte> out) {
    if (!read(region, byte, out)) return false;
    for (std::size_t s = 0; s < std::min<std::size_t>(steps, trace.steps.size()); ++s) {
      for (const changed_word& word : trace.steps[s].changed) {
        if (word.array != region || !word.done) continue;
        const u64 first = model.region(region).byte_of(word.slot) + word.offset;
        const auto* const bytes = reinterpret_cast<const std::byte*>(&word.after);
        for (u64 at = std::max(first, byte); at < std::min(first + word.bytes, byte + out.size()); ++at)
          out[at - byte] = bytes[at - first];
      }
    }
    return true;
  };
}

}  // namespace pivotscope::viz
