#include "viz/models/interleave_model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/index/cell_state.hpp"
#include "core/index/config_text.hpp"
#include "core/verify/access_words.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {

namespace {

using kind = shared_access::kind;

bool meets(const shared_access& a, region_id region, u64 byte, u64 bytes) {
  return a.what != kind::fence && a.region == region && a.byte < byte + bytes && byte < a.byte + a.bytes;
}

// What stands in quotes behind an option, or up to the next blank.
std::optional<std::string_view> option_in(std::string_view text, std::string_view option) {
  const std::size_t at = text.find(option);
  if (at == text.npos) return std::nullopt;
  text.remove_prefix(at + option.size());
  while (!text.empty() && (text.front() == ' ' || text.front() == '=')) text.remove_prefix(1);
  const bool quoted = !text.empty() && (text.front() == '"' || text.front() == '\'');
  const char end = quoted ? text.front() : ' ';
  if (quoted) text.remove_prefix(1);
  const std::size_t length = text.find(end);
  if (quoted && length == text.npos) return std::nullopt;  // it is being typed
  return text.substr(0, length);
}

}  // namespace

interleave_model::interleave_model(std::shared_ptr<const interleave_result> of) : result_(std::move(of)) {
  PIVOTSCOPE_EXPECT(result_->problem.empty() && result_->model);
  find_runs();
  latches_ = latches_of(*result_->model, result_->run.accesses);
  if (const staged_model* tells = staged(*result_->model))
    stages_ = tells->stages_of(result_->run.accesses);
  else
    stages_.resize(accesses());
}

std::string interleave_model::stage_of(u32 task, std::size_t step) const {
  for (std::size_t i = std::min(step, accesses()); i-- > 0;)
    if (this->task(i) == task && !stages_[i].empty()) return stages_[i];
  return {};
}

std::string interleave_model::words(std::size_t access) const {
  return access_text(*result_->model, result_->run.accesses[access]);
}

std::string interleave_model::meaning(std::size_t access) const {
  const shared_access& a = result_->run.accesses[access];
  switch (a.what) {
    case kind::load:
      return a.old ? "Reads a word as it was before all operations: a GPU may have it in L1 from then."
                   : "Reads a word of memory.";
    case kind::store:
      return a.late ? "Writes a word. Others do not see it yet: nothing promises them more before the next fence."
                    : "Writes a word, and others see it at once.";
    case kind::swap:
      return a.before == a.after ? "Compare-and-swap: the word was not what was expected, and stays. Nobody comes "
                                   "between the comparison and the write."
                                 : "Compare-and-swap: the word was what was expected, and is another one now. Nobody "
                                   "comes between the comparison and the write.";
    case kind::add:
      return "Adds to a word. Nobody comes between the read and the write.";
    case kind::exchange:
      return "Puts a word in and takes the one that was there. Nobody comes between the read and the write.";
    case kind::set_bits:
      return "Sets bits of a word, and tells what it was. Nobody comes between the read and the write.";
    case kind::fence:
      return "What was stored before it others see before what is stored behind it.";
    case kind::arrival:
      return "A store from before: others see it from here on.";
  }
  return {};
}

bool interleave_model::writes(std::size_t access) const {
  const shared_access& a = result_->run.accesses[access];
  if (a.what == kind::swap) return a.before != a.after;
  return a.what != kind::load && a.what != kind::fence;
}

bool interleave_model::switches(std::size_t access) const { return access > 0 && task(access) != task(access - 1); }

std::string interleave_model::operation_words(std::size_t i) const {
  return operation_text(of().operations[i], result_->rows[i]);
}

std::string interleave_model::end_words(std::size_t i) const {
  return end_text(of().operations[i], result_->run.done[i], result_->run.answers[i]);
}

std::string interleave_model::step_words(std::size_t step) const {
  return fmt::format("{} of {}", grouped(step), grouped(accesses()));
}

std::size_t interleave_model::next_switch(std::size_t step, int direction) const {
  if (direction > 0) {
    for (std::size_t access = step; access < accesses(); ++access)
      if (switches(access)) return access + 1;
    return accesses();
  }
  for (std::size_t access = step; access-- > 0;)
    if (access + 1 < step && switches(access)) return access + 1;
  return 0;
}

