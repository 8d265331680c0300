#include "core/machine/cuda/program.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "core/config/config_text.hpp"
#include "core/machine/cuda/build_view.hpp"

namespace pivotscope {
namespace {

std::string config_literal(const index_config& config) {
  // A field that is new in index_config does not fit this binding: nothing is left out of the kernel in silence.
  const auto& [order, fanout, lanes, keys, layout, pivots, schedule, blocks_per_sm, threads, per_thread, pin, scratch,
               reorder, scan] = config;
  return fmt::format(
      "index_config{{.order = static_cast<order_kind>({}), .fanout = {}u, .lanes = {}u, .keys = "
      "static_cast<key_width>({}), .layout = static_cast<entry_layout>({}), .pivots = {}u, .schedule = "
      "static_cast<schedule_kind>({}), .blocks_per_sm = {}u, .threads = {}u, .per_thread = {}u, .pin = "
      "static_cast<pin_kind>({}), .scratch = {}u, .reorder = static_cast<reorder_kind>({}), "
      ".scan = static_cast<scan_kind>({})}}",
      static_cast<u32>(order), fanout, lanes, static_cast<u32>(keys), static_cast<u32>(layout), pivots,
      static_cast<u32>(schedule), blocks_per_sm, threads, per_thread, static_cast<u32>(pin), scratch,
      static_cast<u32>(reorder), static_cast<u32>(scan));
}

const char* key_type(const index_config& config) { return config.keys == key_width::u32 ? "u32" : "u64"; }

// Host and device must agree on what crosses over as a kernel's argument.
std::string prologue(const index_config& config) {
  // The first lines are the same for all programs that sort, so that they share a precompiled header.
  return fmt::format(
      "{}#include \"core/machine/cuda/kernels.hpp\"\n"
      "using namespace pivotscope;\n"
      "static_assert(sizeof(index_config) == {} && sizeof(index_view) == {} && sizeof(build_view) == {});\n"
      "constexpr index_config config = {};\n",
      config.reorder == reorder_kind::none ? "" : "#define PIVOTSCOPE_REORDER 1\n", sizeof(index_config),
      sizeof(index_view), sizeof(build_view), config_literal(config));
}

}  // namespace

namespace {

const char* shared_words(const index_config& config) {
  const bool wants_shared = config.pin != pin_kind::none || config.reorder != reorder_kind::none;
  return wants_shared ? "extern __shared__ uint4 shared[];" : "uint4* const shared = nullptr;";
}

std::string shared_bytes_constant(const index_config& config, std::string_view name) {
  return fmt::format("extern \"C\" __device__ const u32 {} = cuda_block<static_config<config>, {}>::shared_bytes;\n",
                     name, key_type(config));
}

}  // namespace

kernel_program lookup_program(const index_config& with_scan) {
  index_config config = with_scan;
  config.scan = scan_kind::alone;  // of ranges only
  // The grid is the host's: schedules with more or fewer blocks share a kernel.
  std::string source =
      prologue(config) +
      fmt::format(
          "extern \"C\" __global__ __launch_bounds__({0})\n"
          "void lookup(const __grid_constant__ index_view view, const {1}* lookups, u32* answers, u64 count) {{\n"
          "  {2}\n"
          "  lookup_kernel<config>(view, lookups, answers, count, reinterpret_cast<u8*>(shared));\n"
          "}}\n",
          config.threads, key_type(config), shared_words(config)) +
      shared_bytes_constant(config, "lookup_shared_bytes");
  return {std::move(source),
          {"lookup"},
          "the lookup kernel of " + to_line(config),
          "lookup_shared_bytes",
          config.reorder != reorder_kind::none};
}

kernel_program range_program(const index_config& config) {
  const auto kernel = [&](std::string_view name, std::string_view parameters, std::string_view output) {
    return fmt::format(
        "extern \"C\" __global__ __launch_bounds__({0}) void {2}(const __grid_constant__ index_view view,\n"
        "    const {1}* lows, const {1}* highs, u64 count, {3}) {{\n"
        "  {5}\n"
        "  range_kernel<config>(view, lows, highs, count, reinterpret_cast<u8*>(shared), {4});\n"
        "}}\n",
        config.threads, key_type(config), name, parameters, output, shared_words(config));
  };
  std::string source = prologue(config) + kernel("count_ranges", "range_answer* answers", "range_totals{answers}") +
                       kernel("write_rows", "const u64* begins, u32* rows", "range_rows{begins, rows}") +
                       shared_bytes_constant(config, "range_shared_bytes");
  return {std::move(source),
          {"count_ranges", "write_rows"},
          "the range kernels of " + to_line(config),
          "range_shared_bytes",
          config.reorder != reorder_kind::none};
}

kernel_program build_program(const index_config& config) {
  // Only what decides the slots: configs that differ in how they are searched share the kernels.
  const index_config shared{.order = config.order,
                            .fanout = config.fanout,
                            .keys = config.keys,
                            .layout = config.layout,
                            .pivots = config.pivots,
                            .threads = build_threads};
  std::string source = prologue(shared);
  for (const std::string_view kernel : {"build_entries", "build_pivots"}) {
    source += fmt::format(
        "extern \"C\" __global__ __launch_bounds__({0}) void {1}(const __grid_constant__ build_view view) {{\n"
        "  {1}_kernel<config>(view);\n"
        "}}\n",
        build_threads, kernel);
  }
  return {std::move(source), {"build_entries", "build_pivots"}, "the build kernels of " + to_line(config), "", false};
}

std::vector<std::string> compile_options(compile_target target) {
  return {"-std=c++20", "-default-device",
          // A comparison that one config makes pointless is what static configs are for.
          "--diag-suppress=186",
          // The assembler's report on every kernel, in the log.
          "--ptxas-options=-v", fmt::format("-arch={}_{}", target.binary ? "sm" : "compute", target.capability)};
}

}  // namespace pivotscope
