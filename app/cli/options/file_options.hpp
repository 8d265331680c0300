// The options that name files, and the rule that what is written is none of what is read, nor written twice: told
// before any work is done.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/common/portable.hpp"

namespace pivotscope {

// What a command does with what an option names.
enum class file_use : u8 {
  reads,           // a file
  reads_line,      // the files that a workload's line names
  reads_sweep,     // a sweep's file of --json, or a folder of --into
  reads_results,   // a folder of results: its *.json files, and the folders of --into in it
  writes,          // a file
  writes_several,  // it, or files with a number behind its name
  goes_on_in,      // a folder of --into: read, and written; with --kept only read
  rewrites,        // a file that is read and written anew
  caches_in,       // the folder of what was measured and compiled; where it is not named the usual one
};

struct file_option {
  std::string_view command;  // empty: of the program without a command
  std::string_view option;
  file_use use;
};

// Every option of every command that names a file or a folder.
std::span<const file_option> file_options();

// One that was given, or a file that a command uses without being told: then `option` says which, in words.
struct named_file {
  std::string option;
  std::string path;
  file_use use;
};

// Words where a file that is written is another that is read, or written too: by their device and inode, through links.
// Two may be written to the same terminal, pipe or standard stream, which take both. A folder's own files count as it.
std::optional<std::string> refuse_overwriting(std::span<const named_file> files);

}  // namespace pivotscope
