#include "core/machine/cpu/host_arrays.hpp"

#include <cstring>
#include <new>

#include "core/common/parallel.hpp"
#include "core/machine/cpu/host_work.hpp"
#include "core/machine/cpu/radix_sort.hpp"
#include "core/simt/tile_pass.hpp"

namespace pivotscope {
namespace {

// The same memory as an array of another type.
template <class To, class From>
host_array<To> as_array_of(host_array<From> from) {
  const host_array_deleter how = from.get_deleter();
  return host_array<To>(reinterpret_cast<To*>(from.release()), how);
}

}  // namespace

status host_arrays::allocate(array_id array, u64 bytes, std::string_view what) {
  if (auto s = room_for(bytes, what); !s) return s;
  try {
    arrays_[number_of(array)] = make_host_array<std::byte>(bytes);
  } catch (const std::bad_alloc&) {
    return out_of_memory(what, bytes);
  }
  return fine();
}

status host_arrays::begin_chain(u64 tiles) {
  const u64 bytes = chain_words(tiles) * sizeof(u64);
  if (auto s = allocate(tile_chain, bytes, "the chain of tiles"); !s) return s;
  std::memset(as<std::byte>(tile_chain), 0, bytes);
  return fine();
}

bool host_arrays::sort_pairs(key_width width, array_id keys, array_id values, u64 count, const job_control& control) {
  return width == key_width::u32 ? sort<u32>(keys, values, count, control) : sort<u64>(keys, values, count, control);
}

template <class Key>
bool host_arrays::sort(array_id keys, array_id values, u64 count, const job_control& control) {
  host_array<Key> sorted = as_array_of<Key>(std::move(arrays_[number_of(keys)]));
  host_array<u32> with = as_array_of<u32>(std::move(arrays_[number_of(values)]));
  const bool done = radix_sort_pairs(sorted, with, count, control);
  arrays_[number_of(keys)] = as_array_of<std::byte>(std::move(sorted));
  arrays_[number_of(values)] = as_array_of<std::byte>(std::move(with));
  return done;
}

void host_arrays::show(build_view& view) const {
  for (u32 a = 0; a < max_arrays; ++a) view.arrays[a] = arrays_[a].get();
}

}  // namespace pivotscope
