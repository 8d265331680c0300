// What a run is said to take of the host's memory, against what it took: every allocation of this program is counted.
// Not under a sanitizer, which has an allocator of its own to watch.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "app/cli/run_configs.hpp"
#include "core/index/config_text.hpp"

namespace {

std::atomic<bool> counting{false};
std::atomic<long> held{0}, most_held{0};

void* counted(std::size_t bytes, std::size_t alignment) {
  void* const at = alignment == 0 ? std::malloc(bytes)
                                  : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (at == nullptr) throw std::bad_alloc();
  if (counting) {
    const long now = held += static_cast<long>(::malloc_usable_size(at));
    for (long most = most_held; now > most && !most_held.compare_exchange_weak(most, now);) {
    }
  }
  return at;
}

void uncounted(void* at) {
  if (counting && at != nullptr) held -= static_cast<long>(::malloc_usable_size(at));
  std::free(at);
}

}  // namespace

void* operator new(std::size_t bytes) { return counted(bytes, 0); }
void* operator new[](std::size_t bytes) { return counted(bytes, 0); }
void* operator new(std::size_t bytes, std::align_val_t to) { return counted(bytes, static_cast<std::size_t>(to)); }
void* operator new[](std::size_t bytes, std::align_val_t to) { return counted(bytes, static_cast<std::size_t>(to)); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept try {
  return counted(bytes, 0);
} catch (const std::bad_alloc&) {
  return nullptr;
}
void operator delete(void* at, const std::nothrow_t&) noexcept { uncounted(at); }
void operator delete(void* at) noexcept { uncounted(at); }
void operator delete[](void* at) noexcept { uncounted(at); }
void operator delete(void* at, std::size_t) noexcept { uncounted(at); }
void operator delete[](void* at, std::size_t) noexcept { uncounted(at); }
void operator delete(void* at, std::align_val_t) noexcept { uncounted(at); }
void operator delete[](void* at, std::align_val_t) noexcept { uncounted(at); }
void operator delete(void* at, std::size_t, std::align_val_t) noexcept { uncounted(at); }
void operator delete[](void* at, std::size_t, std::align_val_t) noexcept { uncounted(at); }

namespace pivotscope {
namespace {

double held_by(const index_config& config, const workload& load) {
  const auto cpu = detail::open_cpu();
  terminal_job job;
  held = most_held = 0;
  counting = true;
  const outcome<run_results> results = run_configs(*cpu, {.configs = {config}, .load = load}, job);
  counting = false;
  EXPECT_TRUE(results);
  return static_cast<double>(most_held);
}

TEST(host_bytes, are_about_what_a_run_holds) {
  const workload hits{.keys = 50'000, .dist = distribution::uniform, .lookups = 25'000, .hits = 1};
  const workload misses{.keys = 50'000, .dist = distribution::uniform, .lookups = 25'000, .hits = 0.5};
  const workload ranges{.keys = 50'000, .dist = distribution::uniform, .lookups = 0, .ranges = 5'000, .range_hits = 4};
  for (const char* line : {"AO+PB+BS", "AO+PB+KS keys=u64"}) {
    const index_config config = *config_from_line(line);
    for (const workload& load : {hits, misses, ranges}) {
      const double took = held_by(config, load);
      const auto said = static_cast<double>(host_bytes_for(load, config.keys, machine_kind::cpu));
      EXPECT_GE(said, 0.99 * took) << line << " " << to_line(load);
      EXPECT_LE(said, 1.12 * took) << line << " " << to_line(load);
    }
  }
}

}  // namespace
}  // namespace pivotscope

#endif
