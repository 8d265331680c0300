// Sorting on a device: by groups (core/machine/cuda/group_sort.hpp) and as a whole, against std::stable_sort. Without a device all is skipped.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "core/families/btree/config.hpp"
#include "core/index/config_text.hpp"
#include "core/machine/cuda/group_plan.hpp"
#include "core/machine/cuda/group_sort.hpp"
#include "core/machine/cuda/runtime.hpp"
#include "tests/support/gpu_fixture.hpp"

namespace pivotscope {
namespace {

constexpr std::string_view from_groups = "build entries from groups", leaves_from_groups = "build leaves from groups";

class GpuSort : public Gpu {
 protected:
  void SetUp() override {
    if (rehearsal()) GTEST_SKIP() << "kernels of a GPU alone";
    Gpu::SetUp();
  }
};

template <class Key>
struct pairs {
  std::vector<Key> keys;
  std::vector<u32> rows;

  explicit pairs(std::vector<Key> k) : keys(std::move(k)), rows(keys.size()) {
    std::iota(rows.begin(), rows.end(), 0u);
  }
  // Stable, by what the mask leaves of a key.
  void sort(Key mask) {
    std::stable_sort(rows.begin(), rows.end(), [&](u32 a, u32 b) { return (keys[a] & mask) < (keys[b] & mask); });
    std::vector<Key> moved(keys.size());
    for (std::size_t i = 0; i < rows.size(); ++i) moved[i] = keys[rows[i]];
    keys = std::move(moved);
  }
};

struct grouped {
  bool failed = false;
  std::vector<u64> keys;
  std::vector<u32> rows;
};

// put_groups_in_order() of these.
template <class Key>
grouped put(const pairs<Key>& from, u32 low, bool in_doubt) {
  const u64 n = from.keys.size();
  const auto take = [](u64 bytes) {
    auto buffer = device_buffer::allocate(bytes, "a test");
    EXPECT_TRUE(buffer) << buffer.error().words;
    return buffer ? std::move(*buffer) : device_buffer();
  };
  const device_buffer keys = take(n * sizeof(Key)), rows = take(n * 4), to_keys = take(n * sizeof(Key)),
                      to_rows = take(n * 4), failed = take(4);
  const auto must = [](cudaError_t error) { EXPECT_EQ(error, cudaSuccess) << cudaGetErrorString(error); };
  must(cudaMemcpy(keys.data(), from.keys.data(), n * sizeof(Key), cudaMemcpyHostToDevice));
  must(cudaMemcpy(rows.data(), from.rows.data(), n * 4, cudaMemcpyHostToDevice));
  must(cudaMemset(to_keys.data(), 0xA5, n * sizeof(Key)));
  must(cudaMemset(to_rows.data(), 0xA5, n * 4));
  must(cudaMemset(failed.data(), 0, 4));
  must(put_groups_in_order(keys.as<Key>(), rows.as<u32>(), to_keys.as<Key>(), to_rows.as<u32>(), n, low, in_doubt,
                           failed.as<u32>(), nullptr));
  must(cudaDeviceSynchronize());
  grouped out;
  std::vector<Key> got(n);
  out.rows.resize(n);
  u32 word = 0;
  must(cudaMemcpy(got.data(), to_keys.data(), n * sizeof(Key), cudaMemcpyDeviceToHost));
  must(cudaMemcpy(out.rows.data(), to_rows.data(), n * 4, cudaMemcpyDeviceToHost));
  must(cudaMemcpy(&word, failed.data(), 4, cudaMemcpyDeviceToHost));
  out.failed = word != 0;
  out.keys.assign(got.begin(), got.end());
  return out;
}

// Keys in groups of up to `most` each, at random steps; some repeat.
template <class Key>
std::vector<Key> keys_in_groups(u64 n, u32 most, u32 low, std::mt19937_64& random) {
  std::vector<Key> keys;
  Key group = static_cast<Key>(random() % 3);
  while (keys.size() < n) {
    const u64 size = 1 + random() % most;
    for (u64 i = 0; i < size && keys.size() < n; ++i)
      keys.push_back(static_cast<Key>(group << low |
                                      (random() & (low == 0 ? 0 : (Key{1} << low) - 1) & (i % 3 == 0 ? 7 : ~u64{0}))));
    group = static_cast<Key>(group + 1 + (random() % 8 == 0 ? random() % 1000 : 0));
  }
  std::shuffle(keys.begin(), keys.end(), random);
  return keys;
}

template <class Key>
void expect_in_order(u32 most_low) {
  std::mt19937_64 random(11);
  u64 cases = 0;
  for (const u32 low : {0u, 1u, most_low - 1, most_low}) {
    const Key upper = static_cast<Key>(~Key{0} << low);
    for (const u32 most : {1u, 2u, 5u, 17u, 33u, longest_group}) {
      std::vector<u64> sizes = {1,   2,   31,  32,  33,  191, 192, 193,  255,  256,
                                257, 319, 320, 321, 383, 384, 385, 1280, 5000, 100003};
      for (u64 n = 1; n < 40; ++n) sizes.push_back(n);
      for (const u64 n : sizes) {
        pairs<Key> from(keys_in_groups<Key>(n, most, low, random)), expected = from;
        from.sort(upper);
        expected.sort(static_cast<Key>(~Key{0}));
        const grouped got = put(from, low, n % 2 == 0);
        ASSERT_FALSE(got.failed) << "n=" << n << ", groups of up to " << most << ", low=" << low;
        ASSERT_EQ(got.rows, expected.rows) << "n=" << n << ", groups of up to " << most << ", low=" << low;
        ASSERT_TRUE(std::equal(got.keys.begin(), got.keys.end(), expected.keys.begin(), expected.keys.end()));
        ++cases;
      }
    }
  }
  EXPECT_GT(cases, 1000u);
}

TEST_F(GpuSort, GroupsOf32BitKeysAreInOrder) { expect_in_order<u32>(8); }
TEST_F(GpuSort, GroupsOf64BitKeysAreInOrder) { expect_in_order<u64>(40); }

// Says that it failed, or is right: never wrong in silence.
template <class Key>
void expect_told(u32 low) {
  std::mt19937_64 random(12);
  for (const u64 n : {u64{500}, u64{4000}}) {
    for (u32 i = 0; i < 60; ++i) {
      // One group of its own length, among short ones.
      std::vector<Key> keys = keys_in_groups<Key>(n, 5, low, random);
      const u64 longer = 60 + random() % 400;
      const Key group = static_cast<Key>(keys[random() % n] >> low << low);
      for (u64 k = 0; k < longer; ++k) keys.push_back(static_cast<Key>(group | (random() & ((Key{1} << low) - 1))));
      pairs<Key> from(keys), expected = from;
      from.sort(static_cast<Key>(~Key{0} << low));
      expected.sort(static_cast<Key>(~Key{0}));
      const grouped got = put(from, low, i % 2 == 0);
      ASSERT_TRUE(got.failed || got.rows == expected.rows) << "n=" << n << " and " << longer;
      ASSERT_TRUE(got.failed || longer <= 400);
      // And two neighbours that are not in order by their upper bits, one of which no sample saw.
      std::vector<Key> descending = keys_in_groups<Key>(n, 5, low, random);
      pairs<Key> wrong(descending);
      wrong.sort(static_cast<Key>(~Key{0} << low));
      const u64 at = random() % (n - 1);
      wrong.keys[at] = static_cast<Key>(wrong.keys[at] | Key{1} << (sizeof(Key) * 8 - 1));
      ASSERT_TRUE(put(wrong, low, true).failed) << "at " << at << " of " << n;
    }
  }
}
TEST_F(GpuSort, LongGroupsOf32BitKeysAreTold) { expect_told<u32>(8); }
TEST_F(GpuSort, LongGroupsOf64BitKeysAreTold) { expect_told<u64>(40); }

std::vector<std::string> stages(const built_index& index) {
  std::vector<std::string> names;
  for (const stage_time& time : index.build_times()) names.push_back(time.name);
  return names;
}

template <class Key>
ordered_config columns() {
  return {.order = order_kind::ascending,
          .keys = sizeof(Key) == 4 ? key_width::u32 : key_width::u64,
          .layout = entry_layout::soa};
}

template <class Key>
void expect_columns(const built_index& index, const pairs<Key>& expected, const std::string& what) {
  const u64 n = expected.keys.size();
  const std::vector<std::byte> rows = read_array(index, region_id{1}), sorted = read_array(index, region_id{0});
  ASSERT_GE(rows.size(), n * 4);
  ASSERT_EQ(std::memcmp(rows.data(), expected.rows.data(), n * 4), 0) << what;
  ASSERT_EQ(std::memcmp(sorted.data(), expected.keys.data(), n * sizeof(Key)), 0) << what;
}

// All of a sort: keys of every kind, of which samples tell the truth, or do not. An index that takes its keys one by one puts their groups in
// order itself, where it can; one that does not asks for the rest of the sort; and one more finds sorted keys.
template <class Key>
void expect_sorted(machine& gpu, const std::string& what, std::vector<Key> keys,
                   const std::vector<std::string>& first_stages) {
  pairs<Key> expected(keys);
  expected.sort(static_cast<Key>(~Key{0}));
  const std::pair<u64, u64> ends{expected.keys.front(), expected.keys.back()};
  auto loaded = gpu.load(key_array(std::move(keys)), job_control{});
  ASSERT_TRUE(loaded) << loaded.error().words;
  const auto alone = gpu.library_sort(**loaded, job_control{});
  ASSERT_TRUE(alone) << alone.error().words;
  EXPECT_EQ(alone->samples_ms.size(), 3u);
  const auto built = gpu.build(columns<Key>(), *loaded, job_control{});
  ASSERT_TRUE(built) << built.error().words;
  expect_columns(**built, expected, what);
  EXPECT_EQ(stages(**built), first_stages) << what;
  EXPECT_EQ((*built)->key_range(), ends) << what;
  EXPECT_TRUE(gpu.library_sort(**loaded, job_control{})->samples_ms.empty()) << what << ": they are sorted now";
  const double so_far = (*loaded)->sort_time().median();

  index_config wants_all = *config_from_line("PACKED");
  wants_all.keys = columns<Key>().keys;
  const auto packed = gpu.build(wants_all, *loaded, job_control{});
  ASSERT_TRUE(packed) << what << ": " << packed.error().words;
  EXPECT_EQ((*packed)->key_range(), ends) << what;
  if (first_stages.back() == from_groups) {
    EXPECT_GT((*loaded)->sort_time().median(), so_far) << what << ": the rest of the sort";
  }
  const auto again = gpu.build(columns<Key>(), *loaded, job_control{});
  ASSERT_TRUE(again) << again.error().words;
  expect_columns(**again, expected, what + ", sorted");
  EXPECT_EQ(stages(**again), std::vector<std::string>{"build entries"}) << what;
}

template <class Key>
void expect_all_kinds(machine& gpu) {
  std::mt19937_64 random(13);
  const u64 n = least_to_group + 12345;
  std::vector<Key> keys(n);
  const std::vector<std::string> grouped{std::string(from_groups)}, sorted{"build entries"},
      both{std::string(from_groups), "build entries"};
  const auto with = [&](const std::string& what, const std::vector<std::string>& first, auto&& key) {
    for (u64 i = 0; i < n; ++i) keys[i] = static_cast<Key>(key(i));
    expect_sorted(gpu, what, keys, first);
  };
  constexpr u32 top = 8 * sizeof(Key) - 32;
  with("uniform", grouped, [&](u64) { return random(); });
  with("narrow", sorted, [&](u64) { return random() % (1 << 20) + 77; });
  with("of 28 bits", sorted, [&](u64) { return random() % (1 << 28); });
  with("all equal", sorted, [&](u64) { return 5; });
  with("half equal", sorted, [&](u64 i) { return i % 2 == 0 ? 1234567 : random(); });
  with("ascending", sorted, [&](u64 i) { return i * 3; });
  with("descending", sorted, [&](u64 i) { return (n - i) * 3; });
  with("one far away, which no sample sees", sorted,
       [&](u64 i) { return i == 12347 ? ~u64{0} : random() % (1 << 27); });
  with("one long group, which no sample sees", both,
       [&](u64 i) { return i % 8000 == 3 ? (0x12345600 + i % 250) << top : random(); });
  with("a long group in front", both, [&](u64 i) { return i % 8000 == 3 ? i % 250 << top : random(); });
  with("a long group at the end", both, [&](u64 i) { return i % 8000 == 3 ? ~u64{0} - (i % 250 << top) : random(); });
  with("clusters", sorted, [&](u64) { return (random() % 1000) * 4000037 + random() % 5000; });
}
TEST_F(GpuSort, KeysOf32BitsOfAnyKind) { expect_all_kinds<u32>(*gpu_); }
TEST_F(GpuSort, KeysOf64BitsOfAnyKind) { expect_all_kinds<u64>(*gpu_); }

// A build that does not ask for an order finds the keys as another left them, and their row ids with them.
TEST_F(GpuSort, AHashTableIsBuiltOfKeysInGroups) {
  std::mt19937_64 random(15);
  std::vector<u32> keys(least_to_group + 77);
  for (u32& key : keys) key = static_cast<u32>(random());
  const auto loaded = gpu_->load(key_array(std::vector<u32>(keys)), control_);
  ASSERT_TRUE(loaded) << loaded.error().words;
  const auto ordered = gpu_->build(columns<u32>(), *loaded, control_);
  ASSERT_TRUE(ordered) << ordered.error().words;
  ASSERT_EQ(stages(**ordered).front(), from_groups);
  for (const char* line : {"HT+OA", "HT+OA lanes=1 window=4 load=50"}) {
    const auto table = gpu_->build(*config_from_line(line), *loaded, control_);
    ASSERT_TRUE(table) << line << ": " << table.error().words;
    const auto found = gpu_->run(**table, {operation::find, key_array(std::vector<u32>(keys))}, {}, control_);
    ASSERT_TRUE(found) << line << ": " << found.error().words;
    const std::vector<u32>& rows = found->answers.found;
    ASSERT_EQ(rows.size(), keys.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ASSERT_LT(rows[i], keys.size()) << line << ": key " << i;
      ASSERT_EQ(keys[rows[i]], keys[i]) << line << ": key " << i;
    }
  }
}

// A tree leaves equal keys out.
template <class Key>
void with_equal_ones(std::vector<Key>& keys) {
  for (std::size_t i = 1000; i < keys.size(); i += 10007) keys[i] = keys[i - 1] = keys[i / 2];
}

// Every order and the tree, from groups as from keys that the cpu machine sorted.
TEST_F(GpuSort, EveryOrderAndTheTreeAreBuiltFromGroups) {
  const auto cpu = open_machine(machine_kind::cpu);
  ASSERT_TRUE(cpu) << cpu.error().words;
  std::mt19937_64 random(14);
  u64 built_from_groups = 0;
  for (const key_width width : {key_width::u32, key_width::u64}) {
    // One below and above a whole leaf, node and window.
    for (const u64 n : {least_to_group, least_to_group + 1, (u64{1} << 23) - 1, (u64{1} << 22) + 1280 * 7 + 319}) {
      key_array keys;
      if (width == key_width::u32) {
        std::vector<u32> some(n);
        for (u32& key : some) key = static_cast<u32>(random());
        some[n / 2] = ~0u, some[n / 3] = 0;
        with_equal_ones(some);
        keys = key_array(std::move(some));
      } else {
        std::vector<u64> some(n);
        for (u64& key : some) key = random();
        some[n / 2] = ~u64{0}, some[n / 3] = 0;
        with_equal_ones(some);
        keys = key_array(std::move(some));
      }
      const auto there = (*cpu)->load(keys, control_);
      const auto here = gpu_->load(keys, control_);
      ASSERT_TRUE(there && here);
      for (const char* line : {"AO+BS", "EO+BS", "EO+KS fanout=5", "EO+KS fanout=9 layout=soa", "AO+PB+BS",
                               "AO+PB+KS fanout=9", "AO+PB+KS fanout=17 pivots=2", "AO+PB+KS fanout=33 layout=soa",
                               "BTREE", "BTREE node=8 fill=100", "BTREE node=32 layout=soa"}) {
        auto config = config_from_line(line);
        ASSERT_TRUE(config) << config.error().words;
        config->keys = width;
        const auto expected = (*cpu)->build(*config, *there, control_);
        const auto got = gpu_->build(*config, *here, control_);
        ASSERT_TRUE(expected && got) << (got ? "" : got.error().words);
        ASSERT_EQ(stages(**got).front(), config->family == btree_id ? leaves_from_groups : from_groups) << line;
        ASSERT_EQ((*got)->key_range(), (*expected)->key_range()) << line;
        for (u32 r = 0; r < (*got)->regions().size(); ++r) {
          const region_id region{static_cast<u8>(r)};
          ASSERT_EQ(read_array(**got, region), read_array(**expected, region))
              << line << " over " << n << " keys: " << (*got)->regions()[r].name;
        }
        ++built_from_groups;
      }
    }
  }
  EXPECT_EQ(built_from_groups, 88u);
}

}  // namespace
}  // namespace pivotscope
