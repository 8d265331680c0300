#include "core/workload/script_recipe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/workload/script.hpp"

namespace pivotscope {
namespace {

// One division, which is rounded alike everywhere. It may be more than there are numbers.
double finds_of(const script_recipe& recipe) {
  const double writes = static_cast<double>(recipe.inserts + recipe.erases);
  return recipe.mix == 0 ? 0 : std::round(writes / recipe.mix) - writes;
}

template <class T>
std::optional<problem> assign_part(const outcome<T>& parsed, T& field) {
  if (!parsed) return parsed.error();
  field = *parsed;
  return std::nullopt;
}

}  // namespace

bool script_recipe::operator==(const script_recipe& other) const {
  return inserts == other.inserts && erases == other.erases && mix == other.mix && batch_of(*this) == batch_of(other);
}

u64 batch_of(const script_recipe& recipe) {
  if (recipe.batch != 0) return recipe.batch;
  return recipe.mix != 0 ? usual_mixed_batch : whole_batch;
}

u64 finds_among(const script_recipe& recipe) { return static_cast<u64>(finds_of(recipe)); }

std::optional<std::string> check(const script_recipe& recipe, u64 keys) {
  if (auto refused = check_rows(keys, recipe.inserts)) return refused;
  if (recipe.erases > max_lookups) return fmt::format("erases={} is above the limit, {}", recipe.erases, max_lookups);
  if (!(recipe.mix >= 0 && recipe.mix <= 1)) return fmt::format("mix={} is not between 0 and 1", recipe.mix);
  if (finds_of(recipe) > static_cast<double>(max_lookups))
    return fmt::format("mix={} takes more than {} finds for {} writes; take a greater share, or fewer writes",
                       recipe.mix, max_lookups, recipe.inserts + recipe.erases);
  return std::nullopt;
}

std::string to_line(const script_recipe& recipe) {
  std::string line =
      fmt::format("inserts={} erases={} mix={}", count_text(recipe.inserts), count_text(recipe.erases), recipe.mix);
  if (batch_of(recipe) != batch_of({.mix = recipe.mix})) line += fmt::format(" batch={}", count_text(recipe.batch));
  return line;
}

bool is_recipe_field(std::string_view name) {
  constexpr std::string_view all[] = {"inserts", "erases", "mix", "batch"};
  return std::find(std::begin(all), std::end(all), name) != std::end(all);
}

std::optional<problem> set_recipe_field(script_recipe& recipe, std::string_view name, std::string_view value) {
  if (name == "inserts") return assign_part(parse_count(value, name, 0, max_keys), recipe.inserts);
  if (name == "erases") return assign_part(parse_count(value, name, 0, max_lookups), recipe.erases);
  if (name == "batch") return assign_part(parse_count(value, name, 1, max_lookups), recipe.batch);
  if (name == "mix") return assign_part(parse_share(value, name), recipe.mix);
  return problem{fmt::format("'{}' is not a part of a made script", name)};
}

}  // namespace pivotscope
