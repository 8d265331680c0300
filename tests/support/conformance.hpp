// What every family must hold, whatever it is made of: the body of the conformance suite, for the cpu and the cuda
// machine. It asks the tables of families, methods and knobs alone, and so knows none of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/index/axes.hpp"
#include "core/index/cell_state.hpp"
#include "core/index/check.hpp"
#include "core/index/config_text.hpp"
#include "core/index/operations.hpp"
#include "core/machine/machine.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/machine/trace/trace_source.hpp"
#include "core/reference/reference.hpp"
#include "core/run/run_script.hpp"
#include "core/workload/script.hpp"
#include "tests/support/batches.hpp"
#include "tests/support/small_keys.hpp"
#include "tests/support/source_lines.hpp"

namespace pivotscope::testing {

// What ran.
struct conformance_counts {
  u64 configs = 0, indexes = 0, lookups = 0, ranges = 0, row_ids = 0, successors = 0, matches = 0, lower_bounds = 0,
      updates = 0, refusals = 0, traces = 0, cells = 0, nodes = 0, slots = 0;
};

// The family's standard with a method's name, then one config for every value of every other knob; each once.
// `every`: all values, else the last of each knob.
inline std::vector<index_config> conformance_configs(const std::string& method, bool every) {
  const index_config standard = *config_from_line(method);
  std::vector<index_config> list = {standard};
  for (const axis& a : axes(standard.family).subspan(1)) {
    for (const std::string& value : a.values) {
      if (!every && value != a.values.back()) continue;
      index_config c = standard;
      EXPECT_TRUE(a.set(c, value)) << a.name << "=" << value;
      c = nearest_accepted(c, a.name);
      if (std::find(list.begin(), list.end(), c) == list.end()) list.push_back(c);
    }
  }
  return list;
}

inline void expect_config_holds(const index_config& c) {
  EXPECT_FALSE(check(c)) << *check(c);
  EXPECT_TRUE(nearest_accepted(c) == c);
  const auto from_line = config_from_line(to_line(c));
  ASSERT_TRUE(from_line.ok()) << from_line.error().words;
  EXPECT_TRUE(*from_line == c) << to_line(c);
  const nlohmann::json json = c;
  const auto from_json = config_from_json(json);
  ASSERT_TRUE(from_json.ok()) << from_json.error().words;
  EXPECT_TRUE(*from_json == c) << json.dump();
  for (const axis& a : axes(c.family)) {
    index_config same = c;
    EXPECT_TRUE(a.set(same, a.get(c))) << a.name;
    EXPECT_TRUE(same == c) << a.name;
  }
  const family& f = family_of(c);
  EXPECT_TRUE(f.lanes(c) >= 1 && f.lanes(c) <= 32) << f.lanes(c);
  EXPECT_EQ(f.pinned_bytes(c) % 16, 0u);
  EXPECT_EQ(model_of(c, 100)->lanes().count, f.lanes(c));
}

// One index over some keys, against the keys and the oracle.
template <class Key>
class conformance_case {
 public:
  conformance_case(machine& on, const index_config& config, const std::vector<Key>& keys, conformance_counts& counts)
      : on_(on), config_(config), keys_(keys), truth_(key_array(keys)), counts_(counts) {}

  // `every_trace`: of how many lookups one is traced.
  void check(u64 every_trace) {
    const auto resident = on_.load(key_array(keys_), {});
    ASSERT_TRUE(resident.ok()) << resident.error().words;
    const auto index = on_.build(config_, *resident, {});
    ASSERT_TRUE(index.ok()) << index.error().words;
    index_ = *index;
    model_ = model_of(*index_);
    ++counts_.indexes;
    check_regions();
    if (::testing::Test::HasFailure()) return;
    check_cells();
    check_nodes();
    check_parts();
    check_build();
    for (const operation kind : all_operations) {
      if (!family_of(config_).serves(kind))
        check_refused(kind);
      else if (!is_write(kind))
        check_operation(kind, every_trace);
    }
    if (family_of(config_).changes()) check_updates();
  }

 private:
  u64 n() const { return keys_.size(); }
  // Entries that the index has.
  u64 kept() const {
    return family_of(config_).keeps_duplicates(config_) ? n() : std::set<Key>(keys_.begin(), keys_.end()).size();
  }

