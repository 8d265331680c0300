#include "core/verify/interleaving.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "core/index/cell_state.hpp"
#include "core/index/check.hpp"
#include "core/index/family.hpp"
#include "core/index/operations.hpp"
#include "core/machine/change_index.hpp"
#include "core/machine/cpu/host_arrays.hpp"
#include "core/reference/oracle.hpp"
#include "core/run/stored_entries.hpp"
#include "core/verify/some_order.hpp"
#include "core/workload/generate/seeded_bijection.hpp"
#include "core/workload/question_text.hpp"

namespace pivotscope {
namespace {

// An index whose memory is a value.
struct shared_index final : stored_index {
  index_config of;
  u64 input = 0, given = 0;
  std::vector<index_region> parts;
  shared_regions cells;
  state_bytes found_by;

  const index_config& config() const override { return of; }
  u64 keys() const override { return input; }
  u64 rows() const override { return given; }
  std::span<const index_region> regions() const override { return parts; }
  std::span<const std::byte> state() const override { return found_by.span(); }
  std::pair<u64, u64> key_range() const override { return {0, 0}; }
  status read(region_id region, u64 byte_offset, std::span<std::byte> out) const override {
    PIVOTSCOPE_EXPECT(byte_offset + out.size() <= cells[number_of(region)].size());
    std::copy_n(cells[number_of(region)].begin() + static_cast<std::ptrdiff_t>(byte_offset), out.size(), out.begin());
    return fine();
  }
};

// Makes room in it.
class room_maker final : public executor {
 public:
  explicit room_maker(shared_index& index) : index_(index) {}
  u64 keys() const override { return index_.input; }
  std::pair<u64, u64> key_range() const override { return {0, 0}; }
  status resize(region_id region, u64 cells) override {
    index_.parts[number_of(region)].cells = cells;
    index_.cells[number_of(region)].resize(index_.parts[number_of(region)].bytes());
    return fine();
  }
  void trim(region_id region, u64 cells) override { index_.parts[number_of(region)].cells = cells; }
  status read(region_id region, u64 byte_offset, std::span<std::byte> out) override {
    return index_.read(region, byte_offset, out);
  }
  outcome<u64> run(const build_pass& pass, u64 items, const state_bytes& state) override {
    if (pass.by == done_by::block)
      if (auto s = arrays_.begin_chain(items); !s) return s.error();
    build_view view;
    for (std::size_t r = 0; r < before_.size(); ++r) view.before[r] = before_[r].data();
    for (std::size_t r = 0; r < index_.cells.size(); ++r) view.regions[r] = index_.cells[r].data();
    arrays_.show(view);
    state.copy_to(view.found_by.state);
    return pass.on_host(index_.of, view, 0, items);
  }
  status allocate_array(array_id array, u64 bytes, std::string_view what) override {
    return arrays_.allocate(array, bytes, what);
  }
  status sort_pairs(array_id keys, array_id values, u64 count, std::string_view) override {
    const job_control nobody;
    arrays_.sort_pairs(index_.of.keys, keys, values, count, nobody);
    return fine();
  }

 private:
  status replace_regions(std::vector<index_region> regions) override {
    before_ = std::exchange(index_.cells, {});
    index_.parts = std::move(regions);
    for (const index_region& r : index_.parts) index_.cells.emplace_back(r.bytes());
    return fine();
  }
  void free_before() override { before_.clear(); }

  shared_index& index_;
  shared_regions before_;
  host_arrays arrays_;
};

class one_interleaving final : public interleaving {
 public:
  one_interleaving(const index_config& config, const interleaved_case& of, code perform)
      : family_(family_of(config)),
        perform_(perform ? perform : family_.on_trace().interleaved),
        case_(of),
        keys_(config.keys, of.keys.size()),
        script_(config.keys) {
    keys_.visit([&](auto& keys) {
      for (std::size_t i = 0; i < keys.size(); ++i)
        keys[i] = static_cast<typename std::decay_t<decltype(keys)>::value_type>(of.keys[i]);
    });
    for (const question& o : of.before) add({&o, 1});
    add(of.operations);
    index_.of = config;
    const auto before = static_cast<u64>(std::count_if(of.before.begin(), of.before.end(), is_insert));
    for (u64 i = 0, row = of.keys.size() + before; i < of.operations.size(); ++i)
      rows_.push_back(static_cast<u32>(is_insert(of.operations[i]) ? row++ : row));
  }

