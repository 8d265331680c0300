// `cgrx` on the cpu and the trace machine: a translation unit of its own, as it is the large one.
#include "core/batch/host_code_of.hpp"
#include "core/families/cgrx/cgrx.hpp"
#include "core/families/cgrx/hot_configs.hpp"
#include "core/machine/trace/trace_code_of.hpp"

namespace pivotscope {

extern const host_code cgrx_host_code;
const host_code cgrx_host_code = host_code_of<cgrx, cgrx_hot_configs, cgrx_rays>();
extern const trace_code cgrx_trace_code;
const trace_code cgrx_trace_code = trace_code_of<cgrx>();

}  // namespace pivotscope
