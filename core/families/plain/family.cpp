// The family `plain` as the program knows it: entries as they came, looked through from the first to the last.
#include <fmt/format.h>

#include <algorithm>

#include "core/families/plain/plain.hpp"
#include "core/families/plain/pseudo_code.hpp"
#include "core/families/plain/tight_starts.hpp"
#include "core/index/answer_words.hpp"
#include "core/index/family.hpp"
#include "core/index/lookup_trace.hpp"
#include "core/index/step_words.hpp"

namespace pivotscope {

extern const host_code plain_host_code;  // host.cpp
extern const trace_code plain_trace_code;

namespace {

static_assert(plain::entries == main_region);

constexpr build_pass passes[] = {
    {"build entries", "building entries", "build_entries", host_items<plain, plain::build_entries>},
    {"make room", "making room", "move_entries", host_items<plain, plain::move_entries>},
    {"count entries", "counting entries", "count_live", host_items<plain, plain::count_live>},
    {"clear", "clearing the index", "erase_slots", host_items<plain, plain::erase_slots>}};

u64 cells_for(u64 keys) { return ceil_div<u64>(keys, plain_step) * plain_step; }

class plain_model final : public index_model {
 public:
  plain_model(const plain_config& config, u64 keys, u64 live) : lanes_(config.lanes), keys_(keys), live_(live) {
    const u32 key = key_bytes(config.keys), cell = 2 * key;
    entries_ = {"entries",
                "entries",
                "entry",
                "entries",
                "The entries in the order of the input, slot by slot, as they lie in memory: a key, and its row id "
                "beside it.",
                cells_for(keys),
                cell,
                {{"key", 0, key, field_kind::key}, {"row id", key, 4, field_kind::row_id}},
                {}};
    if (cell > key + 4) entries_.fields.push_back({"padding", key + 4, cell - key - 4, field_kind::padding});
  }

  u64 keys() const override { return keys_; }
  u64 entries() const override { return live_; }
  u32 levels() const override { return keys_ == 0 ? 0 : 1; }
  std::string level_words(u32) const override { return "runs"; }
  std::span<const region_info> regions() const override { return {&entries_, 1}; }
  cell_info describe(region_id, u64 cell) const override { return {.empty = cell >= keys_}; }
  bool cells_tell() const override { return true; }
  void count_levels(region_id, u64 first, u64 end, u64* out) const override {
    std::fill(out, out + max_levels, 0);
    out[0] = std::min(end, keys_) - std::min(first, keys_);
  }
  std::optional<cell_run> level_run(u32) const override { return cell_run{main_region, 0, entries_.cells}; }
  u64 node_count() const override { return entries_.cells / plain_step; }
  std::vector<tree_node> nodes() const override {
    std::vector<tree_node> list;
    for (u64 i = 0; i < node_count(); ++i) {
      const double middle = (static_cast<double>(i) + 0.5) / static_cast<double>(node_count());
      list.push_back({.first = i * plain_step, .cells = plain_step, .middle = middle});
    }
    return list;
  }
  lookup_lanes lanes() const override { return {lanes_, ceil_div(plain_step, lanes_)}; }

  std::vector<pass_info> build_passes() const override {
    if (entries_.cells == 0) return {};
    return {
        {"entries",
         "One pass, an entry a thread: each reads a key and its row id, and stores both in the slot that the row id "
         "names. Nothing needs to be sorted for it.",
         main_region,
         entries_.cells,
         {0}}};
  }
  build_step step_of_build(u32, u64 slot) const override {
    build_step step;
    if (slot < keys_) {
      step.words = fmt::format(
          "There is no formula: the entry that came as number {0} goes to slot {0}. It is thread {0} that writes it; "
          "or, "
          "where the keys were sorted for another index, the thread that reads row id {0} among them.",
          slot);
      return step;
    }
    step.turn = slot;
    step.empty = true;
    step.words = fmt::format(
        "Stays empty: entries are read {} at a time, and this slot fills up the last of them. It gets the greatest key "
        "and no row id, which no lookup takes for an entry.",
        plain_step);
    return step;
  }

