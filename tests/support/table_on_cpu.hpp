// A table on the CPU that scripts change: against the oracle, every entry compared after every batch that writes.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/run/run_script.hpp"
#include "core/run/stored_entries.hpp"

namespace pivotscope::testing {

class table_on_cpu {
 public:
  table_on_cpu(const std::string& line, std::vector<u64> keys) : config_(*config_from_line(line)) {
    key_array all(config_.keys, keys.size());
    all.visit([&]<class Key>(std::vector<Key>& list) {
      for (std::size_t i = 0; i < keys.size(); ++i) list[i] = static_cast<Key>(keys[i]);
    });
    keys_ = *key_set::load(*cpu_, std::move(all), {});
  }

  // As it is before any batch.
  std::shared_ptr<const built_index> built() const {
    auto index = cpu_->build(config_, keys_->resident(), {});
    EXPECT_TRUE(index) << index.error().words;
    return *index;
  }
  script_record run(const script& s) {
    outcome<script_record> record = run_script(*cpu_, built(), *keys_, s, {.compare_each = true}, {});
    EXPECT_TRUE(record) << record.error().words;
    EXPECT_EQ(record->wrong(), 0u) << record->first_wrong();
    EXPECT_EQ(model_of(*record->index)->keys(), stored_entries(*record->index)->size()) << "as counted on the way";
    return std::move(*record);
  }
  const index_config& config() const { return config_; }
  key_width width() const { return config_.keys; }

 private:
  std::unique_ptr<machine> cpu_ = detail::open_cpu();
  index_config config_;
  std::shared_ptr<const key_set> keys_;
};

// How often a stage of that name made room for a batch.
inline u64 stages(const script_batch_record& batch, std::string_view name) {
  u64 count = 0;
  for (const stage_time& stage : batch.room) count += stage.name == name;
  return count;
}

}  // namespace pivotscope::testing
