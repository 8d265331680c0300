// Lanes and memory for the machines that run on the host: cpu, trace and interleaved. Lanes are a loop.
// Memory is bytes that a source hands out, and a recorder sees every access. The cpu machine's recorder does
// nothing and costs nothing.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <thread>
#include <type_traits>

#include "core/common/expect.hpp"
#include "core/simt/access_kind.hpp"
#include "core/simt/lane_run.hpp"
#include "core/simt/region.hpp"
#include "core/simt/relation.hpp"
#include "core/simt/source_place.hpp"
#include "core/simt/vector_compare.hpp"
#include "core/simt/wave.hpp"

namespace pivotscope {

// The cell from which a value in scratch was copied.
struct scratch_origin {
  region_id region{};
  u64 cell = 0;
};

struct no_recorder {
  using place = no_place;
  static constexpr bool sees_changes = false;
  void serve(u32 /*lookup of a wave*/) {}
  void step(u32) {}
  void scan_step(u32 /*level*/, bool /*with_warp*/) {}
  void lane(u32) {}
  void all_lanes() {}  // what follows runs in all lanes
  void access(region_id, u64 /*byte*/, u32 /*bytes*/) {}
  void scratch_access(const scratch_origin&, u32 /*cells*/, u64 /*byte*/, u32 /*bytes*/) {}
  void compared(region_id, u64 /*cell*/, u64 /*key*/) {}
  void met(region_id, u64 /*cell*/, relation) {}
  template <class... What>
  void hold(const char* /*name*/, What...) {}
  void ran(place) {}
  place called_from(place) { return {}; }
  template <class... Values>
  void watch(Values... /*names and values*/) {}
  template <class... Values>
  void watch_lane(u32 /*lane*/, Values... /*names and values*/) {}
};

template <bool ToWrite>
void prefetch_lines(const std::byte* begin, u64 bytes) {
  constexpr u64 line = 64;
  const auto past_line = reinterpret_cast<std::uintptr_t>(begin) % line;
  for (u64 at = 0; at < past_line + bytes; at += line) __builtin_prefetch(begin - past_line + at, ToWrite);
  // GCC takes a function that only prefetches for one without effects: where it does not inline it, it drops the call.
  asm volatile("");
}

// A source: an index in the host's memory, and a block's scratch.
struct direct_source {
  const std::byte* regions[max_regions] = {};
  const std::byte* scratch = nullptr;

  template <class T>
  T load(region_id region, u64 byte_offset) {
    T value;
    std::memcpy(&value, address(region, byte_offset), sizeof(T));
    return value;
  }
  template <class T>
  T load_scratch(u32 index) {
    T value;
    std::memcpy(&value, scratch + index * sizeof(T), sizeof(T));
    return value;
  }
  // Only a recorder asks for it.
  scratch_origin origin(u64 /*scratch byte*/) const { return {}; }
  scratch_origin pinned(u32 /*which*/) const { return {}; }
  const std::byte* address(region_id region, u64 byte_offset) const {
    PIVOTSCOPE_EXPECT(number_of(region) < max_regions && regions[number_of(region)] != nullptr);
    return regions[number_of(region)] + byte_offset;
  }
  void will_load(region_id region, u64 byte_offset, u64 bytes) {
    prefetch_lines<false>(address(region, byte_offset), bytes);
  }
};

// Loads a cell from memory that others write, where a load brings 8 bytes at most: from its last word to its first, so
// that a cell whose last word was stored last, after a fence, is whole. load(word{}, byte in the cell) loads a word, and
// what it loads next is no older.
template <class Cell, class Load>
Cell load_by_words(Load&& load) {
  constexpr u32 word_bytes = sizeof(Cell) % 8 == 0 ? 8 : 4, words = sizeof(Cell) / word_bytes;
  static_assert(sizeof(Cell) % word_bytes == 0);
  using word = std::conditional_t<word_bytes == 8, u64, u32>;
  std::array<word, words> got;
  for (u32 i = words; i-- > 0;) got[i] = load(word{}, i * word_bytes);
  return std::bit_cast<Cell>(got);
}

// A source: memory that several threads write. Every access is atomic, of one word of 4 or 8 bytes.
struct shared_source {
  static constexpr bool others_write = true;
  std::byte* regions[max_regions] = {};

