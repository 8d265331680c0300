// `cgrx_nodes` on the cpu and the trace machine: a translation unit of its own, as it is the large one.
#include "core/batch/host_code_of.hpp"
#include "core/families/cgrx_nodes/cgrx_nodes.hpp"
#include "core/families/cgrx_nodes/hot_configs.hpp"
#include "core/families/cgrx_nodes/traced_write.hpp"

namespace pivotscope {

extern const host_code cgrx_nodes_host_code;
const host_code cgrx_nodes_host_code = host_code_of<cgrx_nodes, cgrx_nodes_hot_configs>();
extern const trace_code cgrx_nodes_trace_code;
const trace_code cgrx_nodes_trace_code = cgrx_nodes_trace();

}  // namespace pivotscope
