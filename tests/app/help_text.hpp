// The commands and options that the program's help names.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "tests/app/expectations.hpp"

namespace pivotscope {

// What stands beside an option in a program's help: "--csv" and "FILE".
struct option_in_help {
  std::string name, type;
};

// Of the program, and "" for the program without one.
inline std::vector<std::string> commands() {
  std::vector<std::string> names = {""};
  std::istringstream lines(expect_right({"--help"}).out);
  bool among = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "Subcommands:") {
      among = true;
    } else if (among && line.starts_with("  ")) {
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
    } else if (among) {
      break;
    }
  }
  return names;
}

inline std::vector<option_in_help> options_of(const std::string& command) {
  std::vector<std::string> arguments = {"--help"};
  if (!command.empty()) arguments.insert(arguments.begin(), command);
  std::istringstream lines(expect_right(arguments).out);
  std::vector<option_in_help> options;
  bool positional = false;
  for (std::string line; std::getline(lines, line) && line != "Examples:";) {
    if (!line.starts_with(' ')) positional = line.starts_with("Positionals");
    constexpr std::size_t words_begin = 30;  // behind the name and the type
    std::istringstream front(line.substr(0, words_begin));
    option_in_help one;
    front >> one.name >> one.type;
    if (positional && one.type == "TEXT") one.type = one.name;
    if (one.name.starts_with("--") || (positional && line.starts_with("  "))) options.push_back(one);
  }
  return options;
}

}  // namespace pivotscope
