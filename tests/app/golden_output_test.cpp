// Whole outputs, character by character, over a machine whose figures are given (given_machine.hpp): tests/app/golden.
// When an output is to change, write the files anew and look at what git says of them:
//   PIVOTSCOPE_RENEW_GOLDEN=1 build/release/program_tests --gtest_filter='golden_output.*'
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "tests/app/expectations.hpp"
#include "tests/support/golden.hpp"

namespace pivotscope {
namespace {

struct golden_call {
  const char* name;  // of the file
  const char* machine;
  std::vector<std::string> arguments;
};

// The number behind each of these words.
void mask_numbers_behind(std::string& text, std::string_view words) {
  for (std::size_t at = text.find(words); at != text.npos; at = text.find(words, at)) {
    at += words.size();
    const std::size_t end = std::min(text.find_first_not_of("0123456789.e+-", at), text.size());
    if (end > at) text.replace(at, end - at, "MASKED");
  }
}

// What stands between these words and that letter.
void mask_up_to(std::string& text, std::string_view words, char end) {
  for (std::size_t at = text.find(words); at != text.npos; at = text.find(words, at)) {
    at += words.size();
    text.replace(at, std::min(text.find(end, at), text.size()) - at, "MASKED");
  }
}

// What the host's clock measured, version and commit, and where this machine looks for NVRTC.
std::string masked(std::string text) {
  mask_up_to(text, "\"commit\": \"", '"');
  mask_up_to(text, ", commit ", '\n');
  for (const char* words : {"\"keys_ms\": ", "\"lookups_ms\": ", "\"seconds\": ", "measured in ", " rows in ",
                            "\"program\": \"pivotscope ", "\npivotscope "}) {
    mask_numbers_behind(text, words);
  }
  if (const std::size_t at = text.find("\nclocks: "); at != text.npos) text.erase(at, text.find('\n', at + 1) - at);
  if (const std::size_t at = text.find("NVRTC, which"); at != text.npos) text.erase(at, text.rfind("exit") - at);
  if (const std::size_t at = text.find("\"nvrtc_search\": "); at != text.npos) {
    text = text.substr(0, at) + "\"nvrtc_search\": MASKED\n}\n" + text.substr(text.rfind("exit"));
  }
  return text;
}

std::string shell_words(const std::vector<std::string>& arguments) {
  std::string line = "$ pivotscope";
  for (const std::string& one : arguments) {
    line += one.find_first_of(" +=") == one.npos && !one.empty() ? " " + one : " \"" + one + "\"";
  }
  return line + "\n";
}

std::string whole_output(const golden_call& call) {
  const scratch_folder folder;
  ::setenv("PIVOTSCOPE_CACHE", (folder / "cache").c_str(), 1);
  const program_result result = run_lying(call.machine, call.arguments);
  ::unsetenv("PIVOTSCOPE_CACHE");
  std::string text = shell_words(call.arguments) + result.out;
  if (!result.err.empty()) text += "on standard error:\n" + result.err;
  return masked(text + "exit " + std::to_string(result.status) + "\n");
}

const std::string small = "keys=1000 distribution=uniform seed=1 lookups=500 hits=0.5";

const std::string full_table = "HT+OA lanes=1 window=2 probing=quadratic load=90";

const golden_call calls[] = {
    {"help", "given", {"--help"}},
    {"help_run", "given", {"run", "--help"}},
    {"help_trace", "given", {"trace", "--help"}},
    {"help_traffic", "given", {"traffic", "--help"}},
    {"help_rays", "given", {"rays", "--help"}},
    {"help_verify", "given", {"verify", "--help"}},
    {"help_interleave", "given", {"interleave", "--help"}},
    {"help_advise", "given", {"advise", "--help"}},
    {"help_tune", "given", {"tune", "--help"}},
    {"help_sweep", "given", {"sweep", "--help"}},
    {"help_floor", "given", {"floor", "--help"}},
    {"help_report", "given", {"report", "--help"}},
    {"help_measurements", "given", {"measurements", "--help"}},
    {"help_picture", "given", {"picture", "--help"}},
    {"help_devices", "given", {"devices", "--help"}},
    {"version", "given", {"--version"}},

    {"run",
     "given",
     {"run", "--workload", small, "--config", "EO+BS", "--config", "AO+PB+KS lanes=2 keys=u64", "--config",
      "AO+KS layout=soa"}},
    {"run_json",
     "given",
     {"run", "--workload", small, "--config", "EO+BS", "--config", "AO+PB+KS lanes=2 keys=u64", "--config",
      "EO+BS layout=soa keys=u64", "--json"}},
    {"run_once", "given", {"run", "--workload", small, "--repeats", "1", "--warm-ups", "0"}},
    {"run_even", "given", {"run", "--workload", small, "--repeats", "4", "--warm-ups", "2", "--json"}},
    {"run_auto", "given", {"run", "--workload", small, "--config", "EO+BS", "--config", "AO+BS", "--repeats", "auto"}},
    {"run_auto_json",
     "given",
     {"run", "--workload", small, "--repeats", "auto", "--noise", "90%", "--most-seconds", "60", "--cold", "--json"}},
    {"run_wrong", "given", {"run", "--workload", small, "--config", "EO+KS fanout=5", "--config", "EO+BS"}},
    {"run_wrong_json",
     "given",
     {"run", "--workload", small, "--config", "EO+KS fanout=5", "--config", "EO+BS", "--json"}},
    {"run_cuda", "given cuda", {"run", "--workload", small, "--keys", "3", "--hits", "1"}},
    {"run_known",
     "given cuda",
     {"run", "--keys", "2^16", "--lookups", "2^20", "--config", "AO+KS", "--config", "EO+KS", "--config",
      "EO+KS lanes=2"}},
    {"run_refused", "given", {"run", "--workload", small, "--config", "EO+KS fanout=17"}},
    {"run_nothing", "given", {"run", "--keys", "0", "--lookups", "0"}},
    {"run_ranges",
     "given",
     {"run", "--keys", "1000", "--ranges", "200", "--hits", "10", "--config", "EO+BS", "--config", "AO+PB+KS"}},
    {"run_successors",
     "given",
     {"run", "--keys", "1000", "--successors", "200", "--hits", "0.5", "--config", "EO+BS", "--config", "AO+PB+KS"}},
    {"run_successors_json", "given", {"run", "--keys", "1000", "--successors", "200", "--json"}},
    {"run_successors_refused", "given", {"run", "--keys", "1000", "--successors", "200", "--config", "PLAIN"}},
    {"run_matches",
     "given",
     {"run", "--keys", "1000", "--distribution", "duplicates", "--matches", "200", "--rows", "--config", "EO+BS",
      "--config", "AO+PB+KS"}},
    {"run_lower_bounds", "given", {"run", "--keys", "1000", "--lower-bounds", "200", "--hits", "0.5"}},
    {"run_ranges_rows", "given", {"run", "--keys", "1000", "--ranges", "200", "--hits", "10", "--rows"}},
    {"run_ranges_json", "given", {"run", "--keys", "1000", "--ranges", "200", "--hits", "10", "--rows", "--json"}},

    {"trace_hit", "given", {"trace", "--lookup", "9"}},
    {"trace_hit_json", "given", {"trace", "--lookup", "9", "--json"}},
    {"trace_miss", "given", {"trace", "--config", "AO+BS layout=soa", "--lookup", "8"}},
    {"trace_miss_json", "given", {"trace", "--config", "AO+BS layout=soa", "--lookup", "8", "--json"}},
    {"trace_lanes", "given", {"trace", "--config", "AO+PB+KS fanout=5 lanes=2", "--lookup", "13"}},
    {"trace_lanes_json", "given", {"trace", "--config", "AO+PB+KS fanout=5 lanes=2", "--lookup", "13", "--json"}},
    {"trace_pivots", "given", {"trace", "--config", "AO+PB+BS keys=u64", "--lookup", "7"}},
    {"trace_pivots_json", "given", {"trace", "--config", "AO+PB+BS keys=u64 layout=soa", "--lookup", "7", "--json"}},
    {"trace_pinned_json",
     "given",
     {"trace", "--config", "EO+KS fanout=3 pin=full scratch=16", "--lookup", "30", "--json"}},
    {"trace_no_keys_json", "given", {"trace", "--keys", "0", "--lookup", "1", "--json"}},
    {"trace_range", "given", {"trace", "--lookup", "4", "--range-to", "12"}},
    {"trace_successor", "given", {"trace", "--successor", "9"}},
    {"trace_successor_ascending", "given", {"trace", "--config", "AO+BS", "--successor", "7"}},
    {"trace_successor_pivots", "given", {"trace", "--config", "AO+PB+KS fanout=3 lanes=2", "--successor", "8"}},
    {"trace_successor_none", "given", {"trace", "--config", "EO+KS fanout=3 lanes=2", "--successor", "17"}},
    {"trace_successor_json", "given", {"trace", "--successor", "9", "--json"}},
    {"trace_successor_none_json", "given", {"trace", "--config", "AO+BS", "--successor", "17", "--json"}},
    {"trace_successor_source", "given", {"trace", "--config", "AO+BS", "--successor", "9", "--source"}},
    {"trace_successor_refused", "given", {"trace", "--config", "PLAIN", "--successor", "9"}},
    {"trace_lower_bound", "given", {"trace", "--lower-bound", "9"}},
    {"trace_lower_bound_packed", "given", {"trace", "--config", "PACKED", "--lower-bound", "11"}},
    {"trace_lower_bound_none_json", "given", {"trace", "--config", "AO+BS", "--lower-bound", "18", "--json"}},
    {"trace_matches", "given", {"trace", "--config", "AO+BS", "--match", "7"}},
    {"trace_matches_plain", "given", {"trace", "--config", "PLAIN", "--match", "7"}},
    {"trace_matches_table_json", "given", {"trace", "--config", "HT+OA", "--match", "9", "--json"}},
    {"trace_range_json", "given", {"trace", "--lookup", "4", "--range-to", "12", "--json"}},
    {"trace_range_empty_json", "given", {"trace", "--lookup", "12", "--range-to", "4", "--json"}},
    {"trace_range_warp",
     "given",
     {"trace", "--config", "EO+KS fanout=3 scan=cooperative keys=u64", "--keys", "100", "--distribution", "dense",
      "--lookup", "20", "--range-to", "70"}},
    {"trace_range_warp_json",
     "given",
     {"trace", "--config", "AO+PB+KS fanout=3 scan=cooperative", "--keys", "50", "--distribution", "dense", "--lookup",
      "5", "--range-to", "45", "--json"}},

    {"trace_plain_hit", "given", {"trace", "--config", "PLAIN", "--lookup", "9"}},
    {"trace_plain_range_json",
     "given",
     {"trace", "--config", "PLAIN lanes=8", "--keys", "40", "--distribution", "dense", "--lookup", "4", "--range-to",
      "12", "--json"}},
    {"trace_plain_insert", "none", {"trace", "--config", "PLAIN", "--insert", "8", "--source"}},
    {"trace_plain_erase", "none", {"trace", "--config", "PLAIN", "--erase", "9"}},
    {"trace_table_hit_json", "given", {"trace", "--config", full_table, "--lookup", "5", "--json"}},
    {"trace_table_chain", "given", {"trace", "--config", full_table, "--lookup", "27"}},
    {"trace_table_insert", "none", {"trace", "--config", full_table, "--insert", "8"}},
    {"trace_table_insert_two_words",
     "none",
     {"trace", "--config", full_table + " keys=u64", "--insert", "8", "--source"}},
    {"trace_table_insert_there", "none", {"trace", "--config", full_table, "--insert", "9"}},
    {"trace_table_erase_json", "none", {"trace", "--config", full_table, "--erase", "9", "--json"}},
    {"trace_packed_miss", "given", {"trace", "--config", "PACKED leaf=32 lanes=1", "--lookup", "8"}},
    {"trace_packed_hit_json",
     "given",
     {"trace", "--config", "PACKED lanes=2 keys=u64", "--keys", "300", "--distribution", "dense", "--lookup", "150",
      "--json"}},
    {"trace_packed_range",
     "given",
     {"trace", "--config", "PACKED leaf=32 lanes=1", "--lookup", "4", "--range-to", "12"}},
    {"trace_packed_successor", "given", {"trace", "--config", "PACKED leaf=32 lanes=1", "--successor", "9"}},

    {"traffic",
     "given",
     {"traffic", "--keys", "1000", "--sample", "64", "--config", "EO+BS", "--config",
      "AO+PB+KS threads=64 pin=steps scratch=1KiB"}},
    {"traffic_json",
     "given",
     {"traffic", "--keys", "1000", "--sample", "64", "--lookups", "2^20", "--l2", "2Ki", "--config",
      "EO+BS threads=64 pin=full scratch=1KiB", "--json"}},
    {"traffic_cuda_json",
     "given cuda",
     {"traffic", "--keys", "1000", "--lookups", "100", "--machine", "cuda", "--json"}},
    {"traffic_nothing", "given", {"traffic", "--keys", "0", "--lookups", "0"}},

    {"interleave", "none", {"interleave", "--config", "PLAIN", "--schedules", "5000", "--seed", "4"}},
    {"interleave_replay",
     "none",
     {"interleave", "--config", "PLAIN", "--replay", "keys=5 before=+7 ops=+7,-5,5..7 schedule=0:1 1:3 0 2:9 1 late"}},
    {"interleave_refused", "none", {"interleave", "--config", "EO+BS"}},
    {"interleave_nothing", "none", {"interleave", "--config", "PLAIN", "--schedules", "0"}},
    {"interleave_refused_line", "none", {"interleave", "--config", "PLAIN", "--replay", "keys=5 ops=5"}},
    {"verify", "given", {"verify", "--cases", "0"}},
    {"verify_cases", "none", {"verify", "--cases", "12", "--seed", "4", "--max-keys", "200"}},
    {"verify_cases_json", "none", {"verify", "--cases", "12", "--seed", "4", "--max-keys", "200", "--json"}},
    {"verify_wrong", "wrong row", {"verify", "--cases", "12", "--seed", "4", "--max-keys", "200"}},
    {"verify_wrong_json", "wrong sum", {"verify", "--cases", "12", "--seed", "4", "--max-keys", "200", "--json"}},

    {"advise", "given", {"advise", "--keys", "2^20"}},
    {"advise_json", "given", {"advise", "--keys", "2^20", "--ascending", "--smallest", "--short-rebuild", "--json"}},
    {"advise_ranges_json", "given", {"advise", "--keys", "2^10", "--key-width", "u64", "--range-size", "64", "--json"}},
    {"advise_cuda", "given cuda", {"advise", "--keys", "2^26", "--key-width", "u64"}},
    {"advise_cuda_json", "given cuda", {"advise", "--workload", "keys=2^26 ranges=2^10 range_hits=16", "--json"}},

    {"tune", "given", {"tune", "--keys", "300", "--lookups", "2^12"}},
    {"tune_json",
     "given",
     {"tune", "--keys", "300", "--lookups", "2^12", "--key-width", "u64", "--ascending", "--smallest", "--json"}},

    {"tune_ranges", "given", {"tune", "--keys", "300", "--ranges", "2^12", "--hits", "8"}},
    {"tune_ranges_json",
     "given",
     {"tune", "--keys", "300", "--ranges", "2^12", "--hits", "8", "--ascending", "--smallest", "--json"}},

    {"sweep", "given cuda", {"sweep", "packed", "--rows", "2^28", "--scale", "20", "--rounds", "2"}},
    {"sweep_ranges", "given cuda", {"sweep", "packed", "--rows", "ranges", "--scale", "20", "--rounds", "2"}},
    {"sweep_loads", "given cuda", {"sweep", "lightweight-7", "--scale", "12", "--rounds", "2"}},
    {"sweep_loads_list", "given", {"sweep", "lightweight-7", "--list"}},

    {"floor", "given", {"floor"}},
    {"floor_cuda", "given cuda", {"floor", "--machine", "cuda"}},
    {"picture", "given", {"picture", "--panel", "tree", "--lookup", "9", "--step", "3", "--out", "tree.svg"}},
    {"picture_all",
     "given",
     {"picture", "--panel", "warp", "--config", "EO+KS", "--step", "all", "--width", "900", "--height", "400",
      "--scale", "1.5", "--light", "--out", "w.png"}},
    {"picture_refused", "given", {"picture", "--out", "refused.png"}},
    {"picture_refused_name", "given", {"picture", "--out", "tree.jpg"}},
    {"picture_refused_step", "given", {"picture", "--out", "tree.png", "--step", "0"}},
    {"picture_refused_size", "given", {"picture", "--out", "tree.png", "--width", "5"}},
    {"picture_refused_scale", "given", {"picture", "--out", "tree.png", "--scale", "1.5x"}},
    {"picture_refused_pin", "given", {"picture", "--out", "tree.png", "--pin", "EO+XS"}},
    {"devices", "given", {"devices"}},
    {"devices_json", "given", {"devices", "--json"}},
    {"devices_cuda", "given cuda", {"devices"}},
    {"devices_cuda_json", "given cuda", {"devices", "--json"}},

    {"headless", "given", {"--headless", "--screenshot", "x.png", "--config", "EO+KS fanout=3", "--lookup", "7"}},
    {"headless_refused", "given", {"--headless", "--machine", "cpu", "--screenshot", "refused.png"}},
    {"window", "given", {}},
    {"window_refused_key", "given", {"--lookup", "9..x"}},
    {"window_refused_low", "given", {"--lookup", "..9"}},
    {"window_refused_workload", "given", {"--workload", "kesy=5"}},
    {"window_refused_config", "given", {"--config", "EO+SB"}},
    {"window_refused_machine", "given", {"--machine", "tpu"}},
    {"window_refused_folder", "given", {"--cache-folder", ""}},
    {"window_refused_picture", "given", {"--screenshot", "x.png"}},
    {"window_shows",
     "given cuda",
     {"--config", "EO+KS fanout=3", "--workload", "keys=2^10 distribution=dense", "--lookup", "9..12", "--machine",
      "cuda"}},
};

// Those whose file has the command's name.
void expect_outputs_of(const std::string& command) {
  for (const golden_call& call : calls) {
    const std::string name = call.name;
    if (name != command && !name.starts_with(command + "_")) continue;
    testing::expect_golden("tests/app/golden/" + name + ".txt", whole_output(call));
  }
}

TEST(golden_output, of_help) { expect_outputs_of("help"), expect_outputs_of("version"); }
TEST(golden_output, of_run) { expect_outputs_of("run"); }
TEST(golden_output, of_trace) { expect_outputs_of("trace"); }
TEST(golden_output, of_traffic) { expect_outputs_of("traffic"); }
TEST(golden_output, of_verify) { expect_outputs_of("verify"); }
TEST(golden_output, of_interleave) { expect_outputs_of("interleave"); }
TEST(golden_output, of_advise) { expect_outputs_of("advise"); }
TEST(golden_output, of_tune) { expect_outputs_of("tune"); }
TEST(golden_output, of_sweep) { expect_outputs_of("sweep"); }
TEST(golden_output, of_floor) { expect_outputs_of("floor"); }
TEST(golden_output, of_picture) { expect_outputs_of("picture"); }
TEST(golden_output, of_devices) { expect_outputs_of("devices"); }
TEST(golden_output, of_headless) { expect_outputs_of("headless"); }
TEST(golden_output, of_the_window) { expect_outputs_of("window"); }

// What was kept is printed as what was measured.
TEST(golden_output, of_a_kept_tuning_are_those_of_the_tuning) {
  const scratch_folder folder;
  for (const std::vector<std::string>& how : {std::vector<std::string>{}, std::vector<std::string>{"--json"}}) {
    std::vector<std::string> call = {"tune",      "--keys",         "300",
                                     "--lookups", "4096",           "--key-width",
                                     "u64",       "--cache-folder", (folder / "cache").string()};
    call.insert(call.end(), how.begin(), how.end());
    const program_result measured = run_lying("given", call);
    call.push_back("--kept");
    const program_result kept = run_lying("given", call);
    EXPECT_EQ(kept.status, 1);
    EXPECT_EQ(kept.out, measured.out);
    EXPECT_EQ(kept.err, measured.err);
  }
}

}  // namespace
}  // namespace pivotscope