  // Words where it cannot be tried at all.
  status prepare(machine& cpu) {
    auto resident = cpu.load(keys_, {});
    if (!resident) return resident.error();
    auto built = cpu.build(index_.of, *resident, {});
    if (!built) return built.error();
    take(**built);
    truth_.emplace(keys_, family_.keeps_duplicates(index_.of));
    for (u64 i = 0; i < case_.before.size(); ++i) {
      if (auto s = make_room(is_insert(case_.before[i])); !s) return s;
      do_before(i);
    }
    const auto inserts = static_cast<u64>(std::count_if(case_.operations.begin(), case_.operations.end(), is_insert));
    if (auto s = make_room(inserts); !s) return s;
    truth_->begin(script_, case_.before.size());
    held_before_ = by_key(*stored_entries(index_));
    model_ = family_.model_of(index_);
    for (std::size_t i = 0; i < case_.operations.size(); ++i) {
      const auto& o = case_.operations[i];
      tasks_.push_back([this, i, asked = question{o.kind, o.key, o.high, rows_[i]}](interleaved_memory& memory) {
        now_.done[i] = perform_(index_.of, memory, view_, asked, now_.answers[i]);
      });
    }
    judge_ = [this](const interleaved_end& end) { return fault_of(end); };
    forget();
    return fine();
  }

  interleaved_run run(const schedule& s) override {
    forget();
    interleaved_end end = interleave(index_.cells, tasks_, s, &now_.accesses);
    now_.fault = end.ended ? fault_of(end) : end.fault;
    now_.left = std::move(end.memory);
    return std::exchange(now_, {});
  }
  interleaving_report two_switches(const job_control& control) override {
    forget();
    return try_two_switches(index_.cells, tasks_, judge_, control);
  }
  interleaving_report random(u64 schedules, u64 seed) override {
    forget();
    return try_random(index_.cells, tasks_, schedules, seed, judge_);
  }
  const std::shared_ptr<const index_model>& model() const override { return model_; }
  const shared_regions& begin() const override { return index_.cells; }
  u32 row_of(u64 operation) const override { return rows_[operation]; }

 private:
  static bool is_insert(const question& o) { return o.kind == operation::insert; }
  void add(std::span<const question> batch) {
    script_.begin_mixed();
    for (const question& o : batch) script_.add(o);
    script_.end_mixed();
  }
  void forget() {
    now_ = {};
    now_.done.assign(case_.operations.size(), write_done::not_done);
    now_.answers.assign(case_.operations.size(), {});
  }

  void take(const built_index& built) {
    index_.input = built.keys(), index_.given = built.rows();
    index_.parts.assign(built.regions().begin(), built.regions().end());
    index_.found_by = state_bytes::of(built.state());
    for (u32 r = 0; r < index_.parts.size(); ++r) {
      index_.cells.emplace_back(index_.parts[r].bytes());
      static_cast<void>(built.read(region_id{u8(r)}, 0, index_.cells.back()));  // of the host's memory
    }
    see();
  }
  void see() { index_.found_by.copy_to(view_.found_by.state); }

  status make_room(u64 inserts) {
    room_maker on(index_);
    index_.given += inserts;
    auto state = family_.make_room(on, index_.of, index_.found_by, {inserts, index_.given, false});
    if (!state) return state.error();
    index_.found_by = *state;
    see();
    return fine();
  }
  // Gives the index the state that it has after these writes.
  status count(shared_index& index, std::span<const write_done> done) const {
    room_maker on(index);
    const auto state = family_.after(on, index.of, index.found_by, count_writes(done));
    if (!state) return state.error();
    index.found_by = *state;
    return fine();
  }