std::optional<u32> interleave_model::goes_on(std::size_t step) const {
  return step < accesses() ? std::optional(task(step)) : std::nullopt;
}

bool interleave_model::has_ended(std::size_t step, u32 task) const {
  const auto& all = result_->run.accesses;
  return std::none_of(all.begin() + static_cast<std::ptrdiff_t>(std::min(step, all.size())), all.end(),
                      [&](const shared_access& a) { return a.task == task; });
}

interleaved_case interleave_model::let_go_on(std::size_t step, u32 task) const {
  interleaved_case other = of();
  other.order = schedule_of(std::span(result_->run.accesses).first(std::min(step, accesses())), of().order.stores);
  if (!other.order.turns.empty() && other.order.turns.back().task == task)
    other.order.turns.back().accesses = turn::to_the_end;
  else
    other.order.turns.push_back({task});
  return other;
}

replayed_memory interleave_model::memory(std::size_t step) const {
  replayed_memory memory(result_->begin);
  for (std::size_t i = 0; i < std::min(step, accesses()); ++i) memory.apply(result_->run.accesses[i]);
  return memory;
}

region_reader interleave_model::reader(std::size_t step) const {
  return [memory = memory(step)](region_id region, u64 byte, std::span<std::byte> out) {
    const auto& bytes = memory.shared()[number_of(region)];
    if (byte + out.size() > bytes.size()) return false;
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(byte), out.size(), out.begin());
    return true;
  };
}

// Which cells hold something at first, or have something put there by an access.
std::vector<bool> interleave_model::cells_that_hold(region_id region) const {
  const std::span<const region_info> regions = result_->model->regions();
  std::vector<bool> hold(regions[number_of(region)].cells);
  for (u64 c = 0; c < hold.size(); ++c) {
    const auto row = place_of_row(*result_->model, {region, c});
    u32 at_first = 0;
    if (row) std::memcpy(&at_first, result_->begin[number_of(row->region)].data() + row->byte_offset, sizeof(at_first));
    hold[c] = !row || state_of_row(at_first) != cell_state::empty;
  }
  for (std::size_t i = 0; i < accesses(); ++i) {
    const shared_access& a = result_->run.accesses[i];
    const region_info& in = regions[number_of(a.region)];
    if (!writes(i) || (a.region != region && in.beside != region)) continue;
    for (u64 c = a.byte / in.cell_bytes; c < hold.size() && c * in.cell_bytes < a.byte + a.bytes; ++c) hold[c] = true;
  }
  return hold;
}

void interleave_model::find_runs() {
  const std::span<const region_info> regions = result_->model->regions();
  for (std::size_t r = 0; r < regions.size(); ++r) {
    if (regions[r].beside) continue;
    const auto id = static_cast<region_id>(r);
    const std::vector<bool> hold = cells_that_hold(id);
    for (u64 first = 0; first < hold.size(); first += runs_.back().count) {
      u64 end = first;
      while (end < hold.size() && !hold[end]) ++end;
      runs_.push_back({id, first, std::max<u64>(end - first, 1)});
    }
  }
}

met_cell interleave_model::unused(const cell_run& run, std::size_t step) const {
  const std::span<const region_info> regions = result_->model->regions();
  met_cell cells{.at = {run.region, run.first}, .count = run.count, .holds_nothing = true};
  cells.name = fmt::format("{} {} to {}", regions[number_of(run.region)].name, run.first, run.first + run.count - 1);
  if (step == 0) return cells;
  const shared_access& last = result_->run.accesses[step - 1];
  const region_info& in = regions[number_of(last.region)];
  if (last.what == kind::fence || (last.region != run.region && in.beside != run.region)) return cells;
  const u64 read = last.byte / in.cell_bytes;
  if (read >= run.first && read < run.first + run.count) cells.reads = read;
  return cells;
}

