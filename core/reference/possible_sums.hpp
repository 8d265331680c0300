// What a range may count when some of its entries may be there or not.
#pragma once

#include <string>
#include <vector>

#include "core/common/answers.hpp"

namespace pivotscope {

// Choices are made one by one: of each, one of its rows counts, or none where that may be. Exact as long as they come to
// at most `most_known` different answers; of more, those are accepted whose count lies between the least and the
// greatest, and whose sum lies between the least and the greatest of that count.
class possible_sums {
 public:
  static constexpr std::size_t most_known = 1024;

  void add(const std::vector<u32>& rows, bool may_be_absent);

  // Words for why `answer` is none of the possible ones; empty: it may be.
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
  std::vector<range_answer> known_{{}};  // what changes comes to, sorted; empty: too many
};

}  // namespace pivotscope
