#include "app/cli/floor_rates.hpp"

#include <fmt/format.h>

#include "app/built/this_program.hpp"
#include "app/cli/options/option_list.hpp"
#include "app/cli/output.hpp"
#include "app/cli/terminal_job.hpp"
#include "core/memory_benchmark/memory_benchmark_store.hpp"

namespace pivotscope {
namespace {

// Whether there is one of this very device, whether or not the model can take its rates from it.
bool is_kept(const std::string& cache_folder, const machine_info& of) {
  return load_memory_benchmark(memory_benchmark_path(cache_folder), of.kind, of.name, of.driver).found.has_value();
}

}  // namespace

void benchmark_choice::add_to(option_list& to) {
  to.flag("--no-floor", none,
          "on cuda: don't measure the device's floor first where none is kept; the traffic model then takes an H200's "
          "rates");
}

outcome<device_rates> benchmark_choice::rates(machine& on, const std::string& cache_folder, terminal_job& job) const {
  const machine_info& info = on.info();
  found_rates found = find_rates(cache_folder, info);
  if (!found.note.empty()) complain(found.note);
  if (none || info.kind != machine_kind::cuda || is_kept(cache_folder, info)) return std::move(found.rates);
  job.set_heading(fmt::format("measuring the floor of {}, once", info.name));
  outcome<memory_benchmark> measured = run_memory_benchmark(on, job.control());
  job.set_heading("");
  if (!measured && measured.error().cancelled) return measured.error();
  if (!measured) {
    complain(fmt::format("the floor of {} could not be measured ({}): the traffic model takes {}", info.name,
                         measured.error().words, found.rates.words()));
    return std::move(found.rates);
  }
  measured->by = this_program();
  const outcome<std::string> kept = keep_memory_benchmark(memory_benchmark_path(cache_folder), *measured);
  if (const std::string& told = kept ? *kept : kept.error().words; !told.empty()) complain(told);
  if (std::optional<device_rates> rates = rates_of(*measured)) return std::move(*rates);
  complain(fmt::format("the floor of {} lacks a point that the traffic model takes: it goes on with {}", info.name,
                       found.rates.words()));
  return std::move(found.rates);
}

}  // namespace pivotscope
