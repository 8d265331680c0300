#include "app/cli/options/file_options.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "core/common/whole_file.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

using enum file_use;
constexpr std::array options_of_files = std::to_array<file_option>({
    {"", "--screenshot", writes},
    {"", "--workload", reads_line},
    {"", "--cache-folder", caches_in},
    {"run", "--keys-from", reads},
    {"run", "--script", reads},
    {"run", "--workload", reads_line},
    {"run", "--answers", writes},
    {"run", "--entries", writes},
    {"run", "--csv", writes},
    {"run", "--cache-folder", caches_in},
    {"trace", "--keys-from", reads},
    {"trace", "--workload", reads_line},
    {"trace", "--cache-folder", caches_in},
    {"traffic", "--keys-from", reads},
    {"traffic", "--lookups-from", reads},
    {"traffic", "--workload", reads_line},
    {"traffic", "--cache-folder", caches_in},
    {"rays", "--keys-from", reads},
    {"rays", "--cache-folder", caches_in},
    {"rays", "--lookups-from", reads},
    {"rays", "--workload", reads_line},
    {"verify", "--cache-folder", caches_in},
    {"advise", "--workload", reads_line},
    {"advise", "--cache-folder", caches_in},
    {"tune", "--keys-from", reads},
    {"tune", "--workload", reads_line},
    {"tune", "--cache-folder", caches_in},
    {"sweep", "DIR", reads_sweep},
    {"sweep", "--into", goes_on_in},
    {"sweep", "--against", reads_sweep},
    {"sweep", "--csv", writes},
    {"sweep", "--json", writes},
    {"sweep", "--svg", writes},
    {"sweep", "--png", writes},
    {"sweep", "--cache-folder", caches_in},
    {"floor", "--csv", writes},
    {"floor", "--json", writes},
    {"floor", "--cache-folder", caches_in},
    {"report", "DIR", reads_results},
    {"report", "--out", writes},
    {"measurements", "DOCUMENT", rewrites},
    {"measurements", "--keep", reads},
    {"measurements", "--as", writes},
    {"picture", "--out", writes_several},
    {"picture", "--workload", reads_line},
    {"picture", "--cache-folder", caches_in},
});

bool is_folder(file_use use) {
  return use == reads_sweep || use == reads_results || use == goes_on_in || use == caches_in;
}
bool is_written(file_use use) {
  return use == writes || use == writes_several || use == goes_on_in || use == rewrites || use == caches_in;
}

// A file, there or not, told from others whatever it is called.
struct identity {
  fs::path target = {};    // behind its links
  struct stat about = {};  // of it, where it is there
  bool there = false;
  struct stat folder = {};  // of the one that it lies in, where that is there
  bool has_folder = false;
};

bool same_inode(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

identity identity_of(const fs::path& path) {
  identity one{.target = path};
  if (const outcome<fs::path> behind = behind_links(path)) one.target = *behind;
  // Not the target: what /dev/stdout leads to may have no name.
  one.there = ::stat(path.c_str(), &one.about) == 0;
  // "new/" is a folder that will be called "new".
  if (!one.target.has_filename()) one.target = one.target.parent_path();
  const fs::path folder = one.target.has_parent_path() ? one.target.parent_path() : fs::path(".");
  one.has_folder = ::stat(folder.c_str(), &one.folder) == 0;
  return one;
}

bool same(const identity& a, const identity& b) {
  if (a.there || b.there) return a.there && b.there && same_inode(a.about, b.about);
  if (a.has_folder || b.has_folder)
    return a.has_folder && b.has_folder && same_inode(a.folder, b.folder) && a.target.filename() == b.target.filename();
  std::error_code fault;
  return fs::weakly_canonical(a.target, fault) == fs::weakly_canonical(b.target, fault);
}

// Whether it takes all that is written to it, however often it is opened.
bool takes_several(const identity& one) {
  if (!one.there) return false;
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat about {};
    if (::fstat(stream, &about) == 0 && same_inode(about, one.about)) return true;
  }
  return S_ISCHR(one.about.st_mode) || S_ISFIFO(one.about.st_mode) || S_ISSOCK(one.about.st_mode);
}

bool is_sweeps_own(std::string_view name) {
  return name == "head.json" || name == "lock" || (name.starts_with("point-") && name.ends_with(".json"));
}

// Whether a command reads a file of that name in the folder, or writes it there.
bool is_own(file_use use, std::string_view name) {
  if (use == caches_in)
    return name == "floors.json" || name == "tunings.json" || name.ends_with(".lock") || name.ends_with(".kernel");
  return use == reads_results ? name.ends_with(".json") : is_sweeps_own(name);
}

