// trace_code_of: makes the trace_code of a family. Its search runs over memory that fetches an index's bytes as they
// are read, and records every access.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>

#include "core/batch/ranges.hpp"
#include "core/batch/serves.hpp"
#include "core/batch/update.hpp"
#include "core/common/expect.hpp"
#include "core/index/built_index.hpp"
#include "core/index/cell_state.hpp"
#include "core/index/lookup_trace.hpp"
#include "core/index/model.hpp"
#include "core/index/trace_code.hpp"
#include "core/machine/trace/source_recorder.hpp"
#include "core/simt/host.hpp"

namespace pivotscope {
namespace trace_code_detail {

// A source: the bytes of an index wherever it lies, fetched as they are read. If a read fails, that is remembered, and
// the search goes on over zeros, in which it cannot get lost; its trace is thrown away. Scratch is not filled for one
// lookup: a pinned value is fetched from where a block would have copied it.
class fetched_source {
 public:
  // `pinned_bytes`: size of one value that the family pins.
  fetched_source(const stored_index& index, const index_model& model, u32 pinned_bytes)
      : index_(index), model_(model), pinned_bytes_(pinned_bytes) {}

  template <class T>
  T load(region_id region, u64 byte_offset) {
    T value{};
    const auto done = index_.read(region, byte_offset, std::as_writable_bytes(std::span(&value, 1)));
    if (!done && !failure_) failure_ = done.error();
    return value;
  }
  scratch_origin pinned(u32 i) const {
    const cell_ref from = model_.pinned_cell(i);
    return {from.region, from.cell};
  }
  scratch_origin origin(u64 scratch_byte) const { return pinned(static_cast<u32>(scratch_byte / pinned_bytes_)); }
  template <class T>
  T load_scratch(u32 index) {
    const u64 byte = u64{index} * sizeof(T);
    const scratch_origin from = origin(byte);
    return load<T>(from.region, model_.region(from.region).byte_of(from.cell) + byte % pinned_bytes_);
  }
  // Reads bytes for words about cells, which are no loads of the lookup. One read also brings the bytes nearby.
  bool read(region_id region, u64 byte_offset, std::span<std::byte> out) {
    if (byte_offset + out.size() > index_.bytes(region)) return false;
    for (u64 done = 0; done < out.size();) {
      const u64 at = byte_offset + done, within = at % near_bytes;
      const std::vector<std::byte>& block = near_block(region, at - within);
      const u64 count = std::min<u64>(out.size() - done, near_bytes - within);
      std::memcpy(out.data() + done, block.data() + within, count);
      done += count;
    }
    return true;
  }
  status failure() const { return failure_ ? status(*failure_) : fine(); }

 protected:
  const stored_index& index_;

 private:
  static constexpr u64 near_bytes = 512;

  const std::vector<std::byte>& near_block(region_id region, u64 begin) {
    std::vector<std::byte>& block = near_[{region, begin}];
    if (!block.empty()) return block;
    block.resize(std::min<u64>(near_bytes, index_.bytes(region) - begin));
    const auto done = index_.read(region, begin, block);
    if (!done && !failure_) failure_ = done.error();
    return block;
  }

  const index_model& model_;
  u32 pinned_bytes_;
  std::optional<problem> failure_;
  std::map<std::pair<region_id, u64>, std::vector<std::byte>> near_;
};

// The same, with a layer of written bytes over it: the index does not change.
class overlaid_source : public fetched_source {
 public:
  using fetched_source::fetched_source;
  static constexpr bool others_write = true;  // as on the machines that change indexes, whose source this runs

