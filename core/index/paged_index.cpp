#include "core/index/paged_index.hpp"

#include <algorithm>
#include <cstring>

namespace pivotscope {

status paged_index::read(region_id region, u64 byte_offset, std::span<std::byte> out) const {
  const u64 bytes = of_.bytes(region);
  // What is outside is refused in the index's own words.
  if (byte_offset > bytes || out.size() > bytes - byte_offset) return of_.read(region, byte_offset, out);
  for (u64 done = 0; done < out.size();) {
    const u64 at = byte_offset + done, within = at % page_bytes;
    const auto here = page(region, at / page_bytes);
    if (!here) return here.error();
    const u64 count = std::min<u64>(out.size() - done, page_bytes - within);
    std::memcpy(out.data() + done, (*here)->data() + within, count);
    done += count;
  }
  return fine();
}

outcome<const std::vector<std::byte>*> paged_index::page(region_id region, u64 number) const {
  const u64 key = number * max_regions + number_of(region);
  if (const auto kept = pages_.find(key); kept != pages_.end()) return &kept->second;
  const u64 begin = number * page_bytes;
  std::vector<std::byte> bytes(std::min(page_bytes, of_.bytes(region) - begin));
  if (auto s = of_.read(region, begin, bytes); !s) return s.error();
  return &pages_.emplace(key, std::move(bytes)).first->second;
}

}  // namespace pivotscope
