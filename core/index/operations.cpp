#include "core/index/operations.hpp"

#include <fmt/format.h>

#include <vector>

#include "core/index/family.hpp"

namespace pivotscope {
namespace {

// "AO+BS, AO+KS and EO+BS"
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

// The methods of those families for which pick(family) is true.
template <class Pick>
std::vector<std::string> methods_of(const Pick& pick) {
  std::vector<std::string> names;
  for (const family* f : families()) {
    if (!pick(*f)) continue;
    for (const method& m : f->methods()) names.push_back(m.name);
  }
  return names;
}

// "SA does the writes of a batch as a whole, so none of its inserts "
std::string whole_batch_words(const index_config& config, operation kind) {
  return fmt::format("{} does the writes of a batch as a whole, so none of its {} ",
                     family_of(config).method_of(config), operation_noun(kind));
}

// "; PLAIN and HT+OA have them"
std::string have(const std::vector<std::string>& names, std::string_view what) {
  if (names.empty()) return {};
  return fmt::format("; {} {} {}", listed(names), names.size() == 1 ? "has" : "have", what);
}

}  // namespace

std::string lacks_words(const index_config& config, operation kind) {
  const family& asked = family_of(config);
  return fmt::format("{} {}, so it has no {}", asked.method_of(config), asked.lacks(kind), operation_noun(kind));
}

std::optional<std::string> check_serves(const index_config& config, operation kind) {
  if (family_of(config).serves(kind)) return std::nullopt;
  return lacks_words(config, kind) + have(methods_of([&](const family& f) { return f.serves(kind); }), "them");
}

std::optional<std::string> check_serves(const index_config& config, maintenance kind) {
  const family& asked = family_of(config);
  if (asked.changes()) return std::nullopt;
  return fmt::format("{} {}, so it has no {}", asked.method_of(config), asked.lacks(operation::insert),
                     info_of(kind).name) +
         have(methods_of([](const family& f) { return f.changes(); }), "it");
}

std::optional<std::string> check_steps(const index_config& config, operation kind) {
  if (auto why = check_serves(config, kind)) return why;
  const family& asked = family_of(config);
  if (!is_write(kind) || asked.steps_writes(config)) return std::nullopt;
  return whole_batch_words(config, kind) + "has a path of its own";
}

std::optional<std::string> check_interleaves(const index_config& config, operation kind) {
  if (auto why = check_serves(config, kind)) return why;
  if (!is_write(kind) || family_of(config).changes_one_by_one(config)) return std::nullopt;
  return whole_batch_words(config, kind) + "meets another operation";
}

operation served_as(const index_config& config, operation kind) {
  if (kind != operation::matches) return kind;
  const family& asked = family_of(config);
  return asked.keeps_duplicates(config) ? operation::range : operation::find;
}

}  // namespace pivotscope
