#include "core/machine/cpu/cpu_index.hpp"

#include <fmt/format.h>

#include <cstring>
#include <new>
#include <numeric>
#include <tuple>

#include "core/common/expect.hpp"
#include "core/common/timing_turns.hpp"
#include "core/index/family.hpp"
#include "core/machine/change_index.hpp"
#include "core/machine/cpu/cpu_keys.hpp"
#include "core/machine/cpu/host_arrays.hpp"
#include "core/machine/cpu/host_work.hpp"

namespace pivotscope {

// Builds an index, or changes one that is a copy.
class cpu_executor final : public index_changer {
 public:
  cpu_executor(cpu_index& index, const job_control& control) : index_(index), control_(control) {}

  // What a build is of, in the order that its family asks for.
  status take(const resident_keys& keys) {
    return keys.width() == key_width::u32 ? take(dynamic_cast<const cpu_keys<u32>&>(keys))
                                          : take(dynamic_cast<const cpu_keys<u64>&>(keys));
  }

  u64 keys() const override { return index_.keys_; }

  std::pair<u64, u64> key_range() const override { return index_.key_range_; }

  status resize(region_id region, u64 cells) override {
    index_region& r = index_.regions_[number_of(region)];
    const u64 bytes = cells * r.cell_bytes;
    if (auto s = room_for(bytes, r.name); !s) return s;
    try {
      auto grown = make_host_array<std::byte>(bytes);
      auto& now = index_.cells_[number_of(region)];
      if (std::min(bytes, r.bytes()) > 0) std::memcpy(grown.get(), now.get(), std::min(bytes, r.bytes()));
      now = std::move(grown);
    } catch (const std::bad_alloc&) {
      return out_of_memory(r.name, bytes);
    }
    r.cells = cells;
    return fine();
  }
  void trim(region_id region, u64 cells) override { index_.regions_[number_of(region)].cells = cells; }
  status read(region_id region, u64 byte_offset, std::span<std::byte> out) override {
    return index_.read(region, byte_offset, out);
  }

  outcome<u64> run(const build_pass& pass, u64 items, const state_bytes& state) override {
    PIVOTSCOPE_EXPECT(!index_.regions_.empty());  // allocate() came before
    const stopwatch watch;
    if (pass.by == done_by::block)
      if (auto s = arrays_.begin_chain(items); !s) return s.error();
    see(state);
    std::atomic<u64> counted{0};
    const bool done =
        in_chunks(pass.doing, items, pass.by == done_by::block ? 1 : slots_a_task, control_,
                  [&](u64 begin, u64 end) { counted += pass.on_host(index_.config_, view_, begin, end); });
    if (!done) return job_control::cancelled_problem();
    index_.build_times_.push_back({std::string(pass.stage), {watch.ms()}});
    return counted.load();
  }

  status allocate_array(array_id array, u64 bytes, std::string_view what) override {
    return arrays_.allocate(array, bytes, what);
  }
  status sort_pairs(array_id keys, array_id values, u64 count, std::string_view stage) override {
    const stopwatch watch;
    try {
      if (!arrays_.sort_pairs(index_.config_.keys, keys, values, count, control_))
        return job_control::cancelled_problem();
    } catch (const std::bad_alloc&) {
      return out_of_memory(stage, count * (key_bytes(index_.config_.keys) + sizeof(u32)));
    }
    index_.build_times_.push_back({std::string(stage), {watch.ms()}});
    return fine();
  }
  std::span<const stage_time> stages() const override { return index_.build_times_; }

  status take_writes(const write_part& part) override {
    const u64 key = key_bytes(index_.config_.keys);
    if (auto s = allocate_array(batch_keys, part.count * key, "a batch's keys"); !s) return s;
    if (auto s = allocate_array(batch_numbers, part.count * sizeof(u32), "a batch's numbers"); !s) return s;
    std::memcpy(arrays_.as<std::byte>(batch_keys), part.keys, part.count * key);
    std::iota(arrays_.as<u32>(batch_numbers), arrays_.as<u32>(batch_numbers) + part.count, 0u);
    done_.assign(part.done.begin(), part.done.end());
    view_.done = done_.data();
    return fine();
  }
  status give_done(std::span<write_done> done) override {
    std::copy(done_.begin(), done_.end(), done.begin());
    return fine();
  }

