// The sources that run on all machines, as text inside the program (core/embed.cmake): NVRTC compiles them, and a trace
// shows the lines that it ran. Neither needs a source tree.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace pivotscope {

struct embedded_file {
  std::string_view name;  // as included: "core/config/index_config.hpp"
  std::string_view text;  // ends with a zero byte past its end
};

// Everything that the kernels and the families include, sorted by name.
std::span<const embedded_file> embedded_headers();

// The text of a file by the name that it is included by; nothing when it is none of these.
std::optional<std::string_view> source_text(std::string_view name);
// Line `line`, counted from 1, without its end; empty past the file's.
std::string_view line_of(std::string_view text, unsigned line);

// The name that a file is included by, of the path under which a compiler found it.
std::string_view included_as(std::string_view path);

}  // namespace pivotscope
