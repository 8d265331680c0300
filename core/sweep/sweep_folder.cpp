#include "core/sweep/sweep_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "core/common/whole_file.hpp"
#include "core/run/json_parts.hpp"
#include "core/sweep/point_text.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;
constexpr int folder_format = 1;

fs::path head_path(const fs::path& folder) { return folder / "head.json"; }
std::string point_name(std::size_t row) { return fmt::format("point-{:04}.json", row); }

std::string row_line(const sweep_row& row) {
  const std::string configs = row.standard_search      ? "std::lower_bound"
                              : row.configs_of.empty() ? fmt::format("{}", fmt::join(row.configs, "; "))
                                                       : "as " + row.configs_of;
  return fmt::format("{}: {}, {}: {}", row.id, to_line(row.load), row.width == key_width::u32 ? "u32" : "u64", configs);
}

std::string head_text(const folder_head& head) {
  const nlohmann::json all = {
      {"format", folder_format}, {"program", head.program}, {"commit", head.commit},
      {"sweep", head.sweep},     {"scale", head.scale},     {"rounds", head.rounds},
      {"repeats", head.repeats}, {"rows", head.rows},       {"machine", machine_json(head.machine)}};
  return all.dump(1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

outcome<folder_head> head_from(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded()) return problem{"it is no JSON"};
  try {
    if (json.at("format") != folder_format) return problem{"it is of another format"};
    folder_head head{.program = json.at("program"), .commit = json.at("commit"), .sweep = json.at("sweep")};
    head.scale = json.at("scale"), head.rounds = json.at("rounds"), head.repeats = json.at("repeats");
    head.rows = json.at("rows").get<std::vector<std::string>>();
    outcome<machine_info> machine = machine_from_json(json.at("machine"));
    if (!machine) return machine.error();
    head.machine = std::move(*machine);
    return head;
  } catch (const nlohmann::json::exception& e) {
    return problem{e.what()};
  }
}

struct found_head {
  bool there = false;
  folder_head head = {};
};

outcome<found_head> find_head(const fs::path& folder) {
  std::string text;
  const int error = read_whole_file(head_path(folder), text);
  if (error == ENOENT || error == ENOTDIR) return found_head{};
  if (error != 0) return problem{fmt::format("{}: {}", head_path(folder).string(), system_words(error))};
  outcome<folder_head> head = head_from(text);
  if (!head)
    return problem{fmt::format("{} is not what a sweep wrote ({}): take another folder", head_path(folder).string(),
                               head.error().words)};
  return found_head{true, std::move(*head)};
}

outcome<folder_head> head_in(const fs::path& folder) {
  outcome<found_head> found = find_head(folder);
  if (!found) return found.error();
  if (!found->there)
    return problem{
        fmt::format("{} has no head.json: it is no folder that `pivotscope sweep NAME --into` wrote", folder.string())};
  return std::move(found->head);
}

status make_folder(const fs::path& folder) {
  std::error_code fault;
  fs::create_directories(folder, fault);
  if (fault) return problem{fmt::format("cannot make the folder {}: {}", folder.string(), fault.message())};
  return fine();
}

// The first rows that differ, or nothing.
std::optional<std::string> other_rows(const folder_head& there, const folder_head& here) {
  if (there.rows.size() != here.rows.size())
    return fmt::format("{} rows and {} rows", there.rows.size(), here.rows.size());
  for (std::size_t i = 0; i < there.rows.size(); ++i)
    if (there.rows[i] != here.rows[i]) return fmt::format("\"{}\" and \"{}\"", there.rows[i], here.rows[i]);
  return std::nullopt;
}

std::optional<std::string> other_workloads(const folder_head& there, const std::string& folder, const folder_head& here,
                                           const std::string& other) {
  if (there.sweep != here.sweep)
    return fmt::format("{} has rows of the sweep {}, and {} of {}", folder, there.sweep, other, here.sweep);
  if (there.scale != here.scale)
    return fmt::format("their workloads differ: in {} counts are cut by {} bits, in {} by {}", folder, there.scale,
                       other, here.scale);
  if (const auto rows = other_rows(there, here))
    return fmt::format("the rows of {} differ between {} and {}: {}", there.sweep, folder, other, *rows);
  return std::nullopt;
}

}  // namespace

folder_head head_of(const sweep& of, u32 scale, u32 rounds, u32 repeats) {
  folder_head head{.program = {}, .commit = {}, .sweep = of.measured_as()};
  head.scale = scale, head.rounds = rounds, head.repeats = repeats;
  for (const sweep_row& row : of.rows) head.rows.push_back(row_line(scaled(row, scale)));
  return head;
}

std::optional<std::string> not_one_measurement(const folder_head& there, const std::string& folder,
                                               const folder_head& here, const std::string& other) {
  if (auto why = other_workloads(there, folder, here, other)) return why;
  if (there.program != here.program || there.commit != here.commit)
    return fmt::format("{} was measured by {}, commit {}, and {} by {}, commit {}", folder, there.program, there.commit,
                       other, here.program, here.commit);
  if (there.rounds != here.rounds || there.repeats != here.repeats)
    return fmt::format("{} has {} rounds of {} runs, and {} has {} of {}", folder, there.rounds, there.repeats, other,
                       here.rounds, here.repeats);
  const bool both = !there.machine.name.empty() && !here.machine.name.empty();
  if (both && (there.machine.name != here.machine.name || there.machine.detail != here.machine.detail))
    return fmt::format("{} was measured on {} ({}), and {} on {} ({})", folder, there.machine.name,
                       there.machine.detail, other, here.machine.name, here.machine.detail);
  return std::nullopt;
}

