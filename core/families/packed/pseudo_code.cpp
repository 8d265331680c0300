#include "core/families/packed/pseudo_code.hpp"

namespace pivotscope {
namespace {

constexpr std::string_view here = "core/families/packed/packed.hpp", leaf = "core/families/packed/leaf.hpp",
                           directory = "core/families/packed/directory.hpp";

// Down the directory to the leaf of a key.
pseudo_code descent(const packed_config& config) {
  return {{"  bucket = the key's place between least and greatest key, in buckets",
           {{here, "root_place(here, leaves.offset_of(key))"}, {leaf, "const auto here = root_place("}},
           pseudo_when::begins},
          {config.scratch != 0 ? "  read the bucket's prefix block, in scratch if it is pinned"
                               : "  read the bucket's prefix block",
           {{here, "leaves.root_of(key)"},
            {leaf, "load_block(0, here.bucket, key)"},
            {leaf, "memory_.step(level);"},
            {leaf, "put(0, memory_.template load_scratch<quad>(number))"},
            {leaf, "quad>(packed_region::blocks, first"}}},
          {"  while it is a node's: read the block of the bucket below",
           {{here, "leaves.template where<last_leaf>"},
            {leaf, "return load_block(level, number, key)"},
            {leaf, "range = where<leaf_range>(key, root_of(key))"},
            {leaf, "load<Key>(packed_region::lists, listed)"},
            {leaf, "return load_listed(listed)"},
            {directory, "block = load(level"}}},
          {"  leaf = its first one + its separators that are not greater",
           {{directory, "return Leaves::of_plain(block"},
            {directory, "return Leaves::of_marks(block"},
            {here, "leaves.will_read(found.leaf)"},
            {leaf, "memory_.will_read(packed_region::leaves"}}}};
}

pseudo_code find_code(const packed_config& config) {
  const pseudo_code rest = {
      {"  repeat:", {{here, "memory.step(here.levels)"}, {here, "if (live) memory.step(leaves.level()"}}},
      {used_lanes(config) == 1 ? "    read the leaf's packs of three entries"
                               : "    read the leaf's packs of three entries, a lane's share each",
       {{here, "leaves.load_share("}, {leaf, "quad>(packed_region::leaves, first, run"}}},
      {"    compare the bits of the key with each entry's",
       {{leaf, "memory_.saw(packed_region::leaves, number * pack_entries + e"},
        {here, "leaves.look_through(got"},
        {leaf, "see(got.packs[i], u64{leaf} * leaf_packs(config_.value)"}}},
      {"    if they are the same: return its row id", {{leaf, "got.packs[i].match(bits"}}, pseudo_when::found},
      {"    if the leaf is escaped: look through its entries in full",
       {{here, "leaves.look_through_full("},
        {here, "leaves.escape_number(now.leaf)"},
        {leaf, "each_in_full(escape, leaf, lane, [&](const entry_cell<Key>& entry) {"},
        {leaf, "load<entry_cell<Key>>(packed_region::escapes"},
        {leaf, "const entry_cell<Key> entry = load_full(escape, e)"},
        {leaf, "memory_.saw(packed_region::leaves, rank, entry.key)"},
        {leaf, "load<quad>(packed_region::leaves, u64{leaf} * quads_a_leaf()).words[0]"}}},
      {"    if the key may lie in the leaf before: leaf = leaf - 1",
       {{here, "leaves.begins_behind(now.leaf"},
        {here, "leaves.begins_behind_full(now.escape"},
        {leaf, "return load_pack(u64{leaf} * leaf_packs(config_.value)).offset(0"},
        {leaf, "return load_full(escape, 0).key > key"},
        {leaf, "quad>(packed_region::leaves, number * pack<Key>::quads"}}},
      {"    else: return none", {{here, "if (!is_in_range) rows[i] = not_found"}}, pseudo_when::absent}};
  return joined(joined({{"find(key):"}}, descent(config)), rest);
}

// How many entries are smaller than a key.
pseudo_code rank_code(const packed_config& config) {
  const pseudo_code rest = {
      {"  read that leaf, and count its entries that are smaller",
       {{leaf, "if (going) memory_.step(level())"},
        {leaf, "const pack<Key> first = load_pack(u64{leaf} * leaf_packs(config_.value))"},
        {leaf, "const share got = load_share(leaf, lane)"},
        {leaf, "see(got.packs[i], number, offset)"},
        {leaf, "memory_.saw(packed_region::leaves, number * pack_entries + e"},
        {leaf, "quad>(packed_region::leaves, first, run"},
        {leaf, "quad>(packed_region::leaves, number * pack<Key>::quads"},
        {leaf, "count += entry.key < key ? 1 : 0"},
        {leaf, "load_full(escape, e)"},
        {leaf, "load<entry_cell<Key>>(packed_region::escapes"},
        {leaf, "memory_.saw(packed_region::leaves, rank, entry.key)"}}},
      {"  if all are, and the next leaf is in doubt too: on to it", {{leaf, "leaf += going ? 1 : 0"}}},
      {"  return the entries of the leaves before + that count", {{leaf, "found = {u64{leaf} * leaf_entries"}}}};
  return joined(joined({{"rank(key), how many entries are smaller:"}}, descent(config)), rest);
}

pseudo_code range_code(const packed_config& config) {
  const pseudo_code code = {{"range(low, high):"},
                            {"  begin = rank(low), end = rank(the key after high)",
                             {{here, "leaves.rank_of(lanes, low"}, {here, "leaves.rank_of(lanes, key_after(high)"}}},
                            {"  for each pack from begin to end:",
                             {{leaf, "memory_.scan_step(level(), with_warp)"}, {here, "leaves.sum_rows("}}},
                            {"    sum = sum + its row ids",
                             {{leaf, "got[i] = load_pack(number)"},
                              {leaf, "stream(lanes, begin, mine"},
                              {leaf, "stream(warp, r.begin"},
                              {leaf, "sum_of_pack(got[i]"}}},
                            {"  return end - begin, sum", {{here, "return {end - begin"}}, pseudo_when::ends}};
  return joined(code, rank_code(config));
}

pseudo_code next_key_code(const packed_config& config, bool itself) {
  const pseudo_code code = {{itself ? "lower bound(key):" : "what comes after(key):"},
                            {itself ? "  at = rank(the key)" : "  at = rank(the key's successor among all values)",
                             {{here, "leaves.rank_of(lanes, from, any)"}}},
                            {"  return the entry at `at`, if there is one",
                             {{here, "leaves.entry_near("},
                              {leaf, "memory_.scan_step(level(), false)"},
                              {leaf, "const pack<Key> seen = load_pack(at.rank / pack_entries)"},
                              {leaf, "its_key = load_full(at.escape"},
                              {leaf, "load_full(escape_number(leaf)"},
                              {leaf, "load<quad>(packed_region::leaves, u64{leaf} * quads_a_leaf()).words[0]"},
                              {leaf, "memory_.saw(packed_region::leaves, at.rank, its_key)"}}}};
  return joined(code, rank_code(config));
}

}  // namespace

pseudo_code packed_pseudo_code(const packed_config& config, operation kind) {
  if (kind == operation::range) return range_code(config);
  if (answer_of(kind) == answer_kind::next) return next_key_code(config, takes_itself(kind));
  return find_code(config);
}

}  // namespace pivotscope
