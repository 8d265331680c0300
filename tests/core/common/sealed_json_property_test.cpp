// A sealed text is told from every other one.
#include "core/common/sealed_json.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace pivotscope {
namespace {

std::string any_object() {
  nlohmann::json all = {{"a", 0.0013}};
  for (const auto& [name, value] : *rc::gen::arbitrary<std::map<unsigned char, double>>())
    all[std::to_string(name)] = value;
  return all.dump(1) + "\n";
}

RC_GTEST_PROP(SealedJsonProperty, ASealIsRightAndTheTextIsJson, ()) {
  const std::string text = any_object(), with = sealed(text);
  RC_ASSERT(seal_of(with) == seal::right);
  RC_ASSERT(seal_of(text) == seal::none);
  nlohmann::json read = nlohmann::json::parse(with);
  read.erase("checksum");
  RC_ASSERT(read == nlohmann::json::parse(text));
}

// Each byte changed, taken away or added.
RC_GTEST_PROP(SealedJsonProperty, NoDamageIsTakenForRight, ()) {
  const std::string with = sealed(any_object());
  const auto at = *rc::gen::inRange<std::size_t>(0, with.size());
  std::string changed = with, shorter = with, longer = with;
  changed[at] = static_cast<char>(changed[at] ^ *rc::gen::inRange(1, 256));
  shorter.erase(at, 1);
  longer.insert(at, 1, *rc::gen::arbitrary<char>());
  for (const std::string& damaged : {changed, shorter, with.substr(0, at)})
    RC_ASSERT(seal_of(damaged) != seal::right || damaged == with);
  RC_ASSERT(seal_of(longer) != seal::right);
}

}  // namespace
}  // namespace pivotscope
