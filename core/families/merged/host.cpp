// The family `merged` on the host: the cpu and the trace machine.
#include "core/batch/host_code_of.hpp"
#include "core/families/merged/merged.hpp"
#include "core/machine/trace/trace_code_of.hpp"

namespace pivotscope {
namespace {

// The search is compiled for its key width, unless the batch is sorted first. Nothing else of a config matters to it.
struct merged_hot_configs {
  template <key_width Keys, class F>
  static bool with(const merged_config& config, F&& f) {
    if (config.launch.reorder == reorder_kind::none) return f(static_config<merged_config{.keys = Keys}>{});
    return f(dynamic_config{config});
  }
};

}  // namespace

extern const host_code merged_host_code;
const host_code merged_host_code = host_code_of<merged, merged_hot_configs>();
extern const trace_code merged_trace_code;
const trace_code merged_trace_code = trace_code_of<merged>();

}  // namespace pivotscope
