#include "core/machine/cpu/cpu_index.hpp"

#include <fmt/format.h>

#include <cstring>
#include <new>
#include <tuple>

#include "core/common/expect.hpp"
#include "core/index/family.hpp"
#include "core/machine/cpu/cpu_keys.hpp"
#include "core/machine/cpu/host_work.hpp"

namespace pivotscope {

// Builds an index of sorted keys.
class cpu_executor final : public executor {
 public:
  cpu_executor(cpu_index& index, const resident_keys& sorted, const job_control& control)
      : index_(index), control_(control) {
    if (sorted.width() == key_width::u32)
      take(dynamic_cast<const cpu_keys<u32>&>(sorted));
    else
      take(dynamic_cast<const cpu_keys<u64>&>(sorted));
  }

  u64 keys() const override { return index_.keys_; }

  status allocate(std::vector<index_region> regions) override {
    PIVOTSCOPE_EXPECT(index_.regions_.empty() && regions.size() <= max_regions);
    index_.regions_ = std::move(regions);
    const u64 bytes = index_.built_index::bytes();
    if (auto s = room_for(bytes, "the index"); !s) return s;
    try {
      for (std::size_t r = 0; r < index_.regions_.size(); ++r)
        index_.cells_[r] = make_host_array<std::byte>(index_.regions_[r].bytes());
    } catch (const std::bad_alloc&) {
      return out_of_memory("the index", bytes);
    }
    return fine();
  }

  status run(const build_pass& pass, u64 items, const state_bytes& state) override {
    PIVOTSCOPE_EXPECT(!index_.regions_.empty());  // allocate() came before
    const stopwatch watch;
    for (u32 r = 0; r < max_regions; ++r) view_.regions[r] = index_.cells_[r].get();
    state.copy_to(view_.state);
    const bool done = in_chunks(pass.doing, items, slots_a_task, control_,
                                [&](u64 begin, u64 end) { pass.on_host(index_.config_, view_, begin, end); });
    if (!done) return job_control::cancelled_problem();
    index_.build_times_.push_back({std::string(pass.stage), {watch.ms()}});
    return fine();
  }

  void finish(const state_bytes& state) { index_.state_ = state; }

 private:
  template <class Key>
  void take(const cpu_keys<Key>& sorted) {
    view_.keys = sorted.keys.get();
    view_.rows = sorted.rows.get();
    if (sorted.size() > 0) index_.key_range_ = {sorted.keys[0], sorted.keys[sorted.size() - 1]};
  }

  cpu_index& index_;
  const job_control& control_;
  build_view view_;
};

outcome<std::shared_ptr<const built_index>> cpu_index::build(const index_config& config, const resident_keys& sorted,
                                                             const job_control& control) {
  auto index = std::make_shared<cpu_index>(config, sorted.size());
  cpu_executor on(*index, sorted, control);
  const auto state = family_of(config).build(on, config);
  if (!state) return state.error();
  on.finish(*state);
  return std::shared_ptr<const built_index>(std::move(index));
}

status cpu_index::read(region_id region, u64 byte_offset, std::span<std::byte> out) const {
  const u64 size = bytes(region);
  if (byte_offset > size || out.size() > size - byte_offset) {
    return problem{
        fmt::format("bytes {} to {} are outside an array of {}", byte_offset, byte_offset + out.size(), size)};
  }
  if (!out.empty()) std::memcpy(out.data(), cells_[number_of(region)].get() + byte_offset, out.size());
  return fine();
}

index_view cpu_index::view() const {
  index_view v;
  for (u32 r = 0; r < max_regions; ++r) v.regions[r] = cells_[r].get();
  std::tie(v.sort_begin, v.sort_end) = sort_bits();
  state_.copy_to(v.state);
  return v;
}

}  // namespace pivotscope
