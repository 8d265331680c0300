#include "core/families/packed/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/families/packed/descent.hpp"
#include "core/index/answer_words.hpp"
#include "core/index/index_reader.hpp"
#include "core/index/step_words.hpp"

namespace pivotscope {
namespace {

// What a step looked at.
enum class place_kind { block, leaf, in_full, rows };
struct step_place {
  place_kind kind = place_kind::rows;
  u64 number = 0;  // of the block, or the leaf

  bool is_leaf() const { return kind == place_kind::leaf || kind == place_kind::in_full; }
};

step_place place_of(const trace_step& step, const packed_config& config) {
  step_place place;
  if (step.accesses.empty()) return place;
  const memory_access& first = step.accesses.front();
  if (first.array == packed_region::blocks) return {place_kind::block, first.slot};
  if (step.kind == step_kind::scan || step.kind == step_kind::warp_scan) return {place_kind::rows, first.slot};
  if (first.array == packed_region::escapes) {
    const u64 entry = step.compared.empty() ? 0 : step.compared.front().slot;
    return {place_kind::in_full, entry / leaf_entries(config)};
  }
  const bool full = std::any_of(step.accesses.begin(), step.accesses.end(),
                                [](const memory_access& a) { return a.array == packed_region::escapes; });
  return {full ? place_kind::in_full : place_kind::leaf, first.slot / leaf_entries(config)};
}

std::string where_words(const step_place& place, const trace_step& step) {
  switch (place.kind) {
    case place_kind::block:
      return fmt::format("prefix block {}", place.number);
    case place_kind::leaf:
      return fmt::format("leaf {}", place.number);
    case place_kind::in_full:
      return fmt::format("leaf {} in full", place.number);
    case place_kind::rows:
      return slots_read_words(step);
  }
  return {};
}

class packed_teller {
 public:
  packed_teller(lookup_trace& trace, const stored_index& index)
      : trace_(trace), config_(packed_config::of(trace.config)), view_(index.state_as<packed_view>()), read_(index) {
    places_.reserve(trace.steps.size());
    for (const trace_step& step : trace.steps) places_.push_back(place_of(step, config_));
  }

  void tell() {
    u64 blocks = 0, leaves = 0;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      places_[i].kind == place_kind::block ? tell_block(i) : places_[i].is_leaf() ? tell_leaf(i) : tell_rows(i);
      blocks += places_[i].kind == place_kind::block, leaves += places_[i].is_leaf();
    }
    if (trace_.range && !places_.empty()) {
      if (trace_.key > view_.least + view_.span) begin_ = view_.keys;
      trace_.steps.back().left_first = begin_, trace_.steps.back().left_end = begin_ + trace_.range->answer.count;
    }
    for (std::size_t i = 0; i < places_.size(); ++i) {
      trace_step& step = trace_.steps[i];
      step.where = where_words(places_[i], step), step.left = count_left_words(step);
    }
    if (trace_.start.empty() && !places_.empty())
      trace_.start = "What is asked for begins and ends with the index: nothing needs to be looked for.";
    trace_.verdict = answer_words(trace_);
    if (!places_.empty())
      trace_.verdict += fmt::format(" {} prefix block{} and {} lea{} were looked at.", blocks, blocks == 1 ? "" : "s",
                                    leaves, leaves == 1 ? "f" : "ves");
  }

 private:
  bool finds() const { return !trace_.range && !trace_.successor; }
  const step_place* place_behind(std::size_t i) const { return i + 1 < places_.size() ? &places_[i + 1] : nullptr; }
  void left(trace_step& step, u64 first_leaf, u64 end_leaf) const {
    const u64 n = trace_.keys, entries = leaf_entries(config_);
    step.left_first = std::min(first_leaf * entries, n), step.left_end = std::min(end_leaf * entries, n);
  }
  std::string leaf_words(u64 leaf) const {
    const u64 first = leaf * leaf_entries(config_), end = std::min(first + leaf_entries(config_), view_.keys);
    return fmt::format("leaf {}, entries {} to {}", leaf, first, end - 1);
  }
  // What a descent looks for: a range has two.
  u64 key_of(const trace_step& step) const {
    for (const watched_value& w : step.watched)
      if (w.name == "key") return w.value;
    return searched_key(trace_);
  }

