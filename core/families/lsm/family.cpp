// The family `lsm` as the program knows it: a log-structured merge tree.
#include "core/index/family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "core/families/lsm/lsm.hpp"
#include "core/families/lsm/lsm_model.hpp"
#include "core/families/lsm/pseudo_code.hpp"
#include "core/families/lsm/run_merger.hpp"
#include "core/families/lsm/words.hpp"
#include "core/index/table_knobs.hpp"

namespace pivotscope {

extern const host_code lsm_host_code;  // host.cpp
extern const trace_code lsm_trace_code;

namespace {

constexpr build_pass passes[] = {
    {"build entries", "building entries", "build_entries", host_tiles<lsm, lsm::build_entries>, 1, key_use::any,
     done_by::block},
    {"make run", "making a run", "make_run", host_tiles<lsm, lsm::make_run>, 1, key_use::none, done_by::block},
    {"copy run", "copying a run", "copy_run", host_items<lsm, lsm::copy_run>, 1, key_use::none},
    {"start tiles", "starting tiles", "start_tiles", host_searches<lsm, lsm::start_tiles>, 1, key_use::none,
     done_by::warp},
    {"merge", "merging", "merge_tiles", host_tiles<lsm, lsm::merge_tiles>, 1, key_use::none, done_by::block}};
constexpr const build_pass &build_entries = passes[0], &make_run = passes[1];
constexpr run_merger_passes merger_passes{passes[2], passes[3], passes[4]};

u32 tiles_of(const index_config& config, u64 steps) {
  return static_cast<u32>(ceil_div<u64>(steps, lsm::tile_steps(key_bytes(config.keys))));
}

class lsm_family_type final : public family {
 public:
  family_id id() const override { return lsm_id; }
  std::string_view name() const override { return "lsm"; }
  std::string_view sentence() const override {
    return "Sorted runs on levels that double in size; batches of updates are merged into them.";
  }
  std::string_view source() const override { return "GPU LSM (Ashkiani et al., IPDPS 2018)"; }

  bool keeps_duplicates(const index_config&) const override { return false; }

  std::span<const method> methods() const override {
    static const method list[] = {
        {"LSM",
         "A log-structured merge tree: levels of sorted entries, each twice as large as the one before. A batch of "
         "changes is sorted and merged with the small levels alone. A lookup searches them from the newest to the "
         "oldest."}};
    return list;
  }
  std::vector<axis> axes() const override {
    std::vector<axis> list = {
        common_axis("keys"),
        {"level0",
         "Level 0",
         "Entries that the newest level has room for, a power of two: best as many as a batch has writes. Each level "
         "has room for twice as many as the one before.",
         {"4", "64", "2^10", "2^14", "2^16", "2^20", "2^24"},
         std::nullopt,
         [](const index_config& c) { return room_text(c.knobs[0]); },
         [](index_config& c, std::string_view text) {
           const auto entries = parse_room(text);
           if (entries) c.knobs[0] = *entries;
           return entries.has_value();
         },
         no_explanation}};
    for (const char* name : {"threads", "per_thread", "schedule", "blocks_per_sm", "reorder"})
      list.push_back(common_axis(name));
    return list;
  }
  index_config standard() const override { return lsm_config{}; }
  std::optional<std::string> check(const index_config& config) const override {
    const u32 level0 = lsm_config::of(config).level0;
    if (level0 >= least_level0 && level0 <= most_level0 && std::has_single_bit(level0)) return std::nullopt;
    return fmt::format("level0={} is no power of two from {} to 2^24", level0, least_level0);
  }
  void accept(index_config& config, std::string_view) const override {
    lsm_config c = lsm_config::of(config);
    c.level0 = std::clamp(std::bit_floor(std::max(c.level0, 1u)), least_level0, most_level0);
    config = c;
  }

  // The state tells how large levels are: no kernel is compiled for it.
  index_config config_as_compiled_for(const index_config& config, operation) const override {
    lsm_config c = lsm_config::of(config);
    c.level0 = lsm_config{}.level0;
    return c;
  }
  index_config for_build(const index_config& config) const override { return lsm_config{.keys = config.keys}; }

  outcome<state_bytes> build(executor& on, const index_config& config) const override {
    lsm_view lsm = lsm_as_built(lsm_config::of(config), on.keys());
    if (auto s = on.allocate(regions_of(config, on.keys())); !s) return s.error();
    if (on.keys() == 0) return state_bytes(lsm);
    const u32 level = lsm.levels - 1, keys = lsm.counts[level];
    const lsm_pass pass{.newer = {.count = keys}, .to = {run_place::region, keys, lsm.first_cell(level)}};
    const auto made = on.run(build_entries, tiles_of(config, keys), state_bytes(pass));
    if (!made) return made.error();
    lsm.counts[level] = static_cast<u32>(*made);
    return state_bytes(lsm);
  }

