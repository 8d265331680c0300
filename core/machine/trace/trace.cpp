#include "core/machine/trace/trace.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/common/expect.hpp"
#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/index/index_reader.hpp"
#include "core/index/model.hpp"
#include "core/index/operations.hpp"
#include "core/index/step_words.hpp"
#include "core/machine/trace/trace_source.hpp"
#include "core/simt/wave.hpp"

namespace pivotscope {

namespace {

status check_key_fits(const index_config& config, u64 key) {
  if (config.keys == key_width::u64 || key <= greatest_key<u32>()) return fine();
  return problem{
      fmt::format("key {} does not fit the index's 32-bit keys: the greatest is {}", key, greatest_key<u32>())};
}

// Distinct blocks of some bytes that loads touch, over all arrays.
class touched_blocks {
 public:
  explicit touched_blocks(u64 size) : size_(size) {}
  void add(const memory_access& a) {
    for (u64 block = a.byte_offset / size_; block <= (a.byte_offset + a.bytes - 1) / size_; ++block)
      of_step_.emplace_back(a.array, block);
  }
  u64 end_step() {
    const u64 count = keep_distinct(of_step_);
    of_all_.insert(of_all_.end(), of_step_.begin(), of_step_.end());
    of_step_.clear();
    return count;
  }
  u64 of_all() { return keep_distinct(of_all_); }

 private:
  using block_list = std::vector<std::pair<region_id, u64>>;
  static u64 keep_distinct(block_list& blocks) {
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    return blocks.size();
  }

