// A packed index over keys of 8 or 16 bits: the family's own build and search, and whether they keep what docs/packed.md claims.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/families/packed/building.hpp"
#include "core/families/packed/packed.hpp"
#include "core/families/packed/packed_model.hpp"
#include "core/simt/host.hpp"
#include "tests/support/narrow_key.hpp"
#include "tests/support/without_arrays.hpp"

namespace pivotscope::testing {

// What a build asks of a machine, for keys of any width.
template <class Key>
class narrow_executor final : public without_arrays<> {
 public:
  // Sorted keys, and the row id of each.
  narrow_executor(std::span<const Key> keys, std::span<const u32> rows) : keys_(keys), rows_(rows) {}

  u64 keys() const override { return keys_.size(); }
  std::pair<u64, u64> key_range() const override {
    if (keys_.empty()) return {0, 0};
    return {keys_.front(), keys_.back()};
  }
  status resize(region_id region, u64 cells) override {
    bytes[number_of(region)].resize(cells * cell_bytes[number_of(region)] / sizeof(quad) + 1);
    return fine();
  }
  status read(region_id region, u64 offset, std::span<std::byte> out) override {
    std::memcpy(out.data(), reinterpret_cast<const std::byte*>(bytes[number_of(region)].data()) + offset, out.size());
    return fine();
  }
  outcome<u64> run(const build_pass& pass, u64 items, const state_bytes& state) override {
    const std::string_view name = pass.kernel;
#define PIVOTSCOPE_PASS(kernel) \
  if (name == #kernel) return items_of<packed::kernel>(items, state)
    PIVOTSCOPE_PASS(clear_starts);
    PIVOTSCOPE_PASS(pack_leaves);
    PIVOTSCOPE_PASS(fill_blocks);
    PIVOTSCOPE_PASS(sum_nodes);
    PIVOTSCOPE_PASS(place_nodes);
    PIVOTSCOPE_PASS(fill_children);
    PIVOTSCOPE_PASS(sum_escapes);
    PIVOTSCOPE_PASS(place_escapes);
    PIVOTSCOPE_PASS(sum_groups);
    PIVOTSCOPE_PASS(scan_sums);
    PIVOTSCOPE_PASS(fill_lists);
#undef PIVOTSCOPE_PASS
    return problem{"no such pass: " + std::string(name)};
  }

  packed_config config;  // whose index it is
  std::vector<quad> bytes[max_regions];
  u32 cell_bytes[max_regions] = {};

 private:
  status replace_regions(std::vector<index_region> regions) override {
    for (std::size_t r = 0; r < regions.size(); ++r) {
      cell_bytes[r] = regions[r].cell_bytes;
      bytes[r].assign(regions[r].bytes() / sizeof(quad) + 1, quad{{~0u, ~0u, ~0u, ~0u}});
    }
    return fine();
  }
  void free_before() override {}

  template <class Pass>
  u64 items_of(u64 items, const state_bytes& state) {
    build_view view;
    view.keys = keys_.data(), view.rows = rows_.data();
    for (u32 r = 0; r < max_regions; ++r) view.regions[r] = bytes[r].data();
    state.copy_to(view.found_by.state);
    host_writing here(view, 1);
    u64 counted = 0;
    for (u64 i = 0; i < items; ++i)
      counted += do_item<Pass, Key>(dynamic_config{config}, here.lanes, here.memory, view, i);
    return counted;
  }

  std::span<const Key> keys_;
  std::span<const u32> rows_;
};

// What was seen of many indexes: a test demands that the hard parts were among it.
struct narrow_counts {
  u64 indexes = 0, asked = 0;
  u64 escaped = 0, nodes = 0, lists = 0, deep = 0;  // indexes with such; deep: nodes below nodes
  u64 doubtful = 0,
      tight = 0;  // keys that may lie in a leaf before; whose leaf is nearly as wide as entries' bits tell
};

template <class Key>
class narrow_packed {
 public:
  static constexpr u64 values = u64{1} << 8 * sizeof(Key);

