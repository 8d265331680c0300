// Pages of the index in view. On the CPU a page is a copy and comes at once; from a GPU it comes by the reader's
// thread.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <utility>

#include "app/session/reader.hpp"
#include "viz/models/session_view.hpp"

namespace pivotscope {

class page_cache : public viz::slot_source {
 public:
  page_cache(reader& on, std::function<void()> wake) : reader_(on), wake_(std::move(wake)) {}

  // Which index the next frame shows; another one empties the cache.
  void show(const std::shared_ptr<const built_index>& index);
  const std::vector<std::byte>* page(region_id array, u64 number) override;
  void later(const std::function<void()>& job) override;

 private:
  using page_key = std::pair<region_id, u64>;
  // What the reader has brought and the frame has not yet taken.
  struct inbox {
    std::mutex mutex;
    std::map<page_key, std::vector<std::byte>> pages;
  };
  void take();

  reader& reader_;
  std::function<void()> wake_;
  std::shared_ptr<const built_index> index_;
  std::map<page_key, std::vector<std::byte>> pages_;
  std::set<page_key> asked_;
  std::shared_ptr<inbox> inbox_ = std::make_shared<inbox>();  // a new one for each index: late pages fall away
};

}  // namespace pivotscope
