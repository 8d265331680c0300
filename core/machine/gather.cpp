#include "core/machine/gather.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/common/expect.hpp"
#include "core/machine/gather_code.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

constexpr u64 sums_reckoned = 1u << 20;  // loads of words, or so: some milliseconds

// What a thread must come to.
u32 sum_of(const gather_question& asked, const gather_shape& shape, u32 thread) {
  const u32 group = thread / asked.lanes, lane = thread % asked.lanes;
  if (lane >= asked.loading) return 0;
  const u32 words = asked.entry_bytes / sizeof(u32), words_apart = asked.align_bytes / sizeof(u32);
  u32 sum = 0, last = 0;
  for (u32 step = 0; step < shape.steps; ++step) {
    const u32 number = gather_number(shape.salt, group, step, shape.steps) + last;
    const u32 first = gather_place(number, shape.places) * words_apart + lane * words;
    if (asked.dependent) last = gather_word(first);
    for (u32 w = 0; w < words; ++w) sum += gather_word(first + w);
  }
  return sum;
}

}  // namespace

gather_shape shape_of(const gather_question& asked, u32 at_once) {
  PIVOTSCOPE_EXPECT(asked.entry_bytes == 4 || asked.entry_bytes == 16);
  PIVOTSCOPE_EXPECT(asked.lanes == ceil_pow2(asked.lanes) && asked.lanes <= 1024 && asked.loading <= asked.lanes);
  PIVOTSCOPE_EXPECT(asked.align_bytes % asked.entry_bytes == 0 && asked.bytes >= asked.request_bytes());
  PIVOTSCOPE_EXPECT(!asked.dependent || asked.lanes == 1);
  const u32 threads = asked.threads == 0 ? at_once : asked.threads;
  const u32 groups = threads / asked.lanes;
  PIVOTSCOPE_EXPECT(groups > 0 && groups * asked.lanes == threads);
  const u64 unrolled = u64{groups} * gather_unroll;
  return {.threads = threads,
          .groups = groups,
          .steps = static_cast<u32>(std::max<u64>(1, ceil_div(asked.requests, unrolled)) * gather_unroll),
          .places = static_cast<u32>((asked.bytes - asked.request_bytes()) / asked.align_bytes + 1)};
}

gather_room room_of(std::span<const gather_question> asked, u64 room) {
  gather_room most;
  for (const gather_question& one : asked) {
    if ((one.copy ? 2 : 1) * one.bytes > room) continue;
    most.array = std::max(most.array, one.bytes);
    if (one.copy) most.copy = std::max(most.copy, one.bytes);
  }
  return most;
}

status check_gather(const gather_question& asked, const gather_shape& shape, std::span<const u64> said) {
  const auto wrong = [&](const std::string& words) -> status {
    return problem{.words = fmt::format("gathering {}: {}", gather_words(asked), words), .wrong = true};
  };
  if (said.size() != shape.threads) return wrong(fmt::format("{} threads answered of {}", said.size(), shape.threads));
  for (u32 thread = 0; thread < shape.threads; ++thread) {
    if (const u64 steps = said[thread] >> 32; steps != shape.steps)
      return wrong(fmt::format("thread {} made {} steps of {}", thread, steps, shape.steps));
  }
  const u64 words_each = u64{shape.steps} * asked.entry_bytes / sizeof(u32);
  const u64 apart = std::max<u64>(1, shape.threads * words_each / sums_reckoned) | 1;  // odd: all lanes come up
  for (u64 thread = 0; thread < shape.threads; thread += apart) {
    const u32 sum = sum_of(asked, shape, static_cast<u32>(thread));
    if (static_cast<u32>(said[thread]) != sum)
      return wrong(fmt::format("thread {} summed to {}, and not to {}", thread, static_cast<u32>(said[thread]), sum));
  }
  return fine();
}

status check_copy(std::span<const u32> words, std::span<const u32> places) {
  PIVOTSCOPE_EXPECT(words.size() == places.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == gather_word(places[i])) continue;
    return problem{
        .words = fmt::format("copying: word {} came as {}, and not as {}", places[i], words[i], gather_word(places[i])),
        .wrong = true};
  }
  return fine();
}

std::string gather_words(const gather_question& asked) {
  if (asked.copy) return fmt::format("a copy of {}", bytes_text(asked.bytes));
  return fmt::format("{} B{} of {}", asked.request_bytes(), asked.dependent ? ", one after another," : "",
                     bytes_text(asked.bytes));
}

}  // namespace pivotscope
