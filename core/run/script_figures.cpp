#include "core/run/script_figures.hpp"

#include "core/index/config_text.hpp"

namespace pivotscope {
namespace {

// `number`: of the batch, from 1.
figure_line figures_of(const script_record& record, const script_batch_record& batch, u64 number) {
  using hint = figure_hint;
  const bool right = record.wrong() == 0;
  const sample_summary of = batch.time.summary();
  const auto if_right = [&](double value) { return right ? std::optional(value) : std::nullopt; };
  const auto count_if_right = [&](u64 count) { return right ? std::optional(count) : std::nullopt; };
  const double rate = batch.operations_per_second();
  figure_builder out;
  out.text("config", to_line(record.config));
  out.text("machine", std::string(machine_name(record.machine.kind)));
  out.text("device", record.machine.name);
  out.count("keys", record.keys);
  out.count("held", count_if_right(record.held));
  out.text("key_width", record.config.keys == key_width::u32 ? "u32" : "u64");
  out.count("batch", number);
  out.text("kind", std::string(batch.kind_name()));
  out.count("operations", batch.operations);
  out.count("inserts", batch.inserts);
  out.value("per_second", hint::rate, rate > 0 ? if_right(rate) : std::nullopt);
  out.value("median_ms", hint::milliseconds, if_right(of.median));
  out.value("least_ms", hint::milliseconds, if_right(of.least));
  out.value("greatest_ms", hint::milliseconds, if_right(of.greatest));
  out.count("runs", count_if_right(of.count));
  out.value("room_ms", hint::milliseconds, batch.room.empty() ? std::nullopt : if_right(batch.room_ms()));
  out.count("checked", batch.check.checked);
  out.count("found", batch.check.checked == 0 ? std::nullopt : count_if_right(batch.check.found));
  out.count("added", count_if_right(batch.counts.added));
  out.count("revived", count_if_right(batch.counts.revived));
  out.count("replaced", count_if_right(batch.counts.replaced));
  out.count("full", count_if_right(batch.counts.full));
  out.count("erased", count_if_right(batch.counts.erased));
  out.count("absent", count_if_right(batch.counts.absent));
  out.count("noted", count_if_right(batch.counts.noted));
  out.count("wrong", batch.check.wrong);
  out.text("problem", batch.check.first_wrong);
  return out.take();
}

}  // namespace

std::string script_csv(std::span<const script_record> records, const run_head& head) {
  std::vector<figure_line> lines;
  for (const script_record& record : records)
    for (std::size_t b = 0; b < record.batches.size(); ++b)
      lines.push_back(joined(figures_of(record, record.batches[b], b + 1), figures_of(record.machine, head)));
  return csv_of(joined(figures_of({}, {}, 0), figures_of(machine_info{}, head)), lines);
}

}  // namespace pivotscope
