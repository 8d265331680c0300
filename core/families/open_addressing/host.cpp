// The family `open_addressing` on the host: the cpu and the trace machine.
#include "core/batch/host_code_of.hpp"
#include "core/families/open_addressing/hot_configs.hpp"
#include "core/families/open_addressing/open_addressing.hpp"
#include "core/machine/trace/trace_code_of.hpp"

namespace pivotscope {

extern const host_code open_addressing_host_code;
const host_code open_addressing_host_code = host_code_of<open_addressing, open_addressing_hot_configs>();
extern const trace_code open_addressing_trace_code;
const trace_code open_addressing_trace_code = trace_code_of<open_addressing>();

}  // namespace pivotscope
