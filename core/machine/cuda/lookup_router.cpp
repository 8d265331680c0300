#include "core/machine/cuda/lookup_router.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/batch/routed.hpp"
#include "core/machine/cuda/route_sort.hpp"

namespace pivotscope {
namespace {

template <class Key>
cudaError_t space_of(u64 lookups, u32 parts, u64& bytes) {
  std::size_t size = 0;
  const cudaError_t asked = route_space<Key>(lookups, parts, size);
  bytes = size;
  return asked;
}

}  // namespace

outcome<lookup_router> lookup_router::make(const cuda_device& device, const cuda_index& index, u64 lookups, u64 parts) {
  const index_config& config = index.config();
  if (parts >= most_parts)
    return problem{
        fmt::format("the index is cut into {} parts, and a grid has columns of blocks for {}: give blocks more "
                    "scratch, or take routes=off",
                    parts, most_parts - 1)};
  lookup_router made;
  made.lookups_ = lookups, made.parts_ = static_cast<u32>(parts), made.wide_ = config.keys == key_width::u64;
  const u64 resident = u64{device.info.processors} * config.launch.blocks_per_sm;
  const u64 tiles_a_part = ceil_div(ceil_div(lookups, parts), u64{tile_lookups(config.launch)});
  made.ways_ = static_cast<u32>(std::clamp<u64>(resident / parts, 1, std::max<u64>(1, tiles_a_part)));
  const cudaError_t asked = made.wide_ ? space_of<u64>(lookups, made.parts_, made.space_bytes_)
                                       : space_of<u32>(lookups, made.parts_, made.space_bytes_);
  if (auto s = checked(asked, "asking what routing needs"); !s) return s.error();
  const u64 item = made.wide_ ? sizeof(routed_key<u64>) : sizeof(routed_key<u32>);
  const memory_need needs[] = {{"numbers of parts", 2 * lookups * sizeof(u16)},
                               {"routed lookups", 2 * lookups * item},
                               {"work space", made.space_bytes_}};
  const std::string what = fmt::format("routing {} lookups", count_text(lookups));
  if (auto s = check_device_memory(device, what, needs, "Use fewer lookups"); !s) return s.error();
  const auto allocate = [&](device_buffer& to, u64 bytes) -> status {
    auto buffer = device_buffer::allocate(bytes, what);
    if (!buffer) return buffer.error();
    to = std::move(*buffer);
    return fine();
  };
  for (std::size_t side = 0; side < 2; ++side) {
    if (auto s = allocate(made.numbers_[side], lookups * sizeof(u16)); !s) return s.error();
    if (auto s = allocate(made.routed_[side], lookups * item); !s) return s.error();
  }
  if (auto s = allocate(made.begins_, (parts + 1) * sizeof(u32)); !s) return s.error();
  if (auto s = allocate(made.space_, made.space_bytes_); !s) return s.error();
  return made;
}

cudaError_t lookup_router::route(const loaded_kernel& route, cudaStream_t stream, const cuda_index& index,
                                 const void* keys) {
  const u32 threads = index.config().launch.threads;
  const cudaError_t queued = launch(route, ceil_div<u64>(lookups_, threads), threads, stream, index.view(), keys,
                                    lookups_, numbers_[0].as<u16>(), routed_[0].data());
  if (queued != cudaSuccess) return queued;
  return wide_ ? sort<u64>(stream) : sort<u32>(stream);
}

template <class Key>
cudaError_t lookup_router::sort(cudaStream_t stream) {
  using routed = routed_key<Key>;
  ping_pong<u16> numbers{{numbers_[0].as<u16>(), numbers_[1].as<u16>()}};
  ping_pong<routed> lookups{{routed_[0].as<routed>(), routed_[1].as<routed>()}};
  const cudaError_t queued =
      sort_to_parts(numbers, lookups, lookups_, parts_, begins_.as<u32>(), space_.data(), space_bytes_, stream);
  current_ = static_cast<std::size_t>(lookups.current);
  return queued;
}

cudaError_t lookup_router::lookup(const loaded_kernel& lookup, cudaStream_t stream, const cuda_index& index,
                                  void* answers) const {
  return launch_columns(lookup, ways_, parts_, index.config().launch.threads, stream, index.view(),
                        static_cast<const void*>(routed_[current_].data()), begins_.as<u32>(), answers);
}

}  // namespace pivotscope
