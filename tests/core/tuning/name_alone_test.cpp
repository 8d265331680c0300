#include "core/tuning/name_alone.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <string>
#include <tuple>
#include <vector>

#include "core/index/axes.hpp"
#include "core/index/check.hpp"
#include "tests/core/tuning/asked_machines.hpp"

namespace pivotscope {
namespace {

machine_info an_h100() {
  machine_info info = a_gpu(50ull << 20);
  info.compute_capability = 90;
  return info;
}

std::string named(std::string_view typed, u64 keys, const machine_info& on) {
  return to_line(config_for(*typed_config_from_line(typed), keys, on));
}

TEST(name_alone, is_a_method_with_or_without_a_key_width) {
  for (const char* line : {"PACKED", "HT+OA", " PACKED ", "PACKED keys=u64", "HT+OA keys=u32"})
    EXPECT_TRUE(typed_config_from_line(line)->name_alone) << line;
  // A knob that is typed stays what it is, and with it all others.
  for (const char* line : {"PACKED leaf=64", "HT+OA lanes=4", "PACKED keys=u64 fill=65", "PACKED threads=256", "EO+BS",
                           "AO+PB+KS", "PLAIN", "PLAIN keys=u64"}) {
    EXPECT_FALSE(typed_config_from_line(line)->name_alone) << line;
    EXPECT_EQ(config_for(*typed_config_from_line(line), 1 << 28, an_h100()), *config_from_line(line)) << line;
  }
  EXPECT_FALSE(typed_config_from_line("PACKED leaf=3").ok());
  EXPECT_FALSE(typed_config_from_line("").ok());
}

// Or a line that was printed would mean something else where it is read again.
TEST(name_alone, is_never_printed) {
  for (const std::string& method : method_names()) {
    for (const char* width : {"", " keys=u64"}) {
      const index_config standard = *config_from_line(method + width);
      const typed_config back = *typed_config_from_line(to_line(standard));
      EXPECT_FALSE(back.name_alone) << to_line(standard);
      EXPECT_EQ(back.config, standard) << to_line(standard);
    }
  }
  EXPECT_EQ(to_line(*config_from_line("PACKED")), "PACKED leaf=64");
  EXPECT_EQ(to_line(*config_from_line("HT+OA keys=u64")), "HT+OA keys=u64 lanes=4");
  EXPECT_EQ(to_line(*config_from_line("EO+BS keys=u64")), "EO+BS keys=u64");
}

// Whatever it is for: a config that is accepted, says itself what it is, and takes next to no more memory than the standard.
TEST(name_alone, stands_for_an_accepted_config_of_as_many_bytes) {
  u64 asked = 0;
  for (const std::string& method : method_names()) {
    for (const key_width width : {key_width::u32, key_width::u64}) {
      typed_config typed = *typed_config_from_line(method);
      typed.config.keys = width;
      const auto bytes_of = [](const index_config& c, u64 keys) {
        double bytes = 0;
        for (const index_region& r : regions_of(c, keys)) bytes += static_cast<double>(r.bytes());
        return bytes;
      };
      for (const u64 cache : {u64{0}, u64{1} << 20, u64{50} << 20, u64{1} << 30}) {
        for (const machine_kind kind : {machine_kind::cpu, machine_kind::cuda}) {
          for (const u32 capability : {75u, 90u}) {
            machine_info on = a_gpu(cache);
            on.kind = kind, on.compute_capability = capability;
            for (u32 log = 0; log <= 31; ++log) {
              const u64 keys = std::min(u64{1} << log, family_of(typed.config).most_keys(typed.config));
              const index_config c = config_for(typed, keys, on);
              const std::string line = to_line(c);
              ++asked;
              EXPECT_EQ(check(c), std::nullopt) << line;
              EXPECT_EQ(c.keys, width) << line;
              EXPECT_EQ(method_name(c), method);
              EXPECT_FALSE(typed_config_from_line(line)->name_alone) << line;
              EXPECT_LE(keys, family_of(c).most_keys(c)) << line;
              const bool may_pin = kind == machine_kind::cuda && capability == 90;
              EXPECT_TRUE(may_pin || family_of(c).pinned_bytes(c) == 0) << line;
              EXPECT_TRUE(log < 16 || bytes_of(c, keys) <= 1.04 * bytes_of(typed.config, keys))
                  << line << ", 2^" << log;
            }
          }
        }
      }
    }
  }
  EXPECT_EQ(asked, method_names().size() * 2 * 4 * 2 * 2 * 32);
}

// As docs/packed.md and docs/hash_tables.md have them: measured on an H100.
TEST(name_alone, follows_the_number_of_keys_their_width_and_the_cache) {
  const std::string grid = " threads=1024 per_thread=8 schedule=static";
  const std::tuple<u32, std::string, std::string> packed[] = {
      {16, "leaf=32 fill=105 flight=2 per_thread=2", "leaf=32 lanes=1 fill=80"},
      {17, "leaf=32 fill=105 flight=2 per_thread=2", "fill=105 flight=2 per_thread=2"},
      {18, "leaf=32 fill=121 flight=2 per_thread=2", "fill=105 scratch=192KiB flight=2" + grid},
      {19, "leaf=32 fill=121 scratch=192KiB flight=4" + grid, "fill=105 scratch=192KiB flight=2" + grid},
      {20, "leaf=32 fill=121 scratch=226KiB flight=4" + grid, "fill=105 scratch=192KiB flight=2" + grid},
      {21, "leaf=32 fill=121 scratch=192KiB flight=4" + grid, "fill=105 scratch=192KiB flight=2" + grid},
      {22, "lanes=4 fill=105 scratch=192KiB flight=2" + grid, "fill=105"},
      {24, "lanes=4 fill=105", "fill=105 reads=kept"},
      {26, "lanes=4 fill=105 reads=kept", "fill=105 reads=kept"},
      {27, "lanes=4 fill=105 reads=kept", "block=32 fill=340 reads=kept"},
      {28, "lanes=4 block=32 fill=400 reads=kept", "leaf=128 lanes=4 block=32 fill=400 reads=kept"}};
  for (const auto& [log, narrow, wide] : packed) {
    EXPECT_EQ(named("PACKED", u64{1} << log, an_h100()), "PACKED " + narrow) << log;
    EXPECT_EQ(named("PACKED keys=u64", u64{1} << log, an_h100()), "PACKED keys=u64 " + wide) << log;
  }
  machine_info small_scratch = an_h100();
  small_scratch.compute_capability = 89;
  EXPECT_EQ(named("PACKED", 1 << 20, small_scratch), "PACKED leaf=32 fill=121");

  const std::tuple<u32, std::string, std::string> tables[] = {
      {16, "lanes=1 window=4 per_thread=4", "lanes=1 window=2 per_thread=4"},
      {20, "lanes=1 window=4 per_thread=4", "lanes=1 window=2 per_thread=4"},
      {22, "lanes=2 per_thread=4", "lanes=2 window=4"},
      {24, "lanes=2", "lanes=2 window=4"},
      {28, "lanes=2", "lanes=2 window=4"}};
  for (const auto& [log, narrow, wide] : tables) {
    EXPECT_EQ(named("HT+OA", u64{1} << log, an_h100()), "HT+OA " + narrow) << log;
    EXPECT_EQ(named("HT+OA keys=u64", u64{1} << log, an_h100()), "HT+OA keys=u64 " + wide) << log;
  }
  machine_info cpu = an_h100();
  cpu.kind = machine_kind::cpu;
  EXPECT_EQ(named("PACKED keys=u64", 1 << 24, cpu), "PACKED keys=u64 leaf=32 lanes=1 fill=105");
  EXPECT_EQ(named("HT+OA", 1 << 20, cpu), "HT+OA lanes=1");
  EXPECT_EQ(named("HT+OA", 1 << 24, cpu), "HT+OA lanes=1 probing=linear");
  // 16 MiB of cells, or the cache where that is less.
  EXPECT_EQ(named("HT+OA", 1'677'721, cpu), "HT+OA lanes=1");
  EXPECT_EQ(named("HT+OA", 1'677'722, cpu), "HT+OA lanes=1 probing=linear");
  cpu.l2_bytes = 8 << 20;
  EXPECT_EQ(named("HT+OA", 1 << 19, cpu), "HT+OA lanes=1");
  EXPECT_EQ(named("HT+OA", 1 << 20, cpu), "HT+OA lanes=1 probing=linear");
}

TEST(name_alone, is_told_as_it_was_typed_until_the_keys_are_known) {
  EXPECT_EQ(words_of(*typed_config_from_line("PACKED keys=u64")), "PACKED");
  EXPECT_EQ(words_of(*typed_config_from_line("PACKED fill=105")), "PACKED fill=105");
}

TEST(name_alone, takes_the_machine_that_was_found) {
  machine_report gpu;
  gpu.kind = machine_kind::cuda, gpu.available = true, gpu.info = an_h100();
  const typed_config typed = *typed_config_from_line("PACKED");
  const std::vector<machine_report> found{gpu};
  EXPECT_EQ(config_for(typed, 1 << 24, machine_kind::cuda, found), config_for(typed, 1 << 24, an_h100()));
  // Of one that was not, the cache is assumed.
  EXPECT_EQ(config_for(typed, 1 << 24, machine_kind::cpu, found), *config_from_line("PACKED leaf=32 lanes=1 fill=105"));
  EXPECT_EQ(config_for(typed, 1 << 24, machine_kind::cuda, {}), config_for(typed, 1 << 24, a_gpu(assumed_cache)));
}

}  // namespace
}  // namespace pivotscope
