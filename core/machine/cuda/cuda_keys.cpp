#include "core/machine/cuda/cuda_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/machine/cuda/group_sort.hpp"
#include "core/machine/cuda/sort.hpp"

namespace pivotscope {
namespace {

// What a sort needs beside the keys: as many again, the row ids of both, and what kernels say of groups.
struct sort_buffers {
  device_buffer keys;
  std::array<device_buffer, 2> rows;
  device_buffer space, said;
};
struct said_of_groups {
  key_sample sample;
  u32 failed = 0;
};

// Keys that are numbered have one array of row ids of their own.
outcome<sort_buffers> allocate_for_sort(const cuda_device& device, u64 n, u64 key_size, std::size_t space,
                                        bool numbered) {
  const u64 key_array_bytes = n * key_size, row_array_bytes = n * sizeof(u32);
  const memory_need needs[] = {{"the keys once more", key_array_bytes},
                               {numbered ? "row ids once more" : "row ids twice", (numbered ? 1 : 2) * row_array_bytes},
                               {"work space", space}};
  if (auto s = check_device_memory(device, fmt::format("sorting {} keys", count_text(n)), needs, "Use fewer keys");
      !s) {
    return s.error();
  }
  sort_buffers buffers;
  auto keys = device_buffer::allocate(key_array_bytes, "the keys");
  if (!keys) return keys.error();
  buffers.keys = std::move(*keys);
  for (std::size_t half = numbered ? 1 : 0; half < 2; ++half) {
    auto rows = device_buffer::allocate(row_array_bytes, "the row ids");
    if (!rows) return rows.error();
    buffers.rows[half] = std::move(*rows);
  }
  auto work = device_buffer::allocate(space, "the sort's work space");
  if (!work) return work.error();
  buffers.space = std::move(*work);
  auto said = device_buffer::allocate(sizeof(said_of_groups), "what is said of groups of keys");
  if (!said) return said.error();
  buffers.said = std::move(*said);
  return buffers;
}

// A sort under way: keys and rows, and what it has beside them.
template <class Key>
class sorting {
 public:
  sorting(ping_pong<Key> keys, ping_pong<u32> rows, u64 n, const sort_buffers& buffers, cudaStream_t stream)
      : keys_(keys), rows_(rows), n_(n), buffers_(buffers), stream_(stream) {}

  status by_bits(u32 begin, u32 end) {
    return checked(sort_pairs(keys_, rows_, n_, begin, end, buffers_.space.data(), buffers_.space.bytes(), stream_),
                   "sorting");
  }
  // By a few passes, where the keys are such that groups are small. They keep keys that are equal in order, so that a sort by all bits may go on
  // from what they came to.
  outcome<std::optional<key_grouping>> to_groups() {
    std::optional<key_grouping> plan;
    if (n_ < least_to_group) return plan;
    if (auto s = say_nothing(); !s) return s.error();
    auto* const said = buffers_.said.template as<said_of_groups>();
    if (auto s = checked(sample_keys(keys_.buffers[keys_.current], n_, &said->sample, stream_), "sampling keys"); !s)
      return s.error();
    auto sampled = said_so_far();
    if (!sampled) return sampled.error();
    plan = plan_groups(8 * sizeof(Key), n_, sampled->sample);
    if (!plan) return plan;
    if (auto s = by_bits(plan->low, plan->end); !s) return s.error();
    return plan;
  }
  // False: groups were too long, and keys are as they were.
  outcome<bool> put_in_order(const key_grouping& plan) {
    if (auto s = say_nothing(); !s) return s.error();
    auto* const said = buffers_.said.template as<said_of_groups>();
    const int to_keys = 1 - keys_.current, to_rows = 1 - rows_.current;
    const cudaError_t queued =
        put_groups_in_order(keys_.buffers[keys_.current], rows_.buffers[rows_.current], keys_.buffers[to_keys],
                            rows_.buffers[to_rows], n_, plan.low, plan.end < 8 * sizeof(Key), &said->failed, stream_);
    if (auto s = checked(queued, "putting groups of keys in order"); !s) return s.error();
    auto done = said_so_far();
    if (!done) return done.error();
    if (done->failed != 0) return false;
    keys_.current = to_keys, rows_.current = to_rows;
    return true;
  }
  int keys_in() const { return keys_.current; }
  int rows_in() const { return rows_.current; }

 private:
  status say_nothing() const {
    return checked(cudaMemsetAsync(buffers_.said.data(), 0, sizeof(said_of_groups), stream_), "sorting");
  }
  outcome<said_of_groups> said_so_far() const {
    said_of_groups copy;
    const auto queued = cudaMemcpyAsync(&copy, buffers_.said.data(), sizeof(copy), cudaMemcpyDeviceToHost, stream_);
    if (auto s = checked(queued, "sorting"); !s) return s.error();
    if (auto s = checked(cudaStreamSynchronize(stream_), "sorting"); !s) return s.error();
    return copy;
  }

