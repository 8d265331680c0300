// A pipeline over scripted machines, watched by its board.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "app/session/pipeline.hpp"
#include "core/common/timing_turns.hpp"
#include "tests/app/program.hpp"
#include "tests/app/session/watched.hpp"

namespace pivotscope {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using viz::provenance;
using viz::session_choice;
using viz::session_view;
using strings = std::vector<std::string>;

inline session_choice papers() {
  session_choice choice;
  choice.key = 9;
  return choice;
}
inline session_choice uniform() {
  session_choice choice;
  choice.load = {.keys = 100, .dist = distribution::uniform, .lookups = 64};
  choice.config = *config_from_line("EO+KS");
  return choice;
}

class pipeline_test : public ::testing::Test {
 protected:
  testing::script script;
  testing::set_clock clock;
  testing::observer seen;
  scratch_folder folder;
  timing_turns room;
  std::optional<board> shared;
  std::optional<pipeline> line;

  void open(const session_choice& choice) {
    shared.emplace(choice, seen.wake(), clock.source());
    seen.watch([this] { return shared->copy(); });
    line.emplace(*shared, machine_options{(folder / "cache").string()}, script.machines(), clock.source(), &room);
  }
  void close() {
    line.reset();
    seen.watch(nullptr);
    shared.reset();
  }
  ~pipeline_test() override { close(); }

  session_view now() { return shared->copy(); }
  void choose(const std::function<void(session_choice&)>& change) {
    shared->change([&](session_view& view) { change(view.choice); });
    line->want();
  }
  bool until_runs(std::size_t runs) {
    return seen.until([&](const session_view& view) { return testing::idle_after(view, runs); });
  }
  bool until_stopped() {
    return seen.until([](const session_view& view) { return view.job.stopped; });
  }
  // Open, with one pass done and nothing of it left to see.
  void open_and_run(const session_choice& choice) {
    open(choice);
    line->want();
    ASSERT_TRUE(until_runs(1));
    script.take_calls();
    seen.take_wakes();
  }
  // The stages in their turn.
  strings stages() {
    strings list = seen.take_wakes();
    // The machine's own words for parts of a stage are not for here.
    std::erase_if(list, [](const std::string& s) { return s == "building entries" || s == "checking"; });
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
  }
};
}  // namespace pivotscope
