#include "core/choose/tuning_store.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/common/file_lock.hpp"
#include "core/common/set_aside.hpp"
#include "core/common/whole_file.hpp"
#include "core/index/config_text.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;
constexpr int file_format = 1;
constexpr std::size_t most_kept = 200;

const char* width_name(key_width width) { return width == key_width::u32 ? "u32" : "u64"; }

// A count, or the library's exception: get() would make one of any number, of 1e300 as well.
u64 count_in(const nlohmann::json& json, const std::string& name) {
  return json.at(name).get_ref<const nlohmann::json::number_unsigned_t&>();
}

// "lookups", "ranges", "successors": the field that counts them, and that says of which operation a tuning is.
std::string count_field(operation asked) { return std::string(operation_noun(asked)); }
std::string rate_field(operation asked) { return count_field(asked) + "_per_second"; }

nlohmann::json config_json(const tuned_config& one, operation asked) {
  return {
      {"config_line", to_line(one.config)},  {"index_bytes", one.index_bytes}, {"build_ms", one.build_ms},
      {count_field(asked), one.operations},  {rate_field(asked), one.rate()},  {"lower_quartile", one.rate_at(0.75)},
      {"upper_quartile", one.rate_at(0.25)}, {"finalist", one.finalist},       {"beats_next", one.beats_next},
      {"samples_ms", one.samples_ms}};
}

outcome<tuned_config> config_from(const nlohmann::json& json, operation asked) {
  outcome<index_config> config = config_from_line(json.at("config_line").get<std::string>());
  if (!config) return config.error();
  tuned_config one{.config = *config};
  one.index_bytes = count_in(json, "index_bytes");
  one.build_ms = json.at("build_ms").get<double>();
  one.operations = count_in(json, count_field(asked));
  one.finalist = json.at("finalist").get<bool>();
  one.samples_ms = json.at("samples_ms").get<std::vector<double>>();
  if (one.samples_ms.empty()) return problem{"a config without times"};
  for (const double ms : one.samples_ms)
    if (!std::isfinite(ms) || ms < 0) return problem{"a time that is none"};
  return one;
}

bool is_kept_for(const nlohmann::json& entry, const tuning_question& q) {
  const nlohmann::json& t = entry.at("tuning");
  return entry.at("workload") == q.workload && t.at("machine").at("kind") == machine_name(q.kind) &&
         t.at("machine").at("name") == q.machine && t.at("key_width") == width_name(q.width) &&
         t.at("ascending") == q.ascending && t.at("smallest") == q.smallest;
}

struct store_content {
  enum class state { understood, not_understood, not_readable };
  state is = state::understood;
  std::string why = {};  // when it is not
  nlohmann::json entries = nlohmann::json::array();
};

// No file: no entries.
store_content read_store(const fs::path& path) {
  std::string text;
  const int error = read_whole_file(path, text);
  if (error == ENOENT) return {};
  if (error != 0) return {store_content::state::not_readable, system_words(error)};
  nlohmann::json whole = nlohmann::json::parse(text, nullptr, false);
  if (whole.is_discarded()) return {store_content::state::not_understood, "it is no JSON"};
  if (!whole.is_object() || whole.value("format", nlohmann::json()) != file_format || !whole.contains("tunings") ||
      !whole["tunings"].is_array())
    return {store_content::state::not_understood, "it is of another format"};
  return {.entries = std::move(whole["tunings"])};
}

}  // namespace

fs::path tuning_path(const std::string& cache_folder) {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return value && *value ? std::string(value) : std::string();
  };
  constexpr const char* file = "tunings.json";
  if (!cache_folder.empty()) return fs::path(cache_folder) / file;
  if (const std::string named = set("PIVOTSCOPE_CACHE"); !named.empty()) return fs::path(named) / file;
  // A relative one is to be ignored, says its specification.
  if (const std::string caches = set("XDG_CACHE_HOME"); caches.starts_with('/'))
    return fs::path(caches) / "pivotscope" / file;
  if (const std::string home = set("HOME"); !home.empty()) return fs::path(home) / ".cache" / "pivotscope" / file;
  return {};
}

void to_json(nlohmann::json& json, const tuning& what) {
  json = {{"machine", {{"kind", machine_name(what.kind)}, {"name", what.machine}}},
          {"keys", what.keys},
          {count_field(what.asked), what.operations},
          {"key_width", width_name(what.width)},
          {"ascending", what.ascending},
          {"smallest", what.smallest},
          {"seconds", what.seconds},
          {"tied_with_winner", what.tied_with_winner()},
          {"ranking", nlohmann::json::array()},
          {"rejected", nlohmann::json::array()}};
  for (const tuned_config& one : what.ranking) json["ranking"].push_back(config_json(one, what.asked));
  for (const tuning_reject& one : what.rejected)
    json["rejected"].push_back({{"config_line", to_line(one.config)}, {"wrong", one.wrong}, {"words", one.words}});
}