  template <class Cell>
  Cell load(region_id region, u64 byte_offset) {
    if constexpr (sizeof(Cell) > 8) {
      return load_by_words<Cell>(
          [&]<class Word>(Word, u32 byte) { return load_acquire<Word>(region, byte_offset + byte); });
    } else {
      using word = std::conditional_t<sizeof(Cell) == 8, u64, u32>;
      return std::bit_cast<Cell>(at<word>(region, byte_offset).load(std::memory_order_relaxed));
    }
  }
  template <class Word>
  Word load_acquire(region_id region, u64 byte_offset) {
    return at<Word>(region, byte_offset).load(std::memory_order_acquire);
  }
  template <class Word>
  void store(region_id region, u64 byte_offset, Word value) {
    at<Word>(region, byte_offset).store(value, std::memory_order_release);
  }
  template <class Word>
  Word compare_exchange(region_id region, u64 byte_offset, Word expected, Word desired) {
    at<Word>(region, byte_offset).compare_exchange_strong(expected, desired, std::memory_order_acq_rel);
    return expected;
  }
  template <class Word>
  Word fetch_add(region_id region, u64 byte_offset, Word by) {
    return at<Word>(region, byte_offset).fetch_add(by, std::memory_order_acq_rel);
  }
  template <class Word>
  Word exchange(region_id region, u64 byte_offset, Word value) {
    return at<Word>(region, byte_offset).exchange(value, std::memory_order_acq_rel);
  }
  template <class Word>
  Word fetch_or(region_id region, u64 byte_offset, Word bits) {
    return at<Word>(region, byte_offset).fetch_or(bits, std::memory_order_acq_rel);
  }
  static void fence() {}                                 // a store releases what came before it
  static void pause(u32) { std::this_thread::yield(); }  // whoever is waited for may need this core
#if !defined(__SANITIZE_THREAD__)
  // Words that a vector's load brings are whole: x86-64 and 64-bit ARM load aligned words so. They say where an atomic
  // access is worth it, and it is that access that counts. The thread sanitizer cannot know.
  const std::byte* words_at(region_id region, u64 byte_offset) { return address(region, byte_offset); }
#endif
  void will_load(region_id region, u64 byte_offset, u64 bytes) {
    prefetch_lines<true>(address(region, byte_offset), bytes);
  }

 private:
  template <class Word>
  std::atomic_ref<Word> at(region_id region, u64 byte_offset) {
    static_assert(sizeof(Word) == 4 || sizeof(Word) == 8);
    return std::atomic_ref<Word>(*reinterpret_cast<Word*>(address(region, byte_offset)));
  }
  std::byte* address(region_id region, u64 byte_offset) {
    PIVOTSCOPE_EXPECT(number_of(region) < max_regions && regions[number_of(region)] != nullptr);
    return regions[number_of(region)] + byte_offset;
  }
};

template <class Recorder>
class host_lanes {
 public:
  host_lanes(u32 count, Recorder& recorder) : count_(count), recorder_(recorder) {
    PIVOTSCOPE_EXPECT(count >= 1 && count <= 32);
  }

  static constexpr bool are_threads = false;

  // A value that differs from lane to lane.
  template <class T>
  using per_lane = std::array<T, 32>;
  template <class T>
  per_lane<T> each(T value) const {
    per_lane<T> values;  // of the lanes that there are: to fill all 32 costs as much as a short operation
    for (u32 lane = 0; lane < count_; ++lane) values[lane] = value;
    return values;
  }
  // The least row id that the lanes take. The lanes are a loop, so one value does for all.
  struct row_of_lanes {
    u32 row = not_found;
    void take(u32 seen) { row = least(row, seen); }
    u32 of_all(host_lanes&) const { return row; }
  };
  row_of_lanes least_row() const { return {}; }

