// The family `btree` on the host: the cpu and the trace machine.
#include "core/batch/host_code_of.hpp"
#include "core/families/btree/btree.hpp"
#include "core/families/btree/hot_configs.hpp"
#include "core/machine/trace/trace_code_of.hpp"
namespace pivotscope {
extern const host_code btree_host_code;
const host_code btree_host_code = host_code_of<btree, btree_hot_configs>();

extern const trace_code btree_trace_code;
const trace_code btree_trace_code = trace_code_of<btree>();
}  // namespace pivotscope