  // --- Blocks ---
  void begin_descent(std::size_t i) {
    const u64 key = key_of(trace_.steps[i]);
    descent_of_ = key;
    way_ = descend(config_, view_, key,
                   [this](region_id region, u64 byte, std::span<std::byte> out) { return read_(region, byte, out); });
    if (i != 0 || way_.blocks.empty()) return;
    const u64 greatest = view_.least + view_.span;
    if (key < view_.least || key > greatest) {
      trace_.start = fmt::format(
          "{} is outside of the index's keys, {} to {}: looked for is the nearest of these, in step "
          "with the warp's other lookups.",
          key, view_.least, greatest);
      return;
    }
    if (trace_.range && key != trace_.key)
      trace_.start = "The range begins before all keys: its end alone is looked for. ";
    trace_.start +=
        way_.buckets == 1
            ? fmt::format("The keys from {} to {} are one bucket, which has a prefix block.", view_.least, greatest)
            : fmt::format(
                  "The keys from {} to {} are cut into {} buckets of equal width, each with a prefix block. {} "
                  "lies {} behind the least one, in bucket {}.",
                  view_.least, greatest, way_.buckets, key, key - view_.least, way_.blocks.front().number);
  }
  void tell_block(std::size_t i) {
    trace_step& step = trace_.steps[i];
    if (step.level == 0) begin_descent(i);
    const step_place here = places_[i], *const next = place_behind(i);
    left(step, 0, view_.leaves);
    step.words = fmt::format("Prefix block {}.", here.number);
    if (!way_.whole || step.level >= way_.blocks.size() || way_.blocks[step.level].number != here.number) return;
    const block_on_way& at = way_.blocks[step.level];
    const block_on_way* const below = step.level + 1 < way_.blocks.size() ? &way_.blocks[step.level + 1] : nullptr;
    step.words = fmt::format("Prefix block {}: its bucket begins in leaf {}. {}", here.number, at.block.first_leaf(),
                             decision_words(at, way_.leaves, below));
    step.brief = decision_in_brief(at, way_.leaves, below);
    step.doubt = doubt_words(at, way_.leaves);
    if (below)
      left(step, at.block.first_leaf(), u64{at.last_leaf} + 1);
    else if (finds() && step.doubt.empty())
      left(step, way_.leaves.leaf, u64{way_.leaves.leaf} + 1);
    else
      left(step, way_.leaves.leaf - way_.leaves.before, u64{way_.leaves.leaf} + 1);
    if (!next) return;
    if (next->kind == place_kind::block)
      step.next = below ? fmt::format("on to block {}", next->number)
                        : fmt::format("the range's other end: block {} of the directory", next->number);
    else if (next->is_leaf() && next->number < way_.leaves.leaf)
      step.next = fmt::format("the first that it may be in: {}", leaf_words(next->number));
    else if (next->is_leaf())
      step.next = fmt::format("on to {}", leaf_words(next->number));
    else
      step.next = "on to the entries of the range";
  }

  // --- Leaves ---
  // Of a lookup of a key: may it lie before the leaf that the directory leads to?
  bool doubtful() const { return finds() && way_.whole && !doubt_of_descent().empty(); }
  std::string doubt_of_descent() const {
    return way_.blocks.empty() ? std::string() : doubt_words(way_.blocks.back(), way_.leaves);
  }
  // The first leaf that a lookup of a key may come to.
  u64 first_possible() const { return doubtful() ? way_.leaves.leaf - way_.leaves.before : way_.leaves.leaf; }
  bool outside() const { return trace_.key < view_.least || trace_.key > view_.least + view_.span; }

  // Entries that a step compared: how many are smaller than what the descent looks for, and whether one is it.
  struct compared_entries {
    u64 smaller = 0, equal = 0;
  };
  compared_entries compared_in(const trace_step& step) const {
    const u64 key = descent_of_.value_or(searched_key(trace_));
    compared_entries seen;
    for (const comparison& c : step.compared) seen.smaller += c.key < key, seen.equal += c.key == key;
    return seen;
  }
  u64 place_in_order(const trace_step& step, u64 leaf) const {
    return std::min(leaf * leaf_entries(config_) + compared_in(step).smaller, view_.keys);
  }

