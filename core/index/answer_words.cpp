#include "core/index/answer_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/index/model.hpp"

namespace pivotscope {
namespace {

std::string range_words(u64 low, u64 high, const range_answer& answer) {
  if (low > high) return fmt::format("The range from {} to {} is empty: it ends before it begins.", low, high);
  if (answer.count == 0) return fmt::format("No key from {} to {} is in the index.", low, high);
  return fmt::format("{} entr{} from {} to {}; the sum of row ids is {}.", answer.count,
                     answer.count == 1 ? "y" : "ies", low, high, answer.row_sum);
}

std::string matches_words(u64 key, const range_answer& answer) {
  if (answer.count == 0) return fmt::format("No entry has key {}.", key);
  return fmt::format("{} entr{} key {}; the sum of row ids is {}.", answer.count,
                     answer.count == 1 ? "y has" : "ies have", key, answer.row_sum);
}

std::string lower_bound_words(const lookup_trace& trace, const successor_answer& answer) {
  if (trace.keys == 0) return fmt::format("{} has no lower bound: the index is empty.", trace.key);
  if (answer.row == not_found) return fmt::format("{} has no lower bound: all keys are smaller.", trace.key);
  return fmt::format("The least key that is not smaller than {} is {}: row id {}, in slot {} of the {}.", trace.key,
                     answer.key, answer.row, trace.slot, model_of(trace.config, trace.keys)->region(main_region).id);
}

std::string successor_words(const lookup_trace& trace, const successor_answer& answer) {
  if (trace.keys == 0) return fmt::format("Nothing comes after {}: the index is empty.", trace.key);
  if (answer.row == not_found) return fmt::format("Nothing comes after {}: no key is greater.", trace.key);
  return fmt::format("After {} comes {}: row id {}, in slot {} of the {}.", trace.key, answer.key, answer.row,
                     trace.slot, model_of(trace.config, trace.keys)->region(main_region).id);
}

std::string write_words(const lookup_trace& trace, const traced_write& write) {
  switch (write.done) {
    case write_done::added:
    case write_done::revived:
      return fmt::format("{} goes in: row id {}.", trace.key, write.row);
    case write_done::replaced:
      return fmt::format("{} is in the index, and gets row id {}.", trace.key, write.row);
    case write_done::full:
      return fmt::format("{} finds no room: the index is full, and stays as it is.", trace.key);
    case write_done::erased:
      return fmt::format("{} is erased.", trace.key);
    default:
      return fmt::format("{} is not in the index, so there is nothing to erase.", trace.key);
  }
}

}  // namespace

std::string changes_words(const lookup_trace& trace, const trace_step& step) {
  const std::shared_ptr<const index_model> model = model_of(trace.config, trace.keys);
  std::string words;
  for (const changed_word& word : step.changed) {
    const std::vector<cell_field>& fields = model->region(word.array).fields;
    const auto field = std::find_if(fields.begin(), fields.end(), [&](const cell_field& f) {
      return f.offset <= word.offset && word.offset < f.offset + f.bytes;
    });
    if (!words.empty()) words += ' ';
    const std::string name = fmt::format("{} of slot {}", field == fields.end() ? "word" : field->name, word.slot);
    const bool row = field != fields.end() && field->kind == field_kind::row_id;
    const auto value = [&](u64 number) {
      return !row || is_live_row(static_cast<u32>(number)) ? std::to_string(number)
             : number == not_found                         ? "none"
             : number == erased_row                        ? "erased"
                                                           : "claimed";
    };
    words += word.done ? fmt::format("The {} was {}, and becomes {}.", name, value(word.before), value(word.after))
                       : fmt::format("The {} is {} by now: it stays.", name, value(word.before));
  }
  return words;
}

std::string answer_words(const lookup_trace& trace) {
  if (trace.write) return write_words(trace, *trace.write);
  if (trace.asked == operation::matches)
    return matches_words(trace.key, trace.range              ? trace.range->answer
                                    : trace.row == not_found ? range_answer{}
                                                             : range_answer{1, trace.row});
  if (trace.range) return range_words(trace.key, trace.range->high, trace.range->answer);
  if (trace.successor)
    return takes_itself(trace.asked) ? lower_bound_words(trace, *trace.successor)
                                     : successor_words(trace, *trace.successor);
  if (trace.keys == 0) return fmt::format("{} is not in the index: it is empty.", trace.key);
  if (trace.row == not_found) return fmt::format("{} is not in the index.", trace.key);
  return fmt::format("{} is in the index: row id {}, in slot {} of the {}.", trace.key, trace.row, trace.slot,
                     model_of(trace.config, trace.keys)->region(main_region).id);
}

}  // namespace pivotscope
