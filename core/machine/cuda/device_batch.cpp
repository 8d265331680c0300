#include "core/machine/cuda/device_batch.hpp"

#include <fmt/format.h>

#include "core/machine/cuda/sort.hpp"

namespace pivotscope {
namespace {

// What the words of a problem and of progress call a batch's parts.
struct batch_words {
  std::string unit, input, whose, advice, copying;
};
batch_words words_for(operation kind) {
  const std::string noun(operation_noun(kind)), input = kind == operation::range ? "ends" : "keys";
  const bool keys_alone = kind != operation::range && kind != operation::find;
  return {kind == operation::find ? "keys" : noun, input, fmt::format("the {}' {}", noun, input),
          fmt::format("Use fewer {}", noun), fmt::format("copying {} to the GPU", keys_alone ? "keys" : noun)};
}

status allocate(const cuda_device& device, device_batch& b, operation kind) {
  const batch_words words = words_for(kind);
  const u64 array_bytes = b.copies * b.stride * b.key_bytes;
  const u64 arrays = kind == operation::range ? 2 : 1;
  const memory_need needs[] = {{words.input, arrays * array_bytes}, {"answers", b.copies * b.stride * b.answer_bytes}};
  const std::string what = fmt::format("looking up {} {}", count_text(b.count), words.unit);
  if (auto s = check_device_memory(device, what, needs, words.advice); !s) return s;
  for (device_buffer* buffer : {&b.keys, &b.highs}) {
    if (buffer == &b.highs && kind != operation::range) continue;
    auto made = device_buffer::allocate(array_bytes, words.whose);
    if (!made) return made.error();
    *buffer = std::move(*made);
  }
  auto answers = device_buffer::allocate(needs[1].bytes, "the answers");
  if (!answers) return answers.error();
  b.answers = std::move(*answers);
  return fine();
}

// One copy from the host, the others from it.
status upload_keys(const device_batch& b, const device_buffer& to, const key_array& from, operation kind,
                   cudaStream_t stream, const job_control& control) {
  const u64 bytes = b.count * b.key_bytes;
  if (auto s = upload(to.data(), from.data(), bytes, stream, words_for(kind).copying, control); !s) return s;
  for (u64 copy = 1; copy < b.copies; ++copy) {
    char* const at = to.as<char>() + copy * b.stride * b.key_bytes;
    const cudaError_t queued = cudaMemcpyAsync(at, to.data(), bytes, cudaMemcpyDeviceToDevice, stream);
    if (auto s = checked(queued, fmt::format("copying the {}", operation_noun(kind))); !s) return s;
  }
  return fine();
}

status poison(const device_batch& b, operation kind, cudaStream_t stream) {
  const u64 words = b.answer_bytes / sizeof(u32);
  const bool sums = answer_of(kind) == answer_kind::sum;
  const u32 value = sums ? ~0u : unanswered;
  const cudaError_t filled = fill_with(b.answers.as<u32>(), b.copies * b.stride * words, value, stream);
  if (auto s = checked(filled, "clearing the answers"); !s) return s;
  for (u64 copy = 0; sums && copy < b.copies; ++copy) {
    u32* const after_last = b.answers.as<u32>() + (copy * b.stride + b.count) * words;
    if (auto s = checked(fill_with(after_last, words, 0, stream), "clearing the answers"); !s) return s;
  }
  return fine();
}

}  // namespace

u32 answer_bytes(operation kind) {
  switch (answer_of(kind)) {
    case answer_kind::row:
      return sizeof(u32);
    case answer_kind::sum:
      return sizeof(range_answer);
    case answer_kind::next:
      return sizeof(successor_answer);
    case answer_kind::done:
      break;
  }
  return 0;
}

outcome<device_batch> upload_batch(const cuda_device& device, cudaStream_t stream, const batch& asked, operation served,
                                   u64 copies, const job_control& control) {
  device_batch b;
  b.count = asked.size();
  const u64 answers = b.count + (answer_of(served) == answer_kind::sum ? 1 : 0);
  b.stride = ceil_div<u64>(answers, 64) * 64;  // keeps every copy aligned like the first
  b.copies = copies;
  b.key_bytes = asked.width() == key_width::u32 ? 4 : 8;
  b.answer_bytes = answer_bytes(served);
  if (auto s = allocate(device, b, asked.kind); !s) return s.error();
  if (auto s = upload_keys(b, b.keys, asked.keys, asked.kind, stream, control); !s) return s.error();
  if (asked.kind == operation::range) {
    if (auto s = upload_keys(b, b.highs, asked.highs, asked.kind, stream, control); !s) return s.error();
  }
  if (auto s = poison(b, served, stream); !s) return s.error();
  return b;
}

}  // namespace pivotscope
