#include "app/cli/options/workload_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "app/cli/options/option_list.hpp"
#include "app/cli/output.hpp"
#include "core/common/plain_words.hpp"
#include "core/index/family.hpp"
#include "core/workload/field_needs.hpp"
#include "core/workload/host_memory.hpp"
#include "core/workload/own_numbers.hpp"

namespace pivotscope {
namespace {

std::string list_of(std::span<const std::string> names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

// "--hits 2" is refused as "--hits", though the workload's line calls it "hits".
std::string option_for(std::string_view field) {
  return field == "repeat" ? "--repeat-keys" : fmt::format("--{}", field);
}

constexpr const char* group = "Workload";

}  // namespace

void workload_options::add_to(option_list& to, const workload& standard) {
  add_keys_to(to, standard);
  to.text("--lookups", lookups, {"N", group},
          fmt::format("how many lookups, to 2^32 (default {})", count_text(standard.lookups)));
  to.text("--hits", hits, {"0..1", group}, "share of lookups whose key is in the set (default 1)");
  to.text("--misses", misses, {"NAME", group},
          fmt::format("where the keys of the others lie: {} of the least and the greatest key (default anywhere)",
                      list_of(miss_place_names())));
  to.text("--order", order, {"NAME", group},
          fmt::format("{}: in which order they are looked up (default random)", list_of(lookup_order_names())));
  to.text(
      "--popularity", popular, {"NAME", group},
      fmt::format("{}: how often each key is the one of a hit (default uniform); of nearly and hot --workload has more",
                  list_of(popularity_names())));
  to.text("--exponent", exponent, {"0..5", group}, "zipf: how uneven it is; 0 is not at all (default 1)");
}

void workload_options::add_size_to(option_list& to, const workload& standard) {
  to.text("--keys", keys, {"N", group},
          fmt::format("how many keys, to 4294967294; like 1000000, 2^20, 64Ki, 1e6 (default {})",
                      count_text(standard.keys)));
  to.text("--workload", line, {"LINE", group},
          "keys and lookups as one line, as the window copies it; single options go before it");
}

void workload_options::add_keys_to(option_list& to, const workload& standard) {
  add_size_to(to, standard);
  to.text("--distribution", distribution, {"NAME", group},
          fmt::format("{} (default {})", list_of(distribution_names()), distribution_name(standard.dist)));
  to.text("--uniformity", uniformity, {"0..1", group},
          "mix: the uniform keys' share, the others are dense (default 0.5)");
  to.text("--repeat-keys", repeat, {"N", group}, "duplicates, ends: how often a value occurs (default 4)");
  to.text("--seed", seed, {"N", group}, "same seed, same bytes, on every machine (default 1)");
}

void workload_options::add_ranges_to(option_list& to) {
  to.text("--ranges", ranges, {"N", group},
          "look up so many ranges in place of --lookups; --hits is then the number of entries that each has "
          "(default 64), and a share of empty ones goes into the --workload line");
  to.text("--ranges-from", ranges_from, {"FILE", files_group},
          "ranges to look up: text, a low and a high end a line, both inclusive, with blanks or a comma between "
          "them; without it, --ranges are drawn from the keys");
}

void workload_options::add_successors_to(option_list& to) {
  to.text("--successors", successors, {"N", group},
          "ask for so many successors in place of --lookups: of a key the least greater key that is there, and a row "
          "id of it; the keys are drawn as lookups are");
  to.text("--successors-from", successors_from, {"FILE", files_group},
          "keys whose successors are wanted; without it, --successors are drawn from the keys");
}

void workload_options::add_script_to(option_list& to) {
  takes_script = true;
  constexpr const char* scripts = "What changes the index (docs/updates.md)";
  to.text(
      "--script", script_from, {"FILE", scripts},
      "operations, one a line: insert K, erase K, find K, range A B, successor K; lines of one kind are a batch, and "
      "so are those between the lines begin and end. Nothing else is asked without --lookups, --ranges or "
      "--successors");
  to.text("--inserts", inserts, {"N", scripts}, "inserts, of keys that the set would have next; before the lookups");
  to.text("--erases", erases, {"N", scripts}, "erases of random rows; behind the inserts");
  to.text("--mix", mix, {"0..1", scripts}, "inserts and erases among finds, of which they are this share");
  to.text("--batch", batch, {"N", scripts}, "operations of a mixed batch (default 2^20)");
}

// A script of one's own is all that is asked, where nothing else is.
std::optional<problem> workload_options::read_script(workload& w) const {
  if (script_from && (inserts || erases || mix || batch))
    return problem{"--script brings the operations; --inserts, --erases, --mix and --batch do not go with it"};
  if (w.own_script.given() && (script_from || inserts || erases || mix || batch))
    return problem{
        "--workload has a script of its own; --script, --inserts, --erases, --mix and --batch do not go with it"};
  struct part {
    const char* field;
    const std::optional<std::string>& text;
  };
  for (const auto& [field, text] :
       {part{"inserts", inserts}, part{"erases", erases}, part{"mix", mix}, part{"batch", batch}}) {
    if (!text) continue;
    if (auto refused = set_recipe_field(w.recipe, field, *text)) return problem{"--" + refused->words};
  }
  if (script_from) {
    w.recipe = {};
    w.own_script.file = *script_from;
    const bool asked =
        lookups || ranges || successors || lookups_from || ranges_from || successors_from || w.own_batch.given();
    if (!asked) set_batch_size(w, operation::find, 0);
  }
  if (has_script(w) && !takes_script)
    return problem{"inserts, erases and scripts go with `pivotscope run`; leave them out of --workload"};
  return std::nullopt;
}

workload workload_options::in_full(workload w) const {
  if (keys_from) w = with_keys(w, {.file = *keys_from, .column = keys_column.value_or("")});
  if (lookups_from) w = with_batch(w, {.numbers = {.file = *lookups_from}});
  if (ranges_from) w = with_batch(w, {.numbers = {.file = *ranges_from}, .kind = operation::range});
  if (successors_from) w = with_batch(w, {.numbers = {.file = *successors_from}, .kind = operation::successor});
  return w;
}

void workload_options::add_files_to(option_list& to) {
  to.text("--keys-from", keys_from, {"FILE", files_group}, "keys; a key's row id is its position in the file, from 0");
  to.text("--keys-column", keys_column, {"NAME", files_group},
          "--keys-from is a CSV file: the column's name, or its number from 1");
  to.text("--lookups-from", lookups_from, {"FILE", files_group},
          "keys to look up; without it, --lookups are drawn from the keys");
}

// A run has one batch, from one place.
std::optional<problem> workload_options::refuse_two_batches() const {
  struct source {
    std::string_view noun;
    bool counted, from;
  };
  const source all[] = {{"lookups", lookups.has_value(), lookups_from.has_value()},
                        {"ranges", ranges.has_value(), ranges_from.has_value()},
                        {"successors", successors.has_value(), successors_from.has_value()}};
  const source *counted = nullptr, *from = nullptr;
  for (const source& one : all) {
    constexpr std::string_view alone = "a run asks for lookups, ranges or successors; leave one of them out";
    if (one.counted && counted)
      return problem{fmt::format("--{} and --{} do not go together: {}", counted->noun, one.noun, alone)};
    if (one.from && from)
      return problem{fmt::format("--{}-from and --{}-from do not go together: {}", from->noun, one.noun, alone)};
    if (one.counted) counted = &one;
    if (one.from) from = &one;
  }
  if (!from || (!counted && !hits && !misses && !order && !popular && !exponent)) return std::nullopt;
  return problem{fmt::format(
      "--{0}-from brings the {0}; --lookups, --ranges, --successors, --hits, --misses, --order, --popularity and "
      "--exponent do not go with it",
      from->noun)};
}

operation workload_options::asked(const workload& w) const {
  if (ranges_from) return operation::range;
  if (successors_from) return operation::successor;
  return lookups_from ? operation::find : operation_of(w);
}

outcome<workload> workload_options::read(const workload& standard) const {
  workload w = standard;
  std::vector<std::string> in_line, dropped;
  if (line) {
    outcome<workload_parts> parsed = workload_parts_from_line(*line);
    if (!parsed) return problem{fmt::format("--workload: {}", parsed.error().words)};
    w = parsed->load, in_line = parsed->given;
    dropped = drop_idle(*parsed);
  }
  const auto count = [](const std::optional<std::string>& text, std::string_view field, u64 least, u64 greatest,
                        auto& out) -> status {
    if (!text) return fine();
    outcome<u64> parsed = parse_count(*text, option_for(field), least, greatest);
    if (!parsed) return parsed.error();
    out = static_cast<std::remove_cvref_t<decltype(out)>>(*parsed);
    return fine();
  };
  if (auto refused = refuse_two_batches()) return *refused;
  const auto share = [](const std::optional<std::string>& text, std::string_view field, double& out) -> status {
    if (!text) return fine();
    outcome<double> parsed = parse_share(*text, option_for(field));
    if (!parsed) return parsed.error();
    out = *parsed;
    return fine();
  };
  if (distribution) {
    outcome<pivotscope::distribution> parsed = parse_distribution(*distribution);
    if (!parsed) return problem{fmt::format("--distribution: {}", parsed.error().words)};
    w.dist = *parsed;
    if (w.dist == pivotscope::distribution::paper) w.keys = workload{}.keys;
  } else if (keys && !line) {
    w.dist = pivotscope::distribution::uniform;
  }
  if (misses) {
    outcome<miss_place> parsed = parse_miss_place(*misses);
    if (!parsed) return problem{fmt::format("--misses: {}", parsed.error().words)};
    w.misses = *parsed;
  }
  if (order) {
    outcome<lookup_order> parsed = parse_lookup_order(*order);
    if (!parsed) return problem{fmt::format("--order: {}", parsed.error().words)};
    w.order = *parsed;
  }
  if (popular) {
    outcome<popularity> parsed = parse_popularity(*popular);
    if (!parsed) return problem{fmt::format("--popularity: {}", parsed.error().words)};
    w.popular = *parsed;
  }
  if (exponent) {
    const outcome<double> parsed = parse_number(*exponent, "--exponent", 0, most_exponent);
    if (!parsed) return parsed.error();
    w.exponent = *parsed;
  }
  if (lookups || ranges || successors) w.ranges = w.successors = 0;
  if (status done = count(ranges, "ranges", 1, max_lookups, w.ranges); !done) return done.error();
  if (status done = count(successors, "successors", 1, max_lookups, w.successors); !done) return done.error();
  const bool wants_ranges = w.ranges != 0;
  if (wants_ranges && hits) {
    if (status done = count(hits, "hits", 0, max_keys, w.range_hits); !done) {
      return problem{fmt::format("{}; with ranges, --hits is the number of entries of each", done.error().words)};
    }
  }
  for (const status& done :
       {count(keys, "keys", 0, max_keys, w.keys), count(repeat, "repeat", 1, greatest_key<u32>(), w.repeat),
        count(seed, "seed", 0, greatest_key<u64>(), w.seed), count(lookups, "lookups", 0, max_lookups, w.lookups),
        share(uniformity, "uniformity", w.uniformity), wants_ranges ? fine() : share(hits, "hits", w.hits)}) {
    if (!done) return done.error();
  }
  if (w.ranges != 0 || w.successors != 0) w.lookups = 0;
  if (keys_from && (keys || distribution || uniformity || repeat || line)) {
    return problem{
        "--keys-from brings the keys; --keys, --distribution, --uniformity, --repeat-keys and --workload do not "
        "go with it"};
  }
  if (w.own_keys.given() && (keys || distribution || uniformity || repeat)) {
    return problem{
        "the keys of --workload come from a file or a list; --keys, --distribution, --uniformity and --repeat-keys do "
        "not go with it"};
  }
  if (w.own_batch.given() && (lookups || ranges || successors || hits || misses || order || popular || exponent ||
                              lookups_from || ranges_from || successors_from)) {
    return problem{
        "the lookups of --workload come from a file or a list; --lookups, --ranges, --successors, --hits, --misses, "
        "--order, --popularity, --exponent, --lookups-from, --ranges-from and --successors-from do not go with it"};
  }
  if (auto refused = read_script(w)) return *refused;
  if (auto refused = check(w, key_width::u64)) return problem{*refused};
  if (auto refused = refuse_idle(w)) return *refused;
  workload_parts parts{.load = w, .given = std::move(in_line)};
  // What the line asks for and an option does not is no fault of the line's, and what an option makes count is none.
  for (const std::string& words : drop_idle(parts))
    if (std::find(dropped.begin(), dropped.end(), words) != dropped.end()) complain("--workload: " + words);
  return parts.load;
}

// An option is meant to change something. Without ranges --hits is the share, with them the number of entries.
std::optional<problem> workload_options::refuse_idle(const workload& w) const {
  const std::pair<std::string_view, const std::optional<std::string>&> all[] = {
      {"seed", seed},          {"uniformity", uniformity}, {"repeat", repeat}, {"misses", misses}, {"order", order},
      {"popularity", popular}, {"exponent", exponent},     {"mix", mix},       {"batch", batch},   {"hits", hits}};
  const workload asked = in_full(w);
  for (const field_need& need : field_needs())
    for (const auto& [field, typed] : all)
      if (field == need.field && typed && !need.counts(asked))
        return problem{fmt::format("{} goes with {}: here it has no effect", need.option, need.option_needs)};
  return std::nullopt;
}

std::string workload_options::words(const workload& w) const {
  if (!keys_from && !lookups_from && !ranges_from && !successors_from) return to_line(w);
  std::string text = keys_from ? fmt::format("keys of {}", plain_words(*keys_from)) : to_line(w);
  if (keys_column) text += fmt::format(", column {}", plain_words(*keys_column));
  if (lookups_from) return text + fmt::format(", lookups of {}", plain_words(*lookups_from));
  if (ranges_from) return text + fmt::format(", ranges of {}", plain_words(*ranges_from));
  if (successors_from) return text + fmt::format(", successors of {}", plain_words(*successors_from));
  text += w.ranges != 0 ? fmt::format(", {} ranges of {} entries", count_text(w.ranges), count_text(w.range_hits))
                        : fmt::format(", {} {}", count_text(batch_size(w)), operation_noun(operation_of(w)));
  return text + fmt::format(" drawn from them, seed={} hits={}{}", w.seed, w.hits, drawn_line(w));
}

outcome<key_width> width_not_told(const workload_options& options, const workload& w, const job_control& control) {
  const workload full = options.in_full(w);
  outcome<key_width> width = width_of_own(full, control);
  if (width && *width == key_width::u64) {
    const std::string& file = full.own_keys.file.empty() ? full.own_batch.numbers.file : full.own_keys.file;
    complain(fmt::format("{}: keys of 64 bits, taken as keys=u64", file.empty() ? "--workload" : file));
  }
  return width;
}

outcome<key_array> load_keys(const workload_options& options, const workload& w, key_width width,
                             const job_control& control) {
  if (!options.keys_from) return make_keys(w, width, control);
  return read_own_keys({.file = *options.keys_from, .column = options.keys_column.value_or("")}, width, control);
}

namespace {

// What a run takes of the host's memory at its peak. The CPU sorts beside a copy, then keeps the sorted keys beside an
// index, or, where nobody wants them sorted, a copy of them; a check of misses sorts the keys once more.
u64 host_bytes(u64 keys, u64 lookups, key_width width, machine_kind kind, bool misses, bool sorted) {
  const u64 key = width == key_width::u32 ? sizeof(u32) : sizeof(u64), pair = key + sizeof(u32);
  const u64 batch = lookups * (key + sizeof(u32)) + keys * key;
  const u64 sorted_copy = misses ? keys * key : 0;
  if (kind == machine_kind::cuda) return batch + sorted_copy;
  const u64 index = keys * key * 5 / 2;
  if (!sorted) return batch + keys * key + index + sorted_copy;
  return batch + keys * pair + std::max(keys * pair, index + sorted_copy);
}

// Beside that, what ranges take: their ends, their answers, and the check's sorted copies of the keys.
u64 range_bytes(u64 keys, u64 ranges, key_width width) {
  const u64 key = width == key_width::u32 ? sizeof(u32) : sizeof(u64);
  return ranges * (2 * key + sizeof(range_answer)) + keys * (3 * key + sizeof(u64));
}

// What is asked of keys of a file is drawn from them.
outcome<batch> load_batch(const workload_options& options, const workload& w, const key_array& keys,
                          const job_control& control) {
  const workload full = options.in_full(w);
  if (!options.keys_from || full.own_batch.given() || options.asked(w) == operation::range)
    return make_batch(full, keys, control);
  outcome<key_array> drawn = draw_lookups(keys, w, control);
  if (!drawn) return drawn.error();
  return batch{options.asked(w), std::move(*drawn)};
}

// A file's size is not known yet, and reading it is checked on its own.
u64 batch_to_make(const workload_options& options, const workload& w) {
  return options.lookups_from || options.ranges_from || options.successors_from ? 0 : batch_size(w);
}

}  // namespace

u64 host_bytes_for(const workload_options& options, const workload& w, key_width width, machine_kind kind,
                   bool sorted) {
  if (options.keys_from) return 0;
  if (w.ranges != 0) return host_bytes(w.keys, 0, width, kind, false, sorted) + range_bytes(w.keys, w.ranges, width);
  const u64 batch = batch_to_make(options, w);
  const bool sorts = w.hits < 1 || w.popular == popularity::hot;  // a copy of the keys, to draw lookups
  if (options.asked(w) != operation::successor) return host_bytes(w.keys, batch, width, kind, sorts, sorted);
  // Every answer is checked against the sorted copy, and is longer.
  return host_bytes(w.keys, batch, width, kind, true, sorted) + batch * (sizeof(successor_answer) - sizeof(u32));
}

status check_memory_for(const workload_options& options, const workload& w, key_width width, const machine& on,
                        bool sorted) {
  return check_host_memory(host_bytes_for(options, w, width, on.info().kind, sorted),
                           fmt::format("{} keys and {} {}", count_text(w.keys), count_text(batch_to_make(options, w)),
                                       operation_noun(options.asked(w))));
}

bool wants_sorted_keys(std::span<const typed_config> configs) {
  return std::any_of(configs.begin(), configs.end(), [](const auto& c) { return family_of(c.config).sorted_input(); });
}

outcome<loaded_workload> load_workload(const workload_options& options, const workload& w, key_width width, machine& on,
                                       const job_control& control, bool sorted) {
  if (status enough = check_memory_for(options, w, width, on, sorted); !enough) return enough.error();
  const auto began = std::chrono::steady_clock::now();
  outcome<key_array> keys = load_keys(options, w, width, control);
  if (!keys) return keys.error();
  const auto between = std::chrono::steady_clock::now();
  outcome<batch> asked = load_batch(options, w, *keys, control);
  if (!asked) return asked.error();
  if (!asked->row_sums.empty())
    complain(fmt::format("{}: SOSD's lookups; what it says that the rows of each key sum to is right, of all {}",
                         options.in_full(w).own_batch.numbers.file, asked->size()));
  const auto ended = std::chrono::steady_clock::now();
  outcome<std::shared_ptr<const key_set>> loaded = key_set::load(on, std::move(*keys), control);
  if (!loaded) return loaded.error();
  using milliseconds = std::chrono::duration<double, std::milli>;
  return loaded_workload{std::move(*loaded), std::move(*asked), milliseconds(between - began).count(),
                         milliseconds(ended - between).count()};
}

}  // namespace pivotscope
