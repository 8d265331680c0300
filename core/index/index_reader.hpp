// index_reader: reads the bytes of an index for its model, wherever the index lies.
#pragma once

#include "core/index/built_index.hpp"
#include "core/index/model.hpp"

namespace pivotscope {

// Remembers a read that fails: if a model says that it did not get some bytes, this is the reason.
class index_reader {
 public:
  explicit index_reader(const stored_index& index) : index_(index) {}

  bool operator()(region_id region, u64 byte, std::span<std::byte> out) {
    const status done = index_.read(region, byte, out);
    if (!done && failure_) failure_ = done.error();
    return done.ok();
  }
  status failure() const { return failure_; }

 private:
  const stored_index& index_;
  status failure_ = fine();
};

}  // namespace pivotscope
