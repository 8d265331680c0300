#include "core/common/whole_file.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <system_error>

#include "core/common/expect.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

problem failure(const fs::path& path, int error) {
  return {fmt::format("cannot write {}: {}", path.string(), system_words(error))};
}

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

// What a path leads to, and how it is to be written.
struct place {
  fs::path target = {};
  int stream = -1;       // the standard stream that goes to the same file
  bool special = false;  // neither a regular file nor absent
  bool named_pipe = false;
  bool there = false;
  mode_t mode = 0666;  // as open() takes it: less what the umask says
};

bool same_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

outcome<place> place_of(const fs::path& path) {
  if (path.empty()) return problem{"the name of the file to write is empty"};
  outcome<fs::path> target = behind_links(path);
  if (!target) return target.error();
  place found{.target = *target};
  struct stat about {};
  // Not the target: what /dev/stdout leads to may have no name.
  if (::stat(path.c_str(), &about) != 0) {
    if (errno != ENOENT) return failure(path, errno);
  } else {
    if (S_ISDIR(about.st_mode)) return failure(path, EISDIR);
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
      struct stat there {};
      if (::fstat(stream, &there) == 0 && same_file(about, there)) {
        found.stream = stream;
        return found;
      }
    }
    found.there = true;
    found.special = !S_ISREG(about.st_mode);
    found.named_pipe = S_ISFIFO(about.st_mode);
    found.mode = about.st_mode & 07777;
    // Renaming would replace a file that is protected from writing as well.
    if (file_calls::in_use().access(path.c_str(), W_OK) != 0) return failure(path, errno);
  }
  if (found.special) return found;
  const fs::path folder = folder_of(found.target);
  if (file_calls::in_use().access(folder.c_str(), W_OK | X_OK) == 0) return found;
  const int reason = errno;
  return problem{
      fmt::format("cannot write {}: the folder {}: {}", path.string(), folder.string(), system_words(reason))};
}

// The names of a target's temporaries begin so. A name may have 255 bytes; the rest is for the numbers.
std::string temporary_stem(const fs::path& target) { return target.filename().string().substr(0, 200) + "."; }

fs::path new_temporary(const fs::path& target) {
  static std::atomic<u32> number{0};  // unlike any other thread's
  return folder_of(target) / fmt::format("{}{}.{}.tmp", temporary_stem(target), ::getpid(), number.fetch_add(1));
}

// The process that a temporary's name names; 0: it is none.
pid_t writer_of(std::string_view name, std::string_view stem) {
  if (!name.starts_with(stem) || !name.ends_with(".tmp")) return 0;
  const char* const end = name.data() + name.size();
  pid_t process = 0;
  u32 number = 0;
  const auto first = std::from_chars(name.data() + stem.size(), end, process);
  if (first.ec != std::errc() || process < 0 || *first.ptr != '.') return 0;
  const auto second = std::from_chars(first.ptr + 1, end, number);
  return second.ec == std::errc() && std::string_view(second.ptr, end) == ".tmp" ? process : 0;
}

// What was left beside the target by processes that were killed. The process is asked for, and the file's lock too: on
// a shared disk it may be another machine's.
void remove_left_behind(const fs::path& target) {
  const std::string stem = temporary_stem(target);
  std::error_code error;
  for (fs::directory_iterator entry(folder_of(target), error), end; !error && entry != end; entry.increment(error)) {
    const pid_t process = writer_of(entry->path().filename().native(), stem);
    if (process == 0 || ::kill(process, 0) == 0 || errno != ESRCH) continue;
    const file_descriptor left(entry->path().c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK);
    if (left.is_open() && file_calls::in_use().lock(left.number(), LOCK_EX | LOCK_NB) == 0) {
      file_calls::in_use().remove(entry->path().c_str());
    }
  }
}

file_descriptor open_special(const place& found, const fs::path& path, const job_control& control) {
  if (found.stream >= 0) return file_descriptor(file_calls::in_use().duplicate(found.stream));
  constexpr int pause_milliseconds = 20;
  while (true) {
    // Opening a named pipe would wait for its reader, and not hear of a cancellation.
    file_descriptor file(path.c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK);
    const int error = errno;
    const bool again = error == EINTR || (found.named_pipe && error == ENXIO);
    if (file.is_open() || !again || control.cancelled()) {
      errno = error;
      return file;
    }
    file_calls::in_use().poll(nullptr, 0, pause_milliseconds);
  }
}

}  // namespace

std::string system_words(int error) { return std::error_code(error, std::system_category()).message(); }

outcome<fs::path> behind_links(const fs::path& path) {
  constexpr int most_links = 40;  // as Linux follows
  fs::path target = path;
  for (int links = 0; links <= most_links; ++links) {
    std::error_code no_link;
    const fs::path next = fs::read_symlink(target, no_link);
    if (no_link) return target;
    target = target.parent_path() / next;
  }
  return failure(path, ELOOP);
}

