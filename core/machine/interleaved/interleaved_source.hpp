// interleaved_source: memory that several tasks share, as one of them sees it. A task may do some
// accesses, and then its turn ends.
//
// A task is run from its begin in each of its turns. The results of its accesses in earlier turns are in a log and are
// answered from there, so that the task comes to where it was. There are no threads and no stacks to keep, and a
// schedule does the same each time.
//
//   log       load 7 | cas 0 -> was 0 | load 9 |            accesses of earlier turns: answered from here
//   budget                                     . . .        those of this turn: done; the next one ends the turn
#pragma once

#include <cstring>
#include <vector>

#include "core/common/expect.hpp"
#include "core/machine/interleaved/late_stores.hpp"
#include "core/machine/interleaved/schedule.hpp"
#include "core/machine/interleaved/shared_access.hpp"
#include "core/simt/host.hpp"

namespace pivotscope {

// The bytes of each region. A value: every schedule begins with a copy.
using shared_regions = std::vector<std::vector<std::byte>>;

class interleaved_source {
 public:
  struct turn_is_over {};   // thrown out of the task, to end its turn
  struct beyond_a_region {  // the same, if the task accesses what is not there
    region_id region;
    u64 byte;
  };

  // `begin`: the memory before all tasks. `seen`, if given, gets every access in its order.
  interleaved_source(shared_regions& regions, const shared_regions& begin, store_order stores, u32 task = 0,
                     std::vector<shared_access>* seen = nullptr)
      : regions_(regions), begin_(begin), stores_(stores), task_(task), seen_(seen) {}

  void begin_turn(u32 accesses) { at_ = done_ = 0, budget_ = accesses; }
  void end_task() { show_stores(); }
  u64 accesses() const { return log_.size(); }

  static constexpr bool others_write = true;

  // Loads a value. 4 or 8 bytes come at once; a wider one comes word by word, as no machine promises more.
  template <class T>
  T load(region_id region, u64 byte) {
    return load_by_words<T>([&]<class Word>(Word, u32 part) {
      return static_cast<Word>(access([&](shared_access& a) {
        const u64 now = seen(region, byte + part, sizeof(Word));
        a = {shared_access::kind::load, task_, region, byte + part, sizeof(Word), now, now};
        return now;
      }));
    });
  }
  // A load of what may be old. Where stores are late it is as old as can be.
  template <class T>
  T load_old(region_id region, u64 byte) {
    if (stores_ != store_order::late) return load<T>(region, byte);
    return load_by_words<T>([&]<class Word>(Word, u32 part) {
      return static_cast<Word>(access([&](shared_access& a) {
        (void)address(region, byte + part, sizeof(Word));
        u64 was = 0;
        std::memcpy(&was, begin_[number_of(region)].data() + byte + part, sizeof(Word));
        a = {shared_access::kind::load, task_, region, byte + part, sizeof(Word), was, was, false, true};
        return was;
      }));
    });
  }
  template <class T>
  void store(region_id region, u64 byte, T value) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    access([&](shared_access& a) {
      u64 word = 0;
      std::memcpy(&word, &value, sizeof(T));
      const bool late = stores_ == store_order::late;
      a = {shared_access::kind::store, task_, region, byte, sizeof(T), seen(region, byte, sizeof(T)), word, late};
      if (late)
        late_.add({region, byte, sizeof(T), word});
      else
        write(region, byte, sizeof(T), word);
      return word;
    });
  }
  template <class Word>
  Word compare_exchange(region_id region, u64 byte, Word expected, Word desired) {
    return static_cast<Word>(access([&](shared_access& a) {
      flush_word(region, byte, sizeof(Word));
      const u64 was = seen(region, byte, sizeof(Word));
      a = {shared_access::kind::swap, task_, region, byte, sizeof(Word), was, was == expected ? desired : was};
      if (was == expected) write(region, byte, sizeof(Word), desired);
      return was;
    }));
  }
  template <class Word>
  Word fetch_add(region_id region, u64 byte, Word by) {
    return change<Word>(shared_access::kind::add, region, byte, [&](Word was) { return static_cast<Word>(was + by); });
  }
  template <class Word>
  Word exchange(region_id region, u64 byte, Word value) {
    return change<Word>(shared_access::kind::exchange, region, byte, [&](Word) { return value; });
  }
  template <class Word>
  Word fetch_or(region_id region, u64 byte, Word bits) {
    return change<Word>(shared_access::kind::set_bits, region, byte, [&](Word was) { return Word(was | bits); });
  }
  static void pause(u32) {}  // the schedule says who goes on
  void fence() {
    show_stores();
    access([&](shared_access& a) {
      a = {shared_access::kind::fence, task_};
      return u64{0};
    });
  }
  template <class T>
  T load_scratch(u32) {
    PIVOTSCOPE_EXPECT(false);  // what changes is not pinned
    return {};
  }
  scratch_origin origin(u64) const { return {}; }
  scratch_origin pinned(u32) const { return {}; }

