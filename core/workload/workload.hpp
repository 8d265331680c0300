// workload: key sets and lookups, made by formula from a seed, so that the same line gives the
// same bytes on every machine.
//
// Key i of a set is a bijection of i: a seeded mix in the key's own width, restricted to a subset by cycle walking. So
// keys are unique without a table, and each can be made alone and in parallel. Numbers from n on give keys that are not
// in the set: certain misses.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/common/job_control.hpp"
#include "core/common/outcome.hpp"
#include "core/config/index_config.hpp"
#include "core/workload/operation_table.hpp"
#include "core/workload/script_recipe.hpp"

namespace pivotscope {

enum class distribution : u8 {
  uniform,  // n unique keys, uniform over all values of the width, in random order
  dense,    // 0 to n - 1, shuffled
  mix,  // cgRX's uniformity mix: a dense prefix and a uniform rest, unique, shuffled; `uniformity` is the rest's share
  duplicates,  // each key is drawn from n / `repeat` values, so a value occurs `repeat` times on average
  ends,        // the least and the greatest values of the width, each `repeat` times, shuffled: 0, max, 1, max - 1, ...
  narrow,      // each key is drawn from one range of 2^20 values at a random place
  gaps,        // each key is drawn so that its logarithm is uniform over the width: gaps grow with the key
  clusters,    // each key is drawn from one of 1,000 runs of 2 n / 1,000 values at random places
  nested,      // each key is drawn from one of n / 384 stretches, with the logarithm of its place in it uniform
  crowds,  // each key is drawn from one of up to 24 crowds, of neighbours or of one key, at hard places (crowds.hpp)
  span,   // each key is drawn from one range of values, of any width and at any place (one_span.hpp); its ends are keys
  half,   // half of the keys are one key, the others unique and uniform; shuffled
  paper,  // the 14 keys of the papers' worked examples; n is 14
  zipf,  // each key is drawn from n values, the r-th of them in proportion to 1 / r^exponent: few values have most rows
};

// The greatest number of lookups, or of range lookups, in a batch.
inline constexpr u64 max_lookups = 1ull << 32;

// The user's own numbers, in place of generated ones: from a file, or a few that stand in the workload's line.
struct own_numbers {
  std::string file = {};       // its path; key_file.hpp says what it may hold
  std::string column = {};     // of a CSV file: name of the column, or its number from 1; empty: not a CSV file
  std::vector<u64> list = {};  // if there is no file: at most max_listed
  bool given() const { return !file.empty() || !list.empty(); }
  bool operator==(const own_numbers&) const = default;
};
inline constexpr std::size_t max_listed = 64;

// The user's own lookups, successor lookups or ranges. Ranges come from a file of ranges (range_file.hpp), or as low
// ends in `numbers.list` with as many high ends.
struct own_lookups {
  own_numbers numbers = {};
  operation kind = operation::find;
  std::vector<u64> highs = {};  // ranges only
  bool given() const { return numbers.given(); }
  bool operator==(const own_lookups&) const = default;
};

// The user's own script (script.hpp): a file (script_text.hpp), or a few operations as one word (script_list.hpp).
struct own_operations {
  std::string file = {};
  std::string list = {};
  bool given() const { return !file.empty() || !list.empty(); }
  bool operator==(const own_operations&) const = default;
};

// Where a miss lies: at any value that is no key, at one between the least and the greatest key, or beyond them.
enum class miss_place : u8 { anywhere, inside, outside };
// The order of the lookups, of the ranges by their low ends, or of the successor lookups.
enum class lookup_order : u8 { random, sorted, nearly };
// How often each row's key is looked up: all equally, by Zipf's law, or most of them in one run of the sorted keys.
enum class popularity : u8 { uniform, zipf, hot };
inline constexpr double most_exponent = 5;

struct workload {
  u64 keys = 14;
  distribution dist = distribution::paper;
  double uniformity = 0.5;  // mix only, 0 to 1
  u32 repeat = 4;           // duplicates and ends only, at least 1
  u64 seed = 1;
  u64 lookups = 64;
  double hits = 1.0;    // chance that a lookup is for the key of a random row; otherwise it is a certain miss
  u64 ranges = 0;       // number of range lookups, in place of point lookups; 0: point lookups
  u64 range_hits = 64;  // entries of a range; `hits` is the chance that a range has them, otherwise it is empty
  // Number of successor lookups, of matches or of lower bounds, in place of point lookups and drawn like them; 0: none.
  u64 successors = 0, matches = 0, lower_bounds = 0;
  miss_place misses = miss_place::anywhere;
  lookup_order order = lookup_order::random;
  double displaced = 0.1;  // nearly only: share of places whose lookups are not where sorting puts them, 0 to 1
  u64 distance = 1024;     // nearly only: these lookups stay within runs of so many places, at least 2
  popularity popular = popularity::uniform;
  // Zipf's law only, of rows or of the keys' distribution: the r-th most popular row is looked up, or the r-th value drawn,
  // in proportion to 1 / r^exponent, 0 to 5.
  double exponent = 1;
  double hot_keys = 0.01;    // hot only: share of the keys that are hot, neighbours in sorted order, 0 to 1
  double hot_lookups = 0.9;  // hot only: share of the hits that go to hot keys, 0 to 1
  // If these are given, `keys`, and `lookups`, `ranges` or `successors`, say how many numbers there are; of a file,
  // 0 until it has been read.
  own_numbers own_keys = {};
  own_lookups own_batch = {};
  // What is done to the keys before the lookups, ranges or successor lookups: a script that the recipe
  // makes, or the user's own.
  script_recipe recipe = {};
  own_operations own_script = {};
  bool operator==(const workload&) const = default;
};

// The number of each read operation in a batch. All but one are 0; all are 0 in a batch of none, which is of lookups.
struct batch_count {
  operation kind;
  u64 workload::*count;
};
inline constexpr batch_count batch_counts[] = {{operation::find, &workload::lookups},
                                               {operation::range, &workload::ranges},
                                               {operation::successor, &workload::successors},
                                               {operation::matches, &workload::matches},
                                               {operation::lower_bound, &workload::lower_bounds}};
// Returns what a batch of the workload asks for.
inline operation operation_of(const workload& w) {
  if (w.own_batch.given()) return w.own_batch.kind;
  for (const batch_count& one : batch_counts)
    if (one.kind != operation::find && w.*one.count != 0) return one.kind;
  return operation::find;
}
// Returns the size of its batch.
inline u64 batch_size(const workload& w) {
  for (const batch_count& one : batch_counts)
    if (one.kind != operation::find && w.*one.count != 0) return w.*one.count;
  return w.lookups;
}
// Sets the kind and the size of its batch.
inline void set_batch_size(workload& w, operation kind, u64 count) {
  for (const batch_count& one : batch_counts) w.*one.count = one.kind == kind ? count : 0;
}
// Returns true if a script runs before the lookups, ranges or successor lookups.
inline bool has_script(const workload& w) {
  return w.own_script.given() || w.recipe.inserts != 0 || w.recipe.erases != 0;
}
// Returns true if lookup i is a formula of i alone, so that a view can make a few lookups again. Otherwise it depends
// on the keys, or on all lookups.
bool each_by_formula(const workload& w);
// Returns true if the workload's line is all of it. The content of a file can change.
inline bool is_whole_line(const workload& w) {
  return w.own_keys.file.empty() && w.own_batch.numbers.file.empty() && w.own_script.file.empty();
}

// Returns why the workload is refused, in a sentence; nothing if it is accepted.
std::optional<std::string> check(const workload& w, key_width width);
// Returns the workload's line: "keys=2^26 distribution=uniform seed=1 lookups=2^27 hits=1", and those of the
// following parts that are not as usual:
//
//   ranges=2^16 range_hits=64, successors=2^16            in place of lookups
//   misses=inside; order=sorted; order=nearly displaced=0.1 distance=2^10
//   popularity=zipf exponent=1; popularity=hot hot_keys=0.01 hot_lookups=0.9
//   keys_from=FILE keys_column=NAME; key_list=1,5,9       in place of keys
//   lookups_from=FILE lookups_column=NAME; lookup_list=7,9; ranges_from=FILE; range_list=7..20,9..9;
//   successors_from=FILE lookups_column=NAME; successor_list=7,9        in place of lookups
//   inserts=2^20 erases=64 mix=0.2; script_from=FILE; script=+5,+7/-5   a script
//
// In the names of files and columns %20 is a blank and %25 a percent sign. A line without a distribution means the
// papers' keys if it gives no number of keys either, otherwise uniform ones. With the user's own script and no lookups
// in the line, there are none.
std::string to_line(const workload& w);
// Returns the part of the line from `misses` on: what is not as usual in how the batch is drawn, with
// a blank before each word.
std::string drawn_line(const workload& w);
outcome<workload> workload_from_line(std::string_view line);
std::span<const std::string> distribution_names();
std::string_view distribution_name(distribution d);
outcome<distribution> parse_distribution(std::string_view name);
std::string_view distribution_sentence(distribution d);
std::span<const std::string> miss_place_names();
std::string_view miss_place_sentence(miss_place where);
outcome<miss_place> parse_miss_place(std::string_view name);
std::span<const std::string> lookup_order_names();
std::string_view lookup_order_sentence(lookup_order order);
outcome<lookup_order> parse_lookup_order(std::string_view name);
std::span<const std::string> popularity_names();
std::string_view popularity_sentence(popularity popular);
outcome<popularity> parse_popularity(std::string_view name);

// Reads a count: "2^20", "1048576", "64Ki", "1e6". The problem's words name `what`.
outcome<u64> parse_count(std::string_view text, std::string_view what, u64 least, u64 greatest);
outcome<double> parse_share(std::string_view text, std::string_view what);  // "0.25": a number from 0 to 1
outcome<double> parse_number(std::string_view text, std::string_view what, double least, double greatest);
std::string count_text(u64 n);  // "2^20" for powers of two from 2^10 on, else decimal digits

// Keys of either width. Index i is a row id in a key set, and the number of a lookup in a batch.
class key_array {
 public:
  key_array() = default;
  explicit key_array(std::vector<u32> v) : data_(std::move(v)) {}
  explicit key_array(std::vector<u64> v) : data_(std::move(v)) {}
  key_array(key_width width, u64 n);  // zeros

