// A script's text, against a reader that is as plain as can be.
#include <array>
#include <vector>

#include "core/workload/script_text.hpp"
#include "tests/fuzz/reader.hpp"

namespace pivotscope::fuzz {
namespace {

struct plain_operation {
  u64 batch, line;
  question what;
  bool mixed;
  std::optional<maintenance> whole = {};
};

std::vector<std::string_view> plain_words_of(std::string_view line) {
  std::vector<std::string_view> words;
  line = line.substr(0, line.find('#'));
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at;
    while (end < line.size() && line[end] != ' ' && line[end] != '\t' && line[end] != '\r') ++end;
    if (end > at) words.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// Nothing: it is refused.
std::optional<std::vector<plain_operation>> plain_script(std::string_view text, u64 greatest, bool several = false) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  std::vector<plain_operation> all;
  bool mixed = false;
  u64 batch = 0;
  std::size_t begun = 0;  // operations before the mixed batch
  for (u64 line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::vector<std::string_view> words = plain_words_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (words.empty()) continue;
    if (words[0] == "begin" || words[0] == "end") {
      const bool begins = words[0] == "begin";
      if (words.size() != 1 || begins == mixed || (!begins && all.size() == begun)) return std::nullopt;
      mixed = begins, begun = all.size(), ++batch;
      continue;
    }
    if (words[0] == "clear" || words[0] == "rebuild") {
      if (words.size() != 1 || mixed) return std::nullopt;
      all.push_back({++batch, line, {}, false, words[0] == "clear" ? maintenance::clear : maintenance::rebuild});
      ++batch;
      continue;
    }
    plain_operation one{batch, line, {}, mixed};
    bool known = false;
    for (const operation what : all_operations)
      if (words[0] == operation_verb(what)) one.what.kind = what, known = true;
    const bool range = one.what.kind == operation::range;
    const std::size_t keys = words.size() - 1, each = range ? 2 : 1;
    if (!known || keys == 0 || keys % each != 0 || (!several && keys != each)) return std::nullopt;
    if (!mixed && !all.empty() && all.back().batch == batch && all.back().what.kind != one.what.kind)
      one.batch = ++batch;
    for (std::size_t i = 1; i < words.size(); i += each) {
      const std::optional<u64> key = plain_number(words[i], greatest),
                               high = plain_number(words[i + each - 1], greatest);
      if (!key || !high) return std::nullopt;
      one.what.key = *key, one.what.high = range ? *high : 0;
      all.push_back(one);
    }
  }
  if (mixed) return std::nullopt;
  return all;
}

void demand_same_script(const outcome<script>& read, const std::optional<std::vector<plain_operation>>& plain,
                        std::string_view bytes) {
  if (!read) demand_file_words(read.error(), bytes);
  demand(read.ok() == plain.has_value(), read.ok() ? "a plain reader refuses this" : read.error().words);
  if (!read) return;
  demand(read->items() == plain->size(), "a plain reader reads another number of operations");
  std::size_t batch = 0;
  u64 i = 0;  // operation
  for (std::size_t at = 0; at < plain->size(); ++at) {
    const plain_operation& one = (*plain)[at];
    if (at > 0 && (*plain)[at - 1].batch != one.batch) ++batch;
    demand(batch < read->batches().size(), "a plain reader reads more batches");
    const script_batch& in = read->batches()[batch];
    demand(in.whole == one.whole, "a plain reader reads other maintenance");
    if (one.whole) {
      demand(read->line_of_whole(batch) == one.line, "a plain reader finds maintenance in another line");
      continue;
    }
    demand((*read)[i] == one.what, "a plain reader reads other operations");
    demand(read->line(i) == one.line, "a plain reader finds them in other lines");
    demand(in.begin <= i && i < in.end && in.mixed == one.mixed, "a plain reader reads other batches");
    ++i;
  }
  const outcome<script> again = script_from_text(to_text(*read), read->width());
  demand(again.ok() && *again == *read, "a script's text gives it back");
}

}  // namespace

void script_file(std::string_view bytes) {
  if (bytes.size() > memory_pipe::longest) return;
  const auto narrow = plain_script(bytes, greatest_key<u32>());
  demand_same_script(read_script(memory_file(bytes).path(), key_width::u32), narrow, bytes);
  demand_same_script(script_from_text(bytes, key_width::u32), narrow, bytes);
  demand_same_script(script_from_text(bytes, key_width::u32, keys_a_line::several),
                     plain_script(bytes, greatest_key<u32>(), true), bytes);
  demand_same_script(read_script(memory_pipe(bytes).path(), key_width::u64), plain_script(bytes, greatest_key<u64>()),
                     bytes);
}

}  // namespace pivotscope::fuzz
