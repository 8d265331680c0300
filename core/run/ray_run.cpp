#include "core/run/ray_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/index/family.hpp"
#include "core/index/ray_lookups.hpp"
#include "core/machine/cuda_rays.hpp"
#include "core/rays/embree/embree_library.hpp"
#include "core/rays/embree/embree_tracer.hpp"
#include "core/rays/own_tracer.hpp"
#include "core/rays/vulkan/vulkan_device.hpp"
#include "core/rays/vulkan/vulkan_tracer.hpp"
#include "core/statistics/samples.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

// CUDA writes its corners and rays, and reads its hits, where both are there on one GPU.
outcome<std::unique_ptr<ray_tracer>> make_vulkan_beside_cuda(const std::shared_ptr<const ray_scene>& scene) {
  return make_vulkan_tracer(scene, make_cuda_sharer());
}

status embree_is_here() {
  const outcome<const embree_library*> found = find_embree();
  if (!found) return found.error();
  return fine();
}
status cuda_is_here() {
  const machine_report report = detail::report_cuda();
  if (!report.available) return problem{report.why_not};
  return fine();
}
status vulkan_is_here() { return vulkan_device::is_here(); }

constexpr tracer_kind kinds[] = {{"own", make_own_tracer},
                                 {"embree", make_embree_tracer, embree_is_here},
                                 {"cuda", make_cuda_tracer, cuda_is_here},
                                 {"vulkan", make_vulkan_beside_cuda, vulkan_is_here}};

// A tracer at work, and its record.
class timed_tracer {
 public:
  timed_tracer(const tracer_kind& kind, const std::shared_ptr<const ray_scene>& scene) {
    record_.tracer = kind.name;
    outcome<std::unique_ptr<ray_tracer>> made = kind.make(scene);
    if (!made) {
      (kind.is_here() ? record_.failed : record_.why_not) = made.error().words;
      return;
    }
    tracer_ = std::move(*made);
    record_.name = tracer_->name(), record_.runs_on = tracer_->runs_on(), record_.caution = tracer_->caution();
    record_.sharing = tracer_->sharing();
    record_.cost = tracer_->cost();
  }

  // Traces a round and compares its hits with `own`, if those are there yet.
  void trace(const ray_scene& scene, std::span<const axis_ray> rays, std::span<const ray_hit> own, u32 repeats,
             const job_control& control) {
    if (!tracer_) return;
    hits_.assign(rays.size(), ray_hit{});
    std::vector<double> trace_ms, upload_ms, handover_ms;
    for (u32 i = 0; i < repeats && !control.cancelled(); ++i) {
      const outcome<trace_times> times = tracer_->trace(rays, hits_);
      if (!times) return give_up(times.error().words);
      trace_ms.push_back(times->trace_ms), upload_ms.push_back(times->upload_ms);
      handover_ms.push_back(times->handover_ms);
    }
    record_.times.trace_ms += summary_of(trace_ms).median, record_.times.upload_ms += summary_of(upload_ms).median;
    record_.times.handover_ms += summary_of(handover_ms).median;
    const hits_compared compared = compare_hits(scene, rays, own, hits_, record_.name);
    if (record_.others == 0 && compared.first) record_.first_other = compared.first->words;
    record_.others += compared.others;
  }

  const traced_rays& record() const { return record_; }

 private:
  // One that has hit wrong before stays known for that.
  void give_up(const std::string& why) {
    if (record_.others == 0) record_ = {.tracer = record_.tracer, .failed = why};
    tracer_.reset();
  }

  traced_rays record_;
  std::unique_ptr<ray_tracer> tracer_;
  std::vector<ray_hit> hits_;
};

double build_ms_of(const built_index& index) {
  double ms = 0;
  for (const stage_time& stage : index.build_times()) ms += stage.median();
  return ms;
}

}  // namespace

std::span<const tracer_kind> tracer_kinds() { return kinds; }

const tracer_kind* tracer_named(std::string_view name) {
  const auto found = std::find_if(std::begin(kinds), std::end(kinds), [&](const auto& k) { return k.name == name; });
  return found == std::end(kinds) ? nullptr : found;
}

u64 ray_record::rays() const { return std::accumulate(rounds.begin(), rounds.end(), u64{0}); }
bool ray_record::is_right() const {
  return std::all_of(by.begin(), by.end(), [](const traced_rays& one) { return one.others == 0; });
}

outcome<ray_record> trace_lookups(const built_index& index, const key_array& asked,
                                  std::span<const tracer_kind* const> tracers, u32 repeats,
                                  const job_control& control) {
  outcome<std::unique_ptr<ray_lookups>> lookups = family_of(index.config()).rays_of(index, asked);
  if (!lookups) return lookups.error();
  if (status enough = check_host_memory((*lookups)->rays().size() * sizeof(ray_hit) * (tracers.size() + 1),
                                        fmt::format("the hits of {} tracers", tracers.size() + 1));
      !enough)
    return enough.error();
  const std::shared_ptr<const ray_scene> scene = (*lookups)->scene();
  ray_record record{
      .lookups = asked.size(), .triangles = scene->triangles.size(), .index_build_ms = build_ms_of(index)};

  outcome<std::unique_ptr<ray_tracer>> judge = make_own_tracer(scene);
  if (!judge) return judge.error();
  std::vector<timed_tracer> timed;
  for (const tracer_kind* kind : tracers) {
    control.progress(fmt::format("building for {}", kind->name), -1);
    timed.emplace_back(*kind, scene);
    if (control.cancelled()) return job_control::cancelled_problem();
  }
  std::vector<ray_hit> own;
  while (!(*lookups)->rays().empty()) {
    const std::span<const axis_ray> rays = (*lookups)->rays();
    record.rounds.push_back(rays.size());
    own.assign(rays.size(), ray_hit{});
    if (const auto traced = (*judge)->trace(rays, own); !traced) return traced.error();
    for (timed_tracer& one : timed) {
      control.progress(fmt::format("tracing round {} by {}", record.rounds.size(), one.record().tracer), -1);
      one.trace(*scene, rays, own, std::max(repeats, 1u), control);
      if (control.cancelled()) return job_control::cancelled_problem();
    }
    (*lookups)->go_on(own);
  }
  for (const timed_tracer& one : timed) record.by.push_back(one.record());
  return record;
}

std::string methods_that_cast_rays() {
  std::string list;
  for (const family* one : families()) {
    if (!one->casts_rays()) continue;
    for (const method& m : one->methods()) list += (list.empty() ? "" : ", ") + m.name;
  }
  return list;
}

}  // namespace pivotscope