  // One operation alone, of those that come before.
  void do_before(u64 i) {
    const question& o = case_.before[i];
    write_done done = write_done::not_done;
    script_answer answer;
    const u64 row = case_.keys.size() +
                    static_cast<u64>(std::count_if(case_.before.begin(),
                                                   case_.before.begin() + static_cast<std::ptrdiff_t>(i), is_insert));
    const question asked{o.kind, o.key, o.high, static_cast<u32>(row)};
    const interleaved_task task = [&](interleaved_memory& m) { done = perform_(index_.of, m, view_, asked, answer); };
    interleaved_end end = interleave(index_.cells, {&task, 1}, {});
    index_.cells = std::move(end.memory);
    if (const status counted = count(index_, {&done, 1}); !counted && first_fault_.empty())
      first_fault_ = counted.error().words;
    see();
    truth_->begin(script_, i);
    if (first_fault_.empty()) first_fault_ = end.fault;
    if (first_fault_.empty()) first_fault_ = truth_->fault(i, answer);
    truth_->end(done == write_done::full ? inserts_done::some : inserts_done::all);
    if (first_fault_.empty()) first_fault_ = truth_->settle(*stored_entries(index_));
  }

  // What a schedule came to, as bytes: what was found right once is right again.
  std::string print_of(const interleaved_end& end) const {
    std::string text;
    const auto add = [&](const void* from, std::size_t bytes) { text.append(static_cast<const char*>(from), bytes); };
    add(now_.done.data(), now_.done.size());
    for (const script_answer& a : now_.answers) add(&a.number, 8), add(&a.row, 8);
    for (const auto& region : end.memory) add(region.data(), region.size());
    return text;
  }

  std::string fault_of(const interleaved_end& end) {
    std::string print = print_of(end);
    if (known_right_.contains(print)) return {};
    std::string words = look_for_fault(end);
    if (words.empty()) known_right_.insert(std::move(print));
    return words;
  }

  std::string look_for_fault(const interleaved_end& end) {
    if (!first_fault_.empty()) return first_fault_;
    for (u64 i = 0; i < case_.operations.size(); ++i) {
      if (std::string words = truth_->fault(case_.before.size() + i, now_.answers[i]); !words.empty()) return words;
      if (std::string words = done_fault(i); !words.empty()) return words;
    }
    shared_index after = index_;
    after.cells = end.memory;
    if (const status counted = count(after, now_.done); !counted) return counted.error().words;
    const auto states = count_states(after, *model_, {main_region, 0, model_->region(main_region).cells});
    if (states->claimed > 0) return "a cell is left that an insert claimed and never filled";
    std::vector<stored_entry> held = *stored_entries(after);
    oracle truth = *truth_;
    const bool full = std::count(now_.done.begin(), now_.done.end(), write_done::full) > 0;
    truth.end(full ? inserts_done::some : inserts_done::all);
    if (std::string words = truth.settle(held); !words.empty()) return words;
    if (std::string words = find_fault(after, held); !words.empty()) return words;
    if (family_.keeps_duplicates(index_.of)) return {};
    std::vector<came_to> all;
    for (u64 i = 0; i < case_.operations.size(); ++i)
      all.push_back({case_.operations[i], rows_[i], now_.done[i], now_.answers[i]});
    return order_fault(held_before_, all, by_key(held));
  }
  static rows_of_keys by_key(const std::vector<stored_entry>& held) {
    rows_of_keys rows;
    for (const stored_entry& e : held) rows[e.key] = e.row;
    return rows;
  }

