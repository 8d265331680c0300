// The machine's side of a build: makes room for regions, and runs passes over them. A build is written once, by its
// family; the cpu and the cuda machine each have an executor.
#pragma once

#include "core/batch/pass.hpp"
#include "core/common/outcome.hpp"
#include "core/index/built_index.hpp"
#include "core/simt/host.hpp"

namespace pivotscope {

// Items [begin, end) of a pass, on the host: of how many the pass says true.
using host_pass = u64 (*)(const index_config&, const build_view&, u64 begin, u64 end);

// What a pass does with keys that its family wants sorted.
enum class key_use : u8 {
  any,   // reads them as it likes
  each,  // stores each by itself, as one of its first items, item_in_turn(rank), and reads no others. It has at_key<Key>(config, view, rank, key, row)
         // for a machine that has the key and its rank in hand
  none,  // reads no keys
};

// One item a thread. `kernel` is a struct inside the family's own, whose at<Key>(config, view, i) does item i; or, of a pass
// whose threads write the same cells, at<Key>(config, memory, view, i). Those that say true of an item are counted.
struct build_pass {
  std::string_view stage;   // "build entries"
  std::string_view doing;   // "building entries"
  std::string_view kernel;  // "build_entries"
  host_pass on_host;
  u32 at_once = 1;  // items that a GPU's thread takes, so that their loads are on the way together
  key_use keys = key_use::any;
};

// A pass of a family's device code: Pass is Family::name.
template <class Family, class Pass>
u64 host_items(const index_config& config, const build_view& view, u64 begin, u64 end) {
  const dynamic_config here{Family::config::of(config)};
  shared_source source;
  for (u32 r = 0; r < max_regions; ++r) source.regions[r] = static_cast<std::byte*>(view.regions[r]);
  no_recorder nobody;
  host_memory<no_recorder, shared_source> memory(source, nobody);
  u64 counted = 0;
  const auto each = [&]<class Key>(Key) {
    for (u64 i = begin; i < end; ++i) counted += do_item<Pass, Key>(here, memory, view, i);
  };
  if (config.keys == key_width::u32)
    each(u32{});
  else
    each(u64{});
  return counted;
}

class executor {
 public:
  virtual ~executor() = default;
  virtual u64 keys() const = 0;
  virtual std::pair<u64, u64> key_range() const = 0;  // the least and the greatest of them; zeros without keys
  // Before the passes. The regions hold nothing that can be relied on. Where there were some they are build_view::before
  // from here on, until the next allocate() or the end.
  virtual status allocate(std::vector<index_region> regions) = 0;
  // More cells of a region, or fewer: those that stay are as they were.
  virtual status resize(region_id region, u64 cells) = 0;
  // What the passes left there.
  virtual status read(region_id region, u64 byte_offset, std::span<std::byte> out) = 0;
  // Each is timed under its name. A pass over no items is a stage without a time. Of how many items it said true.
  virtual outcome<u64> run(const build_pass& pass, u64 items, const state_bytes& state) = 0;
};

}  // namespace pivotscope
