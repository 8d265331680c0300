// `rx` on the cpu and the trace machine: a translation unit of its own, as it is the large one.
#include "core/batch/host_code_of.hpp"
#include "core/families/rx/hot_configs.hpp"
#include "core/families/rx/rx.hpp"
#include "core/machine/trace/trace_code_of.hpp"

namespace pivotscope {

extern const host_code rx_host_code;
const host_code rx_host_code = host_code_of<rx, rx_hot_configs>();
extern const trace_code rx_trace_code;
const trace_code rx_trace_code = trace_code_of<rx>();

}  // namespace pivotscope
