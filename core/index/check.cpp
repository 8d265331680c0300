#include "core/index/check.hpp"

#include <fmt/format.h>

#include "core/index/axes.hpp"
#include "core/index/family.hpp"
#include "core/index/scratch_bytes.hpp"

namespace pivotscope {

std::optional<std::string> check(const index_config& c) {
  const family& f = family_of(c);
  if (auto why = f.check(c)) return why;
  if (auto why = check_launch(c.launch)) return why;
  if (block_scratch(c).all() > greatest_scratch) {
    return fmt::format(
        "a block would need {} bytes of scratch, and no GPU has more than {}: take fewer threads or lookups "
        "a thread, or pin less",
        block_scratch(c).all(), scratch_text(greatest_scratch));
  }
  return std::nullopt;
}

std::optional<std::string> check_keys(const index_config& c, u64 keys) {
  const u64 most = family_of(c).most_keys(c);
  if (keys <= most) return std::nullopt;
  return fmt::format("{} holds at most {} keys, and these are {}: use fewer keys or another method", method_name(c),
                     count_text(most), count_text(keys));
}

std::optional<std::string> caution(const index_config& c) { return family_of(c).caution(c); }

index_config nearest_accepted(index_config c, std::string_view keep) {
  const family& f = family_of(c);
  accept_launch(c.launch, keep);
  f.accept(c, keep);
  const u32 wanted = c.launch.per_thread;
  while (block_scratch(c).all() > greatest_scratch && c.launch.per_thread > 1) --c.launch.per_thread;
  if (c.launch.per_thread != wanted) f.accept(c, {});
  if (block_scratch(c).all() > greatest_scratch) f.pin_less(c);
  return c;
}

}  // namespace pivotscope
