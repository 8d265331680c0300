// Two indexes over the same keys and lookups, or two steps of one lookup, figure by figure: A, which is pinned, and B,
// which is edited or stepped. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "viz/models/session_view.hpp"

namespace pivotscope::viz {

class probe_study;
class tile_study;

// How B's figure lies to A's. Of times that two sets of runs do not tell apart, or that one pass alone tells:
// no_telling.
enum class verdict : u8 { unknown, better, worse, same, no_telling };
const char* word_of(verdict v);  // of counts: "less", "more"

struct compared {
  std::string name = {}, meaning = {}, a = {}, b = {};
  verdict of_b = verdict::unknown;
  bool timed = false;  // "faster" and "slower", not "better" and "worse"
  bool judged = true;  // false: less or more, and neither is the better
  std::optional<provenance> origin = {};
  std::string withheld = {};  // why there is no verdict of two figures that are there; empty: there is, or none is due
};

struct compared_side {
  const session_view& session;
  const lookup_trace* trace = nullptr;  // of its index in view; null: none yet
  const tile_study* tile = nullptr;     // complete; null: none yet
  const probe_study* probes = nullptr;  // complete; null: none yet, or its searches have no lengths
  bool has_lengths = false;             // they have, though they may not be counted yet
};

// Runs of the same batch, compared by core/statistics; few of one tell nothing.
verdict compare_runs(const std::vector<double>& a_ms, const std::vector<double>& b_ms);

// Nothing of a figure that one of the two has not yet is a dash, and not compared.
std::vector<compared> compare(const compared_side& a, const compared_side& b);

// Two steps of a lookup, numbered from 0: what each compares, what is still possible after it, what it reads, and what
// of that both do. `ranks`: as the index's model has them or not. One past the lookup's last step counts as that.
std::vector<compared> compare_steps(const lookup_trace& trace, u32 a, u32 b);

}  // namespace pivotscope::viz
