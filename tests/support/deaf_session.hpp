// A session for views to draw without one: it does nothing that it is asked for, and holds no bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "viz/models/session_view.hpp"

namespace pivotscope::testing {

class deaf_session : public viz::session_actions {
 public:
  void choose_config(const index_config&) override {}
  void choose_workload(const workload&) override {}
  void choose_batch(std::optional<u64>) override {}
  void choose_machine(machine_kind) override {}
  void choose_key(std::optional<question>) override {}
  void choose_random_key(bool) override {}
  void choose_key_at(region_id, u64) override {}
  void cancel() override {}
  void run_again() override {}
  void measure() override {}
  void apply(const pivotscope::script&) override {}
  void apply_drawn(const viz::update_draw&) override {}
  void go_to_batch(std::size_t) override {}
  void copy_script() override {}
  void tune(bool, bool) override {}
  void find_tuning(bool, bool) override {}
  void verify(const viz::verify_request&) override {}
  void stop_verifying() override {}
  void measure_sweep(const viz::sweep_request&) override {}
  void stop_sweep() override {}
  void run_memory_benchmark() override {}
  void stop_memory_benchmark() override {}
  void interleave(const viz::interleave_request&) override {}
  void search_interleavings(const viz::interleave_search_request&) override {}
  void stop_searching() override {}
  void keep_snapshot(u32, const view_position&, std::string) override {}
  void remove_snapshot(u32) override {}
  void list_folder(const std::string&) override {}
  void read_again() override {}
  status take_keys(std::string_view) override { return fine(); }
  void tell(viz::notice) override {}
  void dismiss(std::size_t) override {}
  void copy_scenario(const view_position&) override {}
  std::optional<view_position> open_scenario(std::string_view) override { return view_position(); }
};

class no_bytes final : public viz::slot_source {
 public:
  const std::vector<std::byte>* page(region_id, u64) override { return nullptr; }
};

}  // namespace pivotscope::testing
