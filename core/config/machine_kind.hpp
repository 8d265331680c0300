#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

enum class machine_kind : u8 { cpu, cuda };

}  // namespace pivotscope
