// The family `ordered` on the host: the cpu and the trace machine.
#include "core/batch/host_code_of.hpp"
#include "core/families/ordered/hot_configs.hpp"
#include "core/families/ordered/ordered.hpp"
#include "core/machine/trace/trace_code_of.hpp"

namespace pivotscope {

extern const host_code ordered_host_code;
const host_code ordered_host_code = host_code_of<ordered, ordered_hot_configs>();
extern const trace_code ordered_trace_code;
const trace_code ordered_trace_code = trace_code_of<ordered>();

}  // namespace pivotscope
