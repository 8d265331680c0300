// pivotscope report: a page of the results in a folder.
#include <fmt/format.h>

#include <filesystem>

#include "app/cli/exit_code.hpp"
#include "app/cli/options/option_list.hpp"
#include "app/cli/output.hpp"
#include "app/cli/subcommand.hpp"
#include "app/report/page.hpp"
#include "core/common/whole_file.hpp"

namespace pivotscope {
namespace {

constexpr const char* examples = R"(Examples:
  pivotscope sweep packed --json results/packed.json
  pivotscope sweep lightweight-20a --into results/20a
  pivotscope run --keys 2^20 --repeats auto --json > results/run.json
  pivotscope floor --json results/floor.json
  pivotscope report results                         writes results/report.html
  pivotscope report results --out page.html

Reads each *.json in DIR that `pivotscope sweep --json`, `run --json` or `floor --json` wrote, and each folder in it that
`pivotscope sweep --into` did (or DIR itself, where it is one). The page is one file that needs nothing else: plots, tables, what was wanted and is reached,
what the papers saw, what is missing, and what it takes to measure it again. A *.json file that is something else, or
damaged, is named on the page and on standard error.
Exit status: 0 all right, also with such files; 2 where DIR has no result.)";

class report_command final : public subcommand {
 public:
  command_words words() const override { return {"report", "a page of the results in a folder", examples}; }

  void add_options(option_list& to) override {
    to.place("DIR", folder_, "the folder that has them");
    to.text("--out", out_, {"FILE"}, "write the page there (default DIR/report.html)");
  }

  std::vector<named_file> unnamed_files() const override {
    if (!folder_ || out_) return {};
    return {{"the page", out().string(), file_use::writes}};
  }

  int run(const machine_source&) override {
    if (!folder_) return complain("which folder? `pivotscope report DIR`");
    const outcome<report_contents> contents = read_report(*folder_);
    if (!contents) return complain(contents.error());
    for (const unread_file& one : contents->unread) complain("not read: " + one.words);
    if (contents->empty())
      return complain(
          fmt::format("{} has no result of a sweep, a run or a floor: no *.json that `pivotscope sweep NAME --json`, "
                      "`run --json` or `floor --json` wrote, and no folder that `pivotscope sweep NAME --into` did",
                      *folder_));
    if (const status written = write_whole_file(out(), report_page(*contents)); !written)
      return complain(written.error());
    print(fmt::format("{}\n", out().string()));
    return finish_output(exit_right);
  }

 private:
  std::filesystem::path out() const {
    return out_ ? std::filesystem::path(*out_) : std::filesystem::path(*folder_) / "report.html";
  }

  std::optional<std::string> folder_, out_;
};

}  // namespace

std::unique_ptr<subcommand> make_report_command() { return std::make_unique<report_command>(); }

}  // namespace pivotscope
