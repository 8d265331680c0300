// What a line of progress says: which stage, how far, and how long it may still take. Knows no terminal and no clock.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

namespace pivotscope {

// Stages report from any thread, in any order. The estimate is the stage's own: time so far, scaled by what is left. It
// is silent until the stage has run for a second and a fiftieth of it is done, since earlier it would be a guess.
class progress_line {
 public:
  // Seconds count from any beginning.
  void report(std::string_view stage, double fraction, double seconds);

  // How far the whole operation is. From then on it is shown, with its own estimate, and its many short stages are not.
  void report_whole(std::string_view words, double fraction, double seconds);

  // What comes before the stage: "EO+BS, 2 of 5".
  void set_heading(std::string heading);

  // "EO+BS, 2 of 5: sorting 41%, about 3 s left"; empty before the first report. At most `columns` characters.
  std::string text(double seconds, std::size_t columns) const;

 private:
  mutable std::mutex mutex_;
  std::string heading_;
  std::string stage_;
  bool whole_ = false;
  double stage_began_ = 0;
  double fraction_ = -1;  // negative: unknown
};

// "about 3 s", "about 2 min", "about 1 h 20 min".
std::string duration_words(double seconds);

}  // namespace pivotscope
