// docs/json.md against the program: every field that is printed stands there, and every field that stands there is
// printed, command by command.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/index/config_text.hpp"
#include "tests/app/expectations.hpp"
#include "tests/support/method_lists.hpp"

namespace pivotscope {
namespace {

using nlohmann::json;
using field_set = std::set<std::string>;

// The names in backticks in the first column of a section's tables.
std::map<std::string, field_set> documented_fields() {
  std::map<std::string, field_set> sections;
  std::istringstream file(contents_of(testing::source_folder() / "docs/json.md"));
  std::string section;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## ")) section = line.substr(3);
    if (!line.starts_with("| `")) continue;
    const std::string column = line.substr(1, line.find(" |", 2) - 1);
    for (std::size_t at = column.find('`'); at != column.npos; at = column.find('`', at + 1)) {
      const std::size_t end = column.find('`', at + 1);
      sections[section].insert(column.substr(at + 1, end - at - 1));
      at = end;
    }
  }
  return sections;
}

// Bytes and counts are whole, and stand so: 262144, and not 262144.0.
void expect_whole(const std::string& name, const json& value) {
  const auto expect = [&](const json& one) { EXPECT_TRUE(!one.is_number() || one.is_number_integer()) << name << one; };
  const bool by_lookup = name == "fill_bytes" || name == "scratch_bytes";  // traffic's, an average
  if (name.ends_with("_bytes") && !by_lookup) expect(value);
  if (name == "bytes" && value.is_object())
    for (const json& part : value) expect(part);
  if (name != "figures") return;
  for (const json& one : value) {
    const std::string hint = one.at("hint");
    if (hint == "bytes" || hint == "count") expect(one.at("value"));
  }
}

// All keys; those of a config apart.
void collect(const json& value, field_set& fields, field_set& of_configs) {
  if (value.is_array()) {
    for (const json& one : value) collect(one, fields, of_configs);
  } else if (value.is_object()) {
    for (const auto& [name, inner] : value.items()) {
      fields.insert(name);
      expect_whole(name, inner);
      if (name == "figures")  // a list of them, by name
        for (const json& one : inner) fields.insert(one.at("name").get<std::string>());
      const bool config = name == "config" && inner.is_object();
      config ? collect(inner, of_configs, of_configs) : collect(inner, fields, of_configs);
    }
  }
}

using arguments = std::vector<std::string>;
struct call {
  const char* lie;
  arguments words;
};

void expect_documented(const std::string& command, const std::vector<call>& calls, const field_set& unseen = {}) {
  static const std::map<std::string, field_set> documented = documented_fields();
  field_set printed = unseen, of_configs;
  for (call one : calls) {
    one.words.insert(one.words.begin(), command);
    one.words.push_back("--json");
    const program_result result = run_lying(one.lie, one.words);
    ASSERT_LT(result.status, 2) << result.err;
    const json all = json::parse(result.out);
    EXPECT_EQ(all["format"], command == "run" ? 2 : 1);
    collect(all, printed, of_configs);
  }
  EXPECT_EQ(printed, documented.at(command));
  if (!of_configs.empty()) {
    field_set known;
    for (const auto& [section, fields] : documented)
      if (section.starts_with("A config of ")) known.insert(fields.begin(), fields.end());
    EXPECT_TRUE(std::includes(known.begin(), known.end(), of_configs.begin(), of_configs.end()));
  }
}

field_set fields_of_a_config(const family& of) {
  json config;
  to_json(config, of.standard());
  field_set fields;
  for (const auto& [name, value] : config.items()) fields.insert(name);
  return fields;
}

// A family that came later may do without a section: the page says of all configs what a config's fields are.
TEST(json_fields, of_every_familys_configs_are_documented) {
  const auto documented = documented_fields();
  for (const family* one : families()) {
    const std::string name = one->methods().front().name;
    const std::string section = "A config of " + (name == "AO+BS" ? "AO, EO and AO+PB" : name);
    if (!testing::is_golden(*one) && !documented.contains(section)) continue;
    EXPECT_EQ(fields_of_a_config(*one), documented.at(section));
  }
}

TEST(json_fields, of_a_config_are_its_method_and_its_familys_knobs) {
  for (const family* one : families()) {
    field_set wanted = {"method"};
    json config;
    to_json(config, one->standard());
    for (const axis& a : one->axes()) {
      wanted.insert(a.name);
      EXPECT_TRUE(a.range ? config.at(a.name).is_number_unsigned() : config.at(a.name).is_string()) << a.name;
    }
    EXPECT_EQ(fields_of_a_config(*one), wanted);
  }
}

TEST(json_fields, of_every_command_are_documented) {
  const scratch_folder folder;
  ::setenv("PIVOTSCOPE_CACHE", (folder / "cache").c_str(), 1);
  expect_documented("run",
                    {{"given", {"--keys", "50", "--lookups", "20", "--config", "AO+PB+KS"}},
                     {"given", {"--keys", "50", "--lookups", "20", "--config", "EO+KS fanout=5"}},
                     {"given", {"--keys", "50", "--ranges", "20", "--rows"}},
                     {"given", {"--keys", "50", "--successors", "20"}},
                     {"given", {"--keys", "50", "--matches", "20"}},
                     {"given", {"--keys", "50", "--lower-bounds", "20"}},
                     {"none", {"--config", "PLAIN", "--keys", "50", "--inserts", "40", "--erases", "5"}}},
                    {"note"});
  expect_documented("trace",
                    {{"none", {"--lookup", "9"}},
                     {"none", {"--lookup", "8", "--config", "AO+PB+KS lanes=2", "--source"}},
                     {"none", {"--lookup", "4", "--range-to", "12"}},
                     {"none", {"--successor", "9"}},
                     {"none", {"--lower-bound", "9"}},
                     {"none", {"--config", "PLAIN", "--insert", "9"}}},
                    {"doubt"});
  expect_documented(
      "traffic", {{"none", {"--keys", "50"}}, {"none", {"--keys", "50", "--lengths"}}, {"memory", {"--keys", "50"}}});
  expect_documented("verify", {{"none", {"--cases", "1"}}, {"wrong row", {"--cases", "30", "--max-keys", "50"}}});
  expect_documented("advise", {{"given", {}}, {"given cuda", {"--keys", "2^26", "--key-width", "u64"}}});
  expect_documented("tune",
                    {{"given", {"--keys", "300", "--lookups", "2^12"}},
                     {"given", {"--keys", "300", "--ranges", "2^12", "--hits", "8"}},
                     {"given", {"--keys", "300", "--successors", "2^12"}},
                     {"given", {"--keys", "300", "--matches", "2^12"}},
                     {"given", {"--keys", "300", "--lower-bounds", "2^12"}}},
                    {"current", "standard_search"});
  expect_documented("devices", {{"given", {}}, {"given cuda", {}}}, {"place", "why", "found"});
  ::unsetenv("PIVOTSCOPE_CACHE");
}

// Of the program itself: the families that outputs are golden of cast no rays.
TEST(json_fields, of_rays_are_documented) {
  field_set printed = {"why_not", "failed", "first_wrong"}, of_configs;
  const program_result result = run_program({"rays", "--keys", "50", "--lookups", "50", "--config", "CGRX", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  collect(json::parse(result.out), printed, of_configs);
  EXPECT_EQ(printed, documented_fields().at("rays"));
}

TEST(json_fields, of_a_sweep_are_documented) {
  const scratch_folder folder;
  const std::string file = (folder / "sweep.json").string();
  field_set printed, of_configs;
  const std::pair<const char*, arguments> sweeps[] = {
      {"given", {"packed"}},
      {"given cuda", {"packed", "--rows", "misses", "--machine", "cuda"}},
      {"given", {"lightweight-1b"}}};
  for (const auto& [lie, what] : sweeps) {
    arguments call = {"sweep", "--scale", "24", "--no-floor", "--json", file};
    call.insert(call.begin() + 1, what.begin(), what.end());
    const program_result result = run_lying(lie, call);
    ASSERT_EQ(result.status, 0) << result.err;
    collect(json::parse(contents_of(file)), printed, of_configs);
  }
  EXPECT_EQ(printed, documented_fields().at("sweep"));
}

TEST(json_fields, of_a_floor_are_documented) {
  const scratch_folder folder;
  const std::string file = (folder / "floor.json").string();
  const program_result result = run_lying(
      "given cuda", {"floor", "--machine", "cuda", "--cache-folder", (folder / "cache").string(), "--json", file});
  ASSERT_EQ(result.status, 0) << result.err;
  field_set printed, of_configs;
  collect(json::parse(contents_of(file)), printed, of_configs);
  EXPECT_EQ(printed, documented_fields().at("floor"));
}

}  // namespace
}  // namespace pivotscope
