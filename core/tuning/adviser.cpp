#include "core/tuning/adviser.hpp"

#include <fmt/format.h>

#include "core/index/axes.hpp"
#include "core/index/config_text.hpp"
#include "core/tuning/name_alone.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

constexpr const char* the_tree = "lightweight, Section 6.1";
constexpr const char* ours = "docs/measurements.md";
constexpr const char* ours_of_packed = "docs/packed.md";
constexpr const char* ours_of_cpus = "docs/performance.md";
constexpr u32 papers_fanout = 9;

// An accepted config's line, with the keys of the workload.
index_config config_of(const workload_facts& facts, std::string_view line) {
  index_config c = *config_from_line(line);
  c.keys = facts.width;
  return c;
}

void set(index_config& c, std::string_view knob, std::string_view value) { find_axis(c.family, knob)->set(c, value); }

// Lightweight, Section 5.2: 128 threads and 16 lookups each, a fixed grid, so that scratch is filled once a block.
constexpr const char* optimised_binary_search =
    "AO+BS threads=128 per_thread=16 schedule=static blocks_per_sm=2 pin=full reorder=double";

bool many_small_ranges(const workload_facts& facts) {
  return facts.range_share >= 0.5 && facts.range_entries <= most_of_a_small_range;
}

class decision {
 public:
  decision(const workload_facts& facts, const machine_info& on)
      : facts_(facts),
        on_(on),
        cache_(on.l2_bytes != 0 ? on.l2_bytes : assumed_cache),
        large_(input_bytes(facts) > cache_) {}

  advice take() {
    if (facts_.smallest)
      smallest();
    else if (facts_.ascending || many_small_ranges(facts_) || facts_.short_rebuild)
      ascending();
    else
      eytzinger();
    ranges();
    if (on_.l2_bytes == 0)
      because(
          fmt::format("This machine does not say how large its last-level cache is; {} is assumed", bytes_text(cache_)),
          "an assumption");
    if (on_.kind == machine_kind::cuda) {
      refine();
    } else {
      because("The paper measured GPUs, and this machine is a CPU: take it as a first guess, and tune", "a caution");
      refine_on_cpu();
    }
    return std::move(result_);
  }

 private:
  void because(std::string words, const char* source) { result_.reasons.push_back({std::move(words) + ".", source}); }

  // "2^28 keys and their row ids take 2 GiB, more than the 50 MiB of L2"
  std::string size_words() const {
    return fmt::format("{} {} {}, {} the {} of {}", count_text(facts_.keys),
                       facts_.keys == 1 ? "key and its row id take" : "keys and their row ids take",
                       bytes_text(input_bytes(facts_)), large_ ? "more than" : "no more than", bytes_text(cache_),
                       on_.kind == machine_kind::cuda ? "L2" : "last-level cache");
  }

  void eytzinger_order() {
    result_.config = config_of(facts_, large_ ? "EO+KS fanout=9" : "EO+BS");
    if (large_)
      because(fmt::format("{}, so K = {} and {} threads a lookup: fewer steps, each a miss", size_words(),
                          papers_fanout, papers_fanout - 1),
              the_tree);
    else
      because(size_words() + ", so binary search: its steps hit the cache, and one thread does a lookup", the_tree);
  }

  void smallest() {
    if (facts_.ascending) {
      because("The smallest footprint and ascending order leave the sorted array alone: no pivots beside it", the_tree);
      because(
          fmt::format("Binary search over it, optimised: full pinning, and lookups reordered {} at a time", 128 * 16),
          "lightweight, Section 5.2");
      result_.config = config_of(facts_, optimised_binary_search);
      return;
    }
    because("The smallest footprint is required: Eytzinger order needs nothing beside its entries", the_tree);
    if (many_small_ranges(facts_) || facts_.short_rebuild)
      because("That comes first, before what speaks for ascending order", the_tree);
    eytzinger_order();
  }

  void ascending() {
    if (facts_.ascending) because("Ascending order is required, which Eytzinger order is not", the_tree);
    if (many_small_ranges(facts_))
      because(fmt::format("{:.0f}% of the lookups are small ranges of about {} entries: in ascending order these lie "
                          "side by side",
                          facts_.range_share * 100, count_text(facts_.range_entries)),
              the_tree);
    if (facts_.short_rebuild) because("Rebuilds must be short: sorted keys in ascending order are the index", the_tree);
    if (!large_) {
      result_.config = config_of(facts_, optimised_binary_search);
      because(size_words() + ", so the optimised binary search: pinned and reordered", the_tree);
      return;
    }
    result_.config = config_of(facts_, "AO+PB+KS fanout=9");
    because(fmt::format("{}, so a pivot buffer, searched K = {} ways by {} threads", size_words(), papers_fanout,
                        papers_fanout - 1),
            the_tree);
    because(
        "Never a pivot buffer with binary search: it takes half as many bytes as the keys for what K-ary search "
        "does better",
        the_tree);
  }

