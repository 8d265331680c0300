#include "core/traffic/warp_step.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/common/expect.hpp"

namespace pivotscope {
namespace {

constexpr u32 warp_threads = 32, banks = 32, bank_bytes = 4;

template <class T>
void keep_distinct(std::vector<T>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

u32 most_words_of_a_bank(std::vector<u64>& words) {
  keep_distinct(words);
  u32 in_bank[banks] = {}, most = 0;
  for (const u64 word : words) most = std::max(most, ++in_bank[word % banks]);
  return most;
}

// Scratch serves the threads' i-th loads together: 128 bytes a pass, so that of loads of 8 bytes half a warp goes at a
// time, of 16 bytes a quarter. A pass brings a word of each bank; threads that read the same word share it.
void count_scratch_passes(warp_step& step) {
  std::map<std::pair<u32, u32>, std::vector<u64>> together;  // words of (i-th load, part of the warp)
  u32 nth = 0, thread = warp_threads;
  for (const thread_load& load : step.loads) {
    if (load.access.space != memory_space::scratch) continue;
    nth = load.thread == thread ? nth + 1 : 0;
    thread = load.thread;
    const u32 words = std::max(1u, load.access.bytes / bank_bytes);
    std::vector<u64>& part = together[{nth, load.thread * words / warp_threads}];
    for (u32 w = 0; w < words; ++w) part.push_back(load.access.byte_offset / bank_bytes + w);
  }
  for (auto& [which, words] : together) {
    step.scratch_passes += most_words_of_a_bank(words);
    ++step.least_scratch_passes;
  }
}

void count_memory(warp_step& step) {
  std::vector<std::pair<memory_block, u64>> pieces;  // [begin, end) within an array
  std::set<memory_block> lines;
  for (const thread_load& load : step.loads) {
    const memory_access& a = load.access;
    if (a.space != memory_space::global) continue;
    pieces.push_back({{a.array, a.byte_offset}, a.byte_offset + a.bytes});
    each_block(a, 32, [&](memory_block sector) { step.sectors.push_back(sector); });
    each_block(a, 128, [&](memory_block line) { lines.insert(line); });
  }
  keep_distinct(step.sectors);
  step.lines = lines.size();
  std::sort(pieces.begin(), pieces.end());
  memory_block at{};
  for (const auto& [begin, end] : pieces) {
    if (begin.array != at.array) at = {begin.array, 0};
    const u64 from = std::max(begin.number, at.number);
    if (end > from) step.bytes += end - from;
    at.number = std::max(at.number, end);
  }
}

}  // namespace

std::vector<warp_step> steps_of_warp(std::span<const lookup_trace* const> together, u32 group) {
  PIVOTSCOPE_EXPECT(group >= 1 && together.size() * group <= warp_threads);
  std::size_t count = 0;
  for (const lookup_trace* trace : together) count = std::max(count, trace->steps.size());
  std::vector<warp_step> steps(count);
  for (std::size_t s = 0; s < count; ++s) {
    warp_step& out = steps[s];
    for (std::size_t i = 0; i < together.size(); ++i) {
      if (s >= together[i]->steps.size()) continue;
      const trace_step& step = together[i]->steps[s];
      if (out.active == 0) out.level = step.level;
      out.active += group;
      for (const memory_access& a : step.accesses) out.loads.push_back({static_cast<u32>(i) * group + a.lane, a});
    }
    std::stable_sort(out.loads.begin(), out.loads.end(),
                     [](const thread_load& a, const thread_load& b) { return a.thread < b.thread; });
    for (std::size_t l = 0; l < out.loads.size(); ++l)
      out.loading += l == 0 || out.loads[l].thread != out.loads[l - 1].thread ? 1 : 0;
    count_memory(out);
    count_scratch_passes(out);
  }
  return steps;
}

std::vector<u64> written_sectors(std::span<const u32> places) {
  std::vector<u64> sectors;
  for (const u32 place : places) sectors.push_back(place * sizeof(u32) / 32);
  keep_distinct(sectors);
  return sectors;
}

}  // namespace pivotscope
