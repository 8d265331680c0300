// Workloads: key sets and lookups, by formula from a seed, so that the same line gives the same bytes on every machine.
//
// Key i of a set is a bijection of i (a seeded mix of the key's own width, restricted to a subset by cycle walking):
// unique without a table, any i on its own, in parallel. What the bijection sends from beyond n is a miss for certain.
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
  duplicates,  // each key drawn from n / `repeat` values: a value occurs `repeat` times on average
  ends,        // the least and the greatest values of the width, each `repeat` times, shuffled: 0, max, 1, max - 1, ...
  narrow,      // each drawn from one range of 2^20 values, wherever that lies
  gaps,        // each drawn so that its logarithm is even over the width: gaps that grow with the key
  clusters,    // each drawn from one of 1,000 runs of 2 n / 1,000 values, wherever these lie
  nested,      // each drawn from one of n / 384 stretches, so that the logarithm of its place there is even
  crowds,      // each drawn from one of up to 24 crowds of neighbours or of one key, at hard places (crowds.hpp)
  span,        // each drawn from one range of values, of any width and at any place (one_span.hpp); its ends are keys
  half,        // half of them are one key, the others unique and uniform; shuffled
  paper,       // the 14 keys of the papers' worked examples; n is 14
};

// Lookups, or range lookups, in a batch at most.
inline constexpr u64 max_lookups = 1ull << 32;

// Numbers of one's own, in place of generated ones: those of a file, or a few that stand in the workload's line.
struct own_numbers {
  std::string file = {};       // its path; key_file.hpp says what it may hold
  std::string column = {};     // of a CSV file: the column's name, or its number from 1; empty: not a CSV file
  std::vector<u64> list = {};  // without a file: at most max_listed
  bool given() const { return !file.empty() || !list.empty(); }
  bool operator==(const own_numbers&) const = default;
};
inline constexpr std::size_t max_listed = 64;

// Lookups of one's own, keys whose successors are wanted, or ranges: a file of ranges (range_file.hpp), or low ends in
// `numbers.list` and as many high ones.
struct own_lookups {
  own_numbers numbers = {};
  operation kind = operation::find;
  std::vector<u64> highs = {};  // ranges only
  bool given() const { return numbers.given(); }
  bool operator==(const own_lookups&) const = default;
};

// A script of one's own (script.hpp): a file (script_text.hpp), or a few operations as one word (script_list.hpp).
struct own_operations {
  std::string file = {};
  std::string list = {};
  bool given() const { return !file.empty() || !list.empty(); }
  bool operator==(const own_operations&) const = default;
};

// Where a miss lies: at any value that is no key, at one between the least and the greatest key, or beyond them.
enum class miss_place : u8 { anywhere, inside, outside };
// In which order lookups, ranges by their low ends, or successors are asked for.
enum class lookup_order : u8 { random, sorted, nearly };
// How often each row is the one whose key a hit is of: all alike, by Zipf's law, or most hits in one run of sorted keys.
enum class popularity : u8 { uniform, zipf, hot };
inline constexpr double most_exponent = 5;

struct workload {
  u64 keys = 14;
  distribution dist = distribution::paper;
  double uniformity = 0.5;  // mix only, 0 to 1
  u32 repeat = 4;           // duplicates and ends only, at least 1
  u64 seed = 1;
  u64 lookups = 64;
  double hits = 1.0;    // chance of a lookup to be of a random row's key; else it is a miss for certain
  u64 ranges = 0;       // range lookups, in place of point lookups; 0: point lookups
  u64 range_hits = 64;  // entries of a range; `hits` is the chance of a range to have them, else it is empty
  u64 successors = 0;   // keys whose successors are wanted, in place of lookups and drawn like them; 0: none
  miss_place misses = miss_place::anywhere;
  lookup_order order = lookup_order::random;
  double displaced = 0.1;  // nearly only: the share of places whose lookups are not where sorting puts them, 0 to 1
  u64 distance = 1024;     // nearly only: they stay within runs of so many places, at least 2
  popularity popular = popularity::uniform;
  double exponent = 1;     // zipf only: the r-th most popular row is asked for in proportion to 1 / r^exponent, 0 to 5
  double hot_keys = 0.01;  // hot only: the share of the keys, neighbours in sorted order, that are hot, 0 to 1
  double hot_lookups = 0.9;  // hot only: the share of hits that are of these, 0 to 1
  // Where they are given, `keys`, and `lookups`, `ranges` or `successors`, are how many there are; of a file 0, until it has been read.
  own_numbers own_keys = {};
  own_lookups own_batch = {};
  // What is written over the keys before the lookups, ranges or successors are: made by the recipe, or one's own.
  script_recipe recipe = {};
  own_operations own_script = {};
  bool operator==(const workload&) const = default;
};