  ping_pong<Key> keys_;
  ping_pong<u32> rows_;
  u64 n_;
  const sort_buffers& buffers_;
  cudaStream_t stream_;
};

}  // namespace

outcome<std::shared_ptr<const cuda_keys>> cuda_keys::load(const cuda_device& device, cudaStream_t stream,
                                                          const key_array& keys, const job_control& control) {
  auto loaded = std::make_shared<cuda_keys>();
  loaded->size_ = keys.size();
  loaded->width_ = keys.width();
  if (keys.size() == 0) return std::shared_ptr<const cuda_keys>(std::move(loaded));

  const u64 bytes = keys.size() * key_bytes(keys.width());
  const memory_need needs[] = {{"keys", bytes}};
  const std::string what = fmt::format("copying {} keys", count_text(keys.size()));
  if (auto s = check_device_memory(device, what, needs, "Use fewer keys"); !s) return s.error();
  auto buffer = device_buffer::allocate(bytes, "the keys");
  if (!buffer) return buffer.error();
  auto copied = upload(buffer->data(), keys.data(), bytes, stream, "copying keys to the GPU", control);
  if (!copied) return copied.error();
  if (control.cancelled()) return job_control::cancelled_problem();
  loaded->keys_ = std::move(*buffer);
  return std::shared_ptr<const cuda_keys>(std::move(loaded));
}

template <class Key>
status cuda_keys::sort_as(order wanted, const cuda_device& device, cudaStream_t stream,
                          const job_control& control) const {
  std::size_t space = 0;
  if (auto s = checked(sort_space<Key>(size_, space), "asking what a sort needs"); !s) return s;
  const bool numbered = state_ != order::none;
  auto buffers = allocate_for_sort(device, size_, sizeof(Key), space, numbered);
  if (!buffers) return buffers.error();
  auto timer = device_timer::make();
  if (!timer) return timer.error();
  if (control.cancelled()) return job_control::cancelled_problem();
  control.progress("sorting", -1);
  u32* const first_rows = (numbered ? rows_ : buffers->rows[0]).template as<u32>();
  if (!numbered) {
    if (auto s = checked(fill_counting(first_rows, size_, stream), "numbering the rows"); !s) return s;
  }
  sorting<Key> pairs({{keys_.as<Key>(), buffers->keys.template as<Key>()}, 0},
                     {{first_rows, buffers->rows[1].template as<u32>()}, 0}, size_, *buffers, stream);
  order came_to = state_;
  if (auto s = timer->start(stream); !s) return s;
  if (came_to == order::none) {
    auto plan = pairs.to_groups();
    if (!plan) return plan.error();
    if (*plan) came_to = order::groups, grouping_ = **plan;
  }
  if (came_to == order::groups && (wanted == order::all || !grouping_.is_plain(8 * sizeof(Key)))) {
    auto done = pairs.put_in_order(grouping_);
    if (!done) return done.error();
    came_to = *done ? order::all : order::upper_bits;
  }
  if (came_to < order::groups) {
    if (auto s = pairs.by_bits(0, 8 * sizeof(Key)); !s) return s;
    came_to = order::all;
  }
  auto ms = timer->stop(stream, "sorting");
  if (!ms) return ms.error();
  sort_time_.samples_ms = {(sort_time_.samples_ms.empty() ? 0 : sort_time_.samples_ms.front()) + *ms};
  if (pairs.keys_in() == 1) keys_ = std::move(buffers->keys);
  const int rows_in = pairs.rows_in();
  if (rows_in == 1 || !numbered) rows_ = std::move(buffers->rows[static_cast<std::size_t>(rows_in)]);
  state_ = came_to;
  return control.cancelled() ? status(job_control::cancelled_problem()) : fine();
}

status cuda_keys::sort_up_to(order wanted, const cuda_device& device, cudaStream_t stream,
                             const job_control& control) const {
  if (state_ >= wanted || size_ == 0) return fine();
  return width_ == key_width::u32 ? sort_as<u32>(wanted, device, stream, control)
                                  : sort_as<u64>(wanted, device, stream, control);
}
status cuda_keys::sort(const cuda_device& device, cudaStream_t stream, const job_control& control) const {
  return sort_up_to(order::all, device, stream, control);
}
status cuda_keys::sort_to_groups(const cuda_device& device, cudaStream_t stream, const job_control& control) const {
  return sort_up_to(order::groups, device, stream, control);
}

template <class Key>
outcome<stage_time> cuda_keys::library_sort_as(const cuda_device& device, cudaStream_t stream, u32 runs,
                                               const job_control& control) const {
  std::size_t space = 0;
  if (auto s = checked(sort_space<Key>(size_, space), "asking what a sort needs"); !s) return s.error();
  const memory_need needs[] = {{"a copy of the keys", keys_.bytes()}};
  if (auto s = check_device_memory(device, "sorting a copy of the keys", needs, "Use fewer keys"); !s) return s.error();
  auto copy = device_buffer::allocate(keys_.bytes(), "a copy of the keys");
  if (!copy) return copy.error();
  auto buffers = allocate_for_sort(device, size_, sizeof(Key), space, false);
  if (!buffers) return buffers.error();
  auto timer = device_timer::make();
  if (!timer) return timer.error();
  stage_time time{"sort", {}};
  for (u32 run = 0; run < runs; ++run) {
    if (control.cancelled()) return job_control::cancelled_problem();
    const auto copied = cudaMemcpyAsync(copy->data(), keys_.data(), keys_.bytes(), cudaMemcpyDeviceToDevice, stream);
    if (auto s = checked(copied, "copying keys"); !s) return s.error();
    u32* const first_rows = buffers->rows[0].template as<u32>();
    if (auto s = checked(fill_counting(first_rows, size_, stream), "numbering the rows"); !s) return s.error();
    sorting<Key> pairs({{copy->template as<Key>(), buffers->keys.template as<Key>()}, 0},
                       {{first_rows, buffers->rows[1].template as<u32>()}, 0}, size_, *buffers, stream);
    if (auto s = timer->start(stream); !s) return s.error();
    if (auto s = pairs.by_bits(0, 8 * sizeof(Key)); !s) return s.error();
    auto ms = timer->stop(stream, "sorting");
    if (!ms) return ms.error();
    time.samples_ms.push_back(*ms);
  }
  return time;
}

outcome<stage_time> cuda_keys::library_sort(const cuda_device& device, cudaStream_t stream, u32 runs,
                                            const job_control& control) const {
  if (state_ >= order::groups || size_ == 0) return stage_time{"sort", {}};
  return width_ == key_width::u32 ? library_sort_as<u32>(device, stream, runs, control)
                                  : library_sort_as<u64>(device, stream, runs, control);
}

// The least key of the first group and the greatest of the last one, where both are short; nothing: one is not.
template <class Key>
outcome<std::optional<std::pair<u64, u64>>> cuda_keys::range_of_groups() const {
  constexpr u64 some = 2 * longest_group;
  std::array<Key, some> first{}, last{};
  std::optional<std::pair<u64, u64>> found;
  if (size_ < some) return found;
  for (const auto& [from, to] : {std::pair<u64, Key*>{0, first.data()}, {size_ - some, last.data()}}) {
    const auto copied = cudaMemcpy(to, keys_.as<Key>() + from, sizeof(first), cudaMemcpyDeviceToHost);
    if (auto s = checked(copied, "looking for the least and the greatest key"); !s) return s.error();
  }
  const Key upper = static_cast<Key>(~Key{0} << grouping_.low);
  if (((first.front() ^ first.back()) & upper) == 0 || ((last.front() ^ last.back()) & upper) == 0) return found;
  found = {*std::min_element(first.begin(), first.end()), *std::max_element(last.begin(), last.end())};
  return found;
}

template <class Key>
outcome<std::pair<u64, u64>> cuda_keys::range_as(cudaStream_t stream) const {
  Key ends[2] = {};
  const std::string_view doing = "looking for the least and the greatest key";
  if (in_groups()) {
    const auto ends_of = range_of_groups<Key>();
    if (!ends_of) return ends_of.error();
    if (*ends_of) return **ends_of;
  }
  if (state_ == order::all) {
    for (const u64 end : {u64{0}, u64{1}}) {
      const Key* const from = keys_.as<Key>() + end * (size_ - 1);
      if (auto s = checked(cudaMemcpy(&ends[end], from, sizeof(Key), cudaMemcpyDeviceToHost), doing); !s)
        return s.error();
    }
    return std::pair<u64, u64>{ends[0], ends[1]};
  }
  std::size_t bytes = 0;
  if (auto s = checked(ends_space<Key>(size_, bytes), doing); !s) return s.error();
  auto space = device_buffer::allocate(bytes, "looking for the ends of the keys");
  if (!space) return space.error();
  auto found = device_buffer::allocate(sizeof(ends), "the ends of the keys");
  if (!found) return found.error();
  const cudaError_t queued =
      find_ends(keys_.as<Key>(), size_, found->template as<Key>(), space->data(), space->bytes(), stream);
  if (auto s = checked(queued, doing); !s) return s.error();
  if (auto s = checked(cudaStreamSynchronize(stream), doing); !s) return s.error();
  if (auto s = checked(cudaMemcpy(ends, found->data(), sizeof(ends), cudaMemcpyDeviceToHost), doing); !s)
    return s.error();
  return std::pair<u64, u64>{ends[0], ends[1]};
}

outcome<std::pair<u64, u64>> cuda_keys::range(cudaStream_t stream) const {
  if (size_ == 0) return std::pair<u64, u64>{0, 0};
  if (!range_) {
    auto found = width_ == key_width::u32 ? range_as<u32>(stream) : range_as<u64>(stream);
    if (!found) return found.error();
    range_ = *found;
  }
  return *range_;
}

}  // namespace pivotscope