  // Cells for which a batch would make room are still empty.
  template <class T>
  T load(region_id region, u64 byte_offset) {
    T value{};
    if (byte_offset + sizeof(T) <= index_.bytes(region))
      value = fetched_source::load<T>(region, byte_offset);
    else
      std::memset(&value, 0xFF, sizeof(T));
    write_over(region, byte_offset, std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }
  bool read(region_id region, u64 byte_offset, std::span<std::byte> out) {
    if (!fetched_source::read(region, byte_offset, out)) std::memset(out.data(), 0xFF, out.size());
    write_over(region, byte_offset, out);
    return true;
  }
  template <class T>
  void store(region_id region, u64 byte_offset, T value) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
    for (u64 i = 0; i < sizeof(T); ++i) written_[{region, byte_offset + i}] = bytes[i];
  }
  template <class Word>
  Word compare_exchange(region_id region, u64 byte_offset, Word expected, Word desired) {
    const Word was = load<Word>(region, byte_offset);
    if (was == expected) store(region, byte_offset, desired);
    return was;
  }
  template <class Word>
  Word fetch_add(region_id region, u64 byte_offset, Word by) {
    const Word was = load<Word>(region, byte_offset);
    store(region, byte_offset, static_cast<Word>(was + by));
    return was;
  }
  template <class Word>
  Word exchange(region_id region, u64 byte_offset, Word value) {
    const Word was = load<Word>(region, byte_offset);
    store(region, byte_offset, value);
    return was;
  }
  template <class Word>
  Word fetch_or(region_id region, u64 byte_offset, Word bits) {
    const Word was = load<Word>(region, byte_offset);
    store(region, byte_offset, static_cast<Word>(was | bits));
    return was;
  }
  static void fence() {}  // one operation alone
  static void pause(u32) {}

 private:
  void write_over(region_id region, u64 byte_offset, std::span<std::byte> bytes) const {
    auto written = written_.lower_bound({region, byte_offset});
    for (; written != written_.end() && written->first < std::pair{region, byte_offset + bytes.size()}; ++written)
      bytes[written->first.second - byte_offset] = written->second;
  }

  std::map<std::pair<region_id, u64>, std::byte> written_;
};

// Thrown out of a search that gets too long: nobody steps through it, and it would take gigabytes.
struct too_long_a_path {};
inline constexpr u64 most_steps = 1 << 14;     // per lookup
inline constexpr u64 most_compared = 1 << 21;  // entries, per warp

class trace_recorder {
 public:
  // `read`: reads bytes as the lookup sees them.
  trace_recorder(const index_model& model, std::span<lookup_trace> warp, bool with_source, region_reader read)
      : model_(model), warp_(warp), trace_(warp.data()), with_source_(with_source), read_(std::move(read)) {}

  using place = source_place;
  static constexpr bool sees_changes = true;
  void ran(place at) {
    // What runs before the first step belongs to no step.
    if (with_source_ && !trace_->steps.empty()) source_.ran(trace_->steps.back(), at);
  }
  auto called_from(place at) { return source_.called_from(at); }
  template <class... Values>
  void watch(Values... named) {
    watch_lane(every_lane, named...);
  }
  template <class... Values>
  void watch_lane(u32 lane, Values... named) {
    if (with_source_ && !trace_->steps.empty()) source_.watch(trace_->steps.back(), lane, named...);
  }

  void hold(const char* name, u64 number) { hold({name, held_kind::number, number}); }
  void hold(const char* name, u64 key, u32 row) { hold({name, held_kind::entry, key, row}); }
  void hold(const char* name, u64 number, region_id region, u64 cell) {
    hold({name, held_kind::place, number, not_found, region, cell});
  }

  void serve(u32 lookup) {
    PIVOTSCOPE_EXPECT(lookup < warp_.size());
    trace_ = &warp_[lookup];
    source_.begin();
  }

  void step(u32 level) {
    if (trace_->steps.size() == most_steps) throw too_long_a_path{};
    trace_->steps.emplace_back();
    trace_->steps.back().level = level;
    source_.begin();
  }
  void scan_step(u32 level, bool with_warp) {
    step(level);
    trace_->steps.back().kind = with_warp           ? step_kind::warp_scan
                                : trace_->successor ? step_kind::next
                                                    : step_kind::scan;
  }
  void lane(u32 lane) { lane_ = lane; }
  void all_lanes() {}
  // Records cells of the model; a search may load a whole pack as one cell.
  void access(region_id region, u64 byte, u32 bytes) {
    const region_info& info = model_.region(region);
    const u64 first = info.cell_at(byte);
    add_access(region, memory_space::global, first, info.cell_at(byte + bytes - 1) - first + 1, byte, bytes);
  }
  void changed(region_id region, u64 cell, u64 byte, u32 offset, u32 bytes, u64 before, u64 after, access_kind kind,
               bool done) {
    access(region, byte, bytes);
    trace_->steps.back().accesses.back().kind = kind;
    trace_->steps.back().changed.push_back({region, cell, offset, bytes, before, after, kind, done});
  }
  void scratch_access(const scratch_origin& from, u32 cells, u64 byte, u32 bytes) {
    add_access(from.region, memory_space::scratch, from.cell, cells, byte, bytes);
  }
  void compared(region_id region, u64 cell, u64 key) {
    PIVOTSCOPE_EXPECT(!trace_->steps.empty());
    if (++compared_ > most_compared) throw too_long_a_path{};
    const cell_info info = model_.describe(region, cell);
    const cell_state state = state_of({region, cell}, info);
    const relation met = relation_to(key);
    // In order an erased entry tells the side as others do, and is an entry no more where the key is its own.
    const bool tells_side = ordered_ && state == cell_state::erased && met != relation::equal;
    trace_->steps.back().compared.push_back(
        {region, cell, info.rank, key, lane_, met, state != cell_state::live && !tells_side, state});
  }
  void met(region_id region, u64 cell, relation how) {
    PIVOTSCOPE_EXPECT(!trace_->steps.empty());
    if (++compared_ > most_compared) throw too_long_a_path{};
    trace_->steps.back().compared.push_back(
        {.array = region, .slot = cell, .lane = lane_, .met = how, .keyless = true});
  }

