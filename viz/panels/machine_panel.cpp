// Machine: which machines there are, why one is not, and what the compiler made of the kernels.
#include <fmt/format.h>

#include "core/machine/machine.hpp"
#include "core/memory_benchmark/memory_benchmark.hpp"
#include "core/sweep/plot_lines.hpp"
#include "viz/models/kernel_facts.hpp"
#include "viz/panels/panels.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

void machine_card(frame& f, const machine_report& report) {
  const bool chosen = f.session.choice.machine == report.kind;
  const std::string name(machine_name(report.kind));
  ImGui::PushID(name.c_str());
  const chip_look look = !report.available ? chip_look::refused : chosen ? chip_look::chosen : chip_look::plain;
  if (chip(name.c_str(), name, look) && report.available && !chosen) f.act.choose_machine(report.kind);
  if (!report.available)
    hover_card(name + " is not there", report.why_not);
  else if (!chosen)
    hover_card(name, "Click to work on this machine.");
  if (report.available) {
    ImGui::SameLine();
    const text_style style(fonts().words_medium, type::small, chosen ? theme().text : theme().text_dim);
    ImGui::AlignTextToFramePadding();
    ImGui::TextWrapped("%s", report.info.name.c_str());
  }
  if (!report.available) {
    caption(report.why_not);
  } else {
    const machine_info& info = report.info;
    fact(report.kind == machine_kind::cuda ? "multiprocessors" : "threads", grouped(info.processors));
    fact("memory", bytes_text(info.memory_bytes));
    if (info.l2_bytes)
      fact(report.kind == machine_kind::cuda ? "L2 cache" : "last-level cache", bytes_text(info.l2_bytes),
           "An index that fits in here is answered without going to memory.");
    if (info.compute_capability)
      fact("compute capability", fmt::format("{}.{}", info.compute_capability / 10, info.compute_capability % 10));
    if (!info.detail.empty()) caption(info.detail);
  }
  ImGui::PopID();
  ImGui::Dummy({1, px(8)});
}

void kernel_card(const kernel_info& k) {
  heading(k.name);
  fact("compiled", k.compile_ms > 0 ? fmt::format("{}, {}", origin_words(k.origin), ms_text(k.compile_ms))
                                    : origin_words(k.origin));
  fact("registers a thread", std::to_string(k.registers), "More registers, fewer threads at once.");
  fact("shared a block", bytes_text(k.shared_bytes));
  fact("stack and spills", bytes_text(k.local_bytes),
       "It lives in memory. A few bytes can pay, where they let more blocks run.");
  fact("blocks a multiprocessor", std::to_string(k.blocks_per_sm));
  fact("occupancy", percent_text(k.occupancy), "Threads that a multiprocessor can hold at once, of those it could.");
  ImGui::Dummy({1, px(4)});
}

void index_memory(const built_index& index, const index_model& model) {
  heading("Memory of the index");
  for (std::size_t i = 0; i < model.regions().size(); ++i) {
    const auto region = static_cast<region_id>(i);
    if (region == main_region || index.bytes(region) > 0)
      fact(model.region(region).name.c_str(), bytes_text(index.bytes(region)));
  }
  fact("in all", bytes_text(index.bytes()));
  fact("entries", grouped(model.entries()));
  const u64 n = model.keys();
  if (n > 0) fact("a key", fmt::format("{:.2f} B", static_cast<double>(index.bytes()) / static_cast<double>(n)));
  ImGui::Dummy({1, px(8)});
}

// The largest array of a kind of gather that half of the cache has room for, or that was measured at all.
const benchmark_point* largest(const memory_benchmark& floor, u32 request_bytes, bool cached) {
  const benchmark_point* found = nullptr;
  for (const benchmark_point& point : floor.points)
    if (point.kind == benchmark_kind::gather && point.measured() && point.asked.request_bytes() == request_bytes &&
        (!cached || point.asked.bytes <= floor.l2_bytes / 2))
      found = &point;
  return found;
}

