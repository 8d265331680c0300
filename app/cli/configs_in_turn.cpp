#include "app/cli/configs_in_turn.hpp"

#include <fmt/format.h>

#include <optional>

#include "core/tuning/name_alone.hpp"

namespace pivotscope {

std::string heading_of(std::span<const typed_config> configs, std::size_t i) {
  const std::string line = words_of(configs[i]);
  return configs.size() == 1 ? line : fmt::format("{}, {} of {}", line, i + 1, configs.size());
}

status for_each_config(std::span<const typed_config> configs, const workload_options& options, const workload& w,
                       machine& on, terminal_job& job,
                       const std::function<status(const typed_config&, const loaded_workload&)>& work) {
  std::optional<loaded_workload> loaded;
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const key_width width = configs[i].config.keys;
    job.set_heading(heading_of(configs, i));
    if (!loaded || loaded->keys->width() != width) {
      loaded.reset();  // frees its memory before more is taken
      outcome<loaded_workload> made = load_workload(options, w, width, on, job.control(), wants_sorted_keys(configs));
      if (!made) return made.error();
      loaded = std::move(*made);
    }
    if (status s = work(configs[i], *loaded); !s) return s;
  }
  return fine();
}

}  // namespace pivotscope
