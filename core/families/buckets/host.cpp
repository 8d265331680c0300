// The family `buckets` on the host: the cpu and the trace machine.
#include "core/batch/host_code_of.hpp"
#include "core/families/buckets/buckets.hpp"
#include "core/families/buckets/hot_configs.hpp"
#include "core/machine/trace/trace_code_of.hpp"

namespace pivotscope {

extern const host_code buckets_host_code;
const host_code buckets_host_code = host_code_of<buckets, buckets_hot_configs>();
extern const trace_code buckets_trace_code;
const trace_code buckets_trace_code = trace_code_of<buckets>();

}  // namespace pivotscope
