#include "core/sweep/timed_part.hpp"

namespace pivotscope {

timed_part timed_part_of(const workload& w) {
  const script_recipe& recipe = w.recipe;
  const u64 writes = recipe.inserts + recipe.erases, finds = finds_among(recipe);
  if (batch_size(w) != 0 || writes == 0) return {operation_noun(operation_of(w)), batch_size(w)};
  const bool one_kind = finds == 0 && (recipe.inserts == 0 || recipe.erases == 0);
  const operation kind = recipe.erases == 0 ? operation::insert : operation::erase;
  return {one_kind ? operation_noun(kind) : "mixed operations", writes + finds, true};
}

u64 plotted_keys(const workload& w) {
  return w.keys + (w.recipe.inserts > w.recipe.erases ? w.recipe.inserts - w.recipe.erases : 0);
}

}  // namespace pivotscope