  // May operation i have come to what it says? Others on its key may have come before it or after.
  std::string done_fault(u64 i) const {
    const question& o = case_.operations[i];
    const write_done done = now_.done[i];
    bool may_be_there = truth_->contents().contains(o.key), may_be_gone = !may_be_there;
    for (u64 j = 0; j < case_.operations.size(); ++j) {
      if (j == i || case_.operations[j].key != o.key) continue;
      may_be_there |= case_.operations[j].kind == operation::insert;
      may_be_gone |= case_.operations[j].kind == operation::erase;
    }
    const auto wrong = [&](std::string_view words) {
      return fmt::format("operation {}, {}, {}", i, to_list_item(o), words);
    };
    if (!is_write(o.kind)) return done == write_done::read ? "" : wrong("does not say that it read");
    if (o.kind == operation::erase) {
      if (done == write_done::erased) return may_be_there ? "" : wrong("says that it erased what was never there");
      if (done == write_done::absent)
        return may_be_gone ? "" : wrong("says that it found nothing, and the key was there");
      return wrong("says neither that it erased nor that it found nothing");
    }
    switch (done) {
      case write_done::added:
      case write_done::revived:
        return family_.keeps_duplicates(index_.of) || may_be_gone ? ""
                                                                  : wrong("says that the key is new, and it was there");
      case write_done::replaced:
        return may_be_there ? "" : wrong("says that it replaced what was never there");
      case write_done::full:
        return "";
      default:
        return wrong("does not say what it came to");
    }
  }

  // Afterwards, alone, every key that was written is found as it lies there.
  std::string find_fault(const shared_index& after, const std::vector<stored_entry>& held) const {
    if (!family_.serves(operation::find)) return {};
    build_view view;
    after.found_by.copy_to(view.found_by.state);
    for (const question& o : case_.operations) {
      script_answer answer;
      const question asked{operation::find, o.key, 0, 0};
      const interleaved_task task = [&](interleaved_memory& m) { perform_(after.of, m, view, asked, answer); };
      if (const std::string words = interleave(after.cells, {&task, 1}, {}).fault; !words.empty())
        return fmt::format("afterwards, a find of {}: {}", o.key, words);
      const bool there = std::any_of(held.begin(), held.end(), [&](const stored_entry& e) { return e.key == o.key; });
      const bool right = there ? std::find(held.begin(), held.end(), stored_entry{o.key, u32(answer.row)}) != held.end()
                               : answer.row == not_found;
      if (right) continue;
      if (answer.row == not_found) return fmt::format("afterwards, key {} is in a cell and is not found", o.key);
      return fmt::format("afterwards, a find of {} answers row {}, which is in no cell of that key", o.key, answer.row);
    }
    return {};
  }

