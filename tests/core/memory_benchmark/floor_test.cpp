// A device's floor: what is asked, what is kept of it, and which rates follow. Over a machine whose times are given.
#include "core/memory_benchmark/memory_benchmark.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/common/whole_file.hpp"
#include "core/memory_benchmark/device_rates.hpp"
#include "core/memory_benchmark/memory_benchmark_store.hpp"
#include "tests/app/expectations.hpp"
#include "tests/app/given_machine.hpp"

namespace pivotscope {
namespace {

memory_benchmark given_floor(machine_kind kind = machine_kind::cuda) {
  given_machine on(kind);
  auto measured = run_memory_benchmark(on, {});
  EXPECT_TRUE(measured) << measured.error().words;
  return *measured;
}

// With an L2 that arrays of the list fit into, and figures for all that the given machine has no room for.
memory_benchmark h200_like() {
  memory_benchmark floor = given_floor();
  floor.name = "NVIDIA H200", floor.driver = "580.1", floor.l2_bytes = 60u << 20;
  for (benchmark_point& point : floor.points)
    if (!point.measured()) point.runs = 10, point.requests = 1u << 26, point.threads = 4096, point.ms = 6;
  return floor;
}

u64 count_of(const std::vector<benchmark_point>& points, benchmark_kind kind) {
  return static_cast<u64>(std::count_if(points.begin(), points.end(), [&](const auto& p) { return p.kind == kind; }));
}

TEST(floor, asks_each_kind_of_question) {
  for (const machine_kind kind : {machine_kind::cpu, machine_kind::cuda}) {
    const std::vector<benchmark_point> points = benchmark_points(kind);
    EXPECT_EQ(count_of(points, benchmark_kind::gather), 13u * 3 + 6) << "1 MiB to 4 GiB; 96 bytes of six of them";
    EXPECT_EQ(count_of(points, benchmark_kind::scattered), 7u) << "64 MiB to 4 GiB";
    EXPECT_EQ(count_of(points, benchmark_kind::lines), 1u);
    EXPECT_EQ(count_of(points, benchmark_kind::latency), 3u);
    EXPECT_EQ(count_of(points, benchmark_kind::copy), 1u);
    EXPECT_EQ(count_of(points, benchmark_kind::coalescing), 11u) << "groups of 1 to 1024";
    for (const benchmark_point& point : points) {
      if (point.kind == benchmark_kind::copy) continue;
      const gather_shape shape = shape_of(point.asked, 1u << 18);
      EXPECT_GT(shape.places, 0u);
      EXPECT_LT(u64{shape.groups} * shape.steps, u64{1} << 32) << "each step draws with bits of its own";
    }
  }
}

// The paper's, Section 3.4: 2^28 entries, 2^16 threads, 1024 steps, whatever the group.
TEST(floor, figure_7_is_the_paper_s) {
  for (const benchmark_point& point : benchmark_points(machine_kind::cuda)) {
    if (point.kind != benchmark_kind::coalescing) continue;
    const gather_shape shape = shape_of(point.asked, 1u << 18);
    EXPECT_EQ(point.asked.bytes, u64{1} << 30);
    EXPECT_EQ(shape.threads, 1u << 16);
    EXPECT_EQ(shape.steps, 1024u);
    EXPECT_EQ(shape.groups, (1u << 16) / point.asked.lanes);
    EXPECT_EQ(point.asked.request_bytes(), 4 * point.asked.lanes);
    EXPECT_EQ(shape.places, (1u << 28) - point.asked.lanes + 1) << "from any entry on";
  }
}

TEST(floor, has_rates_by_the_median_and_says_what_had_no_room) {
  const memory_benchmark floor = given_floor();
  EXPECT_EQ(floor.name, "Given Machine");
  EXPECT_EQ(floor.points.size(), benchmark_points(machine_kind::cuda).size());
  u64 without = 0;
  for (const benchmark_point& point : floor.points) {
    without += !point.measured();
    EXPECT_EQ(point.measured(), point.asked.bytes <= 1u << 30);
    if (!point.measured()) continue;
    EXPECT_GE(point.runs, 10u);
    EXPECT_GT(point.per_second(), 0);
  }
  EXPECT_EQ(without, 2u * 4) << "arrays of 2 and 4 GiB";
  const benchmark_point& first = floor.points.front();  // 32 bytes of 1 MiB
  const double ms = 1 + 1.0 / 1024 + 32 / 256.0;
  EXPECT_DOUBLE_EQ(first.ms, ms);
  EXPECT_DOUBLE_EQ(first.per_second(), static_cast<double>(first.requests) / ms * 1e3);
  const auto copy = std::find_if(floor.points.begin(), floor.points.end(),
                                 [](const benchmark_point& p) { return p.kind == benchmark_kind::copy; });
  EXPECT_DOUBLE_EQ(copy->per_second(), 2.0 * (1u << 30) / 0.5e-3) << "read and written";
  const auto latency = std::find_if(floor.points.begin(), floor.points.end(),
                                    [](const benchmark_point& p) { return p.kind == benchmark_kind::latency; });
  EXPECT_DOUBLE_EQ(latency->step_ns(), latency->ms * 1e6 / 4096) << "32 threads wait side by side";
}

TEST(floor, is_measured_on_the_cpu) {
  const auto cpu = detail::open_cpu();
  std::vector<gather_question> asked;
  for (const benchmark_point& point : benchmark_points(machine_kind::cpu))
    if (point.asked.bytes <= 2u << 20) asked.push_back(point.asked);
  ASSERT_EQ(asked.size(), 2u * 4 + 1 + 1);
  const auto told = cpu->gather(asked, {}, {});
  ASSERT_TRUE(told) << told.error().words;
}

TEST(floor_store, what_was_kept_comes_back_for_its_device_and_driver) {
  const scratch_folder folder;
  const auto path = folder / "deeper" / "floors.json";
  const memory_benchmark floor = h200_like();
  EXPECT_FALSE(load_memory_benchmark(path, floor.kind, floor.name, floor.driver).found);
  ASSERT_TRUE(keep_memory_benchmark(path, floor));
  const kept_memory_benchmark kept = load_memory_benchmark(path, floor.kind, floor.name, floor.driver);
  ASSERT_TRUE(kept.found) << kept.note;
  EXPECT_EQ(nlohmann::json(*kept.found), nlohmann::json(floor));
  EXPECT_FALSE(load_memory_benchmark(path, floor.kind, floor.name, "580.2").found) << "another driver";
  EXPECT_FALSE(load_memory_benchmark(path, machine_kind::cpu, floor.name, floor.driver).found);
  EXPECT_FALSE(load_memory_benchmark(path, floor.kind, "NVIDIA A100", floor.driver).found);
  // The newest where any driver will do; the other stays.
  memory_benchmark other = floor;
  other.driver = "590.0", other.seconds = 99;
  ASSERT_TRUE(keep_memory_benchmark(path, other));
  EXPECT_EQ(load_memory_benchmark(path, floor.kind, floor.name, std::nullopt).found->seconds, 99);
  EXPECT_EQ(load_memory_benchmark(path, floor.kind, floor.name, "580.1").found->seconds, floor.seconds);
  // One in its own place.
  other.seconds = 98;
  ASSERT_TRUE(keep_memory_benchmark(path, other));
  EXPECT_EQ(nlohmann::json::parse(contents_of(path))["floors"].size(), 2u);
  EXPECT_EQ(load_memory_benchmark(path, floor.kind, floor.name, "590.0").found->seconds, 98);
}

// Whose measurement it is, where it is shown again.
TEST(floor_store, says_which_program_measured) {
  const scratch_folder folder;
  const auto path = folder / "floors.json";
  memory_benchmark floor = h200_like();
  floor.by = {"pivotscope 1", "abc"}, floor.clocks = "1 MHz";
  ASSERT_TRUE(keep_memory_benchmark(path, floor));
  EXPECT_EQ(load_memory_benchmark(path, floor.kind, floor.name, floor.driver).found->by, floor.by);
  const std::string csv = memory_benchmark_csv(floor);
  EXPECT_NE(csv.find(",step_ns,machine,device,driver,clocks,program,commit\n"), csv.npos) << csv.substr(0, 200);
  EXPECT_TRUE(csv.ends_with(",,cuda,NVIDIA H200,580.1,1 MHz,pivotscope 1,abc\n")) << csv;
  nlohmann::json older = floor;
  older.erase("program"), older.erase("commit");
  EXPECT_EQ(memory_benchmark_from_json(older)->by, measured_by{}) << "kept before it was said";
}

TEST(floor_store, what_is_damaged_is_a_miss_with_a_note) {
  const scratch_folder folder;
  const auto path = folder / "floors.json";
  const memory_benchmark floor = h200_like();
  folder.write("floors.json", "nonsense");
  EXPECT_EQ(load_memory_benchmark(path, floor.kind, floor.name, floor.driver).note,
            "What was measured before of devices, in " + path.string() +
                ", cannot be used (it is no JSON); the next `pivotscope floor` keeps it aside and begins anew.");
  const outcome<std::string> kept = keep_memory_benchmark(path, floor);
  ASSERT_TRUE(kept);
  EXPECT_NE(kept->find("it is kept as " + path.string() + ".not-understood-1"), std::string::npos) << *kept;

  // Each field, missing or of another kind.
  nlohmann::json whole = nlohmann::json::parse(contents_of(path));
  whole["floors"][0].erase("checksum");  // which tells of each, and older programs wrote none
  u32 tried = 0;
  const auto try_with = [&](const nlohmann::json& changed) {
    folder.write("floors.json", changed.dump());
    const kept_memory_benchmark found = load_memory_benchmark(path, floor.kind, floor.name, floor.driver);
    EXPECT_FALSE(found.found) << changed.dump().substr(0, 300);
    ++tried;
    return found.note;
  };
  for (const auto& [name, value] : whole["floors"][0]["points"][0].items()) {
    if (name == "per_second" || name == "step_ns") continue;  // they follow from the others
    for (const nlohmann::json& bad : {nlohmann::json(-1), nlohmann::json("x"), nlohmann::json()}) {
      nlohmann::json changed = whole;
      changed["floors"][0]["points"][0][name] = bad;
      EXPECT_NE(try_with(changed).find("`pivotscope floor` measures it anew"), std::string::npos) << name;
    }
  }
  nlohmann::json fewer = whole;
  fewer["floors"][0]["points"].erase(3);
  EXPECT_NE(try_with(fewer).find("it has other points"), std::string::npos);
  EXPECT_EQ(tried, 10u * 3 + 1);
}

TEST(device_rates, of_a_floor_are_its_points) {
  const memory_benchmark floor = h200_like();
  const std::optional<device_rates> rates = rates_of(floor);
  ASSERT_TRUE(rates);
  EXPECT_FALSE(rates->built_in);
  EXPECT_EQ(rates->words(), "the rates that `pivotscope floor` measured of NVIDIA H200");
  const auto rate_of = [&](u64 array, u32 bytes) {
    for (const benchmark_point& p : floor.points)
      if (p.kind == benchmark_kind::gather && p.asked.bytes == array && p.asked.request_bytes() == bytes)
        return p.per_second();
    return 0.0;
  };
  // L2: the largest array that half of it has room for.
  for (const u32 sectors : {1u, 2u, 3u, 4u}) EXPECT_EQ(rates->l2[sectors], rate_of(16u << 20, 32 * sectors));
  // Past it: 32 MiB to 4 GiB.
  ASSERT_EQ(rates->dram.size(), 8u);
  EXPECT_EQ(rates->dram.front().bytes, 32u << 20);
  EXPECT_EQ(rates->dram.front().atom, rate_of(32u << 20, 32)) << "the better one of 32 and 64 bytes";
  EXPECT_EQ(rates->dram.front().two_atoms, rate_of(32u << 20, 128));
  EXPECT_EQ(rates->gathers_per_second(u64{1} << 28, 1), rate_of(u64{1} << 28, 32));
  EXPECT_GT(rates->gathers_per_second(3u << 27, 1), rate_of(u64{1} << 29, 32));
  EXPECT_LT(rates->gathers_per_second(3u << 27, 1), rate_of(u64{1} << 28, 32));
  ASSERT_EQ(rates->scattered.size(), 7u);
  EXPECT_EQ(rates->scattered.front().bytes, 64u << 20);
  EXPECT_EQ(rates->scattered_per_second(1), rates->scattered.front().requests);
  EXPECT_EQ(rates->scattered_per_second(u64{1} << 32), rates->scattered.back().requests);
  EXPECT_FALSE(device_rates().scattered_per_second(1 << 20)) << "nobody measured it of the built-in one";
}

TEST(device_rates, want_every_point) {
  for (const benchmark_kind kind : {benchmark_kind::gather, benchmark_kind::lines, benchmark_kind::copy}) {
    memory_benchmark floor = h200_like();
    for (benchmark_point& point : floor.points)
      if (point.kind == kind) point.runs = 0, point.ms = 0;
    EXPECT_FALSE(rates_of(floor)) << floor_name(kind);
  }
  memory_benchmark small_cache = h200_like();
  small_cache.l2_bytes = 1u << 20;
  EXPECT_FALSE(rates_of(small_cache)) << "no array fits into half of it";
  // What only Figure 7 and the latency have is not needed.
  memory_benchmark floor = h200_like();
  for (benchmark_point& point : floor.points)
    if (point.kind == benchmark_kind::latency || point.kind == benchmark_kind::coalescing) point.runs = 0, point.ms = 0;
  EXPECT_TRUE(rates_of(floor));
}

TEST(device_rates, are_those_kept_of_the_gpu_that_is_modelled) {
  const scratch_folder folder;
  const std::string cache = (folder / "").string();
  machine_info cpu, gpu;
  cpu.name = "a CPU";
  gpu.kind = machine_kind::cuda, gpu.name = "NVIDIA H200", gpu.driver = "580.1";
  EXPECT_EQ(find_rates(cache, cpu).rates, device_rates());
  EXPECT_EQ(find_rates(cache, gpu).rates, device_rates());
  EXPECT_EQ(device_rates().words(), "the rates of an NVIDIA H200, which are built in");
  const memory_benchmark floor = h200_like();
  ASSERT_TRUE(keep_memory_benchmark(folder / "floors.json", floor));
  EXPECT_EQ(find_rates(cache, gpu).rates, *rates_of(floor));
  EXPECT_EQ(find_rates(cache, cpu).rates, *rates_of(floor)) << "an H200 is modelled there";
  machine_info other = gpu;
  other.driver = "590.0";
  EXPECT_TRUE(find_rates(cache, other).rates.built_in);
  other.name = "NVIDIA A100";
  EXPECT_TRUE(find_rates(cache, other).rates.built_in);
  folder.write("floors.json", "{");
  EXPECT_TRUE(find_rates(cache, gpu).rates.built_in);
  EXPECT_NE(find_rates(cache, gpu).note, "");
}

}  // namespace
}  // namespace pivotscope
