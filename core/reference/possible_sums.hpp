// The answers that a range may give if some of its entries may be there or not.
#pragma once

#include <string>
#include <vector>

#include "core/common/answers.hpp"

namespace pivotscope {

// Choices are added one by one: of each choice one of its rows counts, or none if it may be absent. The check is exact
// while there are at most `most_known` different answers. With more, it accepts an answer whose count lies between the
// least and the greatest count, and whose sum lies between the least and the greatest sum of that count.
class possible_sums {
 public:
  static constexpr std::size_t most_known = 1024;

  void add(const std::vector<u32>& rows, bool may_be_absent);

  // Returns words for why `answer` is not possible; empty: it is.
  std::string fault(const range_answer& answer) const;

 private:
  struct changing {
    u32 least, greatest;  // of its rows
    bool may_be_absent;
  };
  range_answer sums_of(u64 count, bool greatest) const;
  u64 least_count() const;

  range_answer certain_;  // choices of one row
  std::vector<changing> changing_;
  std::vector<range_answer> known_{{}};  // the possible results of changing_, sorted; empty: too many
};

}  // namespace pivotscope