  // What the model says is what was allocated, and a cell's fields fill it.
  void check_regions() {
    EXPECT_EQ(model_->keys(), kept());
    EXPECT_LE(model_->levels(), max_levels);
    EXPECT_EQ(model_->levels() == 0, model_->region(main_region).cells == 0);
    const std::vector<index_region> said = regions_of(config_, n());
    ASSERT_EQ(said.size(), index_->regions().size());
    ASSERT_LE(said.size(), max_regions);
    std::set<std::string> ids;
    u64 bytes = 0;
    for (std::size_t r = 0; r < said.size(); ++r) {
      const index_region& has = index_->regions()[r];
      EXPECT_EQ(said[r].id, has.id);
      EXPECT_EQ(said[r].name, has.name);
      EXPECT_EQ(said[r].cell_bytes, has.cell_bytes) << has.id;
      EXPECT_EQ(model_->regions()[r].packs(), has.cells) << has.id;  // which may follow from the keys, too
      EXPECT_TRUE(ids.insert(has.id).second) << has.id << " twice";
      bytes += has.cells * has.cell_bytes;
      const region_info& info = model_->regions()[r];
      for (const std::string* words : {&info.name, &info.cell_name, &info.title, &info.meaning}) EXPECT_NE(*words, "");
      EXPECT_EQ(info.bytes(), has.bytes()) << info.id;
      check_fields(info);
      if (info.beside) {
        EXPECT_TRUE(info.cells == 0 || info.cells == model_->region(*info.beside).cells) << info.id;
      }
      std::vector<std::byte>& memory = memory_.emplace_back(has.bytes());
      if (const status s = index_->read(region_id(r), 0, memory); !s) ADD_FAILURE() << s.error().words;
    }
    EXPECT_EQ(index_->bytes(), bytes);
    EXPECT_GE(model_->region(main_region).cells, n());
  }

  // A cell's fields fill it, or its pack's bits the pack, in which each cell has bytes of its own.
  static void check_fields(const region_info& info) {
    u32 end = 0;
    for (const cell_field& field : info.fields) {
      EXPECT_EQ(field.offset, end) << info.id << " " << field.name;
      end = field.offset + field.bytes;
    }
    u32 end_bit = 0;
    for (const bit_field& field : info.bits) {
      EXPECT_EQ(field.first, end_bit) << info.id << " " << field.name;
      EXPECT_LT(field.cell.value_or(0), info.cells_a_pack) << info.id << " " << field.name;
      end_bit = field.end();
    }
    EXPECT_TRUE(info.bits.empty() || info.fields.empty()) << info.id;
    EXPECT_EQ(8 * end + end_bit, 8 * info.cell_bytes) << info.id;
    for (u64 cell = 0; cell < std::min<u64>(info.cells, 2 * info.cells_a_pack); ++cell) {
      const auto [first, last] = info.own_bytes(cell);
      for (u64 byte = first; byte < last; ++byte) EXPECT_EQ(info.cell_at(byte), cell) << info.id << " byte " << byte;
    }
  }

  // What a cell holds, and its row id if that lies in another region beside it.
  cell_value read(region_id region, u64 cell) const {
    const std::optional<cell_value> value = model_->value_of({region, cell}, reader());
    EXPECT_TRUE(value);
    return value.value_or(cell_value{});
  }
  region_reader reader() const {
    return [this](region_id of, u64 byte, std::span<std::byte> out) {
      const std::vector<std::byte>& bytes = memory_[number_of(of)];
      if (byte + out.size() > bytes.size()) return false;
      std::memcpy(out.data(), bytes.data() + byte, out.size());
      return true;
    };
  }

  cell_state state_of(cell_ref at) const {
    const outcome<cell_state> state = read_state(*index_, *model_, at);
    EXPECT_TRUE(state.ok()) << (state.ok() ? "" : state.error().words);
    return state.ok() ? *state : cell_state::claimed;
  }

