#include "app/cli/options/workload_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/options/option_list.hpp"
#include "app/cli/output.hpp"
#include "core/common/plain_words.hpp"
#include "core/index/family.hpp"
#include "core/workload/field_needs.hpp"
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

// The options of each read operation: how many are drawn, and a file of them.
struct batch_option {
  operation kind;
  std::optional<std::string> workload_options::*count;
  std::optional<std::string> workload_options::*from;
};
constexpr batch_option batch_options_of[] = {
    {operation::find, &workload_options::lookups, &workload_options::lookups_from},
    {operation::range, &workload_options::ranges, &workload_options::ranges_from},
    {operation::successor, &workload_options::successors, &workload_options::successors_from},
    {operation::matches, &workload_options::matches, &workload_options::matches_from},
    {operation::lower_bound, &workload_options::lower_bounds, &workload_options::lower_bounds_from}};
static_assert(std::size(batch_options_of) == std::size(batch_counts));

std::string option_of(operation kind) { return "--" + option_name(info_of(kind).field); }

std::string count_help(operation kind) {
  if (kind == operation::range)
    return "look up so many ranges in place of --lookups; --hits is then the number of entries that each has (default "
           "64), and a share of empty ones goes into the --workload line";
  return fmt::format("so many {} in place of --lookups: {}; the keys are drawn as lookups are", operation_noun(kind),
                     info_of(kind).answer);
}
std::string file_help(operation kind) {
  if (kind == operation::range)
    return "ranges to look up: text, a low and a high end a line, both inclusive, with blanks or a comma between them; "
           "without it, --ranges are drawn from the keys";
  return fmt::format("keys whose {} are wanted; without it, {} are drawn from the keys", operation_noun(kind),
                     option_of(kind));
}

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
  to.text("--exponent", exponent, {"0..5", group},
          "zipf, of lookups or of keys: how uneven it is; 0 is not at all (default 1)");
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

void workload_options::add_questions_to(option_list& to) {
  for (const batch_option& one : batch_options_of) {
    if (one.kind == operation::find) continue;
    const std::string option = option_of(one.kind);
    to.text(option.c_str(), this->*one.count, {"N", group}, count_help(one.kind));
    to.text((option + "-from").c_str(), this->*one.from, {"FILE", files_group}, file_help(one.kind));
  }
}

void workload_options::add_script_to(option_list& to) {
  takes_script = true;
  constexpr const char* scripts = "What changes the index (docs/updates.md)";
  to.text(
      "--script", script_from, {"FILE", scripts},
      fmt::format("operations, one a line: {}; lines of one kind are a batch, and so are those between the lines begin "
                  "and end. Nothing else is asked without --lookups or another count",
                  listed_verbs()));
  to.text("--inserts", inserts, {"N", scripts}, "inserts, of keys that the set would have next; before the lookups");
  to.text("--erases", erases, {"N", scripts}, "erases of random rows; behind the inserts");
  to.text("--mix", mix, {"0..1", scripts}, "inserts and erases among finds, of which they are this share");
  to.text("--batch", batch, {"N", scripts}, "operations of a batch of writes (default: 2^20 of a mixed one, else all)");
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
    const bool asked = has_count() || has_file() || w.own_batch.given();
    if (!asked) set_batch_size(w, operation::find, 0);
  }
  if (has_script(w) && !takes_script)
    return problem{"inserts, erases and scripts go with `pivotscope run`; leave them out of --workload"};
  return std::nullopt;
}

workload workload_options::in_full(workload w) const {
  if (keys_from) w = with_keys(w, {.file = *keys_from, .column = keys_column.value_or("")});
  for (const batch_option& one : batch_options_of)
    if (const auto& file = this->*one.from) w = with_batch(w, {.numbers = {.file = *file}, .kind = one.kind});
  return w;
}

void workload_options::add_files_to(option_list& to) {
  to.text("--keys-from", keys_from, {"FILE", files_group}, "keys; a key's row id is its position in the file, from 0");
  to.text("--keys-column", keys_column, {"NAME", files_group},
          "--keys-from is a CSV file: the column's name, or its number from 1");
  to.text("--lookups-from", lookups_from, {"FILE", files_group},
          "keys to look up; without it, --lookups are drawn from the keys");
}

