#include "app/built/this_program.hpp"

namespace pivotscope {

measured_by this_program() { return {"pivotscope " PIVOTSCOPE_VERSION, built_from()}; }

}  // namespace pivotscope
