#include "core/families/cgrx/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/bucket_scene/bucket_words.hpp"
#include "core/bucket_scene/ray_words.hpp"
#include "core/families/cgrx/cgrx_model.hpp"
#include "core/index/step_words.hpp"

namespace pivotscope {
namespace {

std::string from_to(u64 first, u64 count) {
  return count == 1 ? fmt::format("slot {}", first) : fmt::format("slots {} to {}", first, first + count - 1);
}

class cgrx_teller : bucket_words {
 public:
  cgrx_teller(lookup_trace& trace, const stored_index& index, const cgrx_model& model)
      : bucket_words(trace, trace.keys),
        config_(cgrx_config::of(index.config())),
        view_(index.state_as<cgrx_view>()),
        rays_(index, cgrx::scene, view_, model.scene()) {}

  void tell() {
    if (!trace_.steps.empty()) begin();
    tell_steps([&](trace_step& step, const trace_step* next) {
      if (rays_.is_of_rays(step))
        tell_ray(step, next);
      else if (trace_.range && step.kind == step_kind::scan)
        tell_scan(step, next);
      else
        tell_entries(step, next);
    });
  }

 private:
  void begin() {
    const u64 key = searched();
    if (rays_.is_of_rays(trace_.steps.front())) {
      trace_.start = rays_.start_words(key);
      return;
    }
    trace_.start = first_bucket_words(key, view_.least_representative);
    enter(0);
  }

  void enter(u32 bucket) {
    bucket_ = bucket;
    first_ = view_.bucket_begin(bucket, config_.bucket);
    if (is_lookup()) end_ = view_.bucket_end(bucket, config_.bucket);
  }
  std::string bucket_found_words() const {
    const u64 first = view_.bucket_begin(bucket_, config_.bucket), end = view_.bucket_end(bucket_, config_.bucket);
    return fmt::format("Bucket {} has {}: search it {}.", bucket_, from_to(first, end - first),
                       config_.search == bucket_search::binary ? "by halves" : "entry by entry");
  }

  void tell_ray(trace_step& step, const trace_step* next) {
    const auto bucket = rays_.tell(step, next);
    if (!bucket) return;
    enter(*bucket);
    if (next) step.next = bucket_found_words();
  }
  void tell_entries(trace_step& step, const trace_step* next) {
    step.where = fmt::format("bucket {}, {}", bucket_, slots_read_words(step));
    if (tell_found(step, next)) return;
    if (step.kind == step_kind::next) {
      const comparison& entry = step.compared.back();
      first_ = entry.slot, end_ = entry.slot + 1;
      step.words = first_words(entry);
      return;
    }
    tell_compared(step);
    if (trace_.range) end_ = trace_.keys;
    if (!next && is_lookup()) end_ = first_, step.words += " The bucket does not have the key.";
    if (next)
      step.next = next->kind != step_kind::search ? fmt::format("Read on from {}.", slots_read_words(*next))
                                                  : fmt::format("Look at {}.", slots_read_words(*next));
  }

  void tell_scan(trace_step& step, const trace_step* next) {
    step.where = slots_read_words(step);
    const auto inside = std::count_if(step.compared.begin(), step.compared.end(),
                                      [](const comparison& c) { return c.met == relation::equal; });
    step.words = inside_words(static_cast<u64>(inside));
    if (next) {
      step.next = "The range goes on: read on.";
      return;
    }
    const comparison& last = step.compared.back();
    step.words += last.met == relation::equal ? " That was the last entry." : scan_end_words(last);
    const u64 count = trace_.range->answer.count;
    end_ = last.met == relation::equal ? last.slot + 1 : last.slot;
    first_ = end_ - std::min(end_, count);
  }

  cgrx_config config_;
  const cgrx_view& view_;
  ray_words rays_;
  u32 bucket_ = 0;
};

}  // namespace

void tell_cgrx(lookup_trace& trace, const stored_index& index) {
  const cgrx_model model(cgrx_config::of(index.config()), index.state_as<cgrx_view>());
  cgrx_teller(trace, index, model).tell();
}

}  // namespace pivotscope