  template <class F>
  auto sum(F&& f) {
    decltype(f(0u)) total{};
    for (u32 lane = 0; lane < count_; ++lane) recorder_.lane(lane), total += f(lane);
    recorder_.all_lanes();
    return total;
  }
  template <class F>
  void each_lane(F&& f) {
    for (u32 lane = 0; lane < count_; ++lane) recorder_.lane(lane), f(lane);
    recorder_.all_lanes();
  }
  template <class F>
  u32 min(F&& f) {
    u32 smallest = ~0u;
    for (u32 lane = 0; lane < count_; ++lane) recorder_.lane(lane), smallest = least(smallest, f(lane));
    recorder_.all_lanes();
    return smallest;
  }
  // Calls f() in one lane, and returns its result to all. A word that others may write is loaded so: two lanes of a GPU
  // that each load it may see different values, and then go different ways.
  template <class F>
  auto once(F&& f) {
    recorder_.lane(0);
    const auto result = f();
    recorder_.all_lanes();
    return result;
  }
  // Waits for all lanes: what one of them stored before is before what another one does next.
  void meet() const {}
  // Returns to all lanes the value that `lane` has.
  template <class T>
  T told_by(const per_lane<T>& values, u32 lane) const {
    return values[lane];
  }
  // Returns the value of a variable of lane `i`. Here all lanes have one, and what the last of them stored is meant to be
  // that lane's.
  template <class T>
  static T from(u32 /*i*/, const T& own) {
    return own;
  }
  // Returns true if the loop may end once this lookup is done. Here it may; a warp goes on to
  // its last level as a whole.
  bool may_stop(bool done) const { return done; }
  // Returns true if all lookups of the warp are done. Here there is one.
  bool all_done(bool done) const { return done; }
  // Called while what lookups will read next is on its way.
  void meanwhile() {}
  u32 size() const { return count_; }
  bool leads() const { return true; }  // true if this thread speaks for the lookup

  // Calls body(lanes of the whole warp, rest) for every lookup of the warp that is `wanted`, in turn. Returns this
  // lookup's result, or {} if it is not wanted.
  template <class Rest, class F>
  auto take_turns(bool wanted, const Rest& rest, F&& body) {
    host_lanes<Recorder> warp(32, recorder_);
    return wanted ? body(warp, rest) : decltype(body(warp, rest)){};
  }

 private:
  u32 count_;
  Recorder& recorder_;
};

template <class Recorder, class Source>
class host_memory {
 public:
  host_memory(Source& source, Recorder& recorder) : source_(source), recorder_(recorder) {}

  // The place in the source of a call of this vocabulary. No caller gives it: the compiler does.
  using place = typename Recorder::place;

  // True if others may write while this operation reads. A cell wider than a word is then read from its last word to its
  // first (load_by_words()), and what a load of several cells brings may be of different moments.
  static constexpr bool others_write = requires { Source::others_write; };

  Recorder& recorder() { return recorder_; }
  Source& source() { return source_; }
  void serve(u32 lookup) { recorder_.serve(lookup); }  // what follows belongs to this lookup of the wave
  void step(u32 level, place at = {}) { recorder_.step(level), recorder_.ran(at); }
  void scan_step(u32 level, bool with_warp, place at = {}) { recorder_.scan_step(level, with_warp), recorder_.ran(at); }

  // For a function that is made of this vocabulary: while the result lives, the calls in the function
  // count as called from `at`.
  auto called_from(place at) { return recorder_.called_from(at); }
  // Records values of this step under their names: a name and a value in turn. watch_lane() does so for one lane.
  template <class... Values>
  void watch(Values... named) {
    recorder_.watch(named...);
  }
  template <class... Values>
  void watch_lane(u32 lane, Values... named) {
    recorder_.watch_lane(lane, named...);
  }

