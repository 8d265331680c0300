// told_fields: what the model of an index tells, beside index_model, whose cells have fields that are no plain numbers.
#pragma once

#include <string>

#include "core/index/model.hpp"

namespace pivotscope {

class told_fields {
 public:
  virtual ~told_fields() = default;

  // Returns the meaning of a field's value: "leaf 3"; of moves "2, latched"; of a link "end". Empty: the number says it.
  virtual std::string field_words(cell_ref at, const cell_field& field, u64 value) const = 0;
};

// Null: numbers say it all.
inline const told_fields* fields_told(const index_model& model) { return dynamic_cast<const told_fields*>(&model); }

}  // namespace pivotscope
