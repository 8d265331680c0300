#include "viz/models/fill_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/index/index_reader.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {

std::optional<fill_column> fill_of(const index_model& model, u64 first, u64 end, const region_reader& read) {
  u64 from = first, to = end;
  if (end - first > most_fill_sampled) {
    // A whole multiple of so many where one lies within, so that it does not depend on where the column begins.
    from = std::min(ceil_div(first, most_fill_sampled) * most_fill_sampled, end - most_fill_sampled);
    to = from + most_fill_sampled;
  }
  std::vector<part_fill> parts(to - from);
  if (parts.empty() || !model.fills_of(from, read, parts)) return std::nullopt;
  fill_column column{.first = first, .end = end, .counted = parts.size(), .least = parts[0].filled};
  for (const part_fill& part : parts) {
    column.filled += part.filled, column.kinds |= 1u << part.kind;
    column.least = std::min(column.least, part.filled), column.most = std::max(column.most, part.filled);
  }
  return column;
}

void fill_counts::add(const part_fill& part, u32 longest) {
  const u32 bar = std::min(part.filled, longest);
  parts.resize(std::max<std::size_t>(parts.size(), bar + 1)),
      kinds.resize(std::max<std::size_t>(kinds.size(), part.kind + 1));
  of_kind.resize(kinds.size()), of_kind[part.kind].resize(std::max<std::size_t>(of_kind[part.kind].size(), bar + 1));
  ++parts[bar], ++kinds[part.kind], ++of_kind[part.kind][bar], ++count;
  filled += part.filled, most = std::max(most, part.filled);
}

fill_study::fill_study(std::shared_ptr<const built_index> index, std::shared_ptr<const index_model> model)
    : index_(std::move(index)), model_(std::move(model)), parts_(model_->fill().value_or(fill_parts{})) {
  runs_ = ceil_div(std::min(parts_.count, most_fill_counted), fill_run);
}

void fill_study::count_next() {
  const u64 all = parts_.count, of_run = std::min(fill_run, all);
  const u64 first = all_counted() ? run_ * fill_run
                                  : static_cast<u64>(static_cast<double>(all - of_run) / static_cast<double>(runs_) *
                                                     static_cast<double>(run_));
  std::vector<part_fill> parts(std::min(of_run, all - first));
  index_reader read(*index_);
  const bool done = model_->fills_of(
      first, [&](region_id region, u64 byte, std::span<std::byte> out) { return read(region, byte, out); }, parts);
  failed_ |= !done;
  if (!done) return;
  for (const part_fill& part : parts) counts_.add(part, longest());
  ++run_;
}

bool fill_study::go_on(double seconds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  do {
    if (failed_ || run_ == runs_) return false;
    count_next();
  } while (std::chrono::steady_clock::now() < until);
  return !failed_ && run_ < runs_;
}

std::string part_title(const fill_parts& parts, u64 part) {
  return fmt::format("{} {} of {}", capitalised(parts.name), grouped(part), grouped(parts.count));
}

std::string part_card(const index_model& model, const fill_parts& parts, u64 part, const region_reader& read) {
  part_fill fill;
  if (!model.fills_of(part, read, {&fill, 1})) return "reading...";
  std::string words;
  if (const auto keys = model.keys_of_part(part)) words = fmt::format("Keys {} to {}.\n", keys->first, keys->last);
  words += fmt::format("{} {}, room for {}", grouped(fill.filled), fill.filled == 1 ? parts.unit : parts.units,
                       grouped(parts.room));
  words += parts.kinds.size() > 1 ? fmt::format(": {}.", parts.kinds[fill.kind].name) : std::string(".");
  const std::string more = model.part_words(part, read);
  return more.empty() ? words : words + "\n" + more;
}

}  // namespace pivotscope::viz
