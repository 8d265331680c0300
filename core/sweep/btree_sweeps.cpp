// "Engineering a High-Performance GPU B-Tree" on a TITAN V of 4.5 MB of L2: 32-bit keys, trees of many sizes (Section 5).
// Its GPU LSM is LSM here, its GPU sorted array SA. What is wanted are the means that the paper's text and Table 3 give.
#include <fmt/format.h>

#include "core/common/expect.hpp"
#include "core/sweep/paper_sweeps.hpp"
#include "core/sweep/sweep_grid.hpp"

namespace pivotscope {
namespace {

constexpr const char *papers_tree = "BTREE lanes=16 node=16 fill=53 l1=bypassed look=each", *our_tree = "BTREE";
constexpr u32 least_bits = 16, most_bits = 26;  // of the numbers of keys

// A sweep's rows, one by one: a row's workload depends on its series as well as on its tick.
class figure {
 public:
  figure(std::string name, std::string sentence, const char* source, sweep_plot plot) {
    made_ = {.name = std::move(name),
             .sentence = std::move(sentence),
             .source = fmt::format("gpu-btree, {}", source),
             .device = "TITAN V",
             .plot = std::move(plot)};
  }
  void tick(std::string words) { made_.plot->ticks.push_back(std::move(words)); }
  // At the last tick. `rate`: the paper's, in millions a second; 0: it gives none.
  void row(const std::string& series, std::string config, const std::string& load, double rate = 0) {
    const outcome<workload> read = workload_from_line("distribution=uniform " + load);
    PIVOTSCOPE_EXPECT(read.ok());
    sweep_row row{.id = fmt::format("{} at {}", series, made_.plot->ticks.back()),
                  .load = *read,
                  .configs = {std::move(config)},
                  .advised = false,
                  .series = series,
                  .tick = static_cast<u32>(made_.plot->ticks.size() - 1)};
    if (rate > 0) row.wants = {{measure::rate, rate * 1e6}};
    made_.rows.push_back(std::move(row));
  }
  sweep that_saw(std::string words) {
    made_.saw = std::move(words);
    return std::move(made_);
  }