 private:
  u32 lanes_;
  u64 keys_, live_;
  region_info entries_;
};

std::string capitalised_slot(std::string words) {
  words[0] = 'S';
  return words;
}
std::string entries_words(u64 n) { return fmt::format("{} entr{}", n, n == 1 ? "y" : "ies"); }

void tell_insert(lookup_trace& trace) {
  const u32 row = trace.write->row;
  trace.start =
      fmt::format("Its row id says where it goes: {} is the next one, and slot {} is behind the last entry.", row, row);
  for (trace_step& step : trace.steps) {
    step.left_first = row, step.left_end = row + 1;
    step.words = fmt::format(
        "Slot {} gets the key {}; then, after a fence, row id {} in place of none. Who sees the row id sees the key, "
        "and who "
        "does not takes the slot for empty.",
        row, trace.key, row);
  }
  trace.verdict = fmt::format("{} is inserted: row id {}, in slot {} of the entries. No other entry was looked at.",
                              trace.key, row, row);
}

// Slots whose row id a step replaced: "slot 3", "slots 3 and 7".
std::string erased_words(const trace_step& step) {
  std::vector<u64> slots;
  for (const changed_word& c : step.changed)
    if (c.done) slots.push_back(c.slot);
  if (slots.empty()) return "";
  const bool one = slots.size() == 1;
  return fmt::format("slot{} {}", one ? "" : "s", fmt::join(slots, slots.size() == 2 ? " and " : ", "));
}

void tell_erase(lookup_trace& trace) {
  if (!trace.steps.empty()) trace.start = "Nothing says where a key lies, or how often: look at every entry.";
  u64 erased = 0;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    trace_step& step = trace.steps[i];
    const u64 seen = std::min<u64>((i + 1) * plain_step, trace.keys);
    step.left_first = seen, step.left_end = trace.keys;
    const std::string where = erased_words(step);
    const auto here =
        std::count_if(step.changed.begin(), step.changed.end(), [](const changed_word& c) { return c.done; });
    erased += static_cast<u64>(here);
    step.words =
        where.empty()
            ? fmt::format("{} of {} looked through, none of these is {}.", seen, entries_words(trace.keys), trace.key)
            : fmt::format(
                  "{} {} {}: the mark of an erased entry takes the place of {} row id{}, by a "
                  "compare-and-swap, so that one erase alone removes it. {} of {} looked through.",
                  capitalised_slot(where), here == 1 ? "has" : "have", trace.key, here == 1 ? "its" : "their",
                  here == 1 ? "" : "s", seen, entries_words(trace.keys));
    if (i + 1 < trace.steps.size())
      step.next = fmt::format("{} may be there again: on to the next entries, from slot {}.", trace.key, seen);
  }
  trace.verdict = erased == 0
                      ? fmt::format("{} is not in the index: nothing is erased.", trace.key)
                      : fmt::format(
                            "{} {} with key {} {} erased. {} slot{} as a tombstone: searches read {} still, and "
                            "pass over {}.",
                            erased, erased == 1 ? "entry" : "entries", trace.key, erased == 1 ? "is" : "are",
                            erased == 1 ? "Its" : "Their", erased == 1 ? " stays" : "s stay, each",
                            erased == 1 ? "it" : "them", erased == 1 ? "it" : "them");
}

void tell_step(lookup_trace& trace, std::size_t i) {
  trace_step& step = trace.steps[i];
  const u64 seen = std::min<u64>((i + 1) * plain_step, trace.keys);
  step.left_first = trace.range ? 0 : seen, step.left_end = trace.keys;
  if (trace.range) {
    const auto inside = std::count_if(step.compared.begin(), step.compared.end(),
                                      [](const comparison& c) { return !c.empty && c.met == relation::equal; });
    step.words = fmt::format("{} of these {} in the range. {} of {} looked through.",
                             inside == 0 ? "None" : std::to_string(inside), inside == 1 ? "is" : "are", seen,
                             entries_words(trace.keys));
  } else if (i + 1 == trace.steps.size() && trace.row != not_found) {
    step.words = fmt::format("The entry in slot {} is {}. Found.", trace.slot, trace.key);
    step.left_first = trace.slot, step.left_end = trace.slot + 1;
  } else {
    step.words = fmt::format("{} of {} looked through, none is {}.", seen, entries_words(trace.keys), trace.key);
  }
  if (i + 1 < trace.steps.size()) {
    step.next = fmt::format("Nothing says where else to look: on to the next entries, from slot {}.", seen);
  }
}

std::string verdict_of(const lookup_trace& trace) {
  const u64 read = std::min<u64>(trace.steps.size() * plain_step, trace.keys);
  if (read == 0) return answer_words(trace);
  return fmt::format("{} {} of {} {} read.", answer_words(trace), read, entries_words(trace.keys),
                     read == 1 ? "was" : "were");
}

class plain_family_type final : public family {
 public:
  family_id id() const override { return plain_id; }
  std::string_view name() const override { return "plain"; }
  std::string_view sentence() const override { return "The entries as they came, all of them looked through."; }
  std::string_view source() const override { return "none: what all others are measured against"; }

  std::string_view lacks(operation kind) const override {
    return answer_of(kind) == answer_kind::next ? "has no order" : "";
  }

  bool sorted_input() const override { return false; }