  bool changes_by_batch(const index_config&) const override { return true; }
  bool changes_in_place(const index_config&) const override { return true; }
  bool notes_erases() const override { return true; }
  outcome<state_bytes> update(executor& on, const index_config& config, const state_bytes& state,
                              const write_batch& batch) const override {
    lsm_view lsm = state.as<lsm_view>();
    const u32 writes = static_cast<u32>(batch.size());
    lsm.taken_before = lsm.taken(), lsm.has_batch = true;
    if (auto s = on.sort_pairs(batch_keys, batch_numbers, writes, "sort batch"); !s) return s.error();
    u32 into = 0;
    u64 entries = writes + u64{lsm.counts[0]};
    while (entries > lsm.room(into)) entries += lsm.counts[++into];
    if (auto s = give_room(on, lsm, into, entries); !s) return s.error();

    run_merger merger(on, config, merger_passes, !has_entries_above(lsm, into));
    for (u32 level = 0; level <= into; ++level)
      if (lsm.counts[level] > 0) merger.add({run_place::region, lsm.counts[level], lsm.first_cell(level)}, level);
    const lsm_run to{run_place::region, 0, lsm.first_cell(into)};
    if (auto s = merger.make_place(writes, to); !s) return s.error();
    const lsm_pass pass{.newer = {.count = writes},
                        .to = merger.first_place(),
                        .erases = static_cast<u32>(batch.erases),
                        .first_row = batch.first_row,
                        .keeps_tombstones = merger.keeps_tombstones()};
    const auto made = on.run(make_run, tiles_of(config, writes), state_bytes(pass));
    if (!made) return made.error();
    const auto merged = merger.merge(static_cast<u32>(*made));
    if (!merged) return merged.error();
    std::fill(lsm.counts, lsm.counts + into, 0);
    lsm.counts[into] = *merged;
    set_levels(lsm);
    return state_bytes(lsm);
  }

  outcome<state_bytes> rebuild(executor& on, const index_config& config, const state_bytes& state) const override {
    const lsm_view lsm = state.as<lsm_view>();
    if (lsm.levels == 0) return clear(on, config, state);
    run_merger merger(on, config, merger_passes, true);
    u32 newest = 0;
    while (lsm.counts[newest] == 0) ++newest;
    const lsm_run first{run_place::region, lsm.counts[newest], lsm.first_cell(newest)};
    for (u32 level = newest + 1; level < lsm.levels; ++level)
      if (lsm.counts[level] > 0) merger.add({run_place::region, lsm.counts[level], lsm.first_cell(level)}, level);
    return merger.clean_up(first, lsm_config::of(config));
  }

  std::shared_ptr<const index_model> model(const index_config& config, u64 keys) const override {
    const lsm_config c = lsm_config::of(config);
    return std::make_shared<const lsm_model>(c, lsm_as_built(c, keys));
  }
  std::shared_ptr<const index_model> model_of(const stored_index& index) const override {
    return std::make_shared<const lsm_model>(lsm_config::of(index.config()), index.state_as<lsm_view>());
  }
  pseudo_code pseudo_code_of(const index_config&, operation kind) const override { return lsm_pseudo_code(kind); }
  void tell(lookup_trace& trace, const stored_index& index) const override { tell_lsm(trace, index); }

  const host_code& on_host() const override { return lsm_host_code; }
  const trace_code& on_trace() const override { return lsm_trace_code; }
  device_code on_device() const override { return {"core/families/lsm/lsm.hpp", "lsm", passes}; }

  void add_candidates(const candidate_question& question, std::vector<index_config>& list) const override {
    if (question.ascending || question.smallest) return;  // levels have cells that are not in use
    list.push_back(lsm_config{.keys = question.width});
  }

 private:
  static bool has_entries_above(const lsm_view& lsm, u32 level) {
    return std::any_of(lsm.counts + level + 1, lsm.counts + lsm_most_levels, [](u32 count) { return count > 0; });
  }
  static void set_levels(lsm_view& lsm) {
    lsm.levels = lsm_most_levels;
    while (lsm.levels > 0 && lsm.counts[lsm.levels - 1] == 0) --lsm.levels;
  }
  // Sees to it that the region reaches so far. A level gets its room step by step, at least twice as much each time: a
  // small index need not take a large level's bytes.
  static status give_room(executor& on, lsm_view& lsm, u32 level, u64 entries) {
    if (lsm.first_cell(level) + entries <= lsm.cells) return fine();
    lsm.cells = lsm.first_cell(level) + std::min(lsm.room(level), std::bit_ceil(entries));
    return on.resize(lsm::entries, lsm.cells);
  }
};

}  // namespace

const family& lsm_family() {
  static const lsm_family_type the_family;
  return the_family;
}

}  // namespace pivotscope
