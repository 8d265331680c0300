#include "core/families/plain/pseudo_code.hpp"

#include "core/families/plain/plain.hpp"

namespace pivotscope {
namespace {

constexpr std::string_view here = "core/families/plain/plain.hpp";

// A run of entries, each lane its share: what the two reads have in common.
pseudo_line reads_a_run() {
  return {"  read them, a lane's share each",
          {{here, "memory.template each_of_run<entry_cell<Key>>"}, {here, "each_entry<"}}};
}

}  // namespace

pseudo_code plain_pseudo_code(operation kind) {
  switch (kind) {
    case operation::range:
      return {
          {"range(low, high):"},
          {"  count = 0, sum = 0", {}, pseudo_when::begins},
          {"  for each run of 32 entries, from slot 0 to the end:", {{here, "memory.scan_step(0, false)"}}},
          {"  " + reads_a_run().text, reads_a_run().source},
          {"    of those with low <= key <= high that are not erased:",
           {{here, "memory.saw(entries, first + run.offset(lane)"}, {here, "low <= entry.key && entry.key <= high"}}},
          {"      count = count + 1", {{here, "answer.count += ones(inside)"}}},
          {"      sum = sum + row id", {{here, "answer.row_sum += lanes.sum"}, {here, "sum += row;"}}},
          {"  return count, sum", {{here, "return answer;"}}, pseudo_when::ends}};
    case operation::insert:
      return {{"insert(key, row id):", {{here, "write_done insert("}}},
              {"  slot = row id, one behind the last entry", {{here, "memory.step(0)"}}},
              {"  store the key", {{here, "store_part<Key>(entries, row"}}},
              {"  fence: nobody sees the row id before the key", {{here, "memory.fence()"}}},
              {"  store the row id, in place of none", {{here, "store_part<u32>(entries, row"}}},
              {"  return added", {{here, "return write_done::added"}}, pseudo_when::found}};
    case operation::erase:
      return {{"erase(key):", {{here, "write_done erase("}}},
              {"  for each run of 32 entries, from slot 0 to the end:", {{here, "memory.step(0);"}}},
              {"  " + reads_a_run().text, reads_a_run().source},
              {"    pass over those that are empty, erased, or have another key",
               {{here, "memory.saw(entries, first + run.offset(lane)"}}},
              {"    of the others: swap the mark of an erased entry for the row id",
               {{here, "memory.template compare_exchange<u32>(entries, slot"}}},
              {"      (if it is another by now, another erase came first)", {{here, "own += was == entry.row"}}},
              {"  go on to the end: the key may be there again", {}, pseudo_when::goes_on}};
    default:
      return {{"find(key):"},
              {"  for each run of 32 entries, from slot 0 to the end:", {{here, "wave.memory.step(0)"}}},
              {"  " + reads_a_run().text, reads_a_run().source},
              {"    compare each key", {{here, "memory.saw(entries, first + run.offset(lane)"}}},
              {"    row id = the least of those with the key that are not erased",
               {{here, "if (entry.key == wave.keys[i] && is_live_row(entry.row))"}}},
              {"    the lanes put theirs together: the least of all", {{here, "wave.lanes.min([&](u32 lane)"}}},
              {"    if there is one: return it", {{here, "rows[i] = least(rows[i], seen)"}}, pseudo_when::found},
              {"    (nothing says where else to look: on to the next run)",
               {{here, "searching[i] = rows[i] == not_found"}},
               pseudo_when::goes_on},
              {"  return none", {{here, "return rows;"}}, pseudo_when::absent}};
  }
}

}  // namespace pivotscope
