#include "app/session/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "app/files/curve_files.hpp"
#include "app/files/folder_list.hpp"
#include "app/files/pasted.hpp"
#include "app/files/scenario_text.hpp"
#include "app/files/snapshot_files.hpp"
#include "app/session/memory_benchmark_job.hpp"
#include "app/session/told_batch.hpp"
#include "core/common/whole_file.hpp"
#include "core/index/axes.hpp"
#include "core/index/cell_state.hpp"
#include "core/index/check.hpp"
#include "core/index/model.hpp"
#include "core/index/operations.hpp"
#include "core/tuning/batch_to_time.hpp"
#include "core/tuning/name_alone.hpp"
#include "core/tuning/tuning_store.hpp"
#include "core/workload/own_numbers.hpp"
#include "core/workload/question_text.hpp"
#include "core/workload/script_text.hpp"
#include "viz/words/format.hpp"
#include "viz/words/sentence_numbers.hpp"

namespace pivotscope {
namespace {

enum reading : int { a_path = 1, a_random_key = 2, a_slot = 3, a_tuning = 4, a_folder = 5 };

u64 random_below(u64 bound) {
  static thread_local std::mt19937_64 source{std::random_device{}()};
  return std::uniform_int_distribution<u64>(0, bound - 1)(source);
}

u64 greatest_of(key_width width) { return width == key_width::u32 ? 0xFFFFFFFFull : ~0ull; }

// A cell of the main region that holds an entry, of an index that has cells.
outcome<std::optional<cell_ref>> draw_cell(const built_index& index, const index_model& model) {
  if (const index_ranks* ranks = model.ranks()) return std::optional(ranks->cell(random_below(ranks->count())));
  const u64 cells = model.region(main_region).cells;
  for (int attempt = 0; attempt < 200; ++attempt) {
    const cell_ref drawn{main_region, random_below(cells)};
    const outcome<cell_state> state = read_state(index, model, drawn);
    if (!state) return state.error();
    if (*state == cell_state::live) return std::optional(drawn);
  }
  return live_cell_from(index, model, random_below(cells));
}

using drawn_key = outcome<std::optional<u64>>;  // none: there is no such key, or it was not met

drawn_key draw_hit(const built_index& index) {
  const std::shared_ptr<const index_model> model = model_of(index);
  if (model->keys() == 0) return std::optional<u64>();
  const auto cell = draw_cell(index, *model);
  if (!cell) return cell.error();
  if (!*cell) return std::optional<u64>();
  const outcome<u64> key = read_key(index, *model, **cell);
  if (!key.ok()) return key.error();
  return std::optional(*key);
}

// Beside a key, or anywhere.
drawn_key draw_miss(const built_index& index) {
  const std::shared_ptr<const index_model> model = model_of(index);
  const u64 n = model->keys(), greatest = greatest_of(index.config().keys);
  for (int attempt = 0; attempt < 200; ++attempt) {
    u64 key = random_below(greatest);
    if (n > 0 && attempt % 2 == 0) {
      const drawn_key beside = draw_hit(index);
      if (!beside.ok()) return beside.error();
      if (*beside) key = **beside < greatest ? **beside + 1 : **beside - 1;
    }
    const outcome<lookup_trace> trace = trace_lookup(index, key);
    if (!trace.ok()) return trace.error();
    if (trace->row == not_found) return std::optional(key);
  }
  return std::optional<u64>();
}

// None: the scenario is not understood.
std::optional<viz::snapshot> snapshot_from(kept_snapshot kept) {
  const outcome<scenario_text> parsed = scenario_from_line(kept.scenario);
  if (!parsed || !parsed->config || !parsed->load) return std::nullopt;
  viz::snapshot shown{.line = std::move(kept.scenario),
                      .config = *parsed->config,
                      .load = *parsed->load,
                      .key = parsed->key,
                      .at = parsed->at,
                      .png = kept.png.empty() ? nullptr : std::make_shared<const std::string>(std::move(kept.png))};
  if (!shown.at.in_time()) shown.at.step = kept.step + 1;  // before places stood in the line
  return shown;
}

session_options with_whole_paths(session_options options) {
  options.start.load = with_whole_paths(std::move(options.start.load));
  return options;
}

}  // namespace

session::session(session_options options)
    : options_(with_whole_paths(std::move(options))),
      board_(options_.start, options_.wake, options_.now),
      pipeline_(board_, options_.machines, options_.from, options_.now, options_.room,
                options_.data_folder.empty() ? "" : options_.data_folder / "scripts"),
      interleaver_(board_, options_.from, options_.now, options_.room),
      pages_(reader_, options_.wake) {
  pipeline_.want();
  find_the_machines(options_.machine_chosen);
  find_the_snapshots();
  find_the_curves();
}

session::~session() { stop(); }

void session::stop() {
  pipeline_.stop();
  interleaver_.stop();
  reader_.stop();
  keeper_.finish();
}

void session::find_the_snapshots() {
  const std::filesystem::path folder = options_.data_folder.empty() ? "" : options_.data_folder / "snapshots";
  keeper_.add([this, folder] {
    viz::snapshots found;
    for (u32 slot = 0; slot < viz::snapshot_slots && !folder.empty(); ++slot) {
      outcome<std::optional<kept_snapshot>> kept = load_snapshot(folder, slot);
      if (!kept) board_.tell({kept.error().words, false});
      if (!kept || !*kept) continue;
      std::optional<viz::snapshot> shown = snapshot_from(std::move(**kept));
      if (!shown)
        board_.tell({fmt::format("Snapshot {} has a scenario that is not understood here; it stays in {}.", slot + 1,
                                 folder.string()),
                     false});
      found[slot] = std::move(shown);
    }
    board_.change([&](viz::session_view& view) {
      // What was kept meanwhile is newer.
      for (u32 slot = 0; view.snapshots && slot < viz::snapshot_slots; ++slot)
        if ((*view.snapshots)[slot]) found[slot] = (*view.snapshots)[slot];
      view.snapshots = std::make_shared<const viz::snapshots>(std::move(found));
    });
  });
}

void session::find_the_curves() {
  reader_.add([this] {
    auto curves = std::make_shared<const viz::known_curves>(kept_curves());
    board_.change([&](viz::session_view& view) { view.curves = std::move(curves); });
  });
}

void session::keep_snapshot(u32 slot, const view_position& at, std::string png) {
  kept_snapshot kept{scenario_line(at), at.step.value_or(1) - 1, std::move(png)};
  put_snapshot(slot, snapshot_from(kept));
  if (options_.data_folder.empty())
    return board_.tell(
        {"The snapshot is kept until the window closes: there is no folder for it, since neither HOME nor "
         "XDG_CONFIG_HOME is set.",
         false});
  keeper_.add([this, slot, kept = std::move(kept)] {
    const status done = pivotscope::keep_snapshot(options_.data_folder / "snapshots", slot, kept);
    if (!done) board_.tell({fmt::format("The snapshot is not kept: {}.", done.error().words), true});
  });
}

void session::write_picture(std::shared_ptr<picture_series> series, std::size_t which,
                            std::function<outcome<std::string>()> made) {
  reader_.add([this, series = std::move(series), which, made = std::move(made)] {
    if (series->failed) return;
    const std::filesystem::path& path = series->paths.at(which);
    std::error_code fault;  // the write will say so
    std::filesystem::create_directories(path.parent_path(), fault);
    const outcome<std::string> bytes = made();
    const status done = bytes ? write_whole_file(path, *bytes) : status(bytes.error());
    if (!done) {
      series->failed = true;
      return board_.tell({fmt::format("There is no picture of {}: {}.", series->what, done.error().words), true});
    }
    if (++series->written != series->paths.size()) return;
    const std::string last = series->paths.size() == 1 ? "" : " to " + series->paths.back().filename().string();
    board_.tell({fmt::format("{} is drawn into {}{}.", series->what, series->paths.front().string(), last), false});
  });
}

void session::remove_snapshot(u32 slot) {
  put_snapshot(slot, std::nullopt);
  if (options_.data_folder.empty()) return;
  keeper_.add([this, slot] {
    const status done = pivotscope::remove_snapshot(options_.data_folder / "snapshots", slot);
    if (!done) board_.tell({done.error().words, true});
  });
}

void session::put_snapshot(u32 slot, std::optional<viz::snapshot> what) {
  board_.change([&](viz::session_view& view) {
    viz::snapshots changed = view.snapshots ? *view.snapshots : viz::snapshots{};
    changed.at(slot) = std::move(what);
    view.snapshots = std::make_shared<const viz::snapshots>(std::move(changed));
  });
}

void session::find_the_machines(bool machine_chosen) {
  reader_.add([this, machine_chosen] {
    auto found = std::make_shared<const std::vector<machine_report>>(options_.from.find());
    auto kept = std::make_shared<const viz::known_memory_benchmarks>(
        kept_memory_benchmarks(*found, options_.machines.cache_folder));
    bool moves = false;
    board_.change([&](viz::session_view& view) {
      view.machines = found;
      view.memory_benchmarks = std::move(kept);
      for (const machine_report& report : *found)
        moves |= !machine_chosen && report.available && report.kind == machine_kind::cuda;
      if (!moves) return;
      const viz::session_choice before = view.choice;
      view.choice.machine = machine_kind::cuda;
      settle_batch(before, view.choice);
    });
    if (moves) pipeline_.want();
  });
}

std::string session::scenario_line(const view_position& at) const {
  const viz::session_choice choice = board_.choice();
  return to_line(choice.config, choice.load, choice.key, at);
}

namespace {

// A question that the chosen method lacks becomes the one that all have: is the number there?
void ask_what_it_answers(viz::session_view& view) {
  std::optional<question>& key = view.choice.key;
  const family& chosen = family_of(view.choice.config);
  if (!key || chosen.serves(key->kind)) return;
  view.notices.push_back({.words = fmt::format("{}; {} is looked for instead of {}.",
                                               lacks_words(view.choice.config, key->kind), key->key, to_text(*key)),
                          .fault = false,
                          .of_choice = true});
  key = question(key->key);
}

}  // namespace

// Other threads choose too: a key, or the machine once it is known. So what is changed is what is there then.
template <class Change>
void session::choose(Change&& apply, std::optional<question> key) {
  if (key) ++key_asked_;
  board_.change([&](viz::session_view& view) {
    const viz::session_choice before = view.choice;
    apply(view.choice);
    if (key || !same_key_set(before, view.choice)) view.choice.key = key;
    board_.forget_choice(view);
    ask_what_it_answers(view);
  });
  pipeline_.want();
}

void session::choose_config(const index_config& config) {
  if (const auto refused = check(config)) return board_.tell({.words = *refused, .of_choice = true});
  const viz::session_choice before = board_.choice();
  if (before.config == config) return;
  if (const auto refused = check(before.load, config.keys)) return board_.tell({.words = *refused, .of_choice = true});
  choose([&](viz::session_choice& choice) {
    const viz::session_choice was = choice;
    choice.config = config;
    settle_batch(was, choice);
  });
}

void session::choose_workload(const workload& wanted) {
  const viz::session_choice before = board_.choice();
  const workload load = with_whole_paths(wanted);
  if (const auto refused = check(load, before.config.keys)) return board_.tell({.words = *refused, .of_choice = true});
  if (before.load == load) return;
  choose([&](viz::session_choice& choice) {
    const viz::session_choice was = choice;
    choice.load = load;
    settle_batch(was, choice);
  });
}

void session::choose_batch(std::optional<u64> size) {
  viz::session_choice wanted = board_.choice();
  tell_batch(wanted, size);
  if (const auto refused = check(wanted.load, wanted.config.keys))
    return board_.tell({.words = *refused, .of_choice = true});
  choose([&](viz::session_choice& choice) { tell_batch(choice, size); });
}

status session::take_keys(std::string_view text) {
  constexpr std::size_t longest = 16 << 20;
  constexpr u64 most = 1 << 20;
  const viz::session_choice now = board_.choice();
  if (text.size() > longest)
    return problem{fmt::format("that is {} of text; up to {} are taken here: put it into a file",
                               viz::bytes_text(text.size()), viz::bytes_text(longest))};
  outcome<std::vector<u64>> numbers = numbers_from_text(text, now.config.keys, most);
  if (!numbers) return numbers.error();
  if (numbers->size() <= max_listed) {
    choose_workload(with_keys(now.load, {.list = std::move(*numbers)}));
    return fine();
  }
  if (options_.data_folder.empty())
    return problem{
        fmt::format("more than {} keys are kept in a file, and there is no folder for it: neither HOME nor "
                    "XDG_CONFIG_HOME is set",
                    max_listed)};
  keeper_.add([this, numbers = std::move(*numbers)] {
    const outcome<std::filesystem::path> kept = keep_pasted(options_.data_folder / "pasted", numbers);
    if (!kept) return board_.tell({kept.error().words, true});
    choose_workload(with_keys(board_.choice().load, {.file = kept->string()}));
  });
  return fine();
}

void session::choose_machine(machine_kind kind) {
  if (board_.choice().machine == kind) return;
  choose([&](viz::session_choice& choice) {
    const viz::session_choice was = choice;
    choice.machine = kind;
    settle_batch(was, choice);
  });
}

void session::choose_key(std::optional<question> key) {
  ++key_asked_;
  std::shared_ptr<const built_index> index;
  board_.change([&](viz::session_view& view) {
    view.choice.key = key;
    board_.forget_choice(view);
    ask_what_it_answers(view);
    key = view.choice.key;
    index = view.index;
    if (!key) view.path.reset();
  });
  if (key && index) walk(index, *key);
}

// The path of a key, unless another index or key has come until it is there.
void session::walk(std::shared_ptr<const built_index> index, question key) {
  reader_.replace(a_path, [this, index = std::move(index), key] {
    outcome<lookup_trace> trace = trace_of(*index, key);
    if (!trace.ok()) return board_.tell({.words = trace.error().words, .of_choice = true});
    viz::group_numbers(*trace);
    auto path = std::make_shared<const viz::path_data>(viz::path_data{index, std::move(*trace)});
    board_.change([&](viz::session_view& view) {
      if (view.index == index && view.choice.key == key) view.path = std::move(path);
    });
  });
}

void session::choose_random_key(bool hit) {
  const viz::session_view now = board_.copy();
  if (!now.index) return;
  const std::optional<u64> shown = now.choice.key ? std::optional(now.choice.key->key) : std::nullopt;
  reader_.replace(a_random_key, [this, asked = ++key_asked_, index = now.index, hit, shown] {
    const auto draw = [&] { return hit ? draw_hit(*index) : draw_miss(*index); };
    drawn_key key = draw();
    // Another one, where there is one: the same again would look as if nothing had been asked.
    for (int attempt = 0; attempt < 32 && key.ok() && key.value() && *key.value() == shown; ++attempt) key = draw();
    if (!key.ok()) return board_.tell({.words = key.error().words, .of_choice = true});
    if (asked != key_asked_) return;  // another key was chosen meanwhile
    if (key.value()) return choose_key(*key.value());
    board_.tell({.words = hit ? "There is no key to draw: the index is empty."
                              : "No missing key was found in 200 draws: nearly every value of this width is a key.",
                 .fault = false,
                 .of_choice = true});
  });
}

void session::choose_key_at(region_id array, u64 slot) {
  const viz::session_view now = board_.copy();
  if (!now.index) return;
  reader_.replace(a_slot, [this, asked = ++key_asked_, index = now.index, array, slot] {
    const outcome<u64> key = read_key(*index, *model_of(*index), {array, slot});
    if (!key.ok()) return board_.tell({.words = key.error().words, .of_choice = true});
    if (asked == key_asked_) choose_key(*key);
  });
}

void session::tune(bool ascending, bool smallest) {
  const viz::session_choice now = board_.choice();
  if (const std::string words = too_few_to_time(extent_of(now.load, now.machine)); !words.empty())
    return board_.tell({.words = words + ": nothing is tuned.", .of_choice = true});
  pipeline_.tune(ascending, smallest);
}

void session::find_tuning(bool ascending, bool smallest) {
  const viz::session_view now = board_.copy();
  if (!now.machines) return;
  tuning_question question{now.choice.machine,     "",        to_line(now.choice.load),
                           now.choice.config.keys, ascending, smallest};
  for (const machine_report& report : *now.machines)
    if (report.kind == question.kind) question.machine = report.info.name;
  viz::tuning_state asked{.load = now.choice.load,
                          .machine = question.kind,
                          .width = question.width,
                          .ascending = ascending,
                          .smallest = smallest};
  if (now.tunings) {
    const auto done = std::find_if(now.tunings->begin(), now.tunings->end(),
                                   [&](const viz::tuning_state& one) { return one.answers(asked); });
    if (done != now.tunings->end())
      return board_.change([&](viz::session_view& view) {
        if (!view.tuned.running) view.tuned = *done;
      });
  }
  // Of a file nothing is kept: another day it may hold something else.
  if (!is_whole_line(now.choice.load))
    return board_.change([&](viz::session_view& view) {
      if (!view.tuned.running && !view.tuned.answers(asked)) view.tuned = asked;
    });
  const auto path = tuning_path(options_.machines.cache_folder);
  reader_.replace(a_tuning, [this, question, path, asked]() mutable {
    kept_tuning kept = load_tuning(path, question);
    if (kept.found) asked.result = std::make_shared<const tuning>(std::move(*kept.found));
    asked.kept = asked.result != nullptr;
    asked.note = std::move(kept.note);
    board_.change([&](viz::session_view& view) {
      // What has been measured meanwhile is newer.
      if (!view.tuned.running && !(view.tuned.answers(asked) && view.tuned.result)) view.tuned = asked;
    });
  });
}

void session::list_folder(const std::string& path) {
  reader_.replace(a_folder, [this, path] {
    auto list = std::make_shared<const viz::folder_list>(pivotscope::list_folder(whole_path(path)));
    board_.change([&](viz::session_view& view) { view.folder = std::move(list); });
  });
}

// What was tuned over files may be of something else now.
void session::read_again() {
  board_.change([](viz::session_view& view) {
    const auto of_files = [](const viz::tuning_state& one) { return !is_whole_line(one.load); };
    if (!view.tuned.running && of_files(view.tuned)) view.tuned = {};
    if (!view.tunings) return;
    auto left = std::make_shared<std::vector<viz::tuning_state>>(*view.tunings);
    std::erase_if(*left, of_files);
    view.tunings = std::move(left);
  });
  pipeline_.read_again();
}

void session::copy_script() {
  const std::shared_ptr<const viz::update_history> updates = board_.copy().updates;
  if (options_.set_clipboard && updates && updates->all)
    options_.set_clipboard(to_text(first_batches(*updates->all, updates->applied)));
}

void session::dismiss(std::size_t which) {
  board_.change([&](viz::session_view& view) {
    if (which < view.notices.size()) view.notices.erase(view.notices.begin() + static_cast<std::ptrdiff_t>(which));
  });
}

void session::copy_scenario(const view_position& at) {
  if (options_.set_clipboard) options_.set_clipboard(scenario_line(at));
}

std::optional<view_position> session::open_scenario(std::string_view text) {
  const auto refuse = [this](std::string words) -> std::optional<view_position> {
    board_.tell({.words = std::move(words), .of_choice = true});
    return std::nullopt;
  };
  const outcome<scenario_text> parsed = scenario_from_line(text);
  if (!parsed.ok()) return refuse(parsed.error().words);
  std::vector<std::string> told;  // once it is chosen
  for (const std::string& dropped : parsed->dropped) told.push_back(fmt::format("In the scenario {}.", dropped));
  const viz::session_choice before = board_.choice();
  viz::session_choice after = before;
  after.load = with_whole_paths(parsed->load.value_or(before.load));
  if (parsed->config) {
    const auto found = board_.copy().machines;
    after.config = config_for(typed_config(*parsed->config, parsed->name_alone), after.load.keys, before.machine,
                              found ? std::span(*found) : std::span<const machine_report>());
  }
  if (const auto refused = check(after.load, after.config.keys)) return refuse(*refused);
  const std::optional<question> key = parsed->key;
  if (key && key->greatest_key() > greatest_of(after.config.keys))
    return refuse(fmt::format("lookup={} does not fit into this index's 32-bit keys.", to_text(*key)));
  choose(
      [&](viz::session_choice& choice) {
        const viz::session_choice was = choice;
        choice.config = after.config;
        choice.load = after.load;
        // What a line says of its batch holds; one that says nothing of it has what such a line means, until the keys change.
        if (parsed->load)
          choice.batch_told = parsed->batch_told;
        else
          settle_batch(was, choice);
      },
      key);
  // An index that stays in view has no build to walk the key.
  if (key && same_key_set(before, after) && before.config == after.config) choose_key(key);
  for (std::string& words : told) board_.tell({.words = std::move(words), .fault = false, .of_choice = true});
  return parsed->at;
}

}  // namespace pivotscope
