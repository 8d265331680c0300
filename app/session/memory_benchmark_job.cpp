#include "app/session/memory_benchmark_job.hpp"

#include <utility>

#include "app/built/this_program.hpp"
#include "core/memory_benchmark/memory_benchmark_store.hpp"

namespace pivotscope {
viz::known_memory_benchmarks kept_memory_benchmarks(const std::vector<machine_report>& machines,
                                                    const std::string& cache_folder) {
  viz::known_memory_benchmarks known;
  for (const machine_report& report : machines) {
    if (!report.available) continue;
    kept_memory_benchmark kept =
        load_memory_benchmark(memory_benchmark_path(cache_folder), report.kind, report.info.name, report.info.driver);
    if (kept.found) known[report.kind] = std::make_shared<const memory_benchmark>(std::move(*kept.found));
  }
  return known;
}

memory_benchmark_job::memory_benchmark_job(board& shared, machine_kind on, std::string cache_folder, time_source now)
    : background_job(shared, on, std::move(now)), cache_folder_(std::move(cache_folder)) {}

void memory_benchmark_job::begin() {
  state_.running = machine();
  show();
}

std::shared_ptr<job_control> memory_benchmark_job::control(timing_turns* room) {
  return std::make_shared<job_control>(
      [this](std::string_view stage, double fraction) {
        state_.words = stage, state_.fraction = fraction;
        show_in_time();
      },
      room);
}

bool memory_benchmark_job::go_on(pivotscope::machine& on, const job_control& control) {
  outcome<memory_benchmark> measured = run_memory_benchmark(on, control, now_);
  if (!measured) return measured.error().cancelled || end(measured.error());
  measured->by = this_program();
  const outcome<std::string> kept = keep_memory_benchmark(memory_benchmark_path(cache_folder_), *measured);
  if (const std::string& told = kept ? *kept : kept.error().words; !told.empty()) board_.tell({told, !kept});
  board_.change([&](viz::session_view& view) {
    viz::known_memory_benchmarks all =
        view.memory_benchmarks ? *view.memory_benchmarks : viz::known_memory_benchmarks();
    all[machine()] = std::make_shared<const memory_benchmark>(std::move(*measured));
    view.memory_benchmarks = std::make_shared<const viz::known_memory_benchmarks>(std::move(all));
  });
  return end({});
}

bool memory_benchmark_job::end(const problem& why) {
  state_ = {.of = machine(), .problem = why.words};
  show();
  return false;
}

void memory_benchmark_job::stop() {
  state_ = {};
  show();
}

}  // namespace pivotscope
