#include "app/session/floor_taker.hpp"

#include <utility>

#include "app/built/this_program.hpp"
#include "core/floor/floor_store.hpp"

namespace pivotscope {
namespace {

constexpr double seconds_between_frames = 0.033;

}  // namespace

viz::known_floors kept_floors(const std::vector<machine_report>& machines, const std::string& cache_folder) {
  viz::known_floors known;
  for (const machine_report& report : machines) {
    if (!report.available) continue;
    kept_floor kept = load_floor(floor_path(cache_folder), report.kind, report.info.name, report.info.driver);
    if (kept.found) known[report.kind] = std::make_shared<const device_floor>(std::move(*kept.found));
  }
  return known;
}

floor_taker::floor_taker(board& shared, machine_kind on, std::string cache_folder, time_source now)
    : board_(shared), kind_(on), cache_folder_(std::move(cache_folder)), now_(std::move(now)), shown_at_(now_()) {}

void floor_taker::begin() {
  state_.running = kind_;
  show();
}

std::shared_ptr<job_control> floor_taker::control(quiet_room* room) {
  return std::make_shared<job_control>(
      [this](std::string_view stage, double fraction) {
        state_.words = stage, state_.fraction = fraction;
        if (seconds_between(shown_at_, now_()) > seconds_between_frames) show();
      },
      room);
}

bool floor_taker::go_on(pivotscope::machine& on, const job_control& control) {
  outcome<device_floor> measured = measure_floor(on, control, now_);
  if (!measured) return measured.error().cancelled || end(measured.error());
  measured->by = this_program();
  const outcome<std::string> kept = keep_floor(floor_path(cache_folder_), *measured);
  if (const std::string& told = kept ? *kept : kept.error().words; !told.empty()) board_.tell({told, !kept});
  board_.change([&](viz::session_view& view) {
    viz::known_floors all = view.floors ? *view.floors : viz::known_floors();
    all[kind_] = std::make_shared<const device_floor>(std::move(*measured));
    view.floors = std::make_shared<const viz::known_floors>(std::move(all));
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
