#include "core/families/gph/tight_starts.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "core/families/gph/gph_model.hpp"

namespace pivotscope {
namespace {

constexpr u64 most_slots = 256;  // every schedule begins with a copy of the table
constexpr u64 most_tried = 6000;
constexpr u64 most_own = 3;  // keys of the cell that moves

// What becomes of an insert whose bucket is full.
enum class way_out { offset, mapping, spill };

// A table as the build leaves it whose keys all found room in the first phase.
class planned_table {
 public:
  planned_table(const gph_config& config, u64 keys)
      : config_(config), keys_(keys), view_(gph_table(config, gph_buckets(config, keys), 0)), buckets_(view_.buckets) {}

  const gph_view& view() const { return view_; }
  u64 planned() const { return keys_; }
  key_place place(u64 key) const {
    return config_.keys == key_width::u32 ? place_of(static_cast<u32>(key), view_) : place_of(key, view_);
  }
  u32 home(u64 key) const { return home_of(place(key), 0, config_, view_); }
  bool is_full(u32 bucket) const { return buckets_[bucket].size() == config_.bucket; }
  void put(u64 key) { buckets_[home(key)].push_back(key), all_.push_back(key); }
  const std::vector<u64>& all() const { return all_; }
  std::vector<u64> of_cell(u32 cell) const {
    std::vector<u64> own;
    std::ranges::copy_if(all_, std::back_inserter(own), [&](u64 key) { return place(key).cell == cell; });
    return own;
  }

  // As gph_refinement goes.
  way_out way_of(u64 key) const {
    const u32 cell = place(key).cell;
    std::vector<u64> own = of_cell(cell);
    own.push_back(key);
    for (u32 mapping = 0; mapping < spilled_mapping(config_); ++mapping)
      for (u32 offset = 0; offset < config_.virtuals; ++offset)
        if (fits(own, cell, mapping, offset)) return mapping == 0 ? way_out::offset : way_out::mapping;
    return way_out::spill;
  }

 private:
  bool fits(const std::vector<u64>& own, u32 cell, u32 mapping, u32 offset) const {
    std::set<u32> distinct;
    std::vector<u32> to(config_.virtuals), come(config_.virtuals);
    for (u32 p = 0; p < config_.virtuals; ++p) {
      to[p] = bucket_at(cell, p, mapping, config_.virtuals, view_);
      if (!distinct.insert(to[p]).second) return false;
    }
    for (const u64 key : own)
      ++come[(virtual_of(place(key).own, mapping, config_.virtuals) + offset) % config_.virtuals];
    for (u32 p = 0; p < config_.virtuals; ++p) {
      const auto others = std::ranges::count_if(buckets_[to[p]], [&](u64 key) { return place(key).cell != cell; });
      if (come[p] + static_cast<u64>(others) > config_.bucket) return false;
    }
    return true;
  }

  gph_config config_;
  u64 keys_;
  gph_view view_;
  std::vector<std::vector<u64>> buckets_;
  std::vector<u64> all_;
};

// Full buckets as far as the keys reach, the others empty. Of one cell there are few keys.
std::optional<planned_table> full_buckets(const gph_config& config, u64 keys, u32 few_of) {
  planned_table table(config, keys);
  if (u64{table.view().buckets + table.view().spill} * config.bucket > most_slots) return std::nullopt;
  u64 own = 0;
  for (u64 key = 1; table.all().size() < keys && key <= most_tried; ++key) {
    const u32 home = table.home(key);
    if (table.is_full(home) || home > keys / config.bucket) continue;
    if (table.place(key).cell == few_of && ++own > most_own) continue;
    table.put(key);
  }
  return table.all().size() == keys ? std::optional(std::move(table)) : std::nullopt;
}

// A key of the cell that is not there and whose bucket is full, from `from` on.
std::optional<u64> overflowing(const planned_table& table, u32 cell, u64 from) {
  const std::set<u64> there(table.all().begin(), table.all().end());
  for (u64 key = from; key <= most_tried; ++key)
    if (table.place(key).cell == cell && !there.contains(key) && table.is_full(table.home(key))) return key;
  return std::nullopt;
}

}  // namespace

std::vector<tight_start> tight_cells(const gph_config& config) {
  std::vector<tight_start> list;
  if (!is_perfect(config) || config.room > 0) return list;
  const u64 keys = most_slots / 2 * config.load / 100;  // half of the slots are beyond a cell's buckets
  const auto has = [&](const char* name) {
    return std::ranges::any_of(list, [&](const tight_start& s) { return s.name == name; });
  };
  const u32 cells = gph_table(config, gph_buckets(config, keys), 0).cells;
  for (u32 cell = 0; cell < cells; ++cell) {
    const auto table = full_buckets(config, keys, cell);
    if (!table) return list;
    for (auto key = overflowing(*table, cell, 1); key; key = overflowing(*table, cell, *key + 1)) {
      const way_out way = table->way_of(*key);
      const char* const name =
          way == way_out::offset    ? "its bucket is full, and another offset has room for its cell's keys"
          : way == way_out::mapping ? "its bucket is full, and another mapping has room for its cell's keys"
                                    : "its bucket is full, and no mapping has room for its cell's keys";
      if (has(name)) continue;
      const std::vector<u64> own = table->of_cell(cell);
      if (own.empty()) continue;
      // With it meet: another new key of its cell; one of another cell, and the same bucket; and a key that moves.
      tight_start start{name, table->all(), {}, {*key}};
      if (const auto same_cell = overflowing(*table, cell, *key + 1)) start.next.push_back(*same_cell);
      for (u64 other = 1; other <= most_tried; ++other) {
        if (table->home(other) != table->home(*key) || table->place(other).cell == cell) continue;
        if (std::ranges::find(table->all(), other) != table->all().end()) continue;
        start.next.push_back(other);
        break;
      }
      start.next.push_back(own.front());
      if (start.next.size() < 2) continue;
      list.push_back(start);
      if (way != way_out::spill || has("its bucket is full, and one of its entries is erased")) continue;
      u64 erased = 0;
      for (const u64 other : table->all())
        if (table->home(other) == table->home(*key) && table->place(other).cell != cell) erased = other;
      if (erased == 0) continue;
      start.name = "its bucket is full, and one of its entries is erased";
      start.before.emplace_back(operation::erase, erased);
      start.next.back() = erased;
      list.push_back(start);
      // Built with that key there is a cell of which some are in the spill.
      const auto next = overflowing(*table, cell, *key + 1);
      if (!next) continue;
      tight_start spilled{"some keys of its cell are in the spill", table->all(), {}, {*next, *key, own.front()}};
      spilled.keys.push_back(*key);
      for (auto at = spilled.keys.begin(); at != spilled.keys.end(); ++at)
        if (table->home(*at) != table->home(*key) && table->place(*at).cell != cell) {
          spilled.keys.erase(at);  // as many as planned
          break;
        }
      list.push_back(spilled);
    }
  }
  return list;
}

}  // namespace pivotscope
