#include "core/families/cgrx/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/bucket_scene/ray_words.hpp"
#include "core/families/cgrx/cgrx_model.hpp"
#include "core/index/answer_words.hpp"
#include "core/index/step_words.hpp"

namespace pivotscope {
namespace {

std::string from_to(u64 first, u64 count) {
  return count == 1 ? fmt::format("slot {}", first) : fmt::format("slots {} to {}", first, first + count - 1);
}

class cgrx_teller {
 public:
  cgrx_teller(lookup_trace& trace, const stored_index& index, const cgrx_model& model)
      : trace_(trace),
        config_(cgrx_config::of(index.config())),
        view_(index.state_as<cgrx_view>()),
        rays_(index, cgrx::scene, view_, model.scene()),
        end_(trace.keys) {}

  void tell() {
    if (!trace_.steps.empty()) begin();
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
      trace_step& step = trace_.steps[i];
      const trace_step* const next = i + 1 < trace_.steps.size() ? &trace_.steps[i + 1] : nullptr;
      if (rays_.is_of_rays(step))
        tell_ray(step, next);
      else if (trace_.range && step.kind == step_kind::scan)
        tell_scan(step, next);
      else
        tell_entries(step, next);
      step.left_first = std::min(first_, end_), step.left_end = end_;
      step.left = count_left_words(step);
    }
    trace_.verdict = answer_words(trace_);
  }

 private:
  u64 searched() const { return searched_key(trace_); }

  void begin() {
    const u64 key = searched();
    if (rays_.is_of_rays(trace_.steps.front())) {
      trace_.start = rays_.start_words(key);
      return;
    }
    trace_.start = fmt::format("{} is not greater than the least representative, {}: bucket 0, without a ray.", key,
                               view_.least_representative);
    enter(0);
  }

  void enter(u32 bucket) {
    bucket_ = bucket;
    first_ = view_.bucket_begin(bucket, config_.bucket);
    if (!trace_.range && !trace_.successor) end_ = view_.bucket_end(bucket, config_.bucket);
  }
  std::string bucket_words() const {
    const u64 first = view_.bucket_begin(bucket_, config_.bucket), end = view_.bucket_end(bucket_, config_.bucket);
    return fmt::format("Bucket {} has {}: search it {}.", bucket_, from_to(first, end - first),
                       config_.search == bucket_search::binary ? "by halves" : "entry by entry");
  }

  void tell_ray(trace_step& step, const trace_step* next) {
    const auto bucket = rays_.tell(step, next);
    if (!bucket) return;
    enter(*bucket);
    if (next) step.next = bucket_words();
  }
  void tell_entries(trace_step& step, const trace_step* next) {
    step.where = fmt::format("bucket {}, {}", bucket_, slots_read_words(step));
    const bool found = !next && trace_.row != not_found && !trace_.range && !trace_.successor;
    const comparison& c = step.compared.back();
    if (found || step.kind == step_kind::next) {
      first_ = c.rank, end_ = c.rank + 1;
      step.words = found ? fmt::format("Slot {} has {}. Found.", c.slot, c.key)
                         : fmt::format("Slot {} has {}, the first that is {}.", c.slot, c.key,
                                       takes_itself(trace_.asked) ? "not smaller" : "greater");
      return;
    }
    const bool smaller = c.met == relation::greater;  // than the searched key
    step.words = step.compared.size() > 1 ? fmt::format("{} entries are read. ", step.compared.size()) : "";
    step.words += fmt::format("{} is {} {}.", c.key,
                              smaller                    ? "less than"
                              : c.met == relation::equal ? ""
                                                         : "greater than",
                              searched());
    if (c.met == relation::equal) step.words = fmt::format("{} is equal: it or one before it is the first.", c.key);
    if (smaller)
      first_ = c.rank + 1;
    else
      end_ = std::max(first_, trace_.range || trace_.successor || c.met == relation::equal ? c.rank + 1 : c.rank);
    if (trace_.range) end_ = trace_.keys;
    if (!next && !trace_.range && !trace_.successor) end_ = first_, step.words += " The bucket does not have the key.";
    if (next)
      step.next = next->kind != step_kind::search ? fmt::format("Read on from {}.", slots_read_words(*next))
                                                  : fmt::format("Look at {}.", slots_read_words(*next));
  }

  void tell_scan(trace_step& step, const trace_step* next) {
    step.where = slots_read_words(step);
    const auto inside = std::count_if(step.compared.begin(), step.compared.end(),
                                      [](const comparison& c) { return c.met == relation::equal; });
    step.words = fmt::format("{} of these keys {} in the range.", inside == 0 ? "None" : std::to_string(inside),
                             inside == 1 ? "is" : "are");
    if (next) {
      step.next = "The range goes on: read on.";
      return;
    }
    const comparison& last = step.compared.back();
    step.words += last.met == relation::equal
                      ? " That was the last entry."
                      : fmt::format(" {} is greater than {}: the scan ends.", last.key, trace_.range->high);
    const u64 count = trace_.range->answer.count;
    end_ = last.met == relation::equal ? last.rank + 1 : last.rank;
    first_ = end_ - std::min(end_, count);
  }

  lookup_trace& trace_;
  cgrx_config config_;
  const cgrx_view& view_;
  ray_words rays_;
  u32 bucket_ = 0;
  u64 first_ = 0, end_;  // of what is still possible, by rank
};

}  // namespace

void tell_cgrx(lookup_trace& trace, const stored_index& index) {
  const cgrx_model model(cgrx_config::of(index.config()), index.state_as<cgrx_view>());
  cgrx_teller(trace, index, model).tell();
}

}  // namespace pivotscope
