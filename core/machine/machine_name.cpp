#include "core/machine/machine.hpp"

namespace pivotscope {

std::string_view machine_name(machine_kind kind) { return kind == machine_kind::cpu ? "cpu" : "cuda"; }

}  // namespace pivotscope
