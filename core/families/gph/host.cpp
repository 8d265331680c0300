// The family `gph` on the host: the cpu and the trace machine.
#include "core/batch/host_code_of.hpp"
#include "core/families/gph/gph.hpp"
#include "core/families/gph/hot_configs.hpp"
#include "core/machine/trace/trace_code_of.hpp"

namespace pivotscope {

extern const host_code gph_host_code;
const host_code gph_host_code = host_code_of<gph, gph_hot_configs>();
extern const trace_code gph_trace_code;
const trace_code gph_trace_code = trace_code_of<gph>();

}  // namespace pivotscope