  // Every cell is what it is said to be; each entry is in exactly one cell of the main region.
  void check_cells() {
    std::vector<u32> times(n());
    for (std::size_t r = 0; r < memory_.size(); ++r) {
      const auto region = region_id(r);
      const u64 cells = model_->region(region).cells;
      std::vector<u64> on_level(max_levels), counted(max_levels);
      for (u64 cell = 0; cell < cells; ++cell, ++counts_.cells) {
        SCOPED_TRACE(model_->region(region).id + " " + std::to_string(cell));
        const cell_info info = model_->describe(region, cell);
        const auto [key, row] = read(region, cell);
        // Nothing was erased yet, and nothing is on its way.
        const cell_state state = state_of({region, cell});
        ASSERT_TRUE(state == cell_state::live || state == cell_state::empty) << state_name(state);
        if (row) {
          EXPECT_EQ(state, state_of_row(*row == not_found ? not_found : 0));
          EXPECT_TRUE(*row == not_found || is_live_row(static_cast<u32>(*row))) << *row;
        }
        // Where cells do not tell, the model knows; where they do, what it calls empty is.
        if (!model_->cells_tell() || info.empty) {
          EXPECT_EQ(info.empty, state == cell_state::empty);
        }
        if (state == cell_state::empty) {
          EXPECT_EQ(info.rank, no_rank);
          continue;
        }
        ASSERT_LT(info.level, model_->levels());
        ++on_level[info.level];
        if (key) {
          // A separator of a tree may be what follows the key of a run.
          const bool behind_run = region != main_region && model_->cells_tell() &&
                                  family_of(config_).keeps_duplicates(config_) && truth_.contains(*key - 1);
          EXPECT_TRUE(truth_.contains(*key) || behind_run) << *key;
        }
        if (row && *row != not_found) {
          ASSERT_LT(*row, n());
          if (key) {
            EXPECT_EQ(*key, keys_[*row]);
          }
          if (region == main_region) ++times[*row];
        }
        if (!model_->ranks()) {
          EXPECT_EQ(info.rank, no_rank);
        } else if (key) {
          ASSERT_LT(info.rank, n());
          EXPECT_EQ(*key, truth_.key_at_rank(info.rank));
          EXPECT_EQ(model_->ranks()->cell_in(region, info.rank), cell);
        }
      }
      EXPECT_TRUE(model_->describe(region, cells).empty);
      model_->count_levels(region, 0, cells, counted.data());
      if (model_->region(region).beside) continue;
      // Empty cells of a level may count.
      for (u32 level = 0; level < max_levels; ++level) EXPECT_GE(counted[level], on_level[level]) << level;
      EXPECT_LE(std::accumulate(counted.begin(), counted.end(), u64{0}), cells);
    }
    EXPECT_EQ(std::count(times.begin(), times.end(), 1u), static_cast<std::ptrdiff_t>(kept()))
        << "entries that lie once";
  }

  // Every entry is in a node that links lead to from a root; an index without nodes is its cells alone.
  void check_nodes() {
    const std::vector<tree_node> nodes = model_->nodes();
    EXPECT_EQ(nodes.size(), model_->node_count());
    counts_.nodes += nodes.size();
    if (nodes.empty()) return;
    std::set<u64> reached;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const tree_node& node = nodes[i];
      ASSERT_LT(node.level, model_->levels());
      ASSERT_LT(node.parent, static_cast<int>(i));
      EXPECT_TRUE(node.middle >= 0 && node.middle <= 1) << node.middle;
      if (node.parent >= 0) {
        // A level down, or on to the next on the same one.
        const bool beside = static_cast<std::size_t>(node.parent) + 1 == i;
        EXPECT_LT(nodes[static_cast<std::size_t>(node.parent)].level, node.level + (beside ? 1 : 0)) << i;
      }
      for (u32 c = 0; node.region == main_region && c < node.cells; ++c) {
        if (node.cell(c) < model_->region(main_region).cells &&
            state_of({main_region, node.cell(c)}) == cell_state::live)
          reached.insert(node.cell(c));
      }
    }
    EXPECT_EQ(reached.size(), kept()) << "cells in nodes";
    check_links(nodes);
  }

