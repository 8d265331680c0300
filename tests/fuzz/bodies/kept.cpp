// What the program wrote for itself and finds changed: tunings and the window's settings.
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/files/keys_file.hpp"
#include "app/files/settings.hpp"
#include "core/index/config_text.hpp"
#include "core/tuning/tuning_store.hpp"
#include "tests/fuzz/reader.hpp"
#include "tests/support/file_tree.hpp"
#include "viz/state/commands.hpp"

namespace pivotscope::fuzz {
namespace {

// The corpus has tunings for this question.
const tuning_question asked{.machine = "a CPU", .workload = "keys=1000"};

tuning another_tuning() {
  tuning t;
  t.machine = "another";
  t.keys = t.operations = 7;
  t.ranking = {{.config = *config_from_line("EO+BS"), .operations = 7, .samples_ms = {1, 2, 3}}};
  return t;
}

std::string text_of(const tuning& what) {
  return nlohmann::json(what).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Is there a file with just these bytes?
bool is_kept(const file_tree& folder, std::string_view bytes) {
  for (const auto& entry : std::filesystem::directory_iterator(folder.root())) {
    std::ifstream file(entry.path(), std::ios::binary);
    if (std::string(std::istreambuf_iterator<char>(file), {}) == bytes) return true;
  }
  return false;
}

bool same(const settings& a, const settings& b) {
  return a.scenario == b.scenario && a.machine == b.machine && a.light == b.light && a.motion == b.motion &&
         a.preset == b.preset && a.steps_per_second == b.steps_per_second && a.width == b.width &&
         a.height == b.height && a.panels == b.panels && a.lessons_done == b.lessons_done &&
         a.interleave == b.interleave;
}

}  // namespace

void tuning_json(std::string_view bytes) {
  const nlohmann::json json = nlohmann::json::parse(bytes, nullptr, false);
  if (json.is_discarded()) return;
  const outcome<tuning> read = tuning_from_json(json);
  if (!read) return demand_words(read.error(), bytes);
  demand(read->winner() != nullptr, "a ranking has a first");
  for (const std::string& name : {std::string("keys"), std::string(operation_noun(read->asked))})
    demand(nlohmann::json(*read).at(name) == json.at(name), "a count is what was written");
  const outcome<tuning> again = tuning_from_json(nlohmann::json::parse(text_of(*read)));
  demand(again.ok(), again.ok() ? "" : again.error().words);
  demand(text_of(*again) == text_of(*read), "a tuning is read as it was written");
}

void tuning_store(std::string_view bytes) {
  const file_tree folder;
  const std::filesystem::path path = folder.write("tunings.json", bytes);
  const kept_tuning before = load_tuning(path, asked);
  if (!before.found && !before.note.empty()) demand_words({before.note}, bytes);
  const tuning other = another_tuning();
  const auto kept = keep_tuning(path, "other keys", other);
  demand(kept.ok(), kept.ok() ? "" : kept.error().words);
  const kept_tuning found = load_tuning(path, {.machine = other.machine, .workload = "other keys"});
  demand(found.found.has_value(), "what was kept is found: " + found.note);
  demand(text_of(*found.found) == text_of(other), "what was kept is the same");
  if (!before.found && !before.note.empty()) {
    const nlohmann::json entries = nlohmann::json::parse(std::ifstream(path)).at("tunings");
    demand(entries.size() > 1 || is_kept(folder, bytes), "what cannot be used is kept, here or aside");
  }
  if (!before.found) return;
  const kept_tuning after = load_tuning(path, asked);
  demand(after.found.has_value(), "what was there before is still there");
  demand(text_of(*after.found) == text_of(*before.found), "what was there before is the same");
}

void settings_file(std::string_view bytes) {
  const file_tree folder;
  const std::filesystem::path path = folder.write("window.json", bytes);
  const outcome<settings> read = load_settings(path);
  if (!read) {
    demand(is_kept(folder, bytes), "settings that cannot be used are kept aside");
    return demand_words(read.error(), bytes);
  }
  demand(read->width >= 200 && read->width <= 16384 && read->height >= 200 && read->height <= 16384,
         "a window has a size that can be seen");
  demand(read->steps_per_second >= 0.1f && read->steps_per_second <= 60, "a path is shown at a speed");
  const nlohmann::json json = nlohmann::json::parse(bytes, nullptr, false);
  for (const auto& [name, side] : {std::pair("width", read->width), std::pair("height", read->height)}) {
    if (!json.is_object() || !json.contains(name)) continue;
    demand(json[name].is_number_integer(), "a size is a whole number");
    demand(json[name] < 200 || json[name] > 16384 || json[name] == side, "a size that is right is kept");
  }
  demand(read->preset >= 1 && read->preset <= 3, "there are three presets");
  demand(save_settings(path, *read).ok(), "settings are written");
  const outcome<settings> again = load_settings(path);
  demand(again.ok() && same(*again, *read), "settings are read as they were written");
}

void keys_json(std::string_view bytes) {
  const file_tree folder;
  const std::filesystem::path path = folder.write("keys.json", bytes);
  const loaded_keys read = load_keys(path);
  for (const std::string& words : read.problems) demand_words({words}, bytes);
  const nlohmann::json json = nlohmann::json::parse(bytes, nullptr, false);
  if (json.is_discarded())
    demand(!read.problems.empty() && is_kept(folder, bytes), "what cannot be read is kept aside");
  for (std::size_t i = 0; i < viz::commands().size(); ++i) {
    const ImGuiKeyChord keys = read.keys.of(i);
    demand(keys == ImGuiKey_None || read.keys.command_of(keys) == i, "keys are one command's");
  }
  demand(save_keys(path, read.keys).ok(), "keys are written");
  const loaded_keys again = load_keys(path);
  demand(again.problems.empty() && again.keys == read.keys, "keys are read as they were written");
}

}  // namespace pivotscope::fuzz
