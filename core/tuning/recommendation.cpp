#include "core/tuning/recommendation.hpp"

#include <fmt/format.h>

#include "core/index/config_text.hpp"

namespace pivotscope {
namespace {

times_faster beside(const tuned_config& one, const tuned_config& other) {
  return {other.rate() > 0 ? one.rate() / other.rate() : 1, told_apart(one, other)};
}

recommendation of_measurement(const recommendation_question& q) {
  const tuning& done = *q.measured;
  const tuned_config* taken = done.winner();
  const tuned_config* const current = done.finalist_of(q.current);
  const bool current_is_ranked = current != nullptr && (!done.current || current != &*done.current);
  recommendation out{.how = known_by::measurement};
  const std::string source = fmt::format("measured on {}", done.machine);
  const auto because = [&](std::string words) { out.reasons.push_back({std::move(words), source}); };
  std::size_t finalists = 0;
  for (const tuned_config& one : done.ranking) finalists += one.finalist ? 1 : 0;
  const u32 tied = done.tied_with_winner();
  const auto batch =
      fmt::format("{} {} over {} keys", count_text(done.operations), operation_noun(done.asked), count_text(done.keys));
  // To change what cannot be told apart is no gain.
  if (current_is_ranked && !told_apart(*taken, *current)) {
    if (taken != current)
      because(fmt::format("Of {} configs that were measured on {} none can be told to be faster.", finalists, batch));
    else
      because(fmt::format("It is the fastest of {} configs that were measured on {}.", finalists, batch));
    taken = current;
  } else {
    because(fmt::format("It is the fastest of {} configs that were measured on {}.", finalists, batch));
    if (tied > 1) because(fmt::format("{} of them cannot be told apart within the noise: any will do.", tied));
  }
  because(fmt::format("{} configs were looked at before, and every answer was checked.", done.ranking.size()));
  out.config = taken->config;
  out.in_use = out.config == q.current;
  const tuned_config* const beside_it = current ? current : q.current_alone;
  if (!out.in_use && beside_it) out.of_current = beside(*taken, *beside_it);
  if (done.standard) out.of_standard = beside(*taken, *done.standard);
  return out;
}

}  // namespace

std::string_view known_by_words(known_by how) {
  switch (how) {
    case known_by::measurement:
      return "measured here";
    case known_by::elsewhere:
      return "measured elsewhere";
    case known_by::papers_rule:
      break;
  }
  return "the papers' rule";
}

std::string times_words(double times) {
  if (times < 1.095) return fmt::format("{:.2f} times", times);
  return times < 9.95 ? fmt::format("{:.1f} times", times) : fmt::format("{:.0f} times", times);
}

recommendation recommend(const advice& given, const recommendation_question& q) {
  if (q.measured && q.measured->winner() && q.measured->winner()->finalist) return of_measurement(q);
  recommendation out;
  if (given.measured) {
    out.config = *given.measured, out.how = known_by::elsewhere, out.reasons = given.measured_reasons;
  } else if (q.same_method) {
    out.config = config_of(*q.same_method), out.how = known_by::elsewhere;
    out.reasons.push_back(
        {fmt::format("The same method with other knobs: of one H100 over 2^{} keys.", q.same_method->log2_keys),
         "docs/adviser.md"});
  } else {
    out.config = given.config, out.reasons = given.reasons;
  }
  out.in_use = out.config == q.current;
  // The one figure that is known without a measurement here.
  if (q.same_method && out.config == config_of(*q.same_method)) out.of_current = {q.same_method->times, true};
  return out;
}

}  // namespace pivotscope
