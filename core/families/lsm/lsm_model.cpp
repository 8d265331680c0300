#include "core/families/lsm/lsm_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "core/common/expect.hpp"

namespace pivotscope {
namespace {

// Reads a level's run from its first entry to its last, some at a time.
class run_reader {
 public:
  run_reader(const index_model& model, const region_reader& read, u64 first, u64 count)
      : model_(model), read_(read), next_(first), left_(count) {}

  // Brings the next entry into current(). Returns false if its bytes are not at hand.
  bool advance() {
    if (++at_ < values_.size()) return true;
    values_.resize(std::min<u64>(left_, at_once));
    at_ = 0;
    if (values_.empty()) return true;
    if (!model_.values_of({main_region, next_, values_.size()}, read_, values_)) return false;
    next_ += values_.size(), left_ -= values_.size();
    return true;
  }
  bool has_current() const { return at_ < values_.size(); }
  const cell_value& current() const { return values_[at_]; }

 private:
  static constexpr u64 at_once = 1 << 14;

  const index_model& model_;
  const region_reader& read_;
  u64 next_, left_;
  std::vector<cell_value> values_;
  std::size_t at_ = 0;
};

}  // namespace

static_assert(lsm_entries == main_region);

lsm_view lsm_as_built(const lsm_config& config, u64 keys) {
  lsm_view lsm{.level0 = config.level0};
  if (keys == 0) return lsm;
  const u32 level = lsm_level_for(keys, config.level0);
  lsm.counts[level] = static_cast<u32>(keys);
  lsm.levels = level + 1;
  lsm.cells = lsm.first_cell(level) + keys;
  return lsm;
}

lsm_model::lsm_model(const lsm_config& config, const lsm_view& state) : lsm_(state) {
  for (u32 level = 0; level < lsm_.levels; ++level) {
    entries_ += lsm_.counts[level];
    runs_ += static_cast<u32>(lsm_.counts[level] > 0);
  }
  const u32 key = key_bytes(config.keys), cell = 2 * key;
  region_ = {"entries",
             "entries",
             "entry",
             "entries",
             "The levels, one behind the other, each twice as large as the one before: a run of entries in ascending "
             "order, a key and its row id each, and behind them cells that are not in use. The row id of a tombstone "
             "says that its key was erased.",
             lsm_.cells,
             cell,
             {{"key", 0, key, field_kind::key}, {"row id", key, 4, field_kind::row_id}},
             {}};
  if (cell > key + 4) region_.fields.push_back({"padding", key + 4, cell - key - 4, field_kind::padding});
}

bool lsm_model::is_entry(u64 cell) const {
  const u32 level = static_cast<u32>(std::bit_width(cell / lsm_.level0 + 1)) - 1;
  return level < lsm_.levels && cell - lsm_.first_cell(level) < lsm_.counts[level];
}

std::string lsm_model::level_words(u32 level) const {
  return fmt::format("level {}: {}", level, lsm_.taken() >> level & 1);
}

// With full batches levels count these as the bits of a binary number do.
std::string lsm_model::levels_words() const {
  const u32 now = lsm_.taken(), before = lsm_.taken_before;
  if (now == 0) return {};
  std::string words = fmt::format(
      "A level with entries is a bit, the oldest level the highest one: {:b}. With full batches that is their "
      "number, {}.",
      now, now);
  if (!lsm_.has_batch) return words;
  const auto into = static_cast<u32>(std::countr_zero(now));
  if (before + 1 != now)
    return words + fmt::format(" The last batch went to level {}, which had room{}.", into,
                               into > 0 ? " for all newer levels, too" : "");
  words += fmt::format(" The last batch: {:b} + 1 = {:b}, ", before, now);
  if (into == 0) return words + "to level 0, which was empty.";
  return words + fmt::format("a carry: with {} it was merged into level {}.",
                             into == 1   ? "level 0"
                             : into == 2 ? "levels 0 and 1"
                                         : fmt::format("levels 0 to {}", into - 1),
                             into);
}

cell_info lsm_model::describe(region_id, u64 cell) const {
  if (cell >= lsm_.cells || !is_entry(cell)) return {};
  return {.empty = false, .level = static_cast<u32>(std::bit_width(cell / lsm_.level0 + 1)) - 1};
}

// What lies behind a level's entries was merged into an older level, or is what the memory had: it means nothing.
bool lsm_model::values_of(const cell_run& cells, const region_reader& read, std::span<cell_value> out) const {
  if (!index_model::values_of(cells, read, out)) return false;
  for (std::size_t i = 0; i < out.size(); ++i)
    if (!is_entry(cells.first + i)) out[i].row = not_found;
  return true;
}

bool lsm_model::held(const region_reader& read, const entry_taker& f) const {
  constexpr std::size_t at_once = 1 << 14;
  std::vector<run_reader> runs;  // the newest first
  for (u32 level = 0; level < lsm_.levels; ++level) {
    runs.emplace_back(*this, read, lsm_.first_cell(level), lsm_.counts[level]);
    if (!runs.back().advance()) return false;
  }
  std::vector<stored_entry> entries;
  u64 seen = 0;
  for (;;) {
    const run_reader* newest = nullptr;  // of those with the least key
    for (const run_reader& run : runs)
      if (run.has_current() && (!newest || run.current().key < newest->current().key)) newest = &run;
    if (!newest || entries.size() == at_once) {
      if (!f(entries, entries_ == 0 ? 1 : static_cast<double>(seen) / static_cast<double>(entries_))) return false;
      entries.clear();
    }
    if (!newest) return true;
    const cell_value least = newest->current();
    if (is_live_row(*least.row)) entries.push_back({*least.key, *least.row});
    for (run_reader& run : runs) {
      if (!run.has_current() || run.current().key != least.key) continue;
      ++seen;
      if (!run.advance()) return false;
    }
  }
}

void lsm_model::count_levels(region_id, u64 first, u64 end, u64* out) const {
  std::fill(out, out + max_levels, 0);
  for (u32 level = 0; level < lsm_.levels; ++level) {
    const u64 begin = lsm_.first_cell(level), behind = begin + lsm_.counts[level];
    const u64 from = std::clamp(first, begin, behind), to = std::clamp(end, begin, behind);
    out[level] = to > from ? to - from : 0;
  }
}

std::optional<cell_run> lsm_model::level_run(u32 level) const {
  if (level >= lsm_.levels) return std::nullopt;
  return cell_run{main_region, lsm_.first_cell(level), lsm_.counts[level]};
}

u64 lsm_model::node_count() const {
  u64 count = 0;
  for (u32 level = 0; level < lsm_.levels; ++level) count += ceil_div(lsm_.counts[level], node_cells);
  return count;
}

std::vector<tree_node> lsm_model::nodes() const {
  std::vector<tree_node> list;
  list.reserve(node_count());
  for (u32 level = 0; level < lsm_.levels; ++level) {
    const u32 count = lsm_.counts[level], nodes = ceil_div(count, node_cells);
    for (u32 i = 0; i < nodes; ++i) {
      const u32 first = i * node_cells;
      list.push_back({.level = level,
                      .first = lsm_.first_cell(level) + first,
                      .cells = std::min(node_cells, count - first),
                      .middle = (i + 0.5) / nodes});
    }
  }
  return list;
}

}  // namespace pivotscope
