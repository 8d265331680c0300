#include "core/index/index_scene.hpp"

#include <algorithm>

namespace pivotscope {
namespace {

struct kind_words {
  const char *name, *meaning;
};
constexpr std::array<kind_words, triangle_kinds> all_kinds = {{
    {"key", "Stands for a key, at the key's place."},
    {"representative",
     "Stands for the last key of a bucket, at that key's place: a ray that hits it knows the bucket."},
    {"moved",
     "The last representative of its row. It was moved behind its key to the end of the row, where rays along y "
     "look for rows."},
    {"extra", "One more at the end of a row or a plane, where rays along y and z look. It leads to the bucket behind."},
    {"row marker", "Marks a row that has representatives: a ray along y that hits it knows the row."},
    {"plane marker", "Marks a plane that has representatives: a ray along z that hits it knows the plane."},
}};

}  // namespace

const char* name_of(triangle_kind kind) { return all_kinds[static_cast<std::size_t>(kind)].name; }
const char* meaning_of(triangle_kind kind) { return all_kinds[static_cast<std::size_t>(kind)].meaning; }

std::optional<u64> held_number(const trace_step& step, std::string_view name) {
  const auto at = std::ranges::find(step.in_hand, name, &held_thing::name);
  return at == step.in_hand.end() ? std::nullopt : std::optional(at->value);
}

}  // namespace pivotscope
