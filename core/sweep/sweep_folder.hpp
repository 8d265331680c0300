// A sweep's points in a folder, a file each, written whole (whole_file.hpp): what was measured before a kill, a crash
// or a power cut is there, and a sweep that is begun again goes on behind it.
//
// Each file ends with a checksum of itself. One that is damaged stays as it is, under its name: its row counts as not
// measured, and is measured again beside it, as point-0012-2.json.
//
//   head.json        which program, commit and machine measured which rows
//   point-0012.json  row 12 of the sweep, as point_text() writes it
//   lock             held by the process that measures or merges into it, which says there who it is
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/common/file_lock.hpp"
#include "core/machine/machine.hpp"
#include "core/sweep/sweep_point.hpp"

namespace pivotscope {

// What all points of a folder have in common.
struct folder_head {
  std::string program, commit;
  std::string sweep;          // as it is measured: sweep::measured_as()
  machine_info machine = {};  // without a name: not known, and equal to any
  u32 scale = 0;
  round_plan rounds = {};
  std::vector<std::string> rows = {};  // each row's id, workload and configs, scaled, as one line
};

folder_head head_of(const sweep& of, u32 scale, const round_plan& rounds);  // but for program, commit and machine

// Why points of `there`, in `folder`, are not to be put together with those of `here`, in words; nothing where they
// are.
std::optional<std::string> not_one_measurement(const folder_head& there, const std::string& folder,
                                               const folder_head& here, const std::string& other);

// Makes the folder where it is not there, and takes it for this process alone as long as the lock lives: two that
// measured into it would make a mix of it. Problem: another one has it; the words say which.
outcome<file_lock> take_folder(const std::filesystem::path& folder);

class sweep_folder {
 public:
  // Made where it is not there, and taken where it is not `taken`. Problem: it is of another measurement, it cannot be
  // written, or its head is damaged.
  static outcome<sweep_folder> open(const std::filesystem::path& path, const sweep& of, const folder_head& head,
                                    std::optional<file_lock> taken = std::nullopt);
  // As it is, whoever measured it. Problem also: it is not there, or of other rows than the sweep's.
  static outcome<sweep_folder> read(const std::filesystem::path& path, const sweep& of);

  // The sweep that its rows are of. Problem: it is no such folder.
  static outcome<std::string> name_in(const std::filesystem::path& path);

  const folder_head& head() const { return head_; }
  // In the order of the sweep's rows, with what is wanted of them.
  const std::vector<sweep_point>& points() const { return points_; }
  // Words for each point's file that is damaged.
  const std::vector<std::string>& damaged() const { return damaged_; }
  status keep(const sweep_point& point) const;

 private:
  status read_points(const sweep& of);

  std::filesystem::path path_;
  folder_head head_;
  std::vector<std::string> ids_;  // of all rows
  std::vector<sweep_point> points_;
  std::vector<std::string> damaged_;
  std::optional<file_lock> taken_;  // not held by one that is only read
};

struct merged_folders {
  std::string sweep;
  std::size_t points = 0, rows = 0;       // in the target now; of the sweep
  std::size_t twice = 0;                  // in several sources, measured anew: the first one's is taken
  std::vector<std::string> damaged = {};  // words for each point's file that is damaged, and is not taken
};

// Copies the points of all into `target`, which is made where it is not there. Problem: they are not one measurement,
// or a head is damaged, or a point is of another workload, seed or machine than the sweep's; then nothing was written.
outcome<merged_folders> merge_folders(std::span<const std::filesystem::path> sources,
                                      const std::filesystem::path& target);

}  // namespace pivotscope