 private:
  sweep made_;
};

figure by_tree_size(std::string name, std::string sentence, const char* source, const char* x_words, plot_y y) {
  const bool times = y == plot_y::batch_ms || y == plot_y::growing_ms;
  return {
      std::move(name), std::move(sentence), source, {.x_words = x_words, .x = plot_x::keys, .y = y, .log_y = times}};
}

std::string two_to(u32 bits) { return fmt::format("2^{}", bits); }

// As many reads as there are keys. A tree and a sorted array are the same however they came to be. LSM has got its last
// three eighths by three batches, so three levels have entries: an eighth, a quarter, and what it was built from.
struct reads {
  const char *field, *of_grown, *of_built;  // parts of the workload's line
  double tree, lsm, array;                  // the paper's, in millions a second; 0: none
};
sweep by_reads(figure made, const reads& asked, std::string saw) {
  for (u32 bits = least_bits; bits <= most_bits; ++bits) {
    made.tick(two_to(bits));
    const auto built = fmt::format("keys=2^{} {}=2^{}{}", bits, asked.field, bits, asked.of_built);
    made.row("GPU B-Tree", papers_tree, built, asked.tree);
    made.row("BTREE", our_tree, built);
    const u64 eighth = 1ull << (bits - 3);
    made.row("LSM", fmt::format("LSM level0=2^{}", bits - 3),
             fmt::format("keys={} inserts={} mix=1 batch={} {}=2^{}{}", 5 * eighth, 3 * eighth, eighth, asked.field,
                         bits, asked.of_grown),
             asked.lsm);
    made.row("SA", "SA", built, asked.array);
  }
  return made.that_saw(std::move(saw));
}

// Ranges are drawn over the keys that LSM is built from: five of them, and three that were inserted.
constexpr reads searches{"lookups", "", "", 1020.27, 158.44, 335.17},
    ranges{"lookups=0 ranges", " range_hits=5", " range_hits=8", 502.28, 166.02, 0},
    successors{"lookups=0 successors", "", "", 783.13, 0, 0};

sweep rebuild_or_insert() {
  figure made = by_tree_size("btree-3", "a batch of inserts, or building all anew, by the size of the tree after it",
                             "Section 5.1, Figure 3", "keys after the batch", plot_y::growing_ms);
  for (u32 bits = least_bits + 2; bits <= most_bits; ++bits) {
    made.tick(two_to(bits));
    const u64 size = 1ull << bits;
    for (const auto& [tree, config] : {std::pair("GPU B-Tree", papers_tree), {"BTREE", our_tree}}) {
      made.row(fmt::format("{}, rebuilt", tree), config, fmt::format("keys={} lookups=2^16", size));
      for (u32 batch = 16; batch <= 22 && batch < bits; batch += 2)
        made.row(fmt::format("{}, 2^{} inserted", tree, batch), config,
                 fmt::format("keys={} lookups=0 inserts=2^{}", size - (1ull << batch), batch));
    }
  }
  return made.that_saw(
      "From 3.15 million keys on inserting 2^18 is faster than rebuilding, which does 3124 million keys a second on "
      "average; of 2^19 that is so from 6.82 million on, of 2^22 from 57.67 million.");
}

sweep deletes() {
  figure made = by_tree_size("btree-4", "erasing a share of a tree's keys, by its size", "Section 5.3, Figure 4",
                             "keys", plot_y::batch_ms);
  for (u32 bits = least_bits; bits <= most_bits; ++bits) {
    made.tick(two_to(bits));
    const u64 size = 1ull << bits;
    const auto load = [&](u32 percent) {
      return fmt::format("keys={} lookups=0 erases={}", size, size * percent / 100);
    };
    for (u32 percent = 10; percent <= 50; percent += 10)
      made.row(fmt::format("GPU B-Tree, {}%", percent), papers_tree, load(percent), percent == 10 ? 570.64 : 581.78);
    for (const u32 percent : {10u, 50u}) made.row(fmt::format("BTREE, {}%", percent), our_tree, load(percent));
  }
  return made.that_saw(
      "A delete is a search and a write: 570.64 million a second of 10%, 581.78 to 583.35 million of more. Reading "
      "inner nodes by the L1 cache makes it 2.4 times as fast.");
}

// As many operations as the tree has keys, in one batch. Half of the updates insert and half erase, so it keeps its size.
sweep concurrent() {
  figure made = by_tree_size("btree-5", "inserts, erases and lookups in one batch, by the size of the tree",
                             "Section 5.6, Figure 5", "keys", plot_y::rate);
  for (u32 bits = least_bits; bits <= most_bits; ++bits) {
    made.tick(two_to(bits));
    const u64 size = 1ull << bits;
    const auto add = [&](const char* tree, const char* config, u32 tenths, double rate) {
      const u64 each = size * tenths / 20;
      made.row(
          fmt::format("{}, {:.1f} updates", tree, tenths / 10.0), config,
          fmt::format("keys={} lookups=0 inserts={} erases={} mix={} batch={}", size, each, each, tenths / 10.0, size),
          rate);
    };
    add("GPU B-Tree", papers_tree, 2, 247.67);
    add("GPU B-Tree", papers_tree, 6, 257.25);
    add("GPU B-Tree", papers_tree, 10, 237.79);
    for (const u32 tenths : {2u, 6u, 10u}) add("BTREE", our_tree, tenths, 0);
  }
  return made.that_saw(
      "The update ratio hardly matters, since every operation is a walk down the tree: 247.67, 257.25 and 237.79 "
      "million operations a second at 0.2, 0.6 and 1.0. All are slower than phases of one kind, as L1 is bypassed.");
}

// Lookups of all keys, as in Figure 2a, which the GPU counts: the upper half of Figure 6, or of the same rows the lower.
sweep memories(figure made, std::string rows_of) {
  for (u32 bits = least_bits; bits <= most_bits; ++bits) {
    made.tick(two_to(bits));
    const std::string load = fmt::format("keys=2^{} lookups=2^{}", bits, bits);
    made.row("GPU B-Tree", papers_tree, load);
    made.row("BTREE", our_tree, load);
  }
  sweep counted = made.that_saw(
      "Upper nodes stay in L1 and L2, so a TITAN V moves more bytes than its DRAM could. Its L1 is 2.6 times as large "
      "as a Tesla K40c's, and has a hit rate 1.47 times as high on average; L2's throughput is 4.5 times as high, "
      "DRAM's 4 times, all together 6.2 times.");
  counted.counters = true, counted.rows_of = std::move(rows_of);
  return counted;
}

// All sizes that batches of b build up to, from nothing to 2^24 keys: all inserts by all time is the harmonic mean of the
// batches' rates.
sweep batches() {
  constexpr u32 size_bits = 24;
  struct means {
    u32 bits;
    double tree, lsm, array;
  };
  constexpr means table[] = {{16, 168.0, 61.5, 44.9},    {17, 139.7, 121.3, 87.6},  {18, 171.7, 218.6, 160.6},
                             {19, 190.3, 402.5, 292.6},  {20, 205.1, 685.9, 543.0}, {21, 211.9, 1103.8, 907.5},
                             {22, 223.0, 1603.1, 1472.7}};
  figure made("btree-t3", "inserts into an index that grows from nothing to 2^24 keys, by the size of the batches",
              "Section 5.1, Table 3",
              {.x_words = "inserts of a batch", .x = plot_x::script_batch, .y = plot_y::rate, .log_y = true});
  for (const means& at : table) {
    made.tick(two_to(at.bits));
    const std::string load = fmt::format("keys=0 lookups=0 inserts=2^{} mix=1 batch=2^{}", size_bits, at.bits);
    made.row("GPU B-Tree", papers_tree, load, at.tree);
    made.row("BTREE", our_tree, load);
    made.row("LSM", fmt::format("LSM level0=2^{}", at.bits), load, at.lsm);
    made.row("SA", "SA", load, at.array);
  }
  return made.that_saw(
      "The B-Tree is 2.73 and 1.15 times as fast as the LSM at batches of 2^16 and 2^17. From 2^18 on the LSM is "
      "ahead, "
      "from 2^19 on the sorted array as well: 7.19 and 6.6 times at 2^22. Means: 182.9, 202.6 and 149.1 million keys a "
      "second.");
}

// A tree of 1024 keys, and a batch of inserts: the fewer nodes there are, the more inserts meet in each.
sweep waits() {
  figure made("btree-a1", "inserts into a small tree, by how they wait, and by fences and L1", "Sections 3.5 and 4.1.2",
              {.x_words = "inserts of the batch", .x = plot_x::script_batch, .y = plot_y::rate, .log_y = true});
  for (u32 bits = 14; bits <= 22; ++bits) {
    made.tick(two_to(bits));
    const std::string load = fmt::format("keys=2^10 lookups=0 inserts=2^{} mix=1 batch=2^{}", bits, bits);
    for (const char* fences : {"on", "none"}) {
      for (const char* l1 : {"bypassed", "inner"}) {
        for (const char* wait : {"restart", "spin", "backoff"}) {
          const bool wrong = std::string_view(fences) == "none", cached = std::string_view(l1) == "inner";
          made.row(fmt::format("{}{}{}", wait, cached ? ", inner nodes by L1" : "", wrong ? ", no fences: wrong" : ""),
                   fmt::format("{} wait={} fences={} l1={} look=each", our_tree, wait, fences, l1), load);
        }
      }
    }
    if (bits <= 17)
      made.row("latch coupling", fmt::format("{} latches=coupled", our_tree), load, bits == 16 ? 0.166 : 0);
  }
  return made.that_saw(
      "At 2^16 keys restarts are 6.39 times as fast as spinning, back-off 1.47 times. Without fences, and with all "
      "nodes read by L1, which is wrong, a tree of 2^16 keys is built 1.77 times as fast. The baseline with latch "
      "coupling inserts 0.166 million keys a second, on average over all sizes.");
}

}  // namespace

std::vector<sweep> btree_sweeps() {
  std::vector<sweep> all;
  all.push_back(by_reads(
      by_tree_size("btree-2a", "lookups of all keys, by their number", "Section 5.2, Figure 2a", "keys", plot_y::rate),
      searches,
      "The tree's rate depends on its height, and is nearly constant: 1020.27 million lookups a "
      "second on average, 6.44 times the LSM's 158.44 and 3 times the sorted array's 335.17."));
  all.push_back(
      by_reads(by_tree_size("btree-2b", "ranges of 8 entries, by the number of keys", "Section 5.4, Figure 2b", "keys",
                            plot_y::rate),
               ranges, "The same trend as of lookups: 502.28 million ranges a second, three times the LSM's 166.02."));
  all.push_back(
      by_reads(by_tree_size("btree-2c", "successors of all keys, by their number", "Section 5.5, Figure 2c", "keys",
                            plot_y::rate),
               successors,
               "783.13 million successors a second on average. The paper's LSM has none, and its sorted array "
               "is not in the figure."));
  all.push_back(rebuild_or_insert());
  all.push_back(deletes());
  all.push_back(concurrent());
  all.push_back(memories(by_tree_size("btree-6", "what L1, L2 and DRAM move during lookups, by the size of the tree",
                                      "Section 5.7, Figure 6 (top)", "keys", plot_y::memory_rates),
                         ""));
  all.push_back(memories(by_tree_size("btree-6-hits", "hit rates of L1 and L2 during lookups, by the size of the tree",
                                      "Section 5.7, Figure 6 (bottom)", "keys", plot_y::hit_rates),
                         "btree-6"));
  all.push_back(waits());
  all.push_back(batches());
  return all;
}

}  // namespace pivotscope