status check_writable(const fs::path& path) {
  const outcome<place> found = place_of(path);
  return found ? fine() : status(found.error());
}

outcome<whole_file> whole_file::open(const fs::path& path, power_cut kept, const job_control& control) {
  const outcome<place> found = place_of(path);
  if (!found) return found.error();
  whole_file out;
  out.path_ = path;
  out.target_ = found->target;
  out.kept_ = kept;
  if (found->stream >= 0 || found->special) {
    out.file_ = open_special(*found, path, control);
    if (out.file_.is_open()) return out;
    const int error = errno;
    return control.cancelled() ? job_control::cancelled_problem() : failure(path, error);
  }
  remove_left_behind(out.target_);
  fs::path temporary;
  do {  // again with another number where one was left behind by a process of this one's number
    temporary = new_temporary(out.target_);
    out.file_ = file_descriptor(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL, found->mode);
  } while (!out.file_.is_open() && (errno == EINTR || errno == EEXIST));
  if (!out.file_.is_open()) return failure(path, errno);
  out.temporary_ = temporary;
  // So that no other machine takes it for left behind. Where there are no locks it does not try either.
  (void)file_calls::in_use().lock(out.file_.number(), LOCK_EX | LOCK_NB);
  if (found->there && file_calls::in_use().set_mode(out.file_.number(), found->mode) != 0) {
    return failure(path, errno);
  }
  return out;
}

whole_file::whole_file(whole_file&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      file_(std::move(other.file_)),
      kept_(other.kept_) {}

whole_file::~whole_file() {
  if (!temporary_.empty()) file_calls::in_use().remove(temporary_.c_str());
}

status whole_file::write(std::string_view bytes, const job_control& control) {
  PIVOTSCOPE_EXPECT(file_.is_open());  // not after finish()
  if (temporary_.empty()) return write_as_it_is(bytes, control);
  return file_.write(bytes) ? fine() : failure(path_, errno);
}

// No more at once than a pipe takes that polls as ready, and so without waiting where no cancellation is heard.
status whole_file::write_as_it_is(std::string_view bytes, const job_control& control) {
  constexpr std::size_t most_at_once = 4096;
  constexpr int wait_milliseconds = 50;
  while (!bytes.empty()) {
    pollfd ready{file_.number(), POLLOUT, 0};
    const int polled = file_calls::in_use().poll(&ready, 1, wait_milliseconds);
    if (control.cancelled()) return job_control::cancelled_problem();
    if (polled < 0 && errno != EINTR) return failure(path_, errno);
    if (polled <= 0) continue;
    const std::size_t part = std::min(bytes.size(), most_at_once);
    const ssize_t put = file_calls::in_use().write(file_.number(), bytes.data(), part);
    if (put < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (put < 0) return failure(path_, errno);
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return fine();
}

status whole_file::finish() {
  PIVOTSCOPE_EXPECT(file_.is_open());  // once only
  file_calls& calls = file_calls::in_use();
  if (temporary_.empty()) return file_.close() ? fine() : failure(path_, errno);
  if (kept_ == power_cut::survives) {
    while (calls.sync(file_.number()) != 0)
      if (errno != EINTR) return failure(path_, errno);
  }
  if (!file_.close()) return failure(path_, errno);
  if (calls.rename(temporary_.c_str(), target_.c_str()) != 0) return failure(path_, errno);
  temporary_.clear();
  return fine();
}

status write_whole_file(const fs::path& path, std::string_view bytes, power_cut kept) {
  outcome<whole_file> file = whole_file::open(path, kept);
  if (!file) return file.error();
  if (status written = file->write(bytes); !written) return written;
  return file->finish();
}

int read_whole_file(const fs::path& path, std::string& bytes) {
  bytes.clear();
  file_descriptor file;
  do {
    file = file_descriptor(path.c_str(), O_RDONLY);
  } while (!file.is_open() && errno == EINTR);
  struct stat about {};
  if (!file.is_open() || file_calls::in_use().status(file.number(), about) != 0) return errno;
  if (S_ISDIR(about.st_mode)) return EISDIR;
  const auto size = static_cast<std::size_t>(about.st_size);
  constexpr std::size_t block = 1 << 16;
  std::size_t got = block;
  while (got == block) {
    const std::size_t before = bytes.size();
    bytes.resize(before + block);
    const std::ptrdiff_t count = file.read(std::span(bytes).subspan(before));
    if (count < 0) return errno;
    got = static_cast<std::size_t>(count);
    PIVOTSCOPE_EXPECT(got <= block);
    bytes.resize(before + got);
  }
  return bytes.size() < size ? EIO : 0;
}

}  // namespace pivotscope
