#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "core/index/check.hpp"
#include "core/index/config_text.hpp"
#include "tests/support/any_config.hpp"

namespace pivotscope {
namespace {

RC_GTEST_PROP(ConfigProperty, LineAndJsonRoundTrip, ()) {
  const index_config c = *testing::any_config();
  RC_ASSERT(!check(c));
  const auto from_line = config_from_line(to_line(c));
  RC_ASSERT(from_line.ok());
  RC_ASSERT(*from_line == c);
  nlohmann::json json;
  to_json(json, c);
  const auto from_json = config_from_json(nlohmann::json::parse(json.dump()));
  RC_ASSERT(from_json.ok());
  RC_ASSERT(*from_json == c);
}

RC_GTEST_PROP(ConfigProperty, NonsenseIsAProblemNeverACrash, (const std::string& text)) {
  const auto config = config_from_line("EO+KS " + text);
  const bool said = config.ok() || !config.error().words.empty();
  RC_ASSERT(said);
}

}  // namespace
}  // namespace pivotscope