  void eytzinger() {
    because("Ascending order is not required: Eytzinger order, whose upper levels share cache lines", the_tree);
    eytzinger_order();
  }

  void ranges() {
    if (facts_.range_share <= 0) return;
    set(result_.config, "layout", "aos");
    because("There are range lookups: an array of structs, since every entry of a range needs its row id", the_tree);
    if (family_of(result_.config).branching(result_.config) == 2) {
      set(result_.config, "scan", "cooperative");
      because("A range longer than 32 entries is scanned by the whole warp", "lightweight, Section 5.7");
    }
  }

  // Who scans a range.
  template <class Say>
  void ranges_together(index_config& c, const Say& say) const {
    constexpr u64 long_enough = 256;
    const bool together = facts_.range_entries >= long_enough;
    set(c, "scan", together ? "cooperative" : "alone");
    say(together
            ? "The warp scans a long range together: 2^16 of 2^14 entries took 2.09 ms, by a lookup's own lanes "
              "8.54; of 2^8 entries 0.108 and 0.159"
            : "A short range is scanned by its lookup's own lanes: 2^16 of 2^6 entries took 0.050 ms, by the whole "
              "warp 0.067");
  }

  // Packs are no array that something else could read.
  bool may_be_packed() const { return !facts_.ascending; }

  // The smallest leaves while all of it is in L2; past that one access of memory each; then what keeps the directory in L2:
  // leaves that leave it first, and fewer blocks. Bytes are by the shape of these configs (docs/packed.md).
  void packed() {
    const auto say = [&](std::string words) {
      result_.measured_reasons.push_back({std::move(words) + ".", ours_of_packed});
    };
    const bool wide = facts_.width == key_width::u64;
    say(
        fmt::format("A packed index reads one block of a small directory and one leaf: it reached {} G/s{} at 2^16, "
                    "2^20, 2^22, 2^24, 2^26 and 2^28, in 0.7 of the sorted array's bytes",
                    wide ? "106, 74.7, 56.3, 41.0, 36.0 and 24.7" : "147, 106, 78.5, 49.3, 39.2 and 35.8",
                    wide ? " with 64-bit keys" : ""));
    if (facts_.short_rebuild)
      say("Building it from 2^28 sorted keys took 1.10 to 1.28 ms, the sorted array's entries 1.49; of keys that crowd "
          "up to 4.9");
    if (facts_.range_share > 0)
      say("Of a range only the row ids between its ends are read, packed: at 2^26 keys 2^16 ranges of 2^6 entries took "
          "0.028 ms, of 2^14 1.19; with a pivot buffer 0.047 and 1.97");
    const double n = static_cast<double>(facts_.keys), cache = static_cast<double>(cache_);
    const double leaves = n * 64 / (wide ? 6 : 12), small_blocks = n / 6 / 12.1 * 16;
    const double blocks = leaves / 64 / 10.5 * 16;
    const char* const pinned = "threads=1024 per_thread=8 schedule=static";
    if (facts_.keys <= 1ull << 18) {
      result_.measured = config_of(
          facts_, wide ? "PACKED leaf=32 lanes=1 fill=80" : "PACKED leaf=16 lanes=1 fill=80 per_thread=2 flight=2");
      say(fmt::format(
          "One thread looks at a leaf of three entries{}; scratch would be taken from L1, which has many of "
          "the leaves",
          wide ? "" : ", two of its lookups at once"));
    } else if (wide && leaves <= cache) {
      result_.measured = config_of(facts_, "PACKED leaf=32 lanes=1");
      say("All of it stays in L2, so leaves of 32 bytes, of three entries: half as much to bring. A directory in "
          "scratch "
          "would leave room for too few threads");
    } else if (!wide && small_blocks <= 226 * 1024 && has_large_scratch(on_)) {
      result_.measured = config_of(facts_, fmt::format("PACKED leaf=32 fill=121 {} flight=4 scratch=226KiB", pinned));
      say("The whole directory lies in scratch, which leaves room for few threads: each has four lookups on the way at "
          "once, of leaves of 32 bytes");
      if (facts_.range_share <= 0 && !facts_.smallest)
        say("Where nothing asks for order and three times the memory is no matter, HT+OA lanes=1 window=4 load=50 "
            "per_thread=4 answers more: 136 to 106 G/s over 2^20 keys");
    } else if (leaves <= cache && facts_.keys <= 1ull << 22 && has_large_scratch(on_)) {
      result_.measured = config_of(facts_, fmt::format("PACKED leaf=32 fill=115 {} flight=4 scratch=192KiB", pinned));
      say("Up to 2^22 keys a part of the directory lies in scratch, and each thread has four lookups on the way at "
          "once, of "
          "leaves of 32 bytes");
    } else if (leaves <= cache) {
      result_.measured = config_of(facts_, "PACKED leaf=32 fill=105");
      say("All of it stays in L2, so leaves of 32 bytes: half as much to bring");
    } else {
      say("Leaves of 64 bytes are what one access of memory brings, and four threads look at one");
      const bool kept = leaves > 2 * cache, fewest = blocks > 0.4 * cache;
      if (fewest)
        say(
            fmt::format("The directory would take {}: larger blocks with {} leaves each make it half of that, and L2 "
                        "keeps more of it",
                        bytes_text(static_cast<u64>(blocks)), wide ? 30 : 40));
      if (kept) say("The leaves are several times L2: they leave it first, and the directory last");
      const char* const shape = !fewest ? " fill=105" : wide ? " block=32 fill=300" : " block=32 fill=400";
      result_.measured = config_of(facts_, fmt::format("PACKED lanes=4{}{}", shape, kept ? " reads=kept" : ""));
    }
  }

