#include "app/cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <sstream>

#include "app/cli/exit_code.hpp"
#include "app/cli/headless.hpp"
#include "app/cli/options/file_options.hpp"
#include "app/cli/options/option_list.hpp"
#include "app/cli/options/option_needs.hpp"
#include "app/cli/options/start_options.hpp"
#include "app/cli/output.hpp"
#include "app/cli/subcommand.hpp"
#include "core/common/shell_word.hpp"
#include "core/index/axes.hpp"
#include "core/machine/kernel_cache.hpp"
#include "core/workload/files/nearest_word.hpp"

namespace pivotscope {
namespace {

constexpr const char* description = R"(pivotscope: a workbench for index structures on GPUs.
Builds the lightweight indexes of the papers, runs them on a CUDA GPU or the CPU, shows how they lie in
memory, walks lookups through them step by step, and checks every answer. Without a command: the window.
)";

constexpr const char* examples = R"(Examples:
  pivotscope                                        the window, as it was left
  pivotscope run --config "EO+KS fanout=9" --keys 2^24
  pivotscope trace --config "AO+PB+BS" --lookup 7   a lookup in the papers' example
  pivotscope traffic --keys 2^24                    what lookups move
  pivotscope rays --config CGRX                     the rays of lookups, traced in several ways
  pivotscope verify --cases 1000
  pivotscope advise --keys 2^28 --ascending         which index, and why
  pivotscope tune --keys 2^24                       which index, by measuring
  pivotscope sweep packed --scale 12                a named set of measurements, beside what is wanted
  pivotscope floor                                  what the device's memory gives at most
  pivotscope report results                         a page of what was measured
  pivotscope picture --panel tree --out tree.svg    a panel, for a paper
  pivotscope COMMAND --help                         all options of a command

A config is one line: a method ({}), then what differs
from its defaults, such as fanout=9 lanes=2 keys=u64 layout=soa. Counts may be written 1000000, 2^20, 64Ki or 1e6.
Exit status: 0 all right, 1 a wrong answer, 2 bad input, 130 ended by ctrl-C.)";

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

// Words for an argument that fits nothing.
std::string unexpected_words(const CLI::App& program, const std::string& word) {
  const std::vector<CLI::App*> chosen = program.get_subcommands();
  const CLI::App& app = chosen.empty() ? program : *chosen.back();
  const std::string help = chosen.empty() ? "pivotscope --help" : fmt::format("pivotscope {} --help", app.get_name());
  if (word.starts_with('-')) {
    const std::string name = word.substr(0, word.find('='));
    const std::string nearest = nearest_word(name, option_names(app));
    // A knob of the index is no option of its own.
    const std::string knob = name.substr(std::min(name.find_first_not_of('-'), name.size()));
    const bool of_config = find_axis(knob) != nullptr && app.get_option_no_throw("--config") != nullptr;
    const std::string hint = of_config ? fmt::format("; it stands in the config: --config \"METHOD {}=...\"", knob)
                             : nearest.empty() ? "; see " + help
                                               : fmt::format("; did you mean '{}'?", nearest);
    return fmt::format("unknown option '{}'{}{}", name, chosen.empty() ? "" : " of " + app.get_name(), hint);
  }
  if (chosen.empty()) return fmt::format("unknown command '{}'{}", word, suggestion(word, command_names(program)));
  if (word.find('=') != word.npos) {
    return fmt::format("unexpected '{}'; a config is one argument, in quotes: --config {}", word,
                       shell_word("EO+KS " + word));
  }
  return fmt::format("unexpected '{}'; see {}", word, help);
}

// Words for the first of the window's options that stands before a command: nothing would be made of it there.
std::optional<std::string> misplaced_words(const CLI::App& program, const CLI::App& command) {
  for (const CLI::Option* option : program.get_options()) {
    if (option->count() == 0) continue;
    const std::string name = option->get_name(), &chosen = command.get_name();
    const std::vector<std::string> names = option_names(command);
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      return fmt::format("{} stands before the command '{}', which has no such option; leave one of the two out", name,
                         chosen);
    }
    const std::string& value = option->results().front();
    return fmt::format("{0} stands before the command '{1}'; put it behind: pivotscope {1} {0} {2}", name, chosen,
                       shell_word(value));
  }
  return std::nullopt;
}

// The files that a command was told to use, and the folder that it caches in untold. `app`: the command's options.
std::vector<named_file> files_named(std::string_view command, const CLI::App& app) {
  std::vector<named_file> files;
  for (const file_option& one : file_options()) {
    if (one.command != command) continue;
    const CLI::Option* option = app.get_option(std::string(one.option));
    if (one.use == file_use::caches_in && option->count() == 0)
      files.push_back({"the cache folder", choose_cache_folder("").path.string(), one.use});
    const bool kept = one.use == file_use::goes_on_in && app.get_option("--kept")->count() > 0;
    for (const std::string& path : option->results())
      files.push_back({std::string(one.option), path, kept ? file_use::reads_sweep : one.use});
  }
  return files;
}

