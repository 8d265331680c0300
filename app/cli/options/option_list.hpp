// A command's options, as its file names them. CLI11's header is read by option_list.cpp and command_line.cpp alone: it
// takes longer to compile than all that a command does.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace pivotscope {

class option_list {
 public:
  explicit option_list(CLI::App& app) : app_(app) {}

  // Every name begins with "--"; `type` stands behind it in the help, which lists options by their group.
  struct looks {
    const char* type = "";
    const char* group = "Options";
  };
  void flag(const char* name, bool& value, const std::string& words, const char* group = "Options");
  void text(const char* name, std::optional<std::string>& value, looks as, const std::string& words);
  // One that has a value before: the standard, named in its words.
  void text(const char* name, std::string& value, looks as, const std::string& words);
  // One that stands for itself, without "--".
  void place(const char* name, std::optional<std::string>& value, const std::string& words);
  // Any number of them, behind that.
  void places(const char* name, std::vector<std::string>& values, const std::string& words);
  void required(const char* name, std::string& value, looks as, const std::string& words);
  // It may be given again.
  void texts(const char* name, std::vector<std::string>& values, looks as, const std::string& words);

 private:
  CLI::App& app_;
};

}  // namespace pivotscope
