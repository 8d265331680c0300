// Sorting on a device: by groups (core/machine/cuda/group_sort.hpp) and as a whole, against std::stable_sort. Without a device all is skipped.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "core/machine/cuda/group_sort.hpp"
#include "core/machine/cuda/runtime.hpp"
#include "tests/support/gpu_fixture.hpp"

namespace pivotscope {
namespace {

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

// All of a sort: keys of every kind, of which samples tell the truth, or do not.
template <class Key>
void expect_sorted(machine& gpu, const std::string& what, std::vector<Key> keys) {
  pairs<Key> expected(keys);
  expected.sort(static_cast<Key>(~Key{0}));
  auto loaded = gpu.load(key_array(std::move(keys)), job_control{});
  ASSERT_TRUE(loaded) << loaded.error().words;
  const auto alone = gpu.library_sort(**loaded, job_control{});
  ASSERT_TRUE(alone) << alone.error().words;
  EXPECT_EQ(alone->samples_ms.size(), 3u);
  const ordered_config config{.order = order_kind::ascending,
                              .keys = sizeof(Key) == 4 ? key_width::u32 : key_width::u64,
                              .layout = entry_layout::soa};
  const auto built = gpu.build(config, *loaded, job_control{});
  ASSERT_TRUE(built) << built.error().words;
  const u64 n = expected.keys.size();
  const std::vector<std::byte> rows = read_array(**built, region_id{1}), sorted = read_array(**built, region_id{0});
  ASSERT_GE(rows.size(), n * 4);
  ASSERT_EQ(std::memcmp(rows.data(), expected.rows.data(), n * 4), 0) << what;
  ASSERT_EQ(std::memcmp(sorted.data(), expected.keys.data(), n * sizeof(Key)), 0) << what;
  EXPECT_TRUE(gpu.library_sort(**loaded, job_control{})->samples_ms.empty()) << "they are sorted now";
}

template <class Key>
void expect_all_kinds(machine& gpu) {
  std::mt19937_64 random(13);
  const u64 n = least_to_group + 12345;
  std::vector<Key> keys(n);
  const auto with = [&](const std::string& what, auto&& key) {
    for (u64 i = 0; i < n; ++i) keys[i] = static_cast<Key>(key(i));
    expect_sorted(gpu, what, keys);
  };
  with("uniform", [&](u64) { return random(); });
  with("narrow", [&](u64) { return random() % (1 << 20) + 77; });
  with("of 28 bits", [&](u64) { return random() % (1 << 28); });
  with("all equal", [&](u64) { return 5; });
  with("half equal", [&](u64 i) { return i % 2 == 0 ? 1234567 : random(); });
  with("ascending", [&](u64 i) { return i * 3; });
  with("descending", [&](u64 i) { return (n - i) * 3; });
  with("one far away, which no sample sees", [&](u64 i) { return i == 12347 ? ~u64{0} : random() % (1 << 27); });
  with("one long group, which no sample sees", [&](u64 i) { return i % 40000 == 3 ? 0x12345600 + i % 250 : random(); });
  with("clusters", [&](u64) { return (random() % 1000) * 4000037 + random() % 5000; });
}
TEST_F(GpuSort, KeysOf32BitsOfAnyKind) { expect_all_kinds<u32>(*gpu_); }
TEST_F(GpuSort, KeysOf64BitsOfAnyKind) { expect_all_kinds<u64>(*gpu_); }

}  // namespace
}  // namespace pivotscope