// What a batch of it asks for.
inline operation operation_of(const workload& w) {
  if (w.own_batch.given()) return w.own_batch.kind;
  return w.ranges != 0 ? operation::range : w.successors != 0 ? operation::successor : operation::find;
}
// How many of them: its ranges or successors where it has some, else its lookups.
inline u64 batch_size(const workload& w) {
  return w.ranges != 0 ? w.ranges : w.successors != 0 ? w.successors : w.lookups;
}
// Makes it a batch of so many.
inline void set_batch_size(workload& w, operation kind, u64 count) {
  w.lookups = kind == operation::find ? count : 0;
  w.ranges = kind == operation::range ? count : 0;
  w.successors = kind == operation::successor ? count : 0;
}
// Whether anything is asked before its lookups, ranges or successors are.
inline bool has_script(const workload& w) {
  return w.own_script.given() || w.recipe.inserts != 0 || w.recipe.erases != 0;
}
// Whether lookup i is a formula of i, whatever the others are: a view may make a few of them again. Else it takes the
// keys, or all lookups.
bool each_by_formula(const workload& w);
// Whether all of it stands in its line: what a file holds may be something else tomorrow.
inline bool is_whole_line(const workload& w) {
  return w.own_keys.file.empty() && w.own_batch.numbers.file.empty() && w.own_script.file.empty();
}

std::optional<std::string> check(const workload& w, key_width width);
// "keys=2^26 distribution=uniform seed=1 lookups=2^27 hits=1", and " ranges=2^16 range_hits=64" where
// there are ranges, " successors=2^16" where there are successors, " misses=inside", " order=sorted", " order=nearly displaced=0.1 distance=2^10",
// " popularity=zipf exponent=1" and " popularity=hot hot_keys=0.01 hot_lookups=0.9" where they are not the usual ones. A line without a distribution means the papers' keys
// when it gives no number of keys either, else uniform ones.
// In place of keys: keys_from=FILE, with keys_column=NAME, or key_list=1,5,9. In place of lookups: lookups_from=FILE,
// with lookups_column=NAME, lookup_list=7,9, ranges_from=FILE, range_list=7..20,9..9, successors_from=FILE, with
// lookups_column=NAME, or successor_list=7,9. In a file's name and a column's
// %20 is a blank and %25 a percent sign. With a script, " inserts=2^20 erases=64 mix=0.2" behind that, or
// script_from=FILE, or script=+5,+7/-5; with a script of one's own no lookups are meant where the line gives none.
std::string to_line(const workload& w);
// The part of it from misses on: what is not as usual about how the batch is drawn, with a blank before each word.
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

// "2^20", "1048576", "64Ki", "1e6": a count. The problem's words name `what`.
outcome<u64> parse_count(std::string_view text, std::string_view what, u64 least, u64 greatest);
outcome<double> parse_share(std::string_view text, std::string_view what);  // "0.25": a number from 0 to 1
outcome<double> parse_number(std::string_view text, std::string_view what, double least, double greatest);
std::string count_text(u64 n);  // "2^20" for powers of two from 2^10 on, else decimal digits

// Keys of either width. Index i is a row id for a key set, a lookup's number for lookups.
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

// In parallel; problem: what check() refuses, or not enough memory; of one's own, what read_own_numbers() says. Without
// keys every lookup is a miss.
outcome<key_array> make_keys(const workload& w, key_width width, const job_control& control = {});
// Of successors: the keys that they are asked of.
outcome<key_array> make_lookups(const workload& w, key_width width, const job_control& control = {});

// Lookups over keys at hand: of w it reads lookups, hits, misses, order, popularity and seed. Misses are uniform over all values of
// the width that are not in `keys`, or those of them that w.misses names; to know them takes a sorted copy, which is made
// when hits < 1. Problem also: there is no such value.
outcome<key_array> draw_lookups(const key_array& keys, const workload& w, const job_control& control = {});

}  // namespace pivotscope