// Whether the file is one of the folder's own, or will be.
bool is_in(const identity& file, const fs::path& folder, file_use use) {
  struct stat about {};
  if (::stat(folder.c_str(), &about) != 0 || !S_ISDIR(about.st_mode)) return false;
  if (file.has_folder && same_inode(file.folder, about) && is_own(use, file.target.filename().native())) return true;
  std::error_code fault;
  for (fs::directory_iterator entry(folder, fault), end; !fault && entry != end; entry.increment(fault)) {
    if (use == reads_results && entry->is_directory(fault) && is_in(file, entry->path(), reads_sweep)) return true;
    struct stat its {};
    const bool own = is_own(use, entry->path().filename().native());
    if (own && file.there && ::stat(entry->path().c_str(), &its) == 0 && same_inode(its, file.about)) return true;
  }
  return false;
}

std::string words_of(const named_file& one) { return fmt::format("{} {}", one.option, one.path); }

// Of two files or two folders. A folder of what was compiled may be one of results too: their files' names differ.
std::optional<std::string> refuse_same(const named_file& a, const named_file& b, const identity& its) {
  const bool both_written = is_written(a.use) && is_written(b.use), folder = its.there && S_ISDIR(its.about.st_mode);
  if (folder && (a.use == caches_in || b.use == caches_in)) return std::nullopt;
  if (both_written && takes_several(its)) return std::nullopt;
  if (its.there && S_ISCHR(its.about.st_mode)) return std::nullopt;  // a terminal is read and written
  return fmt::format("{} and {} are the same {}, and {}; name another", words_of(a), words_of(b),
                     folder ? "folder" : "file",
                     both_written ? "one would be written over the other" : "what is read would be written over");
}

std::optional<std::string> refuse_pair(const named_file& a, const named_file& b) {
  if (!is_written(a.use) && !is_written(b.use)) return std::nullopt;
  const identity its = identity_of(a.path), others = identity_of(b.path);
  if (same(its, others)) return refuse_same(a, b, its);
  if (is_folder(a.use) == is_folder(b.use)) return std::nullopt;
  const named_file &folder = is_folder(a.use) ? a : b, &file = is_folder(a.use) ? b : a;
  if (!is_in(is_folder(a.use) ? others : its, folder.path, folder.use)) return std::nullopt;
  return fmt::format("{} is one of the files of {}, which would be written over; name another", words_of(file),
                     words_of(folder));
}

// Files with numbers: all that have the name's stem and end, and digits between.
bool is_one_of_several(const fs::path& path, const fs::path& other) {
  const std::string stem = path.stem().string() + "-", name = other.stem().string();
  const std::string_view number = std::string_view(name).substr(std::min(name.size(), stem.size()));
  return other.extension() == path.extension() && name.starts_with(stem) && !number.empty() &&
         number.find_first_not_of("0123456789") == number.npos;
}

// The line's files, each on its own.
std::vector<named_file> of_line(const named_file& line) {
  const outcome<workload> read = workload_from_line(line.path);
  std::vector<named_file> files;
  if (!read) return files;  // the command says what is wrong with it
  for (const std::string& file : {read->own_keys.file, read->own_batch.numbers.file, read->own_script.file})
    if (!file.empty()) files.push_back({fmt::format("a file of {},", line.option), file, reads});
  return files;
}

std::vector<named_file> single_files(std::span<const named_file> files) {
  std::vector<named_file> all;
  for (const named_file& file : files) {
    if (file.use != reads_line) {
      all.push_back(file);
      continue;
    }
    const std::vector<named_file> its = of_line(file);
    all.insert(all.end(), its.begin(), its.end());
  }
  // A picture's name may get the number that makes it a file that is read.
  const std::size_t count = all.size();
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < count && all[i].use == writes_several; ++k)
      if (all[k].use == reads && is_one_of_several(all[i].path, all[k].path)) {
        const fs::path numbered = fs::path(all[i].path).parent_path() / fs::path(all[k].path).filename();
        all.push_back({all[i].option, numbered.string(), writes});
      }
  return all;
}

}  // namespace

std::span<const file_option> file_options() {
  static const std::vector<std::string> of_questions = [] {
    std::vector<std::string> names;
    names.reserve(std::size(batch_counts));
    for (const batch_count& one : batch_counts)
      names.push_back(fmt::format("--{}-from", option_name(info_of(one.kind).field)));
    return names;
  }();
  static const std::vector<file_option> all = [] {
    std::vector<file_option> list(options_of_files.begin(), options_of_files.end());
    for (const char* command : {"run", "tune"})
      for (const std::string& option : of_questions) list.push_back({command, option, reads});
    return list;
  }();
  return all;
}

std::optional<std::string> refuse_overwriting(std::span<const named_file> files) {
  std::vector<named_file> all = single_files(files);
  // What a shell sends to a file is written as well.
  struct stat out {};
  if (::fstat(STDOUT_FILENO, &out) == 0 && S_ISREG(out.st_mode))
    all.push_back({"standard output,", "/dev/stdout", writes});
  std::erase_if(all, [](const named_file& one) { return one.path.empty(); });
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (auto refused = refuse_pair(all[k], all[i])) return refused;
  return std::nullopt;
}

}  // namespace pivotscope