bool workload_options::has_count() const {
  return std::any_of(std::begin(batch_options_of), std::end(batch_options_of),
                     [&](const batch_option& one) { return (this->*one.count).has_value(); });
}
bool workload_options::has_file() const {
  return std::any_of(std::begin(batch_options_of), std::end(batch_options_of),
                     [&](const batch_option& one) { return (this->*one.from).has_value(); });
}

// The first option that was given of those that draw a batch, or say how; empty: none was.
std::string workload_options::drawing_option() const {
  for (const batch_option& one : batch_options_of)
    if (this->*one.count) return option_of(one.kind);
  const std::pair<const std::optional<std::string>&, const char*> how[] = {
      {hits, "--hits"}, {misses, "--misses"}, {order, "--order"}, {popular, "--popularity"}, {exponent, "--exponent"}};
  for (const auto& [text, option] : how)
    if (text) return option;
  return "";
}

// A run has one batch, from one place.
std::optional<problem> workload_options::refuse_two_batches() const {
  const batch_option *counted = nullptr, *from = nullptr;
  for (const batch_option& one : batch_options_of) {
    constexpr std::string_view alone = "a run asks one thing; leave one of them out";
    if ((this->*one.count) && counted)
      return problem{
          fmt::format("{} and {} do not go together: {}", option_of(counted->kind), option_of(one.kind), alone)};
    if ((this->*one.from) && from)
      return problem{
          fmt::format("{}-from and {}-from do not go together: {}", option_of(from->kind), option_of(one.kind), alone)};
    if (this->*one.count) counted = &one;
    if (this->*one.from) from = &one;
  }
  if (!from) return std::nullopt;
  const std::string drawing = drawing_option();
  if (drawing.empty()) return std::nullopt;
  return problem{fmt::format("{}-from brings the {}, so that none are drawn: leave {} out", option_of(from->kind),
                             operation_noun(from->kind), drawing)};
}

operation workload_options::asked(const workload& w) const {
  for (const batch_option& one : batch_options_of)
    if (this->*one.from) return one.kind;
  return operation_of(w);
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
  for (const batch_count& one : batch_counts)
    if (has_count() && one.kind != operation::find) w.*one.count = 0;
  for (std::size_t i = 0; i < std::size(batch_options_of); ++i) {
    const batch_option& one = batch_options_of[i];
    if (one.kind == operation::find) continue;
    u64& number = w.*batch_counts[i].count;
    if (status done = count(this->*one.count, option_of(one.kind).substr(2), 1, max_lookups, number); !done)
      return done.error();
  }
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
  if (operation_of(w) != operation::find) w.lookups = 0;
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
  if (w.own_batch.given()) {
    if (const std::string drawing = drawing_option(); !drawing.empty() || has_file())
      return problem{fmt::format("the {} of --workload come from a file or a list: leave {} out",
                                 operation_noun(w.own_batch.kind), drawing.empty() ? "the other file" : drawing)};
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
  if (!keys_from && !has_file()) return to_line(w);
  std::string text = keys_from ? fmt::format("keys of {}", plain_words(*keys_from)) : to_line(w);
  if (keys_column) text += fmt::format(", column {}", plain_words(*keys_column));
  for (const batch_option& one : batch_options_of)
    if (const auto& file = this->*one.from)
      return text + fmt::format(", {} of {}", operation_noun(one.kind), plain_words(*file));
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

bool wants_sorted_keys(std::span<const typed_config> configs) {
  return std::any_of(configs.begin(), configs.end(), [](const auto& c) { return family_of(c.config).sorted_input(); });
}

outcome<loaded_workload> load_workload(const workload_options& options, const workload& w, key_width width, machine& on,
                                       const job_control& control, bool sorted) {
  const workload full = options.in_full(w);
  outcome<loaded_workload> loaded = load_workload(full, width, on, control, sorted);
  if (loaded && !loaded->asked.row_sums.empty())
    complain(fmt::format("{}: SOSD's lookups; what it says that the rows of each key sum to is right, of all {}",
                         full.own_batch.numbers.file, loaded->asked.size()));
  return loaded;
}

}  // namespace pivotscope