 private:
  void hold(const held_thing& thing) {
    if (!with_source_) return;
    PIVOTSCOPE_EXPECT(!trace_->steps.empty());
    std::vector<held_thing>& list = trace_->steps.back().in_hand;
    const auto before =
        std::find_if(list.begin(), list.end(), [&](const held_thing& h) { return h.name == thing.name; });
    if (before == list.end())
      list.push_back(thing);
    else
      *before = thing;
  }
  void add_access(region_id region, memory_space space, u64 cell, u64 cells, u64 byte, u32 bytes) {
    PIVOTSCOPE_EXPECT(!trace_->steps.empty());  // what is read belongs to a step
    trace_step& step = trace_->steps.back();
    source_.reads(step);
    step.accesses.push_back(
        {region, space, cell, static_cast<u32>(cells), byte, bytes, lane_, static_cast<u32>(trace_->steps.size() - 1)});
  }
  cell_state state_of(cell_ref at, const cell_info& info) const {
    if (tells_state(model_, at))
      if (const std::optional<cell_value> value = model_.value_of(at, read_))
        return state_of_row(value->row.value_or(not_found));
    return info.empty ? cell_state::empty : cell_state::live;
  }
  relation relation_to(u64 key) const {
    const bool scans = trace_->steps.back().kind != step_kind::search;
    if (scans && trace_->successor) {
      const bool enough = takes_itself(trace_->asked) ? key >= trace_->key : key > trace_->key;
      return enough ? relation::equal : relation::greater;
    }
    const u64 wanted = searched_key(*trace_);
    if (!scans && !ordered_) return wanted == key ? relation::equal : relation::other;
    if (wanted > key) return relation::greater;
    if (scans) return key > trace_->range->high ? relation::less : relation::equal;
    return wanted < key ? relation::less : relation::equal;
  }

