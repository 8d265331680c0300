#include "app/cli/output.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "app/cli/exit_code.hpp"
#include "core/common/ending_signals.hpp"
#include "core/common/plain_words.hpp"

namespace pivotscope {
namespace {

int output_error = 0;  // errno of the first write that failed

}  // namespace

void print(std::string_view text) {
  if (output_error != 0 || text.empty()) return;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) output_error = errno;
}

int complain(std::string_view words) {
  const std::string line = fmt::format("pivotscope: {}\n", plain_lines(words));
  std::fflush(stdout);
  std::fwrite(line.data(), 1, line.size(), stderr);
  return exit_bad_input;
}

int complain(const problem& p) {
  complain(p.words);
  if (p.cancelled) return exit_cancelled_by(ending_signals::came());
  return p.wrong ? exit_wrong : exit_bad_input;
}

int finish_output(int result) {
  if (output_error == 0 && std::fflush(stdout) != 0) output_error = errno;
  if (output_error == 0 || output_error == EPIPE) return result;
  complain(fmt::format("cannot write the output: {}", std::strerror(output_error)));
  return result == exit_right ? exit_bad_input : result;
}

}  // namespace pivotscope
