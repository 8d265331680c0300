// An executor whose family asks for no arrays: what a test needs of one that has none.
#pragma once

#include "core/index/executor.hpp"

namespace pivotscope::testing {

template <class Base = executor>
class without_arrays : public Base {
 public:
  void trim(region_id, u64) override {}
  status allocate_array(array_id, u64, std::string_view) override { return none(); }
  status sort_pairs(array_id, array_id, u64, std::string_view) override { return none(); }

 private:
  static problem none() { return {"this executor has no arrays"}; }
};

}  // namespace pivotscope::testing