  outcome<double> perform(const update_part& part, const state_bytes& state, std::span<write_done> done,
                          std::span<script_answer> answers) override {
    see(state);
    const update_work work{.count = part.count,
                           .keys = part.keys,
                           .highs = part.highs,
                           .kinds = part.mixed ? part.kinds : nullptr,
                           .rows = part.rows,
                           .done = done.data(),
                           .answers = answers.data(),
                           .kind = part.kind,
                           .first_row = part.first_row};
    const timing_turns::turn quiet = timed_pass(control_);
    const stopwatch watch;
    if (!family_of(index_.config_).on_host().update(index_.config_, view_, work, control_))
      return job_control::cancelled_problem();
    return watch.ms();
  }

  // The regions of another, as they are.
  status copy(const cpu_index& from) {
    if (auto s = replace_regions(from.regions_); !s) return s;
    for (std::size_t r = 0; r < from.regions_.size(); ++r) {
      const std::byte* const cells = from.cells_[r].get();
      const bool done = in_chunks(
          "copying the index", from.regions_[r].bytes(), 1 << 22, control_,
          [&](u64 begin, u64 end) { std::memcpy(index_.cells_[r].get() + begin, cells + begin, end - begin); });
      if (!done) return job_control::cancelled_problem();
    }
    return fine();
  }

  // Sees the regions of another, which stay as they are.
  void look_at(const cpu_index& from) {
    looked_at_ = &from;
    index_.regions_ = from.regions_;
  }

  void finish(const state_bytes& state) { index_.state_ = state; }

 private:
  status replace_regions(std::vector<index_region> regions) override {
    PIVOTSCOPE_EXPECT(regions.size() <= max_regions);
    for (u32 r = 0; r < max_regions; ++r) {
      before_[r] = std::move(index_.cells_[r]);
      view_.before[r] = looked_at_ ? looked_at_->cells_[r].get() : before_[r].get();
    }
    looked_at_ = nullptr;
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

  void free_before() override {
    for (u32 r = 0; r < max_regions; ++r) before_[r] = {}, view_.before[r] = nullptr;
  }

  template <class Key>
  status take(const cpu_keys<Key>& keys) {
    if (family_of(index_.config_).sorted_input()) {
      if (auto s = keys.sort(control_); !s) return s;
    }
    view_.keys = keys.keys();
    view_.rows = keys.rows();
    index_.key_range_ = keys.range();
    return fine();
  }

  void see(const state_bytes& state) {
    for (u32 r = 0; r < max_regions; ++r)
      view_.regions[r] = looked_at_ ? looked_at_->cells_[r].get() : index_.cells_[r].get();
    arrays_.show(view_);
    state.copy_to(view_.found_by.state);
  }

  cpu_index& index_;
  const job_control& control_;
  build_view view_;
  const cpu_index* looked_at_ = nullptr;  // until the first allocate()
  host_array<std::byte> before_[max_regions];
  host_arrays arrays_;
  std::vector<write_done> done_;
};

outcome<std::shared_ptr<const built_index>> cpu_index::build(const index_config& config, const resident_keys& keys,
                                                             const job_control& control) {
  auto index = std::make_shared<cpu_index>(config, keys.size());
  cpu_executor on(*index, control);
  if (auto s = on.take(keys); !s) return s.error();
  const auto state = family_of(config).build(on, config);
  if (!state) return state.error();
  on.finish(*state);
  return std::shared_ptr<const built_index>(std::move(index));
}

cpu_index::cpu_index(const cpu_index& of, const state_bytes& state)
    : config_(of.config_), keys_(of.keys_), rows_(of.rows_), state_(state), key_range_(of.key_range_) {}

outcome<update_result> cpu_index::update(const cpu_index& from, const script& s, u64 batch,
                                         const job_control& control) {
  const std::shared_ptr<cpu_index> index(new cpu_index(from, from.state_));
  cpu_executor on(*index, control);
  if (!writes_all_anew(from, s, batch)) {
    if (auto done = on.copy(from); !done) return done.error();
  } else {
    on.look_at(from);
  }
  outcome<changed_index> changed = change_index(on, from, s, batch, control);
  if (!changed) return changed.error();
  on.finish(changed->state);
  index->rows_ = changed->rows;
  update_result result{.done = std::move(changed->done),
                       .answers = std::move(changed->answers),
                       .counts = changed->counts,
                       .time = {std::string(update_name(s, batch)), {changed->ms}},
                       .stages = std::move(changed->stages)};
  take_stages(result, s, batch, std::move(index->build_times_));
  index->build_times_ = from.build_times_;
  result.index = index;
  return result;
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
