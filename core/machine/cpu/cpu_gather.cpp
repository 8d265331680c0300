#include "core/machine/cpu/cpu_gather.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include "core/common/timing_turns.hpp"
#include "core/machine/cpu/host_pages.hpp"
#include "core/machine/cpu/host_work.hpp"
#include "core/machine/gather_code.hpp"
#include "core/machine/timed_runs.hpp"

namespace pivotscope {
namespace {

constexpr u32 threads_at_once = 4096;  // in words only: as many sums, and tasks enough for all threads
constexpr u64 words_a_task = 1u << 18;

u32 sum_of(const u32* words, u32 count) {
  u32 sum = 0;
  for (u32 w = 0; w < count; ++w) sum += words[w];
  return sum;
}

// All steps of one group.
template <u32 words>
void gather_group(const gather_question& asked, const gather_shape& shape, const u32* array, u32 group, u64* said) {
  const u32 words_apart = asked.align_bytes / sizeof(u32);
  std::array<u32, 1024> sums{};
  u32 last = 0;
  for (u32 step = 0; step < shape.steps; ++step) {
    const u32 number = gather_number(shape.salt, group, step, shape.steps) + last;
    const u32* const at = array + u64{gather_place(number, shape.places)} * words_apart;
    if (asked.dependent) last = at[0];
    for (u32 lane = 0; lane < asked.loading; ++lane) sums[lane] += sum_of(at + u64{lane} * words, words);
  }
  for (u32 lane = 0; lane < asked.lanes; ++lane)
    said[u64{group} * asked.lanes + lane] = static_cast<u64>(shape.steps) << 32 | sums[lane];
}

void gather_all(const gather_question& asked, const gather_shape& shape, const u32* array, std::vector<u64>& said) {
  const u64 words_a_group = std::max<u64>(1, u64{shape.steps} * asked.request_bytes() / sizeof(u32));
  parallel_parts(shape.groups, std::max<u64>(1, words_a_task / words_a_group), [&](const index_part& part) {
    for (u64 group = part.begin(); group < part.end(); ++group) {
      const auto number = static_cast<u32>(group);
      asked.entry_bytes == 4 ? gather_group<1>(asked, shape, array, number, said.data())
                             : gather_group<4>(asked, shape, array, number, said.data());
    }
  });
}

void copy_all(u32* to, const u32* from, u64 bytes) {
  constexpr u64 part_words = 1u << 18;
  const u64 words = bytes / sizeof(u32);
  parallel_each(ceil_div(words, part_words), [&](u64 p) {
    const u64 first = p * part_words;
    std::memcpy(to + first, from + first, std::min(part_words, words - first) * sizeof(u32));
  });
}

template <class Work>
status time(stage_time& into, const batch_options& options, const job_control& control, const Work& work) {
  outcome<timed_runs> timed = time_runs(options, "", control, [&](u64 run) -> outcome<timed_run> {
    const timing_turns::turn quiet = timed_pass(control);
    const stopwatch watch;
    work(static_cast<u32>(run));
    return timed_run{watch.ms()};
  });
  if (!timed) return timed.error();
  into.samples_ms = std::move(timed->samples_ms);
  into.how = timed->how;
  return fine();
}

outcome<gather_times> gather_once(const gather_question& asked, const u32* array, const batch_options& options,
                                  const job_control& control) {
  gather_shape shape = shape_of(asked, threads_at_once);
  gather_times told{.requests = u64{shape.groups} * shape.steps, .threads = shape.threads};
  told.time.name = "gather";
  std::vector<u64> said(shape.threads);
  const auto gather = [&](u32 run) {
    shape.salt = salt_of_run(run);
    gather_all(asked, shape, array, said);
  };
  if (auto s = time(told.time, options, control, gather); !s) return s.error();
  if (auto s = check_gather(asked, shape, said); !s) return s.error();
  return told;
}

outcome<gather_times> copy_once(const gather_question& asked, u32* to, const u32* from, const batch_options& options,
                                const job_control& control) {
  gather_times told;
  told.time.name = "copy";
  std::memset(to, 0, asked.bytes);
  if (auto s = time(told.time, options, control, [&](u32) { copy_all(to, from, asked.bytes); }); !s) return s.error();
  const u64 words = asked.bytes / sizeof(u32);
  std::vector<u32> came, places;
  constexpr u64 looked_at = 1024;
  for (u64 i = words - 1; i < words; i -= std::max<u64>(1, words / looked_at))  // below 0 it wraps
    came.push_back(to[i]), places.push_back(static_cast<u32>(i));
  if (auto s = check_copy(came, places); !s) return s.error();
  return told;
}

}  // namespace

outcome<std::vector<gather_times>> cpu_gather(std::span<const gather_question> asked, const batch_options& options,
                                              const job_control& control) {
  const u64 free = available_host_memory() / 2;
  const gather_room room = room_of(asked, free);
  try {
    const auto array = make_host_array<u32>(room.array / sizeof(u32));
    const auto copied = make_host_array<u32>(room.copy / sizeof(u32));
    const bool filled =
        in_chunks("filling the array", room.array / sizeof(u32), words_a_task, control, [&](u64 begin, u64 end) {
          for (u64 i = begin; i < end; ++i) array[i] = gather_word(static_cast<u32>(i));
        });
    if (!filled) return job_control::cancelled_problem();
    std::vector<gather_times> all;
    for (const gather_question& one : asked) {
      control.progress(gather_words(one), static_cast<double>(all.size()) / static_cast<double>(asked.size()));
      if ((one.copy ? 2 : 1) * one.bytes > free) {
        all.emplace_back();
        continue;
      }
      auto told = one.copy ? copy_once(one, copied.get(), array.get(), options, control)
                           : gather_once(one, array.get(), options, control);
      if (!told) return told.error();
      all.push_back(std::move(*told));
    }
    return all;
  } catch (const std::bad_alloc&) {
    return out_of_memory("the array to gather from", room.array + room.copy);
  }
}

}  // namespace pivotscope
