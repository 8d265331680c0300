// The family `merged` as the program knows it: one sorted array.
#include "core/index/family.hpp"
#include "core/families/merged/merge_story.hpp"
#include "core/families/merged/merged.hpp"
#include "core/families/merged/merged_model.hpp"
#include "core/families/merged/pseudo_code.hpp"
#include "core/families/merged/words.hpp"

namespace pivotscope {

extern const host_code merged_host_code;  // host.cpp
extern const trace_code merged_trace_code;

namespace {

constexpr build_pass passes[] = {
    {"build entries", "building entries", "build_entries", host_items<merged, merged::build_entries>, merged_at_once,
     key_use::each},
    {"start tiles", "starting tiles", "start_tiles", host_searches<merged, merged::start_tiles>, 1, key_use::none,
     done_by::warp},
    {"merge", "merging", "merge_tiles", host_tiles<merged, merged::merge_tiles>, 1, key_use::none, done_by::block}};

class merged_family_type final : public family {
 public:
  family_id id() const override { return merged_id; }
  std::string_view name() const override { return "merged"; }
  std::string_view sentence() const override { return "One sorted array, into which batches of updates are merged."; }
  std::string_view source() const override {
    return "GPU SA, which the papers on GPU LSM and on the GPU B-tree measure against";
  }

  std::span<const method> methods() const override {
    static const method list[] = {
        {"SA",
         "The sorted array that is merged: the entries in ascending order of their keys, side by side, and a binary "
         "search of them. A change writes all of them anew, so it is made for a batch at once."}};
    return list;
  }
  std::vector<axis> axes() const override {
    std::vector<axis> list;
    for (const char* name : {"keys", "threads", "per_thread", "schedule", "blocks_per_sm", "reorder"})
      list.push_back(common_axis(name));
    return list;
  }
  index_config standard() const override { return merged_config{}; }
  std::optional<std::string> check(const index_config&) const override { return std::nullopt; }
  void accept(index_config&, std::string_view) const override {}

  index_config for_build(const index_config& config) const override { return merged_config{.keys = config.keys}; }

  outcome<state_bytes> build(executor& on, const index_config& config) const override {
    const state_bytes state(merged_view{on.keys()});
    if (auto s = on.allocate(regions_of(config, on.keys())); !s) return s.error();
    if (auto s = on.run(passes[0], on.keys(), state); !s) return s.error();
    return state;
  }

  bool changes_by_batch(const index_config&) const override { return true; }
  outcome<state_bytes> update(executor& on, const index_config& config, const state_bytes& state,
                              const write_batch& batch) const override {
    const u64 writes = batch.size();
    const merge_view merge{.before = state.as<merged_view>().entries,
                           .writes = writes,
                           .erases = batch.erases,
                           .first_row = batch.first_row};
    if (auto s = on.sort_pairs(batch_keys, batch_numbers, writes, "sort batch"); !s) return s.error();
    const u64 tiles = ceil_div<u64>(merge.before + writes, merged::tile_steps(key_bytes(config.keys)));
    if (auto s = on.allocate_array(merged::tile_starts, (tiles + 1) * sizeof(u32), "where tiles start"); !s)
      return s.error();
    if (auto s = on.run(passes[1], tiles + 1, state_bytes(merge)); !s) return s.error();
    // How many entries are erased is known at the end.
    if (auto s = on.allocate(regions_of(config, merge.before + batch.inserts)); !s) return s.error();
    const auto after = on.run(passes[2], tiles, state_bytes(merge));
    if (!after) return after.error();
    on.trim(merged::entries, *after);
    return state_bytes(merged_view{*after});
  }

  outcome<std::shared_ptr<const batch_merge>> merge_of(const stored_index& before, const script& s, u64 batch,
                                                       const job_control& control) const override {
    return merge_story::make(before, s, batch, control);
  }

  std::shared_ptr<const index_model> model(const index_config& config, u64 keys) const override {
    return std::make_shared<const merged_model>(merged_config::of(config), keys);
  }
  std::shared_ptr<const index_model> model_of(const stored_index& index) const override {
    return model(index.config(), index.state_as<merged_view>().entries);
  }
  pseudo_code pseudo_code_of(const index_config&, operation kind) const override { return merged_pseudo_code(kind); }
  void tell(lookup_trace& trace, const stored_index&) const override { tell_merged(trace); }

  const host_code& on_host() const override { return merged_host_code; }
  const trace_code& on_trace() const override { return merged_trace_code; }
  device_code on_device() const override { return {"core/families/merged/merged.hpp", "merged", passes}; }

  void add_candidates(const candidate_question& question, std::vector<index_config>& list) const override {
    list.push_back(merged_config{.keys = question.width});
  }
};

}  // namespace

const family& merged_family() {
  static const merged_family_type the_family;
  return the_family;
}

}  // namespace pivotscope
