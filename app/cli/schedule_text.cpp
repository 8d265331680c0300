#include "app/cli/schedule_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/index/model.hpp"
#include "core/workload/operation.hpp"

namespace pivotscope {
namespace {

std::string row_text(u64 row) {
  if (row == not_found) return "none";
  if (row == erased_row) return "erased";
  if (row == claimed_row) return "claimed";
  return std::to_string(row);
}

// "insert 5, row 3"
std::string operation_text(const script_operation& o, u32 row) {
  if (o.what == operation::range) return fmt::format("range {} {}", o.key, o.high);
  const std::string words = fmt::format("{} {}", operation_verb(o.what), o.key);
  return o.what == operation::insert ? fmt::format("{}, row {}", words, row) : words;
}

std::string end_text(const script_operation& o, write_done done, const script_answer& answer) {
  switch (done) {
    case write_done::added:
      return "added";
    case write_done::revived:
      return "took its former cell";
    case write_done::replaced:
      return "replaced another row";
    case write_done::full:
      return "found no room";
    case write_done::erased:
      return "erased";
    case write_done::absent:
      return "found nothing to erase";
    case write_done::not_done:
      return "did not end";
    case write_done::read:
      break;
  }
  if (o.what == operation::range) return fmt::format("{} entries, row sum {}", answer.number, answer.row);
  if (answer.row == not_found) return "none";
  if (o.what == operation::successor) return fmt::format("key {}, row {}", answer.number, answer.row);
  return fmt::format("row {}", answer.row);
}

// The fields of a cell that an access reads or writes, and what is in them.
struct accessed_part {
  std::string place;  // "entry 3 key"
  std::vector<const cell_field*> fields;
  u64 begin = 0;  // of the word, in the cell
};
accessed_part part_of(const index_model& model, const shared_access& a) {
  const region_info& region = model.region(a.region);
  const u64 cell = region.cell_at(a.byte);
  accessed_part part{fmt::format("{} {}", region.cell_name, cell), {}, a.byte - region.byte_of(cell)};
  for (const cell_field& f : region.fields) {
    if (f.offset + f.bytes <= part.begin || part.begin + a.bytes <= f.offset || f.kind == field_kind::padding) continue;
    part.place += (part.fields.empty() ? " " : "+") + f.name;
    part.fields.push_back(&f);
  }
  return part;
}
std::string word_text(const accessed_part& part, u64 word) {
  std::string text;
  for (const cell_field* f : part.fields) {
    if (f->offset < part.begin) continue;  // the rest of a field that came before
    u64 value = word >> (8 * (f->offset - part.begin));
    if (f->bytes < 8) value &= (1ull << (8 * f->bytes)) - 1;
    text += (text.empty() ? "" : ", ") + (f->kind == field_kind::row_id ? row_text(value) : std::to_string(value));
  }
  return text;
}

// "load  entry 3 row id  none"
std::string access_text(const index_model& model, const shared_access& a) {
  using kind = shared_access::kind;
  if (a.what == kind::fence) return "fence";
  const accessed_part part = part_of(model, a);
  const std::string before = word_text(part, a.before), after = word_text(part, a.after);
  const std::string change = fmt::format("{} -> {}", before, after);
  switch (a.what) {
    case kind::load:
      return fmt::format("load {}: {}", part.place, before);
    case kind::store:
      return fmt::format("store {}: {}{}", part.place, change, a.late ? ", not seen yet" : "");
    case kind::swap:
      return fmt::format("swap {}: {}", part.place, a.before == a.after ? before + " stays" : change);
    case kind::add:
      return fmt::format("add {}: {}", part.place, change);
    case kind::arrival:
      return fmt::format("is seen, {}: {}", part.place, change);
    case kind::fence:
      break;
  }
  return {};
}

}  // namespace

std::string schedule_text(const interleaved_case& c, const interleaving& of, const interleaved_run& run) {
  std::vector<std::vector<std::string>> lines(1);  // a cell an operation
  for (std::size_t i = 0; i < c.operations.size(); ++i)
    lines[0].push_back(fmt::format("{}: {}", i, operation_text(c.operations[i], of.row_of(i))));
  for (const shared_access& a : run.accesses) {
    lines.emplace_back(c.operations.size());
    lines.back()[a.task] = access_text(of.model(), a);
  }
  lines.emplace_back();
  for (std::size_t i = 0; i < c.operations.size(); ++i)
    lines.back().push_back("= " + end_text(c.operations[i], run.done[i], run.answers[i]));

  std::vector<std::size_t> widths(c.operations.size());
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  std::string text = to_text(c) + "\n";
  for (std::size_t l = 0; l < lines.size(); ++l) {
    const bool access = l > 0 && l + 1 < lines.size();
    std::string line = access ? fmt::format("{:>4} ", l) : std::string(5, ' ');
    for (std::size_t i = 0; i < lines[l].size(); ++i) line += fmt::format(" {:<{}} ", lines[l][i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text + (run.fault.empty() ? "All right.\n" : "");
}

std::string counts_text(const interleaving_counts& counts) {
  std::string kinds;
  for (const operation kind : all_operations) {
    const u64 count = counts.operations[static_cast<std::size_t>(kind)];
    if (count > 0) kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", count, operation_verb(kind));
  }
  const u64 all = std::accumulate(std::begin(counts.operations), std::end(counts.operations), u64{0});
  return fmt::format("{} batches of {} operations ({}), {} schedules", counts.cases, all, kinds, counts.schedules);
}

}  // namespace pivotscope
