// `packed` on the cpu and the trace machine: a translation unit of its own, as it is the large one.
#include "core/batch/host_code_of.hpp"
#include "core/families/packed/hot_configs.hpp"
#include "core/families/packed/packed.hpp"
#include "core/machine/trace/trace_code_of.hpp"

namespace pivotscope {

extern const host_code packed_host_code;
const host_code packed_host_code = host_code_of<packed, packed_hot_configs>();
extern const trace_code packed_trace_code;
const trace_code packed_trace_code = trace_code_of<packed>();

}  // namespace pivotscope
