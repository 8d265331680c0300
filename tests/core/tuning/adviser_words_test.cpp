// What the adviser says, to the word: every branch of its tree with its numbers, one below, at and above each boundary.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/index/config_text.hpp"
#include "core/tuning/adviser.hpp"
#include "tests/core/tuning/asked_machines.hpp"

namespace pivotscope {
namespace {

machine_info cpu(u64 l2 = 32ull << 20) {
  machine_info info;
  info.l2_bytes = l2;
  return info;
}

std::string said(const workload_facts& facts, const machine_info& on) {
  const advice given = advise(facts, on);
  std::string text = to_line(given.config) + "\n";
  const auto add = [&](const std::vector<advice_reason>& reasons) {
    for (const advice_reason& reason : reasons) text += fmt::format("  {} [{}]\n", reason.words, reason.source);
  };
  add(given.reasons);
  if (given.measured) text += "measured " + to_line(*given.measured) + "\n";
  add(given.measured_reasons);
  return text;
}

// Between few and many.
constexpr u64 tiny = 1 << 18, mid = 1 << 22, fit = (50ull << 20) / 8;

TEST(adviser_words, order_is_free) {
  EXPECT_EQ(said({.keys = few}, a_gpu()),
            R"(EO+BS
  Ascending order is not required: Eytzinger order, whose upper levels share cache lines. [lightweight, Section 6.1]
  2^16 keys and their row ids take 512 KiB, no more than the 50 MiB of L2, so binary search: its steps hit the cache, and one thread does a lookup. [lightweight, Section 6.1]
measured PACKED leaf=16 lanes=1 fill=80 flight=2 per_thread=2
  A packed index reads one block of a small directory and one leaf: it reached 147, 106, 78.5, 49.3, 39.2 and 35.8 G/s at 2^16, 2^20, 2^22, 2^24, 2^26 and 2^28, in 0.7 of the sorted array's bytes. [docs/packed.md]
  One thread looks at a leaf of three entries, two of its lookups at once; scratch would be taken from L1, which has many of the leaves. [docs/packed.md]
)");
  EXPECT_EQ(said({.keys = fit}, a_gpu()),
            R"(EO+BS
  Ascending order is not required: Eytzinger order, whose upper levels share cache lines. [lightweight, Section 6.1]
  6553600 keys and their row ids take 50 MiB, no more than the 50 MiB of L2, so binary search: its steps hit the cache, and one thread does a lookup. [lightweight, Section 6.1]
measured PACKED leaf=32 fill=105
  A packed index reads one block of a small directory and one leaf: it reached 147, 106, 78.5, 49.3, 39.2 and 35.8 G/s at 2^16, 2^20, 2^22, 2^24, 2^26 and 2^28, in 0.7 of the sorted array's bytes. [docs/packed.md]
  All of it stays in L2, so leaves of 32 bytes: half as much to bring. [docs/packed.md]
)");
  EXPECT_EQ(said({.keys = fit + 1}, a_gpu()),
            R"(EO+KS
  Ascending order is not required: Eytzinger order, whose upper levels share cache lines. [lightweight, Section 6.1]
  6553601 keys and their row ids take 50 MiB, more than the 50 MiB of L2, so K = 9 and 8 threads a lookup: fewer steps, each a miss. [lightweight, Section 6.1]
measured PACKED leaf=32 fill=105
  A packed index reads one block of a small directory and one leaf: it reached 147, 106, 78.5, 49.3, 39.2 and 35.8 G/s at 2^16, 2^20, 2^22, 2^24, 2^26 and 2^28, in 0.7 of the sorted array's bytes. [docs/packed.md]
  All of it stays in L2, so leaves of 32 bytes: half as much to bring. [docs/packed.md]
)");
  EXPECT_EQ(said({.keys = many, .width = key_width::u64}, a_gpu()),
            R"(EO+KS keys=u64
  Ascending order is not required: Eytzinger order, whose upper levels share cache lines. [lightweight, Section 6.1]
  2^28 keys and their row ids take 4 GiB, more than the 50 MiB of L2, so K = 9 and 8 threads a lookup: fewer steps, each a miss. [lightweight, Section 6.1]
measured PACKED keys=u64 lanes=4 block=32 fill=300 reads=kept
  A packed index reads one block of a small directory and one leaf: it reached 106, 74.7, 56.3, 41.0, 36.0 and 24.7 G/s with 64-bit keys at 2^16, 2^20, 2^22, 2^24, 2^26 and 2^28, in 0.7 of the sorted array's bytes. [docs/packed.md]
  Leaves of 64 bytes are what one access of memory brings, and four threads look at one. [docs/packed.md]
  The directory would take 65 MiB: larger blocks with 30 leaves each make it half of that, and L2 keeps more of it. [docs/packed.md]
  The leaves are several times L2: they leave it first, and the directory last. [docs/packed.md]
)");
  EXPECT_EQ(said({.keys = many - 1}, a_gpu()),
            R"(EO+KS
  Ascending order is not required: Eytzinger order, whose upper levels share cache lines. [lightweight, Section 6.1]
  268435455 keys and their row ids take 2 GiB, more than the 50 MiB of L2, so K = 9 and 8 threads a lookup: fewer steps, each a miss. [lightweight, Section 6.1]
measured PACKED lanes=4 block=32 fill=400 reads=kept
  A packed index reads one block of a small directory and one leaf: it reached 147, 106, 78.5, 49.3, 39.2 and 35.8 G/s at 2^16, 2^20, 2^22, 2^24, 2^26 and 2^28, in 0.7 of the sorted array's bytes. [docs/packed.md]
  Leaves of 64 bytes are what one access of memory brings, and four threads look at one. [docs/packed.md]
  The directory would take 32.5 MiB: larger blocks with 40 leaves each make it half of that, and L2 keeps more of it. [docs/packed.md]
  The leaves are several times L2: they leave it first, and the directory last. [docs/packed.md]
)");
  EXPECT_EQ(said({.keys = many}, a_gpu()),
            R"(EO+KS
  Ascending order is not required: Eytzinger order, whose upper levels share cache lines. [lightweight, Section 6.1]
  2^28 keys and their row ids take 2 GiB, more than the 50 MiB of L2, so K = 9 and 8 threads a lookup: fewer steps, each a miss. [lightweight, Section 6.1]
measured PACKED lanes=4 block=32 fill=400 reads=kept
  A packed index reads one block of a small directory and one leaf: it reached 147, 106, 78.5, 49.3, 39.2 and 35.8 G/s at 2^16, 2^20, 2^22, 2^24, 2^26 and 2^28, in 0.7 of the sorted array's bytes. [docs/packed.md]
  Leaves of 64 bytes are what one access of memory brings, and four threads look at one. [docs/packed.md]
  The directory would take 32.5 MiB: larger blocks with 40 leaves each make it half of that, and L2 keeps more of it. [docs/packed.md]
  The leaves are several times L2: they leave it first, and the directory last. [docs/packed.md]
)");
}

TEST(adviser_words, ascending_order) {
  EXPECT_EQ(said({.keys = few, .ascending = true}, a_gpu()),
            R"(AO+BS threads=128 per_thread=16 schedule=static blocks_per_sm=2 pin=full reorder=double
  Ascending order is required, which Eytzinger order is not. [lightweight, Section 6.1]
  2^16 keys and their row ids take 512 KiB, no more than the 50 MiB of L2, so the optimised binary search: pinned and reordered. [lightweight, Section 6.1]
measured AO+PB+KS fanout=5 lanes=1
  At 2^16 keys a pivot buffer of nodes that one thread loads whole reached 72.2 G/s, EO+BS 46.1 and AO+BS 22.9; it takes a quarter more bytes than the keys. [docs/measurements.md]
)");
  EXPECT_EQ(said({.keys = many, .ascending = true}, a_gpu()),
            R"(AO+PB+KS
  Ascending order is required, which Eytzinger order is not. [lightweight, Section 6.1]
  2^28 keys and their row ids take 2 GiB, more than the 50 MiB of L2, so a pivot buffer, searched K = 9 ways by 8 threads. [lightweight, Section 6.1]
  Never a pivot buffer with binary search: it takes half as many bytes as the keys for what K-ary search does better. [lightweight, Section 6.1]
measured AO+PB+KS fanout=17 lanes=2
  Fewer lanes with wide loads beat K - 1: AO+PB+KS with 2 lanes reached 47.3 G/s at 2^20 and 16.3 at 2^28, with 8 lanes 22.5 and 11.3; the best Eytzinger orders 27.5 and 15.3. [docs/measurements.md]
  From 2^28 keys on, K = 17 with 2 lanes is faster yet: 17.9 G/s. [docs/measurements.md]
)");
  EXPECT_EQ(said({.keys = mid, .short_rebuild = true}, a_gpu()),
            R"(AO+BS threads=128 per_thread=16 schedule=static blocks_per_sm=2 pin=full reorder=double
  Rebuilds must be short: sorted keys in ascending order are the index. [lightweight, Section 6.1]
  2^22 keys and their row ids take 32 MiB, no more than the 50 MiB of L2, so the optimised binary search: pinned and reordered. [lightweight, Section 6.1]
measured PACKED leaf=32 fill=115 scratch=192KiB flight=4 threads=1024 per_thread=8 schedule=static
  A packed index reads one block of a small directory and one leaf: it reached 147, 106, 78.5, 49.3, 39.2 and 35.8 G/s at 2^16, 2^20, 2^22, 2^24, 2^26 and 2^28, in 0.7 of the sorted array's bytes. [docs/packed.md]
  Building it from 2^28 sorted keys took 1.10 to 1.28 ms, the sorted array's entries 1.49; of keys that crowd up to 4.9. [docs/packed.md]
  Up to 2^22 keys a part of the directory lies in scratch, and each thread has four lookups on the way at once, of leaves of 32 bytes. [docs/packed.md]
)");
  EXPECT_EQ(said({.keys = many, .short_rebuild = true, .range_share = 0.75, .range_entries = 255}, a_gpu()),
            R"(AO+PB+KS
  75% of the lookups are small ranges of about 255 entries: in ascending order these lie side by side. [lightweight, Section 6.1]
  Rebuilds must be short: sorted keys in ascending order are the index. [lightweight, Section 6.1]
  2^28 keys and their row ids take 2 GiB, more than the 50 MiB of L2, so a pivot buffer, searched K = 9 ways by 8 threads. [lightweight, Section 6.1]
  Never a pivot buffer with binary search: it takes half as many bytes as the keys for what K-ary search does better. [lightweight, Section 6.1]
  There are range lookups: an array of structs, since every entry of a range needs its row id. [lightweight, Section 6.1]
measured PACKED lanes=4 block=32 fill=400 reads=kept
  A packed index reads one block of a small directory and one leaf: it reached 147, 106, 78.5, 49.3, 39.2 and 35.8 G/s at 2^16, 2^20, 2^22, 2^24, 2^26 and 2^28, in 0.7 of the sorted array's bytes. [docs/packed.md]
  Building it from 2^28 sorted keys took 1.10 to 1.28 ms, the sorted array's entries 1.49; of keys that crowd up to 4.9. [docs/packed.md]
  Of a range only the row ids between its ends are read, packed: at 2^26 keys 2^16 ranges of 2^6 entries took 0.028 ms, of 2^14 1.19; with a pivot buffer 0.047 and 1.97. [docs/packed.md]
  Leaves of 64 bytes are what one access of memory brings, and four threads look at one. [docs/packed.md]
  The directory would take 32.5 MiB: larger blocks with 40 leaves each make it half of that, and L2 keeps more of it. [docs/packed.md]
  The leaves are several times L2: they leave it first, and the directory last. [docs/packed.md]
)");
}

TEST(adviser_words, the_smallest_footprint) {
  EXPECT_EQ(said({.keys = mid, .ascending = true, .smallest = true}, a_gpu()),
            R"(AO+BS threads=128 per_thread=16 schedule=static blocks_per_sm=2 pin=full reorder=double
  The smallest footprint and ascending order leave the sorted array alone: no pivots beside it. [lightweight, Section 6.1]
  Binary search over it, optimised: full pinning, and lookups reordered 2048 at a time. [lightweight, Section 5.2]
measured AO+BS threads=512 per_thread=8 schedule=static blocks_per_sm=2 pin=steps reorder=double
  Larger blocks with the first steps pinned took 23.4 ms for 2^27 lookups in 2^28 keys; reordering without pinning took 26.0, and the plain search 47.4. [docs/measurements.md]
)");
  EXPECT_EQ(said({.keys = few, .smallest = true}, a_gpu()),
            R"(EO+BS
  The smallest footprint is required: Eytzinger order needs nothing beside its entries. [lightweight, Section 6.1]
  2^16 keys and their row ids take 512 KiB, no more than the 50 MiB of L2, so binary search: its steps hit the cache, and one thread does a lookup. [lightweight, Section 6.1]
measured PACKED leaf=16 lanes=1 fill=80 flight=2 per_thread=2
  A packed index reads one block of a small directory and one leaf: it reached 147, 106, 78.5, 49.3, 39.2 and 35.8 G/s at 2^16, 2^20, 2^22, 2^24, 2^26 and 2^28, in 0.7 of the sorted array's bytes. [docs/packed.md]
  One thread looks at a leaf of three entries, two of its lookups at once; scratch would be taken from L1, which has many of the leaves. [docs/packed.md]
)");
  EXPECT_EQ(said({.keys = mid, .smallest = true, .short_rebuild = true}, a_gpu()),
            R"(EO+BS
  The smallest footprint is required: Eytzinger order needs nothing beside its entries. [lightweight, Section 6.1]
  That comes first, before what speaks for ascending order. [lightweight, Section 6.1]
  2^22 keys and their row ids take 32 MiB, no more than the 50 MiB of L2, so binary search: its steps hit the cache, and one thread does a lookup. [lightweight, Section 6.1]
measured PACKED leaf=32 fill=115 scratch=192KiB flight=4 threads=1024 per_thread=8 schedule=static
  A packed index reads one block of a small directory and one leaf: it reached 147, 106, 78.5, 49.3, 39.2 and 35.8 G/s at 2^16, 2^20, 2^22, 2^24, 2^26 and 2^28, in 0.7 of the sorted array's bytes. [docs/packed.md]
  Building it from 2^28 sorted keys took 1.10 to 1.28 ms, the sorted array's entries 1.49; of keys that crowd up to 4.9. [docs/packed.md]
  Up to 2^22 keys a part of the directory lies in scratch, and each thread has four lookups on the way at once, of leaves of 32 bytes. [docs/packed.md]
)");
  EXPECT_EQ(said({.keys = many, .width = key_width::u64, .smallest = true, .range_share = 0.5, .range_entries = 1024},
                 a_gpu()),
            R"(EO+KS keys=u64
  The smallest footprint is required: Eytzinger order needs nothing beside its entries. [lightweight, Section 6.1]
  That comes first, before what speaks for ascending order. [lightweight, Section 6.1]
  2^28 keys and their row ids take 4 GiB, more than the 50 MiB of L2, so K = 9 and 8 threads a lookup: fewer steps, each a miss. [lightweight, Section 6.1]
  There are range lookups: an array of structs, since every entry of a range needs its row id. [lightweight, Section 6.1]
measured PACKED keys=u64 lanes=4 block=32 fill=300 reads=kept
  A packed index reads one block of a small directory and one leaf: it reached 106, 74.7, 56.3, 41.0, 36.0 and 24.7 G/s with 64-bit keys at 2^16, 2^20, 2^22, 2^24, 2^26 and 2^28, in 0.7 of the sorted array's bytes. [docs/packed.md]
  Of a range only the row ids between its ends are read, packed: at 2^26 keys 2^16 ranges of 2^6 entries took 0.028 ms, of 2^14 1.19; with a pivot buffer 0.047 and 1.97. [docs/packed.md]
  Leaves of 64 bytes are what one access of memory brings, and four threads look at one. [docs/packed.md]
  The directory would take 65 MiB: larger blocks with 30 leaves each make it half of that, and L2 keeps more of it. [docs/packed.md]
  The leaves are several times L2: they leave it first, and the directory last. [docs/packed.md]
)");
}

TEST(adviser_words, ranges_beside_lookups) {
  EXPECT_EQ(said({.keys = mid, .range_share = 0.25, .range_entries = 64}, a_gpu()),
            R"(EO+BS scan=cooperative
  Ascending order is not required: Eytzinger order, whose upper levels share cache lines. [lightweight, Section 6.1]
  2^22 keys and their row ids take 32 MiB, no more than the 50 MiB of L2, so binary search: its steps hit the cache, and one thread does a lookup. [lightweight, Section 6.1]
  There are range lookups: an array of structs, since every entry of a range needs its row id. [lightweight, Section 6.1]
  A range longer than 32 entries is scanned by the whole warp. [lightweight, Section 5.7]
measured PACKED leaf=32 fill=115 scratch=192KiB flight=4 threads=1024 per_thread=8 schedule=static
  A packed index reads one block of a small directory and one leaf: it reached 147, 106, 78.5, 49.3, 39.2 and 35.8 G/s at 2^16, 2^20, 2^22, 2^24, 2^26 and 2^28, in 0.7 of the sorted array's bytes. [docs/packed.md]
  Of a range only the row ids between its ends are read, packed: at 2^26 keys 2^16 ranges of 2^6 entries took 0.028 ms, of 2^14 1.19; with a pivot buffer 0.047 and 1.97. [docs/packed.md]
  Up to 2^22 keys a part of the directory lies in scratch, and each thread has four lookups on the way at once, of leaves of 32 bytes. [docs/packed.md]
)");
}

TEST(adviser_words, a_cpu_and_caches_that_are_not_known) {
  EXPECT_EQ(said({.keys = mid}, cpu()),
            R"(EO+BS
  Ascending order is not required: Eytzinger order, whose upper levels share cache lines. [lightweight, Section 6.1]
  2^22 keys and their row ids take 32 MiB, no more than the 32 MiB of last-level cache, so binary search: its steps hit the cache, and one thread does a lookup. [lightweight, Section 6.1]
  The paper measured GPUs, and this machine is a CPU: take it as a first guess, and tune. [a caution]
measured PACKED leaf=32 lanes=1
  A packed index was fastest on the processor that we measured at 2^20 and 2^23 keys, in 0.7 of the sorted array's bytes: 16 and 13.5 M/s, the best pivot buffer 9.3 and 5.5; at 2^16 a pivot buffer was. Where between them they change places is a guess. [docs/performance.md]
)");
  EXPECT_EQ(said({.keys = mid + 1}, cpu()),
            R"(EO+KS
  Ascending order is not required: Eytzinger order, whose upper levels share cache lines. [lightweight, Section 6.1]
  4194305 keys and their row ids take 32 MiB, more than the 32 MiB of last-level cache, so K = 9 and 8 threads a lookup: fewer steps, each a miss. [lightweight, Section 6.1]
  The paper measured GPUs, and this machine is a CPU: take it as a first guess, and tune. [a caution]
measured PACKED leaf=32 lanes=1
  A packed index was fastest on the processor that we measured at 2^20 and 2^23 keys, in 0.7 of the sorted array's bytes: 16 and 13.5 M/s, the best pivot buffer 9.3 and 5.5; at 2^16 a pivot buffer was. Where between them they change places is a guess. [docs/performance.md]
)");
  EXPECT_EQ(said({.keys = mid}, a_gpu(0)),
            R"(EO+BS
  Ascending order is not required: Eytzinger order, whose upper levels share cache lines. [lightweight, Section 6.1]
  2^22 keys and their row ids take 32 MiB, no more than the 32 MiB of L2, so binary search: its steps hit the cache, and one thread does a lookup. [lightweight, Section 6.1]
  This machine does not say how large its last-level cache is; 32 MiB is assumed. [an assumption]
measured PACKED leaf=32 fill=115 scratch=192KiB flight=4 threads=1024 per_thread=8 schedule=static
  A packed index reads one block of a small directory and one leaf: it reached 147, 106, 78.5, 49.3, 39.2 and 35.8 G/s at 2^16, 2^20, 2^22, 2^24, 2^26 and 2^28, in 0.7 of the sorted array's bytes. [docs/packed.md]
  Up to 2^22 keys a part of the directory lies in scratch, and each thread has four lookups on the way at once, of leaves of 32 bytes. [docs/packed.md]
)");
  EXPECT_EQ(said({.keys = mid + 1, .ascending = true}, cpu(0)),
            R"(AO+PB+KS
  Ascending order is required, which Eytzinger order is not. [lightweight, Section 6.1]
  4194305 keys and their row ids take 32 MiB, more than the 32 MiB of last-level cache, so a pivot buffer, searched K = 9 ways by 8 threads. [lightweight, Section 6.1]
  Never a pivot buffer with binary search: it takes half as many bytes as the keys for what K-ary search does better. [lightweight, Section 6.1]
  This machine does not say how large its last-level cache is; 32 MiB is assumed. [an assumption]
  The paper measured GPUs, and this machine is a CPU: take it as a first guess, and tune. [a caution]
)");
}

TEST(adviser_words, tiny_key_sets) {
  EXPECT_EQ(said({.keys = tiny - 1}, a_gpu()),
            R"(EO+BS
  Ascending order is not required: Eytzinger order, whose upper levels share cache lines. [lightweight, Section 6.1]
  262143 keys and their row ids take 2 MiB, no more than the 50 MiB of L2, so binary search: its steps hit the cache, and one thread does a lookup. [lightweight, Section 6.1]
measured PACKED leaf=16 lanes=1 fill=80 flight=2 per_thread=2
  A packed index reads one block of a small directory and one leaf: it reached 147, 106, 78.5, 49.3, 39.2 and 35.8 G/s at 2^16, 2^20, 2^22, 2^24, 2^26 and 2^28, in 0.7 of the sorted array's bytes. [docs/packed.md]
  One thread looks at a leaf of three entries, two of its lookups at once; scratch would be taken from L1, which has many of the leaves. [docs/packed.md]
)");
  EXPECT_EQ(said({.keys = tiny}, a_gpu()),
            R"(EO+BS
  Ascending order is not required: Eytzinger order, whose upper levels share cache lines. [lightweight, Section 6.1]
  2^18 keys and their row ids take 2 MiB, no more than the 50 MiB of L2, so binary search: its steps hit the cache, and one thread does a lookup. [lightweight, Section 6.1]
measured PACKED leaf=16 lanes=1 fill=80 flight=2 per_thread=2
  A packed index reads one block of a small directory and one leaf: it reached 147, 106, 78.5, 49.3, 39.2 and 35.8 G/s at 2^16, 2^20, 2^22, 2^24, 2^26 and 2^28, in 0.7 of the sorted array's bytes. [docs/packed.md]
  One thread looks at a leaf of three entries, two of its lookups at once; scratch would be taken from L1, which has many of the leaves. [docs/packed.md]
)");
  EXPECT_EQ(said({.keys = tiny - 1, .smallest = true}, a_gpu()),
            R"(EO+BS
  The smallest footprint is required: Eytzinger order needs nothing beside its entries. [lightweight, Section 6.1]
  262143 keys and their row ids take 2 MiB, no more than the 50 MiB of L2, so binary search: its steps hit the cache, and one thread does a lookup. [lightweight, Section 6.1]
measured PACKED leaf=16 lanes=1 fill=80 flight=2 per_thread=2
  A packed index reads one block of a small directory and one leaf: it reached 147, 106, 78.5, 49.3, 39.2 and 35.8 G/s at 2^16, 2^20, 2^22, 2^24, 2^26 and 2^28, in 0.7 of the sorted array's bytes. [docs/packed.md]
  One thread looks at a leaf of three entries, two of its lookups at once; scratch would be taken from L1, which has many of the leaves. [docs/packed.md]
)");
  EXPECT_EQ(said({.keys = tiny, .smallest = true}, a_gpu()),
            R"(EO+BS
  The smallest footprint is required: Eytzinger order needs nothing beside its entries. [lightweight, Section 6.1]
  2^18 keys and their row ids take 2 MiB, no more than the 50 MiB of L2, so binary search: its steps hit the cache, and one thread does a lookup. [lightweight, Section 6.1]
measured PACKED leaf=16 lanes=1 fill=80 flight=2 per_thread=2
  A packed index reads one block of a small directory and one leaf: it reached 147, 106, 78.5, 49.3, 39.2 and 35.8 G/s at 2^16, 2^20, 2^22, 2^24, 2^26 and 2^28, in 0.7 of the sorted array's bytes. [docs/packed.md]
  One thread looks at a leaf of three entries, two of its lookups at once; scratch would be taken from L1, which has many of the leaves. [docs/packed.md]
)");
}

}  // namespace
}  // namespace pivotscope
