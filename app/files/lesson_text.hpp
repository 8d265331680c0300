// A lesson as its file has it: Markdown with a few lines that begin with a word and a colon. docs/lessons.md has the
// grammar, with an example.
#pragma once

#include <string_view>

#include "core/common/outcome.hpp"
#include "viz/state/lesson.hpp"

namespace pivotscope {

// `id`: the file's name without ".md". The problem's words begin with the line: "line 12: ...".
outcome<viz::lesson> lesson_from_text(std::string_view id, std::string_view text);

}  // namespace pivotscope
