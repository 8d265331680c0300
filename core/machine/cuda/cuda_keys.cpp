#include "core/machine/cuda/cuda_keys.hpp"

#include <fmt/format.h>

#include <array>

#include "core/machine/cuda/sort.hpp"

namespace pivotscope {
namespace {

// Both pairs of buffers of a sort; the first pair comes in full and the sorted one is moved to the front.
struct sort_buffers {
  std::array<device_buffer, 2> keys, rows;
};

outcome<sort_buffers> allocate_for_sort(const cuda_device& device, u64 n, u64 key_size, std::size_t space) {
  const u64 key_array_bytes = n * key_size, row_array_bytes = n * sizeof(u32);
  const memory_need needs[] = {
      {"keys twice", 2 * key_array_bytes}, {"row ids twice", 2 * row_array_bytes}, {"work space", space}};
  if (auto s = check_device_memory(device, fmt::format("sorting {} keys", count_text(n)), needs, "Use fewer keys");
      !s) {
    return s.error();
  }
  sort_buffers buffers;
  for (std::size_t i = 0; i < 2; ++i) {
    auto keys = device_buffer::allocate(key_array_bytes, "the keys");
    if (!keys) return keys.error();
    buffers.keys[i] = std::move(*keys);
    auto rows = device_buffer::allocate(row_array_bytes, "the row ids");
    if (!rows) return rows.error();
    buffers.rows[i] = std::move(*rows);
  }
  return buffers;
}

// Returns the milliseconds, and which of the two buffers holds the result.
template <class Key>
outcome<double> sort_in(sort_buffers& buffers, u64 n, std::size_t space_bytes, cudaStream_t stream, int& key_buffer,
                        int& row_buffer) {
  auto space = device_buffer::allocate(space_bytes, "the sort's work space");
  if (!space) return space.error();
  auto timer = device_timer::make();
  if (!timer) return timer.error();
  if (auto s = checked(fill_counting(buffers.rows[0].as<u32>(), n, stream), "numbering the rows"); !s) return s.error();
  ping_pong<Key> keys{{buffers.keys[0].template as<Key>(), buffers.keys[1].template as<Key>()}, 0};
  ping_pong<u32> rows{{buffers.rows[0].template as<u32>(), buffers.rows[1].template as<u32>()}, 0};
  if (auto s = timer->start(stream); !s) return s.error();
  const cudaError_t queued = sort_pairs(keys, rows, n, space->data(), space->bytes(), stream);
  if (auto s = checked(queued, "sorting"); !s) return s.error();
  auto ms = timer->stop(stream, "sorting");
  key_buffer = keys.current;
  row_buffer = rows.current;
  return ms;
}

}  // namespace

outcome<std::shared_ptr<const cuda_keys>> cuda_keys::load(const cuda_device& device, cudaStream_t stream,
                                                          const key_array& keys, const job_control& control) {
  auto loaded = std::make_shared<cuda_keys>();
  loaded->size_ = keys.size();
  loaded->width_ = keys.width();
  loaded->sort_time_.name = "sort";
  if (keys.size() == 0) return std::shared_ptr<const cuda_keys>(std::move(loaded));

  const bool narrow = keys.width() == key_width::u32;
  const u64 key_size = narrow ? sizeof(u32) : sizeof(u64);
  std::size_t space = 0;
  const cudaError_t asked = narrow ? sort_space<u32>(keys.size(), space) : sort_space<u64>(keys.size(), space);
  if (auto s = checked(asked, "asking what a sort needs"); !s) return s.error();
  auto buffers = allocate_for_sort(device, keys.size(), key_size, space);
  if (!buffers) return buffers.error();

  auto copied =
      upload(buffers->keys[0].data(), keys.data(), keys.size() * key_size, stream, "copying keys to the GPU", control);
  if (!copied) return copied.error();
  if (control.cancelled()) return job_control::cancelled_problem();
  control.progress("sorting", -1);
  int key_buffer = 0, row_buffer = 0;
  auto ms = narrow ? sort_in<u32>(*buffers, keys.size(), space, stream, key_buffer, row_buffer)
                   : sort_in<u64>(*buffers, keys.size(), space, stream, key_buffer, row_buffer);
  if (!ms) return ms.error();
  if (control.cancelled()) return job_control::cancelled_problem();
  loaded->sort_time_.samples_ms = {*ms};
  loaded->keys_ = std::move(buffers->keys[static_cast<std::size_t>(key_buffer)]);
  loaded->rows_ = std::move(buffers->rows[static_cast<std::size_t>(row_buffer)]);
  const auto ends = [&](u64 rank, u64& key) {  // little-endian: a narrow key fills the low half
    return checked(cudaMemcpy(&key, loaded->keys_.as<std::byte>() + rank * key_size, key_size, cudaMemcpyDeviceToHost),
                   "reading the ends of the sorted keys");
  };
  if (auto s = ends(0, loaded->least_); !s) return s.error();
  if (auto s = ends(keys.size() - 1, loaded->greatest_); !s) return s.error();
  return std::shared_ptr<const cuda_keys>(std::move(loaded));
}

}  // namespace pivotscope
