// The family `merged` on the host: the cpu and the trace machine.
#include "core/batch/host_code_of.hpp"
#include "core/families/merged/merged.hpp"
#include "core/machine/trace/trace_code_of.hpp"

namespace pivotscope {

extern const host_code merged_host_code;
const host_code merged_host_code = host_code_of<merged>();
extern const trace_code merged_trace_code;
const trace_code merged_trace_code = trace_code_of<merged>();

}  // namespace pivotscope
