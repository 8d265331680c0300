#include <algorithm>

#include "core/common/expect.hpp"
#include "core/index/family.hpp"

namespace pivotscope {

const family& family_of(family_id id) {
  const auto one = std::ranges::find(families(), id, &family::id);
  // A config that nobody has chosen yet is of none: it counts as the first one's.
  PIVOTSCOPE_EXPECT(one != families().end() || id == family_id{});
  return one == families().end() ? *families().front() : **one;
}

std::vector<index_region> regions_of(const index_config& config, u64 keys) {
  std::vector<index_region> list;
  const std::shared_ptr<const index_model> model = model_of(config, keys);
  PIVOTSCOPE_EXPECT(model->regions().size() <= max_regions);
  for (const region_info& r : model->regions()) list.push_back({r.id, r.title, r.cell_bytes, r.packs()});
  return list;
}

index_config default_config() { return families().front()->standard(); }

u32 group_threads(const index_config& config) { return ceil_pow2(family_of(config).lanes(config)); }

}  // namespace pivotscope