  const family& family_;
  code perform_;
  interleaved_case case_;
  key_array keys_;
  script script_;
  std::vector<u32> rows_;
  shared_index index_;
  build_view view_;  // its state; the memory is the tasks'
  std::optional<oracle> truth_;
  rows_of_keys held_before_;
  std::string first_fault_;  // of what comes before
  std::shared_ptr<const index_model> model_;
  std::vector<interleaved_task> tasks_;
  interleaving_judge judge_;
  interleaved_run now_;
  std::unordered_set<std::string> known_right_;
};

}  // namespace

outcome<std::unique_ptr<interleaving>> interleaving::make(machine& cpu, const index_config& config,
                                                          const interleaved_case& of, code perform) {
  if (auto why = check(config)) return problem{*why};
  if (auto why = check_interleaves(config, operation::insert)) return problem{*why};
  for (const auto* list : {&of.before, &of.operations}) {
    for (const question& o : *list)
      if (auto why = check_serves(config, o.kind)) return problem{*why};
  }
  if (of.operations.size() > most_tasks)
    return problem{
        fmt::format("there are {} operations, and at most {} are interleaved", of.operations.size(), most_tasks)};
  auto made = std::make_unique<one_interleaving>(config, of, perform);
  if (auto s = made->prepare(cpu); !s) return s.error();
  return std::unique_ptr<interleaving>(std::move(made));
}

interleaved_case draw_interleaved_case(const index_config& config, u64 seed, u64 i) {
  const u64 greatest = config.keys == key_width::u32 ? greatest_key<u32>() : greatest_key<u64>();
  u64 drawn = 0;
  const auto below = [&](u64 n) { return random_bits(random_bits(seed, i), drawn++) % n; };
  const u64 where = below(4);  // what an empty cell holds is a key as well: the ends of the width are worth many cases
  const u64 base = where == 0 ? 0 : where == 1 ? greatest - 2 : 1 + below(std::min<u64>(greatest - 4, 1'000'000));
  const auto near = [&] { return base + below(3); };
  std::vector<operation> served;
  for (const operation kind : all_operations)
    if (check_serves(config, kind) == std::nullopt) served.push_back(kind);

  interleaved_case c;
  const std::vector<tight_start> tight = family_of(config).tight_starts(config);
  const bool is_tight = !tight.empty() && below(4) == 0;
  std::vector<u64> keys_asked;  // of a tight start: what comes next, their neighbours, and a key that is there
  if (is_tight) {
    const tight_start& start = tight[below(tight.size())];
    c.keys = start.keys, c.before = start.before;
    keys_asked = start.next;
    keys_asked.push_back(start.next[0] + 1);
    keys_asked.push_back(start.keys[below(start.keys.size())]);
  } else {
    for (u64 n = below(4); n > 0; --n) c.keys.push_back(near());
    if (below(3) == 0)
      for (u64 n = 1 + below(8); n > 0; --n) c.keys.push_back(below(1'000'000));
  }
  const auto draw = [&](operation kind) {
    question o{kind, is_tight ? keys_asked[below(keys_asked.size())] : near(), 0};
    if (kind == operation::range) o.high = std::min(greatest - o.key, below(3)) + o.key;
    return o;
  };
  const auto draw_write = [&] {
    std::vector<operation> writes;
    std::copy_if(served.begin(), served.end(), std::back_inserter(writes), is_write);
    return draw(writes[below(writes.size())]);
  };
  for (u64 n = is_tight ? 0 : below(3); n > 0; --n) c.before.push_back(draw_write());
  c.operations.push_back(draw_write());
  for (u64 n = below(4) == 0 ? 2 : 1; n > 0; --n) c.operations.push_back(draw(served[below(served.size())]));
  std::swap(c.operations.front(), c.operations[below(c.operations.size())]);
  return c;
}

outcome<std::optional<interleaving_failure>> try_interleaving(machine& cpu, const index_config& config, u64 seed, u64 i,
                                                              interleaving_counts& counts, const job_control& control,
                                                              interleaving::code perform) {
  if (auto why = check_interleaves(config, operation::insert)) return problem{*why};
  constexpr u64 random_ones = 200;
  interleaved_case now = draw_interleaved_case(config, seed, i);
  auto made = interleaving::make(cpu, config, now, perform);
  if (!made) return made.error();
  interleaving_report report = (*made)->two_switches(control);
  if (report.cancelled) return job_control::cancelled_problem();
  for (const question& o : now.operations) ++counts.operations[static_cast<std::size_t>(o.kind)];
  counts.schedules += report.schedules;
  if (!report.failing) {
    report = (*made)->random(random_ones, random_bits(seed, i));
    counts.schedules += report.schedules;
  }
  if (!report.failing) return ++counts.cases, std::optional<interleaving_failure>();
  now.order = *report.failing;
  return std::optional(interleaving_failure{std::move(now), std::move(report.words)});
}

outcome<std::optional<interleaving_failure>> try_interleavings(machine& cpu, const index_config& config, u64 schedules,
                                                               u64 seed, interleaving_counts& counts,
                                                               const job_control& control, interleaving::code perform) {
  if (auto why = check_interleaves(config, operation::insert)) return problem{*why};
  while (counts.schedules < schedules) {
    if (control.cancelled()) return job_control::cancelled_problem();
    control.progress("interleaving", static_cast<double>(counts.schedules) / static_cast<double>(schedules));
    auto failure = try_interleaving(cpu, config, seed, counts.cases, counts, control, perform);
    if (!failure || *failure) return failure;
  }
  return std::optional<interleaving_failure>();
}

}  // namespace pivotscope
