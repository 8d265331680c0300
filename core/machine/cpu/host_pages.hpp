// Big arrays in the host's memory, on huge pages where the system gives them: a lookup goes to a random place, and with
// pages of 4 KiB the processor looks its address up as well.
#pragma once

#include <limits>
#include <memory>
#include <new>
#include <type_traits>

#include "core/common/portable.hpp"

namespace pivotscope {

inline constexpr u64 huge_page_bytes = 2u << 20;
// What is smaller has plain pages: aligned, it would take up to as much again of the address space.
inline constexpr u64 least_huge_bytes = 4u << 20;

struct host_pages {
  void* at;
  bool aligned;  // to huge_page_bytes; how it is to be freed
};
// As operator new gives them, uninitialised, so that the threads that fill them touch them first. From
// least_huge_bytes on they begin at a huge page, and the system is asked to back all whole ones: it may decline.
// Throws std::bad_alloc.
host_pages take_host_pages(u64 bytes);
void give_back(host_pages pages) noexcept;

struct host_array_deleter {
  bool aligned = false;
  template <class T>
  void operator()(T* at) const noexcept {
    give_back({const_cast<std::remove_const_t<T>*>(at), aligned});
  }
};
// Of values that need neither construction nor destruction.
template <class T>
using host_array = std::unique_ptr<T[], host_array_deleter>;

// n values, uninitialised. Throws std::bad_alloc.
template <class T>
host_array<T> make_host_array(u64 n) {
  static_assert(std::is_trivially_default_constructible_v<T> && std::is_trivially_destructible_v<T>);
  if (n > std::numeric_limits<u64>::max() / sizeof(T)) throw std::bad_array_new_length();
  const host_pages pages = take_host_pages(n * sizeof(T));
  return host_array<T>(static_cast<T*>(pages.at), host_array_deleter{pages.aligned});
}

}  // namespace pivotscope
