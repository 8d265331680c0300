#include "core/tuning/tuning_store.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/common/json_store.hpp"
#include "core/common/json_words.hpp"
#include "core/index/config_text.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

const char* width_name(key_width width) { return width == key_width::u32 ? "u32" : "u64"; }

// A count, or the library's exception: get() would make one of any number, of 1e300 as well.
u64 count_in(const nlohmann::json& json, const std::string& name) {
  return json.at(name).get_ref<const nlohmann::json::number_unsigned_t&>();
}

// "lookups", "lower_bounds": the field that counts them, and that says of which operation a tuning is.
std::string count_field(operation asked) { return std::string(info_of(asked).field); }
std::string rate_field(operation asked) { return count_field(asked) + "_per_second"; }

nlohmann::json config_json(const tuned_config& one, operation asked) {
  const std::optional<double> noise = one.summary().noise;
  return {{"noise", noise ? nlohmann::json(*noise) : nlohmann::json()},
          {"stopped", stop_name(one.how.why)},
          {"thrown_away", one.how.thrown_away},
          {"held_back", one.how.held_back},
          {"config_line", to_line(one.config)},
          {"index_bytes", one.index_bytes},
          {"held", one.held ? nlohmann::json(*one.held) : nlohmann::json()},
          {"build_ms", one.build_ms},
          {count_field(asked), one.operations},
          {rate_field(asked), one.rate()},
          {"lower_quartile", one.rate_at(0.75)},
          {"upper_quartile", one.rate_at(0.25)},
          {"finalist", one.finalist},
          {"beats_next", one.beats_next},
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
  // Which came later than the list.
  one.how.why = stop_of_name(json.value("stopped", "")), one.how.held_back = json.value("held_back", false);
  if (json.contains("thrown_away")) one.how.thrown_away = count_in(json, "thrown_away");
  if (json.contains("held") && !json.at("held").is_null()) one.held = count_in(json, "held");
  one.how.drift = drift_of(one.samples_ms);
  return one;
}

// What is measured beside the ranking, which need not be there.
nlohmann::json standard_json(const tuned_config& one) {
  return {{"index_bytes", one.index_bytes}, {"lookups", one.operations}, {"samples_ms", one.samples_ms}};
}
outcome<tuned_config> standard_from(const nlohmann::json& json) {
  tuned_config one{.index_bytes = count_in(json, "index_bytes"),
                   .operations = count_in(json, "lookups"),
                   .samples_ms = json.at("samples_ms").get<std::vector<double>>(),
                   .finalist = true};
  if (one.samples_ms.empty()) return problem{"a search without times"};
  for (const double ms : one.samples_ms)
    if (!std::isfinite(ms) || ms < 0) return problem{"a time that is none"};
  return one;
}

// How it was measured, which came later than the list: nothing of it need be there.
void take_how(const nlohmann::json& json, tuning& out) {
  out.by = {json.value("program", ""), json.value("commit", "")};
  out.detail = json.at("machine").value("detail", ""), out.driver = json.at("machine").value("driver", "");
  out.conditions.clocks = json.value("clocks", ""), out.conditions.governor = json.value("governor", "");
  if (json.contains("load") && !json.at("load").is_null()) out.conditions.load = json.at("load").get<double>();
  if (json.contains("rounds")) out.rounds = static_cast<u32>(count_in(json, "rounds"));
  if (json.contains("repeats")) out.repeats = static_cast<u32>(count_in(json, "repeats"));
}

bool is_kept_for(const nlohmann::json& entry, const tuning_question& q) {
  const nlohmann::json& t = entry.at("tuning");
  return entry.at("workload") == q.workload && t.at("machine").at("kind") == machine_name(q.kind) &&
         t.at("machine").at("name") == q.machine && t.at("key_width") == width_name(q.width) &&
         t.at("ascending") == q.ascending && t.at("smallest") == q.smallest;
}

constexpr json_store_words words{"tunings", "What was tuned before", "The tuning", "the next tuning"};

}  // namespace

fs::path tuning_path(const std::string& cache_folder) { return cached_file(cache_folder, "tunings.json"); }

void to_json(nlohmann::json& json, const tuning& what) {
  const measuring_conditions& met = what.conditions;
  json = {
      {"program", what.by.program},
      {"commit", what.by.commit},
      {"machine",
       {{"kind", machine_name(what.kind)}, {"name", what.machine}, {"detail", what.detail}, {"driver", what.driver}}},
      {"clocks", met.clocks},
      {"governor", met.governor},
      {"load", met.load ? nlohmann::json(*met.load) : nlohmann::json()},
      {"rounds", what.rounds},
      {"repeats", what.repeats},
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
  if (what.current) json["current"] = config_json(*what.current, what.asked);
  if (what.standard) json["standard_search"] = standard_json(*what.standard);
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
    take_how(json, out);
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
    if (json.contains("current")) {
      outcome<tuned_config> one = config_from(json.at("current"), out.asked);
      if (!one) return one.error();
      out.current = std::move(*one);
    }
    if (json.contains("standard_search")) {
      outcome<tuned_config> one = standard_from(json.at("standard_search"));
      if (!one) return one.error();
      out.standard = std::move(*one);
    }
    rank(out.ranking);
    return out;
  } catch (const nlohmann::json::exception& e) {
    return problem{json_words(e)};
  }
}

kept_tuning load_tuning(const fs::path& path, const tuning_question& question) {
  const json_store_entries kept = read_json_store(path, words);
  if (!kept.note.empty()) return {.note = kept.note};
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
  return {.note = kept.damaged};
}

outcome<std::string> keep_tuning(const fs::path& path, const std::string& workload, const tuning& what) {
  const tuning_question question{what.kind, what.machine, workload, what.width, what.ascending, what.smallest};
  return add_to_json_store(path, words, {{"workload", workload}, {"tuning", what}},
                           [&](const nlohmann::json& entry) { return is_kept_for(entry, question); });
}

}  // namespace pivotscope
