// pivotscope measurements: the tables of a document, made of results' files.
#include <fmt/format.h>

#include <filesystem>

#include "app/cli/exit_code.hpp"
#include "app/cli/options/option_list.hpp"
#include "app/cli/output.hpp"
#include "app/cli/subcommand.hpp"
#include "app/report/document_tables.hpp"
#include "app/report/measured_files.hpp"
#include "core/common/shell_word.hpp"
#include "core/common/whole_file.hpp"

namespace pivotscope {
namespace {

constexpr const char* examples = R"(Examples:
  pivotscope measurements --keep packed.json --as docs/figures/packed-h200.json
  pivotscope measurements docs/measurements.md
  pivotscope measurements docs/measurements.md --check

In the document stands, each marker a line of its own,

  <!-- table: figures/packed-h200.json hits -->
  <!-- end -->

and between the two the table is written of that file's rows whose names begin with "hits"; of all rows, where nothing
stands behind the file. It is what `pivotscope sweep NAME --json` wrote, or `run` or `floor`, or a folder of --into, and lies
where the document does. columns=row,config,per_second names other columns: docs/json.md has them, and there is middle_half.

  <!-- table: 2^20.json 2^28.json AO across=per_second as=2^20,2^28 -->

has one value of several files side by side. All else of the document stays as it is, byte for byte. --keep takes of a file what tables and plots need, for a repository.
Exit status: 0 all right; 1 with --check, where a table is not what its file says; 2 bad input: nothing is written.)";

class measurements_command final : public subcommand {
 public:
  command_words words() const override {
    return {"measurements", "write a document's tables anew, of what was measured", examples};
  }

  void add_options(option_list& to) override {
    to.place("DOCUMENT", document_, "the document, in Markdown");
    to.flag("--check", check_, "write nothing: say whether its tables are as their files say");
    to.text("--keep", keep_, {"FILE"},
            "of `sweep --json` or `run --json`: write its short form to --as, in place of a document");
    to.text("--as", as_, {"FILE"}, "with --keep: where to");
  }

  int run(const machine_source&) override {
    if (keep_ || as_) return keep();
    if (!document_) return complain("which document? `pivotscope measurements docs/measurements.md`");
    const std::filesystem::path path = *document_;
    std::string text;
    if (const int error = read_whole_file(path, text); error != 0)
      return complain(fmt::format("{}: {}", *document_, system_words(error)));
    const outcome<rewritten_document> made =
        rewrite_tables(text, [&](const std::string& file) { return read_measured_table(path.parent_path() / file); });
    if (!made) return complain(fmt::format("{}, {}; nothing was written", *document_, made.error().words));
    if (made->tables == 0)
      return complain(fmt::format("{} has no line '<!-- table: FILE -->': it has no table to write", *document_));
    const bool same = made->text == text;
    if (!same && check_) {
      complain(fmt::format("{} has a table that is not what its file says: `pivotscope measurements {}` writes it anew",
                           *document_, shell_path(*document_)));
      return exit_wrong;
    }
    if (!same)
      if (const status written = write_whole_file(path, made->text); !written) return complain(written.error());
    print(fmt::format("{}: {} {}, {}\n", *document_, made->tables, made->tables == 1 ? "table" : "tables",
                      same ? "as it was" : "written anew"));
    return finish_output(exit_right);
  }

 private:
  int keep() const {
    if (!keep_ || !as_ || document_ || check_)
      return complain("--keep and --as go together, and alone: `pivotscope measurements --keep FILE --as FILE`");
    std::string text;
    if (const int error = read_whole_file(*keep_, text); error != 0)
      return complain(fmt::format("{}: {}", *keep_, system_words(error)));
    const outcome<std::string> kept =
        kind_of_result(text) == result_kind::run ? short_run_json(text) : short_sweep_json(text);
    if (!kept) return complain(fmt::format("{}: {}", *keep_, kept.error().words));
    if (const status written = write_whole_file(*as_, *kept); !written) return complain(written.error());
    print(fmt::format("{}: {} bytes of {}\n", *as_, kept->size(), text.size()));
    return finish_output(exit_right);
  }

  std::optional<std::string> document_, keep_, as_;
  bool check_ = false;
};

}  // namespace

std::unique_ptr<subcommand> make_measurements_command() { return std::make_unique<measurements_command>(); }

}  // namespace pivotscope