 private:
  // An atomic access: f(what was there) is there then.
  template <class Word, class F>
  Word change(shared_access::kind how, region_id region, u64 byte, F&& f) {
    return static_cast<Word>(access([&](shared_access& a) {
      flush_word(region, byte, sizeof(Word));
      const u64 was = seen(region, byte, sizeof(Word)), now = f(static_cast<Word>(was));
      a = {how, task_, region, byte, sizeof(Word), was, now};
      write(region, byte, sizeof(Word), now);
      return was;
    }));
  }
  // Late stores become visible, the newest first. Each of them is an access, so another task may have a turn between two.
  void show_stores() {
    while (at_ < log_.size() ? arrived_[at_] : !late_.empty())
      access([&](shared_access& a) {
        const late_store newest = late_.newest();
        a = {shared_access::kind::arrival, task_, newest.region, newest.byte, newest.bytes};
        std::memcpy(&a.before, address(newest.region, newest.byte, newest.bytes), newest.bytes);
        flush_word(newest.region, newest.byte, newest.bytes);
        a.after = newest.word;
        return newest.word;
      });
  }
  template <class F>
  u64 access(F&& act) {
    if (at_ < log_.size()) return log_[at_++];
    if (done_ == budget_) throw turn_is_over{};
    ++done_, ++at_;
    shared_access now;
    log_.push_back(act(now));
    arrived_.push_back(now.what == shared_access::kind::arrival);
    if (seen_) seen_->push_back(now);
    return log_.back();
  }
  std::byte* address(region_id region, u64 byte, u64 bytes) {
    if (number_of(region) >= regions_.size() || byte + bytes > regions_[number_of(region)].size())
      throw beyond_a_region{region, byte};
    return regions_[number_of(region)].data() + byte;
  }
  // Returns the word with this task's own late stores in it, which others do not see yet.
  u64 seen(region_id region, u64 byte, u64 bytes) {
    u64 word = 0;
    std::memcpy(&word, address(region, byte, bytes), bytes);
    return late_.over(word, region, byte, bytes);
  }
  void write(region_id region, u64 byte, u64 bytes, u64 word) {
    std::memcpy(address(region, byte, bytes), &word, bytes);
  }
  void write_late(const late_store& s) { write(s.region, s.byte, s.bytes, s.word); }
  void flush_word(region_id region, u64 byte, u64 bytes) {
    late_.flush_word(region, byte, bytes, [&](const late_store& s) { write_late(s); });
  }

  shared_regions& regions_;
  const shared_regions& begin_;
  store_order stores_;
  u32 task_;
  std::vector<shared_access>* seen_;
  std::vector<u64> log_;
  std::vector<bool> arrived_;  // of the log: stores that became visible
  std::size_t at_ = 0, done_ = 0, budget_ = 0;
  late_stores late_;
};

// Demands that one lane loads what others may write, and tells the rest: lanes of a GPU that each load it may see different
// values, and a group whose lanes go different ways is lost. The lanes of this machine are a loop, and would not show it.
struct told_by_one_lane : no_recorder {
  struct not_told {
    region_id region;
    u64 byte;
  };
  void lane(u32) { in_a_lane_ = true; }
  void all_lanes() { in_a_lane_ = false; }
  void access(region_id region, u64 byte, u32) const {
    if (!in_a_lane_) throw not_told{region, byte};
  }

 private:
  bool in_a_lane_ = true;  // a task that knows nothing of lanes is one
};

using interleaved_memory = host_memory<told_by_one_lane, interleaved_source>;

}  // namespace pivotscope
