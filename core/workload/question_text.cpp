#include "core/workload/question_text.hpp"

#include <fmt/format.h>

#include "core/workload/operation_table.hpp"

namespace pivotscope {

std::string to_list_item(const question& asked) {
  if (asked.kind == operation::range) return fmt::format("{}..{}", asked.key, asked.high);
  return fmt::format("{}{}", info_of(asked.kind).sign, asked.key);
}

std::string to_text(const question& asked) {
  return asked.kind == operation::find ? std::to_string(asked.key) : to_list_item(asked);
}

}  // namespace pivotscope
