#include "core/families/open_addressing/tight_starts.hpp"

#include <optional>

#include "core/families/open_addressing/probing.hpp"
#include "core/families/open_addressing/table_model.hpp"

namespace pivotscope {
namespace {

// A miss looks at every cell of a full table, and every schedule begins with a copy of the table.
constexpr u64 most_cells = 256;

// A table by the number of keys that it is built from.
struct planned_table {
  open_addressing_config config;
  u64 keys;
  window_count size;

  u64 cells() const { return u64{size.windows} * config.window; }
  u32 home(u64 key) const {
    return config.keys == key_width::u32 ? first_window(static_cast<u32>(key), size) : first_window(key, size);
  }
};

// Returns the smallest table of so many windows and cells, built from so many keys or more, in which a cell is free.
std::optional<planned_table> plan(const open_addressing_config& config, u64 keys, u32 windows, u64 cells) {
  for (;; ++keys) {
    const planned_table t{config, keys, window_count::of(table_windows(config, keys))};
    if (t.cells() > most_cells) return std::nullopt;
    if (t.size.windows >= windows && t.cells() >= cells && t.cells() > keys) return t;
  }
}

// Returns the first keys, from 1 on, that f takes.
template <class F>
std::vector<u64> first_keys(u64 count, F&& f) {
  std::vector<u64> list;
  for (u64 key = 1; list.size() < count; ++key)
    if (f(key)) list.push_back(key);
  return list;
}

// A window is full of keys whose home it is, the others have room.
tight_start full_window(const char* name, const planned_table& t, u32 window) {
  tight_start start{name, first_keys(t.config.window + 2, [&](u64 key) { return t.home(key) == window; }), {}, {}};
  start.next.assign(start.keys.end() - 2, start.keys.end());
  start.keys.resize(t.config.window);
  for (const u64 key : first_keys(t.keys - t.config.window, [&](u64 key) { return t.home(key) != window; }))
    start.keys.push_back(key);
  return start;
}

// So many cells hold an entry. What the table is not built from is inserted.
tight_start filled(const char* name, const planned_table& t, u64 cells) {
  tight_start start{name, {}, {}, {cells + 1, cells + 2}};
  for (u64 key = 1; key <= cells; ++key) {
    if (key <= t.keys)
      start.keys.push_back(key);
    else
      start.before.emplace_back(operation::insert, key);
  }
  return start;
}

}  // namespace

std::vector<tight_start> tight_tables(const open_addressing_config& config) {
  std::vector<tight_start> list;
  // Three windows: double and quadratic probing then pass over a place that is no window.
  if (const auto table = plan(config, config.window + 1, 3, 0)) {
    list.push_back(full_window("the home window is full", *table, 0));
    list.push_back(
        full_window("the home window is full, and the next one lies before it", *table, table->size.windows - 1));
  }
  // Of fewer cells an erased one is an eighth, and a clean-up would empty it.
  if (const auto table = plan(config, 1, 2, 16)) {
    list.push_back(filled("one cell is free", *table, table->cells() - 1));
    list.push_back(filled("no cell is free, one is erased", *table, table->cells()));
    list.back().before.emplace_back(operation::erase, 1);
    list.back().next = {table->cells() + 1, 1};
  }
  return list;
}

}  // namespace pivotscope
