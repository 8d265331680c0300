#include "core/families/cgrx_nodes/node_update.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/families/cgrx_nodes/cgrx_nodes_model.hpp"
#include "core/families/cgrx_nodes/pass_table.hpp"

namespace pivotscope {
namespace {

constexpr u32 most_nodes = next_node::free;

class update {
 public:
  update(executor& on, const cgrx_nodes_config& config, const cgrx_nodes_view& from, const write_batch& writes)
      : on_(on), config_(config), view_(from), left_(writes.inserts) {
    view_.changed = true;
    view_.entries += writes.inserts;
    view_.batch = {.writes = static_cast<u32>(writes.size()),
                   .erases = static_cast<u32>(writes.erases),
                   .first_row = writes.first_row};
  }

  outcome<state_bytes> all() {
    if (auto s = on_.sort_pairs(batch_keys, batch_numbers, view_.batch.writes, "sort batch"); !s) return s.error();
    if (auto s = on_.allocate_array(bucket_progress, u64{view_.buckets} * sizeof(u32), "the buckets' progress"); !s)
      return s.error();
    for (;;) {
      const auto stopped = write_chains();
      if (!stopped) return stopped.error();
      if (*stopped == 0) break;
      view_.batch.again = true;
      if (auto s = add_room(*stopped); !s) return s.error();
    }
    view_.batch = {};
    return state_bytes(view_);
  }

 private:
  // Does as much as there are nodes for. Returns how many buckets are left with inserts.
  outcome<u64> write_chains() {
    if (auto s = list_free_nodes(); !s) return s.error();
    if (auto done = run(node_pass::reset_pool, pool_counters); !done) return done.error();
    const auto stopped = run(node_pass::write_chains, view_.buckets);
    if (!stopped) return stopped.error();
    u32 counted[pool_counters] = {};
    if (auto s = on_.read(node_region::pool, 0, std::as_writable_bytes(std::span(counted))); !s) return s.error();
    const u32 unused = view_.room - view_.nodes, taken = std::min(counted[pool_taken], view_.batch.free + unused),
              used_again = std::min(taken, view_.batch.free);
    view_.nodes += taken - used_again;
    view_.free += counted[pool_freed] - used_again;
    // The sum of what threads counted, each modulo 2^32, and no batch takes so many more entries than it has erases.
    const u64 went = u32{(view_.batch.again ? 0 : view_.batch.erases) + counted[pool_erased_beside]};
    view_.entries -= went + counted[pool_cancelled];
    left_ = counted[pool_left];
    return *stopped;
  }
  status list_free_nodes() {
    view_.batch.free = view_.free;
    if (view_.free == 0) return fine();
    if (auto s = on_.allocate_array(free_nodes, u64{view_.free} * sizeof(u32), "the free nodes"); !s) return s;
    const auto listed = run(node_pass::list_free, ceil_div<u64>(view_.nodes - view_.buckets, keep_tile));
    if (!listed) return listed.error();
    PIVOTSCOPE_EXPECT(*listed == view_.free);
    return fine();
  }

  // A split makes room for half a node of inserts; and each bucket that stopped needs a node at least. Nodes that were
  // freed meanwhile may do.
  status add_room(u64 stopped) {
    const u32 room = view_.room;
    const u64 wanted = stopped + left_ / half_a_node(config_);
    if (view_.free + u64{room - view_.nodes} >= wanted) return fine();
    view_.room = static_cast<u32>(std::min<u64>(most_nodes, room + std::max<u64>(wanted, room / 8)));
    if (view_.room == room)
      return problem{"the index has as many nodes as have numbers. Nothing of this batch went in; insert fewer keys"};
    const cgrx_nodes_model grown(config_, view_);
    for (const region_id region : {node_region::entries, node_region::heads})
      if (auto s = on_.resize(region, grown.region(region).cells); !s)
        return s.error().cancelled
                   ? s.error()
                   : problem{fmt::format("the index has no node left, and cannot grow from {} to {} nodes: {}. Nothing "
                                         "of this batch went in; insert fewer keys",
                                         room, view_.room, s.error().words)};
    view_.first_cell = u64{room} * config_.node;
    const auto emptied = run(node_pass::empty_nodes, u64{view_.room - room} * config_.node);
    view_.first_cell = 0;
    return emptied ? fine() : status(emptied.error());
  }

  outcome<u64> run(node_pass pass, u64 items) { return on_.run(pass_of(pass), items, state_bytes(view_)); }

  executor& on_;
  cgrx_nodes_config config_;
  cgrx_nodes_view view_;
  u64 left_;  // inserts that are to be done yet, at most
};

}  // namespace

outcome<state_bytes> update_nodes(executor& on, const cgrx_nodes_config& config, const cgrx_nodes_view& from,
                                  const write_batch& writes) {
  return update(on, config, from, writes).all();
}

}  // namespace pivotscope
