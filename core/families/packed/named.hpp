// What PACKED alone stands for: docs/packed.md#the-name-alone.
#pragma once

#include "core/families/packed/config.hpp"
#include "core/index/family.hpp"

namespace pivotscope {

packed_config named_packed(const named_for& what);

}  // namespace pivotscope
