#include "core/machine/cuda/cuda_batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "core/index/family.hpp"
#include "core/index/operations.hpp"
#include "core/machine/cuda/batch_timer.hpp"
#include "core/machine/cuda/cuda_rows.hpp"
#include "core/machine/cuda/lookup_router.hpp"

namespace pivotscope {
namespace {

cudaError_t start(const loaded_kernel& kernel, u64 blocks, cudaStream_t stream, const cuda_index& index,
                  operation served, const device_batch& b, u64 copy) {
  const u32 threads = index.config().launch.threads;
  const index_view view = index.view();
  const void* const keys = b.keys_of(copy);
  if (answer_of(served) == answer_kind::sum) {
    const void* const highs = b.last_keys_of(copy);
    return launch(kernel, blocks, threads, stream, view, keys, highs, b.count, b.answers_of<range_answer>(copy));
  }
  void* const answers = b.answers_of(copy);
  return launch(kernel, blocks, threads, stream, view, keys, answers, b.count);
}

// What routing alone takes, of each copy of the batch in turn.
status time_routing(lookup_router& router, const loaded_kernel& kernel, cudaStream_t stream, const cuda_index& index,
                    const device_batch& b, stage_time& to) {
  constexpr u64 runs = 5;
  auto timer = device_timer::make();
  if (!timer) return timer.error();
  to.name = "route";
  for (u64 run = 0; run < runs; ++run) {
    if (auto s = timer->start(stream); !s) return s;
    if (auto s = checked(router.route(kernel, stream, index, b.keys_of(run % b.copies)), "routing lookups"); !s)
      return s;
    auto ms = timer->stop(stream, "routing lookups");
    if (!ms) return ms.error();
    to.samples_ms.push_back(*ms);
  }
  return fine();
}

// What the part of the lookups alone takes that the family times by itself, by as many runs as the lookups. It leaves no
// answers.
status time_part(batch_timer& timer, u64 blocks, cudaStream_t stream, kernel_store& kernels, const cuda_index& index,
                 const device_batch& b, const batch_options& options, const job_control& control, stage_time& to) {
  const index_config& config = index.config();
  auto loaded = kernels.get(part_program(config), config.launch.threads, control);
  if (!loaded) return loaded.error();
  const stage_words words{"starting a part of the lookups", "timing a part of the lookups"};
  auto timed = time_runs(options, words.doing, control, [&](u64 run) {
    return timer.time(stream, run, words, control, [&] {
      return start(loaded->front(), blocks, stream, index, operation::find, b, run % b.copies);
    });
  });
  if (!timed) return timed.error();
  to = {std::string(family_of(config).part_of_lookups()), std::move(timed->samples_ms), timed->how};
  return fine();
}

std::string doing_words(operation kind) {
  return kind == operation::find ? "looking up" : fmt::format("looking up {}", operation_noun(kind));
}

template <class Answer>
status download_answers(std::vector<Answer>& to, const device_batch& b, u64 copy, cudaStream_t stream,
                        const job_control& control) {
  to.resize(b.count);
  return download(to.data(), b.answers_of<Answer>(copy), b.count * sizeof(Answer), stream, "copying answers", control);
}

status download_all(batch_answers& to, operation served, const device_batch& b, u64 copy, cudaStream_t stream,
                    const job_control& control) {
  switch (answer_of(served)) {
    case answer_kind::row:
      return download_answers(to.found, b, copy, stream, control);
    case answer_kind::sum:
      return download_answers(to.ranges, b, copy, stream, control);
    case answer_kind::next:
      return download_answers(to.successors, b, copy, stream, control);
    case answer_kind::done:
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
  switch (const operation served = served_as(config, kind); answer_of(served)) {
    case answer_kind::row:
      return lookup_program(config);
    case answer_kind::sum:
      return range_program(config);
    case answer_kind::next:
      return next_key_program(config, served);
    case answer_kind::done:
      break;
  }
  return update_program(config);
}

outcome<batch_result> cuda_run(const cuda_device& device, cudaStream_t stream, kernel_store& kernels,
                               const cuda_index& index, const batch& asked, const batch_options& options,
                               const job_control& control) {
  const index_config& config = index.config();
  auto loaded = kernels.get(batch_program(asked.kind, config), config.launch.threads, control);
  if (!loaded) return loaded.error();
  const operation served = served_as(config, asked.kind);
  const bool sums = answer_of(served) == answer_kind::sum, rows = sums && options.rows;
  batch_result result;
  result.kernel = loaded->front().info;
  result.time.name = info_of(asked.kind).kernel;
  if (rows) result.answers.begins = {0};
  if (asked.size() == 0) return result;

  // Most of what a range reads are its entries: one copy does.
  const u32 bytes_each = key_bytes(config.keys) + answer_bytes(served);
  const u64 copies = asked.kind == operation::range
                         ? 1
                         : batch_copies(asked.size(), bytes_each, most_runs(options), device.info.l2_bytes);
  auto b = upload_batch(device, stream, asked, served, copies, control);
  if (!b) return b.error();
  auto timer = batch_timer::make(device, options);
  if (!timer) return timer.error();
  result.conditions = conditions_before(options);
  const std::string starting = fmt::format("starting the {}", operation_noun(asked.kind));
  const std::string doing = doing_words(asked.kind);
  const stage_words words{starting.c_str(), doing.c_str()};
  const u64 blocks = grid_blocks(device, config.launch, b->count);
  std::optional<lookup_router> router;
  if (served == operation::find && family_of(config).routes(config)) {
    auto made = lookup_router::make(device, index, b->count, family_of(config).parts(config, index.view()));
    if (!made) return made.error();
    router = std::move(*made);
  }
  auto timed = time_runs(options, words.doing, control, [&](u64 run) {
    const u64 copy = run % b->copies;
    return timer->time(stream, run, words, control, [&] {
      if (!router) return start(loaded->front(), blocks, stream, index, served, *b, copy);
      const cudaError_t routed = router->route(loaded->back(), stream, index, b->keys_of(copy));
      if (routed != cudaSuccess) return routed;
      return router->lookup(loaded->front(), stream, index, b->answers_of(copy));
    });
  });
  if (!timed) return timed.error();
  result.time.samples_ms = std::move(timed->samples_ms);
  result.time.how = timed->how;
  if (options.measures()) {
    result.conditions.clocks = clocks_now(machine_kind::cuda);
    result.conditions.blocked = timer->gated() && options.warm_ups > 0;  // else the first run is a sample
  }

  if (router)
    if (auto s = time_routing(*router, loaded->back(), stream, index, *b, result.route); !s) return s.error();
  const u64 last = (timed->runs - 1) % b->copies;
  if (auto s = download_all(result.answers, served, *b, last, stream, control); !s) return s.error();
  if (answer_of(served) != answer_of(asked.kind)) count_found(result.answers, options.rows);
  if (options.part && served == operation::find && !family_of(config).part_of_lookups().empty())
    if (auto s = time_part(*timer, blocks, stream, kernels, index, *b, options, control, result.part); !s)
      return s.error();
  if (!rows) return result;
  if (auto s = write_rows(device, stream, loaded->back(), index, *b, last, result, control); !s) return s.error();
  return result;
}

}  // namespace pivotscope
