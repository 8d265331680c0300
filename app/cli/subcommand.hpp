// One subcommand of the program: its options and what it does.
#pragma once

#include <memory>
#include <vector>

namespace CLI {
class App;
}

namespace pivotscope {

struct machine_source;

class subcommand {
 public:
  virtual ~subcommand() = default;
  virtual CLI::App* add_to(CLI::App& program) = 0;
  // Called when it was named and its options were read; the program's exit status.
  virtual int run(const machine_source& machines) = 0;
};

// In the order of the help.
std::unique_ptr<subcommand> make_run_command();
std::unique_ptr<subcommand> make_trace_command();
std::unique_ptr<subcommand> make_traffic_command();
std::unique_ptr<subcommand> make_verify_command();
std::unique_ptr<subcommand> make_advise_command();
std::unique_ptr<subcommand> make_tune_command();
std::unique_ptr<subcommand> make_devices_command();

}  // namespace pivotscope
