// A batch's keys, ends and answers in the device's memory.
#pragma once

#include "core/machine/cuda/runtime.hpp"
#include "core/workload/batch.hpp"

namespace pivotscope {

// A ring of copies: copy c begins at c * stride items of every array.
struct device_batch {
  u64 count = 0, stride = 0, copies = 1;
  u32 key_bytes = 4, answer_bytes = 4;
  device_buffer keys, highs, answers;  // highs: of ranges; of matches the keys themselves are

  char* keys_of(u64 copy) const { return keys.as<char>() + copy * stride * key_bytes; }
  char* last_keys_of(u64 copy) const {
    return (highs.bytes() != 0 ? highs : keys).as<char>() + copy * stride * key_bytes;
  }
  void* answers_of(u64 copy) const { return answers.as<char>() + copy * stride * answer_bytes; }
  template <class Answer>
  Answer* answers_of(u64 copy) const {
    return answers.as<Answer>() + copy * stride;
  }
};

u32 answer_bytes(operation kind);

// Copies the batch up, `copies` times, and makes answers of it that are seen as wrong as long as no thread writes them.
// `served`: whose code serves it (served_as()). After the last sum is one of nothing: scanned along, it makes the last
// sum the total.
outcome<device_batch> upload_batch(const cuda_device& device, cudaStream_t stream, const batch& asked, operation served,
                                   u64 copies, const job_control& control);

}  // namespace pivotscope