  // Tells that these cells are read soon. The cpu machine prefetches them.
  void will_read(region_id region, u64 first, u32 cells, u32 cell_bytes, place at = {}) {
    recorder_.ran(at);
    if constexpr (requires { source_.will_load(region, first, first); }) {
      source_.will_load(region, first * cell_bytes, u64{cells} * cell_bytes);
    }
  }

  template <class Cell>
  Cell load(region_id region, u64 cell, place at = {}) {
    return load_part<Cell>(region, cell, sizeof(Cell), 0, at);
  }
  // Loads a part of a cell of `cell_bytes`, from byte `offset` of the cell on.
  template <class Part>
  Part load_part(region_id region, u64 cell, u32 cell_bytes, u32 offset, place at = {}) {
    const u64 byte = cell * cell_bytes + offset;
    recorder_.ran(at);
    recorder_.access(region, byte, sizeof(Part));
    return source_.template load<Part>(region, byte);
  }
  // Calls f(i, cell) for a lane's share of the node that begins at cell `first`, in loads of at most 16 bytes. i
  // counts from the share's begin.
  template <class Cell, class F>
  void each_of_run(region_id region, u64 first, node_run run, u32 lane, F&& f, place at = {}) {
    recorder_.ran(at);
    const u64 begin = first + run.offset(lane);
    const u32 live = run.live(lane), cells = cells_a_load(run.align, sizeof(Cell));
    PIVOTSCOPE_EXPECT(live == 0 || begin % cells == 0);  // a GPU faults on a load that is not aligned
    for (u32 i = 0; i < live; i += cells) {
      recorder_.access(region, (begin + i) * sizeof(Cell), cells * u32{sizeof(Cell)});
    }
    for (u32 i = 0; i < live; ++i) f(i, source_.template load<Cell>(region, (begin + i) * sizeof(Cell)));
  }
  // The same of cells that others write, and that may be old: a GPU may have them in L1. A processor's caches are coherent.
  template <class Cell, class F>
  void each_of_old_run(region_id region, u64 first, node_run run, u32 lane, F&& f, place at = {}) {
    if constexpr (requires { source_.template load_old<Cell>(region, first); }) {
      recorder_.ran(at);
      const u64 begin = first + run.offset(lane);
      for (u32 i = 0; i < run.live(lane); ++i)
        f(i, source_.template load_old<Cell>(region, (begin + i) * sizeof(Cell)));
    } else {
      each_of_run<Cell>(region, first, run, lane, f, at);
    }
  }
  // The same, with a hint for the cache, which no processor's load has.
  template <reread, class Cell, class F>
  void each_read(region_id region, u64 first, node_run run, u32 lane, F&& f, place at = {}) {
    each_of_run<Cell>(region, first, run, lane, f, at);
  }
  // Compares a lane's share of a node with `key` in vectors: `seen` gets how many keys are less, and how many equal.
  // A cell begins with its key. Returns false where vectors do not apply, or where a recorder needs each access:
  // then each_of_run() does it.
  template <class Cell, class Key>
  bool compare_run(region_id region, u64 first, node_run run, u32 lane, Key key, compared_keys& seen) {
    if constexpr (requires { source_.address(region, first); }) {
      constexpr u32 cell_bytes = sizeof(Cell), compared_bytes = sizeof(Key);
      return compare_node<cell_bytes / compared_bytes>(
          source_.address(region, (first + run.offset(lane)) * sizeof(Cell)), run.live(lane), key, seen);
    }
    return false;
  }

