// index_model of the orders: what the formulas of an order say to who draws it or tells of it.
#pragma once

#include <memory>

#include "core/families/ordered/config.hpp"
#include "core/index/model.hpp"

namespace pivotscope {

std::shared_ptr<const index_model> make_ordered_model(const ordered_config& config, u64 keys);

}  // namespace pivotscope
