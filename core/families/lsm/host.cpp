// The family `lsm` on the host: the cpu and the trace machine.
#include "core/batch/host_code_of.hpp"
#include "core/families/lsm/lsm.hpp"
#include "core/machine/trace/trace_code_of.hpp"

namespace pivotscope {
namespace {

// The search is compiled for its key width, unless the batch is sorted first. Nothing else of a config matters to it.
struct lsm_hot_configs {
  template <key_width Keys, class F>
  static bool with(const lsm_config& config, F&& f) {
    if (config.launch.reorder == reorder_kind::none) return f(static_config<lsm_config{.keys = Keys}>{});
    return f(dynamic_config{config});
  }
};

}  // namespace

extern const host_code lsm_host_code;
const host_code lsm_host_code = host_code_of<lsm, lsm_hot_configs>();
extern const trace_code lsm_trace_code;
const trace_code lsm_trace_code = trace_code_of<lsm>();

}  // namespace pivotscope
