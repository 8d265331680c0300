#include "app/session/page_cache.hpp"

#include <algorithm>

#include "core/common/expect.hpp"

namespace pivotscope {
namespace {

constexpr std::size_t most_pages = 8192;  // 8 MiB; a screen shows at most a few hundred

std::vector<std::byte> read_page(const built_index& index, region_id array, u64 number) {
  PIVOTSCOPE_EXPECT(number <= ~0ull / viz::slot_source::page_bytes);
  const u64 offset = number * viz::slot_source::page_bytes, whole = index.bytes(array);
  if (offset >= whole) return {};
  std::vector<std::byte> bytes(std::min(viz::slot_source::page_bytes, whole - offset));
  if (!index.read(array, offset, bytes).ok()) bytes.clear();
  return bytes;
}

}  // namespace

void page_cache::show(const std::shared_ptr<const built_index>& index) {
  if (index == index_) return take();
  index_ = index;
  pages_.clear();
  asked_.clear();
  inbox_ = std::make_shared<inbox>();
}

void page_cache::take() {
  const std::lock_guard lock(inbox_->mutex);
  for (auto& [key, bytes] : inbox_->pages) {
    pages_[key] = std::move(bytes);
    asked_.erase(key);
  }
  inbox_->pages.clear();
}

const std::vector<std::byte>* page_cache::page(region_id array, u64 number) {
  if (!index_) return nullptr;
  const page_key key{array, number};
  const auto known = pages_.find(key);
  if (known != pages_.end()) return &known->second;
  if (pages_.size() > most_pages) pages_.clear();
  if (index_->kind() == machine_kind::cpu) return &(pages_[key] = read_page(*index_, array, number));
  if (asked_.insert(key).second) {
    reader_.add([index = index_, into = inbox_, wake = wake_, key] {
      std::vector<std::byte> bytes = read_page(*index, key.first, key.second);
      {
        const std::lock_guard lock(into->mutex);
        into->pages[key] = std::move(bytes);
      }
      wake();
    });
  }
  return nullptr;
}

void page_cache::later(const std::function<void()>& job) {
  reader_.add([job, wake = wake_] {
    job();
    wake();
  });
}

}  // namespace pivotscope