  // Links lead down, or along a level. What cells hold leads to cells that are there.
  void check_links(const std::vector<tree_node>& nodes) {
    std::vector<node_link> links;
    ASSERT_TRUE(model_->links_of(nodes, reader(), links));
    for (const node_link& link : links) {
      ASSERT_TRUE(link.from < nodes.size() && link.to < nodes.size());
      ASSERT_NE(link.from, link.to);
      ASSERT_LE(nodes[link.from].level, nodes[link.to].level);
      EXPECT_LE(link.gap, nodes[link.from].cells);
    }
    constexpr u64 most = 4096;
    for (std::size_t r = 0; r < model_->regions().size(); ++r) {
      const cell_run all{static_cast<region_id>(r), 0, std::min(model_->regions()[r].cells, most)};
      std::vector<cell_link> leads;
      ASSERT_TRUE(model_->leads_of(all, reader(), leads));
      for (const cell_link& lead : leads) {
        ASSERT_EQ(lead.from.region, all.region);
        EXPECT_LT(lead.from.cell, all.count);
        ASSERT_LT(number_of(lead.to.region), model_->regions().size());
        EXPECT_GT(lead.cells, 0u);
        EXPECT_LE(lead.to.cell + lead.cells, model_->region(lead.to.region).cells);
      }
    }
  }

  // Every key begins in a part, which has its value where parts have values; no two have one.
  void check_parts() {
    const std::optional<fill_parts> parts = model_->fill();
    if (!parts) return;
    for (const std::string* words : {&parts->name, &parts->meaning, &parts->unit, &parts->units}) EXPECT_NE(*words, "");
    ASSERT_TRUE(parts->count > 0 && parts->room > 0 && !parts->kinds.empty());
    EXPECT_LE(parts->count * parts->cells, model_->region(parts->region).cells);
    std::vector<part_fill> all(parts->count);
    ASSERT_TRUE(model_->fills_of(0, reader(), all));
    std::optional<u64> last;
    for (u64 part = 0; part < parts->count; ++part) {
      part_fill one;
      ASSERT_TRUE(model_->fills_of(part, reader(), {&one, 1}));
      EXPECT_EQ(one, all[part]) << part;
      ASSERT_LT(one.kind, parts->kinds.size());
      EXPECT_NE(model_->part_words(part, reader()), "") << part;
      const std::optional<key_span> keys = model_->keys_of_part(part);
      if (!keys) continue;
      EXPECT_LE(keys->first, keys->last);
      if (last) {
        EXPECT_EQ(keys->first, *last + 1) << part;
      }
      last = keys->last;
      EXPECT_EQ(model_->part_of(keys->first, reader()), part);
      EXPECT_EQ(model_->part_of(keys->last, reader()), part);
    }
    for (const Key key : keys_) {
      const std::optional<u64> part = model_->part_of(key, reader());
      ASSERT_TRUE(part && *part < parts->count) << key;
      const std::optional<key_span> keys = model_->keys_of_part(*part);
      EXPECT_EQ(keys.has_value(), last.has_value());
      if (keys) {
        EXPECT_TRUE(keys->first <= key && key <= keys->last) << key;
      }
    }
  }

  // What is told of the build is what was built: the key of the rank that a slot is said to get lies there. Each cell is
  // written by one pass, or goes beside one that is.
  void check_build() {
    const std::vector<pass_info> passes = model_->build_passes();
    if (passes.empty()) return;  // nothing to build, or a family that does not tell
    EXPECT_LE(passes.size(), family_of(config_).on_device().passes.size());
    std::vector<u64> written(memory_.size());
    for (u32 p = 0; p < passes.size(); ++p) {
      const pass_info& pass = passes[p];
      SCOPED_TRACE("pass over the " + pass.name);
      EXPECT_NE(pass.name, "");
      EXPECT_NE(pass.meaning, "");
      ASSERT_GT(pass.slots, 0u);
      EXPECT_TRUE(std::is_sorted(pass.levels.begin(), pass.levels.end()));
      EXPECT_TRUE(pass.levels.empty() || pass.levels.back() < pass.slots);
      written[number_of(pass.region)] += pass.slots;
      for (u64 slot = 0; slot < pass.slots; ++slot, ++counts_.slots) check_slot(p, pass, slot);
    }
    for (std::size_t r = 0; r < memory_.size(); ++r) {
      const region_info& info = model_->regions()[r];
      EXPECT_EQ(written[r], info.beside ? 0 : info.cells) << info.id;
    }
  }