outcome<tuning> tuning_from_json(const nlohmann::json& json) {
  try {
    tuning out;
    const std::string kind = json.at("machine").at("kind").get<std::string>();
    if (kind != machine_name(machine_kind::cpu) && kind != machine_name(machine_kind::cuda))
      return problem{"an unknown machine"};
    out.kind = kind == machine_name(machine_kind::cpu) ? machine_kind::cpu : machine_kind::cuda;
    out.machine = json.at("machine").at("name").get<std::string>();
    out.keys = count_in(json, "keys");
    for (const operation asked : read_operations)
      if (json.contains(count_field(asked))) out.asked = asked;
    out.operations = count_in(json, count_field(out.asked));
    out.width = json.at("key_width") == "u64" ? key_width::u64 : key_width::u32;
    out.ascending = json.at("ascending").get<bool>();
    out.smallest = json.at("smallest").get<bool>();
    out.seconds = json.at("seconds").get<double>();
    for (const nlohmann::json& entry : json.at("ranking")) {
      outcome<tuned_config> one = config_from(entry, out.asked);
      if (!one) return one.error();
      if (one->config.keys != out.width) return problem{"a config of another key width"};
      out.ranking.push_back(std::move(*one));
    }
    for (const nlohmann::json& entry : json.at("rejected")) {
      outcome<index_config> config = config_from_line(entry.at("config_line").get<std::string>());
      if (!config) return config.error();
      out.rejected.push_back({*config, entry.at("wrong").get<bool>(), entry.at("words").get<std::string>()});
    }
    if (out.ranking.empty()) return problem{"a ranking of nothing"};
    rank(out.ranking);
    return out;
  } catch (const nlohmann::json::exception& e) {
    return problem{e.what()};
  }
}

kept_tuning load_tuning(const fs::path& path, const tuning_question& question) {
  if (path.empty()) return {};
  const store_content kept = read_store(path);
  if (kept.is != store_content::state::understood) {
    const bool replaced = kept.is == store_content::state::not_understood;
    return {.note = fmt::format("What was tuned before, in {}, cannot be used ({}){}.", path.string(), kept.why,
                                replaced ? "; the next tuning keeps it aside and begins anew" : "")};
  }
  for (const nlohmann::json& entry : kept.entries) {
    try {
      if (!is_kept_for(entry, question)) continue;
    } catch (const nlohmann::json::exception&) {
      continue;
    }
    outcome<tuning> found = tuning_from_json(entry.at("tuning"));
    if (found) return {.found = std::move(*found)};
    return {.note = fmt::format("What was tuned before for this workload, in {}, cannot be used ({}); tune again to "
                                "replace it.",
                                path.string(), found.error().words)};
  }
  return {};
}

outcome<std::string> keep_tuning(const fs::path& named, const std::string& workload, const tuning& what) {
  const auto refuse = [&](const std::string& why) {
    return problem{fmt::format("The tuning cannot be kept: {}.", why)};
  };
  if (named.empty()) return refuse("neither HOME nor XDG_CACHE_HOME is set");
  const outcome<fs::path> path = behind_links(named);
  if (!path) return refuse(path.error().words);
  std::error_code fault;
  fs::create_directories(path->parent_path(), fault);
  if (fault) return refuse(fmt::format("{}: {}", path->parent_path().string(), fault.message()));
  // Others may be at it: what they have kept meanwhile is read, and stays.
  const outcome<file_lock> lock = file_lock::take(path->string() + ".lock");
  if (!lock) return refuse(lock.error().words);
  store_content known = read_store(*path);
  if (known.is == store_content::state::not_readable) {
    return refuse(fmt::format("{} cannot be read: {}", path->string(), known.why));
  }
  std::string told;
  if (known.is == store_content::state::not_understood) {
    const outcome<fs::path> aside = set_aside(*path);
    if (!aside) return refuse(fmt::format("what is there cannot be used ({}), and {}", known.why, aside.error().words));
    told = fmt::format("What was tuned before, in {}, cannot be used ({}); it is kept as {}, and a new file is begun.",
                       path->string(), known.why, aside->string());
  }
  const tuning_question question{what.kind, what.machine, workload, what.width, what.ascending, what.smallest};
  nlohmann::json entries = nlohmann::json::array();
  entries.push_back({{"workload", workload}, {"tuning", what}});
  for (nlohmann::json& entry : known.entries) {
    if (entries.size() >= most_kept) break;
    try {
      if (is_kept_for(entry, question)) continue;
    } catch (const nlohmann::json::exception&) {
      // It answers no question of ours; it may be a later program's.
    }
    entries.push_back(std::move(entry));
  }
  const status written = write_whole_file(*path, nlohmann::json{{"format", file_format}, {"tunings", entries}}.dump(
                                                     1, ' ', false, nlohmann::json::error_handler_t::replace) +
                                                     "\n");
  if (!written) return problem{refuse(written.error().words).words + (told.empty() ? "" : " " + told)};
  return told;
}

}  // namespace pivotscope
