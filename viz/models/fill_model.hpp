// How full the parts of an index are, as far as its model has such: of what is in view by columns, and of all of them
// counted a little in every frame.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/index/model.hpp"
#include "core/machine/machine.hpp"

namespace pivotscope::viz {

// Parts [first, end) in one column of pixels: of the `counted` of them that were looked at the least, the fullest, and
// all.
struct fill_column {
  u64 first = 0, end = 0;
  u64 counted = 0, filled = 0;
  u32 least = 0, most = 0;
  u32 kinds = 0;  // bit i: one of them is of kind i

  double mean() const { return counted == 0 ? 0 : static_cast<double>(filled) / static_cast<double>(counted); }
};

// Parts that are looked at of a column with more: those side by side that share a page of memory, or so.
inline constexpr u64 most_fill_sampled = 64;

// Nothing: not at hand yet. Of many parts those from the roundest number on, so that panning reads few new ones.
std::optional<fill_column> fill_of(const index_model& model, u64 first, u64 end, const region_reader& read);

// Parts by how full they are: entry i of those that hold i; what holds more than twice its room is the last entry.
struct fill_counts {
  std::vector<u64> parts;
  std::vector<u64> kinds;
  std::vector<std::vector<u64>> of_kind;  // by kind, as `parts`
  u64 count = 0, filled = 0;
  u32 most = 0;

  void add(const part_fill& part, u32 longest);
  double mean() const { return count == 0 ? 0 : static_cast<double>(filled) / static_cast<double>(count); }
};

inline constexpr u64 most_fill_counted = u64{1} << 20;  // parts; of more, a sample of runs
inline constexpr u64 fill_run = u64{1} << 10;           // of one

class fill_study {
 public:
  // `model`: the index's, which has parts.
  fill_study(std::shared_ptr<const built_index> index, std::shared_ptr<const index_model> model);

  const std::shared_ptr<const built_index>& index() const { return index_; }
  const fill_parts& parts() const { return parts_; }
  u32 longest() const { return 2 * parts_.room + 1; }  // the histogram's last entry

  // Counts further parts for about this long; true while there are more.
  bool go_on(double seconds);

  const fill_counts& counts() const { return counts_; }
  bool all_counted() const { return parts_.count <= most_fill_counted; }
  u64 to_count() const { return all_counted() ? parts_.count : runs_ * fill_run; }
  bool failed() const { return failed_; }  // the index could not be read

 private:
  void count_next();

  std::shared_ptr<const built_index> index_;
  std::shared_ptr<const index_model> model_;
  fill_parts parts_;
  u64 runs_ = 0, run_ = 0;
  bool failed_ = false;
  fill_counts counts_;
};

// "Bucket 1,234", and what is to be said of it, line by line.
std::string part_title(const fill_parts& parts, u64 part);
std::string part_card(const index_model& model, const fill_parts& parts, u64 part, const region_reader& read);

}  // namespace pivotscope::viz
