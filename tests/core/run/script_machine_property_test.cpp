// Every family that changes against the oracle, over random scripts: each batch's answers and the entries after it on the
// cpu machine; and each single write on the trace machine, whose words that it says it changed are all that changed.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "core/machine/trace/trace.hpp"
#include "tests/support/script_cases.hpp"
#include "tests/support/whole_space.hpp"

namespace pivotscope {
namespace {

using testing::script_case;

script_case any_script_case(const std::string& method) {
  const auto words = [](double scale) {
    return *rc::gen::scale(
        scale, rc::gen::container<std::vector<u32>>(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<u32>())));
  };
  const auto of_config = *rc::gen::container<std::vector<u32>>(16, rc::gen::inRange<u32>(0, 1u << 16));
  index_config config = testing::config_of_words(method, of_config);
  config.keys = *rc::gen::element(key_width::u32, key_width::u64);
  config = nearest_accepted(config, "keys");  // wider keys take more scratch
  const u32 different = *rc::gen::inRange<u32>(1, 20);
  const std::vector<u32> keys = words(0.5), asked = words(1);
  return config.keys == key_width::u32 ? testing::case_of_words<u32>(config, different, keys, asked)
                                       : testing::case_of_words<u64>(config, different, keys, asked);
}

std::vector<std::vector<std::byte>> bytes_of(const stored_index& index) {
  std::vector<std::vector<std::byte>> all;
  for (std::size_t r = 0; r < index.regions().size(); ++r) {
    all.emplace_back(index.regions()[r].bytes());
    RC_ASSERT(index.read(region_id(r), 0, all.back()).ok());
  }
  return all;
}

void apply_changes(const stored_index& index, const lookup_trace& trace, std::vector<std::vector<std::byte>>& bytes) {
  for (const trace_step& step : trace.steps) {
    for (const changed_word& word : step.changed) {
      std::byte* const at = bytes[number_of(word.array)].data() +
                            word.slot * index.regions()[number_of(word.array)].cell_bytes + word.offset;
      RC_ASSERT(std::memcmp(at, &word.before, word.bytes) == 0);
      if (word.done) std::memcpy(at, &word.after, word.bytes);
    }
  }
}

// A trace goes down by itself: a batch that looks ahead splits no full node on the way to a leaf with room.
index_config without_look_ahead(index_config config) {
  if (!family_of(config).looks_ahead(config)) return config;
  RC_ASSERT(find_axis(config.family, "look")->set(config, "each"));
  RC_ASSERT(!family_of(config).looks_ahead(config));
  return config;
}

// Each write of the script by itself, one after the other. How many were compared.
u64 compare_writes(machine& on, const script_case& one, std::string& fault) {
  const auto keys = on.load(one.keys, {});
  RC_ASSERT(keys.ok());
  auto built = on.build(without_look_ahead(one.config), *keys, {});
  RC_ASSERT(built.ok());
  std::shared_ptr<const built_index> index = *built;
  u64 compared = 0;
  for (u64 i = 0; i < one.asked.size() && fault.empty(); ++i) {
    const question what = one.asked[i];
    if (!is_write(what.kind)) continue;
    script alone(one.config.keys);
    alone.add(what);
    const outcome<update_result> updated = on.update(*index, alone, 0, {}, {});
    RC_ASSERT(updated.ok());
    // Where room was made the trace, which makes none, is of another index.
    if (std::ranges::all_of(updated->room, [](const stage_time& stage) { return stage.name == "count entries"; }) &&
        std::ranges::equal(index->regions(), updated->index->regions(), {}, &index_region::bytes,
                           &index_region::bytes)) {
      const outcome<lookup_trace> trace = trace_write(*index, what.kind, what.key);
      RC_ASSERT(trace.ok());
      std::vector<std::vector<std::byte>> bytes = bytes_of(*index);
      apply_changes(*index, *trace, bytes);
      if (trace->write->done != updated->done[0])
        fault = fmt::format("{} {} came to '{}', its trace to '{}'", operation_verb(what.kind), what.key,
                            write_done_name(updated->done[0]), write_done_name(trace->write->done));
      else if (bytes != bytes_of(*updated->index))
        fault = fmt::format("{} {} changed other bytes than its trace", operation_verb(what.kind), what.key);
      RC_ASSERT(!trace->verdict.empty());
      ++compared;
    }
    index = updated->index;
  }
  return compared;
}

class ScriptMachine : public ::testing::TestWithParam<std::string> {
 protected:
  const std::unique_ptr<machine> cpu_ = detail::open_cpu();
};

TEST_P(ScriptMachine, AnswersAndHoldsWhatTheOracleAllows) {
  int ran = 0;
  u64 operations = 0;
  testing::check_whole_space(0, ran, [&] {
    const script_case one = any_script_case(GetParam());
    const std::string fault = testing::fault_of(*cpu_, one);
    if (!fault.empty()) RC_FAIL(fault + "\n" + one.written());
    operations += one.asked.size();
    ++ran;
  });
  EXPECT_GT(operations, 10u * static_cast<u64>(ran)) << "scripts are not all tiny";
}

TEST_P(ScriptMachine, TracesOfSingleWritesChangeWhatTheMachineChanges) {
  const index_config config = *config_from_line(GetParam());
  if (!family_of(config).steps_writes(config)) return;  // no write has a path of its own
  u64 compared = 0;
  int ran = 0;
  testing::check_whole_space(1, ran, [&] {
    ++ran;
    const script_case one = any_script_case(GetParam());
    if (!family_of(one.config).steps_writes(one.config)) return;
    std::string fault;
    compared += compare_writes(*cpu_, one, fault);
    if (!fault.empty()) RC_FAIL(fault + "\n" + one.written());
  });
  EXPECT_GT(compared, static_cast<u64>(ran)) << "writes that were compared";
}

INSTANTIATE_TEST_SUITE_P(Method, ScriptMachine, ::testing::ValuesIn(testing::changing_methods()), [](const auto& test) {
  std::string name = test.param;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
});

}  // namespace
}  // namespace pivotscope
