// A workload's line, and the line of a whole scenario.
#include "app/files/scenario_text.hpp"
#include "core/index/check.hpp"
#include "core/index/family.hpp"
#include "tests/fuzz/reader.hpp"

namespace pivotscope::fuzz {

void workload_line(std::string_view bytes) {
  const outcome<workload> load = workload_from_line(bytes);
  if (!load) return demand_words(load.error(), bytes);
  demand(!check(*load, key_width::u64), "what is read is accepted");
  const bool own = load->own_keys.given() || load->own_batch.given() || load->own_script.given();
  // which may be too great for 32 bits
  demand(own || !check(*load, key_width::u32), "what is read is accepted");
  const std::string line = to_line(*load);
  const outcome<workload> again = workload_from_line(line);
  demand(again.ok(), "the line of a workload is read: " + line);
  demand(to_line(*again) == line, "a workload has one line: " + line);
  demand(*again == *load, "the line of a workload gives it back: " + line);
}

void scenario_line(std::string_view bytes) {
  const outcome<scenario_text> scenario = scenario_from_line(bytes);
  if (!scenario) return demand_words(scenario.error(), bytes);
  const index_config config = scenario->config.value_or(default_config());
  const workload load = scenario->load.value_or(workload{});
  const key_width width = scenario->config ? config.keys : key_width::u64;
  demand(!check(config) && !check(load, width), "what is read is accepted");
  if (scenario->key && scenario->config) {
    const u64 greatest = config.keys == key_width::u32 ? greatest_key<u32>() : greatest_key<u64>();
    demand(scenario->key->key <= greatest && scenario->key->high <= greatest, "a key fits the width");
  }
  const bool own = load.own_keys.given() || load.own_batch.given() || load.own_script.given();
  if ((scenario->key || own) && !scenario->config) return;  // its width is not known
  const std::string line = to_line(config, load, scenario->key, scenario->at);
  const outcome<scenario_text> again = scenario_from_line(line);
  demand(again.ok(), "the line of a scenario is read: " + line);
  demand(again->config == config && again->load && again->key == scenario->key && again->at == scenario->at,
         "a scenario's line gives it back: " + line);
  demand(to_line(config, *again->load, again->key, again->at) == line, "a scenario has one line: " + line);
}

}  // namespace pivotscope::fuzz
