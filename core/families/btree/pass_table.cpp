#include "core/families/btree/pass_table.hpp"

#include "core/families/btree/btree.hpp"

namespace pivotscope {
namespace {

// In the order of btree_pass.
constexpr build_pass passes[] = {
    {"build leaves", "building leaves", "build_leaves", host_items<btree, btree::build_leaves>, 1, key_use::each},
    {"leave out duplicates", "leaving out duplicates", "keep_unique", host_tiles<btree, btree::keep_unique>, 1,
     key_use::none, done_by::block},
    {"link runs", "linking runs", "link_runs", host_items<btree, btree::link_runs>, 1, key_use::none},
    {"count greatest keys", "counting the greatest keys", "count_greatest", host_items<btree, btree::count_greatest>, 1,
     key_use::none},
    {"build leaves of the greatest key", "building the greatest key's leaves", "build_greatest",
     host_items<btree, btree::build_greatest>, 1, key_use::none},
    {"build inner nodes", "building inner nodes", "build_inner", host_items<btree, btree::build_inner>, 4,
     key_use::none},
    {"gather entries", "gathering entries", "keep_live", host_tiles<btree, btree::keep_live>, 1, key_use::none,
     done_by::block},
    {"empty leaves", "emptying leaves", "empty_leaves", host_items<btree, btree::empty_leaves>, 1, key_use::none},
    {"empty inner nodes", "emptying inner nodes", "empty_inner", host_items<btree, btree::empty_inner>, 1,
     key_use::none},
    {"set counters", "setting counters", "set_counters", host_items<btree, btree::set_counters>, 1, key_use::none},
    {"find leaves", "finding the writes' leaves", "look_at_writes", host_items<btree, btree::look_at_writes>, 1,
     key_use::none},
    {"erase and replace", "erasing and replacing", "keep_new", host_tiles<btree, btree::keep_new>, 1, key_use::none,
     done_by::block},
    {"find parents", "finding parents", "find_nodes", host_items<btree, btree::find_nodes>, 1, key_use::none},
    {"count new leaves", "counting new leaves", "count_new_leaves", host_tiles<btree, btree::count_new_leaves>, 1,
     key_use::none, done_by::block},
    {"fill new leaves", "filling new leaves", "fill_new_leaves", host_items<btree, btree::fill_new_leaves>, 1,
     key_use::none},
    {"put entries", "putting entries into leaves", "settle_leaves", host_items<btree, btree::settle_leaves>, 1,
     key_use::none},
    {"count new inner nodes", "counting new inner nodes", "count_new_inner", host_tiles<btree, btree::count_new_inner>,
     1, key_use::none, done_by::block},
    {"fill new inner nodes", "filling new inner nodes", "fill_new_inner", host_items<btree, btree::fill_new_inner>, 1,
     key_use::none},
    {"put separators", "putting separators into nodes", "settle_inner", host_items<btree, btree::settle_inner>, 1,
     key_use::none},
    {"raise the root", "raising the root", "raise_root", host_items<btree, btree::raise_root>, 1, key_use::none}};

}  // namespace

std::span<const build_pass> btree_passes_in_order() { return passes; }
const build_pass& pass_of(btree_pass pass) { return passes[static_cast<std::size_t>(pass)]; }

}  // namespace pivotscope
