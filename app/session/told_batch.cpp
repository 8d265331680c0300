#include "app/session/told_batch.hpp"

#include "core/tuning/batch_to_time.hpp"

namespace pivotscope {
namespace {

u64 usual_of(const viz::session_choice& c) { return usual_batch(c.load, c.config, c.machine); }

void set_usual(viz::session_choice& c) { set_batch_size(c.load, operation_of(c.load), usual_of(c)); }

}  // namespace

void settle_batch(const viz::session_choice& before, viz::session_choice& after) {
  if (after.load.own_batch.given()) return;
  const bool was_own = before.load.own_batch.given();
  const u64 size = batch_size(after.load);
  if (!was_own && size != batch_size(before.load) && size != usual_of(after)) after.batch_told = true;
  if (after.batch_told || size == 0) return;
  if (was_own || usual_of(before) != usual_of(after)) set_usual(after);
}

void tell_batch(viz::session_choice& choice, std::optional<u64> size) {
  if (choice.load.own_batch.given()) return;
  choice.batch_told = size.has_value();
  if (size)
    set_batch_size(choice.load, operation_of(choice.load), *size);
  else
    set_usual(choice);
}

bool is_usual_batch(const viz::session_choice& choice) {
  return !choice.load.own_batch.given() && batch_size(choice.load) == usual_of(choice);
}

}  // namespace pivotscope
