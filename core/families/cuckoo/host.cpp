// The family `cuckoo` on the host: the cpu and the trace machine.
#include "core/batch/host_code_of.hpp"
#include "core/families/cuckoo/cuckoo.hpp"
#include "core/families/cuckoo/hot_configs.hpp"
#include "core/machine/trace/trace_code_of.hpp"

namespace pivotscope {

extern const host_code cuckoo_host_code;
const host_code cuckoo_host_code = host_code_of<cuckoo, cuckoo_hot_configs>();
extern const trace_code cuckoo_trace_code;
const trace_code cuckoo_trace_code = trace_code_of<cuckoo>();

}  // namespace pivotscope
