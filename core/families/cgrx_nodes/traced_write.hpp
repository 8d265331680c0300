// A write of `cgrx_nodes`, step by step: what the threads do whose buckets have a part in a batch of this write alone. It
// is chain_writes.hpp over cells that the trace machine records; the index stays as it is.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "core/families/cgrx_nodes/cgrx_nodes_model.hpp"
#include "core/families/cgrx_nodes/chain_writes.hpp"
#include "core/index/index_reader.hpp"
#include "core/machine/trace/trace_code_of.hpp"

namespace pivotscope {
namespace traced_write_detail {

// Calls f(word, byte of the cell) for each word of a cell, of which the first is a key.
template <class Key, class Cell, class F>
void each_word(const Cell& cell, F&& f) {
  const auto word_at = [&]<class Word>(Word word, u32 offset) {
    std::memcpy(&word, reinterpret_cast<const std::byte*>(&cell) + offset, sizeof(Word));
    f(word, offset);
  };
  word_at(Key{}, 0);
  for (u32 offset = sizeof(Key); offset < sizeof(Cell); offset += sizeof(u32)) word_at(u32{}, offset);
}

// The cells of the index as the memory of the trace machine has them. Of a store of a cell those words are recorded that
// change.
template <class Key, class Memory>
struct cells_of_trace {
  using place = typename Memory::place;
  Memory& memory;

  template <class Cell>
  Cell load(region_id region, u64 i, place at) const {
    return memory.template load<Cell>(region, i, at);
  }
  template <class Cell>
  void store(region_id region, u64 i, const Cell& cell, place at) const {
    each_word<Key>(cell, [&]<class Word>(Word word, u32 offset) {
      if (memory.source().template load<Word>(region, i * sizeof(Cell) + offset) != word)
        memory.store_part(region, i, sizeof(Cell), offset, word, at);
    });
  }
};

// What the passes before that over the chains find, read without being recorded.
struct known_before {
  u32 bucket = 0, last = 0;     // the key's bucket, and the last one that may have entries of it
  std::optional<u32> free;      // the first node that is in no chain, if there is one that was used
  u32 counters[pool_counters];  // as the batch before left them
};
inline outcome<known_before> look_before(const stored_index& index, operation kind, u64 key) {
  const cgrx_nodes_view& view = index.state_as<cgrx_nodes_view>();
  const cgrx_nodes_model model(cgrx_nodes_config::of(index.config()), view);
  known_before known;
  index_reader reader(index);
  const u64 greatest = index.config().keys == key_width::u32 ? greatest_key<u32>() : greatest_key<u64>();
  known.bucket = model.bucket_of(key, std::ref(reader)).value_or(0);
  known.last = key == greatest ? view.buckets - 1 : model.bucket_of(key + 1, std::ref(reader)).value_or(0);
  reader(node_region::pool, 0, std::as_writable_bytes(std::span(known.counters)));
  // Only an insert into a full node takes one.
  const auto head = model.head_of(model.part_of(key, std::ref(reader)).value_or(0), std::ref(reader));
  const bool takes_node = kind == operation::insert && head && head->size == cgrx_nodes_config::of(index.config()).node;
  constexpr u32 at_once = 4096;
  for (u32 first = view.buckets; takes_node && view.free > 0 && !known.free && first < view.nodes; first += at_once) {
    std::vector<told_head> heads(std::min(at_once, view.nodes - first));
    if (!model.heads_of(first, std::ref(reader), heads)) break;
    const auto found = std::ranges::find(heads, u32{next_node::free}, &told_head::next);
    if (found != heads.end()) known.free = first + static_cast<u32>(found - heads.begin());
  }
  if (auto s = reader.failure(); !s) return s.error();
  return known;
}

// A batch begins to count at 0. A step of those counters that are not 0 yet.
template <class Key, class Config, class Memory>
void reset_counters(Config config, Memory& memory, const build_view& view, const known_before& known) {
  bool begun = false;
  for (u32 i = 0; i < pool_counters; ++i) {
    if (known.counters[i] == 0) continue;
    if (!begun) memory.recorder().step(view.as<cgrx_nodes_view>().tree.levels + 2);
    begun = true;
    cgrx_nodes::reset_pool::at<Key>(config, memory, view, i);
  }
}

// The pool's next node once the pool has grown: in no chain, and empty.
template <class Key, class Memory>
void grow_by(Memory& memory, u32 node, u32 size) {
  const auto put = [&]<class Cell>(region_id region, u64 i, const Cell& cell) {
    each_word<Key>(cell,
                   [&](auto word, u32 offset) { memory.source().store(region, i * sizeof(Cell) + offset, word); });
  };
  put(node_region::heads, node, make_head(Key{}, next_node::free, 0));
  for (u32 slot = 0; slot < size; ++slot)
    put(node_region::entries, u64{node} * size + slot, make_entry(Key{}, not_found));
}

template <class Key, class Config, class Memory>
write_done write_alone(Config config, Memory& memory, const stored_index& index, const known_before& known,
                       const traced_write& write, Key key) {
  const bool erases = write.kind == operation::erase;
  build_view view;
  auto& here = *new (view.found_by.state) cgrx_nodes_view(index.state_as<cgrx_nodes_view>());
  here.batch = {.writes = 1, .erases = erases, .first_row = write.row, .free = known.free ? 1u : 0u};
  if (!known.free && here.nodes == here.room) grow_by<Key>(memory, here.room++, config.value.node);
  u32 number = 0, free = known.free.value_or(0), progress = 0;
  write_done done = erases ? write_done::absent : write_done::added;
  view.arrays[number_of(batch_keys)] = &key, view.arrays[number_of(batch_numbers)] = &number;
  view.arrays[number_of(free_nodes)] = &free, view.done = &done;
  reset_counters<Key>(config, memory, view, known);
  const u32 last = erases ? known.last : known.bucket;
  for (u32 bucket = known.bucket; bucket <= last; ++bucket)
    chain_writer<Key, Config, Memory, cells_of_trace<Key, Memory>>(config, memory, view, {memory}, bucket, progress)
        .write();
  return done;
}

inline status write(const stored_index& index, lookup_trace& trace) {
  const auto known = look_before(index, trace.write->kind, trace.key);
  if (!known) return known.error();
  return trace_code_detail::on_trace_machine<cgrx_nodes, trace_code_detail::overlaid_source>(
      index, {&trace, 1}, true, [&]<class Key>(auto config, auto&, auto& memory, const state_view&, Key) {
        trace.write->done = write_alone(config, memory, index, *known, *trace.write, static_cast<Key>(trace.key));
      });
}

}  // namespace traced_write_detail

constexpr trace_code cgrx_nodes_trace() {
  trace_code code = trace_code_of<cgrx_nodes>();
  code.write = traced_write_detail::write;
  return code;
}

}  // namespace pivotscope