  void check_slot(u32 p, const pass_info& pass, u64 slot) {
    SCOPED_TRACE("slot " + std::to_string(slot));
    const build_step step = model_->step_of_build(p, slot);
    EXPECT_NE(step.words, "");
    const cell_info cell = model_->describe(pass.region, slot);
    EXPECT_EQ(step.empty, state_of({pass.region, slot}) == cell_state::empty);
    EXPECT_EQ(step.rank, cell.rank);
    if (step.turn) {
      EXPECT_TRUE(turns_.emplace(p, step.empty, *step.turn).second) << "turn " << *step.turn << " is another slot's";
    }
    if (step.rank == no_rank) return;
    ASSERT_LT(step.rank, n());
    EXPECT_EQ(read(pass.region, slot).key, truth_.key_at_rank(step.rank));
    ASSERT_FALSE(step.terms.empty());
    EXPECT_EQ(step.terms.back().value, step.rank);
    if (step.shift) {
      EXPECT_EQ(step.shift->before + step.shift->by, step.rank);
    }
    for (const step_term& term : step.terms)
      for (const std::string* words : {&term.name, &term.formula, &term.numbers, &term.meaning}) EXPECT_NE(*words, "");
  }

  void check_operation(operation kind, u64 every_trace) {
    switch (kind) {
      case operation::find:
        return check_lookups(every_trace);
      case operation::range:
        return check_ranges(every_trace);
      case operation::successor:
      case operation::lower_bound:
        return check_next(kind, every_trace);
      case operation::matches:
        return check_matches(every_trace);
      case operation::insert:
      case operation::erase:
        break;
    }
  }

  // In the same words everywhere: those of the family, and the methods that can.
  void check_refused(operation kind) {
    ++counts_.refusals;
    const auto words = check_serves(config_, kind);
    ASSERT_TRUE(words.has_value());
    EXPECT_NE(words->find(family_of(config_).lacks(kind)), std::string::npos) << *words;
    EXPECT_TRUE(words->starts_with(family_of(config_).method_of(config_) + " ")) << *words;
    if (is_write(kind)) return check_write_refused(kind, *words);
    const key_array one(std::vector<Key>{1});
    const auto run = on_.run(*index_, {kind, one, kind == operation::range ? one : key_array()}, {}, {});
    ASSERT_FALSE(run.ok());
    EXPECT_EQ(run.error().words, *words);
    const auto prepared = on_.prepare(config_, kind, {});
    ASSERT_FALSE(prepared.ok());
    EXPECT_EQ(prepared.error().words, *words);
    if (kind == operation::find) return;
    const auto trace =
        trace_of(*index_, kind == operation::range ? question(operation::range, 1, 1) : question(kind, 1));
    ASSERT_FALSE(trace.ok());
    EXPECT_EQ(trace.error().words, *words);
  }

  void check_write_refused(operation kind, const std::string& words) {
    script s(config_.keys);
    s.add({kind, 1});
    const auto update = on_.update(*index_, s, 0, {}, {});
    ASSERT_FALSE(update.ok());
    EXPECT_EQ(update.error().words, words);
    const auto trace = trace_write(*index_, kind, 1);
    ASSERT_FALSE(trace.ok());
    EXPECT_EQ(trace.error().words, words);
  }

  // Keys at the ends of the width, keys that are there and their neighbours: inserted, some twice, erased, some that are
  // not there, and in mixed batches with what the family answers; the entries are compared after each.
  script telling_script() const {
    const std::vector<Key> some = telling_lookups(keys_);
    script s(config_.keys);
    const auto add = [&](operation what, std::size_t every, std::size_t from) {
      for (std::size_t i = from; i < some.size(); i += every)
        if (family_of(config_).serves(what)) s.add({what, some[i], what == operation::range ? some.back() : 0});
    };
    add(operation::insert, 2, 0), add(operation::find, 1, 0), add(operation::erase, 3, 0), add(operation::find, 1, 0);
    add(operation::range, 5, 0), add(operation::insert, 4, 1), add(operation::erase, 1, 0), add(operation::find, 1, 0);
    s.begin_mixed();
    for (const operation what : all_operations) add(what, 2, 1);
    s.end_mixed();
    add(operation::insert, 3, 2), add(operation::find, 1, 0);
    return s;
  }

