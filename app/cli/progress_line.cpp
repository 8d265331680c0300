#include "app/cli/progress_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pivotscope {

void progress_line::report(std::string_view stage, double fraction, double seconds) {
  const std::lock_guard lock(mutex_);
  if (whole_) return;
  // Threads overtake each other by a little; a fall below half means that the stage has begun again.
  const bool again = fraction >= 0 && fraction < fraction_ / 2;
  if (stage != stage_ || again) {
    stage_ = stage;
    stage_began_ = seconds;
    fraction_ = fraction;
  }
  if (fraction >= 0) fraction_ = std::min(1.0, std::max(fraction, fraction_));
}

void progress_line::report_whole(std::string_view words, double fraction, double seconds) {
  const std::lock_guard lock(mutex_);
  if (!whole_) stage_began_ = seconds;
  whole_ = true;
  stage_ = words;
  fraction_ = std::clamp(fraction, 0.0, 1.0);
}

void progress_line::set_heading(std::string heading) {
  const std::lock_guard lock(mutex_);
  heading_ = std::move(heading);
}

std::string progress_line::text(double seconds, std::size_t columns) const {
  const std::lock_guard lock(mutex_);
  if (stage_.empty()) return {};
  const double spent = seconds - stage_began_;
  std::string line = heading_.empty() ? stage_ : fmt::format("{}: {}", heading_, stage_);
  if (fraction_ < 0) {
    if (spent >= 1) line += fmt::format(", {:.0f} s so far", std::floor(spent));
  } else {
    line += fmt::format(" {:.0f}%", std::floor(fraction_ * 100));
    if (spent >= 1 && fraction_ >= 0.02 && fraction_ < 1) {
      line += fmt::format(", {} left", duration_words(spent / fraction_ * (1 - fraction_)));
    }
  }
  if (line.size() > columns) line.resize(columns);
  return line;
}

std::string duration_words(double seconds) {
  if (seconds < 99.5) return fmt::format("about {:.0f} s", std::max(1.0, std::round(seconds)));
  const double minutes = std::round(seconds / 60);
  if (minutes < 60) return fmt::format("about {:.0f} min", minutes);
  return fmt::format("about {:.0f} h {:.0f} min", std::floor(minutes / 60), std::fmod(minutes, 60));
}

}  // namespace pivotscope
