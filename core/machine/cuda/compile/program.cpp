#include "core/machine/cuda/compile/program.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "core/batch/update.hpp"
#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/machine/cuda/group_plan.hpp"
#include "core/simt/tile_pass.hpp"
#include "core/workload/operation_table.hpp"

namespace pivotscope {

static_assert(build_threads == tile_threads);

namespace {

std::string config_literal(const index_config& config) {
  // A field that is new in either does not fit these bindings: nothing is left out of the kernel in silence.
  const auto& [family, keys, launch, knobs] = config;
  const auto& [schedule, blocks_per_sm, threads, per_thread, reorder] = launch;
  return fmt::format(
      "index_config{{static_cast<family_id>({}), static_cast<key_width>({}), launch_config{{"
      "static_cast<schedule_kind>({}), {}u, {}u, {}u, static_cast<reorder_kind>({})}}, {{{}u}}}}",
      static_cast<u32>(family), static_cast<u32>(keys), static_cast<u32>(schedule), blocks_per_sm, threads, per_thread,
      static_cast<u32>(reorder), fmt::join(knobs, "u, "));
}

const char* key_type(const index_config& config) { return config.keys == key_width::u32 ? "u32" : "u64"; }

// Host and device must agree on what crosses over as a kernel's argument.
std::string prologue(const index_config& config, std::string_view struct_name) {
  const device_code code = family_of(config).on_device();
  // The first lines are the same for all programs that sort, so that they share a precompiled header.
  return fmt::format(
      "{}#include \"core/machine/cuda/kernels.hpp\"\n"
      "#include \"{}\"\n"
      "using namespace pivotscope;\n"
      "static_assert(sizeof(index_config) == {} && sizeof(index_view) == {} && sizeof(build_view) == {});\n"
      "using family = pivotscope::{};\n"
      "constexpr index_config config = {};\n",
      config.launch.reorder == reorder_kind::none ? "" : "#define PIVOTSCOPE_REORDER 1\n", code.header,
      sizeof(index_config), sizeof(index_view), sizeof(build_view), struct_name, config_literal(config));
}
std::string prologue(const index_config& config) { return prologue(config, family_of(config).on_device().name); }

const char* shared_words(const index_config& config) {
  const bool wants_shared = family_of(config).pinned_bytes(config) != 0 || config.launch.reorder != reorder_kind::none;
  return wants_shared ? "extern __shared__ uint4 shared[];" : "uint4* const shared = nullptr;";
}

std::string shared_bytes_constant(std::string_view name) {
  return fmt::format("extern \"C\" __device__ const u32 {} = block_of<family, config>::shared_bytes;\n", name);
}

// Configs that differ only in how lookups run share what builds and changes them.
index_config what_a_build_sees(const index_config& config) {
  index_config shared = family_of(config).for_build(config);
  shared.launch = {.threads = build_threads};
  return shared;
}

// One kernel, with an answer of a type for each key. `parameters`: of its template, behind the config. `struct_name`: in
// place of the family's own.
kernel_program one_kernel(const index_config& config, std::string_view name, std::string_view body,
                          std::string_view answer, std::string_view parameters = "",
                          std::string_view struct_name = {}) {
  const std::string shared_bytes = fmt::format("{}_shared_bytes", body);
  // The grid is the host's: schedules with more or fewer blocks share a kernel.
  std::string source =
      (struct_name.empty() ? prologue(config) : prologue(config, struct_name)) +
      fmt::format(
          "extern \"C\" __global__ __launch_bounds__({0})\n"
          "void {3}(const __grid_constant__ index_view view, const {1}* keys, {5}* answers, u64 count) {{\n"
          "  {2}\n"
          "  {4}_kernel<family, config{6}>(view, keys, answers, count, reinterpret_cast<u8*>(shared));\n"
          "}}\n",
          config.launch.threads, key_type(config), shared_words(config), name, body, answer, parameters) +
      shared_bytes_constant(shared_bytes);
  return {std::move(source),
          {std::string(name)},
          fmt::format("the {} kernel of {}", name, to_line(config)),
          shared_bytes,
          config.launch.reorder != reorder_kind::none};
}

// A routed lookup's two kernels: what is sorted to the parts, and the blocks that have a part.
kernel_program routed_program(const index_config& config) {
  std::string source =
      prologue(config) +
      fmt::format(
          "extern \"C\" __global__ __launch_bounds__({0})\n"
          "void lookup(const __grid_constant__ index_view view, const routed_key<{1}>* lookups, const u32* begins,\n"
          "    u32* answers) {{\n"
          "  {2}\n"
          "  routed_kernel<family, config, {1}>(view, lookups, begins, answers, reinterpret_cast<u8*>(shared));\n"
          "}}\n"
          "extern \"C\" __global__ __launch_bounds__({0})\n"
          "void route(const __grid_constant__ index_view view, const {1}* keys, u64 count, u16* parts,\n"
          "    routed_key<{1}>* lookups) {{\n"
          "  route_kernel<family, config>(view, keys, count, parts, lookups);\n"
          "}}\n",
          config.launch.threads, key_type(config), shared_words(config)) +
      shared_bytes_constant("lookup_shared_bytes");
  return {std::move(source),
          {"lookup", "route"},
          fmt::format("the lookup kernels of {}", to_line(config)),
          "lookup_shared_bytes",
          false};
}

}  // namespace

kernel_program lookup_program(const index_config& asked) {
  if (family_of(asked).routes(asked))
    return routed_program(family_of(asked).config_as_compiled_for(asked, operation::find));
  return one_kernel(family_of(asked).config_as_compiled_for(asked, operation::find), "lookup", "lookup", "u32");
}

kernel_program part_program(const index_config& asked) {
  const family& of = family_of(asked);
  return one_kernel(of.config_as_compiled_for(asked, operation::find), "part", "lookup", "u32", "",
                    of.on_device().part);
}

kernel_program next_key_program(const index_config& asked, operation kind) {
  return one_kernel(family_of(asked).config_as_compiled_for(asked, kind), info_of(kind).field, "next_key",
                    "successor_answer", takes_itself(kind) ? ", true" : ", false");
}

kernel_program range_program(const index_config& config) {
  const auto kernel = [&](std::string_view name, std::string_view parameters, std::string_view output) {
    return fmt::format(
        "extern \"C\" __global__ __launch_bounds__({0}) void {2}(const __grid_constant__ index_view view,\n"
        "    const {1}* lows, const {1}* highs, u64 count, {3}) {{\n"
        "  {5}\n"
        "  range_kernel<family, config>(view, lows, highs, count, reinterpret_cast<u8*>(shared), {4});\n"
        "}}\n",
        config.launch.threads, key_type(config), name, parameters, output, shared_words(config));
  };
  std::string source = prologue(config) + kernel("count_ranges", "range_answer* answers", "range_totals{answers}") +
                       kernel("write_rows", "const u64* begins, u32* rows", "range_rows{begins, rows}") +
                       shared_bytes_constant("range_shared_bytes");
  return {std::move(source),
          {"count_ranges", "write_rows"},
          "the range kernels of " + to_line(config),
          "range_shared_bytes",
          config.launch.reorder != reorder_kind::none};
}

std::string pass_kernel(const build_pass& pass) {
  switch (pass.by) {
    case done_by::thread:
      return fmt::format("build_kernel<family, family::{}, config, {}>", pass.kernel, pass.at_once);
    case done_by::warp:
      return fmt::format("search_kernel<family, family::{}, config>", pass.kernel);
    case done_by::block:
      return fmt::format("tile_kernel<family, family::{}, config>", pass.kernel);
  }
  return {};
}

kernel_program build_program(const index_config& config) {
  kernel_program program{prologue(what_a_build_sees(config)), {}, "the build kernels of " + to_line(config), "", false};
  for (const build_pass& pass : family_of(config).on_device().passes) {
    program.source += fmt::format(
        "extern \"C\" __global__ __launch_bounds__({0})\n"
        "void {1}(const __grid_constant__ build_view view, u64 items, u64* counted) {{\n"
        "  {2}(view, items, counted);\n"
        "}}\n",
        build_threads, pass.kernel, pass_kernel(pass));
    program.kernels.emplace_back(pass.kernel);
  }
  return program;
}

kernel_program group_build_program(const index_config& config, const build_pass& pass) {
  const std::string name = fmt::format("{}_from_groups", pass.kernel);
  return {prologue(what_a_build_sees(config)) +
              fmt::format("extern \"C\" __global__ __launch_bounds__({0}, 9)\n"
                          "void {1}(const __grid_constant__ build_view view, u64 keys, u64 items, u32* failed,\n"
                          "    u64* counted) {{\n"
                          "  group_build_kernel<family, family::{2}, config>(view, keys, items, failed, counted);\n"
                          "}}\n",
                          group_block, name, pass.kernel),
          {name},
          "the build kernel from groups of " + to_line(config),
          "",
          false};
}

std::vector<std::string_view> update_kernels(const index_config& config) {
  std::vector<std::string_view> names;
  const family& of = family_of(config);
  for (const operation kind : {operation::insert, operation::erase})
    if (of.serves(kind) && of.changes_one_by_one(config)) names.push_back(info_of(kind).kernel);
  names.emplace_back("mixed");
  return names;
}

kernel_program update_program(const index_config& config) {
  kernel_program program{prologue(what_a_build_sees(config)) +
                             fmt::format("static_assert(sizeof(update_work) == {});\n", sizeof(update_work)),
                         {},
                         "the update kernels of " + to_line(config),
                         "",
                         false};
  for (const std::string_view name : update_kernels(config)) {
    program.source += fmt::format(
        "extern \"C\" __global__ __launch_bounds__({0})\n"
        "void {1}(const __grid_constant__ build_view view, const __grid_constant__ update_work work) {{\n"
        "  {2}(view, work);\n"
        "}}\n",
        build_threads, name,
        name == "mixed" ? std::string("mixed_kernel<family, config>")
                        : fmt::format("update_kernel<family, operation::{}, config>", name));
    program.kernels.emplace_back(name);
  }
  // For all configs of a family, so that they share the program.
  if (const family& of = family_of(config); of.looks_ahead(of.standard())) {
    program.source += fmt::format(
        "extern \"C\" __global__ __launch_bounds__({0})\n"
        "void look(const __grid_constant__ index_view view, const void* keys, u32* begins, u64 count) {{\n"
        "  look_kernel<family, config>(view, keys, begins, count);\n"
        "}}\n",
        build_threads);
    program.kernels.emplace_back("look");
  }
  return program;
}

std::vector<std::string> compile_options(compile_target target) {
  return {"-std=c++20", "-default-device",
          // A comparison that one config makes pointless is what static configs are for.
          "--diag-suppress=186",
          // The assembler's report on every kernel, in the log.
          "--ptxas-options=-v", fmt::format("-arch={}_{}", target.binary ? "sm" : "compute", target.capability)};
}

}  // namespace pivotscope
