// The stores of a task that other tasks do not see yet, the oldest first.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "core/simt/region.hpp"

namespace pivotscope {

struct late_store {
  region_id region{};
  u64 byte = 0, bytes = 0, word = 0;

  bool meets(region_id in, u64 first, u64 count) const {
    return region == in && first < byte + bytes && byte < first + count;
  }
};

class late_stores {
 public:
  bool empty() const { return all_.empty(); }
  const late_store& newest() const { return all_.back(); }
  std::span<const late_store> all() const { return all_; }
  void add(const late_store& s) { all_.push_back(s); }

  // Returns the word as the task sees it, from the word as others see it.
  u64 over(u64 word, region_id region, u64 byte, u64 bytes) const {
    for (const late_store& s : all_) {
      for (u64 i = 0; s.region == region && i < s.bytes; ++i) {
        if (s.byte + i < byte || s.byte + i >= byte + bytes) continue;
        std::memcpy(reinterpret_cast<std::byte*>(&word) + (s.byte + i - byte),
                    reinterpret_cast<const std::byte*>(&s.word) + i, 1);
      }
    }
    return word;
  }
  // Makes the stores of one word visible to others: write(store) puts each of them into memory. Accesses of one word keep
  // their order.
  template <class Write>
  void flush_word(region_id region, u64 byte, u64 bytes, Write&& write) {
    std::erase_if(all_, [&](const late_store& s) {
      if (!s.meets(region, byte, bytes)) return false;
      write(s);
      return true;
    });
  }

 private:
  std::vector<late_store> all_;
};

}  // namespace pivotscope
