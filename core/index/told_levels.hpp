// told_levels: what the model of an index tells, beside index_model, whose levels stand for something together.
#pragma once

#include <string>

#include "core/index/model.hpp"

namespace pivotscope {

class told_levels {
 public:
  virtual ~told_levels() = default;
  // Returns what it is, in a sentence or two: "Levels with entries as bits ...".
  virtual std::string levels_words() const = 0;
};

// Returns those words; empty: the levels are what is seen of them.
inline std::string levels_words(const index_model& model) {
  const auto* const tells = dynamic_cast<const told_levels*>(&model);
  return tells ? tells->levels_words() : std::string();
}

}  // namespace pivotscope