  u64 size_;
  block_list of_step_, of_all_;
};

void measure(lookup_trace& trace) {
  touched_blocks sectors(32), lines(128);
  for (const trace_step& step : trace.steps) {
    for (const memory_access& a : step.accesses) {
      if (a.space == memory_space::scratch) {
        trace.scratch_bytes += a.bytes;
        continue;
      }
      trace.bytes += a.bytes;
      ++trace.requests;
      sectors.add(a);
      lines.add(a);
    }
    trace.sectors += sectors.end_step();
    trace.lines += lines.end_step();
  }
  trace.distinct_sectors = sectors.of_all();
  trace.distinct_lines = lines.of_all();
}

bool has_row(const stored_index& index, const index_model& model, u64 slot, u32 row) {
  const auto value = model.value_of({main_region, slot}, index_reader(index));
  return value && value->row == row;
}

// The entry that answered: of the equal ones of the last step the one with its row id, of which the index need not have
// the least first.
void find_slot(lookup_trace& trace, const stored_index& index) {
  if (trace.row == not_found) return;
  std::vector<u64> equal;
  for (const comparison& c : trace.steps.back().compared)
    if (c.array == main_region && (c.met == relation::equal || c.met == relation::hit) && !c.empty)
      equal.push_back(c.slot);
  if (equal.empty()) return;
  trace.slot = equal.front();
  if (equal.size() == 1) return;
  const auto model = model_of(index);
  const auto answers = [&](u64 slot) { return has_row(index, *model, slot, trace.row); };
  if (const auto found = std::find_if(equal.begin(), equal.end(), answers); found != equal.end()) trace.slot = *found;
}

// The first entry that was read with the answer's key and row id: a later key is no less. An index may have other versions
// of the key.
void find_successor_slot(lookup_trace& trace, const stored_index& index) {
  if (trace.row == not_found) return;
  const auto model = model_of(index);
  for (const trace_step& step : trace.steps) {
    if (step.kind == step_kind::search) continue;
    for (const comparison& c : step.compared) {
      if (c.key != trace.successor->key || c.empty || !has_row(index, *model, c.slot, trace.row)) continue;
      trace.slot = c.slot;
      return;
    }
  }
}

// What comes behind the config and its keys.
std::string asked_words(const lookup_trace& trace) {
  if (trace.write && trace.write->kind == operation::erase) return fmt::format("erasing {}", trace.key);
  if (trace.write) return fmt::format("inserting {} with row id {}", trace.key, trace.write->row);
  if (trace.asked == operation::range)
    return fmt::format("looking for all from {} to {}", trace.key, trace.range->high);
  return fmt::format("looking for {}{}", info_of(trace.asked).sought, trace.key);
}

bool is_found(const lookup_trace& trace) {
  if (trace.write) return trace.write->done == write_done::erased || trace.write->done == write_done::replaced;
  return trace.range ? trace.range->answer.count != 0 : trace.row != not_found;
}

std::string counted(u64 n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

// The names of an index's regions, for one trace.
class region_names {
 public:
  explicit region_names(const lookup_trace& trace) : model_(model_of(trace.config, trace.keys)) {}
  const std::string& operator()(region_id region) const { return model_->region(region).title; }

 private:
  std::shared_ptr<const index_model> model_;
};

std::string_view kind_name(step_kind kind) {
  switch (kind) {
    case step_kind::search:
      return "search";
    case step_kind::scan:
      return "scan";
    case step_kind::warp_scan:
      return "warp scan";
    case step_kind::next:
      return "next";
  }
  return "";
}

std::string_view access_name(access_kind kind) {
  switch (kind) {
    case access_kind::load:
      return "load";
    case access_kind::store:
      return "store";
    case access_kind::swap:
      return "swap";
    case access_kind::add:
      return "add";
    case access_kind::exchange:
      return "exchange";
    case access_kind::set_bits:
      return "or";
  }
  return "";
}
std::string_view access_verb(access_kind kind) {
  switch (kind) {
    case access_kind::load:
      return "reads";
    case access_kind::store:
      return "writes";
    case access_kind::swap:
      return "compares and swaps";
    case access_kind::add:
      return "adds to";
    case access_kind::exchange:
      return "exchanges";
    case access_kind::set_bits:
      return "sets bits of";
  }
  return "";
}

nlohmann::json changed_json(const changed_word& word, const region_names& name_of) {
  return {{"array", name_of(word.array)},
          {"slot", word.slot},
          {"offset", word.offset},
          {"bytes", word.bytes},
          {"before", word.before},
          {"after", word.after},
          {"access", access_name(word.kind)},
          {"done", word.done}};
}
nlohmann::json held_json(const held_thing& held, const region_names& name_of) {
  nlohmann::json json = {{"name", held.name}};
  json[held.kind == held_kind::entry ? "key" : "number"] = held.value;
  if (held.kind == held_kind::entry && held.row != not_found) json["row"] = held.row;
  if (held.kind == held_kind::place) json["array"] = name_of(held.region), json["slot"] = held.cell;
  return json;
}
std::string changed_line(const changed_word& word, const region_names& name_of) {
  const std::string what = word.done ? fmt::format("{} becomes {}", word.before, word.after)
                                     : fmt::format("{} stays: the swap to {} wanted another", word.before, word.after);
  return fmt::format("  {} slot {}, bytes {} to {}: {}\n", name_of(word.array), word.slot, word.offset,
                     word.offset + word.bytes - 1, what);
}

outcome<std::vector<lookup_trace>> walk(const stored_index& index, operation asked, std::span<const u64> keys,
                                        bool with_source) {
  PIVOTSCOPE_EXPECT(keys.size() <= host_wave);
  const index_config& config = index.config();
  std::vector<lookup_trace> warp(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (auto s = check_key_fits(config, keys[i]); !s) return s.error();
    warp[i].config = config;
    warp[i].keys = index.keys();
    warp[i].asked = asked;
    warp[i].key = keys[i];
  }
  if (auto s = family_of(config).on_trace().find(index, warp, with_source); !s) return s.error();
  for (lookup_trace& trace : warp) find_slot(trace, index), measure(trace);
  return warp;
}

// A lookup, or matches that are served as one.
outcome<lookup_trace> trace_one(const stored_index& index, operation asked, u64 key) {
  outcome<std::vector<lookup_trace>> warp = walk(index, asked, {&key, 1}, true);
  if (!warp) return warp.error();
  lookup_trace& trace = warp->front();
  family_of(index.config()).tell(trace, index);
  return std::move(trace);
}

// A range, or matches that are served as one.
outcome<lookup_trace> trace_from_to(const stored_index& index, operation asked, u64 low, u64 high) {
  const index_config& config = index.config();
  if (auto why = check_serves(config, asked)) return problem{*why};
  for (const u64 key : {low, high}) {
    if (auto s = check_key_fits(config, key); !s) return s.error();
  }
  lookup_trace trace;
  trace.config = config;
  trace.keys = index.keys();
  trace.asked = asked;
  trace.key = low;
  trace.range = traced_range{high, {}};
  if (auto s = family_of(config).on_trace().range(index, trace); !s) return s.error();
  measure(trace);
  family_of(config).tell(trace, index);
  if (asked == operation::matches) trace.start = fmt::format("All from {} to {}: a range. {}", low, high, trace.start);
  return trace;
}

}  // namespace

outcome<std::vector<lookup_trace>> trace_warp(const stored_index& index, std::span<const u64> keys) {
  return walk(index, operation::find, keys, false);
}

outcome<lookup_trace> trace_lookup(const stored_index& index, u64 key) {
  return trace_one(index, operation::find, key);
}

outcome<lookup_trace> trace_range(const stored_index& index, u64 low, u64 high) {
  return trace_from_to(index, operation::range, low, high);
}

outcome<lookup_trace> trace_matches(const stored_index& index, u64 key) {
  const bool as_range = served_as(index.config(), operation::matches) == operation::range;
  return as_range ? trace_from_to(index, operation::matches, key, key) : trace_one(index, operation::matches, key);
}

outcome<lookup_trace> trace_next(const stored_index& index, operation kind, u64 key) {
  PIVOTSCOPE_EXPECT(answer_of(kind) == answer_kind::next);
  const index_config& config = index.config();
  if (auto why = check_serves(config, kind)) return problem{*why};
  if (auto s = check_key_fits(config, key); !s) return s.error();
  lookup_trace trace;
  trace.config = config;
  trace.keys = index.keys();
  trace.asked = kind;
  trace.key = key;
  trace.successor = successor_answer{};
  if (auto s = family_of(config).on_trace().next_key(index, trace); !s) return s.error();
  trace.row = trace.successor->row;
  find_successor_slot(trace, index);
  measure(trace);
  family_of(config).tell(trace, index);
  return trace;
}

outcome<lookup_trace> trace_write(const stored_index& index, operation kind, u64 key) {
  PIVOTSCOPE_EXPECT(is_write(kind));
  const index_config& config = index.config();
  if (auto why = check_steps(config, kind)) return problem{*why};
  if (auto s = check_key_fits(config, key); !s) return s.error();
  lookup_trace trace;
  trace.config = config;
  trace.key = key;
  trace.asked = kind;
  trace.write = traced_write{.kind = kind};
  if (kind == operation::insert) trace.write->row = static_cast<u32>(index.rows());
  if (auto s = family_of(config).on_trace().write(index, trace); !s) return s.error();
  measure(trace);
  family_of(config).tell(trace, index);
  return trace;
}

void to_json(nlohmann::json& json, const lookup_trace& trace) {
  const region_names name_of(trace);
  nlohmann::json config;
  to_json(config, trace.config);
  json = {{"format", 1},
          {"config", config},
          {"config_line", to_line(trace.config)},
          {"keys", trace.keys},
          {"asked", operation_verb(trace.asked)},
          {"lookup", trace.key},
          {"found", is_found(trace)},
          {"bytes", trace.bytes},
          {"requests", trace.requests},
          {"distinct_sectors", trace.distinct_sectors},
          {"distinct_lines", trace.distinct_lines},
          {"sectors", trace.sectors},
          {"lines", trace.lines},
          {"start", trace.start},
          {"verdict", trace.verdict}};
  if (trace.range) {
    json["range"] = {{"low", trace.key},
                     {"high", trace.range->high},
                     {"count", trace.range->answer.count},
                     {"row_sum", trace.range->answer.row_sum}};
  }
  if (trace.successor) {
    const bool found = trace.row != not_found;
    json[std::string(operation_verb(trace.asked))] = {
        {"of", trace.key}, {"key", found ? nlohmann::json(trace.successor->key) : nlohmann::json()}};
  }
  if (trace.write) {
    json["write"] = {{"kind", operation_verb(trace.write->kind)},
                     {"row", trace.write->row == not_found ? nlohmann::json() : nlohmann::json(trace.write->row)},
                     {"done", write_done_name(trace.write->done)}};
  }
  json["row"] = trace.row == not_found ? nlohmann::json() : nlohmann::json(trace.row);
  json["slot"] = trace.slot == no_rank ? nlohmann::json() : nlohmann::json(trace.slot);
  json["steps"] = nlohmann::json::array();
  for (const trace_step& step : trace.steps) {
    nlohmann::json s = {{"level", step.level},
                        {"where", step.where},
                        {"kind", kind_name(step.kind)},
                        {"left_first", step.left_first},
                        {"left_end", step.left_end},
                        {"words", step.words},
                        {"next", step.next},
                        {"reads", nlohmann::json::array()},
                        {"compared", nlohmann::json::array()}};
    if (!step.doubt.empty()) s["doubt"] = step.doubt;
    for (const memory_access& a : step.accesses) {
      s["reads"].push_back({{"array", name_of(a.array)},
                            {"space", a.space == memory_space::global ? "global" : "scratch"},
                            {"slot", a.slot},
                            {"slots", a.slots},
                            {"byte", a.byte_offset},
                            {"bytes", a.bytes},
                            {"lane", a.lane},
                            {"access", access_name(a.kind)}});
    }
    if (!step.in_hand.empty()) {
      s["in_hand"] = nlohmann::json::array();
      for (const held_thing& held : step.in_hand) s["in_hand"].push_back(held_json(held, name_of));
    }
    if (trace.write) {
      s["changed"] = nlohmann::json::array();
      for (const changed_word& word : step.changed) s["changed"].push_back(changed_json(word, name_of));
    }
    for (const comparison& c : step.compared) {
      s["compared"].push_back({{"array", name_of(c.array)},
                               {"slot", c.slot},
                               {"rank", c.rank == no_rank ? nlohmann::json() : nlohmann::json(c.rank)},
                               {"key", c.empty || c.keyless ? nlohmann::json() : nlohmann::json(c.key)},
                               {"lane", c.lane},
                               {"order", relation_name(c.met)}});
    }
    json["steps"].push_back(std::move(s));
  }
}

std::string to_text(const lookup_trace& trace, bool with_source) {
  const region_names name_of(trace);
  std::string text = fmt::format("{}, {}: {}\n", to_line(trace.config), counted(trace.keys, "key"), asked_words(trace));
  if (!trace.start.empty()) text += trace.start + "\n";
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const trace_step& step = trace.steps[i];
    text += fmt::format("\nstep {} of {}, {}{}\n", i + 1, trace.steps.size(), step.where,
                        step.kind == step_kind::search ? "" : fmt::format(", {}", kind_name(step.kind)));
    for (const memory_access& a : step.accesses) {
      const bool one = a.slots == 1;
      const std::string where = a.space == memory_space::scratch
                                    ? fmt::format("{} of scratch", a.byte_offset)
                                    : fmt::format("{} (sector {})", a.byte_offset, a.byte_offset / 32);
      text += fmt::format("  lane {:>2} {} {} slot{} {}{}, {} bytes at byte {}\n", a.lane, access_verb(a.kind),
                          name_of(a.array), one ? "" : "s", a.slot,
                          one ? "" : fmt::format(" to {}", a.slot + a.slots - 1), a.bytes, where);
    }
    for (const changed_word& word : step.changed) text += changed_line(word, name_of);
    text += "  " + step.words + "\n";
    if (!step.in_hand.empty()) {
      std::vector<std::string> things;
      for (const held_thing& held : step.in_hand) things.push_back(held_words(held));
      text += fmt::format("  in hand: {}\n", fmt::join(things, "; "));
    }
    if (!step.doubt.empty()) text += "  ? " + step.doubt + "\n";
    if (!step.next.empty()) text += "  " + step.next + "\n";
    if (with_source) text += source_words(step);
  }
  text +=
      fmt::format("\n{}\n{}, {} by {}: {} of 32 bytes, {} of 128.\n", trace.verdict,
                  counted(trace.steps.size(), "step"), counted(trace.bytes, "byte"), counted(trace.requests, "request"),
                  counted(trace.distinct_sectors, "sector"), counted(trace.distinct_lines, "line"));
  return text;
}

}  // namespace pivotscope
