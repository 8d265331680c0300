#include "core/families/merged/merge_story.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

#include "core/families/merged/merge.hpp"
#include "core/index/index_reader.hpp"

namespace pivotscope {
namespace {

// Finds places in a sorted array for keys that come in ascending order. It reads a run of cells at a time.
class place_finder {
 public:
  explicit place_finder(const stored_index& array)
      : model_(model_of(array)), reader_(array), count_(model_->region(main_region).cells) {}

  u64 count() const { return count_; }
  // Returns the first entry from `from` on whose key is not less than `key`, or with `behind` is greater.
  u64 first(u64 key, bool behind, u64 from) {
    const auto is_before = [&](u64 entry) { return behind ? key_at(entry) <= key : key_at(entry) < key; };
    u64 begin = from, end = count_;
    // Mostly it is in the run that was read last, or not far behind it.
    if (begin >= run_begin_ && begin < run_end() && !is_before(run_end() - 1)) end = run_end() - 1;
    for (u64 step = run_cells; begin + step <= end; step *= 2) {
      if (!is_before(begin + step - 1)) {
        end = begin + step - 1;
        break;
      }
      begin += step;
    }
    while (begin < end) {
      if (end - begin <= run_cells && !(begin >= run_begin_ && end <= run_end())) read_run(begin);
      const u64 middle = begin + (end - begin) / 2;
      if (is_before(middle))
        begin = middle + 1;
      else
        end = middle;
    }
    return begin;
  }
  status failure() const { return reader_.failure(); }

 private:
  static constexpr u64 run_cells = 1 << 12;

  u64 run_end() const { return run_begin_ + run_.size(); }
  void read_run(u64 begin) {
    run_begin_ = begin;
    run_.resize(std::min(run_cells, count_ - begin));
    model_->values_of({main_region, begin, run_.size()}, std::ref(reader_), run_);
  }
  u64 key_at(u64 entry) {
    if (entry >= run_begin_ && entry < run_end()) return run_[entry - run_begin_].key.value_or(0);
    const auto value = model_->value_of({main_region, entry}, std::ref(reader_));
    return value ? value->key.value_or(0) : 0;
  }

