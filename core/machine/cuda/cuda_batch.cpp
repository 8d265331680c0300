#include "core/machine/cuda/cuda_batch.hpp"

#include <algorithm>

#include "core/machine/cuda/batch_timer.hpp"
#include "core/machine/cuda/cuda_rows.hpp"

namespace pivotscope {
namespace {

cudaError_t start(const loaded_kernel& kernel, u64 blocks, cudaStream_t stream, const cuda_index& index, operation kind,
                  const device_batch& b, u64 copy) {
  const u32 threads = index.config().launch.threads;
  const index_view view = index.view();
  const void* const keys = b.keys_of(copy);
  if (kind == operation::range) {
    const void* const highs = b.highs_of(copy);
    return launch(kernel, blocks, threads, stream, view, keys, highs, b.count, b.answers_of<range_answer>(copy));
  }
  void* const answers = b.answers_of(copy);
  return launch(kernel, blocks, threads, stream, view, keys, answers, b.count);
}

stage_words words_for(operation kind) {
  switch (kind) {
    case operation::find:
      return {"starting the lookups", "looking up"};
    case operation::range:
      return {"starting the ranges", "looking up ranges"};
    case operation::successor:
      return {"starting the successors", "looking up successors"};
    case operation::insert:
    case operation::erase:
      break;
  }
  return {};
}

template <class Answer>
status download_answers(std::vector<Answer>& to, const device_batch& b, u64 copy, cudaStream_t stream,
                        const job_control& control) {
  to.resize(b.count);
  return download(to.data(), b.answers_of<Answer>(copy), b.count * sizeof(Answer), stream, "copying answers", control);
}

status download_all(batch_answers& to, operation kind, const device_batch& b, u64 copy, cudaStream_t stream,
                    const job_control& control) {
  switch (kind) {
    case operation::find:
      return download_answers(to.found, b, copy, stream, control);
    case operation::range:
      return download_answers(to.ranges, b, copy, stream, control);
    case operation::successor:
      return download_answers(to.successors, b, copy, stream, control);
    case operation::insert:
    case operation::erase:
      break;
  }
  return fine();
}

}  // namespace

u64 batch_copies(u64 count, u32 bytes_each, u64 runs, u64 l2_bytes) {
  const u64 bytes = count * bytes_each;
  if (runs <= 1 || bytes == 0 || bytes >= 4 * l2_bytes) return 1;
  return std::min(runs, ceil_div(4 * l2_bytes, bytes));
}

kernel_program batch_program(operation kind, const index_config& config) {
  switch (kind) {
    case operation::find:
      return lookup_program(config);
    case operation::range:
      return range_program(config);
    case operation::successor:
      return successor_program(config);
    case operation::insert:
    case operation::erase:
      return update_program(config);
  }
  return {};
}

outcome<batch_result> cuda_run(const cuda_device& device, cudaStream_t stream, kernel_store& kernels,
                               const cuda_index& index, const batch& asked, const batch_options& options,
                               const job_control& control) {
  const index_config& config = index.config();
  auto loaded = kernels.get(batch_program(asked.kind, config), config.launch.threads, control);
  if (!loaded) return loaded.error();
  const bool rows = asked.kind == operation::range && options.rows;
  batch_result result;
  result.kernel = loaded->front().info;
  result.time.name = operation_name(asked.kind);
  if (rows) result.answers.begins = {0};
  if (asked.size() == 0) return result;

  // Most of what a range reads are its entries: one copy does.
  const u32 bytes_each = key_bytes(config.keys) + answer_bytes(asked.kind);
  const u64 copies = asked.kind == operation::range
                         ? 1
                         : batch_copies(asked.size(), bytes_each, most_runs(options), device.info.l2_bytes);
  auto b = upload_batch(device, stream, asked, copies, control);
  if (!b) return b.error();
  auto timer = batch_timer::make(device, options);
  if (!timer) return timer.error();
  result.conditions = conditions_before(options);
  const stage_words words = words_for(asked.kind);
  const u64 blocks = grid_blocks(device, config.launch, b->count);
  auto timed = time_runs(options, words.doing, control, [&](u64 run) {
    return timer->time(stream, run, words, control,
                       [&] { return start(loaded->front(), blocks, stream, index, asked.kind, *b, run % b->copies); });
  });
  if (!timed) return timed.error();
  result.time.samples_ms = std::move(timed->samples_ms);
  result.time.how = timed->how;
  if (options.measures()) {
    result.conditions.clocks = clocks_now(machine_kind::cuda);
    result.conditions.blocked = timer->gated() && options.warm_ups > 0;  // else the first run is a sample
  }

  const u64 last = (timed->runs - 1) % b->copies;
  if (auto s = download_all(result.answers, asked.kind, *b, last, stream, control); !s) return s.error();
  if (!rows) return result;
  if (auto s = write_rows(device, stream, loaded->back(), index, *b, last, result, control); !s) return s.error();
  return result;
}

}  // namespace pivotscope
