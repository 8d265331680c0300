// A config, as a line and as JSON.
#include <nlohmann/json.hpp>

#include "core/index/check.hpp"
#include "core/index/config_text.hpp"
#include "tests/fuzz/reader.hpp"

namespace pivotscope::fuzz {
namespace {

void demand_round_trips(const index_config& config) {
  demand(!check(config), "what is read is a config that is accepted");
  const std::string line = to_line(config);
  const outcome<index_config> from_line = config_from_line(line);
  demand(from_line.ok(), "the line of a config is read: " + line);
  demand(*from_line == config, "the line of a config gives it back: " + line);
  demand(to_line(*from_line) == line, "a config has one line");
  const nlohmann::json json = config;
  const outcome<index_config> from_json = config_from_json(json);
  demand(from_json.ok() && *from_json == config, "the JSON of a config gives it back: " + line);
}

}  // namespace

void config_line(std::string_view bytes) {
  const outcome<index_config> config = config_from_line(bytes);
  if (config) return demand_round_trips(*config);
  demand_words(config.error(), bytes);
}

void config_json(std::string_view bytes) {
  const nlohmann::json json = nlohmann::json::parse(bytes, nullptr, false);
  if (json.is_discarded()) return;
  const outcome<index_config> config = config_from_json(json);
  if (config) return demand_round_trips(*config);
  demand_words(config.error(), bytes);
}

}  // namespace pivotscope::fuzz
