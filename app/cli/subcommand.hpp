// One subcommand of the program: its options and what it does.
#pragma once

#include <memory>
#include <vector>

#include "app/cli/options/file_options.hpp"

namespace pivotscope {

class option_list;
struct machine_source;
struct window_entry;

struct command_words {
  const char *name, *sentence, *footer;  // the footer stands below the options in its help
};

class subcommand {
 public:
  virtual ~subcommand() = default;
  virtual command_words words() const = 0;
  virtual void add_options(option_list& to) = 0;
  // The files that it uses without an option that names them.
  virtual std::vector<named_file> unnamed_files() const { return {}; }
  // Called when it was named and its options were read; the program's exit status.
  virtual int run(const machine_source& machines) = 0;
};

// In the order of the help.
std::unique_ptr<subcommand> make_run_command();
std::unique_ptr<subcommand> make_trace_command();
std::unique_ptr<subcommand> make_traffic_command();
std::unique_ptr<subcommand> make_rays_command();
std::unique_ptr<subcommand> make_verify_command();
std::unique_ptr<subcommand> make_interleave_command();
std::unique_ptr<subcommand> make_advise_command();
std::unique_ptr<subcommand> make_tune_command();
std::unique_ptr<subcommand> make_sweep_command();
std::unique_ptr<subcommand> make_floor_command();
std::unique_ptr<subcommand> make_report_command();
std::unique_ptr<subcommand> make_measurements_command();
std::unique_ptr<subcommand> make_picture_command(const window_entry& window);
std::unique_ptr<subcommand> make_devices_command();

}  // namespace pivotscope