given_value values_given(const CLI::App& app) {
  return [&app](std::string_view name) -> std::optional<std::string> {
    const CLI::Option* option = app.get_option(std::string(name));
    if (option->count() == 0) return std::nullopt;
    return option->results().empty() ? "" : option->results().front();
  };
}

class program {
 public:
  program(const window_entry& window, const machine_source& machines) : window_(window), machines_(machines) {
    app_.get_formatter()->label("SUBCOMMAND", "COMMAND");
    app_.get_formatter()->label("Subcommands", "Commands");
    app_.set_version_flag("--version", "pivotscope " PIVOTSCOPE_VERSION, "print the version");
    app_.set_help_flag("-h,--help", "print this help");
    app_.footer("");
    app_.require_subcommand(0, 1);
    add_window_options();
    commands_.push_back(make_run_command());
    commands_.push_back(make_trace_command());
    commands_.push_back(make_traffic_command());
    commands_.push_back(make_rays_command());
    commands_.push_back(make_verify_command());
    commands_.push_back(make_interleave_command());
    commands_.push_back(make_advise_command());
    commands_.push_back(make_tune_command());
    commands_.push_back(make_sweep_command());
    commands_.push_back(make_floor_command());
    commands_.push_back(make_report_command());
    commands_.push_back(make_measurements_command());
    commands_.push_back(make_picture_command(window_));
    commands_.push_back(make_devices_command());
    for (const auto& command : commands_) {
      const command_words words = command->words();
      apps_.push_back(app_.add_subcommand(words.name, words.sentence));
      option_list options(*apps_.back());
      command->add_options(options);
      apps_.back()->footer(words.footer);
    }
    app_.footer(fmt::format(examples, fmt::join(method_names(), ", ")));
  }

  int run(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return explain(error);
    }
    for (std::size_t i = 0; i < commands_.size(); ++i) {
      if (!apps_[i]->parsed()) continue;
      if (const auto refused = misplaced_words(app_, *apps_[i])) return complain(*refused);
      const std::string& command = apps_[i]->get_name();
      std::vector<named_file> files = files_named(command, *apps_[i]);
      for (named_file& one : commands_[i]->unnamed_files()) files.push_back(std::move(one));
      if (const auto refused = refuse_overwriting(files)) return complain(*refused);
      if (const auto refused = refuse_without_effect(command, values_given(*apps_[i]))) return complain(*refused);
      return commands_[i]->run(machines_);
    }
    if (const auto refused = refuse_without_effect("", values_given(app_))) return complain(*refused);
    const outcome<window_start> start = shown_.read(machines_);
    if (!start) return complain(start.error());
    if (!headless_) return window_.open(*start);
    std::vector<named_file> files = files_named("", app_);
    const std::filesystem::path screenshot = screenshot_ ? std::filesystem::path(*screenshot_) : standard_screenshot();
    if (!screenshot_) files.push_back({"the screenshot", screenshot.string(), file_use::writes});
    if (const auto refused = refuse_overwriting(files)) return complain(*refused);
    return run_headless({shown_.machine, screenshot, *start}, window_, machines_);
  }

 private:
  void add_window_options() {
    option_list options(app_);
    options.flag("--headless", headless_,
                 "no window: build every index on the best machine, check, print the times, draw a screenshot");
    options.text("--screenshot", screenshot_, {"FILE"}, "with --headless: where to");
    shown_.add_to(options, "The window starts with");
  }

  // Help and version are "errors" to CLI11 too.
  int explain(const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
      std::ostringstream out;
      app_.exit(error, out, out);
      print(out.str());
      return finish_output(exit_right);
    }
    for (const CLI::App* chosen : app_.get_subcommands()) {
      if (const auto refused = misplaced_words(app_, *chosen)) return complain(*refused);
    }
    // What a slip leaves over may be the option that is missed.
    const std::vector<std::string> left = app_.remaining(true);
    const bool missed = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
    if ((missed || dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) && !left.empty()) {
      return complain(unexpected_words(app_, left.front()));
    }
    // CLI11's "--keys: 1 required N missing" and "--keys: At Most 1 required but received 2".
    const std::string words = error.what();
    if (words.find("required") != words.npos && words.ends_with("missing")) {
      return complain(fmt::format("{} needs a value", words.substr(0, words.find(':'))));
    }
    if (words.find("required but received") != words.npos) {
      return complain(fmt::format("{} is given more than once", words.substr(0, words.find(':'))));
    }
    return complain(words);
  }

  const window_entry& window_;
  const machine_source& machines_;
  CLI::App app_{description, "pivotscope"};
  std::vector<std::unique_ptr<subcommand>> commands_;
  std::vector<CLI::App*> apps_;
  bool headless_ = false;
  std::optional<std::string> screenshot_;
  start_options shown_;
};

}  // namespace

int run_command_line(int argc, const char* const* argv, const window_entry& window, const machine_source& machines) {
  // A reader that goes away is an error of the next write, not the end of the program in the middle of a file, and so is
  // a file that grows beyond `ulimit -f`.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  return program(window, machines).run(argc, argv);
}

}  // namespace pivotscope
