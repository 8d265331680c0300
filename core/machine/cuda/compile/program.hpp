// A config as a program for NVRTC: the few lines around the kernel bodies of kernels.hpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/common/operation.hpp"
#include "core/config/index_config.hpp"

namespace pivotscope {

struct build_pass;

struct kernel_program {
  std::string source;
  std::vector<std::string> kernels;  // the extern "C" names in it
  std::string what;                  // in a problem's words: "the lookup kernel of EO+KS fanout=9 lanes=8"
  std::string shared_bytes;          // name of the constant that says a block's dynamic shared memory; empty: none
  bool uses_cub = false;             // includes CUB, which is found on the machine (cuda_include_folders())
};

// Kernel `lookup`.
kernel_program lookup_program(const index_config& config);
// The same of the part of a lookup that the family times by itself (device_code::part).
kernel_program part_program(const index_config& config);

// One kernel, of an operation that answers with the next key; its name is the operation's field, as `successors`.
kernel_program next_key_program(const index_config& config, operation kind);

// Kernels `count_ranges` and `write_rows`: lightweight, Section 3.2.
kernel_program range_program(const index_config& config);

// The passes of a build, in the family's order. Configs that differ only in how lookups run share one program.
kernel_program build_program(const index_config& config);

// A pass that takes keys one by one, over keys that are in order up to groups of neighbours (group_plan.hpp): one
// kernel, named as the pass and "_from_groups".
kernel_program group_build_program(const index_config& config, const build_pass& pass);

// A batch that changes an index, an operation a thread; shared as a build's. Kernels `insert` and `erase`, as far as the
// family's struct has them, and `mixed`.
std::vector<std::string_view> update_kernels(const index_config& config);
kernel_program update_program(const index_config& config);

inline constexpr u32 build_threads = 256;  // a block of a build or an update kernel

// What the code is for. `binary`: a cubin for that very architecture; else PTX, which the driver finishes.
struct compile_target {
  u32 capability = 80;  // 90 for 9.0
  bool binary = true;
  bool operator==(const compile_target&) const = default;
};

// Of every program. One that uses CUB gets its folders and NVRTC's precompiled headers on top (compiler.cpp).
std::vector<std::string> compile_options(compile_target target);

}  // namespace pivotscope
