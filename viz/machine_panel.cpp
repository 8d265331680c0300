// Machine: which machines there are, why one is not, and what the compiler made of the kernels.
#include <fmt/format.h>

#include "core/machine/machine.hpp"
#include "viz/format.hpp"
#include "viz/icons.hpp"
#include "viz/kernel_facts.hpp"
#include "viz/panels.hpp"
#include "viz/widgets.hpp"

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
  const u64 n = model.keys();
  if (n > 0) fact("a key", fmt::format("{:.2f} B", static_cast<double>(index.bytes()) / static_cast<double>(n)));
  ImGui::Dummy({1, px(8)});
}

}  // namespace

void machine_panel(frame& f) {
  if (!f.session.machines) {
    empty_view(icon::chip, "Looking for machines.", "", "");
    return;
  }
  for (const machine_report& report : *f.session.machines) machine_card(f, report);
  if (!f.session.index) return;
  index_memory(*f.session.index, *f.model());
  if (f.session.index->kind() == machine_kind::cpu) {
    heading("Kernels");
    caption("On the CPU nothing is compiled: the same source runs as ordinary code.");
    return;
  }
  for (const kernel_info& k : f.session.index->kernels()) kernel_card(k);
  if (f.session.lookup_kernel) kernel_card(*f.session.lookup_kernel);
  heading("This window", "What drawing costs the processor; OpenGL's part is not in it.");
  fact("a frame", fmt::format("{:.1f} ms", static_cast<double>(f.view.frame_ms.last())),
       "The program's own time on the frame's thread for the last frame.");
  fact("of the last 120, at most", fmt::format("{:.1f} ms", static_cast<double>(f.view.frame_ms.most())));
}

}  // namespace pivotscope::viz