  // `keys` in the order of their rows.
  narrow_packed(const packed_config& config, const std::vector<u32>& keys) : config_(config), key_of_row_(keys) {
    for (u32 row = 0; row < keys.size(); ++row) rows_.push_back(row);
    std::stable_sort(rows_.begin(), rows_.end(), [&](u32 a, u32 b) { return keys[a] < keys[b]; });
    sums_.push_back(0);
    for (const u32 row : rows_) sorted_.push_back(Key(keys[row])), sums_.push_back(sums_.back() + row);
    below_.assign(values + 1, 0);
    for (const u32 key : keys) ++below_[key + 1];
    for (u64 key = 0; key < values; ++key) below_[key + 1] += below_[key];
    narrow_executor<Key> on(sorted_, rows_);
    on.config = config;
    const auto state = build_packed(on, config, 8 * sizeof(Key));
    if (!state) {
      problem_ = state.error().words;
      return;
    }
    for (u32 r = 0; r < max_regions; ++r) bytes_[r] = std::move(on.bytes[r]);
    for (u32 r = 0; r < max_regions; ++r) index_.regions[r] = bytes_[r].data();
    state->copy_to(index_.state);
    for (u32 r = 0; r < max_regions; ++r) source_.regions[r] = reinterpret_cast<const std::byte*>(bytes_[r].data());
    pinned_.resize(view().pinned);
    for (u32 i = 0; i < view().pinned; ++i)
      pinned_[i] = packed::pinned_key<Key>(dynamic_config{config_}, memory_, index_, i);
    source_.scratch = reinterpret_cast<const std::byte*>(pinned_.data());
  }
  narrow_packed(const narrow_packed&) = delete;
  narrow_packed& operator=(const narrow_packed&) = delete;

  const packed_view& view() const { return index_.as<packed_view>(); }

  // Asks every value of the width: are its answers right, and what the claim says of it? What is wrong first, in words, or nothing.
  std::string ask_all(narrow_counts& counts) {
    return each_value(counts, [&](u64 value) {
      if (value % host_wave == 0) find_all_from(value);
      const std::string wrong = answers_are_right(value);
      return wrong.empty() ? leaves_are_right(value, counts) : wrong;
    });
  }
  // The claim alone, which takes a fraction of the time.
  std::string claim_all(narrow_counts& counts) {
    return each_value(counts, [&](u64 value) { return leaves_are_right(value, counts); });
  }

  // Looks up a wave of values.
  void find_all_from(u64 value) {
    host_lanes<no_recorder> lanes(packed::lanes(config_), nobody_);
    wave<host_lanes<no_recorder>, memory_type, Key, host_wave> all(lanes, memory_, host_wave);
    for (u32 i = 0; i < host_wave; ++i) all.keys[i] = Key(value + i);
    const auto rows = packed::find(dynamic_config{config_}, all, index_);
    for (u32 i = 0; i < host_wave; ++i) found_[i] = rows[i];
  }

  // What was found, a range and a successor. The other end of the range takes every value once, as the first does.
  std::string answers_are_right(u64 value) {
    host_lanes<no_recorder> lanes(packed::lanes(config_), nobody_);
    const dynamic_config config{config_};
    const Key key(value);
    const u32 row = found_[value % host_wave];
    if (row == not_found ? count(value) != 0 : row >= key_of_row_.size() || key_of_row_[row] != value)
      return "found " + std::to_string(row);
    const u64 other = (value * 77 + 13) % values;
    no_rows nothing;
    const range_answer range = packed::range(config, lanes, memory_, index_, key, Key(other), u64{0}, nothing);
    const u64 begin = below_[value], end = std::max<u64>(begin, other < value ? begin : below_[other + 1]);
    if (range.count != end - begin || range.row_sum != sums_[end] - sums_[begin])
      return "range to " + std::to_string(other) + " has " + std::to_string(range.count) + " entries, right are " +
             std::to_string(end - begin);
    const successor_answer next = packed::next_key(config, lanes, memory_, index_, key, false);
    const u64 rank = below_[value + 1];
    if (rank == sorted_.size()
            ? next.row != not_found
            : next.key != u64{sorted_[rank]} || next.row >= key_of_row_.size() || key_of_row_[next.row] != next.key)
      return "is followed by " + std::to_string(next.key) + ", row " + std::to_string(next.row);
    return {};
  }