void floor_facts(const memory_benchmark& floor) {
  for (const bool cached : {true, false}) {
    for (const u32 bytes : {32u, 128u}) {
      const benchmark_point* point = largest(floor, bytes, cached);
      if (point == nullptr) continue;
      fact(fmt::format("{} bytes of {}", bytes, bytes_text(point->asked.bytes)).c_str(), rate_text(point->per_second()),
           cached ? "Requests at random places of an array that half of the last-level cache has room for."
                  : "Requests at random places of the largest array that was measured: from memory.");
    }
  }
  for (const benchmark_point& point : floor.points) {
    if (!point.measured()) continue;
    if (point.kind == benchmark_kind::lines)
      fact("lines of L1", rate_text(point.per_second()), "Requests of which each is to another line of L1.");
    if (point.kind == benchmark_kind::latency)
      fact(fmt::format("a load after another, {}", bytes_text(point.asked.bytes)).c_str(),
           fmt::format("{:.3g} ns", point.step_ns()), "Each waits for the one before.");
    if (point.kind == benchmark_kind::copy)
      fact("copy", short_number(point.per_second()) + "B/s", "Bytes that are read and bytes that are written.");
  }
  std::string of = floor.driver.empty() ? "" : fmt::format("driver {}; ", floor.driver);
  if (!floor.clocks.empty()) of += floor.clocks + "; ";
  caption(of + (floor.by.commit.empty() ? "measured before" : fmt::format("commit {}", floor.by.commit)));
}

// What the memory of the chosen machine gives at most, with no index around it; the traffic model takes a GPU's.
void floor_of(frame& f) {
  const machine_kind kind = f.session.choice.machine;
  const memory_benchmark_state& state = f.session.benchmarking;
  if (!f.session.memory_benchmarks) return;
  const auto known = f.session.memory_benchmarks->find(kind);
  const bool there = known != f.session.memory_benchmarks->end();
  heading("The memory's floor", "What it gives at most, with no index around it: `pivotscope floor`.");
  if (there) floor_facts(*known->second);
  if (!there && state.running != kind)
    caption(
        kind == machine_kind::cuda
            ? "Not measured yet: the traffic model of Plots takes an H200's rates, which are built in, for this GPU."
            : "Not measured yet.");
  if (state.of == kind && !state.problem.empty()) say_wrong(state.problem);
  if (state.running == kind) {
    one_line(fonts().words, type::tiny, theme().text_dim,
             state.fraction >= 0 ? fmt::format("measuring, {:.0f}%: {}", 100 * state.fraction, state.words)
                                 : fmt::format("measuring: {}", state.words));
    if (button("stop floor", "Stop", icon::stop)) f.act.stop_memory_benchmark();
  } else {
    if (button("measure floor", there ? "Measure it again" : "Measure the floor", icon::gauge))
      f.act.run_memory_benchmark();
    hover_card(
        "Measure the floor",
        "Some 20 seconds, beside what you do meanwhile, which goes first. It is kept for this device and its driver.");
  }
  ImGui::Dummy({1, px(8)});
}

void window_cost(const frame& f) {
  heading("This window", "What drawing costs the processor; OpenGL's part is not in it.");
  fact("a frame", fmt::format("{:.1f} ms", static_cast<double>(f.view.frame_ms.last())),
       "The program's own time on the frame's thread for the last frame.");
  fact("of the last 120, at most", fmt::format("{:.1f} ms", static_cast<double>(f.view.frame_ms.most())));
  ImGui::Dummy({1, px(8)});
}

}  // namespace

void machine_panel(frame& f) {
  if (!f.session.machines) {
    empty_view(icon::chip, "Looking for machines.", "", "");
    return;
  }
  for (const machine_report& report : *f.session.machines) machine_card(f, report);
  floor_of(f);
  window_cost(f);
  if (!f.session.index) return;
  index_memory(*f.session.index, *f.model());
  if (f.session.index->kind() == machine_kind::cpu) {
    heading("Kernels");
    caption("On the CPU nothing is compiled: the same source runs as ordinary code.");
    return;
  }
  for (const kernel_info& k : f.session.index->kernels()) kernel_card(k);
  if (f.session.lookup_kernel) kernel_card(*f.session.lookup_kernel);
}

}  // namespace pivotscope::viz
