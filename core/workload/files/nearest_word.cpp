#include "core/workload/files/nearest_word.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace pivotscope {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Optimal string alignment distance, letters alike in either case.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

// How many slips a finger makes in a word. With more of them a hint would name another word: "--latency" for "--batch".
std::size_t most_slips(std::string_view word) {
  const std::size_t begin = std::min(word.find_first_not_of('-'), word.size()), letters = word.size() - begin;
  return letters <= 4 ? 1 : letters <= 8 ? 2 : 3;
}

}  // namespace

std::string nearest_word(std::string_view word, std::span<const std::string> known) {
  constexpr std::size_t longest_compared = 64;
  if (word.empty() || word.size() > longest_compared) return {};
  std::string nearest;
  std::size_t least = most_slips(word) + 1;
  for (const std::string& candidate : known) {
    const std::size_t d = distance(word, candidate);
    if (d < least && d < std::max(word.size(), candidate.size())) {
      least = d;
      nearest = candidate;
    }
  }
  if (!nearest.empty()) return nearest;
  // The beginning of exactly one of them.
  for (const std::string& candidate : known) {
    if (candidate.size() <= word.size() || word.size() < 2) continue;
    if (!std::equal(word.begin(), word.end(), candidate.begin(), [](char x, char y) { return lower(x) == lower(y); })) {
      continue;
    }
    if (!nearest.empty()) return {};
    nearest = candidate;
  }
  return nearest;
}

std::string suggestion(std::string_view word, std::span<const std::string> known) {
  if (known.empty()) return {};
  const std::string nearest = nearest_word(word, known);
  if (!nearest.empty()) return fmt::format("; did you mean '{}'?", nearest);
  if (known.size() == 1) return fmt::format("; there is only {}", known.front());
  std::string list = known.front();
  for (std::size_t i = 1; i < known.size(); ++i) list += (i + 1 == known.size() ? " and " : ", ") + known[i];
  return "; there are " + list;
}

}  // namespace pivotscope
