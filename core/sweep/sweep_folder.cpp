#include "core/sweep/sweep_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <nlohmann/json.hpp>

#include "core/common/json_words.hpp"
#include "core/common/sealed_json.hpp"
#include "core/common/whole_file.hpp"
#include "core/run/json_parts.hpp"
#include "core/sweep/point_text.hpp"
#include "core/sweep/sweep_result.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;
constexpr int folder_format = 2;  // 1 had no checksum

fs::path head_path(const fs::path& folder) { return folder / "head.json"; }
// Behind one that is damaged its row is measured again, as the second, or the third.
std::string point_name(std::size_t row, u32 number) {
  return number == 1 ? fmt::format("point-{:04}.json", row) : fmt::format("point-{:04}-{}.json", row, number);
}

std::string row_line(const sweep_row& row) {
  const std::string configs = row.program()            ? *row.program()
                              : row.configs_of.empty() ? fmt::format("{}", fmt::join(row.configs, "; "))
                                                       : "as " + row.configs_of;
  return fmt::format("{}: {}, {}: {}", row.id, to_line(row.load), row.width == key_width::u32 ? "u32" : "u64", configs);
}

std::string head_text(const folder_head& head) {
  const nlohmann::json all = {{"format", folder_format},
                              {"program", head.program},
                              {"commit", head.commit},
                              {"sweep", head.sweep},
                              {"scale", head.scale},
                              {"rounds", head.rounds.least},
                              {"most_rounds", head.rounds.most},
                              {"repeats", head.rounds.repeats},
                              {"rows", head.rows},
                              {"machine", machine_json(head.machine)}};
  return sealed(all.dump(1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n");
}

outcome<folder_head> head_from(const std::string& text) {
  const outcome<nlohmann::json> read = parse_sealed(text, folder_format);
  if (!read) return read.error();
  const nlohmann::json& json = *read;
  try {
    folder_head head{.program = json.at("program"), .commit = json.at("commit"), .sweep = json.at("sweep")};
    head.scale = json.at("scale");
    head.rounds = {.least = json.at("rounds"), .repeats = json.at("repeats")};
    head.rounds.most = json.value("most_rounds", head.rounds.least);  // before there was a rule, they were fixed
    head.rows = json.at("rows").get<std::vector<std::string>>();
    outcome<machine_info> machine = machine_from_json(json.at("machine"));
    if (!machine) return machine.error();
    head.machine = std::move(*machine);
    return head;
  } catch (const nlohmann::json::exception& e) {
    return problem{json_words(e)};
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

folder_head head_of(const sweep& of, u32 scale, const round_plan& rounds) {
  folder_head head{.program = {}, .commit = {}, .sweep = of.measured_as()};
  head.scale = scale, head.rounds = rounds;
  for (const sweep_row& row : of.rows) head.rows.push_back(row_line(scaled(row, scale)));
  return head;
}

namespace {

// Places of files are left out: another user's cache is no other machine.
bool same_machine(const machine_info& a, const machine_info& b) {
  return a.name == b.name && a.driver == b.driver && driver_words(a.detail) == driver_words(b.detail);
}
std::string words_of(const machine_info& machine) {
  return fmt::format("{}{} ({})", machine.name,
                     machine.driver.empty() ? "" : fmt::format(", driver {}", machine.driver), machine.detail);
}

// The commit of "710d93e0aabb-dirty.1f0c93d2"; nothing where no file differed from it.
constexpr std::string_view changed = "-dirty";
std::optional<std::string> changed_commit(const std::string& commit) {
  const std::size_t at = commit.find(changed);
  return at == commit.npos ? std::nullopt : std::optional(commit.substr(0, at));
}

std::optional<std::string> other_programs(const folder_head& there, const std::string& folder, const folder_head& here,
                                          const std::string& other) {
  const std::optional<std::string> base = changed_commit(there.commit);
  if (there.program != here.program || there.commit != here.commit) {
    std::string words = fmt::format("{} was measured by {}, commit {}, and {} by {}, commit {}", folder, there.program,
                                    there.commit, other, here.program, here.commit);
    if (base && base == changed_commit(here.commit))
      words += fmt::format(": both are of {}, with other changes to its sources", *base);
    return words;
  }
  // Nothing says that the changes were the same.
  if (base && there.commit.ends_with(changed))
    return fmt::format(
        "{} and {} were measured by builds of commit {} whose sources had been changed, which do not say how, and so "
        "may "
        "be two programs; commit the changes, and measure again",
        folder, other, *base);
  return std::nullopt;
}

// Of points: whether each is of its row, its folder's workload and one machine.
class point_judge {
 public:
  explicit point_judge(const folder_head& head) : head_(head) {
    const outcome<const sweep*> known = find_sweep(head.sweep);
    if (known && head_of(**known, head.scale, head.rounds).rows == head.rows) sweep_ = *known;
  }

  struct verdict {
    enum : u8 { right, damaged, foreign } is = right;
    std::string why = {};  // when it is not
  };
  // Damaged: not as it was written. Foreign: as it was written, and another measurement's.
  verdict judge(const std::string& text, std::size_t row) {
    const outcome<nlohmann::json> json = point_json(text);
    if (!json) return {verdict::damaged, json.error().words};
    // Of one without a checksum it is not known.
    const auto unread = seal_of(text) == seal::right ? verdict::foreign : verdict::damaged;
    try {
      if (auto why = other_row(json->at("row"), json->at("workload"), head_.rows.at(row)))
        return {verdict::foreign, std::move(*why)};
      if (sweep_ != nullptr) {
        const outcome<sweep_point> point = point_from_text(text, scaled(sweep_->rows[row], head_.scale));
        if (!point) return {unread, point.error().words};
      }
      const outcome<machine_info> machine = machine_from_json(json->at("machine"));
      if (!machine) return {unread, machine.error().words};
      if (auto why = other_machine(*machine)) return {verdict::foreign, std::move(*why)};
      return {};
    } catch (const nlohmann::json::exception& e) {
      return {unread, json_words(e)};
    }
  }

  // A row may be of another kind of machine than the sweep: then of the first one of that kind.
  std::optional<std::string> other_machine(const machine_info& machine) {
    const bool heads = machine.kind == head_.machine.kind;
    if (heads && head_.machine.name.empty()) return std::nullopt;
    if (!heads && !beside_) beside_ = machine;
    const machine_info& wanted = heads ? head_.machine : *beside_;
    if (same_machine(machine, wanted)) return std::nullopt;
    return fmt::format("it was measured on {}, and {} on {}", words_of(machine), heads ? "the sweep" : "others",
                       words_of(wanted));
  }

 private:
  static std::optional<std::string> other_row(const std::string& id, const std::string& load, const std::string& line) {
    if (!line.starts_with(id + ": ")) return fmt::format("it is of the row {}, and not of \"{}\"", id, line);
    std::string wanted = line.substr(id.size() + 2);
    for (const char* width : {", u32: ", ", u64: "})
      if (const std::size_t at = wanted.find(width); at != wanted.npos) wanted.resize(at);
    if (load == wanted) return std::nullopt;
    const outcome<workload> is = workload_from_line(load), should = workload_from_line(wanted);
    if (is && should && is->seed != should->seed)
      return fmt::format("it is of the seed {}, and the sweep's row {} of {}", is->seed, id, should->seed);
    return fmt::format("it is of another workload: \"{}\", and the sweep's row {} has \"{}\"", load, id, wanted);
  }

  const folder_head& head_;
  const sweep* sweep_ = nullptr;  // this program's, where its rows are these
  std::optional<machine_info> beside_ = {};
};

}  // namespace

std::optional<std::string> not_one_measurement(const folder_head& there, const std::string& folder,
                                               const folder_head& here, const std::string& other) {
  if (auto why = other_workloads(there, folder, here, other)) return why;
  if (auto why = other_programs(there, folder, here, other)) return why;
  if (there.rounds != here.rounds)
    return fmt::format("{} has {}, and {} has {}", folder, there.rounds.words(), other, here.rounds.words());
  const bool both = !there.machine.name.empty() && !here.machine.name.empty();
  if (both && !same_machine(there.machine, here.machine))
    return fmt::format("{} was measured on {}, and {} on {}", folder, words_of(there.machine), other,
                       words_of(here.machine));
  return std::nullopt;
}

namespace {

// Of a row the first file that is right, and words for those before it, which stay where they are.
struct found_point {
  std::optional<std::string> text = {};
  std::vector<std::string> damaged = {};
};
outcome<found_point> find_point(const fs::path& folder, std::size_t row, point_judge& judge) {
  found_point found;
  for (u32 number = 1;; ++number) {
    const fs::path file = folder / point_name(row, number);
    std::string text;
    const int error = read_whole_file(file, text);
    if (error == ENOENT) return found;
    if (error != 0) return problem{fmt::format("{}: {}", file.string(), system_words(error))};
    const point_judge::verdict verdict = judge.judge(text, row);
    switch (verdict.is) {
      case point_judge::verdict::right:
        found.text = std::move(text);
        return found;
      case point_judge::verdict::foreign:
        return problem{fmt::format("{} is not the sweep's ({}): remove it, and its row is measured again",
                                   file.string(), verdict.why)};
      case point_judge::verdict::damaged:
        found.damaged.push_back(
            fmt::format("{} is damaged ({}): it stays there, and `sweep --into` measures its row again", file.string(),
                        verdict.why));
    }
  }
}

}  // namespace

status sweep_folder::read_points(const sweep& of) {
  for (const sweep_row& row : of.rows) ids_.push_back(row.id);
  point_judge judge(head_);
  for (std::size_t i = 0; i < of.rows.size(); ++i) {
    outcome<found_point> found = find_point(path_, i, judge);
    if (!found) return found.error();
    damaged_.insert(damaged_.end(), found->damaged.begin(), found->damaged.end());
    if (!found->text) continue;
    outcome<sweep_point> point = point_from_text(*found->text, scaled(of.rows[i], head_.scale));
    if (!point) return problem{fmt::format("{}: {}", (path_ / point_name(i, 1)).string(), point.error().words)};
    points_.push_back(std::move(*point));
  }
  for (sweep_point& point : points_) point.wants = tell_wants(point, points_);
  return fine();
}

namespace {

// "process 1234 on node-7, since 2026-11-26 01:02:03 UTC"
std::string own_words() {
  char host[64] = "", moment[32] = "";
  ::gethostname(host, sizeof host - 1);
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  if (::gmtime_r(&now, &utc) != nullptr) std::strftime(moment, sizeof moment, "%Y-%m-%d %H:%M:%S UTC", &utc);
  return fmt::format("process {} on {}, since {}", ::getpid(), host, moment);
}

}  // namespace

outcome<file_lock> take_folder(const fs::path& folder) {
  if (status made = make_folder(folder); !made) return made.error();
  const fs::path path = folder / "lock";
  outcome<std::optional<file_lock>> lock = file_lock::take_free(path);
  if (!lock) return lock.error();
  if (*lock) {
    if (const status said = (*lock)->say(own_words()); !said)
      return problem{fmt::format("cannot write {}: {}", path.string(), said.error().words)};
    return std::move(**lock);
  }
  std::string who;
  (void)read_whole_file(path, who);  // what cannot be read names nobody
  who.resize(who.find_last_not_of(" \n") + 1);
  return problem{fmt::format(
      "another sweep is at work in {}: {}; wait for its end, or measure a --shard each into folders of their own",
      folder.string(), who.empty() ? "a process that has not said which" : who)};
}

outcome<sweep_folder> sweep_folder::open(const fs::path& path, const sweep& of, const folder_head& head,
                                         std::optional<file_lock> taken) {
  if (!taken) {
    outcome<file_lock> lock = take_folder(path);
    if (!lock) return lock.error();
    taken = std::move(*lock);
  }
  sweep_folder folder;
  folder.path_ = path, folder.head_ = head, folder.taken_ = std::move(taken);
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
  const folder_head wanted = head_of(of, head->scale, head->rounds);
  if (const auto why = other_workloads(*head, path.string(), wanted, "this program"))
    return problem{fmt::format("cannot read {}: {}", path.string(), *why)};
  sweep_folder folder;
  folder.path_ = path, folder.head_ = std::move(*head);
  if (status got = folder.read_points(of); !got) return got.error();
  return folder;
}

namespace {

// The first name of the row's that no file has: one that is damaged keeps its own.
fs::path free_name(const fs::path& folder, std::size_t row) {
  std::error_code none;
  u32 number = 1;
  while (fs::exists(folder / point_name(row, number), none)) ++number;
  return folder / point_name(row, number);
}

}  // namespace

status sweep_folder::keep(const sweep_point& point) const {
  const auto at = std::find(ids_.begin(), ids_.end(), point.row.id);
  return write_whole_file(free_name(path_, static_cast<std::size_t>(at - ids_.begin())), point_text(point));
}

namespace {

// A folder's points as they are written, by row; nothing of one that is not there, or damaged: `damaged` says so.
using point_texts = std::vector<std::optional<std::string>>;
outcome<point_texts> texts_in(const fs::path& folder, std::size_t rows, point_judge& judge,
                              std::vector<std::string>& damaged) {
  point_texts texts(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    outcome<found_point> found = find_point(folder, row, judge);
    if (!found) return problem{"cannot merge: " + found.error().words};
    damaged.insert(damaged.end(), found->damaged.begin(), found->damaged.end());
    texts[row] = std::move(found->text);
  }
  return texts;
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
  std::error_code none;
  std::optional<file_lock> held;
  if (fs::exists(target, none)) {
    outcome<file_lock> lock = take_folder(target);
    if (!lock) return lock.error();
    held = std::move(*lock);
  }
  const outcome<found_head> there = find_head(target);
  if (!there) return there.error();
  if (there->there)
    if (const auto why = not_one_measurement(there->head, target.string(), heads.front(), sources.front().string()))
      return problem{fmt::format("cannot merge: {}", *why)};
  // All of them are judged before anything is written.
  point_judge judge(heads.front());
  merged_folders merged{.sweep = heads.front().sweep, .rows = heads.front().rows.size()};
  outcome<point_texts> points = texts_in(target, merged.rows, judge, merged.damaged);
  if (!points) return points.error();
  std::vector<bool> added(merged.rows), twice(merged.rows);
  for (const fs::path& source : sources) {
    outcome<point_texts> more = texts_in(source, merged.rows, judge, merged.damaged);
    if (!more) return more.error();
    for (std::size_t row = 0; row < merged.rows; ++row) {
      std::optional<std::string>&text = (*more)[row], &taken = (*points)[row];
      if (!text) continue;
      if (taken)
        twice[row] = twice[row] || *text != *taken;
      else
        taken = std::move(text), added[row] = true;
    }
  }
  if (!held) {
    outcome<file_lock> lock = take_folder(target);
    if (!lock) return lock.error();
    held = std::move(*lock);
    if (fs::exists(head_path(target), none))
      return problem{fmt::format("cannot merge: {} was made meanwhile; merge again", target.string())};
  }
  if (!there->there)
    if (status kept = write_whole_file(head_path(target), head_text(heads.front())); !kept) return kept.error();
  for (std::size_t row = 0; row < merged.rows; ++row) {
    if (added[row])
      if (status written = write_whole_file(free_name(target, row), *(*points)[row]); !written) return written.error();
    merged.points += (*points)[row].has_value() ? 1 : 0;
    merged.twice += twice[row] ? 1 : 0;
  }
  return merged;
}

}  // namespace pivotscope