  // The claim: a lookup looks for a key only in leaves that it is within `slack` of, where a difference of kept bits has the right sign;
  // and the leaves that it may look into begin before the key and end behind it.
  std::string leaves_are_right(u64 value, narrow_counts& counts) {
    if (sorted_.empty() || value <= sorted_.front() || value > sorted_.back()) return {};
    const Key key(value);
    packed_leaves<dynamic_config<packed_config>, Key, memory_type> leaves(dynamic_config{config_}, memory_, view());
    const auto root = leaves.root_of(key);
    const auto range = leaves.template where<leaf_range>(key, root);
    const auto last = leaves.template where<last_leaf>(key, root);
    const u64 offset = value - u64{sorted_.front()}, slack = view().slack;
    const auto words = [&](const char* what) {
      return std::string(what) + ": leaf " + std::to_string(range.leaf) + ", " + std::to_string(range.before) +
             " before it";
    };
    if (range.leaf >= view().leaves || range.before > range.leaf) return words("no such leaf");
    if (last.leaf != range.leaf) return words("points go to another leaf");
    const u64 first = range.leaf - range.before;
    if (first > 0 && first_offset(first) >= offset) return words("the first leaf does not begin before it");
    if (range.leaf + 1 < view().leaves && first_offset(range.leaf + 1) < offset)
      return words("the last leaf does not end behind it");
    // A leaf that points take for the key's own begins with it at most, and the next one behind it.
    if (last.doubtful == 0 && first_offset(range.leaf) > offset)
      return words("it is before a leaf that is in no doubt");
    if (range.leaf + 1 < view().leaves && first_offset(range.leaf + 1) == offset && last.doubtful == 0)
      return words("the next leaf begins with it");
    counts.doubtful += last.doubtful != 0;
    const u64 looked_first = last.doubtful != 0 && first == range.leaf ? first - 1 : first;
    const u32 kept = pack<Key>::kept(view().row_bits);
    for (u64 leaf = looked_first; leaf <= range.leaf; ++leaf) {
      const u64 begin = first_offset(leaf), end = first_offset(leaf + 1);
      if (begin > offset + slack || offset > end + slack) return words("a leaf is further away than the slack");
      if (kept >= 8 * sizeof(Key)) continue;
      const u64 far = u64{1} << (kept - 1), wide = end - begin;
      if (is_escaped(leaf)) continue;
      counts.tight += 2 * wide >= far;
      // Between any entry of the leaf and the key.
      const u64 away = std::max(end > offset ? end - offset : 0, offset > begin ? offset - begin : 0);
      if (away >= far) return words("an entry is further away than its bits tell");
    }
    return {};
  }

 private:
  using memory_type = host_memory<no_recorder, direct_source>;
  struct no_rows {
    void row(u64 /*place*/, u32 /*row*/) {}
  };

  template <class F>
  std::string each_value(narrow_counts& counts, F&& wrong_with) {
    if (!problem_.empty()) return problem_;
    ++counts.indexes;
    counts.escaped += view().escapes > 0, counts.nodes += view().levels > 1, counts.deep += view().levels > 2;
    counts.lists += view().listed > 0;
    for (u64 value = 0; value < values; ++value) {
      ++counts.asked;
      const std::string wrong = wrong_with(value);
      if (!wrong.empty()) return "key " + std::to_string(value) + ": " + wrong;
    }
    return {};
  }

  u64 count(u64 value) const { return below_[value + 1] - below_[value]; }
  u64 first_offset(u64 leaf) const {
    const u64 rank = leaf * leaf_entries(config_);
    return (rank < sorted_.size() ? u64{sorted_[rank]} : u64{sorted_.back()}) - u64{sorted_.front()};
  }
  bool is_escaped(u64 leaf) const {
    return (bytes_[0][leaf * leaf_packs(config_)].words[3] & pack<Key>::escaped_bit) != 0;
  }

  packed_config config_;
  std::string problem_;
  std::vector<u32> key_of_row_, rows_;
  std::vector<Key> sorted_;
  std::vector<u64> sums_, below_;
  std::vector<quad> bytes_[max_regions], pinned_;
  index_view index_;
  u32 found_[host_wave] = {};
  direct_source source_;
  no_recorder nobody_;
  memory_type memory_{source_, nobody_};
};

}  // namespace pivotscope::testing
