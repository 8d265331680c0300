// "did you mean": the known word that a mistyped one most resembles.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pivotscope {

// The nearest of `known` by insertions, deletions, replacements and swaps of neighbours; empty when none is near.
std::string nearest_word(std::string_view word, std::span<const std::string> known);

// "; did you mean 'uniform'?", or, when nothing is near, "; there are uniform, dense and mix".
std::string suggestion(std::string_view word, std::span<const std::string> known);

}  // namespace pivotscope
