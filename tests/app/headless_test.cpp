// --headless draws what --config, --workload and --lookup name, like the window that opens.
#include "app/cli/headless.hpp"

#include <gtest/gtest.h>

#include "app/cli/command_line.hpp"
#include "app/cli/exit_code.hpp"
#include "core/config/config_text.hpp"

namespace pivotscope {
namespace {

TEST(headless, draws_what_the_command_line_names) {
  std::optional<window_start> drawn;
  const window_entry window{[](const window_start&) { return exit_wrong; },
                            [&](const std::filesystem::path& path, const window_start& start) {
                              EXPECT_EQ(path, "x.png");
                              drawn = start;
                              return fine();
                            }};
  const char* words[] = {"pivotscope",   "--headless", "--machine",  "cpu",
                         "--screenshot", "x.png",      "--config",   "EO+KS fanout=3",
                         "--lookup",     "7",          "--workload", "keys=2^10 distribution=dense"};
  EXPECT_EQ(run_command_line(static_cast<int>(std::size(words)), words, window), exit_right);
  ASSERT_TRUE(drawn);
  EXPECT_EQ(drawn->config, *config_from_line("EO+KS fanout=3"));
  EXPECT_EQ(drawn->key, 7u);
  EXPECT_EQ(drawn->load->keys, 1024u);
  EXPECT_EQ(drawn->machine, machine_kind::cpu);
}

}  // namespace
}  // namespace pivotscope
