#include "core/run/script_record.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/index/config_text.hpp"
#include "core/run/json_parts.hpp"

namespace pivotscope {
namespace {

double sum_of_medians(const std::vector<stage_time>& times) {
  double sum = 0;
  for (const stage_time& time : times) sum += time.median();
  return sum;
}

double per_second(u64 count, double ms) { return ms > 0 ? static_cast<double>(count) / ms * 1e3 : 0; }

void add(write_counts& sum, const write_counts& more) {
  sum.added += more.added, sum.revived += more.revived, sum.replaced += more.replaced;
  sum.full += more.full, sum.erased += more.erased, sum.absent += more.absent;
  sum.noted += more.noted;
}

nlohmann::json counts_json(const write_counts& counts) {
  return {{"added", counts.added},   {"revived", counts.revived}, {"replaced", counts.replaced}, {"full", counts.full},
          {"erased", counts.erased}, {"absent", counts.absent},   {"noted", counts.noted}};
}

nlohmann::json sums_json(const script_kind_sums& sums) {
  return {{"kind", sums.kind},
          {"batches", sums.batches},
          {"operations", sums.operations},
          {"inserts", sums.inserts},
          {"ms", sums.ms},
          {"operations_per_second", sums.operations_per_second()},
          {"room_ms", sums.room_ms},
          {"checked", sums.checked},
          {"found", sums.found},
          {"done", counts_json(sums.counts)}};
}

nlohmann::json batch_json(const script_batch_record& batch) {
  nlohmann::json json = {{"kind", batch.kind_name()},
                         {"operations", batch.operations},
                         {"inserts", batch.inserts},
                         {"checked", batch.check.checked},
                         {"wrong", batch.check.wrong}};
  if (batch.check.wrong > 0) {
    json["first_wrong"] = batch.check.first_wrong;
    return json;
  }
  json["found"] = batch.check.found;
  json["time"] = time_json(batch.time);
  json["operations_per_second"] = batch.operations_per_second();
  json["room"] = nlohmann::json::array();
  for (const stage_time& time : batch.room) json["room"].push_back(time_json(time));
  for (const stage_time& time : batch.stages) json["stages"].push_back(time_json(time));
  json["done"] = counts_json(batch.counts);
  json["entries"] = batch.entries;
  json["kernel"] = kernel_json(batch.kernel);
  if (const std::string words = batch.full_words(); !words.empty()) json["note"] = words;
  return json;
}

}  // namespace

double script_batch_record::operations_per_second() const { return per_second(operations, time.median()); }

double script_batch_record::room_ms() const { return sum_of_medians(room); }

double script_kind_sums::operations_per_second() const { return per_second(operations, ms); }

std::string_view script_batch_record::kind_name() const {
  return kind ? operation_noun(*kind) : whole ? info_of(*whole).name : "mixed";
}

std::string script_batch_record::full_words() const {
  if (counts.full == 0) return {};
  return fmt::format("{} of {} inserts went in: the table is full", inserts - counts.full, inserts);
}

double script_record::build_ms() const { return sum_of_medians(builds); }

double script_record::total_ms() const {
  double sum = 0;
  for (const script_batch_record& batch : batches) sum += batch.time.median() + batch.room_ms();
  return sum;
}

std::vector<script_kind_sums> script_record::sums_by_kind() const {
  std::vector<script_kind_sums> all;
  for (const script_batch_record& batch : batches) {
    auto at = std::find_if(all.begin(), all.end(), [&](const auto& sums) { return sums.kind == batch.kind_name(); });
    if (at == all.end()) all.push_back({.kind = batch.kind_name()}), at = all.end() - 1;
    ++at->batches, at->operations += batch.operations, at->inserts += batch.inserts;
    at->ms += batch.time.median(), at->room_ms += batch.room_ms();
    at->checked += batch.check.checked, at->found += batch.check.found;
    add(at->counts, batch.counts);
  }
  return all;
}

u64 script_record::wrong() const {
  u64 sum = contents.wrong;
  for (const script_batch_record& batch : batches) sum += batch.check.wrong;
  return sum;
}

std::string script_record::first_wrong() const {
  for (const script_batch_record& batch : batches)
    if (batch.check.wrong > 0) return batch.check.first_wrong;
  return contents.first_wrong;
}

void add_runs(stage_time& sum, const stage_time& more) {
  if (sum.samples_ms.empty()) return void((sum.samples_ms = more.samples_ms, sum.how = more.how));
  sum.samples_ms.resize(std::min(sum.samples_ms.size(), more.samples_ms.size()));
  for (std::size_t i = 0; i < sum.samples_ms.size(); ++i) sum.samples_ms[i] += more.samples_ms[i];
  sum.how = joined(sum.how, more.how, sum.samples_ms);
}

void to_json(nlohmann::json& json, const script_record& record) {
  nlohmann::json config;
  to_json(config, record.config);
  const u64 wrong = record.wrong();
  json = {{"config", config},
          {"config_line", to_line(record.config)},
          {"machine", machine_json(record.machine)},
          {"keys", record.keys},
          {"checked", true},
          {"wrong", wrong}};
  json["batches"] = nlohmann::json::array();
  for (const script_batch_record& batch : record.batches) json["batches"].push_back(batch_json(batch));
  // A wrong index has no figures.
  if (wrong > 0) {
    json["first_wrong"] = record.first_wrong();
    for (nlohmann::json& batch : json["batches"])
      for (const char* figure : {"time", "operations_per_second", "room", "stages", "kernel"}) batch.erase(figure);
    return;
  }
  json["kinds"] = nlohmann::json::array();
  for (const script_kind_sums& sums : record.sums_by_kind()) json["kinds"].push_back(sums_json(sums));
  json["held"] = record.held;
  json["entries"] = record.contents.found;
  json["bytes"] = {{"before", record.bytes_before}, {"index", record.bytes_after}};
  for (const index_region& region : record.regions) json["bytes"][region.id] = region.bytes();
  json["times"] = nlohmann::json::array();
  if (!record.sort.name.empty()) json["times"].push_back(time_json(record.sort));
  for (const stage_time& build : record.builds) json["times"].push_back(time_json(build));
  json["kernels"] = nlohmann::json::array();
  for (const kernel_info& kernel : record.build_kernels) json["kernels"].push_back(kernel_json(kernel));
}

}  // namespace pivotscope
