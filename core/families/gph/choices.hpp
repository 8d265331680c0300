// What a cell of the index might say: each value that it can have, and whether the cell's keys would fit. It is what an
// insert that makes room tries (refinement.hpp), of a table that nobody changes meanwhile.
#pragma once

#include <optional>
#include <vector>

#include "core/families/gph/own_entries.hpp"
#include "core/index/model.hpp"
#include "core/index/value_choices.hpp"

namespace pivotscope {

inline constexpr u32 most_columns = 64;  // mappings; cells of 16 bits have more

// The cell to which a key leads, and all that its values depend on. `model` gives what is in slots.
class gph_cell_choices {
 public:
  // Nothing: it takes bytes that are not at hand.
  static std::optional<gph_cell_choices> of(const gph_config& config, const gph_view& table, const index_model& model,
                                            u64 key, const region_reader& read);

  u32 columns() const { return least(mappings(config_), most_columns); }
  std::optional<value_choices> all(const region_reader& read) const;
  std::vector<choice_place> places_of(u32 square, const region_reader& read) const;

 private:
  gph_cell_choices(const gph_config& config, const gph_view& table, const index_model& model)
      : config_(config), table_(table), model_(model) {}

  key_place place(u64 key) const;
  std::optional<std::vector<u64>> live_keys(u32 bucket, const region_reader& read) const;
  std::optional<u32> others_in(u32 bucket, const region_reader& read) const;  // slots that other cells' keys have
  place_counts wanted_of(u32 mapping) const;

  gph_config config_;
  gph_view table_;
  const index_model& model_;
  u32 cell_ = 0, value_ = 0;
  u64 key_ = 0;
  bool comes_ = false;  // the key is not in the cell's buckets
  std::vector<u64> keys_;
};

}  // namespace pivotscope
