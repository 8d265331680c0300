// The options that say which keys and lookups: --workload LINE, its parts one by one, or files of one's own.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/index/config_text.hpp"
#include "core/run/load_workload.hpp"

namespace pivotscope {

class option_list;

// The group of options that name files, also those of answers.
constexpr const char* files_group = "Your own data (text: one unsigned integer a line; or SOSD's or NumPy's format)";

struct workload_options {
  // As typed.
  std::optional<std::string> line = {}, keys = {}, distribution = {}, uniformity = {}, repeat = {}, seed = {},
                             lookups = {}, hits = {}, misses = {}, order = {}, popular = {}, exponent = {}, ranges = {},
                             successors = {}, matches = {}, lower_bounds = {};
  std::optional<std::string> keys_from = {}, keys_column = {}, lookups_from = {}, ranges_from = {},
                             successors_from = {}, matches_from = {}, lower_bounds_from = {};
  std::optional<std::string> inserts = {}, erases = {}, mix = {}, batch = {}, script_from = {};
  bool takes_script = false;

  // Only what a command uses is offered to it.
  void add_to(option_list& to, const workload& standard);       // keys and lookups
  void add_keys_to(option_list& to, const workload& standard);  // keys alone
  void add_size_to(option_list& to, const workload& standard);  // how many keys, and the line
  void add_files_to(option_list& to);                           // --keys-from, --keys-column, --lookups-from
  void add_questions_to(option_list& to);                       // --ranges, --ranges-from, and so for all others

  void add_script_to(option_list& to);  // --inserts, --erases, --mix, --batch, --script

  // The standard workload with what was given; for keys of a file only lookups, seed and hits count. What has no effect
  // is refused as an option, and dropped from the line: standard error says so.
  outcome<workload> read(const workload& standard) const;

  operation asked(const workload& w) const;  // what the batch asks for
  bool has_count() const;                    // is one of --lookups, --ranges, ... given?
  bool has_file() const;                     // is one of --lookups-from, --ranges-from, ... given?

  // With the files' names in it: all that is asked as one workload.
  workload in_full(workload w) const;

  std::string words(const workload& w) const;  // one line for a report: the workload's, or the files' names

  std::string drawing_option() const;  // parts of read()
  std::optional<problem> refuse_two_batches() const;
  std::optional<problem> read_script(workload& w) const;
  std::optional<problem> refuse_idle(const workload& w) const;
};

// As core/run/load_workload.hpp, of the options in full; says on standard error that a file's row sums are right.
outcome<loaded_workload> load_workload(const workload_options& options, const workload& w, key_width width, machine& on,
                                       const job_control& control, bool sorted = true);
bool wants_sorted_keys(std::span<const typed_config> configs);

// The width of keys where no config says it: u64 where the files need it, which is told on standard error.
outcome<key_width> width_not_told(const workload_options& options, const workload& w, const job_control& control);

}  // namespace pivotscope