status sweep_folder::read_points(const sweep& of) {
  for (const sweep_row& row : of.rows) ids_.push_back(row.id);
  for (std::size_t i = 0; i < of.rows.size(); ++i) {
    const fs::path file = path_ / point_name(i);
    std::string text;
    const int error = read_whole_file(file, text);
    if (error == ENOENT) continue;
    if (error != 0) return problem{fmt::format("{}: {}", file.string(), system_words(error))};
    outcome<sweep_point> point = point_from_text(text, scaled(of.rows[i], head_.scale));
    if (!point)
      return problem{fmt::format("{} is not what a sweep wrote ({}): remove it, and its row is measured again",
                                 file.string(), point.error().words)};
    points_.push_back(std::move(*point));
  }
  for (sweep_point& point : points_) point.wants = tell_wants(point, points_);
  return fine();
}

outcome<sweep_folder> sweep_folder::open(const fs::path& path, const sweep& of, const folder_head& head) {
  if (status made = make_folder(path); !made) return made.error();
  sweep_folder folder;
  folder.path_ = path, folder.head_ = head;
  const outcome<found_head> found = find_head(path);
  if (!found) return found.error();
  if (!found->there) {
    if (status kept = write_whole_file(head_path(path), head_text(head)); !kept) return kept.error();
  } else {
    if (const auto why = not_one_measurement(found->head, path.string(), head, "this run"))
      return problem{fmt::format("cannot go on in {}: {}; take another folder", path.string(), *why)};
    folder.head_ = found->head;
  }
  if (status got = folder.read_points(of); !got) return got.error();
  return folder;
}

outcome<std::string> sweep_folder::name_in(const fs::path& path) {
  outcome<folder_head> head = head_in(path);
  if (!head) return head.error();
  return std::move(head->sweep);
}

outcome<sweep_folder> sweep_folder::read(const fs::path& path, const sweep& of) {
  outcome<folder_head> head = head_in(path);
  if (!head) return head.error();
  const folder_head wanted = head_of(of, head->scale, head->rounds, head->repeats);
  if (const auto why = other_workloads(*head, path.string(), wanted, "this program"))
    return problem{fmt::format("cannot read {}: {}", path.string(), *why)};
  sweep_folder folder;
  folder.path_ = path, folder.head_ = std::move(*head);
  if (status got = folder.read_points(of); !got) return got.error();
  return folder;
}

status sweep_folder::keep(const sweep_point& point) const {
  const auto at = std::find(ids_.begin(), ids_.end(), point.row.id);
  return write_whole_file(path_ / point_name(static_cast<std::size_t>(at - ids_.begin())), point_text(point));
}

namespace {

// Whether the file is there; a damaged one would hide another folder's whole one.
outcome<bool> whole_point(const fs::path& file, std::string& text) {
  const int error = read_whole_file(file, text);
  if (error == ENOENT) return false;
  if (error != 0) return problem{fmt::format("{}: {}", file.string(), system_words(error))};
  if (nlohmann::json::parse(text, nullptr, false).is_discarded())
    return problem{fmt::format("{} is not what a sweep wrote (it is no JSON): remove it, and its row is measured again",
                               file.string())};
  return true;
}

}  // namespace

outcome<merged_folders> merge_folders(std::span<const fs::path> sources, const fs::path& target) {
  if (sources.empty()) return problem{"which folders? `pivotscope sweep merge DIR... --into DIR`"};
  std::vector<folder_head> heads;
  for (const fs::path& source : sources) {
    outcome<folder_head> head = head_in(source);
    if (!head) return head.error();
    heads.push_back(std::move(*head));
    if (const auto why = not_one_measurement(heads.front(), sources.front().string(), heads.back(), source.string()))
      return problem{fmt::format("cannot merge: {}", *why)};
  }
  if (status made = make_folder(target); !made) return made.error();
  const outcome<found_head> there = find_head(target);
  if (!there) return there.error();
  if (there->there)
    if (const auto why = not_one_measurement(there->head, target.string(), heads.front(), sources.front().string()))
      return problem{fmt::format("cannot merge: {}", *why)};
  if (!there->there)
    if (status kept = write_whole_file(head_path(target), head_text(heads.front())); !kept) return kept.error();
  merged_folders merged{.sweep = heads.front().sweep, .rows = heads.front().rows.size()};
  for (std::size_t row = 0; row < merged.rows; ++row) {
    std::string kept;
    outcome<bool> there_before = whole_point(target / point_name(row), kept);
    if (!there_before) return there_before.error();
    bool any = *there_before, twice = false;
    for (const fs::path& source : sources) {
      const fs::path file = source / point_name(row);
      std::string text;
      const outcome<bool> found = whole_point(file, text);
      if (!found) return found.error();
      if (!*found) continue;
      if (any) {
        twice = twice || text != kept;
        continue;
      }
      if (status written = write_whole_file(target / point_name(row), text); !written) return written.error();
      kept = std::move(text), any = true;
    }
    merged.points += any, merged.twice += twice;
  }
  return merged;
}

}  // namespace pivotscope
