#include "viz/models/step_reader.hpp"

#include <algorithm>
#include <utility>

namespace pivotscope::viz {
namespace {

// Puts the part of a word that lies in the bytes [byte, byte + out.size()) of its region into these.
void put_word(const index_model& model, const changed_word& word, u64 value, u64 byte, std::span<std::byte> out) {
  const u64 first = model.region(word.array).byte_of(word.slot) + word.offset;
  const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
  for (u64 at = std::max(first, byte); at < std::min(first + word.bytes, byte + out.size()); ++at)
    out[at - byte] = bytes[at - first];
}

}  // namespace

region_reader after_steps(region_reader read, const index_model& model, const lookup_trace& trace, u32 steps) {
  return [read = std::move(read), &model, &trace, steps](region_id region, u64 byte, std::span<std::byte> out) {
    if (!read(region, byte, out)) return false;
    for (std::size_t s = 0; s < std::min<std::size_t>(steps, trace.steps.size()); ++s)
      for (const changed_word& word : trace.steps[s].changed)
        if (word.array == region && word.done) put_word(model, word, word.after, byte, out);
    return true;
  };
}

region_reader before_steps(region_reader read, const index_model& model, const lookup_trace& trace, u32 steps) {
  return [read = std::move(read), &model, &trace, steps](region_id region, u64 byte, std::span<std::byte> out) {
    if (!read(region, byte, out)) return false;
    for (std::size_t s = std::min<std::size_t>(steps, trace.steps.size()); s-- > 0;) {
      const std::vector<changed_word>& changed = trace.steps[s].changed;
      for (auto word = changed.rbegin(); word != changed.rend(); ++word)
        if (word->array == region && word->done) put_word(model, *word, word->before, byte, out);
    }
    return true;
  };
}

}  // namespace pivotscope::viz
