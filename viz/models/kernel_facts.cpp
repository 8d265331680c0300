#include "viz/models/kernel_facts.hpp"

#include <fmt/format.h>

#include "core/index/scratch_bytes.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

// The kernel of the config that is chosen; a kernel of the one before would say nothing of the knobs as they stand.
const kernel_info* kernel_of_choice(const session_view& session) {
  const bool same = session.index && session.index->config() == session.choice.config;
  const kernel_info* kernel = same ? session.lookup_kernel.get() : nullptr;
  return kernel && kernel->registers > 0 ? kernel : nullptr;
}

std::string parts_words(const scratch_bytes& bytes) {
  std::string words;
  const auto add = [&](u32 part, const char* what) {
    if (part > 0) words += fmt::format("{}{} for {}", words.empty() ? "" : ", ", bytes_text(part), what);
  };
  add(bytes.pinned, "pinned keys");
  add(bytes.sorting, "sorting a tile");
  add(bytes.answers, "answers on their way home");
  return words.empty() ? "Nothing in this config needs any." : words + ".";
}

void add_scratch(const session_view& session, const kernel_info* kernel, std::vector<knob_fact>& facts) {
  const scratch_bytes asked = block_scratch(session.choice.config);
  if (kernel)
    facts.push_back({"scratch a block", bytes_text(kernel->shared_bytes),
                     parts_words(asked) + " What a block takes, others on the multiprocessor cannot have."});
  else
    facts.push_back({"scratch a block", bytes_text(asked.all()), parts_words(asked), true});
}

}  // namespace

const char* origin_words(kernel_info::source origin) {
  switch (origin) {
    case kernel_info::source::none:
      return "not compiled";
    case kernel_info::source::compiled:
      return "compiled now";
    case kernel_info::source::disk_cache:
      return "from the disk cache";
    case kernel_info::source::memory_cache:
      return "from memory";
  }
  return "";
}

std::vector<knob_fact> facts_beside(std::string_view axis, const session_view& session) {
  std::vector<knob_fact> facts;
  const kernel_info* kernel = kernel_of_choice(session);
  const index_config& config = session.choice.config;
  if (axis == "threads" && kernel) {
    facts.push_back({"blocks a multiprocessor", std::to_string(kernel->blocks_per_sm),
                     "As many as fit, by the driver: threads, registers and scratch each set a limit."});
    facts.push_back(
        {"occupancy", percent_text(kernel->occupancy),
         "Threads that a multiprocessor holds at once, of those it could: they hide each other's waiting."});
  } else if (axis == "per_thread") {
    facts.push_back({"lookups a tile", short_count(tile_lookups(config.launch)),
                     fmt::format("{} threads, each with {}.", config.launch.threads, config.launch.per_thread), true});
    if (kernel) {
      facts.push_back(
          {"registers a thread", std::to_string(kernel->registers), "More registers, fewer threads at once."});
      facts.push_back(
          {"spills and stack", bytes_text(kernel->local_bytes),
           "A thread's values that found no register live in memory. A few bytes can pay, where they let more "
           "blocks run."});
    }
  } else if (axis == "scratch" || axis == "reorder") {
    const scratch_bytes asked = block_scratch(config);
    // Under the knob that asks for it; under reordering only what that adds.
    if (axis == "scratch") add_scratch(session, kernel, facts);
    if (axis == "reorder" && config.launch.reorder != reorder_kind::none)
      facts.push_back({"of it for sorting", bytes_text(asked.sorting + asked.answers), parts_words(asked), true});
  }
  return facts;
}

std::string kernel_remark(const session_view& session) {
  if (session.choice.machine == machine_kind::cpu) return "CPU: no kernel, lanes are loops.";
  const kernel_info* kernel = kernel_of_choice(session);
  if (!kernel) return "The kernel of this config is not compiled yet.";
  return kernel->compile_ms > 0
             ? fmt::format("Kernel {}, {}.", origin_words(kernel->origin), ms_text(kernel->compile_ms))
             : fmt::format("Kernel {}.", origin_words(kernel->origin));
}

}  // namespace pivotscope::viz
