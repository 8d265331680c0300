#include "core/index/scene_knobs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pivotscope {
namespace {

constexpr u32 most_y_scale = 23, most_z_scale = 46;

std::optional<std::string> check_bits(const char* name, u32 bits) {
  if (bits >= 1 && bits <= most_axis_bits) return std::nullopt;
  return fmt::format("{}={} is outside 1 to {}: a float tells no more places and the halves between them", name, bits,
                     most_axis_bits);
}

}  // namespace

std::optional<std::string> check_scene(const scene_knobs& k) {
  if (k.wide != 4 && k.wide != 8) return fmt::format("wide={} is not 4 or 8", k.wide);
  if (auto why = check_bits("x_bits", k.x_bits)) return why;
  if (auto why = check_bits("y_bits", k.y_bits)) return why;
  if (k.y_scale > most_y_scale) return fmt::format("y_scale={} is greater than {}", k.y_scale, most_y_scale);
  if (k.z_scale > most_z_scale) return fmt::format("z_scale={} is greater than {}", k.z_scale, most_z_scale);
  return std::nullopt;
}

scene_knobs accepted_scene(scene_knobs k) {
  k.wide = k.wide < 8 ? 4 : 8;
  k.x_bits = std::clamp(k.x_bits, 1u, most_axis_bits), k.y_bits = std::clamp(k.y_bits, 1u, most_axis_bits);
  k.y_scale = std::min(k.y_scale, most_y_scale), k.z_scale = std::min(k.z_scale, most_z_scale);
  return k;
}

std::vector<axis> detail::scene_axes(const knob_access (&knobs)[5]) {
  struct words {
    const char *name, *title, *sentence;
    std::vector<std::string> values;
    std::pair<u32, u32> range;
  };
  const words all[] = {
      {"wide", "Boxes of a group", "Boxes or triangles that a box of the hierarchy holds: 4 or 8.", {"4", "8"}, {4, 8}},
      {"x_bits",
       "Bits of x",
       "The lowest bits of a key are its place along x, in its row. Few make rows and planes of few keys.",
       {"3", "8", "23"},
       {1, most_axis_bits}},
      {"y_bits",
       "Bits of y",
       "The bits above those of x are the row in its plane; what is left is the plane. Where that would be more than "
       "23 "
       "bits, y gets more, and then x.",
       {"2", "8", "23"},
       {1, most_axis_bits}},
      {"y_scale",
       "Scale of y",
       "Rows are 2 to that power apart: the more, the fewer rows a box holds. 15 is the paper's; 23 keeps them in "
       "order.",
       {"0", "15", "23"},
       {0, most_y_scale}},
      {"z_scale", "Scale of z", "Planes are 2 to that power apart.", {"0", "25", "46"}, {0, most_z_scale}}};
  std::vector<axis> list;
  for (u32 i = 0; i < std::size(all); ++i)
    list.push_back({all[i].name, all[i].title, all[i].sentence, all[i].values, all[i].range, knobs[i].get, knobs[i].set,
                    no_explanation});
  return list;
}

}  // namespace pivotscope