met_cell interleave_model::cell_at(cell_ref at, std::size_t step, const replayed_memory& before,
                                   const replayed_memory& now) const {
  const std::span<const region_info> regions = result_->model->regions();
  const region_info& own = regions[number_of(at.region)];
  met_cell cell{.at = at, .name = fmt::format("{} {}", own.cell_name, at.cell), .state = cell_state::live};
  const shared_access* const last = step > 0 ? &result_->run.accesses[step - 1] : nullptr;
  bool key_changed = false, was_empty = false;
  for (std::size_t r = 0; r < regions.size(); ++r) {
    const auto id = static_cast<region_id>(r);
    if ((id != at.region && regions[r].beside != at.region) || at.cell >= regions[r].cells) continue;
    for (const cell_field& f : regions[r].fields) {
      if (f.kind == field_kind::padding) continue;
      const u64 byte = at.cell * regions[r].cell_bytes + f.offset, word = now.word(id, byte, f.bytes);
      met_field field{.kind = f.kind, .words = field_text(*result_->model, {id, at.cell}, f, word)};
      for (u32 task = 0; task < operations(); ++task) {
        const std::span<const late_store> late = now.unseen(task);
        if (std::none_of(late.begin(), late.end(), [&](const late_store& s) { return s.meets(id, byte, f.bytes); }))
          continue;
        field.unseen.push_back({task,
                                field_text(*result_->model, {id, at.cell}, f, now.word_of(task, id, byte, f.bytes)),
                                last && last->task == task && last->late && meets(*last, id, byte, f.bytes)});
      }
      const bool others = before.word(id, byte, f.bytes) != word;  // a fence brings what has no access of its own
      if (last && (others || (!last->late && writes(step - 1) && meets(*last, id, byte, f.bytes))))
        field.mark = access_mark::written;
      else if (last && !last->late && meets(*last, id, byte, f.bytes))
        field.mark = access_mark::read;
      u64 at_first = 0;
      std::memcpy(&at_first, result_->begin[r].data() + byte, f.bytes);
      if (f.kind == field_kind::row_id) {
        cell.state = state_of_row(static_cast<u32>(word));
        was_empty = state_of_row(static_cast<u32>(at_first)) == cell_state::empty;
      } else {
        key_changed |= at_first != word;
      }
      cell.fields.push_back(std::move(field));
    }
  }
  cell.holds_nothing = cell.state == cell_state::empty && was_empty && !key_changed;
  return cell;
}

std::vector<met_cell> interleave_model::cells(std::size_t step) const {
  const replayed_memory now = memory(step), before = memory(step > 0 ? step - 1 : 0);
  std::vector<met_cell> list;
  for (const cell_run& run : runs_)
    list.push_back(run.count > 1 ? unused(run, step) : cell_at({run.region, run.first}, step, before, now));
  return list;
}

std::size_t alike(const interleave_model& a, const interleave_model& b) {
  const auto &x = a.result().run.accesses, &y = b.result().run.accesses;
  std::size_t i = 0;
  while (i < x.size() && i < y.size() && x[i] == y[i]) ++i;
  return i;
}

outcome<typed_interleaving> interleaving_from_text(std::string_view text, key_width width) {
  typed_interleaving typed;
  if (const auto line = option_in(text, "--replay")) {
    if (const auto config = option_in(text, "--config")) {
      outcome<index_config> read = config_from_line(std::string(*config));
      if (!read) return read.error();
      typed.config = *read;
      width = read->keys;
    }
    text = *line;
  }
  outcome<interleaved_case> of = interleaved_case_from_text(text, width);
  if (!of) return of.error();
  typed.of = std::move(*of);
  return typed;
}

std::string replay_command(const interleave_request& of) {
  return fmt::format("pivotscope interleave --config \"{}\" --replay \"{}\"", to_line(of.config), to_text(of.of));
}

std::string switches_words(const interleaving_report& report) {
  if (report.failing)
    return fmt::format("Of its orders with at most two switches number {} is wrong: {}.", grouped(report.schedules),
                       report.words);
  return fmt::format("All {} orders with at most two switches are right.", grouped(report.schedules));
}

}  // namespace pivotscope::viz