  void tell_leaf(std::size_t i) {
    trace_step& step = trace_.steps[i];
    const step_place here = places_[i], *const next = place_behind(i);
    const std::string where =
        fmt::format("Leaf {}{}", here.number, here.kind == place_kind::in_full ? ", in full" : "");
    left(step, here.number, here.number + 1);
    if (next) step.next = way_on(here, *next);
    if (step.kind == step_kind::next) {
      step.words =
          fmt::format("{}: the first entry that is {}.", where, takes_itself(trace_.asked) ? "not smaller" : "greater");
      step.left_first = trace_.slot == no_rank ? 0 : trace_.slot;
      step.left_end = trace_.slot == no_rank ? 0 : trace_.slot + 1;
    } else if (step.compared.empty()) {
      tell_escaped(step, i);
    } else if (finds()) {
      tell_looked_through(step, i, where);
    } else {
      const compared_entries seen = compared_in(step);
      if (descent_of_ == trace_.key) begin_ = place_in_order(step, here.number);
      step.words = fmt::format("{}: {} of {} entries are smaller, so {} are before the place.", where, seen.smaller,
                               step.compared.size(), here.number * leaf_entries(config_) + seen.smaller);
      if (next && next->is_leaf() && next->number > here.number)
        step.doubt = "All its keys are smaller, and the next leaf is in doubt too: the place is further on.";
    }
  }
  // A leaf whose bits tell nothing: first it says so, then which of the escaped ones it is.
  void tell_escaped(trace_step& step, std::size_t i) const {
    const u64 leaf = places_[i].number;
    if (finds() && outside()) return tell_outside(step, leaf);
    left(step, std::min(first_possible(), leaf), leaf + 1);
    if (i > 0 && places_[i - 1].kind == place_kind::leaf && places_[i - 1].number == leaf) {
      step.words = fmt::format("Leaf {} again: its first word says which of the escaped leaves it is.", leaf);
      step.brief = fmt::format("leaf {}: its number", leaf);
      return;
    }
    step.words =
        fmt::format("Leaf {} is escaped: its keys lie so far apart that an entry's bits do not tell them.", leaf);
    step.brief = fmt::format("leaf {} is escaped", leaf);
    step.doubt = "What its packs hold says nothing: its entries lie elsewhere, in full.";
  }
  void tell_outside(trace_step& step, u64 leaf) const {
    step.words =
        fmt::format("Leaf {}: whatever its entries' bits, {} is outside of the index's keys.", leaf, trace_.key);
    step.left_first = step.left_end = trace_.key < view_.least ? 0 : view_.keys;
  }
  void tell_looked_through(trace_step& step, std::size_t i, const std::string& where) {
    const u64 leaf = places_[i].number;
    if (outside()) return tell_outside(step, leaf);
    const step_place* const next = place_behind(i);
    if (compared_in(step).smaller > 0) begin_ = std::max(begin_, place_in_order(step, leaf));
    const bool first = leaf == way_.leaves.leaf;  // that the directory leads to
    if (compared_in(step).equal > 0) {
      step.words = fmt::format("{}: the entry in slot {} has {}{}. Found{}", where, trace_.slot,
                               places_[i].kind == place_kind::in_full ? "" : "the bits of ", trace_.key,
                               !doubtful() ? "."
                               : first     ? ": the leaf before is not needed."
                                           : fmt::format(", before the {}.", parted_by(way_.blocks.back())));
      step.left_first = trace_.slot, step.left_end = trace_.slot + 1;
      return;
    }
    const std::string none = fmt::format("{}: none of its {} entries has {}{}", where, step.compared.size(),
                                         places_[i].kind == place_kind::in_full ? "" : "the bits of ", trace_.key);
    if (next && next->is_leaf() && next->number < leaf) {
      step.words = none + (first ? "." : ", and all its keys are greater.");
      step.doubt = first ? fmt::format("It was chosen by a {}: the key may lie in the leaf before.",
                                       parted_by(way_.blocks.back()))
                         : "The key may still lie in the leaf before.";
      left(step, std::min(first_possible(), leaf), leaf);
      return;
    } else if (first && !doubtful()) {
      step.words = none + ", and " + certainty_words(way_.blocks.back()) + ".";
    } else {
      step.words = none + ", and its first key is smaller: it lies in no leaf before.";
    }
    // Where it would lie.
    if (!next) step.left_first = step.left_end = std::max(begin_, place_in_order(step, leaf));
  }
  std::string way_on(const step_place& here, const step_place& next) const {
    switch (next.kind) {
      case place_kind::block:
        return fmt::format("the range's other end: block {} of the directory", next.number);
      case place_kind::leaf:
        if (next.number == here.number && finds()) return "once more, by the warp's groups together";
        if (next.number < here.number) return fmt::format("one leaf back: {}", leaf_words(next.number));
        return fmt::format("on to {}", leaf_words(next.number));
      case place_kind::in_full:
        return "to its entries in full, among the escaped ones";
      case place_kind::rows:
        return here.kind == place_kind::rows ? "on to those behind" : "on to the entries of the range";
    }
    return {};
  }

  void tell_rows(std::size_t i) {
    trace_step& step = trace_.steps[i];
    const std::size_t packs = step.accesses.size();
    step.words =
        packs == 0 ? "Nothing is left to read."
                   : fmt::format("The row ids of {} pack{}, added up: what lies between the two ends is in the range.",
                                 packs, packs == 1 ? "" : "s");
    left(step, 0, view_.leaves);
    if (const step_place* const next = place_behind(i)) step.next = way_on(places_[i], *next);
  }

  lookup_trace& trace_;
  packed_config config_;
  const packed_view view_;
  index_reader read_;
  std::vector<step_place> places_;
  directory_descent way_;
  std::optional<u64> descent_of_;  // key
  u64 begin_ = 0;                  // by rank: of a range, or of what is greater than the key
};

}  // namespace

void tell_packed(lookup_trace& trace, const stored_index& index) { packed_teller(trace, index).tell(); }

}  // namespace pivotscope
