#include "core/families/plain/tight_starts.hpp"

#include "core/families/plain/plain.hpp"

namespace pivotscope {

std::vector<tight_start> tight_entries() {
  const auto behind = [](const char* name, u64 entries) {
    tight_start start{name, {}, {}, {entries + 1, entries + 2}};
    for (u64 key = 1; key <= entries; ++key) start.keys.push_back(key);
    return start;
  };
  return {behind("the last slot of a step is free", plain_step - 1), behind("no slot is free", plain_step)};
}

}  // namespace pivotscope
