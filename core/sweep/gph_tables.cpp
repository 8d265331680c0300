#include "core/sweep/gph_tables.hpp"

#include <fmt/format.h>

namespace pivotscope {

sweep gph_sweep(std::string name, std::string sentence, const char* source, const sweep_grid& grid, sweep_plot plot,
                std::string saw) {
  plot.ticks = words_of(grid.ticks);
  return {.name = std::move(name),
          .sentence = std::move(sentence),
          .source = fmt::format("gph, {}", source),
          .rows = rows_of(grid),
          .plot = std::move(plot),
          .saw = std::move(saw)};
}

}  // namespace pivotscope
