#include "app/cli/options/option_list.hpp"

#include <CLI/CLI.hpp>

namespace pivotscope {
namespace {

template <class Value>
CLI::Option* add(CLI::App& app, const char* name, Value& value, const option_list::looks& as,
                 const std::string& words) {
  return app.add_option(name, value, words)->type_name(as.type)->group(as.group);
}

}  // namespace

void option_list::flag(const char* name, bool& value, const std::string& words, const char* group) {
  app_.add_flag(name, value, words)->group(group);
}

void option_list::text(const char* name, std::optional<std::string>& value, looks as, const std::string& words) {
  add(app_, name, value, as, words);
}

void option_list::text(const char* name, std::string& value, looks as, const std::string& words) {
  add(app_, name, value, as, words);
}

void option_list::place(const char* name, std::optional<std::string>& value, const std::string& words) {
  app_.add_option(name, value, words);
}

void option_list::places(const char* name, std::vector<std::string>& values, const std::string& words) {
  app_.add_option(name, values, words);
}

void option_list::required(const char* name, std::string& value, looks as, const std::string& words) {
  add(app_, name, value, as, words)->required();
}

void option_list::texts(const char* name, std::vector<std::string>& values, looks as, const std::string& words) {
  add(app_, name, values, as, words)->allow_extra_args(false);
}

}  // namespace pivotscope