  const index_model& model_;
  const bool ordered_ = model_.has_order();
  std::span<lookup_trace> warp_;
  lookup_trace* trace_;  // of the lookup that is being served
  u32 lane_ = 0;
  u64 compared_ = 0;
  bool with_source_;
  region_reader read_;
  source_recorder source_;
};

// Returns the size of one value that a family pins; the size of a key if it pins none.
template <class Family, class Key>
constexpr u32 pinned_size() {
  using memory = host_memory<no_recorder, direct_source>;
  if constexpr (requires(const index_view& view) { Family::pinned_keys(view); }) {
    return sizeof(
        decltype(Family::template pinned_key<Key>(std::declval<dynamic_config<typename Family::config>>(),
                                                  std::declval<memory&>(), std::declval<const index_view&>(), 0u)));
  } else {
    return sizeof(Key);
  }
}

// Calls f(config, lanes, memory, view, a key) on the trace machine.
template <class Family, class Source = fetched_source, class F>
status on_trace_machine(const stored_index& index, std::span<lookup_trace> warp, bool with_source, F&& f) {
  const std::shared_ptr<const index_model> model = model_of(index);
  for (lookup_trace& trace : warp) trace.keys = model->keys(), trace.cells = model->region(main_region).cells;
  Source source(index, *model,
                index.config().keys == key_width::u32 ? pinned_size<Family, u32>() : pinned_size<Family, u64>());
  trace_recorder recorder(*model, warp, with_source, [&](region_id region, u64 byte, std::span<std::byte> out) {
    return source.read(region, byte, out);
  });
  const auto own = Family::config::of(index.config());
  const dynamic_config config{std::is_same_v<Source, fetched_source> ? own : for_writes<Family>(own)};
  host_lanes<trace_recorder> lanes(Family::lanes(config.value), recorder);
  host_memory<trace_recorder, Source> memory(source, recorder);
  state_view view;
  std::memcpy(view.state, index.state().data(), index.state().size());
  try {
    if (index.config().keys == key_width::u32)
      f(config, lanes, memory, view, u32{});
    else
      f(config, lanes, memory, view, u64{});
  } catch (const too_long_a_path&) {
    if (auto s = source.failure(); !s) return s;
    return problem{
        fmt::format("the path takes more than {} steps or compares more than {} keys: too long to step "
                    "through. Fewer keys, a shorter range or another index makes it shorter",
                    most_steps, most_compared)};
  }
  return source.failure();
}

template <class Family>
status find(const stored_index& index, std::span<lookup_trace> warp, bool with_source) {
  return on_trace_machine<Family>(index, warp, with_source,
                                  [&]<class Key, class Lanes, class Memory>(auto config, Lanes& lanes, Memory& memory,
                                                                            const state_view& view, Key) {
                                    wave<Lanes, Memory, Key, host_wave> lookups(lanes, memory,
                                                                                static_cast<u32>(warp.size()));
                                    lookups.keys = lookups.all(Key{});
                                    lookups.each([&](u32 i) { lookups.keys[i] = static_cast<Key>(warp[i].key); });
                                    const auto rows = Family::find(config, lookups, view);
                                    lookups.each([&](u32 i) { warp[i].row = rows[i]; });
                                  });
}

template <class Family>
status range(const stored_index& index, lookup_trace& trace) {
  return on_trace_machine<Family>(
      index, {&trace, 1}, true, [&]<class Key>(auto config, auto& lanes, auto& memory, const state_view& view, Key) {
        range_totals unused{nullptr};
        trace.range->answer = Family::range(config, lanes, memory, view, static_cast<Key>(trace.key),
                                            static_cast<Key>(trace.range->high), u64{0}, unused);
      });
}

template <class Family>
status next_key(const stored_index& index, lookup_trace& trace) {
  return on_trace_machine<Family>(
      index, {&trace, 1}, true, [&]<class Key>(auto config, auto& lanes, auto& memory, const state_view& view, Key) {
        trace.successor =
            Family::next_key(config, lanes, memory, view, static_cast<Key>(trace.key), takes_itself(trace.asked));
      });
}

template <class Family>
status write(const stored_index& index, lookup_trace& trace) {
  return on_trace_machine<Family, overlaid_source>(
      index, {&trace, 1}, true, [&]<class Key>(auto config, auto& lanes, auto& memory, const state_view& view, Key) {
        script_answer none;
        const auto do_it = [&](const state_view& by) {
          trace.write->done = perform<Family>(config, lanes, memory, by, trace.write->kind, static_cast<Key>(trace.key),
                                              Key{}, trace.write->row, none);
        };
        do_it(view);
        // As its batch would, once all others of it are done.
        if constexpr (requires(state_view & second) { Family::once_more(config.value, second); }) {
          state_view second = view;
          if (trace.write->done == write_done::full && Family::once_more(config.value, second)) do_it(second);
        }
      });
}

template <class Family>
write_done interleaved(const index_config& config, interleaved_memory& memory, const build_view& view,
                       const question& asked, script_answer& answer) {
  const dynamic_config here{for_writes<Family>(Family::config::of(config))};
  host_lanes lanes(Family::lanes(here.value), memory.recorder());
  const auto perform_as = [&]<class Key>(Key) {
    memory.recorder().all_lanes();
    const write_done done = perform<Family>(here, lanes, memory, view, asked.kind, static_cast<Key>(asked.key),
                                            static_cast<Key>(asked.high), asked.row, answer);
    memory.recorder().lane(0);
    return done;
  };
  return config.keys == key_width::u32 ? perform_as(u32{}) : perform_as(u64{});
}

}  // namespace trace_code_detail

template <class Family>
constexpr trace_code trace_code_of() {
  trace_code code{.find = trace_code_detail::find<Family>};
  if constexpr (has_range<Family>) code.range = trace_code_detail::range<Family>;
  if constexpr (has_next_key<Family>) code.next_key = trace_code_detail::next_key<Family>;
  if constexpr (has_writes<Family>)
    code.write = trace_code_detail::write<Family>, code.interleaved = trace_code_detail::interleaved<Family>;
  return code;
}

}  // namespace pivotscope
