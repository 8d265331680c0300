#include "viz/models/updates_model.hpp"

#include <fmt/format.h>

#include "viz/words/format.hpp"

namespace pivotscope::viz {

std::string counts_words(const applied_batch& batch) {
  if (const auto whole = batch.record.whole)
    return *whole == maintenance::clear ? "all entries taken out" : "made anew from what it held";
  if (batch.writes == 0) return "nothing written";
  const write_counts& c = batch.record.counts;
  std::string words;
  const auto add = [&](u64 count, const char* what) {
    if (count != 0) words += fmt::format("{}{} {}", words.empty() ? "" : ", ", grouped(count), what);
  };
  add(c.added, "added");
  add(c.revived, "revived");
  add(c.replaced, "replaced");
  add(c.full, "found no room");
  add(c.erased, "erased");
  add(c.absent, "absent");
  add(c.noted, "noted");
  add(c.not_done, "not done");
  return words;
}

std::string check_words(const applied_batch& batch) {
  const check_report& check = batch.record.check;
  if (check.wrong > 0)
    return fmt::format("{} of {} answers {} wrong. {}", grouped(check.wrong), grouped(check.checked),
                       check.wrong == 1 ? "is" : "are", check.first_wrong);
  if (check.checked == 0) return "Checked: what the index holds is what the oracle says.";
  return fmt::format("Checked: {} {} right, by the oracle.", counted(check.checked, "answer"),
                     check.checked == 1 ? "is" : "are");
}

std::string size_words(const script& typed) {
  const std::size_t batches = typed.batches().size();
  std::string words = counted(typed.items(), "operation");
  if (batches > 1) words += fmt::format(" in {} batches", grouped(batches));
  return words;
}

}  // namespace pivotscope::viz