  std::span<const method> methods() const override {
    static const method list[] = {
        {"PLAIN",
         "The entries in the order of the input: every lookup looks through them all. It shows what an index saves."}};
    return list;
  }
  std::vector<axis> axes() const override {
    std::vector<axis> list = {common_axis("keys"),
                              {"lanes",
                               "Lanes a lookup",
                               "Threads that look through the entries together for one lookup, 1 to 32.",
                               {"1", "2", "4", "8", "16", "32"},
                               std::pair{1u, plain_step},
                               get_knob<0>,
                               set_knob<0>,
                               no_explanation}};
    for (const char* name : {"threads", "per_thread", "schedule", "blocks_per_sm", "reorder"})
      list.push_back(common_axis(name));
    return list;
  }
  index_config standard() const override { return plain_config{}; }
  std::optional<std::string> check(const index_config& config) const override {
    const u32 lanes = plain_config::of(config).lanes;
    if (lanes >= 1 && lanes <= plain_step) return std::nullopt;
    return fmt::format("lanes={} is outside 1 to {}: a step reads {} entries, and every lane needs one", lanes,
                       plain_step, plain_step);
  }
  void accept(index_config& config, std::string_view) const override {
    config.knobs[0] = std::clamp(config.knobs[0], 1u, plain_step);
  }
  std::optional<std::string> caution(const index_config&) const override {
    return "every lookup looks at every entry: from a few thousand keys on it takes patience";
  }
  u64 sensible_keys(const index_config&) const override { return 1u << 12; }

  u32 lanes(const index_config& config) const override { return plain_config::of(config).lanes; }
  index_config for_build(const index_config& config) const override { return plain_config{.keys = config.keys}; }

  outcome<state_bytes> build(executor& on, const index_config& config) const override {
    const state_bytes state(plain_view{on.keys(), cells_for(on.keys()), on.keys()});
    if (auto s = on.allocate(regions_of(config, on.keys())); !s) return s.error();
    if (auto s = on.run(passes[0], cells_for(on.keys()), state); !s) return s.error();
    return state;
  }
  outcome<state_bytes> make_room(executor& on, const index_config& config, const state_bytes& state,
                                 const room_wanted& wanted) const override {
    const plain_view now = state.as<plain_view>();
    if (wanted.rows <= now.cells) return state;
    const state_bytes grown(plain_view{now.rows, cells_for(wanted.rows), now.live});
    if (auto s = on.allocate(regions_of(config, wanted.rows)); !s) return s.error();
    if (auto s = on.run(passes[1], cells_for(wanted.rows), grown); !s) return s.error();
    return grown;
  }
  // An erase says that it removed something, and not how much: its key may be there several times.
  outcome<state_bytes> after(executor& on, const index_config&, const state_bytes& state,
                             const write_counts& counts) const override {
    plain_view now = state.as<plain_view>();
    now.rows += counts.added;
    now.live += counts.added;
    if (counts.erased > 0) {
      const auto live = on.run(passes[2], now.rows, state_bytes(now));
      if (!live) return live.error();
      now.live = *live;
    }
    return state_bytes(now);
  }

  // A slot is a row id, and row ids go on: the slots stay as tombstones, as after erases.
  outcome<state_bytes> clear(executor& on, const index_config&, const state_bytes& state) const override {
    plain_view now = state.as<plain_view>();
    if (const auto done = on.run(passes[3], now.rows, state); !done) return done.error();
    now.live = 0;
    return state_bytes(now);
  }
  std::vector<tight_start> tight_starts(const index_config&) const override { return tight_entries(); }

  std::shared_ptr<const index_model> model(const index_config& config, u64 keys) const override {
    return std::make_shared<const plain_model>(plain_config::of(config), keys, keys);
  }
  std::shared_ptr<const index_model> model_of(const stored_index& index) const override {
    const plain_view& now = index.state_as<plain_view>();
    return std::make_shared<const plain_model>(plain_config::of(index.config()), now.rows, now.live);
  }
  pseudo_code pseudo_code_of(const index_config&, operation kind) const override { return plain_pseudo_code(kind); }
  void tell(lookup_trace& trace, const stored_index&) const override {
    tell_words(trace);
    for (trace_step& step : trace.steps) {
      step.where = slots_read_words(step);
      if (!trace.write) step.left = count_left_words(step);
    }
  }

  const host_code& on_host() const override { return plain_host_code; }
  const trace_code& on_trace() const override { return plain_trace_code; }
  device_code on_device() const override { return {"core/families/plain/plain.hpp", "plain", passes}; }

  void add_candidates(const candidate_question& question, std::vector<index_config>& list) const override {
    if (!question.ascending) list.push_back(plain_config{.keys = question.width});
  }

 private:
  static void tell_words(lookup_trace& trace) {
    if (trace.write) return trace.write->kind == operation::insert ? tell_insert(trace) : tell_erase(trace);
    if (!trace.steps.empty()) trace.start = "Nothing says where a key lies: begin at slot 0, and look at every entry.";
    for (std::size_t i = 0; i < trace.steps.size(); ++i) tell_step(trace, i);
    trace.verdict = verdict_of(trace);
  }
};

}  // namespace

const family& plain_family() {
  static const plain_family_type the_family;
  return the_family;
}

}  // namespace pivotscope
