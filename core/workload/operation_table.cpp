#include "core/workload/operation_table.hpp"

namespace pivotscope {

std::string option_name(std::string_view words_or_field) {
  std::string name(words_or_field);
  std::ranges::replace_if(
      name, [](char c) { return c == ' ' || c == '_'; }, '-');
  return name;
}

std::string listed_signs() {
  std::string list;
  for (const operation_info& one : operation_table) {
    const std::string written = one.sign.empty() ? "5..9" : std::string(one.sign) + "5";
    list += (list.empty() ? "" : ", ") + written + " " + std::string(one.one);
  }
  return list;
}

std::string listed_verbs() {
  std::string list;
  for (const operation_info& one : operation_table)
    list += (list.empty() ? "" : ", ") + std::string(one.verb) + (one.kind == operation::range ? " A B" : " K");
  return list;
}

std::string_view write_done_name(write_done done) {
  switch (done) {
    case write_done::added:
      return "added";
    case write_done::revived:
      return "revived";
    case write_done::replaced:
      return "replaced";
    case write_done::full:
      return "full";
    case write_done::erased:
      return "erased";
    case write_done::absent:
      return "absent";
    case write_done::read:
      return "read";
    case write_done::noted:
      return "noted";
    case write_done::not_done:
      break;
  }
  return "not done";
}

}  // namespace pivotscope