  void check_updates() {
    const auto keys = key_set::load(on_, key_array(keys_), {});
    ASSERT_TRUE(keys.ok()) << keys.error().words;
    const script s = telling_script();
    const auto record = run_script(on_, index_, **keys, s, {.compare_each = true}, {});
    ASSERT_TRUE(record.ok()) << record.error().words;
    EXPECT_EQ(record->wrong(), 0u) << record->first_wrong();
    counts_.updates += s.size();
    // The index that was changed is as it was, and what came of it is what its model says.
    for (std::size_t r = 0; r < memory_.size(); ++r) {
      std::vector<std::byte> now(memory_[r].size());
      ASSERT_TRUE(index_->read(region_id(r), 0, now).ok());
      EXPECT_TRUE(now == memory_[r]) << "region " << r;
    }
    const auto model = model_of(*record->index);
    for (std::size_t r = 0; r < memory_.size(); ++r)
      EXPECT_EQ(model->regions()[r].cells, record->index->regions()[r].cells) << "region " << r;
    EXPECT_EQ(record->index->keys(), n());
    EXPECT_EQ(record->index->rows(), n() + s.inserts());
  }

  // Successors, or lower bounds.
  void check_next(operation kind, u64 every_trace) {
    const std::vector<Key> asked = telling_lookups(keys_);
    const auto result = on_.run(*index_, {kind, key_array(asked)}, {}, {});
    ASSERT_TRUE(result.ok()) << result.error().words;
    ASSERT_EQ(result->answers.successors.size(), asked.size());
    const bool itself = kind == operation::lower_bound;
    (itself ? counts_.lower_bounds : counts_.successors) += asked.size();
    for (u64 i = 0; i < asked.size(); ++i) {
      const successor_answer& answer = result->answers.successors[i];
      EXPECT_TRUE(truth_.accepts_next_key(asked[i], itself, answer))
          << operation_noun(kind) << " of " << asked[i] << ": key " << answer.key << ", row " << answer.row;
      if (i % every_trace != 0) continue;
      const auto trace = trace_next(*index_, kind, asked[i]);
      ASSERT_TRUE(trace.ok()) << trace.error().words;
      ++counts_.traces;
      EXPECT_EQ(*trace->successor, answer) << asked[i];
      check_trace(*trace);
      if (answer.row == not_found) continue;
      EXPECT_EQ(read(main_region, trace->slot).row, answer.row) << asked[i];
    }
  }

  // All entries of a key; of a family that keeps one a key, that one.
  void check_matches(u64 every_trace) {
    const std::vector<Key> asked = telling_lookups(keys_);
    const auto result = on_.run(*index_, {operation::matches, key_array(asked)}, {.rows = true}, {});
    ASSERT_TRUE(result.ok()) << result.error().words;
    const batch_answers& a = result->answers;
    ASSERT_EQ(a.ranges.size(), asked.size());
    ASSERT_EQ(a.begins.size(), asked.size() + 1);
    EXPECT_TRUE(a.found.empty());
    counts_.matches += asked.size();
    for (u64 i = 0; i < asked.size(); ++i) {
      SCOPED_TRACE(asked[i]);
      const range_answer right = truth_.range(asked[i], asked[i]);
      std::vector<u32> rows(a.rows.begin() + static_cast<std::ptrdiff_t>(a.begins[i]),
                            a.rows.begin() + static_cast<std::ptrdiff_t>(a.begins[i + 1]));
      std::sort(rows.begin(), rows.end());
      EXPECT_EQ(a.ranges[i].count, rows.size());
      EXPECT_EQ(a.ranges[i].row_sum, std::accumulate(rows.begin(), rows.end(), u64{0}));
      if (family_of(config_).keeps_duplicates(config_)) {
        EXPECT_EQ(a.ranges[i], right);
        EXPECT_EQ(rows, truth_.range_rows(asked[i], asked[i]));
      } else {
        EXPECT_EQ(rows.size(), right.count > 0 ? 1u : 0u);
        for (const u32 row : rows) EXPECT_TRUE(truth_.accepts(asked[i], row));
      }
      if (i % every_trace != 0) continue;
      const auto trace = trace_of(*index_, question(operation::matches, asked[i]));
      ASSERT_TRUE(trace.ok()) << trace.error().words;
      ++counts_.traces;
      EXPECT_EQ(question_of(*trace), question(operation::matches, asked[i]));
      if (trace->range) {
        EXPECT_EQ(trace->range->answer, a.ranges[i]);
      }
    }
  }

