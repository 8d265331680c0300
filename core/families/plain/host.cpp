// The family `plain` on the host: the cpu and the trace machine.
#include "core/batch/host_code_of.hpp"
#include "core/families/plain/plain.hpp"
#include "core/machine/trace/trace_code_of.hpp"

namespace pivotscope {

extern const host_code plain_host_code;
const host_code plain_host_code = host_code_of<plain>();
extern const trace_code plain_trace_code;
const trace_code plain_trace_code = trace_code_of<plain>();

}  // namespace pivotscope