  // What an H200 showed, of what keeps ascending order. Rules, not a table: other chips differ, and the autotuner measures
  // the one at hand.
  void refine() {
    if (may_be_packed()) return packed();
    index_config c = result_.config;
    const auto say = [&](std::string words) { result_.measured_reasons.push_back({std::move(words) + ".", ours}); };
    constexpr u64 tiny = 1ull << 18;
    if (facts_.smallest) {
      c.launch.threads = 512;
      c.launch.per_thread = 8;
      set(c, "pin", "steps");
      say("Larger blocks with the first steps pinned took 23.4 ms for 2^27 lookups in 2^28 keys; reordering without "
          "pinning took 26.0, and the plain search 47.4");
    } else if (facts_.keys < tiny) {
      c = config_of(facts_, "AO+PB+KS fanout=5 lanes=1");
      say("At 2^16 keys a pivot buffer of nodes that one thread loads whole reached 72.2 G/s, EO+BS 46.1 and AO+BS "
          "22.9; it takes a quarter more bytes than the keys");
    } else {
      c = config_of(facts_, "AO+PB+KS fanout=9 lanes=2");
      say("Fewer lanes with wide loads beat K - 1: AO+PB+KS with 2 lanes reached 47.3 G/s at 2^20 and 16.3 at 2^28, "
          "with 8 lanes 22.5 and 11.3; the best Eytzinger orders 27.5 and 15.3");
      if (facts_.keys >= 1ull << 28 && facts_.width == key_width::u32) {
        set(c, "fanout", "17");
        say("From 2^28 keys on, K = 17 with 2 lanes is faster yet: 17.9 G/s");
      }
    }
    if (facts_.range_share > 0) {
      set(c, "layout", "aos");
      ranges_together(c, say);
    }
    result_.measured = c;
  }

  // What one processor showed: of point lookups of 32-bit keys, which is all that was timed.
  void refine_on_cpu() {
    if (facts_.smallest || facts_.short_rebuild || facts_.range_share > 0 || facts_.width != key_width::u32) return;
    const auto say = [&](std::string words) {
      result_.measured_reasons.push_back({std::move(words) + ".", ours_of_cpus});
    };
    if (may_be_packed() && facts_.keys >= 1ull << 19) {
      result_.measured = config_of(facts_, "PACKED leaf=32 lanes=1");
      say("A packed index was fastest on the processor that we measured at 2^20 and 2^23 keys, in 0.7 of the sorted "
          "array's "
          "bytes: 16 and 13.5 M/s, the best pivot buffer 9.3 and 5.5; at 2^16 a pivot buffer was. Where between them "
          "they "
          "change places is a guess");
      return;
    }
    const index_config pivots = config_of(facts_, "AO+PB+KS fanout=9");
    if (pivots == result_.config) return;
    result_.measured = pivots;
    say("A pivot buffer, whose nodes are compared by vectors, was the fastest of the paper's indexes at 2^12 to 2^20 "
        "keys, "
        "and of all up to 2^16");
  }

  const workload_facts& facts_;
  const machine_info& on_;
  const u64 cache_;
  const bool large_;
  advice result_;
};

}  // namespace

workload_facts facts_of(const workload& load, key_width width) {
  workload_facts facts{.keys = load.keys, .width = width};
  // A batch of range lookups stands in place of point lookups.
  if (load.ranges > 0) facts.range_share = 1, facts.range_entries = load.range_hits;
  return facts;
}

u64 input_bytes(const workload_facts& facts) { return facts.keys * 2 * key_bytes(facts.width); }

advice advise(const workload_facts& facts, const machine_info& on) { return decision(facts, on).take(); }

}  // namespace pivotscope