  void check_lookups(u64 every_trace) {
    const std::vector<Key> lookups = telling_lookups(keys_);
    const auto result = look_up(on_, *index_, key_array(lookups));
    ASSERT_TRUE(result.ok()) << result.error().words;
    ASSERT_EQ(result->answers.found.size(), lookups.size());
    counts_.lookups += lookups.size();
    for (std::size_t i = 0; i < lookups.size(); ++i) {
      const u32 row = result->answers.found[i];
      EXPECT_TRUE(truth_.accepts(lookups[i], row)) << lookups[i] << " answered " << row;
      if (i % every_trace != 0) continue;
      const auto trace = trace_lookup(*index_, lookups[i]);
      ASSERT_TRUE(trace.ok()) << trace.error().words;
      ++counts_.traces;
      EXPECT_EQ(trace->row, row) << lookups[i];
      check_trace(*trace);
      if (row == not_found) continue;
      EXPECT_EQ(read(main_region, trace->slot).row, row) << lookups[i];
    }
  }

  // The ends of the width and the keys about the least, the middle and the greatest: every pair of them.
  void check_ranges(u64 every_trace) {
    std::vector<Key> ends = telling_lookups<Key>({});
    if (n() > 0) {
      for (const u64 rank : {u64{0}, n() / 2, n() - 1}) {
        const Key key = static_cast<Key>(truth_.key_at_rank(rank));
        for (const Key end : {static_cast<Key>(key - 1), key, static_cast<Key>(key + 1)}) ends.push_back(end);
      }
    }
    std::vector<Key> lows, highs;
    for (const Key low : ends) {
      for (const Key high : ends) lows.push_back(low), highs.push_back(high);
    }
    const auto result = on_.run(*index_, ranges_of(key_array(lows), key_array(highs)), {.rows = true}, {});
    ASSERT_TRUE(result.ok()) << result.error().words;
    const batch_answers& a = result->answers;
    ASSERT_EQ(a.ranges.size(), lows.size());
    ASSERT_EQ(a.begins.size(), lows.size() + 1);
    counts_.ranges += lows.size();
    counts_.row_ids += a.rows.size();
    for (std::size_t i = 0; i < lows.size(); ++i) {
      const std::string where = std::to_string(lows[i]) + " to " + std::to_string(highs[i]);
      const bool one_a_key = !family_of(config_).keeps_duplicates(config_);
      EXPECT_TRUE(truth_.accepts_range(lows[i], highs[i], one_a_key, a.ranges[i])) << where;
      ASSERT_TRUE(a.begins[i] <= a.begins[i + 1] && a.begins[i + 1] <= a.rows.size()) << where;
      std::vector<u32> rows(a.rows.begin() + static_cast<std::ptrdiff_t>(a.begins[i]),
                            a.rows.begin() + static_cast<std::ptrdiff_t>(a.begins[i + 1]));
      EXPECT_EQ(std::accumulate(rows.begin(), rows.end(), u64{0}), a.ranges[i].row_sum) << where;
      EXPECT_TRUE(truth_.accepts_range_rows(lows[i], highs[i], one_a_key, std::move(rows))) << where;
      if (i % every_trace != 0) continue;
      const auto trace = trace_range(*index_, lows[i], highs[i]);
      ASSERT_TRUE(trace.ok()) << trace.error().words;
      ++counts_.traces;
      EXPECT_EQ(trace->range->answer, a.ranges[i]) << where;
      check_trace(*trace);
    }
  }

  // The operation in a few lines: each of them is in the source where it says so, and each line of the source that a step ran is
  // one of them.
  void check_pseudo_code(const lookup_trace& trace) const {
    const operation kind = served_as(config_, trace.asked);
    auto& [code, spots] = codes_[kind];
    if (code.empty()) {
      code = family_of(config_).pseudo_code_of(config_, kind);
      EXPECT_TRUE(code.size() >= 6 && code.size() <= 16) << code.size();
      for (const pseudo_line& line : code) {
        EXPECT_NE(line.text, "");
        for (const source_spot& spot : source_of(line)) spots.emplace(spot.file, spot.line);
        for (const source_mark& mark : line.source)
          EXPECT_FALSE(source_of({.text = "", .source = {mark}}).empty()) << mark.file << " has no " << mark.text;
      }
    }
    for (const trace_step& step : trace.steps)
      for (const source_line& ran : step.ran)
        EXPECT_TRUE(spots.contains({ran.file, ran.line}))
            << ran.file << ":" << ran.line << " " << text_of(ran) << ": no line of " << code.front().text;
  }

