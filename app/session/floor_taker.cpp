#include "app/session/floor_taker.hpp"

#include <utility>

#include "app/built/this_program.hpp"
#include "core/memory_benchmark/memory_benchmark_store.hpp"

namespace pivotscope {
namespace {

constexpr double seconds_between_frames = 0.033;

}  // namespace

viz::known_memory_benchmarks kept_memory_benchmarks(const std::vector<machine_report>& machines, const std::string& cache_folder) {
  viz::known_memory_benchmarks known;
  for (const machine_report& report : machines) {
    if (!report.available) continue;
    kept_memory_benchmark kept = load_memory_benchmark(memory_benchmark_path(cache_folder), report.kind, report.info.name, report.info.driver);
    if (kept.found) known[report.kind] = std::make_shared<const memory_benchmark>(std::move(*kept.found));
  }
  return known;
}

floor_taker::floor_taker(board& shared, machine_kind on, std::string cache_folder, time_source now)
    : board_(shared), kind_(on), cache_folder_(std::move(cache_folder)), now_(std::move(now)), shown_at_(now_()) {}

void floor_taker::begin() {
  state_.running = kind_;
  show();
}

std::shared_ptr<job_control> floor_taker::control(timing_turns* room) {
  return std::make_shared<job_control>(
      [this](std::string_view stage, double fraction) {
        state_.words = stage, state_.fraction = fraction;
        if (seconds_between(shown_at_, now_()) > seconds_between_frames) show();
      },
      room);
}

bool floor_taker::go_on(pivotscope::machine& on, const job_control& control) {
  outcome<memory_benchmark> measured = run_memory_benchmark(on, control, now_);
  if (!measured) return measured.error().cancelled || end(measured.error());
  measured->by = this_program();
  const outcome<std::string> kept = keep_memory_benchmark(memory_benchmark_path(cache_folder_), *measured);
  if (const std::string& told = kept ? *kept : kept.error().words; !told.empty()) board_.tell({told, !kept});
  board_.change([&](viz::session_view& view) {
    viz::known_memory_benchmarks all = view.floors ? *view.floors : viz::known_memory_benchmarks();
    all[kind_] = std::make_shared<const memory_benchmark>(std::move(*measured));
    view.floors = std::make_shared<const viz::known_memory_benchmarks>(std::move(all));
  });
  return end({});
}

bool floor_taker::end(const problem& why) {
  state_ = {.of = kind_, .problem = why.words};
  show();
  return false;
}

void floor_taker::stop() {
  state_ = {};
  show();
}

void floor_taker::show() {
  shown_at_ = now_();
  board_.change([&](viz::session_view& view) { view.floor = state_; });
}

}  // namespace pivotscope
