#include "core/index/family.hpp"

#include "core/index/ray_lookups.hpp"

namespace pivotscope {
namespace {

// Builds over no keys, whatever the index was built from.
class no_keys final : public executor {
 public:
  explicit no_keys(executor& on) : on_(on) {}
  u64 keys() const override { return 0; }
  std::pair<u64, u64> key_range() const override { return {0, 0}; }
  status resize(region_id region, u64 cells) override { return on_.resize(region, cells); }
  void trim(region_id region, u64 cells) override { on_.trim(region, cells); }
  status read(region_id region, u64 byte_offset, std::span<std::byte> out) override {
    return on_.read(region, byte_offset, out);
  }
  outcome<u64> run(const build_pass& pass, u64 items, const state_bytes& state) override {
    return on_.run(pass, items, state);
  }
  status allocate_array(array_id array, u64 bytes, std::string_view what) override {
    return on_.allocate_array(array, bytes, what);
  }
  status sort_pairs(array_id keys, array_id values, u64 count, std::string_view stage) override {
    return on_.sort_pairs(keys, values, count, stage);
  }

 private:
  status replace_regions(std::vector<index_region> regions) override { return on_.allocate(std::move(regions)); }
  void free_before() override { on_.end_step(); }

  executor& on_;
};

}  // namespace

outcome<state_bytes> family::clear(executor& on, const index_config& config, const state_bytes&) const {
  no_keys nothing(on);
  return build(nothing, config);
}

outcome<std::unique_ptr<ray_lookups>> family::rays_of(const stored_index& index, const key_array&) const {
  return problem{method_of(index.config()) + " casts no rays"};
}

}  // namespace pivotscope
