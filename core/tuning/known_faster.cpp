#include "core/tuning/known_faster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/index/axes.hpp"
#include "core/index/config_text.hpp"

namespace pivotscope {
namespace {

constexpr u64 least_batch = 1ull << 20;

// One H100, 2^26 lookups, every answer checked; the best of 10 to 19 configs of a method that take at most 1.04 times its bytes.
constexpr known_row rows[] = {
    {"AO+BS", key_width::u32, 16, 1.47, "threads=1024 schedule=static blocks_per_sm=2 pin=full"},
    {"AO+BS", key_width::u32, 18, 1.67, "threads=1024 schedule=static blocks_per_sm=2 pin=steps"},
    {"AO+BS", key_width::u32, 20, 1.63,
     "threads=512 per_thread=16 schedule=static blocks_per_sm=2 pin=steps reorder=double"},
    {"AO+BS", key_width::u32, 22, 1.41,
     "threads=1024 per_thread=4 schedule=static blocks_per_sm=2 pin=steps reorder=double"},
    {"AO+BS", key_width::u32, 24, 1.44,
     "threads=512 per_thread=16 schedule=static blocks_per_sm=2 pin=steps reorder=double"},
    {"AO+BS", key_width::u32, 26, 1.93,
     "threads=512 per_thread=16 schedule=static blocks_per_sm=2 pin=steps reorder=double"},
    {"AO+BS", key_width::u32, 28, 1.54, "threads=512 per_thread=8 pin=steps reorder=double"},
    {"AO+BS", key_width::u64, 16, 1.33, "threads=1024 schedule=static blocks_per_sm=2 pin=steps"},
    {"AO+BS", key_width::u64, 20, 1.35,
     "threads=512 per_thread=16 schedule=static blocks_per_sm=2 pin=steps reorder=double"},
    {"AO+BS", key_width::u64, 26, 1.72, "threads=512 per_thread=16 reorder=double"},
    {"AO+BS", key_width::u64, 28, 1.42, "threads=512 per_thread=8 pin=steps reorder=double"},
    {"AO+KS", key_width::u32, 16, 1.81, "fanout=5 lanes=1 threads=512 per_thread=16 reorder=double"},
    {"AO+KS", key_width::u32, 18, 1.86, "fanout=3 lanes=1 threads=512 per_thread=16 reorder=double"},
    {"AO+KS", key_width::u32, 20, 2.16, "fanout=3 lanes=1 threads=512 per_thread=16 reorder=double"},
    {"AO+KS", key_width::u32, 22, 2.26, "fanout=3 lanes=1 threads=512 per_thread=16 reorder=double"},
    {"AO+KS", key_width::u32, 24, 2.69, "fanout=3 lanes=1 threads=512 per_thread=16 reorder=double"},
    {"AO+KS", key_width::u32, 26, 3.12, "fanout=3 lanes=1 threads=512 per_thread=16 reorder=double"},
    {"AO+KS", key_width::u32, 28, 1.94, "fanout=3 lanes=1 threads=512 per_thread=16 reorder=double"},
    {"AO+KS", key_width::u64, 16, 1.73, "fanout=5 lanes=1 threads=512 per_thread=16 reorder=double"},
    {"AO+KS", key_width::u64, 20, 2.18, "fanout=3 lanes=1 threads=512 per_thread=16 reorder=double"},
    {"AO+KS", key_width::u64, 26, 2.57, "fanout=3 lanes=1 threads=512 per_thread=8 reorder=double"},
    {"AO+KS", key_width::u64, 28, 2.19,
     "fanout=3 lanes=1 threads=128 per_thread=16 schedule=static blocks_per_sm=2 pin=full reorder=double"},
    {"EO+BS", key_width::u32, 26, 1.48, "threads=512 per_thread=8 reorder=double"},
    {"EO+BS", key_width::u32, 28, 1.28, "threads=512 per_thread=16 reorder=double"},
    {"EO+BS", key_width::u64, 28, 1.22, "threads=512 per_thread=16 reorder=double"},
    {"EO+KS", key_width::u32, 16, 3.03, "fanout=5 lanes=2"},
    {"EO+KS", key_width::u32, 18, 2.65, "fanout=5 lanes=2"},
    {"EO+KS", key_width::u32, 20, 2.51, "fanout=5 lanes=2"},
    {"EO+KS", key_width::u32, 22, 2.24, "fanout=5 lanes=2"},
    {"EO+KS", key_width::u32, 24, 1.98, "lanes=2 reads=once"},
    {"EO+KS", key_width::u32, 26, 1.67, "lanes=2 reads=once"},
    {"EO+KS", key_width::u32, 28, 1.35, "lanes=2 reads=once"},
    {"EO+KS", key_width::u64, 16, 2.01, "fanout=5 lanes=2"},
    {"EO+KS", key_width::u64, 20, 1.58, "fanout=5 lanes=2"},
    {"EO+KS", key_width::u64, 26, 1.23, "lanes=4"},
    {"AO+PB+BS", key_width::u32, 16, 1.25, "reads=once"},
    {"AO+PB+BS", key_width::u32, 18, 1.43, "per_thread=8 flight=8"},
    {"AO+PB+BS", key_width::u32, 20, 1.35, "threads=512 per_thread=8 reorder=double"},
    {"AO+PB+BS", key_width::u32, 24, 1.37, "threads=512 per_thread=8 pivots=20 reorder=double"},
    {"AO+PB+BS", key_width::u32, 26, 1.84, "threads=512 per_thread=8 pivots=22 reorder=double"},
    {"AO+PB+BS", key_width::u32, 28, 2.13, "threads=512 per_thread=8 pivots=24 reorder=double"},
    {"AO+PB+BS", key_width::u64, 16, 1.36, "per_thread=8 flight=8"},
    {"AO+PB+BS", key_width::u64, 26, 1.37, "pivots=22"},
    {"AO+PB+BS", key_width::u64, 28, 1.53, "threads=512 per_thread=16 pivots=24 reorder=double"},
    {"AO+PB+KS", key_width::u32, 16, 2.28, "lanes=2 per_thread=4 flight=4"},
    {"AO+PB+KS", key_width::u32, 18, 2.10, "lanes=2 per_thread=2 flight=2"},
    {"AO+PB+KS", key_width::u32, 20, 2.08, "lanes=2 per_thread=2 flight=2"},
    {"AO+PB+KS", key_width::u32, 22, 1.74, "lanes=4"},
    {"AO+PB+KS", key_width::u32, 24, 1.62, "lanes=2 reads=once"},
    {"AO+PB+KS", key_width::u32, 26, 1.55, "lanes=2 reads=once"},
    {"AO+PB+KS", key_width::u32, 28, 1.29, "fanout=17 lanes=4"},
    {"AO+PB+KS", key_width::u64, 16, 1.39, "lanes=4"},
    {"AO+PB+KS", key_width::u64, 20, 1.45, "lanes=4"},
};

bool is_like_what_was_measured(const workload& load) {
  return operation_of(load) == operation::find && !load.own_batch.given() && !has_script(load) &&
         load.lookups >= least_batch && load.hits == 1 && load.order == lookup_order::random &&
         load.popular == popularity::uniform;
}

// Nothing is known of half as many keys or twice as many.
const known_row* nearest_row(std::string_view method, key_width width, u64 keys) {
  const double wanted = std::log2(static_cast<double>(std::max<u64>(keys, 1)));
  const auto away = [&](const known_row& row) { return std::abs(wanted - row.log2_keys); };
  const known_row* nearest = nullptr;
  for (const known_row& row : rows) {
    if (row.method != method || row.width != width || away(row) > 1) continue;
    if (!nearest || away(row) < away(*nearest)) nearest = &row;
  }
  return nearest;
}

// As --config takes it.
std::string line_of(const known_row& row) {
  return fmt::format("{} {}{}", row.method, row.width == key_width::u64 ? "keys=u64 " : "", row.knobs);
}

}  // namespace

std::span<const known_row> known_rows() { return rows; }

index_config config_of(const known_row& row) { return *config_from_line(line_of(row)); }

const known_row* known_faster(const index_config& config, u64 keys, const workload& load, const machine_info& on) {
  if (on.kind != machine_kind::cuda || keys == 0 || !is_like_what_was_measured(load)) return nullptr;
  const std::string method = method_name(config);
  index_config standard = *config_from_line(method);
  standard.keys = config.keys;
  if (config != standard) return nullptr;
  return nearest_row(method, config.keys, keys);
}

std::vector<index_config> known_configs(u64 keys, key_width width) {
  std::vector<index_config> list;
  for (const known_row& row : rows)
    if (&row == nearest_row(row.method, width, keys)) list.push_back(config_of(row));
  return list;
}

std::string words_of(const known_row& row) {
  return fmt::format(
      "{}: --config \"{}\" is known to answer {:.1f} times as many lookups over 2^{} keys (one H100; docs/adviser.md).",
      row.method, line_of(row), row.times, row.log2_keys);
}

}  // namespace pivotscope
