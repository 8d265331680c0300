// session: what the user has chosen, what was made from it, and the threads that make it. Only the frame's thread
// calls it, and no call waits.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

#include "app/files/picture_files.hpp"
#include "app/session/board.hpp"
#include "app/session/interleaver.hpp"
#include "app/session/page_cache.hpp"
#include "app/session/pipeline.hpp"
#include "app/session/reader.hpp"
#include "viz/models/session_view.hpp"

namespace pivotscope {

struct session_options {
  viz::session_choice start;
  bool machine_chosen = false;  // false: changes to the best machine as soon as that is known
  machine_options machines;
  machine_source from;
  std::filesystem::path data_folder = {};  // where pasted keys and snapshots are kept; empty: nowhere
  time_source now = std::chrono::steady_clock::now;
  std::function<void()> wake;                             // there is something new to draw; called from any thread
  std::function<void(const std::string&)> set_clipboard;  // called from the frame's thread
  timing_turns* room = nullptr;  // where measurements and frames take turns; outlives the session
};

class session : public viz::session_actions {
 public:
  explicit session(session_options options);
  ~session() override;

  // Stops for good: cancels what runs, and writes what is to be kept. Waits only for the writing: a job may take a
  // while until it looks at its control.
  void stop();

  viz::session_view view() const { return board_.copy(); }
  page_cache& slots() { return pages_; }
  std::string scenario_line(const view_position& at = {}) const;

  void choose_config(const index_config& config) override;
  void choose_workload(const workload& wanted) override;
  void choose_batch(std::optional<u64> size) override;
  void choose_machine(machine_kind kind) override;
  void choose_key(std::optional<question> key) override;
  void choose_random_key(bool hit) override;
  void choose_key_at(region_id array, u64 slot) override;
  void cancel() override {
    pipeline_.cancel();
    interleaver_.stop_searching();
  }
  void run_again() override { pipeline_.run_again(); }
  void measure() override { pipeline_.measure(); }
  void apply(const script& batches) override { pipeline_.update(batches); }
  void apply_drawn(const viz::update_draw& what) override { pipeline_.update(what); }
  void go_to_batch(std::size_t applied) override { pipeline_.update(applied); }
  void copy_script() override;
  void tune(bool ascending, bool smallest) override;
  void find_tuning(bool ascending, bool smallest) override;
  void verify(const viz::verify_request& asked) override { pipeline_.verify(asked); }
  void stop_verifying() override { pipeline_.stop_in_background(pipeline::background::verification); }
  void measure_sweep(const viz::sweep_request& asked) override { pipeline_.measure_sweep(asked); }
  void stop_sweep() override { pipeline_.stop_in_background(pipeline::background::sweep); }
  void run_memory_benchmark() override { pipeline_.run_memory_benchmark(); }
  void stop_memory_benchmark() override { pipeline_.stop_in_background(pipeline::background::memory_benchmark); }
  void interleave(const viz::interleave_request& asked) override { interleaver_.show(asked); }
  void search_interleavings(const viz::interleave_search_request& asked) override { interleaver_.search(asked); }
  void stop_searching() override { interleaver_.stop_searching(); }
  void list_folder(const std::string& path) override;
  void read_again() override;
  void keep_snapshot(u32 slot, const view_position& at, std::string png) override;
  void remove_snapshot(u32 slot) override;
  status take_keys(std::string_view text) override;
  void tell(viz::notice what) override { board_.tell(std::move(what)); }
  // Writes one file of a series of pictures, with the bytes that `made` returns, on another thread. A notice tells when
  // the last file is written, and what goes wrong.
  void write_picture(std::shared_ptr<picture_series> series, std::size_t which,
                     std::function<outcome<std::string>()> made);
  void dismiss(std::size_t which) override;
  void copy_scenario(const view_position& at) override;
  std::optional<view_position> open_scenario(std::string_view text) override;

 private:
  template <class Change>
  void choose(Change&& apply, std::optional<question> key = {});
  void find_the_snapshots();
  void find_the_curves();
  void put_snapshot(u32 slot, std::optional<viz::snapshot> what);
  void find_the_machines(bool machine_chosen);
  void walk(std::shared_ptr<const built_index> index, question key);

  session_options options_;
  board board_;
  std::atomic<u64> key_asked_{0};  // a key that is drawn or read later is only chosen if no other was chosen meanwhile
  pipeline pipeline_;
  interleaver interleaver_;
  reader reader_;  // ends before the objects that its tasks use
  reader keeper_;  // writes the user's files, which are finished whatever else ends
  page_cache pages_;
};

}  // namespace pivotscope
