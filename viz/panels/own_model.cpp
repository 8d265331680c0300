// What the forms of one's own data show, without drawing.
#include <fmt/format.h>

#include "core/workload/own_numbers.hpp"
#include "viz/panels/own_data.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

own_data_state::source source_of(const own_numbers& numbers) {
  using enum own_data_state::source;
  return !numbers.file.empty() ? file : numbers.list.empty() ? generated : typed;
}

entry_state shows(std::string text) {
  entry_state entry;
  entry.text = std::move(text);
  return entry;
}

std::string file_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

// All that says how keys are made.
void copy_keys(workload& to, const workload& from) {
  to.keys = from.keys, to.dist = from.dist, to.uniformity = from.uniformity, to.repeat = from.repeat;
  if (from.dist == distribution::zipf) to.exponent = from.exponent;
}

// All that says how a batch is made.
void copy_batch(workload& to, const workload& from) {
  for (const batch_count& one : batch_counts) to.*one.count = from.*one.count;
  to.hits = from.hits, to.range_hits = from.range_hits, to.misses = from.misses;
  to.order = from.order, to.displaced = from.displaced, to.distance = from.distance;
  to.popular = from.popular, to.exponent = from.exponent;
  to.hot_keys = from.hot_keys, to.hot_lookups = from.hot_lookups;
}

}  // namespace

void follow_own_data(own_data_state& state, const workload& now) {
  workload& kept = state.generated;
  if (!now.own_keys.given()) copy_keys(kept, now);
  if (!now.own_batch.given()) copy_batch(kept, now);
  if (now.own_keys != state.seen_keys) {
    state.seen_keys = now.own_keys;
    state.keys = source_of(now.own_keys);
    state.keys_file = shows(now.own_keys.file);
    state.keys_column = now.own_keys.column;
    state.keys_typed = shows(text_of(now.own_keys));
  }
  if (now.own_batch != state.seen_batch) {
    state.seen_batch = now.own_batch;
    state.batch = source_of(now.own_batch.numbers);
    state.asked = now.own_batch.kind;
    state.batch_file = shows(now.own_batch.numbers.file);
    state.batch_column = now.own_batch.numbers.column;
    state.batch_typed = shows(text_of(now.own_batch));
  }
}

workload with_generated_keys(const workload& now, const workload& before) {
  workload w = now;
  w.own_keys = {};
  copy_keys(w, before);
  return w;
}

workload with_generated_batch(const workload& now, const workload& before) {
  workload w = now;
  w.own_batch = {};
  copy_batch(w, before);
  if (w.dist == distribution::zipf) w.exponent = now.exponent;
  return w;
}

std::string own_keys_words(const workload& load) {
  const own_numbers& own = load.own_keys;
  const std::string of = own.file.empty() ? ", typed" : " of " + file_name(own.file);
  if (!own.file.empty() && load.keys == 0) return "keys" + of;
  return counted(load.keys, "key") + of;
}

std::string keys_in_words(const session_view& session) {
  const workload& load = session.choice.load;
  std::string words = load.own_keys.given() ? own_keys_words(load) : counted(load.keys, "key");
  if (!load.own_keys.given())
    words += load.dist == distribution::paper ? ", the papers' example"
                                              : ", " + distribution_names()[static_cast<std::size_t>(load.dist)];
  if (const update_history* updates = session.updates.get(); updates && updates->applied > 0)
    words += ", " + std::to_string(updates->applied) + (updates->applied == 1 ? " batch" : " batches");
  return words;
}

std::string short_fault(const reading_fault& fault) {
  const std::string& path = fault.of.file;
  std::string words = fault.words;
  if (const std::size_t at = words.find(path); !path.empty() && at != std::string::npos)
    words.replace(at, path.size(), file_name(path));
  return words;
}

}  // namespace pivotscope::viz
