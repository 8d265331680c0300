#include "core/machine/interleaved/replay.hpp"

#include "core/machine/interleaved/interleave.hpp"

namespace pivotscope {

late_stores& replayed_memory::late_of(u32 task) {
  if (task >= late_.size()) late_.resize(task + 1);
  return late_[task];
}

void replayed_memory::apply(const shared_access& next) {
  using kind = shared_access::kind;
  const auto write = [&](const late_store& s) {
    PIVOTSCOPE_EXPECT(s.byte + s.bytes <= shared_[number_of(s.region)].size());
    std::memcpy(shared_[number_of(s.region)].data() + s.byte, &s.word, s.bytes);
  };
  const late_store stored{next.region, next.byte, next.bytes, next.after};
  late_stores& late = late_of(next.task);
  switch (next.what) {
    case kind::load:
    case kind::fence:  // its stores are accesses of their own, before it
      break;
    case kind::store:
      if (next.late)
        late.add(stored);
      else
        write(stored);
      break;
    case kind::swap:
    case kind::add:
    case kind::exchange:
    case kind::set_bits:
      late.flush_word(next.region, next.byte, next.bytes, write);
      write(stored);
      break;
    case kind::arrival:
      late.flush_word(next.region, next.byte, next.bytes, write);
      break;
  }
}

std::span<const late_store> replayed_memory::unseen(u32 task) const {
  return task < late_.size() ? late_[task].all() : std::span<const late_store>();
}

u64 replayed_memory::word(region_id region, u64 byte, u64 bytes) const {
  u64 word = 0;
  const std::vector<std::byte>& in = shared_[number_of(region)];
  PIVOTSCOPE_EXPECT(bytes <= sizeof(word) && byte + bytes <= in.size());
  std::memcpy(&word, in.data() + byte, bytes);
  return word;
}

u64 replayed_memory::word_of(u32 task, region_id region, u64 byte, u64 bytes) const {
  const u64 seen = word(region, byte, bytes);
  return task < late_.size() ? late_[task].over(seen, region, byte, bytes) : seen;
}

schedule schedule_of(std::span<const shared_access> accesses, store_order stores) {
  schedule s{{}, stores};
  for (const shared_access& a : accesses) {
    if (s.turns.empty() || s.turns.back().task != a.task || s.turns.back().accesses == longest_wait)
      s.turns.push_back({a.task, 0});
    ++s.turns.back().accesses;
  }
  return s;
}

}  // namespace pivotscope
