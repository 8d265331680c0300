#include "core/verify/access_words.hpp"

#include <fmt/format.h>

#include "core/index/told_fields.hpp"
#include "core/workload/operation_table.hpp"

namespace pivotscope {

std::string field_text(const index_model& model, cell_ref at, const cell_field& field, u64 value) {
  if (const told_fields* tells = fields_told(model))
    if (std::string words = tells->field_words(at, field, value); !words.empty()) return words;
  if (field.kind == field_kind::row_id) {
    if (value == not_found) return "none";
    if (value == erased_row) return "erased";
    if (value == claimed_row) return "claimed";
  }
  return std::to_string(value);
}

std::string operation_text(const question& o, u32 row) {
  if (o.kind == operation::range) return fmt::format("range {} {}", o.key, o.high);
  const std::string words = fmt::format("{} {}", operation_verb(o.kind), o.key);
  return o.kind == operation::insert ? fmt::format("{}, row {}", words, row) : words;
}

std::string end_text(const question& o, write_done done, const script_answer& answer) {
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
    case write_done::noted:
      return "noted";
    case write_done::not_done:
      return "did not end";
    case write_done::read:
      break;
  }
  if (answer_of(o.kind) == answer_kind::sum) return fmt::format("{} entries, row sum {}", answer.number, answer.row);
  if (answer.row == not_found) return "none";
  if (answer_of(o.kind) == answer_kind::next) return fmt::format("key {}, row {}", answer.number, answer.row);
  return fmt::format("row {}", answer.row);
}

namespace {

// The fields of a cell that an access reads or writes, and what is in them.
struct accessed_part {
  cell_ref at = {};
  std::string place;  // "entry 3 key"
  std::vector<const cell_field*> fields;
  u64 begin = 0;  // of the word, in the cell
};
accessed_part part_of(const index_model& model, const shared_access& a) {
  const region_info& region = model.region(a.region);
  const u64 cell = region.cell_at(a.byte);
  accessed_part part{{a.region, cell}, fmt::format("{} {}", region.cell_name, cell), {}, a.byte - region.byte_of(cell)};
  for (const cell_field& f : region.fields) {
    if (f.offset + f.bytes <= part.begin || part.begin + a.bytes <= f.offset || f.kind == field_kind::padding) continue;
    part.place += (part.fields.empty() ? " " : "+") + f.name;
    part.fields.push_back(&f);
  }
  return part;
}
std::string word_text(const index_model& model, const accessed_part& part, u64 word) {
  std::string text;
  for (const cell_field* f : part.fields) {
    if (f->offset < part.begin) continue;  // the rest of a field that came before
    u64 value = word >> (8 * (f->offset - part.begin));
    if (f->bytes < 8) value &= (1ull << (8 * f->bytes)) - 1;
    text += (text.empty() ? "" : ", ") + field_text(model, part.at, *f, value);
  }
  return text;
}

}  // namespace

std::string access_text(const index_model& model, const shared_access& a) {
  using kind = shared_access::kind;
  if (a.what == kind::fence) return "fence";
  const accessed_part part = part_of(model, a);
  const std::string before = word_text(model, part, a.before), after = word_text(model, part, a.after);
  const std::string change = fmt::format("{} -> {}", before, after);
  switch (a.what) {
    case kind::load:
      return fmt::format("load {}: {}{}", part.place, before, a.old ? ", maybe old" : "");
    case kind::store:
      return fmt::format("store {}: {}{}", part.place, change, a.late ? ", not seen yet" : "");
    case kind::swap:
      return fmt::format("swap {}: {}", part.place, a.before == a.after ? before + " stays" : change);
    case kind::add:
      return fmt::format("add {}: {}", part.place, change);
    case kind::exchange:
      return fmt::format("exchange {}: {}", part.place, change);
    case kind::set_bits:
      return fmt::format("or {}: {}", part.place, change);
    case kind::arrival:
      return fmt::format("is seen, {}: {}", part.place, change);
    case kind::fence:
      break;
  }
  return {};
}

}  // namespace pivotscope
