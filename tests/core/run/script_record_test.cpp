// What a script's batches come to together.
#include "core/run/script_record.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/run/script_figures.hpp"
#include "core/statistics/samples.hpp"

namespace pivotscope {
namespace {

// Batch `i` of a kind, with figures of its own.
script_batch_record batch_of(std::optional<operation> kind, u64 i) {
  script_batch_record batch{.kind = kind, .operations = 10 + i, .inserts = i % 4};
  const auto ms = static_cast<double>(i + 1);
  batch.time = {"", {ms, 100 * ms, 3 * ms}};
  for (u64 r = 0; r < i % 3; ++r) batch.room.push_back({"clean up", {0.25 * ms}});
  batch.counts = {
      .added = i, .revived = 2 * i, .replaced = 3 * i, .full = 4 * i, .erased = 5 * i, .absent = 6 * i, .noted = 9 * i};
  batch.check = {.checked = 7 * i, .wrong = 0, .found = 8 * i, .first_wrong = {}};
  return batch;
}

// Scripts of up to three batches, of every kind in every order.
TEST(script_record, sums_by_kind_are_those_of_the_batches) {
  const std::optional<operation> kinds[] = {operation::find, operation::insert, operation::erase, std::nullopt};
  for (u32 length = 0; length <= 3; ++length) {
    for (u32 code = 0; code < 1u << (2 * length); ++code) {
      script_record record;
      std::vector<std::string_view> names;
      for (u32 b = 0; b < length; ++b) {
        record.batches.push_back(batch_of(kinds[code >> (2 * b) & 3], b + 1));
        const std::string_view name = record.batches.back().kind_name();
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
      const std::vector<script_kind_sums> sums = record.sums_by_kind();
      ASSERT_EQ(sums.size(), names.size());
      double all = 0;
      for (std::size_t k = 0; k < sums.size(); ++k) {
        EXPECT_EQ(sums[k].kind, names[k]) << "as they come first";
        script_kind_sums right{.kind = names[k]};
        for (const script_batch_record& batch : record.batches) {
          if (batch.kind_name() != names[k]) continue;
          const write_counts& c = batch.counts;
          ++right.batches, right.operations += batch.operations, right.inserts += batch.inserts;
          right.ms += quantile(
              std::vector<double>{batch.time.samples_ms[0], batch.time.samples_ms[2], batch.time.samples_ms[1]}, 0.5);
          for (const stage_time& room : batch.room) right.room_ms += room.samples_ms[0];
          right.checked += batch.check.checked, right.found += batch.check.found;
          write_counts& to = right.counts;
          to = {to.added + c.added,   to.revived + c.revived, to.replaced + c.replaced, to.full + c.full,
                to.erased + c.erased, to.absent + c.absent,   to.noted + c.noted};
        }
        EXPECT_EQ(sums[k].batches, right.batches);
        EXPECT_EQ(sums[k].operations, right.operations);
        EXPECT_EQ(sums[k].inserts, right.inserts);
        EXPECT_EQ(sums[k].ms, right.ms);
        EXPECT_EQ(sums[k].room_ms, right.room_ms);
        EXPECT_EQ(sums[k].checked, right.checked);
        EXPECT_EQ(sums[k].found, right.found);
        EXPECT_EQ(sums[k].counts, right.counts);
        EXPECT_DOUBLE_EQ(sums[k].operations_per_second(), static_cast<double>(right.operations) * 1e3 / right.ms)
            << "making room is no operation";
        all += right.ms + right.room_ms;
      }
      EXPECT_DOUBLE_EQ(record.total_ms(), all);
      nlohmann::json json;
      to_json(json, record);
      for (std::size_t k = 0; k < sums.size(); ++k) {
        EXPECT_EQ(json["kinds"][k]["ms"], sums[k].ms);
        EXPECT_EQ(json["kinds"][k]["room_ms"], sums[k].room_ms);
        EXPECT_EQ(json["kinds"][k]["operations_per_second"], sums[k].operations_per_second());
        EXPECT_EQ(json["kinds"][k]["done"]["replaced"], sums[k].counts.replaced);
        EXPECT_EQ(json["kinds"][k]["done"]["noted"], sums[k].counts.noted);
      }
    }
  }
}

// A reader takes a column by its name.
TEST(script_figures, have_names_of_their_own) {
  std::istringstream head(script_csv({}, {}));
  std::string line, name;
  ASSERT_TRUE(std::getline(head, line));
  std::set<std::string> names;
  std::istringstream fields(line);
  while (std::getline(fields, name, ',')) {
    EXPECT_NE(name, "") << line;
    EXPECT_TRUE(names.insert(name).second) << name;
  }
  EXPECT_GT(names.size(), 25u);
}

}  // namespace
}  // namespace pivotscope
