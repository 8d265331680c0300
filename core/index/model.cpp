#include "core/index/model.hpp"

#include <algorithm>

#include "core/index/family.hpp"

namespace pivotscope {

const cell_field* region_info::field(field_kind kind) const {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const cell_field& f) { return f.kind == kind; });
  return found == fields.end() ? nullptr : &*found;
}

std::shared_ptr<const index_model> model_of(const index_config& config, u64 keys) {
  return family_of(config).model(config, keys);
}

std::shared_ptr<const index_model> model_of(const stored_index& index) {
  return family_of(index.config()).model_of(index);
}

}  // namespace pivotscope