  key_width width() const { return data_.index() == 0 ? key_width::u32 : key_width::u64; }
  u64 size() const;
  u64 operator[](u64 i) const;  // widened
  const void* data() const;
  template <class Key>
  std::span<const Key> as() const {
    return std::get<std::vector<Key>>(data_);
  }
  template <class Key>
  std::span<Key> as() {
    return std::get<std::vector<Key>>(data_);
  }
  template <class F>
  decltype(auto) visit(F&& f) const {
    return std::visit(std::forward<F>(f), data_);
  }
  template <class F>
  decltype(auto) visit(F&& f) {
    return std::visit(std::forward<F>(f), data_);
  }

 private:
  std::variant<std::vector<u32>, std::vector<u64>> data_;
};

// Makes the keys, in parallel. Problem: what check() refuses, not enough memory, or for the user's own keys
// what read_own_numbers() says.
outcome<key_array> make_keys(const workload& w, key_width width, const job_control& control = {});
// Makes the lookups, or the keys of successor lookups. Without keys every lookup is a miss.
outcome<key_array> make_lookups(const workload& w, key_width width, const job_control& control = {});

// Draws lookups over given keys. Of w it reads lookups, hits, misses, order, popularity and seed. Misses are uniform
// over all values of the width that are not in `keys`, or over those that w.misses names. To know them it makes a
// sorted copy of the keys if hits < 1. Problem also: there is no such value.
outcome<key_array> draw_lookups(const key_array& keys, const workload& w, const job_control& control = {});

}  // namespace pivotscope
