#include "core/machine/cpu/host_pages.hpp"

#include <sys/mman.h>

namespace pivotscope {
namespace {

constexpr std::align_val_t to_huge_pages{huge_page_bytes};

}  // namespace

host_pages take_host_pages(u64 bytes) {
  // The aligned operator new rounds up, and a size near the end of the range would wrap in some libraries.
  if (bytes >= least_huge_bytes && bytes <= std::numeric_limits<u64>::max() - 2 * huge_page_bytes) {
    if (void* const at = ::operator new(bytes, to_huge_pages, std::nothrow)) {
      // Advice: where it is not taken, the pages are plain. Not for a last part of a huge page, which would be held whole.
      (void)::madvise(at, bytes / huge_page_bytes * huge_page_bytes, MADV_HUGEPAGE);
      return {at, true};
    }
  }
  return {::operator new(bytes), false};
}

void give_back(host_pages pages) noexcept {
  if (pages.aligned) {
    ::operator delete(pages.at, to_huge_pages);
  } else {
    ::operator delete(pages.at);
  }
}

}  // namespace pivotscope