  // Finds what a lane's share of cells says of `key`, in vectors (simt/vector_compare.hpp). `link`: the last one is
  // no entry. Returns false where vectors do not apply, or where a recorder needs each access.
  template <class Cell, class Key>
  bool row_at_end(region_id region, u64 first, node_run run, u32 lane, Key key, bool link, u32& row) {
    if constexpr (requires { source_.address(region, first); }) {
      return row_at_end_of_node(source_.address(region, (first + run.offset(lane)) * sizeof(Cell)), run.live(lane),
                                link, key, row);
    }
    return false;
  }

  // Finds which cells {key, row id} of one word, of a lane's share, have `key` or are empty: a bit for each. Others may
  // write them, so another key may come into an empty one. Returns false where vectors do not apply, or where a recorder
  // needs each access.
  bool cells_that_end(region_id region, u64 first, node_run run, u32 lane, u32 key, u32& bits) {
    if constexpr (requires { source_.words_at(region, first); }) {
      return cells_that_end_in_node(source_.words_at(region, (first + run.offset(lane)) * sizeof(u64)), run.live(lane),
                                    key, bits);
    }
    return false;
  }

  // Loads a word while others write. What is loaded later is no older than what this load saw.
  template <class Word>
  Word load_acquire(region_id region, u64 cell, u32 cell_bytes, u32 offset, place at = {}) {
    const u64 byte = cell * cell_bytes + offset;
    recorder_.ran(at);
    recorder_.access(region, byte, sizeof(Word));
    if constexpr (requires { source_.template load_acquire<Word>(region, byte); }) {
      return source_.template load_acquire<Word>(region, byte);
    } else {
      return source_.template load<Word>(region, byte);
    }
  }
  // The writes. A word is an aligned integer of 4 or 8 bytes, at byte `offset` of a cell.
  template <class Part>
  void store_part(region_id region, u64 cell, u32 cell_bytes, u32 offset, Part value, place at = {}) {
    recorder_.ran(at);
    const u64 byte = cell * cell_bytes + offset;
    if constexpr (Recorder::sees_changes) {
      const Part before = source_.template load<Part>(region, byte);
      recorder_.changed(region, cell, byte, offset, sizeof(Part), before, value, access_kind::store, true);
    }
    source_.store(region, byte, value);
  }
  // Replaces `expected` by `desired`, and changes nothing if something else is there. Returns what was there.
  template <class Word>
  Word compare_exchange(region_id region, u64 cell, u32 cell_bytes, u32 offset, Word expected, Word desired,
                        place at = {}) {
    recorder_.ran(at);
    const u64 byte = cell * cell_bytes + offset;
    const Word was = source_.compare_exchange(region, byte, expected, desired);
    if constexpr (Recorder::sees_changes)
      recorder_.changed(region, cell, byte, offset, sizeof(Word), was, desired, access_kind::swap, was == expected);
    return was;
  }
  template <class Word>
  Word fetch_add(region_id region, u64 cell, u32 cell_bytes, u32 offset, Word by, place at = {}) {
    recorder_.ran(at);
    const u64 byte = cell * cell_bytes + offset;
    const Word was = source_.fetch_add(region, byte, by);
    if constexpr (Recorder::sees_changes)
      recorder_.changed(region, cell, byte, offset, sizeof(Word), was, static_cast<Word>(was + by), access_kind::add,
                        true);
    return was;
  }
  template <class Word>
  Word exchange(region_id region, u64 cell, u32 cell_bytes, u32 offset, Word value, place at = {}) {
    recorder_.ran(at);
    const u64 byte = cell * cell_bytes + offset;
    const Word was = source_.exchange(region, byte, value);
    if constexpr (Recorder::sees_changes)
      recorder_.changed(region, cell, byte, offset, sizeof(Word), was, value, access_kind::exchange, true);
    return was;
  }
  template <class Word>
  Word fetch_or(region_id region, u64 cell, u32 cell_bytes, u32 offset, Word bits, place at = {}) {
    recorder_.ran(at);
    const u64 byte = cell * cell_bytes + offset;
    const Word was = source_.fetch_or(region, byte, bits);
    if constexpr (Recorder::sees_changes)
      recorder_.changed(region, cell, byte, offset, sizeof(Word), was, static_cast<Word>(was | bits),
                        access_kind::set_bits, true);
    return was;
  }
  // Orders stores: whoever sees a store made after the fence also sees every store made before it.
  void fence(place at = {}) {
    recorder_.ran(at);
    source_.fence();
  }
  // Lets others go on for so long, where this group waits for them.
  void pause(u32 nanoseconds, place at = {}) {
    recorder_.ran(at);
    source_.pause(nanoseconds);
  }

