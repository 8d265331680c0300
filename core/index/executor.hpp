// The machine's side of a build: makes room for regions, and runs passes over them. A build is written once, by its
// family; the cpu and the cuda machine each have an executor.
#pragma once

#include "core/common/outcome.hpp"
#include "core/index/built_index.hpp"

namespace pivotscope {

// Items [begin, end) of a pass, on the host.
using host_pass = void (*)(const index_config&, const build_view&, u64 begin, u64 end);

// One item a thread. `kernel` is a struct inside the family's own, whose at<Key>(config, view, i) does item i.
struct build_pass {
  std::string_view stage;   // "build entries"
  std::string_view doing;   // "building entries"
  std::string_view kernel;  // "build_entries"
  host_pass on_host;
};

// A pass of a family's device code: Pass is Family::name.
template <class Family, class Pass>
void host_items(const index_config& config, const build_view& view, u64 begin, u64 end) {
  const dynamic_config here{Family::config::of(config)};
  const auto each = [&]<class Key>(Key) {
    for (u64 i = begin; i < end; ++i) Pass::template at<Key>(here, view, i);
  };
  if (config.keys == key_width::u32)
    each(u32{});
  else
    each(u64{});
}

class executor {
 public:
  virtual ~executor() = default;
  virtual u64 keys() const = 0;
  // Once, before the passes. The regions hold nothing that can be relied on.
  virtual status allocate(std::vector<index_region> regions) = 0;
  // Each is timed under its name. A pass over no items is a stage without a time.
  virtual status run(const build_pass& pass, u64 items, const state_bytes& state) = 0;
};

}  // namespace pivotscope
