// The program with other machines: those that answer wrong, and one whose figures are given. PIVOTSCOPE_LIE says which.
// The window is words on standard output. It knows the families of the golden outputs alone.
#include <fcntl.h>
#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>

#include "app/cli/command_line.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/output.hpp"
#include "core/common/file_calls.hpp"
#include "core/index/config_text.hpp"
#include "core/index/model.hpp"
#include "core/workload/question_text.hpp"
#include "tests/app/given_machine.hpp"
#include "tests/support/golden_families.hpp"
#include "tests/support/index_like.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {

// In place of core/families/family_list.cpp.
std::span<const family* const> families() { return testing::golden_families(); }

namespace {

struct lie {
  void (*of_lookups)(batch_answers&, const key_array&) = [](batch_answers&, const key_array&) {};
  void (*of_ranges)(batch_answers&) = [](batch_answers&) {};
  void (*of_successors)(batch_answers&) = [](batch_answers&) {};
  bool silent = false;     // no lookup is answered
  bool of_memory = false;  // an index reads itself wrong
  int interrupts = 0;      // while an index is built, as a person sends them
};

// The last row id becomes another; with it go all who ask for it.
void lie_about_a_row(batch_answers& answers, const key_array&) { answers.found.back() ^= 1; }
void lie_about_a_hit(batch_answers& answers, const key_array&) { answers.found.front() = not_found; }
void lie_about_misses(batch_answers& answers, const key_array&) {
  std::replace(answers.found.begin(), answers.found.end(), not_found, 0u);
}
void leave_an_answer_out(batch_answers& answers, const key_array&) { answers.found.pop_back(); }
void lie_once_in_a_million(batch_answers& answers, const key_array& lookups) {
  if (lookups.size() == 1 << 20) answers.found[777'777] ^= 1;
}

// Of the last range that has entries.
template <class F>
void change_an_answer(batch_answers& answers, const F& change) {
  const auto found =
      std::find_if(answers.ranges.rbegin(), answers.ranges.rend(), [](const auto& a) { return a.count != 0; });
  if (found != answers.ranges.rend()) change(*found);
}
void lie_about_a_count(batch_answers& answers) {
  change_an_answer(answers, [](range_answer& a) { ++a.count; });
}
void lie_about_a_sum(batch_answers& answers) {
  change_an_answer(answers, [](range_answer& a) { ++a.row_sum; });
}

const std::map<std::string_view, lie>& lies() {
  static const std::map<std::string_view, lie> all = {
      {"none", {}},
      {"wrong row", {.of_lookups = lie_about_a_row}},
      {"false miss", {.of_lookups = lie_about_a_hit}},
      {"false hit", {.of_lookups = lie_about_misses}},
      {"short batch",
       {.of_lookups = leave_an_answer_out,
        .of_ranges = [](batch_answers& r) { r.ranges.pop_back(); },
        .of_successors = [](batch_answers& r) { r.successors.pop_back(); }}},
      {"wrong next key", {.of_successors = [](batch_answers& r) { ++r.successors.back().key; }}},
      {"wrong next row", {.of_successors = [](batch_answers& r) { r.successors.back().row ^= 1; }}},
      {"no next key", {.of_successors = [](batch_answers& r) { r.successors.front() = {}; }}},
      {"no answers", {.of_ranges = [](batch_answers& r) { r.ranges.clear(); }, .silent = true}},
      {"one in 2^20", {.of_lookups = lie_once_in_a_million}},
      {"wrong count", {.of_ranges = lie_about_a_count}},
      {"wrong sum", {.of_ranges = lie_about_a_sum}},
      {"row id missing",
       {.of_ranges =
            [](batch_answers& r) {
              if (!r.rows.empty()) r.rows.pop_back();
            }}},
      {"row id twice",
       {.of_ranges =
            [](batch_answers& r) {
              if (r.rows.size() > 1) r.rows.back() = r.rows.end()[-2];
            }}},
      {"no row ids", {.of_ranges = [](batch_answers& r) { r.begins.clear(), r.rows.clear(); }}},
      {"memory", {.of_memory = true}},
      {"ctrl-C", {.interrupts = 1}},
      {"ctrl-C twice", {.interrupts = 2}},
  };
  return all;
}

// Its entries' last bytes are not what was built: of a row id, where there is one.
class forgetful_index final : public testing::index_like {
 public:
  using index_like::index_like;
  status read(region_id array, u64 offset, std::span<std::byte> out) const override {
    status done = honest->read(array, offset, out);
    for (u64 i = 0; i < out.size(); ++i) {
      if (array == main_region && (offset + i) % 8 == 4) out[i] ^= std::byte{1};
    }
    return done;
  }
};

class liar final : public honest_machine {
 public:
  explicit liar(const lie& told) : lie_(told) {}

  outcome<std::shared_ptr<const built_index>> build(const index_config& config,
                                                    std::shared_ptr<const resident_keys> keys,
                                                    const job_control& control) override {
    for (int i = 0; i < lie_.interrupts; ++i) std::raise(SIGINT);
    auto index = honest_machine::build(config, std::move(keys), control);
    if (index && lie_.of_memory) return std::shared_ptr<const built_index>(std::make_shared<forgetful_index>(*index));
    return index;
  }
  outcome<batch_result> run(const built_index& index, const batch& asked, const batch_options& options,
                            const job_control& control) override {
    if (lie_.silent && asked.kind == operation::find) return batch_result{};
    outcome<batch_result> result = honest_machine::run(honest(index), asked, options, control);
    if (!result || asked.size() == 0) return result;
    switch (answer_of(asked.kind)) {
      case answer_kind::row:
        lie_.of_lookups(result->answers, asked.keys);
        break;
      case answer_kind::sum:
        lie_.of_ranges(result->answers);
        break;
      case answer_kind::next:
        lie_.of_successors(result->answers);
        break;
      case answer_kind::done:
        break;
    }
    return result;
  }

 private:
  static const built_index& honest(const built_index& index) {
    const auto* forgetful = dynamic_cast<const forgetful_index*>(&index);
    return forgetful ? *forgetful->honest : index;
  }
  lie lie_;
};

// Kills its process in place of a call that writes: what a kill -9 at that moment leaves is there afterwards. Of a write
// the half.
class killing_file_calls final : public file_calls {
 public:
  explicit killing_file_calls(int calls) : left_(calls) {}
  int open(const char* path, int flags, mode_t mode) override {
    if ((flags & O_CREAT) != 0) count();
    return file_calls::open(path, flags, mode);
  }
  int sync(int file) override { return count(), file_calls::sync(file); }
  int rename(const char* from, const char* to) override { return count(), file_calls::rename(from, to); }
  int remove(const char* path) override { return count(), file_calls::remove(path); }
  ssize_t write(int file, const void* bytes, std::size_t size) override {
    if (left_ == 1) (void)file_calls::write(file, bytes, size / 2);
    return count(), file_calls::write(file, bytes, size);
  }

 private:
  void count() {
    if (--left_ == 0) std::raise(SIGKILL);
  }
  int left_;
};

machine_report given_report(machine_kind kind) { return {kind, true, given_info(kind), {}}; }

// "given": a CPU alone. "given cuda": a GPU as well.
// "killed 17": a CPU, in a process that is killed at its 17th call of a file.
machine_source machines_of(std::string_view name) {
  if (constexpr std::string_view killed = "killed "; name.starts_with(killed)) {
    static killing_file_calls calls(std::atoi(name.substr(killed.size()).data()));
    static const file_calls_in_place in_place(calls);
    name = "none";
  }
  if (name.starts_with("given")) {
    const bool gpu = name == "given cuda";
    return {[gpu]() -> std::vector<machine_report> {
              machine_report cuda = given_report(machine_kind::cuda);
              if (!gpu) cuda = {machine_kind::cuda, false, {}, "No driver was given."};
              return {cuda, given_report(machine_kind::cpu)};
            },
            [gpu](machine_kind kind, const machine_options&) -> outcome<std::unique_ptr<machine>> {
              if (kind == machine_kind::cuda && !gpu) return problem{"No driver was given."};
              return std::unique_ptr<machine>(std::make_unique<given_machine>(kind));
            }};
  }
  const auto found = lies().find(name);
  if (found == lies().end()) {
    complain(fmt::format("PIVOTSCOPE_LIE: there is no lie '{}'", name));
    std::exit(99);
  }
  return {[] { return std::vector<machine_report>{detail::report_cpu()}; },
          [told = found->second](machine_kind, const machine_options&) -> outcome<std::unique_ptr<machine>> {
            return std::unique_ptr<machine>(std::make_unique<liar>(told));
          }};
}

std::string words_of(const window_start& start) {
  return fmt::format("config: {}\nworkload: {}\nmachine: {}\nlookup: {}\ncache folder: {}\n",
                     start.config ? to_line(start.config->config) : "-", start.load ? to_line(*start.load) : "-",
                     start.machine ? machine_name(*start.machine) : "-", start.key ? to_text(*start.key) : "-",
                     start.machines.cache_folder.empty() ? "-" : start.machines.cache_folder);
}

window_entry window_of_words() {
  return {[](const window_start& start) {
            print("window\n" + words_of(start));
            return finish_output(exit_right);
          },
          [](const std::filesystem::path& path, const window_start& start,
             const picture_shape& shape) -> outcome<std::vector<std::filesystem::path>> {
            if (path == "refused.png") return problem{"refused.png is refused"};
            print("\npicture\n" + words_of(start));
            if (shape.panel)
              print(fmt::format("panel {}, {} x {}, scale {}, {}, step {}\n", *shape.panel, shape.width, shape.height,
                                shape.scale, shape.light ? "light" : "dark",
                                shape.every_step ? "all"
                                : shape.step     ? std::to_string(*shape.step)
                                                 : "-"));
            return std::vector{path};
          }};
}

}  // namespace
}  // namespace pivotscope

int main(int argc, char** argv) {
  const char* name = std::getenv("PIVOTSCOPE_LIE");
  try {
    return pivotscope::run_command_line(argc, argv, pivotscope::window_of_words(),
                                        pivotscope::machines_of(name ? name : "none"));
  } catch (const std::exception& fault) {
    return pivotscope::complain(fault.what());
  }
}