  template <class Cell>
  Cell load_scratch(u32 index, place at = {}) {
    recorder_.ran(at);
    const u64 byte = u64{index} * sizeof(Cell);
    recorder_.scratch_access(source_.origin(byte), 1, byte, sizeof(Cell));
    return source_.template load_scratch<Cell>(index);
  }
  template <class Cell, class F>
  void each_of_scratch(u32 first, node_run run, u32 lane, F&& f, place at = {}) {
    recorder_.ran(at);
    const u32 begin = first + run.offset(lane), live = run.live(lane), cells = cells_a_load(run.align, sizeof(Cell));
    PIVOTSCOPE_EXPECT(live == 0 || begin % cells == 0);
    for (u32 i = 0; i < live; i += cells) {
      const u64 byte = u64{begin + i} * sizeof(Cell);
      recorder_.scratch_access(source_.origin(byte), cells, byte, cells * u32{sizeof(Cell)});
    }
    for (u32 i = 0; i < live; ++i) f(i, source_.template load_scratch<Cell>(begin + i));
  }

  // For the trace: a key that was compared with the searched key.
  void saw(region_id region, u64 cell, u64 key, place at = {}) {
    recorder_.ran(at);
    recorder_.compared(region, cell, key);
  }
  // For the trace: how the searched key compares with a cell that has no key.
  void met(region_id region, u64 cell, relation how, place at = {}) {
    recorder_.ran(at);
    recorder_.met(region, cell, how);
  }
  // For the trace: what the search has in hand in this step beside the searched key. The last value of a name counts.
  // It is a number; an entry; or a place, as the family numbers it, with its first cell.
  void hold(const char* name, u64 number) { recorder_.hold(name, number); }
  void hold(const char* name, u64 key, u32 row) { recorder_.hold(name, key, row); }
  void hold(const char* name, u64 number, region_id region, u64 cell) { recorder_.hold(name, number, region, cell); }
  void saw_scratch(u32 index, u64 key, place at = {}) {  // of the pinned keys, by number
    recorder_.ran(at);
    const scratch_origin from = source_.pinned(index);
    recorder_.compared(from.region, from.cell, key);
  }

 private:
  Source& source_;
  Recorder& recorder_;
};

// Lanes and memory of one thread of the host that changes an index beside others.
struct host_writing {
  host_writing(const build_view& view, u32 lane_count) : lanes(lane_count, nobody), memory(source, nobody) {
    for (u32 r = 0; r < max_regions; ++r) source.regions[r] = static_cast<std::byte*>(view.regions[r]);
  }
  shared_source source;
  no_recorder nobody;
  host_lanes<no_recorder> lanes;
  host_memory<no_recorder, shared_source> memory;
};

// Calls f(i) for each i of [begin, end) in turn, and tell(i) half a wave before: it prefetches what f(i) will read.
template <class Tell, class F>
void each_told_ahead(u64 begin, u64 end, Tell&& tell, F&& f) {
  constexpr u64 ahead = host_wave / 2;
  for (u64 i = begin; i < end && i < begin + ahead; ++i) tell(i);
  for (u64 i = begin; i < end; ++i) {
    if (i + ahead < end) tell(i + ahead);
    f(i);
  }
}

}  // namespace pivotscope
