#include "core/run/load_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/workload/batch.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

double ms_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
}

u64 bytes_of_key(key_width width) { return width == key_width::u32 ? sizeof(u32) : sizeof(u64); }

// What a run takes of the host's memory at its peak. The CPU sorts beside a copy, then keeps the sorted keys beside an
// index, or, where nobody wants them sorted, a copy of them; a check of misses sorts the keys once more.
u64 host_bytes(u64 keys, u64 lookups, key_width width, machine_kind kind, bool misses, bool sorted) {
  const u64 key = bytes_of_key(width), pair = key + sizeof(u32);
  const u64 asked = lookups * (key + sizeof(u32)) + keys * key;
  const u64 sorted_copy = misses ? keys * key : 0;
  if (kind == machine_kind::cuda) return asked + sorted_copy;
  const u64 index = keys * key * 5 / 2;
  if (!sorted) return asked + keys * key + index + sorted_copy;
  return asked + keys * pair + std::max(keys * pair, index + sorted_copy);
}

// Beside that, what counts and sums take: the batch's ends, its answers, and the check's sorted copies of the keys.
u64 sums_bytes(u64 keys, u64 count, key_width width) {
  const u64 key = bytes_of_key(width);
  return count * (2 * key + sizeof(range_answer)) + keys * (3 * key + sizeof(u64));
}

// A file's size is not known yet, and reading it is checked by itself.
u64 batch_to_make(const workload& w) { return w.own_batch.numbers.file.empty() ? batch_size(w) : 0; }

}  // namespace

u64 host_bytes_for(const workload& w, key_width width, machine_kind kind, bool sorted) {
  if (!w.own_keys.file.empty()) return 0;
  const u64 count = batch_to_make(w);
  const bool sorts = w.hits < 1 || w.popular == popularity::hot;  // a copy of the keys, to draw lookups
  switch (answer_of(operation_of(w))) {
    case answer_kind::sum:
      return host_bytes(w.keys, 0, width, kind, false, sorted) + sums_bytes(w.keys, count, width);
    case answer_kind::next:  // every answer is checked against the sorted copy, and is longer
      return host_bytes(w.keys, count, width, kind, true, sorted) + count * (sizeof(successor_answer) - sizeof(u32));
    case answer_kind::row:
    case answer_kind::done:
      break;
  }
  return host_bytes(w.keys, count, width, kind, sorts, sorted);
}

status check_memory_for(const workload& w, key_width width, const machine& on, bool sorted) {
  return check_host_memory(host_bytes_for(w, width, on.info().kind, sorted),
                           fmt::format("{} keys and {} {}", count_text(w.keys), count_text(batch_to_make(w)),
                                       operation_noun(operation_of(w))));
}

outcome<loaded_key_set> load_keys(const workload& w, key_width width, machine& on, const job_control& control,
                                  bool sorted, std::shared_ptr<const key_array> made) {
  const auto began = std::chrono::steady_clock::now();
  if (!made) {
    if (status enough = check_memory_for(w, width, on, sorted); !enough) return enough.error();
    outcome<key_array> keys = make_keys(w, width, control);
    if (!keys) return keys.error();
    made = std::make_shared<const key_array>(std::move(*keys));
  }
  const double ms = ms_since(began);
  outcome<std::shared_ptr<const key_set>> loaded = key_set::load(on, std::move(made), control);
  if (!loaded) return loaded.error();
  return loaded_key_set{std::move(*loaded), ms};
}

outcome<loaded_workload> load_workload(const workload& w, key_width width, machine& on, const job_control& control,
                                       bool sorted, std::shared_ptr<const key_set> kept) {
  loaded_key_set keys{std::move(kept)};
  if (!keys.set) {
    outcome<loaded_key_set> loaded = load_keys(w, width, on, control, sorted);
    if (!loaded) return loaded.error();
    keys = std::move(*loaded);
  }
  const auto began = std::chrono::steady_clock::now();
  outcome<batch> asked = make_batch(w, keys.set->keys(), control);
  if (!asked) return asked.error();
  return loaded_workload{std::move(keys.set), std::move(*asked), keys.ms, ms_since(began)};
}

}  // namespace pivotscope
