// paged_index: an index that is read by pages, which are kept. For a reader of a few bytes at a time in a GPU's
// memory, where each read is a copy of ten microseconds, whatever its size. For one thread. The index must
// outlive it and must not change.
#pragma once

#include <unordered_map>
#include <vector>

#include "core/index/built_index.hpp"

namespace pivotscope {

class paged_index final : public stored_index {
 public:
  explicit paged_index(const stored_index& of) : of_(of) {}

  const index_config& config() const override { return of_.config(); }
  u64 keys() const override { return of_.keys(); }
  u64 rows() const override { return of_.rows(); }
  std::span<const index_region> regions() const override { return of_.regions(); }
  std::span<const std::byte> state() const override { return of_.state(); }
  std::pair<u64, u64> key_range() const override { return of_.key_range(); }
  status read(region_id region, u64 byte_offset, std::span<std::byte> out) const override;

 private:
  static constexpr u64 page_bytes = 4096;  // the lowest nine levels of a sorted array of 8-byte entries

  // Returns the bytes of a page; there are fewer at a region's end.
  outcome<const std::vector<std::byte>*> page(region_id region, u64 number) const;

  const stored_index& of_;
  mutable std::unordered_map<u64, std::vector<std::byte>> pages_;  // by region and number
};

}  // namespace pivotscope
