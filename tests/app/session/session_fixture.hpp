// A session on machines that do as told, and a clock that is set by hand.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "app/session/session.hpp"
#include "core/common/timing_turns.hpp"
#include "tests/app/program.hpp"
#include "tests/app/session/watched.hpp"

namespace pivotscope {

using viz::session_view;

class session_test : public ::testing::Test {
 protected:
  testing::script script;
  testing::set_clock clock;
  testing::observer seen;
  scratch_folder folder;
  std::string clipboard;
  timing_turns room;
  std::unique_ptr<session> on;

  static viz::session_choice papers() {
    viz::session_choice choice;
    choice.key = 9;
    return choice;
  }
  void begin(const viz::session_choice& start = papers(), bool machine_chosen = true) {
    session_options options;
    options.start = start;
    options.machine_chosen = machine_chosen;
    options.machines.cache_folder = (folder / "cache").string();
    options.data_folder = folder / "data";
    options.from = script.machines();
    options.now = clock.source();
    options.wake = seen.wake();
    options.set_clipboard = [this](const std::string& text) { clipboard = text; };
    options.room = &room;
    on = std::make_unique<session>(std::move(options));
    seen.watch([what = on.get()] { return what->view(); });
  }
  void close() {
    seen.watch(nullptr);
    on.reset();
  }
  ~session_test() override { close(); }
  // With all that is to come at the start.
  void open(const viz::session_choice& start = papers(), bool machine_chosen = true) {
    begin(start, machine_chosen);
    ASSERT_TRUE(seen.until([](const session_view& v) { return v.machines && testing::idle_after(v, 1); }));
    script.take_calls();
  }
  session_view now() { return on->view(); }
  bool until_runs(std::size_t runs) {
    return seen.until([&](const session_view& v) { return testing::idle_after(v, runs); });
  }
  bool until_said(std::size_t notices) {
    return seen.until([&](const session_view& v) { return v.notices.size() == notices; });
  }
  bool until_tuned() {
    return seen.until([](const session_view& v) { return !v.job.running && v.tuned.result && !v.tuned.running; });
  }
};

}  // namespace pivotscope