  std::shared_ptr<const index_model> model_;
  index_reader reader_;
  u64 count_;
  u64 run_begin_ = 0;  // the first entry of `run_`
  std::vector<cell_value> run_;
};

}  // namespace

outcome<std::shared_ptr<const batch_merge>> merge_story::make(const stored_index& before, const script& s, u64 batch,
                                                              const job_control& control) {
  control.progress("telling the merge", -1);
  std::shared_ptr<merge_story> story(new merge_story(s, batch, static_cast<u32>(before.rows())));
  if (status found = story->find_places(before, control); !found) return found.error();
  return std::shared_ptr<const batch_merge>(std::move(story));
}

// Sorts the writes as the merge does: by key, of a key its erases first, inserts in the order of the batch.
merge_story::merge_story(const script& s, u64 batch, u32 first_row) {
  const script_batch& all = s.batches()[batch];
  const auto verb = [&](u32 i) { return s.verb_of(all.begin + i); };
  std::vector<u32> rows;  // by operation of the batch
  for (u32 i = 0, row = first_row; i < all.size(); ++i) {
    rows.push_back(row);
    if (is_write(verb(i))) operations_.push_back(i);
    if (verb(i) == operation::insert) ++row;
  }
  std::stable_partition(operations_.begin(), operations_.end(), [&](u32 i) { return verb(i) == operation::erase; });
  s.columns().keys.visit([&]<class Key>(const std::vector<Key>& keys) {
    struct write {
      Key key;
      u32 place;  // where all erases come before all inserts
      bool operator<(const write& other) const { return std::tie(key, place) < std::tie(other.key, other.place); }
    };
    std::vector<write> sorted;
    for (u32 i = 0; i < operations_.size(); ++i) sorted.push_back({keys[all.begin + operations_[i]], i});
    std::sort(sorted.begin(), sorted.end());
    std::vector<Key> in_order;
    std::vector<u32> operations;
    for (const write& w : sorted) in_order.push_back(w.key), operations.push_back(operations_[w.place]);
    keys_ = key_array(std::move(in_order));
    operations_ = std::move(operations);
  });
  rows_.reserve(operations_.size());
  places_.resize(operations_.size() + 1);
  for (std::size_t w = 0; w < operations_.size(); ++w) {
    rows_.push_back(rows[operations_[w]]);
    places_[w + 1].erases = places_[w].erases + (verb(operations_[w]) == operation::erase ? 1 : 0);
  }
}

status merge_story::find_places(const stored_index& before, const job_control& control) {
  place_finder finder(before);
  const u64 all = writes();
  u64 entry = 0;  // entries before the write
  constexpr u64 between_looks = 1 << 12;
  for (u64 w = 0; w < all; ++w) {
    if (w % between_looks == 0) {
      if (control.cancelled()) return job_control::cancelled_problem();
      control.progress("telling the merge", static_cast<double>(w) / static_cast<double>(all));
    }
    const u64 key = keys_[w];
    entry = finder.first(key, !is_erase(w), entry);
    places_[w].entries = static_cast<u32>(entry);
    const bool last_erase = is_erase(w) && (w + 1 == all || keys_[w + 1] != key || !is_erase(w + 1));
    const u64 end = last_erase ? finder.first(key, true, entry) : entry;
    places_[w + 1].dropped = static_cast<u32>(places_[w].dropped + end - entry);
    entry = end;
  }
  places_[all].entries = static_cast<u32>(finder.count());
  return finder.failure();
}

template <class Behind>
u64 merge_story::first_write(Behind&& behind) const {
  u64 begin = 0, end = writes();
  while (begin < end) {
    const u64 middle = begin + (end - begin) / 2;
    if (behind(middle))
      end = middle;
    else
      begin = middle + 1;
  }
  return begin;
}

path_step merge_story::at_step(u64 step) const {
  PIVOTSCOPE_EXPECT(step < steps());
  const u64 w = first_write([&](u64 write) { return step_of(write) >= step; });
  path_step at{.step = step, .entries = step - w, .writes = w, .erases = places_[w].erases};
  if (w < writes() && step_of(w) == step) {
    at.part = is_erase(w) ? path_part::erase : path_part::insert;
    at.dropped = places_[w].dropped;
  } else if (w > 0) {
    const u64 since = at.entries - places_[w - 1].entries;
    at.part = since < dropped_behind(w - 1) ? path_part::drop : path_part::keep;
    at.dropped = places_[w - 1].dropped + std::min(since, dropped_behind(w - 1));
  }
  return at;
}

path_step merge_story::at_slot(u64 slot) const {
  PIVOTSCOPE_EXPECT(slot < after());
  const u64 w = first_write([&](u64 write) { return slots_before(write) > slot; });
  if (w == 0) return at_step(slot);
  const u64 last = w - 1, since = slot - slots_before(last);  // slots made from that write on
  if (is_erase(last)) return at_step(w + places_[last].entries + dropped_behind(last) + since);
  return at_step(step_of(last) + since);
}

path_step merge_story::at_entry(u64 entry) const {
  PIVOTSCOPE_EXPECT(entry < before());
  return at_step(entry + first_write([&](u64 write) { return places_[write].entries > entry; }));
}

merged_write merge_story::write(u64 place) const {
  PIVOTSCOPE_EXPECT(place < writes());
  return {is_erase(place) ? operation::erase : operation::insert, keys_[place], operations_[place], rows_[place]};
}

u32 merge_story::tile() const { return merge_passes::tile_steps(key_bytes(keys_.width())); }

u64 merge_story::bytes() const {
  return keys_.size() * key_bytes(keys_.width()) + (operations_.size() + rows_.size()) * sizeof(u32) +
         places_.size() * sizeof(place);
}

}  // namespace pivotscope