  // Every step says in words what it does, reads and compares what lies there, and has its lines of the source.
  void check_trace(const lookup_trace& trace) const {
    EXPECT_NE(trace.verdict, "");
    EXPECT_EQ(trace.start.empty(), trace.steps.empty());
    check_pseudo_code(trace);
    for (const trace_step& step : trace.steps) {
      EXPECT_NE(step.words, "");
      EXPECT_NE(step.where, "");
      EXPECT_TRUE(&step == &trace.steps.back() || step.left.empty() == trace.write.has_value()) << step.where;
      EXPECT_EQ(wrong_source(step), "");
      EXPECT_EQ(step.next.empty(), &step == &trace.steps.back());
      EXPECT_LE(step.level, model_->levels());  // below the last one: a look at the cell arrived at
      EXPECT_LE(step.left_first, step.left_end);
      EXPECT_LE(step.left_end, model_->ranks() ? n() : model_->region(main_region).cells);
      for (const memory_access& a : step.accesses) {
        if (a.space == memory_space::scratch) continue;
        ASSERT_LE(a.byte_offset + a.bytes, index_->bytes(a.array));
      }
      for (const comparison& c : step.compared) {
        const cell_info info = model_->describe(c.array, c.slot);
        EXPECT_EQ(c.state, state_of({c.array, c.slot}));
        // Without an order a key that differs lies on no side, but of a range's ends.
        if (!c.keyless && !model_->has_order() && step.kind == step_kind::search) {
          EXPECT_TRUE(c.met == relation::equal || c.met == relation::other);
        }
        EXPECT_EQ(c.empty, c.state != cell_state::live);
        EXPECT_EQ(c.rank, info.rank);
        EXPECT_EQ(c.keyless ? std::nullopt : std::optional(c.key), read(c.array, c.slot).key);
      }
    }
  }

  machine& on_;
  const index_config& config_;
  const std::vector<Key>& keys_;
  const reference truth_;
  conformance_counts& counts_;
  std::shared_ptr<const built_index> index_;
  std::shared_ptr<const index_model> model_;
  std::vector<std::vector<std::byte>> memory_;  // of each region
  struct code_and_spots {
    pseudo_code code;
    std::set<std::pair<std::string_view, u32>> spots;
  };
  mutable std::map<operation, code_and_spots> codes_;
  std::set<std::tuple<u32, bool, u64>> turns_;  // of each pass, whose they are; empty slots apart
};

inline constexpr key_pattern all_patterns[] = {key_pattern::spaced,    key_pattern::with_extremes, key_pattern::pairs,
                                               key_pattern::all_equal, key_pattern::all_greatest,  key_pattern::far_up};
inline constexpr u64 conformance_sizes[] = {0, 1, 2, 3, 31, 32, 33, 100};

// A method's configs on a machine: the standard with every pattern at every size, every other one with every size and
// the patterns in turn.
inline conformance_counts check_method(machine& on, const std::string& method, bool every_value) {
  conformance_counts counts;
  for (const index_config& plain : conformance_configs(method, every_value)) {
    for (const key_width width : {key_width::u32, key_width::u64}) {
      index_config config = plain;
      config.keys = width;
      const bool standard = counts.configs++ < 2;
      u64 turn = counts.configs;  // so that each size meets each pattern
      SCOPED_TRACE(to_line(config));
      expect_config_holds(config);
      for (const u64 size : conformance_sizes) {
        for (const key_pattern pattern : all_patterns) {
          if (!standard && pattern != all_patterns[turn % std::size(all_patterns)]) continue;
          SCOPED_TRACE(std::string(pattern_name(pattern)) + ", n = " + std::to_string(size));
          const auto run = [&]<class Key>(Key) {
            const std::vector<Key> keys = pattern_keys<Key>(pattern, size);
            conformance_case<Key>(on, config, keys, counts).check(size <= 3 || standard ? 1 : 7);
          };
          width == key_width::u32 ? run(u32{}) : run(u64{});
          if (::testing::Test::HasFailure()) return counts;
        }
        ++turn;
      }
    }
  }
  return counts;
}

}  // namespace pivotscope::testing
